//! Records side by side: every quantity that at least two of them have, its ratio to a baseline, whether that is more
//! than noise, and what makes the two unlike. Records are added one by one and need not be kept
//! (`docs/method.md`, "Comparing records"; `docs/adr/0017`).
mod beside;
mod curves;
mod earlier;
mod extract;
mod gather;
mod groups;
mod halves;
mod headlines;
mod judged;
mod machines;
mod nearest;
mod side_by_side;
mod subject;
mod summary;
mod unlike;

pub use crate::conditions::{Conditions, RunThreads};
pub use crate::incomparable::Incomparable;
pub use crate::quantities::Quantity;
pub use beside::Unmatched;
pub use curves::{CurveAt, CurveSet};
pub use earlier::Earlier;
pub use extract::{Extract, Extractor};
pub use gather::Gathering;
pub use groups::{Group, GroupMean};
pub use headlines::{Ahead, Headline, Lowered, Sure};
pub use machines::FactRow;
pub use side_by_side::{Beside, UNSAID};
pub use subject::{Subject, SubjectKind};

use crate::conditions::{self, OTHERS};
use crate::explain::{Explanation, Family};
pub use crate::grade::Grade;
use crate::say;
use record::{Environment, Message, Reason, Text};
use stats::Interval;
use std::sync::Arc;

/// Differences up to this are no news, however sure they are. What differs from run to run is in the intervals.
pub const BAND: f64 = 0.01;
/// Share of false ones allowed among the rows that are called different.
pub const FALSE_SHARE: f64 = 0.05;

/// Several records and what can be said of their differences.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Comparison {
    /// Index of the record that the others are set against.
    pub baseline: usize,
    /// The records in the order they were given.
    pub sides: Vec<Side>,
    /// Every quantity that at least two records have, by group and name.
    pub rows: Vec<Row>,
    /// Curves that at least two records have.
    pub curves: Vec<CurveSet>,
    /// Quantities that only one record has, by record.
    pub alone: Vec<usize>,
    /// Other tools' figures that nothing of ours stands beside, where one of two records is ours.
    pub unmatched: Vec<Unmatched>,
    /// Geometric means of the ratios of each other record, by group; empty for the baseline.
    pub means: Vec<Vec<GroupMean>>,
    /// Facts in which the machines differ, the most important first.
    pub facts: Vec<FactRow>,
    /// Differences of a whole record from the baseline; empty for the baseline itself.
    pub unlike: Vec<Vec<Incomparable>>,
    /// The factors of each workload's ratio, where that was asked for.
    pub explained: Vec<Explanation>,
    /// The same, one for each workload over all of its points.
    pub families: Vec<Family>,
    /// The headlines, the surest and largest difference first.
    pub headlines: Vec<Headline>,
    /// The rows that most records have, from each subject in turn.
    pub beside: Vec<Beside>,
    /// Pairings of values that are not compared, by why; what is unlike as a whole is in `unlike`.
    pub not_compared: Vec<(&'static str, usize)>,
    /// The faster machine at each subject, and what was not compared: full sentences.
    pub summary: Vec<Text>,
    /// Rows of each record by verdict, in the order in which [`Verdict`] lists them.
    #[serde(skip)]
    pub verdicts: Vec<[usize; Verdict::COUNT]>,
}

/// Price and power of a machine, as the user states them.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub struct Spent {
    /// Its price, in whatever currency all of them are given.
    pub price: Option<f64>,
    /// Watts that it draws under load.
    pub watts: Option<f64>,
}

/// One record.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Side {
    /// Its name: the record's own name, else its file's.
    pub name: String,
    /// The name under which it was added.
    pub given: String,
    /// Price and power of its machine.
    pub spent: Spent,
    /// Earlier runs of its machine that say how its medians vary from run to run, at most of one quantity.
    pub earlier: usize,
    /// The processor, where it says so.
    pub model: Option<String>,
    /// Online CPUs; 0 where that is not known.
    pub cpus: usize,
    /// Sockets; 0 where that is not known.
    pub sockets: usize,
    /// NUMA nodes; 0 where that is not known.
    pub nodes: usize,
    /// Memory in bytes.
    pub memory_bytes: Option<f64>,
    /// The smallest buffer of its tests of memory, over the last-level cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub footprint: Option<f64>,
    /// Program, version and start.
    pub made: String,
    /// Whether the machine was fit to be measured.
    pub environment: Environment,
    /// The gravest doubt, if there is one.
    pub doubt: Option<Reason>,
    /// How far the resource of the reference sample that moved most ranged during the run, as a share; nothing where it was not
    /// watched.
    pub drift: Option<f64>,
    /// Series that were measured.
    pub measured: usize,
    /// Cases without a result.
    pub missing: usize,
    /// Levels of its data caches with the smallest size of each.
    #[serde(skip)]
    pub caches: Vec<(u32, u64)>,
    #[serde(skip)]
    pub traits: conditions::Traits,
    #[serde(skip)]
    pub facts: Vec<Arc<machines::Stated>>,
}

/// One quantity in all records.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Row {
    /// The quantity.
    pub quantity: Arc<Quantity>,
    /// Its group.
    pub group: Group,
    /// One for each record; nothing where it was not measured.
    pub cells: Vec<Option<Box<Cell>>>,
}

/// The value of a quantity in one record.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Cell {
    /// Median of the undisturbed samples, in the quantity's unit.
    pub median: f64,
    /// 95 % interval: the median of another run of that machine lies in it.
    pub interval: Option<Interval>,
    /// The lowest and the highest level that it was seen at, where there are several: the median may be neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modes: Option<Box<[f64; 2]>>,
    /// Samples that it rests on.
    pub count: usize,
    /// Core frequency in hertz that was measured beside it.
    pub frequency: Option<f64>,
    /// The conditions of the measurement; many cells share them.
    pub conditions: Arc<Conditions>,
    /// Against the baseline.
    pub standing: Standing,
    /// The statistics of the samples that a test needs.
    #[serde(skip)]
    pub spread: judged::Spread,
}

/// The relation of a value to that of the baseline.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It is the baseline.
    Baseline,
    /// The baseline has no such value.
    Alone,
    /// The two are different quantities under one name: no ratio.
    Refused(Box<Incomparable>),
    /// There is a ratio.
    Compared(Box<Against>),
}

/// A value against that of the baseline.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Against {
    /// This value over the baseline's.
    pub ratio: f64,
    /// 95 % interval of the ratio from run to run; nothing with fewer than four samples on a side.
    pub interval: Option<Interval>,
    /// The probability that the ratio is truly on this side of 1, from 0.5 to 1; `None` where there is no interval.
    pub confidence: Option<f64>,
    /// Adjusted probability of so large a difference between values alike within the band; nothing without spread.
    pub adjusted: Option<f64>,
    /// The ratio counted in core cycles: times multiplied by the frequency, rates divided by it.
    pub per_cycle: Option<f64>,
    /// For what was used; nothing where the cores are as many and neither power nor price is known.
    #[serde(flatten)]
    pub normalized: Option<Box<Normalized>>,
    /// Its verdict.
    pub verdict: Verdict,
    /// Differences in the conditions that still allow a ratio.
    pub unlike: Box<[Incomparable]>,
}

/// A ratio over what was used for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub struct Normalized {
    /// For each core used, where the numbers of cores differ and the quantity adds up over cores.
    pub per_core: Option<f64>,
    /// The ratio for its watts, of a whole machine or program.
    pub per_watt: Option<f64>,
    /// The ratio for its price, of a whole machine or program.
    pub per_price: Option<f64>,
}

/// The verdict on a ratio.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Better than the baseline by more than the band, and not by chance.
    Better,
    /// Worse than the baseline by more than the band, and not by chance.
    Worse,
    /// Different by more than the band, of a quantity of which neither more nor less is better.
    Different,
    /// The interval of the ratio lies within the band.
    Same,
    /// The samples cannot tell.
    Unclear,
    /// A value on one side has no spread that is known: nothing can be said of chance.
    NoSpread,
    /// Something is unlike: the ratio stands, nothing is claimed.
    Unclaimed,
}

impl Verdict {
    pub const COUNT: usize = Verdict::Unclaimed as usize + 1;

    /// In a word or two.
    pub fn word(self) -> Message {
        match self {
            Verdict::Better => say::BETTER,
            Verdict::Worse => say::WORSE,
            Verdict::Different => say::DIFFERENT,
            Verdict::Same => say::SAME,
            Verdict::Unclear => say::NO_SIGNIFICANT_DIFFERENCE,
            Verdict::NoSpread => say::NO_SPREAD_KNOWN,
            Verdict::Unclaimed => say::UNLIKE,
        }
    }
}

impl Side {
    /// Whether it holds other tools' figures.
    pub fn foreign(&self) -> bool {
        self.traits.tool == OTHERS
    }
}

impl Row {
    /// The comparison of one record, if there is a ratio.
    pub fn against(&self, side: usize) -> Option<&Against> {
        match &self.cells.get(side)?.as_ref()?.standing {
            Standing::Compared(against) => Some(against),
            _ => None,
        }
    }
}

impl Comparison {
    /// The records that are not the baseline.
    pub fn others(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.sides.len()).filter(|i| *i != self.baseline)
    }
    /// Rows of a record with that verdict.
    pub fn count(&self, side: usize, verdict: Verdict) -> usize {
        self.verdicts.get(side).map_or(0, |all| all[verdict as usize])
    }
    /// Whether a record differs from the baseline by more than noise at anything.
    pub fn differs(&self, side: usize) -> bool {
        self.headlines.iter().filter_map(|h| h.sides[side].as_ref()).any(Ahead::differs)
    }
    /// Whether there is a ratio at all.
    pub fn comparable(&self) -> bool {
        self.verdicts.iter().flatten().any(|rows| *rows > 0)
    }
}
