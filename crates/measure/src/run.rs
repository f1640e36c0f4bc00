//! Plan into record: every visit of every case in turn, a reference sample between them, saved after each.
use crate::{
    bench::Bench,
    memory_kernels::kept::Kept,
    open_samplers::OpenSamplers,
    own_process::OwnProcesses,
    placements,
    plan::{self, Entry},
    probe::{Depth, Probe, Setting},
    reference_sample::{Arenas, ReferenceSample},
    samplers,
    time_left::{Pace, TimeLeft, planned_visit},
    visits,
};
use host::{clock::Clock, threads::panic_message};
use kernels::Features;
use record::{Case, CpuSet, Outcome, ProbeId, Reason, Record, Run, param};
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicBool, Ordering},
};

/// Callbacks while cases run. None of them is called inside a timed region.
pub trait Observer {
    /// A visit of a case begins.
    fn begins(&mut self, index: usize, record: &Record, left: TimeLeft);
    /// This share of the case is done.
    fn progress(&mut self, share: f64);
    /// The case at `index` has ended and the record is worth saving.
    fn ended(&mut self, index: usize, record: &Record);
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// Every case was tried.
    Complete,
    /// The user stopped it; what was measured is in the record.
    Interrupted,
}

/// Inputs of a run besides the record.
#[allow(missing_debug_implementations, reason = "it borrows a clock")]
pub struct RunContext<'a> {
    /// Every probe that the record may have cases of.
    pub probes: &'a [Entry],
    /// The monotonic raw clock.
    pub clock: &'a (dyn Clock + Sync),
    /// Set when the user interrupts.
    pub cancel: &'a AtomicBool,
    /// The depth of the run.
    pub depth: Depth,
    /// Seconds that the whole run may take, if bounded.
    pub budget: Option<f64>,
    /// Seconds that a quiet moment is waited for before the first case.
    pub patience: f64,
    /// The command of this program that answers by [`crate::own_process::answer`], for visits in a process of their own; none if it
    /// is empty.
    pub own_process: &'a [&'a str],
}

/// Share of a case's time that the time scale does not shorten: mapping, filling and linking its buffers. Without it a
/// latency curve that begins with seconds left takes three times the whole budget.
const INCOMPRESSIBLE: f64 = 0.7;

/// Seconds of a run after which nothing is repeated, so that a busy machine does not make it several times as long. Two
/// minutes and a half less what the report takes, and a minute; more for a plan that is longer.
fn limit(depth: Depth, planned: f64) -> f64 {
    depth.pick(58.0, 147.0, f64::INFINITY).max(1.2 * planned)
}

/// Runs every case that was not reached yet. The machine of the record must be the one this runs on.
pub fn execute(record: &mut Record, context: &RunContext<'_>, observer: &mut dyn Observer) -> End {
    let end = cases(record, context, observer);
    context.probes.iter().for_each(|(_, probe)| (probe.clean_up)());
    end
}

fn cases(record: &mut Record, context: &RunContext<'_>, observer: &mut dyn Observer) -> End {
    let (clock, probes) = (context.clock, context.probes);
    let start = clock.now() - record.provenance.took;
    let features = Features::detect();
    let machine = record.machine.clone();
    let setting = Setting::new(&machine, planned_cpus(record), context.depth);
    let left = plan::seconds_left(&record.runs);
    let time_scale = context.budget.map_or(1.0, |b| (b / left.max(1e-9)).clamp(0.1, 1.0));
    let mut samplers = OpenSamplers::open(samplers::ALL);
    let seed = record.provenance.seed;
    let cpu = setting.main_cpu();
    let mut arenas = Arenas::new(&machine, cpu, seed);
    let mut reference_sample = ReferenceSample::new(clock, &features, cpu, &mut arenas, seed).ok();
    let sample = |reference_sample: &mut Option<ReferenceSample<'_>>, record: &mut Record| {
        let at = clock.now() - start;
        record
            .reference_samples
            .extend(reference_sample.as_mut().and_then(|s| s.measure(clock, at)));
    };
    let mut hopeless: BTreeMap<ProbeId, Reason> = BTreeMap::new();
    let mut processes = OwnProcesses::new(context.own_process);
    let mut kept = Kept::default();
    let begun = clock.now();
    let limit = context.budget.unwrap_or_else(|| limit(context.depth, left));
    sample(&mut reference_sample, record);

    for (index, visit) in visits::schedule(probes, &record.runs, seed) {
        if !visits::is_due(&record.runs[index], visit) {
            continue;
        }
        if context.cancel.load(Ordering::Relaxed) {
            record.provenance.took = clock.now() - start;
            observer.ended(index, record);
            return End::Interrupted;
        }
        let pace = Pace::of(probes, record, time_scale);
        let case = record.runs[index].case.clone();
        let probe = plan::find(probes, case.probe.as_str());
        let rest = limit - (clock.now() - begun);
        if visit > 0
            && pace.visit(&record.runs[index]) > rest
            && !visits::looks_around(probes, &record.runs[index])
        {
            continue;
        }
        let estimate = planned_visit(&record.runs[index]);
        let is_over = estimate * time_scale.max(INCOMPRESSIBLE) > rest;
        if visit == 0 && context.budget.is_some() && is_over {
            record.runs[index].outcome = Outcome::NotReached(Reason::mended_by(
                format!(
                    "it takes about {:.1} s, and {:.1} s of the time budget were left",
                    estimate,
                    rest.max(0.0)
                ),
                "cpulens run --resume RECORD, or a larger --time-budget",
            ));
            continue;
        }
        let has_budget = context.budget.is_some();
        let left = pace.time_left(&record.runs, &record.runs[index], rest, has_budget);
        // What is planned comes before what is repeated.
        let spare = rest - pace.left(&record.runs, f64::INFINITY);
        kept.free_others(&case, visit);
        observer.begins(index, record, left);
        samplers.enable_for(probe.is_some_and(|probe| probe.switches));
        let began = clock.now();
        samplers.start(&busy_cpus(&case));
        let mut tick = |share: f64| observer.progress(share);
        let mut bench = Bench {
            depth: context.depth,
            visit,
            patience: context.patience,
            repeat_until: clock.now() + left.visit + spare,
            seed: visits::visit_seed(seed, visit),
            time_scale: time_scale * visits::share(probes, &record.runs[index]),
            kept: std::mem::take(&mut kept),
            ..Bench::new(clock, &machine, features, context.cancel, &mut tick)
        };
        // The readings of the process that measured it, if that was another one.
        let mut of_process = None;
        let outcome = match probe {
            None => Outcome::Skipped(Reason::mended_by(
                format!("this cpulens has no probe '{}'", case.probe),
                "resume with the version that planned the run",
            )),
            Some(probe) if probe.version != case.version => Outcome::Skipped(Reason::mended_by(
                format!(
                    "the definition changed from version {} to {}",
                    case.version, probe.version
                ),
                "resume with the version that planned the run, or start a new one",
            )),
            Some(_) if hopeless.contains_key(&case.probe) => {
                Outcome::Skipped(hopeless[&case.probe].clone())
            }
            Some(probe) => match processes.measure(probe, &case, &mut bench) {
                Some((outcome, readings)) => {
                    of_process = Some(readings);
                    outcome
                }
                None => attempt(probe, &case, &mut bench),
            },
        };
        let (threads, readings, missing) = (bench.threads, bench.readings, bench.unread);
        kept = bench.kept;
        let succeeded =
            |run: &Run| run.case.probe == case.probe && matches!(run.outcome, Outcome::Measured(_));
        if let Some(why) = bench.hopeless.filter(|_| !record.runs.iter().any(succeeded)) {
            hopeless.insert(case.probe, why);
        }
        // What an interrupted case has seen is incomplete: it is done again on --resume.
        let interrupted = context.cancel.load(Ordering::Relaxed);
        if !interrupted {
            let mut sampled = samplers.stop();
            let own_process = of_process.is_some();
            for reading in of_process.into_iter().flatten() {
                sampled.retain(|ours| ours.name != reading.name);
                sampled.push(reading);
            }
            let mut unread = samplers.unread();
            unread.extend(missing);
            let (began, took) = (began - start, clock.now() - began);
            let seen = Run { threads, readings, unread, began, took, ..Run::new(case, outcome) };
            visits::take(&mut record.runs[index], visit, seen, sampled, own_process);
        }
        sample(&mut reference_sample, record);
        placements::mark(record);
        record.provenance.took = clock.now() - start;
        observer.ended(index, record);
        if interrupted {
            return End::Interrupted;
        }
    }
    End::Complete
}

/// CPUs on which a case works: its own, and those of a server's clients. Where the latter were left out, their CPU time, which is
/// ours, hid that of others.
fn busy_cpus(case: &Case) -> CpuSet {
    let clients = [param::CLIENTS, param::CLIENT_CPUS].into_iter().filter_map(|p| case.get(p));
    let clients = clients.filter_map(|list| list.parse::<CpuSet>().ok());
    clients.fold(case.place.cpus.clone(), |all, more| all.iter().chain(more.iter()).collect())
}

/// Measures a case once in this process. A panic fails it.
pub(crate) fn attempt(probe: &Probe, case: &Case, bench: &mut Bench<'_>) -> Outcome {
    let attempted = catch_unwind(AssertUnwindSafe(|| match (probe.lacks)(case) {
        Some(why) => Outcome::Skipped(why),
        None => (probe.run)(case, bench).map_or_else(Outcome::Failed, measured),
    }));
    attempted.unwrap_or_else(|panic| {
        let message = panic_message(&*panic);
        Outcome::Failed(Reason::new(format!("a defect of cpulens: {message}")))
    })
}

/// The CPUs that the planned cases use, so that a resumed run has the same main CPU.
fn planned_cpus(record: &Record) -> record::CpuSet {
    let used: CpuSet = record.runs.iter().flat_map(|r| r.case.place.cpus.iter()).collect();
    if used.is_empty() { record.machine.topology.usable() } else { used }
}

/// A series without samples, or with a number that is none, is a defect and not a measurement.
fn measured(mut series: Vec<record::Series>) -> Outcome {
    series.iter_mut().flat_map(|s| &mut s.samples).for_each(round);
    let bad =
        series.iter().find(|s| s.samples.is_empty() || s.samples.iter().any(|x| !x.is_finite()));
    match bad {
        None if series.is_empty() => Outcome::Failed(Reason::new("nothing was measured")),
        None => Outcome::Measured(series),
        Some(s) => Outcome::Failed(Reason::new(format!("{} has no finite samples", s.metric))),
    }
}

/// Keeps ten digits of what is not a whole number: a sample of a second has nine, by a clock of nanoseconds. What the division by
/// steps adds to them is a fifth of a record.
pub(crate) fn round(sample: &mut f64) {
    if sample.fract() != 0.0 {
        *sample = format!("{sample:.9e}").parse().unwrap_or(*sample);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{plan::Selection, probe::Probe};
    use host::clock::Monotonic;
    use record::{Better, Metric, Provenance, Series, Unit};
    use std::sync::atomic::AtomicU64;

    #[test]
    fn clients_work_on_cpus_of_a_case_too() {
        let of = |params: &[(&'static str, &str)]| {
            let params = params.iter().map(|(name, value)| ((*name).to_owned(), (*value).into()));
            let cpus = [1].into_iter().collect();
            busy_cpus(&Case {
                probe: "tpcc".into(),
                version: 1,
                params: params.collect(),
                place: record::Placement { cpus, ..record::Placement::default() },
                estimate: 1.0,
            })
            .to_string()
        };
        assert_eq!(of(&[]), "1");
        assert_eq!(of(&[(param::CLIENTS.name(), "2-3")]), "1-3");
        assert_eq!(of(&[(param::CLIENT_CPUS.name(), "0")]), "0,1");
        assert_eq!(of(&[(param::CLIENTS.name(), "none")]), "1");
    }

    /// Thousandths of a second that the cases say they took.
    static WORKED: AtomicU64 = AtomicU64::new(0);
    static PACE: AtomicU64 = AtomicU64::new(1);
    static NEVER: AtomicBool = AtomicBool::new(false);

    /// The real clock, and what the cases say on top of it.
    struct Worked(Monotonic);
    impl Clock for Worked {
        fn now(&self) -> f64 {
            self.0.now() + WORKED.load(Ordering::Relaxed) as f64 * 1e-3
        }
        fn resolution(&self) -> f64 {
            self.0.resolution()
        }
    }

    const COUNTED: f64 = 123_456_789_012_345.0;

    static PROBES: &[Entry] = &[(
        "slow",
        &Probe {
            visits: 2,
            ..Probe::new(
                1,
                1,
                "",
                |setting| {
                    Ok((1..=10u32).map(|n| setting.single(&[("n", n.into())], 3.7)).collect())
                },
                |_, bench| {
                    // Three attempts, if there is time: half of what a visit is planned to take each.
                    let took = PACE.load(Ordering::Relaxed) * 1400;
                    let mut series =
                        Series::new(Metric::Bandwidth, Unit::BytesPerSecond, Better::Higher);
                    loop {
                        WORKED.fetch_add(took, Ordering::Relaxed);
                        series.samples.push([COUNTED, 2e-9 / 3.0][series.samples.len() % 2]);
                        if series.samples.len() == 3 || !bench.may_repeat(took as f64 * 1e-3) {
                            return Ok(vec![series]);
                        }
                    }
                },
            )
        },
    )];

    /// The clock that visits are timed by, and the latest end of the run that was estimated as one began.
    struct LatestEnd<'a>(&'a Worked, f64);
    impl Observer for LatestEnd<'_> {
        fn begins(&mut self, _: usize, _: &Record, left: TimeLeft) {
            // A visit that begins is not cut short.
            self.1 = self.1.max(self.0.now() + left.run - left.visit);
        }
        fn progress(&mut self, _: f64) {}
        fn ended(&mut self, _: usize, _: &Record) {}
    }

    /// The seconds, the visits, and the attempts of a run whose attempts take `pace` times 1.4 s, and the seconds from its begin
    /// to the latest end that it estimated.
    fn at(pace: u64, budget: Option<f64>) -> (f64, usize, usize, f64) {
        PACE.store(pace, Ordering::Relaxed);
        let machine = record::Machine::default();
        let cpus = host::cpus::affinity().unwrap();
        let setting = Setting::new(&machine, cpus, Depth::Quick);
        let runs = plan::plan(PROBES, &setting, &Selection::default()).unwrap();
        assert!(runs.iter().all(|run| run.visits.len() == 2 && run.case.estimate > 5.0));
        let mut record = Record::new(Provenance::default(), machine.clone(), runs);
        let clock = Worked(Monotonic::new());
        let context = RunContext {
            probes: PROBES,
            clock: &clock,
            cancel: &NEVER,
            depth: Depth::Quick,
            budget,
            patience: 0.0,
            own_process: &[],
        };
        let begun = clock.now();
        let mut latest = LatestEnd(&clock, 0.0);
        assert_eq!(execute(&mut record, &context, &mut latest), End::Complete);
        let took = clock.now() - begun;
        let measured = |run: &Run| matches!(run.outcome, Outcome::Measured(_));
        assert!(budget.is_some() || record.runs.iter().all(measured));
        let visits = record.runs.iter().flat_map(|r| &r.visits).filter(|v| v.began.is_some());
        let digits = |x: &f64| format!("{x:e}").find('e').unwrap() - 1;
        let samples = record.runs.iter().flat_map(Run::series).flat_map(|s| &s.samples);
        assert!(samples.clone().all(|x| [COUNTED, 6.666_666_667e-10].contains(x)));
        let all = record.reference_samples.iter();
        let windows: Vec<&f64> = all
            .flat_map(|s| [&s.frequency, &s.ports, &s.chase, &s.l3, &s.memory])
            .flatten()
            .collect();
        assert!(windows.len() > 100, "{}", windows.len());
        assert!(windows.into_iter().all(|x| digits(x) <= 10 || x.fract() == 0.0));
        let attempts = record.runs.iter().flat_map(Run::series).map(|s| s.samples.len());
        (took, visits.count(), attempts.sum(), latest.1 - begun)
    }

    /// Ten cases of two visits, planned for 52 s: on time all visits are made, and attempts repeated while there is room. On
    /// a machine five times as slow each case is measured, and nothing is repeated, unless a budget ends it: no later end is
    /// estimated.
    #[test]
    fn a_slow_machine_repeats_nothing_and_keeps_its_budget() {
        let (took, visits, attempts, _) = at(1, None);
        assert_eq!(visits, 20);
        assert!(attempts > 40 && took < 75.0, "{attempts} attempts, {took} s");
        let (took, visits, attempts, latest) = at(5, None);
        assert_eq!(visits, 10);
        assert!(attempts < 15 && took < 15.0 * 7.0, "{attempts} attempts, {took} s");
        assert!(latest > 50.0, "{latest}");
        let (took, visits, _, latest) = at(5, Some(20.0));
        assert!((1..10).contains(&visits) && took < 30.0, "{visits} visits, {took} s");
        assert!(latest < 20.1, "{latest}");
    }
}
