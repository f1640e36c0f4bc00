//! For a spreadsheet or a script: one row per series, numbers in base units at full precision.
use crate::renderer::{Renderer, Settings, Subject};
use analyse::compare::{Against, Cell, Comparison, Incomparable, Row, Side, Standing};
use analyse::{Estimate, Report};
use record::{CpuSet, FactValue, Judgement, Machine, Value, printable, stored_name};
use sections::document::Document;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};

/// One row per series.
pub(crate) static RENDERER: Renderer = Renderer::of_all(write);

/// Columns of a report with their meaning; those of the parameters follow.
pub const COLUMNS: &[(&str, &str)] = &[
    ("run", "index of the case in the record"),
    ("probe", "what was measured, as `cpulens list` names it"),
    ("metric", "which of its quantities"),
    ("unit", "unit of `median`, `low`, `high`, `min`, `max`: a base unit"),
    ("better", "`lower`, `higher` or `neither`"),
    ("median", "median of the undisturbed samples"),
    ("low", "lower end of the interval of the median"),
    ("high", "upper end"),
    ("confidence", "of the interval"),
    ("cv", "coefficient of variation"),
    ("n", "samples used"),
    ("marked", "samples left out because something disturbed them"),
    ("min", "lowest sample"),
    ("max", "highest sample"),
    ("modes", "levels that the samples fall into; 1 where there is one"),
    ("cycles", "the median in core cycles"),
    ("per_cycle", "work per core cycle"),
    ("variant", "the machine code that ran"),
    ("buffer_pages", "pages that were asked for"),
    ("base_page_bytes", "size of a base page"),
    ("huge_share", "share of the buffer on huge pages, as verified"),
    ("buffer_bytes", "size of the buffer"),
    ("cpus", "CPUs on which it ran"),
    ("nodes", "NUMA nodes that held the buffer"),
    ("environment", "`pass`, `warn` or `fail`"),
];
/// Before the name of a parameter: of the case, or a coordinate of the series.
pub const PARAMETER: &str = "param_";

/// The parameters of a series: those of its case, and its coordinates.
fn parameters(report: &Report<'_>, e: &Estimate) -> BTreeMap<String, Value> {
    let case = report.record.runs.get(e.run).map(|run| &run.case.params);
    let mut all: BTreeMap<String, Value> = case.into_iter().flatten().map(owned).collect();
    all.extend(e.at.iter().map(owned));
    all
}

fn owned((name, value): (&String, &Value)) -> (String, Value) {
    (name.clone(), value.clone())
}

/// Numbers as numbers, everything else as it is printed.
fn parameter(value: Option<&Value>) -> String {
    match value {
        None => String::new(),
        Some(Value::Number(x)) => shortest(*x),
        Some(value) => value.to_string(),
    }
}

/// The shortest decimal that reads back as the same number.
fn shortest(x: f64) -> String {
    let text = format!("{x:?}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

pub(crate) fn write(of: Subject<'_>, _: &Settings, out: &mut dyn Write) -> io::Result<()> {
    let rows = csv::Writer::from_writer(out);
    match of {
        Subject::Report(report) => self::report(report, rows),
        Subject::Machine(machine) => self::machine(machine, rows),
        Subject::Comparison(comparison) => self::comparison(comparison, rows),
        Subject::Document(document) => self::document(document, rows),
    }
}

type Rows<'a> = csv::Writer<&'a mut dyn Write>;

fn report(report: &Report<'_>, mut rows: Rows<'_>) -> io::Result<()> {
    let params: Vec<BTreeMap<String, Value>> =
        report.estimates.iter().map(|e| parameters(report, e)).collect();
    let names: BTreeSet<&String> = params.iter().flat_map(BTreeMap::keys).collect();
    let heads = COLUMNS.iter().map(|(name, _)| (*name).to_owned());
    let heads = heads.chain(names.iter().map(|name| cell(format!("{PARAMETER}{name}"))));
    rows.write_record(heads)?;
    for (e, params) in report.estimates.iter().zip(&params) {
        let series = report.series(e);
        let buffer = series.and_then(|s| s.buffer.as_ref());
        let run = report.record.runs.get(e.run);
        let cpus = run.map(|run| match run.threads.is_empty() {
            true => run.case.place.cpus.clone(),
            false => run.threads.iter().map(|t| t.found).collect::<CpuSet>(),
        });
        let nodes = buffer.map(|b| b.nodes.keys().copied().collect::<CpuSet>());
        let row = [
            e.run.to_string(),
            e.probe.to_string(),
            e.metric.to_string(),
            stored_name(&e.unit),
            stored_name(&e.better),
            shortest(e.median),
            number(e.interval.map(|i| i.low)),
            number(e.interval.map(|i| i.high)),
            number(e.interval.map(|i| i.confidence)),
            number(e.cv),
            e.count.to_string(),
            e.marked.values().sum::<usize>().to_string(),
            shortest(e.min),
            shortest(e.max),
            e.states.len().max(1).to_string(),
            number(e.cycles),
            number(e.per_cycle),
            e.variant.clone().unwrap_or_default(),
            buffer.map_or(String::new(), |b| b.pages.to_string()),
            buffer.map_or(String::new(), |b| b.base_page.to_string()),
            number(buffer.and_then(|b| b.huge_share)),
            buffer.map_or(String::new(), |b| b.bytes.to_string()),
            cpus.map_or(String::new(), |c| c.to_string()),
            nodes.map_or(String::new(), |n| n.to_string()),
            stored_name(&report.get::<Judgement>().environment),
        ];
        let params = names.iter().map(|name| parameter(params.get(*name)));
        rows.write_record(row.into_iter().chain(params).map(cell))?;
    }
    rows.flush()
}

fn machine(machine: &Machine, mut rows: Rows<'_>) -> io::Result<()> {
    rows.write_record(["name", "value", "unit", "source", "unknown", "remedy"])?;
    for (name, fact) in &machine.facts {
        let unit = fact.unit.as_ref().map_or(String::new(), stored_name);
        let (value, why, remedy) = match &fact.known {
            FactValue::Value(value) => (value.to_string(), "", ""),
            FactValue::Unknown(r) => {
                (String::new(), r.why.as_str(), r.remedy.as_deref().unwrap_or(""))
            }
        };
        let row = [name.as_str(), &value, &unit, &fact.source, why, remedy];
        rows.write_record(row.map(cell))?;
    }
    let topology = serde_json::to_value(&machine.topology)?;
    let mut parts = vec![];
    flatten("topology", &topology, &mut parts);
    for (name, value) in parts {
        rows.write_record([name.as_str(), &value, "", "", "", ""].map(cell))?;
    }
    rows.flush()
}

fn comparison(comparison: &Comparison, rows: Rows<'_>) -> io::Result<()> {
    let mut lines = Lines { rows, number: String::new(), unlike: vec![] };
    let names: BTreeSet<&String> =
        comparison.rows.iter().flat_map(|row| row.quantity.at.keys()).collect();
    let heads = COMPARED.iter().map(|(name, _)| (*name).to_owned());
    let heads = heads.chain(names.iter().map(|name| cell(format!("{PARAMETER}{name}"))));
    lines.rows.write_record(heads)?;
    let side = |side: &Side| [side.name.clone(), stored_name(&side.environment)].map(cell);
    let sides: Vec<[String; 2]> = comparison.sides.iter().map(side).collect();
    for row in &comparison.rows {
        let quantity = quantity(row, &names);
        // Reasons name the command that measures this quantity.
        lines.unlike.clear();
        for (side, value) in sides.iter().zip(&row.cells) {
            if let Some(value) = value {
                lines.line(row, &quantity, side, value)?;
            }
        }
    }
    lines.rows.flush()
}

fn document(document: &Document, mut rows: Rows<'_>) -> io::Result<()> {
    rows.write_record(document.table.columns.iter().map(|c| c.name.as_str()))?;
    for row in &document.table.rows {
        rows.write_record(row.iter().map(|text| cell(text.as_str())))?;
    }
    rows.flush()
}

/// Columns of a comparison with their meaning, one row for each quantity and record; those of the parameters follow.
pub const COMPARED: &[(&str, &str)] = &[
    ("group", "what the quantity is counted under"),
    ("probe", "what was measured"),
    ("metric", "which of its quantities"),
    ("unit", "unit of `median`, `low`, `high`: a base unit"),
    ("better", "`lower`, `higher` or `neither`"),
    ("record", "name of the record"),
    ("median", "median of the undisturbed samples"),
    ("low", "lower end of its 95 % interval"),
    ("high", "upper end"),
    ("n", "samples used"),
    ("standing", "what the ratio means: `better`, `worse`, `same`, ... , or why there is none"),
    ("ratio", "this median over the baseline's"),
    ("ratio_low", "lower end of the ratio's 95 % interval"),
    ("ratio_high", "upper end"),
    ("p_adjusted", "adjusted probability of such a difference by chance"),
    ("per_cycle", "the ratio in core cycles"),
    ("per_core", "the ratio for each core used"),
    ("unlike", "what differs between the two"),
    ("remedy", "what would mend that"),
    ("environment", "`pass`, `warn` or `fail`"),
];

/// The common part of a row for every record: its first columns, and the parameters.
fn quantity(row: &Row, names: &BTreeSet<&String>) -> ([String; 5], Vec<String>) {
    let q = &row.quantity;
    let first = [
        row.group.name().into(),
        q.probe.to_string(),
        q.metric.to_string(),
        stored_name(&q.unit),
        stored_name(&q.better),
    ];
    (first.map(cell), names.iter().map(|name| cell(parameter(q.at.get(*name)))).collect())
}

/// Writes rows of [`COMPARED`]. A fleet has half a million of them, so that words which many share are made once.
struct Lines<'a, 'o> {
    rows: Rows<'o>,
    number: String,
    /// The reason and remedy of the difference that came last.
    unlike: Vec<(&'a Incomparable, [String; 2])>,
}

/// Reasons of a row whose words are kept.
const REMEMBERED: usize = 8;

impl<'a> Lines<'a, '_> {
    fn text(&mut self, text: &str) -> io::Result<()> {
        Ok(self.rows.write_field(text)?)
    }
    fn number(&mut self, x: Option<f64>) -> io::Result<()> {
        self.number.clear();
        if let Some(x) = x {
            // Writing to a String does not fail.
            let _ = write!(self.number, "{x:?}");
            if self.number.ends_with(".0") {
                self.number.truncate(self.number.len() - 2);
            }
        }
        Ok(self.rows.write_field(&self.number)?)
    }
    fn line(
        &mut self,
        row: &'a Row,
        (quantity, params): &([String; 5], Vec<String>),
        [name, environment]: &[String; 2],
        value: &'a Cell,
    ) -> io::Result<()> {
        let (standing, against) = match &value.standing {
            Standing::Baseline => ("baseline", None),
            Standing::Alone => ("not in the baseline", None),
            Standing::Refused(_) => ("not comparable", None),
            Standing::Compared(against) => (against.verdict.word().english(), Some(&**against)),
        };
        let unlike: &[Incomparable] = match (&value.standing, against) {
            (Standing::Refused(unlike), _) => std::slice::from_ref(unlike),
            (_, Some(against)) => &against.unlike,
            _ => &[],
        };
        let [why, remedy] = self.reasons(row, unlike);
        quantity.iter().try_for_each(|text| self.text(text))?;
        self.text(name)?;
        let ratio = |pick: fn(&Against) -> Option<f64>| against.and_then(pick);
        self.number(Some(value.median))?;
        self.number(value.interval.map(|i| i.low))?;
        self.number(value.interval.map(|i| i.high))?;
        self.number(Some(value.count as f64))?;
        self.text(standing)?;
        self.number(ratio(|a| Some(a.ratio)))?;
        self.number(ratio(|a| a.interval.map(|i| i.low)))?;
        self.number(ratio(|a| a.interval.map(|i| i.high)))?;
        self.number(ratio(|a| a.adjusted))?;
        self.number(ratio(|a| a.per_cycle))?;
        self.number(ratio(|a| a.normalized.as_ref()?.per_core))?;
        self.text(&why)?;
        self.text(&remedy)?;
        self.text(environment)?;
        params.iter().try_for_each(|text| self.text(text))?;
        Ok(self.rows.write_record(None::<&[u8]>)?)
    }
    /// Everything that is unlike about a value, and what would mend it.
    fn reasons(&mut self, row: &Row, unlike: &'a [Incomparable]) -> [String; 2] {
        let mut reasons: [Vec<String>; 2] = Default::default();
        for one in unlike {
            let known = self.unlike.iter().find(|(known, _)| *known == one);
            let words = known.map(|(_, words)| words.clone()).unwrap_or_else(|| {
                let reason = one.reason(&row.quantity.command());
                let words = [reason.why, reason.remedy.unwrap_or_default()]
                    .map(|text| cell(text.to_string()));
                if self.unlike.len() >= REMEMBERED {
                    self.unlike.remove(0);
                }
                self.unlike.push((one, words.clone()));
                words
            });
            for (all, one) in reasons.iter_mut().zip(words).filter(|(_, one)| !one.is_empty()) {
                all.push(one);
            }
        }
        reasons.map(|words| words.join("; "))
    }
}

/// A cell whose text drives no terminal.
fn cell(text: impl Into<String>) -> String {
    let mut text = text.into();
    printable(&mut text);
    text
}

fn number(x: Option<f64>) -> String {
    x.map_or(String::new(), shortest)
}

/// `cpus.0.package` and its value for every leaf; what is not known has no row.
fn flatten(name: &str, value: &serde_json::Value, rows: &mut Vec<(String, String)>) {
    match value {
        serde_json::Value::Object(fields) => {
            fields
                .iter()
                .for_each(|(field, value)| flatten(&format!("{name}.{field}"), value, rows));
        }
        serde_json::Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(i, value)| flatten(&format!("{name}.{i}"), value, rows));
        }
        serde_json::Value::Null => {}
        serde_json::Value::String(text) => rows.push((name.into(), text.clone())),
        serde_json::Value::Bool(flag) => rows.push((name.into(), Value::Bool(*flag).to_string())),
        serde_json::Value::Number(n) => rows.push((name.into(), n.to_string())),
    }
}
