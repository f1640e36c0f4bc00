//! Disturbances of a thread while it is timed. A disturbed sample is marked, never deleted.
use crate::{
    clock::{Clock, Monotonic},
    cpus,
    usage::{self, ThreadSchedstat},
};
use std::{fs::File, os::unix::fs::FileExt};

/// The counters at one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Disturbance {
    /// Seconds of a monotonic clock.
    pub at: f64,
    /// Seconds that the thread was ready to run and waited for a CPU; nothing where the kernel does not say.
    pub waited: Option<f64>,
    /// Involuntary context switches of the thread.
    pub preempted: u64,
    /// Page faults of the thread, minor and major.
    pub faults: u64,
    /// The CPU it is on.
    pub cpu: Option<u32>,
    /// Steal time of this CPU in ticks (1/100 s); nothing on bare metal and where `/proc/stat` is hidden.
    pub steal: Option<u64>,
}

impl Disturbance {
    /// The differences from `before`, by the names of [`record::Disturbed::why`].
    pub fn since(&self, before: &Disturbance) -> Vec<&'static str> {
        let mut why = vec![];
        // A switch that took no time to speak of moved no number.
        let lost = self.waited.zip(before.waited).map(|(now, then)| now - then);
        let counts = lost.is_none_or(|lost| lost > LOST * (self.at - before.at));
        if self.preempted != before.preempted && counts {
            why.push("context switch");
        }
        let moved = self.cpu != before.cpu;
        if moved {
            why.push("migration");
        }
        // Steal counts of two CPUs cannot be compared; the migration says enough.
        if !moved && self.steal != before.steal {
            why.push("steal");
        }
        if self.faults != before.faults {
            why.push("page fault");
        }
        why
    }
}

/// Share of a sample's time that a thread may lose to others before the sample is disturbed.
const LOST: f64 = 0.01;

/// Watches the thread that calls it. A snapshot is a `getrusage`, a vDSO call and, on virtual machines,
/// one read of `/proc/stat`: some microseconds, growing with the number of CPUs. All of it belongs outside
/// the timed region: `mark`, read the clock, work, read the clock, `since`.
#[derive(Debug)]
pub struct Watcher {
    before: Disturbance,
    clock: Monotonic,
    queue: Option<ThreadSchedstat>,
    stat: Option<File>,
    buffer: Vec<u8>,
}

impl Watcher {
    /// Opens `/proc/stat` if it can; without it steal time is not watched.
    pub fn open() -> Watcher {
        // Without a hypervisor nobody steals; do not pay for asking.
        let stat = if on_bare_metal() { None } else { File::open("/proc/stat").ok() };
        // The per-CPU lines come first, at most about 110 bytes each.
        let cpus = cpus::affinity().ok().and_then(|set| set.iter().next_back()).unwrap_or(0);
        let mut watcher = Watcher {
            before: Disturbance::default(),
            clock: Monotonic::new(),
            queue: ThreadSchedstat::open(),
            stat,
            buffer: vec![0; 128 * (cpus as usize + 2)],
        };
        watcher.mark();
        watcher
    }
    /// Takes the snapshot that [`Watcher::since`] compares with.
    pub fn mark(&mut self) {
        self.before = self.snapshot();
    }
    /// What happened to this thread since the last [`Watcher::mark`], from `context switch`,
    /// `migration`, `steal`, `page fault`. Empty (and then nothing is allocated) if nothing did.
    pub fn since(&mut self) -> Vec<&'static str> {
        self.snapshot().since(&self.before)
    }
    /// The counters now.
    pub fn snapshot(&mut self) -> Disturbance {
        let thread = usage::thread();
        let cpu = cpus::current_cpu();
        Disturbance {
            at: self.clock.now(),
            waited: self.queue.as_ref().and_then(ThreadSchedstat::now).map(|queue| queue.waited),
            preempted: thread.ctx_involuntary,
            faults: thread.minor_faults + thread.major_faults,
            cpu,
            steal: cpu.and_then(|cpu| self.steal(cpu)),
        }
    }
    fn steal(&mut self, cpu: u32) -> Option<u64> {
        let length = self.stat.as_ref()?.read_at(&mut self.buffer, 0).ok()?;
        steal_of(&self.buffer[..length], cpu)
    }
}

/// The eighth number of the line `cpu<n>` (proc(5)): time stolen, in clock ticks.
fn steal_of(stat: &[u8], cpu: u32) -> Option<u64> {
    let mut lines = stat.split_inclusive(|byte| *byte == b'\n').filter(|l| l.ends_with(b"\n"));
    let numbers = lines.find_map(|line| {
        let rest = line.strip_prefix(b"cpu")?;
        let (name, numbers) = rest.split_at(rest.iter().position(|byte| *byte == b' ')?);
        let id: u32 = std::str::from_utf8(name).ok()?.parse().ok()?;
        (id == cpu).then_some(numbers)
    })?;
    std::str::from_utf8(numbers).ok()?.split_ascii_whitespace().nth(7)?.parse().ok()
}

/// Whether the CPU reports that there is no hypervisor. Where it cannot, one is assumed.
fn on_bare_metal() -> bool {
    #[cfg(target_arch = "x86_64")]
    return !crate::cpuid::hypervisor_present();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::{self, Request};
    use record::Pages;

    const STAT: &[u8] = b"cpu  9 0 0 0 0 0 0 30 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\ncpu10 1 2 3 4 5 6 7 22 9 10\ncpu2 1 2 3";

    #[test]
    fn steal_is_read_from_the_line_of_this_cpu_alone() {
        assert_eq!(steal_of(STAT, 0), Some(8));
        assert_eq!(steal_of(STAT, 10), Some(22));
        assert_eq!(steal_of(STAT, 1), None);
        assert_eq!(steal_of(STAT, 2), None, "a line cut short by the buffer is no line");
        assert_eq!(steal_of(b"", 0), None);
    }

    #[test]
    fn each_counter_has_its_word() {
        let before = Disturbance {
            at: 1.0,
            waited: Some(0.5),
            preempted: 1,
            faults: 1,
            cpu: Some(0),
            steal: Some(5),
        };
        assert!(before.since(&before).is_empty());
        let switched = Disturbance { at: 1.001, preempted: 2, ..before };
        let waited =
            |seconds| Disturbance { waited: Some(0.5 + seconds), ..switched }.since(&before);
        assert_eq!((waited(5e-6).len(), waited(50e-6)), (0, vec!["context switch"]));
        assert_eq!(Disturbance { waited: None, ..switched }.since(&before), ["context switch"]);
        let now = Disturbance { preempted: 2, faults: 3, steal: Some(6), waited: None, ..before };
        assert_eq!(now.since(&before), ["context switch", "steal", "page fault"]);
        let moved = Disturbance { cpu: Some(1), steal: Some(900), ..before };
        assert_eq!(moved.since(&before), ["migration"]);
    }

    #[test]
    fn a_forced_migration_is_noticed() {
        let cpus = cpus::affinity().unwrap();
        let (a, b) = (cpus.first().unwrap(), cpus.iter().next_back().unwrap());
        if a == b {
            eprintln!("skipped: one CPU");
            return;
        }
        let _first = cpus::pin(a).unwrap();
        let mut watcher = Watcher::open();
        watcher.mark();
        let _second = cpus::pin(b).unwrap();
        assert!(watcher.since().contains(&"migration"));
        watcher.mark();
        assert!(!watcher.since().contains(&"migration"));
    }

    #[test]
    fn fresh_memory_is_noticed_and_touched_memory_is_not() {
        let request = Request { bytes: 1 << 20, pages: Pages::Base, node: None };
        let mut arena = pages::map(&request).unwrap();
        let mut watcher = Watcher::open();
        watcher.mark();
        arena.lines_mut().fill(kernels::Line([1; 8]));
        assert!(watcher.since().contains(&"page fault"));
        // The system may take a page back at any time, but not at all times.
        let quiet = (0..100).any(|_| {
            watcher.mark();
            arena.lines_mut().fill(kernels::Line([2; 8]));
            !watcher.since().contains(&"page fault")
        });
        assert!(quiet);
    }

    #[test]
    fn a_pinned_thread_never_migrates_however_often_it_yields() {
        let _pinned = cpus::pin(cpus::affinity().unwrap().first().unwrap()).unwrap();
        let mut watcher = Watcher::open();
        for _ in 0..200 {
            watcher.mark();
            (0..50).for_each(|_| std::thread::yield_now());
            assert!(!watcher.since().contains(&"migration"));
        }
    }
}
