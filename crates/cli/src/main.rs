//! One path: inventory, plan, measure, record, analyse, render. Every command is a part of it.
mod commands;
mod defect;
mod exit;
mod identity;
mod live;
mod output;
mod progress;

use arguments::{Args, Command};
use exit::Exit;
use host::startup;
use std::process::ExitCode;
use storage::say;

fn main() -> ExitCode {
    defect::watch();
    match startup::prepare() {
        Ok(note) => note.iter().for_each(|note| say(&format!("cpulens: {note}"))),
        Err(why) => {
            say(&format!("cpulens: {why}"));
            return failed().into();
        }
    }
    startup::on_usual_stack(|| {
        if is_command(commands::visit::NAME) {
            let visit = || commands::visit::visit().unwrap_or_else(Exit::from);
            return defect::contain(visit).end();
        }
        let args = match arguments::parsed() {
            Ok(args) => args,
            Err(wrong) if wrong.use_stderr() && is_command(commands::check::NAME) => {
                let _ = wrong.print();
                return Exit::UNKNOWN.into();
            }
            Err(wrong) => wrong.exit(),
        };
        let exit = defect::contain(|| run(args).unwrap_or_else(Exit::from));
        if exit == Exit::CouldNot { failed().end() } else { exit.end() }
    })
}

/// To a monitoring system 2 would be a critical machine.
fn failed() -> Exit {
    if is_command(commands::check::NAME) { Exit::UNKNOWN } else { Exit::CouldNot }
}

/// Whether the first argument is this command: asked before the arguments are read, or where they cannot be.
fn is_command(name: &str) -> bool {
    std::env::args_os().nth(1).is_some_and(|command| command == name)
}

fn run(args: Args) -> anyhow::Result<Exit> {
    match args.command.unwrap_or_else(Command::default_run) {
        Command::Run(run) => commands::run::run(&run),
        Command::Scale(scale) => commands::scale::scale(*scale),
        Command::Unixbench(bench) => commands::unixbench::unixbench(*bench),
        Command::Noise(noise) => commands::noise::noise(*noise),
        Command::Db(db) => commands::db::db(*db),
        Command::Info(info) => commands::info::info(&info),
        Command::Show(show) => commands::show::show(&show),
        Command::Import(import) => commands::import::import(&import),
        Command::Check(check) => commands::check::check(&check),
        Command::Fleet(fleet) => commands::fleet::fleet(&fleet),
        Command::History(history) => commands::fleet::history(&history),
        Command::Digest(digest) => commands::digest::digest(&digest),
        Command::Stat(stat) => commands::stat::stat(&stat),
        Command::Compare(compare) if !compare.commands.commands.is_empty() => {
            commands::paired::compare(&compare)
        }
        Command::Compare(compare) => commands::compare::compare(&compare),
        Command::Catalogue(catalogue) => commands::catalogue::catalogue(&catalogue),
        Command::Diagnose(diagnose) => commands::diagnose::run(&diagnose),
        Command::Whatif(whatif) => commands::whatif::run(&whatif),
        Command::Place(place) => commands::place::run(&place),
        Command::Spread(spread) => commands::spread::run(&spread),
        Command::Selftest(selftest) => commands::selftest::selftest(&selftest),
        Command::List(args) => commands::list::list(&args),
        Command::Explain { id, lang } => commands::explain::explain(&id, lang),
        Command::Capture(capture) => commands::capture::capture(&capture),
        Command::Completions { shell } => commands::completions::completions(shell),
        Command::Man { command } => commands::man::man(command.as_deref()),
    }
}
