//! Programs that run beside us, such as servers, as children of a supervisor process. It kills them once this process has
//! ended, even by SIGKILL. Other supervisors clean up: `cleanup.rs`.
//! Source: fork(2), close_range(2), ppoll(2), pidfd_open(2); a supervisor makes only calls that signal-safety(7) lists.
use super::{
    Plan, Program, Refused, Status, StoppedChild, become_program,
    cleanup::{CANCEL, Last},
    errno, kill, leave, reap,
};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, Read, Write},
    mem,
    os::fd::{AsRawFd, OwnedFd, RawFd},
    ptr,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Descriptors that are closed one by one where the kernel is older than close_range (Linux 5.9).
const DESCRIPTORS: RawFd = 65_536;

/// Running supervisors, which process groups leave alone.
static SUPERVISORS: Mutex<BTreeSet<libc::pid_t>> = Mutex::new(BTreeSet::new());

pub(crate) fn supervisors() -> MutexGuard<'static, BTreeSet<libc::pid_t>> {
    SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A supervisor that waits for a byte from us, or for our end.
#[derive(Debug)]
pub(super) struct Supervisor {
    pid: libc::pid_t,
    /// It waits until this pipe is closed.
    pipe: Option<File>,
}

impl Supervisor {
    /// Starts one that runs this cleanup once the pipe is closed.
    pub(super) fn start(last: Last<'_>) -> Result<Supervisor, Refused> {
        let (theirs, ours) = io::pipe().map_err(|e| Refused::ours("open a pipe", &e))?;
        let pid = fork(&SupervisorData {
            pipe: theirs.as_raw_fd(),
            reports: -1,
            foreign: &[ours.as_raw_fd()],
            program: None,
            last,
        })?;
        Ok(Supervisor { pid, pipe: Some(OwnedFd::from(ours).into()) })
    }
    /// Ends it without its cleanup.
    pub(super) fn cancel(&mut self) {
        if let Some(pipe) = &mut self.pipe {
            // One that was killed cleans nothing up anyway.
            let _ = pipe.write_all(&[CANCEL]);
        }
        self.finish();
    }
    /// Starts its cleanup, and waits for its end.
    pub(super) fn finish(&mut self) {
        if self.pipe.take().is_some() {
            reap(self.pid, 0);
            supervisors().remove(&self.pid);
        }
    }
}

/// A program under a supervisor. It is killed when this is dropped.
#[derive(Debug)]
pub struct Supervised {
    supervisor: Supervisor,
    pid: libc::pid_t,
    /// A pidfd, which stays valid when the pid is reused; nothing before Linux 5.3.
    pidfd: Option<OwnedFd>,
    /// The supervisor writes the pid and later the exit status here.
    reports: File,
    status: Option<Status>,
}

impl Supervised {
    /// Starts it on the CPUs of [`Program::on`], in a session of its own if its output is read or kept, else in a process group of
    /// its own: signals of a terminal do not reach it. It inherits the memory policy of the calling thread.
    pub fn start(program: &Program) -> Result<Supervised, Refused> {
        let pipe = || io::pipe().map_err(|e| Refused::ours("open a pipe", &e));
        let (wait, gate) = pipe()?;
        let (news, failure) = pipe()?;
        let (theirs, ours) = pipe()?;
        let (reports, report) = pipe()?;
        let foreign = [gate.as_raw_fd(), news.as_raw_fd(), ours.as_raw_fd(), reports.as_raw_fd()];
        let supervisor = program.planned(wait.as_raw_fd(), failure.as_raw_fd(), |plan| {
            fork(&SupervisorData {
                pipe: theirs.as_raw_fd(),
                reports: report.as_raw_fd(),
                foreign: &foreign,
                program: Some(plan),
                last: Last::Nothing,
            })
        })??;
        drop((wait, failure, theirs, report));
        // If a later step fails, the supervisor sees its pipe close and kills the program.
        let supervisor = Supervisor { pid: supervisor, pipe: Some(OwnedFd::from(ours).into()) };
        let reports = OwnedFd::from(reports).into();
        let mut supervised = Supervised { supervisor, pid: 0, pidfd: None, reports, status: None };
        let mut pid = [0; 4];
        let reported = supervised.reports.read_exact(&mut pid);
        reported.map_err(|e| Refused::ours("start a process", &e))?;
        supervised.pid = libc::pid_t::from_ne_bytes(pid);
        if supervised.pid <= 0 {
            let error = io::Error::from_raw_os_error(-supervised.pid);
            return Err(Refused::ours("start a process", &error));
        }
        supervised.pidfd =
            Pid::from_raw(supervised.pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        program.place(supervised.pid)?;
        let (gate, news) = (Some(gate.into()), news.into());
        let mut held =
            StoppedChild { pid: supervised.pid, gate, news, name: program.name(), began: None };
        held.release();
        held.wait_for_exec()?;
        Ok(supervised)
    }
    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.pid.cast_unsigned()
    }
    /// Waits for its end, at most this long; nothing if it still runs.
    pub fn wait(&mut self, patience: Duration) -> Option<Status> {
        if self.status.is_none() && crate::sockets::readable(&self.reports, Some(patience)) {
            let mut status = [0; 4];
            let reported = self.reports.read_exact(&mut status);
            // A killed supervisor reports nothing; its program was killed with it.
            let status = if reported.is_ok() { i32::from_ne_bytes(status) } else { libc::SIGKILL };
            self.status = Some(Status::of_wait(status));
        }
        self.status
    }
    /// Sends SIGTERM.
    pub fn terminate(&mut self) {
        self.signal(Signal::TERM);
    }
    /// Sends SIGKILL.
    pub fn kill(&mut self) {
        self.signal(Signal::KILL);
    }
    fn signal(&mut self, signal: Signal) {
        if self.wait(Duration::ZERO).is_some() {
            return;
        }
        match &self.pidfd {
            // One that has ended meanwhile needs no signal.
            Some(pidfd) => _ = pidfd_send_signal(pidfd, signal),
            None => kill(self.pid, signal.as_raw()),
        }
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        self.supervisor.finish();
        // In case the supervisor itself was killed.
        self.signal(Signal::KILL);
    }
}

/// Data for the supervisor, allocated before the fork.
struct SupervisorData<'a> {
    /// Closed once this process has ended.
    pipe: RawFd,
    /// It writes the pid of its child (or a negative `errno`) and then the exit status here.
    reports: RawFd,
    /// Our ends of pipes, to be closed: an open copy would hide that we closed them.
    foreign: &'a [RawFd],
    program: Option<&'a Plan<'a>>,
    /// The cleanup.
    last: Last<'a>,
}

fn fork(duty: &SupervisorData<'_>) -> Result<libc::pid_t, Refused> {
    let mut known = supervisors();
    // SAFETY: the child calls nothing but `supervise`, which touches only what was made before and makes system calls.
    let pid = unsafe { libc::fork() };
    match pid {
        0 => supervise(duty),
        1.. => {
            known.insert(pid);
            Ok(pid)
        }
        _ => Err(Refused::ours("start a process", &io::Error::last_os_error())),
    }
}

/// The supervisor process. Only async-signal-safe calls (signal-safety(7)), and prctl.
fn supervise(duty: &SupervisorData<'_>) -> ! {
    if duty.program.is_some_and(|plan| !plan.own_session) {
        super::set_group(0);
    } else {
        // SAFETY: takes nothing; a process that was just forked leads no group, so that it is allowed.
        unsafe { libc::setsid() };
    }
    // SAFETY: reads a string that lives for ever.
    unsafe { libc::prctl(libc::PR_SET_NAME, c"cpulens-guard".as_ptr()) };
    // Orphans of the program are not this process's, whose process groups would take them for theirs.
    // SAFETY: takes integers.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1usize, 0usize, 0usize, 0usize) };
    for descriptor in duty.foreign {
        // SAFETY: a copy of a descriptor; ours stays open.
        unsafe { libc::close(*descriptor) };
    }
    let mut child = duty.program.map_or(0, |plan| {
        // SAFETY: takes nothing and returns an integer.
        let plan = Plan { parent: unsafe { libc::getpid() }, ..*plan };
        // SAFETY: as for the supervisor itself.
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            become_program(&plan);
        }
        let news = if pid > 0 { pid } else { -errno() };
        report(duty.reports, news);
        pid
    });
    ignore_signals();
    close_all_but(duty.pipe, duty.reports);
    let byte = loop {
        while let Some((pid, status)) = reap(-1, libc::WNOHANG) {
            if pid == child {
                report(duty.reports, status);
                child = 0;
            }
        }
        if let Some(byte) = wait_for_byte(duty.pipe) {
            break byte;
        }
    };
    if child > 0 {
        kill(-child, libc::SIGKILL);
        kill(child, libc::SIGKILL);
        reap(child, 0);
        while reap(-child, 0).is_some() {}
    }
    if byte != CANCEL {
        duty.last.run();
    }
    leave(0)
}

/// The byte from the pipe, or 0 once it is closed; nothing if a child changed meanwhile.
fn wait_for_byte(pipe: RawFd) -> Option<u8> {
    // SAFETY: sigset_t is integers only, for which all-zero bytes are a value: no signal is blocked.
    let all: libc::sigset_t = unsafe { mem::zeroed() };
    let mut watched = libc::pollfd { fd: pipe, events: libc::POLLIN, revents: 0 };
    // SAFETY: one pollfd, which the kernel reads and writes, and one set, which it reads. SIGCHLD, blocked otherwise, ends the
    // wait.
    let ready = unsafe { libc::ppoll(&raw mut watched, 1, ptr::null(), &raw const all) };
    if ready <= 0 {
        return None;
    }
    let mut byte = 0u8;
    // SAFETY: the kernel writes at most one byte, and `byte` is one.
    let got = unsafe { libc::read(pipe, (&raw mut byte).cast(), 1) };
    match got {
        1 => Some(byte),
        -1 if errno() == libc::EINTR => None,
        _ => Some(0),
    }
}

/// Only SIGKILL ends a supervisor; SIGCHLD wakes it.
fn ignore_signals() {
    use libc::{SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
    extern "C" fn wake(_: i32) {}
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2] {
        // SAFETY: no handler is involved; those that the program had are gone with it.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
    // SAFETY: the handler does nothing at all.
    unsafe { libc::signal(libc::SIGCHLD, wake as extern "C" fn(i32) as libc::sighandler_t) };
    // SAFETY: as in `wait_for_byte`.
    let mut child: libc::sigset_t = unsafe { mem::zeroed() };
    // SAFETY: one set of ours, and a signal that there is.
    unsafe { libc::sigaddset(&raw mut child, libc::SIGCHLD) };
    // SAFETY: reads one set, and the old one is not asked for.
    unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const child, ptr::null_mut()) };
}

/// Closes every descriptor except these two and the standard ones.
fn close_all_but(one: RawFd, other: RawFd) {
    let (low, high) = if one < other { (one, other) } else { (other, one) };
    let ranges = [(3, low - 1), (low.max(2) + 1, high - 1), (high + 1, RawFd::MAX)];
    for (from, to) in ranges.into_iter().filter(|(from, to)| from <= to) {
        // SAFETY: takes integers, and closes copies.
        let done = unsafe { libc::syscall(libc::SYS_close_range, from, to, 0) };
        if done != 0 {
            for descriptor in from..=to.min(DESCRIPTORS) {
                // SAFETY: as above.
                unsafe { libc::close(descriptor) };
            }
        }
    }
}

fn report(to: RawFd, news: i32) {
    // SAFETY: reads the four bytes of an integer of ours.
    unsafe { libc::write(to, (&raw const news).cast(), 4) };
}

#[cfg(test)]
mod tests {
    use super::{
        super::{ProcessGroup, cleanup::Cleanup},
        *,
    };
    use std::{
        env, fs,
        io::{BufRead, BufReader},
        path::Path,
        process::{Command, Stdio},
        thread,
    };

    const SOON: Duration = Duration::from_secs(20);

    fn sh(script: &str) -> Program {
        Program::new(&["sh", "-c", script]).unwrap().quiet()
    }
    fn alive(pid: &str) -> bool {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
        stat.is_ok_and(|stat| !stat.contains(") Z "))
    }
    fn soon(what: impl Fn() -> bool) -> bool {
        (0..400).any(|_| {
            let done = what();
            if !done {
                thread::sleep(Duration::from_millis(50));
            }
            done
        })
    }

    #[test]
    fn it_tells_how_the_program_ended() {
        assert_eq!(Supervised::start(&sh("exit 7")).unwrap().wait(SOON), Some(Status::Exited(7)));
        let mut killed = Supervised::start(&sh("kill -9 $$")).unwrap();
        assert_eq!(killed.wait(SOON), Some(Status::Killed(libc::SIGKILL)));
        assert_eq!(killed.wait(SOON), Some(Status::Killed(libc::SIGKILL)), "and tells it again");
    }

    #[test]
    fn it_is_asked_to_end_or_ended() {
        let folder = tempfile::tempdir().unwrap();
        let ready = folder.path().join("ready");
        let script =
            format!("trap 'exit 3' TERM; : > {}; while :; do sleep 0.05; done", ready.display());
        let mut asked = Supervised::start(&sh(&script)).unwrap();
        assert!(soon(|| ready.exists()));
        assert_eq!(asked.wait(Duration::ZERO), None);
        asked.terminate();
        assert_eq!(asked.wait(SOON), Some(Status::Exited(3)));
        let mut hard = Supervised::start(&sh("trap '' TERM; while :; do :; done")).unwrap();
        hard.kill();
        assert_eq!(hard.wait(SOON), Some(Status::Killed(libc::SIGKILL)));
        hard.kill(); // one that is gone is nobody
    }

    #[test]
    fn dropped_it_leaves_no_process() {
        let supervised = Supervised::start(&sh("while :; do sleep 0.05; done")).unwrap();
        let (pid, supervisor) =
            (supervised.pid().to_string(), supervised.supervisor.pid.to_string());
        assert!(alive(&pid) && alive(&supervisor));
        drop(supervised);
        assert!(!alive(&pid) && !alive(&supervisor));
    }

    /// They would become children of this process, which adopts orphans once it has had a process group.
    #[test]
    fn orphans_of_the_program_are_its_supervisors() {
        drop(ProcessGroup::new().unwrap());
        let _alone = crate::child::alone();
        let folder = tempfile::tempdir().unwrap();
        let written = |name: &str| fs::read_to_string(folder.path().join(name)).ok();
        let pid = |name: &str| written(name).filter(|text| text.ends_with('\n'));
        let exists = |name: &str| Path::new("/proc").join(pid(name).unwrap().trim()).exists();
        let script = "sh -c 'sleep 0.01 & echo $! > ended'; sleep 1000 & echo $! > killed; wait";
        let script = format!("cd {}; {script}", folder.path().display());
        let supervised = Supervised::start(&sh(&script)).unwrap();
        assert!(soon(|| pid("killed").is_some()));
        assert!(soon(|| !exists("ended")) && exists("killed"));
        drop(supervised);
        assert!(!exists("killed"));
    }

    #[test]
    fn what_is_no_program_is_refused() {
        let none = Program::new(&["no-such-command-anywhere"]).unwrap().quiet();
        assert_eq!(Supervised::start(&none).unwrap_err().status, Some(127));
        let nowhere = sh("true").on([record::CpuSet::MAX].into_iter().collect());
        assert!(Supervised::start(&nowhere).unwrap_err().why.why.contains("CPU"));
    }

    #[test]
    fn what_it_writes_goes_to_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let program = sh("echo out; echo err >&2").writing_into(File::create(&path).unwrap());
        assert!(Supervised::start(&program).unwrap().wait(SOON).is_some());
        assert_eq!(fs::read_to_string(path).unwrap(), "out\nerr\n");
    }

    /// A terminal's signals go to a group of its session, and a session's share of the CPUs to its processes.
    #[test]
    fn between_pipes_it_is_in_our_session_and_not_in_our_group() {
        let ((input, mut ask), (mut answer, output)) = (io::pipe().unwrap(), io::pipe().unwrap());
        let script = "read word; echo $word; cut -d ' ' -f 5,6 /proc/self/stat";
        let program = Program::new(&["sh", "-c", script]).unwrap().between(input, output);
        let mut supervised = Supervised::start(&program).unwrap();
        drop(program);
        ask.write_all(b"asked\n").unwrap();
        let mut text = String::new();
        answer.read_to_string(&mut text).unwrap();
        // It is 0 for both where its leader is outside our PID namespace.
        let stat = fs::read_to_string("/proc/self/stat").unwrap();
        let session = stat.rsplit(") ").next().unwrap().split(' ').nth(3).unwrap();
        assert_eq!(text, format!("asked\n{} {session}\n", supervised.pid()));
        assert_eq!(supervised.wait(SOON), Some(Status::Exited(0)));
    }

    /// The next test kills this; it is not a test by itself.
    #[test]
    #[ignore = "run by the test that kills it"]
    fn a_process_with_a_server_and_a_folder() {
        let Some(folder) = env::var_os("GUARDED_FOLDER") else { return };
        let folder = Path::new(&folder);
        let _folder = Cleanup::of_folder(folder).unwrap();
        // A plain folder and a file stand for a control group and a file of its parent.
        let control = folder.with_extension("control");
        let _group =
            Cleanup::of_group(&folder.with_extension("group"), Some((&control, "-cpuset")));
        let server = Supervised::start(&sh("trap '' TERM; while :; do sleep 0.05; done")).unwrap();
        fs::write(folder.join("pid"), server.pid().to_string()).unwrap();
        fs::write(folder.join("ready"), "").unwrap();
        thread::sleep(Duration::from_secs(600));
    }

    /// SIGKILL leaves a process no time to clean up.
    #[test]
    fn a_process_that_is_killed_leaves_neither_server_nor_folder_nor_group() {
        let _alone = crate::child::alone();
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("folder");
        let (group, control) = (folder.with_extension("group"), folder.with_extension("control"));
        fs::create_dir(&folder).unwrap();
        fs::create_dir(&group).unwrap();
        fs::write(&control, "").unwrap();
        let name = "child::supervised::tests::a_process_with_a_server_and_a_folder";
        let mut victim = Command::new(env::current_exe().unwrap())
            .args(["--exact", name, "--ignored", "--nocapture"])
            .env("GUARDED_FOLDER", &folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        assert!(soon(|| folder.join("ready").exists()), "it never came up");
        let server = fs::read_to_string(folder.join("pid")).unwrap();
        assert!(alive(&server) && group.exists());
        victim.kill().unwrap();
        victim.wait().unwrap();
        assert!(soon(|| !alive(&server) && !folder.exists()), "left behind: {server}");
        assert!(soon(|| !group.exists()));
        assert!(soon(|| fs::read_to_string(&control).is_ok_and(|said| said == "-cpuset")));
        // Nobody holds its output any more either: no supervisor is left.
        let out = BufReader::new(victim.stdout.take().unwrap());
        assert!(out.lines().all(|line| line.is_ok()));
    }
}
