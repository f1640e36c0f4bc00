//! Who uses the CPUs: everybody, and this program with all its children that have ended.
use std::fs::read_to_string;

/// Ticks since the machine started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Of all CPUs, idle or not.
    all: u64,
    /// Of all CPUs, not idle. What a hypervisor gave to others is not idle either.
    busy: u64,
    /// Of this program and its children.
    own: u64,
}

impl Usage {
    pub(crate) fn now() -> Option<Usage> {
        let own = own(&read_to_string("/proc/self/stat").ok()?)?;
        let (busy, all) = ticks(&read_to_string("/proc/stat").ok()?)?;
        Some(Usage { all, busy, own })
    }
    /// What others took since, in percent of all CPUs' time; nothing if no tick has passed.
    pub(crate) fn others(self, now: Usage) -> Option<u64> {
        let passed = now.all.checked_sub(self.all).filter(|t| *t > 0)?;
        let busy = now.busy.saturating_sub(self.busy);
        Some(100 * busy.saturating_sub(now.own.saturating_sub(self.own)) / passed)
    }
}

/// Not idle, and all, from `/proc/stat`.
fn ticks(stat: &str) -> Option<(u64, u64)> {
    let line = stat.lines().find(|l| l.starts_with("cpu "))?;
    // user nice system idle iowait irq softirq steal; guest time is counted in user already.
    let fields: Vec<u64> =
        line.split_whitespace().skip(1).take(8).filter_map(|w| w.parse().ok()).collect();
    let idle = fields.get(3)? + fields.get(4)?;
    let all = fields.iter().sum::<u64>();
    Some((all - idle, all))
}

/// `utime`, `stime`, `cutime` and `cstime` of a `/proc/PID/stat`, added up. The name before them may hold anything.
fn own(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let times = fields.split_whitespace().skip(11).take(4);
    times.map(|w| w.parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_time_is_not_busy_time() {
        let stat = "cpu  10 5 5 70 10 0 0 0 99 0\ncpu0 1 1 1 1\n";
        assert_eq!(ticks(stat), Some((20, 100)));
        assert_eq!(ticks("intr 5\n"), None);
    }

    #[test]
    fn children_count_as_our_own() {
        let stat = "7 (a) b) S 1 2 3 4 5 6 7 8 9 10 100 20 3000 400 20 0 1";
        assert_eq!(own(stat), Some(3520));
        let then = Usage { all: 1000, busy: 500, own: 50 };
        let now = Usage { all: 1200, busy: 620, own: 150 };
        assert_eq!(then.others(now), Some(10));
        assert_eq!(then.others(then), None);
    }
}
