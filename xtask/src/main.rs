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

const HELP: &str = include_str!("help.txt");

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    xtask::ended(dispatch(&words))
}

fn dispatch(words: &[&str]) -> Result<(), String> {
    match words {
        ["registry"] => registry::rewrite().map(|files| updated(&files)),
        ["docs"] => docs::rewrite().map(|files| updated(&files)),
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

/// Names the generated files that were not up to date.
fn updated(files: &[String]) {
    files.iter().for_each(|file| println!("updated {file}"));
    println!("{} files updated", files.len());
}
