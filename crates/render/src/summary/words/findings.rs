//! Findings of a summary in words: claim, evidence, cost, action.
use super::workload;
use crate::quantity;
use crate::summary::layout::wrapped;
use analyse::Grade;
use analyse::summary::Finding;
use messages::prose::in_language;
use messages::{self as say, Lang};

/// The claim of a rule.
pub(in crate::summary) fn claim(lang: Lang, rule: &str) -> String {
    let known = say::text(lang, &format!("finding-{rule}"));
    known.map_or_else(|| rule.replace('_', " "), str::to_owned)
}

/// Columns of a workload's name before what to do about it.
const WIDEST_WORKLOAD: usize = 40;

/// The command that an action ends with, which no language words otherwise; else nothing.
pub(in crate::summary) fn command_of(finding: &Finding) -> Option<&'static str> {
    let key = format!("finding-{}.{}", finding.rule, finding.action);
    let last =
        |lang| say::text(lang, &key)?.split([':', ';', '：', '；']).next_back().map(str::trim);
    last(Lang::En).filter(|command| Some(*command) == last(Lang::Zh))
}

/// The first thing to do about it, for the workload that it holds for.
pub(in crate::summary) fn action(lang: Lang, finding: &Finding) -> Option<String> {
    let action = say::text(lang, &format!("finding-{}.{}", finding.rule, finding.action))?;
    let Some(of) = finding.workload.as_deref() else { return Some(action.to_owned()) };
    // What stands in brackets tells servers and systems apart.
    let (name, _) = of.split_once(" (").unwrap_or((of, ""));
    let name = in_language(lang, &workload(lang, name));
    let name = wrapped(&name, WIDEST_WORKLOAD).into_iter().next();
    Some(say::action_for(lang, action, name.unwrap_or_default()))
}

/// The source of a finding's evidence.
pub(in crate::summary) fn grade(lang: Lang, grade: Option<Grade>) -> &'static str {
    match grade {
        None => "",
        Some(Grade::Measured) => say::grade_measured(lang),
        Some(Grade::Printed) => say::grade_printed(lang),
        Some(Grade::Published) => say::grade_published(lang),
        Some(Grade::Stated) => say::grade_stated(lang),
    }
}

/// The cost of one of these findings. One that its cause contains is not counted again.
pub(in crate::summary) fn cost(lang: Lang, finding: &Finding, all: &[Finding]) -> String {
    let cause = all.iter().position(|other| Some(other.rule) == finding.part_of);
    let most = |f: &Finding| f.cost.as_ref().map_or(0.0, |c| c.high);
    let own = match cause {
        Some(i) if most(finding) <= most(&all[i]) => return say::cost_part(lang, i as u64 + 1),
        _ => own_cost(lang, finding),
    };
    cause.map_or(own.clone(), |i| say::cost_with(lang, own, i as u64 + 1))
}

fn own_cost(lang: Lang, finding: &Finding) -> String {
    let Some(cost) = &finding.cost else { return say::cost_unknown(lang).to_owned() };
    let (low, high) = (quantity::percent(cost.low), quantity::percent(cost.high));
    match () {
        () if low == high => high,
        () if cost.low <= 0.0 => say::cost_up_to(lang, high),
        () => say::cost_range(lang, high, low),
    }
}
