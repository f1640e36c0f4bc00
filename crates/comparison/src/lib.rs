//! Several records beside each other: what is comparable, what differs, and which factors explain it.

pub mod compare;
pub mod equivalent;
mod equivalents;
#[cfg(test)]
#[path = "../../estimates/src/example.rs"]
#[allow(dead_code, reason = "shared with the tests of other crates")]
mod example;
pub mod explain;
pub mod grade;
pub mod nearest;

use estimates::analyses::{curves, drift, judgement};
use estimates::{estimate, facts, program, report, software, words};
