//! Booting: a kernel, a memory disk, and QEMU's emulation of every instruction, so that a machine behaves the same on a
//! developer's laptop and in CI, with or without /dev/kvm. A runner of VMs (virtme-ng, vmtest) would not do: they hand the
//! host's folders to the guest and pick a common machine, where every test here is about an uncommon one.
use crate::machine::Machine;
use cpio::{NewcBuilder, newc::ModeFileType};
use host::{
    child::{Program, Supervised},
    clock::{Clock, Monotonic},
};
use lab_init::{Ending, Frame, JOB, Job};
use std::{
    collections::BTreeMap,
    fs,
    io::{self, BufRead, BufReader, Cursor, PipeReader},
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};
use tempfile::TempDir;
use xtask::{
    dist::{self, Arch},
    setup,
    tree::{cache, write},
};

/// The begin of the error of a machine that did not end in time.
pub const NOT_DONE: &str = "not done after";

/// The output of a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Boot {
    /// The results of the job's commands, in their order; fewer if the job could not be read.
    pub runs: Vec<Ran>,
    /// The files the job wanted back. A file that was not there is missing here, and in `notes`.
    pub files: BTreeMap<String, String>,
    /// Steps that the init could not do.
    pub notes: Vec<String>,
}

/// The result of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    /// The state that it changed, where that was asked for.
    pub changes: Vec<String>,
    pub ending: Ending,
}

impl Boot {
    /// A file that was asked for.
    ///
    /// # Errors
    /// It did not come back.
    pub fn file(&self, name: &str) -> Result<&str, String> {
        let found = self.files.get(name).map(String::as_str);
        found.ok_or_else(|| format!("no {name} came back: {:?}", self.notes))
    }
}

/// Boots `machine` and performs `job` with `program` as its `/bin/cpulens` and further files beside the job; `watch` sees
/// each frame as it comes.
pub(crate) fn boot(
    machine: &Machine,
    (program, beside): (&Path, &[PathBuf]),
    job: &Job,
    timeout: Duration,
    watch: &mut dyn FnMut(&Frame),
) -> Result<Boot, String> {
    let scratch = TempDir::with_prefix_in("lab-", cache()).map_err(|e| e.to_string())?;
    let words = command(machine, program, beside, job, scratch.path())?;
    let pipe = || io::pipe().map_err(|e| format!("cannot make a pipe: {e}"));
    let ((out, to_out), (err, to_err)) = (pipe()?, pipe()?);
    let refused = |e: host::child::Refused| format!("QEMU: {}; run `cargo xtask setup`", e.why);
    let qemu = Program::new(&words).map_err(refused)?.writing(to_out, to_err);
    let running = Supervised::start(&qemu).map_err(refused)?;
    // Our copies of the pipes' ends.
    drop(qemu);
    let result = listen(&lines_of(out), &lines_of(err), timeout, watch);
    drop(running);
    result.map_err(|e| format!("{}: {e}", machine.name))
}

/// The command line, whose files it makes in `folder`.
fn command(
    machine: &Machine,
    program: &Path,
    beside: &[PathBuf],
    job: &Job,
    folder: &Path,
) -> Result<Vec<String>, String> {
    let kernel = match machine.realtime {
        false => setup::kernel(machine.arch())?,
        true => setup::real_time_kernel(machine.arch())?,
    };
    let disk = folder.join("disk.cpio");
    write(&disk, memory_disk(machine, program, beside, job)?)?;
    let mut words: Vec<String> = vec![format!("qemu-system-{}", machine.arch().name())];
    let mut add = |more: &[&str]| words.extend(more.iter().map(|&word| word.to_owned()));
    match machine.icount {
        // The emulated PMU has an instruction counter only where QEMU itself counts, which it does on one thread.
        Some(shift) => {
            add(&["-accel", "tcg,thread=single", "-icount", &format!("shift={shift}")]);
        }
        None if machine.is_on_one_thread() => {
            add(&["-accel", "tcg,thread=single"]);
        }
        None => add(&["-accel", "tcg,thread=multi"]),
    }
    add(&["-no-reboot", "-nodefaults", "-no-user-config", "-display", "none", "-serial", "stdio"]);
    // Pointer authentication by QEMU's own cipher instead of the architected one boots three times as fast. A busy host is too
    // slow for the x86 kernel's test of its timer, which it would take for broken.
    let (board, cpu, console) = match machine.arm {
        true => ("virt,gic-version=3", "max,pmu=on,pauth-impdef=on", "ttyAMA0"),
        false => ("q35", "qemu64", "ttyS0 no_timer_check"),
    };
    let cpu = machine.cpu.as_deref().unwrap_or(cpu);
    let board = format!("{board}{}", machine.board());
    add(&["-machine", &board, "-cpu", cpu, "-smp", &machine.smp]);
    add(&["-m", &format!("{}M", machine.memory.iter().sum::<u32>())]);
    for (n, (size, cpus)) in machine.memory.iter().zip(&machine.cpus).enumerate() {
        add(&["-object", &format!("memory-backend-ram,id=m{n},size={size}M")]);
        // QEMU takes ranges one by one.
        let cpus = cpus.to_string();
        let cpus: String =
            cpus.split(',').filter(|c| !c.is_empty()).map(|c| format!(",cpus={c}")).collect();
        let nearest = machine.nearest(n);
        add(&["-numa", &format!("node,nodeid={n},memdev=m{n}{cpus}{nearest}")]);
    }
    let nodes = machine.cpus.len();
    for (from, to) in (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to))) {
        let distance = machine.distance.at(from, to);
        add(&["-numa", &format!("dist,src={from},dst={to},val={distance}")]);
    }
    machine.device_words().iter().for_each(|word| add(&[word]));
    if let Some(maker) = &machine.maker {
        add(&["-smbios", &format!("type=0,vendor={maker}")]);
        add(&["-smbios", &format!("type=1,manufacturer={maker},product={maker}")]);
        add(&["-smbios", &format!("type=4,manufacturer={maker}")]);
    }
    for (n, module) in (0_u16..).zip(&machine.modules) {
        let file = folder.join(format!("module{n}"));
        write(&file, module.to_bytes(0x1100 + n))?;
        add(&["-smbios", &format!("file={}", file.display())]);
    }
    add(&["-kernel", &kernel.display().to_string(), "-initrd", &disk.display().to_string()]);
    // The kernel's own messages off the line but for a panic, which ends the machine at once. Its tests of ciphers are a fifth of
    // a boot.
    let quiet = "panic=-1 quiet loglevel=1 cryptomgr.notests";
    let boot = format!("console={console} {quiet} {}", machine.boot);
    add(&["-append", boot.trim_end()]);
    Ok(words)
}

/// A "newc" cpio archive, as the kernel's early-userspace documentation has it.
fn memory_disk(
    machine: &Machine,
    program: &Path,
    beside: &[PathBuf],
    job: &Job,
) -> Result<Vec<u8>, String> {
    let init = init(machine.arch())?;
    let read = |file: &Path| fs::read(file).map_err(|e| format!("{}: {e}", file.display()));
    let entry = |path: &str, kind| NewcBuilder::new(path).mode(0o755).set_mode_file_type(kind);
    let folder = |path: &&str| (entry(path, ModeFileType::Directory), Cursor::default());
    let file = |path: &str, bytes| (entry(path, ModeFileType::Regular), Cursor::new(bytes));
    let mut all: Vec<_> = ["bin", "dev", "lab", "proc", "sys", "tmp"].iter().map(folder).collect();
    // The kernel opens /dev/console for its first process before anything is mounted.
    let console = NewcBuilder::new("dev/console").mode(0o600).rdev_major(5).rdev_minor(1);
    all.push((console.set_mode_file_type(ModeFileType::Char), Cursor::default()));
    all.push(file("init", read(&init)?));
    all.push(file("bin/cpulens", read(program)?));
    let job = serde_json::to_vec(job).map_err(|e| e.to_string())?;
    all.push(file(JOB.trim_start_matches('/'), job));
    for path in beside {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        all.push(file(&format!("lab/{name}"), read(path)?));
    }
    cpio::write_cpio(all.into_iter(), vec![]).map_err(|e| format!("cannot make a memory disk: {e}"))
}

/// The first process of a machine, which is built once for all of them.
fn init(arch: Arch) -> Result<PathBuf, String> {
    static BUILT: Mutex<BTreeMap<&str, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(file) = built.get(arch.name()) {
        return Ok(file.clone());
    }
    let file = dist::build("lab-init", &[arch])?.remove(0);
    built.insert(arch.name(), file.clone());
    Ok(file)
}

/// Collects frames until the last one, and no longer than `timeout`.
fn listen(
    lines: &Receiver<String>,
    errors: &Receiver<String>,
    timeout: Duration,
    watch: &mut dyn FnMut(&Frame),
) -> Result<Boot, String> {
    let clock = Monotonic::new();
    let deadline = clock.now() + timeout.as_secs_f64();
    let (mut boot, mut number) = (Boot::default(), 0);
    let (mut stdout, mut stderr) = (String::new(), String::new());
    let mut changes = vec![];
    let mut console: Vec<String> = Vec::new();
    loop {
        let left = Duration::from_secs_f64((deadline - clock.now()).max(0.0));
        let line = lines.recv_timeout(left).map_err(|error| {
            let what = match error {
                RecvTimeoutError::Timeout => format!("{NOT_DONE} {} s", timeout.as_secs()),
                RecvTimeoutError::Disconnected => "the machine stopped".into(),
            };
            let end = |lines: &[String]| lines[lines.len().saturating_sub(12)..].join("\n    ");
            let text = |text: &str| end(&text.lines().map(str::to_owned).collect::<Vec<_>>());
            let errors: Vec<String> = errors.try_iter().collect();
            let ends = [
                ("QEMU", end(&errors)),
                ("console", end(&console)),
                ("notes", end(&boot.notes)),
                ("stdout", text(&stdout)),
                ("stderr", text(&stderr)),
            ];
            let ends = ends.iter().filter(|(_, end)| !end.is_empty());
            what + &ends.map(|(who, end)| format!("\n  {who}:\n    {end}")).collect::<String>()
        })?;
        let Some(frame) = Frame::in_line(&line, number) else {
            console.extend(Some(line.trim_end().to_owned()).filter(|line| !line.is_empty()));
            continue;
        };
        let frame = frame?;
        number += 1;
        watch(&frame);
        match frame {
            Frame::Out(text) => stdout += &text,
            Frame::Err(text) => stderr += &text,
            Frame::File(name, text) => drop(boot.files.insert(name, text)),
            Frame::Changed(text) => changes.push(text),
            Frame::Note(text) => boot.notes.push(text),
            Frame::End(ending) => {
                let (stdout, stderr) = (std::mem::take(&mut stdout), std::mem::take(&mut stderr));
                let changes = std::mem::take(&mut changes);
                boot.runs.push(Ran { stdout, stderr, changes, ending });
            }
            Frame::Off => return Ok(boot),
        }
    }
}

/// The lines of a pipe, as they come; bytes that are no text are replaced.
fn lines_of(pipe: PipeReader) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let (mut pipe, mut line) = (BufReader::new(pipe), Vec::new());
        while let Ok(1..) = pipe.read_until(b'\n', &mut line) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
            line.clear();
        }
    });
    receiver
}
