//! Several records beside each other: what is comparable, what differs, and which factors explain it.

pub mod aa;
pub mod compare;
mod conditions;
pub mod equivalent;
#[cfg(test)]
#[path = "../../estimates/tests/example/mod.rs"]
#[allow(dead_code, reason = "shared with the tests of other crates")]
mod example;
pub mod explain;
pub mod grade;
mod incomparable;
pub mod nearest;
mod quantities;
mod say {
    i18n::messages!("comparison");
}

use benchmarks::program;
use estimates::analyses::{curves, drift};
use estimates::{between_runs, estimate, facts, report, software, words};
