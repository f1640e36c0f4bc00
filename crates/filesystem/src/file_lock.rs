//! The lock on an open file, which ends with its holder. Source: flock(2).
use std::fs::File;

/// A file that is locked, or was tried to; unlocked when this is dropped. Closing it is not enough: a process that was just
/// forked may have a copy of it.
#[derive(Debug)]
pub struct FileLock(pub File);

impl FileLock {
    /// Unlocks it.
    pub fn release(&self) {
        // A file that is not locked need not be unlocked.
        let _ = self.0.unlock();
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        self.release();
    }
}
