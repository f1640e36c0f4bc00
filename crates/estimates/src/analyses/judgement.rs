//! Whether the machine was fit to be measured: judged by what was seen, never by what kind of machine it is.
mod cause;
mod frequency;
mod imported;
mod limits;
mod others;
mod stability;

pub use cause::Cause;
pub use frequency::FREQUENCY_BELOW;
pub use others::{Watched, during};

use crate::analysis::{Analysis, Entry};
use crate::report::Report;
use record::{Environment, Judgement, Reason, Sort, Text};

/// How much a reason weighs. What cannot be determined is said, but casts no doubt of its own: an unreadable file is not
/// a slow machine. Other load is the exception, since nothing else moves numbers as often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    CannotTell,
    Warn,
    Fail,
}

/// One thing that was looked at and found wanting: how much it weighs, what it is, and a sentence without its full stop, for
/// the remedy follows it.
type Objection = (Weight, Cause, Reason);

pub static ANALYSIS: Entry = Entry::of::<Judgement>();

impl Analysis for Judgement {
    const TITLE: &str = "Whether the machine was fit to be measured; first in every rendering.";
    const ORDER: u16 = 10;
    /// The verdict with its reasons, the gravest first.
    fn compute(report: &Report<'_>) -> Self {
        let objections = objections(report);
        let environment = match objections.first() {
            Some((Weight::Fail, ..)) => Environment::Fail,
            Some((Weight::Warn, ..)) => Environment::Warn,
            _ => Environment::Pass,
        };
        let reasons = objections.into_iter().map(|(_, _, reason)| reason).collect();
        Judgement { environment, reasons }
    }
}

/// A warning of the judgement.
#[derive(Debug, Clone, PartialEq)]
pub struct Warning {
    /// The environment by this warning alone: `Warn` or `Fail`.
    pub environment: Environment,
    /// Its cause.
    pub cause: Cause,
    /// The reason as a sentence without its full stop.
    pub why: Text,
}

/// The warnings of the judgement, the gravest first; what could not be determined is left out.
pub fn warnings(report: &Report<'_>) -> Vec<Warning> {
    let warning = |(weight, cause, reason): Objection| {
        let environment = match weight {
            Weight::CannotTell => return None,
            Weight::Warn => Environment::Warn,
            Weight::Fail => Environment::Fail,
        };
        Some(Warning { environment, cause, why: reason.why })
    };
    objections(report).into_iter().filter_map(warning).collect()
}

fn objections(report: &Report<'_>) -> Vec<Objection> {
    const LOOKS: [fn(&Report<'_>) -> Option<Objection>; 11] = [
        others::busy,
        others::steal,
        others::runnable,
        others::swap,
        others::marked,
        limits::quota,
        limits::cpuset,
        frequency::below,
        stability::drift,
        frequency::unstable,
        stability::guard,
    ];
    let mut objections: Vec<Objection> = match report.record.provenance.sources.is_empty() {
        true => LOOKS.iter().filter_map(|look| look(report)).collect(),
        false => imported::objections(report),
    };
    objections.order_by_key(|(weight, ..)| std::cmp::Reverse(*weight));
    objections
}

fn warn(cause: Cause, why: impl Into<Text>, remedy: impl Into<Text>) -> Objection {
    object(Weight::Warn, cause, why, remedy)
}

fn object(
    weight: Weight,
    cause: Cause,
    why: impl Into<Text>,
    remedy: impl Into<Text>,
) -> Objection {
    (weight, cause, Reason::mended_by(why, remedy))
}

/// The weight of a value by the two limits it may exceed; nothing below both.
fn weigh(value: f64, doubtful: f64, invalid: f64) -> Option<Weight> {
    if value > invalid {
        Some(Weight::Fail)
    } else if value > doubtful {
        Some(Weight::Warn)
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
