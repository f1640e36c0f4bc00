//! Published figures as we would have recorded them: each as seven repeats within 0.2 % of it, which is the noise that their
//! author states (0.2 to 0.3 %), since single figures need a stated noise.
use crate::{text, texts};
use analyse::unixbench::UnixBench;
use analyse::{Report, ScalingRun};
use catalogue::Measurement;
use record::{
    Better, Buffer, Case, Machine, Outcome, Placement, Provenance, Reading, Record, Run, SCHEMA,
    Series, Unit, Value, param,
};
use serde_json::Value as Json;

const NOISE: [f64; 7] = [1.0, 0.998, 1.002, 0.999, 1.001, 1.0005, 0.9995];

fn figure(id: &str) -> &'static Measurement {
    let reference = catalogue::reference().unwrap();
    reference.measurements.iter().find(|m| m.id == id).unwrap_or_else(|| panic!("no {id}"))
}

/// Work per second of a figure: a time is turned round.
fn rate(m: &Measurement) -> f64 {
    let value = m.value.unwrap();
    if ["elapsed", "tsc_delta"].contains(&m.metric.as_str()) { 1.0 / value } else { value }
}

fn empty(machine: Machine) -> Record {
    Record {
        schema: SCHEMA,
        provenance: Provenance { tool: "cpulens".into(), ..Provenance::default() },
        machine,
        judgement: None,
        runs: vec![],
        reference_samples: vec![],
    }
}

fn series(metric: &str, unit: Unit, samples: Vec<f64>) -> Series {
    Series { samples, ..Series::new(metric, unit, Better::Higher) }
}

fn run(probe: &str, params: &[(&str, Value)], series: Vec<Series>) -> Run {
    Run {
        case: Case {
            probe: probe.into(),
            version: 1,
            params: params.iter().map(|(k, v)| ((*k).into(), v.clone())).collect(),
            place: Placement { cpus: [0].into_iter().collect(), ..Placement::default() },
            estimate: 0.0,
        },
        outcome: Outcome::Measured(series),
        threads: vec![],
        readings: vec![Reading {
            name: "contention.busy".into(),
            unit: Unit::Ratio,
            value: 0.0,
            coverage: 1.0,
        }],
        unread: Default::default(),
        began: 0.0,
        took: 1.0,
        origin: None,
        visits: vec![],
    }
}

pub(crate) fn record(test: &Json) -> Record {
    let machine = text(test, "machine");
    let known = catalogue::record(machine).unwrap().unwrap().machine;
    match text(test, "case") {
        "own nodes" => own_nodes(test, known),
        "scaling_run" => scaling_run(test),
        "pinned" => pinned(test),
        "copies" => copies(machine),
        "placed" => placed(machine),
        "footprint" => footprint(known, test["bytes"].as_u64().unwrap()),
        other => panic!("{other}"),
    }
}

/// Latency of nodes to their own memory.
fn own_nodes(test: &Json, machine: Machine) -> Record {
    let mut all = vec![];
    for id in texts(test, "figures") {
        let m = figure(id);
        let node = m.integer("mem_node").unwrap() as u32;
        assert_eq!(machine.topology.node_of(m.integer("cpu").unwrap() as u32), Some(node), "{id}");
        let samples = NOISE.map(|f| f * m.value.unwrap() * 1e-9).to_vec();
        let s = Series { better: Better::Lower, ..series("idle_latency", Unit::Seconds, samples) };
        all.push(s.at(param::FROM, node).at(param::TO, node));
    }
    let mut record = empty(machine);
    record.runs.push(run("numa_matrix", &[], all));
    record
}

/// Passes of a sieve in ticks, with the words of our ways of running one.
pub(crate) fn undisturbed_speed(test: &Json) -> Record {
    let mut all = vec![];
    for id in texts(test, "figures") {
        let m = figure(id);
        let flag = |name: &str| m.params.get(name) == Some(&Value::Bool(true));
        let samples = NOISE.map(|f| f * m.value.unwrap() * 1e-9).to_vec();
        let s = Series { better: Better::Lower, ..series("pass_time", Unit::Seconds, samples) };
        let s = s.at(param::SYSTEM, "host").at(param::MODE, m.text("mode").unwrap());
        let s = s.at(param::INTERRUPTS, if flag("irq_enabled") { "on" } else { "off" });
        all.push(s.at(param::PLACE, if flag("bound") { "bound" } else { "unbound" }));
    }
    let mut record = empty(Machine::default());
    record.runs.push(run("undisturbed_speed", &[], all));
    record
}

/// Pairs of one thread and two, by rising instructions per cycle of the one: whether the second is worth less and less.
pub(crate) fn trend(test: &Json) -> (String, String) {
    let mut all: Vec<(f64, f64)> = vec![];
    for pair in test["pairs"].as_array().unwrap() {
        let mut record = empty(Machine::default());
        for (i, name) in ["1 core", "SMT pair"].into_iter().enumerate() {
            let m = figure(pair[i].as_str().unwrap());
            add_scaling_point(
                &mut record,
                (name, 1, i as u64 + 1),
                "one-to-one",
                rate(m),
                i as f64 + 1.0,
                m.ipc,
            );
        }
        let report = analyse::analyse(&record);
        let gain = &report.get::<Vec<ScalingRun>>()[0].siblings[0];
        all.push((gain.by_ipc.unwrap().with, gain.found.as_ref().unwrap().estimate));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let gains: Vec<String> = all.iter().map(|(ipc, gain)| format!("{ipc:.2}: {gain:.2}")).collect();
    let against: usize =
        (1..all.len()).map(|j| all[..j].iter().filter(|a| a.1 < all[j].1).count()).sum();
    let pairs = all.len() * (all.len() - 1) / 2;
    let word = if against * 2 < pairs { "trend" } else { "no trend" };
    (word.into(), format!("{}; {against} of {pairs} against it", gains.join(", ")))
}

/// One step of a scaling run, seven times.
fn add_scaling_point(
    record: &mut Record,
    step: (&str, u64, u64),
    policy: &str,
    rate: f64,
    used: f64,
    ipc: Option<f64>,
) {
    let (name, cores, threads) = step;
    for (repeat, noise) in (1u64..).zip(NOISE) {
        let params = [
            ("workload", Value::from("published")),
            ("step", name.into()),
            ("policy", policy.into()),
            ("memory", "local".into()),
            ("cores", Value::Integer(cores)),
            ("threads", Value::Integer(threads)),
            ("copies", Value::Integer(threads)),
            ("repeat", Value::Integer(repeat)),
        ];
        let mut all = vec![
            series("throughput", Unit::PerSecond, vec![rate * noise]),
            series("cpus_used", Unit::Count, vec![used]),
        ];
        all.extend(ipc.map(|ipc| series("ipc", Unit::PerCycle, vec![ipc])));
        record.runs.push(run("scaling_run", &params, all));
    }
}

/// Steps with the CPUs that are printed as used, else with all of them.
fn scaling_run(test: &Json) -> Record {
    let mut record = empty(Machine::default());
    for step in test["steps"].as_array().unwrap() {
        let (name, id) = (step[0].as_str().unwrap(), step[3].as_str().unwrap());
        let (cores, threads) = (step[1].as_u64().unwrap(), step[2].as_u64().unwrap());
        let m = figure(id);
        let printed = m.cpu_percent.map(|(low, high)| f64::midpoint(low, high) / 100.0);
        let stated = test["used"][id].as_f64();
        let used = stated.or(printed).unwrap_or(threads as f64);
        add_scaling_point(&mut record, (name, cores, threads), "one-to-one", rate(m), used, m.ipc);
    }
    record
}

/// Bound, and left to the scheduler.
fn pinned(test: &Json) -> Record {
    let mut record = empty(Machine::default());
    let figures = texts(test, "figures");
    for (policy, id) in ["one-to-one", "unpinned"].into_iter().zip(figures) {
        add_scaling_point(&mut record, ("1 core", 1, 1), policy, rate(figure(id)), 1.0, None);
    }
    record
}

/// A test of UnixBench; the kernel's share of its time is what such a test has, for nobody printed it.
fn bench(test: &str, placement: &str, copies: u64, score: f64) -> Run {
    let known = record::unixbench::of_probe(test.into()).unwrap();
    let count = if known.timebase > 0.0 { score * 10.0 / known.timebase } else { score };
    let computes = ["dhry2reg", "whetstone_double"].contains(&test);
    let all = vec![
        series("rate", Unit::PerSecond, vec![score]),
        series("count", Unit::Count, vec![count]),
        series("time", Unit::Seconds, vec![10.0]),
        series("kernel_share", Unit::Ratio, vec![if computes { 0.0 } else { 0.8 }]),
        series("cpus_used", Unit::Count, vec![copies as f64]),
    ];
    let params = [
        ("variant", Value::from("upstream-6")),
        ("placement", placement.into()),
        ("start", "serial".into()),
        ("copies", Value::Integer(copies)),
    ];
    let mut run = run(test, &params, all);
    run.case.place.cpus = (0..copies as u32).collect();
    run
}

fn copies(machine: &str) -> Record {
    let mut record = empty(Machine::default());
    let reference = catalogue::reference().unwrap();
    for m in reference.of(machine).filter(|m| m.workload == "unixbench" && m.metric == "result") {
        let test = record::unixbench::named(m.text("test").unwrap());
        let Some(test) = test else { continue };
        let copies = m.integer("processes").unwrap();
        record.runs.push(bench(test.id.as_str(), "none", copies, m.value.unwrap()));
    }
    assert!(record.runs.len() >= 20, "{}", record.runs.len());
    record
}

fn placed(machine: &str) -> Record {
    const NAMES: &[(&str, &str)] = &[("context1", "context1"), ("ctx", "context1")];
    let mut record = empty(Machine::default());
    let reference = catalogue::reference().unwrap();
    for m in reference.of(machine).filter(|m| m.metric == "score") {
        let name = m.text("test").unwrap();
        let renamed = NAMES.iter().find(|(printed, _)| *printed == name).map(|(_, id)| *id);
        let id = renamed.unwrap_or(match name {
            "whets" | "whetstone" | "whetstone-double" => "whetstone_double",
            other => other,
        });
        if record::unixbench::of_probe(id.into()).is_none() {
            continue;
        }
        let placement =
            if m.text("pinning") == Some("one-to-one") { "one-to-one" } else { "range" };
        record.runs.push(bench(id, placement, 96, m.value.unwrap()));
    }
    assert!(record.runs.len() >= 40, "{}", record.runs.len());
    record
}

/// What each placement gains in each test, and whether all repeats of one are above those of the other.
pub(crate) fn gains(report: &Report<'_>) -> String {
    let gains = report.get::<Option<UnixBench>>().iter().flat_map(|u| &u.gains);
    let said = gains.map(|g| {
        let apart = if g.apart == Some(true) { "apart" } else { "overlap" };
        format!("{} {:.2} {apart}", g.test.id, g.ratio)
    });
    said.collect::<Vec<_>>().join("; ")
}

/// A buffer of so many bytes against the last-level cache of the machine's first CPU.
fn footprint(machine: Machine, bytes: u64) -> Record {
    // The size is stated as a fact where the caches' places are not.
    let last = machine.topology.last_level_bytes(0).map(|b| b as f64);
    let stated = || machine.number("cache.l3.each").or_else(|| machine.number("cache.l3.total"));
    let last = last.or_else(stated).unwrap_or_else(|| panic!("{:?}", machine.facts.keys()));
    let ratio = bytes as f64 / last;
    let mut s = series("bandwidth", Unit::BytesPerSecond, NOISE.map(|f| f * 1e10).to_vec());
    s.buffer = Some(Buffer { bytes, llc_ratio: Some(ratio), ..Buffer::default() });
    let mut record = empty(machine);
    record.runs.push(run("lmbench_stream", &[], vec![s.at(param::KERNEL, "copy")]));
    record
}

/// One machine under two systems, with what a computation takes under each.
pub(crate) fn systems(test: &Json) -> [Record; 2] {
    let known = catalogue::record(text(test, "machine")).unwrap().unwrap().machine;
    let (figures, systems) = (texts(test, "figures"), texts(test, "systems"));
    [0, 1].map(|i| {
        let mut machine = known.clone();
        machine.set("os.name", systems[i], "as stated");
        let mut record = empty(machine);
        let samples = NOISE.map(|f| f * figure(figures[i]).value.unwrap()).to_vec();
        let s = Series {
            better: Better::Lower,
            ..series("time_of_10000_events", Unit::Seconds, samples)
        };
        record.runs.push(run("prime", &[("threads", "one".into())], vec![s]));
        record
    })
}
