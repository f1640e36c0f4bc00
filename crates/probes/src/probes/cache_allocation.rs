//! Load latency with fewer ways of the last-level cache (CAT, resctrl, MPAM).
//!
//! Method: a resctrl group (Intel CAT, AMD QoS, Arm MPAM) for the measuring thread, from the fewest permitted ways to
//! all. In each group, dependent loads around random rings of a quarter, half and all of the cache's size, on 4 KiB
//! pages, built in the group. The group is removed at the end; a waiting child process removes it if the program is
//! killed.
//! Limits: the group limits what is filled, not what is hit: other programs keep all ways. Planned at thorough depth,
//! or when named.
//! Source: resctrl, Linux
//! Documentation/filesystems.
use crate::prelude::*;
use host::resctrl::{Group, ROOT, Ways};
use kernels::{Order, Ring};
use record::FactValue;
use std::path::Path;

/// Latency of a load by ways of the last-level cache.
pub static PROBE: Probe = Probe {
    refuses,
    ..Probe::new(300, 1, "Load latency in a share of the last-level cache", cases, run)
};

/// Working sets, as shares of the cache.
const SHARES: [f64; 3] = [0.25, 0.5, 1.0];

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let asked = setting.is_named(ProbeId::CacheAllocation);
    let case = setting.single(&[], setting.depth.pick(8.0, 12.0, 25.0));
    if setting.depth < Depth::Thorough && !asked {
        return Err(refuses(&case, setting.machine).unwrap_or_else(|| {
            Reason::by_plan(
                "it changes a setting of the machine for a while, and waits to be asked",
                "cpulens run --only cache_allocation",
            )
        }));
    }
    Ok(vec![case])
}

fn refuses(_case: &Case, machine: &Machine) -> Option<Reason> {
    match machine.text("cache.partition") {
        Some("mounted") if machine.facts.contains_key("cache.partition.l3.ways") => None,
        Some("mounted") => Some(Reason::by_plan(
            "resctrl is mounted, and shares out no last-level cache here",
            "a processor with cache allocation, mounted without cdp",
        )),
        Some(_) => Some(Reason::by_plan(
            "the CPU has no cache allocation",
            "a processor with cat_l3 in /proc/cpuinfo",
        )),
        None => {
            let why = match machine.facts.get("cache.partition").map(|f| &f.known) {
                Some(FactValue::Unknown(reason)) => reason.why.clone(),
                _ => "resctrl is not mounted".into(),
            };
            Some(Reason::mended_by(why, "mount -t resctrl resctrl /sys/fs/resctrl"))
        }
    }
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    shares(Path::new(ROOT), case, bench)
}

/// Fewest ways, doubled up to all.
fn counts(least: u32, all: u32) -> Vec<u32> {
    let mut counts: Vec<u32> = std::iter::successors(Some(least.max(1)), |n| Some(n * 2))
        .take_while(|n| *n < all)
        .collect();
    counts.push(all);
    counts
}

fn shares(root: &Path, case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let (cpu, _pinned) = bench.pin_first(case)?;
    let node = bench.machine.topology.memory_of(cpu);
    let ways = Ways::read(root)?;
    let size = bench.machine.topology.last_level_bytes(cpu).unwrap_or(place::UNKNOWN_LLC);
    let bytes = place::within(size, 1, host::pages::free_on_node(node));
    let limits = bench.limits(bench.depth.pick(0.15, 0.3, 0.6));
    let group = Group::enter(root)?;
    let counts = counts(ways.least, ways.count());
    bench.each(&counts, |bench, count| {
        let mut all = vec![];
        group.set(&ways, *count)?;
        // Fewest first, and memory of its own each time: what lies in the cache was brought in under this share.
        let (mut arena, buffer) = bench.buffer(bytes, Pages::Base, node, cpu)?;
        for share in SHARES {
            let lines = (bytes as f64 * share) as usize / 64;
            let order = Order::Random { stride: 64 };
            let lines = &mut arena.lines_mut()[..lines];
            let Some(mut ring) = Ring::build(lines, order, bench.seed) else { continue };
            ring.walk(2 * ring.len() as u64);
            let bytes = ring.len() as u64 * 64;
            let mut series = Series::new(Metric::LoadToUse, Unit::Seconds, Better::Lower)
                .at(param::WAYS, u64::from(*count))
                .at(param::WORKING_SET, bytes);
            let llc_ratio = Some(bytes as f64 / size as f64);
            series.buffer = Some(record::Buffer { bytes, llc_ratio, ..buffer.clone() });
            all.push(bench.series(series, &limits, 1.0, |n| ring.walk(n))?);
        }
        Ok(all)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::clock::Monotonic;
    use kernels::Features;
    use record::Cache;
    use std::{fs, sync::atomic::AtomicBool};

    #[test]
    fn ways_double_up_to_all() {
        assert_eq!(counts(1, 11), [1, 2, 4, 8, 11]);
        assert_eq!(counts(2, 16), [2, 4, 8, 16]);
        assert_eq!(counts(0, 1), [1]);
    }

    /// A tree that looks like resctrl's: every share is measured, and no group is left.
    #[test]
    fn each_share_is_measured_and_the_group_removed() {
        let tree = tempfile::tempdir().unwrap();
        fs::create_dir_all(tree.path().join("info/L3")).unwrap();
        fs::write(tree.path().join("schemata"), "L3:0=f\n").unwrap();
        fs::write(tree.path().join("info/L3/cbm_mask"), "f\n").unwrap();
        let mut machine = Machine::default();
        let cpu = host::cpus::affinity().unwrap().first().unwrap();
        let cpus: CpuSet = [cpu].into_iter().collect();
        machine.topology.caches.push(Cache {
            level: 3,
            kind: record::CacheKind::Unified,
            bytes: Some(1 << 20),
            line: None,
            ways: None,
            cpus: cpus.clone(),
        });
        let (clock, cancel) = (Monotonic::new(), AtomicBool::new(false));
        let mut tick = |_| ();
        let mut bench = Bench {
            time_scale: 0.0,
            ..Bench::new(&clock, &machine, Features::portable(), &cancel, &mut tick)
        };
        let setting = Setting::new(&machine, cpus.clone(), Depth::Thorough);
        let case = Setting { cpus, ..setting }.case([cpu].into_iter().collect(), &[], 1.0);
        let all = shares(tree.path(), &case, &mut bench).unwrap();
        assert_eq!(all.len(), 3 * SHARES.len());
        let ways: Vec<u64> = all.iter().filter_map(|s| param::WAYS.of(&s.at)).collect();
        assert_eq!(ways, [1, 1, 1, 2, 2, 2, 4, 4, 4]);
        let left: Vec<_> =
            fs::read_dir(tree.path()).unwrap().flatten().map(|e| e.file_name()).collect();
        assert!(left.iter().all(|n| !n.to_string_lossy().starts_with("cpulens")), "{left:?}");
    }

    #[test]
    fn it_is_planned_when_asked_for_only_and_skipped_with_the_remedy() {
        let machine = Machine::default();
        let mut setting = Setting::new(&machine, [0].into_iter().collect(), Depth::Standard);
        let unasked = |machine: &Machine| {
            let setting = Setting::new(machine, [0].into_iter().collect(), Depth::Standard);
            let why = cases(&setting).unwrap_err();
            (why.by_plan, why.remedy.unwrap())
        };
        let (by_plan, remedy) = unasked(&machine);
        assert!(!by_plan && remedy.contains("mount -t resctrl"));
        setting.options.named = vec![ProbeId::CacheAllocation];
        let case = &cases(&setting).unwrap()[0];
        let refused = refuses(case, &machine).unwrap();
        assert!(refused.remedy.unwrap().contains("mount -t resctrl"));
        let mut able = Machine::default();
        able.set("cache.partition", "not supported", "test");
        assert!(refuses(case, &able).unwrap().why.contains("no cache allocation"));
        able.set("cache.partition", "mounted", "test");
        able.set("cache.partition.l3.ways", 11u64, "test");
        assert_eq!(refuses(case, &able), None);
        let (by_plan, remedy) = unasked(&able);
        assert!(by_plan && remedy.contains("--only cache_allocation"));
    }
}
