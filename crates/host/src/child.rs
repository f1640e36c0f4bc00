//! Child processes. A child is held until the counters are open, runs in a process group of its own on given CPUs, is killed
//! at a time limit, and is reaped. What it leaves running lives on or is ended.
//! Source: fork(2), setpgid(2), wait4(2), PR_SET_CHILD_SUBREAPER and PR_SET_PDEATHSIG of prctl(2).
mod background;
mod cleanup;
mod cpu_time;
mod descendants;
mod group;
mod guard;
mod lines;
mod own_cgroup;
mod refused;
mod signals;
mod supervised;
mod terminal;

pub use background::{Running, names};
pub use cleanup::Cleanup;
pub use cpu_time::{count_as_ours, cpu_seconds_of, cpu_seconds_with_children};
#[cfg(test)]
pub(crate) use group::alone;
pub use group::{Ended, GroupResult, ProcessGroup, Status};
pub use lines::{Lines, Stream, WholeLines};
pub use refused::Refused;
pub use supervised::Supervised;

use crate::{cpus, descriptors};
use record::{CpuSet, Reason};
use refused::{NOT_EXECUTABLE, NOT_FOUND, refusal};
use std::{
    env,
    ffi::{CString, OsStr, OsString},
    fs::File,
    io::{self, Read, Write},
    os::{
        fd::{AsRawFd, OwnedFd, RawFd},
        unix::ffi::{OsStrExt, OsStringExt},
    },
    path::{Path, PathBuf},
    ptr,
    sync::Arc,
};

/// A command line, its CPUs, streams and environment.
#[derive(Debug, Clone)]
#[must_use]
pub struct Program {
    words: Vec<CString>,
    cpus: Option<CpuSet>,
    streams: Streams,
    variables: Vec<(OsString, OsString)>,
    /// User and group that it runs as, if not ours.
    account: Option<(u32, u32)>,
}

/// Standard streams of a program.
#[derive(Debug, Clone)]
enum Streams {
    /// The same as ours.
    Ours,
    /// `/dev/null`.
    Null,
    /// No input; output and errors go to these pipes.
    To(Arc<[io::PipeWriter; 2]>),
    /// No input; output and errors go to this file.
    Into(Arc<File>),
    /// Input from one pipe, output to the other, errors to ours.
    Between(Arc<(io::PipeReader, io::PipeWriter)>),
}

impl Program {
    /// The command, searched for in `PATH` as by shells, and its arguments.
    pub fn new<W: AsRef<OsStr>>(words: &[W]) -> Result<Program, Refused> {
        let words: Result<Vec<CString>, _> =
            words.iter().map(|word| CString::new(word.as_ref().as_bytes())).collect();
        match words {
            Ok(words) if words.first().is_some_and(|first| !first.is_empty()) => Ok(Program {
                words,
                cpus: None,
                streams: Streams::Ours,
                variables: vec![],
                account: None,
            }),
            _ => Err(Refused { why: Reason::new("there is no command"), status: Some(NOT_FOUND) }),
        }
    }
    /// Confines it and its descendants to these CPUs, as `taskset` does.
    pub fn on(mut self, cpus: CpuSet) -> Program {
        self.cpus = Some(cpus);
        self
    }
    /// Connects its streams to `/dev/null`. By default it has our streams.
    pub fn quiet(mut self) -> Program {
        self.streams = Streams::Null;
        self
    }
    /// Sends its output and errors to these pipes, which close when it and all its descendants have ended.
    pub fn writing(mut self, out: io::PipeWriter, err: io::PipeWriter) -> Program {
        self.streams = Streams::To(Arc::new([out, err]));
        self
    }
    /// Sends its output and errors to this file.
    pub fn writing_into(mut self, file: File) -> Program {
        self.streams = Streams::Into(Arc::new(file));
        self
    }
    /// Connects its input and output to these pipes. Its errors go where ours go. It stays in our session: where sessions share the
    /// CPUs (autogroup of sched(7)), it has our share.
    pub fn between(mut self, input: io::PipeReader, output: io::PipeWriter) -> Program {
        self.streams = Streams::Between(Arc::new((input, output)));
        self
    }
    /// Sets a variable in its environment.
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Program {
        self.variables.push((name.into(), value.into()));
        self
    }
    /// Runs it as this user and this group only, from exec on: no code of it ever has our rights. We must be root.
    pub fn as_account(mut self, user: u32, group: u32) -> Program {
        self.account = Some((user, group));
        self
    }
    /// The command as given.
    pub fn name(&self) -> OsString {
        OsStr::from_bytes(self.words[0].as_bytes()).to_owned()
    }

    /// Whether the command exists, searched for as by shells.
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

    /// Forks the process that will run this program, and holds it before exec.
    fn hold(&self) -> Result<StoppedChild, Refused> {
        let failed = |what: &'static str| move |error: io::Error| Refused::ours(what, &error);
        let (wait, gate) = io::pipe().map_err(failed("open a pipe"))?;
        let (news, failure) = io::pipe().map_err(failed("open a pipe"))?;
        let pid = self.planned(wait.as_raw_fd(), failure.as_raw_fd(), |plan| {
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
        // Parent and child both do it, since either may run first. A session leader leads its group already.
        if !self.own_session() {
            set_group(pid);
        }
        let (gate, news) = (Some(gate.into()), news.into());
        let held = StoppedChild { pid, gate, news, name: self.name(), began: None };
        self.place(pid).inspect_err(|_| held.end())?;
        Ok(held)
    }

    /// Without our terminal, which would stop a background process that reads from it.
    fn own_session(&self) -> bool {
        matches!(self.streams, Streams::To(_) | Streams::Into(_))
    }

    /// Confines the held process to its CPUs.
    fn place(&self, pid: libc::pid_t) -> Result<(), Refused> {
        let Some(cpus) = &self.cpus else { return Ok(()) };
        let cpu = cpus.first().unwrap_or(0);
        cpus::confine(pid, cpus).map_err(|e| cpus::refusal(cpu, &e).into())
    }

    /// Allocates all that the child needs before the fork. The child waits for a byte from `wait`, and writes the `errno` of
    /// a failed exec to `report`.
    fn planned<T>(
        &self,
        wait: RawFd,
        report: RawFd,
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
            Streams::Between(pipes) => {
                [pipes.0.as_raw_fd(), pipes.1.as_raw_fd(), libc::STDERR_FILENO]
            }
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
            report,
            streams,
            own_session: self.own_session(),
            parent: own_pid(),
            limit: match self.account {
                // An account cannot raise its limit, which a server started as root would.
                Some(_) => descriptors::account_limit(),
                None => descriptors::raise_limit(),
            },
            account: self.account,
        }))
    }
}

/// A forked process held before exec. It ends if this is dropped before its release.
#[derive(Debug)]
struct StoppedChild {
    pid: libc::pid_t,
    /// A byte written here releases it.
    gate: Option<OwnedFd>,
    /// Gives the `errno` of a failed exec; end of file after a successful one.
    news: OwnedFd,
    name: OsString,
    /// When it was released, if that was before the rest of the group.
    began: Option<f64>,
}

impl StoppedChild {
    /// Kills it and its process group, and reaps it.
    fn end(&self) {
        kill(-self.pid, libc::SIGKILL);
        kill(self.pid, libc::SIGKILL);
        reap(self.pid, 0);
    }
    fn release(&mut self) {
        if let Some(gate) = self.gate.take() {
            // A write to a process that was killed meanwhile fails; waiting for it shows that.
            let _ = File::from(gate).write_all(b"!");
        }
    }
    /// Waits for the exec, or the reason of its failure.
    fn wait_for_exec(&self) -> Result<(), Refused> {
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

/// Files that a command may name: itself if it has a slash, else one in each folder of `PATH`.
fn candidates(name: &CString, path: &OsStr) -> Vec<CString> {
    if name.as_bytes().contains(&b'/') {
        return vec![name.clone()];
    }
    let name = OsStr::from_bytes(name.as_bytes());
    let file = |folder: PathBuf| CString::new(folder.join(name).into_os_string().into_vec()).ok();
    env::split_paths(path).filter_map(file).collect()
}

/// Data for the child, allocated before the fork.
#[derive(Clone, Copy)]
struct Plan<'a> {
    /// Candidate files of the program in search order.
    files: &'a [CString],
    words: &'a [*const libc::c_char],
    environment: &'a [*const libc::c_char],
    wait: RawFd,
    report: RawFd,
    /// Descriptors for standard input, output and error.
    streams: Option<[RawFd; 3]>,
    /// Without our terminal, which would stop a background process that reads from it.
    own_session: bool,
    parent: libc::pid_t,
    /// The limit of open files.
    limit: Option<libc::rlimit>,
    /// User and group that it runs as, if not ours.
    account: Option<(u32, u32)>,
}

/// The child: waits for its release, then calls exec. Only async-signal-safe calls (signal-safety(7)).
fn become_program(plan: &Plan<'_>) -> ! {
    if plan.own_session {
        // SAFETY: takes nothing; a process that was just forked leads no group, so that it is allowed.
        unsafe { libc::setsid() };
    } else {
        set_group(0);
    }
    // SAFETY: takes integers. The child dies with its parent, so that no command outlives its report.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
    // SAFETY: takes nothing and returns an integer.
    let parent = unsafe { libc::getppid() };
    if parent != plan.parent {
        leave(0); // it died before we could ask for the signal
    }
    if let Some(limit) = plan.limit {
        // SAFETY: reads one rlimit, which lives.
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
    if let Some((user, group)) = plan.account
        && let Err(refused) = become_account(user, group, plan.parent)
    {
        // SAFETY: reads the four bytes of an integer of ours.
        unsafe { libc::write(plan.report, (&raw const refused).cast(), 4) };
        leave(NOT_EXECUTABLE);
    }
    // The next folder may have the program. A refused file explains more than an absent one.
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
    unsafe { libc::write(plan.report, (&raw const trouble).cast(), 4) };
    leave(if trouble == libc::ENOENT { NOT_FOUND } else { NOT_EXECUTABLE })
}

/// Gives up our rights for those of this user and group. Raw calls: those of libc would ask threads that a fork does not copy.
fn become_account(user: u32, group: u32, parent: libc::pid_t) -> Result<(), i32> {
    let done = |result: libc::c_long| if result == 0 { Ok(()) } else { Err(errno()) };
    // SAFETY: reads one group id.
    done(unsafe { libc::syscall(libc::SYS_setgroups, 1, &raw const group) })?;
    // SAFETY: takes integers.
    done(unsafe { libc::syscall(libc::SYS_setresgid, group, group, group) })?;
    // SAFETY: takes integers.
    done(unsafe { libc::syscall(libc::SYS_setresuid, user, user, user) })?;
    // The kernel forgets the signal when the user changes.
    // SAFETY: takes integers.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
    // SAFETY: takes nothing and returns an integer.
    if unsafe { libc::getppid() } != parent {
        leave(0);
    }
    Ok(())
}

/// Waits for a child, or one of those that waitpid(2) selects, to end, unless `flags` say not to, and removes it. Its id and its
/// status; nothing if all still run or there is none.
fn reap(pid: libc::pid_t, flags: i32) -> Option<(libc::pid_t, i32)> {
    let mut status = 0;
    loop {
        // SAFETY: the kernel writes one int.
        let got = unsafe { libc::waitpid(pid, &raw mut status, flags) };
        if got > 0 {
            return Some((got, status));
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

fn c_string(path: &Path) -> Result<CString, Refused> {
    let name = CString::new(path.as_os_str().as_bytes());
    name.map_err(|_| Refused::ours("use a path", &io::Error::other("a zero byte in its name")))
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
