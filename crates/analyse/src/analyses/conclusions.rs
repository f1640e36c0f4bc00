//! The paragraph a person can act on: what was measured, what it means, what limits, and what to do next.
//! A sentence is made only of what this record holds; what is missing is named with its remedy.
mod machine;
mod memory;
mod next;
mod nodes;
mod os_noise;
mod threads;

use crate::curves::{Curve, Level, Plateau};
use crate::diagnosis::diagnosis;
use estimates::analyses;
use estimates::analysis::{Analysis, Entry, in_order};
use estimates::report::Report;
use record::Pages;

/// Full sentences, ranked: whether to believe it, what costs most first, what limits the machine; then what was measured in
/// the order a reader asks for it, and what is missing.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Conclusions(pub Vec<String>);

pub(crate) static ANALYSIS: Entry = Entry::of::<Conclusions>();

/// The curve of an order on a kind of page.
fn curve<'r>(report: &'r Report<'_>, order: &str, pages: Pages) -> Option<&'r Curve> {
    let curves = report.get::<Vec<Curve>>();
    curves.iter().find(|c| c.order == order && c.pages == pages)
}

/// A curve's level of that name, if it was found and is a duration: an importer's zero is none.
fn level<'a>(curve: &'a Curve, name: &str) -> Option<&'a Plateau> {
    let named = |level: &&Level| level.name == name;
    curve.levels.iter().find(named)?.found.as_ref().ok().filter(|p| p.seconds > 0.0)
}

impl Analysis for Conclusions {
    const TITLE: &str = "The paragraph a person can act on: full sentences.";
    const ORDER: u16 = 200;
    fn compute(report: &Report<'_>) -> Self {
        let mut said = vec![];
        said.extend(next::environment(report));
        let found = diagnosis(report, None);
        said.extend(next::ranked(&found.findings));
        said.extend(threads::limit(report));
        said.extend(machine::machine(report));
        said.extend(machine::frequency(report));
        said.extend(memory::latency(report));
        said.extend(memory::huge_pages(report));
        said.extend(memory::translation(report));
        said.extend(threads::bandwidth(report));
        said.extend(nodes::loaded(report));
        said.extend(nodes::numa(report));
        said.extend(threads::core_to_core(report));
        said.extend(memory::management(report));
        said.extend(os_noise::os_noise(report));
        for (_, entry) in in_order(&[analyses::ALL]) {
            said.extend((entry.conclusions)(report));
        }
        said.extend(next::ranked(&found.notes));
        said.extend(next::not_measured(report));
        said.extend(next::commands(report));
        Conclusions(said)
    }
}
