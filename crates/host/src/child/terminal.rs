//! The command gets the terminal while it runs: its process group is not ours, and only one group may read the keys and
//! be interrupted by them. Source: tcsetpgrp(3), and what shells do of job control.
use super::kill;
use std::{io::IsTerminal, mem, ptr};

/// The terminal, given to a process group until this is dropped.
#[derive(Debug)]
pub(super) struct ForegroundGroup {
    to: libc::pid_t,
    ours: libc::pid_t,
}

impl ForegroundGroup {
    /// Gives it away, if this process has one and is in its foreground.
    pub(super) fn to(group: libc::pid_t) -> Option<ForegroundGroup> {
        if !std::io::stdin().is_terminal() {
            return None;
        }
        // SAFETY: takes nothing and returns an integer.
        let ours = unsafe { libc::getpgrp() };
        // SAFETY: takes an integer and returns one.
        let heard = unsafe { libc::tcgetpgrp(0) };
        // A group outside our PID namespace is 0: the terminal could not be given back to it.
        (heard == ours && ours > 0).then(|| {
            give(group);
            ForegroundGroup { to: group, ours }
        })
    }
    /// The command was stopped (Ctrl-Z): we stop too, so that our shell notices, and continue together.
    pub(super) fn stop_together(&self) {
        give(self.ours);
        // SAFETY: takes an integer. It returns when somebody continues us.
        unsafe { libc::raise(libc::SIGSTOP) };
        give(self.to);
        kill(-self.to, libc::SIGCONT);
    }
}

impl Drop for ForegroundGroup {
    fn drop(&mut self) {
        give(self.ours);
    }
}

/// Makes a group the foreground group of the terminal. SIGTTOU would stop a background process that does so, unless it is
/// blocked.
fn give(group: libc::pid_t) {
    // SAFETY: a set of signals is integers only, for which all-zero bytes are a value.
    let mut blocked: libc::sigset_t = unsafe { mem::zeroed() };
    // SAFETY: as above.
    let mut before: libc::sigset_t = unsafe { mem::zeroed() };
    // SAFETY: writes to a set of ours.
    unsafe { libc::sigaddset(&raw mut blocked, libc::SIGTTOU) };
    // SAFETY: reads one set of ours and writes the other.
    unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &raw const blocked, &raw mut before) };
    // SAFETY: takes integers.
    unsafe { libc::tcsetpgrp(0, group) };
    // SAFETY: reads a set of ours; no old one is asked for.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, ptr::null_mut()) };
}
