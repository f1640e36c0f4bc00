//! The checks of `checks/`, a workspace of its own: emulated machines, a browser, and the programs whose numbers ours should
//! agree with.
use xtask::children::{cargo, run};

fn package(verb: &str, name: &str) -> std::process::Command {
    let mut command = cargo();
    command.args([verb, "--quiet", "--locked", "--manifest-path", "checks/Cargo.toml"]);
    command.args(["--package", name]);
    command
}

/// Boots machines and runs a program there.
pub(crate) fn lab(words: &[&str]) -> Result<(), String> {
    run(package("run", "lab").arg("--").args(words))
}

/// Every machine that does not take minutes, or those that are named.
pub(crate) fn suite(names: &[&str]) -> Result<(), String> {
    let slow = if names.is_empty() { None } else { Some("--include-ignored") };
    run(package("test", "lab").args(["--test", "suite", "--"]).args(names).args(slow))
}

/// The kernel module, built, loaded and unloaded, and a guest.
pub(crate) fn module() -> Result<(), String> {
    run(package("test", "lab").args(["--test", "module"]))
}

/// The kernel's own tracer of noise beside ours.
pub(crate) fn osnoise() -> Result<(), String> {
    let arguments = ["--test", "osnoise", "--", "--include-ignored", "--nocapture"];
    run(package("test", "lab").args(arguments))
}

/// The HTML report in Chromium.
pub(crate) fn browser() -> Result<(), String> {
    run(package("test", "browser").args(["--test", "report", "--", "--nocapture"]))
}

/// Packages of the binaries in `dist/`.
pub(crate) fn release(words: &[&str]) -> Result<(), String> {
    run(package("run", "release").arg("--").args(words))
}

/// The packages, installed and run.
pub(crate) fn packages() -> Result<(), String> {
    run(package("test", "release").args(["--test", "install", "--", "--include-ignored"]))
}

/// Our numbers beside those of other programs.
pub(crate) fn bench(words: &[&str]) -> Result<(), String> {
    run(package("run", "parity").arg("--").args(words))
}
