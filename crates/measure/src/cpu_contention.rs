//! CPU contention by other processes, steal time and swapping between two readings of `/proc/stat`.
use host::usage::{self, CpuTimes};

/// CPU time of the machine and of this process so far.
#[derive(Debug, Clone)]
pub struct Snapshot {
    times: CpuTimes,
    own: f64,
    swap: Option<(u64, u64)>,
}

/// What happened between two snapshots.
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
    /// Reads the counters; `None` if `/proc/stat` is hidden. Child processes count as our own.
    pub fn now() -> Option<Snapshot> {
        Some(Snapshot {
            times: usage::cpu_times()?,
            own: usage::process().cpu_seconds + usage::children().cpu_seconds,
            swap: usage::swap_activity(),
        })
    }
    /// What happened from `self` to `later`; `None` if the counters did not advance.
    pub fn until(&self, later: &Snapshot) -> Option<Contention> {
        let (then, now) = (&self.times, &later.times);
        // The kernel corrects idle and iowait downwards at times; a negative difference is none.
        let [busy, idle, iowait, steal] = [
            now.busy - then.busy,
            now.idle - then.idle,
            now.iowait - then.iowait,
            now.steal - then.steal,
        ]
        .map(|x| x.max(0.0));
        let total = busy + idle + iowait + steal;
        let swapped = match (self.swap, later.swap) {
            (Some(a), Some(b)) => Some(b.0.saturating_sub(a.0) + b.1.saturating_sub(a.1)),
            _ => None,
        };
        (total > 0.0).then(|| Contention {
            busy: ((busy - (later.own - self.own)) / total).max(0.0),
            steal: steal / total,
            swapped,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(busy: f64, idle: f64, steal: f64, own: f64) -> Snapshot {
        let times = CpuTimes { busy, idle, iowait: 0.0, steal, per_cpu: Default::default() };
        Snapshot { times, own, swap: None }
    }

    #[test]
    fn time_of_this_process_is_no_contention() {
        let contention =
            snapshot(10.0, 10.0, 0.0, 1.0).until(&snapshot(13.0, 16.0, 1.0, 3.0)).unwrap();
        assert_eq!(contention, Contention { busy: 0.1, steal: 0.1, swapped: None });
        assert_eq!(snapshot(1.0, 1.0, 0.0, 0.0).until(&snapshot(1.0, 0.9, 0.0, 0.0)), None);
    }
}
