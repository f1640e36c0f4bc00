//! A/A: records of one machine compared with each other. Whatever is called different is false.
use crate::compare::{Comparison, Sure, Verdict};
use std::collections::BTreeMap;

/// The result of comparing a machine with itself.
#[derive(Debug, Clone, Default, serde::Serialize)]
pub struct FalseDifferences {
    /// Pairs of runs.
    pub pairs: usize,
    /// The rows of all groups.
    #[serde(flatten)]
    pub all: OfGroup,
    /// Headlines with a verdict, over all pairs.
    pub groups: usize,
    /// Those that were called faster or slower.
    pub groups_different: usize,
    /// The rows of each group.
    pub by_group: BTreeMap<&'static str, OfGroup>,
}

/// Rows over all pairs.
#[derive(Debug, Clone, Default, serde::Serialize)]
pub struct OfGroup {
    /// Those with a verdict.
    pub rows: usize,
    /// Those that were called better, worse or different.
    pub rows_different: usize,
    /// Intervals of a run.
    pub intervals: usize,
    /// Those that hold the other run's median.
    pub intervals_hold: usize,
}

impl OfGroup {
    /// Share of intervals that hold the other run's median.
    pub fn coverage(&self) -> Option<f64> {
        share(self.intervals_hold, self.intervals)
    }
}

impl FalseDifferences {
    /// Adds the second record of a comparison, set against its baseline.
    pub fn add(&mut self, of: &Comparison) {
        for side in of.others() {
            self.pairs += 1;
            let sure = of.headlines.iter().filter_map(|h| Some(h.sides[side].as_ref()?.sure));
            for sure in sure.filter(|sure| *sure != Sure::NoSpread) {
                self.groups += 1;
                self.groups_different += usize::from(sure == Sure::Significant);
            }
            for row in &of.rows {
                let Some(against) = row.against(side) else { continue };
                if matches!(against.verdict, Verdict::NoSpread | Verdict::Unclaimed) {
                    continue;
                }
                let differs = matches!(
                    against.verdict,
                    Verdict::Better | Verdict::Worse | Verdict::Different
                );
                let both = row.cells[of.baseline].as_ref().zip(row.cells[side].as_ref());
                let both = both.map_or(vec![], |(a, b)| vec![(a, b), (b, a)]);
                let holds = both.iter().filter_map(|(of, other)| {
                    Some(of.interval?.low <= other.median && other.median <= of.interval?.high)
                });
                let holds: Vec<bool> = holds.collect();
                let group = self.by_group.entry(row.group.name()).or_default();
                for counts in [&mut self.all, group] {
                    counts.rows += 1;
                    counts.rows_different += usize::from(differs);
                    counts.intervals += holds.len();
                    counts.intervals_hold += holds.iter().filter(|holds| **holds).count();
                }
            }
        }
    }
    /// Share of rows that were called different; nothing without rows.
    pub fn of_rows(&self) -> Option<f64> {
        share(self.all.rows_different, self.all.rows)
    }
    /// Share of headlines that were called faster or slower.
    pub fn of_groups(&self) -> Option<f64> {
        share(self.groups_different, self.groups)
    }
}

fn share(some: usize, all: usize) -> Option<f64> {
    (all > 0).then(|| some as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Gathering;
    use record::{Better, Metric, Record, Series, Unit};

    fn run(level: f64) -> Record {
        let mut record = crate::example::empty();
        for kernel in ["read", "write", "copy", "triad", "scale", "add"] {
            let mut s = Series::new(Metric::Bandwidth, Unit::BytesPerSecond, Better::Higher);
            s.samples = (0..14).map(|i| level * (1.0 + 0.001 * f64::from(i % 3))).collect();
            s.visits = vec![7, 7];
            crate::example::measured(&mut record, "bandwidth", &[("kernel", kernel)], vec![s]);
        }
        record.runs.iter_mut().for_each(|run| run.visits = vec![Default::default(); 2]);
        record
    }

    fn of(a: &Record, b: &Record) -> FalseDifferences {
        let mut gathering = Gathering::new();
        gathering.add("a", a);
        gathering.add("b", b);
        let mut found = FalseDifferences::default();
        found.add(&gathering.finish(0));
        found
    }

    #[test]
    fn a_machine_is_like_itself_and_unlike_another() {
        let same = of(&run(1e10), &run(1.001e10));
        assert_eq!((same.pairs, same.of_rows(), same.of_groups()), (1, Some(0.0), Some(0.0)));
        assert_eq!(same.all.coverage(), Some(1.0));
        let other = of(&run(1e10), &run(1.3e10));
        assert_eq!((other.of_rows(), other.of_groups()), (Some(1.0), Some(1.0)));
        assert_eq!(
            (other.all.coverage(), FalseDifferences::default().of_rows()),
            (Some(0.0), None)
        );
    }
}
