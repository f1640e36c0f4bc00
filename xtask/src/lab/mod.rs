//! `cargo xtask lab`: boots Debian's cloud kernel on emulated machines we do not have, with our static
//! binary as the only program, and returns what it printed.
mod disk;
mod expect;
#[allow(dead_code, reason = "the init writes the frames")]
mod frames;
#[allow(dead_code, reason = "the init reads the job")]
mod job;
mod machine;
mod machines;
mod qemu;
mod smbios;

pub(crate) use expect::{of, suite};
pub(crate) use frames::Ending;
use job::Command;
pub(crate) use job::KERNEL_SAID;
use machine::{Hidden, Machine};
use machines::{MACHINES, machine};
use qemu::{Boot, Ran};

use crate::{
    dist::{self, Arch},
    stopwatch::Stopwatch,
    tree::root,
};
use frames::Frame;
use std::{
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

/// The program under test, as the machines know it.
const PROGRAM: &str = "/bin/cpulens";

/// Long enough for the largest machine on two slow CPUs.
const PATIENCE: Duration = Duration::from_secs(240);

/// Boots a machine and runs the shipped program there with each of these arguments, one after the other.
fn boot(machine: &Machine, mut commands: Vec<Command>) -> Result<Boot, String> {
    for command in &mut commands {
        command.args.insert(0, PROGRAM.to_owned());
    }
    let patience = if machine.slow { 8 * PATIENCE } else { PATIENCE };
    boot_program(machine, &program(machine)?, commands, patience, &mut |_| ())
}

/// The same for any static program, whose name comes first.
fn boot_program(
    machine: &Machine,
    program: &Path,
    commands: Vec<Command>,
    timeout: Duration,
    watch: &mut dyn FnMut(&Frame),
) -> Result<Boot, String> {
    let mut job = machine.place.job(commands);
    // The machine gives up a little earlier than we do, and then can say what was printed.
    job.timeout = Some(timeout.as_secs() * 3 / 4);
    qemu::boot(machine, (program, &[]), &job, timeout, watch)
}

/// The modules that the kernel has, one a line.
pub(crate) const MODULES: &str = "/proc/modules";

/// Who is in a partition of cgroup v2 that the program made.
const IN_PARTITION: &str = "/sys/fs/cgroup/cpulens-*/cgroup.procs";

/// The cgroups that there are: `nr_descendants`, of which one is that which the programs are in.
pub(crate) const GROUPS: &str = "/sys/fs/cgroup/cgroup.stat";

/// Boots the machine of this architecture that modules are tried on, with the module in `/lab`, and runs the shipped program
/// there: first killed as soon as a module is loaded, then as soon as it is in a partition of its own, and then to its end. What
/// its kernel said, which modules are left and how many groups comes back with the files.
pub(crate) fn with_module(
    arch: Arch,
    module: &Path,
    args: &[&str],
    collect: &[&str],
) -> Result<Boot, String> {
    let machine = machines::for_modules(arch);
    let args: Vec<String> = [PROGRAM].iter().chain(args).map(|&a| a.to_owned()).collect();
    let collect = collect.iter().map(|&name| name.to_owned()).collect();
    let killed = |left: &str, when: &str| Command {
        args: args.clone(),
        collect: vec![left.to_owned()],
        killed: Some(when.to_owned()),
        ..Command::default()
    };
    let mut commands = vec![killed(MODULES, MODULES), killed(GROUPS, IN_PARTITION)];
    commands.push(Command { args, collect, ..Command::default() });
    let mut job = machine.place.job(commands);
    job.timeout = Some(PATIENCE.as_secs() * 3 / 4);
    let files = [module.to_owned()];
    qemu::boot(&machine, (&program(&machine)?, &files), &job, PATIENCE, &mut |_| ())
}

/// A run of the shipped program where the tracer is: what is written where before, its arguments, and the file that comes back.
pub(crate) struct Traced<'a> {
    pub(crate) before: &'a [(&'a str, &'a str)],
    pub(crate) args: &'a [&'a str],
    pub(crate) collect: &'a str,
}

/// Boots the machine that has the kernel's osnoise tracer, and runs the shipped program there, one after the other.
pub(crate) fn with_tracer(commands: &[Traced<'_>]) -> Result<Boot, String> {
    let machine = machines::for_tracing();
    let command = |traced: &Traced<'_>| Command {
        args: [PROGRAM].iter().chain(traced.args).map(|&a| a.to_owned()).collect(),
        before: traced.before.iter().map(|(f, t)| ((*f).to_owned(), (*t).to_owned())).collect(),
        collect: vec![traced.collect.to_owned()],
        ..Command::default()
    };
    let mut job = machine.place.job(commands.iter().map(command).collect());
    (job.tracing, job.timeout) = (true, Some(PATIENCE.as_secs() * 3 / 4));
    qemu::boot(&machine, (&program(&machine)?, &[]), &job, PATIENCE, &mut |_| ())
}

/// The shipped binary; building it is `dist`'s business.
fn program(machine: &Machine) -> Result<PathBuf, String> {
    let file = dist::shipped(machine.arch);
    if file.is_file() {
        return Ok(file);
    }
    Err(format!("{} is missing; run `cargo xtask dist`", file.display()))
}

/// What the command line may say besides machines.
struct Options<'a> {
    program: Option<PathBuf>,
    collect: Vec<&'a str>,
    timeout: Duration,
}

/// `lab [--list] [--program FILE] [--collect FILE]... [--timeout SECONDS] [MACHINE]... [-- ARGUMENT...]`
pub(crate) fn chore(words: &[&str]) -> Result<(), String> {
    let (ours, theirs) = match words.iter().position(|w| *w == "--") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &["--version"][..]),
    };
    let mut chosen = Vec::new();
    let mut options = Options { program: None, collect: Vec::new(), timeout: PATIENCE };
    let mut ours = ours.iter();
    while let Some(&word) = ours.next() {
        let mut value = || ours.next().ok_or(format!("{word} needs a value"));
        match word {
            "--list" => return list(),
            "--program" => options.program = Some(PathBuf::from(value()?)),
            "--collect" => options.collect.push(*value()?),
            "--timeout" => {
                let seconds = value()?.parse().map_err(|e| format!("--timeout: {e}"))?;
                options.timeout = Duration::from_secs(seconds);
            }
            name => chosen.push(machine(name)?),
        }
    }
    if chosen.is_empty() {
        chosen = MACHINES.iter().filter(|m| !m.slow).copied().collect();
    }
    let mut failed = Vec::new();
    for machine in &chosen {
        if !show(machine, theirs, &options)? {
            failed.push(machine.name);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed on {}", failed.join(", "))) }
}

fn list() -> Result<(), String> {
    for Machine { name, what, arch, slow, twin, .. } in MACHINES {
        let slow = if *slow { " (slow; only when named)" } else { "" };
        println!("{name:22} {:8} {what}{slow}", arch.name());
        if let Some(twin) = twin {
            println!("{:31} must be fixtures/machines/{}.json", "", twin.fixture);
            for Hidden(path, why) in twin.hidden {
                println!("{:31} but for {path}: {why}", "");
            }
        }
    }
    Ok(())
}

/// Prints what a machine says while it runs; whether the program succeeded there.
fn show(machine: &Machine, args: &[&str], options: &Options) -> Result<bool, String> {
    let program = options.program.clone().map_or_else(|| program(machine), Ok)?;
    let collect = &options.collect;
    println!("--- {}: {}", machine.name, machine.what);
    let time = Stopwatch::start();
    let mut print = |frame: &Frame| {
        // Whoever pipes us into `head` wants no more of it.
        let _ = match frame {
            Frame::Out(bytes) => std::io::stdout().write_all(bytes),
            Frame::Err(bytes) => std::io::stderr().write_all(bytes),
            Frame::Note(text) => writeln!(std::io::stdout(), "note: {text}"),
            Frame::File(..) | Frame::End(_) | Frame::Off => Ok(()),
        };
    };
    let command = Command {
        args: [PROGRAM].iter().chain(args).map(|&a| a.to_owned()).collect(),
        collect: collect.iter().map(|&name| name.to_owned()).collect(),
        taken_away: machine.place.taken_away.map(|(cpu, after)| (cpu, after.to_owned())),
        ..Command::default()
    };
    let boot = boot_program(machine, &program, vec![command], options.timeout, &mut print)?;
    let ending = boot.runs.first().map_or(Ending::NotStarted, |run| run.ending);
    for (name, bytes) in boot.files.iter().filter(|(name, _)| collect.contains(&name.as_str())) {
        let file =
            root().join("target/xtask/lab").join(name.trim_start_matches('/').replace('/', "_"));
        std::fs::write(&file, bytes)
            .map_err(|e| format!("cannot write {}: {e}", file.display()))?;
        println!("{name}: {} bytes, in {}", bytes.len(), file.display());
    }
    println!("--- {}: {:?} after {:.1} s", machine.name, ending, time.elapsed().as_secs_f64());
    Ok(ending == Ending::Exited(0))
}
