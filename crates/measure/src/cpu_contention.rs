//! CPU contention by other processes, steal time and swapping between two readings of `/proc/stat`.
use host::usage::{self, CpuTimes, Times};
use record::CpuSet;

/// CPU time of the machine and of this process so far.
#[derive(Debug, Clone)]
pub struct Snapshot {
    times: CpuTimes,
    own: f64,
    swap: Option<(u64, u64)>,
}

/// Contention between two snapshots.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contention {
    /// Share of all CPUs' time that other programs used.
    pub busy: f64,
    /// Share of all CPUs' time that the hypervisor gave to others although a task wanted to run here.
    pub steal: f64,
    /// Pages moved to and from swap, where the kernel says.
    pub swapped: Option<u64>,
}

impl Snapshot {
    /// Reads the counters; `None` if `/proc/stat` is hidden. Child processes, living or not, and a server that is measured count
    /// as our own.
    pub fn now() -> Option<Snapshot> {
        Some(Snapshot {
            times: usage::cpu_times()?,
            own: host::child::cpu_seconds_with_children(),
            swap: usage::swap_activity(),
        })
    }
    /// Contention from `self` to `later` on these CPUs, which this process is taken to have run on; on all where none is named.
    /// `None` if the counters did not advance.
    pub fn until(&self, later: &Snapshot, cpus: &CpuSet) -> Option<Contention> {
        let (then, now) = (self.times_of(cpus), later.times_of(cpus));
        // The kernel corrects idle and iowait downwards at times; a negative difference is none.
        let [busy, idle, iowait, steal] = [
            now.busy - then.busy,
            now.idle - then.idle,
            now.iowait - then.iowait,
            now.steal - then.steal,
        ]
        .map(|x| x.max(0.0));
        let total = busy + idle + iowait + steal;
        let swaps = self.swap.zip(later.swap);
        let swapped = swaps.map(|(a, b)| b.0.saturating_sub(a.0) + b.1.saturating_sub(a.1));
        (total > 0.0).then(|| Contention {
            busy: ((busy - (later.own - self.own)) / total).max(0.0),
            steal: steal / total,
            swapped,
        })
    }
    fn times_of(&self, cpus: &CpuSet) -> Times {
        let known = |cpu| self.times.per_cpu.contains_key(&cpu);
        let named = !cpus.is_empty() && cpus.iter().all(known);
        if named { self.times.of(cpus) } else { self.times.all }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(busy: f64, idle: f64, steal: f64, own: f64) -> Snapshot {
        let all = Times { busy, idle, steal, ..Times::default() };
        Snapshot { times: CpuTimes { all, ..CpuTimes::default() }, own, swap: None }
    }

    /// Another program on CPU 1 takes nothing of a case on CPU 0.
    #[test]
    fn contention_is_that_of_the_cases_cpus() {
        let at = |busy: [f64; 2], own| {
            let each = |busy| Times { busy, idle: 10.0 - busy, ..Times::default() };
            let mut snapshot = snapshot(busy[0] + busy[1], 20.0 - busy[0] - busy[1], 0.0, own);
            snapshot.times.per_cpu = [(0, each(busy[0])), (1, each(busy[1]))].into();
            snapshot
        };
        let (then, now) = (at([0.0, 0.0], 0.0), at([5.0, 5.0], 5.0));
        let on = |cpus: &[u32]| then.until(&now, &cpus.iter().copied().collect()).map(|c| c.busy);
        // Idle falls as busy rises here, so five seconds of each CPU passed.
        assert_eq!((on(&[0]), on(&[0, 1]), on(&[0, 7])), (Some(0.0), Some(0.5), Some(0.5)));
    }

    #[test]
    fn time_of_this_process_is_no_contention() {
        let all = CpuSet::default();
        let contention =
            snapshot(10.0, 10.0, 0.0, 1.0).until(&snapshot(13.0, 16.0, 1.0, 3.0), &all).unwrap();
        assert_eq!(contention, Contention { busy: 0.1, steal: 0.1, swapped: None });
        assert_eq!(snapshot(1.0, 1.0, 0.0, 0.0).until(&snapshot(1.0, 0.9, 0.0, 0.0), &all), None);
    }
}
