//! Small machines that rules are shown and tested on.
use record::{
    Better, Case, Cpu, Machine, Node, Outcome, Placement, Provenance, Reading, Record, Run, SCHEMA,
    Series, Topology, Unit, Value,
};

/// A record reduced to what matters to one rule, and what the rule must say of it.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The machine in a few words.
    pub about: &'static str,
    /// Puts into an empty record what the rule looks at.
    pub build: fn(&mut Record),
    /// The answer.
    pub expect: Expect,
}

/// The three answers a rule can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expect {
    /// Something is wrong.
    Fires,
    /// Looked, and in order.
    Clear,
    /// The record cannot say.
    CannotTell,
}

impl Example {
    /// The record it describes.
    pub fn record(&self) -> Record {
        let mut record = empty();
        (self.build)(&mut record);
        record
    }
}

/// A record of a machine that says nothing about itself.
pub(crate) fn empty() -> Record {
    Record {
        schema: SCHEMA,
        provenance: Provenance::default(),
        machine: Machine { facts: Default::default(), topology: Topology::default() },
        judgement: None,
        runs: vec![],
        reference_samples: vec![],
    }
}

/// Gives the machine four CPUs that may be used.
pub(crate) fn four_cpus(record: &mut Record) {
    let cpu = |id| Cpu { id, online: true, allowed: true, ..Cpu::default() };
    record.machine.topology.cpus = (0..4).map(cpu).collect();
}

/// Adds a case that was measured on CPU 0.
pub(crate) fn measured(
    record: &mut Record,
    probe: &str,
    params: &[(&str, &str)],
    series: Vec<Series>,
) {
    record.runs.push(Run {
        case: Case {
            probe: probe.into(),
            version: 1,
            params: params.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect(),
            place: Placement { cpus: [0].into_iter().collect(), ..Placement::default() },
            estimate: 0.0,
        },
        outcome: Outcome::Measured(series),
        threads: vec![],
        readings: vec![],
        unread: Default::default(),
        began: 0.0,
        took: 0.0,
        origin: None,
    });
}

/// Gives the machine nodes with these distances in its firmware: a row for each.
pub(crate) fn nodes(record: &mut Record, distances: &[&[u32]]) {
    record.machine.topology.nodes = (0..)
        .zip(distances)
        .map(|(id, d)| Node { id, bytes: Some(1 << 30), distances: d.to_vec(), ..Node::default() })
        .collect();
}

/// Adds latencies in nanoseconds from each node (a row) to each (a column).
pub(crate) fn between_nodes(record: &mut Record, nanoseconds: &[&[f64]]) {
    let mut all = vec![];
    for (from, row) in (0u32..).zip(nanoseconds) {
        for (to, ns) in (0u32..).zip(*row) {
            let mut s = Series::new("idle_latency", Unit::Seconds, Better::Lower);
            s.samples = vec![ns * 1e-9];
            all.push(s.at("from", from).at("to", to));
        }
    }
    measured(record, "numa_matrix", &[], all);
}

/// Adds latencies in nanoseconds from several CPUs to the memory of node 0, which is theirs.
pub(crate) fn sweep(record: &mut Record, nanoseconds: &[(u32, f64)]) {
    let series = nanoseconds.iter().map(|(cpu, ns)| {
        let mut s = Series::new("idle_latency", Unit::Seconds, Better::Lower);
        s.samples = vec![ns * 1e-9];
        s.at("from", 0u32).at("to", 0u32).at("cpu", *cpu)
    });
    measured(record, "numa_matrix", &[], series.collect());
}

/// Adds a reading to the case that was added last.
pub(crate) fn noted(record: &mut Record, name: &str, unit: Unit, value: f64) {
    if let Some(run) = record.runs.last_mut() {
        run.readings.push(Reading::new(name, unit, value));
    }
}

/// A step of a scaling run: its name, cores, threads, throughput, CPUs used.
pub(crate) type Step<'a> = (&'a str, u64, u64, f64, f64);

/// Adds a scaling run of additions with a little noise, each step seven times with this policy, on a quiet machine.
pub(crate) fn climb(record: &mut Record, policy: &str, steps: &[Step<'_>]) {
    for (repeat, noise) in (1u64..).zip([1.0, 0.998, 1.002, 0.999, 1.001, 1.0005, 0.9995]) {
        for (step, cores, threads, rate, used) in steps {
            let one = |metric: &str, unit, x: f64| Series {
                samples: vec![x],
                ..Series::new(metric, unit, Better::Higher)
            };
            let series = vec![
                one("throughput", Unit::PerSecond, rate * noise),
                one("cpus_used", Unit::Count, *used),
            ];
            let mut params = vec![("workload", "core_rate"), ("op", "add"), ("memory", "local")];
            params.extend([("step", *step), ("policy", policy)]);
            measured(record, "scaling_run", &params, series);
            noted(record, "contention.busy", Unit::Ratio, 0.001);
            let counts = [("cores", *cores), ("threads", *threads), ("copies", *threads)];
            if let Some(run) = record.runs.last_mut() {
                for (name, n) in counts.into_iter().chain([("repeat", repeat)]) {
                    run.case.params.insert(name.into(), Value::Integer(n));
                }
            }
        }
    }
}

/// Adds frequencies of a kind of instruction in gigahertz, by active CPUs, or by seconds with `over` = `time`.
pub(crate) fn frequencies(record: &mut Record, over: &str, class: &str, by: &[(u64, f64)]) {
    let series = by.iter().map(|(at, ghz)| {
        let mut s = Series::new("frequency", Unit::Hertz, Better::Higher);
        s.samples = [1.0, 0.999, 1.001, 1.0, 0.9995, 1.0005, 1.0].map(|f| f * ghz * 1e9).into();
        let s = s.at("class", class);
        match over {
            "time" => s.at("active", 8u64).at("second", *at),
            _ => s.at("active", *at),
        }
    });
    measured(record, "loaded_frequency", &[("over", over)], series.collect());
}

/// Adds a test of UnixBench in the way of 6.0: its passes of ten seconds, each with this count, and the kernel's share of its time.
pub(crate) fn bench(
    record: &mut Record,
    test: &str,
    placement: &str,
    copies: u64,
    counts: &[f64],
    kernel: f64,
) {
    let params = [("variant", "upstream-6"), ("placement", placement), ("start", "serial")];
    passes(record, test, &params, copies, counts, kernel);
}

/// The same in whatever way the parameters say.
pub(crate) fn passes(
    record: &mut Record,
    test: &str,
    params: &[(&str, &str)],
    copies: u64,
    counts: &[f64],
    kernel: f64,
) {
    let of = |metric: &str, unit, samples: Vec<f64>| Series {
        samples,
        ..Series::new(metric, unit, Better::Higher)
    };
    let series = vec![
        of("rate", Unit::PerSecond, counts.to_vec()),
        of("count", Unit::Count, counts.to_vec()),
        of("time", Unit::Seconds, vec![10.0; counts.len()]),
        of("kernel_share", Unit::Ratio, vec![kernel]),
        of("cpus_used", Unit::Count, vec![copies as f64]),
    ];
    measured(record, test, params, series);
    if let Some(run) = record.runs.last_mut() {
        run.case.params.insert("copies".into(), Value::Integer(copies));
        run.case.place.cpus = (0..copies as u32).collect();
    }
}

/// Adds a counted run of ten seconds on one CPU at 3 GHz: events by role, whole counts.
pub(crate) fn counted(record: &mut Record, events: &[(&str, f64)]) {
    let mut elapsed = Series::new("elapsed", Unit::Seconds, Better::Lower);
    elapsed.samples.push(10.0);
    let params = [("whom", "command"), ("scope", "the command"), ("mode", "user and kernel")];
    measured(record, "stat", &params, vec![elapsed]);
    let always = [("cycles", 30e9), ("program.cpu", 10.0)];
    for (name, value) in always.into_iter().chain(events.iter().copied()) {
        let plain = name.contains('.') || ["cycles", "instructions"].contains(&name);
        let Some(run) = record.runs.last_mut() else { continue };
        if !plain {
            run.case.params.insert(format!("role.{name}"), name.into());
        }
        let reading = if name.contains('.') { name.into() } else { format!("counters.{name}") };
        noted(record, &reading, Unit::Count, value);
    }
}
