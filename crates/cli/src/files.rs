//! Records on disk. A file is written under another name and renamed, so a full disk or a crash loses no old file.
use crate::catalogue;
use anyhow::{Context, Result, bail};
use record::{Outcome, Record};
use std::{
    env, fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

/// Replaces a file atomically.
pub(crate) fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_by(file, |out| out.write_all(bytes))
}

/// Replaces a file atomically by the output of `write`.
pub(crate) fn replace_by(
    file: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let all = |to: fs::File| {
        let mut out = io::BufWriter::with_capacity(1 << 16, to);
        write(&mut out)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)
    };
    let folder = folder_of(file);
    let name =
        file.file_name().ok_or_else(|| io::Error::other("that is not the name of a file"))?;
    // A device, such as /dev/stdout, cannot be replaced.
    if fs::metadata(file).is_ok_and(|m| !m.is_file()) {
        return all(fs::OpenOptions::new().write(true).open(file)?).map(drop);
    }
    let beside = folder.join(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    let written = fs::File::create(&beside).and_then(|f| all(f)?.sync_all());
    let done = written.and_then(|()| fs::rename(&beside, file));
    if done.is_err() {
        let _ = fs::remove_file(&beside);
    }
    done
}

/// The folder that a file is or will be in.
pub(crate) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether [`replace`] could write the file, without touching it.
pub(crate) fn check(file: &Path) -> io::Result<()> {
    match fs::metadata(file) {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if !there.is_file() => Ok(()),
        _ => probe(folder_of(file)),
    }
}

/// The folder of records: `$XDG_DATA_HOME/cpulens/records`, or below `~/.local/share`.
pub(crate) fn records() -> Option<PathBuf> {
    Some(data()?.join("records"))
}

/// The folder of the user's own part of the catalogue, beside that of the records.
pub(crate) fn catalogue() -> Option<PathBuf> {
    Some(data()?.join("catalogue"))
}

/// `$XDG_DATA_HOME/cpulens`, or below `~/.local/share`.
fn data() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let data =
        absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")))?;
    Some(data.join("cpulens"))
}

/// A folder that can be written: the records' own, else the current one, else the temporary one; with the
/// reason why it is not the first.
pub(crate) fn writable_folder() -> Result<(PathBuf, Option<String>)> {
    let own = records();
    let mut refused =
        own.is_none().then(|| "neither HOME nor XDG_DATA_HOME names a folder".to_owned());
    let choices = [own, env::current_dir().ok(), Some(env::temp_dir())];
    for folder in choices.into_iter().flatten() {
        match fs::create_dir_all(&folder).and_then(|()| probe(&folder)) {
            Ok(()) => return Ok((folder, refused)),
            Err(e) => {
                refused.get_or_insert(format!("cannot write in {}: {e}", folder.display()));
            }
        }
    }
    bail!("{}", refused.unwrap_or_else(|| "there is no folder for records".into()))
}

/// Whether a file can be made in the folder.
fn probe(folder: &Path) -> io::Result<()> {
    let file = folder.join(format!(".cpulens.{}.part", std::process::id()));
    let written = fs::write(&file, b"probe");
    let removed = fs::remove_file(&file);
    written.and(removed)
}

/// A file name for a record: start and machine, in characters that no shell minds.
pub(crate) fn name(record: &Record) -> String {
    let machine =
        record.provenance.name.as_deref().or(record.machine.text("cpu.model")).unwrap_or("machine");
    let machine: String = tidy(machine).chars().take(40).collect();
    let start: String = record
        .provenance
        .started
        .as_deref()
        .unwrap_or("")
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    format!("{start}-{machine}.json")
}

/// Small letters, digits and single hyphens.
pub(crate) fn tidy(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let plain: String = text.to_lowercase().chars().map(plain).collect();
    plain.split('-').filter(|p| !p.is_empty()).collect::<Vec<_>>().join("-")
}

/// A file of that name in the folder, or the next that is not there yet: two runs may begin in one second.
pub(crate) fn fresh(folder: &Path, name: &str) -> PathBuf {
    let stem = name.trim_end_matches(".json");
    let numbered = (2..).map(|n| folder.join(format!("{stem}-{n}.json")));
    let mut names = std::iter::once(folder.join(name)).chain(numbered);
    names.find(|file| !file.exists()).unwrap_or_else(|| folder.join(name))
}

/// Finds and reads a record: a file, `last`, `ref:NAME`, or `-` for standard input. Also returns its file.
pub(crate) fn load(name: &str) -> Result<(Record, Option<PathBuf>)> {
    if let Some(named) = name.strip_prefix(catalogue::PREFIX) {
        return Ok((catalogue::load(named)?, None));
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
pub(crate) fn bytes_into(name: &str, bytes: &mut Vec<u8>) -> Result<()> {
    match name {
        "-" => bounded(io::stdin().lock(), bytes).context("standard input"),
        "last" => whole(&newest(|_| true)?, bytes),
        name => whole(Path::new(name), bytes),
    }
}

/// The name of a record in an error message.
pub(crate) fn shown(name: &str) -> &str {
    if name == "-" { "standard input" } else { name }
}

/// A file's name without folders and ending.
pub(crate) fn short(name: &str) -> String {
    match Path::new(name).file_stem() {
        Some(stem) if name != "-" => stem.to_string_lossy().into_owned(),
        _ => "standard input".into(),
    }
}

/// The newest record of the wanted kind that still has cases to run.
pub(crate) fn newest_unfinished(wanted: impl Fn(&Record) -> bool) -> Result<PathBuf> {
    newest(|file| {
        let unreached = |run: &record::Run| matches!(run.outcome, Outcome::NotReached(_));
        read(file).is_ok_and(|r| r.runs.iter().any(unreached) && wanted(&r))
    })
    .context("nothing to resume")
}

/// Reads a record from a file.
pub(crate) fn read(file: &Path) -> Result<Record> {
    let mut bytes = vec![];
    whole(file, &mut bytes)?;
    record::from_slice(&bytes).map_err(|e| anyhow::anyhow!("{} {e}", file.display()))
}

/// A file that is no larger than a record may be.
fn whole(file: &Path, into: &mut Vec<u8>) -> Result<()> {
    let what = file.display();
    if file.is_dir() {
        bail!("{what} is a folder, not a record");
    }
    let opened = fs::File::open(file).with_context(|| format!("cannot open '{what}'"))?;
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

/// The newest record file that `wanted` accepts; names begin with their start, so they sort by age.
fn newest(wanted: impl Fn(&Path) -> bool) -> Result<PathBuf> {
    let folder = records()
        .context("there is no folder for records: neither HOME nor XDG_DATA_HOME names one")?;
    let entries = match fs::read_dir(&folder) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            bail!("there are no records yet in {}", folder.display())
        }
        entries => entries.with_context(|| format!("cannot look into {}", folder.display()))?,
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|x| x == "json"))
        .collect();
    files.sort();
    let found = files.into_iter().rev().find(|f| wanted(f));
    found.with_context(|| format!("there is no such record in {}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacing_keeps_the_old_file_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.json");
        replace(&file, b"one").unwrap();
        replace(&file, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
        assert!(replace(&folder.path().join("no/such/folder.json"), b"x").is_err());
    }
}
