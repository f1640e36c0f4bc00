//! `selftest aa`: a run again and again, each in a process of its own, and how often equal runs are called different.
use crate::{exit::Exit, output};
use analyse::{
    aa::FalseDifferences,
    compare::{Earlier, Extract, Extractor, Gathering},
};
use anyhow::{Context, Result, bail};
use host::{
    child::{Program, Status, Supervised},
    own_folder::OwnFolder,
    signals,
};
use record::{Reason, Record};
use render::quantity;
use sections::document::Document;
use sections::page::{Block, Page, Section, Table};
use serde_json::json;
use std::{env, ffi::OsString, fs, path::Path, time::Duration};
use storage::{files, say};

/// Runs beside two that are compared say something if there are three.
const EARLIER: usize = 4;
/// The polling interval of a run.
const LOOK: Duration = Duration::from_millis(100);

pub(crate) fn selftest(args: &arguments::Selftest) -> Result<Exit> {
    let arguments::SelftestKind::Aa(args) = &args.what;
    output::check(&args.output)?;
    let parent = env::temp_dir();
    let folder = OwnFolder::new(&parent, "cpulens-aa-")
        .with_context(|| format!("cannot make a folder in {}", parent.display()))?;
    signals::on_interrupt();
    let (mut extractor, mut runs) = (Extractor::default(), vec![]);
    for number in 1..=args.runs {
        say(&format!("Run {number} of {}", args.runs));
        match one(args, number, folder.path()) {
            Ok(record) => runs.push(extractor.take("run", &record, false)),
            // Runs that ended are compared.
            Err(_) if signals::interrupted() && runs.len() > 1 => break,
            Err(why) => return Err(why),
        }
    }
    // The records served this command only.
    drop(folder);
    output::document(&args.output, &document(&compared(&runs), runs.len()))?;
    Ok(Exit::Done)
}

/// One run, as a user starts it: its memory and its minute are its own.
fn one(args: &arguments::Aa, number: u64, folder: &Path) -> Result<Record> {
    let [file, report, log] =
        ["json", "csv", "log"].map(|kind| folder.join(format!("{number}.{kind}")));
    let mut words: Vec<OsString> = vec![env::current_exe()?.into()];
    let seed = number.to_string();
    // A machine that calls itself localhost is one here, too.
    let name = ["--name", "this machine"];
    words.extend(["run", "--quiet", "--seed", &seed, "--format", "csv", "-o"].map(OsString::from));
    words.extend([report.into(), "--record".into(), file.clone().into()]);
    words.extend(name.map(OsString::from));
    if !args.only.is_empty() {
        words.extend(["--only".into(), args.only.join(",").into()]);
    }
    let said = fs::File::create_new(&log).with_context(|| log.display().to_string())?;
    let program = Program::new(&words).map_err(Reason::from)?.writing_into(said);
    let mut run = Supervised::start(&program).map_err(Reason::from)?;
    let mut terminated = false;
    let status = loop {
        if let Some(status) = run.wait(LOOK) {
            break status;
        }
        if signals::interrupted() && !terminated {
            terminated = true;
            run.terminate();
        }
    };
    if signals::interrupted() {
        bail!("interrupted before two runs ended, so there is no pair to compare");
    }
    if status != Status::Exited(0) {
        let said = fs::read_to_string(&log).unwrap_or_default();
        let said = said.lines().last().unwrap_or_default();
        bail!("run {number} ended with status {}: {said}", status.code());
    }
    files::read(&file)
}

/// Every pair of runs: by itself, and with the other runs as earlier ones.
fn compared(runs: &[Extract]) -> [FalseDifferences; 2] {
    let mut found = [FalseDifferences::default(), FalseDifferences::default()];
    for (i, a) in runs.iter().enumerate() {
        for (j, b) in runs.iter().enumerate().skip(i + 1) {
            let mut earlier = Earlier::default();
            for known in [false, true] {
                let others = runs.iter().enumerate().filter(|(k, _)| known && ![i, j].contains(k));
                others.for_each(|(_, other)| earlier.put(other));
                let mut gathering = Gathering::new();
                for mut run in [a.clone(), b.clone()] {
                    earlier.teach(&mut run);
                    gathering.put(run);
                }
                found[usize::from(known)].add(&gathering.finish(0));
            }
        }
    }
    found
}

fn document([found, known]: &[FalseDifferences; 2], runs: usize) -> Document {
    let percent = |share: Option<f64>| share.map_or("n/a".to_owned(), quantity::percent);
    let mut sentences = vec![
        format!(
            "Runs of this machine: {runs}, pairs: {}. Whatever is called different here is false.",
            found.pairs
        ),
        format!(
            "Rows called different: {} of {} ({}). At most 5 % are promised.",
            found.all.rows_different,
            found.all.rows,
            percent(found.of_rows())
        ),
        format!(
            "Groups called faster or slower: {} of {} ({}).",
            found.groups_different,
            found.groups,
            percent(found.of_groups())
        ),
        format!(
            "95 % intervals that hold the other run's median: {} of {} ({}).",
            found.all.intervals_hold,
            found.all.intervals,
            percent(found.all.coverage())
        ),
    ];
    if runs > EARLIER {
        sentences.push(format!(
            "With the other {} as earlier runs: {} of {} rows ({}), {} of {} groups ({}); intervals that hold {}.",
            runs - 2,
            known.all.rows_different,
            known.all.rows,
            percent(known.of_rows()),
            known.groups_different,
            known.groups,
            percent(known.of_groups()),
            percent(known.all.coverage())
        ));
    }
    let mut table = Table::new(["group", "#rows", "#different", "#intervals hold"]);
    for (name, group) in &found.by_group {
        let [rows, different] = [group.rows, group.rows_different].map(|count| count.to_string());
        table.row([(*name).to_owned(), rows, different, percent(group.coverage())]);
    }
    let mut blocks: Vec<Block> = sentences.into_iter().map(Block::text).collect();
    blocks.push(Block::Table(table.clone()));
    let section = Section::new("aa", "False differences", blocks);
    Document {
        page: Page::new("The machine compared with itself", "", vec![section]),
        value: json!({ "aa": {
            "runs": runs,
            "found": found,
            "with_earlier_runs": (runs > EARLIER).then_some(known),
            "share_of_rows": found.of_rows(),
            "share_of_groups": found.of_groups(),
            "coverage": found.all.coverage(),
        } }),
        table,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_are_extracted_once_compare_as_records_do() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1/quiet-vm.json");
        let mut record = files::read(Path::new(file)).unwrap();
        record.provenance.name = Some("this machine".into());
        let runs: Vec<Extract> =
            (0..4).map(|_| Extractor::default().take("run", &record, false)).collect();
        let mut pair = Gathering::new();
        [1, 2].iter().for_each(|_| pair.add("run", &record));
        let mut alone = FalseDifferences::default();
        alone.add(&pair.finish(0));
        let [found, known] = compared(&runs);
        assert_eq!((found.pairs, known.pairs), (6, 6));
        assert_eq!(
            (found.all.rows, found.all.intervals),
            (6 * alone.all.rows, 6 * alone.all.intervals)
        );
        assert_eq!((found.all.rows_different, known.all.rows), (0, found.all.rows));
        assert!(found.all.rows > 0);
    }
}
