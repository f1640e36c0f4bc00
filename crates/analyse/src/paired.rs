//! Two commands that ran in pairs: how much faster the second is, how sure that is, and what each used. Pure.
use record::{CpuSet, Text};
use serde::Serialize;
use stats::{
    Interval, Sample,
    paired::{Decision, LOOK_CONFIDENCE, fewest, shift},
};

/// The measurements of one command, a value for each run.
#[derive(Debug, Clone, Default)]
pub struct Runs {
    /// The command as it was typed.
    pub command: String,
    /// Seconds from its start to its end.
    pub elapsed: Vec<f64>,
    /// Its work per second, where it printed that.
    pub rate: Vec<f64>,
    /// CPU seconds.
    pub cpu: Vec<f64>,
    /// Peak resident bytes.
    pub resident: Vec<f64>,
    /// Involuntary context switches.
    pub preempted: Vec<f64>,
    /// Instructions per cycle, where they can be counted.
    pub ipc: Vec<f64>,
    /// Instructions, where they can be counted.
    pub instructions: Vec<f64>,
}

/// The order of the pairs, and the time they took.
#[derive(Debug, Clone, Default)]
pub struct Pairs {
    /// The measure by which they are compared: `elapsed`, `cpu_time` or `rate`.
    pub measure: &'static str,
    /// Natural logarithms of the second's speed over the first's by that measure.
    pub differences: Vec<f64>,
    /// The places they exchanged; nothing for one after the other.
    pub places: Option<[CpuSet; 2]>,
    /// The reason for this order.
    pub because: &'static str,
    /// The smallest relative difference of interest.
    pub least: f64,
    /// Seconds that all took.
    pub took: f64,
    /// The user ended it early.
    pub interrupted: bool,
    /// The failure of a later run, which ended it.
    pub failed: Option<Text>,
}

/// The answer.
#[derive(Debug, Clone, Serialize)]
pub struct Paired {
    /// The work and resource use of each command.
    pub commands: [Command; 2],
    /// The measure by which they are compared: `elapsed`, `rate`, or `cpu_time` where each uses one CPU wholly.
    pub measure: &'static str,
    /// Speed of the second over that of the first by that measure; above 1 the second is faster. Nothing without a pair.
    pub ratio: Option<f64>,
    /// Its interval; nothing while there are too few pairs.
    pub interval: Option<Interval>,
    /// Elapsed time of the second over that of the first.
    pub elapsed_ratio: Option<f64>,
    /// Its interval; nothing while there are too few pairs.
    pub elapsed_interval: Option<Interval>,
    /// CPU time of the second over that of the first, which waiting and preemption do not change.
    pub cpu_ratio: Option<f64>,
    /// Its interval; nothing while there are too few pairs.
    pub cpu_interval: Option<Interval>,
    /// Whether it is decided.
    pub decision: &'static str,
    /// Pairs.
    pub pairs: usize,
    /// The smallest relative difference of interest.
    pub least: f64,
    /// CPUs of the two places where they ran at the same time; nothing for one after the other.
    pub places: Option<[String; 2]>,
    /// The reason for this order.
    pub because: &'static str,
    /// Seconds that all took.
    pub took_s: f64,
    /// Seconds with which it could be decided, where it is not.
    pub needs_s: Option<f64>,
    /// The user ended it early.
    pub interrupted: bool,
    /// The failure of a later run, which ended it.
    pub failed: Option<Text>,
}

/// One of the two.
#[derive(Debug, Clone, Serialize)]
pub struct Command {
    /// As it was typed.
    pub command: String,
    /// Seconds of each run.
    pub elapsed_s: Vec<f64>,
    /// Their median with its 95 % interval.
    pub elapsed: Option<Middle>,
    /// The rate that it printed, per second.
    pub rate: Option<Middle>,
    /// CPU seconds.
    pub cpu_s: Option<Middle>,
    /// Peak resident bytes.
    pub resident_bytes: Option<Middle>,
    /// Involuntary context switches.
    pub preempted: Option<Middle>,
    /// Instructions per cycle.
    pub ipc: Option<Middle>,
    /// Instructions.
    pub instructions: Option<Middle>,
}

/// A median over runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Middle {
    /// The median, in the unit of its field.
    pub median: f64,
    /// Its 95 % interval, from six runs on.
    pub interval: Option<Interval>,
}

/// The median of values of one run each; `None` without any.
fn middle(values: &[f64]) -> Option<Middle> {
    let sample = Sample::new(values)?;
    Some(Middle { median: sample.median(), interval: sample.median_interval(0.95) })
}

fn command(runs: Runs) -> Command {
    Command {
        elapsed: middle(&runs.elapsed),
        rate: middle(&runs.rate),
        cpu_s: middle(&runs.cpu),
        resident_bytes: middle(&runs.resident),
        preempted: middle(&runs.preempted),
        ipc: middle(&runs.ipc),
        instructions: middle(&runs.instructions),
        command: runs.command,
        elapsed_s: runs.elapsed,
    }
}

/// The ratio whose logarithm these are, and its interval: the looks together err as often as one interval of 95 % would.
fn ratio(differences: &[f64]) -> (Option<f64>, Option<Interval>) {
    let found = shift(differences, LOOK_CONFIDENCE);
    let ends = |i: Interval| Interval { low: i.low.exp(), high: i.high.exp(), confidence: 0.95 };
    (found.map(|f| f.estimate.exp()), found.and_then(|f| f.interval).map(ends))
}

/// The ratio of times, where each difference has as many runs.
fn ratio_of_times([a, b]: [&[f64]; 2], differences: usize) -> (Option<f64>, Option<Interval>) {
    let each = (a.len() / differences.max(1)).max(1);
    let mean = |times: &[f64]| times.iter().map(|s| s.ln()).sum::<f64>() / times.len() as f64;
    let blocks = a.chunks(each).zip(b.chunks(each));
    ratio(&blocks.map(|(a, b)| mean(b) - mean(a)).collect::<Vec<f64>>())
}

/// The ratio of the two commands.
pub fn paired(runs: [Runs; 2], pairs: &Pairs) -> Paired {
    let (ratio, interval) = ratio(&pairs.differences);
    let of = |times: fn(&Runs) -> &[f64]| {
        ratio_of_times(runs.each_ref().map(times), pairs.differences.len())
    };
    let (elapsed_ratio, elapsed_interval) = of(|runs| &runs.elapsed);
    let (cpu_ratio, cpu_interval) = of(|runs| &runs.cpu);
    let decision = stats::paired::decide(&pairs.differences, pairs.least.ln_1p());
    let count = pairs.differences.len();
    let needs_s = (decision == Decision::Open).then(|| {
        // One run of each comes before the first pair and takes about as long.
        let fewest = fewest(LOOK_CONFIDENCE) as f64;
        let short = if count == 0 { fewest + 1.0 } else { fewest / count as f64 };
        let wide =
            interval.map_or(0.0, |i| (0.5 * (i.high / i.low).ln() / pairs.least.ln_1p()).powi(2));
        // Pairs are spread as evenly over the first quarter, at whose end the first look is.
        pairs.took * short.max(1.2 * wide).max(1.2)
    });
    Paired {
        commands: runs.map(command),
        measure: pairs.measure,
        ratio,
        interval,
        elapsed_ratio,
        elapsed_interval,
        cpu_ratio,
        cpu_interval,
        decision: match decision {
            Decision::Differs => "differs",
            Decision::Same => "same",
            Decision::Open => "open",
        },
        pairs: count,
        least: pairs.least,
        places: pairs.places.as_ref().map(|p| p.each_ref().map(ToString::to_string)),
        because: pairs.because,
        took_s: pairs.took,
        needs_s,
        interrupted: pairs.interrupted,
        failed: pairs.failed.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(by: f64, spread: f64, pairs: usize) -> Paired {
        let runs = || Runs { elapsed: vec![1.0; pairs], ..Runs::default() };
        let noise = |i: usize| spread * (i as f64 / (pairs.max(2) - 1) as f64 - 0.5);
        let differences = (0..pairs).map(|i| by + noise(i)).collect();
        paired(
            [runs(), runs()],
            &Pairs { differences, least: 0.01, took: 60.0, ..Pairs::default() },
        )
    }

    /// Two runs of each command to a difference: chunks of two are averaged.
    #[test]
    fn times_are_compared_pair_by_pair() {
        let times = |by: f64| -> Vec<f64> { [1.0, 2.0].repeat(8).iter().map(|s| s * by).collect() };
        let cpu = |by: f64| Runs { cpu: times(by), elapsed: times(by * by), ..Runs::default() };
        let pairs = Pairs { differences: vec![0.0; 8], least: 0.01, ..Pairs::default() };
        let found = paired([cpu(1.0), cpu(1.05)], &pairs);
        assert!((found.cpu_ratio.unwrap() - 1.05).abs() < 1e-9 && found.cpu_interval.is_some());
        assert!((found.elapsed_ratio.unwrap() - 1.1025).abs() < 1e-9);
    }

    #[test]
    fn the_answer_is_one_of_three_and_open_names_a_budget() {
        let faster = of(0.03, 0.01, 20);
        assert_eq!((faster.decision, faster.needs_s), ("differs", None));
        assert!((faster.ratio.unwrap() - 0.03f64.exp()).abs() < 1e-9);
        assert!(faster.interval.unwrap().low > 1.0);
        assert_eq!(of(0.0, 0.01, 20).decision, "same");
        let open = of(0.0, 0.2, 20);
        assert!(open.decision == "open" && open.needs_s.unwrap() > 60.0, "{open:?}");
        assert!(open.cpu_ratio.is_none());
        let few = of(0.03, 0.01, 3);
        assert!(few.interval.is_none() && few.needs_s.unwrap() >= 140.0, "{few:?}");
        let none = of(0.0, 0.0, 0);
        assert!(none.interval.is_none() && none.needs_s.unwrap() >= 480.0, "{none:?}");
    }
}
