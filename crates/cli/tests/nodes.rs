//! Nodes that are not there, and CPUs that go away.
use crate::sandbox::{Sandbox, load, possible};
use record::{Outcome, Record, param};
use std::fs;

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
    assert!(text.contains(&why.why), "{text}");
    let Outcome::Measured(series) = of(0) else { panic!("{:?}", of(0)) };
    for metric in ["idle_latency", "bandwidth"] {
        let found = series.iter().find(|s| s.metric == metric).unwrap();
        assert_eq!((param::FROM.of(&found.at), param::TO.of(&found.at)), (Some(0), Some(0)));
        let nodes = &found.buffer.as_ref().unwrap().nodes;
        assert!(nodes.is_empty() || nodes.get(&0) == Some(&1.0), "{nodes:?}");
    }
}

/// What happens when a CPU goes offline: the kernel moves its threads to others. Here taskset(1) moves them. The cases fail
/// and say why, nobody waits for ever, and the next case is measured.
#[test]
fn threads_that_are_moved_fail_their_case_and_no_other() {
    let sandbox = Sandbox::new();
    let cpus = sandbox.shell("taskset -pc $$ | sed 's/.*: *//'").out;
    let several = cpus.trim().contains([',', '-']);
    if !possible("there is one CPU, or no taskset(1)", several) {
        return;
    }
    // Buffers are four times the last cache; a debug build fills and links them.
    let cache = fs::read_to_string("/sys/devices/system/cpu/cpu0/cache/index3/size");
    let mib =
        cache.ok().and_then(|s| s.trim().strip_suffix('K')?.parse::<u64>().ok()).unwrap_or(0) >> 10;
    if !possible("cases take minutes in a debug build: the L3 has over 96 MiB", mib <= 96) {
        return;
    }
    let first: String = cpus.chars().take_while(char::is_ascii_digit).collect();
    // From the end of case 4 to that of case 7, every thread is pulled to one CPU again and again; the last pull may still
    // meet case 8.
    let line = format!(
        "\"$0\" run --only core_frequency,core_rate,{},data_content,memory_bound 2>err & pid=$!
        tries=0
        until grep -q '^\\[4/' err; do sleep 0.05; kill -0 $pid 2>/dev/null || break; done
        until grep -q '^\\[7/' err; do
            taskset -apc {first} $pid >/dev/null 2>&1; sleep 0.02
            tries=$((tries+1)); [ $tries -gt 12000 ] && break
            kill -0 $pid 2>/dev/null || break
        done
        wait $pid; code=$?; cat err >&2; exit $code",
        MOVED.join(",")
    );
    let ran = sandbox.shell(&line);
    assert!(ran.code == 0, "{}: {}", ran.code, ran.err);
    let record = record_of(&sandbox);
    let of = |probe: &str| &record.runs.iter().find(|r| r.case.probe == probe).unwrap().outcome;
    for other in ["core_frequency", "memory_bound"] {
        assert!(matches!(of(other), Outcome::Measured(_)), "{:?}", of(other));
    }
    for moved in MOVED {
        let Outcome::Failed(why) = of(moved) else { panic!("{moved}: {:?}", of(moved)) };
        assert!(why.why.contains("was taken away") && why.remedy.is_some(), "{why}");
    }
}

/// Probes that time their samples in three unlike ways, in the order of the plan.
const MOVED: [&str; 3] = ["loaded_latency", "lmbench_stream", "lat_mem_rd"];
