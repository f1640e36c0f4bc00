//! `cargo xtask bench`: our numbers beside those of the originals, in paired runs on this machine, as ratios.
//! It judges by the tolerances we set ourselves and asserts nothing; only what could not be run is an error.
mod call;
mod fleet;
mod frozen;
mod original;
mod ours;
mod peers;
mod rounds;
mod shared;
mod table;
mod targets;
mod thousand;
mod unixbench;

use clap::Parser;
use ours::Ours;
use rounds::{PairRun, RoundOptions};
use shared::Shared;
use std::{path::PathBuf, process::ExitCode};
use xtask::{
    children::{cargo, run},
    tree::{cache, root, write},
};

/// The name of our own targets among those of the originals.
const TARGETS: &str = "targets";

/// Compare cpulens with the programs that measure the same
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench")]
struct Options {
    /// Of the originals; all if none
    names: Vec<String>,
    /// 7 where nothing else is said: the extremes of seven values enclose their median with 98 % confidence
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: Option<u16>,
    /// Seconds to wait for other programs before each run
    #[arg(long, default_value_t = 0.0)]
    wait: f64,
    /// Both sides at once on one CPU, in turn
    #[arg(long)]
    shared: bool,
    /// The original on both sides
    #[arg(long)]
    control: bool,
    /// A file for every value (CSV)
    #[arg(long)]
    values: Option<PathBuf>,
}

impl Options {
    fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|n| n == name)
    }
    fn rounds(&self) -> Option<usize> {
        self.rounds.map(usize::from)
    }
}

fn main() -> ExitCode {
    xtask::ended(bench(&Options::parse()))
}

fn bench(options: &Options) -> Result<(), String> {
    let mut peers = peers::all()?;
    let mut known = original::names()?;
    known.extend(peers.iter().map(|p| p.name.clone()));
    known.extend([unixbench::NAME, TARGETS].map(str::to_owned));
    if let Some(other) = options.names.iter().find(|name| !known.contains(name)) {
        return Err(format!("`{other}` is none of: {}", known.join(", ")));
    }
    peers.retain(|peer| options.wants(&peer.name));
    // Tests need no program of ours to be built.
    if options.names.is_empty() || options.names.len() > peers.len() {
        compare(options)?;
    }
    let (control, values) = (options.control, options.values.as_deref());
    peers.iter().try_for_each(|peer| peer.measure(options.rounds(), control, values))
}

fn compare(options: &Options) -> Result<(), String> {
    run(cargo().args(["build", "--quiet", "--release", "--package", "cpulens"]))?;
    let folder = tempfile::TempDir::with_prefix_in("bench-", cache()).map_err(|e| e.to_string())?;
    let binary = root().join("target/release/cpulens");
    let mut ours = Ours { binary, in_turn: false, folder };
    let mut setup = ours.setup()?;
    println!("one thread on CPU {}, all threads on CPUs {}", setup.cpu, setup.cpus);
    let shared = options.shared.then(|| Shared::set_up(ours.folder.path())).transpose()?;
    setup.clock = shared.as_ref().map(|s| s.clock.clone());
    ours.in_turn = shared.is_some();

    let rounds = options.rounds().unwrap_or(7);
    let round_options = RoundOptions { rounds, wait: options.wait, control: options.control };
    let mut pairs = original::pairs(|name| options.wants(name))?;
    pairs.retain(|pair| !pair.needs_all_cpus() || setup.cpus.len() > 1);
    let mut pair_runs: Vec<PairRun<'_>> = vec![];
    for probe in record::distinct(pairs.iter().map(|pair| &pair.probe)) {
        let here = pairs.iter().filter(|p| p.probe == *probe);
        let mut these: Vec<PairRun<'_>> = here.map(PairRun::new).collect();
        println!("{probe}");
        rounds::measure(&ours, &setup, &mut these, &round_options);
        pair_runs.extend(these);
    }
    if !pair_runs.is_empty() {
        report(&pair_runs, options)?;
    }
    if options.wants(unixbench::NAME) {
        let shared = shared.is_some().then_some(&setup.cpu);
        match unixbench::located() {
            Some(programs) => unixbench::measure(&ours, &programs, options.rounds(), shared)?,
            None => {
                println!("skipped {}: it can be had from {}", unixbench::NAME, unixbench::SOURCE)
            }
        }
    }
    if options.wants(TARGETS) {
        let lines = targets::measure(&ours, &setup.cpu.to_string())?;
        println!("\n{}", table::text(targets::HEAD, &lines));
    }
    let failed = pair_runs.iter().filter(|b| b.failed.is_some()).count();
    if failed == 0 { Ok(()) } else { Err(format!("{failed} pairs could not be run")) }
}

fn report(pair_runs: &[PairRun<'_>], options: &Options) -> Result<(), String> {
    if let Some(file) = &options.values {
        write(file, table::values(pair_runs))?;
    }
    if options.control {
        println!("\nours is the original, too: what follows is the machine's doing");
    }
    let placements = table::seen(pair_runs);
    let rows: Vec<table::Row> =
        pair_runs.iter().flat_map(|b| table::rows(b, &placements)).collect();
    println!("\n{}", table::text(table::HEAD, &rows));
    println!("What cpulens ran:");
    for pair_run in pair_runs.iter().filter(|b| !b.how.is_empty()) {
        println!("  {} ({}): {}", pair_run.pair.quantity, pair_run.pair.original, pair_run.how);
    }
    Ok(())
}
