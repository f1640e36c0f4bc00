//! Groups of rows, and the mean ratio of each group: a machine is faster at something, never as such.
use super::{Against, Cell, Quantity, Row, Side, Verdict};
use record::{Better, Metric, ProbeId, Sort, Value, param};
use stats::Interval;

record::named! {
    /// The group of a row.
    #[derive(serde::Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Group {
        /// Frequency and instructions.
        Core = "core",
        /// Loads that a cache answers.
        CacheLatency = "cache latency",
        /// Loads that memory answers.
        MemoryLatency = "memory latency",
        /// Loads that both answer, or nobody knows which.
        MixedLatency = "latency between cache and memory",
        /// Address translation.
        Translation = "address translation",
        /// Bandwidth of caches.
        CacheBandwidth = "cache bandwidth",
        /// Memory bandwidth of one core.
        CoreBandwidth = "memory bandwidth of one core",
        /// Memory bandwidth of several.
        MachineBandwidth = "memory bandwidth of several cores",
        /// Latency and bandwidth under load.
        Loaded = "latency under load",
        /// Between nodes.
        Nodes = "between nodes",
        /// Between CPUs.
        CoreToCore = "core to core",
        /// Page faults and the like.
        MemoryManagement = "memory management",
        /// OS noise, and the cost of system calls.
        System = "OS noise and system calls",
        /// Primes, ciphers, long numbers, and what else runs to its end.
        Tasks = "whole programs",
        /// Queries, transactions and what they take.
        Databases = "databases",
        /// UnixBench's tests.
        UnixBench = "UnixBench's tests",
        /// The cost of measuring.
        Instrument = "measurement overhead",
        /// The rest.
        Other = "other",
    }
}

impl Group {
    /// Whether it says something of the machine that may be averaged.
    fn averaged(self) -> bool {
        !matches!(self, Group::Databases | Group::Instrument | Group::MixedLatency | Group::Other)
    }
}

/// Mean ratio of a group, of one record against the baseline.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct GroupMean {
    /// The group.
    pub group: Group,
    /// Rows that went into it.
    pub rows: usize,
    /// Rows of them that are better by themselves, and rows that are worse.
    pub significant: (usize, usize),
    /// Geometric mean of how many times better the record is: of rates the ratio, of times its inverse.
    pub times: f64,
    /// 95 % interval: how much it depends on which rows were measured (by bootstrap, from five rows on), and how far all of
    /// them may be off together from run to run; nothing among more than 32 records.
    pub interval: Option<Interval>,
    /// The probability that the record is truly on this side of the baseline, from 0.5 to 1.
    pub confidence: Option<f64>,
}

/// A cache answers below this share of the last-level cache; above [`crate::curves::MEMORY_BEYOND`] memory does.
const IN_CACHE: f64 = 0.7;

pub(super) fn of<'a>(quantity: &Quantity, mut cells: impl Iterator<Item = &'a Box<Cell>>) -> Group {
    let mut all = cells.by_ref().map(|cell| &cell.conditions);
    let conditions = all.next();
    let several = conditions.is_some_and(|c| c.cpus > 1);
    let share = conditions.and_then(|c| c.llc_ratio).or_else(|| all.find_map(|c| c.llc_ratio));
    match quantity.probe {
        // Second by second it is a history, of which no two are alike.
        ProbeId::LoadedFrequency if param::SECOND.is_in(&quantity.at) => Group::Other,
        ProbeId::CoreFrequency
        | ProbeId::CoreRate
        | ProbeId::SmtPair
        | ProbeId::BranchMiss
        | ProbeId::PauseLatency
        | ProbeId::LoadedFrequency => Group::Core,
        ProbeId::LoadLatency
        | ProbeId::LatMemRd
        | ProbeId::Multichase
        | ProbeId::CacheAllocation
        | ProbeId::MemoryBound => match share {
            Some(ratio) if ratio <= IN_CACHE => Group::CacheLatency,
            Some(ratio) if ratio >= crate::curves::MEMORY_BEYOND => Group::MemoryLatency,
            _ => Group::MixedLatency,
        },
        ProbeId::TlbReach => Group::Translation,
        ProbeId::CacheBandwidth => Group::CacheBandwidth,
        ProbeId::BandwidthScaling | ProbeId::MlcPeak => Group::MachineBandwidth,
        ProbeId::Bandwidth | ProbeId::Stream | ProbeId::LmbenchStream | ProbeId::DataContent => {
            if several {
                Group::MachineBandwidth
            } else {
                Group::CoreBandwidth
            }
        }
        ProbeId::LoadedLatency => Group::Loaded,
        ProbeId::NumaMatrix => Group::Nodes,
        ProbeId::CoreToCore | ProbeId::FalseSharing | ProbeId::LockCost => Group::CoreToCore,
        ProbeId::PageFault | ProbeId::TlbShootdown => Group::MemoryManagement,
        ProbeId::NoiseDetours
        | ProbeId::NoiseFwq
        | ProbeId::KernelOps
        | ProbeId::UndisturbedSpeed => Group::System,
        ProbeId::Prime | ProbeId::Openssl | ProbeId::Bc => Group::Tasks,
        ProbeId::Sysbench if param::TEST.of(&quantity.at) == Some("cpu") => Group::Tasks,
        ProbeId::ScalingRun | ProbeId::OpensslSpeed | ProbeId::PointSelect | ProbeId::Tpcc
            if quantity.metric == Metric::Throughput =>
        {
            Group::Tasks
        }
        ProbeId::Stat | ProbeId::PerfStat | ProbeId::Time if quantity.metric == Metric::Elapsed => {
            Group::Tasks
        }
        ProbeId::Instrument => Group::Instrument,
        ProbeId::PointSelect | ProbeId::Tpcc => Group::Databases,
        ProbeId::Sysbench if param::TEST.of(&quantity.at) == Some("oltp") => Group::Databases,
        _ if quantity.metric == Metric::Rate && param::TEST.is_in(&quantity.at) => Group::UnixBench,
        _ => Group::Other,
    }
}

/// By group, then probe, then what was chosen, then along the curve.
pub(super) fn sort(rows: &mut Vec<Row>) {
    let placed = |row: Row| {
        let along = row.quantity.along();
        let axis = along.map(|(axis, _)| axis);
        let at = row.quantity.at.iter().filter(|(name, _)| Some(name.as_str()) != axis);
        let rest = at.map(|(name, value)| (name.clone(), size(value), value.to_string()));
        (rest.collect::<Vec<_>>(), along.map_or(f64::NEG_INFINITY, |(_, x)| x), row)
    };
    let mut with_words: Vec<_> = rows.drain(..).map(placed).collect();
    with_words.order_by(|(rest, place, a), (others, other, b)| {
        let (p, q) = (&a.quantity, &b.quantity);
        (a.group, &p.probe, &p.metric)
            .cmp(&(b.group, &q.probe, &q.metric))
            .then_with(|| rest.cmp(others))
            .then_with(|| place.total_cmp(other))
    });
    rows.extend(with_words.into_iter().map(|(.., row)| row));
}

/// Numbers in their order, before words.
fn size(value: &Value) -> u64 {
    match value {
        Value::Integer(n) => (*n as f64).to_bits(),
        Value::Number(x) => x.max(0.0).to_bits(),
        _ => u64::MAX,
    }
}

/// The ratio by which the record is better: above 1 it is ahead, whichever direction is better.
pub(super) fn times(ratio: f64, better: Better) -> Option<f64> {
    match better {
        Better::Higher => Some(ratio),
        Better::Lower => Some(1.0 / ratio),
        Better::Neither => None,
    }
}

/// Intervals of a few records are shown only, and those of a thousand take seconds.
const RESAMPLED: usize = 32;

/// A geometric mean over rows, and how far it may be off.
pub(super) struct Mean {
    pub(super) times: f64,
    pub(super) interval: Option<Interval>,
    pub(super) confidence: Option<f64>,
}

impl Mean {
    /// Takes logarithms, and the standard errors and degrees of freedom of those rows that have some, among so many records.
    pub(super) fn of(logs: &[f64], errors: &[(f64, f64)], records: usize) -> Mean {
        let mean = |xs: &[f64]| xs.iter().sum::<f64>() / xs.len() as f64;
        let resamples = if records <= RESAMPLED { 1000 } else { 0 };
        let center = mean(logs);
        let rows = stats::bootstrap::interval(logs, mean, 0.95, resamples, 1);
        let shared = stats::repeat::together(center, errors).filter(|_| resamples > 0);
        let interval = match shared {
            None => rows,
            Some((half, _)) => {
                // The two are independent: which rows there are, and how the run as a whole was.
                let (low, high) = rows.map_or((0.0, 0.0), |i| (center - i.low, i.high - center));
                let (low, high) = (center - half.hypot(low), center + half.hypot(high));
                Some(Interval { low, high, confidence: 0.95 })
            }
        };
        let interval = interval.map(|i| Interval { low: i.low.exp(), high: i.high.exp(), ..i });
        Mean { times: center.exp(), interval, confidence: shared.map(|(_, sure)| sure) }
    }
}

/// Standard error of the logarithm of a row's ratio, and its degrees of freedom.
pub(super) fn error(row: &Row, side: usize, baseline: usize) -> Option<(f64, f64)> {
    let (a, b) = row.cells[baseline].as_ref().zip(row.cells[side].as_ref())?;
    Some(b.spread.repeat?.with(&a.spread.repeat?))
}

/// For each record.
pub(super) fn means(rows: &[Row], sides: &[Side], baseline: usize) -> Vec<Vec<GroupMean>> {
    let of_side = |side: usize| {
        let mut means = vec![];
        for group in rows.chunk_by(|a, b| a.group == b.group) {
            if !group[0].group.averaged() {
                continue;
            }
            let (mut logs, mut better, mut worse) = (vec![], 0, 0);
            let mut errors: Vec<(f64, f64)> = vec![];
            for (row, against) in group.iter().filter_map(|row| Some((row, claimed(row, side)?))) {
                better += usize::from(against.verdict == Verdict::Better);
                worse += usize::from(against.verdict == Verdict::Worse);
                logs.extend(times(against.ratio, row.quantity.better).map(f64::ln));
                errors.extend(error(row, side, baseline));
            }
            if logs.is_empty() {
                continue;
            }
            let Mean { times, interval, confidence } = Mean::of(&logs, &errors, sides.len());
            let (group, rows, significant) = (group[0].group, logs.len(), (better, worse));
            means.push(GroupMean { group, rows, significant, times, interval, confidence });
        }
        means
    };
    (0..sides.len()).map(|side| if side == baseline { vec![] } else { of_side(side) }).collect()
}

/// A row's comparison, if it may be claimed. lmbench's time and rate are one observation, and its worst pair is no
/// equal distance; a pair of threads is no core; what loads memory is no latency.
fn claimed(row: &Row, side: usize) -> Option<&Against> {
    let twice = matches!(row.quantity.probe, ProbeId::LmbenchStream | ProbeId::LoadedLatency)
        && super::subject::of(row).is_none();
    let unlike = twice || super::subject::on_smt_pair(&row.quantity);
    row.against(side).filter(|against| against.verdict != Verdict::Unclaimed && !unlike)
}
