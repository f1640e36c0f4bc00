//! The path from plan to record on this machine, in a few seconds: structure and relations, never times.
#![allow(clippy::unwrap_used, reason = "tests may")]
use host::clock::Monotonic;
use measure::{
    plan::{Selection, plan},
    probe::{Depth, Setting},
    run::{End, Observer, RunContext, execute},
    time_left::TimeLeft,
};
use probes::probes::ALL;
use record::{Better, Machine, Metric, Outcome, Provenance, Record, Unit};
use std::sync::atomic::{AtomicBool, Ordering};

/// A machine of which only the CPUs are known: what a probe must cope with anyway.
fn machine() -> Machine {
    let mut machine = Machine::default();
    for id in host::cpus::affinity().unwrap().iter() {
        let siblings = [id].into_iter().collect();
        machine.topology.cpus.push(record::Cpu {
            id,
            online: true,
            allowed: true,
            siblings,
            ..Default::default()
        });
    }
    machine
}

fn record(only: &[&str]) -> Record {
    let machine = machine();
    let setting = Setting::new(&machine, machine.topology.usable(), Depth::Quick);
    let selection = Selection { only: only.iter().map(|s| (*s).into()).collect(), skip: vec![] };
    let runs = plan(ALL, &setting, &selection).unwrap();
    Record::new(Provenance::default(), machine, runs)
}

#[derive(Default)]
struct Count {
    began: usize,
    ended: usize,
    unreached: Vec<usize>,
    stop_after: Option<usize>,
}

static STOP: AtomicBool = AtomicBool::new(false);

impl Observer for Count {
    fn begins(&mut self, _: usize, _: &Record, left: TimeLeft) {
        assert!(left.run.is_finite() && left.run >= left.visit);
        self.began += 1;
    }
    fn progress(&mut self, share: f64) {
        assert!((0.0..=1.0).contains(&share));
    }
    fn ended(&mut self, _: usize, record: &Record) {
        self.ended += 1;
        let unreached =
            record.runs.iter().filter(|r| matches!(r.outcome, Outcome::NotReached(_))).count();
        self.unreached.push(unreached);
        if self.stop_after == Some(self.ended) {
            STOP.store(true, Ordering::Relaxed);
        }
    }
}

/// One test, since the cases would disturb each other.
#[test]
fn cases_are_measured_one_by_one_interrupted_and_resumed() {
    let clock = Monotonic::new();
    let conduct = RunContext {
        probes: ALL,
        clock: &clock,
        cancel: &STOP,
        depth: Depth::Quick,
        budget: Some(6.0),
        patience: 0.0,
        own_process: &[],
    };
    let mut record = record(&["core_frequency", "core_rate", "core_to_core"]);
    let cases = record.runs.len();

    let mut count = Count { stop_after: Some(2), ..Count::default() };
    assert_eq!(execute(&mut record, &conduct, &mut count), End::Interrupted);
    let measured =
        |r: &Record| r.runs.iter().filter(|r| matches!(r.outcome, Outcome::Measured(_))).count();
    assert!(measured(&record) >= 1 && measured(&record) < cases);
    let before: Vec<_> =
        record.runs.iter().filter(|r| matches!(r.outcome, Outcome::Measured(_))).cloned().collect();
    record::from_slice(&record::to_vec(&record).unwrap())
        .expect("an interrupted record is a record");

    STOP.store(false, Ordering::Relaxed);
    let mut count = Count::default();
    assert_eq!(execute(&mut record, &conduct, &mut count), End::Complete);
    assert_eq!(count.began, count.ended);
    assert!(
        count.unreached.windows(2).all(|w| w[1] <= w[0]),
        "saved after every visit: {:?}",
        count.unreached
    );
    for (old, new) in before.iter().flat_map(|old| {
        let new = record.runs.iter().find(|new| new.case == old.case).unwrap();
        old.series().iter().zip(new.series())
    }) {
        assert!(new.samples.starts_with(&old.samples), "resuming keeps what was measured");
    }
    let visited = record.runs.iter().filter(|r| r.visits.len() > 1);
    for run in visited.filter(|r| r.outstanding() == 0.0) {
        let began: Vec<f64> = run.visits.iter().filter_map(|v| v.began).collect();
        assert!(began.windows(2).all(|w| w[0] < w[1]), "{began:?}");
        for series in run.series() {
            assert_eq!(series.visits.len(), run.visits.len(), "{}", run.case.label());
            let all = series.samples.len();
            assert_eq!(series.visits.iter().sum::<u32>() as usize, all);
            let checks = run.placement_checks().len();
            assert_eq!(series.attempts.len(), checks, "{}", run.case.label());
            assert!(checks == 0 || series.attempts.iter().sum::<u32>() as usize == all);
        }
    }
    assert!(
        record.reference_samples.len() > cases,
        "a sample before the first case and after each"
    );

    for run in &record.runs {
        let label = run.case.label();
        if let Outcome::NotReached(why) = &run.outcome {
            assert!(why.why.contains("time budget"), "{label}: {why}");
        }
        assert!(run.threads.iter().all(|t| t.asked == t.found), "{label}: {:?}", run.threads);
        let Outcome::Measured(series) = &run.outcome else { continue };
        assert!(run.readings.iter().any(|r| r.name.starts_with("scheduler.")), "{label}");
        for s in series {
            assert!(s.samples.iter().all(|x| x.is_finite() && *x >= 0.0), "{label} {}", s.metric);
            if s.metric == Metric::TimePerOp {
                assert!(
                    s.frequency.is_some_and(|hz| hz > 1e6)
                        && s.unit == Unit::Seconds
                        && s.better == Better::Lower
                );
                assert!(s.samples.len() >= 3 && s.steps > 0, "{label} {:?}", s.at);
            }
        }
    }
    relations(&record);
}

/// Invariants of any machine at any speed.
fn relations(record: &Record) {
    let median = |probe: &str, name: &str, value: &str| {
        let run = record.runs.iter().find(|r| r.case.probe == probe)?;
        let Outcome::Measured(series) = &run.outcome else { return None };
        let s = series.iter().find(|s| s.at.get(name).and_then(|v| v.text()) == Some(value))?;
        Some((stats::Sample::new(&s.undisturbed())?.median(), s.frequency))
    };
    if let (Some((add, _)), Some((mul, _))) =
        (median("core_frequency", "chain", "add"), median("core_frequency", "chain", "mul"))
    {
        let cycles = add / mul;
        assert!(
            (cycles - cycles.round()).abs() < 0.25 * cycles,
            "a multiplication takes {cycles} adds"
        );
    }
    if let (Some((chain, _)), Some((free, _))) =
        (median("core_rate", "op", "add_chain"), median("core_rate", "op", "add"))
    {
        assert!(free <= chain * 1.1, "independent adds are not slower than dependent ones");
    }
}
