//! `catalogue`: reference machines, the published tables, and the user's own records.
use crate::{commands::show, exit::Exit, output};
use analyse::words::shortened;
use anyhow::{Context, Result, bail};
use record::Record;
use sections::listing::{ListedCell, Listing};
use std::collections::BTreeSet;
use std::path::Path;
use storage::{files, named};

pub(crate) fn catalogue(args: &arguments::Catalogue) -> Result<Exit> {
    match &args.what {
        arguments::InCatalogue::List { screen, output } => list(screen, output),
        arguments::InCatalogue::Show { name, answer, output } => {
            let name = name.strip_prefix(named::PREFIX).unwrap_or(name);
            let shown = format!("{}{name}", named::PREFIX);
            show::shown(&named::load(name)?, output, answer, &shown)
        }
        arguments::InCatalogue::Table { name: Some(name), output } => table(name, output),
        arguments::InCatalogue::Table { name: None, output } => tables(output),
        arguments::InCatalogue::Add { record, name } => add(record, name.as_deref()),
    }
}

/// Machines on the first screen: with its heads and notes it has 40 lines.
const SHOWN: usize = 32;
/// Columns of a machine's title on the first screen.
const TITLE: usize = 45;

fn list(screen: &arguments::Screen, output: &arguments::Output) -> Result<Exit> {
    output::check(output)?;
    let mut listing = Listing {
        title: "The catalogue".into(),
        subtitle: "Reference machines that others measured, and your own records".into(),
        heading: "Machines",
        columns: ["name", "machine", "#results", "#warnings", "published in"]
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
        let publications: BTreeSet<&str> = reference
            .publications()
            .map(|p| p.id.as_str())
            .filter(|id| sources.iter().any(|s| s.file == *id))
            .collect();
        let publications = Vec::from_iter(publications).join(", ");
        let results = reference.of(&machine.name).count();
        listing.rows.push(row(&machine.name, &machine.title, results, &record, &publications));
    }
    let own: Vec<named::OwnRecord> = named::own()?.collect();
    for own in &own {
        match &own.record {
            Ok(record) => {
                let name = record.provenance.name.as_deref();
                let model = record.machine.text("cpu.model").or(name).unwrap_or("not stated");
                let source = format!("{} {}", record.provenance.tool, record.provenance.version);
                let results = record.runs.iter().map(|run| run.series().len()).sum();
                listing.rows.push(row(&own.name, model, results, record, &source));
            }
            Err(why) => output::left_out(why),
        }
    }
    let tables: Vec<&str> = catalogue::table_names().map(|(name, _)| name).collect();
    listing.notes = reference.publications().map(publication).collect();
    listing.notes.extend([
        format!("Use {}NAME wherever a command takes a record.", named::PREFIX),
        format!(
            "Tables of the publications, by cpulens catalogue table NAME: {}.",
            tables.join(", ")
        ),
    ]);
    let listing = if output::is_short(output, screen) {
        short(listing, reference.machines.len())
    } else {
        listing
    };
    output::document(output, &listing.document())?;
    Ok(if own.iter().any(|o| o.record.is_err()) { Exit::CouldNot } else { Exit::Done })
}

/// The first screen of a list: names and what they are, a line each, after the user's own, which are behind the reference
/// machines.
fn short(mut listing: Listing, reference: usize) -> Listing {
    let own = listing.rows.split_off(reference);
    let count = own.len() + reference;
    let line = |row: Vec<ListedCell>| {
        let [name, machine, ..] = &row[..] else { return row };
        vec![name.clone(), shortened(&machine.text, TITLE).into()]
    };
    listing.rows = own.into_iter().chain(listing.rows).take(SHOWN).map(line).collect();
    listing.columns = ["@name", "@machine"].map(str::to_owned).to_vec();
    listing.notes = vec![
        format!(
            "{} of {count} machines. Use {}NAME wherever a command takes a record.",
            listing.rows.len(),
            named::PREFIX
        ),
        "All with counts, warnings and publications: cpulens catalogue list --full.".into(),
    ];
    listing
}

fn row(
    name: &str,
    machine: &str,
    results: usize,
    record: &Record,
    source: &str,
) -> Vec<ListedCell> {
    let warnings: usize = record.provenance.sources.iter().map(|s| s.warnings.len()).sum();
    [name, machine, &results.to_string(), &warnings.to_string(), source].map(Into::into).to_vec()
}

/// Title, author, date and address of a publication.
fn publication(of: &catalogue::Published) -> String {
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

fn tables(output: &arguments::Output) -> Result<Exit> {
    let listing = Listing {
        title: "Tables of the publications".into(),
        subtitle: "Each is made from the reference results: cpulens catalogue table NAME".into(),
        heading: "Tables",
        columns: vec!["name".into(), "what it shows".into()],
        rows: catalogue::table_names().map(|(n, title)| vec![n.into(), title.into()]).collect(),
        notes: vec![],
    };
    output::document(output, &listing.document())?;
    Ok(Exit::Done)
}

fn table(name: &str, output: &arguments::Output) -> Result<Exit> {
    output::check(output)?;
    let Some(table) = catalogue::table(name).map_err(named::defect)? else {
        let near = catalogue::nearest(name, catalogue::table_names().map(|(n, _)| n));
        let all: Vec<&str> = catalogue::table_names().map(|(n, _)| n).collect();
        let which = if near.is_empty() { all } else { near };
        bail!("there is no table '{name}'; there are {}", which.join(", "));
    };
    // Printed numbers are right-aligned, with or without text beside them.
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
                let cell = |c: catalogue::Cell| ListedCell { text: c.text, flags: c.warnings };
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
    let added = format!("Added as {}{name}: {}\n", named::PREFIX, file.display());
    output::stdout(output::visible(&added).as_bytes())?;
    Ok(Exit::Done)
}
