//! `catalogue`: machines that were measured by others, the tables they were published in, and the user's own records.
use crate::{
    args, catalogue as named,
    commands::show,
    exit::Exit,
    files,
    output::{self, say},
};
use anyhow::{Context, Result, bail};
use record::Record;
use render::{ListedCell, Listing};
use std::collections::BTreeSet;
use std::path::Path;

pub(crate) fn catalogue(args: &args::Catalogue) -> Result<Exit> {
    match &args.what {
        args::InCatalogue::List { output } => list(output),
        args::InCatalogue::Show { name, output } => {
            let name = name.strip_prefix(named::PREFIX).unwrap_or(name);
            show::shown(&named::load(name)?, output)
        }
        args::InCatalogue::Table { name: Some(name), output } => table(name, output),
        args::InCatalogue::Table { name: None, output } => tables(output),
        args::InCatalogue::Add { record, name } => add(record, name.as_deref()),
    }
}

fn list(output: &args::Output) -> Result<Exit> {
    output::check(output)?;
    let mut listing = Listing {
        title: "The catalogue".into(),
        subtitle: "Machines that others measured, and records of your own".into(),
        heading: "Machines",
        columns: ["name", "machine", "#figures", "#doubts", "published in"]
            .map(str::to_owned)
            .to_vec(),
        ..Listing::default()
    };
    let reference = catalogue::reference().map_err(named::defect)?;
    for machine in &reference.machines {
        let Some(record) = catalogue::record(&machine.name).map_err(named::defect)? else {
            continue;
        };
        let sources = &record.provenance.sources;
        let whence: BTreeSet<&str> = reference
            .publications()
            .map(|p| p.id.as_str())
            .filter(|id| sources.iter().any(|s| s.file == *id))
            .collect();
        let whence: Vec<&str> = whence.into_iter().collect();
        let figures = reference.of(&machine.name).count();
        listing.rows.push(row(&machine.name, &machine.title, figures, &record, &whence.join(", ")));
    }
    let own: Vec<named::Own> = named::own()?.collect();
    for own in &own {
        match &own.record {
            Ok(record) => {
                let name = record.provenance.name.as_deref();
                let model = record.machine.text("cpu.model").or(name).unwrap_or("not stated");
                let whence = format!("{} {}", record.provenance.tool, record.provenance.version);
                listing.rows.push(row(&own.name, model, measured(record), record, &whence));
            }
            Err(why) => say(&format!("cpulens: left out: {why:#}").replace('\n', " ")),
        }
    }
    let tables: Vec<&str> = catalogue::table_names().map(|(name, _)| name).collect();
    listing.notes = reference.publications().map(published).collect();
    listing.notes.extend([
        format!("A name stands wherever a record does, as {}NAME.", named::PREFIX),
        format!("Tables of the sources, by cpulens catalogue table NAME: {}.", tables.join(", ")),
    ]);
    output::document(output, &listing.document())?;
    Ok(if own.iter().any(|o| o.record.is_err()) { Exit::CouldNot } else { Exit::Done })
}

fn row(
    name: &str,
    machine: &str,
    figures: usize,
    record: &Record,
    whence: &str,
) -> Vec<ListedCell> {
    let doubts: usize = record.provenance.sources.iter().map(|s| s.warnings.len()).sum();
    [name, machine, &figures.to_string(), &doubts.to_string(), whence].map(Into::into).to_vec()
}

/// Series that were measured.
fn measured(record: &Record) -> usize {
    record.runs.iter().map(|run| run.series().len()).sum()
}

/// Who published it, where and when, as far as it says.
fn published(of: &catalogue::Published) -> String {
    let p = &of.publication;
    let or_not = |text: &Option<String>| text.clone().unwrap_or_else(|| "not stated".into());
    let mut words = format!(
        "{}: {}, author {}, date {}",
        of.id,
        p.title,
        or_not(&p.author),
        or_not(&p.published)
    );
    if let Some(address) = &p.address {
        words += &format!(", {address}");
    }
    words
}

fn tables(output: &args::Output) -> Result<Exit> {
    let listing = Listing {
        title: "Tables of the sources".into(),
        subtitle: "Each is made anew of the catalogue's figures: cpulens catalogue table NAME"
            .into(),
        heading: "Tables",
        columns: vec!["name".into(), "what it shows".into()],
        rows: catalogue::table_names().map(|(n, title)| vec![n.into(), title.into()]).collect(),
        notes: vec![],
    };
    output::document(output, &listing.document())?;
    Ok(Exit::Done)
}

fn table(name: &str, output: &args::Output) -> Result<Exit> {
    output::check(output)?;
    let Some(table) = catalogue::table(name).map_err(named::defect)? else {
        let near = catalogue::nearest(name, catalogue::table_names().map(|(n, _)| n));
        let all: Vec<&str> = catalogue::table_names().map(|(n, _)| n).collect();
        let which = if near.is_empty() { all } else { near };
        bail!("there is no table '{name}'; there are {}", which.join(", "));
    };
    // Printed figures are set flush right whatever stands beside them.
    let heads = table.columns.iter().enumerate();
    let listing = Listing {
        title: table.title.into(),
        subtitle: format!("Printed in {}", table.printed_in.join("; ")),
        heading: "As published",
        columns: heads.map(|(i, c)| if i > 0 { format!("#{c}") } else { c.clone() }).collect(),
        rows: table
            .rows
            .into_iter()
            .map(|row| {
                let cell = |c: catalogue::Cell| ListedCell { text: c.text, marks: c.doubts };
                let label = ListedCell::from(row.label);
                std::iter::once(label).chain(row.cells.into_iter().map(cell)).collect()
            })
            .collect(),
        notes: vec![],
    };
    output::document(output, &listing.document())?;
    Ok(Exit::Done)
}

fn add(record: &str, name: Option<&str>) -> Result<Exit> {
    let (loaded, file) = files::load(record)
        .context("it cannot be added (other tools' results become a record by cpulens import)")?;
    let stem = file.as_deref().and_then(Path::file_stem).map(|s| s.to_string_lossy().into_owned());
    let name = name.map(str::to_owned).or_else(|| loaded.provenance.name.clone()).or(stem);
    let (name, file) = named::add(&loaded, name.as_deref().unwrap_or_default())?;
    let told = format!("Added as {}{name}: {}\n", named::PREFIX, file.display());
    output::stdout(output::visible(&told).as_bytes())?;
    Ok(Exit::Done)
}
