//! Orphaned descendants become our children, and are killed. Supervisors are exempt.
//! Source: PR_SET_CHILD_SUBREAPER of prctl(2), proc(5).
use super::{kill, own_pid, supervised::supervisors};
use std::{collections::BTreeSet, fs, io};

/// Makes this process the subreaper of its descendants (Linux 3.4).
pub(super) fn adopt() -> io::Result<()> {
    // SAFETY: takes integers.
    let done = unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Our children, zombies included, supervisors excluded.
pub(super) fn children() -> BTreeSet<libc::pid_t> {
    let Ok(entries) = fs::read_dir("/proc") else { return BTreeSet::new() };
    let own = own_pid();
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter(|pid| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
        stat.is_ok_and(|stat| parent_of(&stat) == Some(own))
    })
    .filter(|pid| !supervisors().contains(pid))
    .collect()
}

/// The fourth word. The second is a name in brackets, which may hold any character.
fn parent_of(stat: &str) -> Option<libc::pid_t> {
    stat.rsplit_once(") ")?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// Signals all our children except `known`.
pub(super) fn signal_all(known: &BTreeSet<libc::pid_t>, signal: i32) {
    for pid in children().difference(known) {
        kill(*pid, signal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_is_found_behind_any_name() {
        assert_eq!(parent_of("12 (sh) S 7 12 12 0"), Some(7));
        assert_eq!(parent_of("12 (a) R 9 (b) c) Z 8 12"), Some(8));
        assert_eq!(parent_of("12 (sh"), None);
    }
}
