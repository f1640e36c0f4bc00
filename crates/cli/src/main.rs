//! One path: inventory, plan, measure, record, analyse, render. Every command is a part of it.
mod args;
mod catalogue;
mod commands;
mod defect;
mod exit;
mod files;
mod foreign;
mod live;
mod output;
mod plan;
mod progress;
mod store;

use args::{Args, Command};
use clap::Parser;
use exit::Exit;
use host::startup;
use std::process::ExitCode;

fn main() -> ExitCode {
    defect::watch();
    match startup::prepare() {
        Ok(note) => note.iter().for_each(|note| output::say(&format!("cpulens: {note}"))),
        Err(why) => {
            output::say(&format!("cpulens: {why}"));
            return Exit::CouldNot.into();
        }
    }
    startup::on_usual_stack(|| {
        let args = Args::parse();
        defect::contain(|| run(args).unwrap_or_else(Exit::from)).end()
    })
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
        Command::List => commands::list::list(),
        Command::Explain { id } => commands::explain::explain(&id),
        Command::Capture(capture) => commands::capture::capture(&capture),
        Command::Completions { shell } => commands::completions::completions(shell),
        Command::Man { command } => commands::man::man(command.as_deref()),
    }
}
