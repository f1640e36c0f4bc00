//! A placement as a document: who runs where, why, and the lines that make it so, in every exporter.
use crate::document::Document;
use crate::exporter::placeholders;
use crate::exporters;
use crate::page::{Block, Page, Section, Table};
use crate::quantity;
use crate::say;
use crate::section;
use analyse::Report;
use analyse::place::{Avoided, Choice, Placement};
use analyse::summary::of_placement;
use record::{Between, Text, Unit};
use serde_json::{Value, json};

/// Version of the JSON form.
const PLACEMENT: u32 = 1;

/// A placement on a report's machine. `source` says where the machine is known from.
pub fn document(placement: &Placement, report: &Report<'_>, source: &str) -> Document {
    let sections = vec![
        Section::new("instances", "Instances", instances(placement)),
        Section::new("choices", "Why", choices(placement)),
        Section::new("lines", "Ready lines", lines(placement)),
    ];
    let subtitle = say::place_where(source);
    let page = Page::new(section::machine_name(&report.record.machine), subtitle, sections);
    Document { page, value: value(placement, report), table: table(placement, false) }
}

/// Memory in words for people, in bytes for programs.
fn table(placement: &Placement, worded: bool) -> Table {
    let memory = if worded { "#memory" } else { "#bytes" };
    let mut table =
        Table::new(["#instance", "CPUs", "#cores", "memory on nodes", "within", memory]);
    let bytes =
        |b: u64| if worded { quantity::plain(b as f64, Unit::Bytes) } else { b.to_string() };
    for (index, i) in placement.instances.iter().enumerate() {
        table.row([
            index.into(),
            i.cpus.to_string().into(),
            i.cores.into(),
            i.nodes.to_string().into(),
            i.within.clone(),
            i.bytes.map_or(String::new(), bytes).into(),
        ]);
    }
    table
}

fn instances(placement: &Placement) -> Vec<Block> {
    let mut blocks = vec![Block::Table(table(placement, true))];
    if !placement.left.is_empty() {
        blocks.push(Block::text(say::place_left(placement.left.to_string())));
    }
    let why = |a: &Avoided| {
        Text::list([format!("CPUs {}", a.cpus).into(), a.why.clone()], Between::Colon)
    };
    let avoided: Vec<Text> = placement.avoided.iter().map(why).collect();
    blocks.extend(Block::listed("Not to choose from", avoided));
    blocks
}

fn choices(placement: &Placement) -> Vec<Block> {
    let mut blocks = vec![Block::items(placement.choices.iter().map(Choice::said))];
    let doubts: Vec<Text> = placement.doubts.iter().map(Text::from).collect();
    blocks.extend(Block::listed("What speaks against it", doubts));
    blocks
}

fn lines(placement: &Placement) -> Vec<Block> {
    let mut blocks = vec![];
    for (id, exporter) in exporters::ALL {
        let title = exporter.title;
        let named = title.to_lowercase().starts_with(id);
        let heading = if named { title.to_owned() } else { format!("{id}: {title}") };
        blocks.push(Block::heading(heading));
        match (exporter.lines)(placement) {
            Ok(lines) => {
                let replace = placeholders(&lines).map(Block::text);
                blocks.push(Block::Lines(lines));
                blocks.extend(replace);
            }
            Err(why) => blocks.push(Block::text(say::place_cannot(&why))),
        }
    }
    blocks
}

fn value(placement: &Placement, report: &Report<'_>) -> Value {
    let instances: Vec<Value> = placement
        .instances
        .iter()
        .map(|i| {
            json!({
                "cpus": i.cpus, "cores": i.cores, "nodes": i.nodes, "within": i.within, "bytes": i.bytes,
            })
        })
        .collect();
    let lines: serde_json::Map<String, Value> = exporters::ALL
        .iter()
        .map(|(id, exporter)| {
            let said = match (exporter.lines)(placement) {
                Ok(lines) => json!(lines),
                Err(why) => json!({ "unknown": why }),
            };
            ((*id).to_owned(), said)
        })
        .collect();
    json!({
        "placement": PLACEMENT,
        "summary": of_placement(report, placement).flat(),
        "instances": instances,
        "left": placement.left,
        "avoided": placement.avoided.iter().map(|a| json!({ "cpus": a.cpus, "why": a.why })).collect::<Vec<_>>(),
        "choices": placement.choices.iter().map(|c| json!({ "about": c.about.english(), "text": c.text, "basis": c.basis.name() })).collect::<Vec<_>>(),
        "doubts": placement.doubts,
        "lines": lines,
    })
}
