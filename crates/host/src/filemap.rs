//! A file in memory, and untouched mappings of it, to time page faults on files.
use crate::syscall;
use record::Reason;
use rustix::fs::{MemfdFlags, memfd_create};
use std::{
    fs::File,
    io,
    os::{fd::AsRawFd, unix::fs::FileExt},
};

/// An anonymous file in the page cache (memfd_create(2)), with all pages present.
#[derive(Debug)]
pub struct MemoryFile {
    file: File,
    bytes: usize,
}

impl MemoryFile {
    /// A file of this size without zero bytes.
    pub fn new(bytes: usize) -> Result<MemoryFile, Reason> {
        let failed = |e: io::Error| Reason::new(format!("no file in memory of {bytes} bytes: {e}"));
        let file = memfd_create("cpulens", MemfdFlags::CLOEXEC).map_err(|e| failed(e.into()))?;
        let file = File::from(file);
        let chunk = vec![0x5a; 64 << 10];
        for start in (0..bytes).step_by(chunk.len()) {
            let part = &chunk[..chunk.len().min(bytes - start)];
            file.write_all_at(part, start as u64).map_err(failed)?;
        }
        Ok(MemoryFile { file, bytes })
    }
    /// Maps the whole file for reading, shared with its page cache.
    pub fn shared(&self) -> Result<View, Reason> {
        self.view(libc::PROT_READ, libc::MAP_SHARED)
    }
    /// Maps the whole file privately: the first write to a page copies it.
    pub fn private(&self) -> Result<View, Reason> {
        self.view(libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE)
    }

    fn view(&self, protection: i32, flags: i32) -> Result<View, Reason> {
        let start = syscall::mmap_file(self.file.as_raw_fd(), self.bytes, protection, flags)
            .map_err(|e| Reason::new(format!("the file in memory cannot be mapped: {e}")))?;
        let writable = protection & libc::PROT_WRITE != 0;
        Ok(View { start, bytes: self.bytes, writable })
    }
}

/// A mapping of a [`MemoryFile`], unmapped when dropped.
#[derive(Debug)]
pub struct View {
    start: usize,
    bytes: usize,
    writable: bool,
}

impl View {
    /// Touches the first byte of every `stride` bytes, by a write where the mapping is writable, else by a read. Gives the
    /// number of touched bytes.
    pub fn touch_each(&mut self, stride: usize) -> usize {
        let mut touched = 0;
        for offset in (0..self.bytes).step_by(stride.max(1)) {
            let byte = (self.start + offset) as *mut u8;
            if self.writable {
                // SAFETY: inside the mapping, which is writable, private, and known to this value alone; the file behind
                // it has that length and is never cut.
                unsafe { byte.write_volatile(1) };
            } else {
                // SAFETY: inside the mapping, which is readable; the file behind it has that length, is never cut, and
                // never written once it is made.
                unsafe { byte.read_volatile() };
            }
            touched += 1;
        }
        touched
    }
}

impl Drop for View {
    fn drop(&mut self) {
        // SAFETY: a whole mapping of this value's, which hands out no references.
        unsafe { syscall::unmap(self.start, self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGES: usize = 64;

    fn faults(work: impl FnOnce() -> usize) -> u64 {
        let before = crate::usage::thread().minor_faults;
        assert_eq!(work(), PAGES);
        crate::usage::thread().minor_faults - before
    }

    #[test]
    fn a_private_view_faults_on_every_page_once_and_leaves_the_file_alone() {
        let page = crate::pages::base_page() as usize;
        let file = MemoryFile::new(PAGES * page).unwrap();
        let mut private = file.private().unwrap();
        assert!(faults(|| private.touch_each(page)) >= PAGES as u64);
        assert!(faults(|| private.touch_each(page)) < PAGES as u64);
        let mut byte = [0];
        file.file.read_exact_at(&mut byte, 0).unwrap();
        assert_eq!(byte, [0x5a], "what was written is in the copy");
        // The page cache has everything: a read maps it, and may map neighbours along with it.
        let mut shared = file.shared().unwrap();
        assert!((1..=PAGES as u64 + 8).contains(&faults(|| shared.touch_each(page))));
    }

    #[test]
    fn a_file_has_the_length_that_was_asked_for() {
        for bytes in [1, 4096, (64 << 10) + 5] {
            let file = MemoryFile::new(bytes).unwrap();
            assert_eq!(file.file.metadata().unwrap().len(), bytes as u64);
        }
    }
}
