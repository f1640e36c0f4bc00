//! A QEMU guest that runs only this program. It boots from an initramfs built here, answers lines over its serial port, and
//! ends when it is dropped or this program dies.
//! Source: qemu(1); kernel: Documentation/filesystems/ramfs-rootfs-initramfs.rst; KVM_CREATE_VM of the KVM API.
mod disk;
pub mod inside;

use crate::{own_folder::OwnFolder, programs::end_with_us};
use disk::Disk;
use record::{OrWhy, Reason};
use std::{
    env,
    fs::{self, File},
    io::{BufRead, BufReader, Write},
    os::{fd::AsRawFd, unix::process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::Duration,
};

/// Prefix of the guest's answers; other lines are its console.
const ANSWER: &str = "cpulens> ";
/// Path of the module in the guest.
pub const MODULE: &str = "/cpulens_noise.ko";
/// MiB of the guest's memory beside the initramfs, which exists twice while it is unpacked.
const MEMORY: u64 = 384;

record::named! {
    /// The means of executing the guest's instructions.
    pub enum Accelerator {
        /// By the processor itself (KVM).
        Kvm = "kvm",
        /// By an emulator, whose times are meaningless.
        Tcg = "tcg",
    }
}

impl Accelerator {
    /// KVM if it can create a machine; that its file exists is not enough.
    pub fn here() -> Accelerator {
        let Ok(kvm) = File::options().read(true).write(true).open("/dev/kvm") else {
            return Accelerator::Tcg;
        };
        // `KVM_CREATE_VM` of linux/kvm.h: `_IO(KVMIO, 0x01)`.
        const KVM_CREATE_VM: libc::Ioctl = 0xae01;
        // SAFETY: takes integers and returns a descriptor of ours or an error; a file that is no KVM refuses (ENOTTY).
        let machine = unsafe { libc::ioctl(kvm.as_raw_fd(), KVM_CREATE_VM, 0) };
        if machine < 0 {
            return Accelerator::Tcg;
        }
        // SAFETY: the descriptor was just made for us and nobody else has it.
        unsafe { libc::close(machine) };
        Accelerator::Kvm
    }
}

/// The configuration of a guest.
#[derive(Debug, Clone)]
pub struct Boot {
    /// The kernel image; by default that of the running kernel, or another one of `/boot`.
    pub kernel: Option<PathBuf>,
    /// A module for that kernel, at [`MODULE`] in the guest.
    pub module: Option<PathBuf>,
    /// Arguments of this program in the guest.
    pub arguments: Vec<String>,
    /// CPUs of the guest.
    pub cpus: usize,
    pub accelerator: Accelerator,
}

/// A running guest.
#[derive(Debug)]
pub struct Guest {
    qemu: Child,
    to: Option<ChildStdin>,
    from: Receiver<String>,
    /// Lines of its console that were no answers.
    said: Vec<String>,
    /// Holds the initramfs.
    _scratch: OwnFolder,
}

impl Guest {
    /// Boots a guest, and waits for its first answer, at most `patience`.
    pub fn boot(boot: &Boot, patience: Duration) -> Result<Guest, Reason> {
        let kernel = kernel(boot.kernel.as_deref())?;
        let scratch = OwnFolder::temporary("cpulens-guest-")?;
        let disk = scratch.path().join("initramfs");
        let image = image(boot.module.as_deref())?;
        let memory = MEMORY + 3 * (image.len() as u64 >> 20);
        fs::write(&disk, image)
            .map_err(|e| Reason::new(format!("cannot write {}: {e}", disk.display())))?;
        let mut command = command(boot, &kernel, &disk, memory);
        // Ctrl-C is for this program, not for QEMU.
        let mut qemu = end_with_us(command.process_group(0)).spawn().map_err(|e| {
            Reason::mended_by(
                format!("{} cannot be started: {e}", command.get_program().display()),
                "install QEMU (Debian: qemu-system-x86 or qemu-system-arm)",
            )
        })?;
        let (sender, from) = mpsc::channel();
        let pipes = qemu.stdout.take().map(|p| Box::new(p) as Box<dyn std::io::Read + Send>);
        let errors = qemu.stderr.take().map(|p| Box::new(p) as Box<dyn std::io::Read + Send>);
        for pipe in pipes.into_iter().chain(errors) {
            let sender = sender.clone();
            thread::spawn(move || forward(pipe, &sender));
        }
        // The end of a guest shows at its pipes, so no other process may hold them open.
        drop(sender);
        let to = qemu.stdin.take();
        let mut guest = Guest { qemu, to, from, said: vec![], _scratch: scratch };
        guest.answer(patience)?;
        Ok(guest)
    }

    /// Sends a line and waits for the answer, at most `patience`.
    pub fn ask(&mut self, line: &str, patience: Duration) -> Result<String, Reason> {
        let to = self.to.as_mut().ok_or("the guest has no serial port")?;
        let sent = to.write_all(format!("{line}\n").as_bytes()).and_then(|()| to.flush());
        sent.map_err(|e| self.lost(&format!("is gone ({e})")))?;
        self.answer(patience)
    }

    fn answer(&mut self, patience: Duration) -> Result<String, Reason> {
        // `patience` is for each line; the number of lines limits a guest that writes without an answer.
        const LINES: usize = 2000;
        for _ in 0..LINES {
            match self.from.recv_timeout(patience) {
                Ok(line) => match line.find(ANSWER) {
                    Some(at) => return Ok(line[at + ANSWER.len()..].trim().to_owned()),
                    None if line.trim().is_empty() => {}
                    None => self.said.push(line.trim().to_owned()),
                },
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = patience.as_secs();
                    return Err(self.lost(&format!("said nothing for {seconds} s")));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.lost("stopped")),
            }
        }
        Err(self.lost("says much and answers nothing"))
    }

    fn lost(&self, how: &str) -> Reason {
        let last =
            self.said.last().map_or(String::new(), |line| format!("; its last words: {line}"));
        Reason::mended_by(
            format!("the guest {how}{last}"),
            "another kernel by --kernel FILE, with a serial console and memory disks built in, or another QEMU",
        )
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let _ = self.qemu.kill();
        let _ = self.qemu.wait();
    }
}

/// Lines of a pipe as they arrive. Bytes that are not UTF-8 are replaced, endless lines cut.
fn forward(pipe: Box<dyn std::io::Read + Send>, to: &mpsc::Sender<String>) {
    let mut pipe = BufReader::new(pipe);
    let mut line = vec![];
    while let Ok(1..) = std::io::Read::take(&mut pipe, 4096).read_until(b'\n', &mut line) {
        if to.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
            return;
        }
        line.clear();
    }
}

/// The kernel to boot: the given one, that of the running system, or the newest of `/boot`.
fn kernel(named: Option<&Path>) -> Result<PathBuf, Reason> {
    let readable = |file: &Path| File::open(file).is_ok();
    if let Some(file) = named {
        return match File::open(file) {
            Ok(_) => Ok(file.to_owned()),
            Err(e) => Err(Reason::new(format!("--kernel {}: {e}", file.display()))),
        };
    }
    let running = crate::kmod::release().map(|r| PathBuf::from(format!("/boot/vmlinuz-{r}")));
    if let Some(file) = running.filter(|file| readable(file)) {
        return Ok(file);
    }
    let there = fs::read_dir("/boot").into_iter().flatten().flatten().map(|e| e.path());
    let image = |file: &PathBuf| {
        file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("vmlinuz"))
    };
    let mut images: Vec<PathBuf> = there.filter(image).filter(|file| readable(file)).collect();
    images.sort_unstable();
    images.pop().or_why(
        "there is no kernel in /boot that may be read",
        "run as root, or name one by --kernel=FILE (Debian: apt download linux-image-cloud-amd64)",
    )
}

/// The initramfs: this program as `/init`, its shared libraries if it is not static, and the module.
fn image(module: Option<&Path>) -> Result<Vec<u8>, Reason> {
    let read = |file: &Path| {
        fs::read(file).map_err(|e| Reason::new(format!("cannot read {}: {e}", file.display())))
    };
    let mut disk = Disk::default();
    for folder in ["dev", "proc", "sys", "tmp"] {
        disk.folder(folder);
    }
    disk.console();
    let program = read(Path::new("/proc/self/exe"))?;
    for (path, file) in libraries(&program, &read(Path::new("/proc/self/maps"))?) {
        let path = path.trim_start_matches('/').to_owned();
        path.match_indices('/').for_each(|(at, _)| disk.folder(&path[..at]));
        disk.program(&path, read(Path::new(&file))?);
    }
    disk.program("init", program);
    if let Some(module) = module {
        disk.program(MODULE.trim_start_matches('/'), read(module)?);
    }
    disk.finish().map_err(|e| Reason::new(format!("cannot make the guest's memory disk: {e}")))
}

/// Paths of the shared libraries in the guest, and their files; none for a static program, as released. They are those
/// mapped by this process; the loader has a name of its own in the program header.
fn libraries(program: &[u8], maps: &[u8]) -> Vec<(String, String)> {
    let Some(loader) = interpreter(program) else { return vec![] };
    let maps = String::from_utf8_lossy(maps).into_owned();
    let mut files: Vec<&str> = maps
        .lines()
        .filter_map(|line| line.find('/').map(|at| &line[at..]))
        .filter(|file| file.contains(".so"))
        .collect();
    files.sort_unstable();
    files.dedup();
    let libraries = files.into_iter().map(|file| (file.to_owned(), file.to_owned()));
    libraries.chain([(loader.clone(), loader)]).collect()
}

/// The path in the program header PT_INTERP (elf(5), 64 bits, little-endian); static programs have none.
fn interpreter(program: &[u8]) -> Option<String> {
    const PT_INTERP: u32 = 3;
    let number = |at: usize, bytes: usize| {
        let field = program.get(at..at.checked_add(bytes)?)?;
        Some(field.iter().rev().fold(0usize, |sum, byte| sum << 8 | usize::from(*byte)))
    };
    let (table, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    let header = (0..count)
        .filter_map(|n| table.checked_add(n * size))
        .find(|at| number(*at, 4) == Some(PT_INTERP as usize))?;
    let begin = number(header.checked_add(8)?, 8)?;
    let end = begin.checked_add(number(header.checked_add(32)?, 8)?)?;
    let path = String::from_utf8(program.get(begin..end)?.to_vec()).ok()?;
    Some(path.trim_end_matches('\0').to_owned())
}

fn command(boot: &Boot, kernel: &Path, disk: &Path, memory: u64) -> Command {
    let arch = env::consts::ARCH;
    let mut qemu = Command::new(format!("qemu-system-{arch}"));
    let kvm = boot.accelerator == Accelerator::Kvm;
    qemu.args(["-nodefaults", "-no-user-config", "-no-reboot", "-display", "none"]);
    qemu.args(["-serial", "stdio", "-accel", boot.accelerator.name()]);
    let (machine, console) = match arch {
        "aarch64" if kvm => ("virt,gic-version=host", "ttyAMA0"),
        "aarch64" => ("virt,gic-version=3", "ttyAMA0"),
        _ => ("q35", "ttyS0"),
    };
    qemu.args(["-machine", machine, "-cpu", if kvm { "host" } else { "max" }]);
    qemu.args(["-smp", &boot.cpus.to_string(), "-m", &format!("{memory}M")]);
    qemu.arg("-kernel").arg(kernel).arg("-initrd").arg(disk);
    // Silences the kernel except for a panic, which ends the guest. On a busy host an emulated guest would fail the x86
    // kernel's test of its timer.
    let timer = if kvm || arch != "x86_64" { "" } else { " no_timer_check" };
    let words = boot.arguments.join(" ");
    qemu.arg("-append")
        .arg(format!("console={console} panic=-1 quiet loglevel=1{timer} -- {words}"));
    qemu.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    qemu
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_says_what_is_emulated() {
        let boot = |accelerator| Boot {
            kernel: None,
            module: None,
            arguments: vec!["noise".into(), "--inside".into()],
            cpus: 3,
            accelerator,
        };
        let words = |accelerator| {
            let command = command(&boot(accelerator), Path::new("/k"), Path::new("/d"), 512);
            let words: Vec<String> =
                command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
            words.join(" ")
        };
        let (kvm, tcg) = (words(Accelerator::Kvm), words(Accelerator::Tcg));
        assert!(kvm.contains("-accel kvm") && kvm.contains("-cpu host"), "{kvm}");
        assert!(tcg.contains("-accel tcg") && tcg.contains("-cpu max"), "{tcg}");
        for words in [kvm, tcg] {
            assert!(words.contains("-smp 3") && words.ends_with(" -- noise --inside"), "{words}");
        }
    }

    /// This very test is a program with or without shared libraries.
    #[test]
    fn the_guest_has_every_library_that_the_program_has() {
        let program = fs::read("/proc/self/exe").unwrap();
        let maps = fs::read("/proc/self/maps").unwrap();
        let dynamic = String::from_utf8_lossy(&maps).contains("libc.so");
        let found = libraries(&program, &maps);
        assert_eq!(interpreter(&program).is_some(), dynamic);
        assert_eq!(found.iter().any(|(_, file)| file.contains("/libc.so")), dynamic);
        assert!(found.iter().all(|(_, file)| Path::new(file).is_file()), "{found:?}");
        assert_eq!(interpreter(&program[..60.min(program.len())]), None);
        assert_eq!(interpreter(b"#!/bin/sh"), None);
    }

    #[test]
    fn a_kernel_that_is_not_there_is_named() {
        let reason = kernel(Some(Path::new("/no/such/kernel"))).unwrap_err();
        assert!(reason.why.contains("/no/such/kernel"), "{reason}");
    }
}
