//! Every probe plans sanely on every recorded machine: one CPU, offline CPUs, memory-only nodes, no /sys at all.
#![allow(clippy::unwrap_used, reason = "tests may")]
use measure::{
    plan::{Selection, entries, plan, seconds_left},
    probe::{Depth, Setting},
};
use probes::{
    check_battery::{SECONDS, battery},
    probes::ALL,
};
use record::{CpuSet, Machine, Outcome, ProbeId, param};
use std::{collections::BTreeSet, fs, path::Path};

fn machines() -> Vec<(String, Machine)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/machines");
    let mut all: Vec<(String, Machine)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|x| x == "json"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let machine = serde_json::from_slice(&fs::read(&path).unwrap());
            (name.clone(), machine.unwrap_or_else(|e| panic!("{name}: {e}")))
        })
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(all.len() >= 8, "the recorded machines are missing");
    all
}

#[test]
fn what_measures_switches_says_so() {
    let all = entries(ALL);
    let names = all.iter().filter(|(_, probe)| probe.switches).map(|(id, _)| *id);
    let names: BTreeSet<&str> = names.collect();
    let wanted = ["context1", "execl", "kernel_ops", "shell1", "shell8", "spawn"];
    assert_eq!(names, wanted.into());
}

#[test]
fn probes_have_a_place_of_their_own_in_the_plan() {
    let all = entries(ALL);
    assert!(all.windows(2).all(|pair| pair[0].1.order < pair[1].1.order));
    assert!(all.first().unwrap().0 == "preflight" && all.last().unwrap().1.order < u16::MAX);
}

#[test]
fn plans_use_usable_cpus_only_and_each_case_once() {
    for (name, machine) in machines() {
        let cpus = machine.topology.usable();
        if cpus.is_empty() {
            continue;
        }
        for depth in Depth::ALL {
            let setting = Setting::new(&machine, cpus.clone(), depth);
            let runs = plan(ALL, &setting, &Selection::default()).unwrap();
            let mut seen = BTreeSet::new();
            for run in &runs {
                let label = run.case.label();
                assert!(
                    run.case.place.cpus.is_subset(&cpus),
                    "{name}: {label} on {}",
                    run.case.place.cpus
                );
                assert!(seen.insert(label.clone()), "{name}: {label} is planned twice");
                match &run.outcome {
                    Outcome::NotReached(_) => {
                        assert!(!run.case.place.cpus.is_empty(), "{name}: {label} runs nowhere");
                        assert!(
                            run.case.estimate > 0.0 && run.case.estimate.is_finite(),
                            "{name}: {label}"
                        );
                    }
                    Outcome::Skipped(why) => {
                        assert!(why.remedy.is_some(), "{name}: {label}: {why}")
                    }
                    other => panic!("{name}: {label}: a plan measures nothing: {other:?}"),
                }
            }
            for (id, probe) in entries(ALL) {
                // What must be asked for by name is planned at thorough depth all the same.
                let unasked = depth < Depth::Thorough
                    && (probe.cases)(&setting).is_ok_and(|cases| cases.is_empty());
                assert!(
                    unasked || runs.iter().any(|r| r.case.probe == id),
                    "{name}: {id} is neither planned nor explained"
                );
            }
        }
    }
}

#[test]
fn single_threaded_cases_share_one_cpu_with_memory_near() {
    for (name, machine) in machines() {
        let cpus = machine.topology.usable();
        if cpus.is_empty() {
            continue;
        }
        let setting = Setting::new(&machine, cpus.clone(), Depth::Quick);
        assert!(cpus.contains(setting.main_cpu()), "{name}");
        let runs = plan(ALL, &setting, &Selection::default()).unwrap();
        let singles: BTreeSet<CpuSet> =
            runs.iter().map(|r| r.case.place.cpus.clone()).filter(|c| c.len() == 1).collect();
        // A hybrid machine has one such CPU for each kind of core.
        let kinds: BTreeSet<_> =
            cpus.iter().map(|c| &machine.topology.cpu(c).unwrap().kind).collect();
        assert!(singles.len() <= kinds.len(), "{name}: {singles:?}");
        for kind in kinds.into_iter().flatten().filter(|_| singles.len() > 1) {
            let named = |r: &record::Run| r.case.get(param::KIND) == Some(kind);
            assert!(
                runs.iter().any(|r| r.case.probe == ProbeId::CoreFrequency && named(r)),
                "{name}: {kind}"
            );
        }
    }
}

#[test]
fn a_quick_plan_stays_quick_on_every_machine() {
    for (name, machine) in machines() {
        let cpus = machine.topology.usable();
        let setting = Setting::new(&machine, cpus.clone(), Depth::Quick);
        let seconds = seconds_left(&plan(ALL, &setting, &Selection::default()).unwrap());
        let most = if cpus.len() <= 2 { 80.0 } else { 120.0 };
        assert!(seconds < most, "{name}: {seconds} s on {} CPUs", cpus.len());
    }
}

/// The time budget shortens a plan that exceeds it; the battery fits into it on all but the largest machines.
#[test]
fn the_battery_of_check_is_the_same_few_cases_everywhere() {
    for (name, machine) in machines() {
        let cpus = machine.topology.usable();
        let runs = battery(&Setting::new(&machine, cpus.clone(), Depth::Quick));
        let of = |probe: &str| runs.iter().filter(|r| r.case.probe == probe).count();
        let nodes: Vec<_> = machine.topology.nodes.iter().filter(|n| !n.cpus.is_empty()).collect();
        let of_ours = nodes.iter().filter(|n| !n.cpus.intersection(&cpus).is_empty()).count();
        let of_ours = if nodes.len() > 1 { of_ours } else { 0 };
        assert_eq!((of("load_latency"), of("core_to_core")), (1, 1), "{name}");
        assert_eq!(of("bandwidth"), 2 + 2 * of_ours, "{name}");
        let keys: BTreeSet<String> = runs.iter().map(|r| r.case.label()).collect();
        assert_eq!(keys.len(), runs.len(), "{name}: a case is there twice");
        let seconds = seconds_left(&runs);
        assert!(seconds <= 2.0 * SECONDS, "{name}: {seconds} s");
    }
}

#[test]
fn selections_are_kept_and_unknown_names_refused() {
    let (_, machine) = machines().remove(0);
    let cpus = machine.topology.usable();
    let setting = Setting::new(&machine, cpus, Depth::Quick);
    let only = Selection { only: vec!["core_rate".into()], skip: vec!["instrument".into()] };
    let probes: BTreeSet<_> =
        plan(ALL, &setting, &only).unwrap().into_iter().map(|r| r.case.probe.as_str()).collect();
    assert_eq!(probes, ["core_rate", "preflight"].into());
    let unknown = Selection { only: vec![], skip: vec!["core_rates".into()] };
    assert!(plan(ALL, &setting, &unknown).unwrap_err().to_string().contains("core_rate,"));
}

/// `--where` keeps the cases with these values, and those that have no such parameter.
#[test]
fn cases_are_chosen_by_their_parameters() {
    let (_, machine) = machines().remove(0);
    let mut setting = Setting::new(&machine, machine.topology.usable(), Depth::Quick);
    let asked = |words: &[(&str, &str)]| -> Vec<(String, String)> {
        words.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
    };
    setting.options.only_with =
        asked(&[("order", "grouped"), ("kernel", "read"), ("kernel", "copy")]);
    let runs = plan(ALL, &setting, &Selection::default()).unwrap();
    let values = |name: &str| -> BTreeSet<String> {
        runs.iter().filter_map(|r| r.case.params.get(name)).map(ToString::to_string).collect()
    };
    assert_eq!(values("order"), ["grouped".to_owned()].into());
    assert_eq!(values("kernel"), ["copy".to_owned(), "read".to_owned()].into());
    assert!(runs.iter().any(|r| r.case.probe == ProbeId::CoreFrequency));
    setting.options.only_with = asked(&[("order", "sideways")]);
    let unknown = plan(ALL, &setting, &Selection::default()).unwrap_err().to_string();
    assert!(unknown.contains("order=grouped"), "{unknown}");
    setting.options.only_with = asked(&[("colour", "blue")]);
    assert!(plan(ALL, &setting, &Selection::default()).unwrap_err().to_string().contains("colour"));
}

#[test]
fn huge_pages_that_are_off_are_skipped_with_the_remedy() {
    let (_, mut machine) = machines().remove(0);
    for (mode, skipped) in [("never", 1), ("madvise", 0), ("always", 0)] {
        machine.set("memory.thp.enabled", mode, "test");
        let cpus = machine.topology.usable();
        let setting = Setting::new(&machine, cpus, Depth::Quick);
        let runs = plan(ALL, &setting, &Selection::default()).unwrap();
        let count = |r: &&record::Run| {
            matches!(r.outcome, Outcome::Skipped(_)) && r.case.probe == ProbeId::LoadLatency
        };
        assert_eq!(runs.iter().filter(count).count(), skipped, "{mode}");
    }
    // Taken from this process alone, whatever the system's setting is.
    for (process, skipped) in [("allowed", 0), ("disabled", 1)] {
        machine.set("memory.thp.enabled", "always", "test");
        machine.set("memory.thp.process", process, "test");
        let setting = Setting::new(&machine, machine.topology.usable(), Depth::Quick);
        let runs = plan(ALL, &setting, &Selection::default()).unwrap();
        let why =
            runs.iter().filter(|r| r.case.probe == ProbeId::LoadLatency).find_map(|r| {
                match &r.outcome {
                    Outcome::Skipped(why) => Some(why.to_string()),
                    _ => None,
                }
            });
        assert_eq!(why.iter().count(), skipped, "{process}");
        assert!(why.is_none_or(|w| w.contains("PR_SET_THP_DISABLE")));
    }
}

/// One CPU leaves nothing for two threads, and says so.
#[test]
fn one_cpu_skips_what_needs_two() {
    for (name, machine) in machines() {
        let Some(cpu) = machine.topology.usable().first() else { continue };
        let setting = Setting::new(&machine, [cpu].into_iter().collect(), Depth::Quick);
        let runs = plan(ALL, &setting, &Selection::default()).unwrap();
        let pairs = runs.iter().find(|r| r.case.probe == ProbeId::CoreToCore).unwrap();
        assert!(matches!(pairs.outcome, Outcome::Skipped(_)), "{name}");
        assert!(runs.iter().all(|r| r.case.get(param::ONE_OR_ALL) != Some("all")), "{name}");
    }
}

fn of<'a>(runs: &'a [record::Run], probe: &str) -> Vec<&'a record::Run> {
    runs.iter().filter(|r| r.case.probe == probe).collect()
}

fn named(name: &str) -> Machine {
    machines().into_iter().find(|(n, _)| n == name).unwrap().1
}

/// 256 pairs of nodes, and the plan says that they take less than three minutes.
#[test]
fn sixteen_nodes_take_less_than_three_minutes() {
    let machine = named("phytium-ft2500");
    let setting = Setting::new(&machine, machine.topology.usable(), Depth::Standard);
    let runs = plan(ALL, &setting, &Selection::default()).unwrap();
    let cases = of(&runs, "numa_matrix");
    assert_eq!(cases.len(), 16);
    let seconds: f64 = cases.iter().map(|r| r.case.estimate).sum();
    assert!((30.0..180.0).contains(&seconds), "{seconds} s");
    for (to, run) in (0..).zip(&cases) {
        assert_eq!((run.case.get(param::TO), run.case.place.node), (Some(to), Some(to)));
        assert_eq!(run.case.place.cpus.len(), 128, "every core of every node reads");
    }
}

/// Nodes without CPUs are measured, nodes without memory and nodes that do not exist are not, and say so.
#[test]
fn only_memory_that_is_there_is_measured() {
    let machine = named("memory-only-node");
    let mut setting = Setting::new(&machine, machine.topology.usable(), Depth::Quick);
    let outcome = |setting: &Setting<'_>| -> Vec<(u32, Option<String>)> {
        let runs = plan(ALL, setting, &Selection::default()).unwrap();
        let skipped = |run: &&record::Run| match &run.outcome {
            Outcome::Skipped(why) if why.remedy.is_some() => Some(why.why.to_string()),
            Outcome::NotReached(_) => None,
            other => panic!("{other:?}"),
        };
        of(&runs, "numa_matrix")
            .iter()
            .map(|r| (r.case.get(param::TO).unwrap(), skipped(r)))
            .collect()
    };
    assert_eq!(outcome(&setting), [(0, None), (1, None), (2, None)]);
    setting.options.nodes = Some("0,2,5,99".parse().unwrap());
    let found = outcome(&setting);
    assert_eq!(found[..2], [(0, None), (2, None)]);
    assert!(found[2].1.as_ref().unwrap().contains("node 5 has no memory"), "{found:?}");
    assert!(found[3].1.as_ref().unwrap().contains("no node 99"), "{found:?}");
}

/// Some sockets have dies without memory of their own (Threadripper 2990WX): their CPUs are measured with the nearest.
#[test]
fn cpus_without_memory_use_the_nearest() {
    let mut machine = named("memory-only-node");
    let own = machine.topology.nodes[1].cpus.clone();
    let setting = Setting::new(&machine, own.clone(), Depth::Quick);
    let node = |setting: &Setting<'_>| {
        let runs = plan(ALL, setting, &Selection::default()).unwrap();
        of(&runs, "loaded_latency")[0].case.place.node
    };
    assert_eq!(node(&setting), Some(1));
    machine.topology.nodes[1].bytes = Some(0);
    let setting = Setting::new(&machine, own, Depth::Quick);
    assert_eq!(node(&setting), Some(0));
    // As a target of others it is none, which is said.
    let setting = Setting::new(&machine, machine.topology.usable(), Depth::Quick);
    let runs = plan(ALL, &setting, &Selection::default()).unwrap();
    let skipped = |run: &&record::Run| match &run.outcome {
        Outcome::Skipped(why) if why.remedy.is_some() => {
            (run.case.get(param::TO), why.why.to_string())
        }
        _ => (run.case.get(param::TO), String::new()),
    };
    let skipped: Vec<_> = of(&runs, "numa_matrix").iter().map(skipped).collect();
    let (none, bare) = (String::new(), "node 1 has no memory".to_owned());
    assert_eq!(skipped, [(Some(0), none.clone()), (Some(1), bare), (Some(2), none)]);
}

/// Reserved pages that are asked for and not free are a reason, with the command that reserves them on that node.
#[test]
fn reserved_pages_that_are_not_free_say_how_to_reserve_them() {
    let mut machine = named("intel-8163");
    let pool = |page, free| record::HugePool { page, total: 512, free };
    let planned = |machine: &Machine, wished: bool| -> Vec<(String, Option<record::Reason>)> {
        let mut setting = Setting::new(machine, machine.topology.usable(), Depth::Quick);
        if wished {
            setting.options.only_with = vec![("pages".into(), "hugetlb".into())];
        }
        let Ok(runs) = plan(ALL, &setting, &Selection::default()) else { return vec![] };
        let skipped = |run: &&record::Run| match &run.outcome {
            Outcome::Skipped(why) => Some(why.clone()),
            _ => None,
        };
        let on = |run: &&&record::Run| run.case.get(param::PAGES) == Some("hugetlb");
        let of = of(&runs, "load_latency");
        of.iter().filter(on).map(|run| (run.case.label(), skipped(run))).collect()
    };
    assert!(planned(&machine, true).is_empty());
    for node in &mut machine.topology.nodes {
        node.huge = vec![pool(2 << 20, 31), pool(1 << 30, 0)];
    }
    assert!(planned(&machine, false).is_empty());
    let [(_, Some(why))] = &planned(&machine, true)[..] else { panic!("one, and skipped") };
    let remedy = why.remedy.as_deref().unwrap();
    assert!(remedy.contains("/node0/hugepages/hugepages-2048kB/nr_hugepages"), "{remedy}");
    for node in &mut machine.topology.nodes {
        node.huge = vec![pool(2 << 20, 32)];
    }
    assert!(matches!(planned(&machine, false)[..], [(_, None)]));
    assert!(planned(&machine, true).iter().all(|(_, why)| why.is_none()));
}

/// The sources' sweep: lmbench's stream from one CPU of every die, against the memory of one node after the other.
#[test]
fn lmbench_sweeps_over_dies_and_nodes_where_that_is_wished() {
    let machine = named("hygon-7280");
    let mut setting = Setting::new(&machine, machine.topology.usable(), Depth::Quick);
    let pairs = |setting: &Setting<'_>| -> Vec<(Option<u32>, Option<u32>)> {
        let runs = plan(ALL, setting, &Selection::default()).unwrap();
        let runs = of(&runs, "lmbench_stream");
        assert!(runs.iter().all(|r| r.case.place.node == r.case.get(param::MEMORY_NODE)));
        runs.iter().map(|r| (r.case.get(param::MEMORY_NODE), r.case.get(param::CPU))).collect()
    };
    assert_eq!(pairs(&setting), [(None, None)]);
    setting.options.per_cpu = true;
    let found = pairs(&setting);
    let topology = &machine.topology;
    let (nodes, caches) =
        (topology.nodes.len(), topology.caches.iter().filter(|c| c.level == 3).count());
    assert_eq!((found[0], found.len()), ((None, None), 1 + nodes * caches));
    for (node, of) in (0u32..).zip(found[1..].chunks(caches)) {
        let cpus: BTreeSet<u32> = of.iter().filter_map(|(_, cpu)| *cpu).collect();
        assert!(of.iter().all(|(memory, _)| *memory == Some(node)) && cpus.len() == caches);
    }
}

#[test]
fn one_node_is_a_matrix_only_where_there_is_time_or_it_is_wished() {
    let machine = named("intel-8163");
    let mut setting = Setting::new(&machine, machine.topology.usable(), Depth::Quick);
    let count = |setting: &Setting<'_>| {
        let runs = plan(ALL, setting, &Selection::default()).unwrap();
        let planned = |r: &&&record::Run| matches!(r.outcome, Outcome::NotReached(_));
        of(&runs, "numa_matrix").iter().filter(planned).count()
    };
    assert_eq!(count(&setting), 0);
    setting.depth = Depth::Standard;
    assert_eq!(count(&setting), 1);
    setting.depth = Depth::Quick;
    setting.options.per_cpu = true;
    assert_eq!(count(&setting), 1);
    let runs = plan(ALL, &setting, &Selection::default()).unwrap();
    assert_eq!(of(&runs, "numa_matrix")[0].case.get(param::FROM_EACH), Some("every cache"));
}

/// The chasing core and those that load its memory are on one node, one thread of each core.
#[test]
fn memory_is_loaded_from_its_own_node() {
    for (name, machine) in machines() {
        let cpus = machine.topology.usable();
        if machine.topology.one_per_core().len() < 2 {
            continue;
        }
        let mut setting = Setting::new(&machine, cpus, Depth::Quick);
        let runs = plan(ALL, &setting, &Selection::default()).unwrap();
        let [run] = of(&runs, "loaded_latency")[..] else { panic!("{name}") };
        let topology = &machine.topology;
        let nodes: BTreeSet<_> =
            run.case.place.cpus.iter().map(|cpu| topology.node_of(cpu)).collect();
        assert_eq!(nodes, [run.case.place.node].into(), "{name}");
        assert!(run.case.place.cpus.contains(setting.main_cpu()), "{name}");
        assert!(run.case.place.cpus.is_subset(&topology.one_per_core()), "{name}");
        setting.depth = Depth::Thorough;
        let runs = plan(ALL, &setting, &Selection::default()).unwrap();
        let kinds: Vec<_> =
            of(&runs, "loaded_latency").iter().filter_map(|r| r.case.get(param::INJECT)).collect();
        assert_eq!(kinds, ["read", "copy_nt", "write_nt"], "{name}");
    }
}
