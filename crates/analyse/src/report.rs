//! A record and what follows from it. Rendered, never read back: every number here is recomputed from samples.
use record::{Better, CpuSet, Judgement, Pages, Reason, Record, Unit, Value};
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
    /// What zeros are worth, one per kind of access.
    pub zeros: Vec<ZeroGain>,
    /// What the memory modules could deliver, or why that is not known.
    pub theoretical: Result<Theoretical, Reason>,
    /// Latency and bandwidth between nodes; nothing if none was measured.
    pub numa: Option<Numa>,
    /// Latency against the bandwidth that others use, one for each kind of load.
    pub loaded: Vec<Loaded>,
    /// How the machine itself moved while it was measured; nothing if the sentinel beat fewer than twice.
    pub drift: Option<Drift>,
    /// What each rule says, by rule id.
    pub verdicts: Vec<(&'static str, Verdict)>,
    /// The paragraph a person can act on: full sentences.
    pub conclusions: Vec<String>,
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

/// Latency over working set on one kind of page.
#[derive(Debug, Clone)]
pub struct Curve {
    /// Index into `record.runs`.
    pub run: usize,
    /// Pages that were asked for.
    pub pages: Pages,
    /// Share of the largest buffer verified to be on huge pages.
    pub huge_share: Option<f64>,
    /// Access order: `random`, `grouped` (TLB-friendly), or `stride` (ascending, which prefetchers hide).
    pub order: String,
    /// Bytes from slot to slot, where the record says it.
    pub stride: Option<f64>,
    /// Points by ascending working set.
    pub points: Vec<CurvePoint>,
    /// L1, L2, L3, memory: as far as a flat stretch was found for each.
    pub levels: Vec<Level>,
    /// Capacities in bytes at which the curve leaves a plateau.
    pub knees: Vec<f64>,
}

/// One working set.
#[derive(Debug, Clone, Copy)]
pub struct CurvePoint {
    /// Working set in bytes.
    pub bytes: f64,
    /// Seconds per load.
    pub seconds: f64,
    /// 95 % interval in seconds.
    pub interval: Option<Interval>,
    /// Core clock cycles per load.
    pub cycles: Option<f64>,
    /// What serves such a working set, by the stated sizes of the caches; nothing where they are not known.
    pub served: Option<Served>,
    /// Index into `Report::estimates`.
    pub estimate: usize,
}

/// What serves a working set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Served {
    /// The cache of this level, or those nearer.
    Cache(u32),
    /// This cache and the next together: quoted as the latency of neither.
    Between(u32, u32),
    /// The last cache and memory together, up to four times that cache: not memory.
    NotMemory(u32),
    /// Memory, for the most part.
    Memory,
}

/// Address translation: reach of the TLBs and cost of missing them.
#[derive(Debug, Clone)]
pub struct Tlb {
    /// The TLBs from the nearest on, or why they were not found.
    pub levels: Result<Vec<TlbLevel>, Reason>,
    /// Whether huge pages are what they seem.
    pub backing: Backing,
    /// What translation adds to an access to memory, for each kind of page it was measured on.
    pub memory: Vec<TlbCost>,
}

/// One level of the data TLB, as seen from a chase through one line in each page.
#[derive(Debug, Clone)]
pub struct TlbLevel {
    /// `L1 DTLB`, `L2 DTLB`.
    pub name: String,
    /// Most pages that were still served.
    pub last: f64,
    /// Fewest pages that were not: the reach lies between the two.
    pub next: f64,
    /// Seconds that a miss adds: up to four times the reach, while the next level serves it.
    pub miss: f64,
    /// The same in core clock cycles.
    pub cycles: Option<f64>,
    /// Index into `record.runs`.
    pub run: usize,
}

/// Whether a huge page takes one entry of the TLB.
#[derive(Debug, Clone, PartialEq)]
pub enum Backing {
    /// It does.
    Huge,
    /// Its small pages miss as base pages do: a hypervisor backs it by small pages, or the processor splits it.
    Small,
    /// Cannot be told.
    Unknown(Reason),
}

/// Random against TLB-friendly order at memory, on the same kind of page.
#[derive(Debug, Clone)]
pub struct TlbCost {
    /// The pages.
    pub pages: Pages,
    /// Seconds per load in random order, and in groups that spare the TLB.
    pub random: f64,
    /// See `random`.
    pub grouped: f64,
    /// Core clock cycles between the two.
    pub cycles: Option<f64>,
    /// Working sets in bytes between which the two curves part for good.
    pub parts: Option<(f64, f64)>,
}

/// A flat stretch of a curve: one level of the memory hierarchy.
#[derive(Debug, Clone)]
pub struct Level {
    /// `L1`, `L2`, `L3` or `memory`.
    pub name: String,
    /// Capacity in bytes that the machine states for it.
    pub stated: Option<f64>,
    /// The plateau, or why there is none to be trusted.
    pub found: Result<Plateau, Reason>,
}

/// Where a level was seen.
#[derive(Debug, Clone, Copy)]
pub struct Plateau {
    /// Smallest working set in bytes.
    pub from: f64,
    /// Largest working set in bytes.
    pub to: f64,
    /// Median latency in seconds.
    pub seconds: f64,
    /// Median latency in core clock cycles.
    pub cycles: Option<f64>,
    /// (max - min) / median over its points.
    pub spread: f64,
    /// Points on it.
    pub points: usize,
}

/// Values per pair of CPUs.
#[derive(Debug, Clone)]
pub struct Matrix {
    /// Index into `record.runs`.
    pub run: usize,
    /// What was observed, such as `round_trip`.
    pub metric: String,
    /// Unit of the cells.
    pub unit: Unit,
    /// Row and column headings, ascending.
    pub cpus: Vec<u32>,
    /// The measured pairs, `from < to`.
    pub cells: Vec<Cell>,
    /// Pairs that those CPUs have.
    pub pairs: usize,
    /// The cells by what their CPUs are stated to share, nearest first.
    pub classes: Vec<Class>,
    /// Groups of CPUs that hang together as measured, tightest first; nothing found is an empty list.
    pub clusters: Result<Vec<Cluster>, Reason>,
}

/// Pairs whose CPUs are stated to share the same.
#[derive(Debug, Clone)]
pub struct Class {
    /// What they share, as in [`Cell::relation`].
    pub relation: String,
    /// Measured pairs.
    pub pairs: usize,
    /// Those seen in more than one state.
    pub split: usize,
    /// The fastest, the middle and the slowest pair.
    pub fastest: Cell,
    /// Median of the pairs' medians.
    pub median: f64,
    /// See `fastest`.
    pub slowest: Cell,
}

/// A way in which the CPUs fall into groups: near inside, far between.
#[derive(Debug, Clone)]
pub struct Cluster {
    /// The groups.
    pub groups: Vec<CpuSet>,
    /// Median of the pairs inside groups.
    pub within: f64,
    /// Median of the pairs between groups.
    pub between: f64,
    /// What the machine states that divides these CPUs in the same way; nothing where it states no such thing.
    pub stated: Option<String>,
}

/// One pair.
#[derive(Debug, Clone)]
pub struct Cell {
    /// First CPU.
    pub from: u32,
    /// Second CPU.
    pub to: u32,
    /// Median; where there are several states, that of the one seen most often, for there is none across states.
    pub median: f64,
    /// Levels more than 1.5x apart, of all attempts; more than one means that the machine has moved the CPUs meanwhile.
    pub states: Vec<State>,
    /// How the two CPUs are related, such as `SMT siblings`, `same L3`, `same node`, `other socket`.
    pub relation: String,
}

/// Bandwidth of one core over working set.
#[derive(Debug, Clone)]
pub struct BandwidthCurve {
    /// Index into `record.runs`.
    pub run: usize,
    /// What was done: `read`, `write`, `copy`.
    pub kernel: String,
    /// Points by ascending working set.
    pub points: Vec<BandwidthPoint>,
    /// The caches, and memory.
    pub levels: Vec<BandwidthLevel>,
}

/// One working set.
#[derive(Debug, Clone, Copy)]
pub struct BandwidthPoint {
    /// Working set in bytes.
    pub bytes: f64,
    /// Median in bytes per second.
    pub bytes_per_second: f64,
    /// 95 % interval in bytes per second.
    pub interval: Option<Interval>,
    /// Bytes per core clock cycle.
    pub per_cycle: Option<f64>,
    /// Index into `Report::estimates`.
    pub estimate: usize,
}

/// One level of the memory hierarchy.
#[derive(Debug, Clone)]
pub struct BandwidthLevel {
    /// `L1`, `L2`, `L3` or `memory`.
    pub name: String,
    /// Capacity in bytes that the machine states for it.
    pub stated: Option<f64>,
    /// What it delivers, or why that is not known.
    pub found: Result<Delivered, Reason>,
}

/// What a level delivers where no other serves.
#[derive(Debug, Clone, Copy)]
pub struct Delivered {
    /// Smallest working set in bytes.
    pub from: f64,
    /// Largest working set in bytes.
    pub to: f64,
    /// Median of the points in bytes per second.
    pub bytes_per_second: f64,
    /// The same in bytes per core clock cycle.
    pub per_cycle: Option<f64>,
    /// The best point in bytes per second.
    pub best: f64,
    /// Points.
    pub points: usize,
}

/// Bandwidth over number of threads.
#[derive(Debug, Clone)]
pub struct Scaling {
    /// Index into `record.runs`.
    pub run: usize,
    /// What was done: `read`, `copy_nt`.
    pub kernel: String,
    /// Points by ascending number of threads.
    pub points: Vec<ScalingPoint>,
    /// How many cores use one node's memory up; nothing where only one node was measured.
    pub node: Option<Result<Saturated, Reason>>,
    /// How many threads use up all memory that was measured.
    pub all: Result<Saturated, Reason>,
}

/// One number of threads.
#[derive(Debug, Clone)]
pub struct ScalingPoint {
    /// Threads.
    pub threads: usize,
    /// What they span: cores of one `node`, of all `nodes`, or siblings too (`smt`).
    pub across: String,
    /// Median in bytes per second.
    pub bytes_per_second: f64,
    /// 95 % interval in bytes per second.
    pub interval: Option<Interval>,
    /// Index into `Report::estimates`.
    pub estimate: usize,
}

/// The number of threads that reaches 95 % of the limit, as far as it can be told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Saturated {
    /// The limit in bytes per second.
    pub limit: f64,
    /// The least measured number that reaches it, by its median.
    pub threads: usize,
    /// The least that may.
    pub fewest: usize,
    /// The least that does for sure; nothing if noise leaves none.
    pub most: Option<usize>,
    /// The number measured before it, and its share of the limit.
    pub before: Option<(usize, f64)>,
}

/// What zeros are worth for one kind of access.
#[derive(Debug, Clone, PartialEq)]
pub struct ZeroGain {
    /// `read`, `write`, `write_nt`.
    pub kernel: String,
    /// Bandwidth with zeros over bandwidth with random data.
    pub ratio: f64,
    /// Index into `Report::estimates` of the one with zeros.
    pub zero: usize,
    /// And of the one with random data.
    pub random: usize,
}

/// What the memory modules could deliver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Theoretical {
    /// Channels with a module, all sockets together.
    pub channels: usize,
    /// Whether the slots' names tell the channels; otherwise there may be fewer.
    pub exact: bool,
    /// Transfers per second of the slowest channel.
    pub transfers: f64,
    /// Bytes per second of all channels.
    pub peak: f64,
    /// Index into `Report::estimates` of the read bandwidth of the whole machine, where it was measured, and its
    /// share of the peak.
    pub measured: Option<(usize, f64)>,
}

/// Latency and bandwidth between nodes.
#[derive(Debug, Clone)]
pub struct Numa {
    /// Nodes whose CPUs measured, ascending.
    pub from: Vec<u32>,
    /// Nodes whose memory was measured, ascending.
    pub to: Vec<u32>,
    /// The measured pairs, by `from` and `to`.
    pub cells: Vec<NumaCell>,
    /// What the firmware's distances are worth; nothing where they cannot be compared with anything.
    pub stated: Option<Stated>,
}

/// The memory of one node seen by the CPUs of another, or of the same.
#[derive(Debug, Clone)]
pub struct NumaCell {
    /// The CPUs' node.
    pub from: u32,
    /// The memory's node.
    pub to: u32,
    /// Idle latency in seconds: the median of the CPUs that measured it.
    pub latency: Option<f64>,
    /// Idle latency in seconds by CPU, where CPUs of several caches measured it.
    pub sweep: Vec<(u32, f64)>,
    /// Read bandwidth of all cores of `from`, in bytes per second.
    pub bandwidth: Option<f64>,
    /// The firmware's distance; 10 is local.
    pub distance: Option<u32>,
    /// Latency over that of `from`'s own memory.
    pub latency_ratio: Option<f64>,
    /// Bandwidth over that of `from`'s own memory.
    pub bandwidth_ratio: Option<f64>,
}

/// Firmware distances (SLIT) against measured latency.
#[derive(Debug, Clone, PartialEq)]
pub struct Stated {
    /// Pairs of memory nodes whose order, seen from one node, the distances state and the latencies tell.
    pub compared: usize,
    /// Those in which the node that is stated to be nearer is slower: seen from, stated nearer, stated farther.
    pub contradicted: Vec<(u32, u32, u32)>,
    /// The pair whose ratio to the own node is stated most wrongly: from, to, stated ratio, measured ratio.
    pub farthest: Option<(u32, u32, f64, f64)>,
}

/// Latency of one core against the bandwidth that others use.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// Index into `record.runs`.
    pub run: usize,
    /// The others' kernel.
    pub inject: String,
    /// By ascending bandwidth.
    pub points: Vec<LoadedPoint>,
    /// Latency in seconds while the others sleep.
    pub idle: Option<f64>,
    /// The most bandwidth in bytes per second with which a load costs less than 1.5 times an idle one; nothing where it
    /// never costs more.
    pub knee: Option<f64>,
}

/// One level of load.
#[derive(Debug, Clone, Copy)]
pub struct LoadedPoint {
    /// From 0, nothing, to the highest, all they can.
    pub level: u64,
    /// What the others used, in bytes per second.
    pub injected: f64,
    /// Seconds per load.
    pub seconds: f64,
    /// 95 % interval in seconds.
    pub interval: Option<Interval>,
    /// Index into `Report::estimates`.
    pub estimate: usize,
}

/// How the machine moved during the run, by the sentinel.
#[derive(Debug, Clone)]
pub struct Drift {
    /// Beats.
    pub beats: usize,
    /// Median clock in hertz, and its 5th and 95th percentile over all windows.
    pub clock: (f64, f64, f64),
    /// (largest - smallest) / median of the beats' median clocks.
    pub clock_range: f64,
    /// (largest - smallest) / median of the beats' median chase latencies.
    pub chase_range: f64,
    /// What that means, in a sentence.
    pub verdict: String,
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
