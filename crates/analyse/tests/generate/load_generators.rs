//! Two load generators, of which one with 196 CPUs did no more work than one with 72, and the first after new memory and four
//! bound processes. Their stated figures as they would have been recorded: latencies of STREAM's copy, speeds of the modules,
//! and throughput in units of what the smaller one did. What was not stated is left out.
use record::{
    Better, Case, Cpu, CpuSet, Dimm, Machine, Metric, Node, Outcome, Placement, Provenance,
    Reading, Record, Run, Series, Unit, Value, param,
};

const GIB: u64 = 1 << 30;

/// Sockets, CPUs of each, memory of each in GiB.
struct Shape(u32, u32, u64);

/// 72 CPUs on two sockets: 1.1 near and 1.4 far, modules at 2900.
pub(crate) fn small() -> Record {
    let shape = Shape(2, 36, 64);
    let machine = machine(&shape, 2.2e9, 2.933e9, 2.9e9);
    let runs = [between(&shape, 1.1, 1.4)].into_iter().chain(work(
        72,
        &[("all cores", 72, 1.0)],
        "unpinned",
        1,
    ));
    record("load generator, 72 CPUs", machine, runs.collect())
}

/// 196 CPUs on four sockets: 1.2 near and 1.85 far, modules at 2100 of 2933. 48 CPUs do what all do.
pub(crate) fn large() -> Record {
    let shape = Shape(4, 49, 64);
    let machine = machine(&shape, 2.5e9, 2.933e9, 2.1e9);
    let steps = [("48 cores of node 0", 48, 1.0), ("all cores", 196, 1.0)];
    let runs = [between(&shape, 1.2, 1.85)].into_iter().chain(work(196, &steps, "unpinned", 1));
    record("load generator, 196 CPUs", machine, runs.collect())
}

/// The same with modules of 2933 and a process bound to each socket: 3.6 times as much.
pub(crate) fn mended() -> Record {
    let shape = Shape(4, 49, 64);
    let machine = machine(&shape, 2.5e9, 2.933e9, 2.933e9);
    let runs = work(196, &[("all cores", 196, 3.6)], "range", 4);
    record("load generator, 196 CPUs, mended", machine, runs.collect())
}

fn record(name: &str, machine: Machine, runs: Vec<Run>) -> Record {
    Record::new(
        Provenance {
            tool: "cpulens".into(),
            version: "0.1.0".into(),
            name: Some(name.into()),
            seed: 1,
            ..Provenance::default()
        },
        machine,
        runs,
    )
}

fn cpus(shape: &Shape, socket: u32) -> CpuSet {
    (socket * shape.1..(socket + 1) * shape.1).collect()
}

fn machine(shape: &Shape, frequency: f64, rated: f64, configured: f64) -> Machine {
    let mut machine = Machine::default();
    let source = "as stated";
    machine.set("cpu.vendor", "GenuineIntel", source);
    machine.set("virtual.hypervisor", "none", source);
    machine.set_in("cpu.frequency.base", frequency, Unit::Hertz, source);
    for socket in 0..shape.0 {
        machine.topology.nodes.push(Node {
            id: socket,
            cpus: cpus(shape, socket),
            bytes: Some(shape.2 * GIB),
            ..Node::default()
        });
        machine.topology.cpus.extend(cpus(shape, socket).iter().map(|id| Cpu {
            id,
            online: true,
            allowed: true,
            package: Some(socket),
            node: Some(socket),
            siblings: [id].into_iter().collect(),
            ..Cpu::default()
        }));
        machine.topology.dimms.push(Dimm {
            slot: format!("CPU{socket}_DIMMA0"),
            bytes: Some(shape.2 * GIB),
            populated: true,
            kind: Some("DDR4".into()),
            rated: Some(rated),
            configured: Some(configured),
            ..Dimm::default()
        });
    }
    machine
}

/// Every node to every node.
fn between(shape: &Shape, near: f64, far: f64) -> Run {
    let mut all = vec![];
    for from in 0..shape.0 {
        for to in 0..shape.0 {
            let mut s = Series::new(Metric::IdleLatency, Unit::Seconds, Better::Lower);
            s.samples = vec![if from == to { near } else { far } * 1e-9];
            all.push(s.at(param::FROM, from).at(param::TO, to));
        }
    }
    run("numa_matrix", (0..shape.0 * shape.1).collect(), all)
}

/// Steps with what they did, six times each within 0.2 %, CPUs full.
fn work<'a>(
    all: u32,
    steps: &'a [(&'a str, u64, f64)],
    policy: &'a str,
    copies: u64,
) -> impl Iterator<Item = Run> + 'a {
    let noise = (1u64..).zip([1.0, 0.998, 1.002, 0.999, 1.001, 1.0005]);
    noise.flat_map(move |(repeat, noise)| {
        steps.iter().map(move |(step, threads, rate)| {
            let one = |metric: &str, unit, x: f64| Series {
                samples: vec![x],
                ..Series::new(metric, unit, Better::Higher)
            };
            let series = vec![
                one("throughput", Unit::PerSecond, rate * noise),
                one("cpus_used", Unit::Count, 0.95 * *threads as f64),
            ];
            let mut run = run("scaling_run", (0..all).collect(), series);
            let texts =
                [("step", *step), ("policy", policy), ("memory", "local"), ("workload", "command")];
            let counts = [
                ("cores", *threads),
                ("threads", *threads),
                ("copies", copies),
                ("repeat", repeat),
            ];
            let params = &mut run.case.params;
            params.extend(texts.map(|(k, v)| (k.to_owned(), v.into())));
            params.extend(counts.map(|(k, n)| (k.to_owned(), Value::Integer(n))));
            params.insert("command".into(), Value::List(vec!["load-generator".into()]));
            run.readings = vec![Reading {
                name: "contention.busy".into(),
                unit: Unit::Ratio,
                value: 0.0,
                coverage: 1.0,
            }];
            run
        })
    })
}

fn run(probe: &str, cpus: CpuSet, series: Vec<Series>) -> Run {
    Run {
        took: 1.0,
        ..Run::new(
            Case {
                probe: probe.into(),
                version: 1,
                params: Default::default(),
                place: Placement { cpus, ..Placement::default() },
                estimate: 1.0,
            },
            Outcome::Measured(series),
        )
    }
}
