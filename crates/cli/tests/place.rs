//! `cpulens place` from outside: this machine, captured trees and records, in every format.
use crate::sandbox::{Sandbox, has_control};
use record::CpuSet;
use serde_json::Value;

fn fixtures(name: &str) -> String {
    format!("{}/../../fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn json(ran: &str) -> Value {
    serde_json::from_str(ran).unwrap()
}

#[test]
fn this_machine_is_placed_on_and_every_format_shows_it() {
    let place = Sandbox::new();
    for format in ["text", "markdown", "csv", "html", "json"] {
        let ran = place.cpulens(&["place", "--format", format]);
        assert_eq!((ran.code, &*ran.err), (0, ""), "{format}");
        assert!(!has_control(&ran.out.replace('\r', "")), "{format}");
    }
    let said = json(&place.cpulens(&["place", "--format", "json"]).out);
    let own = host::cpus::affinity().unwrap();
    for instance in said["instances"].as_array().unwrap() {
        let cpus: CpuSet = instance["cpus"].as_str().unwrap().parse().unwrap();
        assert!(!cpus.is_empty() && cpus.is_subset(&own), "{said}");
    }
    let line = said["lines"]["numactl"][0].as_str().unwrap();
    let first = said["instances"][0]["cpus"].as_str().unwrap();
    assert!(line.contains(&format!("--physcpubind={first} ")), "{line}");
    assert!(place.everything().is_empty(), "nothing is written");
}

#[test]
fn records_and_trees_are_placed_on_with_what_they_know() {
    let place = Sandbox::new();
    let server = fixtures("records/v1/two-node-server.json");
    let ran = place.cpulens(&["place", &server]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("by measurements"), "{}", ran.out);
    assert!(ran.out.contains("numactl --physcpubind=0-3,8-11 --membind=0 COMMAND"), "{}", ran.out);
    let full = place.cpulens(&["place", &server, "--full"]).done();
    assert!(full.out.contains("Memory (measured)"), "{}", full.out);
    let tree = fixtures("machines/epyc-guest/tree");
    let ran = place.cpulens(&[
        "place",
        "--root",
        &tree,
        "--instances",
        "2",
        "--smt",
        "off",
        "--format",
        "csv",
    ]);
    assert_eq!((ran.code, ran.out.lines().count()), (0, 3), "{}{}", ran.out, ran.err);
}

/// No mount of this machine mends what is not known of another.
#[test]
fn a_reference_without_cpus_says_what_to_import() {
    let ran = Sandbox::new().cpulens(&["place", "ref:amd-7742"]);
    assert!(!ran.err.contains("/sys"), "{}", ran.err);
    ran.could_not("import what lscpu or lstopo prints there");
}

#[test]
fn what_does_not_fit_or_is_no_number_is_refused() {
    let place = Sandbox::new();
    let many = ["place", "--instances", "8192", "--cores-per-instance", "8192"];
    place.cpulens(&many).could_not("do not fit");
    place.cpulens(&["place", "no-such-record.json"]).could_not("cannot open");
    let fewer = place.cpulens(&["place", "--per", "node", "--cores-per-instance", "4096"]);
    assert!(fewer.code == 2 || fewer.err.contains("there is room for"), "{}", fewer.err);
    for wrong in [
        &["--instances", "0"][..],
        &["--instances", "many"],
        &["--smt", "maybe"],
        &["--per", "rack"],
        &["--cores-per-instance", "-1"],
    ] {
        assert_eq!(place.cpulens(&[&["place"], wrong].concat()).code, 2, "{wrong:?}");
    }
}
