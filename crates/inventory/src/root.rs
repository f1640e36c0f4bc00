//! Sources of files: the live machine, or a captured folder. Absent, denied and failed are three
//! different answers, and a capture keeps them apart (see [`UNREADABLE`]).
use std::{
    cell::RefCell,
    collections::BTreeMap,
    fs, io,
    io::Read as _,
    path::{Path, PathBuf},
};

/// The largest file that is read, in bytes. The largest genuine one is /proc/cpuinfo of a few thousand CPUs.
pub const MAX_FILE: u64 = 16 << 20;
/// The most entries of one directory that are looked at.
pub const MAX_ENTRIES: usize = 200_000;
/// In a captured tree: one line `denied<TAB>path` or `failed<TAB>path<TAB>message` for every file that was
/// there but could not be read, so that a replay does not take "not allowed" for "not there".
pub const UNREADABLE: &str = "/cpulens/unreadable";

/// A source of files. Paths are absolute and as on the machine: `/sys/devices/system/cpu/online`.
pub trait Root {
    /// The content of a file.
    ///
    /// # Errors
    /// `NotFound` if it is not there, `PermissionDenied` if it may not be read, others as they come.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;
    /// The names in a directory, in any order.
    ///
    /// # Errors
    /// As [`Root::read`].
    fn list(&self, path: &str) -> io::Result<Vec<String>>;
    /// The target of a symbolic link.
    ///
    /// # Errors
    /// As [`Root::read`]; `InvalidInput` if it is not a link.
    fn link(&self, path: &str) -> io::Result<String>;
}

/// A captured tree, or any copy of a system's `/sys` and `/proc`, as a [`Root`].
#[derive(Debug)]
pub struct Folder {
    top: PathBuf,
    unreadable: Unreadable,
    /// Real paths of the folders asked for so far, or that they are not there: following every path anew from
    /// the top costs a system call for each of its parts, which of a thousand CPUs' files takes seconds.
    known: RefCell<BTreeMap<String, Option<PathBuf>>>,
}

impl Folder {
    /// Opens a folder.
    ///
    /// # Errors
    /// If it is not there or not a folder.
    pub fn open(top: &Path) -> io::Result<Folder> {
        let top = top.canonicalize()?;
        if !top.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "is not a folder"));
        }
        let mut folder =
            Folder { top, unreadable: Unreadable::default(), known: RefCell::default() };
        if let Ok(list) = folder.read(UNREADABLE) {
            folder.unreadable = Unreadable::parse(&list);
        }
        Ok(folder)
    }
    /// The path with all links followed, refused if it leads out of the tree; and what lies there.
    fn resolve(&self, path: &str) -> io::Result<(PathBuf, fs::Metadata)> {
        self.unreadable.check(path)?;
        if path.split('/').any(|part| part == "..") {
            return Err(outside());
        }
        self.entry(path.trim_end_matches('/'))
    }
    fn entry(&self, path: &str) -> io::Result<(PathBuf, fs::Metadata)> {
        let Some((parent, name)) = path.rsplit_once('/') else {
            return Ok((self.top.clone(), fs::metadata(&self.top)?));
        };
        let file = self.folder(parent)?.join(name);
        let what = fs::symlink_metadata(&file)?;
        if !what.is_symlink() {
            return Ok((file, what));
        }
        let real = file.canonicalize()?;
        if !real.starts_with(&self.top) {
            return Err(outside());
        }
        let what = fs::metadata(&real)?;
        Ok((real, what))
    }
    /// As [`Folder::entry`], remembered.
    fn folder(&self, path: &str) -> io::Result<PathBuf> {
        if let Some(known) = self.known.borrow().get(path) {
            return known.clone().ok_or_else(|| io::ErrorKind::NotFound.into());
        }
        let found = match self.entry(path) {
            Ok((real, _)) => Some(real),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        self.known.borrow_mut().insert(path.into(), found.clone());
        found.ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

fn outside() -> io::Error {
    io::Error::other("leads out of the tree, which is not followed")
}

impl Root for Folder {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let (real, what) = self.resolve(path)?;
        // A pipe or device in the tree would block or never end.
        if !what.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file"));
        }
        bounded(fs::File::open(real)?)
    }
    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        let there = self.resolve(path).and_then(|(real, _)| {
            fs::read_dir(real)?
                .take(MAX_ENTRIES)
                .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
                .collect()
        });
        self.unreadable.join(path, there)
    }
    fn link(&self, path: &str) -> io::Result<String> {
        self.unreadable.check(path)?;
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        let target = fs::read_link(self.resolve(parent)?.0.join(name))?;
        Ok(target.to_string_lossy().into_owned())
    }
}

/// Reads to the end, but not beyond [`MAX_FILE`]. Live roots use it too.
///
/// # Errors
/// `FileTooLarge`, or what reading says.
pub fn bounded(file: impl io::Read) -> io::Result<Vec<u8>> {
    let mut bytes = vec![];
    file.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE {
        let why = format!("is larger than {MAX_FILE} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// Files that a capture saw but could not read: path, and the message unless it was denied.
#[derive(Debug, Clone, Default)]
pub struct Unreadable(pub BTreeMap<String, Option<String>>);

impl Unreadable {
    /// Parses the lines of [`UNREADABLE`].
    pub fn parse(list: &[u8]) -> Unreadable {
        let text = String::from_utf8_lossy(list);
        let line = |line: &str| {
            let mut parts = line.splitn(3, '\t');
            match (parts.next()?, parts.next()?, parts.next()) {
                ("denied", path, _) => Some((path.to_string(), None)),
                ("failed", path, message) => {
                    Some((path.to_string(), Some(message.unwrap_or("cannot be read").to_string())))
                }
                _ => None,
            }
        };
        Unreadable(text.lines().filter_map(line).collect())
    }
    /// The names in a folder: those that are there, and those that lead to what could not be read.
    ///
    /// # Errors
    /// The error of `there`, or of [`Unreadable::check`].
    pub fn join(&self, path: &str, there: io::Result<Vec<String>>) -> io::Result<Vec<String>> {
        self.check(path)?;
        let below = format!("{}/", path.trim_end_matches('/'));
        let paths = self.0.range(below.clone()..).map(|(path, _)| path);
        let inside = paths.map_while(|path| path.strip_prefix(&below));
        let mut hidden: Vec<&str> = inside.filter_map(|rest| rest.split('/').next()).collect();
        hidden.dedup();
        if hidden.is_empty() {
            return there;
        }
        let mut names = match there {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            there => there.unwrap_or_default(),
        };
        let fresh = hidden.into_iter().filter(|name| !names.iter().any(|n| n == name));
        let fresh: Vec<String> = fresh.map(str::to_owned).collect();
        names.extend(fresh);
        names.truncate(MAX_ENTRIES);
        Ok(names)
    }
    /// Whether a path is not among them.
    ///
    /// # Errors
    /// Why it could not be read.
    pub fn check(&self, path: &str) -> io::Result<()> {
        match self.0.get(path) {
            None => Ok(()),
            Some(None) => Err(io::ErrorKind::PermissionDenied.into()),
            Some(Some(message)) => Err(io::Error::other(message.clone())),
        }
    }
}
