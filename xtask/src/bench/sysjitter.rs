//! sysjitter beside the probe of gaps on one CPU, in short turns: `crates/measure/tests/noise/peer.rs`, which judges by the
//! difference of each round, with the machine's own noise and with 10 % that are planted. Some seven minutes with 150 rounds.
use crate::children::{cargo, find, run};
use std::path::Path;

/// What it is called on the command line of the chore.
pub(crate) const NAME: &str = "sysjitter";
/// Where it can be had.
pub(crate) const SOURCE: &str = "github.com/Xilinx-CNS/cns-sysjitter (make)";

/// Measures the last CPU that may be used and prints the table; as a control sysjitter takes our turns, too. So many rounds, or
/// as many as are usual.
pub(crate) fn measure(
    rounds: Option<usize>,
    control: bool,
    values: Option<&Path>,
) -> Result<(), String> {
    let Some(program) = find("sysjitter") else {
        println!("skipped {NAME}: not found; it can be had from {SOURCE}");
        return Ok(());
    };
    let mut test = cargo();
    test.args(["test", "--quiet", "--release", "--package", "measure", "--test", "noise"]);
    test.args(["sysjitter_beside", "--", "--ignored", "--nocapture", "--test-threads", "1"]);
    test.env("SYSJITTER", program);
    if let Some(rounds) = rounds {
        test.env("NOISE_ROUNDS", rounds.to_string());
    }
    if control {
        test.env("NOISE_CONTROL", "1");
    }
    if let Some(file) = values {
        let whole = std::path::absolute(file).map_err(|e| format!("{}: {e}", file.display()))?;
        test.env("NOISE_VALUES", whole);
    }
    run(&mut test)
}
