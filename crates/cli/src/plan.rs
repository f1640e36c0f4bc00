//! What a run would do, printed by `run --dry-run`: every case, where it runs and how long it takes.
use crate::{args, output};
use anyhow::Result;
use record::{Outcome, Reason, Record, Run, Unit};
use render::quantity;
use serde_json::json;
use std::io::{self, Write};

/// Prints a plan in the form asked for.
pub(crate) fn print(output: &args::Output, record: &Record, budget: Option<f64>) -> Result<()> {
    let plan = Plan { record, budget };
    output::write(output, |out| match output.format.as_str() {
        "json" => plan.json(out),
        "csv" => plan.csv(out),
        "markdown" => plan.markdown(out),
        "html" => plan.html(out),
        _ => plan.text(out),
    })
}

const COLUMNS: [&str; 5] = ["case", "CPUs", "pages", "estimated", "remark"];

struct Plan<'a> {
    record: &'a Record,
    budget: Option<f64>,
}

impl Plan<'_> {
    fn seconds(&self) -> f64 {
        measure::plan::seconds_left(&self.record.runs)
    }
    /// What it is and how long it takes, in sentences.
    fn summary(&self) -> String {
        let planned = self.record.runs.iter().filter(|r| skipped(r).is_none()).count();
        let depth = self.record.provenance.depth.as_deref().unwrap_or("quick");
        let mut words = format!(
            "The plan of a {depth} run: {planned} cases, estimated time {}. Nothing was measured or saved.",
            time(self.seconds())
        );
        if let Some(budget) = self.budget.filter(|b| *b < self.seconds()) {
            words += &format!(
                " The time budget of {} is less: cases are shortened, and the last may be left out.",
                time(budget)
            );
        }
        words
    }
    fn rows(&self) -> Vec<[String; 5]> {
        self.record.runs.iter().map(row).collect()
    }
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}\n", self.summary())?;
        let rows = self.rows();
        let mut widths = COLUMNS.map(str::len);
        for row in &rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        for row in std::iter::once(&COLUMNS.map(str::to_owned)).chain(&rows) {
            let [case, cpus, pages, seconds, remark] = row;
            let line = format!(
                "{case:<0$}  {cpus:<1$}  {pages:<2$}  {seconds:>3$}  {remark}",
                widths[0], widths[1], widths[2], widths[3]
            );
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
    fn markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}\n\n| {} |", self.summary(), COLUMNS.join(" | "))?;
        writeln!(out, "| --- | --- | --- | ---: | --- |")?;
        for row in self.rows() {
            let cells = row.map(|cell| markup(&cell).replace('|', "\\|"));
            writeln!(out, "| {} |", cells.join(" | "))?;
        }
        Ok(())
    }
    fn html(&self, out: &mut dyn Write) -> io::Result<()> {
        let cells = |tag: &str, row: [String; 5]| -> String {
            row.map(|cell| format!("<{tag}>{}</{tag}>", markup(&cell))).concat()
        };
        writeln!(
            out,
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Plan</title>\n\
             <style>body{{font-family:sans-serif}}td,th{{padding:0 1em;text-align:left}}</style></head><body>\n\
             <p>{}</p>\n<table>\n<tr>{}</tr>",
            markup(&self.summary()),
            cells("th", COLUMNS.map(str::to_owned))
        )?;
        for row in self.rows() {
            writeln!(out, "<tr>{}</tr>", cells("td", row))?;
        }
        writeln!(out, "</table></body></html>")
    }
    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut table = csv::Writer::from_writer(out);
        table.write_record(["probe", "case", "cpus", "pages", "estimated_seconds", "remark"])?;
        for run in &self.record.runs {
            let [case, cpus, pages, _, remark] = row(run);
            let seconds = run.case.estimate.to_string();
            table.write_record([&run.case.probe, &case, &cpus, &pages, &seconds, &remark])?;
        }
        table.flush()
    }
    fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let made = &self.record.provenance;
        let cases: Vec<_> = self
            .record
            .runs
            .iter()
            .map(|run| json!({ "case": run.case, "skipped": skipped(run) }))
            .collect();
        let plan = json!({
            "cases": cases,
            "depth": made.depth,
            "estimated_seconds": self.seconds(),
            "seed": made.seed,
            "time_budget_seconds": self.budget,
        });
        serde_json::to_writer_pretty(&mut *out, &json!({ "plan": plan }))?;
        writeln!(out)
    }
}

fn row(run: &Run) -> [String; 5] {
    let place = &run.case.place;
    let (pages, seconds, remark) = match skipped(run) {
        Some(why) => (String::new(), String::new(), format!("skipped: {why}")),
        None => (place.pages.to_string(), time(run.case.estimate), String::new()),
    };
    [run.case.label(), place.cpus.to_string(), pages, seconds, remark]
        .map(|cell| output::visible(&cell).replace('\n', " "))
}

fn skipped(run: &Run) -> Option<&Reason> {
    match &run.outcome {
        Outcome::Skipped(why) => Some(why),
        _ => None,
    }
}

/// An estimate, no finer than it is good.
fn time(seconds: f64) -> String {
    quantity::plain((seconds * 10.0).round() / 10.0, Unit::Seconds)
}

/// Text inside HTML, and inside Markdown, which admits HTML.
fn markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
