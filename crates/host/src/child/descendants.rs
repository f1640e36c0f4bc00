//! Orphaned descendants become our children. Supervisors are exempt.
//! Source: PR_SET_CHILD_SUBREAPER of prctl(2), proc_pid_stat(5).
use super::{kill, own_pid, supervised::supervisors};
use crate::process_stat::{ProcessStat, numbers};
use rustix::process::{getpid, set_child_subreaper};
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
};

/// Makes this process the subreaper of its descendants (Linux 3.4).
pub(super) fn adopt() -> io::Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// A process of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) pid: libc::pid_t,
    pub(super) parent: libc::pid_t,
    pub(super) name: String,
    pub(super) zombie: bool,
    /// CPU time of it and of the children that it waited for, in clock ticks.
    ticks: u64,
}

impl Entry {
    fn of(stat: ProcessStat) -> Option<Entry> {
        Some(Entry {
            pid: stat.pid.cast_signed(),
            parent: stat.field(4)?,
            zombie: stat.field(3) == Some('Z'),
            // utime, stime, cutime and cstime.
            ticks: (14..=17).filter_map(|field| stat.field::<u64>(field)).sum(),
            name: stat.name,
        })
    }
}

/// All processes that /proc shows.
fn processes() -> Vec<Entry> {
    let pids = numbers("/proc").into_iter().flatten();
    pids.filter_map(|pid| Entry::of(ProcessStat::of(format!("/proc/{pid}"))?)).collect()
}

/// These processes and all their living descendants, each once.
pub(super) fn trees(roots: impl Fn(&Entry) -> bool) -> Vec<Entry> {
    let mut children: BTreeMap<libc::pid_t, Vec<Entry>> = BTreeMap::new();
    let (mut found, mut looked_at) = (vec![], 0);
    for entry in processes() {
        match roots(&entry) {
            true => found.push(entry),
            false => children.entry(entry.parent).or_default().push(entry),
        }
    }
    while let Some(parent) = found.get(looked_at).map(|entry: &Entry| entry.pid) {
        found.extend(children.remove(&parent).into_iter().flatten());
        looked_at += 1;
    }
    found
}

/// CPU time in seconds so far of these processes and all their living descendants, with that of the children that each has
/// waited for.
pub(super) fn cpu_seconds(roots: impl Fn(&Entry) -> bool) -> f64 {
    let ticks: u64 = trees(roots).iter().map(|entry| entry.ticks).sum();
    ticks as f64 / crate::usage::ticks_per_second()
}

/// Our children, zombies included, supervisors excluded.
pub(super) fn children() -> BTreeSet<libc::pid_t> {
    let own = own_pid();
    // Locked before the processes are read: none of these supervisors was started or forgotten meanwhile.
    let supervisors = supervisors();
    let ours = processes().into_iter().filter(|entry| entry.parent == own).map(|entry| entry.pid);
    ours.filter(|pid| !supervisors.contains(pid)).collect()
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
        let entry = |stat| Entry::of(ProcessStat::parse(stat)?);
        let read = |stat| entry(stat).map(|e| (e.parent, e.name, e.zombie));
        assert_eq!(read("12 (sh) S 7 12 12 0"), Some((7, "sh".into(), false)));
        assert_eq!(read("12 (a) R 9 (b) c) Z 8 12"), Some((8, "a) R 9 (b) c".into(), true)));
        assert_eq!(read("12 (sh"), None);
        let ticks = |stat| entry(stat).map(|e| e.ticks);
        let line = "7 (a b) S 1 7 7 0 -1 4194560 99 98 97 96 10 20 30 40 20 0 1 0";
        assert_eq!((ticks(line), ticks("7 (a) S 1")), (Some(100), Some(0)));
    }
}
