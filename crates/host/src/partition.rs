//! A CPU reserved for this process: a cpuset partition of cgroup v2, isolated from load balancing. It is removed in the end,
//! by a supervisor if this process is killed. Tasks are kept away, interrupts are not.
//! Source: kernel, Documentation/admin-guide/cgroup-v2.rst (`cpuset.cpus.partition`).
use crate::{
    child::Cleanup,
    cpus,
    owner::{self, Lock, Owner},
};
use filesystem::file_lock::FileLock;
use record::{CpuSet, OrWhy, Reason};
use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    time::Duration,
};

/// The controllers of the child groups.
const CONTROL: &str = "cgroup.subtree_control";
/// Names of groups begin with it; the owner and what it is follow.
pub(crate) const PREFIX: &str = "cpulens-";
/// The end of the name of a group for which cpusets were enabled.
const SWITCHED: &str = "-cpuset";
/// Age from which on a group of another pid namespace without a lock is no longer about to be locked.
const SETTLED: Duration = Duration::from_secs(60);

/// A group with one CPU below the root of the hierarchy. It becomes a partition when it is entered.
#[derive(Debug)]
pub struct Partition {
    root: PathBuf,
    folder: PathBuf,
    /// The present group of this process.
    home: PathBuf,
    /// Whether cpusets were enabled for this, to be disabled again.
    switched: bool,
    /// Does the same if this process is killed.
    cleanup: Option<Cleanup>,
    /// Shows that this process lives; nothing until the group exists.
    _claim: Option<FileLock>,
}

/// Keeps this process in the partition until it is dropped.
#[derive(Debug)]
pub struct PartitionMember<'a> {
    partition: &'a Partition,
    cpus: Option<CpuSet>,
}

impl Partition {
    /// Creates the group for this CPU. Fails for the only CPU of the machine.
    pub fn new(cpu: u32) -> Result<Partition, Reason> {
        let alone = cpus::affinity().is_ok_and(|cpus| cpus.len() < 2);
        if alone {
            return Err(Reason::new("the only CPU cannot be kept from all others"));
        }
        let read = |file: &str| fs::read_to_string(file).unwrap_or_default();
        let root = mounted(&read("/proc/self/mountinfo")).or_why(
            "there is no cgroup v2 hierarchy here",
            "boot with systemd.unified_cgroup_hierarchy=1, or mount -t cgroup2 none /sys/fs/cgroup",
        )?;
        Partition::below(root, &read("/proc/self/cgroup"), cpu)
    }

    fn below(root: PathBuf, groups: &str, cpu: u32) -> Result<Partition, Reason> {
        if !has_cpuset(&root, "cgroup.controllers") {
            return Err(Reason::mended_by(
                format!("{} has no cpuset controller", root.display()),
                "a kernel with CONFIG_CPUSETS, and no cgroup v1 hierarchy that has taken it",
            ));
        }
        let own = groups.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or("");
        // What runs that were killed together with their supervisor have left would keep its CPUs.
        sweep(&root);
        let switched = if has_cpuset(&root, CONTROL) { "" } else { SWITCHED };
        let folder = root.join(format!("{PREFIX}{}{switched}", Owner::this_process().name()));
        let home = root.join(own);
        let control = root.join(CONTROL);
        let then = (!switched.is_empty()).then_some((control.as_path(), "-cpuset"));
        // Started before this process moves: a supervisor inside the group would keep it from being removed.
        let cleanup = Cleanup::of_group(&folder, then).ok();
        let mut partition =
            Partition { root, folder, home, switched: false, cleanup, _claim: None };
        fs::create_dir(&partition.folder).map_err(|e| refused(&partition.folder, &e))?;
        partition._claim = owner::lock(&partition.folder).ok().map(|(_, claim)| claim);
        if !has_cpuset(&partition.root, CONTROL) {
            put(&partition.root.join(CONTROL), "+cpuset")?;
            partition.switched = true;
        }
        put(&partition.folder.join("cpuset.cpus"), &cpu.to_string())?;
        Ok(partition)
    }

    /// Takes the CPU from all other tasks, and moves this process into the group.
    pub fn enter(&self) -> Result<PartitionMember<'_>, Reason> {
        let state = self.folder.join("cpuset.cpus.partition");
        // From here on dropping it undoes everything.
        let inside = PartitionMember { partition: self, cpus: cpus::affinity().ok() };
        put(&state, "isolated")?;
        let found = fs::read_to_string(&state).unwrap_or_default();
        if found.trim() != "isolated" {
            return Err(Reason::mended_by(
                format!("the kernel makes no isolated partition of it: {}", found.trim()),
                "no other group may have the CPU as its own, and the hierarchy's root must be the machine's",
            ));
        }
        put(&self.folder.join("cgroup.procs"), &std::process::id().to_string())?;
        Ok(inside)
    }
}

impl Drop for PartitionMember<'_> {
    fn drop(&mut self) {
        let partition = self.partition;
        let _ = put(&partition.home.join("cgroup.procs"), &std::process::id().to_string());
        let _ = put(&partition.folder.join("cpuset.cpus.partition"), "member");
        // The group has restricted the thread to its CPU.
        if let Some(cpus) = &self.cpus {
            let _ = cpus::confine(0, cpus);
        }
    }
}

impl Drop for Partition {
    fn drop(&mut self) {
        let removed = fs::remove_dir(&self.folder);
        if self.switched {
            let _ = put(&self.root.join(CONTROL), "-cpuset");
        }
        let gone = removed.is_ok() || !self.folder.exists();
        // The supervisor keeps trying to remove a busy group for some seconds.
        self.cleanup.take().filter(|_| gone).into_iter().for_each(Cleanup::cancel);
    }
}

/// The present cgroup v2 group of this process; nothing where there is none.
pub(crate) fn own_group() -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let group = mounted(&mounts)?.join(own);
    group.join("cgroup.procs").exists().then_some(group)
}

/// Removes empty groups of runs that have surely ended from this group, or from resctrl.
pub(crate) fn sweep(root: &Path) {
    let us = Owner::this_process();
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let Some((name, owner)) = name.and_then(|name| Some((name, Owner::of_name(name)?))) else {
            continue;
        };
        let folder = entry.path();
        let Ok((lock, _claim)) = owner::lock(&folder) else { continue };
        let age = entry.metadata().and_then(|m| m.modified()).ok().and_then(|at| at.elapsed().ok());
        let locked = match lock {
            // Between its creation and its lock.
            Lock::Free if age.is_none_or(|age| age < SETTLED) => Lock::Unknown,
            lock => lock,
        };
        if owner.has_ended(&us, locked, owner::started) {
            // Not every group is a partition. One with processes is not removed.
            let _ = put(&folder.join("cpuset.cpus.partition"), "member");
            let removed = fs::remove_dir(&folder).is_ok();
            if removed && name.ends_with(SWITCHED) {
                let _ = put(&root.join(CONTROL), "-cpuset");
            }
        }
    }
}

fn has_cpuset(group: &Path, file: &str) -> bool {
    let text = fs::read_to_string(group.join(file)).unwrap_or_default();
    text.split_whitespace().any(|name| name == "cpuset")
}

/// Writes to an existing file.
pub(crate) fn put(file: &Path, text: &str) -> Result<(), Reason> {
    let written =
        File::options().write(true).open(file).and_then(|mut f| f.write_all(text.as_bytes()));
    written.map_err(|e| refused(file, &e))
}

fn refused(file: &Path, error: &io::Error) -> Reason {
    Reason::mended_by(
        format!("{}: {error}", file.display()),
        "run as root, outside a container, where cgroups may be made",
    )
}

/// The mount point of cgroup v2, from the lines of proc_pid_mountinfo(5).
fn mounted(mounts: &str) -> Option<PathBuf> {
    mounts.lines().find_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        kind.starts_with("cgroup2 ").then(|| place.split(' ').nth(4).map(PathBuf::from))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hierarchy_is_found_among_the_mounts() {
        let mounts = "24 1 0:22 / /proc rw - proc proc rw\n\
                      30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
        assert_eq!(mounted(mounts), Some(PathBuf::from("/sys/fs/cgroup")));
        assert_eq!(mounted("30 24 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"), None);
    }

    /// Plain folders and files stand for the hierarchy; what it does with them is tried in the lab.
    #[test]
    fn the_group_is_made_entered_left_and_removed() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        let make = || Partition::below(root.path().into(), "0::/job\n", 1);
        assert!(make().unwrap_err().why.contains("no cpuset"));
        fs::write(at("cgroup.controllers"), "cpu cpuset\n").unwrap();
        fs::write(at("cgroup.subtree_control"), "cpu cpuset\n").unwrap();
        let reason = make().unwrap_err();
        assert!(reason.why.contains("cpuset.cpus") && reason.remedy.is_some(), "{reason}");
        // Nothing of the attempt is left but what a hierarchy would not have let stand.
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 2);
    }

    #[test]
    fn groups_of_runs_that_ended_are_swept_and_no_others() {
        let root = tempfile::tempdir().unwrap();
        let group = |owner: &Owner| {
            let folder = root.path().join(format!("{PREFIX}{}", owner.name()));
            fs::create_dir(&folder).unwrap();
            folder
        };
        let us = Owner::this_process();
        let live = group(&us);
        let before = group(&Owner { started: us.started + 1, ..us.clone() });
        // A container's, just made: nobody can tell.
        let container = group(&Owner { namespace: us.namespace + 1, ..us.clone() });
        let settled = group(&Owner { namespace: us.namespace + 2, ..us.clone() });
        let locked = group(&Owner { namespace: us.namespace + 3, ..us.clone() });
        for old in [&settled, &locked] {
            let file = File::open(old).unwrap();
            let now = file.metadata().unwrap().modified().unwrap();
            file.set_modified(now - 2 * SETTLED).unwrap();
        }
        let _claim = owner::lock(&locked).unwrap();
        let foreign = root.path().join("cpulens-x");
        fs::create_dir(&foreign).unwrap();
        sweep(root.path());
        assert!(!before.exists() && !settled.exists());
        assert!(live.exists() && container.exists() && locked.exists() && foreign.exists());
    }
}
