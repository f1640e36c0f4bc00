//! Developer chores. `cargo xtask help` lists them; each has its own file, this one only dispatches.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "chores talk to a developer's terminal"
)]

mod assembly;
mod audit;
mod checks;
mod contrib;
mod dependencies;
mod docs;
mod fuzz;
mod layers;
mod registry;
mod test;
mod timed;
mod vectors;

use std::process::ExitCode;
use xtask::{dist, setup};

const HELP: &str = "\
Usage: cargo xtask CHORE

Generated files (each is checked by `cargo test -p xtask`)
  registry             rewrite the mod.rs of every folder that holds instances
  assembly [--update]  compare the kernels' loops in dist/ with their committed snapshots
  docs                 rewrite docs/*.md from the headers of the instances

Checks
  test [--fast | --nightly | --stage NAME]
                       everything CI runs; --fast leaves out what needs other machines, --nightly adds hours of faults
                       and fuzzing, and Miri
  audit                compare what the kernels state with the counters of an emulated machine
  vectors              hold the kernels to their contract on Arm processors of several kinds
  fuzz [TARGET...] [--seconds N]
                       feed the decoders what a fuzzer thinks of (needs c++)
  dependencies         what may enter the program (deny.toml, by cargo-deny)
  layers               who may depend on whom, where unsafe may be, files grown too long

Programs
  setup                install what the tests need and this machine lacks
  dist                 static binaries for every architecture, in dist/
  release [DIR]        dist, then archives, .deb, .rpm, OCI image, checksums and SBOM (dist/release)
  browser              open the HTML report in Chromium and look at it from all sides
  lab --suite [MACHINE...]
                       boot every machine and compare what the program says with its description
  lab [MACHINE...] [--program FILE] [--collect FILE] [--timeout SECONDS] [-- ARGUMENT...]
                       boot emulated machines and run the program there; --list names them
  osnoise              compare the gaps we see with the kernel's own tracer, where it is (fetches 70 MB)
  bench [NAME...] [--rounds N] [--wait SECONDS] [--beside | --shared] [--control] [--values FILE]
                       paired runs against the originals that are installed, as ratios
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    xtask::ended(dispatch(&words))
}

fn dispatch(words: &[&str]) -> Result<(), String> {
    match words {
        ["registry"] => registry::chore(),
        ["docs"] => docs::chore(),
        ["assembly"] => assembly::chore(false),
        ["assembly", "--update"] => assembly::chore(true),
        ["audit"] => audit::chore(),
        ["vectors"] => vectors::chore(),
        ["layers"] => layers::chore(),
        ["dependencies"] => dependencies::chore(),
        ["test"] => test::chore(test::Extent::Full),
        ["test", "--fast"] => test::chore(test::Extent::Fast),
        ["test", "--nightly"] => test::chore(test::Extent::Nightly),
        ["test", "--stage", name] => test::stage(name),
        ["setup"] => setup::chore(),
        ["dist"] => dist::chore(),
        ["fuzz", rest @ ..] => fuzz::chore(rest),
        ["release", rest @ ..] => dist::chore().and_then(|()| checks::release(rest)),
        ["browser"] => checks::browser(),
        ["lab", "--suite", names @ ..] => checks::suite(names),
        ["lab", rest @ ..] => checks::lab(rest),
        ["osnoise"] => checks::osnoise(),
        ["bench", rest @ ..] => checks::bench(rest),
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        _ => Err(format!("no chore is called `{}`; see `cargo xtask help`", words.join(" "))),
    }
}
