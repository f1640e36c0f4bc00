//! Pointer chase around a ring: the latency of dependent loads.
//!
//! Contract: `walk` issues exactly `steps` loads, each at the address the previous one returned.
mod thrash;

pub use thrash::Thrash;

use crate::{arch, arena::mix, flush, line::Line};

/// The order of the slots of a ring. Strides and groups are bytes, rounded up to whole lines.
///
/// A slot's link is a random word of the first line of its stride. Equal offsets in every page collide in the caches, so to
/// touch one line per page use a stride of a page and a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// One random cycle through all slots.
    Random {
        /// Bytes from slot to slot.
        stride: usize,
    },
    /// Groups in random order, and all slots of a group in random order before the next: few pages at a time.
    Grouped {
        /// Bytes from slot to slot.
        stride: usize,
        /// Bytes of a group.
        group: usize,
    },
    /// Ascending addresses, which a prefetcher can hide. Not a latency.
    Sequential {
        /// Bytes from slot to slot.
        stride: usize,
    },
}

/// One cycle through every slot of borrowed memory. Construction proves what `walk` relies on.
#[derive(Debug)]
pub struct Ring<'a> {
    lines: &'a mut [Line],
    /// Lines from slot to slot.
    stride: usize,
    slots: usize,
    /// Index of the word of the next load.
    at: usize,
    /// Decides the word of each slot's line; `None` for the first.
    seed: Option<u64>,
    random: Random,
}

/// Loads per iteration of the walk's inner loop.
const UNROLL: u64 = 16;

impl<'a> Ring<'a> {
    /// Links the slots; the other words of each line keep their values. `None` under 2 slots, or over 2³². Allocates nothing,
    /// except 4 bytes per group and slot of a group if grouped.
    pub fn build(lines: &'a mut [Line], order: Order, seed: u64) -> Option<Ring<'a>> {
        let stride = match order {
            Order::Random { stride }
            | Order::Grouped { stride, .. }
            | Order::Sequential { stride } => stride.div_ceil(Line::BYTES).max(1),
        };
        let slots = lines.len().div_ceil(stride);
        u32::try_from(slots).ok().filter(|n| *n >= 2)?;
        let mut ring = Ring::empty(lines, stride, Some(seed));
        match order {
            Order::Random { .. } => ring.insert(slots),
            Order::Grouped { group, .. } => {
                let per = group.div_ceil(Line::BYTES).div_ceil(stride).max(1);
                ring.slots = slots;
                ring.link_groups(per);
            }
            Order::Sequential { .. } => {
                ring.slots = slots;
                for slot in 0..slots {
                    ring.link(slot, if slot + 1 == slots { 0 } else { slot + 1 });
                }
            }
        }
        ring.at = ring.address(0);
        Some(ring)
    }

    /// A random ring of the first two slots, `stride` bytes apart, to be extended by [`Ring::grow`]: a curve over many sizes
    /// links each slot once. `None` under 2 slots, or over 2³².
    pub fn growing(lines: &'a mut [Line], stride: usize, seed: u64) -> Option<Ring<'a>> {
        let stride = stride.div_ceil(Line::BYTES).max(1);
        u32::try_from(lines.len().div_ceil(stride)).ok().filter(|n| *n >= 2)?;
        let mut ring = Ring::empty(lines, stride, Some(seed));
        ring.insert(2);
        ring.at = ring.address(0);
        Some(ring)
    }

    /// Extends the ring to every slot of the first `bytes` of the borrowed memory. The order stays as random as that of a ring
    /// built at once. Rings of other orders have all their slots already.
    pub fn grow(&mut self, bytes: usize) {
        let lines = (bytes / Line::BYTES).min(self.lines.len());
        self.insert(lines.div_ceil(self.stride));
    }

    /// A ring through these lines in this order; `position` counts lines. A repeated line skips those between. `None` under 2
    /// lines, or for a line out of range.
    pub fn through(lines: &'a mut [Line], path: &[u32], seed: u64) -> Option<Ring<'a>> {
        if path.len() < 2 || path.iter().any(|line| *line as usize >= lines.len()) {
            return None;
        }
        let mut ring = Ring::empty(lines, 1, Some(seed));
        ring.slots = path.len();
        for (from, to) in path.iter().zip(path.iter().skip(1).chain(path.first())) {
            ring.link(*from as usize, *to as usize);
        }
        ring.at = ring.address(*path.first()? as usize);
        Some(ring)
    }

    /// Without slots, so not ready for a walk.
    fn empty(lines: &'a mut [Line], stride: usize, seed: Option<u64>) -> Ring<'a> {
        let random = Random(mix(seed.unwrap_or(0)) | 1);
        Ring { lines, stride, slots: 0, at: 0, seed, random }
    }

    /// Reads a word of every line of the ring from first to last, to load the caches.
    pub fn touch(&self) {
        let used = self.lines.len().min(self.slots * self.stride);
        let sum = self.lines[..used].iter().step_by(self.stride).fold(0, |sum, l| sum ^ l.0[0]);
        std::hint::black_box(sum);
    }

    /// Flushes every line of the ring from all caches; false where programs have no instruction for it.
    pub fn flush(&self) -> bool {
        let used = self.lines.len().min(self.slots * self.stride);
        let Some(loops) = flush::loops() else { return false };
        self.lines[..used].iter().step_by(self.stride).for_each(|line| {
            (loops.flush)(line, 1);
        });
        true
    }

    /// The number of slots, and of steps of one turn around the ring.
    pub fn len(&self) -> usize {
        self.slots
    }

    /// Always false: a ring has two slots or more.
    pub fn is_empty(&self) -> bool {
        self.slots == 0
    }

    /// The slot of the next load, in memory order from 0.
    pub fn position(&self) -> usize {
        (self.at - self.lines.as_ptr().expose_provenance()) / (self.stride * Line::BYTES)
    }

    /// Follows `steps` links from the end of the last walk; gives the slot it arrives at.
    #[inline(never)]
    pub fn walk(&mut self, steps: u64) -> usize {
        let mut at = self.at;
        for _ in 0..steps / UNROLL {
            for _ in 0..UNROLL {
                // SAFETY: `at` is the address of a link in `self.lines`: `build` wrote one into every slot, each naming
                // another, and the exclusive borrow keeps anybody else from changing them.
                at = unsafe { arch::load(std::ptr::with_exposed_provenance(at)) };
            }
        }
        for _ in 0..steps % UNROLL {
            // SAFETY: as above.
            at = unsafe { arch::load(std::ptr::with_exposed_provenance(at)) };
        }
        self.at = at;
        self.position()
    }

    /// The same walk in plain Rust, for tests of `walk`.
    pub fn walk_reference(&mut self, steps: u64) -> usize {
        let base = self.lines.as_ptr().expose_provenance();
        for _ in 0..steps {
            let offset = self.at - base;
            self.at = self.lines[offset / Line::BYTES].0[offset % Line::BYTES / 8] as usize;
        }
        self.position()
    }

    /// The word of the slot's line that holds its link: random, computed without a table.
    fn word(&self, slot: usize) -> usize {
        let Some(seed) = self.seed else { return 0 };
        (slot as u64 ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) as usize >> (usize::BITS - 3)
    }

    fn address(&self, slot: usize) -> usize {
        let base = self.lines.as_ptr().expose_provenance();
        base + slot * self.stride * Line::BYTES + self.word(slot) * 8
    }

    #[inline(always)]
    fn link(&mut self, slot: usize, next: usize) {
        let to = self.address(next) as u64;
        let word = self.word(slot);
        self.lines[slot * self.stride].0[word] = to;
    }

    /// Inserts slots up to this number, each behind a random earlier one. Every cycle is then equally likely (the permutation's
    /// cycle form, filled from the left), and no table is needed.
    fn insert(&mut self, slots: usize) {
        for slot in self.slots..slots {
            // `slots` fits 32 bits.
            let before = if slot == 0 { 0 } else { self.random.below(slot as u32) as usize };
            let (line, word) = (before * self.stride, self.word(before));
            let next = if slot == 0 { self.address(0) as u64 } else { self.lines[line].0[word] };
            let own = self.word(slot);
            self.lines[slot * self.stride].0[own] = next;
            if slot > 0 {
                self.lines[line].0[word] = self.address(slot) as u64;
            }
        }
        self.slots = self.slots.max(slots);
    }

    fn link_groups(&mut self, per: usize) {
        // `slots` fits 32 bits, so do the groups and what is inside one.
        let mut groups: Vec<u32> = (0..self.slots.div_ceil(per) as u32).collect();
        shuffle(&mut groups, &mut self.random);
        let mut inside: Vec<u32> = Vec::with_capacity(per.min(self.slots));
        let (mut first, mut last) = (None, None);
        for group in groups {
            let start = group as usize * per;
            inside.clear();
            inside.extend(0..per.min(self.slots - start) as u32);
            shuffle(&mut inside, &mut self.random);
            for slot in inside.iter().map(|i| start + *i as usize) {
                match last {
                    Some(last) => self.link(last, slot),
                    None => first = Some(slot),
                }
                last = Some(slot);
            }
        }
        if let (Some(first), Some(last)) = (first, last) {
            self.link(last, first);
        }
    }
}

/// Numbers from 0 in random order.
fn shuffled(count: u32, seed: u64) -> Vec<u32> {
    let mut items: Vec<u32> = (0..count).collect();
    shuffle(&mut items, &mut Random(mix(seed) | 1));
    items
}

/// xorshift64, scaled to a range by the high half of a product; the bias is below 2⁻³² of the range.
#[derive(Debug)]
struct Random(u64);

impl Random {
    #[inline(always)]
    fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(end)) >> 32) as u32
    }
}

/// Fisher and Yates, as by Durstenfeld 1964.
fn shuffle(items: &mut [u32], random: &mut Random) {
    for i in (1..items.len()).rev() {
        items.swap(i, random.below(i as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Arena, fill_random};
    use proptest::prelude::*;

    fn orders(stride: usize) -> [Order; 5] {
        [
            Order::Random { stride },
            Order::Grouped { stride, group: 4096 },
            Order::Grouped { stride, group: 1000 },
            Order::Grouped { stride, group: 1 },
            Order::Sequential { stride },
        ]
    }

    fn memory(lines: usize) -> Arena {
        let mut arena = Arena::heap(lines * Line::BYTES);
        fill_random(arena.lines_mut(), 3);
        arena
    }

    #[test]
    fn too_small_a_ring_is_none() {
        for order in orders(64) {
            assert!(Ring::build(memory(0).lines_mut(), order, 1).is_none());
            assert!(Ring::build(memory(1).lines_mut(), order, 1).is_none());
            assert_eq!(Ring::build(memory(2).lines_mut(), order, 1).unwrap().len(), 2);
        }
        assert!(Ring::build(memory(3).lines_mut(), Order::Random { stride: 192 }, 1).is_none());
    }

    #[test]
    fn the_seed_and_only_the_seed_decides_a_random_ring() {
        let path = |seed| {
            let mut arena = memory(500);
            let mut ring =
                Ring::build(arena.lines_mut(), Order::Random { stride: 64 }, seed).unwrap();
            (0..500).map(|_| ring.walk(1)).collect::<Vec<_>>()
        };
        assert_eq!(path(1), path(1));
        assert_ne!(path(1), path(2));
    }

    /// The slots in the order of a whole turn.
    fn turn(ring: &mut Ring<'_>) -> Vec<usize> {
        (0..ring.len()).map(|_| ring.walk(1)).collect()
    }

    #[test]
    fn a_random_ring_scatters() {
        let mut arena = memory(5001);
        let mut ring = Ring::build(arena.lines_mut(), Order::Random { stride: 64 }, 7).unwrap();
        let path = turn(&mut ring);
        let near = path.windows(2).filter(|w| w[0].abs_diff(w[1]) <= 8).count();
        // Of a random order's steps 16 are that short, give or take five times 4; of a sequential one's, all.
        assert!(near < 36, "{near}");
    }

    /// Of four slots there are six cycles. Each comes 10 000 times in 60 000, give or take 91: five times that.
    #[test]
    fn every_cycle_is_as_likely() {
        let mut seen = std::collections::BTreeMap::<Vec<usize>, usize>::new();
        let mut arena = memory(4);
        for seed in 0..60_000 {
            let mut ring =
                Ring::build(arena.lines_mut(), Order::Random { stride: 64 }, seed).unwrap();
            *seen.entry(turn(&mut ring)).or_default() += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.values().all(|n| n.abs_diff(10_000) < 460), "{seen:?}");
    }

    #[test]
    fn a_ring_grows_into_the_one_built_at_once() {
        let (mut one, mut two) = (memory(1000), memory(1000));
        let mut grown = Ring::growing(one.lines_mut(), 128, 3).unwrap();
        for bytes in [0, 100, 4096, 30_000, 20_000, 1 << 20] {
            grown.grow(bytes);
            let slots = (bytes / 128).clamp(2, 500);
            assert!(grown.len() >= slots, "{bytes}");
            let mut seen = turn(&mut grown);
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..grown.len()), "{bytes}");
        }
        let mut whole = Ring::build(two.lines_mut(), Order::Random { stride: 128 }, 3).unwrap();
        let start = whole.position();
        while grown.position() != start {
            grown.walk(1);
        }
        assert_eq!(turn(&mut grown), turn(&mut whole));
        let len = whole.len();
        whole.grow(1 << 20);
        assert_eq!(whole.len(), len);
    }

    #[test]
    fn a_path_is_walked_as_it_is_named() {
        let mut arena = memory(100);
        assert!(Ring::through(arena.lines_mut(), &[5], 1).is_none());
        assert!(Ring::through(arena.lines_mut(), &[5, 100], 1).is_none());
        let path = [99, 0, 64, 63];
        let mut ring = Ring::through(arena.lines_mut(), &path, 1).unwrap();
        assert_eq!((ring.len(), ring.position()), (4, 99));
        assert_eq!(turn(&mut ring), [0, 64, 63, 99]);
        assert_eq!(ring.walk_reference(6), 64);
    }

    #[test]
    fn links_use_every_word_and_leave_the_others() {
        let mut arena = memory(4096);
        let before = arena.lines().to_vec();
        Ring::build(arena.lines_mut(), Order::Random { stride: 64 }, 5).unwrap();
        let mut used = [0; 8];
        for (old, new) in before.iter().zip(arena.lines()) {
            let changed: Vec<usize> = (0..8).filter(|w| old.0[*w] != new.0[*w]).collect();
            assert_eq!(changed.len(), 1);
            used[changed[0]] += 1;
        }
        assert!(used.iter().all(|n| *n > 256), "{used:?}");
    }

    #[test]
    fn a_group_is_finished_before_the_next() {
        let mut arena = memory(64 * 10 + 7);
        let order = Order::Grouped { stride: 128, group: 4096 };
        let mut ring = Ring::build(arena.lines_mut(), order, 9).unwrap();
        let per = 4096 / 128;
        let groups: Vec<usize> = (0..ring.len()).map(|_| ring.walk(1) / per).collect();
        let changes = groups.windows(2).filter(|w| w[0] != w[1]).count();
        let all = ring.len().div_ceil(per);
        // The walk may begin in the middle of a group and end in its other half.
        assert!((all - 1..=all).contains(&changes), "{changes} changes among {all} groups");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn every_order_is_one_cycle_and_walks_like_its_reference(
            lines in 2usize..1200,
            stride in 1usize..6,
            seed: u64,
            kind in 0usize..5,
            pieces in prop::collection::vec(0u64..70, 1..6)
        ) {
            let order = orders(stride * 64)[kind];
            let (mut one, mut two) = (memory(lines), memory(lines));
            let Some(mut ring) = Ring::build(one.lines_mut(), order, seed) else {
                prop_assert!(lines <= stride);
                return Ok(());
            };
            let mut plain = Ring::build(two.lines_mut(), order, seed).unwrap();
            prop_assert_eq!(ring.len(), lines.div_ceil(stride));
            let start = ring.position();
            let mut seen = vec![false; ring.len()];
            for _ in 0..ring.len() {
                let at = ring.walk(1);
                prop_assert_eq!(at, plain.walk_reference(1));
                prop_assert!(!std::mem::replace(&mut seen[at], true), "slot {} twice", at);
            }
            prop_assert_eq!(ring.position(), start);
            for steps in pieces {
                prop_assert_eq!(ring.walk(steps), plain.walk_reference(steps));
            }
        }
    }

    type Walker = fn(&mut Ring<'_>, u64) -> usize;

    /// Does each load use what the last one returned? Rewires a ring behind the walker's back: only who follows
    /// the links as they are arrives where they lead.
    fn follows_its_loads(walk: Walker) -> bool {
        let mut arena = memory(64);
        let mut ring = Ring::build(arena.lines_mut(), Order::Random { stride: 64 }, 11).unwrap();
        walk(&mut ring, 64);
        let path: Vec<usize> = (0..64).map(|_| ring.walk_reference(1)).collect();
        // Cut 20 slots out of the cycle.
        ring.link(path[10], path[31]);
        let short = walk(&mut ring, 44);
        short == path[63] && ring.walk_reference(44) == path[63]
    }

    /// The negative control: loads that do not wait for each other, as a compiler or a careless index would make them.
    /// It reads as many words of the same ring and ends in the right place, and still measures no latency.
    fn independent(ring: &mut Ring<'_>, steps: u64) -> usize {
        use std::{cell::RefCell, collections::BTreeMap};
        thread_local!(static TABLE: RefCell<BTreeMap<usize, usize>> = const { RefCell::new(BTreeMap::new()) });
        TABLE.with_borrow_mut(|next| {
            if next.is_empty() {
                for _ in 0..ring.len() {
                    let from = ring.position();
                    next.insert(from, ring.walk_reference(1));
                }
            }
            let end = (0..steps).fold(ring.position(), |at, _| next[&at]);
            ring.at = ring.address(end);
            end
        })
    }

    #[test]
    fn the_walk_follows_its_loads_and_the_broken_chase_is_caught() {
        assert!(follows_its_loads(|r, n| r.walk(n)));
        assert!(follows_its_loads(|r, n| r.walk_reference(n)));
        let mut arena = memory(64);
        let mut ring = Ring::build(arena.lines_mut(), Order::Random { stride: 64 }, 11).unwrap();
        assert_eq!(independent(&mut ring, 64), 0, "on an untouched ring it looks right");
        assert!(!follows_its_loads(independent));
    }
}
