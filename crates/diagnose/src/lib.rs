//! Rules, the diagnosis that ranks what they find, and predictions of changes. Pure.
#![deny(missing_docs)]

pub mod analyses;
pub mod cost;
pub mod diagnosis;
pub mod evidence;
#[cfg(test)]
#[path = "../../estimates/tests/example/mod.rs"]
#[allow(dead_code, reason = "shared with the tests of other crates")]
mod example;
pub mod interrupts;
pub mod proof;
mod rule;
mod say {
    i18n::messages!("diagnose");
}
pub mod rules;
pub mod whatif;

pub use analyses::verdicts::{RuleVerdict, Verdicts};
pub use rule::{Finding, Rule, Verdict};

use benchmarks::analyses::{scaling_runs, unixbench};
use benchmarks::program;
use comparison::{compare, explain};
use estimates::analyses::{
    bandwidth_scalings, curves, drift, judgement, loaded, loaded_frequencies, matrices, numa,
    shared_core, theoretical, tlb,
};
use estimates::{estimate, facts, memory_speed, report, software, words};
