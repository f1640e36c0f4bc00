//! Processes that a command started and left running: they live on, as after a command of a shell, or are ended.
//! Source: daemon(7), proc_pid_stat(5).
use super::descendants;
use std::collections::BTreeSet;

/// A process that lives on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Running {
    /// The name of its program, of at most 15 bytes.
    pub name: String,
    pub pid: u32,
}

/// All living descendants of this process, without the trees of `foreign` and without supervisors.
pub(super) fn running(foreign: &BTreeSet<libc::pid_t>) -> Vec<Running> {
    // Locked as in `descendants::children`.
    let (own, supervisors) = (super::own_pid(), super::supervised::supervisors());
    let found = descendants::trees(|entry| {
        entry.parent == own && !foreign.contains(&entry.pid) && !supervisors.contains(&entry.pid)
    });
    let alive = found.into_iter().filter(|entry| !entry.zombie);
    let mut running: Vec<Running> =
        alive.map(|entry| Running { name: entry.name, pid: entry.pid.cast_unsigned() }).collect();
    running.sort_unstable();
    running
}

/// Their programs with counts: `sleep (2), sshd`.
pub fn names(running: &[Running]) -> String {
    let one = |(name, count): (&str, usize)| match count {
        1 => name.to_owned(),
        _ => format!("{name} ({count})"),
    };
    record::counts(running.iter().map(|one| one.name.as_str()))
        .into_iter()
        .map(one)
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_counted_by_name() {
        let one = |name: &str, pid| Running { name: name.into(), pid };
        assert_eq!(names(&[one("a", 1), one("b", 2), one("a", 3)]), "a (2), b");
        assert_eq!(names(&[]), "");
    }
}
