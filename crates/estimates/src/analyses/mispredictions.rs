//! The cost of a mispredicted branch.
use crate::analysis::{Analysis, Entry};
use crate::report::Report;
use record::{ProbeId, param};
use stats::Interval;

/// The cost of one mispredicted branch.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Misprediction {
    /// Kind of core, on hybrid machines.
    pub kind: Option<String>,
    /// Seconds: (random - constant) over the half of the guesses that fail.
    pub seconds: f64,
    /// 95 % interval in seconds: the errors of both medians are taken as independent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// The cost in core cycles, by the frequency measured beside the random branches.
    pub cycles: Option<f64>,
    /// Index into `Report::estimates` of the branches that none mispredicts.
    pub constant: usize,
    /// And of those of which half are mispredicted.
    pub random: usize,
}

/// The share of guesses that fail on random branches.
const FAILING: f64 = 0.5;

pub static ANALYSIS: Entry = Entry::of::<Vec<Misprediction>>();

impl Analysis for Vec<Misprediction> {
    const TITLE: &str = "What a mispredicted branch costs, one per kind of core.";
    const ORDER: u16 = 110;
    /// One for each kind of core on which both kinds of branches were measured; nothing where random ones were not slower.
    fn compute(report: &Report<'_>) -> Self {
        let pattern = |wanted: &'static str| {
            report
                .of_probe(ProbeId::BranchMiss)
                .filter(move |(_, e)| param::PATTERN.of(&e.at) == Some(wanted))
        };
        pattern("random")
            .filter_map(|(random, r)| {
                let (constant, c) = pattern("constant").find(|(_, c)| c.run == r.run)?;
                let seconds = (r.median - c.median) / FAILING;
                let hertz = r.cycles.map(|cycles| cycles / r.median);
                let interval = r.interval.zip(c.interval).map(|(of, less)| Interval {
                    low: seconds - (r.median - of.low).hypot(less.high - c.median) / FAILING,
                    high: seconds + (of.high - r.median).hypot(c.median - less.low) / FAILING,
                    ..of
                });
                (seconds > 0.0).then(|| Misprediction {
                    kind: report.text(r, param::KIND),
                    seconds,
                    interval: interval.filter(|i| i.low > 0.0),
                    cycles: hertz.map(|hz| seconds * hz),
                    constant,
                    random,
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use record::{Better, Series, Unit};

    fn series(metric: &str, value: f64, hertz: f64) -> Series {
        let new = Series::new(metric, Unit::Seconds, Better::Lower);
        Series { samples: vec![value], frequency: Some(hertz), ..new }
    }

    #[test]
    fn a_misprediction_is_twice_what_random_branches_take_longer() {
        let branches = |random: f64| {
            let mut record = example::empty();
            let all = vec![
                series("time_per_branch", 1e-9, 2e9).at(param::PATTERN, "constant"),
                series("time_per_branch", random, 4e9).at(param::PATTERN, "random"),
            ];
            example::measured(&mut record, "branch_miss", &[], all);
            Vec::<Misprediction>::compute(&Report::new(&record))
        };
        let found = branches(3e-9);
        assert!((found[0].seconds - 4e-9).abs() < 1e-18);
        assert!((found[0].cycles.unwrap() - 16.0).abs() < 1e-9);
        assert_eq!((found[0].constant, found[0].random), (0, 1));
        assert!(branches(0.9e-9).is_empty());
        assert!(found[0].interval.is_none(), "one sample each");
    }
}
