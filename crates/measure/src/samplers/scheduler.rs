//! What the scheduler did to this process: context switches, page faults, and CPU time over elapsed time.
use crate::sampler::{Sampler, Watch};
use host::{
    clock::{Clock, Monotonic},
    usage::{Usage, process},
};
use record::{Machine, Reading, Reason, Unit};

/// Context switches, faults and CPU time by `getrusage`.
#[derive(Debug)]
pub struct Scheduler;

impl Sampler for Scheduler {
    fn title(&self) -> &'static str {
        "Context switches, page faults and CPU time of this process"
    }
    fn open(&self, _: &Machine) -> Result<Box<dyn Watch>, Reason> {
        Ok(Box::new(Open { clock: Monotonic::new(), at: 0.0, usage: process() }))
    }
}

struct Open {
    clock: Monotonic,
    at: f64,
    usage: Usage,
}

impl Watch for Open {
    fn start(&mut self) {
        self.at = self.clock.now();
        self.usage = process();
    }
    fn stop(&mut self) -> Vec<Reading> {
        let now = process();
        let elapsed = self.clock.now() - self.at;
        let reading = |name: &str, unit, value| Reading {
            name: format!("scheduler.{name}"),
            unit,
            value,
            coverage: 1.0,
        };
        let count = |name: &str, now: u64, then: u64| {
            reading(name, Unit::Count, now.saturating_sub(then) as f64)
        };
        vec![
            count("switches.voluntary", now.ctx_voluntary, self.usage.ctx_voluntary),
            count("switches.involuntary", now.ctx_involuntary, self.usage.ctx_involuntary),
            count("faults.minor", now.minor_faults, self.usage.minor_faults),
            count("faults.major", now.major_faults, self.usage.major_faults),
            reading(
                "cpus",
                Unit::Ratio,
                ((now.cpu_seconds - self.usage.cpu_seconds) / elapsed.max(1e-9)).max(0.0),
            ),
        ]
    }
}
