//! The cost of a finding: a range with its basis, and the workloads that it affects.
use crate::evidence::no_figure;
use crate::say;
use crate::words::percent;
use benchmarks::quantities::Basis;
use record::{Reason, Text};

record::named! {
    /// A resource that a workload may depend on.
    pub enum Demand {
        /// Cycles of its CPUs.
        Cycles = "CPU cycles",
        /// The time of a load from memory or a shared cache.
        Latency = "memory latency",
        /// Bytes a second from memory.
        Bandwidth = "memory bandwidth",
        /// System calls, interrupts, the network.
        Kernel = "system calls",
        /// New processes and pages.
        Forks = "new processes",
        /// Lines and locks that threads share.
        Sharing = "shared lines and locks",
    }

    /// The basis of a cost.
    pub enum Confidence {
        /// Cause and size were measured on this machine.
        Measured = "measured here",
        /// The cause is a fact of this machine; its size follows from a measurement that is not of the cause alone.
        Derived = "a fact, its size derived from measurements here",
        /// Cause and size follow from what other tools printed or somebody published.
        Published = "from other tools' or published figures",
        /// The cause is stated, and its size is what others measured or what arithmetic allows.
        Stated = "a stated fact, its size not measured here",
    }
}

/// A cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// Share of the throughput that is lost, by a program that leans on it least, and by one that leans on nothing else: 0.28
    /// is 28 % less work in the same time.
    pub low: f64,
    /// See `low`.
    pub high: f64,
    /// The basis of the range, as a full sentence.
    pub basis: Text,
    /// The kind of basis.
    pub confidence: Confidence,
}

impl Cost {
    /// A range between two shares, in order and inside 0 and 1; an error if they are no numbers.
    pub(crate) fn between(
        a: f64,
        b: f64,
        confidence: Confidence,
        basis: impl Into<Text>,
    ) -> Result<Cost, Reason> {
        let inside = |x: f64| x.clamp(0.0, 0.99);
        let (low, high) = (inside(a.min(b)), inside(a.max(b)));
        match a.is_finite() && b.is_finite() {
            true => Ok(Cost { low, high, basis: basis.into(), confidence }),
            false => Err(no_figure()),
        }
    }
    /// A range from nothing to this share.
    pub(crate) fn up_to(
        most: f64,
        confidence: Confidence,
        basis: impl Into<Text>,
    ) -> Result<Cost, Reason> {
        Cost::between(0.0, most, confidence, basis)
    }
    /// The cost with the confidence that figures of that basis allow.
    pub(crate) fn resting_on(mut self, basis: Basis) -> Cost {
        if !basis.is_measured() {
            self.confidence = self.confidence.max(Confidence::Published);
        }
        self
    }
    /// A range from what a workload keeps on the scaling run, at least and at most, of what it could do.
    pub(crate) fn on_scaling_run(least: f64, most: f64) -> Result<Cost, Reason> {
        let basis = say::ON_SCALING_RUN;
        Cost::between(1.0 - most, 1.0 - least, Confidence::Measured, basis)
    }
    /// `0 to 28 % less work`.
    pub fn words(&self) -> Text {
        match percent(self.low) == percent(self.high) {
            true => say::less_work(percent(self.high)),
            false => {
                let low = percent(self.low);
                say::less_work_range(low.trim_end_matches(" %"), percent(self.high))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_is_a_range_in_order() {
        let cost = Cost::between(0.5, 0.1, Confidence::Stated, "x").unwrap();
        assert_eq!((cost.low, cost.high, &*cost.words()), (0.1, 0.5, "10 to 50 % less work"));
        assert_eq!(Cost::between(-0.2, 3.0, Confidence::Stated, "x").unwrap().high, 0.99);
        assert_eq!(
            Cost::between(0.13, 0.13, Confidence::Measured, "x").unwrap().words(),
            "13 % less work"
        );
        assert!(Cost::between(f64::NAN, 0.1, Confidence::Stated, "x").is_err());
    }
}
