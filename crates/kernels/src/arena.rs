//! Owned, page-aligned, initialised memory, and its contents. Some processors write lines of zeros up to twice as fast as
//! others, so kernels are measured on random data.
use crate::line::Line;
use std::{
    alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error},
    any::Any,
    ptr::NonNull,
    slice,
};

/// Alignment of [`Arena::heap`]. A constant of the allocation, not a claim about the machine's pages.
const ALIGN: usize = 4096;

/// Memory, released when this is dropped.
#[derive(Debug)]
pub struct Arena {
    lines: NonNull<Line>,
    count: usize,
    /// Releases the memory.
    _owner: Box<dyn Any + Send>,
}

// SAFETY: an arena owns its memory and hands out references under the usual borrowing rules only.
unsafe impl Send for Arena {}

impl Arena {
    /// Zeroed memory from the allocator, for small buffers and tests; rounded down to whole lines.
    ///
    /// # Panics
    /// When the allocator knows no block of that size.
    pub fn heap(bytes: usize) -> Arena {
        let count = bytes / Line::BYTES;
        if count == 0 {
            return Arena { lines: NonNull::dangling(), count, _owner: Box::new(()) };
        }
        let layout = match Layout::from_size_align(count * Line::BYTES, ALIGN) {
            Ok(layout) => layout,
            Err(error) => panic!("{bytes} bytes: {error}"),
        };
        // SAFETY: the layout's size is not zero, as checked above.
        let ptr = unsafe { alloc_zeroed(layout) };
        let Some(lines) = NonNull::new(ptr.cast()) else { handle_alloc_error(layout) };
        Arena { lines, count, _owner: Box::new(Block { lines, layout }) }
    }

    /// Takes over memory allocated elsewhere; the arena covers its whole lines.
    ///
    /// # Panics
    /// When `ptr` is null or not aligned to a line.
    ///
    /// # Safety
    /// `ptr` must be valid for reads and writes of `bytes` initialised bytes, not used otherwise until `owner` is dropped, which
    /// releases them.
    pub unsafe fn from_raw(ptr: *mut u8, bytes: usize, owner: impl Any + Send) -> Arena {
        let lines: *mut Line = ptr.cast();
        assert!(lines.is_aligned(), "an arena starts at a line");
        let Some(lines) = NonNull::new(lines) else { panic!("an arena is not null") };
        Arena { lines, count: bytes / Line::BYTES, _owner: Box::new(owner) }
    }

    pub fn lines(&self) -> &[Line] {
        // SAFETY: the constructors vouch for `count` initialised lines that only this arena reaches.
        unsafe { slice::from_raw_parts(self.lines.as_ptr(), self.count) }
    }

    pub fn lines_mut(&mut self) -> &mut [Line] {
        // SAFETY: as in `lines`, and `&mut self` makes the borrow exclusive.
        unsafe { slice::from_raw_parts_mut(self.lines.as_ptr(), self.count) }
    }

    /// Size of [`Arena::lines`] in bytes.
    pub fn bytes(&self) -> usize {
        self.count * Line::BYTES
    }

    /// Its address, for system calls about its pages.
    pub fn as_ptr(&self) -> *const u8 {
        self.lines.as_ptr().cast()
    }
}

/// A block of the allocator.
struct Block {
    lines: NonNull<Line>,
    layout: Layout,
}

// SAFETY: it is only dropped, and the allocator takes blocks from any thread.
unsafe impl Send for Block {}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: it came from `alloc_zeroed` with this layout, and its arena, which lent it out, is gone.
        unsafe { dealloc(self.lines.as_ptr().cast(), self.layout) }
    }
}

/// Fills with doubles in `1.0..2.0` with random mantissas: arithmetic on them meets no NaN, infinity or denormal, and no two
/// lines are equal in practice.
#[inline(never)]
pub fn fill_random(lines: &mut [Line], seed: u64) {
    // Eight xorshift generators side by side: shifts and xors only, which compilers turn into vector code.
    let mut lanes = [0u64; 8];
    for (i, lane) in lanes.iter_mut().enumerate() {
        *lane = mix(seed.wrapping_add(1 + i as u64)) | 1;
    }
    for line in lines {
        for (word, x) in line.0.iter_mut().zip(&mut lanes) {
            *x ^= *x << 13;
            *x ^= *x >> 7;
            *x ^= *x << 17;
            *word = (*x >> 12) | 1f64.to_bits();
        }
    }
}

/// Fills with zeros, for measurements beside random contents, never instead of them.
#[inline(never)]
pub fn fill_zero(lines: &mut [Line]) {
    lines.fill(Line::ZERO);
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): neighbouring seeds become unrelated words.
pub(crate) fn mix(seed: u64) -> u64 {
    let z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn random_words_are_harmless_and_lines_differ() {
        let mut arena = Arena::heap(64 << 10);
        fill_random(arena.lines_mut(), 7);
        let lines: BTreeSet<[u64; 8]> = arena.lines().iter().map(|l| l.0).collect();
        assert_eq!(lines.len(), 1024);
        assert!(lines.iter().flatten().all(|w| (1.0..2.0).contains(&f64::from_bits(*w))));
        let first = arena.lines()[0];
        fill_random(arena.lines_mut(), 8);
        assert_ne!(arena.lines()[0], first, "the seed must matter");
        fill_zero(arena.lines_mut());
        assert!(arena.lines().iter().all(|l| *l == Line::ZERO));
    }

    #[test]
    fn sizes_are_whole_lines() {
        for (bytes, want) in [(0, 0), (63, 0), (64, 64), (200, 192), (8192, 8192)] {
            let arena = Arena::heap(bytes);
            assert_eq!(arena.bytes(), want);
            assert_eq!(arena.lines().len() * 64, want);
            assert!(want == 0 || arena.as_ptr().addr().is_multiple_of(4096));
        }
    }

    #[test]
    fn foreign_memory_is_released_once() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static RELEASED: AtomicUsize = AtomicUsize::new(0);
        struct Counts;
        impl Drop for Counts {
            fn drop(&mut self) {
                RELEASED.fetch_add(1, Ordering::Relaxed);
            }
        }
        let mut lines = [Line::ZERO; 3];
        // SAFETY: the lines outlive the arena and are not touched meanwhile; `Counts` releases nothing.
        let arena = unsafe { Arena::from_raw(lines.as_mut_ptr().cast(), 150, Counts) };
        assert_eq!((arena.bytes(), arena.lines().len()), (128, 2));
        drop(arena);
        assert_eq!(RELEASED.load(Ordering::Relaxed), 1);
    }
}
