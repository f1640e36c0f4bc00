//! Scopes of counting, each a type of its own. Only some of them are a program.
use super::attributes::Target;
use crate::process_stat::numbers;
use record::{CpuSet, Reason};
use std::marker::PhantomData;

/// The tasks or CPUs that events are counted for.
pub trait Scope {
    /// Its description for a report.
    fn describe(&self) -> String;
    #[doc(hidden)]
    fn targets(&self) -> Result<Vec<Target>, Reason>;
    #[doc(hidden)]
    fn kind(&self) -> super::refusal::ScopeKind {
        super::refusal::ScopeKind::Own
    }
}

/// A scope of one program and nothing else, so that its IPC is the program's.
pub trait OfProgram: Scope {}

/// The calling thread alone, on any CPU.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ThisThread {
    /// It counts the thread that opened it, so it may not move to another.
    _here: PhantomData<*const ()>,
}

impl ThisThread {
    pub fn new() -> ThisThread {
        ThisThread::default()
    }
}

/// A thread and all threads and processes that it starts from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    root: libc::pid_t,
}

impl Tree {
    /// The calling thread and what it starts.
    pub fn here() -> Tree {
        Tree { root: 0 }
    }
    /// A process held by a [`crate::child::ProcessGroup`], counted from its exec.
    pub fn of_held(pid: u32) -> Tree {
        Tree { root: pid.cast_signed() }
    }
}

/// A running process: its present threads, and all that they start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    pub pid: u32,
}

/// Everything that runs on these CPUs, so no program in particular.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cpus {
    pub cpus: CpuSet,
}

impl OfProgram for ThisThread {}
impl OfProgram for Tree {}
impl OfProgram for Process {}

const ANY_CPU: i32 = -1;

impl Scope for ThisThread {
    fn describe(&self) -> String {
        "this thread".into()
    }
    fn targets(&self) -> Result<Vec<Target>, Reason> {
        Ok(vec![Target { pid: 0, cpu: ANY_CPU, inherit: false, on_exec: false }])
    }
}

impl Scope for Tree {
    fn describe(&self) -> String {
        match self.root {
            0 => "this thread and all it starts".into(),
            _ => "the command and all it starts".into(),
        }
    }
    fn targets(&self) -> Result<Vec<Target>, Reason> {
        let on_exec = self.root != 0;
        Ok(vec![Target { pid: self.root, cpu: ANY_CPU, inherit: true, on_exec }])
    }
}

impl Scope for Process {
    fn describe(&self) -> String {
        format!("process {}, all its threads", self.pid)
    }
    fn targets(&self) -> Result<Vec<Target>, Reason> {
        let pid = self.pid;
        let tasks = numbers(format!("/proc/{pid}/task"))
            .map_err(|_| Reason::mended_by(format!("there is no process {pid}"), "ps -e"))?;
        let target = |pid| Target { pid, cpu: ANY_CPU, inherit: true, on_exec: false };
        Ok(tasks.map(u32::cast_signed).map(target).collect())
    }
    fn kind(&self) -> super::refusal::ScopeKind {
        super::refusal::ScopeKind::Process(self.pid)
    }
}

impl Scope for Cpus {
    fn describe(&self) -> String {
        format!("system-wide: whatever ran on CPUs {}", self.cpus)
    }
    fn targets(&self) -> Result<Vec<Target>, Reason> {
        let target =
            |cpu: u32| Target { pid: -1, cpu: cpu.cast_signed(), inherit: false, on_exec: false };
        Ok(self.cpus.iter().map(target).collect())
    }
    fn kind(&self) -> super::refusal::ScopeKind {
        super::refusal::ScopeKind::System
    }
}
