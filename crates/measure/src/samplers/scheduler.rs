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
        let now = process();
        let elapsed = self.clock.now() - self.at;
        let reading =
            |name: &str, unit, value| Reading::new(format!("scheduler.{name}"), unit, value);
        let count = |name: &str, now: u64, then: u64| {
            reading(name, Unit::Count, now.saturating_sub(then) as f64)
        };
        let used = (now.cpu_seconds - self.usage.cpu_seconds).max(0.0);
        // Only the thread that asks is asked about: others of the case count as not watched.
        let waited = self.queue.zip(usage::thread_schedstat()).map(|(then, now)| Reading {
            coverage: ((now.on_cpu - then.on_cpu) / used.max(1e-9)).clamp(0.0, 1.0),
            ..reading("waited", Unit::Seconds, (now.waited - then.waited).max(0.0))
        });
        let mut readings = vec![
            count("switches.voluntary", now.ctx_voluntary, self.usage.ctx_voluntary),
            count("switches.involuntary", now.ctx_involuntary, self.usage.ctx_involuntary),
            count("faults.minor", now.minor_faults, self.usage.minor_faults),
            count("faults.major", now.major_faults, self.usage.major_faults),
            reading("cpus", Unit::Ratio, used / elapsed.max(1e-9)),
        ];
        readings.extend(waited);
        readings
    }
}
