//! `digest`: records and digests as lines of JSON or as tables, which databases read.
use crate::{exit::Exit, output};
use anyhow::{Result, anyhow, bail};
use fleet::digest::Digest;
use fleet::rows::{METRICS, RUNS};
use record::Record;
use std::path::Path;
use storage::{
    digests::{FileKind, Input, NOTHING, below, is_equal, is_metrics, read_file},
    files, named,
    tables::Tables,
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
    if name == "last" || name.starts_with(named::PREFIX) {
        return match files::load(name) {
            Ok((found, _)) => vec![(files::short(name), Ok(Run::Record(Box::new(found))))],
            Err(why) => vec![(name.into(), Err(why))],
        };
    }
    let lines = match read_file(name, |_| true) {
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
