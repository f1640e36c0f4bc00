//! Records by name: those of the catalogue, and the user's own beside them in `$XDG_DATA_HOME/cpulens/catalogue`.
use crate::files;
use analyse::nearest::{self, Figures};
use analyse::references::{self, Reference, References};
use analyse::unixbench::UnixBenchResult;
use analyse::{Nearest, Peers, Report};
use anyhow::{Context, Result, anyhow, bail};
use record::Record;
use std::{fs, io, path::PathBuf};

/// The prefix of a catalogue name where a file name is possible too.
pub const PREFIX: &str = "ref:";

/// A record that the user added.
#[derive(Debug)]
pub struct OwnRecord {
    pub name: String,
    /// The record, or why it cannot be read.
    pub record: Result<Record>,
}

/// The record of that name.
pub fn load(asked: &str) -> Result<Record> {
    let name = files::tidy(asked);
    if let Some(record) = catalogue::record(&name).map_err(defect)? {
        return Ok(record);
    }
    let own = files::catalogue().map(|folder| folder.join(format!("{name}.json")));
    if let Some(file) = own.filter(|file| !name.is_empty() && file.is_file()) {
        return files::read(&file);
    }
    let own = names()?;
    let mut all: Vec<&str> = own.iter().map(String::as_str).collect();
    catalogue::names().for_each(|name| all.push(name));
    let near = catalogue::nearest(asked, all.into_iter());
    let hint = match near[..] {
        [] => "`cpulens catalogue list` names all there are".to_owned(),
        _ => format!("the nearest are {}", near.join(", ")),
    };
    bail!("the catalogue has no '{asked}'; {hint}")
}

/// The analyses of a record, with the nearest machines of the catalogue: published ones, and the user's own.
pub fn report(record: &Record) -> Report<'_> {
    let published =
        |name: &str| Some((name.to_owned(), Figures::of(&catalogue::record(name).ok()??)));
    // `catalogue list` names records that cannot be read. The record itself is no neighbour.
    let added = |own: OwnRecord| {
        let other = own.record.ok().filter(|other| other != record)?;
        Some((own.name, Figures::of(&other)))
    };
    // Files are opened only if something is asked of them.
    let own = std::iter::once_with(own).filter_map(Result::ok).flatten().filter_map(added);
    let measured = record.runs.iter().any(|run| run.origin.is_none());
    let others = catalogue::names().filter_map(published).chain(own);
    let others: Vec<_> = others.take(if measured { usize::MAX } else { 0 }).collect();
    let mut report = analyse::analyse(record);
    report.set(references(&report));
    report.set(Peers(nearest::beside(record, &others)));
    report.set(Nearest(nearest::nearest(record, others.into_iter())));
    report
}

/// The default reference machines for UnixBench's indexes.
fn references(report: &Report<'_>) -> References {
    let Some(bench) = &report.get::<UnixBenchResult>().0 else { return References(vec![]) };
    let published = catalogue::names().filter_map(|name| {
        let record = catalogue::record(name).ok()??;
        Some(Reference::of(&format!("{PREFIX}{name}"), &record))
    });
    let added = own().into_iter().flatten().filter_map(|own| {
        let other = own.record.ok().filter(|other| other != report.record)?;
        Some(Reference::of(&format!("{PREFIX}{}", own.name), &other))
    });
    let all: Vec<Reference> = published.chain(added).flatten().collect();
    References(references::beside(bench, &all, references::SHOWN))
}

/// The names of the user's own records, broken ones too.
fn names() -> Result<Vec<String>> {
    let Some(folder) = files::catalogue() else { return Ok(vec![]) };
    let entries = match fs::read_dir(&folder) {
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound) => return Ok(vec![]),
        entries => entries.with_context(|| format!("cannot look into {}", folder.display()))?,
    };
    let name = |path: PathBuf| {
        let json = path.extension().is_some_and(|x| x == "json");
        let stem = path.file_stem()?.to_str()?.to_owned();
        (json && !stem.starts_with('.')).then_some(stem)
    };
    let mut all: Vec<String> = entries.filter_map(|entry| name(entry.ok()?.path())).collect();
    all.sort_unstable();
    Ok(all)
}

/// The user's own records; one that cannot be read or reached hides no other.
pub fn own() -> Result<impl Iterator<Item = OwnRecord>> {
    let folder = files::catalogue().unwrap_or_default();
    let one = move |name: String| {
        let file = folder.join(format!("{name}.json"));
        let record = if catalogue::names().any(|n| n == name) {
            Err(anyhow!(
                "{}: the catalogue has a machine of that name, which is shown instead; rename the file",
                file.display()
            ))
        } else if files::tidy(&name) != name {
            Err(anyhow!(
                "{}: a name has small letters, digits and hyphens only; rename the file",
                file.display()
            ))
        } else {
            files::read(&file)
        };
        OwnRecord { name, record }
    };
    Ok(names()?.into_iter().map(one))
}

/// Keeps a record under a name of its own; returns the name and the file.
pub fn add(record: &Record, name: &str) -> Result<(String, PathBuf)> {
    let name: String = files::tidy(name).chars().take(60).collect();
    if name.is_empty() {
        bail!("it needs a name of letters or digits: give one with --name");
    }
    if catalogue::names().any(|n| n == name) {
        bail!("{name} is a machine of the catalogue itself; choose another name with --name");
    }
    let folder = files::catalogue()
        .context("there is no place for it: neither HOME nor XDG_DATA_HOME names a folder")?;
    let file = folder.join(format!("{name}.json"));
    match files::create(&file, &record::to_vec(record)?) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => bail!(
            "{name} is there already, as {}; choose another name with --name, or remove that file",
            file.display()
        ),
        written => written.with_context(|| format!("cannot write {}", file.display()))?,
    }
    Ok((name, file))
}

/// The catalogue's own data cannot be read: the program was built wrong.
pub fn defect(why: &str) -> anyhow::Error {
    anyhow!("the catalogue in this program cannot be read, which is a defect of it: {why}")
}
