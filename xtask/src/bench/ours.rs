//! Our side: the release binary is run like any user would, and its record read like any reader would.
use super::{
    original::{Pick, Setup},
    placement,
    process::{Call, Ran},
    summary,
};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The program under test.
#[derive(Debug)]
pub(crate) struct Ours {
    pub(crate) binary: PathBuf,
    /// Whether it shares its CPU with an original, in turn.
    pub(crate) in_turn: bool,
}

/// A record, as the JSON it is.
#[derive(Debug)]
pub(crate) struct Record(pub(super) Value);

/// One quantity's value in one run of ours, in the record's unit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    /// Median of the undisturbed samples.
    pub(crate) median: f64,
    /// The least of them.
    pub(crate) least: f64,
    /// The largest of them.
    pub(crate) most: f64,
    /// The mean of them.
    pub(crate) mean: f64,
    /// Variant and memory: what was really run.
    pub(crate) how: String,
}

impl Ours {
    /// Measures these probes and returns the record and what the process used.
    pub(crate) fn measure(&self, arguments: &[&str]) -> Result<(Record, Ran), String> {
        self.command("run", arguments)
    }

    /// The same of another command that leaves a record.
    pub(crate) fn command(&self, name: &str, arguments: &[&str]) -> Result<(Record, Ran), String> {
        let file = super::folder().map_err(|e| e.to_string())?.join("record.json");
        let path = file.display().to_string();
        let binary = self.binary.display().to_string();
        let words = [&[&binary, name, "--record", &path], arguments].concat();
        let call = Call::started(&words);
        let call = if self.in_turn { call.in_turn() } else { call };
        let ran = call.run()?;
        // 1: findings; 3: the machine is not idle. Both have measured.
        if !matches!(ran.code, Some(0 | 1 | 3)) {
            return Err(format!("{}: exit code {:?}\n{}", call.words(), ran.code, ran.text));
        }
        Ok((Record::read(&file)?, ran))
    }

    /// What a plain run chooses: the main CPU and all CPUs.
    pub(crate) fn setup(&self) -> Result<Setup, String> {
        let (record, _) = self.measure(&["--only", "core_frequency,core_to_core"])?;
        let cpu = record.cpus("core_frequency").ok_or("cpulens did not say which CPU it uses")?;
        let all = record.cpus("core_to_core").unwrap_or_else(|| cpu.clone());
        Ok(Setup { cpu, cpus: list(&all)?, vectors: vectors(), ..Setup::default() })
    }
}

impl Record {
    fn read(file: &Path) -> Result<Record, String> {
        let text = crate::tree::read(file)?;
        serde_json::from_str(&text).map(Record).map_err(|e| format!("{}: {e}", file.display()))
    }

    fn runs(&self) -> impl Iterator<Item = &Value> {
        self.0["runs"].as_array().into_iter().flatten()
    }

    /// Where a probe's first case was placed.
    pub(crate) fn cpus(&self, probe: &str) -> Option<String> {
        let run = self.runs().find(|r| r["case"]["probe"] == probe)?;
        run["case"]["place"]["cpus"].as_str().map(str::to_owned)
    }

    /// Seconds that a probe's cases took together.
    pub(crate) fn seconds(&self, probe: &str) -> f64 {
        let runs = self.runs().filter(|r| r["case"]["probe"] == probe);
        runs.filter_map(|r| r["took"].as_f64()).sum()
    }

    /// The largest buffer of all series, in bytes.
    pub(crate) fn largest_buffer(&self) -> u64 {
        let series = self.runs().flat_map(|r| r["outcome"]["measured"].as_array()).flatten();
        series.filter_map(|s| s["buffer"]["bytes"].as_u64()).max().unwrap_or(0)
    }

    /// The picked quantity, or why there is none.
    pub(crate) fn find(&self, pick: &Pick) -> Result<Found, String> {
        let mut why = format!("cpulens measured no such {}", pick.probe);
        let mut found = vec![];
        for run in self.runs().filter(|r| r["case"]["probe"] == pick.probe) {
            if !agrees(&run["case"]["params"], pick.case) {
                continue;
            }
            match run["outcome"]["measured"].as_array() {
                Some(series) => found.extend(series.iter().filter(|s| is(s, pick.at))),
                None => why = format!("cpulens did not measure it: {}", run["outcome"]),
            }
        }
        match found[..] {
            [] => Err(why),
            [series] => value(series).ok_or(why),
            // Attempts of a guarded case. A line's round trip differs fivefold between placements, so that attempts which
            // agree are one state; bandwidths of two states may lie as near as two samples.
            _ => {
                let values: Option<Vec<Found>> = found.into_iter().map(value).collect();
                let values = values.filter(|v| pick.probe == "core_to_core" && agree(v));
                values.and_then(|mut v| v.pop()).ok_or_else(|| MOVED.into())
            }
        }
    }
}

/// Why a guarded case has no one value.
pub(crate) const MOVED: &str = "the CPUs moved while cpulens measured it";

fn agree(values: &[Found]) -> bool {
    let least = values.iter().map(|v| v.median).fold(f64::INFINITY, f64::min);
    values.iter().all(|v| v.median <= least * placement::MOVED)
}

/// Whether a series has the wanted coordinates, of which `metric` is what it is of.
fn is(series: &Value, want: &[(&str, &str)]) -> bool {
    let (metric, at): (Vec<_>, Vec<_>) = want.iter().partition(|(key, _)| *key == "metric");
    metric.iter().all(|(_, value)| series["metric"] == *value) && agrees(&series["at"], &at)
}

/// Whether every wanted coordinate is there, as text.
fn agrees(have: &Value, want: &[(&str, &str)]) -> bool {
    want.iter().all(|(key, value)| match &have[key] {
        Value::String(text) => text == value,
        other => other.as_u64().is_some_and(|n| value.parse() == Ok(n)),
    })
}

fn value(series: &Value) -> Option<Found> {
    let marked: Vec<u64> = series["marks"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|m| m["sample"].as_u64())
        .collect();
    let samples: Vec<f64> =
        series["samples"].as_array()?.iter().filter_map(Value::as_f64).collect();
    let clean: Vec<f64> =
        (0u64..).zip(&samples).filter(|(i, _)| !marked.contains(i)).map(|(_, x)| *x).collect();
    let used = if clean.is_empty() { &samples } else { &clean };
    let median = summary::median(used)?;
    let least = used.iter().copied().fold(f64::INFINITY, f64::min);
    let most = used.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mean = used.iter().sum::<f64>() / used.len() as f64;
    let mut how: Vec<String> = vec![];
    how.extend(series["variant"].as_str().map(str::to_owned));
    if let Some(bytes) = series["buffer"]["bytes"].as_u64() {
        how.push(if bytes < 1 << 20 {
            format!("{} KiB", bytes >> 10)
        } else {
            format!("{} MiB", bytes >> 20)
        });
        how.extend(series["buffer"]["pages"].as_str().map(|p| format!("{p} pages")));
        how.extend(
            series["buffer"]["huge_share"].as_f64().map(|s| format!("{:.0} % huge", s * 100.0)),
        );
    }
    Some(Found { median, least, most, mean, how: how.join(", ") })
}

/// `0-2,5` as numbers.
fn list(cpus: &str) -> Result<Vec<u32>, String> {
    let number =
        |w: &str| w.trim().parse::<u32>().map_err(|_| format!("{cpus} is no list of CPUs"));
    let mut all = vec![];
    for part in cpus.split(',') {
        match part.split_once('-') {
            Some((first, last)) => all.extend(number(first)?..=number(last)?),
            None => all.push(number(part)?),
        }
    }
    Ok(all)
}

/// The widest vectors of this machine, as likwid-bench calls them; nothing where it has none we compare.
fn vectors() -> Option<&'static str> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let flags: Vec<&str> = info.lines().find(|l| l.starts_with("flags"))?.split(' ').collect();
    [("avx512f", "avx512"), ("avx", "avx")]
        .iter()
        .find(|(f, _)| flags.contains(f))
        .map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let text = r#"{"runs": [
            {"case": {"probe": "stream", "params": {"threads": "one"}, "place": {"cpus": "1"}},
             "outcome": {"measured": [
                {"at": {"kernel": "copy"}, "samples": [1.0, 9.0, 3.0], "marks": [{"sample": 1}],
                 "variant": "avx2", "buffer": {"bytes": 4194304, "pages": "base", "huge_share": 0.0}},
                {"at": {"kernel": "add", "working_set": 64}, "samples": [5.0]}]}},
            {"case": {"probe": "stream", "params": {"threads": "all"}, "place": {"cpus": "0-1"}},
             "outcome": {"skipped": {"why": "one CPU"}}}]}"#;
        Record(serde_json::from_str(text).unwrap())
    }
    const fn pick(case: &'static [(&str, &str)], at: &'static [(&str, &str)]) -> Pick {
        Pick { probe: "stream", case, at }
    }

    #[test]
    fn the_median_leaves_disturbed_samples_out() {
        let found = record().find(&pick(&[("threads", "one")], &[("kernel", "copy")])).unwrap();
        assert_eq!((found.least, found.median, found.most), (1.0, 2.0, 3.0));
        assert_eq!(found.how, "avx2, 4 MiB, base pages, 0 % huge");
    }

    #[test]
    fn numbers_are_coordinates_too_and_reasons_are_passed_on() {
        let found = record().find(&pick(&[], &[("working_set", "64")])).unwrap();
        assert_eq!(found.median, 5.0);
        let why = record().find(&pick(&[("threads", "all")], &[])).unwrap_err();
        assert!(why.contains("one CPU"), "{why}");
        assert!(record().find(&pick(&[("threads", "one")], &[])).unwrap_err().contains("moved"));
    }

    #[test]
    fn attempts_that_agree_are_one_state() {
        let trips = |second: f64| {
            let text = format!(
                r#"{{"runs": [{{"case": {{"probe": "core_to_core", "params": {{}}}}, "outcome": {{"measured": [
                    {{"at": {{"attempt": 1}}, "samples": [5e-8]}}, {{"at": {{"attempt": 2}}, "samples": [{second}]}}]}}}}]}}"#
            );
            let record = Record(serde_json::from_str(&text).unwrap());
            record.find(&Pick { probe: "core_to_core", case: &[], at: &[] }).map(|f| f.median)
        };
        assert_eq!(trips(6e-8), Ok(6e-8));
        assert_eq!(trips(25e-8), Err(MOVED.to_owned()));
    }

    #[test]
    fn places_and_buffers_are_read() {
        assert_eq!(record().cpus("stream").as_deref(), Some("1"));
        assert_eq!(record().largest_buffer(), 4 << 20);
        assert_eq!(list("0-2,5"), Ok(vec![0, 1, 2, 5]));
        assert!(list("all").is_err());
    }
}
