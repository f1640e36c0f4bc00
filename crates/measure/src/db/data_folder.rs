//! The data folder of a run: private, in memory or where temporary files are, named by the process id. Cases find the data of earlier
//! cases in it. It is removed at the end of the run, by a supervisor if the run is killed, and by the next run after a crash.
use host::child::Cleanup;
use record::Reason;
use std::{
    collections::BTreeMap,
    env, fs, io,
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
    process,
    sync::{Mutex, MutexGuard, PoisonError},
};

const PREFIX: &str = "cpulens-db-";
const MEMORY: &str = "/dev/shm";

/// The folders of this run, with the supervisor that removes each, where there can be one.
static FOLDERS: Mutex<BTreeMap<PathBuf, Option<Cleanup>>> = Mutex::new(BTreeMap::new());

fn folders() -> MutexGuard<'static, BTreeMap<PathBuf, Option<Cleanup>>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Parents of data folders: in memory, and where temporary files are.
fn parents() -> [PathBuf; 2] {
    [MEMORY.into(), env::temp_dir()]
}

/// This run's folder in that parent.
fn below(parent: &Path) -> PathBuf {
    parent.join(format!("{PREFIX}{}", process::id()))
}

/// This run's folder; created if it does not exist. It is in memory where there is a tmpfs and `suits` accepts the folder there,
/// otherwise where temporary files are.
///
/// # Errors
/// It cannot be created, or another user created it.
pub(crate) fn of_this_run(suits: impl Fn(&Path) -> bool) -> Result<PathBuf, Reason> {
    if !parents().iter().any(|parent| below(parent).is_dir()) {
        // Folders of killed runs may occupy all space.
        parents().iter().for_each(|parent| sweep(parent));
    }
    in_memory_or(Path::new(MEMORY), &env::temp_dir(), suits)
}

/// The folder in memory if it is a tmpfs, suits, and can be created; otherwise the other.
fn in_memory_or(
    memory: &Path,
    other: &Path,
    suits: impl Fn(&Path) -> bool,
) -> Result<PathBuf, Reason> {
    let is_memory = host::folders::filesystem(memory).is_ok_and(|on| on.kind == "tmpfs");
    let in_memory = (is_memory && suits(&below(memory))).then(|| create(memory));
    in_memory.and_then(Result::ok).map_or_else(|| create(other), Ok)
}

/// This run's folder in that parent; created if it does not exist.
fn create(parent: &Path) -> Result<PathBuf, Reason> {
    let folder = below(parent);
    let refused = |e: &io::Error| {
        Reason::mended_by(
            format!("no folder for the database can be made in {}: {e}", parent.display()),
            "TMPDIR with a folder that may be written to, or cpulens db with such a --data",
        )
    };
    if !folder.is_dir() {
        fs::DirBuilder::new().mode(0o700).create(&folder).map_err(|e| refused(&e))?;
        // Without a supervisor the next run removes it.
        folders().insert(folder.clone(), Cleanup::of_folder(&folder).ok());
    }
    let metadata = fs::symlink_metadata(&folder).map_err(|e| refused(&e))?;
    let own = fs::metadata("/proc/self").map(|m| m.uid());
    // The group of a server's account may pass through a folder of root.
    let is_foreign =
        || own.is_ok_and(|uid| uid != metadata.uid()) && !folders().contains_key(&folder);
    if !metadata.is_dir() || metadata.mode() & 0o067 != 0 || is_foreign() {
        return Err(Reason::new(format!(
            "{} is not a private folder of this user",
            folder.display()
        )));
    }
    Ok(folder)
}

/// Removes this run's folders.
pub(crate) fn remove() {
    // A dropped supervisor removes its folder, which may take a while: the lock is released first.
    let guardians = std::mem::take(&mut *folders());
    drop(guardians);
    for folder in parents().iter().map(|parent| below(parent)) {
        if fs::symlink_metadata(&folder).is_ok_and(|m| m.is_dir()) {
            // What cannot be removed is removed by the next run.
            _ = fs::remove_dir_all(folder);
        }
    }
}

/// Removes data folders of ended processes.
fn sweep(parent: &Path) {
    let own = fs::metadata("/proc/self").map(|m| m.uid()).ok();
    for entry in fs::read_dir(parent).into_iter().flatten().filter_map(Result::ok) {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.parse::<u32>().ok());
        let Some(pid) = pid else { continue };
        let server = fs::symlink_metadata(entry.path().join("server")).map(|m| m.uid()).ok();
        let ours = entry.metadata().is_ok_and(|m| m.is_dir() && is_ours(own, m.uid(), server));
        if ours && !Path::new("/proc").join(pid.to_string()).exists() {
            _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether a run of this user created the folder: he owns it, or root gave it with its server to an account.
fn is_ours(own: Option<u32>, owner: u32, server: Option<u32>) -> bool {
    own == Some(owner) || (own == Some(0) && server == Some(owner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_root_removes_folders_of_the_servers_account() {
        assert!(is_ours(Some(1000), 1000, None));
        assert!(is_ours(Some(0), 101, Some(101)));
        assert!(!is_ours(Some(0), 1000, None), "a run of another user");
        assert!(!is_ours(Some(0), 1000, Some(0)));
        assert!(!is_ours(Some(1000), 101, Some(101)));
        assert!(!is_ours(None, 0, Some(0)));
    }

    /// One test removes all folders of this process.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

    #[test]
    fn folders_are_private_and_removed_also_those_of_ended_runs() {
        let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let parent = env::temp_dir();
        // No process has this id: pid_max is below it.
        let dead = parents().map(|place| place.join(format!("{PREFIX}4294967295")));
        let other = parent.join(format!("{PREFIX}x-{}", process::id()));
        // There may be no tmpfs, or no access to it.
        _ = fs::create_dir(&dead[0]);
        fs::create_dir_all(&dead[1]).unwrap();
        fs::create_dir_all(&other).unwrap();
        let folder = of_this_run(|_| false).unwrap();
        assert_eq!(folder.parent(), Some(&*parent));
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
        fs::write(folder.join("data"), "x").unwrap();
        assert_eq!(of_this_run(|_| false).unwrap(), folder, "it is found again");
        assert!(folder.join("data").exists() && other.exists());
        assert!(dead.iter().all(|dead| !dead.exists()), "in both parents");
        // Cases of one run may have different parents.
        let second = of_this_run(|_| true).unwrap();
        assert!(parents().contains(&second.parent().unwrap().to_owned()) && folder.exists());
        remove();
        assert!(!folder.exists() && !second.exists());
        fs::remove_dir(&other).unwrap();
    }

    #[test]
    fn a_folder_is_in_memory_only_where_it_suits() {
        let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let (memory, disk) = (tempfile::tempdir_in(MEMORY), tempfile::tempdir().unwrap());
        let at = |memory: &Path, suits: bool| {
            let folder = in_memory_or(memory, disk.path(), |_| suits).unwrap();
            folder.parent().unwrap().to_owned()
        };
        assert_eq!(at(Path::new("/no/such/place"), true), disk.path());
        assert_eq!(at(Path::new("/proc"), true), disk.path(), "it is no tmpfs");
        let tmpfs = |at: &Path| host::folders::filesystem(at).unwrap().kind == "tmpfs";
        let Some(memory) = memory.ok().filter(|memory| tmpfs(memory.path())) else { return };
        assert_eq!(at(memory.path(), true), memory.path());
        assert_eq!(at(memory.path(), false), disk.path());
        let asked =
            in_memory_or(memory.path(), disk.path(), |folder| folder == below(memory.path()));
        assert_eq!(asked, Ok(below(memory.path())), "the folder itself is checked");
        // The name of our folder is taken.
        let taken = tempfile::tempdir_in(MEMORY).unwrap();
        fs::write(below(taken.path()), "x").unwrap();
        assert_eq!(at(taken.path(), true), disk.path());
    }
}
