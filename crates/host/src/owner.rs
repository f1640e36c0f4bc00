//! Who made a folder or a control group: a process, with what tells it from processes of the same number before it, in other pid
//! namespaces, of earlier boots and of other hosts. This distinguishes what a killed run left from what a live run uses.
//! Source: proc_pid_stat(5), pid_namespaces(7), random(4) (`boot_id`), machine-id(5), flock(2).
use crate::process_stat::ProcessStat;
use filesystem::file_lock::FileLock;
use rustix::process::geteuid;
use std::{
    fs::{self, File, TryLockError},
    io::{self, Read, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::Path,
};

/// The file in a folder that names its owner.
const FILE: &str = "owner";
/// Longest text of such a file in bytes.
const LONGEST: u64 = 1024;

/// A process. What could not be read is 0 or empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) pid: u32,
    /// When it started, in clock ticks after boot.
    pub(crate) started: u64,
    /// The inode of its pid namespace.
    pub(crate) namespace: u64,
    /// The boot id of the kernel.
    pub(crate) boot: String,
    /// The machine id and the name of the host.
    pub(crate) host: String,
}

/// Whether somebody holds the lock on a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lock {
    Held,
    Free,
    /// The filesystem has no locks.
    Unknown,
}

impl Owner {
    pub(crate) fn this_process() -> Owner {
        let text = |file: &str| fs::read_to_string(file).unwrap_or_default().trim().to_owned();
        let namespace = fs::metadata("/proc/self/ns/pid").map_or(0, |m| m.ino());
        let (pid, boot) = (std::process::id(), text("/proc/sys/kernel/random/boot_id"));
        // A /proc of another namespace has other numbers.
        let known =
            fs::read_link("/proc/self").is_ok_and(|own| own.to_str() == Some(&pid.to_string()));
        let namespace = if known { namespace } else { 0 };
        let started = started(pid).filter(|_| known).unwrap_or(0);
        let id = text("/etc/machine-id");
        let host = match id.is_empty() {
            true => String::new(),
            false => format!("{id} {}", text("/proc/sys/kernel/hostname")),
        };
        Owner { pid, started, namespace, boot, host }
    }

    /// For a name on this boot of this machine: `PID-STARTED-NAMESPACE`.
    pub(crate) fn name(&self) -> String {
        format!("{}-{}-{}", self.pid, self.started, self.namespace)
    }

    /// The owner that such a name tells, which is one of this boot.
    pub(crate) fn of_name(name: &str) -> Option<Owner> {
        let mut numbers = name.split('-');
        let mut next = || numbers.next()?.parse::<u64>().ok();
        let (pid, started, namespace) = (u32::try_from(next()?).ok()?, next()?, next()?);
        let Owner { boot, host, .. } = Owner::this_process();
        Some(Owner { pid, started, namespace, boot, host })
    }

    fn text(&self) -> String {
        format!(
            "pid {}\nstarted {}\nnamespace {}\nboot {}\nhost {}\n",
            self.pid, self.started, self.namespace, self.boot, self.host
        )
    }

    fn read(text: &str) -> Option<Owner> {
        let word = |name: &str| text.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix(' '));
        Some(Owner {
            pid: word("pid")?.parse().ok()?,
            started: word("started")?.parse().ok()?,
            namespace: word("namespace")?.parse().ok()?,
            boot: word("boot")?.to_owned(),
            host: word("host")?.to_owned(),
        })
    }

    /// Whether this owner has surely ended, as `us` can tell; `started` gives when a process of our namespace started. In
    /// doubt it has not.
    pub(crate) fn has_ended(
        &self,
        us: &Owner,
        lock: Lock,
        started: impl Fn(u32) -> Option<u64>,
    ) -> bool {
        let same = |a: &str, b: &str| !a.is_empty() && a == b;
        if lock == Lock::Held {
            return false;
        }
        if !same(&self.boot, &us.boot) {
            // Another kernel: an earlier boot of this host, or another host that shares the folder.
            return !self.boot.is_empty() && !us.boot.is_empty() && same(&self.host, &us.host);
        }
        if self.namespace != 0 && self.namespace == us.namespace {
            return started(self.pid).is_none_or(|at| at != self.started);
        }
        // A process of another namespace has no number here. It would hold the lock.
        lock == Lock::Free
    }
}

/// When a process started, in clock ticks after boot; nothing if there is none.
pub(crate) fn started(pid: u32) -> Option<u64> {
    ProcessStat::of(format!("/proc/{pid}"))?.field(22)
}

fn open(folder: &Path) -> io::Result<File> {
    let flags = libc::O_DIRECTORY | libc::O_NOFOLLOW;
    File::options().read(true).custom_flags(flags).open(folder)
}

/// Takes the lock on a folder.
pub(crate) fn lock(folder: &Path) -> io::Result<(Lock, FileLock)> {
    let file = open(folder)?;
    let lock = match file.try_lock() {
        Ok(()) => Lock::Free,
        Err(TryLockError::WouldBlock) => Lock::Held,
        Err(TryLockError::Error(_)) => Lock::Unknown,
    };
    Ok((lock, FileLock(file)))
}

/// Makes a folder that this process has just created its own: locks it, and writes down who this process is.
///
/// # Errors
/// It cannot be opened or written to, or another process has locked it.
pub(crate) fn claim(folder: &Path) -> io::Result<FileLock> {
    let (lock, claim) = lock(folder)?;
    if lock == Lock::Held {
        return Err(io::Error::other("another process uses it"));
    }
    // The lock comes first: who finds the file and no lock knows that the owner has ended.
    let mut options = File::options();
    let mut file = options.write(true).create_new(true).mode(0o600).open(folder.join(FILE))?;
    file.write_all(Owner::this_process().text().as_bytes())?;
    Ok(claim)
}

/// The lock on a folder whose owner has surely ended, so that it may be removed; nothing if that is not sure. A folder without
/// an owner's file, or with one of another user, is left alone.
pub(crate) fn abandoned(folder: &Path) -> Option<FileLock> {
    let (lock, claim) = lock(folder).ok()?;
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = File::options().read(true).custom_flags(flags).open(folder.join(FILE)).ok()?;
    let metadata = file.metadata().ok()?;
    if !metadata.is_file() || metadata.uid() != geteuid().as_raw() {
        return None;
    }
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    let owner = Owner::read(&text)?;
    owner.has_ended(&Owner::this_process(), lock, started).then_some(claim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner() -> Owner {
        Owner { pid: 7, started: 100, namespace: 5, boot: "b".into(), host: "h n".into() }
    }

    #[test]
    fn an_owner_is_read_back() {
        let own = Owner::this_process();
        assert_eq!(Owner::read(&own.text()), Some(own.clone()));
        assert_eq!(Owner::of_name(&own.name()), Some(own.clone()));
        assert_eq!(Owner::of_name(&format!("{}-n", own.name())), Some(own.clone()));
        assert!(own.pid > 0 && own.started > 0 && own.namespace > 0 && !own.boot.is_empty());
        assert_eq!(started(own.pid), Some(own.started));
        for bad in ["", "12", "a-b-c", "1-2"] {
            assert_eq!(Owner::of_name(bad), None, "{bad}");
        }
        assert_eq!(Owner::read("pid x"), None);
    }

    #[test]
    fn only_what_surely_ended_has_ended() {
        let us = Owner { pid: 9, ..owner() };
        let runs = |_| Some(100);
        let gone = |_| None;
        let reused = |_| Some(200);
        let other = || Owner { namespace: 6, ..owner() };
        let earlier = || Owner { boot: "a".into(), ..owner() };
        for (what, ended, verdict) in [
            ("it runs", owner().has_ended(&us, Lock::Free, runs), false),
            ("it is gone", owner().has_ended(&us, Lock::Free, gone), true),
            ("its number is another's", owner().has_ended(&us, Lock::Unknown, reused), true),
            ("it holds the lock", owner().has_ended(&us, Lock::Held, gone), false),
            ("container, runs", other().has_ended(&us, Lock::Held, gone), false),
            ("container, ended", other().has_ended(&us, Lock::Free, gone), true),
            ("container, no locks", other().has_ended(&us, Lock::Unknown, gone), false),
            ("earlier boot", earlier().has_ended(&us, Lock::Free, runs), true),
            ("earlier boot, no locks", earlier().has_ended(&us, Lock::Unknown, runs), true),
            (
                "another host",
                Owner { host: "h m".into(), ..earlier() }.has_ended(&us, Lock::Free, gone),
                false,
            ),
            (
                "unknown hosts",
                Owner { host: String::new(), ..earlier() }.has_ended(
                    &Owner { host: String::new(), ..us.clone() },
                    Lock::Free,
                    gone,
                ),
                false,
            ),
            (
                "unknown boot",
                Owner { boot: String::new(), ..owner() }.has_ended(&us, Lock::Free, gone),
                false,
            ),
        ] {
            assert_eq!(ended, verdict, "{what}");
        }
    }

    #[test]
    fn a_folder_is_abandoned_when_its_lock_and_its_owner_are_gone() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("folder");
        fs::create_dir(&folder).unwrap();
        assert!(abandoned(&folder).is_none(), "no owner is known");
        let claim = claim(&folder).unwrap();
        assert!(abandoned(&folder).is_none(), "it is locked");
        // A process that another thread has just forked.
        let _copy = claim.0.try_clone().unwrap();
        drop(claim);
        assert!(abandoned(&folder).is_none(), "this process lives");
        let dead = Owner { started: 1, ..Owner::this_process() };
        fs::write(folder.join(FILE), dead.text()).unwrap();
        assert!(abandoned(&folder).is_some());
        std::os::unix::fs::symlink(&folder, outer.path().join("link")).unwrap();
        assert!(abandoned(&outer.path().join("link")).is_none());
        fs::rename(folder.join(FILE), folder.join("file")).unwrap();
        std::os::unix::fs::symlink("file", folder.join(FILE)).unwrap();
        assert!(abandoned(&folder).is_none(), "the owner's file is a link");
    }
}
