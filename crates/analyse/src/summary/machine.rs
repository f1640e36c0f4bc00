//! A machine that was not measured: what it is made of, and settings that decide about speed.
use super::{Cell, Column, Label, Row, Table, TableId};
use crate::{say, theoretical, words};
use estimates::groups::by_key;
use record::{Between, CacheKind, CpuSet, Machine, Text, Unit};

record::named! {
    /// A row of the machine's table. Its name in snake case ends its message.
    pub enum Part {
        /// Base frequency as stated.
        BaseFrequency = "base_frequency",
        /// Boost frequency as stated.
        BoostFrequency = "boost_frequency",
        /// The frequency governor.
        Governor = "governor",
        /// Data caches by level.
        Caches = "caches",
        /// The bytes of all data caches of a level, where a source states no more.
        CachesTotal = "caches_total",
        /// Maker and name of the board or system.
        Board = "board",
        /// BIOS with its date, and microcode.
        Firmware = "firmware",
        /// Memory modules by kind, and channels.
        Modules = "modules",
        /// The kernel's command line.
        CommandLine = "command_line",
        /// A scheduler that was loaded.
        Scheduler = "scheduler",
        /// How the IOMMU translates accesses of devices.
        Iommu = "iommu",
        /// Memory errors that were counted.
        MemoryErrors = "memory_errors",
        /// Transparent huge pages.
        HugePages = "huge_pages",
        /// NUMA balancing.
        Balancing = "balancing",
        /// CPUs that the scheduler leaves out.
        Isolated = "isolated",
        /// CPUs that are switched off.
        Offline = "offline",
        /// Kinds of cores, where there are several.
        CoreKinds = "core_kinds",
        /// CPUs that this process may use, where these are not all.
        Usable = "usable",
        /// Limit of CPU time.
        Quota = "quota",
        /// The container.
        Container = "container",
        /// Vulnerabilities, mitigated and not.
        Mitigations = "mitigations",
    }
}

/// The table of a machine; parts that are not known have no row.
pub(super) fn table(machine: &Machine) -> Option<Table> {
    let topology = &machine.topology;
    let number =
        |name: &str, unit| machine.number(name).map(|x| super::tables::number(Some(x), unit));
    let text = |name: &str| machine.value(name).map(|v| Cell::Text(v.to_string().into()));
    let limited = |name: &str| {
        text(name).filter(|c| !matches!(c, Cell::Text(t) if *t == "unlimited" || *t == "none"))
    };
    let usable = topology.usable();
    let offline: CpuSet = topology.cpus.iter().filter(|c| !c.online).map(|c| c.id).collect();
    let restricted = usable.len() < topology.online().len() && !usable.is_empty();
    let cells = [
        (Part::Board, joined(machine, &["system.vendor", "system.product"])),
        (
            Part::Firmware,
            joined(machine, &["bios.vendor", "bios.version", "bios.date", "cpu.microcode"]),
        ),
        (Part::BaseFrequency, number(crate::facts::CLOCK_BASE, Unit::Hertz)),
        (Part::BoostFrequency, number(crate::facts::CLOCK_MAX, Unit::Hertz)),
        (Part::Governor, text(crate::facts::GOVERNOR)),
        (Part::Caches, caches(machine)),
        (Part::CachesTotal, caches_total(machine)),
        (Part::HugePages, text(crate::facts::THP)),
        (Part::Balancing, text("memory.numa_balancing")),
        (Part::Isolated, limited("cpu.isolated")),
        (Part::Offline, (!offline.is_empty()).then(|| share(&offline, topology.cpus.len()))),
        (Part::CoreKinds, core_kinds(machine)),
        (Part::Usable, restricted.then(|| share(&usable, topology.online().len()))),
        (Part::Quota, limited(crate::facts::CPU_QUOTA)),
        (Part::Container, text("virtual.container")),
        (Part::Scheduler, text("kernel.sched_ext.ops")),
        (Part::Iommu, text("devices.iommu")),
        (Part::MemoryErrors, errors(machine)),
    ];
    let row = |(part, cell): (Part, Option<Cell>)| {
        Some(Row { label: Label::Part(part), cells: vec![cell?], excluded: false })
    };
    Table::new(TableId::Machine, &[Column::Value], cells.into_iter().filter_map(row).collect())
}

/// How many of all CPUs these are, and which: `1/8 (CPU 3)`.
fn share(cpus: &CpuSet, all: usize) -> Cell {
    Cell::Text(format!("{}/{all} (CPU {cpus})", cpus.len()).into())
}

/// `P-core 0-11, E-core 12-15`: a hybrid processor's CPUs by kind.
fn core_kinds(machine: &Machine) -> Option<Cell> {
    let online = machine.topology.cpus.iter().filter(|c| c.online && c.kind.is_some());
    let kinds = by_key(online, |c| c.kind.as_deref().unwrap_or_default());
    let kind = |(kind, cpus): &(&str, Vec<&record::Cpu>)| {
        let name = match *kind {
            "performance" => "P-core",
            "efficiency" => "E-core",
            other => other,
        };
        let cpus: CpuSet = cpus.iter().map(|c| c.id).collect();
        format!("{name} {cpus}")
    };
    let all: Vec<String> = kinds.iter().map(kind).collect();
    (all.len() > 1).then(|| Cell::Text(words::shortened(&all.join(", "), WIDEST).into()))
}

/// Equal items in order, each with how often it is there: `2 x 48 KiB`.
pub(super) fn counted(items: impl Iterator<Item = Text>) -> Vec<Text> {
    let times = |(item, all): (Text, Vec<Text>)| match all.len() {
        1 => item,
        count => say::several(count, item),
    };
    by_key(items, Text::clone).into_iter().map(times).collect()
}

fn bytes(of: u64) -> String {
    words::bytes(of as f64)
}

fn caches(machine: &Machine) -> Option<Cell> {
    let all = machine.topology.caches.iter().filter(|c| c.kind != CacheKind::Instruction);
    let sizes =
        counted(all.filter_map(|c| Some(format!("L{} {}", c.level, bytes(c.bytes?)).into())));
    let sizes = if sizes.is_empty() { stated_caches(machine) } else { sizes };
    let text = Text::list(sizes, Between::Comma);
    (!text.is_empty()).then_some(Cell::Text(text))
}

/// Data caches as facts name them.
const LEVELS: [(&str, &str); 3] = [("l1d", "L1"), ("l2", "L2"), ("l3", "L3")];

/// Caches of which a source states the size and perhaps the number, and not who shares them.
fn stated_caches(machine: &Machine) -> Vec<Text> {
    let known = LEVELS.into_iter().filter_map(|(id, level)| {
        let stated = |what: &str| machine.integer(&format!("cache.{id}.{what}"));
        let size = format!("{level} {}", bytes(stated("each")?));
        Some(match stated("instances") {
            Some(count) if count > 1 => say::several(count, size),
            _ => size.into(),
        })
    });
    known.collect()
}

/// Sums over all caches of a level: newer lscpu without counts of instances prints nothing else.
fn caches_total(machine: &Machine) -> Option<Cell> {
    if caches(machine).is_some() {
        return None;
    }
    let known = LEVELS.into_iter().filter_map(|(id, level)| {
        Some(format!("{level} {}", bytes(machine.integer(&format!("cache.{id}.total"))?)))
    });
    let text = known.collect::<Vec<_>>().join(", ");
    (!text.is_empty()).then_some(Cell::Text(text.into()))
}

/// Facts in a row, short enough for a cell.
fn joined(machine: &Machine, facts: &[&str]) -> Option<Cell> {
    let known: Vec<&str> = facts.iter().filter_map(|fact| machine.text(fact)).collect();
    (!known.is_empty()).then(|| Cell::Text(words::shortened(&known.join(", "), WIDEST).into()))
}

/// Characters of a cell that leave room for its label.
const WIDEST: usize = 52;

fn errors(machine: &Machine) -> Option<Cell> {
    let count = |name: &str| machine.integer(&format!("memory.errors.{name}"));
    let (corrected, rest) = (count("corrected")?, count("uncorrected")?);
    (corrected + rest > 0).then(|| Cell::Text(say::memory_errors(corrected, rest)))
}

/// Facts that take more than a cell: modules, command line, vulnerabilities; each with the items of its lines.
pub(super) fn long(machine: &Machine) -> Vec<(Part, Vec<Text>)> {
    let command_line = machine.text("kernel.cmdline").unwrap_or_default();
    let all = [
        (Part::Modules, modules(machine)),
        (
            Part::CommandLine,
            command_line.split(' ').filter(|w| !w.is_empty()).map(Text::from).collect(),
        ),
        (Part::Mitigations, mitigations(machine)),
    ];
    all.into_iter().filter(|(_, items)| !items.is_empty()).collect()
}

/// `12 x 32 GiB DDR4-2933 (runs at 2666 MT/s)`, and how many channels have one.
fn modules(machine: &Machine) -> Vec<Text> {
    let filled = machine.topology.modules();
    let mega = |t: f64| format!("{:.0}", t / 1e6);
    let text = counted(filled.map(|d| {
        let kind = d.kind.clone().unwrap_or_default();
        let kind = d.rated.map_or(kind.clone(), |t| format!("{kind}-{}", mega(t)));
        let parts = [d.bytes.map(bytes), Some(kind)];
        let module = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
        match d.configured {
            Some(t) => say::runs_at(module, mega(t)),
            None => module.into(),
        }
    }));
    let text = Text::list(text, Between::Comma);
    let mut items: Vec<Text> = (!text.is_empty()).then_some(text).into_iter().collect();
    if let Some((filled, all)) = theoretical::filled_channels(machine) {
        items.push(say::channels(filled, all));
    }
    items
}

/// The number of mitigated vulnerabilities, and the open ones.
fn mitigations(machine: &Machine) -> Vec<Text> {
    let states = |word: &str| -> Vec<String> {
        let stated = machine.facts.keys().filter_map(|name| {
            let short = name.strip_prefix("kernel.mitigations.")?;
            machine.text(name)?.starts_with(word).then(|| short.to_owned())
        });
        stated.collect()
    };
    let (on, open) = (states("Mitigation"), states("Vulnerable"));
    let mut items = match (on.len(), states("Not affected").len()) {
        (0, _) => vec![],
        (on, aside) => vec![say::mitigations(on, aside)],
    };
    if !open.is_empty() {
        items.push(say::vulnerable(open.join(", ")));
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_that_lscpu_counts_are_shown_without_their_sharers() {
        let mut machine = Machine::default();
        let facts = [
            ("l3.each", 48 << 20),
            ("l3.instances", 2),
            ("l2.each", 1280 << 10),
            ("l1d.total", 3 << 20),
        ];
        for (name, value) in facts {
            machine.set(&format!("cache.{name}"), value as u64, "lscpu");
        }
        let each = Cell::Text("L2 1.25 MiB, 2 x L3 48 MiB".into());
        assert_eq!((caches(&machine), caches_total(&machine)), (Some(each), None));
        let mut machine = Machine::default();
        machine.set("cache.l3.total", 128_u64 << 20, "lscpu");
        let sum = table(&machine).unwrap().rows;
        assert_eq!(sum[0].label, Label::Part(Part::CachesTotal));
        assert_eq!(sum[0].cells, [Cell::Text("L3 128 MiB".into())]);
    }

    #[test]
    fn what_is_too_long_for_a_cell_is_marked_as_cut() {
        let mut machine = Machine::default();
        machine.set("system.vendor", "A vendor", "test");
        let of = |machine: &Machine| joined(machine, &["system.vendor", "system.product"]);
        assert_eq!(of(&machine), Some(Cell::Text("A vendor".into())));
        machine.set("system.product", "x".repeat(80), "test");
        let Some(Cell::Text(text)) = of(&machine) else { panic!() };
        assert!(text.ends_with("x…") && text.chars().count() == WIDEST + 1, "{text}");
    }

    /// Of a machine that was only described, as by dmidecode, its modules are said; answers to other questions leave them.
    #[test]
    fn the_modules_of_a_described_machine_are_shown() {
        let mut record = catalogue::record("dimm-home-machine").unwrap().unwrap();
        record.runs.clear();
        record.machine.set("memory.channels", 8_u64, "test");
        record.machine.set("memory.channels.filled", 2_u64, "test");
        let report = crate::analyse(&record);
        let shown = crate::summary::summary(&report).drawing;
        let items = shown.iter().find_map(|line| match line {
            crate::summary::Drawn::Long(Part::Modules, items) => Some(items.join(", ")),
            _ => None,
        });
        assert!(items.unwrap().ends_with("2/8 channels"));
        let found = crate::diagnosis::diagnosis(&report, None);
        assert!(crate::summary::of_diagnosis(&report, &found).drawing.is_empty());
    }
}
