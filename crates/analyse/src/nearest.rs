//! Which published machines are like a measured one: by the few figures whose definition a probe of ours repeats, so that
//! nothing but the machine and its system is compared. A remark, not a conclusion: published figures have no spread, and no
//! rule reads this (`docs/adr/0020`).
use record::{Case, Outcome, Record, Series, Unit};
use std::collections::BTreeMap;

/// Fewer figures in common are no likeness: any machine may meet another in one of them.
pub const FEWEST: usize = 2;
/// So many machines are named.
const NAMED: usize = 3;

/// A machine that was published, and how far it is from the measured one.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    /// Its name in the catalogue.
    pub name: String,
    /// How many times apart the two are: the root mean square of the logarithms of the figures' ratios, as a ratio. 1 is
    /// alike in every figure.
    pub apart: f64,
    /// What was compared.
    pub figures: Vec<NearFigure>,
}

/// A figure that both have.
#[derive(Debug, Clone, PartialEq)]
pub struct NearFigure {
    /// What it is.
    pub what: &'static str,
    /// The unit of both values.
    pub unit: Unit,
    /// The measured one.
    pub here: f64,
    /// The published one.
    pub there: f64,
}

/// Figures of a record that others may be compared with, by what they are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Figures(BTreeMap<&'static str, f64>);

impl Figures {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Those of a record: of ours what probes measured, of others what their tools printed.
    pub fn of(record: &Record) -> Figures {
        let mut found: BTreeMap<&'static str, f64> = BTreeMap::new();
        for run in &record.runs {
            let Outcome::Measured(all) = &run.outcome else { continue };
            for series in all {
                let known = FIGURES.iter().find(|f| match run.origin {
                    None => (f.own)(&run.case, series),
                    Some(_) => run.case.version == 0 && (f.published)(&run.case, series),
                });
                let clean = series.unmarked().into_iter().filter(|x| x.is_finite() && *x > 0.0);
                let clean: Vec<f64> = clean.collect();
                if let Some((figure, value)) = known.and_then(|f| Some((f, f.printed.of(&clean)?)))
                {
                    // A figure that is there several times is of several nodes, of which the least is the own one, or of
                    // several systems, of which the fastest tells most of the machine.
                    let entry = found.entry(figure.what).or_insert(value);
                    *entry = entry.min(value);
                }
            }
        }
        Figures(found)
    }
}

/// What a tool prints of its repetitions.
enum Printed {
    /// The least, as lmbench does.
    Least,
    /// Their mean, for which the median of ours stands.
    Mean,
}

impl Printed {
    fn of(&self, samples: &[f64]) -> Option<f64> {
        match self {
            Printed::Least => samples.iter().copied().reduce(f64::min),
            Printed::Mean => Some(stats::Sample::new(samples)?.median()),
        }
    }
}

/// A definition that is ours and another tool's.
struct Figure {
    what: &'static str,
    printed: Printed,
    own: fn(&Case, &Series) -> bool,
    published: fn(&Case, &Series) -> bool,
}

/// 64 MiB, lmbench's `64M`.
const SIZE: &str = "67108864";

/// Less is better of each, and all are times.
static FIGURES: &[Figure] = &[
    Figure {
        what: "lmbench stream copy, time of an element",
        printed: Printed::Least,
        own: |case, series| {
            is(case, "lmbench_stream", &[("lineage", "intel")])
                && named(series, "time_per_element", ("kernel", "copy"))
        },
        published: |case, series| {
            is(case, "lmbench_stream", &[("size", SIZE), ("statistic", "best")])
                && named(series, "time_per_element", ("kernel", "copy"))
        },
    },
    Figure {
        what: "lat_mem_rd -t at 64 MiB",
        printed: Printed::Least,
        own: |case, series| {
            is(case, "lat_mem_rd", &[("lineage", "intel"), ("size", "64"), ("stride", "64")])
                && named(series, "load_to_use", ("working_set", SIZE))
        },
        published: |case, series| {
            is(case, "lat_mem_rd", &[("order", "random"), ("stride", "64"), ("statistic", "least")])
                && named(series, "load_to_use", ("working_set", SIZE))
        },
    },
    Figure {
        what: "sysbench 0.4 prime 50000 on one core",
        printed: Printed::Mean,
        own: |case, series| own_prime(case, series, "one"),
        published: |case, series| prime(case, series, "1 physical core"),
    },
    Figure {
        what: "sysbench 0.4 prime 50000 on a pair of threads",
        printed: Printed::Mean,
        own: |case, series| own_prime(case, series, "siblings"),
        published: |case, series| prime(case, series, "1 SMT pair"),
    },
];

fn own_prime(case: &Case, series: &Series, threads: &str) -> bool {
    is(case, "prime", &[("sysbench", "0.4"), ("max_prime", "50000"), ("threads", threads)])
        && series.metric == "time_of_10000_events"
}

fn prime(case: &Case, series: &Series, placement: &str) -> bool {
    is(case, "sysbench", &[("test", "cpu"), ("primes", "50000"), ("placement", placement)])
        && series.metric == "elapsed"
}

/// A case of this probe with these parameters, that nobody stated or summed up.
fn is(case: &Case, probe: &str, params: &[(&str, &str)]) -> bool {
    let fits = |(name, value): &(&str, &str)| {
        case.params.get(*name).is_some_and(|v| v.to_string() == *value)
    };
    case.probe == probe && !case.params.contains_key("kind") && params.iter().all(fits)
}

fn named(series: &Series, metric: &str, (name, value): (&str, &str)) -> bool {
    series.metric == metric && series.at.get(name).is_some_and(|v| v.to_string() == value)
}

/// The published machines nearest to a measured one, the nearest first; none where too little can be compared. `others`
/// are asked only if there is anything to compare them with.
pub fn nearest(record: &Record, others: impl Iterator<Item = (String, Figures)>) -> Vec<Near> {
    if record.runs.iter().any(|run| run.origin.is_some()) {
        return vec![];
    }
    let here = Figures::of(record);
    if here.len() < FEWEST {
        return vec![];
    }
    let mut all: Vec<Near> = others.filter_map(|(name, there)| near(name, &here, &there)).collect();
    all.sort_by(|a, b| a.apart.total_cmp(&b.apart).then_with(|| a.name.cmp(&b.name)));
    all.truncate(NAMED);
    all
}

fn near(name: String, here: &Figures, there: &Figures) -> Option<Near> {
    let figures: Vec<NearFigure> = here
        .0
        .iter()
        .filter_map(|(what, here)| {
            let there = *there.0.get(what)?;
            Some(NearFigure { what, unit: Unit::Seconds, here: *here, there })
        })
        .collect();
    if figures.len() < FEWEST {
        return None;
    }
    let square = |f: &NearFigure| (f.here / f.there).ln().powi(2);
    let mean = figures.iter().map(square).sum::<f64>() / figures.len() as f64;
    Some(Near { name, apart: mean.sqrt().exp(), figures })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{empty, measured};
    use record::{Better, Origin};

    fn own(copy: f64, prime: f64) -> Record {
        let mut record = empty();
        put(&mut record, "lmbench_stream", 1, &[("lineage", "intel")], ("time_per_element", copy));
        let params = [("sysbench", "0.4"), ("max_prime", "50000"), ("threads", "one")];
        put(&mut record, "prime", 1, &params, ("time_of_10000_events", prime));
        record
    }

    fn put(
        record: &mut Record,
        probe: &str,
        version: u32,
        params: &[(&str, &str)],
        (metric, value): (&str, f64),
    ) {
        let mut series = Series::new(metric, Unit::Seconds, Better::Lower).at("kernel", "copy");
        // lmbench prints the least; the median of the other is the same.
        series.samples = vec![value * if probe == "lmbench_stream" { 1.5 } else { 1.0 }, value];
        measured(record, probe, params, vec![series]);
        let run = record.runs.last_mut().unwrap();
        run.case.version = version;
        run.origin = (version == 0).then_some(Origin { source: 0, line: 1 });
    }

    fn published(copy: f64, prime: f64) -> Figures {
        let mut record = empty();
        let size = [("size", SIZE), ("statistic", "best")];
        put(&mut record, "lmbench_stream", 0, &size, ("time_per_element", copy));
        let params = [("test", "cpu"), ("primes", "50000"), ("placement", "1 physical core")];
        put(&mut record, "sysbench", 0, &params, ("elapsed", prime));
        Figures::of(&record)
    }

    fn of(record: &Record, others: &[(&str, Figures)]) -> Vec<Near> {
        nearest(record, others.iter().map(|(n, f)| ((*n).to_owned(), f.clone())))
    }

    #[test]
    fn the_nearest_come_first_with_how_far_they_are() {
        let others = [
            ("far", published(4e-9, 400.0)),
            ("twice", published(2e-9, 50.0)),
            ("same", published(1e-9, 100.0)),
            ("further", published(8e-9, 800.0)),
        ];
        let found = of(&own(1e-9, 100.0), &others);
        let names: Vec<&str> = found.iter().map(|n| n.name.as_str()).collect();
        assert_eq!(names, ["same", "twice", "far"]);
        let apart: Vec<f64> = found.iter().map(|n| n.apart).collect();
        for (is, expected) in apart.iter().zip([1.0, 2.0, 4.0]) {
            assert!((is - expected).abs() < 1e-9, "{apart:?}");
        }
        assert_eq!((found[1].figures.len(), found[1].figures[0].there), (2, 2e-9));
    }

    #[test]
    fn the_direction_does_not_matter() {
        let (a, b) = (("a", published(3e-9, 100.0)), ("b", published(1e-9 / 3.0, 100.0)));
        let found = of(&own(1e-9, 100.0), &[a, b]);
        assert!((found[0].apart - found[1].apart).abs() < 1e-9);
    }

    #[test]
    fn one_figure_is_no_likeness() {
        let mut one = own(1e-9, 100.0);
        one.runs.pop();
        let mut asked = 0;
        let others = std::iter::from_fn(|| {
            asked += 1;
            Some(("a".to_owned(), published(1e-9, 100.0)))
        });
        assert!(nearest(&one, others.take(1)).is_empty());
        assert_eq!(asked, 0, "nothing is parsed for it");
        let only = Figures([("lat_mem_rd -t at 64 MiB", 1e-7)].into());
        assert!(of(&own(1e-9, 100.0), &[("a", only)]).is_empty());
    }

    /// What an author summed up, another version, another size and imported records are no ground.
    #[test]
    fn other_definitions_do_not_count() {
        let mut record = empty();
        let summed = [("statistic", "best"), ("size", SIZE), ("kind", "summary")];
        put(&mut record, "lmbench_stream", 0, &summed, ("time_per_element", 1e-9));
        let other = [("statistic", "best"), ("size", "1048576")];
        put(&mut record, "lmbench_stream", 0, &other, ("time_per_element", 1e-9));
        let new = [("sysbench", "1.0"), ("max_prime", "10000"), ("threads", "one")];
        put(&mut record, "prime", 1, &new, ("events", 1e-9));
        assert!(Figures::of(&record).is_empty());
        let mut imported = own(1e-9, 100.0);
        imported.runs[0].origin = Some(Origin { source: 0, line: 1 });
        assert!(of(&imported, &[("a", published(1e-9, 100.0))]).is_empty());
    }
}
