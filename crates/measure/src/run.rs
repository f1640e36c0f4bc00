//! Plan into record: every visit of every case in turn, a reference sample between them, saved after each.
use crate::{
    bench::Bench,
    open_samplers::OpenSamplers,
    plan::{self, Entry},
    probe::{Depth, Setting},
    reference_sample::{Arenas, ReferenceSample},
    samplers,
    visits::{self, VisitResult},
};
use host::{clock::Clock, threads::panic_message};
use kernels::Features;
use record::{Outcome, ProbeId, Reason, Record, Run};
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicBool, Ordering},
};

/// Callbacks while cases run. None of them is called inside a timed region.
pub trait Observer {
    /// A case begins; `left` seconds are estimated for it and all that follow.
    fn begins(&mut self, index: usize, record: &Record, left: f64);
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
}

/// Share of a case's time that the time scale does not shorten: mapping, filling and linking its buffers. Without it a
/// latency curve that begins with seconds left takes three times the whole budget.
const INCOMPRESSIBLE: f64 = 0.7;

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
    let begun = clock.now();
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
        let left = plan::seconds_left(&record.runs) * time_scale;
        let case = record.runs[index].case.clone();
        let estimate = case.estimate / record.runs[index].visits.len().max(1) as f64;
        let rest = context.budget.map(|budget| budget - (clock.now() - begun));
        if let Some(rest) = rest.filter(|rest| estimate * time_scale.max(INCOMPRESSIBLE) > *rest) {
            if visit > 0 {
                continue;
            }
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
        observer.begins(index, record, left);
        let probe = plan::find(probes, case.probe.as_str());
        samplers.enable_for(probe.is_some_and(|probe| probe.switches));
        let began = clock.now();
        samplers.start(&case.place.cpus);
        let mut tick = |share: f64| observer.progress(share);
        let mut bench = Bench {
            depth: context.depth,
            visit,
            patience: context.patience,
            seed: visits::visit_seed(seed, visit),
            time_scale: time_scale * visits::share(probes, &record.runs[index]),
            ..Bench::new(clock, &machine, features, context.cancel, &mut tick)
        };
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
            Some(probe) => match catch_unwind(AssertUnwindSafe(|| match (probe.lacks)(&case) {
                Some(why) => Outcome::Skipped(why),
                None => (probe.run)(&case, &mut bench).map_or_else(Outcome::Failed, measured),
            })) {
                Ok(outcome) => outcome,
                Err(panic) => Outcome::Failed(Reason::new(format!(
                    "a defect of cpulens: {}",
                    panic_message(&*panic)
                ))),
            },
        };
        let (threads, readings, missing) = (bench.threads, bench.readings, bench.unread);
        let succeeded =
            |run: &Run| run.case.probe == case.probe && matches!(run.outcome, Outcome::Measured(_));
        if let Some(why) = bench.hopeless.filter(|_| !record.runs.iter().any(succeeded)) {
            hopeless.insert(case.probe, why);
        }
        // What an interrupted case has seen is incomplete: it is done again on --resume.
        let interrupted = context.cancel.load(Ordering::Relaxed);
        if !interrupted {
            let sampled = samplers.stop();
            let mut unread = samplers.unread();
            unread.extend(missing);
            let (began, took) = (began - start, clock.now() - began);
            let seen = VisitResult { outcome, threads, readings, sampled, unread, began, took };
            visits::take(&mut record.runs[index], visit, seen);
        }
        sample(&mut reference_sample, record);
        record.provenance.took = clock.now() - start;
        observer.ended(index, record);
        if interrupted {
            return End::Interrupted;
        }
    }
    End::Complete
}

/// The CPUs that the planned cases use, so that a resumed run has the same main CPU.
fn planned_cpus(record: &Record) -> record::CpuSet {
    let used: record::CpuSet = record.runs.iter().flat_map(|r| r.case.place.cpus.iter()).collect();
    if used.is_empty() { record.machine.topology.usable() } else { used }
}

/// A series without samples, or with a number that is none, is a defect and not a measurement.
fn measured(series: Vec<record::Series>) -> Outcome {
    let bad =
        series.iter().find(|s| s.samples.is_empty() || s.samples.iter().any(|x| !x.is_finite()));
    match bad {
        None if series.is_empty() => Outcome::Failed(Reason::new("nothing was measured")),
        None => Outcome::Measured(series),
        Some(s) => Outcome::Failed(Reason::new(format!("{} has no finite samples", s.metric))),
    }
}
