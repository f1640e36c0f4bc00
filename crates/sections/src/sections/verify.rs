//! Results checked against known answers, and those that were wrong.
use crate::origin;
use crate::page::{Block, Table};
use crate::section::{self, ReportSection, Section};
use analyse::Report;
use record::ProbeId;

pub(crate) static SECTION: ReportSection =
    Section::with_numbers("Wrong results", 35, &[ProbeId::Verify], blocks);

/// Results by kind of instruction, then the time of a pass.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let own = section::of_probes(report, SECTION.probes);
    let Some(run) = own.first().map(|e| &report.record.runs[e.run]) else { return vec![] };
    let mut table = Table::new(["instructions", "#results checked", "#wrong", "CPUs"]);
    for (class, of) in analyse::verified(&run.readings) {
        table.row([
            class.replace('_', " "),
            of.checked.to_string(),
            of.wrong.to_string(),
            of.cpus.to_string(),
        ]);
    }
    vec![
        Block::Table(table),
        Block::Table(origin::table(report, "observed", &own)),
        origin::method(report, &own),
    ]
}
