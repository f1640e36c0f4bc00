//! The first and only process of a lab machine: prepares the place that its job describes, runs the programs, sends what
//! they print over the serial line, and switches the machine off.
mod devices;
mod state;

use lab_init::{Command, DISK, Ending, FACTS, Frame, JOB, Job, KERNEL_LOG, Place, Unplug};
use rustix::{
    mount::{MountFlags, UnmountFlags, mount, mount_bind, mount_remount, unmount},
    system::{RebootCommand, finit_module, reboot},
};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::{
        fs::OpenOptionsExt,
        process::{CommandExt, ExitStatusExt},
    },
    path::Path,
    process::{self, Child, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

type Done = Result<(), String>;

fn main() {
    if process::id() != 1 {
        return; // nothing here is for a running system
    }
    let early = mount_at("devtmpfs", "/dev", "");
    let line = Arc::new(Line::open());
    line.note(early);
    line.note(mount_at("proc", "/proc", ""));
    // From here on the kernel keeps the line to itself only for its last words.
    line.note(write("/proc/sys/kernel/printk", "1"));
    let text = fs::read(JOB).map_err(|e| format!("cannot read the job: {e}"));
    let job = text.and_then(|text| serde_json::from_slice(&text).map_err(|e| e.to_string()));
    match job {
        Ok(job) => perform(&job, &line),
        Err(error) => line.note(Err(error)),
    }
    line.send(&Frame::Off);
    line.drain();
    rustix::fs::sync();
    let _ = reboot(RebootCommand::PowerOff);
}

fn perform(job: &Job, line: &Arc<Line>) {
    job.drivers.iter().for_each(|driver| line.note(load(driver)));
    prepare(&job.place).into_iter().for_each(|done| line.note(done));
    line.send(&Frame::File(FACTS.to_owned(), facts()));
    for command in &job.commands {
        let before = command.unchanged.then(state::now);
        for (file, text) in &command.before {
            line.note(write(file, text));
        }
        let ending = match start(command, &job.place) {
            Ok(child) => watch(child, command, job.timeout, line),
            Err(error) => {
                line.note(Err(error));
                Ending::NotStarted
            }
        };
        for change in before.iter().flat_map(state::changes) {
            line.send(&Frame::Changed(change));
        }
        for name in &command.collect {
            match collected(name) {
                Ok(bytes) => line
                    .send(&Frame::File(name.clone(), String::from_utf8_lossy(&bytes).into_owned())),
                Err(error) => line.note(Err(format!("cannot collect {name}: {error}"))),
            }
        }
        line.send(&Frame::End(ending));
    }
}

/// A file to send back; the kernel's log has no end but is read as far as there is any.
fn collected(name: &str) -> io::Result<Vec<u8>> {
    if name != KERNEL_LOG {
        return fs::read(name);
    }
    let flags = rustix::fs::OFlags::NONBLOCK.bits() as i32;
    let mut file = OpenOptions::new().read(true).custom_flags(flags).open(name)?;
    let (mut all, mut message) = (Vec::new(), vec![0; 8192]);
    // Each read is one message; EAGAIN is the end of them, EPIPE one that was overwritten.
    loop {
        match file.read(&mut message) {
            Ok(n @ 1..) => all.extend_from_slice(&message[..n]),
            Err(e) if e.raw_os_error() == Some(rustix::io::Errno::PIPE.raw_os_error()) => {}
            _ => return Ok(all),
        }
    }
}

/// In an order in which each step can still be taken.
fn prepare(place: &Place) -> Vec<Done> {
    let mut done = vec![mount_at("sysfs", "/sys", "")];
    if !place.readonly {
        done.push(mount_at("tmpfs", "/tmp", ""));
    }
    if let Some(size) = &place.disk {
        done.push(mount_at("tmpfs", DISK, &format!("size={size}")));
    }
    for cpu in &place.offline {
        done.push(unplug(*cpu));
    }
    if place.cpuset.is_some() || place.memory.is_some() || place.quota.is_some() {
        done.push(confine(place));
    }
    if place.no_interrupts {
        done.push(write("/tmp/nothing", ""));
        for table in ["/proc/interrupts", "/proc/softirqs"] {
            let hidden = mount_bind("/tmp/nothing", table);
            done.push(hidden.map_err(|e| format!("cannot hide {table}: {e}")));
        }
    }
    if place.tracing {
        done.push(mount_at("tracefs", "/sys/kernel/tracing", ""));
    }
    if place.no_sys {
        let gone = unmount("/sys", UnmountFlags::DETACH);
        done.push(gone.map_err(|e| format!("cannot unmount /sys: {e}")));
    }
    if place.readonly {
        for at in ["/dev", "/"] {
            let readonly = mount_remount(at, MountFlags::RDONLY, "");
            done.push(readonly.map_err(|e| format!("cannot make {at} read-only: {e}")));
        }
    }
    done
}

fn load(driver: &str) -> Done {
    let file = Path::new(JOB).with_file_name(driver);
    let file = File::open(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    finit_module(file, c"", 0).map_err(|e| format!("cannot load {driver}: {e}"))
}

/// Puts this process, and so the programs, into a cgroup of its own.
fn confine(place: &Place) -> Done {
    let top = "/sys/fs/cgroup";
    mount_at("cgroup2", top, "")?;
    write(&format!("{top}/cgroup.subtree_control"), "+cpuset +memory +cpu")?;
    fs::create_dir(format!("{top}/job")).map_err(|e| format!("cannot make a cgroup: {e}"))?;
    let limits =
        [("cpuset.cpus", &place.cpuset), ("memory.max", &place.memory), ("cpu.max", &place.quota)];
    for (file, value) in limits {
        if let Some(value) = value {
            write(&format!("{top}/job/{file}"), value)?;
        }
    }
    write(&format!("{top}/job/cgroup.procs"), "0")
}

/// Facts of the machine as the kernel shows them, one a line, named as in the host's table of machines.
fn facts() -> String {
    let [cpu, node, group] =
        ["/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/fs/cgroup/job"];
    let files = [
        ("cpus", format!("{cpu}/online")),
        ("threads", format!("{cpu}/cpu1/topology/thread_siblings_list")),
        ("package", format!("{cpu}/cpu1/topology/package_cpus_list")),
        ("nodes", format!("{node}/online")),
        ("nodes-with-cpus", format!("{node}/has_cpu")),
        ("distance", format!("{node}/node0/distance")),
        ("cpuset", format!("{group}/cpuset.cpus.effective")),
        ("memory.max", format!("{group}/memory.max")),
        ("cpu.max", format!("{group}/cpu.max")),
        ("isolated", format!("{cpu}/isolated")),
        ("nohz_full", format!("{cpu}/nohz_full")),
    ];
    let read = |path: &str| fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
    let mut facts: Vec<(&str, Option<String>)> =
        files.iter().map(|(name, path)| (*name, read(path))).collect();
    let table = read("/proc/interrupts").filter(|table| !table.is_empty());
    facts.push(("interrupts", table.map(|_| "there".into())));
    let disk = rustix::fs::statvfs(DISK).ok().map(|d| (d.f_blocks * d.f_frsize).to_string());
    facts.push(("disk", disk));
    let writable = ["/", "/dev", "/tmp"].into_iter().filter(|folder| {
        let file = format!("{folder}/lab-write");
        fs::write(&file, "").is_ok() && fs::remove_file(&file).is_ok()
    });
    let writable = writable.collect::<Vec<_>>().join(" ");
    facts.push(("writable", Some(writable).filter(|list| !list.is_empty())));
    let line = |(name, value): (&str, Option<String>)| {
        format!("{name} {}\n", value.unwrap_or_else(|| "-".into()))
    };
    facts.into_iter().map(line).chain(devices::facts()).collect()
}

fn start(program: &Command, place: &Place) -> Result<Child, String> {
    let (name, args) = program.args.split_first().ok_or("the job names no program")?;
    let mut command = process::Command::new(name);
    command.args(args).current_dir("/").env_clear();
    command.envs([("PATH", "/bin"), ("HOME", "/"), ("RUST_BACKTRACE", "1")]);
    if place.disk.is_some() {
        command.env("XDG_DATA_HOME", DISK);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if program.closed_output {
        let (_, writer) = io::pipe().map_err(|e| format!("cannot make a pipe: {e}"))?;
        command.stdout(writer);
    }
    if let Some(uid) = place.uid {
        command.uid(uid).gid(uid);
    }
    command.spawn().map_err(|e| format!("cannot start {name}: {e}"))
}

/// Forwards what the program prints until it has ended.
fn watch(mut child: Child, command: &Command, timeout: u64, line: &Arc<Line>) -> Ending {
    let out = child.stdout.take().map(|pipe| forward(pipe, Frame::Out, None, line));
    let unplug = command.unplug.clone();
    let err = child.stderr.take().map(|pipe| forward(pipe, Frame::Err, unplug, line));
    let filled = || command.kill_when_filled.as_deref().is_some_and(is_filled);
    let ending = loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                let killed = Ending::Killed(status.signal().unwrap_or(0));
                break status.code().map_or(killed, Ending::Exited);
            }
            Ok(None) if uptime() >= timeout => {
                end(&mut child);
                break Ending::TimedOut;
            }
            Ok(None) if filled() => {
                end(&mut child);
                for _ in (0..1000).take_while(|_| filled()) {
                    thread::sleep(Duration::from_millis(10));
                }
                break Ending::Killed(9);
            }
            Ok(None) => thread::sleep(Duration::from_millis(10)),
            Err(error) => {
                line.note(Err(format!("cannot wait: {error}")));
                break Ending::NotStarted;
            }
        }
    };
    // A grandchild may still hold the pipes after a kill; what it prints is not waited for.
    if ending != Ending::TimedOut {
        out.into_iter().chain(err).for_each(|reader| drop(reader.join()));
    }
    ending
}

fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// Whether there is such a file with anything in it; one name may end with `*`.
fn is_filled(file: &str) -> bool {
    let Some((before, after)) = file.split_once('*') else {
        return fs::read(file).is_ok_and(|bytes| !bytes.is_empty());
    };
    let (folder, start) = before.rsplit_once('/').unwrap_or((".", before));
    let all = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut names = all.filter_map(|entry| entry.file_name().into_string().ok());
    names.any(|name| name.starts_with(start) && is_filled(&format!("{folder}/{name}{after}")))
}

/// Seconds since the kernel started.
fn uptime() -> u64 {
    let text = fs::read_to_string("/proc/uptime").unwrap_or_default();
    text.split('.').next().and_then(|seconds| seconds.parse().ok()).unwrap_or(0)
}

fn forward(
    pipe: impl Read + Send + 'static,
    frame: fn(String) -> Frame,
    mut due: Option<Unplug>,
    line: &Arc<Line>,
) -> thread::JoinHandle<()> {
    let line = Arc::clone(line);
    thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut bytes = Vec::new();
        while let Ok(1..) = pipe.read_until(b'\n', &mut bytes) {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let now = due.take_if(|unplug| text.contains(&unplug.after));
            line.send(&frame(text));
            if let Some(now) = now {
                // In the middle of what comes next.
                thread::sleep(Duration::from_millis(300));
                line.note(unplug(now.cpu));
            }
            bytes.clear();
        }
    })
}

/// The serial line, and the number of the next frame.
struct Line(Mutex<(Option<File>, u32)>);

impl Line {
    fn open() -> Line {
        Line(Mutex::new((OpenOptions::new().write(true).open("/dev/console").ok(), 0)))
    }
    fn send(&self, frame: &Frame) {
        let Ok(mut guard) = self.0.lock() else { return };
        let (file, number) = &mut *guard;
        if let Some(file) = file {
            let _ = file.write_all(frame.line(*number).as_bytes());
        }
        *number += 1;
    }
    fn note(&self, done: Done) {
        if let Err(text) = done {
            self.send(&Frame::Note(text));
        }
    }
    /// Waits until everything has left, or switching off would cut it.
    fn drain(&self) {
        if let Ok(guard) = self.0.lock()
            && let (Some(file), _) = &*guard
        {
            let _ = rustix::termios::tcdrain(file);
        }
    }
}

fn mount_at(kind: &str, folder: &str, options: &str) -> Done {
    fs::create_dir_all(folder).map_err(|e| format!("cannot make {folder}: {e}"))?;
    let options = std::ffi::CString::new(options).map_err(|e| e.to_string())?;
    mount(kind, folder, kind, MountFlags::empty(), options.as_c_str())
        .map_err(|e| format!("cannot mount {kind} at {folder}: {e}"))
}

fn unplug(cpu: u32) -> Done {
    write(&format!("/sys/devices/system/cpu/cpu{cpu}/online"), "0")
}

fn write(path: &str, value: &str) -> Done {
    fs::write(path, value).map_err(|e| format!("cannot write {value} to {path}: {e}"))
}
