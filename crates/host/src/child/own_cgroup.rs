//! A control group of cgroup v2 for commands: no controller, only the list of what they started. It is below the group of this
//! process, so that limits stay. Source: kernel, Documentation/admin-guide/cgroup-v2.rst.
use crate::{clock::sleep, owner::Owner, partition};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::Duration,
};

/// Attempts to remove it: a process that was killed is a member until its parent has waited for it.
const TRIES: u32 = 20;

/// A group without controllers. What is left in it when it is dropped goes to the group of this process.
#[derive(Debug)]
pub(super) struct OwnCgroup {
    folder: PathBuf,
    home: PathBuf,
}

impl OwnCgroup {
    /// A new group; nothing where none may be made.
    pub(super) fn new() -> Option<OwnCgroup> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let home = partition::own_group()?;
        partition::sweep(&home);
        let number = NUMBER.fetch_add(1, Relaxed);
        let name = format!("{}{}-{number}", partition::PREFIX, Owner::this_process().name());
        let folder = home.join(name);
        fs::create_dir(&folder).ok()?;
        let group = OwnCgroup { folder, home };
        // A group of threads, or one below a group with limits on members, takes no process.
        let usable = fs::read_to_string(group.folder.join("cgroup.type"))
            .map_or(true, |kind| kind.trim() == "domain");
        usable.then_some(group)
    }
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
    /// Moves a process into it; whether that was possible.
    pub(super) fn take(&self, pid: libc::pid_t) -> bool {
        put(&self.folder, pid)
    }
}

impl Drop for OwnCgroup {
    fn drop(&mut self) {
        for _ in 0..TRIES {
            let members = fs::read_to_string(self.folder.join("cgroup.procs")).unwrap_or_default();
            for pid in members.lines().filter_map(|line| line.parse().ok()) {
                put(&self.home, pid);
            }
            if fs::remove_dir(&self.folder).is_ok() || !self.folder.exists() {
                return;
            }
            sleep(Duration::from_millis(10));
        }
    }
}

fn put(group: &Path, pid: libc::pid_t) -> bool {
    partition::put(&group.join("cgroup.procs"), &pid.to_string()).is_ok()
}
