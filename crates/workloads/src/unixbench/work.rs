//! The work of a copy of each test, and the original's duration.
use super::Variant;
use kernels::programs::{self, Program};
use record::{Case, ProbeId, param};
use std::path::Path;

/// The work of one test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Dhrystone 2.1.
    Dhrystone,
    /// Double-precision Whetstone.
    Whetstone,
    /// A program that becomes itself, over and over.
    Execl,
    /// A file into another.
    Copy {
        /// Bytes of the buffer.
        size: u32,
        /// KiB of the file.
        kib: u32,
    },
    /// 512 bytes into a pipe and out of it.
    Pipe,
    /// A number to another process and back, through two pipes.
    Context,
    /// Processes that end at once.
    Spawn,
    /// Five system calls.
    Syscall,
    /// A script with so many others inside at once.
    Shell(u32),
}

/// The tests by the probes that measure them, in the order in which UnixBench runs them.
pub const TESTS: [(ProbeId, Work); 12] = [
    (ProbeId::Dhry2reg, Work::Dhrystone),
    (ProbeId::WhetstoneDouble, Work::Whetstone),
    (ProbeId::Execl, Work::Execl),
    (ProbeId::Fstime, Work::Copy { size: 1024, kib: 2000 }),
    (ProbeId::Fsbuffer, Work::Copy { size: 256, kib: 500 }),
    (ProbeId::Fsdisk, Work::Copy { size: 4096, kib: 8000 }),
    (ProbeId::Pipe, Work::Pipe),
    (ProbeId::Context1, Work::Context),
    (ProbeId::Spawn, Work::Spawn),
    (ProbeId::Syscall, Work::Syscall),
    (ProbeId::Shell1, Work::Shell(1)),
    (ProbeId::Shell8, Work::Shell(8)),
];

impl Work {
    /// Whether it is made of switches between processes.
    pub const fn switches(self) -> bool {
        matches!(self, Work::Execl | Work::Context | Work::Spawn | Work::Shell(_))
    }
    /// The probe of this work.
    pub(crate) fn id(self) -> Option<ProbeId> {
        TESTS.iter().find(|(_, work)| *work == self).map(|(id, _)| *id)
    }
    /// Whether the original makes ten passes of it instead of three.
    pub(crate) fn long(self) -> bool {
        matches!(
            self,
            Work::Dhrystone | Work::Whetstone | Work::Pipe | Work::Context | Work::Syscall
        )
    }
    /// Seconds of a pass of the original.
    pub(crate) fn upstream_seconds(self) -> f64 {
        match self {
            Work::Shell(_) => 60.0,
            work if work.long() => 10.0,
            _ => 30.0,
        }
    }
    /// Whether it copies files.
    pub(crate) fn copies_files(self) -> bool {
        matches!(self, Work::Copy { .. })
    }
    /// Whether it needs the machine's shell and tools.
    pub(crate) fn needs_tools(self) -> bool {
        matches!(self, Work::Shell(_))
    }
    /// Seconds beside the timed ones of a pass: Whetstone finds its length first and runs nine tenths of a loop untimed.
    pub(crate) fn around(self, seconds: f64) -> f64 {
        match self {
            Work::Whetstone => 1.5 + 0.1 * seconds,
            Work::Copy { .. } => 0.3,
            _ => 0.0,
        }
    }
    /// Bytes of files that a copy needs room for.
    pub(crate) fn bytes(self) -> u64 {
        match self {
            Work::Copy { kib, .. } => u64::from(kib) * 1024 * 2,
            // Four small files of each script inside.
            Work::Shell(scripts) => u64::from(scripts) * 100_000,
            _ => 0,
        }
    }
    /// The program that does it.
    pub(crate) fn program(self) -> Program {
        match self {
            Work::Dhrystone | Work::Whetstone => programs::COMPUTE,
            _ => programs::SYSTEM,
        }
    }
    /// The words behind the program's name, with `results` as the file that they report to.
    pub(crate) fn words(
        self,
        case: &Case,
        variant: Variant,
        folder: &Path,
        results: &Path,
    ) -> Vec<String> {
        let seconds = case.get(param::SECONDS).unwrap_or(1.0);
        let shown = |path: &Path| path.display().to_string();
        let (mode, rest): (&str, Vec<String>) = match self {
            Work::Dhrystone => ("dhrystone", vec![]),
            Work::Whetstone => {
                let last = if variant == Variant::Aliyun516 { "reset" } else { "keep" };
                let clock = if variant == Variant::Upstream513 { "user" } else { "wall" };
                ("whetstone", vec![last.into(), clock.into()])
            }
            Work::Execl => ("execl", vec![]),
            Work::Spawn => ("spawn", vec![]),
            Work::Pipe => ("pipe", vec![]),
            Work::Context => {
                let at = |parameter| case.get(parameter).unwrap_or("-").to_owned();
                ("context", vec![at(param::PARENT), at(param::CHILD)])
            }
            Work::Syscall => {
                let of = if variant.old() { "stdin" } else { "pipe" };
                let call = if variant == Variant::Upstream513 { "libc" } else { "raw" };
                ("syscall", vec![of.into(), call.into()])
            }
            Work::Copy { size, kib } => {
                let files = if variant.old() { "shared" } else { "private" };
                let phases = if case.get(param::EXACT) == Some(true) { "whole" } else { "short" };
                let numbers = [size.to_string(), kib.to_string(), shown(folder)];
                ("copy", [&numbers[..], &[files.into(), phases.into()]].concat())
            }
            Work::Shell(scripts) => {
                let script = shown(&folder.join("scripts"));
                ("script", vec![script, scripts.to_string(), shown(folder), "text".into()])
            }
        };
        let start = [mode.to_owned(), shown(results), seconds.to_string()];
        [&start[..], &rest].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn words(work: Work, variant: Variant) -> String {
        let params = BTreeMap::from([("seconds".to_owned(), 2.5.into())]);
        let place = record::Placement::default();
        let case = Case { probe: work.id().unwrap(), version: 1, params, place, estimate: 1.0 };
        work.words(&case, variant, Path::new("/s"), Path::new("/r")).join(" ")
    }

    #[test]
    fn variants_differ_where_the_versions_do() {
        let syscall = |v| words(Work::Syscall, v);
        assert_eq!(syscall(Variant::Upstream6), "syscall /r 2.5 pipe raw");
        assert_eq!(syscall(Variant::Upstream513), "syscall /r 2.5 stdin libc");
        assert_eq!(syscall(Variant::Aliyun516), "syscall /r 2.5 stdin raw");
        let whetstone = |v| words(Work::Whetstone, v);
        assert_eq!(whetstone(Variant::Upstream6), "whetstone /r 2.5 keep wall");
        assert_eq!(whetstone(Variant::Upstream513), "whetstone /r 2.5 keep user");
        assert_eq!(whetstone(Variant::Aliyun516), "whetstone /r 2.5 reset wall");
        let copy = |v| words(Work::Copy { size: 256, kib: 500 }, v);
        assert_eq!(copy(Variant::Upstream6), "copy /r 2.5 256 500 /s private short");
        assert_eq!(copy(Variant::Aliyun516), "copy /r 2.5 256 500 /s shared short");
    }

    #[test]
    fn each_work_is_that_of_the_probe_with_its_name() {
        assert!(TESTS.iter().all(|(id, work)| work.id() == Some(*id)));
        let ids = TESTS.map(|(id, _)| id);
        assert!(record::unixbench::IDS.iter().all(|id| ids.contains(id)));
    }

    /// 2000 buffers in each of the three file copies.
    #[test]
    fn files_are_of_two_thousand_buffers() {
        for (_, work) in TESTS {
            if let Work::Copy { size, kib } = work {
                assert_eq!(kib * 1024 / size, 2000);
            }
        }
    }
}
