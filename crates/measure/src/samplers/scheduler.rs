//! The scheduler's accounts of this process: context switches, page faults, CPU time over elapsed time, and how long its
//! main thread was ready to run and waited for a CPU (/proc/thread-self/schedstat).
use crate::sampler::{Sampler, Watch};
use host::{
    clock::{Clock, Monotonic},
    usage::{self, Schedstat, Usage, process},
};
use record::{CpuSet, Reading, Reason, Unit};

/// Context switches, faults and CPU time by `getrusage`.
pub(crate) static SAMPLER: Sampler = Sampler { open, slows_switches: false };

fn open() -> Result<Box<dyn Watch>, Reason> {
    Ok(Box::new(Open {
        clock: Monotonic::new(),
        at: 0.0,
        usage: process(),
        queue: usage::thread_schedstat(),
    }))
}

struct Open {
    clock: Monotonic,
    at: f64,
    usage: Usage,
    queue: Option<Schedstat>,
}

impl Watch for Open {
    fn start(&mut self, _: &CpuSet) {
        self.at = self.clock.now();
        self.usage = process();
        self.queue = usage::thread_schedstat();
    }
    fn stop(&mut self) -> Vec<Reading> {
        let used = process().since(&self.usage);
        let elapsed = self.clock.now() - self.at;
        let cpus = used.cpu_seconds / elapsed.max(1e-9);
        // Only the thread that asks is asked about: others of the case count as not watched.
        let queue = self.queue.zip(usage::thread_schedstat()).map(|(then, now)| now.since(&then));
        counts("scheduler", &used)
            .into_iter()
            .chain([Reading::new("scheduler.cpus", Unit::Ratio, cpus)])
            .chain(queue.map(|queue| waited("scheduler", &used, &queue)))
            .collect()
    }
}

/// Context switches and page faults.
pub(crate) fn counts(prefix: &str, used: &Usage) -> [Reading; 4] {
    [
        ("switches.voluntary", used.ctx_voluntary),
        ("switches.involuntary", used.ctx_involuntary),
        ("faults.minor", used.minor_faults),
        ("faults.major", used.major_faults),
    ]
    .map(|(name, n)| Reading::new(format!("{prefix}.{name}"), Unit::Count, n as f64))
}

/// The wait for a CPU of tasks, and the share of the CPU time that they account for.
pub(crate) fn waited(prefix: &str, used: &Usage, queue: &Schedstat) -> Reading {
    Reading {
        coverage: (queue.on_cpu / used.cpu_seconds.max(1e-9)).clamp(0.0, 1.0),
        ..Reading::new(format!("{prefix}.waited"), Unit::Seconds, queue.waited)
    }
}
