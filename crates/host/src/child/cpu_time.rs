//! CPU time of this process with its living descendants, and of servers that others started and that are measured.
//! Source: getrusage(2), proc_pid_stat(5), which counts in clock ticks.
use super::{descendants, group, own_pid};
use crate::usage;
use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

/// Servers that are measured and that others started.
static INVITED: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Counts this process, which others started, and its descendants as ours from now on: it is what is measured.
pub fn count_as_ours(pid: u32) {
    INVITED.lock().unwrap_or_else(PoisonError::into_inner).insert(pid);
}

/// CPU time in seconds so far of this process, of its descendants, living and waited for, and of those that count as ours.
pub fn cpu_seconds_with_children() -> f64 {
    let ended = usage::process().cpu_seconds + usage::children().cpu_seconds;
    let invited = INVITED.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if invited.is_empty() && !group::any_child() {
        return ended;
    }
    let own = own_pid();
    let ours = |entry: &descendants::Entry| {
        entry.parent == own || invited.contains(&entry.pid.cast_unsigned())
    };
    ended + descendants::cpu_seconds(ours)
}

/// The same of one process and its living descendants.
pub fn cpu_seconds_of(pid: u32) -> f64 {
    descendants::cpu_seconds(|entry| entry.pid.cast_unsigned() == pid)
}
