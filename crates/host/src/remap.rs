//! Single pages to unmap, protect and discard, to time the cost. No reference to their contents is given out, so every call
//! is safe.
use crate::{pages, syscall};
use record::Reason;

/// The state of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Usable,
    ReadOnly,
    Gone,
}

/// Pages that are each a mapping of its own, between two inaccessible ones.
#[derive(Debug)]
pub struct Patches {
    /// Address of the first one.
    first: usize,
    page: usize,
    states: Vec<State>,
}

impl Patches {
    /// Maps this many untouched pages.
    pub fn map(count: usize) -> Result<Patches, Reason> {
        let page = pages::base_page() as usize;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let failed = |e| Reason::new(format!("{count} pages cannot be mapped: {e}"));
        let all = (2 * count + 1) * page;
        let whole = syscall::mmap(all, libc::PROT_NONE, flags).map_err(failed)?;
        // From here on dropping it unmaps the pages.
        let patches = Patches { first: whole + page, page, states: vec![State::Usable; count] };
        for index in 0..count {
            syscall::make_usable(patches.start(index), page).map_err(failed)?;
        }
        Ok(patches)
    }
    /// The number of pages at first.
    pub fn count(&self) -> usize {
        self.states.len()
    }
    /// Writes to every writable page, with a page fault where it has no memory yet.
    pub fn touch(&mut self) {
        for index in 0..self.count() {
            if self.states[index] == State::Usable {
                // SAFETY: the page is mapped readable and writable, as its state says, and this value is the only one
                // that knows its address.
                unsafe { (self.start(index) as *mut u8).write_volatile(1) };
            }
        }
    }
    /// Unmaps a page; whether it was mapped.
    pub fn unmap(&mut self, index: usize) -> bool {
        if self.states.get(index).is_none_or(|s| *s == State::Gone) {
            return false;
        }
        self.states[index] = State::Gone;
        // SAFETY: the page is a whole mapping of this value's, which hands out no references; it is marked as gone, so
        // this happens once.
        unsafe { syscall::unmap(self.start(index), self.page) };
        true
    }
    /// Write-protects a page; whether it succeeded.
    pub fn protect(&mut self, index: usize) -> bool {
        self.change(index, State::Usable, State::ReadOnly, libc::PROT_READ)
    }
    /// Makes it writable again; whether it succeeded.
    pub fn permit(&mut self, index: usize) -> bool {
        self.change(index, State::ReadOnly, State::Usable, libc::PROT_READ | libc::PROT_WRITE)
    }
    /// Discards a page's memory (`MADV_DONTNEED`); whether it succeeded.
    pub fn discard(&mut self, index: usize) -> bool {
        if self.states.get(index).is_none_or(|s| *s == State::Gone) {
            return false;
        }
        let start = self.start(index) as *mut _;
        // SAFETY: the page is a mapping of this value's, and nobody has a reference into it: that it reads as zero from
        // now on changes nothing that anyone could have seen.
        unsafe { libc::madvise(start, self.page, libc::MADV_DONTNEED) == 0 }
    }

    fn change(&mut self, index: usize, from: State, to: State, protection: i32) -> bool {
        if self.states.get(index) != Some(&from) {
            return false;
        }
        let start = self.start(index) as *mut _;
        // SAFETY: the page is a mapping of this value's, and nobody has a reference into it; what may be done with it is
        // noted below and looked at before every touch.
        let done = unsafe { libc::mprotect(start, self.page, protection) } == 0;
        if done {
            self.states[index] = to;
        }
        done
    }
    fn start(&self, index: usize) -> usize {
        self.first + 2 * index * self.page
    }
}

impl Drop for Patches {
    fn drop(&mut self) {
        // One by one: another mapping may be where a page was.
        for index in 0..self.count() {
            self.unmap(index);
        }
        for guard in 0..=self.count() {
            // SAFETY: the inaccessible page before each of ours, and the one behind the last: mapped with them, known to
            // nobody, unmapped here only.
            unsafe { syscall::unmap(self.first + 2 * guard * self.page - self.page, self.page) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Lines of `/proc/self/maps` that lie in the range, as (start, permissions).
    fn maps(patches: &Patches) -> Vec<(usize, String)> {
        let end = patches.start(patches.count());
        let maps = fs::read_to_string("/proc/self/maps").unwrap();
        maps.lines()
            .filter_map(|line| {
                let (range, rest) = line.split_once(' ')?;
                let start = usize::from_str_radix(range.split_once('-')?.0, 16).ok()?;
                (patches.first..end).contains(&start).then(|| (start, rest[..4].to_owned()))
            })
            .collect()
    }
    fn permissions(patches: &Patches, index: usize) -> Option<String> {
        let at = patches.start(index);
        maps(patches).into_iter().find(|(start, _)| *start == at).map(|(_, p)| p)
    }

    #[test]
    fn every_page_is_a_mapping_of_its_own_and_changes_alone() {
        let mut patches = Patches::map(4).unwrap();
        patches.touch();
        assert!((0..4).all(|i| permissions(&patches, i).as_deref() == Some("rw-p")));
        assert!(patches.protect(1) && !patches.protect(1), "once is enough");
        assert!(patches.unmap(2) && !patches.unmap(2));
        assert_eq!(permissions(&patches, 0).as_deref(), Some("rw-p"));
        assert_eq!(permissions(&patches, 1).as_deref(), Some("r--p"));
        assert_eq!(permissions(&patches, 2), None);
        // A page that may not be written is left alone, one that is gone too.
        patches.touch();
        assert!(patches.permit(1) && !patches.permit(0) && !patches.permit(2));
        assert!(patches.discard(0) && !patches.discard(2) && !patches.discard(99));
        patches.touch();
    }

    #[test]
    fn a_discarded_page_faults_again_and_a_kept_one_does_not() {
        let mut patches = Patches::map(64).unwrap();
        patches.touch();
        let faults = |patches: &mut Patches| {
            let before = crate::usage::thread().minor_faults;
            patches.touch();
            crate::usage::thread().minor_faults - before
        };
        assert!(faults(&mut patches) < 64);
        assert!((0..64).all(|i| patches.discard(i)));
        assert!(faults(&mut patches) >= 64);
    }

    #[test]
    fn nothing_is_left_mapped() {
        let count = || fs::read_to_string("/proc/self/maps").unwrap().lines().count();
        let before = count();
        for _ in 0..200 {
            let mut patches = Patches::map(50).unwrap();
            assert!((0..50).step_by(3).all(|i| patches.unmap(i)));
        }
        // Other tests map and have threads meanwhile; what is left of each would be over 30.
        assert!(count() < before + 3000, "{before} mappings, now {}", count());
    }
}
