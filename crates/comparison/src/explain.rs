//! The speed ratio of one workload between two records, as factors:
//! `speed = cores x SMT yield x frequency x IPC x locality x bandwidth / instructions`. Each factor is measured, stated by
//! somebody, or inferred; what is left over is the residual. Pure; the identity is that of `program`.
//! (`docs/method.md`, "Factor breakdown"; `docs/adr/0019`.)
mod bandwidth;
mod cores;
mod counts;
mod dies;
mod family;
mod frequency;
mod instructions;
mod ipc;
mod locality;
mod pair;
mod seen;
mod smt;
mod summary;
mod work;

pub use counts::own_counts;
pub use dies::{Dies, Interleaved, dies};
pub use family::{Family, Share, families};
pub use pair::explain;
pub use work::{Work, works};

use crate::incomparable::Incomparable;
use record::{Metric, ProbeId, Reason, Text, Unit, Value};
use std::collections::BTreeMap;

/// The source of a number, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// Counted or timed in the run itself.
    Measured,
    /// Printed by the publisher of the run, or by the machine about itself.
    Stated,
    /// Follows from the others, or from another run of the same record.
    Inferred,
}

/// A factor's value on one side, with the least and the most that it can have been.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Amount {
    /// The value, in the factor's unit.
    pub value: f64,
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
    /// Its source.
    pub how: How,
    /// Its source in words.
    pub from: Text,
}

impl Amount {
    /// One that was counted or timed in the run itself.
    fn measured(value: f64, from: impl Into<Text>) -> Amount {
        Amount::exact(value, How::Measured, from)
    }

    /// One that is stated exactly.
    fn stated(value: f64, from: impl Into<Text>) -> Amount {
        Amount::exact(value, How::Stated, from)
    }

    /// One that follows from other numbers.
    fn inferred(value: f64, from: impl Into<Text>) -> Amount {
        Amount::exact(value, How::Inferred, from)
    }

    /// One that is known exactly.
    fn exact(value: f64, how: How, from: impl Into<Text>) -> Amount {
        Amount { value, low: value, high: value, how, from: from.into() }
    }
    /// Both of them, over a number that is known exactly.
    fn over(mut self, by: f64) -> Amount {
        for x in [&mut self.value, &mut self.low, &mut self.high] {
            *x /= by;
        }
        self
    }
}

record::named! {
    /// The factors of a speed, in the order in which they are shown.
    #[derive(serde::Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Factor {
        /// Instructions for a unit of work: more are slower.
        Instructions = "instructions",
        /// Core frequency in hertz.
        Frequency = "frequency",
        /// Instructions that a core retires in a cycle, with what cannot be separated from it.
        Ipc = "IPC",
        /// Cores in use, on average over the run.
        Cores = "cores used",
        /// The rate of a core with all its threads over that with one.
        Smt = "SMT yield",
        /// Speed with the memory where it was over that with all of it local.
        Locality = "locality",
        /// Speed with the bandwidth that was left over that with memory idle.
        Bandwidth = "bandwidth",
    }
}

impl Factor {
    /// Unit of its amounts.
    pub fn unit(self) -> Unit {
        match self {
            Factor::Instructions | Factor::Cores => Unit::Count,
            Factor::Frequency => Unit::Hertz,
            Factor::Ipc => Unit::PerCycle,
            Factor::Smt | Factor::Locality | Factor::Bandwidth => Unit::Ratio,
        }
    }
    /// Whether it is seen as instructions per cycle where nothing tells the two apart.
    pub fn inside_ipc(self) -> bool {
        matches!(self, Factor::Smt | Factor::Locality | Factor::Bandwidth)
    }
    /// Factors that a residual holds where these are known: a known IPC has its parts in it.
    fn but(known: impl Fn(Factor) -> bool) -> Vec<Factor> {
        let left = Factor::ALL.into_iter().filter(|f| !known(*f));
        left.filter(|f| !f.inside_ipc() || !known(Factor::Ipc)).collect()
    }
}

/// A ratio, with the least and the most.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Times {
    /// Above 1 it makes this record the faster one.
    pub value: f64,
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
    /// Its source: of the two sides the less sure one.
    pub how: How,
}

impl Times {
    /// Whether it is above or below 1 whatever its two sides were within their ranges.
    pub fn sure(&self) -> bool {
        self.low > 1.0 || self.high < 1.0
    }
}

/// One factor.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Step {
    /// The factor.
    pub factor: Factor,
    /// In the baseline and here, as far as it is known.
    pub sides: [Option<Amount>; 2],
    /// Its effect on the speed, or why that is not known.
    pub times: Result<Times, Reason>,
}

impl Step {
    /// The effect of its two sides on the speed, whether or not it is multiplied with the others.
    pub fn sides_times(&self) -> Option<Times> {
        let [Some(a), Some(b)] = &self.sides else { return None };
        Some(pair::times(self.factor, a, b))
    }
}

/// The residual that the known factors leave of the ratio.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Rest {
    /// The ratio.
    pub times: Times,
    /// The factors that it is made of, for they are not known; nothing: it is the residual, of which there should be none.
    pub holds: Vec<Factor>,
}

/// The factors of a workload that both sides have.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Parts {
    /// One for each factor, in order.
    pub steps: Vec<Step>,
    /// The residual.
    pub rest: Rest,
    /// The factor that nobody measured and that follows from the others, where all of them are known.
    pub inferred: Option<Factor>,
}

impl Parts {
    /// Whether the SMT yield is a part of the IPC: both are of as many threads of a core, as the counters are.
    pub fn smt_in_ipc(&self) -> bool {
        let times = |f: Factor| self.steps.iter().find(|s| s.factor == f).map(|s| &s.times);
        matches!((times(Factor::Ipc), times(Factor::Smt)), (Some(Ok(_)), Some(Err(_))))
    }
}

/// One workload of one record against the baseline's.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Explanation {
    /// Index of the record.
    pub side: usize,
    /// The probe's id.
    pub probe: ProbeId,
    /// The metric.
    pub metric: Metric,
    /// The workload.
    pub at: BTreeMap<String, Value>,
    /// Speed over that of the baseline.
    pub ratio: f64,
    /// Differences of the two runs.
    pub unlike: Vec<Incomparable>,
    /// The factors; why there is no breakdown.
    pub parts: Result<Parts, Reason>,
    /// Keys of the two quantities.
    #[serde(skip)]
    pub keys: [String; 2],
    /// The conclusion: full sentences, the answer first.
    pub summary: Vec<Text>,
}

impl Explanation {
    /// The factor that matters most, among those that are known or that alone are left.
    pub fn main(&self) -> Option<(Factor, Times)> {
        let parts = self.parts.as_ref().ok()?;
        let known = parts.steps.iter().filter_map(|s| Some((s.factor, *s.times.as_ref().ok()?)));
        let left = match parts.rest.holds[..] {
            [one] => Some((one, parts.rest.times)),
            _ => None,
        };
        let far = |t: &Times| t.value.ln().abs();
        known.chain(left).max_by(|a, b| far(&a.1).total_cmp(&far(&b.1)))
    }
}
