//! The time that a run still takes, learned from what its visits have taken. Pure.
use crate::{
    plan::{self, Entry},
    visits::looks_around,
};
use record::{Metric, Outcome, Record, Run, param};

/// Planned seconds of each kind of case that count as taken at the first guess.
const PRIOR: f64 = 1.0;

/// Seconds that a run will take.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TimeLeft {
    /// The visit that begins.
    pub visit: f64,
    /// That visit and all that follow.
    pub run: f64,
    /// Seconds that were planned, for a machine that does nothing else.
    pub planned: f64,
}

/// Seconds that pass for a planned second.
#[derive(Debug, Clone, Copy)]
pub struct Pace<'a> {
    probes: &'a [Entry],
    /// Factor for cases on one CPU.
    one: f64,
    /// Factor for cases on several. Their threads wait for each other, so that a busy machine delays them more.
    several: f64,
    /// Factor for cases whose seconds are a parameter: a busy machine delays them little.
    by_clock: f64,
    /// Seconds between two visits: the reference sample, and saving.
    between: f64,
}

impl<'a> Pace<'a> {
    /// The pace of the visits that are done. `time_scale` is the factor on every series' budget.
    pub fn of(probes: &'a [Entry], record: &Record, time_scale: f64) -> Pace<'a> {
        let runs = &record.runs[..];
        let slow = slowdown(probes, runs);
        let learned = |slow: f64, like: &dyn Fn(&Run) -> bool| {
            let (mut planned, mut taken) = (PRIOR, PRIOR * slow * time_scale);
            for run in runs.iter().filter(|r| !looks_around(probes, r) && like(r)) {
                planned += planned_visit(run) * done_visits(run) as f64;
                taken += taken_by(run);
            }
            taken / planned
        };
        let visits: usize = runs.iter().map(done_visits).sum();
        let beside = record.provenance.took - runs.iter().map(|run| run.took).sum::<f64>();
        Pace {
            probes,
            one: learned(slow, &|r| !is_by_clock(r) && !is_several(r)),
            several: learned(slow, &|r| !is_by_clock(r) && is_several(r)),
            by_clock: learned(1.0, &is_by_clock),
            between: beside.max(0.0) / visits.max(1) as f64,
        }
    }
    /// Seconds of the next visit of a case: what its earlier ones took on average, or as planned at this pace.
    pub fn visit(&self, run: &Run) -> f64 {
        self.between
            + match done_visits(run) {
                0 if looks_around(self.probes, run) => planned_visit(run),
                0 if is_by_clock(run) => planned_visit(run) * self.by_clock,
                0 if is_several(run) => planned_visit(run) * self.several,
                0 => planned_visit(run) * self.one,
                done => taken_by(run) / done as f64,
            }
    }
    /// Seconds of the cases that have not been visited yet.
    pub fn first_visits(&self, runs: &[Run]) -> f64 {
        let unreached = |run: &&Run| matches!(run.outcome, Outcome::NotReached(_));
        runs.iter().filter(unreached).map(|run| self.visit(run)).sum()
    }
    /// Seconds of all visits that are left. Later visits are given up where more than `rest` seconds would pass.
    pub fn left(&self, runs: &[Run], rest: f64) -> f64 {
        let visits = |run: &Run| (run.outstanding() * run.visits.len().max(1) as f64).round();
        let all: f64 = runs.iter().map(|run| visits(run) * self.visit(run)).sum();
        all.min(rest.max(self.first_visits(runs)))
    }
    /// The time left of a run as this visit of a case begins, `rest` seconds before later visits are given up; the first ones
    /// too if the run has a budget.
    pub fn time_left(&self, runs: &[Run], begins: &Run, rest: f64, has_budget: bool) -> TimeLeft {
        let most = if has_budget { rest } else { f64::INFINITY };
        TimeLeft {
            visit: self.visit(begins),
            run: self.left(runs, rest).min(most).max(self.visit(begins)),
            planned: plan::seconds_left(runs),
        }
    }
}

/// The factor by which other programs and the hypervisor slow a thread down, from the environment check before the first
/// case: it shares each CPU with the tasks that were runnable.
fn slowdown(probes: &[Entry], runs: &[Run]) -> f64 {
    let Some(check) = runs.iter().find(|run| looks_around(probes, run)) else { return 1.0 };
    let mean = |metric: Metric| {
        let series = check.series().iter().find(|s| s.metric == metric)?;
        let first = series.visits.first().map_or(series.samples.len(), |n| *n as usize);
        let samples = series.samples.get(..first).filter(|samples| !samples.is_empty())?;
        Some(samples.iter().sum::<f64>() / first as f64)
    };
    let tasks = mean(Metric::Runnable).unwrap_or(0.0) / check.case.place.cpus.len().max(1) as f64;
    let steal = mean(Metric::Steal).unwrap_or(0.0).clamp(0.0, 0.9);
    (1.0 + tasks) / (1.0 - steal)
}

fn is_by_clock(run: &Run) -> bool {
    param::SECONDS.is_in(&run.case.params)
}

fn is_several(run: &Run) -> bool {
    run.case.place.cpus.len() > 1
}

/// Planned seconds of one visit.
pub(crate) fn planned_visit(run: &Run) -> f64 {
    run.case.estimate / run.visits.len().max(1) as f64
}

fn done_visits(run: &Run) -> usize {
    match run.outcome {
        Outcome::NotReached(_) | Outcome::Skipped(_) => 0,
        _ if run.visits.is_empty() => 1,
        _ => run.visits.iter().filter(|v| v.began.is_some()).count(),
    }
}

/// Seconds that the visits of a case took, without waiting for a quiet moment.
fn taken_by(run: &Run) -> f64 {
    let waited = run.reading("preflight.waited").map_or(0.0, |waited| waited.value);
    if done_visits(run) == 0 { 0.0 } else { (run.took - waited).max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::{Depth, Probe, Setting};
    use record::{Better, CpuSet, Machine, Provenance, Reading, Reason, Series, Unit, Visit};

    const PLAIN: Probe = Probe::new(1, 1, "", |_| Ok(vec![]), |_, _| Ok(vec![]));
    static PROBES: &[Entry] =
        &[("check", &Probe { first_and_last: true, ..PLAIN }), ("plain", &PLAIN)];

    /// A case of two visits on so many CPUs; the visits that are done took these seconds.
    fn case(probe: &str, cpus: u32, planned: f64, took: &[f64]) -> Run {
        let machine = Machine::default();
        let setting = Setting::new(&machine, CpuSet::default(), Depth::Quick);
        let of = setting.case((0..cpus).collect(), &[], planned);
        let mut run = plan::planned(probe, plan::find(PROBES, probe).unwrap(), of, &machine);
        run.visits = vec![Visit::default(); 2];
        for (visit, took) in run.visits.iter_mut().zip(took) {
            *visit = Visit { began: Some(0.0), took: *took, ..Visit::default() };
        }
        if !took.is_empty() {
            run.outcome = Outcome::Measured(vec![]);
        }
        run.took = took.iter().sum();
        run
    }

    fn record(runs: Vec<Run>) -> Record {
        let took = runs.iter().map(|run| run.took).sum();
        Record::new(Provenance { took, ..Provenance::default() }, Machine::default(), runs)
    }

    /// An environment check that found so many runnable tasks and waited for nine seconds.
    fn checked(runnable: f64) -> Run {
        let mut run = case("check", 2, 1.0, &[9.5]);
        let mut series = Series::new(Metric::Runnable, Unit::Count, Better::Lower);
        (series.samples, series.visits) = (vec![runnable; 5], vec![5]);
        run.outcome = Outcome::Measured(vec![series]);
        run.readings = vec![Reading::new("preflight.waited", Unit::Seconds, 9.0)];
        run
    }

    const LONG: f64 = 1e6;

    /// Twenty cases whose every visit takes `pace` times what is planned: after half of the first round the end is known to
    /// 20 %, and from the second round on nearly exactly.
    #[test]
    fn the_time_left_follows_the_visits_that_are_done() {
        for pace in [0.3, 1.0, 3.0, 8.0] {
            let of = |i: u32, done: usize| {
                case("plain", 1 + i % 2, 2.0, &[pace * f64::from(1 + i % 2); 2][..done])
            };
            // Cases on two CPUs take twice as much again.
            let round = |half: u32| record((0..20).map(|i| of(i, usize::from(i < half))).collect());
            let truth = |record: &Record| {
                let left = |r: &Run| r.visits.iter().filter(|v| v.began.is_none()).count();
                record
                    .runs
                    .iter()
                    .map(|r| left(r) as f64 * pace * r.case.place.cpus.len() as f64)
                    .sum::<f64>()
            };
            for (done, within) in [(10, 0.2), (16, 0.15), (20, 1e-9)] {
                let record = round(done);
                let left = Pace::of(PROBES, &record, 1.0).left(&record.runs, LONG);
                let ratio = left / truth(&record);
                assert!((ratio - 1.0).abs() <= within, "pace {pace}, {done} done: {ratio}");
            }
        }
    }

    #[test]
    fn a_busy_machine_is_expected_to_take_longer_before_anything_is_done() {
        let of = |runnable| {
            let record = record(vec![checked(runnable), case("plain", 1, 10.0, &[])]);
            Pace::of(PROBES, &record, 1.0).time_left(&record.runs, &record.runs[1], LONG, false)
        };
        let (quiet, busy) = (of(0.0), of(6.0));
        assert_eq!(quiet.planned, busy.planned);
        assert!((quiet.run / quiet.planned - 1.0).abs() < 0.01, "waiting is no work: {quiet:?}");
        assert!(busy.run > 3.0 * quiet.run && busy.run >= busy.visit, "{busy:?}");
    }

    #[test]
    fn windows_of_fixed_seconds_end_on_time_on_a_busy_machine() {
        let timed = |took: &[f64]| {
            let mut run = case("plain", 2, 10.0, took);
            run.case.params.extend([param::SECONDS.set(1.0)].map(|(k, v)| (k.to_owned(), v)));
            run
        };
        let left = |first: Run| {
            let record = record(vec![checked(9.0), first, timed(&[])]);
            Pace::of(PROBES, &record, 1.0)
                .time_left(&record.runs, &record.runs[2], LONG, false)
                .visit
        };
        let (slow, clock) = (left(case("plain", 2, 10.0, &[25.0, 25.0])), left(timed(&[])));
        assert!((slow / clock - 1.0).abs() < 0.01 && clock < 6.0, "{slow} {clock}");
        // It learns from those alone.
        assert!(left(timed(&[10.0, 10.0])) > 1.5 * clock);
    }

    #[test]
    fn later_visits_count_only_as_far_as_there_is_time() {
        let done = case("plain", 1, 10.0, &[20.0]);
        let unreached = case("plain", 1, 10.0, &[]);
        let record = record(vec![done.clone(), done, unreached]);
        let pace = Pace::of(PROBES, &record, 1.0);
        let first = pace.first_visits(&record.runs);
        assert!(first > 15.0 && first < 21.0, "{first}");
        let all = pace.left(&record.runs, LONG);
        assert!(all > first + 40.0);
        assert_eq!(pace.left(&record.runs, 30.0), 30.0);
        assert_eq!(pace.left(&record.runs, 0.0), first);
    }

    #[test]
    fn what_failed_or_was_skipped_is_not_expected_again() {
        let mut failed = case("plain", 1, 10.0, &[1.0]);
        failed.outcome = Outcome::Failed(Reason::new("broken"));
        let mut skipped = case("plain", 1, 10.0, &[]);
        skipped.outcome = Outcome::Skipped(Reason::new("not here"));
        let record = record(vec![failed, skipped]);
        assert_eq!(Pace::of(PROBES, &record, 1.0).left(&record.runs, LONG), 0.0);
    }
}
