//! The plan of `--dry-run`: every case, its CPUs, its pages and its estimated time.
use crate::document::Document;
use crate::page::{Block, Page, Section, Table};
use crate::quantity;
use record::{Outcome, Reason, Record, Run, Unit, visible};
use serde_json::{Value, json};

/// The document of a record's plan, whose cases take so many seconds.
pub fn document(record: &Record, budget: Option<f64>, seconds: f64) -> Document {
    let plan = Plan { record, budget, seconds };
    Document { page: plan.page(), value: plan.value(), table: plan.rows() }
}

struct Plan<'a> {
    record: &'a Record,
    budget: Option<f64>,
    seconds: f64,
}

impl Plan<'_> {
    fn summary(&self) -> Vec<String> {
        let planned = self.record.runs.iter().filter(|r| skipped(r).is_none()).count();
        let mut sentences = vec![format!(
            "{}, estimated time {}. Nothing was measured or saved.",
            quantity::counted(planned, "case"),
            time(self.seconds)
        )];
        if let Some(budget) = self.budget.filter(|b| *b < self.seconds) {
            sentences.push(format!(
                "The time budget of {} is less: cases are shortened, and the last may be left out.",
                time(budget)
            ));
        }
        sentences
    }
    fn page(&self) -> Page {
        let depth = self.record.provenance.depth.as_deref().unwrap_or("quick");
        let mut table = Table::new(["case", "CPUs", "pages", "#estimated", "remark"]);
        table.rows = self.record.runs.iter().map(|run| row(run).to_vec()).collect();
        let mut blocks: Vec<Block> = self.summary().into_iter().map(Block::Paragraph).collect();
        blocks.push(Block::Table(table));
        let section = Section::new("plan", "Cases", blocks);
        Page::new(format!("The plan of a {depth} run"), "", vec![section])
    }
    fn rows(&self) -> Table {
        let heads = ["probe", "case", "cpus", "pages", "estimated_seconds", "remark"];
        let mut table = Table::new(heads);
        for run in &self.record.runs {
            let [case, cpus, pages, _, remark] = row(run);
            let seconds = run.case.estimate.to_string();
            table.rows.push(vec![run.case.probe.to_string(), case, cpus, pages, seconds, remark]);
        }
        table
    }
    fn value(&self) -> Value {
        let made = &self.record.provenance;
        let case = |run: &Run| json!({ "case": run.case, "skipped": skipped(run), "visits": run.visits.len().max(1) });
        json!({ "plan": {
            "cases": self.record.runs.iter().map(case).collect::<Vec<_>>(),
            "depth": made.depth,
            "estimated_seconds": self.seconds,
            "seed": made.seed,
            "time_budget_seconds": self.budget,
        } })
    }
}

fn row(run: &Run) -> [String; 5] {
    let place = &run.case.place;
    let (pages, seconds, remark) = match skipped(run) {
        Some(why) => (String::new(), String::new(), format!("skipped: {why}")),
        None => (place.pages.to_string(), time(run.case.estimate), visits(run)),
    };
    [run.case.label(), place.cpus.to_string(), pages, seconds, remark]
        .map(|cell| visible(&cell).replace('\n', " "))
}

fn visits(run: &Run) -> String {
    match run.visits.len() {
        0 => String::new(),
        n => quantity::counted(n, "visit"),
    }
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
