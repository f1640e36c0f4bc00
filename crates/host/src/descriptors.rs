//! The limit of open files. Each member of a process group needs two descriptors until it has ended, each counter one; the
//! usual limit of 1024 is one of 500 members. Our own limit is raised as far as the system allows. Programs that we start
//! get the limit that we were started with, since some of them make tables of that size. Source: getrlimit(2).
use std::{mem, sync::OnceLock};

/// Raises our own limit, once. Gives the one that we were started with; nothing where it cannot be read.
pub(crate) fn raise_limit() -> Option<libc::rlimit> {
    static BEFORE: OnceLock<Option<libc::rlimit>> = OnceLock::new();
    *BEFORE.get_or_init(|| {
        // SAFETY: rlimit is integers only, for which all-zero bytes are a value.
        let mut before: libc::rlimit = unsafe { mem::zeroed() };
        // SAFETY: the kernel writes one rlimit, and `before` is one.
        if unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut before) } != 0 {
            return None;
        }
        let most = libc::rlimit { rlim_cur: before.rlim_max, ..before };
        // SAFETY: reads one rlimit. Where it is refused all stays as it is, which is no error before there are too many.
        unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const most) };
        Some(before)
    })
}

/// The limit for a program of another account, which cannot raise it: as many as ours, and 65,536 at least as a hard limit.
pub(crate) fn account_limit() -> Option<libc::rlimit> {
    raise_limit().map(|before| libc::rlimit { rlim_max: before.rlim_max.max(1 << 16), ..before })
}
