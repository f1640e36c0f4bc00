//! The data folder of a run: private, in memory or where temporary files are, with a random name. Cases find the data of earlier
//! cases in it. It is removed at the end of the run, by a supervisor if the run is killed, and by the next run after a crash.
use host::own_folder::{self, OwnFolder};
use record::Reason;
use std::{
    collections::BTreeMap,
    env, fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
};

const PREFIX: &str = "cpulens-db-";
const MEMORY: &str = "/dev/shm";

/// The folders of this run.
static FOLDERS: Mutex<BTreeMap<PathBuf, OwnFolder>> = Mutex::new(BTreeMap::new());

fn folders() -> MutexGuard<'static, BTreeMap<PathBuf, OwnFolder>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Parents of data folders: in memory, and where temporary files are.
fn parents() -> [PathBuf; 2] {
    [MEMORY.into(), env::temp_dir()]
}

/// This run's folder in that parent.
fn below(parent: &Path) -> PathBuf {
    // Processes of two pid namespaces may have one number.
    static NAME: OnceLock<String> = OnceLock::new();
    parent.join(NAME.get_or_init(|| own_folder::name(PREFIX)))
}

/// This run's folder; created if it does not exist. It is in memory where there is a tmpfs and `suits` accepts the folder there,
/// otherwise where temporary files are.
///
/// # Errors
/// It cannot be created, or another user created it.
pub(crate) fn of_this_run(suits: impl Fn(&Path) -> bool) -> Result<PathBuf, Reason> {
    if !parents().iter().any(|parent| below(parent).is_dir()) {
        // Folders of killed runs may occupy all space.
        parents().iter().for_each(|parent| own_folder::sweep(parent, PREFIX));
    }
    in_memory_or(Path::new(MEMORY), &env::temp_dir(), suits)
}

/// The folder in memory if it is a tmpfs, suits, and can be created; otherwise the other.
fn in_memory_or(
    memory: &Path,
    other: &Path,
    suits: impl Fn(&Path) -> bool,
) -> Result<PathBuf, Reason> {
    let is_memory = filesystem::folders::filesystem(memory).is_ok_and(|on| on.kind == "tmpfs");
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
    if !folders().contains_key(&folder) {
        let made = OwnFolder::create(&folder).map_err(|e| refused(&e))?;
        folders().insert(folder.clone(), made);
    }
    let metadata = fs::symlink_metadata(&folder).map_err(|e| refused(&e))?;
    // The group of a server's account may pass through a folder of root.
    if !metadata.is_dir() || metadata.mode() & 0o067 != 0 {
        return Err(Reason::new(format!(
            "{} is not a private folder of this user",
            folder.display()
        )));
    }
    Ok(folder)
}

/// Removes this run's folders.
pub fn remove() {
    // Removing may take a while: the lock is released first.
    let own = std::mem::take(&mut *folders());
    drop(own);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test removes all folders of this process.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

    #[test]
    fn folders_are_private_and_removed_also_those_of_ended_runs() {
        let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let parent = env::temp_dir();
        // Old, and without an owner: its run was killed when it had just made it. The other has contents.
        let dead = parents().map(|place| own_folder::name(&place.join(PREFIX).to_string_lossy()));
        let dead = dead.map(PathBuf::from);
        let other = PathBuf::from(own_folder::name(&parent.join(PREFIX).to_string_lossy()));
        fs::create_dir_all(other.join("data")).unwrap();
        for folder in dead.iter().chain([&other]) {
            // There may be no tmpfs, or no access to it.
            _ = fs::create_dir(folder);
            if let Ok(file) = fs::File::open(folder) {
                let now = file.metadata().unwrap().modified().unwrap();
                file.set_modified(now - std::time::Duration::from_secs(3600)).unwrap();
            }
        }
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
        fs::remove_dir_all(&other).unwrap();
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
        let tmpfs = |at: &Path| filesystem::folders::filesystem(at).unwrap().kind == "tmpfs";
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
