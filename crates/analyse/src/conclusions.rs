//! The paragraph a person can act on: what was measured, what it means, what limits, and what to do next.
//! A sentence is made only of what this record holds; what is missing is named with its remedy.
mod machine;
mod memory;
mod next;
mod nodes;
mod os_noise;
mod threads;

use crate::bandwidth_scaling::BandwidthScaling;
use crate::curve::{Curve, Level, Plateau};
use crate::database::Database;
use crate::loaded::Loaded;
use crate::matrix::Matrix;
use crate::noise::Noise;
use crate::numa::Numa;
use crate::observed::Observed;
use crate::rule::Verdict;
use crate::scaling_run::ScalingRun;
use crate::tlb::Tlb;
use record::{Judgement, Pages};

/// What conclusions are drawn from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) seen: Observed<'a>,
    pub(crate) curves: &'a [Curve],
    pub(crate) tlb: Option<&'a Tlb>,
    pub(crate) matrices: &'a [Matrix],
    pub(crate) bandwidth_scalings: &'a [BandwidthScaling],
    pub(crate) scaling_runs: &'a [ScalingRun],
    pub(crate) databases: &'a [Database],
    pub(crate) numa: Option<&'a Numa>,
    pub(crate) loaded: &'a [Loaded],
    pub(crate) noise: Option<&'a Noise>,
    pub(crate) judgement: &'a Judgement,
    pub(crate) verdicts: &'a [(&'static str, Verdict)],
}

impl<'a> Known<'a> {
    /// The curve of an order on a kind of page.
    fn curve(&self, order: &str, pages: Pages) -> Option<&'a Curve> {
        self.curves.iter().find(|c| c.order == order && c.pages == pages)
    }
}

/// A curve's level of that name, if it was found and is a duration: an importer's zero is none.
fn level<'a>(curve: &'a Curve, name: &str) -> Option<&'a Plateau> {
    let named = |level: &&Level| level.name == name;
    curve.levels.iter().find(named)?.found.as_ref().ok().filter(|p| p.seconds > 0.0)
}

/// Full sentences, in the order a reader asks for them.
pub(crate) fn conclusions(known: &Known<'_>) -> Vec<String> {
    let mut said = vec![];
    said.extend(next::environment(known));
    said.extend(machine::machine(known));
    said.extend(machine::frequency(known));
    said.extend(memory::latency(known));
    said.extend(memory::huge_pages(known));
    said.extend(memory::translation(known));
    said.extend(threads::bandwidth(known));
    said.extend(nodes::loaded(known));
    said.extend(nodes::numa(known));
    said.extend(threads::core_to_core(known));
    said.extend(memory::management(known));
    said.extend(os_noise::os_noise(known));
    said.extend(threads::limit(known));
    said.extend(known.scaling_runs.iter().flat_map(ScalingRun::says));
    said.extend(known.databases.iter().flat_map(Database::brief));
    said.extend(next::findings(known));
    said.extend(next::not_measured(known));
    said.extend(next::commands(known));
    said
}
