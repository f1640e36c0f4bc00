//! What an original is: a program that others trust, and the quantities that both it and cpulens measure. The originals are rows
//! of `originals.toml`.
use crate::call::{Call, genuine};
use record::CpuSet;
use regex::Regex;
use serde::Deserialize;
use std::{collections::BTreeMap, path::PathBuf};

/// A program that is compared with, where it can be had, and what is compared.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Original {
    /// Its name on the command line.
    name: String,
    /// Programs that must be found.
    programs: Vec<String>,
    proof: String,
    source: String,
    #[serde(default)]
    variables: Coordinates,
    // Of its pairs, where they say nothing else.
    probe: String,
    #[serde(default)]
    case: Coordinates,
    unit: String,
    #[serde(default)]
    ours: Statistic,
    call: Option<String>,
    value: Option<String>,
    scale: Option<f64>,
    within: Option<f64>,
    at_least: Option<f64>,
    most: Option<usize>,
    pair: Vec<Row>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    quantity: String,
    probe: Option<String>,
    case: Option<Coordinates>,
    #[serde(default)]
    at: Coordinates,
    unit: Option<String>,
    call: Option<String>,
    value: Option<String>,
    scale: Option<f64>,
    within: Option<f64>,
    most: Option<usize>,
    #[serde(default)]
    information: bool,
}

/// Names and values, as text.
type Coordinates = BTreeMap<String, String>;

/// The statistic of our samples that is compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Statistic {
    #[default]
    Median,
    /// Half of it: one way of a round trip.
    Half,
    Mean,
    Least,
    Best,
}

/// One quantity, measured by both.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(crate) original: String,
    pub(crate) quantity: String,
    pub(crate) unit: String,
    /// The probe's parameters of the case, and the series' coordinates in it, of which `metric` is what it is of.
    pub(crate) probe: String,
    pub(crate) case: Coordinates,
    pub(crate) at: Coordinates,
    pub(crate) ours: Statistic,
    pub(crate) tolerance: Tolerance,
    /// No more rounds than this.
    pub(crate) most: usize,
    call: String,
    variables: Coordinates,
    value: Regex,
    scale: f64,
    /// Paths of the original's programs.
    programs: BTreeMap<String, PathBuf>,
}

/// The pairs of the originals that are wanted and here; says which are not.
pub(crate) fn pairs(wanted: impl Fn(&str) -> bool) -> Result<Vec<Pair>, String> {
    let mut pairs = vec![];
    for original in originals()?.into_iter().filter(|o| wanted(&o.name)) {
        let locate = |name: &String| Some((name.clone(), genuine(name, &original.proof)?));
        let found: Option<BTreeMap<_, _>> = original.programs.iter().map(locate).collect();
        match found {
            Some(programs) => pairs.extend(original.pairs(&programs)?),
            None => println!(
                "skipped {}: not found; it can be had from {}",
                original.name, original.source
            ),
        }
    }
    Ok(pairs)
}

/// The names of the originals.
pub(crate) fn names() -> Result<Vec<String>, String> {
    Ok(originals()?.into_iter().map(|original| original.name).collect())
}

fn originals() -> Result<Vec<Original>, String> {
    #[derive(Deserialize)]
    struct Table {
        original: Vec<Original>,
    }
    let table: Result<Table, _> = record::from_toml(include_str!("../originals.toml"));
    table.map(|table| table.original).map_err(|e| format!("originals.toml: {e}"))
}

impl Original {
    fn pairs(&self, programs: &BTreeMap<String, PathBuf>) -> Result<Vec<Pair>, String> {
        self.pair.iter().map(|row| self.pair(row, programs)).collect()
    }
    fn pair(&self, row: &Row, programs: &BTreeMap<String, PathBuf>) -> Result<Pair, String> {
        let lacks = |what: &str| format!("{}, {}: no {what}", self.name, row.quantity);
        let value = row.value.as_ref().or(self.value.as_ref()).ok_or_else(|| lacks("value"))?;
        let call = row.call.clone().or(self.call.clone()).ok_or_else(|| lacks("call"))?;
        let tolerance = match (row.within.or(self.within), self.at_least) {
            _ if row.information => Tolerance::None,
            (Some(share), _) => Tolerance::Within(share),
            (None, Some(share)) => Tolerance::AtLeast(share),
            (None, None) => Tolerance::None,
        };
        Ok(Pair {
            original: self.name.clone(),
            quantity: row.quantity.clone(),
            unit: row.unit.clone().unwrap_or(self.unit.clone()),
            probe: row.probe.clone().unwrap_or(self.probe.clone()),
            case: row.case.clone().unwrap_or(self.case.clone()),
            at: row.at.clone(),
            ours: self.ours,
            tolerance,
            most: row.most.or(self.most).unwrap_or(usize::MAX),
            call,
            variables: self.variables.clone(),
            value: Regex::new(value).map_err(|e| e.to_string())?,
            scale: row.scale.or(self.scale).unwrap_or(1.0),
            programs: programs.clone(),
        })
    }
}

impl Pair {
    /// Whether it is measured on more than one CPU, and so depends on where a hypervisor put them.
    pub(crate) fn needs_all_cpus(&self) -> bool {
        self.probe == "core_to_core" || self.case.get("threads").is_some_and(|t| t == "all")
    }
    /// The original's command; `None` if it cannot measure this here.
    pub(crate) fn call(&self, setup: &Setup) -> Option<Call> {
        let ends: Vec<u32> = setup.cpus.iter().take(2).collect();
        let known = [
            ("{threads}", Some(setup.cpus.len().to_string())),
            ("{first}", ends.first().map(u32::to_string)),
            ("{second}", ends.get(1).map(u32::to_string)),
            ("{vectors}", setup.vectors.map(str::to_owned)),
            ("{megabytes}", Some((setup.buffer / 1_000_000).to_string())),
        ];
        let filled = |text: &str| {
            known.iter().try_fold(text.to_owned(), |text, (name, value)| {
                match text.contains(name) {
                    true => Some(text.replace(name, value.as_deref()?)),
                    false => Some(text),
                }
            })
        };
        let line = filled(&self.call)?;
        let mut words: Vec<&str> = line.split(' ').collect();
        let program = self.programs.get(words[0]).map(|file| file.display().to_string());
        if let Some(program) = &program {
            words[0] = program;
        }
        let cpus = if self.needs_all_cpus() { &setup.cpus } else { &setup.cpu };
        let mut call = Call::new(&words).on(cpus);
        for (name, value) in &self.variables {
            call = call.with(name, &filled(value)?);
        }
        Some(match &setup.clock {
            Some(clock) => call.in_turn().with("LD_PRELOAD", &clock.display().to_string()),
            None => call,
        })
    }
    /// The value in what it printed, in the pair's unit.
    pub(crate) fn read(&self, text: &str) -> Option<f64> {
        let found = self.value.captures_iter(text).last()?;
        found[1].parse::<f64>().ok().map(|value| value * self.scale)
    }
    /// From the record's base unit to the pair's.
    pub(crate) fn factor(&self) -> f64 {
        let half = if self.ours == Statistic::Half { 0.5 } else { 1.0 };
        half * match self.unit.as_str() {
            "ns" => 1e9,
            "GB/s" | "GHz" => 1e-9,
            _ => 1.0,
        }
    }
}

/// The permitted difference of the medians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Tolerance {
    /// Either way, as a share.
    Within(f64),
    /// More is better, and ours may be less by this share only.
    AtLeast(f64),
    /// Not the same quantity; shown for information.
    None,
}

impl Tolerance {
    /// Whether ours over theirs is inside; nothing where there is no tolerance.
    pub(crate) fn admits(self, ratio: f64) -> Option<bool> {
        match self {
            Tolerance::Within(share) => Some((ratio - 1.0).abs() <= share),
            Tolerance::AtLeast(share) => Some(ratio >= 1.0 - share),
            Tolerance::None => None,
        }
    }
    pub(crate) fn text(self) -> String {
        match self {
            Tolerance::Within(share) => format!("+-{:.1} %", share * 100.0),
            Tolerance::AtLeast(share) => format!(">= -{:.1} %", share * 100.0),
            Tolerance::None => "none".into(),
        }
    }
}

/// Parameters that both sides share.
#[derive(Debug, Clone, Default)]
pub(crate) struct Setup {
    /// The CPU of single-threaded cases.
    pub(crate) cpu: CpuSet,
    pub(crate) cpus: CpuSet,
    /// Bytes of the buffer that our probe worked on.
    pub(crate) buffer: u64,
    /// The widest vectors, as likwid-bench calls them.
    pub(crate) vectors: Option<&'static str>,
    /// The library with another clock, where both sides share a CPU.
    pub(crate) clock: Option<PathBuf>,
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// All pairs, whatever is installed.
    pub(crate) fn every_pair() -> Vec<Pair> {
        let originals = originals().unwrap();
        originals.iter().flat_map(|o| o.pairs(&BTreeMap::new()).unwrap()).collect()
    }

    #[test]
    fn quantities_differ_and_every_call_names_a_program_of_the_original() {
        let originals = originals().unwrap();
        let mut seen = vec![];
        for pair in every_pair() {
            let key = (pair.original.clone(), pair.quantity.clone());
            assert!(!seen.contains(&key), "{key:?}");
            let original = originals.iter().find(|o| o.name == pair.original).unwrap();
            let program = pair.call.split(' ').next().unwrap();
            assert!(original.programs.iter().any(|name| name == program), "{key:?}");
            seen.push(key);
        }
    }

    #[test]
    fn what_originals_print_is_read() {
        let openssl = "version: 3.0.19\ntype           8192 bytes\nAES-256-GCM   3410257.32k\n\
                       rsa 2048 bits 0.000327s 0.000019s   3056.7  51441.7\n";
        let sysbench = "    events per second:  4394.43\n    total time:          2.0005s\n";
        for (original, quantity, text, value) in [
            ("mhz", "core frequency", "4511 MHz, 0.2217 nanosec clock\n", Some(4.511)),
            ("mhz", "core frequency", "-1 System too busy\n", None),
            ("sysbench", "primes below 10000, 1 thread", sysbench, Some(4394.43)),
            ("sysbench", "10000 times primes below 50000, 1 thread", sysbench, Some(20.005)),
            ("openssl", "AES-256-GCM, messages of 8192 bytes", openssl, Some(3.410_257_32)),
            ("openssl", "RSA-2048 signatures", openssl, Some(3056.7)),
            ("openssl", "SHA-256, 8192 bytes", "speed: Unknown algorithm\n", None),
            ("multichase", "load latency, 512 MiB, 4 KiB pages", " 160.9\n", Some(160.9)),
            ("multichase", "load latency, 512 MiB, 4 KiB pages", "usage: multichase\n", None),
            ("lat_mem_rd", "lat_mem_rd, 8 MiB", "\"stride=64\n8.00000 21.5\n", Some(21.5)),
            ("stream_c", "STREAM copy, 1 thread", "Copy:   43000.5  0.02 0.02\n", Some(43.0005)),
            (
                "stream",
                "lmbench stream copy",
                "STREAM copy latency: 0.81 nanoseconds\nSTREAM copy bandwidth: 19838.61 MB/sec\n",
                Some(19.838_61),
            ),
            ("likwid-bench", "copy, 1 thread", "MByte/s:\t\t20500.1\n", Some(20.5001)),
            (
                "cc_membw",
                "read from L1 (16 KiB)",
                "Using 1 threads\nSize (KB),Bandwidth (GB/s)\n16,206.986374,0,0,0\n",
                Some(206.986_374),
            ),
            (
                "core-to-core-latency",
                "core to core, one way",
                ",\n24.5,\nCPU: Model 7\n",
                Some(24.5),
            ),
            ("core-to-core-latency", "core to core, one way", "CPU: Some Model\n", None),
        ] {
            let pairs = every_pair();
            let pair = pairs.iter().find(|p| p.original == original && p.quantity == quantity);
            let read = pair.unwrap().read(text);
            let near = read.zip(value).is_none_or(|(a, b)| (a - b).abs() < 1e-9 * b);
            assert!(read.is_some() == value.is_some() && near, "{original}: {read:?}");
        }
    }

    #[test]
    fn a_call_has_the_machines_numbers_or_is_none() {
        let pairs = every_pair();
        let pair = |quantity: &str| pairs.iter().find(|p| p.quantity == quantity).unwrap();
        let cpus: CpuSet = "0-3".parse().unwrap();
        let setup = Setup { cpus, buffer: 512_000_000, ..Setup::default() };
        let words =
            |quantity: &str, setup: &Setup| Some(pair(quantity).call(setup)?.words.join(" "));
        assert_eq!(words("read, 1 thread", &setup), None);
        let wide = Setup { vectors: Some("avx512"), ..setup.clone() };
        let read = "likwid-bench -t load_avx512 -w N:512MB:1 -s 1";
        assert_eq!(words("read, 1 thread", &wide).as_deref(), Some(read));
        let two = "core-to-core-latency -b 1 --csv -c 0,1";
        assert_eq!(words("core to core, one way", &setup).as_deref(), Some(two));
        assert!(pair("STREAM copy, all threads").needs_all_cpus());
    }

    #[test]
    fn a_tolerance_may_be_one_sided() {
        assert_eq!(Tolerance::Within(0.02).admits(1.021), Some(false));
        assert_eq!(Tolerance::Within(0.02).admits(0.981), Some(true));
        assert_eq!(Tolerance::AtLeast(0.02).admits(1.5), Some(true));
        assert_eq!(Tolerance::AtLeast(0.02).admits(0.97), Some(false));
        assert_eq!(Tolerance::None.admits(9.0), None);
    }
}
