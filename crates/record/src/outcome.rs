//! The result of a case: raw samples in order, or why there are none.
use crate::param::{Fits, Kind, Parameter};
use crate::{
    Better, Between, Case, CpuSet, Detours, FixedWork, Message, Metric, Origin, Pages, Text, Unit,
    Value,
};
use serde::{Deserialize, Deserializer, Serialize, de::Visitor};
use std::borrow::Cow;
use std::{collections::BTreeMap, fmt};

/// One case and what came of it.
// `S` is another type where a reader leaves series as text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Run"))]
pub struct Run<S = Vec<Series>> {
    /// The case.
    pub case: Case,
    /// Its outcome.
    pub outcome: Outcome<S>,
    /// The threads that ran it, and where they were found to be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<Thread>,
    /// Readings of the samplers meanwhile.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<Reading>,
    /// Missing readings, by the name of the reading or its sampler, and why.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unread: BTreeMap<String, Reason>,
    /// Start, in seconds since the run began.
    #[serde(default)]
    pub began: f64,
    /// Duration in seconds.
    #[serde(default)]
    pub took: f64,
    /// The position of its numbers in the source, if they were imported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The times at which it is measured, planned and done. Empty for a case that is measured once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub visits: Vec<Visit>,
}

/// One time that a case is measured: with fresh memory, and at another moment of the run than the others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Visit {
    /// Start, in seconds since the run began; nothing before it is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began: Option<f64>,
    /// Duration in seconds.
    #[serde(default)]
    pub took: f64,
    /// Whether a process of its own measured it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_process: bool,
}

/// A case that could not run is recorded, not dropped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Outcome"))]
#[serde(rename_all = "snake_case")]
pub enum Outcome<S = Vec<Series>> {
    /// It ran; every series has at least one sample.
    Measured(S),
    /// It could not run here, or was asked not to.
    Skipped(Reason),
    /// It ran and broke.
    Failed(Reason),
    /// It was planned, but the run ended before it; `run --resume` does it.
    NotReached(Reason),
}

impl Outcome {
    /// The reason why there is no result; `None` for a case that was measured.
    pub fn why(&self) -> Option<&Reason> {
        match self {
            Outcome::Measured(_) => None,
            Outcome::Skipped(why) | Outcome::Failed(why) | Outcome::NotReached(why) => Some(why),
        }
    }
}

impl Run {
    /// A case and what came of it, and nothing else yet.
    pub fn new(case: Case, outcome: Outcome) -> Run {
        Run {
            case,
            outcome,
            threads: vec![],
            readings: vec![],
            unread: BTreeMap::new(),
            began: 0.0,
            took: 0.0,
            origin: None,
            visits: vec![],
        }
    }
    /// The measured series; empty for a case that has no result.
    pub fn series(&self) -> &[Series] {
        match &self.outcome {
            Outcome::Measured(all) => all,
            _ => &[],
        }
    }
    /// The first series of this metric.
    pub fn metric(&self, name: Metric) -> Option<&Series> {
        self.series().iter().find(|s| s.metric == name)
    }
    /// The CPUs that ran it: those that were found, or those that were asked for where nobody looked.
    pub fn cpus(&self) -> CpuSet {
        match self.threads.is_empty() {
            true => self.case.place.cpus.clone(),
            false => self.threads.iter().map(|t| t.found).collect(),
        }
    }
    /// The reading of this name.
    pub fn reading(&self, name: &str) -> Option<&Reading> {
        self.readings.iter().find(|r| r.name == name)
    }
    /// Round trips of a line in seconds before and after each attempt, in order; empty for a case that is not checked.
    pub fn placement_checks(&self) -> Vec<[f64; 2]> {
        let of = |n: u32| {
            let suffix = if n == 1 { String::new() } else { format!(".{n}") };
            let at = |when| self.reading(&format!("placement_check.{when}.cas{suffix}"));
            Some([at("before")?.value, at("after")?.value])
        };
        (1..).map_while(of).collect()
    }
    /// Share of its visits that are still to be done: 1 for a case that was not reached.
    pub fn outstanding(&self) -> f64 {
        let undone = self.visits.iter().filter(|v| v.began.is_none()).count() as f64;
        match self.outcome {
            Outcome::NotReached(_) => 1.0,
            Outcome::Measured(_) if undone > 0.0 => undone / self.visits.len() as f64,
            _ => 0.0,
        }
    }
}

/// Repeated observations of one quantity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Series {
    /// The quantity, such as `load_to_use`.
    pub metric: Metric,
    /// The coordinates within the case, such as `working_set` = 4096 or `from` = 0, `to` = 1.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub at: BTreeMap<String, Value>,
    /// Unit of the samples.
    pub unit: Unit,
    /// Whether more or less is better.
    pub better: Better,
    /// Raw observations in the order they were made, the marked ones too.
    pub samples: Vec<f64>,
    /// Samples during which something else happened; left out of estimates, never deleted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disturbed: Vec<Disturbed>,
    /// Units of work in each sample (loads, passes, round trips); 0 where the notion does not apply.
    #[serde(default)]
    pub steps: u64,
    /// The machine code that ran, such as `avx512`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The memory that was worked on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buffer: Option<Buffer>,
    /// The core frequency in hertz while this series was taken, where it was measured beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<f64>,
    /// Every detour behind these samples, where they are what detours took from a thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detours: Option<Box<Detours>>,
    /// Every piece of work behind these samples, where the same was done again and again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed_work: Option<Box<FixedWork>>,
    /// The number of samples of each visit of the case, in order. A visit maps its memory anew, so samples of one visit
    /// share their pages, and those of two do not. Empty for a case that is measured once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub visits: Vec<u32>,
    /// The number of samples of each attempt, in order, one for each placement check of the case
    /// ([`Run::placement_checks`]). Empty for a case that has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<u32>,
}

/// Mark of a sample that was taken while a hypervisor had the CPUs at another distance: it is a sample of another quantity.
pub const OTHER_PLACEMENT: &str = "other placement";

/// Cycles of a line's round trip between threads of one core at most: through its first cache 60 to 80; of neighbouring cores 150
/// and more (docs/validation/memory.md).
pub const ONE_CORE: f64 = 110.0;

/// Mark of a sample of latency under load in which the load was not there: it is a sample of another quantity.
pub const INJECTORS_PAUSED: &str = "injectors paused";

/// A mark on a disturbed sample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Disturbed {
    /// Index into `samples`.
    pub sample: u32,
    /// The disturbance: `context switch`, `migration`, `steal` ...
    #[serde(deserialize_with = "disturbance")]
    pub why: Cow<'static, str>,
}

/// Disturbances that a record names by the thousand, so that reading it copies none of them.
const FREQUENT: [&str; 6] =
    ["context switch", "page fault", "migration", "steal", OTHER_PLACEMENT, INJECTORS_PAUSED];

fn disturbance<'de, D: Deserializer<'de>>(from: D) -> Result<Cow<'static, str>, D::Error> {
    struct Name;
    impl Visitor<'_> for Name {
        type Value = Cow<'static, str>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("what disturbed a sample")
        }
        fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
            let known = FREQUENT.into_iter().find(|known| *known == name);
            Ok(known.map_or_else(|| Cow::Owned(name.to_owned()), Cow::Borrowed))
        }
    }
    from.deserialize_str(Name)
}

/// The memory a series worked on: asked for and verified.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Buffer {
    /// Size in bytes, all threads together.
    pub bytes: u64,
    /// Pages asked for.
    pub pages: Pages,
    /// Base page size in bytes, as the kernel states it.
    pub base_page: u64,
    /// Share of the buffer found to be on huge pages (smaps); nothing where it could not be read.
    pub huge_share: Option<f64>,
    /// Nodes the pages were found on (`move_pages` or `get_mempolicy`), with the share of sampled pages on each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub nodes: BTreeMap<u32, f64>,
    /// Its content: `random`, `zero`.
    pub content: String,
    /// Size over the last-level cache that one thread's CPU reaches, where that is known.
    pub llc_ratio: Option<f64>,
}

/// A thread that took part: the CPU asked for, and where it was found after each sample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Thread {
    /// The CPU asked for.
    pub asked: u32,
    /// The CPU it was found on, read back after pinning.
    pub found: u32,
    /// The NUMA node that was asked of the kernel for its buffers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
}

/// A sampler's reading across a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reading {
    /// The quantity, by dotted name.
    pub name: String,
    /// Unit of the value.
    pub unit: Unit,
    /// The value.
    pub value: f64,
    /// Share of the case's time during which it was watched (multiplexed counters: below 1).
    pub coverage: f64,
}

impl Reading {
    /// One that was watched all the time.
    pub fn new(name: impl Into<String>, unit: Unit, value: f64) -> Reading {
        Reading { name: name.into(), unit, value, coverage: 1.0 }
    }
}

/// The reason why something was not done, in words a user can act on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reason {
    /// The cause: what is missing or went wrong.
    pub why: Text,
    /// The remedy: a command or a setting; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<Text>,
    /// Whether the plan leaves it out on purpose: this depth does without it, or the processor lacks what it measures.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_plan: bool,
}

const WITH_REMEDY: Message = Message::new("\u{1}A (\u{1}B)\u{8}\u{1}A（\u{1}B）");

/// A value, or why it is not known.
pub trait OrWhy<T> {
    /// It, or this reason with its remedy.
    ///
    /// # Errors
    /// There is none.
    fn or_why(self, why: impl Into<Text>, remedy: impl Into<Text>) -> Result<T, Reason>;
}

impl<T> OrWhy<T> for Option<T> {
    fn or_why(self, why: impl Into<Text>, remedy: impl Into<Text>) -> Result<T, Reason> {
        self.ok_or_else(|| Reason::mended_by(why, remedy))
    }
}

impl Reason {
    /// A reason that nothing mends.
    pub fn new(why: impl Into<Text>) -> Reason {
        Reason { why: why.into(), remedy: None, by_plan: false }
    }
    /// A reason with its remedy.
    pub fn mended_by(why: impl Into<Text>, remedy: impl Into<Text>) -> Reason {
        Reason { why: why.into(), remedy: Some(remedy.into()), by_plan: false }
    }
    /// The reason why the plan leaves something out on purpose, with what measures it all the same.
    pub fn by_plan(why: impl Into<Text>, remedy: impl Into<Text>) -> Reason {
        Reason { by_plan: true, ..Reason::mended_by(why, remedy) }
    }
    /// This reason after words that say what it is about.
    #[must_use]
    pub fn after(&self, words: impl Into<Text>) -> Reason {
        let why = Text::list([words.into(), self.why.clone()], Between::Colon);
        Reason { why, ..self.clone() }
    }
}

impl From<&str> for Reason {
    fn from(why: &str) -> Reason {
        Reason::new(why)
    }
}

impl From<String> for Reason {
    fn from(why: String) -> Reason {
        Reason::new(why)
    }
}

impl From<Text> for Reason {
    fn from(why: Text) -> Reason {
        Reason::new(why)
    }
}

impl From<&Reason> for Text {
    fn from(reason: &Reason) -> Text {
        let remedy = reason.remedy.clone();
        let both = |remedy| Text::new(WITH_REMEDY, [reason.why.clone(), remedy]);
        remedy.map_or_else(|| reason.why.clone(), both)
    }
}

impl std::error::Error for Reason {}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.remedy {
            Some(remedy) => write!(f, "{} ({remedy})", self.why),
            None => f.write_str(&self.why),
        }
    }
}

impl Series {
    /// A series without samples yet.
    pub fn new(metric: impl Into<Metric>, unit: Unit, better: Better) -> Series {
        Series {
            metric: metric.into(),
            at: BTreeMap::new(),
            unit,
            better,
            samples: vec![],
            disturbed: vec![],
            steps: 0,
            variant: None,
            buffer: None,
            frequency: None,
            detours: None,
            fixed_work: None,
            visits: vec![],
            attempts: vec![],
        }
    }
    /// This series at a coordinate.
    #[must_use]
    pub fn at<T: Kind + ?Sized>(mut self, at: Parameter<T>, value: impl Fits<T>) -> Series {
        self.at.insert(at.name().into(), value.into());
        self
    }
    /// Appends what was measured of the same quantity later. Visits are the caller's.
    pub fn append(&mut self, later: Series) {
        let (before, more) = (self.samples.len() as u32, later.samples.len() as u32);
        let mean = |a: f64, b: f64| {
            (a * f64::from(before) + b * f64::from(more)) / f64::from(before + more).max(1.0)
        };
        self.frequency = match (self.frequency, later.frequency) {
            (Some(a), Some(b)) => Some(mean(a, b)),
            (a, b) => a.or(b),
        };
        let moved = |d: Disturbed| Disturbed { sample: d.sample + before, ..d };
        self.disturbed.extend(later.disturbed.into_iter().map(moved));
        self.samples.extend(later.samples);
        self.attempts.extend(later.attempts);
        if let (Some(a), Some(b)) = (&self.variant, &later.variant)
            && !a.split(", ").any(|variant| variant == b)
        {
            self.variant = Some(format!("{a}, {b}"));
        }
    }
    /// Whether it is of the same quantity.
    pub fn is_like(&self, other: &Series) -> bool {
        self.metric == other.metric && self.at == other.at && self.unit == other.unit
    }
    /// The samples that nothing disturbed, in order. If every one is marked, all that are of the series' own quantity: a noisy
    /// number with its marks shown says more than none, but latency without load is not latency under load.
    pub fn undisturbed(&self) -> Vec<f64> {
        let counts = self.counts();
        self.samples.iter().zip(counts).filter(|(_, counts)| *counts).map(|(x, _)| *x).collect()
    }
    /// Whether a sample is marked by nothing.
    pub fn has_undisturbed(&self) -> bool {
        self.without(|_| true).contains(&true)
    }
    /// The samples that count: all but those without injectors where every one is marked.
    fn counts(&self) -> Vec<bool> {
        let others: [fn(&Disturbed) -> bool; 2] =
            [|_| true, |mark| [INJECTORS_PAUSED, OTHER_PLACEMENT].contains(&&*mark.why)];
        let mut counts = others.into_iter().map(|of| self.without(of));
        let counts = counts.find(|counts| counts.contains(&true));
        counts.unwrap_or_else(|| self.without(|mark| mark.why == INJECTORS_PAUSED))
    }
    /// Whether each sample has none of these marks.
    fn without(&self, of: fn(&Disturbed) -> bool) -> Vec<bool> {
        let mut counts = vec![true; self.samples.len()];
        for mark in self.disturbed.iter().filter(|mark| of(mark)) {
            if let Some(at) = counts.get_mut(mark.sample as usize) {
                *at = false;
            }
        }
        counts
    }
    /// The undisturbed, finite samples of each visit that has any. One group for a series of one visit, and where every
    /// sample is marked all of them count, as in [`Series::undisturbed`].
    pub fn by_visit(&self) -> Vec<Cow<'_, [f64]>> {
        let marked = (!self.disturbed.is_empty()).then(|| self.counts());
        let counts = |i: &usize| {
            marked.as_ref().is_none_or(|counts| counts[*i]) && self.samples[*i].is_finite()
        };
        let whole = [self.samples.len() as u32];
        let sizes = if self.visits.is_empty() { &whole } else { &self.visits[..] };
        let mut from = 0_usize;
        let mut groups = vec![];
        for size in sizes {
            let to = from.saturating_add(*size as usize).min(self.samples.len());
            groups.push(match (from..to).all(|i| counts(&i)) {
                true => Cow::Borrowed(&self.samples[from..to]),
                false => (from..to).filter(counts).map(|i| self.samples[i]).collect(),
            });
            from = to;
        }
        groups.retain(|group| !group.is_empty());
        groups
    }
}
