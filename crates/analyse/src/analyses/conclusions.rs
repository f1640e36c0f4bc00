//! The paragraph a person can act on: what was measured, what it means, what limits, and what to do next.
//! A sentence is made only of what this record holds; what is missing is named with its remedy.
mod machine;
mod memory;
mod next;
mod nodes;
mod os_noise;
mod threads;

use crate::diagnosis::diagnosis;
use estimates::analysis::{Analysis, Entry, in_order};
use estimates::report::Report;
use record::Text;

/// Full sentences, ranked: whether to believe it, what costs most first, what limits the machine; then what was measured in
/// the order a reader asks for it, and what is missing.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(transparent)]
pub struct Conclusions(pub Vec<Text>);

pub(crate) static ANALYSIS: Entry = Entry::of::<Conclusions>();

impl Analysis for Conclusions {
    const TITLE: &str = "The paragraph a person can act on: full sentences.";
    const ORDER: u16 = 200;
    fn compute(report: &Report<'_>) -> Self {
        let mut said: Vec<Text> = vec![];
        said.extend(next::environment(report));
        if !report.record.provenance.other_machines().is_empty() {
            return Conclusions(said);
        }
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
        said.extend(found.of_published);
        for (_, entry) in in_order(&[estimates::analyses::ALL, benchmarks::analyses::ALL]) {
            said.extend((entry.conclusions)(report));
        }
        said.extend(next::ranked(&found.notes));
        said.extend(next::not_measured(report));
        said.extend(next::commands(report));
        Conclusions(said)
    }
}
