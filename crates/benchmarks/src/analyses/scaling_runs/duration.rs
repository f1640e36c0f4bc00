//! Durations of a command's runs: whether the command itself sets them, and whether they are too short for a verdict.
use super::{ScalingPoint, ScalingRun};
use crate::say;
use estimates::words::time;
use record::{Metric, Reason, Record, param};
use stats::{Sample, median};

/// Medians of points that differ by no more are one time. What computes takes longer beside copies of itself, by its shared
/// caches, frequency and memory.
const SAME: f64 = 0.005;
/// Most runs differ by no more from the median, as what computes seldom does; some are delayed where the machine is busy.
const EACH: f64 = 0.005;
const MOST: f64 = 0.5;
/// People set durations in whole and half seconds; a run ends later than that by its start and end, this share of it at most.
const ROUND: f64 = 0.5;
const LATE: f64 = 0.02;
/// A duration that an option names is exceeded by this share and these seconds at most, also on a busy machine.
const BEYOND: f64 = 0.05;
const BEYOND_SECONDS: f64 = 0.2;
/// Runs from which on the spread of run times is compared with that of CPU times, and the relative spread of CPU times, of
/// which less could be the workload's own.
const RUNS: usize = 6;
const VARIED: f64 = 0.01;
/// Seconds of a run below which the start of processes and the scheduler's choices are too much of it: both take some
/// milliseconds, and ten times the noise of a tenth remains.
const SHORT: f64 = 0.5;

/// The samples of a metric of a point's runs, of all copies and repeats.
fn samples(record: &Record, point: &ScalingPoint, metric: Metric) -> Vec<f64> {
    let runs = point.runs.iter().filter_map(|i| record.runs.get(*i)?.metric(metric));
    runs.flat_map(|series| series.samples.iter().copied()).collect()
}

/// The reason why runs per second of a scaling run are no throughput.
pub(super) fn fixed(record: &Record, scaling_run: &ScalingRun) -> Option<Reason> {
    if !scaling_run.command || scaling_run.rated {
        return None;
    }
    let points = scaling_run.scaling_points.iter().filter(|p| !p.runs.is_empty());
    let mut kinds: Vec<(usize, usize)> = points.clone().map(|p| (p.copies, p.threads)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let of = |metric| -> Vec<Vec<f64>> {
        points.clone().map(|point| samples(record, point, metric)).collect()
    };
    let run = points.clone().find_map(|point| record.runs.get(*point.runs.first()?));
    let words = run.and_then(|run| run.case.get(param::COMMAND_WORDS)).unwrap_or_default();
    let line = words.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let (times, cpu) = (of(Metric::CopyTime), of(Metric::CpuTime).concat());
    (kinds.len() > 1).then(|| set_by_command(&line, &times, &cpu))?
}

/// The reason why completed runs of a command are no throughput: every run takes as long however many there are at once, and
/// however much CPU time the machine gives it. `times` has the seconds of runs by how many there were, `cpu` their CPU seconds.
pub fn set_by_command(line: &str, times: &[Vec<f64>], cpu: &[f64]) -> Option<Reason> {
    let medians: Option<Vec<f64>> = times.iter().map(|times| median(times)).collect();
    let medians = medians.filter(|m| !m.is_empty())?;
    let middle = median(&medians).filter(|m| *m > 0.0)?;
    let all = times.concat();
    let is_fixed = constant(&all, &medians, middle)
        || keeps_time(&all, cpu)
        || named(line)
            .into_iter()
            .any(|asked| takes(asked, &all, &medians) && !keeps_work(&all, cpu));
    is_fixed.then(|| Reason::mended_by(say::fixed_duration(time(middle)), say::RATE_REGEX))
}

/// Whether runs take one time, which is round.
fn constant(all: &[f64], medians: &[f64], middle: f64) -> bool {
    let Some(medians) = Sample::new(medians) else { return false };
    let near = all.iter().filter(|seconds| (*seconds / middle - 1.0).abs() <= EACH).count();
    let late = middle - (middle / ROUND).floor() * ROUND;
    medians.max() - medians.min() <= SAME * middle
        && near as f64 > all.len() as f64 * MOST
        && middle >= ROUND
        && late.min(ROUND - late) <= LATE * middle
}

/// The interquartile ranges of run times and of CPU times, with the medians of both.
fn spreads(times: &[f64], cpu: &[f64]) -> Option<[(f64, f64); 2]> {
    let spread = |values| {
        let sample = Sample::new(values)?;
        Some((sample.quantile(0.75) - sample.quantile(0.25), sample.median()))
    };
    let both = [spread(times)?, spread(cpu)?];
    let known = times.len() == cpu.len() && times.len() >= RUNS;
    (known && both.iter().all(|(_, middle)| *middle > 0.0)).then_some(both)
}

/// Whether the time is kept while the CPU time varies: a run of fixed work that is refused CPU time takes as much longer, and
/// its CPU time stays. Both scales count: threads that wait busily use CPU time in proportion to the time.
fn keeps_time(times: &[f64], cpu: &[f64]) -> bool {
    spreads(times, cpu).is_some_and(|[(time, middle), (cpu, given)]| {
        cpu > VARIED * given && 2.0 * time < cpu && 4.0 * time / middle < cpu / given
    })
}

/// Whether the CPU time is kept while the time varies, as that of fixed work.
fn keeps_work(times: &[f64], cpu: &[f64]) -> bool {
    spreads(times, cpu).is_some_and(|[(time, middle), (cpu, given)]| {
        time > VARIED * middle && 2.0 * cpu < time && 2.0 * cpu / given < time / middle
    })
}

/// Whether all runs take these seconds, and hardly more.
fn takes(asked: f64, times: &[f64], medians: &[f64]) -> bool {
    times.iter().all(|seconds| *seconds >= 0.99 * asked)
        && medians.iter().all(|middle| *middle <= asked * (1.0 + BEYOND) + BEYOND_SECONDS)
}

/// Seconds that the command's words name as a duration: `--time=10`, `-d 10s`, `-T10`, `-seconds 1`, `timeout 3`; also in
/// the words of a shell's script.
fn named(line: &str) -> Vec<f64> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut found = vec![];
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let text = match word.strip_prefix('-').map(|name| name.trim_start_matches('-')) {
            Some(name) => match name.split_once('=') {
                Some((name, value)) if is_duration(name) => value,
                None if is_duration(name) => next,
                None if name.starts_with(SHORT_OPTIONS) => &name[1..],
                _ => continue,
            },
            None if matches!(word.rsplit('/').next(), Some("timeout" | "sleep")) => next,
            None => continue,
        };
        found.extend(seconds(text));
    }
    found
}

/// Letters of options that take a duration: of ab, wrk, pgbench, stress-ng, iperf3, hey and others.
const SHORT_OPTIONS: [char; 5] = ['d', 'D', 't', 'T', 'z'];

fn is_duration(name: &str) -> bool {
    let long = name.len() > 1 && ["time", "duration", "sec"].iter().any(|word| name.contains(word));
    long || (name.len() == 1 && name.starts_with(SHORT_OPTIONS))
}

/// Seconds of a duration such as `3`, `1.5s`, `500ms`, `1m`.
fn seconds(text: &str) -> Option<f64> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let unit = match &text[end..] {
        "" | "s" | "sec" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    text[..end].parse::<f64>().ok().map(|number| number * unit).filter(|seconds| *seconds > 0.0)
}

/// The reason why the limit of a command is not known: its runs are too short.
pub(super) fn short(record: &Record, scaling_run: &ScalingRun) -> Option<Reason> {
    let one = scaling_run.cores().find(|p| !p.runs.is_empty()).filter(|_| scaling_run.command)?;
    let seconds =
        median(&samples(record, one, Metric::CopyTime)).filter(|seconds| *seconds < SHORT)?;
    Some(Reason::mended_by(say::too_short(time(seconds)), say::longer_command(time(SHORT))))
}
