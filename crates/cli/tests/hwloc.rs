//! hwloc's XML: what is written is read back by the importer, and by hwloc's own programs where they are installed.
use crate::sandbox::{Sandbox, fixtures, load, possible};
use record::Record;
use std::collections::BTreeMap;
use std::process::Command;

fn written(sandbox: &Sandbox, name: &str) -> (String, Record) {
    let (_, file) = fixtures().into_iter().find(|(known, _)| known == name).unwrap();
    let xml = sandbox.path("machine.xml").display().to_string();
    let from = file.display().to_string();
    sandbox.cpulens(&["show", &from, "--format", "hwloc", "-o", &xml]).done();
    (xml, load(&file))
}

/// The medians of what was measured between nodes, by metric and pair; in whole nanoseconds and MiB a second.
fn pairs(record: &Record) -> BTreeMap<(String, String), u64> {
    let runs = record.runs.iter().filter(|r| r.case.probe == "numa_matrix");
    let series = runs.flat_map(|r| r.series());
    let of = |s: &record::Series| {
        let mut samples = s.samples.clone();
        samples.sort_by(f64::total_cmp);
        let scale = if s.unit == record::Unit::Seconds { 1e9 } else { 1.0 / f64::from(1 << 20) };
        let pair = format!("{:?}-{:?}", s.at.get("from"), s.at.get("to"));
        ((s.metric.to_string(), pair), (samples[samples.len() / 2] * scale).round() as u64)
    };
    series.map(of).collect()
}

#[test]
fn what_is_written_for_hwloc_is_read_back() {
    let sandbox = Sandbox::new();
    let (xml, before) = written(&sandbox, "two-node-server");
    let record = sandbox.path("back.json").display().to_string();
    sandbox.cpulens(&["import", &xml, "--record", &record]).done();
    let after = load(&sandbox.path("back.json"));
    let (a, b) = (&before.machine.topology, &after.machine.topology);
    let cpus = |t: &record::Topology| -> Vec<_> {
        t.cpus.iter().map(|c| (c.id, c.package, c.core, c.siblings.clone(), c.node)).collect()
    };
    assert_eq!(cpus(a), cpus(b));
    let nodes = |t: &record::Topology| -> Vec<_> {
        t.nodes.iter().map(|n| (n.id, n.cpus.clone(), n.bytes, n.distances.clone())).collect()
    };
    assert_eq!(nodes(a), nodes(b));
    assert_eq!(a.caches.len(), b.caches.len());
    let (measured, back) = (pairs(&before), pairs(&after));
    assert_eq!(measured.len(), 8);
    assert!(measured.keys().eq(back.keys()), "{back:?}");
    for (pair, value) in &measured {
        assert!(back[pair].abs_diff(*value) <= 1 + value / 100, "{pair:?}: {value} {back:?}");
    }
}

#[test]
fn hwloc_reads_the_tree_and_the_attributes() {
    let run = |program: &str, args: &[&str]| {
        let out = Command::new(program).args(args).env("HWLOC_HIDE_ERRORS", "0").output();
        out.ok().map(|o| {
            let text = String::from_utf8_lossy(&[o.stdout, o.stderr].concat()).into_owned();
            (o.status.success(), text)
        })
    };
    let installed = run("lstopo-no-graphics", &["--version"]).is_some();
    if !possible("hwloc is not installed", installed) {
        return;
    }
    let sandbox = Sandbox::new();
    let (xml, record) = written(&sandbox, "two-node-server");
    let (good, tree) = run("lstopo-no-graphics", &["-i", &xml, "--of", "console"]).unwrap();
    assert!(good && !tree.contains("error"), "{tree}");
    let count = |word: &str| tree.lines().filter(|l| l.contains(word)).count();
    let topology = &record.machine.topology;
    assert_eq!(count("PU L#"), topology.online().len(), "{tree}");
    assert_eq!(count("NUMANode L#"), topology.nodes.len(), "{tree}");
    let (good, values) = run("lstopo-no-graphics", &["-i", &xml, "--memattrs"]).unwrap();
    let from = values.lines().filter(|l| l.contains(" from ")).count();
    assert!(good && from == 8, "{values}");
    let copy = sandbox.path("copy.xml").display().to_string();
    let (good, said) =
        run("hwloc-annotate", &[&xml, &copy, "NUMANode:0", "info", "a", "b"]).unwrap();
    assert!(good, "{said}");
}
