//! What an original is: a program others trust, and the quantities that both it and cpulens measure.
use super::{ours::Found, process::Call};
use std::path::PathBuf;

/// A program that is compared with, where it can be had, and what is compared.
#[derive(Debug)]
pub(crate) struct Original {
    /// What it is called on the command line of the chore.
    pub(crate) name: &'static str,
    /// Programs that must be found.
    pub(crate) programs: &'static [&'static str],
    /// What the file of a genuine one holds: names as common as `stream` have other owners.
    pub(crate) proof: &'static str,
    /// Where it can be had.
    pub(crate) source: &'static str,
    pub(crate) pairs: &'static [Pair],
}

impl Original {
    /// Where its programs lie, if all of them do.
    pub(crate) fn located(&self) -> Option<Vec<(&'static str, PathBuf)>> {
        let path = std::env::var_os("PATH")?;
        let genuine = |file: &PathBuf| {
            let proof = self.proof.as_bytes();
            std::fs::read(file).is_ok_and(|bytes| bytes.windows(proof.len()).any(|w| w == proof))
        };
        let locate = |program: &&'static str| {
            let mut files = std::env::split_paths(&path).map(|folder| folder.join(program));
            files.find(genuine).map(|file| (*program, file))
        };
        self.programs.iter().map(locate).collect()
    }
}

/// One quantity, measured by both.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(crate) quantity: &'static str,
    pub(crate) unit: Unit,
    pub(crate) ours: Pick,
    /// How the original is called; nothing where it cannot measure this here.
    pub(crate) call: fn(&Setup) -> Option<Call>,
    /// The value in what it printed, in the pair's unit.
    pub(crate) read: fn(&str) -> Option<f64>,
    pub(crate) tolerance: Tolerance,
    /// No more rounds than this: some calls take minutes.
    pub(crate) most: usize,
}

/// As many rounds as asked for.
pub(crate) const ANY: usize = usize::MAX;

/// What values are shown in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Half of a time recorded in seconds: one way of a round trip.
    HalfNanoseconds,
    Gigabytes,
    /// Of our samples the best, which is what the original prints.
    BestGigabytes,
    /// Of our samples the least, which is what the original prints.
    LeastNanoseconds,
    /// Of our samples the mean, which is what the original prints.
    MeanNanoseconds,
    Gigahertz,
    Seconds,
    PerSecond,
}

impl Unit {
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Unit::LeastNanoseconds | Unit::MeanNanoseconds | Unit::HalfNanoseconds => "ns",
            Unit::Gigabytes | Unit::BestGigabytes => "GB/s",
            Unit::Gigahertz => "GHz",
            Unit::Seconds => "s",
            Unit::PerSecond => "/s",
        }
    }
    /// From the record's base unit.
    pub(crate) fn scale(self) -> f64 {
        match self {
            Unit::LeastNanoseconds | Unit::MeanNanoseconds => 1e9,
            Unit::HalfNanoseconds => 0.5e9,
            Unit::Gigabytes | Unit::BestGigabytes | Unit::Gigahertz => 1e-9,
            Unit::Seconds | Unit::PerSecond => 1.0,
        }
    }
    /// Our value in the record's base unit.
    pub(crate) fn of(self, found: &Found) -> f64 {
        match self {
            Unit::BestGigabytes => found.most,
            Unit::LeastNanoseconds => found.least,
            Unit::MeanNanoseconds => found.mean,
            _ => found.median,
        }
    }
}

/// Which series of a record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pick {
    pub(crate) probe: &'static str,
    /// The case's parameters.
    pub(crate) case: &'static [(&'static str, &'static str)],
    /// The series' coordinates, as text.
    pub(crate) at: &'static [(&'static str, &'static str)],
}

impl Pick {
    /// Whether it is measured on more than one CPU, and so depends on where a hypervisor put them.
    pub(crate) fn many(&self) -> bool {
        self.probe == "core_to_core" || self.case.contains(&("threads", "all"))
    }
    /// Whether it does one load after the other, and so leaves memory to others.
    pub(crate) fn waits(&self) -> bool {
        ["load_latency", "lat_mem_rd"].contains(&self.probe)
    }
}

/// How far apart the medians may be.
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

/// What both sides are given alike.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Setup {
    /// The CPU of single-threaded cases.
    pub(crate) cpu: String,
    /// All CPUs, as a list.
    pub(crate) cpus: Vec<u32>,
    /// Bytes of the buffer that our probe worked on.
    pub(crate) buffer: u64,
    /// The widest vectors, as likwid-bench calls them.
    pub(crate) vectors: Option<&'static str>,
    /// Where the originals' programs lie.
    pub(crate) programs: Vec<(&'static str, PathBuf)>,
    /// The library with another clock, where both sides share a CPU.
    pub(crate) clock: Option<PathBuf>,
}

impl Setup {
    /// A call of an original's program.
    pub(crate) fn call(&self, program: &str) -> Call {
        let found = self.programs.iter().find(|(name, _)| *name == program);
        let call = Call::new(found.map_or(PathBuf::from(program), |(_, file)| file.clone()));
        match &self.clock {
            Some(clock) => call.in_turn().with(&[("LD_PRELOAD", &clock.display().to_string())]),
            None => call,
        }
    }
    /// All CPUs as `taskset` and others take them.
    pub(crate) fn all(&self) -> String {
        let words: Vec<String> = self.cpus.iter().map(u32::to_string).collect();
        words.join(",")
    }
}

/// The number in the given column (from 0) of the first line that begins with `start`.
pub(crate) fn column(text: &str, start: &str, column: usize) -> Option<f64> {
    let line = text.lines().find(|l| l.trim_start().starts_with(start))?;
    line.split_whitespace().nth(column)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tolerance_may_be_one_sided() {
        assert_eq!(Tolerance::Within(0.02).admits(1.021), Some(false));
        assert_eq!(Tolerance::Within(0.02).admits(0.981), Some(true));
        assert_eq!(Tolerance::AtLeast(0.02).admits(1.5), Some(true));
        assert_eq!(Tolerance::AtLeast(0.02).admits(0.97), Some(false));
        assert_eq!(Tolerance::None.admits(9.0), None);
    }

    #[test]
    fn columns_are_found_by_how_their_line_begins() {
        let text = "Function    Best\nCopy:  43000.5  0.02\nScale:  41000.0\n";
        assert_eq!(column(text, "Copy:", 1), Some(43000.5));
        assert_eq!(column(text, "Scale:", 2), None);
        assert_eq!(column(text, "Triad:", 1), None);
    }
}
