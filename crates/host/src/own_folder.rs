//! Private folders of this process. A folder is locked while the process lives, and removed with its value, by a supervisor if
//! the process is killed, and by a later run if the supervisor was killed too.
//! Source: flock(2); `owner.rs` says whose folder may be removed.
use crate::{child::Cleanup, owner};
use filesystem::{directory::refuse_exchangeable, file_lock::FileLock};
use record::Reason;
use rustix::process::geteuid;
use std::{
    env, fs,
    hash::{BuildHasher, RandomState},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
    process,
};

/// Attempts to find a name that no other folder has.
const TRIES: u32 = 16;
/// Age in seconds from which on an empty folder without an owner is no longer about to get one.
const SETTLED: u64 = 60;

/// A folder that only this user can enter. It is removed when this is dropped.
#[derive(Debug)]
pub struct OwnFolder {
    path: PathBuf,
    _claim: FileLock,
    /// Removes it if this process is killed.
    cleanup: Option<Cleanup>,
}

impl OwnFolder {
    /// A new folder whose name begins with `prefix`. Folders with this prefix whose owners have ended are removed first.
    ///
    /// # Errors
    /// None can be made there.
    pub fn new(parent: &Path, prefix: &str) -> io::Result<OwnFolder> {
        sweep(parent, prefix);
        let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
        for _ in 0..TRIES {
            match OwnFolder::create(&parent.join(name(prefix))) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => last = e,
                other => return other,
            }
        }
        Err(last)
    }

    /// A new folder among the temporary ones.
    ///
    /// # Errors
    /// None can be made there.
    pub(crate) fn temporary(prefix: &str) -> Result<OwnFolder, Reason> {
        let parent = env::temp_dir();
        OwnFolder::new(&parent, prefix).map_err(|e| {
            Reason::mended_by(
                format!("cannot make a folder in {}: {e}", parent.display()),
                "set TMPDIR to a folder that may be written to",
            )
        })
    }
    /// Creates this folder.
    ///
    /// # Errors
    /// It exists already, or cannot be made; as root, another account could exchange it.
    pub fn create(path: &Path) -> io::Result<OwnFolder> {
        refuse_exchangeable(path)?;
        fs::DirBuilder::new().mode(0o700).create(path)?;
        let claim = owner::claim(path).inspect_err(|_| drop(fs::remove_dir_all(path)))?;
        // Without a supervisor a later run removes it.
        let cleanup = Cleanup::of_folder(path).ok();
        Ok(OwnFolder { path: path.to_owned(), _claim: claim, cleanup })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        if fs::remove_dir_all(&self.path).is_ok() {
            self.cleanup.take().into_iter().for_each(Cleanup::cancel);
        }
        // Otherwise the supervisor keeps trying for some seconds.
    }
}

/// A name that no other process has: the prefix, the process id and a random number.
pub fn name(prefix: &str) -> String {
    // Keys come from the kernel's random numbers.
    let random = RandomState::new().hash_one(prefix);
    format!("{prefix}{}-{random:016x}", process::id())
}

/// Removes folders with this prefix that this user's runs left and whose owners have surely ended.
pub fn sweep(parent: &Path, prefix: &str) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        if !entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix)) {
            continue;
        }
        let folder = entry.path();
        // The lock is held meanwhile, so that two sweeping runs do not meet.
        if let Some(_claim) = owner::abandoned(&folder) {
            _ = fs::remove_dir_all(&folder);
        } else if is_old_and_ours(&folder) {
            // Killed between making it and naming its owner. One with contents stays.
            _ = fs::remove_dir(&folder);
        }
    }
}

fn is_old_and_ours(folder: &Path) -> bool {
    let own = geteuid().as_raw();
    fs::symlink_metadata(folder).is_ok_and(|metadata| {
        let age = metadata.modified().ok().and_then(|at| at.elapsed().ok());
        let old = age.is_some_and(|age| age.as_secs() >= SETTLED);
        metadata.is_dir() && metadata.uid() == own && old
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        env,
        process::{Command, Stdio},
        thread,
        time::Duration,
    };

    #[test]
    fn a_folder_is_private_and_goes_with_its_value() {
        let parent = tempfile::tempdir().unwrap();
        let folder = OwnFolder::new(parent.path(), "own-").unwrap();
        let metadata = fs::metadata(folder.path()).unwrap();
        assert_eq!((metadata.mode() & 0o777, metadata.is_dir()), (0o700, true));
        let other = OwnFolder::new(parent.path(), "own-").unwrap();
        assert!(folder.path() != other.path() && folder.path().exists(), "a live one is not swept");
        assert!(OwnFolder::create(other.path()).is_err());
        fs::write(folder.path().join("file"), "x").unwrap();
        let path = folder.path().to_owned();
        drop(folder);
        assert!(!path.exists() && other.path().exists());
    }

    #[test]
    fn root_makes_no_folder_where_others_may_rename_it() {
        use std::os::unix::fs::PermissionsExt;
        let parent = tempfile::tempdir().unwrap();
        let mode = |mode| fs::set_permissions(parent.path(), fs::Permissions::from_mode(mode));
        mode(0o777).unwrap();
        if geteuid().is_root() {
            assert!(OwnFolder::new(parent.path(), "own-").is_err());
            assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
        }
        mode(0o1777).unwrap();
        assert!(OwnFolder::new(parent.path(), "own-").is_ok());
    }

    /// The next test kills this; it is not a test by itself.
    #[test]
    #[ignore = "run by the test that kills it"]
    fn a_process_with_a_folder() {
        let Some(parent) = env::var_os("OWN_FOLDER") else { return };
        let parent = Path::new(&parent);
        let folder = OwnFolder::new(parent, "own-").unwrap();
        fs::write(folder.path().join("data"), "x").unwrap();
        fs::write(parent.join("ready"), folder.path().to_str().unwrap()).unwrap();
        thread::sleep(Duration::from_secs(600));
    }

    fn start(parent: &Path, namespace: bool) -> (process::Child, PathBuf) {
        let own = env::current_exe().unwrap();
        let name = "own_folder::tests::a_process_with_a_folder";
        let mut command = match namespace {
            true => {
                let mut command = Command::new("unshare");
                command.args(["--pid", "--fork", "--mount-proc", "--kill-child"]).arg(own);
                command
            }
            false => Command::new(own),
        };
        command.args(["--exact", name, "--ignored"]).env("OWN_FOLDER", parent);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let ready = parent.join("ready");
        let come = soon(|| fs::read_to_string(&ready).is_ok_and(|text| !text.is_empty()));
        assert!(come, "the process has no folder");
        let folder = fs::read_to_string(&ready).unwrap().into();
        fs::remove_file(ready).unwrap();
        (child, folder)
    }

    fn soon(so: impl Fn() -> bool) -> bool {
        (0..1000).any(|_| {
            thread::sleep(Duration::from_millis(20));
            so()
        })
    }

    #[test]
    fn a_process_that_is_killed_leaves_no_folder() {
        let _alone = crate::child::alone();
        let parent = tempfile::tempdir().unwrap();
        let (mut child, folder) = start(parent.path(), false);
        sweep(parent.path(), "own-");
        assert!(folder.exists(), "its owner lives");
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(soon(|| !folder.exists()));
    }

    /// A container's processes have other numbers: the number of its process is nobody's here, and its folder is in use.
    #[test]
    fn a_folder_of_another_pid_namespace_is_left_alone_while_it_is_used() {
        let _alone = crate::child::alone();
        let can =
            Command::new("unshare").args(["--pid", "--fork", "--mount-proc", "true"]).output();
        if !can.is_ok_and(|output| output.status.success()) {
            return eprintln!("skipped: no pid namespace can be made here");
        }
        let parent = tempfile::tempdir().unwrap();
        let (mut child, folder) = start(parent.path(), true);
        sweep(parent.path(), "own-");
        assert!(folder.join("data").exists(), "its owner lives in another namespace");
        // With its namespace its supervisor goes too: nobody removes the folder but the next run.
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(soon(|| {
            sweep(parent.path(), "own-");
            !folder.exists()
        }));
    }

    #[test]
    fn folders_without_an_owner_stay_unless_they_are_old_and_empty() {
        let parent = tempfile::tempdir().unwrap();
        let make = |name: &str, age: u64| {
            let folder = parent.path().join(name);
            fs::create_dir(&folder).unwrap();
            let file = fs::File::open(&folder).unwrap();
            let now = file.metadata().unwrap().modified().unwrap();
            file.set_modified(now - Duration::from_secs(age)).unwrap();
            folder
        };
        let (new, old, foreign) = (make("own-1", 0), make("own-2", 3600), make("other-3", 3600));
        let full = parent.path().join("own-4");
        fs::create_dir_all(full.join("data")).unwrap();
        std::os::unix::fs::symlink(&foreign, parent.path().join("own-5")).unwrap();
        sweep(parent.path(), "own-");
        assert!(new.exists() && foreign.exists() && full.exists() && !old.exists());
    }
}
