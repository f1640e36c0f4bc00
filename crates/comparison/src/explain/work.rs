//! The workloads of a record: speed, identity, and what is known of each factor.
use super::counts;
use super::seen::Seen;
use super::{Amount, Factor, bandwidth, cores, frequency, instructions, ipc, locality, smt};
use crate::conditions::RunThreads;
use crate::equivalent::Crowd;
use crate::facts::ARCHITECTURE;
use crate::program;
use crate::quantities::Quantity;
use crate::say;
use crate::software;
use record::{Better, Metric, ProbeId, Reason, Record, Relations, Series, Sort, Unit};
use stats::Sample;
use std::collections::BTreeMap;

/// One workload as one record has it.
#[derive(Debug, Clone)]
pub struct Work {
    /// The quantity.
    pub quantity: Quantity,
    /// The parameters that say under what it ran, apart from what it is.
    pub software: BTreeMap<String, String>,
    /// Units of work per second.
    pub rate: f64,
    /// The least, the median and the most of the series, in its unit: some tools print another than the median.
    pub values: [f64; 3],
    /// The numbers of threads, where they belong to a tool's definition.
    pub crowd: Crowd,
    /// Threads of a core that were in use, on average.
    pub per_core: f64,
    /// Version of the benchmark's definition.
    pub version: u32,
    /// The instruction set of its machine, where that is stated.
    pub architecture: Option<String>,
    /// Each factor, or why it is not known.
    pub amounts: BTreeMap<Factor, Result<Amount, Reason>>,
    /// The reason why nothing may be concluded from its counters.
    pub declined: Option<Reason>,
}

/// Probes whose quantities are workloads; any other with an IPC beside it is one, too.
const WORKLOADS: &[ProbeId] = &[
    ProbeId::Bandwidth,
    ProbeId::Bc,
    ProbeId::CoreRate,
    ProbeId::ScalingRun,
    ProbeId::Openssl,
    ProbeId::OpensslSpeed,
    ProbeId::PerfStat,
    ProbeId::PointSelect,
    ProbeId::Prime,
    ProbeId::Stat,
    ProbeId::Stream,
    ProbeId::Sysbench,
    ProbeId::Tpcc,
    ProbeId::Unixbench,
];

/// Metrics that are printed beside a speed and are none.
const BESIDE: &[Metric] = &[
    Metric::Frequency,
    Metric::CopyRate,
    Metric::CopyTime,
    Metric::CpuTime,
    Metric::CpusUsed,
    Metric::Index,
    Metric::Ipc,
    Metric::Score,
    Metric::System,
    Metric::TimePerDivide,
    Metric::User,
];

/// The workloads of a record that has speeds, in its order; repeats of one are one.
pub fn works(record: &Record) -> Vec<Work> {
    let topology = &record.machine.topology;
    let (relations, cores) = (Relations::of(topology), record.machine.cores());
    let mut seen: Vec<Seen<'_>> = vec![];
    for run in &record.runs {
        let beside = run.metric(Metric::Ipc).is_some();
        if !WORKLOADS.contains(&run.case.probe) && !beside {
            continue;
        }
        let crowd = RunThreads::of(run, record, cores).crowd;
        for series in run.series().iter().filter(|s| speed(s)) {
            let Some((rate, values)) = rate(series) else { continue };
            let quantity = Quantity::of(run, series, &relations);
            let program = program::program(run, &record.machine);
            let counts = counts::counts(record, run, program.as_ref());
            let per_core = smt::threads_per_core(record, run);
            let mut one = Seen {
                record,
                run,
                series,
                quantity,
                rate,
                values,
                crowd,
                counts,
                program,
                threads: Err(Reason::new(say::FROM_NOT_LOOKED_YET)),
                per_core,
            };
            one.threads = cores::threads(&one);
            seen.push(one);
        }
    }
    let mut works: Vec<Work> = vec![];
    for one in &seen {
        let key = one.quantity.key();
        // Repeats: their median is shown, the first one's counters are looked at.
        let mut rates: Vec<f64> =
            seen.iter().filter(|o| o.quantity.key() == key).map(|o| o.rate).collect();
        if works.iter().any(|w| w.quantity.key() == key) {
            continue;
        }
        rates.order_by(f64::total_cmp);
        let rate = stats::median(&rates).unwrap_or(one.rate);
        works.push(work(one, rate, &seen));
    }
    works
}

fn work(one: &Seen<'_>, rate: f64, all: &[Seen<'_>]) -> Work {
    let cores = one.threads.clone().map(|t| t.over(one.per_core));
    // Of a core with all its threads: what is known of the parts is taken out where both sides know it.
    let ipc = ipc::of(one).map(|ipc| ipc.over(1.0 / one.per_core));
    let amounts = [
        (Factor::Instructions, instructions::of(one)),
        (Factor::Frequency, frequency::of(one)),
        (Factor::Ipc, ipc),
        (Factor::Cores, cores),
        (Factor::Smt, smt::of(one, all)),
        (Factor::Locality, locality::of(one)),
        (Factor::Bandwidth, bandwidth::of(one, all)),
    ];
    let usable = |amount: Result<Amount, Reason>| match amount {
        Ok(a) if a.low.is_finite() && a.low > 0.0 && a.high.is_finite() => Ok(a),
        Ok(_) => Err(Reason::new(say::FROM_NO_NUMBER)),
        Err(why) => Err(why),
    };
    Work {
        quantity: one.quantity.clone(),
        software: software::of(&one.quantity.at),
        rate,
        values: one.values,
        crowd: one.crowd,
        per_core: one.per_core,
        version: one.run.case.version,
        architecture: one.record.machine.text(ARCHITECTURE).map(str::to_owned),
        amounts: amounts.into_iter().map(|(factor, a)| (factor, usable(a))).collect(),
        declined: counts::declined(&one.counts),
    }
}

/// Whether a series says how fast something was done.
fn speed(s: &Series) -> bool {
    let meant = match s.unit {
        Unit::Seconds => s.better == Better::Lower,
        Unit::PerSecond | Unit::BytesPerSecond => s.better == Better::Higher,
        _ => false,
    };
    meant && !BESIDE.contains(&s.metric) && !s.metric.as_str().starts_with("latency")
}

/// Units of work per second, by the median; with the least, the median and the most of the values.
fn rate(s: &Series) -> Option<(f64, [f64; 3])> {
    let mut values = s.undisturbed();
    values.retain(|x| x.is_finite());
    let sample = Sample::new(&values)?;
    let median = sample.median();
    Some((per_second(s.unit, median)?, [sample.min(), median, sample.max()]))
}

/// A time of one piece of work as a rate, and a rate as it is.
pub(super) fn per_second(unit: Unit, value: f64) -> Option<f64> {
    let rate = if unit == Unit::Seconds { 1.0 / value } else { value };
    (rate.is_normal() && rate > 0.0).then_some(rate)
}
