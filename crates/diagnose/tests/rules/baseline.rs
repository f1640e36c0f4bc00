//! A machine without faults, and the ways in which fixtures change it.
use crate::example::{Step, add_scaling_run};
use record::{
    Better, Buffer, Cache, CacheKind, Case, Cpu, CpuSet, Dimm, Machine, Node, Outcome, Pages,
    Placement, Provenance, Reading, Record, ReferenceSample, Run, Series, Topology, Unit, Value,
    param,
};

const CORES: u32 = 8;
pub(crate) const FROM: &str = "simulated";

/// Two sockets of four cores with two threads each, alike in all that is compared: near and far memory, both kinds of pages,
/// pinned and unpinned, wide vectors and none, one copy and eight.
pub(crate) fn baseline() -> Record {
    let mut record = Record::new(
        Provenance { tool: "cpulens".into(), ..Provenance::default() },
        machine(),
        vec![],
    );
    record.reference_samples = (0..12)
        .map(|_| ReferenceSample {
            at: 0.0,
            cpu: 0,
            frequency: vec![3.5e9; 5],
            ports: vec![14e9; 5],
            chase: vec![1e-9; 5],
            ..Default::default()
        })
        .collect();
    let r = &mut record;
    let busy = series("busy", Unit::Ratio, 0.004, 7);
    let steal = series("steal", Unit::Ratio, 0.001, 7);
    add(r, "preflight", &[], vec![busy, steal]);
    add(
        r,
        "core_frequency",
        &[],
        vec![series("frequency", Unit::Hertz, 3.5e9, 9).at(param::CHAIN, "add")],
    );
    frequencies(r);
    pages(r);
    memory(r);
    for policy in ["one-to-one", "unpinned"] {
        add_scaling_run(r, policy, &POINTS);
    }
    for (copies, test) in [(1, "dhry2reg"), (8, "dhry2reg"), (1, "syscall"), (8, "syscall")] {
        bench(r, test, "none", copies, 1e6 * copies as f64, 9);
    }
    for placement in ["range", "one-to-one"] {
        for _ in 0..3 {
            bench(r, "context1", placement, 8, 1e6, 3);
        }
    }
    counted(r);
    record
}

fn machine() -> Machine {
    let mut m = Machine::default();
    for (name, words) in [
        ("cpu.model", "Simulated 1.0"),
        ("cpu.governor", "schedutil"),
        ("cpu.smt.control", "on"),
        ("virtual.hypervisor", "none"),
        ("memory.thp.enabled", "madvise"),
        ("memory.thp.process", "allowed"),
        ("limits.cpu_quota", "unlimited"),
        ("limits.cpuset", "unlimited"),
        ("cache.partition", "not supported"),
        ("kernel.mitigations.spectre_v2", "Mitigation: Enhanced / Automatic IBRS"),
        ("kernel.mitigations.mds", "Not affected"),
        ("interrupts.cpus", "0-15"),
    ] {
        m.set(name, words, FROM);
    }
    m.set("kernel.kpti", false, FROM);
    m.set_in("cpu.frequency.max", 3.5e9, Unit::Hertz, FROM);
    m.set_in("cpu.frequency.base", 2.6e9, Unit::Hertz, FROM);
    m.set_in("cpu.throttle.package", 0u64, Unit::Count, FROM);
    m.set_in("cpu.throttle.core", 0u64, Unit::Count, FROM);
    let even = Value::List((0..16u64).map(|_| Value::Integer(3600 * 40)).collect());
    m.set_in("interrupts.device", even, Unit::Count, FROM);
    m.set_in("load.ticks.idle", 16 * 3600 * 100u64, Unit::Count, FROM);
    let socket = |id: u32| (id % CORES) / 4;
    let of = |s: u32| -> CpuSet { (0..16).filter(|id| socket(*id) == s).collect() };
    let cpu = |id: u32| Cpu {
        id,
        online: true,
        allowed: true,
        package: Some(socket(id)),
        die: Some(0),
        core: Some(id % 4),
        node: Some(socket(id)),
        siblings: [id % CORES, id % CORES + CORES].into_iter().collect(),
        ..Cpu::default()
    };
    m.topology = Topology {
        cpus: (0..16).map(cpu).collect(),
        caches: (0..2)
            .map(|s| Cache {
                level: 3,
                kind: CacheKind::Unified,
                bytes: Some(32 << 20),
                line: Some(64),
                ways: Some(16),
                cpus: of(s),
            })
            .collect(),
        nodes: (0..2)
            .map(|s| Node {
                id: s,
                cpus: of(s),
                bytes: Some(128 << 30),
                distances: if s == 0 { vec![10, 12] } else { vec![12, 10] },
                ..Node::default()
            })
            .collect(),
        dimms: (0..16)
            .map(|i| {
                let letter = char::from(b'A' + (i % 8) as u8);
                Dimm {
                    slot: format!("P{}-DIMM{letter}1", i / 8),
                    channel: Some(format!("P{} {letter}", i / 8)),
                    populated: true,
                    bytes: Some(16 << 30),
                    width: Some(64),
                    rated: Some(3.2e9),
                    configured: Some(3.2e9),
                    ..Dimm::default()
                }
            })
            .collect(),
        ..Topology::default()
    };
    m
}

fn series(metric: &str, unit: Unit, x: f64, count: usize) -> Series {
    let better = if unit == Unit::Seconds { Better::Lower } else { Better::Higher };
    Series { samples: vec![x; count], ..Series::new(metric, unit, better) }
}

fn add(record: &mut Record, probe: &str, params: &[(&str, Value)], series: Vec<Series>) {
    record.runs.push(Run {
        readings: vec![Reading {
            name: "contention.busy".into(),
            unit: Unit::Ratio,
            value: 0.002,
            coverage: 1.0,
        }],
        took: 1.0,
        ..Run::new(
            Case {
                probe: probe.into(),
                version: 1,
                params: params.iter().map(|(k, v)| ((*k).into(), v.clone())).collect(),
                place: Placement { cpus: (0..16).collect(), ..Placement::default() },
                estimate: 0.0,
            },
            Outcome::Measured(series),
        )
    });
}

fn frequencies(r: &mut Record) {
    let mut active = vec![];
    for class in ["scalar", "avx512"] {
        for (n, ghz) in [(1u64, 3.5), (16, 3.0)] {
            let s = series("frequency", Unit::Hertz, ghz * 1e9, 7);
            active.push(s.at(param::CLASS, class).at(param::ACTIVE, n));
        }
    }
    add(r, "loaded_frequency", &[("over", "active".into())], active);
    let second = |n: u64| {
        let s = series("frequency", Unit::Hertz, 3e9, 7);
        s.at(param::CLASS, "scalar").at(param::ACTIVE, 16u64).at(param::SECOND, n)
    };
    add(r, "loaded_frequency", &[("over", "time".into())], (1..6).map(second).collect());
}

fn pages(r: &mut Record) {
    for (name, pages, share) in [("base", Pages::Base, 0.0), ("thp", Pages::Thp, 1.0)] {
        let points = (12..31).map(|e| {
            let bytes = 1u64 << e;
            let seconds = if e < 25 { 1e-9 } else { 100e-9 };
            let mut s = series("load_to_use", Unit::Seconds, seconds, 9);
            s.buffer = Some(buffer(bytes, bytes as f64 / f64::from(32 << 20), pages, share));
            s.at(param::WORKING_SET, bytes)
        });
        let params = [("pages", name.into()), ("order", "random".into())];
        add(r, "load_latency", &params, points.collect());
    }
}

fn buffer(bytes: u64, ratio: f64, pages: Pages, share: f64) -> Buffer {
    Buffer { bytes, pages, llc_ratio: Some(ratio), huge_share: Some(share), ..Buffer::default() }
}

fn memory(r: &mut Record) {
    let mut between = vec![];
    for (from, to) in [(0u32, 0u32), (0, 1), (1, 0), (1, 1)] {
        let s = series("idle_latency", Unit::Seconds, 100e-9, 9);
        between.push(s.at(param::FROM, from).at(param::TO, to));
    }
    add(r, "numa_matrix", &[], between);
    let read = |rate: f64| {
        let mut s = series("bandwidth", Unit::BytesPerSecond, rate, 9);
        s.buffer = Some(buffer(256 << 20, 8.0, Pages::Thp, 1.0));
        s
    };
    let params = [("kernel", "read".into()), ("threads", "all".into())];
    add(r, "bandwidth", &params, vec![read(320e9)]);
    let of = |(threads, rate, across): (u64, f64, &str)| {
        read(rate).at(param::THREADS, threads).at(param::ACROSS, across)
    };
    let steps = [
        (1, 45e9, "node"),
        (2, 89e9, "node"),
        (3, 130e9, "node"),
        (4, 160e9, "node"),
        (8, 320e9, "nodes"),
    ];
    let all = steps.map(of).to_vec();
    add(r, "bandwidth_scaling", &[("kernel", "read".into())], all);
}

/// Every core adds its part, the second thread of each a third more.
const POINTS: [Step<'_>; 6] = [
    ("1 core", 1, 1, 1e9, 1.0),
    ("SMT pair", 1, 2, 1.33e9, 2.0),
    ("2 cores of node 0", 2, 2, 2e9, 2.0),
    ("socket 0", 4, 4, 4e9, 4.0),
    ("all cores", 8, 8, 8e9, 8.0),
    ("all threads", 8, 16, 10.6e9, 16.0),
];

fn bench(r: &mut Record, test: &str, placement: &str, copies: u64, score: f64, passes: usize) {
    let kernel = if test == "dhry2reg" { 0.0 } else { 0.9 };
    let all = vec![
        series("rate", Unit::PerSecond, score, passes),
        series("count", Unit::Count, score * 10.0, passes),
        series("time", Unit::Seconds, 10.0, passes),
        series("kernel_share", Unit::Ratio, kernel, 1),
        series("cpus_used", Unit::Count, copies as f64, 1),
    ];
    let params = [
        ("variant", Value::from("upstream-6")),
        ("placement", placement.into()),
        ("start", "serial".into()),
        ("copies", Value::Integer(copies)),
    ];
    add(r, test, &params, all);
}

/// A program that nothing stalls.
fn counted(r: &mut Record) {
    let params = [
        ("target", Value::from("command")),
        ("scope", "the command".into()),
        ("mode", "user and kernel".into()),
        ("role.stall_frontend", "stall_frontend".into()),
        ("role.stall_backend", "stall_backend".into()),
    ];
    add(r, "stat", &params, vec![series("elapsed", Unit::Seconds, 10.0, 1)]);
    let Some(run) = r.runs.last_mut() else { return };
    for (name, value) in [
        ("counters.cycles", 35e9),
        ("counters.instructions", 100e9),
        ("counters.stall_frontend", 1e9),
        ("counters.stall_backend", 2e9),
        ("program.cpu", 10.0),
        ("program.cpu.system", 0.1),
    ] {
        run.readings.push(Reading { name: name.into(), unit: Unit::Count, value, coverage: 1.0 });
    }
}

/// Multiplies the samples of a probe's series that fit.
pub(crate) fn scale(r: &mut Record, probe: &str, by: f64, fits: impl Fn(&Case, &Series) -> bool) {
    let mut hit = false;
    for run in r.runs.iter_mut().filter(|run| run.case.probe == probe) {
        let Outcome::Measured(all) = &mut run.outcome else { continue };
        for s in all.iter_mut().filter(|s| fits(&run.case, s)) {
            hit = true;
            s.samples.iter_mut().for_each(|x| *x *= by);
        }
    }
    assert!(hit, "nothing of {probe} was changed");
}

pub(crate) fn at_step(case: &Case, steps: &[&str]) -> bool {
    case.get(param::STEP).is_some_and(|s| steps.contains(&s))
}
