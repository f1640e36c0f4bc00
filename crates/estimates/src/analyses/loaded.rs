//! Latency while others use the bandwidth: where it begins to rise.
use crate::analyses::curves::is_memory;
use crate::analysis::{Analysis, Entry};
use crate::report::Report;
use record::{Metric, ProbeId, param};
use stats::Interval;

/// Latency of one core against the bandwidth that others use.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Debug, Clone, Copy, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoadedPoint {
    /// From 0, nothing, to the highest, all they can.
    pub level: u64,
    /// The bandwidth of the others, in bytes per second.
    pub injected: f64,
    /// Seconds per load.
    pub seconds: f64,
    /// 95 % interval in seconds.
    pub interval: Option<Interval>,
    /// Index into `Report::estimates`.
    pub estimate: usize,
}

/// The knee is where a load costs half as much again as on an idle machine: beyond it queues form.
pub const KNEE: f64 = 1.5;

pub static ANALYSIS: Entry = Entry::of::<Vec<Loaded>>();

impl Analysis for Vec<Loaded> {
    const TITLE: &str = "Latency against the bandwidth that others use, one for each kind of load.";
    const ORDER: u16 = 150;
    /// One curve for each kind of load, in the record's order.
    fn compute(report: &Report<'_>) -> Self {
        let cases = report.cases(ProbeId::LoadedLatency);
        cases
            .filter_map(|(i, run)| {
                let inject = run.case.get(param::INJECT).unwrap_or("read").to_owned();
                let of = |metric: Metric, level: u64| {
                    let mut all = report.of_case(i, metric);
                    all.rfind(|(_, e)| param::LEVEL.of(&e.at) == Some(level))
                };
                let latencies = report.of_case(i, Metric::LoadedLatency);
                let highest = latencies.filter_map(|(_, e)| param::LEVEL.of(&e.at)).max()?;
                let mut points: Vec<LoadedPoint> = (0..=highest.min(1000))
                    .filter_map(|level| {
                        let (estimate, latency) = of(Metric::LoadedLatency, level)?;
                        let (_, load) = of(Metric::Injected, level)?;
                        if !is_memory(run.series().get(latency.series)?) {
                            return None;
                        }
                        Some(LoadedPoint {
                            level,
                            injected: load.median,
                            seconds: latency.median,
                            interval: latency.interval,
                            estimate,
                        })
                    })
                    .filter(|p| p.seconds > 0.0 && p.injected >= 0.0)
                    .collect();
                points.sort_by(|a, b| a.injected.total_cmp(&b.injected));
                let idle = points.iter().find(|p| p.level == 0).map(|p| p.seconds);
                let knee = idle.and_then(|idle| knee(&points, idle));
                (!points.is_empty()).then_some(Loaded { run: i, inject, points, idle, knee })
            })
            .collect()
    }
}

/// The most bandwidth with which a load still costs less than [`KNEE`] times an idle one: nothing if it always does.
fn knee(points: &[LoadedPoint], idle: f64) -> Option<f64> {
    let beyond = points.iter().position(|p| p.seconds > idle * KNEE)?;
    Some(points[..beyond].last().map_or(0.0, |p| p.injected))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use record::{Better, Buffer, Disturbed, INJECTORS_PAUSED, Metric, Series, Unit};

    fn curve(levels: &[(f64, f64)]) -> Vec<Loaded> {
        let mut record = example::empty();
        let mut all = vec![];
        for (level, (gb, ns)) in (0u64..).zip(levels) {
            let mut s = Series::new(Metric::LoadedLatency, Unit::Seconds, Better::Lower);
            s.samples = vec![ns * 1e-9];
            let mut b = Series::new(Metric::Injected, Unit::BytesPerSecond, Better::Higher);
            b.samples = vec![gb * 1e9];
            all.extend([s.at(param::LEVEL, level), b.at(param::LEVEL, level)]);
        }
        example::measured(&mut record, "loaded_latency", &[("inject", "read")], all);
        Vec::<Loaded>::compute(&Report::new(&record))
    }

    #[test]
    fn the_knee_is_the_last_level_before_the_climb() {
        let found =
            curve(&[(0.0, 100.0), (10.0, 105.0), (20.0, 140.0), (25.0, 220.0), (26.0, 400.0)]);
        assert_eq!(found[0].knee, Some(20.0 * 1e9));
        assert_eq!((found[0].idle, found[0].points.len()), (Some(100.0 * 1e-9), 5));
        assert_eq!(curve(&[(0.0, 100.0), (10.0, 149.0)])[0].knee, None);
        assert_eq!(curve(&[(0.0, 100.0), (10.0, 500.0)])[0].knee, Some(0.0));
    }

    #[test]
    fn a_level_that_nobody_injected_and_a_ring_in_the_cache_are_left_out() {
        let (mut record, mut all) = (example::empty(), vec![]);
        let levels =
            [(0, vec![], 16.0), (1, vec![0], 16.0), (2, vec![0, 1], 16.0), (3, vec![], 3.9)];
        for (level, marked, ratio) in levels {
            for metric in [Metric::LoadedLatency, Metric::Injected] {
                let new = Series::new(metric, Unit::Seconds, Better::Lower);
                let mark = |sample| Disturbed { sample, why: INJECTORS_PAUSED.into() };
                let disturbed = marked.iter().copied().map(mark).collect();
                let buffer = Some(Buffer { llc_ratio: Some(ratio), ..Buffer::default() });
                let series = Series { samples: vec![1.0, 2.0], disturbed, buffer, ..new };
                all.push(series.at(param::LEVEL, level as u64));
            }
        }
        example::measured(&mut record, "loaded_latency", &[("inject", "read")], all);
        let found = Vec::<Loaded>::compute(&Report::new(&record));
        let points: Vec<(u64, f64)> =
            found[0].points.iter().map(|p| (p.level, p.injected)).collect();
        assert_eq!(points, [(0, 1.5), (1, 2.0)]);
    }

    #[test]
    fn without_levels_there_is_no_curve() {
        assert!(curve(&[]).is_empty());
    }
}
