//! Which published machines are like a measured one: by the few figures of the table of equivalents that little but the
//! machine decides. A remark, not a conclusion: published figures have no spread, and no rule reads this (`docs/adr/0020`).
use crate::equivalent::{self, Crowd, Equivalent, Near as Figure};
use crate::estimate;
use crate::quantities::Quantity;
use record::{Outcome, Record, Relations, Sort, Unit};
use std::collections::BTreeMap;

/// Fewer figures in common are no likeness: any machine may meet another in one of them.
pub const FEWEST: usize = 2;
/// The number of machines that are named.
const NAMED: usize = 3;

/// A machine that was published, and how far it is from the measured one.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Near {
    /// Its name in the catalogue.
    pub name: String,
    /// How many times apart the two are: the root mean square of the logarithms of the figures' ratios, as a ratio. 1 is
    /// alike in every figure.
    pub apart: f64,
    /// The compared figures.
    pub figures: Vec<NearFigure>,
}

/// A figure that both have.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NearFigure {
    /// Its name.
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
pub struct Figures {
    values: BTreeMap<&'static str, f64>,
    microarchitecture: Option<String>,
}

impl Figures {
    /// The number of figures.
    pub fn len(&self) -> usize {
        self.values.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
    /// Figures of a record: of ours what probes measured, of others what their tools printed.
    pub fn of(record: &Record) -> Figures {
        let relations = Relations::of(&record.machine.topology);
        let mut found: BTreeMap<&'static str, f64> = BTreeMap::new();
        for run in &record.runs {
            let Outcome::Measured(all) = &run.outcome else { continue };
            for series in all {
                let quantity = Quantity::of(run, series, &relations);
                let Some((row, figure)) = figure(&quantity, run.case.version) else { continue };
                let mut clean = series.undisturbed();
                clean.retain(|x| x.is_finite() && *x > 0.0);
                let sample = stats::Sample::new(&clean);
                let Some((sample, median)) = sample.zip(estimate::median(series)) else { continue };
                let value = row.value([sample.min(), median, sample.max()]);
                // A figure that is there several times is of several systems, of which the fastest tells most of the
                // machine.
                let entry = found.entry(&figure.what).or_insert(value);
                *entry = entry.min(value);
            }
        }
        let microarchitecture = record.machine.text("cpu.microarchitecture").map(str::to_owned);
        Figures { values: found, microarchitecture }
    }
}

/// The figure of a quantity by which machines are found: less is better of each, and all are times.
fn figure(of: &Quantity, version: u32) -> Option<(&'static Equivalent, &'static Figure)> {
    equivalent::all().find_map(|row| {
        let figure = row.near.as_ref()?;
        let is = if of.foreign {
            let matches = |(name, value): (&String, &String)| {
                of.at.get(name).is_some_and(|v| v.to_string() == *value)
            };
            row.is_theirs(of.probe, of.metric, &of.at) && figure.at.iter().all(matches)
        } else {
            let theirs = figure.at.iter().map(|(n, v)| (n.clone(), v.as_str().into())).collect();
            let crowds = (Crowd::default(), Crowd::default());
            version == row.version && row.is_ours((of.probe, of.metric, &of.at), &theirs, crowds)
        };
        is.then_some((row, figure))
    })
}

/// A figure of many machines, in seconds: what one of them stands beside.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Beside {
    /// Its name.
    pub what: &'static str,
    /// The measured one in seconds, where the record has it.
    pub here: Option<f64>,
    /// The published ones in seconds, by machine.
    pub there: BTreeMap<String, f64>,
    /// Values of the same microarchitecture, in seconds, ascending.
    pub alike: Vec<f64>,
}

/// The figures of published machines, each beside the record's own.
pub fn beside(record: &Record, others: &[(String, Figures)]) -> Vec<Beside> {
    let here = Figures::of(record);
    let mut all: BTreeMap<&'static str, (BTreeMap<String, f64>, Vec<f64>)> = BTreeMap::new();
    for (name, figures) in others {
        let known = here.microarchitecture.is_some();
        let alike = known && figures.microarchitecture == here.microarchitecture;
        for (what, value) in &figures.values {
            let (there, of_kind) = all.entry(what).or_default();
            there.insert(name.clone(), *value);
            of_kind.extend(alike.then_some(*value));
        }
    }
    let one = |(what, (there, mut alike)): (&'static str, (BTreeMap<String, f64>, Vec<f64>))| {
        alike.order_by(f64::total_cmp);
        Beside { what, here: here.values.get(what).copied(), there, alike }
    };
    all.into_iter().map(one).collect()
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
    all.order_by(|a, b| a.apart.total_cmp(&b.apart).then_with(|| a.name.cmp(&b.name)));
    all.truncate(NAMED);
    all
}

fn near(name: String, here: &Figures, there: &Figures) -> Option<Near> {
    let figures: Vec<NearFigure> = here
        .values
        .iter()
        .filter_map(|(what, here)| {
            let there = *there.values.get(what)?;
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
    use record::param;
    use record::{Better, Origin, ProbeId, Series};

    fn own(copy: f64, prime: f64) -> Record {
        let mut record = empty();
        put(&mut record, "lmbench_stream", 1, &[("lineage", "intel")], ("time_per_element", copy));
        let params = [("sysbench", "0.4"), ("max_prime", "50000"), ("threads", "one")];
        put(&mut record, "prime", 3, &params, ("time_of_10000_events", prime));
        record
    }

    fn put(
        record: &mut Record,
        probe: impl Into<ProbeId>,
        version: u32,
        params: &[(&str, &str)],
        (metric, value): (&str, f64),
    ) {
        let mut series = Series::new(metric, Unit::Seconds, Better::Lower);
        series.samples = vec![value; 2];
        let probe = probe.into();
        if probe == ProbeId::LmbenchStream {
            // It prints the least.
            series = series.at(param::KERNEL, "copy");
            series.samples[0] *= 1.5;
        }
        measured(record, probe, params, vec![series]);
        let run = record.runs.last_mut().unwrap();
        run.case.version = version;
        run.origin = (version == 0).then_some(Origin { source: 0, line: 1 });
    }

    fn published(copy: f64, prime: f64) -> Figures {
        let mut record = empty();
        let size = [("size", "67108864"), ("statistic", "best")];
        put(&mut record, "lmbench_stream", 0, &size, ("time_per_element", copy));
        let params = [
            ("tool", "sysbench"),
            ("test", "cpu"),
            ("primes", "50000"),
            ("thread_count", "1"),
            ("placement", "1 physical core"),
        ];
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
        let values = [("lat_mem_rd -t at 64 MiB", 1e-7)].into();
        let only = Figures { values, microarchitecture: None };
        assert!(of(&own(1e-9, 100.0), &[("a", only)]).is_empty());
    }

    #[test]
    fn machines_of_the_same_microarchitecture_are_told() {
        let mut here = own(1e-9, 100.0);
        here.machine.set("cpu.microarchitecture", "Zen 3", "CPUID");
        let of = |name: &str, design: Option<&str>, prime| {
            let microarchitecture = design.map(str::to_owned);
            (name.to_owned(), Figures { microarchitecture, ..published(1e-9, prime) })
        };
        let all = [of("a", Some("Zen 3"), 90.0), of("b", Some("Zen 4"), 50.0), of("c", None, 70.0)];
        let found = beside(&here, &all);
        let primes = found.iter().find(|b| b.there.values().any(|v| *v == 50.0)).unwrap();
        assert_eq!((primes.there.len(), &primes.alike[..]), (3, &[90.0][..]));
    }

    /// Summaries by an author, other versions, other sizes and imported records are not compared.
    #[test]
    fn other_definitions_do_not_count() {
        let mut record = empty();
        let summed = [("statistic", "best"), ("size", "67108864"), ("kind", "summary")];
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
