//! `cargo xtask lab`: boots machines and runs a program there.
use clap::Parser;
use lab::{Ending, Frame, Machine, PATIENCE, boot_program, command, machine, machines};
use std::{io::Write, path::PathBuf, process::ExitCode, time::Duration};
use xtask::{
    dist,
    tree::{cache, write},
};

/// Boot emulated machines and run the program there
#[derive(Parser)]
#[command(name = "cargo xtask lab")]
struct Options {
    /// Name the machines, and what is special about each
    #[arg(long)]
    list: bool,
    /// Another static program
    #[arg(long)]
    program: Option<PathBuf>,
    /// A file of the machine to bring back
    #[arg(long)]
    collect: Vec<String>,
    /// Seconds
    #[arg(long, default_value_t = PATIENCE.as_secs())]
    timeout: u64,
    /// All that are quick if none is named
    machines: Vec<String>,
    /// Of the program
    #[arg(last = true, default_value = "--version")]
    arguments: Vec<String>,
}

fn main() -> ExitCode {
    xtask::ended(run(&Options::parse()))
}

fn run(options: &Options) -> Result<(), String> {
    let all = machines()?;
    if options.list {
        all.iter().for_each(describe);
        return Ok(());
    }
    let named: Result<Vec<Machine>, String> = options.machines.iter().map(|n| machine(n)).collect();
    let mut chosen = named?;
    if chosen.is_empty() {
        chosen = all.into_iter().filter(|m| !m.slow && !m.named).collect();
    }
    let mut failed = Vec::new();
    for machine in &chosen {
        if !show(machine, options)? {
            failed.push(machine.name.as_str());
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed on {}", failed.join(", "))) }
}

fn describe(machine: &Machine) {
    let slow = if machine.slow || machine.named { " (only when named)" } else { "" };
    println!("{:22} {:8} {}{slow}", machine.name, machine.arch().name(), machine.what);
    if let Some(like) = &machine.like {
        println!("{:31} must be fixtures/machines/{}.json", "", like.fixture);
        for (path, why) in &like.hidden {
            println!("{:31} but for {path}: {why}", "");
        }
    }
}

/// Prints what a machine says while it runs; whether the program succeeded there.
fn show(machine: &Machine, options: &Options) -> Result<bool, String> {
    let shipped = dist::shipped(machine.arch());
    let program = options.program.as_ref().unwrap_or(&shipped);
    println!("--- {}: {}", machine.name, machine.what);
    let mut print = |frame: &Frame| {
        // A closed pipe wants no more of it.
        let _ = match frame {
            Frame::Out(text) => std::io::stdout().write_all(text.as_bytes()),
            Frame::Err(text) => std::io::stderr().write_all(text.as_bytes()),
            Frame::Note(text) => writeln!(std::io::stdout(), "note: {text}"),
            Frame::File(..) | Frame::Changed(_) | Frame::End(_) | Frame::Off => Ok(()),
        };
    };
    let words: Vec<&str> = options.arguments.iter().map(String::as_str).collect();
    let mut command = command(&words);
    (command.collect, command.unplug) = (options.collect.clone(), machine.unplug.clone());
    let patience = Duration::from_secs(options.timeout);
    let boot = boot_program(machine, (program, &[]), vec![command], patience, &mut print)?;
    for name in options.collect.iter().filter(|name| boot.files.contains_key(*name)) {
        let file = cache().join(format!("lab{}", name.replace('/', "_")));
        let text = &boot.files[name];
        write(&file, text)?;
        println!("{name}: {} bytes, in {}", text.len(), file.display());
    }
    let ending = boot.runs.first().map_or(Ending::NotStarted, |run| run.ending);
    println!("--- {}: {ending:?}", machine.name);
    Ok(ending == Ending::Exited(0))
}
