//! The plan of `--dry-run`: every case, its CPUs, its pages and its estimated time.
use crate::document::Document;
use crate::page::{Block, Page, Section, Table};
use crate::quantity;
use crate::say;
use record::{Outcome, Reason, Record, Run, Text, Unit, visible};
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
    fn summary(&self) -> Vec<Text> {
        let planned = self.record.runs.iter().filter(|r| skipped(r).is_none()).count();
        let mut sentences = vec![say::plan_estimated_time_nothing_measured(
            quantity::counted(planned, "case"),
            time(self.seconds),
        )];
        if let Some(budget) = self.budget.filter(|b| *b < self.seconds) {
            sentences.push(say::the_time_budget_of_is_less(time(budget)));
        }
        sentences
    }
    fn page(&self) -> Page {
        let depth = self.record.provenance.depth.as_deref().unwrap_or("quick");
        let mut table = Table::new(["case", "CPUs", "pages", "#estimated", "remark"]);
        self.record.runs.iter().for_each(|run| table.row(row(run)));
        let mut blocks: Vec<Block> = self.summary().into_iter().map(Block::text).collect();
        blocks.push(Block::Table(table));
        let section = Section::new("plan", "Cases", blocks);
        Page::new(say::the_plan_of_a_run_2(depth), "", vec![section])
    }
    fn rows(&self) -> Table {
        let heads = ["probe", "case", "cpus", "pages", "estimated_seconds", "remark"];
        let mut table = Table::new(heads);
        for run in &self.record.runs {
            let [case, cpus, pages, _, remark] = row(run);
            let seconds = run.case.estimate.to_string();
            table.row([run.case.probe.to_string(), case, cpus, pages, seconds, remark]);
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
