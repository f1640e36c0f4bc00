//! A diagnosis: what it claims, what it read, and what would settle it.
use crate::cost::{Cost, Demand};
use crate::evidence::{Evidence, Missing};
use crate::example::Example;
use record::Reason;

/// One thing that can be wrong with a machine. Its id is its file's name; what it means is the file's header.
pub trait Rule: Sync {
    /// What is wrong when it fires, in a few words.
    fn title(&self) -> &'static str;
    /// `Ok(None)`: looked, and in order.
    ///
    /// # Errors
    /// What the record would have to say; `?` on a getter of [`Evidence`] gives this.
    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing>;
    /// What it bears on: a workload that leans on none of these need not mind it.
    fn demands(&self) -> &'static [Demand] {
        Demand::ALL
    }
    /// Why this is how the machine was built, or how its system is by default, and so a note and nothing to act on, unless for
    /// a workload that leans on what it bears on. Nothing where it is a fault for anybody.
    fn as_built(&self) -> Option<&'static str> {
        None
    }
    /// What it costs, asked where the rule fires.
    ///
    /// # Errors
    /// Why that is not known: what the record would have to say, or why there is no such figure.
    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing>;
    /// At least one machine each on which it fires, stays quiet, and cannot tell: shown by `explain`, run by tests.
    fn examples(&self) -> &'static [Example];
}

/// What a rule says of the record.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Something is wrong.
    Fires {
        /// What, how much, and what to do.
        finding: Finding,
        /// Every fact and estimate that the rule looked at, with its source.
        read: Vec<String>,
    },
    /// Looked, and in order.
    Clear {
        /// Every fact and estimate that the rule looked at, with its source.
        read: Vec<String>,
    },
    /// The record cannot say.
    CannotTell {
        /// What is missing, and what would let it be known.
        missing: Reason,
    },
}

/// A diagnosis.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What is wrong, as a full sentence.
    pub claim: String,
    /// What to do about it.
    pub advice: String,
    /// The command whose output would prove the claim wrong.
    pub confirm_with: String,
}

#[cfg(test)]
mod contract {
    use super::*;
    use crate::example::{Expect, empty};
    use crate::{estimate, evidence, observed::Observed, rules};
    use record::Record;
    use std::collections::BTreeSet;

    fn ask(rule: &dyn Rule, record: &Record) -> Verdict {
        let estimates = estimate::estimates(record);
        let seen = Observed { record, estimates: &estimates };
        evidence::judge(rule, &Evidence::over(seen))
    }

    fn kind(verdict: &Verdict) -> Expect {
        match verdict {
            Verdict::Fires { .. } => Expect::Fires,
            Verdict::Clear { .. } => Expect::Clear,
            Verdict::CannotTell { .. } => Expect::CannotTell,
        }
    }

    #[test]
    fn every_rule_keeps_its_examples_and_covers_all_three_answers() {
        for (id, rule) in rules::ALL {
            let mut covered = BTreeSet::new();
            for example in rule.examples() {
                let verdict = ask(*rule, &example.record());
                assert_eq!(kind(&verdict), example.expect, "{id}: {}: {verdict:?}", example.about);
                match verdict {
                    Verdict::Fires { finding, read } => {
                        assert!(!read.is_empty(), "{id} fires without reading anything");
                        for text in [&finding.claim, &finding.advice] {
                            let first = text.chars().next().unwrap();
                            assert!(!first.is_lowercase() && text.ends_with('.'), "{id}: {text}");
                        }
                        assert!(!finding.confirm_with.is_empty(), "{id} cannot be proved wrong");
                        let (record, demands) = (example.record(), rule.demands());
                        let estimates = estimate::estimates(&record);
                        let seen = Observed { record: &record, estimates: &estimates };
                        match evidence::cost(*rule, &Evidence::over(seen)) {
                            Ok(cost) => {
                                let range =
                                    0.0 <= cost.low && cost.low <= cost.high && cost.high < 1.0;
                                assert!(range && cost.high > 0.0, "{id}: {cost:?}");
                                assert!(cost.basis.ends_with('.'), "{id}: {}", cost.basis);
                            }
                            Err(why) => assert!(!why.why.is_empty(), "{id} has no cost"),
                        }
                        assert!(!demands.is_empty(), "{id} bears on nothing");
                        let note = rule.as_built();
                        assert!(note.is_none_or(|why| why.ends_with('.')), "{id}: {note:?}");
                        // What every workload leans on would never be a note for one.
                        assert!(note.is_none() || demands != Demand::ALL, "{id}");
                    }
                    Verdict::Clear { read } => {
                        assert!(!read.is_empty(), "{id} is content without reading anything");
                    }
                    Verdict::CannotTell { missing } => assert!(!missing.why.is_empty(), "{id}"),
                }
                covered.insert(example.expect);
            }
            assert_eq!(covered.len(), 3, "{id} lacks an example: has {covered:?}");
        }
    }

    #[test]
    fn an_empty_record_is_never_called_healthy() {
        for (id, rule) in rules::ALL {
            assert_eq!(kind(&ask(*rule, &empty())), Expect::CannotTell, "{id}");
        }
    }

    #[test]
    fn titles_are_short_and_tell_rules_apart() {
        let titles: BTreeSet<&str> = rules::ALL.iter().map(|(_, rule)| rule.title()).collect();
        assert_eq!(titles.len(), rules::ALL.len());
        assert!(titles.iter().all(|t| t.len() < 60 && !t.ends_with('.')));
    }
}
