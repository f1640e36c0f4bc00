//! The verdict of each rule on a record.
use crate::evidence::Evidence;
use crate::rule::Verdict;
use crate::rules;
use estimates::analysis::{Analysis, Entry};
use estimates::report::Report;

/// One for each rule, by its id.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(transparent)]
pub struct Verdicts(pub Vec<RuleVerdict>);

impl Verdicts {
    /// Each rule's id and answer.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Verdict)> {
        self.0.iter().map(|one| (one.rule, &one.verdict))
    }
    /// Whether this rule has a finding.
    pub fn fires(&self, rule: &str) -> bool {
        self.0.iter().any(|one| one.rule == rule && matches!(one.verdict, Verdict::Fires { .. }))
    }
}

/// The verdict of one rule.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuleVerdict {
    /// The rule's id.
    pub rule: &'static str,
    /// Its answer.
    #[serde(flatten)]
    pub verdict: Verdict,
}

pub(crate) static ANALYSIS: Entry = Entry::of::<Verdicts>();

impl Analysis for Verdicts {
    const TITLE: &str = "What each rule says, by rule id.";
    const ORDER: u16 = 230;
    fn compute(report: &Report<'_>) -> Self {
        let evidence = Evidence::over(report);
        let of_one = report.record.provenance.of_one_machine();
        let verdict = |(rule, found): &(&'static str, &crate::Rule)| RuleVerdict {
            rule,
            verdict: match &of_one {
                Ok(()) => found.verdict(&evidence),
                Err(why) => Verdict::CannotTell { missing: why.clone() },
            },
        };
        Verdicts(rules::ALL.iter().map(verdict).collect())
    }
}
