//! Faults that are planted, and what `cpulens noise` makes of them: `crates/measure/tests/noise/verdicts.rs`, which plants each
//! in every second turn and judges by the difference. Some two minutes with eleven rounds.
use crate::children::{cargo, run};

/// What it is called on the command line of the chore.
pub(crate) const NAME: &str = "noise";
/// Rounds where none are asked for: with eleven, the second and the tenth value enclose the median with 95 % confidence.
const ROUNDS: usize = 11;

pub(crate) fn measure(rounds: Option<usize>) -> Result<(), String> {
    let mut test = cargo();
    test.args(["test", "--quiet", "--release", "--package", "measure", "--test", "noise"]);
    test.args(["verdicts", "--", "--ignored", "--nocapture", "--test-threads", "1"]);
    run(test.env("NOISE_ROUNDS", rounds.unwrap_or(ROUNDS).to_string()))
}
