//! Two threads pass one line back and forth: core-to-core latency. Threads that count in one line or in separate ones: false
//! sharing.
//!
//! A round is there and back. Ping starts it and returns after the last hand-back, so its time covers whole rounds. Both
//! sides need the same number of rounds. The word has its first value again when both have returned.
use crate::line::Line;
use std::{
    slice,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::*},
};

/// Values of the shared word: the side whose turn it is.
const PING: u64 = 0;
const PONG: u64 = 1;

/// Spins between two reads of `stop`: some 0.1 ms, so that it costs nothing and ends at once.
const PATIENCE: u32 = 1 << 16;

/// An atomic word alone on its line and the next three, so that no prefetched neighbour is shared.
#[repr(C, align(64))]
#[derive(Debug, Default)]
pub struct Shared {
    turn: AtomicU64,
    _rest_of_line: [u64; 7],
    _neighbours: [[u64; 8]; 3],
}

impl Shared {
    pub fn new() -> Shared {
        Shared::default()
    }

    /// As many words as fit into this memory, 256 bytes apart: several addresses on pages of the caller's choice.
    pub fn carve(lines: &mut [Line]) -> &[Shared] {
        lines.fill(Line::ZERO);
        let count = size_of_val(lines) / size_of::<Shared>();
        let first = lines.as_mut_ptr().cast();
        // SAFETY: `count` words fit into the borrowed memory, which is aligned alike; all-zero bytes are a valid `Shared`; the
        // mutable borrow lasts as long as the result, so no other reference reads the memory as lines.
        unsafe { slice::from_raw_parts(first, count) }
    }
}

/// Repeats `done` until it succeeds; false if `stop` was set first.
#[inline(always)]
fn spin(stop: &AtomicBool, done: impl Fn() -> bool) -> bool {
    loop {
        for _ in 0..PATIENCE {
            if done() {
                return true;
            }
        }
        if stop.load(Relaxed) {
            return false;
        }
    }
}

/// Takes `rounds` turns by compare-and-swap, as core-to-core-latency does: a tight loop without a pause.
#[inline(always)]
fn cas(shared: &Shared, mine: u64, theirs: u64, rounds: u64, stop: &AtomicBool) -> u64 {
    // The compiler would call a library function for each swap, which detects `casal` anew.
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    return match crate::arch::Lse::detect() {
        Some(lse) => swaps(shared, rounds, stop, |turn| lse.swap(turn, mine, theirs)),
        None => swaps(shared, rounds, stop, |turn| crate::arch::swap_exclusive(turn, mine, theirs)),
    };
    #[cfg(not(all(target_arch = "aarch64", not(miri))))]
    swaps(shared, rounds, stop, |turn| turn.compare_exchange(mine, theirs, AcqRel, Relaxed).is_ok())
}

#[inline(always)]
fn swaps(
    shared: &Shared,
    rounds: u64,
    stop: &AtomicBool,
    swap: impl Fn(&AtomicU64) -> bool,
) -> u64 {
    for round in 0..rounds {
        if !spin(stop, || swap(&shared.turn)) {
            return give_up(shared, round);
        }
    }
    rounds
}

/// Takes `rounds` turns by plain loads until it is our turn, then one plain store.
#[inline(always)]
fn store(shared: &Shared, mine: u64, theirs: u64, rounds: u64, stop: &AtomicBool) -> u64 {
    for round in 0..rounds {
        if !spin(stop, || shared.turn.load(Acquire) == mine) {
            return give_up(shared, round);
        }
        shared.turn.store(theirs, Release);
    }
    rounds
}

/// Resets the word, so that an aborted run does not affect the next.
#[cold]
fn give_up(shared: &Shared, rounds: u64) -> u64 {
    shared.turn.store(PING, Release);
    rounds
}

/// Waits for the hand-back of the last round. A turn without one is not a round.
#[inline(always)]
fn returned(shared: &Shared, rounds: u64, turns: u64, stop: &AtomicBool) -> u64 {
    if turns < rounds {
        return turns.saturating_sub(1);
    }
    if rounds == 0 || spin(stop, || shared.turn.load(Acquire) == PING) {
        return turns;
    }
    give_up(shared, turns - 1)
}

/// The starting side by compare-and-swap. Gives the completed rounds, fewer than requested only after `stop`.
#[inline(never)]
pub fn cas_ping(shared: &Shared, rounds: u64, stop: &AtomicBool) -> u64 {
    let turns = cas(shared, PING, PONG, rounds, stop);
    returned(shared, rounds, turns, stop)
}

/// The answering side by compare-and-swap. Gives the completed rounds, fewer than requested only after `stop`.
#[inline(never)]
pub fn cas_pong(shared: &Shared, rounds: u64, stop: &AtomicBool) -> u64 {
    cas(shared, PONG, PING, rounds, stop)
}

/// The starting side by plain loads and stores. Gives the completed rounds, fewer than requested only after `stop`.
#[inline(never)]
pub fn store_ping(shared: &Shared, rounds: u64, stop: &AtomicBool) -> u64 {
    let turns = store(shared, PING, PONG, rounds, stop);
    returned(shared, rounds, turns, stop)
}

/// The answering side by plain loads and stores. Gives the completed rounds, fewer than requested only after `stop`.
#[inline(never)]
pub fn store_pong(shared: &Shared, rounds: u64, stop: &AtomicBool) -> u64 {
    store(shared, PONG, PING, rounds, stop)
}

/// The words of this memory as counters.
pub fn counters(lines: &mut [Line]) -> &[AtomicU64] {
    lines.fill(Line::ZERO);
    let count = size_of_val(lines) / size_of::<AtomicU64>();
    let first = lines.as_mut_ptr().cast();
    // SAFETY: `count` words fit into the borrowed memory, which is aligned to lines; any bytes are an `AtomicU64`; the
    // mutable borrow lasts as long as the result, so no other reference reads the memory as lines.
    unsafe { slice::from_raw_parts(first, count) }
}

/// Increments a word that no other thread writes this many times, by a plain load and a plain store.
#[inline(never)]
pub fn count_own(word: &AtomicU64, times: u64) -> u64 {
    for _ in 0..times {
        word.store(word.load(Relaxed).wrapping_add(1), Relaxed);
    }
    times
}

/// Increments a shared word this many times, by an atomic addition.
#[inline(never)]
pub fn count_shared(word: &AtomicU64, times: u64) -> u64 {
    // The compiler would call a library function for each addition, which detects `ldadd` anew.
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    if let Some(lse) = crate::arch::Lse::detect() {
        for _ in 0..times {
            lse.increment(word);
        }
        return times;
    }
    for _ in 0..times {
        word.fetch_add(1, Relaxed);
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    type Side = fn(&Shared, u64, &AtomicBool) -> u64;
    const KERNELS: [(Side, Side); 2] = [(cas_ping, cas_pong), (store_ping, store_pong)];

    #[test]
    fn words_are_a_line_each_and_far_apart() {
        assert_eq!((size_of::<Shared>(), align_of::<Shared>()), (256, 64));
        let mut lines = [Line([7; 8]); 11];
        let words = Shared::carve(&mut lines);
        assert_eq!(words.len(), 2);
        assert!(words.iter().all(|w| w.turn.load(Relaxed) == PING));
    }

    /// The same word serves all runs, one after another: a run must not need more than the last one left.
    #[test]
    fn both_sides_complete_every_round() {
        let (shared, stop) = (Shared::new(), AtomicBool::new(false));
        for (ping, pong) in KERNELS {
            for rounds in [0, 1, 2, 3, 999] {
                let counts = thread::scope(|s| {
                    let other = s.spawn(|| pong(&shared, rounds, &stop));
                    (ping(&shared, rounds, &stop), other.join().unwrap())
                });
                assert_eq!(counts, (rounds, rounds));
                assert_eq!(shared.turn.load(Relaxed), PING);
            }
        }
    }

    #[test]
    fn without_a_partner_both_sides_stop_and_leave_the_word_fresh() {
        let (shared, stop) = (Shared::new(), AtomicBool::new(true));
        for (ping, pong) in KERNELS {
            assert_eq!(ping(&shared, 5, &stop), 0, "one turn taken is not yet a round");
            assert_eq!(pong(&shared, 5, &stop), 0);
            assert_eq!(ping(&shared, 1, &stop), 0);
            assert_eq!(shared.turn.load(Relaxed), PING);
        }
    }

    #[test]
    fn no_addition_is_lost_on_a_word_of_ones_own_or_a_shared_one() {
        let mut lines = [Line([7; 8]); 2];
        let words = counters(&mut lines);
        assert_eq!(words.len(), 16);
        thread::scope(|s| {
            for word in &words[..3] {
                s.spawn(|| {
                    assert_eq!(count_own(word, 1000), 1000);
                    assert_eq!(count_shared(&words[8], 1000), 1000);
                });
            }
        });
        let counts: Vec<u64> = words.iter().map(|w| w.load(Relaxed)).collect();
        assert_eq!(counts[..4], [1000, 1000, 1000, 0]);
        assert_eq!(counts[8..10], [3000, 0]);
    }
}
