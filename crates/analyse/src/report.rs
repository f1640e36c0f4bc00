//! A record and what follows from it. Rendered, never read back: every number here is recomputed from samples.
pub use crate::cache_bandwidth::{BandwidthCurve, BandwidthLevel, BandwidthPoint, Delivered};
pub use crate::channels::Theoretical;
pub use crate::curve::{Curve, CurvePoint, Level, Plateau, Served};
use crate::database::Database;
pub use crate::drift::Drift;
use crate::ladder::Ladder;
pub use crate::line_speed::{LineSpeed, Speed, Way};
pub use crate::loaded::{Loaded, LoadedPoint};
pub use crate::matrix::{Cell, Class, Cluster, Matrix};
use crate::nearest::Near;
use crate::noise::Noise;
pub use crate::numa::{Numa, NumaCell, Stated};
pub use crate::operations::{ClockLoad, Held, Misprediction, Operation};
pub use crate::scaling::{Saturated, Scaling, ScalingPoint};
pub use crate::tlb::{Backing, Tlb, TlbCost, TlbLevel};
use crate::unixbench::UnixBench;
pub use crate::zeros::ZeroGain;
use record::{Better, Judgement, Reason, Record, Unit, Value};
use std::collections::BTreeMap;

/// A view of one record.
#[derive(Debug, Clone)]
pub struct Report<'a> {
    /// The observations everything rests on.
    pub record: &'a Record,
    /// Whether the machine was fit to be measured; first in every rendering.
    pub judgement: Judgement,
    /// One per measured series, in the record's order.
    pub estimates: Vec<Estimate>,
    /// Latency over working set, one per measured page kind.
    pub curves: Vec<Curve>,
    /// What address translation costs and how far it reaches; nothing where neither was measured.
    pub tlb: Option<Tlb>,
    /// Values per pair of CPUs.
    pub matrices: Vec<Matrix>,
    /// Bandwidth of one core over working set, one per kernel.
    pub cache_bandwidth: Vec<BandwidthCurve>,
    /// Bandwidth over number of threads, one per kernel.
    pub scalings: Vec<Scaling>,
    /// How workloads scale over cores, one for each.
    pub ladders: Vec<Ladder>,
    /// Databases on more and more cores, one for each load.
    pub databases: Vec<Database>,
    /// What zeros are worth, one per kind of access.
    pub zeros: Vec<ZeroGain>,
    /// What a core does in a cycle and in a second, one per operation.
    pub operations: Vec<Operation>,
    /// What a mispredicted branch costs, one per kind of core.
    pub mispredictions: Vec<Misprediction>,
    /// The clock under load, one per kind of instruction.
    pub clock_loads: Vec<ClockLoad>,
    /// What the memory modules could deliver, or why that is not known.
    pub theoretical: Result<Theoretical, Reason>,
    /// Latency and bandwidth between nodes; nothing if none was measured.
    pub numa: Option<Numa>,
    /// Latency against the bandwidth that others use, one for each kind of load.
    pub loaded: Vec<Loaded>,
    /// What the system takes from a pure CPU program, one for each experiment.
    pub line_speeds: Vec<LineSpeed>,
    /// Scores and indexes of UnixBench's tests; nothing where none was planned.
    pub unixbench: Option<UnixBench>,
    /// What takes CPUs away from programs, and by whom; nothing where neither gaps nor costs were measured.
    pub noise: Option<Noise>,
    /// How the machine itself moved while it was measured; nothing if the sentinel beat fewer than twice.
    pub drift: Option<Drift>,
    /// What each rule says, by rule id.
    pub verdicts: Vec<(&'static str, Verdict)>,
    /// The paragraph a person can act on: full sentences.
    pub conclusions: Vec<String>,
    /// Published machines like this one, the nearest first. Empty as `analyse` makes it, for it knows of no other machine;
    /// whoever does fills it in.
    pub nearest: Vec<Near>,
}

/// What a series says.
#[derive(Debug, Clone)]
pub struct Estimate {
    /// Index into `record.runs`.
    pub run: usize,
    /// Index into that run's series.
    pub series: usize,
    /// The probe's id.
    pub probe: String,
    /// The case in one line.
    pub case: String,
    /// What was observed.
    pub metric: String,
    /// Coordinates inside the case, copied from the series.
    pub at: BTreeMap<String, Value>,
    /// Unit of `median`, `interval`, `min` and `max`.
    pub unit: Unit,
    /// Which direction is good.
    pub better: Better,
    /// Median of the unmarked samples.
    pub median: f64,
    /// 95 % interval of the median; nothing with fewer than six samples.
    pub interval: Option<Interval>,
    /// Coefficient of variation of the unmarked samples; nothing with fewer than two.
    pub cv: Option<f64>,
    /// Smallest unmarked sample.
    pub min: f64,
    /// Largest unmarked sample.
    pub max: f64,
    /// Samples that the median rests on: the unmarked ones, or all of them if every one is marked.
    pub count: usize,
    /// Samples left out because something else happened meanwhile, by what it was.
    pub marked: BTreeMap<String, usize>,
    /// `median` in core clock cycles, for times taken with the clock measured beside them.
    pub cycles: Option<f64>,
    /// Operations per core clock cycle, for times per operation with the clock measured beside them.
    pub per_cycle: Option<f64>,
    /// Distinct levels more than 1.5x apart (two states of the machine), each with its sample count;
    /// one entry when there is only one state. A median across states means nothing.
    pub states: Vec<State>,
    /// Machine code that ran.
    pub variant: Option<String>,
}

impl Estimate {
    /// Between what it lies: the ends of its interval, or of its samples where they are too few for one. A rule says nothing
    /// that either end contradicts.
    pub fn ends(&self) -> (f64, f64) {
        self.interval.map_or((self.min, self.max), |i| (i.low, i.high))
    }
}

/// A range and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Probability that it covers the true value, such as 0.95.
    pub confidence: f64,
}

/// One of several levels that a quantity was seen at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// Median of the samples at that level.
    pub level: f64,
    /// How many.
    pub count: usize,
}

/// What a rule says of the record.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Something is wrong.
    Fires {
        /// What, how much, and what to do.
        finding: Finding,
        /// Every fact and estimate that the rule looked at, with its source.
        read: Vec<String>,
    },
    /// Looked, and in order.
    Clear {
        /// Every fact and estimate that the rule looked at, with its source.
        read: Vec<String>,
    },
    /// The record cannot say.
    CannotTell {
        /// What is missing, and what would let it be known.
        missing: Reason,
    },
}

/// A diagnosis.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What is wrong, as a full sentence.
    pub claim: String,
    /// What to do about it.
    pub advice: String,
    /// The command whose output would prove the claim wrong.
    pub confirm_with: String,
}
