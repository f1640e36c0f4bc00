//! Ends commands, and what they started, if this process is killed. A supervisor kills the process group of every command that
//! had not ended; and where the commands are enclosed, also what left these groups: it is in a control group of its own or,
//! where none may be made, has a variable in its environment.
//! Source: kernel, Documentation/admin-guide/cgroup-v2.rst (`cgroup.kill`); proc_pid_environ(5), getdents(2).
use super::{
    Refused, c_string,
    cleanup::{Last, write_to},
    kill,
    own_cgroup::OwnCgroup,
    supervised::Supervisor,
};
use crate::syscall;
use rustix::{
    fs::{self as sys, Mode, OFlags, RawDir},
    io::{Errno, read},
    path::Arg,
};
use std::{
    ffi::{CStr, CString},
    io::Write,
    mem::{self, MaybeUninit},
    os::fd::OwnedFd,
    sync::atomic::{AtomicI32, Ordering::Relaxed},
};

/// The means by which a group's commands and their descendants are kept together.
#[derive(Debug)]
pub(super) enum Enclosure {
    Cgroup(OwnCgroup),
    /// A variable that no other process has, as `NAME=value`.
    Variable(String),
}

impl Enclosure {
    /// The name of the variable.
    pub(super) const NAME: &str = "CPULENS_COMMAND";

    pub(super) fn new() -> Enclosure {
        OwnCgroup::new().map_or_else(|| Enclosure::Variable(variable()), Enclosure::Cgroup)
    }
}

fn variable() -> String {
    let owner = crate::owner::Owner::this_process();
    format!("{}={}", Enclosure::NAME, owner.name())
}

/// The pids of the commands that run, which the supervisor shares.
#[derive(Debug)]
struct Pids {
    start: usize,
    count: usize,
}

impl Pids {
    fn new(pids: &[libc::pid_t]) -> Result<Pids, Refused> {
        let count = pids.len().max(1);
        let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
        let start = syscall::mmap(
            count * mem::size_of::<AtomicI32>(),
            libc::PROT_READ | libc::PROT_WRITE,
            flags,
        )
        .map_err(|e| Refused::ours("share memory with a supervisor", &e))?;
        let shared = Pids { start, count };
        shared.all().iter().zip(pids).for_each(|(slot, pid)| slot.store(*pid, Relaxed));
        Ok(shared)
    }
    fn all(&self) -> &[AtomicI32] {
        // SAFETY: the mapping has room for as many, starts as zeros, is aligned to a page, and lives as long as this.
        unsafe { std::slice::from_raw_parts(self.start as *const AtomicI32, self.count) }
    }
}

impl Drop for Pids {
    fn drop(&mut self) {
        // SAFETY: the mapping is of `new`, of this length, and nobody has a reference to it any more.
        unsafe { syscall::unmap(self.start, self.count * mem::size_of::<AtomicI32>()) };
    }
}

/// A supervisor of running commands.
#[derive(Debug)]
pub(super) struct Guard {
    supervisor: Supervisor,
    pids: Pids,
}

impl Guard {
    /// Guards these commands from now on.
    pub(super) fn start(
        pids: &[libc::pid_t],
        enclosure: Option<&Enclosure>,
    ) -> Result<Guard, Refused> {
        let pids = Pids::new(pids)?;
        let mut files: Option<[CString; 3]> = None;
        let mut variable = None;
        match enclosure {
            Some(Enclosure::Cgroup(group)) => {
                let file = |name: &str| c_string(&group.folder().join(name));
                files =
                    Some([c_string(group.folder())?, file("cgroup.kill")?, file("cgroup.procs")?]);
            }
            Some(Enclosure::Variable(text)) => variable = Some(text.as_bytes()),
            None => {}
        }
        let cgroup = files.as_ref().map(|[folder, kill, procs]| Files { folder, kill, procs });
        let last = Last::Processes(Processes { groups: pids.all(), cgroup, variable });
        Ok(Guard { supervisor: Supervisor::start(last)?, pids })
    }
    /// The command at this place has ended: its pid may be anybody's.
    pub(super) fn ended(&self, at: usize) {
        self.pids.all().get(at).into_iter().for_each(|slot| slot.store(0, Relaxed));
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.supervisor.cancel();
    }
}

/// Files of a control group.
#[derive(Clone, Copy)]
struct Files<'a> {
    folder: &'a CStr,
    kill: &'a CStr,
    procs: &'a CStr,
}

/// The processes that the supervisor kills.
#[derive(Clone, Copy)]
pub(super) struct Processes<'a> {
    groups: &'a [AtomicI32],
    cgroup: Option<Files<'a>>,
    variable: Option<&'a [u8]>,
}

impl Processes<'_> {
    /// One attempt; whether nothing is left. It allocates nothing.
    pub(super) fn attempt(self) -> bool {
        for group in self.groups {
            let pid = group.load(Relaxed);
            if pid > 1 {
                kill(-pid, libc::SIGKILL);
            }
        }
        let cgroup_is_gone = self.cgroup.is_none_or(|files| {
            write_to(files.kill, b"1");
            kill_members(files.procs);
            matches!(sys::rmdir(files.folder), Ok(()) | Err(Errno::NOENT))
        });
        cgroup_is_gone && self.variable.is_none_or(|variable| kill_marked(variable) == 0)
    }
}

/// Opens a file or a folder for reading.
fn open(file: impl Arg) -> Option<OwnedFd> {
    sys::open(file, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()
}

/// Kills the processes whose numbers are the lines of this file.
fn kill_members(procs: &CStr) {
    let Some(file) = open(procs) else { return };
    let (mut buffer, mut pid) = ([0; 1024], 0i32);
    loop {
        let got = read(&file, &mut buffer).unwrap_or(0);
        if got == 0 {
            return;
        }
        for byte in &buffer[..got] {
            match byte {
                b'0'..=b'9' => pid = pid.wrapping_mul(10).wrapping_add(i32::from(byte - b'0')),
                _ => {
                    if pid > 1 {
                        kill(pid, libc::SIGKILL);
                    }
                    pid = 0;
                }
            }
        }
    }
}

/// Kills all processes with this variable in their environment; how many there were.
fn kill_marked(variable: &[u8]) -> u32 {
    let Some(folder) = open(c"/proc") else { return 0 };
    let mut room = [MaybeUninit::uninit(); 4096];
    let (mut entries, mut killed) = (RawDir::new(folder, &mut room), 0);
    while let Some(Ok(entry)) = entries.next() {
        let pid = entry.file_name().to_str().ok().and_then(|name| name.parse().ok());
        if let Some(pid @ 2..) = pid
            && has(pid, variable)
        {
            kill(pid, libc::SIGKILL);
            killed += 1;
        }
    }
    killed
}

/// Whether this process was started with a variable, given as `NAME=value`.
fn has(pid: libc::pid_t, variable: &[u8]) -> bool {
    // "/proc/", at most ten digits, "/environ" and a zero byte.
    let mut path = [0u8; 32];
    if write!(&mut path[..], "/proc/{pid}/environ").is_err() {
        return false;
    }
    let Some(file) = CStr::from_bytes_until_nul(&path).ok().and_then(open) else { return false };
    let (mut buffer, mut search) = ([0; 1024], Search { variable, at: Some(0) });
    loop {
        let got = read(&file, &mut buffer).unwrap_or(0);
        if got == 0 {
            return search.next(0);
        }
        if buffer[..got].iter().any(|byte| search.next(*byte)) {
            return true;
        }
    }
}

/// Looks for a variable among strings that end with zero bytes.
struct Search<'a> {
    variable: &'a [u8],
    /// Bytes of the present string that agree; nothing if one does not.
    at: Option<usize>,
}

impl Search<'_> {
    /// Takes the next byte; whether it ended the variable.
    fn next(&mut self, byte: u8) -> bool {
        if byte == 0 {
            return self.at.replace(0) == Some(self.variable.len());
        }
        self.at = self.at.filter(|at| self.variable.get(*at) == Some(&byte)).map(|at| at + 1);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{ProcessGroup, Program},
        *,
    };
    use crate::clock::Monotonic;
    use std::{
        env, fs,
        path::Path,
        process::{Command, Stdio},
        thread,
        time::Duration,
    };

    #[test]
    fn a_variable_is_found_whole() {
        let found = |environment: &[u8]| {
            let mut search = Search { variable: b"A=1", at: Some(0) };
            environment.iter().any(|byte| search.next(*byte)) || search.next(0)
        };
        assert!(found(b"A=1\0") && found(b"B=2\0A=1\0") && found(b"B=2\0A=1"));
        for other in [&b"A=12\0"[..], b"BA=1\0", b"A=\0", b"B=A=1\0", b"", b"\0\0"] {
            assert!(!found(other), "{other:?}");
        }
    }

    #[test]
    fn a_process_is_known_by_its_environment() {
        let _alone = crate::child::alone();
        let mut child = std::process::Command::new("sleep")
            .arg("1000")
            .env("CPULENS_TEST_GUARD", "one")
            .spawn()
            .unwrap();
        let pid = child.id().cast_signed();
        // Until its exec it has our environment.
        let marked = (0..2000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            has(pid, b"CPULENS_TEST_GUARD=one")
        });
        assert!(marked && !has(pid, b"CPULENS_TEST_GUARD=on"));
        assert_eq!(kill_marked(b"CPULENS_TEST_GUARD=one"), 1);
        assert!(!child.wait().unwrap().success());
        assert_eq!(kill_marked(b"CPULENS_TEST_GUARD=one"), 0);
    }

    /// The next test kills this; it is not a test by itself.
    #[test]
    #[ignore = "run by the test that kills it"]
    fn a_process_with_commands() {
        let Some(folder) = env::var_os("GUARDED_PIDS") else { return };
        let folder = Path::new(&folder);
        let group = ProcessGroup::new().unwrap().ending_children(false);
        let group = match env::var("GUARDED_BY").unwrap().as_str() {
            "variable" => group.enclosed_by(Enclosure::Variable(variable())),
            "cgroup" => group.enclosed(),
            _ => group,
        };
        let script = "setsid sh -c 'echo $$ > daemon; exec sleep 1000' & sleep 1000 & echo $! > job; \
                      while [ ! -s daemon ]; do sleep 0.02; done; echo $$ > command; wait";
        let script = format!("cd {}; {script}", folder.display());
        let mut group = group;
        group.hold(&Program::new(&["sh", "-c", &script]).unwrap().quiet()).unwrap();
        group.run(&Monotonic::new(), None).unwrap();
    }

    /// Only what is enclosed is ended beyond its process group.
    #[test]
    fn a_process_that_is_killed_leaves_no_command() {
        let _alone = crate::child::alone();
        for (by, ends) in [("group", false), ("variable", true), ("cgroup", true)] {
            let folder = tempfile::tempdir().unwrap();
            let mut victim = Command::new(env::current_exe().unwrap())
                .args(["--exact", "child::guard::tests::a_process_with_commands", "--ignored"])
                .env("GUARDED_PIDS", folder.path())
                .env("GUARDED_BY", by)
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            let pid = |name: &str| fs::read_to_string(folder.path().join(name)).ok();
            assert!(soon(|| pid("command").is_some_and(|text| text.ends_with('\n'))), "{by}");
            let alive = |name: &str| {
                let stat = fs::read_to_string(format!("/proc/{}/stat", pid(name).unwrap().trim()));
                stat.is_ok_and(|stat| !stat.contains(") Z "))
            };
            assert!(["command", "job", "daemon"].into_iter().all(alive), "{by}");
            victim.kill().unwrap();
            victim.wait().unwrap();
            assert!(soon(|| !alive("command") && !alive("job")), "{by}");
            assert!(soon(|| !ends || !alive("daemon")), "{by}");
            if !ends {
                assert!(alive("daemon"), "{by}");
                kill(pid("daemon").unwrap().trim().parse().unwrap(), libc::SIGKILL);
            }
        }
    }

    fn soon(so: impl Fn() -> bool) -> bool {
        (0..1000).any(|_| {
            thread::sleep(Duration::from_millis(20));
            so()
        })
    }
}
