//! Every probe plans sanely on every recorded machine: one CPU, offline CPUs, memory-only nodes, no /sys at all.
#![allow(clippy::unwrap_used, reason = "tests may")]
use measure::{
    plan::{Selection, entries, plan, seconds_left},
    probe::{Depth, Setting},
};
use record::{CpuSet, Machine, Outcome};
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

const DEPTHS: [Depth; 3] = [Depth::Quick, Depth::Standard, Depth::Thorough];

#[test]
fn plans_use_usable_cpus_only_and_each_case_once() {
    for (name, machine) in machines() {
        let cpus = machine.topology.usable();
        if cpus.is_empty() {
            continue;
        }
        for depth in DEPTHS {
            let setting = Setting::new(&machine, cpus.clone(), depth);
            let runs = plan(&setting, &Selection::default()).unwrap();
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
            for (id, probe) in entries() {
                // What must be asked for by name is planned at thorough depth all the same.
                let unasked = depth < Depth::Thorough
                    && probe.cases(&setting).is_ok_and(|cases| cases.is_empty());
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
        let runs = plan(&setting, &Selection::default()).unwrap();
        let singles: BTreeSet<CpuSet> =
            runs.iter().map(|r| r.case.place.cpus.clone()).filter(|c| c.len() == 1).collect();
        // A hybrid machine has one such CPU for each kind of core.
        let kinds: BTreeSet<_> =
            cpus.iter().map(|c| &machine.topology.cpu(c).unwrap().kind).collect();
        assert!(singles.len() <= kinds.len(), "{name}: {singles:?}");
        for kind in kinds.into_iter().flatten().filter(|_| singles.len() > 1) {
            let named = |r: &record::Run| r.case.text("kind") == Some(kind);
            assert!(
                runs.iter().any(|r| r.case.probe == "core_clock" && named(r)),
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
        let seconds = seconds_left(&plan(&setting, &Selection::default()).unwrap());
        let most = if cpus.len() <= 2 { 80.0 } else { 120.0 };
        assert!(seconds < most, "{name}: {seconds} s on {} CPUs", cpus.len());
    }
}

#[test]
fn selections_are_kept_and_unknown_names_refused() {
    let (_, machine) = machines().remove(0);
    let cpus = machine.topology.usable();
    let setting = Setting::new(&machine, cpus, Depth::Quick);
    let only = Selection { only: vec!["core_rate".into()], skip: vec!["instrument".into()] };
    let probes: BTreeSet<String> =
        plan(&setting, &only).unwrap().into_iter().map(|r| r.case.probe).collect();
    assert_eq!(probes, ["core_rate".to_owned(), "preflight".to_owned()].into());
    let unknown = Selection { only: vec![], skip: vec!["core_rates".into()] };
    assert!(plan(&setting, &unknown).unwrap_err().to_string().contains("core_rate,"));
}

/// `--where` keeps the cases with these values, and those that have no such parameter.
#[test]
fn cases_are_chosen_by_their_parameters() {
    let (_, machine) = machines().remove(0);
    let mut setting = Setting::new(&machine, machine.topology.usable(), Depth::Quick);
    let asked = |words: &[(&str, &str)]| -> Vec<(String, String)> {
        words.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
    };
    setting.wish.only_with = asked(&[("order", "grouped"), ("kernel", "read"), ("kernel", "copy")]);
    let runs = plan(&setting, &Selection::default()).unwrap();
    let values = |name: &str| -> BTreeSet<String> {
        runs.iter().filter_map(|r| r.case.params.get(name)).map(ToString::to_string).collect()
    };
    assert_eq!(values("order"), ["grouped".to_owned()].into());
    assert_eq!(values("kernel"), ["copy".to_owned(), "read".to_owned()].into());
    assert!(runs.iter().any(|r| r.case.probe == "core_clock"));
    setting.wish.only_with = asked(&[("order", "sideways")]);
    let unknown = plan(&setting, &Selection::default()).unwrap_err().to_string();
    assert!(unknown.contains("order=grouped"), "{unknown}");
    setting.wish.only_with = asked(&[("colour", "blue")]);
    assert!(plan(&setting, &Selection::default()).unwrap_err().to_string().contains("colour"));
}

#[test]
fn huge_pages_that_are_off_are_skipped_with_the_remedy() {
    let (_, mut machine) = machines().remove(0);
    for (mode, skipped) in [("never", 1), ("madvise", 0), ("always", 0)] {
        machine.set("memory.thp.enabled", mode, "test");
        let cpus = machine.topology.usable();
        let setting = Setting::new(&machine, cpus, Depth::Quick);
        let runs = plan(&setting, &Selection::default()).unwrap();
        let count = |r: &&record::Run| {
            matches!(r.outcome, Outcome::Skipped(_)) && r.case.probe == "load_latency"
        };
        assert_eq!(runs.iter().filter(count).count(), skipped, "{mode}");
    }
}

/// One CPU leaves nothing for two threads, and says so.
#[test]
fn one_cpu_skips_what_needs_two() {
    for (name, machine) in machines() {
        let Some(cpu) = machine.topology.usable().first() else { continue };
        let setting = Setting::new(&machine, [cpu].into_iter().collect(), Depth::Quick);
        let runs = plan(&setting, &Selection::default()).unwrap();
        let pairs = runs.iter().find(|r| r.case.probe == "core_to_core").unwrap();
        assert!(matches!(pairs.outcome, Outcome::Skipped(_)), "{name}");
        assert!(runs.iter().all(|r| r.case.text("threads") != Some("all")), "{name}");
    }
}
