//! Records and digests as rows of two tables, for databases: `runs` with a row for each, `metrics` with a row for each figure and,
//! of a record, for each series.
use crate::digest::Digest;
use crate::headline::Headline;
use crate::parquet::{self, read::File};
use analyse::Estimate;
use record::{json_escaped, printed, stored_name};
use std::{
    borrow::Cow,
    collections::BTreeMap,
    fmt::Display,
    io::{self, Write},
};

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Words.
    Text,
    /// A number in its base unit.
    Number,
    /// A whole number.
    Count,
}

/// A value; a text that is empty is none.
#[derive(Debug, Clone)]
pub enum Cell<'a> {
    /// Words.
    Text(Cow<'a, str>),
    /// A number.
    Number(f64),
    /// A whole number.
    Count(u64),
    /// It is not known.
    None,
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Cell::Text(text.into())
    }
}

impl From<String> for Cell<'_> {
    fn from(text: String) -> Self {
        Cell::Text(text.into())
    }
}

impl From<Option<f64>> for Cell<'_> {
    fn from(number: Option<f64>) -> Self {
        number.map_or(Cell::None, Cell::Number)
    }
}

type Rows<'a> = Vec<Vec<Cell<'a>>>;

/// One of the two tables.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    columns: fn() -> Vec<(&'static str, Kind)>,
    of_digest: for<'a> fn(&'a Digest) -> Rows<'a>,
    /// Rows of the series of its record, where that is at hand.
    of_series: for<'a> fn(&'a Digest, &'a [Estimate]) -> Rows<'a>,
}

use Kind::{Count, Number, Text};

/// The column with the whole digest as its line of JSON: what [`of_parquet`] reads.
const DIGEST: &str = "digest";

/// The name of a column, its type, and its cell of a run.
type OfRun = (&'static str, Kind, for<'a> fn(&'a Digest) -> Cell<'a>);

const OF_RUN: [OfRun; 19] = [
    ("host", Text, |d| d.host.as_str().into()),
    ("name", Text, |d| d.shown().into()),
    ("started", Text, |d| started(d)),
    ("labels", Text, |d| pairs(&d.labels).into()),
    ("model", Text, |d| d.key.model.as_str().into()),
    ("stepping", Text, |d| d.key.stepping.as_str().into()),
    ("sockets", Count, |d| Cell::Count(d.key.sockets as u64)),
    ("cores", Count, |d| Cell::Count(d.key.cores as u64)),
    ("cpus", Count, |d| Cell::Count(d.key.cpus as u64)),
    ("nodes", Count, |d| Cell::Count(d.key.nodes as u64)),
    ("hypervisor", Text, |d| d.key.hypervisor.as_str().into()),
    ("kernel", Text, |d| fact(d, "kernel.release")),
    ("microcode", Text, |d| fact(d, "cpu.microcode")),
    ("bios", Text, |d| fact(d, "bios.version")),
    ("thp", Text, |d| fact(d, "memory.thp.enabled")),
    ("governor", Text, |d| fact(d, "cpu.governor")),
    ("modules", Text, |d| fact(d, "memory.modules")),
    ("unfit", Text, |d| d.unfit.as_deref().unwrap_or_default().into()),
    (DIGEST, Text, |d| line(d).unwrap_or_default().trim_end().to_owned().into()),
];

/// The run, its machine, and its settings.
pub static RUNS: Table = Table {
    name: "runs",
    columns: || OF_RUN.iter().map(|(name, kind, _)| (*name, *kind)).collect(),
    of_digest: |digest| vec![OF_RUN.iter().map(|(.., cell)| cell(digest)).collect()],
    of_series: |_, _| vec![],
};

/// The name of a column, its type, and its cells of a figure and of a series.
type OfMetric = (
    &'static str,
    Kind,
    for<'a> fn(&'a Digest, &'a Headline) -> Cell<'a>,
    for<'a> fn(&'a Digest, &'a Estimate) -> Cell<'a>,
);

const OF_METRIC: [OfMetric; 14] = [
    ("host", Text, |d, _| d.host.as_str().into(), |d, _| d.host.as_str().into()),
    ("started", Text, |d, _| started(d), |d, _| started(d)),
    ("probe", Text, |_, _| "figure".into(), |_, e| e.probe.as_str().into()),
    ("case_label", Text, |_, _| "".into(), |_, e| e.case.as_str().into()),
    ("metric", Text, |_, h| h.name.as_str().into(), |_, e| e.metric.as_str().into()),
    ("coordinates", Text, |_, _| "".into(), |_, e| pairs(&e.at).into()),
    ("unit", Text, |_, h| stored_name(&h.unit).into(), |_, e| stored_name(&e.unit).into()),
    ("better", Text, |_, h| stored_name(&h.better).into(), |_, e| stored_name(&e.better).into()),
    ("median", Number, |_, h| Cell::Number(h.value), |_, e| Cell::Number(e.median)),
    ("low", Number, |_, h| h.interval.map(|i| i.0).into(), |_, e| e.interval.map(|i| i.low).into()),
    (
        "high",
        Number,
        |_, h| h.interval.map(|i| i.1).into(),
        |_, e| e.interval.map(|i| i.high).into(),
    ),
    ("n", Count, |_, _| Cell::None, |_, e| Cell::Count(e.count as u64)),
    ("cv", Number, |_, _| Cell::None, |_, e| e.cv.into()),
    ("modes", Count, |_, _| Cell::Count(1), |_, e| Cell::Count(e.states.len() as u64)),
];

/// Each figure of a machine, with the probe `figure`, and each series.
pub static METRICS: Table = Table {
    name: "metrics",
    columns: || OF_METRIC.iter().map(|(name, kind, ..)| (*name, *kind)).collect(),
    of_digest: |digest| {
        let row = |h| OF_METRIC.iter().map(|(.., of_figure, _)| of_figure(digest, h)).collect();
        digest.figures.iter().map(row).collect()
    },
    of_series: |digest, series| {
        let row = |e| OF_METRIC.iter().map(|(.., of_series)| of_series(digest, e)).collect();
        series.iter().map(row).collect()
    },
};

impl Table {
    /// The rows of a digest and its series as CSV, after the headings if it is the first.
    ///
    /// # Errors
    /// Those of the output.
    pub fn csv(
        &self,
        digest: &Digest,
        series: &[Estimate],
        first: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        if first {
            csv.write_record((self.columns)().iter().map(|(name, _)| name))?;
        }
        let rows = (self.of_digest)(digest).into_iter();
        for row in rows.chain((self.of_series)(digest, series)) {
            csv.write_record(row.iter().map(|cell| match cell {
                Cell::Text(text) => printed(text),
                Cell::Number(x) => x.to_string(),
                Cell::Count(n) => n.to_string(),
                Cell::None => String::new(),
            }))?;
        }
        csv.flush()
    }
}

/// A digest as a line of JSON.
///
/// # Errors
/// It cannot be written as JSON.
pub fn line(digest: &Digest) -> serde_json::Result<String> {
    Ok(json_escaped(&serde_json::to_string(digest)?) + "\n")
}

/// The reason why a file has no digests.
pub const IS_METRICS: &str =
    "is a table `metrics`: its runs are in the table `runs`, which is not here";

/// Calls for the digest in each row of a table `runs` as Parquet, as a line of JSON.
///
/// # Errors
/// [`IS_METRICS`], or a predicate that says what is damaged or is not read; the rows before it were called for.
pub fn of_parquet(bytes: &[u8], each: &mut dyn FnMut(Option<&str>)) -> Result<(), String> {
    let file = File::open(bytes)?;
    if file.has(DIGEST) {
        file.texts(DIGEST, each)
    } else if file.has("probe") && file.has("metric") {
        Err(IS_METRICS.into())
    } else {
        Err("is a Parquet file without a column `digest`: no table `runs` of this cpulens".into())
    }
}

/// Whether bytes are those of a Parquet file.
pub fn is_parquet(bytes: &[u8]) -> bool {
    File::is(bytes)
}

/// Both tables as Parquet, a file for each month in which runs began.
#[derive(Debug, Default)]
pub struct Months(BTreeMap<(&'static str, String), parquet::Table>);

impl Months {
    /// Adds the rows of a digest that is new, and those of its series.
    pub fn add(&mut self, digest: &Digest, new: bool, series: &[Estimate]) {
        let month = digest.started.as_deref().and_then(|at| at.get(..7)).unwrap_or("unknown");
        let plain = |c: char| if c.is_ascii_digit() || c == '-' { c } else { '_' };
        let month: String = match month {
            "unknown" => month.into(),
            month => month.chars().map(plain).collect(),
        };
        for table in [&RUNS, &METRICS] {
            let mut rows = if new { (table.of_digest)(digest) } else { vec![] };
            rows.extend((table.of_series)(digest, series));
            if rows.is_empty() {
                continue;
            }
            let file = self.0.entry((table.name, month.clone()));
            let file = file.or_insert_with(|| parquet::Table::new(&(table.columns)()));
            rows.iter().for_each(|row| file.row(row));
        }
    }
    /// Table, month and bytes of each file.
    pub fn files(self) -> impl Iterator<Item = (&'static str, String, Vec<u8>)> {
        self.0.into_iter().map(|((table, month), file)| (table, month, file.done()))
    }
}

fn fact<'a>(digest: &'a Digest, name: &str) -> Cell<'a> {
    digest.facts.get(name).map_or("", String::as_str).into()
}

fn started(digest: &Digest) -> Cell<'_> {
    digest.started.as_deref().unwrap_or_default().into()
}

/// `rack=7 row=2`.
fn pairs<T: Display>(all: &BTreeMap<String, T>) -> String {
    let all: Vec<String> = all.iter().map(|(name, value)| format!("{name}={value}")).collect();
    all.join(" ")
}
