//! A fleet's tables in a folder, as Parquet, and which runs are in them.
use crate::{files, say};
use analyse::{Estimate, quantity};
use anyhow::{Context, Result, bail};
use filesystem::directory::Directory;
use fleet::digest::Digest;
use fleet::rows::Months;
use sha2::{Digest as _, Sha256};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Both tables in a folder, and which runs are in them.
#[derive(Debug)]
pub struct Tables {
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
    /// Opens the tables in this folder.
    pub fn open(folder: &Path) -> Result<Tables> {
        let there = runs_in(&folder.join(NOTED))?;
        let (new, months) = (String::new(), Months::default());
        Ok(Tables { folder: folder.into(), there, new, months, again: 0 })
    }
    /// Adds what is not there. Of a record whose digest is, that is its series.
    pub fn add(&mut self, digest: &Digest, series: &[Estimate]) {
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
    /// Writes what was added.
    pub fn write(self) -> Result<()> {
        if self.again > 0 {
            let (again, folder) = (self.again, self.folder.display());
            let runs = quantity::counted(again, "run");
            say(&format!("cpulens: {runs} already in {folder}, not added again"));
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
