//! The checks of `checks/`, a workspace of its own: emulated machines, a browser, and the programs whose numbers ours should
//! agree with.
use xtask::children::{cargo_with_clippy, run};

/// Cargo on that workspace. All its packages are selected whatever is built, so that what they share is built once: with
/// fewer of them it would have other features.
fn workspace(verb: &str, kind: &str, name: &str) -> std::process::Command {
    let mut command = cargo_with_clippy();
    command.args([verb, "--quiet", "--locked", "--manifest-path", "checks/Cargo.toml"]);
    command.args([kind, name, "--"]);
    command
}

/// One test program of it.
fn test(name: &str) -> std::process::Command {
    workspace("test", "--test", name)
}

/// Boots machines and runs a program there.
pub(crate) fn lab(words: &[&str]) -> Result<(), String> {
    run(workspace("run", "--bin", "lab").args(words))
}

/// Every machine that does not take minutes, or those that are named.
pub(crate) fn suite(names: &[&str]) -> Result<(), String> {
    let slow = if names.is_empty() { None } else { Some("--include-ignored") };
    run(test("suite").args(names).args(slow))
}

/// The kernel module, built, loaded and unloaded, and a guest.
pub(crate) fn module() -> Result<(), String> {
    run(&mut test("module"))
}

/// The kernel's own tracer of noise beside ours.
pub(crate) fn osnoise() -> Result<(), String> {
    run(test("osnoise").args(["--include-ignored", "--nocapture"]))
}

/// The HTML report in Chromium.
pub(crate) fn browser() -> Result<(), String> {
    run(test("report").arg("--nocapture"))
}

/// Packages of the binaries in `dist/`.
pub(crate) fn release(words: &[&str]) -> Result<(), String> {
    run(workspace("run", "--bin", "release").args(words))
}

/// The packages, installed and run.
pub(crate) fn packages() -> Result<(), String> {
    run(test("install").arg("--include-ignored"))
}

/// Faults of every kind, those by chance for so many seconds, from a seed of which each fault has the next. With `all`, too,
/// what takes a quarter of an hour.
pub(crate) fn faults(seconds: u64, seed: u64, all: bool) -> Result<(), String> {
    println!("faults by chance for {seconds} s, from FAULTS_SEED={seed}");
    let mut command = test("faults");
    command.env("FAULTS_SECONDS", seconds.to_string()).env("FAULTS_SEED", seed.to_string());
    run(command.args(all.then_some("--include-ignored")))
}

/// Our numbers beside those of other programs.
pub(crate) fn bench(words: &[&str]) -> Result<(), String> {
    run(workspace("run", "--bin", "parity").args(words))
}
