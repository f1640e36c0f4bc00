//! The gain of placement for one program: its throughput pinned and unpinned, as one copy and as several. Pure.
//! Ratios of medians with their intervals, and no advice where they are noise (`stats::compare`).
use crate::say;
use crate::scaling_runs::{WORTH, set_by_command};
use crate::words::{count, number, percent};
use record::{OrWhy, Reason, Text};
use stats::compare::{self, Ratio};
use stats::{Interval, Sample};

/// Runs of a command whose work is not known.
#[derive(Debug, Clone, PartialEq)]
pub struct Completed {
    /// The command.
    pub command: String,
    /// Seconds of each run as one copy, and as several.
    pub seconds: [Vec<f64>; 2],
    /// CPU seconds of all.
    pub cpu_seconds: Vec<f64>,
}

/// Throughput in every way to run, once for each repeat; more is better. The two of several copies are empty where there
/// is one place only.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rates {
    /// One copy, unpinned.
    pub one: Vec<f64>,
    /// One copy, pinned.
    pub one_bound: Vec<f64>,
    /// A copy for each place, unpinned.
    pub all: Vec<f64>,
    /// A copy in each place.
    pub all_bound: Vec<f64>,
    /// The runs, where they are what is counted.
    pub completed: Option<Completed>,
    /// Why a later run, and all with it, ended early.
    pub failed: Option<Text>,
}

impl Rates {
    /// The reason why they are no throughput.
    fn unfit(&self) -> Option<Reason> {
        let runs = self.completed.as_ref()?;
        set_by_command(&runs.command, &runs.seconds, &runs.cpu_seconds)
    }
}

/// The conclusion.
#[derive(Debug, Clone, PartialEq)]
pub struct Proof {
    /// Copies where there are several.
    pub copies: usize,
    /// Each way to run, with what it did.
    pub arms: Vec<Arm>,
    /// The gain of each change.
    pub gains: Vec<Worth>,
    /// The answer, in full sentences.
    pub sentences: Vec<Text>,
    /// Whether placement makes a difference, either way.
    pub differs: bool,
}

/// A way to run.
#[derive(Debug, Clone, PartialEq)]
pub struct Arm {
    /// In words, such as `4 copies, pinned`.
    pub name: Text,
    /// Throughput of each repeat.
    pub rates: Vec<f64>,
    /// Their median; nothing without any.
    pub median: Option<f64>,
    /// Its 95 % interval, from six repeats on.
    pub interval: Option<Interval>,
}

/// The gain of one arm over another.
#[derive(Debug, Clone, PartialEq)]
pub struct Worth {
    /// The change: `placement`, `copies`, `both`, `one bound`.
    pub of: &'static str,
    /// The way that was changed to.
    pub with: Text,
    /// The one that it is set against.
    pub without: Text,
    /// Throughput over that of the other, or why there is no ratio.
    pub found: Result<Ratio, Reason>,
}

impl Worth {
    /// More than noise, and enough to act on.
    fn real(&self) -> Option<f64> {
        let found = self.found.as_ref().ok()?;
        let real = found.distinguishable && (found.estimate - 1.0).abs() > WORTH;
        real.then_some(found.estimate)
    }
}

/// Seed of the comparisons' shuffles: any, but always the same.
const SEED: u64 = 1;

/// Words for each way to run, in the order of [`Rates`].
pub fn arm_names(copies: usize) -> [Text; 4] {
    let all = count(copies, "copy");
    [
        say::COPY_UNPINNED.into(),
        say::COPY_PINNED.into(),
        say::copies_unpinned(&all),
        say::copies_pinned(all),
    ]
}

/// Concludes from the rates of `copies` copies.
pub fn proof(copies: usize, rates: &Rates) -> Proof {
    let several = !rates.all_bound.is_empty();
    let names = arm_names(copies);
    let samples = [&rates.one, &rates.one_bound, &rates.all, &rates.all_bound];
    let shown = if several { 4 } else { 2 };
    let arms =
        names.iter().zip(samples).take(shown).map(|(name, rates)| arm(name, rates)).collect();
    let worth = |of, with: usize, without: usize| Worth {
        of,
        with: names[with].clone(),
        without: names[without].clone(),
        found: compare::ratio(samples[with], samples[without], SEED)
            .or_why(say::PROOF_FEW, "--repeats 6"),
    };
    let mut gains = match several {
        true => vec![
            worth("placement", 3, 2),
            worth("copies", 2, 0),
            worth("both", 3, 0),
            worth("one bound", 1, 0),
        ],
        false => vec![worth("placement", 1, 0)],
    };
    if let Some(why) = rates.unfit() {
        gains.truncate(1);
        gains[0].found = Err(why);
    }
    let mut sentences = sentences(&gains);
    let failed = rates.failed.as_ref();
    sentences.extend(failed.map(say::proof_ended));
    let differs = gains.first().is_some_and(|g| g.real().is_some());
    Proof { copies, arms, gains, sentences, differs }
}

fn arm(name: &Text, rates: &[f64]) -> Arm {
    let sample = Sample::new(rates);
    let interval = sample.as_ref().and_then(|s| s.median_interval(0.95));
    Arm { name: name.clone(), rates: rates.to_vec(), median: sample.map(|s| s.median()), interval }
}

fn sentences(gains: &[Worth]) -> Vec<Text> {
    let mut said = vec![];
    for gain in gains {
        let (with, without) = (&gain.with, &gain.without);
        let found = match &gain.found {
            Ok(found) => found,
            Err(why) => {
                said.push(say::proof_undetermined(with, without, why));
                continue;
            }
        };
        let real = gain.real();
        if gain.of == "placement" {
            said.push(match real {
                Some(x) if x > 1.0 => say::proof_faster(percent(x - 1.0)),
                Some(x) => say::proof_slower(percent(1.0 - x)),
                None => say::PROOF_NONE.into(),
            });
        }
        let ratio = number(found.estimate);
        let (low, high) = (number(found.interval.low), number(found.interval.high));
        said.push(match real {
            Some(_) => say::proof_ratio(with, ratio, without, low, high),
            None => say::proof_ratio_noise(with, ratio, without, low, high),
        });
    }
    if let [placement, copies, both, ..] = gains
        && let (Some(all), Some(one), Some(two)) = (both.real(), copies.real(), placement.real())
        && one > 1.0
        && two > 1.0
    {
        said.push(say::proof_divided(number(all), number(one), number(two)));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight repeats around a value, 0.5 % apart at most.
    fn around(x: f64) -> Vec<f64> {
        [0.998, 1.001, 1.0, 0.999, 1.002, 1.0005, 0.9985, 1.0015].map(|noise| x * noise).to_vec()
    }

    #[test]
    fn a_gain_is_named_with_its_interval_and_divided_between_its_causes() {
        let rates = Rates {
            one: around(100.0),
            one_bound: around(100.2),
            all: around(200.0),
            all_bound: around(360.0),
            ..Rates::default()
        };
        let proof = proof(4, &rates);
        assert!(proof.differs && proof.arms.len() == 4);
        assert!(
            proof.sentences[0].starts_with("Pinning makes this program 80 % faster"),
            "{:?}",
            proof.sentences
        );
        let last = proof.sentences.last().unwrap();
        assert!(last.contains("3.60") && last.contains("2.00") && last.contains("1.80"), "{last}");
        assert!(proof.sentences[4].contains("no significant difference"), "{:?}", proof.sentences);
    }

    #[test]
    fn noise_is_no_difference_and_harm_is_said() {
        let of = |bound: f64| {
            let rates = Rates { one: around(100.0), one_bound: around(bound), ..Rates::default() };
            proof(1, &rates)
        };
        let same = of(100.05);
        assert!(
            !same.differs && same.sentences[0].contains("no significant difference"),
            "{same:?}"
        );
        let harm = of(65.0);
        assert!(
            harm.differs && harm.sentences[0].starts_with("Pinning makes this program 35 % slower"),
            "{harm:?}"
        );
        assert_eq!(harm.arms.len(), 2);
    }

    /// Such as `stress-ng --timeout 1`: twice as many copies complete twice as many runs, whatever these did.
    #[test]
    fn a_command_that_sets_its_own_duration_shows_nothing() {
        let of = |slower: f64| {
            let (one, all) = (around(1.0), around(2.0));
            let completed = Some(Completed {
                command: "x --cpu 1".to_owned(),
                seconds: [around(1.0), around(slower)],
                cpu_seconds: vec![0.3; 16],
            });
            let (one_bound, all_bound) = (one.clone(), all.clone());
            proof(2, &Rates { one, one_bound, all, all_bound, completed, failed: None })
        };
        let fixed = of(1.0);
        assert!(fixed.sentences.len() == 1 && !fixed.differs, "{fixed:?}");
        assert!(fixed.sentences[0].contains("the command itself sets its duration"), "{fixed:?}");
        assert!(of(1.03).sentences[0].contains("no significant difference"));
    }

    #[test]
    fn few_repeats_are_no_comparison() {
        let rates = Rates { one: vec![1.0; 3], one_bound: vec![2.0; 3], ..Rates::default() };
        let proof = proof(1, &rates);
        assert!(!proof.differs && proof.sentences[0].starts_with("No comparison"), "{proof:?}");
        assert_eq!(proof.arms[1].median, Some(2.0));
    }
}
