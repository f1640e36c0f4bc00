//! The folder that data have while a run lasts: ours alone, in memory or where temporary files are, by this process's id. Steps
//! find in it what earlier ones loaded; at the end of the run it is removed, by a supervisor if the run was killed. What even that
//! left (a machine that went down) is removed by the next run.
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

/// The folders that this run made, and who removes them however it ends, where there can be such a supervisor.
static MADE: Mutex<BTreeMap<PathBuf, Option<Cleanup>>> = Mutex::new(BTreeMap::new());

fn made() -> MutexGuard<'static, BTreeMap<PathBuf, Option<Cleanup>>> {
    MADE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where such folders may be: in memory, and where temporary files are.
fn places() -> [PathBuf; 2] {
    [MEMORY.into(), env::temp_dir()]
}

/// This run's in that place.
fn below(place: &Path) -> PathBuf {
    place.join(format!("{PREFIX}{}", process::id()))
}

/// This run's folder; made if it is not there. It is in memory where there is such a place and `suits` says of the folder there
/// that it will do, else where temporary files are.
///
/// # Errors
/// It cannot be made, or somebody else has made it.
pub(crate) fn of_this_run(suits: impl Fn(&Path) -> bool) -> Result<PathBuf, Reason> {
    if !places().iter().any(|place| below(place).is_dir()) {
        // What dead runs left may be all the room there was.
        places().iter().for_each(|place| sweep(place));
    }
    first(Path::new(MEMORY), &env::temp_dir(), suits)
}

/// The folder in memory if that is memory and suits, and can be had; else the other.
fn first(memory: &Path, other: &Path, suits: impl Fn(&Path) -> bool) -> Result<PathBuf, Reason> {
    let is_memory = host::folders::filesystem(memory).is_ok_and(|on| on.kind == "tmpfs");
    let in_memory = (is_memory && suits(&below(memory))).then(|| ours(memory));
    in_memory.and_then(Result::ok).map_or_else(|| ours(other), Ok)
}

/// This run's folder in that place; made if it is not there.
fn ours(parent: &Path) -> Result<PathBuf, Reason> {
    let folder = below(parent);
    let refused = |e: &io::Error| {
        Reason::mended_by(
            format!("no folder for the database can be made in {}: {e}", parent.display()),
            "TMPDIR with a folder that may be written to, or cpulens db with such a --data",
        )
    };
    if !folder.is_dir() {
        fs::DirBuilder::new().mode(0o700).create(&folder).map_err(|e| refused(&e))?;
        // Where there can be none the next run sweeps.
        made().insert(folder.clone(), Cleanup::of_folder(&folder).ok());
    }
    let metadata = fs::symlink_metadata(&folder).map_err(|e| refused(&e))?;
    let own = fs::metadata("/proc/self").map(|m| m.uid());
    // One that we made may have been given to the account that a server of root's runs as.
    let strange = || own.is_ok_and(|uid| uid != metadata.uid()) && !made().contains_key(&folder);
    if !metadata.is_dir() || metadata.mode() & 0o077 != 0 || strange() {
        return Err(Reason::new(format!("{} is not a folder of ours alone", folder.display())));
    }
    Ok(folder)
}

/// Removes this run's folders, if it has any.
pub(crate) fn remove() {
    // A supervisor does its duty when it is dropped; nobody else need wait for that.
    let dismissed = std::mem::take(&mut *made());
    drop(dismissed);
    for folder in places().iter().map(|place| below(place)) {
        if fs::symlink_metadata(&folder).is_ok_and(|m| m.is_dir()) {
            // What cannot be removed is swept away by the next run.
            _ = fs::remove_dir_all(folder);
        }
    }
}

/// Removes folders of ours whose process has ended.
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

/// Whether a folder of this name was made by a run of this user: it is his, or root gave it and the server in it to an account.
fn is_ours(own: Option<u32>, owner: u32, server: Option<u32>) -> bool {
    own == Some(owner) || (own == Some(0) && server == Some(owner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_sweeps_what_it_gave_away_and_nobody_else_does() {
        assert!(is_ours(Some(1000), 1000, None));
        assert!(is_ours(Some(0), 101, Some(101)));
        assert!(!is_ours(Some(0), 1000, None), "a run of another user");
        assert!(!is_ours(Some(0), 1000, Some(0)));
        assert!(!is_ours(Some(1000), 101, Some(101)));
        assert!(!is_ours(None, 0, Some(0)));
    }

    /// One of them removes all folders of this process.
    static ALONE: Mutex<()> = Mutex::new(());

    #[test]
    fn it_is_ours_alone_and_goes_and_so_do_those_of_the_dead() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let parent = env::temp_dir();
        // No process has this id: pid_max is below it.
        let dead = places().map(|place| place.join(format!("{PREFIX}4294967295")));
        let other = parent.join(format!("{PREFIX}x-{}", process::id()));
        // There may be no place in memory, or none for us.
        _ = fs::create_dir(&dead[0]);
        fs::create_dir_all(&dead[1]).unwrap();
        fs::create_dir_all(&other).unwrap();
        let folder = of_this_run(|_| false).unwrap();
        assert_eq!(folder.parent(), Some(&*parent));
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
        fs::write(folder.join("data"), "x").unwrap();
        assert_eq!(of_this_run(|_| false).unwrap(), folder, "it is found again");
        assert!(folder.join("data").exists() && other.exists());
        assert!(dead.iter().all(|dead| !dead.exists()), "also where we are not");
        // Steps of one run may have different places.
        let second = of_this_run(|_| true).unwrap();
        assert!(places().contains(&second.parent().unwrap().to_owned()) && folder.exists());
        remove();
        assert!(!folder.exists() && !second.exists());
        fs::remove_dir(&other).unwrap();
    }

    #[test]
    fn it_is_in_memory_only_where_that_suits() {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let (memory, disk) = (tempfile::tempdir_in(MEMORY), tempfile::tempdir().unwrap());
        let at = |memory: &Path, suits: bool| {
            let folder = first(memory, disk.path(), |_| suits).unwrap();
            folder.parent().unwrap().to_owned()
        };
        assert_eq!(at(Path::new("/no/such/place"), true), disk.path());
        assert_eq!(at(Path::new("/proc"), true), disk.path(), "what is no tmpfs");
        let tmpfs = |at: &Path| host::folders::filesystem(at).unwrap().kind == "tmpfs";
        let Some(memory) = memory.ok().filter(|memory| tmpfs(memory.path())) else { return };
        assert_eq!(at(memory.path(), true), memory.path());
        assert_eq!(at(memory.path(), false), disk.path());
        let asked = first(memory.path(), disk.path(), |folder| folder == below(memory.path()));
        assert_eq!(asked, Ok(below(memory.path())), "it is asked about the folder itself");
        // Somebody has made what would be ours.
        let taken = tempfile::tempdir_in(MEMORY).unwrap();
        fs::write(below(taken.path()), "x").unwrap();
        assert_eq!(at(taken.path(), true), disk.path());
    }
}
