//! The folder of a server that we start. It belongs to us; the server's account owns `data` in it and nothing else, so that it
//! cannot replace a file that we write. All is opened relative to the folder's descriptor, and no link is followed.
//! Source: openat(2), fchown(2), unlinkat(2).
use filesystem::file_lock::FileLock;
use record::Reason;
use rustix::{
    fs::{AtFlags, Dir, FileType, Mode, OFlags, mkdirat, openat, statat, unlinkat},
    io::Errno,
};
use std::{
    fs::{DirBuilder, File, Metadata, Permissions, TryLockError},
    io::{self, Read, Write},
    os::{
        fd::AsFd,
        unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown},
    },
    path::{Path, PathBuf},
};

/// The name in the case's folder.
pub(super) const FOLDER: &str = "server";
/// Marks of an installation: written before it, and after it. An interrupted installation is repeated; a folder with neither mark
/// is not ours.
const BEGUN: &str = "installing";
const DONE: &str = "installed";
/// The file that the user of the folder locks.
const LOCK: &str = "lock";
/// The folder that the server's account owns: data, socket and pid.
const DATA: &str = "data";
/// The longest version in a mark.
const MAX_VERSION: u64 = 256;
/// Neither links nor, when a pipe has the name, waiting.
const SAFE: OFlags = OFlags::NOFOLLOW.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);
const FOLDER_FLAGS: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(SAFE);
const PRIVATE_FILE: Mode = Mode::RUSR.union(Mode::WUSR);

/// The account that a server started by root runs as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Account {
    pub(super) name: String,
    /// User and group; `None` for root itself.
    pub(super) ids: Option<(u32, u32)>,
}

/// Whether the program runs as root.
pub(super) fn is_root() -> bool {
    own_user() == 0
}

fn own_user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// An open, locked folder.
#[derive(Debug)]
pub(super) struct ServerFolder {
    /// The case's folder.
    outer: File,
    folder: File,
    path: PathBuf,
    lock: FileLock,
    /// The version of the installed server.
    installed: Option<String>,
}

impl ServerFolder {
    /// Creates or reopens the folder in this one. Folders of others stay as they are.
    pub(super) fn open(outer: &Path) -> Result<ServerFolder, Reason> {
        let path = outer.join(FOLDER);
        let created = DirBuilder::new().recursive(true).mode(0o700).create(outer);
        created.map_err(cannot(outer, "made"))?;
        // The user named this folder, perhaps by a link.
        let outer = File::options()
            .read(true)
            .custom_flags(FOLDER_FLAGS.difference(OFlags::NOFOLLOW).bits().cast_signed())
            .open(outer)
            .map_err(cannot(outer, "opened"))?;
        match mkdirat(&outer, FOLDER, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(e) => return Err(cannot(&path, "made")(e)),
        }
        let folder = openat(&outer, FOLDER, FOLDER_FLAGS, Mode::empty());
        let folder = File::from(folder.map_err(cannot(&path, "opened"))?);
        let about = folder.metadata().map_err(cannot(&path, "read"))?;
        if about.uid() != own_user() || about.mode() & 0o022 != 0 {
            return Err(Reason::mended_by(
                format!(
                    "{} may be changed by another account (owner {}, mode {:04o}), which could steer what is written there",
                    path.display(),
                    about.uid(),
                    about.mode() & 0o7777
                ),
                "remove it, or name another folder with --data",
            ));
        }
        if is_foreign(&folder).map_err(cannot(&path, "read"))? {
            return Err(Reason::mended_by(
                format!("{} holds files that cpulens did not make", path.display()),
                "--data with another folder",
            ));
        }
        let lock = take_lock(&folder, &path)?;
        let installed = read_file(&folder, DONE).map_err(cannot(&path.join(DONE), "read"))?;
        Ok(ServerFolder { outer, folder, path, lock, installed })
    }
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
    pub(super) fn data(&self) -> PathBuf {
        self.path.join(DATA)
    }
    /// The account listens here, in the folder that it owns.
    pub(super) fn socket(&self) -> PathBuf {
        socket_path(&self.path)
    }
    pub(super) fn pid_file(&self) -> PathBuf {
        self.data().join("pid")
    }
    /// Whether a server of this version is to be installed.
    pub(super) fn is_new(&self, version: &str) -> Result<bool, Reason> {
        match &self.installed {
            None => Ok(true),
            Some(installed) if installed == version => Ok(false),
            Some(installed) => Err(Reason::mended_by(
                format!(
                    "{} holds data of version {installed}, and the server is {version}",
                    self.path.display()
                ),
                "remove the folder, or name that server (--server)",
            )),
        }
    }
    /// The owner of the data, if there are any.
    pub(super) fn owner_of_data(&self) -> Option<u32> {
        statat(&self.folder, DATA, AtFlags::SYMLINK_NOFOLLOW).ok().map(|about| about.st_uid)
    }
    /// Lets the account pass through the folder, which stays ours, and through a case's folder that only we can read and that
    /// holds only the server's.
    pub(super) fn admit(&self, account: Option<&Account>) -> Result<(), Reason> {
        let outer = is_private(&self.outer).and_then(|private| match private {
            true => admit(&self.outer, account),
            false => Ok(()),
        });
        let admitted = outer.and_then(|()| admit(&self.folder, account));
        admitted.map_err(cannot(&self.path, "opened to the account"))
    }
    /// Empties the folder of an interrupted installation, and creates the account's folder.
    pub(super) fn begin_installation(&self, account: Option<&Account>) -> Result<(), Reason> {
        let data = self.data();
        if self.exists(BEGUN) {
            remove_all(&self.folder, DATA).map_err(cannot(&data, "removed"))?;
        } else {
            self.write(BEGUN, "")?;
        }
        mkdirat(&self.folder, DATA, Mode::RWXU).map_err(cannot(&data, "made"))?;
        let Some((user, group)) = account.and_then(|account| account.ids) else { return Ok(()) };
        let folder = openat(&self.folder, DATA, FOLDER_FLAGS, Mode::empty());
        let folder = folder.map_err(cannot(&data, "opened"))?;
        fchown(folder, Some(user), Some(group)).map_err(|e| {
            Reason::new(format!("{} cannot be given to account {user}: {e}", data.display()))
        })
    }
    /// Marks the installation as complete.
    pub(super) fn end_installation(&self, version: &str) -> Result<(), Reason> {
        self.write(DONE, version)?;
        // Beside the other mark it has no meaning.
        let _ = unlinkat(&self.folder, BEGUN, AtFlags::empty());
        Ok(())
    }
    /// A new, empty file with this name, to append to.
    pub(super) fn new_file(&self, name: &str) -> Result<File, Reason> {
        let path = self.path.join(name);
        let refused = cannot(&path, "written");
        match unlinkat(&self.folder, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(e) => return Err(refused(e)),
        }
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::APPEND | SAFE;
        let file = openat(&self.folder, name, flags.difference(OFlags::NONBLOCK), PRIVATE_FILE);
        file.map(File::from).map_err(refused)
    }
    fn write(&self, name: &str, text: &str) -> Result<(), Reason> {
        let written = self.new_file(name)?.write_all(text.as_bytes());
        written.map_err(cannot(&self.path.join(name), "written"))
    }
    fn exists(&self, name: &str) -> bool {
        statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }
    /// Unlocks the folder.
    pub(super) fn release(&self) {
        self.lock.release();
    }
}

/// The socket of the server in this folder.
pub(super) fn socket_path(folder: &Path) -> PathBuf {
    folder.join(DATA).join("socket")
}

fn cannot<E: Into<io::Error>>(path: &Path, what: &str) -> impl Fn(E) -> Reason {
    move |e| Reason::new(format!("{} cannot be {what}: {}", path.display(), e.into()))
}

/// Adds the right to pass for the account's group.
fn admit(folder: &File, account: Option<&Account>) -> io::Result<()> {
    let Some((_, group)) = account.and_then(|account| account.ids) else { return Ok(()) };
    fchown(folder, None, Some(group))?;
    folder.set_permissions(Permissions::from_mode(0o710))
}

/// Whether only we can read the folder, and it holds only the server's.
fn is_private(folder: &File) -> io::Result<bool> {
    let about = folder.metadata()?;
    let private = about.uid() == own_user() && about.mode() & 0o077 == 0;
    Ok(private && names(folder)?.iter().all(|name| name == FOLDER))
}

/// Whether this account may pass through the folder, or may be admitted to it.
pub(super) fn can_enter(outer: &Path, (user, group): (u32, u32)) -> bool {
    let Ok(folder) = File::open(outer) else { return false };
    let may_pass = |about: Metadata| match (about.uid() == user, about.gid() == group) {
        (true, _) => about.mode() & 0o100 != 0,
        (_, true) => about.mode() & 0o010 != 0,
        _ => about.mode() & 0o001 != 0,
    };
    folder.metadata().is_ok_and(may_pass) || is_private(&folder).is_ok_and(|private| private)
}

fn names(folder: &File) -> io::Result<Vec<String>> {
    let mut names = vec![];
    for entry in Dir::read_from(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| name != "." && name != "..");
    Ok(names)
}

/// Whether the folder holds files and no mark of ours.
fn is_foreign(folder: &File) -> io::Result<bool> {
    let names = names(folder)?;
    let has = |mark: &str| names.iter().any(|name| name == mark);
    if !names.iter().any(|name| name != LOCK) || has(BEGUN) || has(DONE) {
        return Ok(false);
    }
    // Another installation has one of the marks at any time, and exchanges them.
    let exists = |mark| statat(folder, mark, AtFlags::SYMLINK_NOFOLLOW).is_ok();
    Ok(!exists(BEGUN) && !exists(DONE))
}

/// A lock on the folder against other cpulens processes. The file is closed on exec: a server that outlives us does not hold it.
fn take_lock(folder: &File, path: &Path) -> Result<FileLock, Reason> {
    let name = path.join(LOCK);
    let flags = OFlags::RDWR | OFlags::CREATE | SAFE;
    let file = openat(folder, LOCK, flags, PRIVATE_FILE);
    let file = File::from(file.map_err(cannot(&name, "made"))?);
    match file.try_lock() {
        Ok(()) => Ok(FileLock(file)),
        Err(TryLockError::WouldBlock) => Err(Reason::mended_by(
            format!("another cpulens uses {}", path.display()),
            "wait for it, or name another folder with --data",
        )),
        Err(TryLockError::Error(e)) => Err(Reason::mended_by(
            format!("{} cannot be locked: {e}", name.display()),
            "name a folder on a local disk with --data",
        )),
    }
}

/// A short file; `None` if there is none.
fn read_file(folder: &File, name: &str) -> io::Result<Option<String>> {
    let file = match openat(folder, name, OFlags::RDONLY | SAFE, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT) => return Ok(None),
        Err(e) => return Err(e.into()),
    };
    let mut text = String::new();
    file.take(MAX_VERSION).read_to_string(&mut text)?;
    Ok(Some(text))
}

/// Removes a file or a folder with all in it. Links are removed and not followed.
fn remove_all(parent: impl AsFd, name: impl rustix::path::Arg + Copy) -> rustix::io::Result<()> {
    let folder = match openat(&parent, name, FOLDER_FLAGS, Mode::empty()) {
        Ok(folder) => folder,
        Err(Errno::NOENT) => return Ok(()),
        Err(Errno::NOTDIR | Errno::LOOP) => return unlinkat(&parent, name, AtFlags::empty()),
        Err(e) => return Err(e),
    };
    for entry in Dir::read_from(&folder)? {
        let entry = entry?;
        match entry.file_name().to_bytes() {
            b"." | b".." => {}
            _ if matches!(entry.file_type(), FileType::Directory | FileType::Unknown) => {
                remove_all(&folder, entry.file_name())?;
            }
            _ => unlinkat(&folder, entry.file_name(), AtFlags::empty())?,
        }
    }
    unlinkat(&parent, name, AtFlags::REMOVEDIR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, os::unix::fs::symlink};

    fn is_new(outer: &Path) -> Result<bool, Reason> {
        ServerFolder::open(outer)?.is_new("11.4")
    }

    #[test]
    fn foreign_folders_stay_and_interrupted_installations_are_repeated() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join(FOLDER);
        let theirs = folder.join("data/ibdata1");
        fs::create_dir_all(folder.join("data")).unwrap();
        fs::write(&theirs, "data").unwrap();
        let why = is_new(outer.path()).unwrap_err();
        assert!(why.why.contains("did not make") && why.remedy.is_some(), "{why}");
        assert!(!folder.join(LOCK).exists(), "no lock file is left");
        // An unreadable mark is not a missing one.
        fs::create_dir(folder.join(DONE)).unwrap();
        assert!(is_new(outer.path()).unwrap_err().why.contains("cannot be read"));
        fs::remove_dir(folder.join(DONE)).unwrap();
        assert!(theirs.exists());
        fs::write(folder.join(BEGUN), "").unwrap();
        let begun = ServerFolder::open(outer.path()).unwrap();
        assert_eq!(begun.is_new("11.4"), Ok(true));
        assert!(theirs.exists());
        begun.begin_installation(None).unwrap();
        assert!(!theirs.exists(), "the installation was interrupted");
        begun.end_installation("11.4").unwrap();
        assert!(!folder.join(BEGUN).exists());
        drop(begun);
        assert_eq!(is_new(outer.path()), Ok(false));
        let later = ServerFolder::open(outer.path()).unwrap().is_new("11.5").unwrap_err();
        assert!(later.why.contains("of version 11.4"), "{later}");
        assert_eq!(is_new(&outer.path().join("new")), Ok(true));
        assert_eq!(is_new(&outer.path().join("new")), Ok(true), "a lock alone is no foreign file");
    }

    #[test]
    fn a_folder_is_used_by_one_at_a_time() {
        let outer = tempfile::tempdir().unwrap();
        let open = || ServerFolder::open(outer.path());
        let first = open().unwrap();
        // Files of an interrupted installation stay while another process holds the lock.
        first.begin_installation(None).unwrap();
        let why = open().unwrap_err();
        assert!(why.why.contains("another cpulens uses"), "{why}");
        assert!(why.why.contains(&*first.path().display().to_string()));
        assert!(why.remedy.unwrap().contains("--data"));
        assert!(first.data().exists());
        first.release();
        let again = open().unwrap();
        drop(first);
        assert!(open().is_err(), "the first lock was released already");
        // A process that another thread has just forked.
        let _copy = again.lock.0.try_clone().unwrap();
        drop(again);
        let folder = File::open(outer.path().join(FOLDER)).unwrap();
        let lock = take_lock(&folder, outer.path()).unwrap();
        let _copy = lock.0.try_clone().unwrap();
        drop(lock);
        assert!(open().is_ok());
    }

    #[test]
    fn no_link_is_followed() {
        let outer = tempfile::tempdir().unwrap();
        let target = outer.path().join("target");
        fs::write(&target, "theirs").unwrap();
        let folder = ServerFolder::open(outer.path()).unwrap();
        let link = folder.path().join("error.log");
        symlink(&target, &link).unwrap();
        folder.new_file("error.log").unwrap().write_all(b"ours").unwrap();
        assert!(!link.is_symlink());
        folder.begin_installation(None).unwrap();
        // Whatever the account puts into its data, only that is removed.
        symlink(outer.path(), folder.data().join("link")).unwrap();
        fs::create_dir_all(folder.data().join("a/b")).unwrap();
        folder.begin_installation(None).unwrap();
        assert_eq!(fs::read_dir(folder.data()).unwrap().count(), 0);
        let path = folder.path().to_owned();
        drop(folder);
        for name in [LOCK, DONE] {
            let _ = fs::remove_file(path.join(name));
            symlink(&target, path.join(name)).unwrap();
            assert!(ServerFolder::open(outer.path()).is_err(), "{name}");
            fs::remove_file(path.join(name)).unwrap();
        }
        assert_eq!(fs::read_to_string(&target).unwrap(), "theirs");
        // The folder itself.
        let other = outer.path().join("other");
        fs::create_dir(&other).unwrap();
        symlink(&path, other.join(FOLDER)).unwrap();
        assert!(ServerFolder::open(&other).unwrap_err().why.contains("cannot be opened"));
    }

    #[test]
    fn a_folder_that_others_may_change_is_refused() {
        let outer = tempfile::tempdir().unwrap();
        let path = ServerFolder::open(outer.path()).unwrap().path().to_owned();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
        for mode in [0o770, 0o707] {
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let why = ServerFolder::open(outer.path()).unwrap_err();
            assert!(why.why.contains("another account") && why.remedy.is_some(), "{why}");
        }
        fs::set_permissions(&path, Permissions::from_mode(0o700)).unwrap();
        if is_root() {
            std::os::unix::fs::chown(&path, Some(1), None).unwrap();
            assert!(ServerFolder::open(outer.path()).unwrap_err().why.contains("owner 1"));
        }
    }

    #[test]
    fn a_folder_with_other_files_keeps_its_group() {
        let folder = tempfile::tempdir().unwrap();
        let private = || is_private(&File::open(folder.path()).unwrap()).unwrap();
        let mode = |mode| fs::set_permissions(folder.path(), Permissions::from_mode(mode));
        mode(0o700).unwrap();
        assert!(private());
        fs::create_dir(folder.path().join(FOLDER)).unwrap();
        assert!(private());
        assert!(can_enter(folder.path(), (1, 1)));
        mode(0o755).unwrap();
        assert!(!private(), "others may read it");
        assert!(can_enter(folder.path(), (1, 1)));
        mode(0o700).unwrap();
        fs::write(folder.path().join("other"), "").unwrap();
        assert!(!private() && !can_enter(folder.path(), (1, 1)));
        if is_root() {
            std::os::unix::fs::chown(folder.path(), None, Some(1)).unwrap();
            mode(0o710).unwrap();
            assert!(can_enter(folder.path(), (1, 1)) && !can_enter(folder.path(), (1, 2)));
        }
    }
}
