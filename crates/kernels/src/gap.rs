//! Reads a tick counter in a loop until two reads are too far apart: a detour, in which something else had the CPU. The loop of
//! sysjitter, oslat and the kernel's osnoise tracer; it touches no memory and calls nothing.

/// Result of a loop, in ticks of the counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// The first read.
    pub first: u64,
    /// The read before the last.
    pub from: u64,
    /// The last read: a detour lies between `from` and this.
    pub to: u64,
    /// Reads after the first.
    pub looks: u64,
    /// The least distance of two reads; `u64::MAX` if the counter never moved.
    pub least: u64,
}

impl Seen {
    /// Ticks between the last two reads.
    pub fn gap(&self) -> u64 {
        self.to.saturating_sub(self.from)
    }
}

/// Reads the CPU's tick counter until two reads are `threshold` ticks apart or `until` is reached. Needs a counter, see
/// [`crate::arch::TICKS`].
#[inline(never)]
pub fn watch(threshold: u64, until: u64) -> Seen {
    watch_by(crate::arch::ticks_end, threshold, until)
}

/// The same with any counter. A counter that runs backwards, as between CPUs with different counters, makes no detour.
#[inline(always)]
pub fn watch_by(now: impl Fn() -> u64, threshold: u64, until: u64) -> Seen {
    let first = now();
    let mut seen = Seen { first, from: first, to: first, looks: 0, least: u64::MAX };
    loop {
        seen.from = seen.to;
        seen.to = now();
        seen.looks += 1;
        let passed = seen.gap();
        if passed > 0 && passed < seen.least {
            seen.least = passed;
        }
        if passed >= threshold || seen.to >= until {
            return seen;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// A counter that makes these steps.
    fn stepping(steps: &[u64]) -> impl Fn() -> u64 + '_ {
        let (at, now) = (Cell::new(0), Cell::new(0));
        move || {
            let step = steps.get(at.get()).copied().unwrap_or(1);
            at.set(at.get() + 1);
            now.set(now.get() + step);
            now.get()
        }
    }

    #[test]
    fn the_first_step_that_is_too_long_ends_the_watch() {
        let seen = watch_by(stepping(&[100, 3, 2, 4, 50, 1]), 50, 1 << 40);
        assert_eq!(seen, Seen { first: 100, from: 109, to: 159, looks: 4, least: 2 });
        assert_eq!(seen.gap(), 50);
    }

    #[test]
    fn time_ends_it_where_nothing_happens() {
        let seen = watch_by(stepping(&[0, 0, 7]), 50, 1000);
        assert_eq!((seen.first, seen.to, seen.least), (0, 1000, 1));
    }

    #[test]
    fn a_counter_that_runs_backwards_makes_no_gap() {
        let values = [1000u64, 900, 901, 2000].map(Cell::new);
        let at = Cell::new(0);
        let now = || {
            at.set(at.get() + 1);
            values[(at.get() - 1).min(3)].get()
        };
        let seen = watch_by(now, 50, u64::MAX);
        assert_eq!((seen.from, seen.to, seen.looks), (901, 2000, 3));
    }

    #[test]
    fn the_real_counter_is_watched() {
        if !crate::arch::TICKS {
            return;
        }
        let now = crate::arch::ticks_end();
        let seen = watch(u64::MAX, now + 100_000);
        assert!(seen.first >= now && seen.to >= now + 100_000 && seen.looks > 0);
    }
}
