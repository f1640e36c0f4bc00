//! A folder that is held open, and files in it by their names: made anew, replaced, or found. Names are looked up relative to the
//! folder's descriptor, and no link is followed that another user could have put there. Source: openat(2), symlink(7),
//! `protected_symlinks` in proc_sys_fs(5); the rule for links is that of systemd's CHASE_SAFE.
mod exchange;

pub use exchange::{is_root_of_host, refuse_exchangeable, refuse_exchangeable_file};

use rustix::{
    fs::{self as sys, AtFlags, CWD, FileType, Mode, OFlags},
    io::Errno,
    process::geteuid,
};
use std::{
    ffi::{OsStr, OsString},
    fs::File,
    hash::{BuildHasher, RandomState},
    io::{self, Seek, Write},
    os::{fd::OwnedFd, unix::ffi::OsStringExt},
    path::{Component, Path, PathBuf},
};

/// Links that a path may have, as in the kernel.
const MOST_LINKS: usize = 40;
/// Names that are tried for a temporary file. One in 2^64 exists already.
const ATTEMPTS: u64 = 16;

/// A folder that is held open.
#[derive(Debug)]
pub struct Directory {
    fd: OwnedFd,
    path: PathBuf,
}

/// The kind of an entry of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    Nothing,
    /// A file, or a link to one, or what another user put there. It can be replaced.
    File,
    Folder,
    /// A device, a pipe, or a stream of this process such as `/dev/stdout`. It is written in its place.
    Stream,
}

impl Directory {
    /// Opens a folder.
    ///
    /// # Errors
    /// As open(2). As root, a path with a link of another user that leads to a folder which is not that user's.
    pub fn open(path: &Path) -> io::Result<Directory> {
        Ok(Directory { fd: walk(path, false)?, path: path.to_owned() })
    }
    /// Opens a folder, and makes it and its parents where they are not there.
    ///
    /// # Errors
    /// As [`Directory::open`], and as mkdir(2).
    pub fn create(path: &Path) -> io::Result<Directory> {
        Ok(Directory { fd: walk(path, true)?, path: path.to_owned() })
    }
    /// Its path, as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// The kind of the entry with this name.
    pub fn present(&self, name: &OsStr) -> io::Result<EntryKind> {
        let there = match sys::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => return Ok(EntryKind::Nothing),
            there => there?,
        };
        let shared = self.shared()?;
        let kind = FileType::from_raw_mode(there.st_mode);
        Ok(match kind {
            FileType::RegularFile => EntryKind::File,
            FileType::Directory => EntryKind::Folder,
            _ if shared && (kind == FileType::Symlink || !ours(there.st_uid)) => EntryKind::File,
            FileType::Symlink => match sys::statat(&self.fd, name, AtFlags::empty()) {
                Err(_) => EntryKind::File,
                Ok(target) => match FileType::from_raw_mode(target.st_mode) {
                    FileType::Directory => EntryKind::Folder,
                    // The links of /dev to a stream that was redirected to a file.
                    FileType::RegularFile if !self.is_system() => EntryKind::File,
                    _ => EntryKind::Stream,
                },
            },
            _ => EntryKind::Stream,
        })
    }
    /// Makes a file that is not there yet, whole or not at all.
    ///
    /// # Errors
    /// `AlreadyExists`, also for a link that leads nowhere; what `write` says; as open(2).
    pub fn create_new(
        &self,
        name: &OsStr,
        write: impl FnOnce(&File) -> io::Result<()>,
    ) -> io::Result<File> {
        if sys::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let (temporary, file) = self.written(write)?;
        match sys::linkat(&self.fd, &temporary.name, &self.fd, name, AtFlags::empty()) {
            Ok(()) => Ok(file),
            Err(Errno::EXIST) => Err(io::ErrorKind::AlreadyExists.into()),
            // Hard links are unknown to some filesystems, and forbidden in some places.
            Err(_) => self.copy(&file, name),
        }
    }
    /// Replaces a file, or makes it. Until the new one is whole the old one stays.
    ///
    /// # Errors
    /// What `write` says; as open(2) and rename(2).
    pub fn replace(
        &self,
        name: &OsStr,
        write: impl FnOnce(&File) -> io::Result<()>,
    ) -> io::Result<File> {
        let (mut temporary, file) = self.written(write)?;
        match sys::renameat(&self.fd, &temporary.name, &self.fd, name) {
            Ok(()) => {
                temporary.renamed = true;
                Ok(file)
            }
            // Where renaming is forbidden altogether.
            Err(Errno::PERM | Errno::NOSYS | Errno::ACCESS) => {
                match sys::unlinkat(&self.fd, name, AtFlags::empty()) {
                    Ok(()) | Err(Errno::NOENT) => self.copy(&file, name),
                    Err(why) => Err(why.into()),
                }
            }
            Err(why) => Err(why.into()),
        }
    }
    /// Opens a [`EntryKind::Stream`] for writing.
    ///
    /// # Errors
    /// As open(2).
    pub fn stream(&self, name: &OsStr) -> io::Result<File> {
        let mut flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NOCTTY | OFlags::CLOEXEC;
        flags.set(OFlags::NOFOLLOW, self.shared()?);
        Ok(File::from(sys::openat(&self.fd, name, flags, Mode::empty())?))
    }
    /// Opens a file to be locked: for writing where that is allowed, as network filesystems need it. Nothing is written.
    ///
    /// # Errors
    /// As open(2); a link is not followed.
    pub fn existing(&self, name: &OsStr) -> io::Result<File> {
        let open = |access| {
            let flags = access | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
            sys::openat(&self.fd, name, flags | OFlags::CLOEXEC, Mode::empty())
        };
        Ok(File::from(open(OFlags::RDWR).or_else(|_| open(OFlags::RDONLY))?))
    }
    /// Whether this open file is still the one under this name.
    pub fn is(&self, name: &OsStr, file: &File) -> bool {
        let here = sys::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW);
        here.is_ok_and(|here| {
            sys::fstat(file).is_ok_and(|it| (it.st_dev, it.st_ino) == (here.st_dev, here.st_ino))
        })
    }
    /// Makes a symbolic link.
    ///
    /// # Errors
    /// As symlink(2).
    pub fn link(&self, name: &OsStr, target: &str) -> io::Result<()> {
        Ok(sys::symlinkat(target, &self.fd, name)?)
    }
    /// Whether a file with some content can be made here. Nothing stays.
    ///
    /// # Errors
    /// As open(2) and write(2).
    pub fn check(&self) -> io::Result<()> {
        self.written(|mut file| file.write_all(b"probe"))?;
        Ok(())
    }
    /// Whether others can make files here.
    fn shared(&self) -> io::Result<bool> {
        let here = sys::fstat(&self.fd)?;
        let others = Mode::WGRP | Mode::WOTH;
        Ok(!ours(here.st_uid) || Mode::from_raw_mode(here.st_mode).intersects(others))
    }
    /// Whether the kernel makes the files here.
    fn is_system(&self) -> bool {
        let real = self.path.canonicalize();
        real.is_ok_and(|real| real.starts_with("/dev") || real.starts_with("/proc"))
    }
    /// A temporary file with its content.
    fn written(
        &self,
        write: impl FnOnce(&File) -> io::Result<()>,
    ) -> io::Result<(TemporaryFile<'_>, File)> {
        let (temporary, file) = self.temporary()?;
        write(&file)?;
        Ok((temporary, file))
    }
    fn temporary(&self) -> io::Result<(TemporaryFile<'_>, File)> {
        // Keys come from the kernel's random numbers.
        let random = RandomState::new();
        let mut last = Errno::EXIST;
        for attempt in 0..ATTEMPTS {
            let name = OsString::from(format!(".cpulens.{:016x}.part", random.hash_one(attempt)));
            match self.create_exclusively(&name) {
                Ok(file) => {
                    return Ok((TemporaryFile { directory: self, name, renamed: false }, file));
                }
                Err(why) => last = why,
            }
            if last != Errno::EXIST {
                break;
            }
        }
        Err(last.into())
    }
    fn create_exclusively(&self, name: &OsStr) -> Result<File, Errno> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let mode = Mode::from_raw_mode(0o666);
        sys::openat(&self.fd, name, flags | OFlags::CLOEXEC, mode).map(File::from)
    }
    /// The content of a temporary file under a name that nothing has.
    fn copy(&self, mut from: &File, name: &OsStr) -> io::Result<File> {
        let mut to = self.create_exclusively(name)?;
        let copied = from.rewind().and_then(|()| io::copy(&mut from, &mut to));
        if let Err(why) = copied.and_then(|_| sync(&to)) {
            let _ = sys::unlinkat(&self.fd, name, AtFlags::empty());
            return Err(why);
        }
        Ok(to)
    }
}

/// A file that is removed again, unless it got another name.
struct TemporaryFile<'a> {
    directory: &'a Directory,
    name: OsString,
    renamed: bool,
}

impl Drop for TemporaryFile<'_> {
    fn drop(&mut self) {
        if !self.renamed {
            let _ = sys::unlinkat(&self.directory.fd, &self.name, AtFlags::empty());
        }
    }
}

/// Waits until a file is on the disk. Where waiting is forbidden or unknown the file is there all the same.
///
/// # Errors
/// As fsync(2): the disk is full or broken.
pub fn sync(file: &File) -> io::Result<()> {
    match sys::fsync(file) {
        Err(Errno::PERM | Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP) => Ok(()),
        done => Ok(done?),
    }
}

/// Removes a file. A link is removed itself.
///
/// # Errors
/// As [`Directory::open`] of its folder, and as unlink(2).
pub fn remove(file: &Path) -> io::Result<()> {
    let name = file.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(sys::unlinkat(&Directory::open(folder)?.fd, name, AtFlags::empty())?)
}

/// Whether root or we are this user.
fn ours(user: u32) -> bool {
    user == 0 || user == geteuid().as_raw()
}

/// Opens a folder part by part.
fn walk(path: &Path, create: bool) -> io::Result<OwnedFd> {
    let mut parts = reversed(path);
    let mut at = start(path)?;
    let mut links = 0;
    // Another user's link that was followed.
    let mut guide = None;
    while let Some(part) = parts.pop() {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let next = match sys::openat(&at, &part, flags, Mode::empty()) {
            Err(Errno::NOENT) if create => {
                guarded(&at, guide.take(), path)?;
                match sys::mkdirat(&at, &part, Mode::from_raw_mode(0o777)) {
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(why) => return Err(why.into()),
                }
                sys::openat(&at, &part, flags, Mode::empty())?
            }
            next => next?,
        };
        let there = sys::fstat(&next)?;
        match FileType::from_raw_mode(there.st_mode) {
            FileType::Directory => at = next,
            FileType::Symlink => {
                links += 1;
                if links > MOST_LINKS {
                    return Err(Errno::LOOP.into());
                }
                // In its own folder a user may give any link a name.
                let placed_by = [there.st_uid, sys::fstat(&at)?.st_uid];
                guide = placed_by.into_iter().find(|user| !ours(*user)).or(guide);
                let target = sys::readlinkat(&next, "", vec![])?.into_bytes();
                let target = PathBuf::from(OsString::from_vec(target));
                if target.is_absolute() {
                    at = start(&target)?;
                }
                parts.extend(reversed(&target));
            }
            _ => return Err(Errno::NOTDIR.into()),
        }
    }
    guarded(&at, guide, path)?;
    Ok(at)
}

/// The folder at which a path begins.
fn start(path: &Path) -> io::Result<OwnedFd> {
    let at = if path.is_absolute() { "/" } else { "." };
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(sys::openat(CWD, at, flags, Mode::empty())?)
}

/// The parts of a path, the last one first.
fn reversed(path: &Path) -> Vec<OsString> {
    let part = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    };
    path.components().rev().filter_map(part).collect()
}

/// Refuses to let root be led by a user's link into a folder that is not that user's.
fn guarded(at: &OwnedFd, guide: Option<u32>, path: &Path) -> io::Result<()> {
    match guide {
        Some(user) if geteuid().is_root() && sys::fstat(at)?.st_uid != user => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!(
                "{} has a link of user {user}, which leads root into a folder of another user",
                path.display()
            ),
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        fs,
        os::unix::fs::{PermissionsExt, chown, symlink},
    };

    fn content(text: &str) -> impl FnOnce(&File) -> io::Result<()> {
        move |mut file| file.write_all(text.as_bytes())
    }

    #[test]
    fn replacing_keeps_the_old_file_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let directory = Directory::create(&folder.path().join("a/b")).unwrap();
        let (name, file) = (OsStr::new("x"), folder.path().join("a/b/x"));
        directory.replace(name, content("one")).unwrap();
        directory.replace(name, content("two")).unwrap();
        assert!(directory.replace(name, |_| Err(io::ErrorKind::StorageFull.into())).is_err());
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "nothing is left beside it");
        let again = directory.create_new(name, content("three")).unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&file).unwrap(), b"two");
        let made = directory.create_new(OsStr::new("y"), content("new")).unwrap();
        assert!(directory.is(OsStr::new("y"), &made) && !directory.is(name, &made));
        assert!(Directory::open(&folder.path().join("no/such")).is_err());
        assert!(Directory::create(&file).is_err());
    }

    #[test]
    fn a_link_in_a_folder_of_others_is_replaced_and_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let victim = folder.path().join("victim");
        let shared = folder.path().join("shared");
        fs::write(&victim, "precious").unwrap();
        fs::create_dir(&shared).unwrap();
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o777)).unwrap();
        let directory = Directory::open(&shared).unwrap();
        for (name, target) in [("file", victim.as_path()), ("device", Path::new("/dev/null"))] {
            symlink(target, shared.join(name)).unwrap();
            let name = OsStr::new(name);
            assert_eq!(directory.present(name).unwrap(), EntryKind::File);
            assert!(directory.create_new(name, content("new")).is_err());
            directory.replace(name, content("new")).unwrap();
            assert_eq!(fs::read(shared.join(name)).unwrap(), b"new");
        }
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        let system = Directory::open(Path::new("/dev")).unwrap();
        assert_eq!(system.present(OsStr::new("null")).unwrap(), EntryKind::Stream);
        assert_eq!(system.present(OsStr::new("stdin")).unwrap(), EntryKind::Stream);
    }

    #[test]
    fn root_is_not_led_elsewhere_by_a_users_link() {
        if !geteuid().is_root() {
            return eprintln!("skipped: needs root, to give a link to another user");
        }
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["theirs", "roots"] {
            fs::create_dir(at(name)).unwrap();
        }
        chown(at("theirs"), Some(1), Some(1)).unwrap();
        for (link, target) in [("allowed", "theirs"), ("refused", "roots")] {
            symlink(at(target), at(link)).unwrap();
            std::os::unix::fs::lchown(at(link), Some(1), Some(1)).unwrap();
        }
        assert!(Directory::create(&at("allowed/new")).is_ok());
        for path in ["refused", "refused/new"] {
            let why = Directory::create(&at(path)).unwrap_err();
            assert_eq!(why.kind(), io::ErrorKind::PermissionDenied, "{why}");
        }
        assert_eq!(fs::read_dir(at("roots")).unwrap().count(), 0);
        symlink(at("roots"), at("own")).unwrap();
        assert!(Directory::open(&at("own")).is_ok());
        // Root's own link that the user moved.
        fs::rename(at("own"), at("theirs/own")).unwrap();
        assert!(Directory::open(&at("theirs/own")).is_err());
        fs::write(at("roots/file"), "precious").unwrap();
        assert!(remove(&at("refused/file")).is_err() && at("roots/file").exists());
        symlink(at("roots/file"), at("allowed/file")).unwrap();
        remove(&at("allowed/file")).unwrap();
        assert!(at("roots/file").exists() && !at("theirs/file").is_symlink());
    }
}
