//! Cache allocation for one thread by the kernel's resctrl files (Documentation/filesystems/resctrl).
//!
//! A group is a folder there. If it outlived this program it would keep its share of the cache; [`Cleanup`] removes it
//! however the program ends, and a later run if that was killed too.
use crate::{
    child::Cleanup,
    owner::{self, Owner},
    partition::{self, PREFIX},
};
use filesystem::file_lock::FileLock;
use record::Reason;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The mount point of the kernel's resctrl.
pub const ROOT: &str = "/sys/fs/resctrl";

/// The ways of the last-level cache that can be allocated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ways {
    /// A bit for each way.
    pub mask: u64,
    /// The minimum number of ways of a group.
    pub least: u32,
    /// The caches by their numbers, as `schemata` lists them.
    pub domains: Vec<u32>,
}

impl Ways {
    /// Reads the files below `root`.
    pub fn read(root: &Path) -> Result<Ways, Reason> {
        let read =
            |file: &str| fs::read_to_string(root.join(file)).map(|text| text.trim().to_owned());
        let schemata = read("schemata").map_err(|e| match e.kind() {
            std::io::ErrorKind::PermissionDenied => {
                Reason::mended_by(format!("{}: {e}", root.display()), "run as root")
            }
            _ => Reason::mended_by(
                format!("resctrl is not mounted at {}", root.display()),
                "mount -t resctrl resctrl /sys/fs/resctrl",
            ),
        })?;
        let none = || {
            Reason::mended_by(
                "the processor, or the kernel, cannot share out the last-level cache",
                "a processor with cache allocation (cat_l3 in /proc/cpuinfo), mounted without cdp",
            )
        };
        let line = schemata.lines().find_map(|l| l.trim().strip_prefix("L3:")).ok_or_else(none)?;
        let domains = line.split(';').filter_map(|d| d.split_once('=')?.0.trim().parse().ok());
        let mask = read("info/L3/cbm_mask").ok().and_then(|t| u64::from_str_radix(&t, 16).ok());
        let mask = mask.filter(|m| *m != 0).ok_or_else(none)?;
        let least = read("info/L3/min_cbm_bits").ok().and_then(|t| t.parse().ok()).unwrap_or(1);
        let ways = Ways { mask, least, domains: domains.collect() };
        if ways.domains.is_empty() { Err(none()) } else { Ok(ways) }
    }
    /// The number of ways.
    pub fn count(&self) -> u32 {
        self.mask.count_ones()
    }
    /// The line of `schemata` that gives a group the lowest `ways` ways of every cache, but at least the minimum.
    fn schemata(&self, ways: u32) -> String {
        let ways = ways.clamp(self.least.max(1), self.count().max(1));
        let low = self.mask.trailing_zeros();
        let bits = if ways >= 64 { u64::MAX } else { (1 << ways) - 1 };
        let mask = (bits << low) & self.mask;
        let each: Vec<String> = self.domains.iter().map(|d| format!("{d}={mask:x}")).collect();
        format!("L3:{}\n", each.join(";"))
    }
}

/// The calling thread is in this group until it is dropped.
#[derive(Debug)]
pub struct Group {
    folder: PathBuf,
    root: PathBuf,
    thread: i64,
    cleanup: Option<Cleanup>,
    /// Shows that this process lives.
    _claim: Option<FileLock>,
}

impl Group {
    /// Creates a group below `root` and moves the calling thread into it. Drop it on the same thread.
    pub fn enter(root: &Path) -> Result<Group, Reason> {
        partition::sweep(root);
        let folder = root.join(format!("{PREFIX}{}", Owner::this_process().name()));
        let cleanup = Cleanup::of_group(&folder, None)?;
        fs::create_dir(&folder).map_err(|e| {
            let remedy = match e.kind() {
                std::io::ErrorKind::PermissionDenied => {
                    "run as root, with /sys/fs/resctrl writable"
                }
                _ => "remove an unused group (ls /sys/fs/resctrl)",
            };
            let why = format!("no group can be made below {}: {e}", root.display());
            Reason::mended_by(why, remedy)
        })?;
        // SAFETY: takes nothing, returns an integer.
        let thread = unsafe { libc::syscall(libc::SYS_gettid) };
        let _claim = owner::lock(&folder).ok().map(|(_, claim)| claim);
        let root = root.to_owned();
        let group = Group { folder, root, thread, cleanup: Some(cleanup), _claim };
        // From here on dropping it removes the group.
        group.write("tasks", &thread.to_string())?;
        Ok(group)
    }
    /// Gives the group this many ways of every cache.
    pub fn set(&self, all: &Ways, ways: u32) -> Result<(), Reason> {
        self.write("schemata", &all.schemata(ways))
    }

    fn write(&self, file: &str, text: &str) -> Result<(), Reason> {
        fs::write(self.folder.join(file), text).map_err(|e| {
            let said = fs::read_to_string(self.root.join("info/last_cmd_status"));
            let said = said.map_or(String::new(), |s| format!(" ({})", s.trim()));
            Reason::new(format!("{} refuses {}: {e}{said}", self.folder.display(), text.trim()))
        })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Removing a group releases its threads. In case that fails, this thread leaves first.
        let _ = fs::write(self.root.join("tasks"), self.thread.to_string());
        // resctrl removes a group with its files and refuses this; an ordinary folder must be empty first.
        for file in ["schemata", "tasks"] {
            let _ = fs::remove_file(self.folder.join(file));
        }
        drop(self.cleanup.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// resctrl as on a machine with two caches of eleven ways.
    fn tree() -> tempfile::TempDir {
        let tree = tempfile::tempdir().unwrap();
        let put = |file: &str, text: &str| {
            let path = tree.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        put("schemata", "    MB:0=100;1=100\n    L3:0=7ff;1=7ff\n");
        put("tasks", "1\n");
        put("info/L3/cbm_mask", "7ff\n");
        put("info/L3/min_cbm_bits", "2\n");
        put("info/last_cmd_status", "ok\n");
        tree
    }

    #[test]
    fn ways_are_read_and_shared_out_from_the_lowest() {
        let tree = tree();
        let ways = Ways::read(tree.path()).unwrap();
        assert_eq!((ways.count(), ways.least, &ways.domains[..]), (11, 2, &[0, 1][..]));
        assert_eq!(ways.schemata(4), "L3:0=f;1=f\n");
        assert_eq!(ways.schemata(1), "L3:0=3;1=3\n", "no fewer than it may");
        assert_eq!(ways.schemata(99), "L3:0=7ff;1=7ff\n");
    }

    #[test]
    fn what_is_missing_is_said_with_the_remedy() {
        let empty = tempfile::tempdir().unwrap();
        let reason = Ways::read(empty.path()).unwrap_err();
        assert!(reason.remedy.unwrap().contains("mount -t resctrl"));
        let tree = tree();
        fs::write(tree.path().join("schemata"), "MB:0=100\n").unwrap();
        assert!(Ways::read(tree.path()).unwrap_err().why.contains("cannot share out"));
        assert!(Group::enter(Path::new("/nowhere")).unwrap_err().remedy.is_some());
    }

    #[test]
    fn a_group_holds_its_thread_and_is_gone_afterwards() {
        let tree = tree();
        let ways = Ways::read(tree.path()).unwrap();
        let us = Owner::this_process();
        let left = Owner { started: us.started + 1, ..us };
        let left = tree.path().join(format!("{PREFIX}{}", left.name()));
        fs::create_dir(&left).unwrap();
        let group = Group::enter(tree.path()).unwrap();
        assert!(!left.exists(), "a run that was killed together with its supervisor left it");
        let folder = group.folder.clone();
        let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
        let thread: i64 = read("tasks").parse().unwrap();
        assert!(Path::new(&format!("/proc/self/task/{thread}")).exists());
        group.set(&ways, 3).unwrap();
        assert_eq!(read("schemata"), "L3:0=7;1=7\n");
        drop(group);
        assert!(!folder.exists(), "nothing may be left behind");
        assert_eq!(fs::read_to_string(tree.path().join("tasks")).unwrap(), thread.to_string());
    }
}
