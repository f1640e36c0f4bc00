//! Results checked against known answers, and those that were wrong.
use crate::origin;
use crate::page::{Block, Table};
use crate::section::{self, ReportSection, Section};
use analyse::Report;
use record::ProbeId;
use std::collections::BTreeMap;

pub(crate) static SECTION: ReportSection = Section {
    title: "Wrong results",
    order: 35,
    numbers: true,
    probes: &[ProbeId::Verify],
    blocks,
};

/// Results by kind of instruction, then the time of a pass.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let own = section::of_probes(report, SECTION.probes);
    let Some(run) = own.first().map(|e| &report.record.runs[e.run]) else { return vec![] };
    let mut classes: BTreeMap<&str, (f64, f64, Vec<&str>)> = BTreeMap::new();
    for reading in &run.readings {
        let Some(name) = reading.name.strip_prefix("verify.") else { continue };
        let mut parts = name.split('.');
        let (Some(kind), Some(class)) = (parts.next(), parts.next()) else { continue };
        let (checked, wrong, places) = classes.entry(class).or_default();
        match (kind, parts.next_back()) {
            ("checked", _) => *checked += reading.value,
            ("wrong", place) => {
                *wrong += reading.value;
                places.extend(place.filter(|place| !places.contains(place)));
            }
            _ => {}
        }
    }
    let mut table = Table::new(&["instructions", "#results checked", "#wrong", "where"]);
    for (class, (checked, wrong, places)) in classes {
        table.rows.push(vec![
            class.replace('_', " "),
            checked.to_string(),
            wrong.to_string(),
            places.join(", "),
        ]);
    }
    vec![
        Block::Table(table),
        Block::Table(origin::table(report, "observed", &own)),
        origin::method(report, &own),
    ]
}
