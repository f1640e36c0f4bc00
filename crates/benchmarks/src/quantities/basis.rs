//! The basis of a value: its source, and, for a single figure, its assumed error.
use crate::say;
use estimates::words::percent;
use record::{ProbeId, Record, Run, Text, param};

record::named! {
    /// The source of a value, the surest first.
    #[derive(serde::Serialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "snake_case")]
    pub enum Grade {
        /// Samples of this record, with an interval.
        Measured = "measured here",
        /// A tool's output that was imported.
        Printed = "printed by another tool",
        /// A figure of a publication that somebody measured.
        Published = "published figure",
        /// A figure that a publication states in prose.
        Stated = "stated in a publication",
    }
}

impl Grade {
    /// The source of the figures of a run.
    pub fn of(record: &Record, run: &Run) -> Grade {
        let Some(origin) = run.origin else { return Grade::Measured };
        let source = record.provenance.sources.get(origin.source as usize);
        match source.is_some_and(|s| s.publication.is_some()) {
            false => Grade::Printed,
            true if run.case.get(param::KIND) == Some("stated") => Grade::Stated,
            true => Grade::Published,
        }
    }
}

/// The basis of a value, or of several values the weakest.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Basis {
    /// The weakest grade.
    pub grade: Grade,
    /// How far a single figure may be off either way, a share of it, assumed for its kind of test; nothing where samples say so.
    pub prior: Option<f64>,
}

/// The assumed error of single figures of a kind of test. The first row that holds the probe counts.
const PRIORS: &[(&[ProbeId], f64)] = &[
    // Printed in whole seconds, of which 74 and more were taken.
    (&[ProbeId::Prime], 0.007),
    // Two like sockets of one published machine are 3.2 % apart.
    (&[ProbeId::LatMemRd, ProbeId::LmbenchStream, ProbeId::Stream, ProbeId::NumaMatrix], 0.03),
    // Five published block sizes scale alike within 0.1 %; frequency differs by more between runs.
    (&[ProbeId::OpensslSpeed, ProbeId::Bc, ProbeId::PerfStat, ProbeId::Time], 0.01),
    // Means over five minutes of runs whose CPU use is printed as ranges.
    (&[ProbeId::Sysbench, ProbeId::Tpcc], 0.03),
    // Twice the CV of 0.2 to 0.3 % that the author states.
    (&[ProbeId::UndisturbedSpeed], 0.006),
    // Three published repeats have a CV of up to 10 %.
    (&[ProbeId::Unixbench], 0.1),
];
/// A figure in prose has one or two digits; a test that no row names is known no better.
const OTHER: f64 = 0.1;

impl Basis {
    /// Own samples, or a fact.
    pub const MEASURED: Basis = Basis { grade: Grade::Measured, prior: None };

    /// The basis of the figures of a run.
    pub fn of(record: &Record, run: &Run) -> Basis {
        let grade = Grade::of(record, run);
        let measured = run.outcome.why().is_none();
        let single = !measured || run.series().iter().any(|s| s.samples.len() < 2);
        let prior = match grade {
            Grade::Measured => None,
            Grade::Stated => Some(OTHER),
            _ => single.then(|| {
                // A figure of lmbench whose loop is not printed has no probe of its own.
                let probe = match (run.case.get(param::TOOL), run.case.get(param::TEST)) {
                    (Some("lmbench stream"), _) => ProbeId::LmbenchStream,
                    (Some("irq_test"), _) => ProbeId::UndisturbedSpeed,
                    (Some("sysbench"), Some("cpu")) => ProbeId::Prime,
                    _ => run.case.probe,
                };
                let row = PRIORS.iter().find(|(probes, _)| probes.contains(&probe));
                row.map_or(OTHER, |(_, share)| *share)
            }),
        };
        Basis { grade, prior }
    }
    /// A figure in prose.
    pub const STATED: Basis = Basis { grade: Grade::Stated, prior: Some(OTHER) };

    /// The weaker of two in each respect.
    #[must_use]
    pub fn weakest(self, other: Basis) -> Basis {
        let prior = match (self.prior, other.prior) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        Basis { grade: self.grade.max(other.grade), prior }
    }
    /// Whether all of it was measured here.
    pub fn is_measured(&self) -> bool {
        self.grade == Grade::Measured
    }
    /// The ends of a single figure.
    pub fn ends(&self, value: f64) -> (f64, f64) {
        let off = self.prior.unwrap_or(0.0);
        (value * (1.0 - off), value * (1.0 + off))
    }
    /// In words: `published figure, +/-3 % assumed`.
    pub fn words(&self) -> Text {
        match self.prior {
            Some(share) => say::basis_assumed(self.grade.name(), percent(share)),
            None => self.grade.name().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weakest_of_two_is_the_weaker_in_each_respect() {
        let printed = Basis { grade: Grade::Printed, prior: Some(0.1) };
        let published = Basis { grade: Grade::Published, prior: Some(0.03) };
        let both = printed.weakest(published);
        assert_eq!((both.grade, both.prior), (Grade::Published, Some(0.1)));
        assert_eq!(Basis::MEASURED.weakest(printed), printed);
        assert_eq!(both.words(), "published figure, +/-10 % assumed");
        assert!(Basis::MEASURED.is_measured() && !both.is_measured());
    }

    #[test]
    fn every_prior_has_a_reason_and_is_small() {
        for (probes, share) in PRIORS {
            assert!(!probes.is_empty() && *share > 0.0 && *share <= OTHER);
        }
    }
}
