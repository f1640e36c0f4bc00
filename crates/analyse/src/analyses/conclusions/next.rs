//! Whether to believe it, what is wrong, what is missing, and which command comes next.
use crate::diagnosis::Ranked;
use crate::say;
use estimates::groups::by_key;
use estimates::report::Report;
use record::{Between, Environment, Judgement, Outcome, Run, Text};

pub(super) fn environment(report: &Report<'_>) -> Option<Text> {
    let verdict = match report.get::<Judgement>().environment {
        Environment::Pass => return None,
        Environment::Warn => say::DOUBT,
        Environment::Fail => say::INVALID,
    };
    let (first, rest) = report.get::<Judgement>().reasons.split_first()?;
    let more = (!rest.is_empty()).then(|| say::further_reasons(rest.len()));
    let all = [Some(verdict.into()), Some(say::sentence(first)), more];
    Some(Text::list(all.into_iter().flatten(), Between::Sentences))
}

/// A sentence for each, as they are ranked, with its cost where that is known.
pub(super) fn ranked(all: &[Ranked]) -> Vec<Text> {
    let one = |r: &Ranked| {
        let cost = r.cost.as_ref().ok().map(|cost| say::cost(cost.words()));
        let cause = r.part_of.map(say::counted_with);
        let all = [Some((&r.finding.claim).into()), cost, cause, Some((&r.finding.advice).into())];
        Text::list(all.into_iter().flatten(), Between::Sentences)
    };
    all.iter().map(one).collect()
}

/// Cases without a result, those with the same reason together.
pub(super) fn not_measured<'r>(report: &'r Report<'_>) -> Vec<Text> {
    type Said = fn(Text, Text) -> Text;
    let reason = |run: &'r Run| -> Option<(u8, Said, _)> {
        match &run.outcome {
            Outcome::Measured(_) => None,
            Outcome::Skipped(reason) => Some((0, say::not_measured, reason)),
            Outcome::Failed(reason) => Some((1, say::failed, reason)),
            Outcome::NotReached(reason) => Some((2, say::not_reached, reason)),
        }
    };
    let runs = report.record.runs.iter().filter_map(|run| Some((reason(run)?, run.case.label())));
    by_key(runs, |((kind, _, reason), _)| (*kind, *reason))
        .into_iter()
        .map(|((_, reason), cases)| {
            let said = cases[0].0.1;
            let mut labels = cases.into_iter().map(|(_, label)| label);
            let named = match labels.len() {
                0..=3 => Text::list(labels, Between::Comma),
                n => say::more_cases(Text::list(labels.by_ref().take(2), Between::Comma), n - 2),
            };
            said(named, reason.into())
        })
        .collect()
}

/// The command that would add most to this record.
pub(super) fn commands(report: &Report<'_>) -> Option<Text> {
    let record = report.record;
    let unreached = record.runs.iter().any(|r| matches!(r.outcome, Outcome::NotReached(_)));
    let next = if unreached {
        say::NEXT_RESUME
    } else if report.get::<Judgement>().environment == Environment::Fail {
        say::NEXT_MEND
    } else if record.runs.is_empty() {
        say::NEXT_RUN
    } else if record.provenance.depth.as_deref() == Some("quick") {
        say::NEXT_DEEPER
    } else {
        say::NEXT_OTHER
    };
    Some(next.into())
}
