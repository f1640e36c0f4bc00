//! The first and only process of a lab machine: prepares the place its job describes, runs the programs,
//! sends what they printed over the serial line, and switches the machine off.

#[path = "../lab/frames.rs"]
#[allow(dead_code, reason = "the host reads the frames")]
mod frames;
#[path = "../lab/job.rs"]
#[allow(dead_code, reason = "the host writes the job")]
mod job;

use frames::{CHUNK, Ending, Frame, encode};
use job::Job;
use rustix::{
    mount::{MountFlags, UnmountFlags, mount, mount_bind, mount_remount, unmount},
    system::{RebootCommand, reboot},
};
use std::{
    fs::{self, File, OpenOptions},
    io::{Read, Write},
    os::unix::{
        fs::OpenOptionsExt,
        process::{CommandExt, ExitStatusExt},
    },
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

fn main() {
    if std::process::id() != 1 {
        return; // somebody's curiosity; nothing here is for a running system
    }
    let early = mount_at("devtmpfs", "/dev");
    let line = Arc::new(Line::open());
    line.note(early);
    line.note(mount_at("proc", "/proc"));
    // From here on the kernel keeps the line to itself only for its last words.
    line.note(write("/proc/sys/kernel/printk", "1"));
    let text = fs::read_to_string(job::PATH).map_err(|e| format!("cannot read the job: {e}"));
    match text.and_then(|text| Job::from_text(&text)) {
        Ok(job) => perform(&job, &line),
        Err(error) => line.note(Err(error)),
    }
    line.send(Frame::Off);
    line.drain();
    rustix::fs::sync();
    let _ = reboot(RebootCommand::PowerOff);
}

fn perform(job: &Job, line: &Arc<Line>) {
    for result in prepare(job) {
        line.note(result);
    }
    line.send(Frame::File(job::LOOK.to_owned(), look().into_bytes()));
    for command in &job.commands {
        for (file, text) in &command.before {
            line.note(write(file, text));
        }
        let ending = match start(command, job) {
            Ok(child) => watch(child, command, job.timeout, line),
            Err(error) => line.refuse(error),
        };
        for name in &command.collect {
            match collected(name) {
                Ok(bytes) if bytes.is_empty() => line.send(Frame::File(name.clone(), bytes)),
                Ok(bytes) => bytes
                    .chunks(CHUNK)
                    .for_each(|chunk| line.send(Frame::File(name.clone(), chunk.to_vec()))),
                Err(error) => line.note(Err(format!("cannot collect {name}: {error}"))),
            }
        }
        line.send(Frame::End(ending));
    }
}

/// A file to send back; the kernel's messages have no end but are read as far as there are any.
fn collected(name: &str) -> std::io::Result<Vec<u8>> {
    if name != job::KERNEL_SAID {
        return fs::read(name);
    }
    let mut file = OpenOptions::new()
        .read(true)
        .custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32)
        .open(name)?;
    let (mut all, mut record) = (Vec::new(), vec![0; 8192]);
    // Each read is one message; EAGAIN is the end of them, EPIPE one that was overwritten.
    loop {
        match file.read(&mut record) {
            Ok(n @ 1..) => all.extend_from_slice(&record[..n]),
            Err(e) if e.raw_os_error() == Some(rustix::io::Errno::PIPE.raw_os_error()) => {}
            _ => return Ok(all),
        }
    }
}

/// Everything that makes the place hard, in an order in which each step still can be taken.
fn prepare(job: &Job) -> Vec<Result<(), String>> {
    let mut done = vec![mount_at("sysfs", "/sys")];
    if !job.readonly {
        done.push(mount_at("tmpfs", "/tmp"));
    }
    if let Some(size) = &job.disk {
        done.push(mount_with("tmpfs", job::DISK, &format!("size={size}")));
    }
    for cpu in &job.offline {
        done.push(write(&format!("/sys/devices/system/cpu/cpu{cpu}/online"), "0"));
    }
    if job.cpuset.is_some() || job.memory.is_some() || job.quota.is_some() {
        done.push(confine(job));
    }
    if job.untold {
        done.push(write("/tmp/nothing", ""));
        for table in ["/proc/interrupts", "/proc/softirqs"] {
            let hidden = mount_bind("/tmp/nothing", table);
            done.push(hidden.map_err(|e| format!("cannot hide {table}: {e}")));
        }
    }
    if job.tracing {
        done.push(mount_at("tracefs", "/sys/kernel/tracing"));
    }
    if job.nosys {
        done.push(
            unmount("/sys", UnmountFlags::DETACH).map_err(|e| format!("cannot unmount /sys: {e}")),
        );
    }
    if job.readonly {
        for place in ["/dev", "/"] {
            done.push(
                mount_remount(place, MountFlags::RDONLY, "")
                    .map_err(|e| format!("cannot make {place} read-only: {e}")),
            );
        }
    }
    done
}

/// Puts this process, and so the program, into a cgroup of its own.
fn confine(job: &Job) -> Result<(), String> {
    let top = "/sys/fs/cgroup";
    mount_at("cgroup2", top)?;
    write(&format!("{top}/cgroup.subtree_control"), "+cpuset +memory +cpu")?;
    fs::create_dir(format!("{top}/job")).map_err(|e| format!("cannot make a cgroup: {e}"))?;
    let values =
        [("cpuset.cpus", &job.cpuset), ("memory.max", &job.memory), ("cpu.max", &job.quota)];
    for (file, value) in values {
        if let Some(value) = value {
            write(&format!("{top}/job/{file}"), value)?;
        }
    }
    write(&format!("{top}/job/cgroup.procs"), "0")
}

/// What there is, as the host's table of machines words it.
fn look() -> String {
    let cpu = "/sys/devices/system/cpu";
    let node = "/sys/devices/system/node";
    let group = "/sys/fs/cgroup/job";
    let mut text = String::new();
    let mut say = |what: &str, value: Option<String>| {
        text += &format!("{what} {}\n", value.unwrap_or_else(|| "-".to_owned()));
    };
    let read = |path: String| fs::read_to_string(path).ok().map(|s| s.trim().to_owned());
    say("cpus", read(format!("{cpu}/online")));
    say("threads", read(format!("{cpu}/cpu1/topology/thread_siblings_list")));
    say("package", read(format!("{cpu}/cpu1/topology/package_cpus_list")));
    say("nodes", read(format!("{node}/online")));
    say("nodes-with-cpus", read(format!("{node}/has_cpu")));
    say("distance", read(format!("{node}/node0/distance")));
    say("cpuset", read(format!("{group}/cpuset.cpus.effective")));
    say("memory.max", read(format!("{group}/memory.max")));
    say("cpu.max", read(format!("{group}/cpu.max")));
    say("isolated", read(format!("{cpu}/isolated")));
    say("nohz_full", read(format!("{cpu}/nohz_full")));
    let table = read("/proc/interrupts".into()).filter(|table| !table.is_empty());
    say("interrupts", table.map(|_| "told".into()));
    let disk = rustix::fs::statvfs(job::DISK).ok().map(|d| (d.f_blocks * d.f_frsize).to_string());
    say("disk", disk);
    let writable = ["/", "/dev", "/tmp"].into_iter().filter(|place| {
        let file = format!("{place}/lab-write");
        fs::write(&file, "").is_ok() && fs::remove_file(&file).is_ok()
    });
    say("writable", Some(writable.collect::<Vec<_>>().join(" ")).filter(|s| !s.is_empty()));
    text
}

fn start(program: &job::Command, job: &Job) -> Result<Child, String> {
    let (name, args) = program.args.split_first().ok_or("the job names no program")?;
    let mut command = Command::new(name);
    command.args(args).current_dir("/").env_clear();
    command.envs([("PATH", "/bin"), ("HOME", "/"), ("RUST_BACKTRACE", "1")]);
    if job.disk.is_some() {
        command.env("XDG_DATA_HOME", job::DISK);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if program.unread {
        let (reader, writer) = std::io::pipe().map_err(|e| format!("cannot make a pipe: {e}"))?;
        drop(reader);
        command.stdout(writer);
    }
    if let Some(uid) = job.uid {
        command.uid(uid).gid(uid);
    }
    command.spawn().map_err(|e| format!("cannot start {name}: {e}"))
}

/// Forwards what the program prints until it has ended.
fn watch(
    mut child: Child,
    command: &job::Command,
    timeout: Option<u64>,
    line: &Arc<Line>,
) -> Ending {
    let mut readers = Vec::new();
    if let Some(pipe) = child.stdout.take() {
        readers.push(forward(pipe, Frame::Out, None, line));
    }
    if let Some(pipe) = child.stderr.take() {
        readers.push(forward(pipe, Frame::Err, command.taken_away.clone(), line));
    }
    let mut left = timeout.map(|seconds| seconds.saturating_sub(uptime()).saturating_mul(1000));
    let ending = loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                break match (status.code(), status.signal()) {
                    (Some(code), _) => Ending::Exited(code),
                    (None, signal) => Ending::Killed(signal.unwrap_or(0)),
                };
            }
            Ok(None) if left == Some(0) => {
                let _ = child.kill();
                let _ = child.wait();
                break Ending::TimedOut;
            }
            Ok(None) if command.killed.as_deref().is_some_and(says_something) => {
                let _ = child.kill();
                let _ = child.wait();
                let file = command.killed.as_deref().unwrap_or_default();
                for _ in 0..1000 {
                    if !says_something(file) {
                        break;
                    }
                    thread::sleep(Duration::from_millis(10));
                }
                break Ending::Killed(9);
            }
            Ok(None) => {
                thread::sleep(Duration::from_millis(10));
                left = left.map(|ms| ms.saturating_sub(10));
            }
            Err(error) => break line.refuse(format!("cannot wait: {error}")),
        }
    };
    // A grandchild may still hold the pipes after a kill; what it prints is not waited for.
    if ending != Ending::TimedOut {
        readers.into_iter().for_each(|r| drop(r.join()));
    }
    ending
}

/// Whether there is such a file with anything in it; one name may end with `*`.
fn says_something(file: &str) -> bool {
    let Some((before, after)) = file.split_once('*') else {
        return fs::read(file).is_ok_and(|bytes| !bytes.is_empty());
    };
    let (folder, start) = before.rsplit_once('/').unwrap_or((".", before));
    let all = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut names = all.filter_map(|entry| entry.file_name().into_string().ok());
    names.any(|name| name.starts_with(start) && says_something(&format!("{folder}/{name}{after}")))
}

/// Seconds since the kernel started.
fn uptime() -> u64 {
    let text = fs::read_to_string("/proc/uptime").unwrap_or_default();
    text.split('.').next().and_then(|seconds| seconds.parse().ok()).unwrap_or(0)
}

fn forward(
    mut pipe: impl Read + Send + 'static,
    frame: fn(Vec<u8>) -> Frame,
    mut taken_away: Option<(u32, String)>,
    line: &Arc<Line>,
) -> thread::JoinHandle<()> {
    let line = Arc::clone(line);
    thread::spawn(move || {
        let mut buffer = [0; CHUNK];
        let mut said = Vec::new();
        while let Ok(n @ 1..) = pipe.read(&mut buffer) {
            line.send(frame(buffer[..n].to_vec()));
            if taken_away.is_some() {
                said.extend_from_slice(&buffer[..n]);
            }
            let due = |(_, after): &(u32, String)| String::from_utf8_lossy(&said).contains(after);
            if let Some((cpu, _)) = taken_away.take_if(|t| due(t)) {
                // In the middle of what comes next.
                thread::sleep(Duration::from_millis(300));
                line.note(write(&format!("/sys/devices/system/cpu/cpu{cpu}/online"), "0"));
            }
        }
    })
}

/// The serial line, and the number of the next frame.
struct Line(Mutex<(Option<File>, u32)>);

impl Line {
    fn open() -> Line {
        Line(Mutex::new((OpenOptions::new().write(true).open("/dev/console").ok(), 0)))
    }

    fn send(&self, frame: Frame) {
        let Ok(mut guard) = self.0.lock() else { return };
        let (file, number) = &mut *guard;
        let text = encode(*number, &frame);
        *number += 1;
        if let Some(file) = file {
            let _ = file.write_all(text.as_bytes());
        }
    }

    fn note(&self, result: Result<(), String>) {
        if let Err(text) = result {
            self.send(Frame::Note(text));
        }
    }

    fn refuse(&self, why: String) -> Ending {
        self.note(Err(why));
        Ending::NotStarted
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

fn mount_at(kind: &str, place: &str) -> Result<(), String> {
    mount_with(kind, place, "")
}

fn mount_with(kind: &str, place: &str, options: &str) -> Result<(), String> {
    if !Path::new(place).is_dir() {
        fs::create_dir_all(place).map_err(|e| format!("cannot make {place}: {e}"))?;
    }
    let options = std::ffi::CString::new(options).map_err(|e| e.to_string())?;
    mount(kind, place, kind, MountFlags::empty(), options.as_c_str())
        .map_err(|e| format!("cannot mount {kind} at {place}: {e}"))
}

fn write(path: &str, value: &str) -> Result<(), String> {
    fs::write(path, value).map_err(|e| format!("cannot write {value} to {path}: {e}"))
}
