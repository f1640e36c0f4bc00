//! Commands that start together. They are waited for until the last of them has ended; what they left running lives on or is
//! ended.
use super::{
    Program, Refused, StoppedChild,
    background::{Running, running},
    descendants,
    guard::{Enclosure, Guard},
    kill, signals,
    terminal::ForegroundGroup,
};
use crate::{
    clock::Clock,
    descriptors,
    usage::{self, Schedstat, Usage},
};
use std::{
    collections::BTreeSet,
    fmt, mem,
    ops::Range,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Seconds between asking a command to end (SIGTERM) and ending it (SIGKILL).
const GRACE: f64 = 1.0;
/// Signals to end from which on it is no request to the commands any more: they get SIGTERM, and [`GRACE`] later SIGKILL.
const INSISTS: usize = 2;
/// Seconds for left-over descendants to end after SIGTERM.
const REST: f64 = 0.3;
/// Seconds between asking a server to end and ending it: it may write its data to a disk.
const SERVED: f64 = 10.0;
/// Seconds after SIGKILL when we give up: the process hangs in the kernel.
const HOPELESS: f64 = 5.0;

/// Orphans are reparented to the whole process, so there is one group at a time.
static ONLY_ONE: Mutex<()> = Mutex::new(());

/// For tests with children of their own: no group exists while this lives, which would take them for orphans.
#[cfg(test)]
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    ONLY_ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The exit of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// With this exit status.
    Exited(i32),
    /// By this signal.
    Killed(i32),
}

impl Status {
    /// From what wait(2) reports.
    pub(super) fn of_wait(status: i32) -> Status {
        if libc::WIFSIGNALED(status) {
            Status::Killed(libc::WTERMSIG(status))
        } else {
            Status::Exited(libc::WEXITSTATUS(status))
        }
    }
    /// The exit status that a shell reports: 128 plus the number of the signal that killed it.
    pub fn code(self) -> i32 {
        match self {
            Status::Exited(code) => code,
            Status::Killed(signal) => 128 + signal,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Exited(code) => write!(f, "exit code {code}"),
            Status::Killed(signal) => write!(f, "killed by signal {signal}"),
        }
    }
}

/// One ended command of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// Its process id, as [`ProcessGroup::hold`] gave it.
    pub pid: u32,
    pub status: Status,
    /// When it was released, in seconds of the clock of [`ProcessGroup::run`].
    pub began: f64,
    /// When it was found to have ended.
    pub ended: f64,
    /// Its usage, with that of the descendants that it waited for.
    pub used: Usage,
    /// `schedstat` of its first thread, its waiting since the release; nothing where the kernel has none.
    pub queue: Option<Schedstat>,
}

/// The result of a process group.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GroupResult {
    /// The commands in the order of [`ProcessGroup::hold`].
    pub ended: Vec<Ended>,
    /// Whether the time limit ended some of them.
    pub timed_out: bool,
    /// The last signal passed on to them.
    pub passed_on: Option<i32>,
    /// Usage of the orphaned descendants that we reaped.
    pub orphans_used: Usage,
    /// Orphans that still ran after the commands had ended, and that we killed.
    pub left_behind: u32,
    /// Descendants that still run, and that we leave alone ([`ProcessGroup::ending_children`]).
    pub still_running: Vec<Running>,
    /// Processes that hang in the kernel and could not be killed.
    pub unkillable: u32,
}

impl GroupResult {
    /// Seconds from the first release to the last end.
    pub fn elapsed(&self) -> f64 {
        let begin = self.ended.iter().map(|e| e.began).fold(f64::INFINITY, f64::min);
        let end = self.ended.iter().map(|e| e.ended).fold(0.0, f64::max);
        (end - begin).max(1e-9)
    }
}

/// Commands to run at the same time. They are killed if this is dropped before [`ProcessGroup::run`].
#[derive(Debug)]
pub struct ProcessGroup {
    held: Vec<StoppedChild>,
    /// The number of servers among them, which come first.
    servers: usize,
    /// Guards the servers until the commands run.
    serving: Option<Guard>,
    /// Children of this process from before, to be left alone.
    foreign: BTreeSet<libc::pid_t>,
    /// Whether processes that the commands leave running are ended.
    end_children: bool,
    /// Keeps the commands and all that they start together, where that was asked for.
    enclosure: Option<Enclosure>,
    _only: MutexGuard<'static, ()>,
}

impl ProcessGroup {
    /// An empty group. Waits until an earlier group is gone.
    pub fn new() -> Result<ProcessGroup, Refused> {
        let only = ONLY_ONE.lock().unwrap_or_else(PoisonError::into_inner);
        descendants::adopt().map_err(|e| Refused::ours("look after descendants", &e))?;
        signals::listen().map_err(|e| Refused::ours("listen to signals", &e))?;
        descriptors::raise_limit();
        let foreign = if any_child() { descendants::children() } else { BTreeSet::new() };
        Ok(ProcessGroup {
            held: vec![],
            servers: 0,
            serving: None,
            foreign,
            end_children: true,
            enclosure: None,
            _only: only,
        })
    }

    /// Whether processes that the commands leave running are ended, by SIGTERM and then SIGKILL, as by default; they are
    /// then [enclosed](ProcessGroup::enclosed). Otherwise they live on. A time limit ends them all the same.
    #[must_use]
    pub fn ending_children(mut self, end: bool) -> ProcessGroup {
        self.end_children = end;
        if end { self.enclosed() } else { self }
    }

    /// If this process is killed while the commands run, everything that they started is ended too, also what left their process
    /// groups. They run in a control group of their own where one may be made, otherwise with a variable in their environment.
    #[must_use]
    pub fn enclosed(mut self) -> ProcessGroup {
        self.enclosure.get_or_insert_with(Enclosure::new);
        self
    }

    #[cfg(test)]
    pub(super) fn enclosed_by(mut self, enclosure: Enclosure) -> ProcessGroup {
        self.enclosure = Some(enclosure);
        self
    }

    /// Forks a process that waits for [`ProcessGroup::run`] before exec; gives its id. It is killed when the calling thread
    /// ends.
    pub fn hold(&mut self, program: &Program) -> Result<u32, Refused> {
        let held = match &self.enclosure {
            Some(Enclosure::Variable(text)) => {
                let (name, value) = text.split_once('=').unwrap_or((text, ""));
                program.clone().with(name, value).hold()
            }
            _ => program.hold(),
        };
        let held = held.inspect_err(|_| self.kill_all())?;
        if let Some(Enclosure::Cgroup(group)) = &self.enclosure {
            // One that stays outside is still ended with its process group.
            group.take(held.pid);
        }
        let pid = held.pid.cast_unsigned();
        self.held.push(held);
        Ok(pid)
    }

    /// The same, released at once: the first command runs while later ones are still forked.
    pub fn start(&mut self, program: &Program, clock: &dyn Clock) -> Result<u32, Refused> {
        let pid = self.hold(program)?;
        if let Some(held) = self.held.last_mut() {
            held.began = Some(clock.now());
            held.release();
        }
        Ok(pid)
    }

    /// Starts a server that the later commands use. Once these have ended it gets SIGTERM, and SIGKILL if it does not end; what it
    /// left running is ended too.
    pub fn serve(&mut self, program: &Program) -> Result<u32, Refused> {
        let pid = self.hold(program)?;
        self.servers = self.held.len();
        let pids: Vec<libc::pid_t> = self.held.iter().map(|held| held.pid).collect();
        self.serving = Guard::start(&pids, self.enclosure.as_ref()).ok();
        if let Some(held) = self.held.last_mut() {
            held.release();
            held.wait_for_exec()?;
        }
        Ok(pid)
    }

    /// Whether the command with this id has ended.
    pub fn has_ended(&self, pid: u32) -> bool {
        let ended = changed(libc::P_PID, pid, libc::WEXITED);
        ended.is_none_or(|found| found.is_some())
    }

    /// Releases all held commands, and waits until they have ended; descendants that still run live on or are ended
    /// ([`ProcessGroup::ending_children`]). After `limit` seconds all get SIGTERM, then SIGKILL. Signals to this process are passed on to them. If one command cannot be executed, none is
    /// left running.
    pub fn run(mut self, clock: &dyn Clock, limit: Option<f64>) -> Result<GroupResult, Refused> {
        let lent = match &self.held[..] {
            [one] => ForegroundGroup::to(one.pid),
            _ => None,
        };
        let pids: Vec<libc::pid_t> = self.held.iter().map(|held| held.pid).collect();
        // Without a supervisor it is as under any program: what the commands started outlives a SIGKILL.
        let guard = Guard::start(&pids, self.enclosure.as_ref()).ok();
        self.serving = None;
        // What it waited before its release is not the command's.
        let waited = |pid: &libc::pid_t| usage::first_task_schedstat(pid.cast_unsigned());
        let held_back: Vec<f64> =
            pids.iter().map(|pid| waited(pid).map_or(0.0, |queue| queue.waited)).collect();
        let began: Vec<f64> = self
            .held
            .iter_mut()
            .map(|held| {
                let now = clock.now();
                held.release();
                held.began.unwrap_or(now)
            })
            .collect();
        for held in &self.held {
            held.wait_for_exec()?;
        }
        let mut watch = Watch {
            slots: vec![None; self.held.len()],
            began,
            held_back,
            done: GroupResult::default(),
            lent: lent.as_ref(),
            guard: guard.as_ref(),
        };
        let (servers, all) = (self.servers, self.held.len());
        let due = limit.map(|limit| watch.began.get(servers).copied().unwrap_or(0.0) + limit);
        watch.done.timed_out = self.wait_for(servers..all, clock, &mut watch, due, GRACE)?;
        self.wait_for(0..servers, clock, &mut watch, Some(clock.now()), SERVED)?;
        if !self.end_children && servers == 0 && !watch.done.timed_out {
            self.reap(clock, &mut watch);
            let any = any_child();
            watch.done.still_running = if any { running(&self.foreign) } else { vec![] };
        } else {
            self.end_descendants(clock, &mut watch)?;
        }
        // They are reaped: their ids may be anybody's by now.
        self.held.clear();
        let mut done = watch.done;
        done.ended = watch.slots.into_iter().flatten().collect();
        Ok(done)
    }

    /// Waits until these commands have ended. When it is due, a server before them has ended, or the user insists, all get SIGTERM,
    /// and so many seconds later SIGKILL; whether it became due.
    fn wait_for(
        &self,
        these: Range<usize>,
        clock: &dyn Clock,
        watch: &mut Watch<'_>,
        mut due: Option<f64>,
        grace: f64,
    ) -> Result<bool, Refused> {
        let news = signals::listen().map_err(|e| Refused::ours("listen to signals", &e))?;
        let mut steps = [(0.0, libc::SIGTERM), (grace, libc::SIGKILL)].into_iter();
        let mut next = steps.next();
        let (mut late, mut alone) = (false, false);
        // Signals of who wants the commands to end. A server reads its settings again on others.
        let mut asked = 0;
        loop {
            self.reap(clock, watch);
            if watch.slots[these.clone()].iter().all(Option::is_some) {
                return Ok(late);
            }
            let now = clock.now();
            if !alone && !late && watch.slots[..these.start].iter().any(Option::is_some) {
                (alone, due) = (true, Some(now));
            }
            if due.is_some_and(|due| now >= due) {
                let Some((_, signal)) = next else {
                    let left = watch.slots[these].iter().filter(|s| s.is_none()).count();
                    watch.done.unkillable += left as u32;
                    return Ok(late);
                };
                late = !alone && asked < INSISTS;
                // While their parents live: those of a killed one are orphans.
                if signal == libc::SIGKILL {
                    self.kill_descendants(watch);
                }
                self.signal(watch, signal);
                next = steps.next();
                due = Some(now + next.map_or(HOPELESS, |(seconds, _)| seconds));
            }
            for signal in signals::wait(news, due.map(|due| due - clock.now())) {
                watch.done.passed_on = Some(signal);
                crate::signals::passed_on(signal);
                self.signal(watch, signal);
                asked += usize::from([libc::SIGINT, libc::SIGTERM].contains(&signal));
            }
            if asked >= INSISTS && next.is_some_and(|(_, signal)| signal == libc::SIGTERM) {
                due = Some(clock.now());
            }
        }
    }

    /// Kills and reaps the descendants that are left.
    fn end_descendants(&self, clock: &dyn Clock, watch: &mut Watch<'_>) -> Result<(), Refused> {
        let news = signals::listen().map_err(|e| Refused::ours("listen to signals", &e))?;
        self.reap(clock, watch);
        let left = |processes: &ProcessGroup| {
            if any_child() {
                descendants::children().difference(&processes.foreign).count()
            } else {
                0
            }
        };
        let mut rest = left(self);
        watch.done.left_behind = rest as u32;
        for (signal, patience) in [(libc::SIGTERM, REST), (libc::SIGKILL, HOPELESS)] {
            let until = clock.now() + patience;
            while rest > 0 && clock.now() < until {
                // Repeatedly: a killed process may leave children to us.
                descendants::signal_all(&self.foreign, signal);
                if signal == libc::SIGTERM {
                    descendants::signal_all(&self.foreign, libc::SIGCONT);
                }
                signals::wait(news, Some((until - clock.now()).min(0.05)));
                self.reap(clock, watch);
                rest = left(self);
            }
        }
        watch.done.unkillable = watch.done.unkillable.max(rest as u32);
        Ok(())
    }

    /// Signals the process groups of all running commands.
    fn signal(&self, watch: &Watch<'_>, signal: i32) {
        for (held, _) in self.held.iter().zip(&watch.slots).filter(|(_, slot)| slot.is_none()) {
            kill(-held.pid, signal);
            if signal == libc::SIGTERM {
                kill(-held.pid, libc::SIGCONT);
            }
        }
    }

    /// Kills what running commands have started, also outside their process groups: one that keeps their CPU keeps them from
    /// dying.
    fn kill_descendants(&self, watch: &Watch<'_>) {
        let running: BTreeSet<libc::pid_t> = self
            .held
            .iter()
            .zip(&watch.slots)
            .filter(|(_, slot)| slot.is_none())
            .map(|(held, _)| held.pid)
            .collect();
        for entry in descendants::trees(|entry| running.contains(&entry.pid)) {
            if !running.contains(&entry.pid) {
                kill(entry.pid, libc::SIGKILL);
            }
        }
    }

    /// Reaps every ended child, and stops with a stopped one.
    fn reap(&self, clock: &dyn Clock, watch: &mut Watch<'_>) {
        while let Some(change) = changed_child() {
            if change.stopped {
                consume_stop(change.pid);
                if let Some(lent) = watch.lent {
                    lent.stop_together();
                }
                continue;
            }
            let ended = clock.now();
            let queue = usage::first_task_schedstat(change.pid.cast_unsigned());
            // Asked before: it is forgotten once it is reaped.
            let supervisor = super::supervised::supervisors().contains(&change.pid);
            // A supervisor may have been reaped meanwhile by the thread that ended it.
            let Some((status, used)) = reap_with_usage(change.pid) else { continue };
            if let Some(at) = self.held.iter().position(|held| held.pid == change.pid) {
                watch.guard.into_iter().for_each(|guard| guard.ended(at));
                let (pid, began) = (change.pid.cast_unsigned(), watch.began[at]);
                let queue = queue.map(|queue| Schedstat {
                    waited: (queue.waited - watch.held_back[at]).max(0.0),
                    ..queue
                });
                watch.slots[at] = Some(Ended { pid, status, began, ended, used, queue });
            } else if !supervisor && !self.foreign.contains(&change.pid) {
                watch.done.orphans_used = watch.done.orphans_used.plus(&used);
            }
        }
    }

    fn kill_all(&mut self) {
        self.held.drain(..).for_each(|held| held.end());
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill_all();
    }
}

struct Watch<'a> {
    slots: Vec<Option<Ended>>,
    began: Vec<f64>,
    /// Seconds that each waited for a CPU before its release.
    held_back: Vec<f64>,
    done: GroupResult,
    lent: Option<&'a ForegroundGroup>,
    guard: Option<&'a Guard>,
}

/// A child that ended or was stopped.
struct Change {
    pid: libc::pid_t,
    stopped: bool,
}

pub(crate) fn any_child() -> bool {
    changed(libc::P_ALL, 0, libc::WEXITED).is_some()
}

/// A child with a changed state, not yet reaped.
fn changed_child() -> Option<Change> {
    changed(libc::P_ALL, 0, libc::WEXITED | libc::WSTOPPED).flatten()
}

/// A child among these that changed in this way, and is not yet reaped; nothing where there is no such child.
fn changed(kind: libc::idtype_t, id: u32, how: i32) -> Option<Option<Change>> {
    // SAFETY: siginfo_t is numbers and pointers, for which all-zero bytes are a value.
    let mut info: libc::siginfo_t = unsafe { mem::zeroed() };
    let flags = how | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: the kernel writes one siginfo_t, and `info` is one.
    let asked = unsafe { libc::waitid(kind, id, &raw mut info, flags) };
    // SAFETY: for waitid the kernel fills in the child's id; zero stays where nothing has changed.
    let pid = unsafe { info.si_pid() };
    let change = Change { pid, stopped: info.si_code == libc::CLD_STOPPED };
    (asked == 0).then(|| (pid != 0).then_some(change))
}

/// Consumes the report of a stop.
fn consume_stop(pid: libc::pid_t) {
    // SAFETY: as in `changed`.
    let mut info: libc::siginfo_t = unsafe { mem::zeroed() };
    let flags = libc::WSTOPPED | libc::WNOHANG;
    // SAFETY: the kernel writes one siginfo_t, and `info` is one.
    unsafe { libc::waitid(libc::P_PID, pid.cast_unsigned(), &raw mut info, flags) };
}

/// Reaps an ended child.
fn reap_with_usage(pid: libc::pid_t) -> Option<(Status, Usage)> {
    let mut status = 0;
    // SAFETY: rusage is integers only, for which all-zero bytes are a value.
    let mut raw: libc::rusage = unsafe { mem::zeroed() };
    // SAFETY: the kernel writes an int and one rusage, which these are.
    let got = unsafe { libc::wait4(pid, &raw mut status, libc::WNOHANG, &raw mut raw) };
    (got == pid).then(|| (Status::of_wait(status), Usage::of(&raw)))
}
