//! Durations of a command's runs: whether the command itself sets them, and whether they are too short for a verdict.
use super::{ScalingPoint, ScalingRun};
use crate::words::time;
use record::{Metric, Reason, Record};
use stats::median;

/// Medians of points that differ by no more are one time. What computes takes longer beside copies of itself, by its shared
/// caches, frequency and memory.
const SAME: f64 = 0.005;
/// Most runs differ by no more from the median, as what computes seldom does; some are delayed where the machine is busy.
const EACH: f64 = 0.005;
const MOST: f64 = 0.5;
/// Seconds of a run below which the start of processes and the scheduler's choices are too much of it: both take some
/// milliseconds, and ten times the noise of a tenth remains.
const SHORT: f64 = 0.5;

/// The times of a point's runs, of all copies and repeats.
fn times(record: &Record, point: &ScalingPoint) -> Vec<f64> {
    let runs = point.runs.iter().filter_map(|i| record.runs.get(*i)?.metric(Metric::CopyTime));
    runs.flat_map(|series| series.samples.iter().copied()).collect()
}

/// The reason why runs per second are no throughput: every run takes as long however many there are at once.
pub(super) fn fixed(record: &Record, scaling_run: &ScalingRun) -> Option<Reason> {
    if !scaling_run.command || scaling_run.rated {
        return None;
    }
    let points = scaling_run.scaling_points.iter().filter(|p| !p.runs.is_empty());
    let mut kinds: Vec<(usize, usize)> = points.clone().map(|p| (p.copies, p.threads)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let all: Vec<Vec<f64>> = points.map(|p| times(record, p)).collect();
    let medians: Option<Vec<f64>> = all.iter().map(|times| median(times)).collect();
    let medians = medians.filter(|m| !m.is_empty() && kinds.len() > 1)?;
    let (low, high) = (
        medians.iter().copied().fold(f64::INFINITY, f64::min),
        medians.iter().copied().fold(0.0, f64::max),
    );
    let middle = median(&medians).filter(|m| *m > 0.0)?;
    let one = |seconds: &f64| (seconds / middle - 1.0).abs() <= EACH;
    let (runs, near) =
        (all.iter().flatten().count(), all.iter().flatten().filter(|t| one(t)).count());
    let most = near as f64 > runs as f64 * MOST;
    (high - low <= SAME * middle && most).then(|| {
        Reason::mended_by(
            format!(
                "a run takes {}, however many copies run at once: the command itself sets its duration, and completed runs say nothing of what it did",
                time(middle)
            ),
            "--rate-regex with the number that it prints as its result",
        )
    })
}

/// The reason why the limit of a command is not known: its runs are too short.
pub(super) fn short(record: &Record, scaling_run: &ScalingRun) -> Option<Reason> {
    let one = scaling_run.cores().find(|p| !p.runs.is_empty()).filter(|_| scaling_run.command)?;
    let seconds = median(&times(record, one)).filter(|seconds| *seconds < SHORT)?;
    Some(Reason::mended_by(
        format!(
            "a run takes {}, of which the start of processes is too large a part for a verdict",
            time(seconds)
        ),
        format!("a command that takes {} or more, such as several of them in a row", time(SHORT)),
    ))
}
