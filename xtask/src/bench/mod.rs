//! `cargo xtask bench`: our numbers beside those of the originals, in paired runs on this machine, as ratios.
//! It judges by the tolerances we set ourselves and asserts nothing; only what could not be run is an error.
mod database_pairs;
mod fleet;
mod frozen;
mod guardian;
mod original;
mod originals;
mod ours;
mod placement;
mod planted;
mod process;
mod rounds;
mod shared;
mod summary;
mod sysjitter;
mod table;
mod targets;
mod thousand;
mod unixbench;
mod usage;

use crate::{
    children::{cargo, run},
    tree,
};
use original::Original;
use ours::Ours;
use rounds::{Bout, Manner};
use shared::Shared;
use std::{path::PathBuf, time::Duration};

/// Rounds where none are asked for: the extremes of seven values enclose their median with 98 % confidence.
const ROUNDS: usize = 7;
/// The name of our own targets among those of the originals.
const TARGETS: &str = "targets";

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
struct Wish {
    names: Vec<String>,
    manner: Manner,
    /// Whether a number of rounds was named.
    asked: bool,
    values: Option<PathBuf>,
}

impl Wish {
    /// Whether this is among what was named; where nothing was, everything is.
    fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|n| n == name)
    }
}

/// `cargo xtask bench [NAME...] [--rounds N] [--wait SECONDS] [--beside | --shared] [--control] [--values FILE]`.
pub(crate) fn chore(words: &[&str]) -> Result<(), String> {
    let wish = wish(words)?;
    let asked = wish.asked.then_some(wish.manner.rounds);
    if !wish.names.is_empty() && wish.names.iter().all(|name| TESTS.contains(&&**name)) {
        return tests(&wish, asked);
    }
    run(cargo().args(["build", "--quiet", "--release", "--package", "cpulens"]))?;
    let mut ours = Ours { binary: tree::root().join("target/release/cpulens"), in_turn: false };
    let mut setup = ours.setup()?;
    println!("one thread on CPU {}, all threads on CPUs {}", setup.cpu, setup.all());
    let shared = if wish.manner.shared { Some(Shared::set_up()?) } else { None };
    setup.clock = shared.as_ref().map(|s| s.clock.clone());
    ours.in_turn = shared.is_some();

    let mut here = vec![];
    for original in originals::ALL.iter().filter(|o| wish.wants(o.name)) {
        match original.located() {
            Some(programs) => {
                setup.programs.extend(programs);
                here.push(*original);
            }
            None => println!(
                "skipped {}: not found; it can be had from {}",
                original.name, original.source
            ),
        }
    }

    let mut bouts: Vec<Bout> = vec![];
    for probe in probes(&here) {
        let pairs = here.iter().flat_map(|o| o.pairs.iter().map(move |p| (*o, p)));
        let mut these: Vec<Bout> = pairs
            .filter(|(_, p)| p.ours.probe == probe)
            .filter(|(_, p)| !p.ours.many() || setup.cpus.len() > 1)
            .map(|(o, p)| Bout::new(o, p))
            .collect();
        println!("{probe}");
        rounds::measure(&ours, &setup, &mut these, wish.manner);
        bouts.extend(these);
    }
    if let Some(file) = wish.values.as_ref().filter(|_| !bouts.is_empty()) {
        std::fs::write(file, values(&bouts)).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    if wish.manner.control {
        println!("\nours is the original, too: what follows is the machine's doing");
    }
    print_pairs(&bouts);
    if wish.wants(unixbench::NAME) {
        match unixbench::located() {
            Some(programs) => {
                let rounds = if wish.asked { wish.manner.rounds } else { unixbench::ROUNDS };
                let shared = shared.is_some().then_some(&*setup.cpu);
                unixbench::measure(&ours, &programs, rounds, shared)?;
            }
            None => println!(
                "skipped {}: not found; it can be had from {}",
                unixbench::NAME,
                unixbench::SOURCE
            ),
        }
    }
    for peer in database_pairs::ALL.iter().filter(|peer| wish.wants(peer.name)) {
        if peer.located() {
            peer.measure(asked.unwrap_or(database_pairs::PAIRS))?;
        } else {
            println!("skipped {}: not found; it can be had from {}", peer.name, peer.source);
        }
    }
    tests(&wish, asked)?;
    if wish.wants(TARGETS) {
        let lines = targets::measure(&ours, &setup.cpu)?;
        println!("\n{}", table::text(targets::HEAD, &lines));
    }
    let failed = bouts.iter().filter(|b| b.failed.is_some()).count();
    if failed == 0 { Ok(()) } else { Err(format!("{failed} pairs could not be run")) }
}

/// What tests measure, for which the program need not be built.
const TESTS: [&str; 2] = [sysjitter::NAME, planted::NAME];

fn tests(wish: &Wish, asked: Option<usize>) -> Result<(), String> {
    if wish.wants(sysjitter::NAME) {
        sysjitter::measure(asked, wish.manner.control, wish.values.as_deref())?;
    }
    if wish.wants(planted::NAME) { planted::measure(asked) } else { Ok(()) }
}

fn wish(words: &[&str]) -> Result<Wish, String> {
    let wait = Duration::ZERO;
    let manner = Manner { rounds: ROUNDS, wait, beside: false, shared: false, control: false };
    let mut wish = Wish { names: vec![], manner, asked: false, values: None };
    let own = [unixbench::NAME, sysjitter::NAME, planted::NAME, TARGETS];
    let originals = originals::ALL.iter().map(|o| o.name);
    let known: Vec<&str> =
        originals.chain(database_pairs::ALL.map(|peer| peer.name)).chain(own).collect();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--rounds" => {
                let count = words.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
                wish.manner.rounds = count.ok_or("--rounds needs a number")?;
                wish.asked = true;
            }
            "--wait" => {
                let seconds = words.next().and_then(|n| n.parse().ok());
                wish.manner.wait = Duration::from_secs(seconds.ok_or("--wait needs seconds")?);
            }
            "--beside" => wish.manner.beside = true,
            "--shared" => wish.manner.shared = true,
            "--control" => wish.manner.control = true,
            "--values" => wish.values = Some(words.next().ok_or("--values needs a file")?.into()),
            name if known.contains(&name) => wish.names.push(name.into()),
            other => return Err(format!("`{other}` is none of: {}", known.join(", "))),
        }
    }
    Ok(wish)
}

/// The probes that the originals' pairs need, each once.
fn probes(originals: &[&Original]) -> Vec<&'static str> {
    let mut probes = vec![];
    for pair in originals.iter().flat_map(|o| o.pairs) {
        if !probes.contains(&pair.ours.probe) {
            probes.push(pair.ours.probe);
        }
    }
    probes
}

fn print_pairs(bouts: &[Bout]) {
    if bouts.is_empty() {
        return;
    }
    let values = bouts.iter().flat_map(|b| b.ours.iter().chain(&b.theirs));
    let states = placement::states(values.filter_map(|v| v.around).flatten().flatten());
    let rows: Vec<[String; 7]> =
        bouts.iter().flat_map(|b| table::rows(b, &states)).map(|r| r.cells).collect();
    println!("\n{}", table::text(table::HEAD, &rows));
    println!("What cpulens ran:");
    for bout in bouts.iter().filter(|b| !b.how.is_empty()) {
        println!("  {} ({}): {}", bout.pair.quantity, bout.original.name, bout.how);
    }
}

/// Every value, for those who want to look themselves.
fn values(bouts: &[Bout]) -> String {
    let mut out = String::from(
        "original,quantity,unit,side,round,value,others_percent,round_trip_before,round_trip_after\n",
    );
    for bout in bouts {
        for (side, values) in [("ours", &bout.ours), ("theirs", &bout.theirs)] {
            for v in values {
                let check = |at: usize| {
                    v.around.and_then(|a| a[at]).map(|s| s.to_string()).unwrap_or_default()
                };
                let others = v.others.map(|o| o.to_string()).unwrap_or_default();
                out += &format!(
                    "{},\"{}\",{},{side},{},{},{others},{},{}\n",
                    bout.original.name,
                    bout.pair.quantity,
                    bout.pair.unit.symbol(),
                    v.round,
                    v.value,
                    check(0),
                    check(1)
                );
            }
        }
    }
    out
}

/// Where records and outputs lie while the chore runs.
fn folder() -> std::io::Result<PathBuf> {
    let folder = tree::cache().join("bench");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_names_and_rounds() {
        let all = wish(&[]).unwrap();
        assert_eq!((all.names.len(), all.manner.rounds), (0, ROUNDS));
        let some = wish(&["mhz", "--rounds", "3", "targets"]).unwrap();
        assert_eq!((some.names, some.manner.rounds), (vec!["mhz".to_owned(), "targets".into()], 3));
        let manner = wish(&["--beside", "--control"]).unwrap().manner;
        assert!(manner.beside && manner.control && !manner.shared);
        assert!(wish(&["--shared"]).unwrap().manner.shared);
        assert!(wish(&["--rounds", "0"]).is_err());
        assert!(wish(&["geekbench"]).unwrap_err().contains("multichase"));
    }
}
