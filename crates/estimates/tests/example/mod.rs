//! Builds small records for tests.
use record::{
    Better, Case, Machine, Metric, Outcome, Placement, ProbeId, Provenance, Reading, Record, Run,
    Series, Topology, Unit, Value, param,
};

/// A record of a machine that says nothing about itself.
pub(crate) fn empty() -> Record {
    Record::new(
        Provenance::default(),
        Machine { facts: Default::default(), topology: Topology::default() },
        vec![],
    )
}

/// Adds a case that was measured on CPU 0.
pub(crate) fn measured(
    record: &mut Record,
    probe: impl Into<ProbeId>,
    params: &[(&str, &str)],
    series: Vec<Series>,
) {
    let case = Case {
        probe: probe.into(),
        version: 1,
        params: params.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect(),
        place: Placement { cpus: [0].into_iter().collect(), ..Placement::default() },
        estimate: 0.0,
    };
    record.runs.push(Run::new(case, Outcome::Measured(series)));
}

/// Adds latencies in nanoseconds from each node (a row) to each (a column).
pub(crate) fn between_nodes(record: &mut Record, nanoseconds: &[&[f64]]) {
    let mut all = vec![];
    for (from, row) in (0u32..).zip(nanoseconds) {
        for (to, ns) in (0u32..).zip(*row) {
            let mut s = Series::new(Metric::IdleLatency, Unit::Seconds, Better::Lower);
            s.samples = vec![ns * 1e-9];
            all.push(s.at(param::FROM, from).at(param::TO, to));
        }
    }
    measured(record, "numa_matrix", &[], all);
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
pub(crate) fn add_scaling_run(record: &mut Record, policy: &str, steps: &[Step<'_>]) {
    for (repeat, noise) in (1u64..).zip([1.0, 0.998, 1.002, 0.999, 1.001, 1.0005, 0.9995]) {
        for (step, cores, threads, rate, used) in steps {
            let one = |metric: Metric, unit, x: f64| Series {
                samples: vec![x],
                ..Series::new(metric, unit, Better::Higher)
            };
            let series = vec![
                one(Metric::Throughput, Unit::PerSecond, rate * noise),
                one(Metric::CpusUsed, Unit::Count, *used),
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

/// Adds instructions per cycle to the steps of a scaling run.
pub(crate) fn with_ipc(record: &mut Record, steps: &[(&str, f64)]) {
    for run in &mut record.runs {
        let step = run.case.get(param::STEP).unwrap_or_default().to_owned();
        let Some((_, ipc)) = steps.iter().find(|(name, _)| *name == step) else { continue };
        if let Outcome::Measured(all) = &mut run.outcome {
            all.push(Series {
                samples: vec![*ipc],
                ..Series::new(Metric::Ipc, Unit::PerCycle, Better::Higher)
            });
        }
    }
}

/// Adds a test of UnixBench with these parameters: passes of ten seconds with their counts, and the share of time in the kernel.
pub(crate) fn passes(
    record: &mut Record,
    test: impl Into<ProbeId>,
    params: &[(&str, &str)],
    copies: u64,
    counts: &[f64],
    kernel: f64,
) {
    let of = |metric: Metric, unit, samples: Vec<f64>| Series {
        samples,
        ..Series::new(metric, unit, Better::Higher)
    };
    let series = vec![
        of(Metric::Rate, Unit::PerSecond, counts.to_vec()),
        of(Metric::Count, Unit::Count, counts.to_vec()),
        of(Metric::Time, Unit::Seconds, vec![10.0; counts.len()]),
        of(Metric::KernelShare, Unit::Ratio, vec![kernel]),
        of(Metric::CpusUsed, Unit::Count, vec![copies as f64]),
    ];
    measured(record, test, params, series);
    if let Some(run) = record.runs.last_mut() {
        run.case.params.insert("copies".into(), Value::Integer(copies));
        run.case.place.cpus = (0..copies as u32).collect();
    }
}

/// Adds a counted run of ten seconds on one CPU at 3 GHz: events by role, whole counts.
pub(crate) fn counted(record: &mut Record, events: &[(&str, f64)]) {
    let mut elapsed = Series::new(Metric::Elapsed, Unit::Seconds, Better::Lower);
    elapsed.samples.push(10.0);
    let params = [("target", "command"), ("scope", "the command"), ("mode", "user and kernel")];
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
