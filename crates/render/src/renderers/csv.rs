//! For a spreadsheet or a script: one row per series, numbers in base units at full precision.
use crate::document::Document;
use crate::origin;
use crate::page::printable;
use crate::renderer::{Renderer, Settings};
use analyse::Report;
use analyse::compare::{Against, Cell, Comparison, Incomparable, Row, Side, Standing};
use record::{CpuSet, Judgement, Known, Machine, Value};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};

/// One row per series.
#[derive(Debug)]
pub struct Csv;

const COLUMNS: &[&str] = &[
    "probe",
    "case",
    "metric",
    "at",
    "unit",
    "better",
    "median",
    "low",
    "high",
    "confidence",
    "cv",
    "n",
    "marked",
    "min",
    "max",
    "states",
    "cycles",
    "per_cycle",
    "variant",
    "pages",
    "base_page_bytes",
    "huge_share",
    "buffer_bytes",
    "cpus",
    "nodes",
    "environment",
];

impl Renderer for Csv {
    fn title(&self) -> &'static str {
        "Comma-separated values, one row per series"
    }
    fn render(&self, report: &Report<'_>, _: &Settings, out: &mut dyn Write) -> io::Result<()> {
        let mut rows = csv::Writer::from_writer(out);
        rows.write_record(COLUMNS)?;
        for e in &report.estimates {
            let at: Vec<String> =
                e.at.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let series = origin::series(report, e);
            let buffer = series.and_then(|s| s.buffer.as_ref());
            let run = report.record.runs.get(e.run);
            let cpus = run.map(|run| match run.threads.is_empty() {
                true => run.case.place.cpus.clone(),
                false => run.threads.iter().map(|t| t.found).collect::<CpuSet>(),
            });
            let nodes = buffer.map(|b| b.nodes.keys().copied().collect::<CpuSet>());
            let states: Vec<String> =
                e.states.iter().map(|s| format!("{}x{}", s.level, s.count)).collect();
            let row = [
                e.probe.to_string(),
                e.case.clone(),
                e.metric.to_string(),
                at.join(" "),
                word(&e.unit),
                word(&e.better),
                e.median.to_string(),
                number(e.interval.map(|i| i.low)),
                number(e.interval.map(|i| i.high)),
                number(e.interval.map(|i| i.confidence)),
                number(e.cv),
                e.count.to_string(),
                e.marked.values().sum::<usize>().to_string(),
                e.min.to_string(),
                e.max.to_string(),
                states.join(" "),
                number(e.cycles),
                number(e.per_cycle),
                e.variant.clone().unwrap_or_default(),
                buffer.map_or(String::new(), |b| b.pages.to_string()),
                buffer.map_or(String::new(), |b| b.base_page.to_string()),
                number(buffer.and_then(|b| b.huge_share)),
                buffer.map_or(String::new(), |b| b.bytes.to_string()),
                cpus.map_or(String::new(), |c| c.to_string()),
                nodes.map_or(String::new(), |n| n.to_string()),
                word(&report.get::<Judgement>().environment),
            ];
            rows.write_record(row.map(cell))?;
        }
        rows.flush()
    }
    fn info(&self, machine: &Machine, _: &Settings, out: &mut dyn Write) -> io::Result<()> {
        let mut rows = csv::Writer::from_writer(out);
        rows.write_record(["name", "value", "unit", "source", "unknown", "remedy"])?;
        for (name, fact) in &machine.facts {
            let unit = fact.unit.as_ref().map_or(String::new(), word);
            let (value, why, remedy) = match &fact.known {
                Known::Value(value) => (value.to_string(), "", ""),
                Known::Unknown(r) => {
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
    fn compare(
        &self,
        comparison: &Comparison,
        _: &Settings,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let rows = csv::Writer::from_writer(out);
        let mut lines = Lines { rows, number: String::new(), unlike: vec![] };
        lines.rows.write_record(COMPARED)?;
        let side = |side: &Side| [side.name.clone(), word(&side.environment)].map(cell);
        let sides: Vec<[String; 2]> = comparison.sides.iter().map(side).collect();
        for row in &comparison.rows {
            let quantity = quantity(row);
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
    fn document(&self, document: &Document, _: &Settings, out: &mut dyn Write) -> io::Result<()> {
        let mut rows = csv::Writer::from_writer(out);
        rows.write_record(document.table.columns.iter().map(|c| c.name.as_str()))?;
        for row in &document.table.rows {
            rows.write_record(row.iter().map(|text| cell(text.as_str())))?;
        }
        rows.flush()
    }
}

/// One row for each quantity and record.
const COMPARED: &[&str] = &[
    "group",
    "probe",
    "metric",
    "at",
    "unit",
    "better",
    "record",
    "median",
    "low",
    "high",
    "n",
    "standing",
    "ratio",
    "ratio_low",
    "ratio_high",
    "p_adjusted",
    "per_cycle",
    "per_core",
    "unlike",
    "remedy",
    "environment",
];

/// What every record has in common there: the first columns of a row.
fn quantity(row: &Row) -> [String; 6] {
    let q = &row.quantity;
    let at: Vec<String> = q.at.iter().map(|(name, value)| format!("{name}={value}")).collect();
    [
        row.group.name().into(),
        q.probe.to_string(),
        q.metric.to_string(),
        at.join(" "),
        word(&q.unit),
        word(&q.better),
    ]
    .map(cell)
}

/// Writes rows of [`COMPARED`]. A fleet has half a million of them, so that words which many share are made once.
struct Lines<'a, W: Write> {
    rows: csv::Writer<W>,
    number: String,
    /// Why and what would help, of what was unlike last.
    unlike: Vec<(&'a Incomparable, [String; 2])>,
}

/// Of so many reasons of a row the words are kept.
const REMEMBERED: usize = 8;

impl<'a, W: Write> Lines<'a, W> {
    fn text(&mut self, text: &str) -> io::Result<()> {
        Ok(self.rows.write_field(text)?)
    }
    fn number(&mut self, x: Option<f64>) -> io::Result<()> {
        self.number.clear();
        if let Some(x) = x {
            // Writing to a String does not fail.
            let _ = write!(self.number, "{x}");
        }
        Ok(self.rows.write_field(&self.number)?)
    }
    fn line(
        &mut self,
        row: &'a Row,
        quantity: &[String; 6],
        [name, environment]: &[String; 2],
        value: &'a Cell,
    ) -> io::Result<()> {
        let (standing, against) = match &value.standing {
            Standing::Baseline => ("baseline", None),
            Standing::Alone => ("not in the baseline", None),
            Standing::Refused(_) => ("not comparable", None),
            Standing::Compared(against) => (against.verdict.word(), Some(&**against)),
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
        self.number(ratio(|a| a.per_core))?;
        self.text(&why)?;
        self.text(&remedy)?;
        self.text(environment)?;
        Ok(self.rows.write_record(None::<&[u8]>)?)
    }
    /// Everything that is unlike about a value, and what would mend it.
    fn reasons(&mut self, row: &Row, unlike: &'a [Incomparable]) -> [String; 2] {
        let mut reasons: [Vec<String>; 2] = Default::default();
        for one in unlike {
            let known = self.unlike.iter().find(|(known, _)| *known == one);
            let words = known.map(|(_, words)| words.clone()).unwrap_or_else(|| {
                let reason = one.reason(&row.quantity.command());
                let words = [reason.why, reason.remedy.unwrap_or_default()].map(cell);
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
    x.map_or(String::new(), |x| x.to_string())
}

/// The name that the record's JSON uses.
fn word(of: &impl Serialize) -> String {
    match serde_json::to_value(of) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
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
