//! Cache eviction: reads other memory, so that the lines of a buffer that was just filled or linked leave the caches. A large
//! cache would otherwise serve a part of the first loads.
use kernels::{Arena, Line, Ring};
use measure::place;
use record::{Machine, Pages, Reason};

/// Times that it is read: some replacement policies keep old lines at the first pass.
pub(crate) const TURNS: u32 = 2;

/// As much memory as a CPU's last-level cache holds.
pub(crate) struct EvictionBuffer(Arena);

impl EvictionBuffer {
    /// Its bytes for this CPU: those of the last-level cache, an eighth of what is free at most.
    pub(crate) fn bytes(machine: &Machine, cpu: u32, free: Option<u64>) -> u64 {
        let llc = machine.topology.last_level_bytes(cpu).unwrap_or(place::UNKNOWN_LLC);
        place::within(llc, 4, free)
    }
    /// Maps `bytes` near the calling thread, which must be pinned; `None` if they are too few to matter.
    ///
    /// # Errors
    /// The memory cannot be had.
    pub(crate) fn map(bytes: u64, pages: Pages) -> Result<Option<EvictionBuffer>, Reason> {
        // Reserved pages are few, and the buffer has taken them.
        let pages = if matches!(pages, Pages::Hugetlb(_)) { Pages::Base } else { pages };
        if bytes < place::LEAST {
            return Ok(None);
        }
        let mut arena =
            host::pages::map(&host::pages::Request { bytes: bytes as usize, pages, node: None })?;
        kernels::fill_random(arena.lines_mut(), 1);
        Ok(Some(EvictionBuffer(arena)))
    }
    /// Reads a word of every line, and again.
    pub(crate) fn read(&self) {
        for _ in 0..TURNS {
            std::hint::black_box(self.0.lines().iter().fold(0, |sum, line: &Line| sum ^ line.0[0]));
        }
    }
}

/// Evicts a ring from the caches after it was linked: by so many bytes of other memory, or by one turn around the ring if
/// there is too little memory.
///
/// # Errors
/// The other memory cannot be had.
pub(crate) fn evict_caches(ring: &mut Ring<'_>, bytes: u64, pages: Pages) -> Result<(), Reason> {
    match EvictionBuffer::map(bytes, pages)? {
        Some(other) => other.read(),
        None => _ = ring.walk(ring.len() as u64),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Cache, CacheKind};

    #[test]
    fn as_much_is_read_as_the_cache_holds_and_there_is_room_for() {
        let mut machine = Machine::default();
        let bytes = |machine: &Machine, free| EvictionBuffer::bytes(machine, 0, Some(free));
        assert_eq!(bytes(&machine, 1 << 40), place::UNKNOWN_LLC);
        machine.topology.caches.push(Cache {
            level: 3,
            kind: CacheKind::Unified,
            bytes: Some(504 << 20),
            line: None,
            ways: None,
            cpus: [0].into_iter().collect(),
        });
        assert_eq!((bytes(&machine, 1 << 40), bytes(&machine, 1 << 30)), (504 << 20, 128 << 20));
        assert!(EvictionBuffer::map(place::LEAST - 1, Pages::Base).unwrap().is_none());
        EvictionBuffer::map(place::LEAST, Pages::Hugetlb(2 << 20)).unwrap().unwrap().read();
    }
}
