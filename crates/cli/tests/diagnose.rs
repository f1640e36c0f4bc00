//! `cpulens diagnose` from outside: records, workloads, another record beside it, and records that say little.
use crate::sandbox::{Sandbox, fixtures, has_control};
use serde_json::Value;

fn fixture(name: &str) -> String {
    let all = fixtures();
    let (_, file) = all.iter().find(|(known, _)| known == name).unwrap();
    file.display().to_string()
}

#[test]
fn every_record_is_diagnosed_in_every_format_for_every_workload() {
    let place = Sandbox::new();
    for (name, file) in fixtures() {
        let file = file.display().to_string();
        for workload in ["db", "web", "compute", "fork-heavy"] {
            let args = ["diagnose", &file, "--workload", workload, "--format", "json"];
            let ran = place.cpulens(&args).done();
            let said: Value = serde_json::from_str(&ran.out).unwrap();
            assert_eq!(said["workload"]["name"], workload);
            let found = said["findings"].as_array().unwrap();
            // What costs more comes first, and what is not known last.
            let high = |f: &Value| f["cost"]["high"].as_f64().unwrap_or(-1.0);
            assert!(found.is_sorted_by(|a, b| high(a) >= high(b)), "{name}: {said}");
            let strict = place.cpulens(&[&args[..], &["--strict"]].concat()).code;
            assert_eq!(strict == 1, !found.is_empty() && strict != 3, "{name} {workload}");
            assert!([0, 1, 3].contains(&strict), "{name} {workload}: {strict}");
        }
        for format in ["text", "markdown", "csv", "html"] {
            let ran = place.cpulens(&["diagnose", &file, "--format", format]).done();
            assert!(
                !ran.out.is_empty() && !has_control(&ran.out.replace('\r', "")),
                "{name} {format}"
            );
        }
    }
}

/// Where sockets share one node, nothing can be bound to nodes.
#[test]
fn the_action_on_falling_ipc_fits_the_nodes_of_the_machine() {
    let place = Sandbox::new();
    let hidden = place.cpulens(&["diagnose", "ref:intel-8163"]).done().out;
    assert!(hidden.contains("one instance per last-level cache"), "{hidden}");
    assert!(!hidden.contains("one instance per NUMA node"), "{hidden}");
    let chinese = place.cpulens(&["diagnose", "ref:intel-8163", "--lang", "zh"]).done().out;
    assert!(chinese.contains("每个末级缓存运行一个实例"), "{chinese}");
}

#[test]
fn the_first_screen_has_the_figures_that_findings_rest_on() {
    let place = Sandbox::new();
    for lang in ["en", "zh"] {
        let args = ["diagnose", "ref:load-generator-196core", "--lang", lang];
        let out = place.cpulens(&args).done().out;
        for figure in ["196", "90 %", "3.60", "75 %", "1.69 ns", "1.20 ns", "2100 MT/s", "2933"] {
            assert!(out.contains(figure), "{figure}: {out}");
        }
        assert!(out.lines().count() <= 40, "{out}");
    }
}

#[test]
fn two_records_are_set_beside_each_other() {
    let place = Sandbox::new();
    let (large, small) = (fixture("load-generator-196"), fixture("load-generator-72"));
    let ran = place.cpulens(&["diagnose", &large, "--against", &small]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for figure in ["75 %", "1.69 ns", "1.25 ns"] {
        assert!(ran.out.contains(figure), "{figure}: {}", ran.out);
    }
    place.cpulens(&["diagnose", &large, "--against", "no-such-file"]).could_not("cannot open");
}

#[test]
fn a_workload_is_a_kind_or_a_counted_run() {
    let place = Sandbox::new();
    let record = fixture("two-node-server");
    let file = place.path("run.json").display().to_string();
    let spin = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
    let ran = place.cpulens(&["stat", "--format", "json", "-o", &file, "--", "sh", "-c", spin]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = place.cpulens(&["diagnose", &record, "--workload", &file, "--full"]).done();
    let words = ran.out.replace('\n', " ");
    assert!(words.contains("What limits the counted run"), "{}", ran.out);
    place.cpulens(&["diagnose", &record, "--workload", "games"]).could_not("fork-heavy");
    let odd = place.file("odd.json", "{\"run\": 1}");
    place.cpulens(&["diagnose", &record, "--workload", &odd]).could_not("no run that cpulens stat");
}

#[test]
fn a_record_that_states_nothing_is_never_called_healthy() {
    let place = Sandbox::new();
    let empty = place.file(
        "empty.json",
        r#"{"schema": 1, "provenance": {"tool": "cpulens", "version": "0.1.0"}, "machine": {"facts": {}, "topology": {"cpus": [], "caches": [], "nodes": [], "dimms": []}}, "runs": []}"#,
    );
    let ran = place.cpulens(&["diagnose", &empty]);
    assert!(ran.out.contains("Nothing could be checked"), "{}", ran.out);
    let full = place.cpulens(&["diagnose", &empty, "--full"]);
    assert!(full.out.contains("this record says too little"), "{}", full.out);
    place.cpulens(&["place", &empty]).could_not("the CPUs are not known");
}

/// A quiet virtual machine with its system's defaults has nothing to act on, and says what there is; a database has.
#[test]
fn defaults_are_nothing_to_act_on_unless_a_workload_minds() {
    let place = Sandbox::new();
    let quiet = fixture("quiet-vm");
    let ran = place.cpulens(&["diagnose", &quiet, "--strict", "--full"]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("Notes, nothing to do"), "{}", ran.out);
    assert!(ran.out.contains("Why it is a note"), "{}", ran.out);
    assert_eq!(place.cpulens(&["diagnose", &quiet, "--strict", "--workload", "db"]).code, 1);
    let ran = place.cpulens(&["show", &quiet, "--section", "findings"]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("nothing to do: small_pages"), "{}", ran.out);
    let ran = place.cpulens(&["diagnose", &quiet, "--format", "json"]);
    let said: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(said["findings"].as_array().unwrap().len(), 0);
    assert_eq!(said["notes"][0]["rule"], "small_pages");
}
