//! What a change would bring: a range predicted from this machine's own measurements, with the assumption that matters most and
//! the command that would test it. A prediction is no measurement and is called one everywhere. Changes are predicted each by
//! itself; nobody knows from a record what they do together. Pure. (`docs/adr/0026`.)
mod bound;
mod cores;
mod dimms;
mod frequency;
mod huge_pages;
mod smt;

use crate::evidence::Evidence;
use crate::program::{Limiter, Program};
use crate::report::Report;
use crate::say;
use crate::words::number;
use record::{Reason, Text};

/// A change to the machine or to how it is used.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Memory modules at so many transfers a second.
    Dimms(f64),
    /// One process on each NUMA node, its memory there.
    Bound,
    /// Sibling threads left unused.
    SmtOff,
    /// Programs get huge pages.
    HugePages,
    /// Cores at so many hertz.
    Frequency(f64),
    /// A workload of the scaling run on so many cores.
    Cores(usize),
}

impl Change {
    /// Its name, which begins its keys.
    pub fn name(self) -> &'static str {
        match self {
            Change::Dimms(_) => "dimms",
            Change::Bound => "bound",
            Change::SmtOff => "smt_off",
            Change::HugePages => "huge_pages",
            Change::Frequency(_) => "frequency",
            Change::Cores(_) => "cores",
        }
    }
}

/// The predicted speed-up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prediction {
    /// The least and the most.
    pub times: (f64, f64),
    /// The programs it applies to: the least is of the first kind of program, the most of the second. A full sentence.
    pub who: Text,
    /// The measurements of this machine that it rests on.
    pub basis: Text,
    /// The most important assumption.
    pub assumes: Text,
    /// The command that would test it.
    pub test: Text,
    /// The present state, where that is short.
    pub now: Option<Text>,
    /// The reason why the change may have a part of its effect only.
    pub held: Option<Text>,
}

impl Prediction {
    /// `1.00 to 1.40 times`.
    pub fn words(&self) -> Text {
        let (low, high) = self.times;
        match number(low) == number(high) {
            true => say::times(number(low)),
            false => say::times_range(number(low), number(high)),
        }
    }
}

/// A change with its prediction.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The change.
    pub change: Change,
    /// In words.
    pub title: Text,
    /// The prediction; or why there is none, and the remedy.
    pub found: Result<Prediction, Reason>,
    /// The evidence that was read.
    pub read: Vec<Text>,
}

/// Predicts the effect of each of these changes by itself.
pub fn whatif(report: &Report<'_>, changes: &[Change]) -> Vec<Answer> {
    changes.iter().map(|change| answer(report, *change)).collect()
}

fn answer(report: &Report<'_>, change: Change) -> Answer {
    let evidence = Evidence::over(report);
    let (title, found) = match change {
        Change::Dimms(transfers) => dimms::predict(&evidence, transfers),
        Change::Bound => bound::predict(&evidence, report),
        Change::SmtOff => smt::predict(&evidence),
        Change::HugePages => huge_pages::predict(&evidence),
        Change::Frequency(hertz) => frequency::predict(&evidence, hertz),
        Change::Cores(cores) => cores::predict(&evidence, cores),
    };
    let sane = |p: &Prediction| {
        p.times.0.is_finite() && p.times.1.is_finite() && 0.0 < p.times.0 && p.times.0 <= p.times.1
    };
    let none = || Reason::new(say::WHATIF_NO_RANGE);
    let found = report.record.provenance.of_one_machine().and(found);
    let found = found.and_then(|p| if sane(&p) { Ok(p) } else { Err(none()) });
    Answer { change, title, found, read: evidence.take_read().0 }
}

/// The title of a change, and its effect.
type Predicted = (Text, Result<Prediction, Reason>);

/// Times as fast with a part of the time made so many times as fast. Source: G. Amdahl, AFIPS 1967.
fn amdahl(share: f64, times: f64) -> f64 {
    1.0 / (1.0 - share + share / times)
}

/// The share of its cycles that the counted program waits for memory, if it is that which limits it.
fn waits(evidence: &Evidence<'_>) -> Option<f64> {
    let programs = evidence.programs().ok()?;
    let limited = |p: &&Program<'_>| p.limiter.limiter == Limiter::MemoryLatency;
    programs.iter().filter(limited).find_map(Program::waits)
}

/// The ends of a gain for loads alone: for the counted program if there is one, else from nothing to all of it.
fn of_loads(evidence: &Evidence<'_>, times: f64) -> ((f64, f64), Text) {
    let (most, who) = match waits(evidence) {
        // It overlaps some of its loads, so what it waits is the most that can go.
        Some(share) => {
            (amdahl(share, times), say::whatif_counted_waits(crate::words::percent(share)))
        }
        None => (times, say::WHATIF_WHO_LOADS.into()),
    };
    (if most < 1.0 { (most, 1.0) } else { (1.0, most) }, who)
}

#[cfg(test)]
mod tests;
