//! `cargo xtask test`: everything CI and the README run, in stages, stopping at the first that fails.
use crate::{
    assembly, browser,
    children::{cargo, child, output, run},
    dist::{self, Arch},
    lab, layers, setup,
    stopwatch::Stopwatch,
    tree::cache,
};
use serde_json::Value;
use std::process::Stdio;

/// How much is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// What needs nothing but a Rust toolchain, and what OpenSSL is built with.
    Fast,
    Full,
}

/// A name, how much of testing it belongs to, and what it does.
struct Stage(&'static str, Extent, fn() -> Result<(), String>);

/// In the order in which a mistake is found soonest.
const STAGES: &[Stage] = &[
    Stage("setup", Extent::Full, setup::chore),
    Stage("format", Extent::Fast, format),
    Stage("lints", Extent::Fast, lints),
    Stage("layers", Extent::Fast, layers::chore),
    Stage("docs", Extent::Fast, docs),
    Stage("tests", Extent::Fast, tests),
    Stage("timed regions", Extent::Full, crate::timed::chore),
    Stage("dist", Extent::Full, dist::chore),
    Stage("assembly", Extent::Full, || assembly::chore(false)),
    Stage("aarch64 tests", Extent::Full, aarch64_tests),
    Stage("aarch64 vectors", Extent::Full, crate::vectors::chore),
    Stage("counter audit", Extent::Full, crate::audit::chore),
    Stage("aarch64 program", Extent::Full, aarch64_program),
    Stage("browser", Extent::Full, browser::chore),
    Stage("kernel module", Extent::Full, crate::kmod::chore),
    Stage("lab", Extent::Full, lab::suite),
];

/// The crates whose results depend on the architecture, and which need no real machine.
const ON_AARCH64: &[&str] = &["kernels", "record", "stats", "inventory"];

pub(crate) fn chore(extent: Extent) -> Result<(), String> {
    let whole = Stopwatch::start();
    let stages: Vec<&Stage> =
        STAGES.iter().filter(|s| extent == Extent::Full || s.1 == Extent::Fast).collect();
    for (passed, Stage(name, _, check)) in stages.iter().enumerate() {
        println!("=== {name}");
        let time = Stopwatch::start();
        if let Err(error) = check() {
            println!("=== {name} failed after {:.1} s: {error}", time.elapsed().as_secs_f64());
            println!("{passed} passed, 1 failed");
            return Err(format!("stage `{name}` failed"));
        }
        println!("=== {name} passed in {:.1} s", time.elapsed().as_secs_f64());
    }
    println!("all stages in {:.1} s", whole.elapsed().as_secs_f64());
    println!("{} passed, 0 failed", stages.len());
    Ok(())
}

/// One stage by its name, for whoever mends what it found.
pub(crate) fn stage(name: &str) -> Result<(), String> {
    match STAGES.iter().find(|s| s.0 == name) {
        Some(Stage(_, _, check)) => check(),
        None => {
            let names: Vec<&str> = STAGES.iter().map(|s| s.0).collect();
            Err(format!("no stage is called `{name}`; there are {}", names.join(", ")))
        }
    }
}

fn format() -> Result<(), String> {
    run(cargo().args(["fmt", "--all", "--check"]))
}

fn lints() -> Result<(), String> {
    let all = ["--workspace", "--all-targets", "--all-features"];
    // Without OpenSSL, which needs more than Rust to be built (docs/adr/0021).
    let least = ["--package", "cpulens", "--package", "measure", "--no-default-features"];
    for which in [&all[..], &least] {
        let arguments = ["clippy", "--quiet", "--locked"];
        run(cargo().args(arguments).args(which).args(["--", "-D", "warnings"]))?;
    }
    Ok(())
}

fn docs() -> Result<(), String> {
    let arguments = ["doc", "--quiet", "--workspace", "--no-deps", "--document-private-items"];
    run(cargo().args(arguments).arg("--locked").env("RUSTDOCFLAGS", "-D warnings"))
}

/// Snapshots are compared, never written.
fn tests() -> Result<(), String> {
    let arguments = ["test", "--quiet", "--workspace", "--all-features", "--locked"];
    run(cargo().args(arguments).env("INSTA_UPDATE", "no"))
}

/// Correctness on the other architecture. Emulated, unoptimised simulations take minutes, so they are
/// optimised; overflow and debug assertions stay checked.
fn aarch64_tests() -> Result<(), String> {
    let mut command = dist::cargo_for(Arch::Aarch64)?;
    command.args(["test", "--quiet", "--locked", "--lib", "--bins", "--tests"]);
    command.args(["--target", Arch::Aarch64.triple()]).env("INSTA_UPDATE", "no");
    command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "2");
    run(command.args(ON_AARCH64.iter().flat_map(|name| ["--package", name])))
}

/// Both binaries are the same program, and the emulated one sees a machine and measures it with Arm's own loops.
fn aarch64_program() -> Result<(), String> {
    let version = ["--version"];
    let here = output(child(dist::shipped(Arch::X86_64)).args(version))?;
    let there = emulated(&version)?;
    if here != there {
        return Err(format!("x86_64 says {here:?}, aarch64 {there:?}"));
    }
    let info = json(&emulated(&["info", "--format", "json"])?)?;
    if info["machine"]["facts"]["kernel.arch"]["value"] != "aarch64" {
        return Err(format!("info knows no aarch64: {}", info["machine"]["facts"]["kernel.arch"]));
    }
    let record = cache().join("aarch64.json");
    let only = ["run", "--only", "core_rate", "--time-budget", "5", "--format", "json", "--record"];
    emulated(&[&only[..], &[&record.display().to_string()]].concat())?;
    native_variants(&json(&crate::tree::read(&record)?)?)
}

/// What the aarch64 program prints when it does what it should.
fn emulated(args: &[&str]) -> Result<String, String> {
    let mut command = child("qemu-aarch64-static");
    let ran = command.arg(dist::shipped(Arch::Aarch64)).args(args).stdin(Stdio::null()).output();
    let ran = ran.map_err(|e| format!("cannot start qemu-aarch64-static: {e}"))?;
    match ran.status.code() {
        // 1 and 3: findings, and an unfit machine, of which an emulated one has every right.
        Some(0 | 1 | 3) => String::from_utf8(ran.stdout).map_err(|e| e.to_string()),
        _ => Err(format!("{}: {}\n{}", args[0], ran.status, String::from_utf8_lossy(&ran.stderr))),
    }
}

fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|e| format!("no JSON: {e}"))
}

/// Every operation ran in code made for this architecture, not in the portable stand-in.
fn native_variants(record: &Value) -> Result<(), String> {
    let runs = record["runs"].as_array().map_or(&[][..], Vec::as_slice);
    let run = runs.iter().find(|r| r["case"]["probe"] == "core_rate").ok_or("no core_rate")?;
    let series = run["outcome"]["measured"].as_array().ok_or(format!("{}", run["outcome"]))?;
    let stand_in = |v: &Value| v.as_str().is_none_or(|name| name.is_empty() || name == "portable");
    match series.iter().find(|s| stand_in(&s["variant"])) {
        None if series.is_empty() => Err("core_rate holds no series".into()),
        None => Ok(()),
        Some(s) => Err(format!("{} ran {}", s["at"], s["variant"])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_portable_loop_is_not_native() {
        let record = |variant: &str| {
            let series = serde_json::json!([{"at": {"op": "add"}, "variant": variant}]);
            serde_json::json!({"runs": [
                {"case": {"probe": "core_rate"}, "outcome": {"measured": series}}]})
        };
        assert_eq!(native_variants(&record("native")), Ok(()));
        assert!(native_variants(&record("portable")).is_err());
        assert!(native_variants(&Value::Null).is_err());
    }

    /// `cargo xtask test --fast` must work before anything is installed.
    #[test]
    fn whatever_needs_more_than_rust_comes_after_setup() {
        assert_eq!(STAGES[0].0, "setup");
        assert!(STAGES.iter().any(|s| s.1 == Extent::Fast));
    }
}
