//! The place of a run's record and page. The record's file is locked while the run goes on. Where it cannot be saved any more the
//! next folder takes it.
use crate::{files, say};
use analyse::Report;
use anyhow::{Context, Result, bail};
use filesystem::{
    directory::{Directory, EntryKind},
    file_lock::FileLock,
};
use record::Record;
use render::renderer::Settings;
use std::{
    ffi::OsStr,
    fs::{File, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf, absolute},
};

/// The record's place, and the reason if it is not saved there.
#[derive(Debug)]
pub struct Store {
    place: Option<Place>,
    /// Folders for the record where its place fails.
    others: Vec<PathBuf>,
    /// The reason why the record or its page is not where it should be.
    pub trouble: Option<String>,
    /// Whether the last state is saved somewhere.
    saved: bool,
}

/// The record's file.
#[derive(Debug)]
struct Place {
    folder: Directory,
    file: PathBuf,
    /// The locked file; nothing for a stream such as /dev/null, and where files cannot be locked.
    lock: Option<FileLock>,
    is_stream: bool,
    /// Whether a page that is there already belongs to this record, or is to be replaced.
    replaces_page: bool,
}

impl Store {
    /// Chooses the place and saves the plan there, before anything is measured.
    pub fn open(asked: Option<&Path>, force: bool, record: &Record) -> Result<Store> {
        let bytes = record::to_vec(record)?;
        if let Some(file) = asked {
            return Ok(Store::at(Place::asked(file, force, &bytes)?, files::other_folders()));
        }
        let own = files::records();
        let mut refused =
            own.is_none().then(|| "neither HOME nor XDG_DATA_HOME names a folder".to_owned());
        let mut folders = own.into_iter().chain(files::other_folders());
        while let Some(folder) = folders.next() {
            match Place::fresh(&folder, record, &bytes) {
                Ok(place) => {
                    if let Some(why) = refused {
                        let file = place.file.display();
                        say(&format!("cpulens: {why}; the record goes to {file}"));
                    }
                    return Ok(Store::at(place, folders.collect()));
                }
                Err(e) => {
                    refused.get_or_insert(format!("cannot write in {}: {e}", folder.display()));
                }
            }
        }
        // A run that cannot be saved still gives its report.
        let why = refused.unwrap_or_else(|| "there is no folder for records".into());
        let trouble = format!("the record is not saved: {why}; name a place with --record FILE");
        say(&format!("cpulens: {trouble}"));
        Ok(Store { place: None, others: vec![], trouble: Some(trouble), saved: false })
    }
    /// The place of a record that is there, to go on with it.
    pub fn resume(file: &Path) -> Result<Store> {
        let (folder, name) = files::split(file)?;
        let folder =
            Directory::open(folder).with_context(|| format!("cannot open '{}'", file.display()))?;
        let lock = locked(&folder, name, file)?;
        let file = file.to_owned();
        let place = Place { folder, file, lock, is_stream: false, replaces_page: true };
        Ok(Store::at(place, files::other_folders()))
    }
    fn at(place: Place, others: Vec<PathBuf>) -> Store {
        Store { place: Some(place), others, trouble: None, saved: true }
    }
    /// Saves the record. Where its place fails, the first other folder that works takes it from then on. The first failure is
    /// printed at once, the last one at the end.
    pub fn save(&mut self, record: &Record) {
        let Some(place) = &mut self.place else { return };
        let bytes = match record::to_vec(record) {
            Ok(bytes) => bytes,
            Err(why) => return self.failed(format!("the record could not be saved: {why}")),
        };
        let Err(why) = place.save(&bytes) else {
            // What moved to another folder once is not where it should be.
            if !self.saved {
                (self.saved, self.trouble) = (true, None);
            }
            return;
        };
        let earlier = if place.file.exists() { "; an earlier state of it is there" } else { "" };
        let trouble =
            format!("the record could not be saved as {}: {why}{earlier}", place.file.display());
        let here = place.folder.path().canonicalize().ok();
        for folder in &self.others {
            if folder.canonicalize().ok() == here {
                continue;
            }
            if let Ok(other) = Place::fresh(folder, record, &bytes) {
                let trouble = format!("{trouble}; it is saved as {}", other.file.display());
                say(&format!("cpulens: {trouble}"));
                (self.place, self.trouble, self.saved) = (Some(other), Some(trouble), true);
                return;
            }
        }
        self.failed(trouble);
    }
    fn failed(&mut self, trouble: String) {
        if self.saved {
            say(&format!("cpulens: {trouble}; measuring goes on"));
        }
        (self.trouble, self.saved) = (Some(trouble), false);
    }
    /// Saves the HTML report beside the record.
    pub fn save_page(&mut self, report: &Report<'_>) {
        let Some(place) = self.place.as_ref().filter(|place| !place.is_stream) else { return };
        let mut bytes = vec![];
        let file = absolute(&place.file).unwrap_or_else(|_| place.file.clone());
        let settings = Settings { record: file.display().to_string(), ..Settings::default() };
        let rendered = render::renderer::render("html", report, &settings, &mut bytes);
        if let Err(why) = rendered.and_then(|()| place.save_page(&bytes)) {
            let page = place.page();
            self.trouble
                .get_or_insert(format!("the page could not be saved as {}: {why}", page.display()));
        }
    }
    /// The record's file, if its last state is saved.
    pub fn file(&self) -> Option<&Path> {
        self.place.as_ref().filter(|_| self.saved).map(|place| place.file.as_path())
    }
    /// Prints where the record and the page are.
    pub fn print_places(&self, quiet: bool) {
        if let Some(trouble) = &self.trouble {
            say(&format!("cpulens: {trouble}"));
        }
        let Some(place) = self.place.as_ref().filter(|_| self.saved && !quiet) else { return };
        say(&format!("Record: {}", place.file.display()));
        if !place.is_stream && place.page().exists() {
            say(&format!("Report: {}", place.page().display()));
        }
    }
}

impl Place {
    /// The file that the user named.
    fn asked(file: &Path, force: bool, bytes: &[u8]) -> Result<Place> {
        let shown = file.display();
        if file.extension().is_some_and(|x| x == "html") {
            bail!(
                "--record {shown}: a record is JSON, and its page is saved beside it as .html; name it .json or .json.zst"
            );
        }
        let cannot = || format!("cannot write {shown}");
        let (folder, name) = files::split(file).with_context(cannot)?;
        let folder = Directory::create(folder).with_context(cannot)?;
        let there = folder.present(name).with_context(cannot)?;
        let mut place = Place {
            folder,
            file: file.to_owned(),
            lock: None,
            is_stream: there == EntryKind::Stream,
            replaces_page: force,
        };
        match there {
            EntryKind::Folder => {
                return Err(io::Error::from(io::ErrorKind::IsADirectory)).with_context(cannot);
            }
            EntryKind::Stream => place.save(bytes).with_context(cannot)?,
            EntryKind::Nothing | EntryKind::File => {
                if there == EntryKind::File {
                    place.lock = locked(&place.folder, name, file)?;
                }
                let already = |what: &Path| {
                    format!(
                        "--record {shown}: {} is there already; name another file, or replace it with --force",
                        what.display()
                    )
                };
                if !force && place.page().exists() {
                    bail!("{}", already(&place.page()));
                }
                let made = match force {
                    true => place.save(bytes),
                    false => place.save_new(bytes),
                };
                match made {
                    Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                        bail!("{}", already(file))
                    }
                    made => made.with_context(cannot)?,
                }
            }
        }
        Ok(place)
    }
    /// A new file for a record in this folder.
    fn fresh(folder: &Path, record: &Record, bytes: &[u8]) -> io::Result<Place> {
        let mut place = Place {
            folder: Directory::create(folder)?,
            file: folder.join(files::name(record)),
            lock: None,
            is_stream: false,
            replaces_page: false,
        };
        place.save_new(bytes)?;
        Ok(place)
    }
    fn name(&self) -> &OsStr {
        self.file.file_name().unwrap_or_default()
    }
    fn page(&self) -> PathBuf {
        let name = self.name().to_string_lossy();
        self.file.with_file_name(format!("{}.html", files::stem(&name)))
    }
    fn save_new(&mut self, bytes: &[u8]) -> io::Result<()> {
        let bytes = files::encoded(&self.file, bytes);
        let new = self.folder.create_new(self.name(), |file| locked_and_written(file, &bytes))?;
        self.lock = Some(FileLock(new));
        Ok(())
    }
    fn save(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.is_stream {
            return self.folder.stream(self.name())?.write_all(bytes);
        }
        // The new file is locked before it has the name, and the old one until then.
        let bytes = files::encoded(&self.file, bytes);
        let new = self.folder.replace(self.name(), |file| locked_and_written(file, &bytes))?;
        self.lock = Some(FileLock(new));
        Ok(())
    }
    fn save_page(&self, bytes: &[u8]) -> io::Result<()> {
        let page = self.page();
        let name = page.file_name().unwrap_or_default();
        let write = |file: &File| files::written(file, bytes);
        match self.replaces_page {
            true => self.folder.replace(name, write).map(drop),
            false => self.folder.create_new(name, write).map(drop),
        }
    }
}

/// A file that another run cannot lock. Where files cannot be locked at all it stays as it is.
fn locked_and_written(file: &File, bytes: &[u8]) -> io::Result<()> {
    let _ = file.try_lock();
    files::written(file, bytes)
}

/// Locks a record that is there.
///
/// # Errors
/// If another run has it.
fn locked(folder: &Directory, name: &OsStr, file: &Path) -> Result<Option<FileLock>> {
    // A run that saved meanwhile has put another file there.
    while let Ok(there) = folder.existing(name) {
        match there.try_lock() {
            Err(TryLockError::WouldBlock) => {
                bail!("{} is in use: another run of cpulens saves its record there", file.display())
            }
            Ok(()) if !folder.is(name, &there) => {}
            locked => return Ok(locked.ok().map(|()| FileLock(there))),
        }
    }
    Ok(None)
}
