//! A record as a diagnosis: what is wrong, what costs most first, as far as it matters to a workload; what is so and nothing to
//! act on; what was looked at and is in order; what could not be determined, and what would let it be. Pure.
mod against;
mod systems;
mod workload;

pub use against::{Against, Row};
pub use workload::Workload;

use crate::analyses::verdicts::Verdicts;
use crate::cost::{Cost, Demand};
use crate::evidence::Evidence;
use crate::report::Report;
use crate::rule::{Finding, Rule, Verdict};
use crate::rules;
use crate::say;
use benchmarks::quantities::Basis;
use estimates::analyses::undisturbed_speeds;
use record::{Message, Reason, Sort, Text};
use std::collections::BTreeMap;
use systems::systems;

/// The findings of a record for a workload.
#[derive(Debug, Clone)]
pub struct Diagnosis {
    /// The workload; `None` for none in particular.
    pub workload: Option<Workload>,
    /// Findings that affect the workload, the most costly first; those without a figure come last.
    pub findings: Vec<Ranked>,
    /// Findings that need no action: as built or by default, or of next to no cost. In the same order.
    pub notes: Vec<Ranked>,
    /// Findings that do not affect it.
    pub aside: Vec<Ranked>,
    /// Checks that passed: rule, title, evidence.
    pub clear: Vec<(&'static str, Text, Vec<Text>)>,
    /// Checks without data, by the remedy that would give it, the one that settles most first.
    pub unlocks: Vec<Unlock>,
    /// Differences of published runs of this machine, and their causes as far as the figures tell: full sentences.
    pub of_published: Vec<Text>,
    /// The same machine or another beside it.
    pub against: Option<Against>,
}

/// A remedy, and the checks that it would settle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unlock {
    /// The remedy; `None` if none is known.
    pub remedy: Option<Text>,
    /// The rules that wait for it, each with what it lacks.
    pub rules: Vec<(&'static str, Text)>,
}

/// A finding and its cost.
#[derive(Debug, Clone)]
pub struct Ranked {
    /// The rule.
    pub id: &'static str,
    /// The problem, in a few words.
    pub title: Text,
    /// The problem and its remedy.
    pub finding: Finding,
    /// The evidence that the rule read.
    pub read: Vec<Text>,
    /// The weakest that it rests on.
    pub basis: Basis,
    /// Its cost, or why that is not known.
    pub cost: Result<Cost, Reason>,
    /// The resources that it affects.
    pub demands: &'static [Demand],
    /// The reason why it is a note without action, as a full sentence; `None` for a finding.
    pub note: Option<Text>,
    /// The rule that found its cause, whose cost contains this one; `None` where there is none.
    pub part_of: Option<&'static str>,
}

/// A finding that costs less than this at most, even a program that does nothing else, is a note: runs on a quiet machine differ
/// by as much (the reference samples, docs/method.md).
const LITTLE: f64 = 0.02;

/// Symptoms with their possible causes: the causes can be acted on, and come first.
const SYMPTOMS: [(&str, &[&str]); 4] = [
    ("frequency_below_boost", &["governor_slows", "heat_throttles", "power_capped"]),
    (
        "bandwidth_below_channels",
        &["channels_unbalanced", "dimm_below_rating", "memory_limited_by_cpu"],
    ),
    ("cache_share_small", &["cache_partitioned"]),
    (
        "too_noisy",
        &["core_shared", "cpu_contention", "cpu_quota", "interrupts_uneven", "steal_time"],
    ),
];

/// Findings that may be no fault, with those that show its loss.
const BACKED: [(&str, &[&str]); 1] = [(
    "dimm_below_rating",
    &["bandwidth_below_channels", "bandwidth_saturated", "flat_beyond_socket"],
)];

/// The reason why a rule's finding is a note, unless another rule found what it costs.
pub fn own_note(id: &str, finding: &Finding, verdicts: &Verdicts) -> Option<Message> {
    let mut backing = BACKED.iter().filter(|(of, _)| *of == id).flat_map(|(_, by)| *by);
    finding.note.filter(|_| !backing.any(|by| verdicts.fires(by)))
}

/// Moves every symptom behind the first of its causes. Where both have a cost, its own is a part of that one.
fn causes_first(all: &mut [Ranked]) {
    for (symptom, causes) in SYMPTOMS {
        let seen = all.iter().position(|ranked| ranked.id == symptom);
        let cause = all.iter().position(|ranked| causes.contains(&ranked.id));
        let Some((seen, cause)) = seen.zip(cause) else { continue };
        let costs = all[seen].cost.is_ok() && all[cause].cost.is_ok();
        all[seen].part_of = costs.then_some(all[cause].id);
        if seen < cause {
            all[seen..=cause].rotate_left(1);
        }
    }
}

/// Diagnoses a machine, for a workload.
pub fn diagnosis(report: &Report<'_>, workload: Option<Workload>) -> Diagnosis {
    let evidence = Evidence::over(report);
    let (mut findings, mut notes, mut aside, mut clear) = (vec![], vec![], vec![], vec![]);
    let mut missing: BTreeMap<Option<Text>, Vec<(&'static str, Text)>> = BTreeMap::new();
    for (id, verdict) in report.get::<Verdicts>().iter() {
        let Some((_, rule)) = rules::ALL.iter().find(|(known, _)| *known == id) else { continue };
        let title = Text::from(rule.title);
        match verdict {
            Verdict::Fires { finding, read, basis } => {
                evidence.take_read();
                let cost = rule.cost(&evidence);
                let cost = cost.map(|cost| cost.resting_on(evidence.take_read().1));
                let ranked = Ranked {
                    id,
                    title,
                    finding: finding.clone(),
                    read: read.clone(),
                    basis: *basis,
                    note: own_note(id, finding, report.get())
                        .or_else(|| note(rule, &cost, workload.as_ref()))
                        .map(Text::from),
                    cost,
                    demands: rule.demands,
                    part_of: None,
                };
                let matters = workload.as_ref().is_none_or(|w| w.minds(ranked.demands));
                match (matters, &ranked.note) {
                    (false, _) => aside.push(ranked),
                    (true, Some(_)) => notes.push(ranked),
                    (true, None) => findings.push(ranked),
                }
            }
            Verdict::Clear { read, .. } => clear.push((id, title, read.clone())),
            Verdict::CannotTell { missing: Reason { why, remedy, .. } } => {
                missing.entry(remedy.clone()).or_default().push((id, why.clone()));
            }
        }
    }
    for all in [&mut findings, &mut notes, &mut aside] {
        all.order_by(costlier);
        causes_first(all);
    }
    let mut unlocks: Vec<Unlock> =
        missing.into_iter().map(|(remedy, rules)| Unlock { remedy, rules }).collect();
    unlocks.order_by_key(|u| (u.remedy.is_none(), std::cmp::Reverse(u.rules.len())));
    let of_published = of_published(report);
    Diagnosis { workload, findings, notes, aside, clear, unlocks, of_published, against: None }
}

/// Differences of published runs of one machine: as each differs in several things, no rule names a cause.
pub(crate) fn of_published(report: &Report<'_>) -> Vec<Text> {
    let speeds = undisturbed_speeds::published(report);
    speeds.iter().flat_map(|one| one.summary()).chain(systems(report.record)).collect()
}

/// The reason why a finding needs no action. As built is a fault for a workload that is known to depend on it.
fn note(rule: &Rule, cost: &Result<Cost, Reason>, workload: Option<&Workload>) -> Option<Message> {
    if cost.as_ref().is_ok_and(|cost| cost.high < LITTLE) {
        return Some(say::NOTE_LITTLE);
    }
    rule.note.filter(|_| !workload.is_some_and(|w| w.leans_on(rule.demands)))
}

/// Wrong results first, then the most costly, by what it may cost at most, then at least; unknown last, by the rule's id.
fn costlier(a: &Ranked, b: &Ranked) -> std::cmp::Ordering {
    let ends = |r: &Ranked| match r.id {
        "wrong_results" => (f64::INFINITY, f64::INFINITY),
        _ => r.cost.as_ref().map_or((-1.0, -1.0), |c| (c.high, c.low)),
    };
    let ((a_high, a_low), (b_high, b_low)) = (ends(a), ends(b));
    b_high.total_cmp(&a_high).then(b_low.total_cmp(&a_low)).then(a.id.cmp(b.id))
}

impl Diagnosis {
    /// The diagnosis beside another record: what explains the difference, and what does not.
    #[must_use]
    pub fn against(mut self, own: &Report<'_>, other: &Report<'_>) -> Diagnosis {
        self.against = Some(against::against(own, other));
        self
    }
}

#[cfg(test)]
mod tests;
