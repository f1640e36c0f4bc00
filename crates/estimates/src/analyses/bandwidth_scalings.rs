//! Bandwidth over number of threads: how many it takes to use memory up.
use crate::analysis::{Analysis, Entry};
use crate::report::Report;
use crate::say;
use record::{Metric, OrWhy, ProbeId, Reason, Sort, param};
use stats::Interval;
use stats::saturation::{self, Point};

/// Bandwidth over number of threads.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BandwidthScaling {
    /// Index into `record.runs`.
    pub run: usize,
    /// The kernel: `read`, `copy_nt`.
    pub kernel: String,
    /// Points by ascending number of threads.
    pub points: Vec<BandwidthScalingPoint>,
    /// The cores that saturate one node's memory; `None` where only one node was measured.
    pub node: Option<Result<Saturated, Reason>>,
    /// The threads that saturate all measured memory.
    pub all: Result<Saturated, Reason>,
}

/// One number of threads.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BandwidthScalingPoint {
    /// Threads.
    pub threads: usize,
    /// Their span: cores of one `node`, of all `nodes`, or siblings too (`smt`).
    pub across: String,
    /// Median in bytes per second.
    pub bytes_per_second: f64,
    /// 95 % interval in bytes per second, which holds from run to run.
    pub interval: Option<Interval>,
    /// Index into `Report::estimates`.
    pub estimate: usize,
}

/// The number of threads that reaches 95 % of the limit, as far as it can be determined.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// At this share of the limit it is used up.
const ENOUGH: f64 = 0.95;
/// Fewer samples say nothing of how far a point may be off.
const FEWEST: usize = 4;
/// The begin of the English reason where the last core still adds.
pub const RISES: &str = "bandwidth still rises";

pub static ANALYSIS: Entry = Entry::of::<Vec<BandwidthScaling>>();

impl Analysis for Vec<BandwidthScaling> {
    const TITLE: &str = "Bandwidth over number of threads, one per kernel.";
    const ORDER: u16 = 60;
    /// One for each measured kernel, in the record's order.
    fn compute(report: &Report<'_>) -> Self {
        let cases = report.cases(ProbeId::BandwidthScaling);
        cases
            .filter_map(|(index, run)| {
                let of_case = report.of_case(index, Metric::Bandwidth);
                let mut points: Vec<BandwidthScalingPoint> = of_case
                    .filter_map(|(i, e)| {
                        Some(BandwidthScalingPoint {
                            threads: param::THREADS.of(&e.at).filter(|n| *n >= 1)? as usize,
                            across: param::ACROSS.of(&e.at).unwrap_or("node").to_owned(),
                            bytes_per_second: e.median,
                            interval: e.interval,
                            estimate: i,
                        })
                    })
                    .collect();
                points.order_by_key(|p| p.threads);
                if points.is_empty() {
                    return None;
                }
                let kernel = run.case.get(param::KERNEL).unwrap_or("read").to_owned();
                // On several nodes each has memory of its own: what one of them needs is another question.
                let apart = points.iter().any(|p| p.across == "nodes");
                let near: Vec<&BandwidthScalingPoint> =
                    points.iter().filter(|p| p.across == "node").collect();
                let node = apart.then(|| saturated(report, &near));
                let all = saturated(report, &points.iter().collect::<Vec<_>>());
                Some(BandwidthScaling { run: index, kernel, node, all, points })
            })
            .collect()
    }
}

fn saturated(report: &Report<'_>, points: &[&BandwidthScalingPoint]) -> Result<Saturated, Reason> {
    let few = |p: &&&BandwidthScalingPoint| {
        report.estimates.get(p.estimate).is_some_and(|e| e.count < FEWEST)
    };
    if let Some(point) = points.iter().find(few) {
        return Err(Reason::mended_by(say::few_undisturbed(point.threads), say::AGAIN_QUIET));
    }
    let shape: Vec<Point> = points
        .iter()
        .filter_map(|p| {
            let e = report.estimates.get(p.estimate)?;
            // The points are of one run.
            let (low, high) = e.ends();
            let value = p.bytes_per_second;
            Some(Point { value, low: low.min(value), high: high.max(value) })
        })
        .collect();
    let found = saturation::saturation(&shape, ENOUGH)
        .or_why(say::ONE_NUMBER_OF_THREADS, say::SCALING_MORE_CPUS)?;
    let threads = |at: usize| points.get(at).map_or(0, |p| p.threads);
    // Siblings that add nothing do not show that memory is the limit: it may as well be the cores.
    let cores = points.iter().rposition(|p| p.across != "smt").unwrap_or(0);
    if !found.seen || found.first >= cores {
        let last = points.get(found.first.max(cores)).map_or(0, |p| p.threads);
        return Err(Reason::new(say::rises_with_last(last)));
    }
    Ok(Saturated {
        limit: found.limit,
        threads: threads(found.first),
        fewest: threads(found.earliest),
        most: found.latest.map(threads),
        before: found.first.checked_sub(1).map(|at| {
            (threads(at), points.get(at).map_or(0.0, |p| p.bytes_per_second / found.limit))
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use record::{Better, Record, Series, Unit};

    fn of(curve: &[(u64, &str, f64)]) -> Vec<BandwidthScaling> {
        taken(curve, 7)
    }

    fn taken(curve: &[(u64, &str, f64)], samples: usize) -> Vec<BandwidthScaling> {
        let series = curve
            .iter()
            .map(|(threads, across, rate)| {
                let mut s = Series::new(Metric::Bandwidth, Unit::BytesPerSecond, Better::Higher)
                    .at(param::THREADS, *threads)
                    .at(param::ACROSS, *across);
                s.samples = [0.999, 1.0, 1.001, 1.0, 0.9995, 1.0005, 1.0].map(|f| f * rate)
                    [..samples]
                    .into();
                s
            })
            .collect();
        let mut record: Record = example::empty();
        example::measured(&mut record, "bandwidth_scaling", &[("kernel", "read")], series);
        Vec::<BandwidthScaling>::compute(&Report::new(&record))
    }

    #[test]
    fn a_node_and_the_machine_are_different_questions() {
        let found = of(&[
            (1, "node", 20e9),
            (2, "node", 40e9),
            (4, "node", 78e9),
            (8, "node", 80e9),
            (12, "nodes", 158e9),
            (16, "nodes", 160e9),
            (32, "smt", 159e9),
        ]);
        let node = found[0].node.as_ref().unwrap().as_ref().unwrap();
        assert_eq!((node.threads, node.fewest, node.most), (4, 4, Some(4)));
        assert_eq!(node.before, Some((2, 0.5)));
        let all = found[0].all.as_ref().unwrap();
        assert_eq!(all.threads, 12);
        assert!((all.limit / 159e9 - 1.0).abs() < 0.01);
    }

    #[test]
    fn siblings_that_add_nothing_prove_nothing() {
        let found =
            of(&[(1, "node", 20e9), (2, "node", 40e9), (4, "node", 80e9), (8, "smt", 80e9)]);
        let why = found[0].all.as_ref().unwrap_err();
        assert!(why.why.contains("last of 4 threads"), "{why}");
    }

    #[test]
    fn two_cpus_that_both_matter_are_not_called_saturated() {
        let found = of(&[(1, "node", 30e9), (2, "node", 55e9)]);
        assert!(found[0].node.is_none());
        let why = found[0].all.as_ref().unwrap_err();
        assert!(why.why.contains("last of 2 threads"), "{why}");
        let once = taken(&[(1, "node", 21e9), (2, "node", 21e9)], 1);
        let why = once[0].all.as_ref().unwrap_err();
        assert_eq!(why.why, "too few undisturbed samples with 1 thread");
        assert!(of(&[(1, "node", 30e9)])[0].all.is_err());
        assert!(of(&[]).is_empty());
    }
}
