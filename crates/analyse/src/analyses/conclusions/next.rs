//! Whether to believe it, what is wrong, what is missing, and which command comes next.
use crate::diagnosis::Ranked;
use crate::words::count;
use estimates::groups::by_key;
use estimates::report::Report;
use record::{Environment, Judgement, Outcome, Run};

pub(super) fn environment(report: &Report<'_>) -> Option<String> {
    let verdict = match report.get::<Judgement>().environment {
        Environment::Pass => return None,
        Environment::Warn => "Read the numbers with doubt.",
        Environment::Fail => "The numbers do not describe this machine.",
    };
    let (first, rest) = report.get::<Judgement>().reasons.split_first()?;
    let more = match rest.len() {
        0 => String::new(),
        n => {
            format!(" There {} {}.", if n == 1 { "is" } else { "are" }, count(n, "further reason"))
        }
    };
    Some(format!("{verdict} {first}.{more}"))
}

/// A sentence for each, as they are ranked, with its cost where that is known.
pub(super) fn ranked(all: &[Ranked]) -> Vec<String> {
    let one = |r: &Ranked| {
        let cost = r.cost.as_ref().map(|cost| format!(" Cost: {}.", cost.words()));
        let cause = r.part_of.map(|rule| format!(" Counted with {rule}.")).unwrap_or_default();
        format!("{}{}{cause} {}", r.finding.claim, cost.unwrap_or_default(), r.finding.advice)
    };
    all.iter().map(one).collect()
}

/// Cases without a result, those with the same reason together.
pub(super) fn not_measured<'r>(report: &'r Report<'_>) -> Vec<String> {
    let reason = |run: &'r Run| match &run.outcome {
        Outcome::Measured(_) => None,
        Outcome::Skipped(reason) => Some(("Not measured", reason)),
        Outcome::Failed(reason) => Some(("Failed", reason)),
        Outcome::NotReached(reason) => Some(("Not reached", reason)),
    };
    let runs = report.record.runs.iter().filter_map(|run| Some((reason(run)?, run.case.label())));
    by_key(runs, |(reason, _)| *reason)
        .into_iter()
        .map(|((word, reason), cases)| {
            let cases: Vec<String> = cases.into_iter().map(|(_, label)| label).collect();
            let named = match cases.len() {
                0..=3 => cases.join(", "),
                n => format!("{} and {} more cases", cases[..2].join(", "), n - 2),
            };
            format!("{word}: {named}, because {reason}.")
        })
        .collect()
}

/// The command that would add most to this record.
pub(super) fn commands(report: &Report<'_>) -> Option<String> {
    let record = report.record;
    let unreached = record.runs.iter().any(|r| matches!(r.outcome, Outcome::NotReached(_)));
    Some(if unreached {
        "Next: cpulens run --resume finishes this record.".to_owned()
    } else if report.get::<Judgement>().environment == Environment::Fail {
        "Next: remove what makes the environment check fail, then cpulens run again.".to_owned()
    } else if record.runs.is_empty() {
        "Next: cpulens run measures this machine.".to_owned()
    } else if record.provenance.depth.as_deref() == Some("quick") {
        "Next: cpulens run --depth standard measures more closely; cpulens explain load_latency says how a number was made.".to_owned()
    } else {
        "Next: cpulens run on another machine, or after a change, for a record to hold beside this one.".to_owned()
    })
}
