//! `selftest aa`: a run again and again, each in a process of its own, and how often equal runs are called different.
use crate::{args, exit::Exit, files, output};
use analyse::{aa::FalseDifferences, compare::Gathering};
use anyhow::{Context, Result, bail};
use host::own_folder::OwnFolder;
use record::Record;
use render::{
    document::Document,
    page::{Block, Page, Section, Table},
    quantity,
};
use serde_json::json;
use std::{
    env,
    path::Path,
    process::{Command, Stdio},
};

pub(crate) fn selftest(args: &args::Selftest) -> Result<Exit> {
    let args::What::Aa(args) = &args.what;
    output::check(&args.output)?;
    let parent = env::temp_dir();
    let folder = OwnFolder::new(&parent, "cpulens-aa-")
        .with_context(|| format!("cannot make a folder in {}", parent.display()))?;
    let records: Result<Vec<Record>> = (1..=args.runs)
        .map(|number| {
            output::say(&format!("Run {number} of {}", args.runs));
            one(args, number, folder.path())
        })
        .collect();
    // The records served this command only.
    drop(folder);
    let records = records?;
    output::document(&args.output, &document(&compared(&records), records.len()))?;
    Ok(Exit::Done)
}

/// One run, as a user starts it: its memory and its minute are its own.
fn one(args: &args::Aa, number: u64, folder: &Path) -> Result<Record> {
    let file = folder.join(format!("{number}.json"));
    let mut command = Command::new(env::current_exe()?);
    command.args(["run", "--quiet", "--seed", &number.to_string(), "--format", "csv"]);
    command.arg("-o").arg(folder.join("report")).arg("--record").arg(&file);
    if !args.only.is_empty() {
        command.args(["--only", &args.only.join(",")]);
    }
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status()?;
    if !status.success() {
        bail!("run {number} ended with {status}");
    }
    files::read(&file)
}

/// Every pair of runs.
fn compared(records: &[Record]) -> FalseDifferences {
    let mut found = FalseDifferences::default();
    for (i, a) in records.iter().enumerate() {
        for b in &records[i + 1..] {
            let mut gathering = Gathering::new();
            gathering.add("a", a);
            gathering.add("b", b);
            found.add(&gathering.finish(0));
        }
    }
    found
}

fn document(found: &FalseDifferences, runs: usize) -> Document {
    let percent = |share: Option<f64>| share.map_or("n/a".to_owned(), quantity::percent);
    let sentences = vec![
        format!(
            "{runs} runs of this machine, {} pairs. Whatever is called different here is false.",
            found.pairs
        ),
        format!(
            "Rows called different: {} of {} ({}). At most 5 % are promised.",
            found.rows_different,
            found.rows,
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
            found.intervals_hold,
            found.intervals,
            percent(found.coverage())
        ),
    ];
    let mut table = Table::new(&["group", "#rows", "#different", "#intervals hold"]);
    for (name, group) in &found.by_group {
        let counts = [group.rows, group.rows_different].map(|count| count.to_string());
        table
            .rows
            .push([vec![(*name).into()], counts.into(), vec![percent(group.coverage())]].concat());
    }
    let mut blocks: Vec<Block> = sentences.into_iter().map(Block::Paragraph).collect();
    blocks.push(Block::Table(table.clone()));
    let section = Section { id: "aa", title: "False differences", numbers: false, blocks };
    Document {
        page: Page {
            title: "The machine compared with itself".into(),
            subtitle: String::new(),
            banner: None,
            sections: vec![section],
        },
        value: json!({ "aa": {
            "runs": runs,
            "found": found,
            "share_of_rows": found.of_rows(),
            "share_of_groups": found.of_groups(),
            "coverage": found.coverage(),
        } }),
        table,
    }
}
