//! Booting: a kernel, a memory disk, and QEMU's emulation of every instruction, so that a machine
//! behaves the same on a developer's laptop and in CI, with or without /dev/kvm.
use super::{
    disk::Archive,
    frames::{Ending, Frame, decode},
    job,
    job::Job,
    machine::{Hardware, Kernel, Machine},
};
use crate::{
    children::child,
    dist::{self, Arch},
    setup,
    tree::cache,
};
use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        atomic::{AtomicU32, Ordering},
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

/// How an error begins that is a machine's which did not end.
pub(super) const NOT_DONE: &str = "not done after";

/// What came back from a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Boot {
    /// What came of the job's commands, in their order; fewer if the job could not be read.
    pub(crate) runs: Vec<Ran>,
    /// The files the job wanted back. A file that was not there is missing here, and in `notes`.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    /// What the init could not do.
    pub(crate) notes: Vec<String>,
}

/// What came of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) ending: Ending,
}

impl Ran {
    fn nothing_yet() -> Ran {
        Ran { stdout: Vec::new(), stderr: Vec::new(), ending: Ending::NotStarted }
    }
}

/// What QEMU needs to know that is not the machine's.
struct Files {
    kernel: PathBuf,
    disk: PathBuf,
    modules: Vec<PathBuf>,
    /// Holds the disk and the modules, which nobody needs afterwards.
    _scratch: Scratch,
}

/// A boot's own folder.
struct Scratch(PathBuf);

impl Scratch {
    fn new(machine: &Machine) -> Result<Scratch, String> {
        static BOOTS: AtomicU32 = AtomicU32::new(0);
        let boot = BOOTS.fetch_add(1, Ordering::Relaxed);
        let folder = format!("lab/{}-{}-{boot}", machine.name, std::process::id());
        let folder = cache().join(folder);
        fs::create_dir_all(&folder)
            .map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Boots `machine` and performs `job` with `program` as its `/bin/cpulens` and further files beside the job; `watch` sees
/// each frame as it comes.
pub(super) fn boot(
    machine: &Machine,
    (program, beside): (&Path, &[PathBuf]),
    job: &Job,
    timeout: Duration,
    watch: &mut dyn FnMut(&Frame),
) -> Result<Boot, String> {
    let files = prepare(machine, program, beside, job)?;
    let mut qemu = command(machine, &files);
    qemu.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let spawned =
        qemu.spawn().map_err(|e| format!("cannot start QEMU: {e}; run `cargo xtask setup`"));
    let result = spawned.and_then(|child| listen(&mut Guard(child), timeout, watch));
    result.map_err(|e| format!("{}: {e}", machine.name))
}

/// Kills QEMU on every way out.
struct Guard(Child);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn prepare(
    machine: &Machine,
    program: &Path,
    beside: &[PathBuf],
    job: &Job,
) -> Result<Files, String> {
    let kernel = match machine.kernel {
        Kernel::Cloud => setup::kernel(machine.arch)?,
        Kernel::RealTime => setup::real_time_kernel(machine.arch)?,
    };
    let init = dist::build(machine.arch, "xtask", "lab-init")?;
    let scratch = Scratch::new(machine)?;

    let mut archive = Archive::default();
    for path in ["bin", "dev", "lab", "proc", "sys", "tmp"] {
        archive.folder(path);
    }
    archive.console();
    archive.program("init", bytes(&init)?);
    archive.program("bin/cpulens", bytes(program)?);
    archive.text(job::PATH.trim_start_matches('/'), job.to_text().into_bytes());
    for file in beside {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        archive.text(&format!("lab/{name}"), bytes(file)?);
    }
    let disk = scratch.0.join("disk.cpio");
    let archive = archive.finish().map_err(|e| format!("cannot make a memory disk: {e}"))?;
    store(&disk, &archive)?;

    let mut modules = Vec::new();
    for (n, module) in (0_u16..).zip(machine.hardware.modules) {
        let file = scratch.0.join(format!("module{n}"));
        store(&file, &module.to_bytes(0x1100 + n))?;
        modules.push(file);
    }
    Ok(Files { kernel, disk, modules, _scratch: scratch })
}

fn bytes(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|e| format!("cannot read {}: {e}", file.display()))
}

fn store(file: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(file, bytes).map_err(|e| format!("cannot write {}: {e}", file.display()))
}

fn command(machine: &Machine, files: &Files) -> Command {
    let hardware = &machine.hardware;
    let mut qemu = child(format!("qemu-system-{}", machine.arch.name()));
    match hardware.icount {
        // The emulated PMU has an instruction counter only where QEMU itself counts, which it does on one thread.
        Some(shift) => {
            qemu.args(["-accel", "tcg,thread=single", "-icount"]).arg(format!("shift={shift}"))
        }
        // A hundred CPUs on threads of their own would take a small host for themselves, and spin on each other's locks.
        None if machine.twin.is_some() => qemu.args(["-accel", "tcg,thread=single"]),
        None => qemu.args(["-accel", "tcg,thread=multi"]),
    };
    qemu.args(["-no-reboot", "-nodefaults", "-no-user-config"]);
    qemu.args(["-display", "none", "-serial", "stdio"]);
    let console = match machine.arch {
        Arch::X86_64 => {
            qemu.args(["-machine", "q35"]);
            "ttyS0"
        }
        Arch::Aarch64 => {
            qemu.args(["-machine", "virt,gic-version=3"]);
            "ttyAMA0"
        }
    };
    qemu.args(["-cpu", hardware.cpu, "-smp", hardware.smp]);
    qemu.args(memory(hardware));
    for module in &files.modules {
        qemu.arg("-smbios").arg(format!("file={}", module.display()));
    }
    qemu.arg("-kernel").arg(&files.kernel).arg("-initrd").arg(&files.disk);
    // Its own messages off the line but for a panic, which ends the machine at once. A busy host is too slow for the
    // x86 kernel's test of its timer, which it would take for broken.
    let timer = if machine.arch == Arch::X86_64 { " no_timer_check" } else { "" };
    let words = format!("console={console} panic=-1 quiet loglevel=1{timer} {}", machine.boot);
    qemu.arg("-append").arg(words.trim_end());
    qemu
}

fn memory(hardware: &Hardware) -> Vec<String> {
    let total: u32 = hardware.memory.iter().sum();
    let mut args = vec!["-m".to_owned(), format!("{total}M")];
    if hardware.cpus.is_empty() {
        return args;
    }
    for (n, (size, cpus)) in hardware.memory.iter().zip(hardware.cpus).enumerate() {
        args.extend(["-object".into(), format!("memory-backend-ram,id=m{n},size={size}M")]);
        let cpus = if cpus.is_empty() { String::new() } else { format!(",cpus={cpus}") };
        args.extend(["-numa".into(), format!("node,nodeid={n},memdev=m{n}{cpus}")]);
    }
    let nodes = hardware.cpus.len();
    for (src, dst) in (0..nodes).flat_map(|src| (0..nodes).map(move |dst| (src, dst))) {
        let value = (hardware.distance)(src, dst);
        args.extend(["-numa".into(), format!("dist,src={src},dst={dst},val={value}")]);
    }
    args
}

/// Collects frames until the last one, and no longer than `timeout`.
fn listen(
    qemu: &mut Guard,
    timeout: Duration,
    watch: &mut dyn FnMut(&Frame),
) -> Result<Boot, String> {
    let lines = lines_of(qemu.0.stdout.take().ok_or("QEMU has no output")?);
    let errors = lines_of(qemu.0.stderr.take().ok_or("QEMU has no error output")?);
    let mut boot = Boot::default();
    let mut run = Ran::nothing_yet();
    let deadline = crate::stopwatch::Stopwatch::start();
    let mut number = 0;
    let mut other: Vec<String> = Vec::new();
    loop {
        let left = timeout.saturating_sub(deadline.elapsed());
        let line = match lines.recv_timeout(left) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => {
                let seconds = timeout.as_secs();
                return Err(format!(
                    "{NOT_DONE} {seconds} s; killed{}",
                    last_words(&boot, &run, &other, &[])
                ));
            }
            Err(RecvTimeoutError::Disconnected) => {
                let errors: Vec<String> = errors.iter().collect();
                return Err(format!(
                    "the machine stopped{}",
                    last_words(&boot, &run, &other, &errors)
                ));
            }
        };
        let Some(frame) = decode(&line, number) else {
            if !line.trim().is_empty() {
                other.push(line.trim_end().to_owned());
            }
            continue;
        };
        let frame = frame?;
        number += 1;
        watch(&frame);
        match frame {
            Frame::Out(bytes) => run.stdout.extend(bytes),
            Frame::Err(bytes) => run.stderr.extend(bytes),
            Frame::File(name, bytes) => boot.files.entry(name).or_default().extend(bytes),
            Frame::Note(text) => boot.notes.push(text),
            Frame::End(ending) => {
                boot.runs.push(Ran { ending, ..std::mem::replace(&mut run, Ran::nothing_yet()) });
            }
            Frame::Off => return Ok(boot),
        }
    }
}

/// What is known of a machine that did not finish: the ends of what it, its kernel and QEMU said.
fn last_words(boot: &Boot, run: &Ran, console: &[String], errors: &[String]) -> String {
    let end = |lines: &[String]| lines[lines.len().saturating_sub(12)..].join("\n    ");
    let text = |bytes: &[u8]| {
        let lines: Vec<String> =
            String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect();
        end(&lines)
    };
    [
        ("QEMU", end(errors)),
        ("console", end(console)),
        ("notes", end(&boot.notes)),
        ("stdout", text(&run.stdout)),
        ("stderr", text(&run.stderr)),
    ]
    .iter()
    .filter(|(_, said)| !said.is_empty())
    .map(|(who, said)| format!("\n  {who}:\n    {said}"))
    .collect()
}

/// The lines of a pipe, as they come; bytes that are no text are replaced.
fn lines_of(pipe: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut line = Vec::new();
        while let Ok(1..) = pipe.read_until(b'\n', &mut line) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
            line.clear();
        }
    });
    receiver
}
