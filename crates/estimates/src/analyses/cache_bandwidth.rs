//! Bandwidth of one core over working set: what each level of the memory hierarchy delivers.
use crate::analyses::curves::{ABOVE_CAPACITY, BELOW_CAPACITY, BELOW_LAST, stated};
use crate::analysis::{Analysis, Entry};
use crate::report::Report;
use crate::say;
use crate::words;
use record::{Metric, ProbeId, Reason, Sort, param};
use stats::{Interval, Sample};

/// Bandwidth of one core over working set.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BandwidthCurve {
    /// Index into `record.runs`.
    pub run: usize,
    /// The kernel: `read`, `write`, `copy`.
    pub kernel: String,
    /// Points by ascending working set.
    pub points: Vec<BandwidthPoint>,
    /// The caches, and memory.
    pub levels: Vec<BandwidthLevel>,
}

/// One working set.
#[derive(Debug, Clone, Copy, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BandwidthPoint {
    /// Working set in bytes.
    pub bytes: f64,
    /// Median in bytes per second.
    pub bytes_per_second: f64,
    /// 95 % interval in bytes per second.
    pub interval: Option<Interval>,
    /// Bytes per core cycle.
    pub per_cycle: Option<f64>,
    /// Index into `Report::estimates`.
    pub estimate: usize,
}

/// One level of the memory hierarchy.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BandwidthLevel {
    /// `L1`, `L2`, `L3` or `memory`.
    pub name: String,
    /// Capacity in bytes that the machine states for it.
    pub stated: Option<f64>,
    /// Its bandwidth, or why that is not known.
    pub found: Result<Delivered, Reason>,
}

/// The bandwidth of a level where no other serves.
#[derive(Debug, Clone, Copy, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Delivered {
    /// Smallest working set in bytes.
    pub from: f64,
    /// Largest working set in bytes.
    pub to: f64,
    /// Median of the points in bytes per second.
    pub bytes_per_second: f64,
    /// Bandwidth in bytes per core cycle.
    pub per_cycle: Option<f64>,
    /// The best point in bytes per second.
    pub best: f64,
    /// Points.
    pub points: usize,
}

/// From this multiple of the last cache on, in passes one after another, hardly a line is still there.
const MEMORY_BEYOND: f64 = 3.0;

pub static ANALYSIS: Entry = Entry::of::<Vec<BandwidthCurve>>();

impl Analysis for Vec<BandwidthCurve> {
    const TITLE: &str = "Bandwidth of one core over working set, one per kernel.";
    const ORDER: u16 = 50;
    /// One for each measured kernel, in the record's order.
    fn compute(report: &Report<'_>) -> Self {
        let cases = report.cases(ProbeId::CacheBandwidth);
        cases
            .filter_map(|(index, run)| {
                let mut points: Vec<BandwidthPoint> = report
                    .of_case(index, Metric::Bandwidth)
                    .filter_map(|(i, e)| {
                        let frequency =
                            report.series(e).and_then(|s| s.frequency).filter(|hz| *hz > 0.0);
                        Some(BandwidthPoint {
                            bytes: param::WORKING_SET.of(&e.at).filter(|b| *b > 0.0)?,
                            bytes_per_second: e.median,
                            interval: e.interval,
                            per_cycle: frequency.map(|hz| e.median / hz),
                            estimate: i,
                        })
                    })
                    .collect();
                points.order_by(|a, b| a.bytes.total_cmp(&b.bytes));
                if points.is_empty() {
                    return None;
                }
                let caches = stated(report.record, run);
                let kernel = run.case.get(param::KERNEL).unwrap_or("read").to_owned();
                Some(BandwidthCurve {
                    run: index,
                    kernel,
                    levels: levels(&caches, &points),
                    points,
                })
            })
            .collect()
    }
}

fn levels(caches: &[(String, f64)], points: &[BandwidthPoint]) -> Vec<BandwidthLevel> {
    let mut levels = vec![];
    let mut below = 0.0;
    for (at, (name, capacity)) in caches.iter().enumerate() {
        let last = caches.len() > 1 && at + 1 == caches.len();
        let to = capacity * if last { BELOW_LAST } else { BELOW_CAPACITY };
        levels.push(BandwidthLevel {
            name: name.clone(),
            stated: Some(*capacity),
            found: delivered(name, points, below, to),
        });
        below = capacity * ABOVE_CAPACITY;
    }
    if let Some((_, last)) = caches.last() {
        levels.push(BandwidthLevel {
            name: "memory".into(),
            stated: None,
            found: delivered("memory", points, last * MEMORY_BEYOND, f64::INFINITY),
        });
    }
    levels
}

fn delivered(
    name: &str,
    points: &[BandwidthPoint],
    from: f64,
    to: f64,
) -> Result<Delivered, Reason> {
    let on: Vec<&BandwidthPoint> =
        points.iter().filter(|p| (from..=to).contains(&p.bytes)).collect();
    let values: Vec<f64> = on.iter().map(|p| p.bytes_per_second).collect();
    let (Some(sample), Some(first), Some(last)) = (Sample::new(&values), on.first(), on.last())
    else {
        let why = match to.is_finite() {
            true => say::no_set_delivers_between(words::bytes(from), words::bytes(to), name),
            false => say::no_set_delivers_from(words::bytes(from), name),
        };
        return Err(Reason::mended_by(why, say::FREE_MEMORY_OR_THOROUGH));
    };
    let per_cycle: Option<Vec<f64>> = on.iter().map(|p| p.per_cycle).collect();
    Ok(Delivered {
        from: first.bytes,
        to: last.bytes,
        bytes_per_second: sample.median(),
        per_cycle: per_cycle.and_then(|all| stats::median(&all)),
        best: sample.max(),
        points: on.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(kib: f64, rate: f64) -> BandwidthPoint {
        BandwidthPoint {
            bytes: kib * 1024.0,
            bytes_per_second: rate,
            interval: None,
            per_cycle: Some(rate / 4e9),
            estimate: 0,
        }
    }

    #[test]
    fn each_level_takes_only_what_it_alone_serves() {
        let caches = [("L1", 32.0), ("L2", 1024.0), ("L3", 32768.0)]
            .map(|(n, kib)| (n.into(), kib * 1024.0));
        let points = [
            point(8.0, 250e9),
            point(16.0, 256e9),
            point(32.0, 200e9),
            point(64.0, 120e9),
            point(512.0, 124e9),
            point(1024.0, 100e9),
            point(8192.0, 80e9),
            point(32768.0, 50e9),
        ];
        let found = levels(&caches, &points);
        let rate = |at: usize| found[at].found.as_ref().unwrap().bytes_per_second;
        assert_eq!([rate(0), rate(1), rate(2)], [253e9, 122e9, 80e9]);
        let l1 = found[0].found.as_ref().unwrap();
        assert_eq!((l1.best, l1.points, l1.per_cycle), (256e9, 2, Some(253e9 / 4e9)));
        assert_eq!(found[3].name, "memory");
        let why = found[3].found.as_ref().unwrap_err();
        assert!(why.why.contains("96 MiB"), "{why}");
    }
}
