//! A record and what follows from it. Rendered, never read back: every number here is recomputed from samples.
use crate::bandwidth_scaling::BandwidthScaling;
use crate::cache_bandwidth::BandwidthCurve;
use crate::channels::Theoretical;
use crate::curve::Curve;
use crate::data_content::ZeroGain;
use crate::database::Database;
use crate::drift::Drift;
use crate::estimate::Estimate;
use crate::loaded::Loaded;
use crate::matrix::Matrix;
use crate::nearest::Near;
use crate::noise::Noise;
use crate::numa::Numa;
use crate::operations::{LoadedFrequency, Misprediction, Operation};
use crate::rule::Verdict;
use crate::scaling_run::ScalingRun;
use crate::tlb::Tlb;
use crate::undisturbed_speed::UndisturbedSpeed;
use crate::unixbench::{Reference, UnixBench};
use record::{Judgement, Reason, Record};

/// A view of one record.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report<'a> {
    /// The observations everything rests on.
    #[serde(skip)]
    pub record: &'a Record,
    /// Whether the machine was fit to be measured; first in every rendering.
    pub judgement: Judgement,
    /// One per measured series, in the record's order.
    #[serde(skip)]
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
    pub bandwidth_scalings: Vec<BandwidthScaling>,
    /// How workloads scale over cores, one for each.
    pub scaling_runs: Vec<ScalingRun>,
    /// Databases on more and more cores, one for each load.
    pub databases: Vec<Database>,
    /// What zeros are worth, one per kind of access.
    pub zeros: Vec<ZeroGain>,
    /// What a core does in a cycle and in a second, one per operation.
    pub operations: Vec<Operation>,
    /// What a mispredicted branch costs, one per kind of core.
    pub mispredictions: Vec<Misprediction>,
    /// The frequency under load, one per kind of instruction.
    pub loaded_frequencies: Vec<LoadedFrequency>,
    /// What the memory modules could deliver, or why that is not known.
    pub theoretical: Result<Theoretical, Reason>,
    /// Latency and bandwidth between nodes; nothing if none was measured.
    pub numa: Option<Numa>,
    /// Latency against the bandwidth that others use, one for each kind of load.
    pub loaded: Vec<Loaded>,
    /// What the system takes from a pure CPU program, one for each experiment.
    pub undisturbed_speeds: Vec<UndisturbedSpeed>,
    /// Scores and indexes of UnixBench's tests; nothing where none was planned.
    pub unixbench: Option<UnixBench>,
    /// What takes CPUs away from programs, and by whom; nothing where neither detours nor costs were measured.
    pub noise: Option<Noise>,
    /// How the machine itself moved while it was measured; nothing if the reference sample was taken fewer than twice.
    pub drift: Option<Drift>,
    /// What each rule says, by rule id.
    #[serde(skip)]
    pub verdicts: Vec<(&'static str, Verdict)>,
    /// The paragraph a person can act on: full sentences.
    pub conclusions: Vec<String>,
    /// What UnixBench's indexes are shown beside: other machines', or other runs'. Empty as `analyse` makes it, like `nearest`.
    pub references: Vec<Reference>,
    /// Published machines like this one, the nearest first. Empty as `analyse` makes it, for it knows of no other machine;
    /// its owner fills it in.
    pub nearest: Vec<Near>,
}
