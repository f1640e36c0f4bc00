//! Contended synchronisation: an atomic addition, swap and compare-and-swap, a spin lock, and a sleeping lock.
//!
//! One turn is an atomic addition or swap, a successful compare-and-swap with the failed ones before it, or an acquisition of
//! a lock, an addition to a plain counter, and the release. The spin lock is test-and-test-and-set with the spin hint between
//! reads. The sleeping lock is the standard library's `Mutex`, a futex on Linux, which spins about a hundred times first.
use std::sync::{
    Mutex,
    atomic::{AtomicU64, Ordering::*},
};

/// A contended word, alone on its line and the adjacent ones, and the counter that it guards.
#[repr(C, align(256))]
#[derive(Debug, Default)]
pub struct Lock {
    word: AtomicU64,
    /// Guarded by `word`: a plain load and a plain store add to it.
    guarded: AtomicU64,
    _rest: [u64; 30],
    mutex: Mutex<u64>,
}

impl Lock {
    /// An unlocked one.
    pub fn new() -> Lock {
        Lock::default()
    }
}

/// A kind of synchronisation.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Its name.
    pub name: &'static str,
    /// Takes this many turns.
    pub run: fn(&Lock, u64),
    /// Turns of all threads so far, as counted by the lock itself; nothing where it counts none.
    pub taken: fn(&Lock) -> Option<u64>,
}

/// Every kind.
pub static WAYS: [Way; 5] = [
    Way { name: "fetch_add", run: turns_add, taken: |l| Some(l.word.load(Acquire)) },
    Way { name: "swap", run: turns_swap, taken: |_| None },
    Way { name: "cas", run: turns_cas, taken: |l| Some(l.word.load(Acquire)) },
    Way { name: "spin", run: turns_spin, taken: |l| Some(l.guarded.load(Acquire)) },
    Way {
        name: "mutex",
        run: turns_mutex,
        taken: |l| Some(*l.mutex.lock().unwrap_or_else(|e| e.into_inner())),
    },
];

/// Atomic instructions. On aarch64 the compiler would call a library function for each, which detects them anew.
#[derive(Clone, Copy)]
struct Atomics {
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    lse: Option<crate::arch::Lse>,
}

impl Atomics {
    #[inline(always)]
    fn detect() -> Atomics {
        Atomics {
            #[cfg(all(target_arch = "aarch64", not(miri)))]
            lse: crate::arch::Lse::detect(),
        }
    }
    #[inline(always)]
    fn add(self, word: &AtomicU64) {
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        if let Some(lse) = self.lse {
            return lse.increment(word);
        }
        word.fetch_add(1, AcqRel);
    }
    #[inline(always)]
    fn swap(self, word: &AtomicU64, new: u64) -> u64 {
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        if let Some(lse) = self.lse {
            return lse.exchange(word, new);
        }
        word.swap(new, AcqRel)
    }
    #[inline(always)]
    fn cas(self, word: &AtomicU64, old: u64, new: u64) -> bool {
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        return match self.lse {
            Some(lse) => lse.swap(word, old, new),
            None => crate::arch::swap_exclusive(word, old, new),
        };
        #[cfg(not(all(target_arch = "aarch64", not(miri))))]
        word.compare_exchange(old, new, AcqRel, Relaxed).is_ok()
    }
}

#[inline(never)]
fn turns_add(lock: &Lock, turns: u64) {
    let atomics = Atomics::detect();
    for _ in 0..turns {
        atomics.add(&lock.word);
    }
}

#[inline(never)]
fn turns_swap(lock: &Lock, turns: u64) {
    let atomics = Atomics::detect();
    for turn in 0..turns {
        atomics.swap(&lock.word, turn);
    }
}

#[inline(never)]
fn turns_cas(lock: &Lock, turns: u64) {
    let atomics = Atomics::detect();
    for _ in 0..turns {
        loop {
            let old = lock.word.load(Relaxed);
            if atomics.cas(&lock.word, old, old.wrapping_add(1)) {
                break;
            }
        }
    }
}

#[inline(never)]
fn turns_spin(lock: &Lock, turns: u64) {
    let atomics = Atomics::detect();
    for _ in 0..turns {
        while atomics.swap(&lock.word, 1) != 0 {
            while lock.word.load(Relaxed) != 0 {
                crate::arch::pause();
            }
        }
        lock.guarded.store(lock.guarded.load(Relaxed).wrapping_add(1), Relaxed);
        lock.word.store(0, Release);
    }
}

#[inline(never)]
fn turns_mutex(lock: &Lock, turns: u64) {
    for _ in 0..turns {
        let mut guarded = lock.mutex.lock().unwrap_or_else(|e| e.into_inner());
        *guarded = guarded.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn the_word_and_the_lock_that_sleeps_lie_apart() {
        let lock = Lock::new();
        let apart = (&raw const lock.mutex as usize) - (&raw const lock.word as usize);
        assert!(apart >= 256 && align_of::<Lock>() == 256, "{apart}");
    }

    /// A plain counter behind a lock that lets two in at once loses some of their additions.
    #[test]
    fn every_turn_is_taken_and_no_two_at_once() {
        for way in WAYS {
            let lock = Lock::new();
            thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| (way.run)(&lock, 20_000));
                }
            });
            let taken = (way.taken)(&lock);
            assert_eq!(taken, (way.name != "swap").then_some(60_000), "{}", way.name);
            (way.run)(&lock, 0);
            assert_eq!((way.taken)(&lock), taken, "{}", way.name);
        }
    }
}
