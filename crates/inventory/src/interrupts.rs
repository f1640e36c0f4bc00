//! Interrupt affinities: the default one, the CPUs each device's interrupts may and do go to, how many interrupts
//! each CPU took since boot, and whether irqbalance moves them about.
//! Source: Linux, Documentation/core-api/irq/irq-affinity.rst, Documentation/filesystems/proc.rst (`/proc/irq`).
use crate::{
    evidence::Evidence,
    reading::{Files, Presence, Unavailable, absent, put},
};
use record::{CpuSet, Machine, Reason, Sort, Unit, Value};

pub(crate) const TABLE: &str = "/proc/interrupts";
/// Arm numbers its tick like a device's interrupt.
pub(crate) const TICK: &str = "arch_timer";

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    let files = evidence.files;
    const DEFAULT: &str = "/proc/irq/default_smp_affinity";
    // The mask has bits for CPUs that could be plugged in; who is not there takes no interrupts.
    let present: CpuSet = machine.topology.cpus.iter().map(|cpu| cpu.id).collect();
    let there = |set: CpuSet| if present.is_empty() { set } else { set.intersection(&present) };
    let affinity = files.mask(DEFAULT).map(|set| there(set).to_string());
    put(machine, "interrupts.affinity", affinity, DEFAULT, Presence::IfThere);
    routes(files, machine);
    counts(files, machine);
    balance(files, machine);
}

/// As many interrupts are asked where they go, two files each.
const MOST_IRQS: usize = 4096;

/// Where the interrupts go that have a line in the table: those of one route together, as `24,28-30 0-63 5`, the numbers, the CPUs
/// that they may go to (`smp_affinity_list`) and those that they do go to (`effective_affinity_list`, since Linux 4.15 where the
/// interrupt controller picks; `-` if unknown).
fn routes(files: Files<'_>, machine: &mut Machine) {
    const NAME: &str = "interrupts.routes";
    const PLACE: &str = "/proc/irq";
    let numbers = match files.numbered(PLACE, "") {
        Ok(numbers) => numbers,
        Err(why) => return absent(machine, NAME, &why, PLACE, Presence::IfThere),
    };
    let table = files.text(TABLE).unwrap_or_default();
    let in_use: CpuSet = table.lines().filter_map(number_of_device).collect();
    let route = |irq: u32| {
        let list = |file: &str| {
            let set = files.set(&format!("{PLACE}/{irq}/{file}")).ok()?;
            (!set.is_empty()).then(|| set.to_string())
        };
        let may = list("smp_affinity_list")?;
        Some(((may, list("effective_affinity_list").unwrap_or_else(|| "-".into())), irq))
    };
    let numbers = numbers.into_iter().filter(|irq| in_use.contains(*irq)).take(MOST_IRQS);
    let mut routes: Vec<_> = record::sets(numbers.filter_map(route)).into_iter().collect();
    if routes.is_empty() {
        return;
    }
    routes.order_by_key(|(_, irqs)| irqs.first());
    let words = routes.into_iter().map(|((may, does), irqs)| format!("{irqs} {may} {does}"));
    machine.set(NAME, Value::List(words.map(Value::Text).collect()), PLACE);
}

/// The number of a line of the table that is a device's.
fn number_of_device(line: &str) -> Option<u32> {
    let (label, _) = line.split_once(':')?;
    label.trim().parse().ok().filter(|_| !line.contains(TICK))
}

fn counts(files: Files<'_>, machine: &mut Machine) {
    const NAME: &str = "interrupts.total";
    let odd = || Unavailable::Unreadable("does not begin with CPU columns".into());
    let got = files.text(TABLE).and_then(|text| tally(&text).ok_or_else(odd));
    let tally = match got {
        Ok(tally) => tally,
        Err(why) => return absent(machine, NAME, &why, TABLE, Presence::Always),
    };
    let total = tally.all.iter().fold(0u64, |sum, n| sum.saturating_add(*n));
    machine.set_in(NAME, total, Unit::Count, TABLE);
    let cpus: CpuSet = tally.cpus.iter().copied().collect();
    machine.set("interrupts.cpus", cpus.to_string(), TABLE);
    for (name, counts) in [("interrupts.all", tally.all), ("interrupts.device", tally.device)] {
        let list = counts.into_iter().map(Value::Integer).collect();
        machine.set_in(name, Value::List(list), Unit::Count, TABLE);
    }
}

/// Counts per column since boot.
#[derive(Debug, Default, PartialEq)]
struct Tally {
    cpus: Vec<u32>,
    all: Vec<u64>,
    /// Only what devices raised: lines with a number, less the tick.
    device: Vec<u64>,
}

fn tally(text: &str) -> Option<Tally> {
    let mut lines = text.lines();
    let cpus: Option<Vec<u32>> = lines
        .next()?
        .split_whitespace()
        .map(|word| word.strip_prefix("CPU")?.parse().ok().filter(|id| *id <= CpuSet::MAX))
        .collect();
    let cpus = cpus.filter(|cpus| !cpus.is_empty() && cpus.is_sorted_by(|a, b| a < b))?;
    let zeros = vec![0u64; cpus.len()];
    let mut tally = Tally { all: zeros.clone(), device: zeros, cpus };
    for line in lines {
        let Some((_, rest)) = line.split_once(':') else { continue };
        let device = number_of_device(line).is_some();
        // Lines with one number (ERR, MIS) are the machine's, not a CPU's.
        let numbers = rest.split_whitespace().map_while(|word| word.parse().ok());
        let row: Vec<u64> = numbers.take(tally.cpus.len()).collect();
        if row.len() != tally.cpus.len() {
            continue;
        }
        for (column, count) in row.into_iter().enumerate() {
            tally.all[column] = tally.all[column].saturating_add(count);
            if device {
                tally.device[column] = tally.device[column].saturating_add(count);
            }
        }
    }
    Some(tally)
}

/// The table without the names of its lines: names of interfaces and drivers are private.
pub(crate) fn nameless(line: &str) -> String {
    let Some((label, rest)) = line.split_once(':') else { return line.to_string() };
    let is_count = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
    let counts: Vec<&str> = rest.split_whitespace().take_while(is_count).collect();
    let tick = if line.contains(TICK) { " arch_timer" } else { "" };
    format!("{label}: {}{tick}", counts.join(" "))
}

/// It keeps its socket (since 1.5) or its process number in /run while it runs.
fn balance(files: Files<'_>, machine: &mut Machine) {
    const NAME: &str = "interrupts.irqbalance";
    const PLACES: [&str; 2] = ["/run/irqbalance", "/run/irqbalance.pid"];
    if let Some(place) = PLACES.into_iter().find(|place| files.exists(place)) {
        return machine.set(NAME, true, place);
    }
    match machine.text("virtual.container") {
        // A recorded tree holds no empty directories; one with the table was taken by looking for these, too.
        Some("none") if files.exists(TABLE) => machine.set(NAME, false, PLACES[0]),
        Some("none") => {
            machine.unknown(NAME, "whether /run could be looked at is not recorded here", PLACES[0])
        }
        _ => machine.unknown(
            NAME,
            Reason::mended_by(
                "irqbalance would run outside of this container, where its files are not seen",
                "run on the host, or there: systemctl status irqbalance",
            ),
            PLACES[0],
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SAMPLE: &str = "           CPU0       CPU2\n  0:         5          0   IO-APIC   2-edge      timer\n 24:       100        300   PCI-MSI 1048576-edge      eth0-rx\n 11:         7          8   GICv3  27 Level     arch_timer\nLOC:      1000       2000   Local timer interrupts\nERR:          3\n";

    #[test]
    fn columns_are_summed_and_names_are_dropped() {
        let sum = tally(SAMPLE).unwrap();
        assert_eq!(sum, Tally { cpus: vec![0, 2], all: vec![1112, 2308], device: vec![105, 300] });
        let shared: String = SAMPLE.lines().map(|line| nameless(line) + "\n").collect();
        assert!(!shared.contains("eth0") && !shared.contains("IO-APIC"));
        assert_eq!(tally(&shared), Some(sum));
        assert_eq!(shared, shared.lines().map(|line| nameless(line) + "\n").collect::<String>());
        assert_eq!(tally("odd\n"), None);
    }

    proptest! {
        #[test]
        fn any_table_survives(text in "( CPU[0-9]{1,6}){0,4}\n([A-Z0-9]{1,4}:[ 0-9]{0,30}.{0,20}\n){0,5}") {
            let before = tally(&text);
            let shared: String = text.lines().map(|line| nameless(line) + "\n").collect();
            if let Some(before) = before {
                prop_assert_eq!(before.cpus.len(), before.all.len());
                prop_assert!(tally(&shared).is_some());
            }
        }
    }
}
