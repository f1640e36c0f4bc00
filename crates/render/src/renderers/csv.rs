//! For a spreadsheet or a script: one row per series, numbers in base units at full precision.
use crate::document::Document;
use crate::origin;
use crate::page::printable;
use crate::renderer::{Renderer, Settings};
use analyse::Report;
use analyse::compare::{Against, Cell, Comparison, Row, Side, Standing};
use record::{CpuSet, Known, Machine, Value};
use serde::Serialize;
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
    "validity",
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
                e.probe.clone(),
                e.case.clone(),
                e.metric.clone(),
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
                word(&report.judgement.validity),
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
        let mut rows = csv::Writer::from_writer(out);
        rows.write_record(COMPARED)?;
        for row in &comparison.rows {
            for (side, value) in comparison.sides.iter().zip(&row.cells) {
                if let Some(value) = value {
                    rows.write_record(compared(row, side, value).map(cell))?;
                }
            }
        }
        rows.flush()
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
    "validity",
];

fn compared(row: &Row, side: &Side, value: &Cell) -> [String; 21] {
    let q = &row.quantity;
    let at: Vec<String> = q.at.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let (standing, against) = match &value.standing {
        Standing::Baseline => ("baseline", None),
        Standing::Alone => ("not in the baseline", None),
        Standing::Refused(_) => ("not comparable", None),
        Standing::Compared(against) => (against.verdict.word(), Some(&**against)),
    };
    let unlike: Vec<record::Reason> = match &value.standing {
        Standing::Refused(unlike) => vec![unlike.reason(&q.command())],
        _ => against.map_or(vec![], |a| a.unlike.iter().map(|u| u.reason(&q.command())).collect()),
    };
    let ratio = |pick: fn(&Against) -> Option<f64>| number(against.and_then(pick));
    let joined = |words: Vec<String>| words.join("; ");
    [
        row.group.name().into(),
        q.probe.clone(),
        q.metric.clone(),
        at.join(" "),
        word(&q.unit),
        word(&q.better),
        side.name.clone(),
        value.median.to_string(),
        number(value.interval.map(|i| i.low)),
        number(value.interval.map(|i| i.high)),
        value.count.to_string(),
        standing.into(),
        ratio(|a| Some(a.ratio)),
        ratio(|a| a.interval.map(|i| i.low)),
        ratio(|a| a.interval.map(|i| i.high)),
        ratio(|a| a.adjusted),
        ratio(|a| a.per_cycle),
        ratio(|a| a.per_core),
        joined(unlike.iter().map(|r| r.why.clone()).collect()),
        joined(unlike.iter().filter_map(|r| r.remedy.clone()).collect()),
        word(&side.validity),
    ]
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
