//! `cargo xtask fuzz`: the targets of `fuzz/`, each from its own seeds and what it has found before, on the stable compiler.
//! The entry functions are also run by `cargo test`; this looks further, for as long as it is given.
use std::{
    path::{Path, PathBuf},
    process::Stdio,
    sync::{Mutex, PoisonError},
    thread,
};
use xtask::{
    children::{cargo, child, output, run},
    tree::{cache, make, target},
};

/// What libFuzzer needs of the compiler: counters on every edge, and what comparisons compare. cargo-fuzz passes the
/// same; the crates under test have no `unsafe`, so that a sanitizer, which needs a nightly compiler, finds nothing.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing -Ccodegen-units=1";

const TRIPLE: &str = concat!("x86_64", "-unknown-linux-gnu");

/// `fuzz [TARGET...] [--seconds N]`.
pub(crate) fn chore(words: &[&str]) -> Result<(), String> {
    let program = build()?;
    let (names, seconds) = selected(words, &targets(&program)?)?;
    fuzz(&program, names, seconds, None)
}

/// All targets, each for so long; with a seed, every run of one commit feeds them the same inputs in the same order.
pub(crate) fn every(seconds: u32, seed: Option<u32>) -> Result<(), String> {
    let program = build()?;
    fuzz(&program, targets(&program)?, seconds, seed)
}

/// The program that has them all.
fn build() -> Result<PathBuf, String> {
    let mut build = cargo();
    build.args(["build", "--quiet", "--release", "--locked", "--target", TRIPLE]);
    build.args(["--manifest-path", "fuzz/Cargo.toml"]).env("RUSTFLAGS", FLAGS);
    run(&mut build)?;
    Ok(target().join(TRIPLE).join("release/cpulens-fuzz"))
}

/// Targets at the same time: with two CPUs each has half of one.
const TOGETHER: usize = 4;

/// Runs these targets.
fn fuzz(program: &Path, names: Vec<String>, seconds: u32, seed: Option<u32>) -> Result<(), String> {
    let waiting = Mutex::new(names);
    let work = || -> Result<(), String> {
        loop {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(name) = next else { return Ok(()) };
            look(program, &name, seconds, seed)?;
        }
    };
    thread::scope(|scope| {
        let all = [(); TOGETHER].map(|()| scope.spawn(work));
        all.map(|one| one.join().unwrap_or_else(|_| Err("a thread panicked".into())))
    })
    .into_iter()
    .collect()
}

/// One target from what it has found before. What it says is shown if it fails, and its last line of counts otherwise.
fn look(program: &Path, name: &str, seconds: u32, seed: Option<u32>) -> Result<(), String> {
    let folder = |kind: &str| -> Result<String, String> {
        let folder = cache().join("fuzz").join(kind).join(name);
        make(&folder)?;
        Ok(folder.display().to_string())
    };
    let (corpus, found) = (folder("corpus")?, folder("found")?);
    let mut target = child(program);
    target.env("TARGET", name).env("SEEDS", &corpus).arg(&corpus);
    target.arg(format!("-max_total_time={seconds}")).arg(format!("-artifact_prefix={found}/"));
    if let Some(seed) = seed {
        target.arg(format!("-seed={seed}"));
    }
    // An input that takes seconds or a gigabyte is a finding, too.
    target.args(["-max_len=16384", "-timeout=20", "-rss_limit_mb=1024", "-print_final_stats=1"]);
    let ran = target.stdin(Stdio::null()).output().map_err(|e| format!("{name}: {e}"))?;
    let said = String::from_utf8_lossy(&ran.stderr);
    if !ran.status.success() {
        return Err(format!("{said}\n{name}: {}; the input is in {found}", ran.status));
    }
    let count = said.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    println!("{name}: {} inputs", count.unwrap_or("?").trim());
    Ok(())
}

/// The targets to run, and the seconds of each.
fn selected(words: &[&str], all: &[String]) -> Result<(Vec<String>, u32), String> {
    let (mut names, mut seconds) = (vec![], 20);
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        match word {
            "--seconds" => {
                let number = words.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
                seconds = number.ok_or("--seconds needs a number above 0")?;
            }
            name => names.push(name.to_owned()),
        }
    }
    if let Some(unknown) = names.iter().find(|name| !all.contains(name)) {
        return Err(format!("no target is called `{unknown}`; there are {}", all.join(", ")));
    }
    Ok((if names.is_empty() { all.to_owned() } else { names }, seconds))
}

/// The names that the program prints.
fn targets(program: &Path) -> Result<Vec<String>, String> {
    Ok(output(child(program).env_remove("TARGET"))?.lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_can_be_chosen() {
        let all = ["smbios", "tree"].map(str::to_owned);
        let of = |words: &[&str]| selected(words, &all);
        assert_eq!(of(&["smbios", "--seconds", "3"]), Ok((vec!["smbios".into()], 3)));
        assert_eq!(of(&[]), Ok((all.to_vec(), 20)));
        assert!(of(&["none"]).is_err() && of(&["--seconds", "0"]).is_err());
    }
}
