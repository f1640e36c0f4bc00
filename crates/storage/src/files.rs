//! Records on disk. A file is written under another name and renamed, so a full disk or a crash loses no old file.
use crate::named;
use anyhow::{Context, Result, bail};
use filesystem::{
    directory::{self, Directory, EntryKind},
    regular,
};
use host::{clock, live};
use record::{LoadError, Record};
use std::{
    borrow::Cow,
    env,
    ffi::OsStr,
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

/// Replaces a file atomically.
pub fn replace(file: &Path, bytes: &[u8]) -> Result<()> {
    replace_by(file, |out| out.write_all(bytes))
}

/// Replaces a file atomically by the output of `write`.
pub fn replace_by(file: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    replaced(file, write).with_context(|| format!("cannot write {}", file.display()))
}

fn replaced(file: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let (folder, name) = split(file)?;
    let folder = Directory::open(folder)?;
    let all = |to: &fs::File, synced: bool| {
        let mut out = io::BufWriter::with_capacity(1 << 16, to);
        write(&mut out)?;
        out.flush()?;
        if synced { directory::sync(to) } else { Ok(()) }
    };
    match folder.present(name)? {
        EntryKind::Folder => Err(io::ErrorKind::IsADirectory.into()),
        // A stream, such as /dev/stdout, cannot be replaced.
        EntryKind::Stream => all(&folder.stream(name)?, false),
        EntryKind::Nothing | EntryKind::File => folder.replace(name, |to| all(to, true)).map(drop),
    }
}

/// Makes a record's file that is not there yet, and its folder; a stream is written to.
///
/// # Errors
/// `AlreadyExists`, or what the system says.
pub fn create(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let (folder, name) = split(file)?;
    let folder = Directory::create(folder)?;
    match folder.present(name)? {
        EntryKind::Stream => folder.stream(name)?.write_all(bytes),
        _ => folder.create_new(name, |to| written(to, &encoded(file, bytes))).map(drop),
    }
}

/// Makes a file of that name in the folder, or of the next name that is not there yet.
pub fn create_fresh(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    let stem = stem(name);
    let ending = &name[stem.len()..];
    let numbered = (2..).map(|n| format!("{stem}-{n}{ending}"));
    for name in std::iter::once(name.to_owned()).chain(numbered) {
        let file = folder.join(name);
        match create(&file, bytes) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            done => return done.map(|()| file),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Writes a whole file, onto the disk.
pub fn written(mut file: &fs::File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    directory::sync(file)
}

/// The folder that a file is or will be in.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file's folder and its name there.
pub fn split(file: &Path) -> io::Result<(&Path, &OsStr)> {
    let name = file.file_name();
    let name = name.ok_or_else(|| io::Error::other("that is not the name of a file"))?;
    Ok((folder_of(file), name))
}

/// Whether [`replace`] could write the file, without touching it.
pub fn check(file: &Path) -> Result<()> {
    let fits = || {
        let (folder, name) = split(file)?;
        let folder = Directory::open(folder)?;
        match folder.present(name)? {
            EntryKind::Folder => Err(io::ErrorKind::IsADirectory.into()),
            EntryKind::Stream => Ok(()),
            EntryKind::Nothing | EntryKind::File => folder.check(),
        }
    };
    fits().with_context(|| format!("cannot write {}", file.display()))
}

/// The folder of records: `$XDG_DATA_HOME/cpulens/records`, or below `~/.local/share`.
pub fn records() -> Option<PathBuf> {
    Some(data()?.join("records"))
}

/// The folder of the user's own part of the catalogue, beside that of the records.
pub fn catalogue() -> Option<PathBuf> {
    Some(data()?.join("catalogue"))
}

/// `$XDG_DATA_HOME/cpulens`, or below `~/.local/share`.
fn data() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let data =
        absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")))?;
    Some(data.join("cpulens"))
}

/// The folders that take a record where its own fails: the current and the temporary one.
pub fn other_folders() -> Vec<PathBuf> {
    [env::current_dir().ok(), Some(env::temp_dir())].into_iter().flatten().collect()
}

/// A file name for a record that no other run has: the time to the microsecond, the machine, the host and the process, in
/// characters that no shell minds.
pub fn name(record: &Record) -> String {
    let machine =
        record.provenance.name.as_deref().or(record.machine.text("cpu.model")).unwrap_or("machine");
    let part = |text: &str| tidy(text).chars().take(40).collect::<String>();
    let (machine, host) = (part(machine), part(&live::host_name()));
    format!("{}-{machine}-{host}-{}.json.zst", clock::file_name_time(), std::process::id())
}

/// Small letters, digits and single hyphens.
pub fn tidy(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let plain: String = text.to_lowercase().chars().map(plain).collect();
    plain.split('-').filter(|p| !p.is_empty()).collect::<Vec<_>>().join("-")
}

/// Finds and reads a record: a file, `last`, `ref:NAME`, or `-` for standard input. Also returns its file.
pub fn load(name: &str) -> Result<(Record, Option<PathBuf>)> {
    if let Some(named) = name.strip_prefix(named::PREFIX) {
        return Ok((named::load(named)?, None));
    }
    let file = match name {
        "-" => None,
        "last" => Some(newest(|_| true)?),
        name => Some(PathBuf::from(name)),
    };
    match file {
        Some(file) => Ok((read(&file)?, Some(file))),
        None => {
            let record = record::from_slice(&bytes(name)?);
            Ok((record.map_err(|e| anyhow::anyhow!("standard input {e}"))?, None))
        }
    }
}

/// The bytes of a record by its name.
fn bytes(name: &str) -> Result<Vec<u8>> {
    let mut bytes = vec![];
    bytes_into(name, &mut bytes)?;
    Ok(bytes)
}

/// Replaces `bytes` by those of a record.
pub fn bytes_into(name: &str, bytes: &mut Vec<u8>) -> Result<()> {
    match name {
        "-" => bounded(io::stdin().lock(), bytes).context("standard input")?,
        "last" => whole(&newest(|_| true)?, bytes)?,
        name => whole(Path::new(name), bytes)?,
    }
    let plain = record::plain(bytes).map_err(|e| anyhow::anyhow!("{} {e}", shown(name)))?;
    if let Cow::Owned(plain) = plain {
        *bytes = plain;
    }
    Ok(())
}

/// The name of a record in an error message.
pub fn shown(name: &str) -> &str {
    if name == "-" { "standard input" } else { name }
}

/// A record's name for the suggested commands; standard input has none.
pub fn named(name: &str) -> &str {
    if name == "-" { "RECORD" } else { name }
}

/// A file's name without folders and ending.
pub fn short(name: &str) -> String {
    match Path::new(name).file_name() {
        Some(file) if name != "-" => stem(&file.to_string_lossy()).to_owned(),
        _ => "standard input".into(),
    }
}

/// A file's name without its ending; `.json.zst` is one.
pub fn stem(name: &str) -> &str {
    let name = name.strip_suffix(".zst").unwrap_or(name);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// The extension of a file's name: `json`, also of `.json.zst`.
pub fn ending(file: &Path) -> &str {
    let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let name = name.strip_suffix(".zst").unwrap_or(name);
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// A record's bytes as the file of that name has them: compressed if it ends in `.zst`.
pub fn encoded<'a>(file: &Path, bytes: &'a [u8]) -> Cow<'a, [u8]> {
    match file.extension().is_some_and(|x| x == "zst") {
        true => Cow::Owned(record::compressed(bytes)),
        false => Cow::Borrowed(bytes),
    }
}

/// The newest record of the wanted kind that still has cases to run.
pub fn newest_unfinished(wanted: impl Fn(&Record) -> bool) -> Result<PathBuf> {
    newest(|file| {
        let unreached = |run: &record::Run| run.outstanding() > 0.0;
        read(file).is_ok_and(|r| r.runs.iter().any(unreached) && wanted(&r))
    })
    .context("nothing to resume")
}

/// Reads a record from a file.
pub fn read(file: &Path) -> Result<Record> {
    let mut bytes = vec![];
    whole(file, &mut bytes)?;
    record::from_slice(&bytes).map_err(|why| no_record(&file.display().to_string(), why))
}

/// The reason why a file is no record, and the command that reads it if another tool wrote it.
pub fn no_record(shown: &str, why: LoadError) -> anyhow::Error {
    match why {
        LoadError::NotJson(_) => {
            anyhow::anyhow!(
                "{shown} {why}; what another tool wrote is read by: cpulens import FILE"
            )
        }
        why => anyhow::anyhow!("{shown} {why}"),
    }
}

/// A file that is no larger than a record may be.
fn whole(file: &Path, into: &mut Vec<u8>) -> Result<()> {
    let what = file.display();
    let opened = regular::open(file).with_context(|| format!("cannot open '{what}'"))?;
    // A file that is too large is refused unread; what has no length is cut off by `bounded`.
    let bytes = opened.metadata().map_or(0, |m| m.len());
    if bytes > record::MAX_BYTES {
        bail!("{what} {}", record::LoadError::TooLarge(bytes));
    }
    // Room for the end, too, which is found by reading once more.
    into.reserve((bytes as usize + 1).saturating_sub(into.len()));
    bounded(opened, into).with_context(|| format!("{what}"))
}

/// Reads up to the largest record there may be; a device that never ends is cut off there.
fn bounded(from: impl Read, into: &mut Vec<u8>) -> io::Result<()> {
    into.clear();
    from.take(record::MAX_BYTES + 1).read_to_end(into).map(drop)
}

/// The files of records in a folder, by name.
pub fn records_among(entries: fs::ReadDir) -> Vec<PathBuf> {
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut all: Vec<PathBuf> = files.filter(|path| ending(path) == "json").collect();
    all.sort_unstable();
    all
}

/// The records in the user's folder, the oldest first: names begin with their start.
pub fn own() -> Result<Vec<PathBuf>> {
    let folder = records()
        .context("there is no folder for records: neither HOME nor XDG_DATA_HOME names one")?;
    let entries = match fs::read_dir(&folder) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            bail!("there are no records yet in {}: cpulens run makes one", folder.display())
        }
        entries => entries.with_context(|| format!("cannot look into {}", folder.display()))?,
    };
    Ok(records_among(entries))
}

/// The newest record file that `wanted` accepts.
pub fn newest(mut wanted: impl FnMut(&Path) -> bool) -> Result<PathBuf> {
    let found = own()?.into_iter().rev().find(|f| wanted(f));
    found.with_context(|| {
        format!("there is no such record in {}", records().unwrap_or_default().display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hosts that share a home, with few names and in one microsecond.
    #[test]
    fn a_thousand_records_of_one_name_are_a_thousand_files() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("records");
        std::thread::scope(|scope| {
            for host in 0..20 {
                let folder = &folder;
                scope.spawn(move || {
                    for run in 0..50 {
                        let text = format!("{host} {run}");
                        let name = format!("{}.json", host % 10);
                        create_fresh(folder, &name, text.as_bytes()).unwrap();
                    }
                });
            }
        });
        let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let texts: std::collections::BTreeSet<String> =
            files.map(|file| fs::read_to_string(file).unwrap()).collect();
        assert_eq!(texts.len(), 1000);
    }
}
