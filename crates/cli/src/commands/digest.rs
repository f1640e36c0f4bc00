//! `digest`: records and digests as lines of JSON or as tables, which databases read.
use super::fleet::{FileKind, Input, NOTHING, below, is_equal, is_metrics, read_file};
use crate::{exit::Exit, files, output};
use analyse::{Estimate, quantity};
use anyhow::{Context, Result, anyhow, bail};
use filesystem::directory::Directory;
use fleet::digest::Digest;
use fleet::rows::{METRICS, Months, RUNS};
use record::Record;
use sha2::{Digest as _, Sha256};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

pub(crate) fn digest(args: &arguments::Digest) -> Result<Exit> {
    let mut failed = 0;
    let mut lines: Vec<u8> = vec![];
    let mut first = true;
    let mut tables = args.parquet.as_deref().map(Tables::open).transpose()?;
    let mut parquet = Parquet::default();
    for (name, run) in files(&args.records)?.iter().flat_map(|name| runs(name, &mut parquet)) {
        let run = match run {
            Ok(run) => run,
            Err(why) => {
                failed += 1;
                output::left_out(why);
                continue;
            }
        };
        let report;
        let (digest, series) = match run {
            Run::Digest(digest) => (*digest, &[][..]),
            Run::Record(ref record) => {
                report = analyse::analyse(record);
                (Digest::of(&report, &name), &report.estimates[..])
            }
        };
        match (&mut tables, args.table) {
            (Some(tables), _) => tables.add(&digest, series),
            (_, Some(table)) => {
                let table = if table == arguments::DigestTable::Runs { &RUNS } else { &METRICS };
                table.csv(&digest, series, first, &mut lines)?;
            }
            (None, None) => {
                lines.extend_from_slice(fleet::rows::line(&digest)?.as_bytes());
            }
        }
        first = false;
    }
    for why in parquet.metrics.into_iter().filter(|_| !parquet.runs) {
        failed += 1;
        output::left_out(why);
    }
    match (tables, &args.file) {
        (Some(tables), _) => tables.write()?,
        (None, Some(file)) => files::replace(file, &lines)?,
        (None, None) => output::stdout(&lines)?,
    }
    Ok(if failed > 0 { Exit::CouldNot } else { Exit::Done })
}

/// The named files, and those in named folders.
fn files(names: &[String]) -> Result<Vec<String>> {
    let mut all = vec![];
    for name in names {
        if !Path::new(name).is_dir() {
            all.push(name.clone());
            continue;
        }
        let mut inside = below(Path::new(name))?;
        if inside.is_empty() {
            bail!("{name}: {NOTHING}");
        }
        inside.sort_unstable();
        all.extend(inside.into_iter().map(|file| file.display().to_string()));
    }
    Ok(all)
}

/// The content of a file or of a line of it.
enum Run {
    Record(Box<Record>),
    Digest(Box<Digest>),
}

/// Tables that were read: whether there was one of runs, and why there is no digest in those of metrics.
#[derive(Default)]
struct Parquet {
    runs: bool,
    metrics: Vec<anyhow::Error>,
}

/// A record, or the digests of a file, each with what it is called.
fn runs(name: &str, parquet: &mut Parquet) -> Vec<(String, Result<Run>)> {
    if name == "last" || name.starts_with(crate::catalogue::PREFIX) {
        return match files::load(name) {
            Ok((found, _)) => vec![(files::short(name), Ok(Run::Record(Box::new(found))))],
            Err(why) => vec![(name.into(), Err(why))],
        };
    }
    let lines = match read_file(name) {
        Ok(FileKind::Record(found)) => return vec![(files::short(name), Ok(Run::Record(found)))],
        Ok(FileKind::Digests(lines)) => lines,
        Ok(FileKind::Table(rows)) => {
            parquet.runs = true;
            rows
        }
        Ok(FileKind::Neither(why)) => {
            return vec![(name.into(), Err(files::no_record(files::shown(name), why)))];
        }
        Err(why) => return vec![(name.into(), Err(why))],
    };
    let run = |(given, digest): Input| match digest {
        Ok(digest) => Some((given, Ok(Run::Digest(Box::new(digest))))),
        Err(why) if is_metrics(Some(&why)) => {
            parquet.metrics.push(anyhow!("{given} {why}"));
            None
        }
        Err(why) if is_equal(&why) => {
            output::left_out(format!("{given} {why}"));
            None
        }
        Err(why) => Some((given.clone(), Err(anyhow!("{given} {why}")))),
    };
    lines.into_iter().filter_map(run).collect()
}

/// Both tables in a folder, and which runs are in them.
struct Tables {
    folder: PathBuf,
    there: BTreeSet<String>,
    new: String,
    months: Months,
    /// Runs that were there already.
    again: usize,
}

/// The folder beside the tables that says which runs are in them, a file for each time that some were added: a line with the word
/// and a hash for each identity of a run.
const NOTED: &str = "_runs";
const RUN: &str = "run";
const SERIES: &str = "series";

impl Tables {
    fn open(folder: &Path) -> Result<Tables> {
        let there = runs_in(&folder.join(NOTED))?;
        let (new, months) = (String::new(), Months::default());
        Ok(Tables { folder: folder.into(), there, new, months, again: 0 })
    }
    /// Adds what is not there. Of a record whose digest is, that is its series.
    fn add(&mut self, digest: &Digest, series: &[Estimate]) {
        let (noted, asked) = digest.identities();
        let is_new = self.note(RUN, &noted, &asked);
        let series = match series.is_empty() || !self.note(SERIES, &noted, &asked) {
            true => &[],
            false => series,
        };
        self.again += usize::from(!is_new && series.is_empty());
        self.months.add(digest, is_new, series);
    }
    /// Notes that what the word says of a run is in the tables; whether it was not.
    fn note(&mut self, word: &str, noted: &[String], asked: &[String]) -> bool {
        let line = |identity: &String| format!("{word} {}", hash(identity.as_bytes()));
        let is_new = !asked.iter().map(line).any(|line| self.there.contains(&line));
        for line in noted.iter().map(line) {
            if self.there.insert(line.clone()) {
                self.new += &format!("{line}\n");
            }
        }
        is_new
    }
    fn write(self) -> Result<()> {
        if self.again > 0 {
            let (again, folder) = (self.again, self.folder.display());
            output::say(&format!(
                "cpulens: {} already in {folder}, not added again",
                quantity::counted(again, "run")
            ));
        }
        for (table, month, bytes) in self.months.files() {
            let place = self.folder.join(table).join(format!("month={month}"));
            partition(&place, "parquet", &bytes)?;
        }
        // The last, so that what was interrupted is written again under the same names.
        match self.new.is_empty() {
            true => Ok(()),
            false => partition(&self.folder.join(NOTED), "txt", self.new.as_bytes()),
        }
    }
}

fn runs_in(folder: &Path) -> Result<BTreeSet<String>> {
    let mut runs = BTreeSet::new();
    let entries = match fs::read_dir(folder) {
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(runs),
        entries => entries.with_context(|| format!("cannot look into {}", folder.display()))?,
    };
    for entry in entries {
        let file = entry?.path();
        let text = fs::read_to_string(&file);
        let text = text.with_context(|| format!("cannot read {}", file.display()))?;
        let known = |line: &str| line.starts_with(RUN) || line.starts_with(SERIES);
        if !text.lines().all(known) {
            let folder = folder.parent().unwrap_or(folder).display();
            bail!(
                "{folder} was written by an older cpulens, which did not note every run in it: write the tables into another folder"
            );
        }
        runs.extend(text.lines().map(str::to_owned));
    }
    Ok(runs)
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a file of a partition. It is named by a hash of what is in it.
fn partition(folder: &Path, ending: &str, bytes: &[u8]) -> Result<()> {
    Directory::create(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    files::replace(&folder.join(format!("{}.{ending}", hash(bytes))), bytes)
}
