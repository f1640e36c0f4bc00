//! A rule of the diagnosis: what it reports, what it reads, and what the problem costs.
pub(crate) use crate::cost::{Confidence, Cost, Demand};
pub(crate) use crate::evidence::{Evidence, no_figure};
use benchmarks::quantities::Basis;
use record::{Message, Text};
pub(crate) use record::{OrWhy, Reason};

/// `Ok(None)`: checked, no problem. `Err`: what the record lacks; `?` on a getter of `Evidence` returns it.
type Check = fn(&Evidence<'_>) -> Result<Option<Finding>, Reason>;
/// `Err`: why the cost is not known.
type Price = fn(&Evidence<'_>) -> Result<Cost, Reason>;

/// One problem that a machine can have. Its id is its file's name; the file's header explains it.
#[derive(Debug)]
pub struct Rule {
    /// The problem in a few words.
    pub title: Message,
    /// The resources that the problem affects. It does not matter to a workload that needs none of them.
    pub demands: &'static [Demand],
    /// The reason why the finding is a note without action, as a full sentence: as built, or by default of the system.
    /// For a workload that depends on `demands` it is a finding all the same.
    pub note: Option<Message>,
    /// Whether there is the problem.
    check: Check,
    /// The cost of the problem where the rule fires. `Err`: why no record tells it, and what would.
    cost: Result<Price, (Message, Option<Message>)>,
}

impl Rule {
    /// A rule whose findings call for action.
    pub(crate) const fn new(
        title: Message,
        demands: &'static [Demand],
        check: Check,
        cost: Price,
    ) -> Rule {
        Rule { title, demands, note: None, check, cost: Ok(cost) }
    }
    /// A rule whose problem has no figure of its cost for this reason, and with this remedy.
    pub(crate) const fn without_cost(
        title: Message,
        demands: &'static [Demand],
        check: Check,
        why: Message,
        remedy: Option<Message>,
    ) -> Rule {
        Rule { title, demands, note: None, check, cost: Err((why, remedy)) }
    }
    /// The rule with its findings as notes for this reason.
    pub(crate) const fn noted(self, why: Message) -> Rule {
        Rule { note: Some(why), ..self }
    }
    /// The cost of the problem where the rule fires, or why that is not known.
    pub(crate) fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Reason> {
        let unknown = |(why, remedy): (Message, Option<Message>)| Reason {
            remedy: remedy.map(Text::from),
            ..Reason::new(why)
        };
        self.cost.map_err(unknown)?(evidence)
    }
    /// Checks a record. Reads are listed for this rule alone; what several rules compute is computed once.
    pub(crate) fn verdict(&self, evidence: &Evidence<'_>) -> Verdict {
        evidence.take_read();
        let answer = (self.check)(evidence);
        let (read, basis) = evidence.take_read();
        match answer {
            Ok(Some(finding)) => Verdict::Fires { finding, read, basis },
            Ok(None) => Verdict::Clear { read, basis },
            Err(missing) => Verdict::CannotTell { missing },
        }
    }
}

/// A rule's answer.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// There is a problem.
    Fires {
        /// The problem, its size, and its remedy.
        #[serde(flatten)]
        finding: Finding,
        /// Every fact and estimate that the rule read, with its source.
        read: Vec<Text>,
        /// The weakest that the answer rests on; absent where all of it was measured here.
        #[serde(skip_serializing_if = "Basis::is_measured")]
        basis: Basis,
    },
    /// Checked, no problem.
    Clear {
        /// Every fact and estimate that the rule read, with its source.
        read: Vec<Text>,
        /// The weakest that the answer rests on; absent where all of it was measured here.
        #[serde(skip_serializing_if = "Basis::is_measured")]
        basis: Basis,
    },
    /// The record lacks something.
    CannotTell {
        /// The missing evidence, and how to get it.
        missing: Reason,
    },
}

/// The report of a rule that fires.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// The problem, as a full sentence.
    pub claim: Text,
    /// The remedy.
    pub advice: Text,
    /// A command that verifies it, and after a colon when the claim is not confirmed.
    pub confirm_with: Text,
    /// The workload that alone the finding holds for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload: Option<String>,
    /// The short action that the advice is: an attribute of its message in `locales/*/findings.ftl`.
    #[serde(skip)]
    pub action: &'static str,
    /// The reason why it is a note, unless another finding backs it.
    #[serde(skip)]
    pub note: Option<Message>,
}

impl Finding {
    /// What is wrong, what to do about it, and the command that confirms it.
    pub fn new(
        claim: impl Into<Text>,
        advice: impl Into<Text>,
        confirm_with: impl Into<Text>,
    ) -> Finding {
        let [claim, advice, confirm_with] = [claim.into(), advice.into(), confirm_with.into()];
        Finding { claim, advice, confirm_with, workload: None, action: "action", note: None }
    }

    /// The same, of one workload.
    pub(crate) fn of(mut self, workload: &str) -> Finding {
        self.workload = Some(workload.to_owned());
        self
    }

    /// The same, whose advice has a short action of its own.
    pub(crate) fn acting(self, action: &'static str) -> Finding {
        Finding { action, ..self }
    }

    /// The same, which is a note for this reason.
    pub(crate) fn noted(self, why: Message) -> Finding {
        Finding { note: Some(why), ..self }
    }
}
