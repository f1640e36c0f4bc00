//! Nodes that are not there, and CPUs that go away.
use crate::sandbox::{Sandbox, load, possible};
use record::{Outcome, Record, param};
use std::{fs, thread, time::Duration};

fn record_of(sandbox: &Sandbox) -> Record {
    let [file] = &sandbox.records()[..] else { panic!("{:?}", sandbox.everything()) };
    load(file)
}

#[test]
fn a_node_that_does_not_exist_stops_nothing_but_its_own_case() {
    let sandbox = Sandbox::new();
    let plan = sandbox.cpulens(&["run", "--dry-run", "--only", "core_frequency", "--nodes", "0"]);
    if !possible("the kernel shows no node 0 with CPUs", plan.code == 0) {
        return;
    }
    sandbox.cpulens(&["run", "--nodes", "99"]).could_not("this machine has the nodes");
    let run = ["run", "--only", "numa_matrix", "--nodes", "0,99", "--time-budget", "20", "--full"];
    let ran = sandbox.cpulens(&run).done();
    assert!(ran.err.contains("no node 99"), "{}", ran.err);
    let record = record_of(&sandbox);
    let of = |to: u32| {
        let mut runs = record.runs.iter();
        &runs.find(|r| r.case.get(param::TO) == Some(to)).unwrap().outcome
    };
    let Outcome::Skipped(why) = of(99) else { panic!("{:?}", of(99)) };
    assert!(why.why.contains("no node 99") && why.remedy.is_some(), "{why}");
    // Wherever its lines end.
    let text = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(&*why.why), "{text}");
    let Outcome::Measured(series) = of(0) else { panic!("{:?}", of(0)) };
    for metric in ["idle_latency", "bandwidth"] {
        let found = series.iter().find(|s| s.metric == metric).unwrap();
        assert_eq!((param::FROM.of(&found.at), param::TO.of(&found.at)), (Some(0), Some(0)));
        let nodes = &found.buffer.as_ref().unwrap().nodes;
        assert!(nodes.is_empty() || nodes.get(&0) == Some(&1.0), "{nodes:?}");
    }
}

/// A CPU that goes offline makes the kernel move its threads to others. Here taskset(1) moves them, from the end of
/// the first visit before to that of the last moved case. Those cases fail and say why, nobody waits for ever, and what
/// follows is measured.
#[test]
fn threads_that_are_moved_fail_their_case_and_no_other() {
    let sandbox = Sandbox::new();
    let cpus = sandbox.shell("taskset -pc $$ | sed 's/.*: *//'").out;
    let several = cpus.trim().contains([',', '-']);
    if !possible("there is one CPU, or no taskset(1)", several) {
        return;
    }
    let first: String = cpus.chars().take_while(char::is_ascii_digit).collect();
    let probes = format!("core_frequency,core_rate,{},lock_cost", MOVED.join(","));
    let line = format!("echo $$ >pid; exec \"$0\" run --only {probes}");
    let ran = thread::scope(|scope| {
        let run = scope.spawn(|| sandbox.shell(&line));
        while !run.is_finished() {
            let (before, last) = (tried(&sandbox, "core_rate"), tried(&sandbox, MOVED[2]));
            if before && !last {
                let pid = fs::read_to_string(sandbox.path("pid")).unwrap();
                sandbox.shell(&format!("taskset -apc {first} {pid} >/dev/null 2>&1"));
            }
            thread::sleep(Duration::from_millis(10));
        }
        run.join().unwrap()
    });
    ran.done();
    let record = record_of(&sandbox);
    // The last pull may still meet the next case, the first of two of lock_cost.
    let of = |probe: &str| &record.runs.iter().rfind(|r| r.case.probe == probe).unwrap().outcome;
    for other in ["core_frequency", "core_rate", "lock_cost"] {
        assert!(matches!(of(other), Outcome::Measured(_)), "{:?}", of(other));
    }
    for moved in MOVED {
        let Outcome::Failed(why) = of(moved) else { panic!("{moved}: {:?}", of(moved)) };
        assert!(why.why.contains("was taken away") && why.remedy.is_some(), "{why}");
    }
}

/// Whether the record that is being made has an outcome of this probe.
fn tried(sandbox: &Sandbox, probe: &str) -> bool {
    let bytes = sandbox.records().first().and_then(|file| fs::read(file).ok());
    let record = bytes.and_then(|bytes| record::from_slice(&bytes).ok());
    let run = record.and_then(|r| r.runs.into_iter().find(|run| run.case.probe == probe));
    run.is_some_and(|run| !matches!(run.outcome, Outcome::NotReached(_)))
}

/// Probes that time their samples in three unlike ways and need little memory, in the order of the plan.
const MOVED: [&str; 3] = ["lmbench_stream", "lat_mem_rd", "false_sharing"];
