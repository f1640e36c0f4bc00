//! `import`: other tools' results become a record. A file that cannot be read does not hide the others.
use super::run::program;
use crate::{
    exit::Exit,
    output::{self, visible},
};
use analyse::summary::{Imported, Next, Summary, summary};
use analyse::words::count;
use anyhow::{Context, Result, anyhow, bail};
use filesystem::regular;
use import::{Gathered, Problem, Read, archive};
use record::{Record, Warning, WarningKind};
use std::{
    io::{self, Read as _},
    path::{Path, PathBuf},
};
use storage::{files, say};

/// More lines than this are counted, not printed.
const MOST_LINES: usize = 40;
/// Files of no known tool that are named; more are counted.
const MOST_UNKNOWN: usize = 10;
/// The most files and folders below one that is named.
const MOST_FILES: usize = 4_000;

pub(crate) fn import(args: &arguments::Import) -> Result<Exit> {
    output::check(&args.output)?;
    if args.output.file.is_some() && args.output.file == args.record {
        bail!("-o and --record name the same file; the report would replace the record");
    }
    let mut gathered = Gathered::default();
    let (mut lines, mut problems, mut failed) = (vec![], vec![], 0);
    let (mut files, mut unknown) = (0, 0);
    let named = |name: &str| args.files.iter().any(|given| given.to_string_lossy() == name);
    for (name, bytes) in args.files.iter().flat_map(|given| outputs(given)) {
        files += 1;
        let add = match named(&name) {
            true => Gathered::add,
            false => Gathered::add_one_of_many,
        };
        match bytes.and_then(|b| Ok(add(&mut gathered, &name, &b)?)) {
            Ok(read) => {
                failed += usize::from(!read.problems.is_empty());
                lines.push(line(&read));
                let of_file: Vec<String> =
                    read.problems.iter().map(|p| format!("{}: {p}", read.file)).collect();
                lines.extend(of_file.iter().cloned());
                problems.extend(of_file);
            }
            Err(why) => {
                failed += 1;
                let is_unknown = why.downcast_ref().is_some_and(Problem::is_unknown);
                unknown += usize::from(is_unknown);
                if !is_unknown || unknown <= MOST_UNKNOWN {
                    say(&format!("cpulens: {name}: {why:#}"));
                }
            }
        }
    }
    if unknown > 0 {
        say_what_is_known(unknown);
    }
    if gathered.is_empty() {
        bail!("nothing could be imported");
    }
    let record = gathered.record(program("cpulens import", args.machine.clone()));
    let file = save(args, &record)?;
    lines.truncate(MOST_LINES.max(1));
    if files > MOST_LINES {
        lines.push(format!("... {files} files in all"));
    }
    lines.extend(warnings(&record, args.output.details));
    lines.push(format!(
        "Imported: {}, {}, {}{}",
        count(record.machine.facts.len(), "fact"),
        count(record.runs.len(), "case"),
        count(files - failed, "file"),
        if failed > 0 { format!(", {failed} failed") } else { String::new() }
    ));
    lines.push(format!("Record: {}", file.display()));
    let name = file.display().to_string();
    if args.answer.section.is_none() && output::is_short(&args.output, &args.answer.screen) {
        problems.iter().for_each(|l| say(l));
        contradicting(&record).iter().for_each(|l| say(l));
        let given = args.files.first().map_or(String::new(), |f| f.display().to_string());
        let imported = Imported {
            given: given.clone(),
            files: files - failed,
            facts: record.machine.facts.len(),
            cases: record.runs.len(),
            record: name.clone(),
        };
        let mut summary = summary(&analyse::analyse(&record));
        if record.machine.text("cpu.model").is_none() && given != "-" {
            summary.next.insert(0, Next::Machine);
        }
        let summary = Summary { imported: Some(imported), ..summary };
        output::screen(&args.output, &summary, &name)?;
    } else if args.answer.section.is_none() && args.output.format == "text" {
        let text: String = lines.iter().map(|l| visible(l) + "\n").collect();
        output::write(&args.output, |out| out.write_all(text.as_bytes()))?;
    } else {
        lines.iter().for_each(|l| say(l));
        output::report(&args.output, &args.answer, &analyse::analyse(&record), &name)?;
    }
    Ok(if failed > 0 { Exit::CouldNot } else { Exit::Done })
}

/// Once, however many files are of no known tool.
fn say_what_is_known(unknown: usize) {
    if unknown > MOST_UNKNOWN {
        say(&format!(
            "cpulens: no known output either: {}",
            count(unknown - MOST_UNKNOWN, "more file")
        ));
    }
    say(&format!("cpulens: known are {}: docs/importers.md", import::tools().join(", ")));
}

/// One file to import: its name, and its bytes or why there are none.
type Output = (String, Result<Vec<u8>>);

/// The files that are meant: a file, those in a folder, or those in an archive.
fn outputs(given: &Path) -> Vec<Output> {
    let name = given.to_string_lossy().into_owned();
    if given == Path::new("-") || !given.is_dir() {
        return unpacked(name, bytes(given));
    }
    let inside = match list(given) {
        Ok(inside) if !inside.is_empty() => inside,
        Ok(_) => return vec![(name, Err(anyhow!("no file is in it")))],
        Err(why) => return vec![(name, Err(why))],
    };
    let read = |file: PathBuf| unpacked(file.to_string_lossy().into_owned(), bytes(&file));
    inside.into_iter().flat_map(read).collect()
}

/// The files in a folder and those below it, in the order of their names. Links, pipes and devices are left out.
fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (vec![], vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let shown = || format!("cannot list {}", folder.display());
        for entry in std::fs::read_dir(&folder).with_context(shown)? {
            let entry = entry.with_context(shown)?;
            let kind = entry.file_type().with_context(shown)?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
            if files.len() + folders.len() > MOST_FILES {
                bail!("it holds more than {MOST_FILES} files and folders");
            }
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// A file, or the files in it if it is an archive.
fn unpacked(name: String, bytes: Result<Vec<u8>>) -> Vec<Output> {
    let packed = match bytes {
        Ok(packed) if archive::is_one(&packed) => packed,
        other => return vec![(name, other)],
    };
    match archive::members(&name, &packed) {
        Ok(files) => files.into_iter().map(|(inside, b)| (inside, b.map_err(Into::into))).collect(),
        Err(why) => vec![(name, Err(why.into()))],
    }
}

/// A file's bytes, or standard input's; never more than an importer reads, or of an archive more than is unpacked.
fn bytes(file: &Path) -> Result<Vec<u8>> {
    match file == Path::new("-") {
        true => read(io::stdin().lock()),
        false => read(regular::open(file).context("cannot open it")?),
    }
    .context("cannot read it")
}

fn read(mut from: impl io::Read) -> Result<Vec<u8>> {
    let mut bytes = vec![];
    from.by_ref().take(import::MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if archive::is_one(&bytes) {
        from.take(archive::MAX_ARCHIVE as u64 - bytes.len() as u64).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn line(read: &Read) -> String {
    let some = |n: usize, what| (n > 0).then(|| count(n, what));
    let series = (read.series > 0).then(|| format!("{} series", read.series));
    let parts = [some(read.facts, "fact"), some(read.parts, "part"), series];
    let parts: Vec<String> =
        parts.into_iter().chain([some(read.warnings, "warning")]).flatten().collect();
    format!("{}: {}: {}", read.file, read.formats.join(" and "), parts.join(", "))
}

/// Files that contradict an earlier one, each with its first contradiction.
fn contradicting(record: &Record) -> Vec<String> {
    let of = |source: &record::Source| {
        let contradicts = |w: &&Warning| w.kind == WarningKind::OtherMachine;
        let all: Vec<_> = source.warnings.iter().filter(contradicts).collect();
        let more = format!("; {} more", all.len().saturating_sub(1));
        let more = if all.len() > 1 { &more } else { "" };
        Some(format!("cpulens: {}: {}{more}", source.file, all.first()?.what))
    };
    record.provenance.sources.iter().filter_map(of).collect()
}

/// The warnings about the files: all of them with --details, else as many as fit a screen.
fn warnings(record: &Record, all: bool) -> Vec<String> {
    let warning = |w: &Warning, file: &str| {
        let line = w.line.map_or(String::new(), |l| format!(":{l}"));
        format!("warning: {file}{line}: {}", w.what)
    };
    let sources = &record.provenance.sources;
    let mut lines: Vec<String> =
        sources.iter().flat_map(|s| s.warnings.iter().map(|w| warning(w, &s.file))).collect();
    if !all && lines.len() > MOST_LINES {
        let more = lines.len() - MOST_LINES;
        lines.truncate(MOST_LINES);
        lines.push(format!("More warnings in the record (--details shows them): {more}"));
    }
    lines
}

/// Writes the record where it was asked for, or beside the first file, or where records are kept. A file that is there
/// already stays as it is.
fn save(args: &arguments::Import, record: &Record) -> Result<PathBuf> {
    let bytes = record::to_vec(record)?;
    if let Some(file) = &args.record {
        return match files::create(file, &bytes) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => bail!(
                "--record {}: that file is there already; name another, or remove it",
                file.display()
            ),
            done => done
                .map(|()| file.clone())
                .with_context(|| format!("cannot write {}", file.display())),
        };
    }
    let name = name(args);
    let first = args.files.iter().find(|f| *f != Path::new("-"));
    let beside = first.map(|f| files::folder_of(f).to_owned());
    let mut refused = vec![];
    for folder in beside.into_iter().chain(files::records()).chain(files::other_folders()) {
        match files::create_fresh(&folder, &name, &bytes) {
            Ok(file) => return Ok(file),
            Err(why) => refused.push(format!("cannot write in {}: {why}", folder.display())),
        }
    }
    bail!("{}", refused.join("; "))
}

/// The machine's name, or the first file's, in characters that no shell minds.
fn name(args: &arguments::Import) -> String {
    let first = args
        .files
        .first()
        .and_then(|f| f.file_stem())
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let plain = files::tidy(args.machine.as_deref().unwrap_or(&first));
    let plain: String = plain.chars().take(60).collect();
    format!("{}.record.json", if plain.is_empty() { "imported" } else { &plain })
}
