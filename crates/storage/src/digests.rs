//! Records and digests of many machines, read on all CPUs: those of files and folders, one a file, a line or a row of a table.
use crate::files;
use anyhow::{Context, Result};
use fleet::digest::{Digest, VERSION};
use record::{Case, Record, Sort};
use sha2::{Digest as _, Sha256};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// The files of records and digests in these places, in order.
pub fn inputs(places: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut all = places.iter().map(|place| below(place)).collect::<Result<Vec<_>>>()?.concat();
    all.sort_unstable();
    Ok(all)
}
pub const NOTHING: &str = "there is no record or digest (.json, .jsonl, also with .zst, or a table `runs` as .parquet) in these places; \
                       tables as CSV are for databases and are not read";

/// The files of records and digests in a place, or the place itself.
pub fn below(place: &Path) -> Result<Vec<PathBuf>> {
    not_seen(place, &mut BTreeSet::new())
}

/// Endings of what may hold records and is not read.
const PACKED: [&str; 7] = ["7z", "bz2", "gz", "tar", "tgz", "xz", "zip"];

fn is_packed(file: &Path) -> bool {
    PACKED.contains(&files::ending(file).to_ascii_lowercase().as_str())
}

/// Whether a file in a folder may hold records: by `.json` or `.parquet` in its name, so that what a copy left half-written has a
/// line. Spark writes a checksum beside each.
fn may_hold(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let named = [".json", ".parquet"].iter().any(|ending| name.contains(ending));
    named && !name.ends_with(".crc") || is_packed(file)
}

/// A folder that links lead to several times is read once.
fn not_seen(place: &Path, seen: &mut BTreeSet<PathBuf>) -> Result<Vec<PathBuf>> {
    if !place.is_dir() {
        return Ok(vec![place.to_owned()]);
    }
    let cannot = || format!("cannot look into {}", place.display());
    let mut all = vec![];
    if !seen.insert(fs::canonicalize(place).with_context(cannot)?) {
        return Ok(all);
    }
    for entry in fs::read_dir(place).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        if path.is_dir() {
            // What is in one that cannot be read is left out, which has a line.
            all.extend(not_seen(&path, seen).unwrap_or_else(|_| vec![path]));
        } else if may_hold(&path) {
            all.push(path);
        }
    }
    Ok(all)
}

pub type Input = (String, std::result::Result<Digest, String>);

/// Reads all files, each worker the next one that is left; the order of the answers is that of the files. A table `metrics` has
/// nothing to add to a table `runs`.
pub fn read(all: &[PathBuf]) -> Vec<Input> {
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, usize::from).min(all.len());
    let mut found: Vec<(usize, (bool, Vec<Input>))> = thread::scope(|scope| {
        let work = || {
            let mut own = vec![];
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(file) = all.get(number) else { return own };
                own.push((number, one(file)));
            }
        };
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|w| w.join().unwrap_or_default()).collect()
    });
    found.order_by_key(|(number, _)| *number);
    let tables = found.iter().any(|(_, (is_table, _))| *is_table);
    let mut inputs: Vec<Input> = found.into_iter().flat_map(|(_, (_, inputs))| inputs).collect();
    inputs.retain(|(_, digest)| !tables || !is_metrics(digest.as_ref().err()));
    inputs
}

/// Whether the reason why there is no digest is that it is in another table.
pub fn is_metrics(why: Option<&String>) -> bool {
    why.is_some_and(|why| why == fleet::rows::IS_METRICS)
}

/// A record, or the digests of a file, one a line; and whether it is a table `runs`.
fn one(file: &Path) -> (bool, Vec<Input>) {
    let name = file.display().to_string();
    if file.is_dir() {
        let why = fs::read_dir(file).err().map_or(String::new(), |why| why.to_string());
        return (false, vec![(name, Err(format!("cannot be looked into: {why}")))]);
    }
    let inputs = match read_file(&name, fleet::headline::is_of_figures) {
        Ok(FileKind::Record(record)) => {
            let digest = of_record(&record, &files::short(&name));
            vec![(name, Ok(digest))]
        }
        Ok(FileKind::Table(all)) => return (true, all),
        Ok(FileKind::Digests(all)) => all,
        Ok(FileKind::Neither(why)) => vec![(name, Err(why.to_string()))],
        Err(why) => {
            let why = format!("{why:#}");
            let why = why.strip_prefix(&name).unwrap_or(&why).trim_start().to_owned();
            vec![(name, Err(why))]
        }
    };
    (false, inputs)
}

/// The kind of a file.
#[derive(Debug)]
pub enum FileKind {
    Record(Box<Record>),
    /// Digests, one a line.
    Digests(Vec<Input>),
    /// Digests, one a row of a table `runs` as Parquet.
    Table(Vec<Input>),
    Neither(record::LoadError),
}

/// The begin of each digest.
const DIGEST: &[u8] = br#"{"digest""#;

/// What a file, or standard input for `-`, holds, of a record with the series of the wanted cases; an archive is not read.
pub fn read_file(name: &str, wanted: fn(&Case) -> bool) -> Result<FileKind> {
    let shown = files::shown(name);
    if is_packed(Path::new(name)) {
        return Ok(FileKind::Digests(vec![(shown.into(), Err("is packed: unpack it".into()))]));
    }
    let mut bytes = vec![];
    files::bytes_into(name, &mut bytes)?;
    Ok(what(shown, &bytes, wanted))
}

fn what(name: &str, bytes: &[u8], wanted: fn(&Case) -> bool) -> FileKind {
    let empty = bytes.trim_ascii().is_empty();
    let ending = files::ending(Path::new(name));
    let named = ending == "jsonl";
    if !empty && (ending == "parquet" || fleet::rows::is_parquet(bytes)) {
        return of_parquet(name, bytes);
    }
    if empty {
        let what = if named { "digest" } else { "record" };
        let why = format!("is empty: no {what} was written");
        return FileKind::Digests(vec![(name.into(), Err(why))]);
    }
    let full = |(_, line): &(usize, &[u8])| !line.trim_ascii().is_empty();
    let lines = || bytes.split(|b| *b == b'\n').enumerate().filter(full);
    let all = || {
        let mut rows = Rows::new(name);
        lines().for_each(|(n, line)| rows.push(n + 1, Some(line)));
        rows.end()
    };
    if named {
        return FileKind::Digests(all());
    }
    match record::from_slice_of(bytes, wanted) {
        Ok(record) => FileKind::Record(Box::new(record)),
        Err(_) if lines().any(|(_, line)| of_line(line).is_ok()) => FileKind::Digests(all()),
        Err(why) => match of_line(bytes) {
            Err(_) if !bytes.trim_ascii_start().starts_with(DIGEST) => FileKind::Neither(why),
            digest => FileKind::Digests(vec![(name.into(), digest)]),
        },
    }
}

/// The digests of a Parquet file, each row called by its number, and what is wrong with the rest.
fn of_parquet(name: &str, bytes: &[u8]) -> FileKind {
    let mut rows = Rows::new(name);
    let mut number = 0;
    let done = fleet::rows::of_parquet(bytes, &mut |row| {
        number += 1;
        rows.push(number, row.map(str::as_bytes));
    });
    let mut all = rows.end();
    match done {
        Err(why) if is_metrics(Some(&why)) => FileKind::Digests(vec![(name.into(), Err(why))]),
        Err(why) => {
            all.push((name.into(), Err(why)));
            FileKind::Table(all)
        }
        Ok(()) => FileKind::Table(all),
    }
}

/// The digests of a file by their lines or rows, which a file of some kilobytes may have a million of: those equal to another one of
/// it are counted, so are those beyond the limits, and of what is no digest the first have a line each.
struct Rows<'a> {
    name: &'a str,
    all: Vec<Input>,
    seen: BTreeSet<[u8; 32]>,
    /// Bytes of those that were read.
    bytes: usize,
    equal: usize,
    beyond: usize,
    unread: usize,
}

/// Digests of a file that are read: those of ten thousand machines in twelve days.
const DIGESTS: usize = 1 << 17;
/// Bytes of them.
const DIGEST_BYTES: usize = 1 << 27;
/// End of the reason that names rows which are equal to others of their file.
const EQUAL: &str = "equal to others of it, byte by byte";

/// Whether the reason why there is no digest is that it is there already.
pub fn is_equal(why: &str) -> bool {
    why.ends_with(EQUAL)
}

impl<'a> Rows<'a> {
    const SHOWN: usize = 100;

    fn new(name: &'a str) -> Rows<'a> {
        let (all, seen) = (vec![], BTreeSet::new());
        Rows { name, all, seen, bytes: 0, equal: 0, beyond: 0, unread: 0 }
    }
    fn push(&mut self, number: usize, line: Option<&[u8]>) {
        let hash: Option<[u8; 32]> = line.map(|line| Sha256::digest(line).into());
        if hash.is_some_and(|hash| self.seen.contains(&hash)) {
            self.equal += 1;
            return;
        }
        self.bytes += line.map_or(0, <[u8]>::len);
        if self.seen.len() >= DIGESTS || self.bytes > DIGEST_BYTES {
            self.beyond += 1;
            return;
        }
        let digest = line.ok_or_else(|| "has no digest".to_owned()).and_then(of_line);
        match digest {
            Ok(_) => self.seen.extend(hash),
            Err(_) => self.unread += 1,
        }
        if digest.is_ok() || self.unread <= Rows::SHOWN {
            self.all.push((format!("{}:{number}", self.name), digest));
        }
    }
    fn end(mut self) -> Vec<Input> {
        let unread = self.unread.saturating_sub(Rows::SHOWN);
        let rest = [
            (self.equal, format!("holds {} more that are {EQUAL}", self.equal)),
            (unread, format!("holds {unread} more that are no digests")),
            (
                self.beyond,
                format!(
                    "holds {} more than the {DIGESTS} digests or {} MiB that are read: write several files",
                    self.beyond,
                    DIGEST_BYTES >> 20
                ),
            ),
        ];
        let rest = rest.into_iter().filter(|(count, _)| *count > 0);
        self.all.extend(rest.map(|(_, why)| (self.name.to_owned(), Err(why))));
        self.all
    }
}

fn of_line(line: &[u8]) -> std::result::Result<Digest, String> {
    let found = serde_json::from_slice::<Digest>(line);
    // A digest of another version need not have the same fields.
    let version = match &found {
        Ok(digest) => Some(u64::from(digest.digest)),
        Err(_) => serde_json::from_slice::<serde_json::Value>(line)
            .ok()
            .and_then(|all| all.get("digest")?.as_u64()),
    };
    match version {
        Some(other) if other != u64::from(VERSION) => {
            Err(format!("is a digest of version {other}, and this cpulens reads {VERSION}"))
        }
        _ => found.map_err(|why| format!("is no digest: {why}")),
    }
}

fn of_record(record: &Record, name: &str) -> Digest {
    Digest::of(&analyse::Report::of_cases(record, fleet::headline::is_of_figures), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_lines_that_are_no_digests_the_rest_is_counted() {
        for (lines, inputs) in [(100, 100), (101, 101), (5000, 101)] {
            let FileKind::Digests(all) = what("a.jsonl", "x\n".repeat(lines).as_bytes(), |_| true)
            else {
                panic!("no digests")
            };
            assert_eq!(all.len(), inputs);
            let last = all.last().and_then(|(_, why)| why.as_ref().err());
            let more = format!("holds {} more", lines - 100);
            assert_eq!(last.is_some_and(|why| why.contains(&more)), lines > 100, "{last:?}");
        }
    }

    /// Of one digest again and again, and of more digests than are read, the rest is counted.
    #[test]
    fn of_equal_digests_and_of_too_many_the_rest_is_counted() {
        let line = |host: usize, more: usize| {
            let more = " ".repeat(more);
            format!(
                r#"{{"digest":1,"host":"{host}","key":{{"model":"a","sockets":1,"cores":1,"cpus":1,"nodes":1,"hypervisor":"none"}},"facts":{{}},"figures":[]}}{more}"#
            )
        };
        let of = |lines: &[String]| {
            let FileKind::Digests(all) = what("a.jsonl", lines.join("\n").as_bytes(), |_| true)
            else {
                panic!("no digests")
            };
            let (read, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, d)| d.is_ok());
            (read.len(), rest.into_iter().map(|(_, why)| why.unwrap_err()).collect::<Vec<_>>())
        };
        let (read, rest) = of(&vec![line(1, 0); 5000]);
        assert_eq!((read, &rest[..]), (1, &["holds 4999 more that are ".to_owned() + EQUAL][..]));
        assert!(is_equal(&rest[0]));
        let many: Vec<String> = (0..DIGESTS + 3).map(|host| line(host, 0)).collect();
        let (read, rest) = of(&many);
        assert_eq!((read, rest.len()), (DIGESTS, 1));
        assert!(rest[0].starts_with("holds 3 more than") && !is_equal(&rest[0]), "{rest:?}");
        let large: Vec<String> = (0..5).map(|host| line(host, DIGEST_BYTES / 4)).collect();
        let (read, rest) = of(&large);
        assert!(read == 3 && rest[0].starts_with("holds 2 more than"), "{read} {rest:?}");
    }
}
