//! Machines far larger than the fixtures: everything is still there, and the page stays of a size to be opened.
use crate::fixture::{info, record, rendered};
use analyse::Matrix;
use record::{
    Better, Cache, CacheKind, Cpu, CpuSet, Metric, Node, Outcome, ProbeId, Record, Series,
    Topology, Unit, param,
};
use render::Settings;
use scraper::{Html, Selector};

/// Two sockets of two nodes, shared caches of eight cores, two threads a core, and a node without CPUs.
fn topology(cores: u32) -> Topology {
    let threads = |core: u32| [core, core + cores].into_iter().collect::<CpuSet>();
    let mut topology = Topology::default();
    for id in 0..cores * 2 {
        let core = id % cores;
        topology.cpus.push(Cpu {
            id,
            online: id != 3,
            allowed: true,
            package: Some(core / (cores / 2)),
            die: Some(0),
            core: Some(core % (cores / 2)),
            siblings: threads(core),
            node: Some(core / (cores / 4)),
            ..Cpu::default()
        });
    }
    for node in 0..4 {
        let cpus = topology.cpus.iter().filter(|c| c.node == Some(node)).map(|c| c.id).collect();
        topology.nodes.push(Node { id: node, cpus, bytes: Some(64 << 30), ..Node::default() });
    }
    topology.nodes.push(Node { id: 4, bytes: Some(256 << 30), ..Node::default() });
    let cache = |level, kind, kib: u64, cpus| Cache {
        level,
        kind,
        bytes: Some(kib << 10),
        line: Some(64),
        ways: Some(8),
        cpus,
    };
    for core in 0..cores {
        topology.caches.push(cache(1, CacheKind::Data, 32, threads(core)));
        topology.caches.push(cache(2, CacheKind::Unified, 1024, threads(core)));
    }
    for group in 0..cores / 8 {
        let cpus = (group * 8..group * 8 + 8).flat_map(|c| [c, c + cores]).collect();
        topology.caches.push(cache(3, CacheKind::Unified, 32768, cpus));
    }
    topology
}

fn large(cores: u32, step: usize) -> Record {
    let mut record = record("two-node-server");
    record.machine.topology = topology(cores);
    let run = record.runs.iter_mut().find(|r| r.case.probe == ProbeId::CoreToCore).unwrap();
    let mut all = vec![];
    for from in (0..cores * 2).step_by(step) {
        for to in (from + 1..cores * 2).step_by(step) {
            let mut series = Series::new(Metric::RoundTrip, Unit::Seconds, Better::Lower)
                .at(param::FROM, from)
                .at(param::TO, to);
            series.samples = vec![1e-7 + f64::from((from ^ to) / 8) * 1e-9; 7];
            all.push(series);
        }
    }
    run.outcome = Outcome::Measured(all);
    record
}

fn count(html: &str, css: &str) -> usize {
    Html::parse_document(html).select(&Selector::parse(css).unwrap()).count()
}

#[test]
fn every_cpu_of_a_large_machine_is_drawn() {
    let record = large(128, 64);
    let html = info("html", &record.machine);
    // Boxes whose words are not alike in Chinese are there for each language.
    let drawn = |class: &str| {
        let all = count(&html, &format!("#chart-machine g.{class}"));
        all - count(&html, &format!("#chart-machine [lang=zh] g.{class}"))
    };
    assert_eq!(drawn("thread"), 256);
    assert_eq!(drawn("package"), 2);
    assert_eq!(drawn("node"), 5, "the node without CPUs too");
    assert_eq!(drawn("cache"), 16);
    assert_eq!(drawn("thread.off"), 1);
    let text = info("text", &record.machine);
    assert!(text.contains("256 GiB memory, no CPUs"), "{text}");
    assert!(text.lines().count() < 100, "cores that are alike share a line:\n{text}");
}

#[test]
fn many_pairs_are_colours_without_numbers_and_all_in_the_data() {
    let record = large(96, 1);
    let report = analyse::analyse(&record);
    let pairs = report.get::<Vec<Matrix>>()[0].cells.len();
    assert_eq!(pairs, 192 * 191 / 2);
    let html = rendered("html", &report, Settings::default());
    assert_eq!(count(&html, "#chart-core-to-core g"), 0);
    assert!(count(&html, "#chart-core-to-core path") > 3);
    assert_eq!(count(&html, "#data-core-to-core tbody tr"), 192);
    assert!(html.len() < 4_000_000, "{}", html.len());
    let text = rendered("text", &report, Settings::default());
    assert!(text.contains("18336 pairs do not fit 100 columns"));
}

#[test]
fn up_to_64_cpus_have_their_numbers() {
    let record = large(32, 1);
    let html = rendered("html", &analyse::analyse(&record), Settings::default());
    assert_eq!(count(&html, "#chart-core-to-core g > text"), 64 * 63);
}
