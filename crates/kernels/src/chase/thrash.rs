//! The ring of lmbench's `lat_mem_rd -t`: every load is on another page than the last, and the lines of a page come in
//! bit-reversed order, one each time around the pages. Written anew from how lmbench 3 behaves, with its quirks.
//!
//! Source: McVoy and Staelin, lmbench 3 (`lat_mem_rd`, `lib_mem`).
use super::{Ring, shuffled};
use crate::line::Line;

/// The page order that all rings of one buffer share.
#[derive(Debug, Clone)]
pub struct Thrash {
    /// Lines from slot to slot.
    stride: usize,
    /// Lines of a page.
    page: usize,
    /// Pages in the order of the ring.
    pages: Vec<u32>,
}

impl Thrash {
    /// An order of the first `pages` pages of a buffer, `page` bytes each, with a slot every `stride` bytes. `None` unless
    /// both are powers of two and a page has room for two slots of whole lines.
    pub fn new(pages: u32, page: usize, stride: usize, seed: u64) -> Option<Thrash> {
        let fit = page.is_power_of_two() && stride.is_power_of_two() && stride >= Line::BYTES;
        (fit && page >= 2 * stride && pages > 0).then(|| Thrash {
            stride: stride / Line::BYTES,
            page: page / Line::BYTES,
            pages: shuffled(pages, seed),
        })
    }

    /// The same order begun at the page of this number: rings of few pages then lie on others, which follow each other
    /// in the order as before.
    #[must_use]
    pub fn begun_at(&self, number: usize) -> Thrash {
        let mut begun = self.clone();
        let at = number % begun.pages.len().max(1);
        begun.pages.rotate_left(at);
        begun
    }

    /// The buffer's pages in the order in which the rings come to them.
    pub fn pages(&self) -> &[u32] {
        &self.pages
    }

    /// Calls `link` with every pair of lines that follow each other, in the order in which lmbench writes them.
    fn links(&self, lines: usize, mut link: impl FnMut(usize, usize)) -> Option<()> {
        if !lines.is_multiple_of(self.page) {
            // No whole pages: one stretch from the start of the buffer, bit-reversed throughout. Of a number of slots that
            // is no power of two the highest bit is lost, so that the last slots name those of the first again: the ring
            // closes early, and only as many slots as are over that power are ever visited.
            let slots = lines / self.stride;
            let bits = slots.checked_ilog2()?;
            let at = |i: usize| reversed(i, bits) * self.stride;
            for slot in 0..slots {
                link(at(slot), if slot + 1 == slots { 0 } else { at(slot + 1) });
            }
            return Some(());
        }
        let slots = self.page / self.stride;
        let bits = slots.ilog2();
        let within = |i: usize| reversed(i % slots, bits) * self.stride;
        let pages = self.pages.get(..lines / self.page)?;
        for (i, page) in pages.iter().enumerate() {
            // Behind the last page the first follows, one slot on.
            let (next, on) = pages.get(i + 1).map_or((*pages.first()?, 1), |next| (*next, i + 1));
            for j in 0..slots {
                let from = *page as usize * self.page + within(i + j);
                link(from, next as usize * self.page + within(on + j));
            }
        }
        Some(())
    }
}

impl<'a> Ring<'a> {
    /// The ring over `bytes` of the borrowed memory in lmbench's order; `len` is the loads that lmbench calls a turn, and
    /// `position` counts lines. `None` where that is less than two slots, or more than there is.
    pub fn thrash(lines: &'a mut [Line], bytes: usize, order: &Thrash) -> Option<Ring<'a>> {
        let mut ring = Ring::empty(lines, 1, None);
        ring.rewrite(bytes, order)?;
        Some(ring)
    }

    /// Writes all links of a ring of [`Ring::thrash`] anew and goes to its start, as lmbench does before each interval.
    /// Nothing changes where it returns `None`: `thrash` would, too, or this ring is of another kind.
    pub fn rewrite(&mut self, bytes: usize, order: &Thrash) -> Option<()> {
        let size = bytes / Line::BYTES;
        let slots = size / order.stride;
        let paged = size.is_multiple_of(order.page);
        let pages = if paged { order.pages.get(..size / order.page)? } else { &[] };
        let needed = pages.iter().max().map_or(size, |last| (*last as usize + 1) * order.page);
        if self.seed.is_some() || slots < 2 || needed > self.lines.len() {
            return None;
        }
        order.links(size, |from, to| self.link(from, to))?;
        self.slots = slots;
        self.at = self.address(pages.first().map_or(0, |page| *page as usize * order.page));
        Some(())
    }
}

/// The lowest `bits` bits in reverse, without those above.
fn reversed(value: usize, bits: u32) -> usize {
    if bits == 0 { 0 } else { value.reverse_bits() >> (usize::BITS - bits) & ((1 << bits) - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Arena;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The lines of one turn.
    fn turn(bytes: usize, order: &Thrash) -> Option<Vec<usize>> {
        let mut arena = Arena::heap(1 << 20);
        let mut ring = Ring::thrash(arena.lines_mut(), bytes, order)?;
        let first = ring.position();
        let mut path = vec![first];
        loop {
            let at = ring.walk(1);
            if at == first {
                return Some(path);
            }
            assert!(path.len() < 1 << 14, "it never comes back");
            path.push(at);
        }
    }

    #[test]
    fn bits_are_reversed() {
        let all: Vec<usize> = (0..8).map(|i| reversed(i, 3)).collect();
        assert_eq!(all, [0, 4, 2, 6, 1, 5, 3, 7]);
        assert_eq!((reversed(9, 3), reversed(5, 0)), (4, 0));
    }

    #[test]
    fn an_order_begun_elsewhere_has_the_same_neighbours() {
        let order = Thrash::new(16, 4096, 64, 1).unwrap();
        let (all, begun) = (order.pages(), order.begun_at(20));
        assert_eq!(begun.pages(), [&all[4..], &all[..4]].concat());
    }

    /// The sizes of lmbench's own steps below 32 KiB that are no whole pages: only what is over a power of two.
    #[test]
    fn uneven_sizes_visit_a_subset_as_lmbench_does() {
        let order = Thrash::new(256, 4096, 64, 1).unwrap();
        for (bytes, visited) in
            [(512, 8), (1024, 16), (2048, 32), (3072, 16), (6144, 32), (10240, 32), (30720, 224)]
        {
            assert_eq!(turn(bytes, &order).unwrap().len(), visited, "{bytes}");
        }
    }

    #[test]
    fn a_ring_is_rewritten_from_its_start() {
        let order = Thrash::new(16, 4096, 64, 1).unwrap();
        let mut arena = Arena::heap(1 << 16);
        let mut ring = Ring::thrash(arena.lines_mut(), 1 << 14, &order).unwrap();
        let start = ring.position();
        let path: Vec<usize> = (0..100).map(|_| ring.walk(1)).collect();
        assert_eq!(ring.rewrite(1 << 17, &order), None);
        assert_eq!((ring.len(), ring.position()), (256, path[99]));
        ring.rewrite(1 << 14, &order).unwrap();
        assert_eq!(ring.position(), start);
        assert_eq!((0..100).map(|_| ring.walk(1)).collect::<Vec<_>>(), path);
        let mut other = Ring::through(arena.lines_mut(), &[1, 2], 3).unwrap();
        assert_eq!(other.rewrite(1 << 14, &order), None);
    }

    #[test]
    fn what_does_not_fit_is_none() {
        let order = Thrash::new(256, 4096, 64, 1).unwrap();
        assert!(turn(64, &order).is_none());
        assert!(turn(257 * 4096, &order).is_none());
        assert!(Ring::thrash(Arena::heap(8192).lines_mut(), 8192, &order).is_none());
        assert!(Thrash::new(4, 4096, 96, 1).is_none());
        assert!(Thrash::new(4, 4096, 32, 1).is_none());
        assert!(Thrash::new(4, 4096, 4096, 1).is_none());
        assert!(Thrash::new(0, 4096, 64, 1).is_none());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn every_load_is_on_another_page_and_every_line_comes_once(
            pages in 1usize..60, shift in 0u32..4, seed: u64
        ) {
            let order = Thrash::new(200, 4096, 64 << shift, seed).unwrap();
            let path = turn(pages * 4096, &order).unwrap();
            let lines: BTreeSet<usize> = path.iter().copied().collect();
            prop_assert_eq!((path.len(), lines.len()), (pages * (64 >> shift), pages * (64 >> shift)));
            prop_assert!(lines.iter().all(|l| l.is_multiple_of(1 << shift)));
            let page = |line: &usize| (line / 64) as u32;
            prop_assert!(pages == 1 || path.windows(2).all(|w| page(&w[0]) != page(&w[1])));
            // Round after round the pages come in the same order, and each time the next line of it is read.
            for (i, line) in path.iter().enumerate() {
                prop_assert_eq!(page(line), order.pages()[i % pages]);
                let slots = 64 >> shift;
                let within = reversed((i % pages + i / pages) % slots, (slots as u32).ilog2());
                prop_assert_eq!(line % 64, within << shift);
            }
        }
    }
}
