//! Our side: the release binary is run like any user would, and its record is read.
use crate::{
    call::{Call, CallResult},
    original::{Pair, Setup, Statistic},
};
use record::{CpuSet, Record, Run, Series, Value};
use stats::Sample;
use std::{collections::BTreeMap, fs, path::PathBuf};
use tempfile::TempDir;

/// The program under test.
#[derive(Debug)]
pub(crate) struct Ours {
    pub(crate) binary: PathBuf,
    /// Whether it shares its CPU with an original, in turn.
    pub(crate) in_turn: bool,
    /// The folder of records and outputs while the chore runs.
    pub(crate) folder: TempDir,
}

/// One quantity's value in one run of ours, in the pair's unit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    pub(crate) value: f64,
    /// Variant and memory: what was really run.
    pub(crate) how: String,
}

/// The exit code of a run that measured and saved.
pub(crate) const MEASURED: [i32; 1] = [0];

/// Placements of CPUs differ by more than this factor in the round trip of a line; runs in one placement by less
/// (`probes::placement_check` uses the same).
const MOVED_BY: f64 = 1.5;
/// The reason why a guarded case has no single value.
pub(crate) const MOVED: &str = "the CPUs moved while cpulens measured it";

impl Ours {
    pub(crate) fn call(&self, arguments: &[&str]) -> Call {
        let binary = self.binary.display().to_string();
        let call = Call::new(&[&[binary.as_str()], arguments].concat());
        if self.in_turn { call.in_turn() } else { call }
    }
    /// Measures these probes: the record, and what the process used.
    pub(crate) fn measure(&self, arguments: &[&str]) -> Result<(Record, CallResult), String> {
        let file = self.folder.path().join("record.json");
        let path = file.display().to_string();
        let ran = self
            .call(&[&["run", "--force", "--record", &path], arguments].concat())
            .done(&MEASURED)?;
        let bytes = fs::read(&file).map_err(|e| format!("{path}: {e}"))?;
        Ok((record::from_slice(&bytes).map_err(|e| format!("{path}: {e}"))?, ran))
    }
    /// The main CPU and all CPUs, as a plain run chooses them.
    pub(crate) fn setup(&self) -> Result<Setup, String> {
        let (record, _) = self.measure(&["--only", "core_frequency,core_to_core"])?;
        let cpus = |probe: &str| -> Option<CpuSet> {
            Some(record.runs.iter().find(|r| r.case.probe == probe)?.case.place.cpus.clone())
        };
        let cpu = cpus("core_frequency").ok_or("cpulens did not say which CPU it uses")?;
        let cpus = cpus("core_to_core").unwrap_or_else(|| cpu.clone());
        Ok(Setup { cpu, cpus, vectors: vectors(), ..Setup::default() })
    }
    /// The round trip of a line between two CPUs, in seconds, which tells where a hypervisor has put them at the moment; nothing
    /// where they moved during the check itself. It takes about a second.
    pub(crate) fn round_trip(&self) -> Option<f64> {
        let (record, _) = self.measure(&["--only", "core_to_core"]).ok()?;
        let series = record.runs.iter().filter(|r| r.case.probe == "core_to_core");
        one_placement(&series.flat_map(Run::series).collect::<Vec<_>>())
    }
}

/// The largest buffer of all series, in bytes.
pub(crate) fn largest_buffer(record: &Record) -> u64 {
    let buffers = record.runs.iter().flat_map(Run::series).filter_map(|s| s.buffer.as_ref());
    buffers.map(|buffer| buffer.bytes).max().unwrap_or(0)
}

/// The quantity of a pair, or why there is none.
pub(crate) fn find(record: &Record, pair: &Pair) -> Result<Found, String> {
    let cases: Vec<&Run> = record
        .runs
        .iter()
        .filter(|r| r.case.probe == pair.probe.as_str() && agrees(&r.case.params, &pair.case))
        .collect();
    let series: Vec<&Series> =
        cases.iter().flat_map(|r| r.series()).filter(|s| is_at(s, &pair.at)).collect();
    let value = match series[..] {
        [] => {
            let why = cases.first().map(|run| format!("{:?}", run.outcome));
            return Err(why.unwrap_or(format!("cpulens measured no such {}", pair.probe)));
        }
        [one] => statistic(one, pair.ours),
        // Attempts of a guarded case. A line's round trip differs fivefold between placements, so that attempts which agree
        // are one placement; bandwidths of two placements may lie as near as two samples.
        _ if pair.probe == "core_to_core" => {
            one_placement(&series).and_then(|_| statistic(series[series.len() - 1], pair.ours))
        }
        _ => None,
    };
    let value = value.ok_or(MOVED)? * pair.factor();
    Ok(Found { value, how: how(series[series.len() - 1]) })
}

/// The last median, if all are near each other.
fn one_placement(series: &[&Series]) -> Option<f64> {
    let medians: Option<Vec<f64>> =
        series.iter().map(|s| statistic(s, Statistic::Median)).collect();
    let medians = medians?;
    let least = medians.iter().copied().reduce(f64::min)?;
    medians.iter().all(|m| *m <= least * MOVED_BY).then(|| medians.last().copied())?
}

/// The placements that round trips tell apart, as one round trip each, least first.
pub(crate) fn placements(round_trips: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<f64> = round_trips.collect();
    sorted.sort_by(f64::total_cmp);
    let mut least: Vec<f64> = vec![];
    for trip in sorted {
        if least.last().is_none_or(|least| trip > least * MOVED_BY) {
            least.push(trip);
        }
    }
    least
}

fn is_at(series: &Series, want: &BTreeMap<String, String>) -> bool {
    let mut at = want.clone();
    let metric = at.remove("metric");
    metric.is_none_or(|metric| series.metric == metric.as_str()) && agrees(&series.at, &at)
}

/// Whether every wanted coordinate is there, as text.
fn agrees(have: &BTreeMap<String, Value>, want: &BTreeMap<String, String>) -> bool {
    let text = |value: &Value| {
        let mut text = String::new();
        value.write_to(&mut text);
        text
    };
    want.iter().all(|(name, value)| have.get(name).is_some_and(|found| text(found) == *value))
}

fn statistic(series: &Series, which: Statistic) -> Option<f64> {
    let undisturbed = series.undisturbed();
    let sample = Sample::new(&undisturbed)?;
    Some(match which {
        Statistic::Median | Statistic::Half => sample.median(),
        Statistic::Mean => sample.mean(),
        Statistic::Least => sample.min(),
        Statistic::Best => sample.max(),
    })
}

fn how(series: &Series) -> String {
    let mut how: Vec<String> = series.variant.iter().cloned().collect();
    if let Some(buffer) = &series.buffer {
        how.push(match buffer.bytes {
            small if small < 1 << 20 => format!("{} KiB", small >> 10),
            large => format!("{} MiB", large >> 20),
        });
        how.push(format!("{} pages", buffer.pages));
        how.extend(buffer.huge_share.map(|share| format!("{:.0} % huge", share * 100.0)));
    }
    how.join(", ")
}

/// The widest vectors of this machine, as likwid-bench calls them; nothing where it has none we compare.
fn vectors() -> Option<&'static str> {
    let info = fs::read_to_string("/proc/cpuinfo").ok()?;
    let flags: Vec<&str> = info.lines().find(|l| l.starts_with("flags"))?.split(' ').collect();
    let wide = [("avx512f", "avx512"), ("avx", "avx")];
    wide.iter().find(|(flag, _)| flags.contains(flag)).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::original::tests::every_pair;
    use record::param;

    fn series(metric: &str, samples: &[f64]) -> Series {
        let series = Series::new(metric, record::Unit::Seconds, record::Better::Lower);
        Series { samples: samples.to_vec(), ..series }
    }

    #[test]
    fn disturbed_samples_are_left_out() {
        let mark = record::Disturbed { sample: 1, why: "switch".into() };
        let series = Series { disturbed: vec![mark], ..series("x", &[1.0, 9.0, 3.0]) };
        let of = |which| statistic(&series, which).unwrap();
        assert_eq!(
            [of(Statistic::Least), of(Statistic::Median), of(Statistic::Best)],
            [1.0, 2.0, 3.0]
        );
    }

    #[test]
    fn numbers_are_coordinates_too() {
        let series =
            series("load_to_use", &[1.0]).at(param::WORKING_SET, 64_u64).at(param::KERNEL, "copy");
        let want = |name: &str, value: &str| [(name.to_owned(), value.to_owned())].into();
        assert!(
            is_at(&series, &want("working_set", "64")) && is_at(&series, &want("kernel", "copy"))
        );
        assert!(is_at(&series, &want("metric", "load_to_use")));
        assert!(!is_at(&series, &want("metric", "x")) && !is_at(&series, &want("order", "random")));
    }

    #[test]
    fn attempts_that_agree_are_one_placement() {
        let trips = |second: f64| {
            one_placement(&[&series("round_trip", &[5e-8]), &series("round_trip", &[second])])
        };
        assert_eq!(trips(6e-8), Some(6e-8));
        assert_eq!(trips(25e-8), None);
        let states = placements([55e-9, 250e-9, 52e-9, 241e-9, 60e-9].into_iter());
        assert_eq!(states, [52e-9, 241e-9]);
    }

    #[test]
    fn half_a_round_trip_is_one_way() {
        let pairs = every_pair();
        let pair = pairs.iter().find(|p| p.probe == "core_to_core").unwrap();
        assert!((pair.factor() - 0.5e9).abs() < 1.0);
    }
}
