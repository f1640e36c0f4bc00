//! Missing results, with the reason and the remedy.
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ReportSection, Section};
use analyse::Report;
use record::{FactValue, Machine, Outcome, Reason};

fn row(table: &mut Table, what: String, how: &str, reason: &Reason) {
    let remedy = reason.remedy.clone().unwrap_or_default();
    table.row([what.into(), how.into(), reason.why.clone(), remedy]);
}

pub(crate) static SECTION: ReportSection =
    Section::without_numbers("Not measured", 240, &[], blocks);

/// Cases without numbers, then facts without values.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let mut table = Table::new(["case", "outcome", "why", "remedy"]);
    for run in &report.record.runs {
        let label = run.case.label();
        match &run.outcome {
            Outcome::Measured(_) => {}
            Outcome::Skipped(reason) => row(&mut table, label, "skipped", reason),
            Outcome::Failed(reason) => row(&mut table, label, "failed", reason),
            Outcome::NotReached(reason) => row(&mut table, label, "not reached", reason),
        }
    }
    let mut blocks = vec![match table.rows.is_empty() {
        true if !report.record.provenance.sources.is_empty() => {
            Block::text(say::NOTHING_WAS_PLANNED_THESE_ARE_RESULTS_OF)
        }
        true => Block::text(say::EVERY_PLANNED_CASE_WAS_MEASURED),
        false => Block::Table(table.folded()),
    }];
    let unread = unread(&report.record.machine);
    if !unread.is_empty() {
        blocks.push(Block::details(say::NOT_MEASURED_WHAT_COULD_READ_MACHINE, unread));
    }
    blocks
}

/// Parts and facts that could not be read.
pub(crate) fn unread(machine: &Machine) -> Vec<Block> {
    let mut table = Table::new(["what", "source", "why", "remedy"]);
    for (part, reason) in &machine.topology.missing {
        let source = machine.topology.sources.iter().find(|(name, _)| name == part);
        row(&mut table, part.clone(), source.map_or("", |(_, source)| source), reason);
    }
    for (name, fact) in &machine.facts {
        if let FactValue::Unknown(reason) = &fact.known {
            row(&mut table, name.clone(), &fact.source, reason);
        }
    }
    Block::table(table.folded())
}
