//! Other users of the machine: other programs, other virtual machines, and the swap device.
use super::{Cause, Objection, Weight, object, warn, weigh};
use crate::report::Report;
use crate::say;
use crate::words::{number, percent};
use record::{
    Between, Disturbed, Message, Metric, OTHER_PLACEMENT, ProbeId, Reason, Run, Series, Text,
};

/// Housekeeping of a quiet Linux stays below 2 % of its CPUs; at 5 % some samples are hit.
const BUSY_DOUBTFUL: f64 = 0.05;
/// With a quarter of the CPU time taken, no case with a thread on every CPU runs alone.
const BUSY_INVALID: f64 = 0.25;
/// A steal of 1 % is one lost scheduling slice in a hundred: medians hold, tails do not.
const STEAL_DOUBTFUL: f64 = 0.01;
/// At 10 % most samples of a millisecond or more contain a pause of the whole machine.
const STEAL_INVALID: f64 = 0.10;
/// Waiting tasks for each CPU: below one in four, a pinned thread rarely meets one.
const RUNNABLE_DOUBTFUL: f64 = 0.25;
/// Pages per second. Stray pages come back on any machine that once swapped.
const SWAP_DOUBTFUL: f64 = 10.0;
/// 1000 pages a second is 4 MB/s of I/O and as many faults: buffers may be on disk.
const SWAP_INVALID: f64 = 1000.0;
/// Beyond this share of disturbed samples the others are not likely to be clean either.
const MARKED_DOUBTFUL: f64 = 0.10;

record::named! {
    /// When other users of the CPUs were watched.
    #[derive(serde::Serialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "snake_case")]
    pub enum Watched {
        /// In each case.
        WhileCasesRan = "while the cases ran",
        /// By the first and the last case, which do nothing else.
        BeforeAndAfter = "before and after the run",
    }
}

/// The share of the cases' own CPUs while they ran, weighted by their time; of all CPUs before and after where no case says.
/// A program on a CPU that no case used took nothing from the numbers.
fn share(report: &Report<'_>, metric: Metric, reading: &str) -> Result<(f64, Watched), Reason> {
    let before = report.median(ProbeId::Preflight, metric);
    match (before, during(report, reading)) {
        (_, Some(during)) => Ok((during, Watched::WhileCasesRan)),
        (Ok(before), None) => Ok((before, Watched::BeforeAndAfter)),
        (Err(why), None) => Err(why),
    }
}

/// A reading averaged over the time of the cases that have it.
pub fn during(report: &Report<'_>, name: &str) -> Option<f64> {
    let (mut sum, mut time) = (0.0, 0.0);
    // A database server under test lives on while it is measured: its CPU time is not that of others.
    let serves = |run: &&Run| matches!(run.case.probe, ProbeId::PointSelect | ProbeId::Tpcc);
    for run in report.record.runs.iter().filter(|run| !serves(run)) {
        for reading in run.readings.iter().filter(|r| r.name == name) {
            sum += reading.value * run.took;
            time += run.took;
        }
    }
    (time > 0.0).then(|| sum / time)
}

pub(super) fn busy(report: &Report<'_>) -> Option<Objection> {
    match share(report, Metric::Busy, "contention.busy") {
        // Other load is the commonest reason for wrong numbers: not to have looked is itself a doubt.
        Err(why) => {
            let (_, cause, reason) = cannot_tell(say::OTHERS_BUSY, &why);
            Some((Weight::Warn, cause, reason))
        }
        Ok((busy, watched)) => Some(object(
            weigh(busy, BUSY_DOUBTFUL, BUSY_INVALID)?,
            Cause::Contention { share: busy, watched },
            match watched {
                Watched::WhileCasesRan => say::others_used_during(percent(busy)),
                Watched::BeforeAndAfter => say::others_used_around(percent(busy)),
            },
            say::STOP_THEM,
        )),
    }
}

pub(super) fn steal(report: &Report<'_>) -> Option<Objection> {
    match share(report, Metric::Steal, "contention.steal") {
        Err(why) => Some(cannot_tell(say::HYPERVISOR_TOOK, &why)),
        Ok((steal, watched)) => Some(object(
            weigh(steal, STEAL_DOUBTFUL, STEAL_INVALID)?,
            Cause::Steal { share: steal },
            match watched {
                Watched::WhileCasesRan => say::steal_during(percent(steal)),
                Watched::BeforeAndAfter => say::steal_around(percent(steal)),
            },
            say::ANOTHER_TIME,
        )),
    }
}

pub(super) fn runnable(report: &Report<'_>) -> Option<Objection> {
    let waiting = report.median(ProbeId::Preflight, Metric::Runnable).ok()?;
    let cpus = report.record.machine.topology.online().len().max(1);
    if waiting / cpus as f64 <= RUNNABLE_DOUBTFUL {
        return None;
    }
    Some(warn(
        Cause::RunnableTasks { tasks: waiting },
        say::runnable(cpus, waiting.round() as usize),
        say::WAIT_DONE,
    ))
}

pub(super) fn swap(report: &Report<'_>) -> Option<Objection> {
    let pages: f64 = report
        .record
        .runs
        .iter()
        .flat_map(|run| run.readings.iter().filter(|r| r.name == "contention.swap"))
        .map(|r| r.value)
        .sum();
    let time: f64 = report.record.runs.iter().map(|run| run.took).sum();
    let during = if time > 0.0 { pages / time } else { 0.0 };
    let before = report.median(ProbeId::Preflight, Metric::Swap).unwrap_or(0.0);
    let rate = before.max(during);
    Some(object(
        weigh(rate, SWAP_DOUBTFUL, SWAP_INVALID)?,
        Cause::Swapping { pages: rate },
        say::swapped(number(rate)),
        say::FREE_SWAP,
    ))
}

pub(super) fn marked(report: &Report<'_>) -> Option<Objection> {
    let ours = report.record.runs.iter().filter(|run| run.origin.is_none());
    let all = ours.flat_map(Run::series);
    let (mut samples, mut marked) = (0, 0);
    for series in all.clone() {
        samples += series.samples.len();
        let mut hit: Vec<u32> = marks(series).map(|mark| mark.sample).collect();
        hit.sort_unstable();
        hit.dedup();
        marked += hit.len();
    }
    let share = marked as f64 / samples.max(1) as f64;
    if share <= MARKED_DOUBTFUL {
        return None;
    }
    let why = record::counts(all.flat_map(marks).map(|mark| &*mark.why));
    let why = Text::list(why.into_iter().map(|(why, n)| format!("{why} {n}")), Between::Comma);
    Some(warn(
        Cause::DisturbedSamples { share },
        say::disturbed_samples(marked, samples, percent(share), why),
        say::AGAIN_QUIET,
    ))
}

/// The marks of disturbances: another placement is another quantity.
fn marks(series: &Series) -> impl Iterator<Item = &Disturbed> {
    series.disturbed.iter().filter(|mark| mark.why != OTHER_PLACEMENT)
}

pub(super) fn cannot_tell(what: Message, why: &Reason) -> Objection {
    (
        Weight::CannotTell,
        // The one unknown that is a warning all the same.
        Cause::ContentionUnknown,
        why.after(say::unknown_what(what)),
    )
}
