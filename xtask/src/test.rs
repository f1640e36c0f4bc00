//! `cargo xtask test`: everything CI and the README run, in stages, three of them at a time. A stage that fails keeps none from
//! running but those that need what it makes.
use crate::{assembly, checks, dependencies, layers};
use serde_json::Value;
use std::{
    io::{self, Read},
    process::{Command, Stdio},
    sync::{Condvar, Mutex, PoisonError},
    thread,
    time::Instant,
};
use xtask::{
    children::{cargo, cargo_with_clippy, child, output, run},
    dist::{self, Arch},
    setup,
    tree::cache,
};

/// The extent of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Extent {
    /// Stages that need nothing but a Rust toolchain, and what OpenSSL is built with.
    Fast,
    Full,
    /// Stages without a bound in time as well.
    Nightly,
}

/// A part of the tests.
struct Stage {
    name: &'static str,
    extent: Extent,
    /// The stages that make what it needs.
    after: &'static [&'static str],
    /// Takes the CPUs that other stages leave over.
    background: bool,
    check: fn() -> Result<(), String>,
}

const fn full(
    name: &'static str,
    after: &'static [&'static str],
    check: fn() -> Result<(), String>,
) -> Stage {
    Stage { name, extent: Extent::Full, after, background: false, check }
}

const fn fast(name: &'static str, check: fn() -> Result<(), String>) -> Stage {
    Stage { extent: Extent::Fast, ..background(full(name, &["setup"], check)) }
}

const fn nightly(name: &'static str, check: fn() -> Result<(), String>) -> Stage {
    Stage { extent: Extent::Nightly, ..full(name, ALL, check) }
}

/// A stage that compiles most of the time: what waits for clocks, and the longest chain (`dist`, `lab`), go first.
const fn background(stage: Stage) -> Stage {
    Stage { background: true, ..stage }
}

/// In the order in which they begin: what finds a mistake soonest, and what others wait for.
const STAGES: &[Stage] = &[
    full("setup", &[], setup::chore),
    fast("format", format),
    fast("layers", layers::chore),
    fast("lints", lints),
    background(full("dependencies", &["setup"], dependencies::chore)),
    full("dist", &["setup"], dist::chore),
    fast("docs", docs),
    fast("tests", tests),
    full("assembly", &["dist"], || assembly::chore(false)),
    full("lab", &["dist"], || checks::suite(&[])),
    background(full("fuzz", &["setup"], || crate::fuzz::every(4, Some(1)))),
    full("aarch64 tests", &["dist"], aarch64_tests),
    full("browser", &["dist"], checks::browser),
    full("packages", &["dist"], checks::packages),
    full("timed regions", &["dist"], crate::timed::chore),
    full("aarch64 vectors", &["aarch64 tests"], crate::vectors::chore),
    full("aarch64 program", &["dist"], aarch64_program),
    full("counter audit", &["dist"], crate::audit::chore),
    full("faults", &["dist"], || checks::faults(45, 1, false)),
    full("contrib", &["dist"], crate::contrib::chore),
    // Beside fuzzing its emulated machines would not be given the CPUs.
    full("kernel module", &["dist", "fuzz"], checks::module),
    // Live tests measure this machine: nothing else may run beside them.
    full("live tests", ALL, live_tests),
    nightly("fuzz for long", || crate::fuzz::every(600, None)),
    nightly("faults for long", || checks::faults(3600, days(), true)),
    nightly("miri", miri),
];

/// After all others, alone, whatever became of them.
const ALL: &[&str] = &["*"];

/// Stages at the same time: compilers and tests wait for each other, and two stages leave a fifth of two CPUs idle.
const TOGETHER: usize = 3;

pub(crate) fn chore(extent: Extent) -> Result<(), String> {
    let stages: Vec<&Stage> = STAGES.iter().filter(|s| s.extent <= extent).collect();
    let began = now();
    let results = in_order(&stages, |stage| perform(stage, extent));
    let failed: Vec<_> = results.iter().filter_map(|(s, r)| Some((s, r.as_ref().err()?))).collect();
    println!("all stages in {:.0} s", began.elapsed().as_secs_f64());
    for (stage, error) in &failed {
        println!("failed: {}: {error}", stage.name);
    }
    println!("{} passed, {} failed", results.len() - failed.len(), failed.len());
    match failed.len() {
        0 => Ok(()),
        count => Err(format!("{count} of {} stages failed", results.len())),
    }
}

type Outcomes<'a> = Vec<(&'a Stage, Result<(), String>)>;

/// Every stage once all that it needs has ended; with what it needs missing, it fails.
fn in_order<'a>(
    stages: &[&'a Stage],
    perform: impl Fn(&Stage) -> Result<(), String> + Sync,
) -> Outcomes<'a> {
    let shared = Mutex::new((stages.to_vec(), Outcomes::new()));
    let ended = Condvar::new();
    let work = || {
        let mut guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let (waiting, done) = &mut *guard;
            if waiting.is_empty() {
                return;
            }
            let has_ended = |name: &str| {
                let there = stages.iter().any(|s| s.name == name);
                !there || done.iter().any(|(s, _)| s.name == name)
            };
            let idle = done.len() + waiting.len() == stages.len();
            let last = idle && waiting.iter().all(|s| s.after == ALL);
            let ready = |s: &&Stage| match s.after == ALL {
                true => last,
                false => s.after.iter().all(|name| has_ended(name)),
            };
            let Some(at) = waiting.iter().position(ready) else {
                guard = ended.wait(guard).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let stage = waiting.remove(at);
            let missing = done
                .iter()
                .find(|(s, result)| result.is_err() && stage.after.contains(&s.name))
                .map(|(s, _)| format!("`{}` failed", s.name));
            drop(guard);
            let result = missing.map_or_else(|| perform(stage), Err);
            guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
            guard.1.push((stage, result));
            ended.notify_all();
        }
    };
    thread::scope(|scope| (0..TOGETHER).for_each(|_| drop(scope.spawn(work))));
    shared.into_inner().unwrap_or_else(PoisonError::into_inner).1
}

/// A stage as a process of its own, whose output is shown in one piece.
fn perform(stage: &Stage, extent: Extent) -> Result<(), String> {
    let began = now();
    println!("=== {} begins", stage.name);
    let (text, status) = process(stage, extent).and_then(captured).map_err(|e| e.to_string())?;
    let verdict = if status { "passed" } else { "failed" };
    let took = began.elapsed().as_secs_f64();
    println!("=== {} {verdict} in {took:.1} s\n{}", stage.name, text.trim_end());
    let last = || text.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or_default().to_owned();
    if status { Ok(()) } else { Err(last()) }
}

fn process(stage: &Stage, extent: Extent) -> io::Result<Command> {
    let program = std::env::current_exe()?;
    let mut command = match stage.background {
        false => child(program),
        true => {
            let mut nice = child("nice");
            nice.arg(program);
            nice
        }
    };
    command.args(["test", "--stage", stage.name]);
    if extent > Extent::Fast {
        // Its stages build one state of the sources. Incremental compilation, for the next state, takes a fifth more CPU time.
        command.env("CARGO_INCREMENTAL", "0");
    }
    Ok(command)
}

/// The output of a program, and whether it succeeds.
fn captured(mut command: Command) -> io::Result<(String, bool)> {
    let (mut from, to) = io::pipe()?;
    command.stdin(Stdio::null()).stdout(to.try_clone()?).stderr(to);
    let mut running = command.spawn()?;
    // Our copies of the pipe's end.
    drop(command);
    let mut bytes = vec![];
    from.read_to_end(&mut bytes)?;
    Ok((String::from_utf8_lossy(&bytes).into_owned(), running.wait()?.success()))
}

#[expect(clippy::disallowed_methods, reason = "how long a stage takes is no measurement")]
fn now() -> Instant {
    Instant::now()
}

/// One stage by its name. Its CPU time says what it costs, whatever runs beside it.
pub(crate) fn stage(name: &str) -> Result<(), String> {
    let Some(stage) = STAGES.iter().find(|s| s.name == name) else {
        let names: Vec<&str> = STAGES.iter().map(|s| s.name).collect();
        return Err(format!("no stage is called `{name}`; there are {}", names.join(", ")));
    };
    let result = (stage.check)();
    println!("{name}: {:.0} s of CPU", cpu_seconds());
    result
}

/// CPU time of this process and of all that it has waited for (proc_pid_stat(5), fields 14 to 17, in hundredths).
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(4).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Of the program, and of the checks.
const WORKSPACES: [&str; 2] = ["Cargo.toml", "checks/Cargo.toml"];

fn format() -> Result<(), String> {
    let each =
        |manifest| run(cargo().args(["fmt", "--all", "--check", "--manifest-path", manifest]));
    WORKSPACES.into_iter().try_for_each(each)
}

/// Builds all tests, which other stages run, and takes every warning for a failure.
fn lints() -> Result<(), String> {
    for manifest in WORKSPACES {
        // A second build repeats warnings of the code, and none of a download.
        if !warnings(manifest)?.is_empty() {
            let said = warnings(manifest)?;
            if !said.is_empty() {
                return Err(format!("{said}\nclippy warns of the workspace {manifest}"));
            }
        }
    }
    Ok(())
}

/// What cargo says while it builds the tests of a workspace.
fn warnings(manifest: &str) -> Result<String, String> {
    let mut build = cargo_with_clippy();
    build.args(["test", "--no-run", "--quiet", "--locked", "--workspace", "--all-targets"]);
    build.args(["--all-features", "--manifest-path", manifest]).stdin(Stdio::null());
    let built = build.output().map_err(|e| format!("cannot start cargo: {e}"))?;
    let said = String::from_utf8_lossy(&built.stderr).into_owned();
    if built.status.success() { Ok(said) } else { Err(said) }
}

fn docs() -> Result<(), String> {
    let arguments = ["doc", "--quiet", "--workspace", "--no-deps", "--document-private-items"];
    run(cargo().args(arguments).arg("--locked").env("RUSTDOCFLAGS", "-D warnings"))
}

/// The crates beside the program that measure this machine, in a shell's pattern.
const LIVE: &str = "database|host|measure|probes|workloads";

/// Tests of the program that read records and do not measure, by a part of their names.
const READING: &str = "broken:: catalogue_command:: compare:: diagnose:: explain:: fleet:: import:: place:: readme:: recorded:: \
    schema:: whatif::";

/// The program's tests but [`READING`], and at the same time those of [`LIVE`], which leave CPUs idle.
fn live_tests() -> Result<(), String> {
    let skip: String = READING.split_whitespace().map(|name| format!(" --skip {name}")).collect();
    let of_program = format!(r#"case $CARGO_PKG_NAME in cpulens) exec "$0" "$@" {skip};; esac"#);
    let of_crates = format!(r#"case $CARGO_PKG_NAME in {LIVE}) exec "$0" "$@";; esac"#);
    let tests = [(of_program, "4"), (of_crates, "2")].map(|(script, threads)| {
        let mut tests = tests_by(&script);
        // They wait for clocks most of the time: a CPU is enough for more than one.
        tests.args(["--lib", "--bins", "--tests"]).env("RUST_TEST_THREADS", threads);
        tests
    });
    let results = thread::scope(|scope| {
        let running = tests.map(|tests| scope.spawn(|| captured(tests)));
        running.map(|tests| tests.join().unwrap_or_else(|_| Err(io::Error::other("a panic"))))
    });
    let mut passed = true;
    for result in results {
        let (text, succeeds) = result.map_err(|e| e.to_string())?;
        println!("{}", text.trim_end());
        passed &= succeeds;
    }
    if passed { Ok(()) } else { Err("a live test failed".into()) }
}

/// [`READING`], and the other crates' with all examples. These are compiled with the features that they have together.
fn tests() -> Result<(), String> {
    let reading = format!(r#"cpulens) exec "$0" "$@" {READING};;"#);
    run(&mut tests_by(&format!(
        r#"case $CARGO_PKG_NAME in {reading} {LIVE}) ;; *) exec "$0" "$@";; esac"#
    )))?;
    let checks = ["test", "--quiet", "--workspace", "--locked", "--lib", "--bins"];
    run(cargo_with_clippy().args(checks).args(["--manifest-path", "checks/Cargo.toml"]))
}

/// The workspace's tests by a shell's command. Snapshots are compared, never written.
fn tests_by(script: &str) -> Command {
    let mut command = cargo_with_clippy();
    command.args([
        "test",
        "--quiet",
        "--workspace",
        "--all-features",
        "--locked",
        "--no-fail-fast",
    ]);
    let runner = format!("target.'cfg(all())'.runner = ['sh', '-c', '{script}']");
    command.arg("--config").arg(runner).env("INSTA_UPDATE", "no");
    command
}

/// A seed that no other night has.
fn days() -> u64 {
    let since = std::time::SystemTime::UNIX_EPOCH.elapsed();
    since.map_or(0, |since| since.as_secs() / 86400 * 100_000)
}

/// The crates that call neither the host nor machine code, in an interpreter that sees undefined behaviour; only nightly
/// toolchains have it.
fn miri() -> Result<(), String> {
    let miri = || {
        let mut command = child("cargo");
        command.current_dir(xtask::tree::root()).args(["+nightly", "miri"]).env_remove("CARGO");
        command
    };
    if output(miri().arg("--version")).is_err() {
        println!("not run: rustup toolchain install nightly --component miri");
        return Ok(());
    }
    let packages = ["--package", "record", "--package", "stats"];
    run(miri().args(["test", "--locked", "--lib"]).args(packages))
}

/// The machine code of the other architecture; all else is the same code there, and emulated machines run it (`lab`).
fn aarch64_tests() -> Result<(), String> {
    run(&mut aarch64_tests_of(&["--lib", "--tests"])?)
}

/// Cargo on these tests of the kernels. Emulated, they are optimised; overflow and debug assertions stay checked.
pub(crate) fn aarch64_tests_of(which: &[&str]) -> Result<Command, String> {
    let mut command = dist::cargo_for(Arch::Aarch64)?;
    command.args(["test", "--quiet", "--locked"]).args(which);
    command.args(["--target", Arch::Aarch64.triple()]).env("INSTA_UPDATE", "no");
    command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    command.args(["--package", "kernels"]);
    Ok(command)
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
    let only = ["run", "--only", "core_rate", "--depth", "quick", "--format", "json"];
    emulated(&[&only[..], &["--force", "--record", &record.display().to_string()]].concat())?;
    native_variants(&json(&xtask::tree::read(&record)?)?)
}

/// The output of the aarch64 program when it does what it should.
fn emulated(args: &[&str]) -> Result<String, String> {
    let mut command = child("qemu-aarch64-static");
    command.env("QEMU_CPU", dist::EMULATED);
    output(command.arg(dist::shipped(Arch::Aarch64)).args(args))
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
    fn what_needs_more_than_rust_comes_after_setup() {
        assert_eq!(STAGES[0].name, "setup");
        assert!(STAGES.iter().any(|s| s.extent == Extent::Fast));
        for stage in STAGES.iter().filter(|s| s.after != ALL) {
            assert!(stage.after.iter().all(|name| STAGES.iter().any(|s| s.name == *name)));
        }
    }

    #[test]
    fn what_compiles_leaves_cpus_to_what_measures() {
        let niceness = |background| {
            let stage = Stage { background, ..full("x", &[], || Ok(())) };
            let command = process(&stage, Extent::Full).unwrap();
            command.get_args().any(|word| word == "nice")
        };
        assert!(niceness(true) && !niceness(false));
        for stage in STAGES.iter().filter(|s| s.background) {
            assert!(!stage.after.contains(&"dist") && stage.after != ALL, "{}", stage.name);
        }
    }

    #[test]
    fn only_the_fast_tests_compile_incrementally() {
        let stage = full("x", &[], || Ok(()));
        let whole = |extent| {
            let command = process(&stage, extent).unwrap();
            command.get_envs().any(|set| set == ("CARGO_INCREMENTAL".as_ref(), Some("0".as_ref())))
        };
        assert_eq!([Extent::Fast, Extent::Full, Extent::Nightly].map(whole), [false, true, true]);
    }

    #[test]
    fn a_failure_keeps_only_those_from_running_that_need_it() {
        let stage = |name, after| full(name, after, || Ok(()));
        let all = [
            stage("last", ALL),
            stage("needs bad", &["bad"]),
            stage("good", &[]),
            stage("bad", &["good"]),
        ];
        let stages: Vec<&Stage> = all.iter().collect();
        let results = in_order(&stages, |s| match s.name {
            "bad" => Err("it broke".into()),
            _ => Ok(()),
        });
        let names: Vec<&str> = results.iter().map(|(s, _)| s.name).collect();
        assert_eq!(names, ["good", "bad", "needs bad", "last"]);
        let failed = results.iter().filter_map(|(_, result)| result.clone().err());
        assert_eq!(failed.collect::<Vec<_>>(), ["it broke", "`bad` failed"]);
    }

    #[test]
    fn what_comes_after_all_others_runs_alone() {
        let stage = |name, after| full(name, after, || Ok(()));
        let all = [stage("a", &[]), stage("b", &[]), stage("x", ALL), stage("y", ALL)];
        let stages: Vec<&Stage> = all.iter().collect();
        let running = Mutex::new(0);
        let most = Mutex::new(0);
        let count = |change: i32| {
            let mut now = running.lock().unwrap();
            *now += change;
            *now
        };
        in_order(&stages, |s| {
            let beside = count(1);
            if s.after == ALL {
                thread::sleep(std::time::Duration::from_millis(20));
                let mut most = most.lock().unwrap();
                *most = beside.max(*most).max(count(0));
            }
            count(-1);
            Ok(())
        });
        assert_eq!(*most.lock().unwrap(), 1);
    }
}
