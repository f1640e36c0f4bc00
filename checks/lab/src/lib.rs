//! Boots Debian's kernel on emulated machines we do not have, with our static binary as the only program, and returns what it
//! printed. `cargo xtask lab` and the tests use it.
mod devices;
mod machine;
mod qemu;
mod smbios;

pub use lab_init::{Command, Ending, Frame, Job};
pub use machine::{Device, Distance, Hmat, Like, Machine, Module, machine, machines};
pub use qemu::{Boot, NOT_DONE, Ran};

use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use xtask::dist;

/// The program under test, as the machines know it.
pub const PROGRAM: &str = "/bin/cpulens";

/// Long enough for the largest machine on two slow CPUs that do other things, too: it ends what hangs.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Boots a machine and runs the shipped program there with the arguments of each command, one after the other; `files` lie in
/// `/lab`.
///
/// # Errors
/// It does not boot, or not end.
pub fn boot(machine: &Machine, commands: Vec<Command>, files: &[PathBuf]) -> Result<Boot, String> {
    let patience = match &machine.place.quota {
        _ if machine.slow => 8 * PATIENCE,
        Some(_) => 2 * PATIENCE,
        None => PATIENCE,
    };
    let program = dist::shipped(machine.arch());
    if !program.is_file() {
        return Err(format!("{} is missing; run `cargo xtask dist`", program.display()));
    }
    boot_program(machine, (&program, files), commands, patience, &mut |_| ())
}

/// The same for any static program; `watch` sees what comes back as it comes.
///
/// # Errors
/// It does not boot, or not end.
pub fn boot_program(
    machine: &Machine,
    files: (&Path, &[PathBuf]),
    mut commands: Vec<Command>,
    patience: Duration,
    watch: &mut dyn FnMut(&Frame),
) -> Result<Boot, String> {
    for command in &mut commands {
        command.args.insert(0, PROGRAM.to_owned());
    }
    // The machine gives up a little earlier than we do, and then can say what was printed.
    let timeout = patience.as_secs() * 3 / 4;
    let drivers = machine.drivers()?;
    let names = drivers.iter().filter_map(|file| Some(file.file_name()?.to_str()?.to_owned()));
    let job = Job { place: machine.place.clone(), drivers: names.collect(), commands, timeout };
    let beside = [files.1, &drivers].concat();
    qemu::boot(machine, (files.0, &beside), &job, patience, watch)
}

/// A command of these arguments.
pub fn command(args: &[&str]) -> Command {
    Command { args: args.iter().map(|&word| word.to_owned()).collect(), ..Command::default() }
}
