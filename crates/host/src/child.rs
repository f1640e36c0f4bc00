//! Programs of others as children: held until whoever counts is ready, each in a group of its own and where it was
//! told to be, ended at a time limit, and reaped with all that they started, so that nothing is left running.
//! Source: fork(2), setpgid(2), wait4(2), PR_SET_CHILD_SUBREAPER and PR_SET_PDEATHSIG of prctl(2).
mod cleanup;
mod descendants;
mod group;
mod lines;
mod signals;
mod supervised;
mod terminal;

pub use cleanup::Cleanup;
#[cfg(test)]
pub(crate) use group::alone;
pub use group::{Ended, GroupResult, ProcessGroup, Status};
pub use lines::{Line, Lines, Stream};
pub use supervised::Supervised;

use crate::{cpus, descriptors};
use record::{CpuSet, Reason};
use std::{
    env,
    ffi::{CString, OsStr, OsString},
    fs::File,
    io::{self, Read, Write},
    os::{
        fd::{AsRawFd, OwnedFd, RawFd},
        unix::ffi::{OsStrExt, OsStringExt},
    },
    path::Path,
    ptr,
    sync::Arc,
};

/// What a shell reports of a command that it cannot find.
const NOT_FOUND: i32 = 127;
/// What a shell reports of a command that it finds and cannot run.
const NOT_EXECUTABLE: i32 = 126;

/// A command that did not start: why, and the exit status by which shells say so (127 or 126); none if the fault is
/// ours or the machine's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// What is wrong with it.
    pub why: Reason,
    /// 127 for a command that is not there, 126 for one that cannot be run.
    pub status: Option<i32>,
}

impl Refused {
    fn ours(what: &str, error: &io::Error) -> Refused {
        Refused { why: Reason::new(format!("cannot {what}: {error}")), status: None }
    }
}

/// A command line, and where and how it is to run.
#[derive(Debug, Clone)]
pub struct Program {
    words: Vec<CString>,
    cpus: Option<CpuSet>,
    streams: Streams,
    variables: Vec<(OsString, OsString)>,
}

/// What a program reads and writes.
#[derive(Debug, Clone)]
enum Streams {
    /// Ours.
    Ours,
    /// Nothing.
    Null,
    /// Nothing to read; what it writes goes to these pipes.
    To(Arc<[io::PipeWriter; 2]>),
    /// Nothing to read; all that it writes goes to this file.
    Into(Arc<File>),
}

impl Program {
    /// The command and its arguments; it is looked for in `PATH`, as shells do.
    ///
    /// # Errors
    /// It has no words, or one with a zero byte in it.
    pub fn new<W: AsRef<OsStr>>(words: &[W]) -> Result<Program, Refused> {
        let words: Result<Vec<CString>, _> =
            words.iter().map(|word| CString::new(word.as_ref().as_bytes())).collect();
        match words {
            Ok(words) if words.first().is_some_and(|first| !first.is_empty()) => {
                Ok(Program { words, cpus: None, streams: Streams::Ours, variables: vec![] })
            }
            _ => Err(Refused { why: Reason::new("there is no command"), status: Some(NOT_FOUND) }),
        }
    }
    /// On these CPUs only, as by `taskset`; so is all that it starts.
    #[must_use]
    pub fn on(mut self, cpus: CpuSet) -> Program {
        self.cpus = Some(cpus);
        self
    }
    /// With nothing to read, and what it writes thrown away; it has our streams otherwise.
    #[must_use]
    pub fn quiet(mut self) -> Program {
        self.streams = Streams::Null;
        self
    }
    /// With nothing to read; what it writes goes to these pipes, which close when this and all that it starts is gone.
    #[must_use]
    pub fn writing(mut self, out: io::PipeWriter, err: io::PipeWriter) -> Program {
        self.streams = Streams::To(Arc::new([out, err]));
        self
    }
    /// With nothing to read; all that it writes goes to this file.
    #[must_use]
    pub fn writing_into(mut self, file: File) -> Program {
        self.streams = Streams::Into(Arc::new(file));
        self
    }
    /// With this variable in its environment, beside ours or instead of it.
    #[must_use]
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Program {
        self.variables.push((name.into(), value.into()));
        self
    }
    /// Its name as it was given.
    pub fn name(&self) -> OsString {
        OsStr::from_bytes(self.words[0].as_bytes()).to_owned()
    }

    /// Whether there is a file that its name means, as shells look for it.
    pub fn found(&self) -> bool {
        self.files().iter().any(|file| Path::new(OsStr::from_bytes(file.as_bytes())).is_file())
    }
    fn files(&self) -> Vec<CString> {
        candidates(&self.words[0], &env::var_os("PATH").unwrap_or("/bin:/usr/bin".into()))
    }

    /// Our environment with the program's own variables, as `NAME=value`.
    fn environment(&self) -> Vec<CString> {
        let own = |name: &OsString| self.variables.iter().any(|(known, _)| known == name);
        let ours = env::vars_os().filter(|(name, _)| !own(name));
        ours.chain(self.variables.iter().cloned())
            .filter_map(|(mut name, value)| {
                name.push("=");
                name.push(value);
                CString::new(name.into_vec()).ok()
            })
            .collect()
    }

    /// The process that will be this program, waiting to be let go.
    fn hold(&self) -> Result<Held, Refused> {
        let failed = |what: &'static str| move |error: io::Error| Refused::ours(what, &error);
        let (wait, gate) = io::pipe().map_err(failed("open a pipe"))?;
        let (news, tell) = io::pipe().map_err(failed("open a pipe"))?;
        let pid = self.planned(wait.as_raw_fd(), tell.as_raw_fd(), |plan| {
            // SAFETY: the child calls nothing but `become_program`, which touches only what was made before and makes
            // system calls until it is another program or has ended: no lock or allocator of another thread is met.
            let pid = unsafe { libc::fork() };
            if pid == 0 {
                become_program(plan);
            }
            pid
        })?;
        if pid < 0 {
            return Err(Refused::ours("start a process", &io::Error::last_os_error()));
        }
        // Both sides do it, so that it is done whoever comes first. A leader of a session leads its group by that.
        if !self.own_session() {
            set_group(pid);
        }
        let (gate, news) = (Some(gate.into()), news.into());
        let held = Held { pid, gate, news, name: self.name(), began: None };
        self.place(pid).inspect_err(|_| held.end())?;
        Ok(held)
    }

    /// Without our terminal, which would stop it in the background when it asked for it.
    fn own_session(&self) -> bool {
        matches!(self.streams, Streams::To(_) | Streams::Into(_))
    }

    /// Puts a process that is about to be this program on its CPUs.
    fn place(&self, pid: libc::pid_t) -> Result<(), Refused> {
        let Some(cpus) = &self.cpus else { return Ok(()) };
        let cpu = cpus.first().unwrap_or(0);
        let refused = |e: io::Error| Refused { why: cpus::refusal(cpu, &e), status: None };
        cpus::confine(pid, cpus).map_err(refused)
    }

    /// Makes all that a child needs to become this program, before there is one. It waits for a byte from `wait`, and what
    /// goes wrong is written to `tell`.
    fn planned<T>(
        &self,
        wait: RawFd,
        tell: RawFd,
        then: impl FnOnce(&Plan<'_>) -> T,
    ) -> Result<T, Refused> {
        let null = || File::options().read(true).write(true).open("/dev/null");
        let null = match self.streams {
            Streams::Ours => None,
            _ => Some(null().map_err(|e| Refused::ours("open /dev/null", &e))?),
        };
        let streams = null.as_ref().map(|null| match &self.streams {
            Streams::To(pipes) => [null.as_raw_fd(), pipes[0].as_raw_fd(), pipes[1].as_raw_fd()],
            Streams::Into(file) => [null.as_raw_fd(), file.as_raw_fd(), file.as_raw_fd()],
            _ => [null.as_raw_fd(); 3],
        });
        let mut words: Vec<*const libc::c_char> = self.words.iter().map(|w| w.as_ptr()).collect();
        words.push(ptr::null());
        let files = self.files();
        let variables = self.environment();
        let mut environment: Vec<*const libc::c_char> =
            variables.iter().map(|v| v.as_ptr()).collect();
        environment.push(ptr::null());
        Ok(then(&Plan {
            files: &files,
            words: &words,
            environment: &environment,
            wait,
            tell,
            streams,
            own_session: self.own_session(),
            parent: own_pid(),
            limit: descriptors::raise_limit(),
        }))
    }
}

/// A process that is about to become a program. Dropped before, it never does.
#[derive(Debug)]
struct Held {
    pid: libc::pid_t,
    /// A byte written here lets it go.
    gate: Option<OwnedFd>,
    /// An `errno` comes from here if it could not become the program; nothing if it did.
    news: OwnedFd,
    name: OsString,
    /// When it was let go, if that was before the process group as a whole.
    began: Option<f64>,
}

impl Held {
    /// Ends it, whatever it is by now, and its group, and waits until it is gone.
    fn end(&self) {
        kill(-self.pid, libc::SIGKILL);
        kill(self.pid, libc::SIGKILL);
        reap(self.pid, 0);
    }
    /// Lets it go.
    fn release(&mut self) {
        if let Some(gate) = self.gate.take() {
            // Whoever was killed meanwhile is found out when waited for.
            let _ = File::from(gate).write_all(b"!");
        }
    }
    /// Waits until it is the program, or is told why it is not.
    fn became(&self) -> Result<(), Refused> {
        let mut bytes = vec![];
        let news = self.news.try_clone().map_err(|e| Refused::ours("read a pipe", &e))?;
        let read = File::from(news).read_to_end(&mut bytes);
        read.map_err(|e| Refused::ours("read a pipe", &e))?;
        match <[u8; 4]>::try_from(&bytes[..]) {
            Ok(errno) => Err(refusal(&self.name, i32::from_ne_bytes(errno))),
            Err(_) => Ok(()),
        }
    }
}

/// Why a command is no process, and what shells report of it.
fn refusal(name: &OsStr, errno: i32) -> Refused {
    let name = name.to_string_lossy();
    let (why, status) = match errno {
        libc::ENOENT if name.contains('/') => (
            Reason::new(format!(
                "{name}: no such program, or the interpreter that it names is not there"
            )),
            NOT_FOUND,
        ),
        libc::ENOENT => (
            Reason::mended_by(format!("{name}: command not found"), "give its path, or see PATH"),
            NOT_FOUND,
        ),
        libc::EACCES => (
            Reason::mended_by(format!("{name}: not executable"), format!("chmod +x {name}")),
            NOT_EXECUTABLE,
        ),
        libc::ENOEXEC => (
            Reason::mended_by(
                format!("{name}: no program that this machine can run"),
                "build it for this machine; a script begins with #! and its interpreter",
            ),
            NOT_EXECUTABLE,
        ),
        other => {
            let error = io::Error::from_raw_os_error(other);
            (Reason::new(format!("{name}: cannot be run: {error}")), NOT_EXECUTABLE)
        }
    };
    Refused { why, status: Some(status) }
}

/// The files that a command's name may mean: itself if it has a slash in it, else one in each folder of `PATH`.
fn candidates(name: &CString, path: &OsStr) -> Vec<CString> {
    if name.as_bytes().contains(&b'/') {
        return vec![name.clone()];
    }
    let folders = env::split_paths(path);
    folders
        .filter_map(|folder| {
            CString::new(
                folder.join(OsStr::from_bytes(name.as_bytes())).into_os_string().into_vec(),
            )
            .ok()
        })
        .collect()
}

/// What the child needs, all of it made before it exists.
#[derive(Clone, Copy)]
struct Plan<'a> {
    /// Where the program may be, in the order in which it is looked for.
    files: &'a [CString],
    words: &'a [*const libc::c_char],
    environment: &'a [*const libc::c_char],
    wait: RawFd,
    tell: RawFd,
    /// What to read from, and where to write output and complaints.
    streams: Option<[RawFd; 3]>,
    /// Without our terminal, which would stop it in the background when it asked for it.
    own_session: bool,
    parent: libc::pid_t,
    /// The limit of open files that we were started with.
    limit: Option<libc::rlimit>,
}

/// The child: waits for the gate, then is the program. Only async-signal-safe calls (signal-safety(7)).
fn become_program(plan: &Plan<'_>) -> ! {
    if plan.own_session {
        // SAFETY: takes nothing; a process that was just forked leads no group, so that it is allowed.
        unsafe { libc::setsid() };
    } else {
        set_group(0);
    }
    // SAFETY: takes integers; whoever forked us dying ends us, so that no command outlives its report.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
    // SAFETY: takes nothing and returns an integer.
    let parent = unsafe { libc::getppid() };
    if parent != plan.parent {
        leave(0); // it died before we could ask for the signal
    }
    if let Some(limit) = plan.limit {
        // SAFETY: reads one rlimit, which lives; the limit is lowered to what it was.
        unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) };
    }
    // SAFETY: restores the default, which Rust's start-up had replaced; no handler is involved.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    if let Some(streams) = plan.streams {
        for (stream, from) in (0..).zip(streams) {
            // SAFETY: both are descriptors of this process, which nothing else uses any more.
            unsafe { libc::dup2(from, stream) };
        }
    }
    let mut go = 0u8;
    loop {
        // SAFETY: the kernel writes at most one byte, and `go` is one.
        let got = unsafe { libc::read(plan.wait, (&raw mut go).cast(), 1) };
        match got {
            1 => break,
            -1 if errno() == libc::EINTR => {}
            _ => leave(0),
        }
    }
    // What one folder refuses may be in the next; a file that was there and refused says more than one that was not.
    let mut trouble = libc::ENOENT;
    for file in plan.files {
        // SAFETY: `words` and `environment` end with a null pointer and the rest are strings that end with a zero byte, all
        // alive, as is the file's name.
        unsafe {
            libc::execve(file.as_ptr(), plan.words.as_ptr(), plan.environment.as_ptr());
        }
        match errno() {
            libc::ENOENT | libc::ENOTDIR => {}
            libc::EACCES => trouble = libc::EACCES,
            other => {
                trouble = other;
                break;
            }
        }
    }
    // SAFETY: reads the four bytes of an integer of ours.
    unsafe { libc::write(plan.tell, (&raw const trouble).cast(), 4) };
    leave(if trouble == libc::ENOENT { NOT_FOUND } else { NOT_EXECUTABLE })
}

/// Waits for a child to end, unless `flags` say not to, and removes it; nothing if it still runs.
fn reap(pid: libc::pid_t, flags: i32) -> Option<i32> {
    let mut status = 0;
    loop {
        // SAFETY: the kernel writes one int.
        let got = unsafe { libc::waitpid(pid, &raw mut status, flags) };
        if got == pid {
            return Some(status);
        }
        if got == 0 || errno() != libc::EINTR {
            return None;
        }
    }
}

fn errno() -> i32 {
    io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

fn leave(status: i32) -> ! {
    // SAFETY: ends this process at once and runs nothing of ours.
    unsafe { libc::_exit(status) }
}

fn own_pid() -> libc::pid_t {
    std::process::id().cast_signed()
}

/// Puts a process (0: this one) into a group of its own; one that is another program by now has done so itself.
fn set_group(pid: libc::pid_t) {
    // SAFETY: takes integers.
    unsafe { libc::setpgid(pid, 0) };
}

/// Signals a process, or a group if negative; one that has ended meanwhile needs none.
fn kill(pid: libc::pid_t, signal: i32) {
    // SAFETY: takes integers. The id is that of a child that was not reaped yet, or of its group, so nobody else's.
    unsafe { libc::kill(pid, signal) };
}

#[cfg(test)]
mod tests;
