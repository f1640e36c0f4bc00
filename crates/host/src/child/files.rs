//! Descriptors for crews: each member needs two until it has ended, and the usual limit of 1024 is one of 500 members.
//! Our own limit is raised as far as it may be; programs are given the one that we were started with, since some make
//! tables of that size. Source: getrlimit(2).
use std::{mem, sync::OnceLock};

/// The limit that we were started with, once ours has been raised; nothing where it could not be asked.
pub(super) fn limit() -> Option<libc::rlimit> {
    static BEFORE: OnceLock<Option<libc::rlimit>> = OnceLock::new();
    *BEFORE.get_or_init(|| {
        // SAFETY: rlimit is integers only, for which all-zero bytes are a value.
        let mut before: libc::rlimit = unsafe { mem::zeroed() };
        // SAFETY: the kernel writes one rlimit, and `before` is one.
        if unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut before) } != 0 {
            return None;
        }
        let most = libc::rlimit { rlim_cur: before.rlim_max, ..before };
        // SAFETY: reads one rlimit. Where it is refused all stays as it was, which is no error before there are too many.
        unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const most) };
        Some(before)
    })
}
