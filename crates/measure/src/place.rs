//! Sizes of buffers: from the real caches, bounded by the memory that is really free; and whether huge pages are to be had.
use record::{Case, CpuSet, Machine, Pages, Placement, Reason};

/// A working set of less than this many times the last-level cache is not memory; the ratio that was reached is
/// recorded with the buffer.
pub const LLC_MULTIPLE: u64 = 4;
/// Bandwidth works on this many times the last-level cache: STREAM asks for four times it in each array, and its kernels
/// have three. At four times altogether the cache still serves a part, and STREAM reads a tenth more
/// (docs/validation/memory.md).
pub const LLC_MULTIPLE_BANDWIDTH: u64 = 12;
/// A latency curve ends at this many times the last-level cache where there is room: at 2x, peers' figures
/// scatter by 50 %, at 16x they agree within 2 % (docs/validation/memory.md).
pub const LLC_MULTIPLE_LATENCY: u64 = 16;
/// The assumed size where the machine states no cache at all: larger than any core's share today.
pub const UNKNOWN_LLC: u64 = 64 << 20;
/// Below this a buffer says nothing about memory, and the case is not run.
pub const LEAST: u64 = 1 << 20;

/// Bytes that all threads together may take: half of what is free, at most.
pub fn room(free: Option<u64>) -> u64 {
    free.map_or(256 << 20, |free| free / 2)
}

/// The case with its buffers on such pages.
pub fn on_pages(pages: Pages, case: Case) -> Case {
    Case { place: Placement { pages, ..case.place }, ..case }
}

/// The reason why there are no transparent huge pages, for any process or for this one; `None` if there may be some.
pub fn no_huge_pages(machine: &Machine) -> Option<Reason> {
    if machine.text("memory.thp.enabled") == Some("never") {
        return Some(Reason::mended_by(
            "transparent huge pages are off",
            "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
        ));
    }
    (machine.text("memory.thp.process") == Some("disabled")).then(|| {
        Reason::mended_by(
            "transparent huge pages are off for this process (PR_SET_THP_DISABLE)",
            "start cpulens without the wrapper, or container, that took them away",
        )
    })
}

/// The last-level caches reached by these CPUs: summed capacity in bytes, each instance once.
pub fn last_levels(machine: &Machine, cpus: &CpuSet) -> Option<u64> {
    let last = |cpu| machine.topology.data_caches(cpu).into_iter().rfind(|c| c.bytes.is_some());
    let all: Vec<&record::Cache> = cpus.iter().map(last).collect::<Option<_>>()?;
    let sum: u64 = record::distinct(all).iter().filter_map(|c| c.bytes).sum();
    (sum > 0).then_some(sum)
}

/// Bytes per thread for a bandwidth case: together 12 times the caches they reach and 64 MiB a thread at least
/// where there is room, whole 2 MiB pages.
pub fn bandwidth_bytes(machine: &Machine, cpus: &CpuSet, free: Option<u64>) -> u64 {
    let threads = cpus.len().max(1) as u64;
    let llc = last_levels(machine, cpus).unwrap_or(UNKNOWN_LLC * threads);
    within((LLC_MULTIPLE_BANDWIDTH * llc / threads).max(64 << 20), cpus.len(), free)
}

/// The part of the `wanted` bytes that each of `threads` gets: no more than an equal part of the free memory.
pub fn within(wanted: u64, threads: usize, free: Option<u64>) -> u64 {
    round(wanted.min(room(free) / threads.max(1) as u64))
}

/// Bytes of the largest working set of a latency curve on one CPU; `most` bounds it where time is short,
/// but never below 4 times the cache.
pub fn latency_bytes(machine: &Machine, cpu: u32, free: Option<u64>, most: u64) -> u64 {
    let llc = machine.topology.last_level_bytes(cpu).unwrap_or(UNKNOWN_LLC);
    let wanted = (LLC_MULTIPLE_LATENCY * llc).max(512 << 20).min(most.max(LLC_MULTIPLE * llc));
    round(wanted.min(room(free)))
}

/// The bytes of each of several buffers of one thread.
pub fn shared(bytes: u64, buffers: usize) -> u64 {
    if buffers > 1 { round(bytes / buffers as u64) } else { bytes }
}

/// Rounds down to 2 MiB, or to 64 KiB below that.
fn round(bytes: u64) -> u64 {
    let unit = if bytes >= 2 << 20 { 2 << 20 } else { 64 << 10 };
    bytes / unit * unit
}

/// Size over the last-level cache reached by these CPUs, where that is known.
pub fn ratio(machine: &Machine, cpus: &CpuSet, bytes: u64) -> Option<f64> {
    Some(bytes as f64 / last_levels(machine, cpus)? as f64)
}

/// The first CPU of each core among these.
pub fn one_per_core(machine: &Machine, cpus: &CpuSet) -> CpuSet {
    let first = |cpu: &u32| {
        let siblings = machine.topology.cpu(*cpu).map(|c| c.siblings.intersection(cpus));
        siblings.and_then(|s| s.first()).is_none_or(|first| first == *cpu)
    };
    cpus.iter().filter(first).collect()
}

/// These CPUs, the first of each core before the others.
pub fn cores_first(machine: &Machine, cpus: &CpuSet) -> Vec<u32> {
    let cores = one_per_core(machine, cpus);
    let rest = cpus.iter().filter(|cpu| !cores.contains(*cpu));
    cores.iter().chain(rest).collect()
}

/// Picks at most `most` of the CPUs, spread over sockets, nodes and last-level caches, one thread of a core
/// before its siblings; ascending.
pub fn spread(machine: &Machine, cpus: &CpuSet, most: usize) -> CpuSet {
    if cpus.len() <= most {
        return cpus.clone();
    }
    ranked(machine, cpus).into_iter().take(most).collect()
}

/// The CPUs in such an order that any first few are spread as [`spread`] says.
pub fn ranked(machine: &Machine, cpus: &CpuSet) -> Vec<u32> {
    // Each CPU's rank inside its last-level cache; the lowest ranks of every cache come first.
    let cores = machine.topology.one_per_core();
    let mut ranked: Vec<(usize, u32)> = vec![];
    let mut groups: Vec<(CpuSet, usize)> = vec![];
    for second in [false, true] {
        for cpu in cpus.iter().filter(|c| cores.contains(*c) != second) {
            let group = machine
                .topology
                .data_caches(cpu)
                .last()
                .map_or_else(CpuSet::default, |c| c.cpus.clone());
            let at = groups.iter().position(|(g, _)| *g == group).unwrap_or_else(|| {
                groups.push((group, 0));
                groups.len() - 1
            });
            ranked.push((groups[at].1, cpu));
            groups[at].1 += 1;
        }
    }
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, cpu)| cpu).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Cache, CacheKind, Cpu};

    /// `sockets` x `cores` CPUs, one last-level cache of 32 MiB a socket.
    fn machine(sockets: u32, cores: u32) -> Machine {
        let mut machine = Machine::default();
        for socket in 0..sockets {
            let ids: CpuSet = (socket * cores..(socket + 1) * cores).collect();
            for id in ids.iter() {
                machine.topology.cpus.push(Cpu {
                    id,
                    online: true,
                    allowed: true,
                    siblings: [id].into_iter().collect(),
                    ..Cpu::default()
                });
            }
            let bytes = Some(32 << 20);
            let cache = Cache {
                level: 3,
                kind: CacheKind::Unified,
                bytes,
                line: None,
                ways: None,
                cpus: ids,
            };
            machine.topology.caches.push(cache);
        }
        machine
    }

    #[test]
    fn buffers_exceed_the_caches_and_respect_what_is_free() {
        let machine = machine(2, 4);
        let all = machine.topology.usable();
        assert_eq!(last_levels(&machine, &all), Some(64 << 20));
        let each = bandwidth_bytes(&machine, &all, Some(64 << 30));
        assert!(each * 8 >= 12 * (64 << 20));
        assert_eq!(bandwidth_bytes(&machine, &all, Some(1 << 30)) * 8, 1 << 29);
        assert_eq!(within(32 << 20, 2, Some(64 << 30)), 32 << 20);
        assert_eq!(within(32 << 20, 2, Some(48 << 20)), 12 << 20);
        assert_eq!([1, 2, 3].map(|n| shared(64 << 20, n) >> 20), [64, 32, 20]);
        assert_eq!(latency_bytes(&machine, 0, Some(64 << 30), 1 << 30), 512 << 20);
        assert_eq!(latency_bytes(&machine, 0, Some(200 << 20), 1 << 30), 100 << 20);
        assert!(latency_bytes(&machine, 0, Some(1 << 20), 1 << 30) < LEAST);
    }

    #[test]
    fn a_core_counts_once_by_whichever_thread_was_chosen() {
        let mut machine = machine(1, 4);
        for cpu in &mut machine.topology.cpus {
            cpu.siblings = [cpu.id % 2, cpu.id % 2 + 2].into_iter().collect();
        }
        let of = |cpus: &str| one_per_core(&machine, &cpus.parse().unwrap()).to_string();
        assert_eq!(
            (of("0-3"), of("2-3"), of("0,3"), of("1,3")),
            ("0,1".into(), "2,3".into(), "0,3".into(), "1".into())
        );
        // The first thread of the second core is not among them.
        assert_eq!(cores_first(&machine, &"0,2,3".parse().unwrap()), [0, 3, 2]);
    }

    #[test]
    fn a_sample_of_cpus_touches_every_cache() {
        let machine = machine(4, 64);
        let some = spread(&machine, &machine.topology.usable(), 8);
        assert_eq!(some.to_string(), "0,1,64,65,128,129,192,193");
        assert_eq!(spread(&machine, &some, 8), some);
    }
}
