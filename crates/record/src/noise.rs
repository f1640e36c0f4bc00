//! What takes a CPU away from a program, as two experiments see it: a thread that does nothing but look at the time, and one
//! that does the same work again and again. Counts, sums and lengths as they were seen; which part of the time is due to
//! what is worked out from them, not stored.
use crate::Reason;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A histogram of lengths. Bucket `b` holds lengths from 2^(b / `per_octave`) nanoseconds on, below that of `b` + 1.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Histogram {
    /// Buckets in a doubling of the length.
    pub per_octave: u32,
    /// Bucket and how many; those that are not named have none.
    pub counts: BTreeMap<u32, u64>,
}

impl Histogram {
    /// An empty one; 1 bucket an octave at least.
    ///
    /// ```
    /// let mut lengths = record::Histogram::new(8);
    /// lengths.add(1e-6);
    /// lengths.add(1.01e-6);
    /// lengths.add(5e-3);
    /// assert_eq!(lengths.count(), 3);
    /// assert!((lengths.quantile(0.5).unwrap() / 1e-6 - 1.0).abs() < 0.1);
    /// ```
    pub fn new(per_octave: u32) -> Histogram {
        Histogram { per_octave: per_octave.max(1), counts: BTreeMap::new() }
    }
    /// Counts a length in seconds; what is shorter than a nanosecond counts as one.
    pub fn add(&mut self, seconds: f64) {
        let octaves = (seconds * 1e9).max(1.0).log2();
        let bucket = (octaves * f64::from(self.per_octave)).floor() as u32;
        *self.counts.entry(bucket).or_default() += 1;
    }
    /// The number of lengths.
    pub fn count(&self) -> u64 {
        self.counts.values().fold(0, |sum, n| sum.saturating_add(*n))
    }
    /// The begin and end of a bucket, in seconds.
    pub fn ends(&self, bucket: u32) -> (f64, f64) {
        let at = |b: f64| (b / f64::from(self.per_octave.max(1))).exp2() * 1e-9;
        (at(f64::from(bucket)), at(f64::from(bucket) + 1.0))
    }
    /// The length, in seconds, that such a share of the others does not exceed: the geometric middle of its bucket, which
    /// is half a bucket off at most. Nothing of an empty one.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let wanted = (share.clamp(0.0, 1.0) * self.count() as f64).ceil().max(1.0) as u64;
        let mut seen = 0u64;
        let (bucket, _) = self.counts.iter().find(|(_, n)| {
            seen = seen.saturating_add(**n);
            seen >= wanted
        })?;
        let (from, to) = self.ends(*bucket);
        Some((from * to).sqrt())
    }
}

/// What a thread saw that looked at the time as often as it could: where more passed between two looks than the threshold,
/// something else had the CPU.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Detours {
    /// Seconds that were watched; looking after causes is not among them.
    pub watched: f64,
    /// Seconds that passed in all, looking after causes included: what the counters are of.
    pub elapsed: f64,
    /// The shortest detour, in seconds.
    pub threshold: f64,
    /// Seconds between two looks when nothing happens: the least seen.
    pub least: f64,
    /// Looks at the time.
    pub looks: u64,
    /// Detours.
    pub count: u64,
    /// Seconds of all detours together.
    pub total: f64,
    /// The shortest detour in seconds; nothing where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortest: Option<f64>,
    /// The longest, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest: Option<f64>,
    /// By length.
    pub lengths: Histogram,
    /// By what else moved in the meantime.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<Cause>,
    /// The longest ones, in the order in which they came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub largest: Vec<Detour>,
    /// The kernel's counts for this CPU and thread from beginning to end, by dotted name; those that count time are in
    /// seconds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: BTreeMap<String, f64>,
    /// Counts that could not be read, and why.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub uncounted: BTreeMap<String, Reason>,
    /// Other tasks on this CPU meanwhile, the longest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<Task>,
}

/// Detours during which the same counters moved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cause {
    /// Whether interrupts were looked at before and after each of these; the thread's own switches always were.
    pub looked: bool,
    /// The counters that changed: `switch`, `quota`, `migration`, `fault`, `softirq`, and kinds of interrupts (`timer`,
    /// `reschedule`, `function_call`, `tlb`, `device`, ...). Nothing at all is an answer, too.
    pub moved: Vec<String>,
    /// By length in whole octaves of nanoseconds: how many, and their seconds together.
    pub octaves: BTreeMap<u32, (u64, f64)>,
    /// By the same octaves, how many of these seconds the thread was ready and waited for the CPU, by the scheduler's own
    /// account: what other tasks had, without the interrupts around it. Empty where nothing was switched, or the kernel keeps
    /// no such account.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub waited: BTreeMap<u32, f64>,
}

impl Cause {
    /// The number of detours.
    pub fn count(&self) -> u64 {
        self.octaves.values().fold(0, |sum, (n, _)| sum.saturating_add(*n))
    }
    /// Their seconds together.
    pub fn seconds(&self) -> f64 {
        self.octaves.values().map(|(_, seconds)| seconds).sum()
    }
    /// Whether this moved.
    pub fn has(&self, what: &str) -> bool {
        self.moved.iter().any(|m| m == what)
    }
}

/// One detour.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Detour {
    /// When it began, in seconds since watching began.
    pub at: f64,
    /// Its length, in seconds.
    pub seconds: f64,
    /// The counters that changed meanwhile, as in [`Cause::moved`].
    pub moved: Vec<String>,
}

/// A task that ran beside the one that measured.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Task {
    /// Its name as the kernel keeps it: 15 characters at most, no arguments.
    pub name: String,
    /// Seconds that it ran meanwhile, on this CPU as far as is known.
    pub seconds: f64,
}

/// The times of a thread that repeats the same piece of work.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FixedWork {
    /// Pieces.
    pub count: u64,
    /// Seconds of all pieces together.
    pub total: f64,
    /// By length.
    pub lengths: Histogram,
    /// The shortest disturbed piece, in seconds: more than the pieces took that were tried before.
    pub threshold: f64,
    /// Disturbed pieces, and their seconds together.
    pub disturbed: (u64, f64),
    /// The first undisturbed piece after a disturbed one, the second, and so on: how many, and their seconds together.
    pub after: Vec<(u64, f64)>,
    /// Undisturbed pieces that follow later than that, and their seconds together.
    pub quiet: (u64, f64),
    /// The fifth percentile of the pieces of each window of time, in seconds, in order, those left out during which the
    /// thread was switched away from.
    pub floors: Vec<f64>,
    /// The core's frequency at the end of each of these windows, in hertz, by additions of which each waits for the one before;
    /// empty where it was not looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frequencies: Vec<f64>,
    /// Pieces during which the thread was switched away from.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub switched: u64,
    /// Migrations from one CPU to another that were seen between pieces.
    pub migrations: u64,
    /// Pieces whose answer was looked at; one that is wrong fails the case.
    pub checked: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_fall_into_the_bucket_that_holds_them() {
        let mut lengths = Histogram::new(16);
        for ns in [0.2, 1.0, 1.5, 99.0, 1e3, 12_345.0, 5e8] {
            lengths.counts.clear();
            lengths.add(ns * 1e-9);
            let (bucket, _) = lengths.counts.first_key_value().unwrap();
            let (from, to) = lengths.ends(*bucket);
            let ns = f64::max(ns, 1.0) * 1e-9;
            assert!(from <= ns * (1.0 + 1e-9) && ns < to, "{ns} is not in {from} to {to}");
        }
    }

    #[test]
    fn quantiles_are_those_of_the_lengths() {
        let mut lengths = Histogram::new(64);
        (1..=1000).for_each(|us| lengths.add(f64::from(us) * 1e-6));
        for (share, us) in [(0.0, 1.0), (0.05, 50.0), (0.5, 500.0), (0.99, 990.0), (1.0, 1000.0)] {
            let found = lengths.quantile(share).unwrap() * 1e6;
            assert!((found / us - 1.0).abs() < 0.012, "{share}: {found} us");
        }
        assert_eq!(Histogram::new(8).quantile(0.5), None);
    }

    #[test]
    fn causes_add_up() {
        let cause = Cause {
            looked: true,
            moved: vec!["timer".into()],
            octaves: [(10, (3, 4e-6)), (12, (1, 5e-6))].into(),
            ..Cause::default()
        };
        assert_eq!(cause.count(), 4);
        assert!((cause.seconds() - 9e-6).abs() < 1e-15);
        assert!(cause.has("timer") && !cause.has("switch"));
    }
}
