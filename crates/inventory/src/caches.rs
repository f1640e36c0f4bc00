//! Every cache instance and the CPUs that share it: from sysfs, else from CPUID as far as it states them.
use crate::{
    evidence::{CPUID, Evidence},
    old_caches,
    reading::{Files, Unavailable, distinct},
};
use record::{
    Cache, CacheKind, CpuSet, Machine, Reason, Sort, Topology, Unit, Value, groups, sets,
};
use std::collections::BTreeSet;

const BASE: &str = "/sys/devices/system/cpu";
/// Linux numbers at most 8 leaves (`MAX_CACHE_LEVEL` and split first level); more are nonsense.
const MOST_PER_CPU: usize = 16;
/// Beyond any cache made; AMD's largest stacked L3 of a package is a little over 1 GiB.
const MOST_BYTES: u64 = 64 << 30;

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    let topology = &mut machine.topology;
    from_sysfs(evidence.files, topology);
    if topology.caches.is_empty() {
        from_cpuid(evidence, topology);
    }
    if topology.caches.is_empty() {
        old_caches::sparc(evidence.files, topology);
    }
    if topology.caches.is_empty() {
        old_caches::private(evidence, topology);
    }
    if topology.caches.is_empty() {
        let why = "neither /sys/devices/system/cpu/cpu*/cache nor CPUID describes caches here";
        topology.lack("caches", why);
    }
    let silent = topology.caches.iter().filter(|c| c.bytes.is_none()).count();
    if silent > 0 {
        let why = format!(
            "{silent} of {} caches are listed without their size: firmware (ACPI PPTT, device tree) does not state it",
            topology.caches.len()
        );
        topology.lack("cache sizes", why);
    }
    topology.caches.order_by_key(|c| (c.level, c.kind, c.cpus.first()));
    sums(machine);
    old_caches::shared(evidence, machine);
}

/// Old lscpu states one instance's size, new lscpu the sum over all; a reader of either needs both and the count.
fn sums(machine: &mut Machine) {
    let topology = &machine.topology;
    let source = topology.sources.iter().find(|(part, _)| part == "caches");
    let source = source.map_or(BASE.to_string(), |(_, source)| source.clone());
    let kinds =
        groups(topology.caches.iter().map(|cache| ((cache.level, cache.kind), cache.bytes)));
    for ((level, kind), sizes) in kinds {
        let name = fact(level, kind);
        let source = source.as_str();
        machine.set_in(&format!("{name}.instances"), sizes.len() as u64, Unit::Count, source);
        let known: Vec<u64> = sizes.iter().flatten().copied().collect();
        if known.len() < sizes.len() {
            let of = format!("the size of {} of them is not known", sizes.len() - known.len());
            machine.unknown(&format!("{name}.total"), of, source);
            continue;
        }
        let total = known.iter().fold(0u64, |sum, bytes| sum.saturating_add(*bytes));
        machine.set_in(&format!("{name}.total"), total, Unit::Bytes, source);
        let distinct = distinct(known);
        let each = match distinct[..] {
            [each] => Value::Integer(each),
            _ => Value::List(distinct.into_iter().map(Value::Integer).collect()),
        };
        machine.set_in(&format!("{name}.each"), each, Unit::Bytes, source);
    }
}

/// The beginning of the names of facts about one kind of cache: `cache.l1d`.
pub(crate) fn fact(level: u32, kind: CacheKind) -> String {
    let letter = match kind {
        CacheKind::Data => "d",
        CacheKind::Instruction => "i",
        CacheKind::Unified => "",
    };
    format!("cache.l{level}{letter}")
}

/// As kernels print it.
pub(crate) fn kind(text: &str) -> Option<CacheKind> {
    Some(match text {
        "Data" => CacheKind::Data,
        "Instruction" => CacheKind::Instruction,
        "Unified" => CacheKind::Unified,
        _ => return None,
    })
}

fn from_sysfs(files: Files<'_>, topology: &mut Topology) {
    // The text of the sharing list distinguishes instances, so the lists of a thousand CPUs are not parsed.
    let mut seen = BTreeSet::new();
    let mut odd = None;
    let known: CpuSet = topology.cpus.iter().map(|cpu| cpu.id).collect();
    for cpu in topology.cpus.iter().filter(|cpu| cpu.online) {
        let dir = format!("{BASE}/cpu{}/cache", cpu.id);
        for index in files.some(&dir, "index", MOST_PER_CPU) {
            let dir = format!("{dir}/index{index}");
            let stated = files.line(&format!("{dir}/type")).ok();
            let Some(kind) = stated.and_then(|text| kind(&text)) else { continue };
            let level = match files.small(&format!("{dir}/level")) {
                Ok(level @ 1..=9) => level,
                Ok(level) => {
                    let why = format!("says {level}, which is not a cache level");
                    odd = Some((format!("{dir}/level"), why));
                    continue;
                }
                Err(_) => continue,
            };
            // The mask first, as lscpu and lstopo do: edited dumps keep the list of the machine they came from.
            let list = files
                .text(&format!("{dir}/shared_cpu_map"))
                .map(|mask| format!("mask {mask}"))
                .or_else(|_| files.text(&format!("{dir}/shared_cpu_list")))
                .unwrap_or_default();
            if list.trim().is_empty() {
                let own = [cpu.id].into_iter().collect();
                topology.caches.push(instance(files, &dir, level, kind, own));
            } else if !seen.contains(&(level, kind, list.clone())) {
                let (file, parsed) = match list.strip_prefix("mask ") {
                    Some(mask) => ("shared_cpu_map", crate::reading::cpu_mask(mask)),
                    None => ("shared_cpu_list", crate::reading::cpu_list(&list)),
                };
                let list_path = format!("{dir}/{file}");
                let cpus = parsed.unwrap_or_else(|why| {
                    odd = Some((list_path.clone(), why));
                    [cpu.id].into_iter().collect()
                });
                if !cpus.is_subset(&known) {
                    odd = Some((list_path, "names CPUs that are not there".into()));
                }
                let cpus = cpus.intersection(&known);
                let together = cpus.len() > 1;
                // A list that leaves its own CPU out describes some other machine.
                let cpus = match cpus.contains(cpu.id) {
                    true => cpus,
                    // Itanium kernels leave the second mask of a split level empty; a core's threads share it.
                    false if cpus.is_empty() => cpu.siblings.clone(),
                    false => [cpu.id].into_iter().collect(),
                };
                if together {
                    seen.insert((level, kind, list));
                }
                topology.caches.push(instance(files, &dir, level, kind, cpus));
            }
        }
    }
    // Some hypervisors list a leaf twice, and each thread of a group lists its cache.
    let mut seen = BTreeSet::new();
    topology.caches.retain(|cache| seen.insert((cache.level, cache.kind, cache.cpus.to_string())));
    if let Some((path, why)) = odd {
        topology.lack("caches", Unavailable::Unreadable(why).reason(&path));
    }
    let mut has = BTreeSet::new();
    let twice = topology.caches.iter().find_map(|cache| {
        let duplicate = |cpu: &u32| !has.insert((cache.level, cache.kind, *cpu));
        Some((cache.cpus.iter().find(duplicate)?, cache.level))
    });
    if let Some((cpu, level)) = twice {
        let why = format!(
            "CPU {cpu} is listed in two level {level} caches of one kind, so who shares them is not known"
        );
        topology.lack("caches", why);
    }
    if !topology.caches.is_empty() {
        topology.read("caches", "/sys/devices/system/cpu/cpu*/cache");
    }
}

fn instance(files: Files<'_>, dir: &str, level: u32, kind: CacheKind, cpus: CpuSet) -> Cache {
    let number = |name: &str| files.small(&format!("{dir}/{name}")).ok().filter(|n| *n > 0);
    let bytes = files.line(&format!("{dir}/size")).ok().and_then(|text| size(&text));
    Cache {
        level,
        kind,
        bytes,
        line: number("coherency_line_size").filter(line),
        ways: number("ways_of_associativity"),
        cpus,
    }
}

/// Whether a line of so many bytes could be.
fn line(bytes: &u32) -> bool {
    bytes.is_power_of_two() && *bytes <= 4096
}

/// `48K`, `32M`; nothing for `0K` and for sizes that cannot be.
pub(crate) fn size(text: &str) -> Option<u64> {
    let (digits, scale) = match text.strip_suffix(['K', 'k']) {
        Some(digits) => (digits, 1 << 10),
        None => match text.strip_suffix('M') {
            Some(digits) => (digits, 1 << 20),
            None => (text, 1),
        },
    };
    let bytes = digits.trim().parse::<u64>().ok()?.checked_mul(scale)?;
    (1..=MOST_BYTES).contains(&bytes).then_some(bytes)
}

/// CPUID counts the sharers at most, it does not name them: one core's threads if that few, else the package.
fn from_cpuid(evidence: &Evidence<'_>, topology: &mut Topology) {
    let mut caches = vec![];
    let mut guessed = false;
    let mut seen = BTreeSet::new();
    for cache in evidence.cpuid.caches() {
        if !seen.insert((cache.level, cache.kind)) {
            let name = fact(cache.level, cache.kind);
            let why = format!("CPUID describes {name} twice for one core; the first counts");
            topology.lack("caches", why);
            continue;
        }
        // Keyed by first sibling or by package, so that a group is built once, whatever its size.
        let groups = sets(topology.cpus.iter().filter(|cpu| cpu.online).map(|cpu| {
            let threads = cpu.siblings.len().max(1);
            let own = cache.sharers as usize <= threads || cache.level < 3 && cache.sharers <= 2;
            guessed |= !own;
            ((own, if own { cpu.siblings.first() } else { cpu.package }), cpu.id)
        }));
        caches.extend(groups.into_values().map(|cpus| Cache {
            level: cache.level,
            kind: cache.kind,
            bytes: Some(cache.bytes).filter(|bytes| (1..=MOST_BYTES).contains(bytes)),
            line: Some(cache.line).filter(line),
            ways: Some(cache.ways).filter(|n| *n > 0),
            cpus,
        }));
    }
    if guessed {
        let why =
            "CPUID states how many CPUs may share a cache, not which; whole packages are assumed";
        topology.lack("caches.sharing", Reason::mended_by(why, "mount /sys"));
    }
    if !caches.is_empty() {
        topology.read("caches", CPUID);
    }
    topology.caches = caches;
}

#[cfg(test)]
mod tests {
    #[test]
    fn sizes() {
        assert_eq!(super::size("48K"), Some(48 << 10));
        assert_eq!(super::size("2M"), Some(2 << 20));
        for absurd in ["0K", "", "K", "-1K", "99999999999999999999K", "18446744073709551615K"] {
            assert_eq!(super::size(absurd), None, "{absurd}");
        }
    }
}
