//! lshw's text tree: memory banks, processors, and what made the machine. Serial numbers are left out.
//!
//! Limits: the `(0.3ns)` behind a frequency is its period, 1 over 2933 MHz, and no latency.
//! Source: lshw, src/core/print.cc, and its reading of SMBIOS.
use super::dmidecode::{check_speed, module_size};
use crate::found::{Found, Problem};
use crate::grammar::{FactTable, Field, Kind, Section, fact, facts, sections};
use crate::importer::Importer;
use crate::number::hertz;
use crate::text::{Text, tidy};
use record::Dimm;

#[derive(Debug)]
pub struct Lshw;

/// `*-bank:19`, `*-cpu`: a node's name without its number.
fn node(line: &str) -> Option<(&str, &str)> {
    let name = line.trim_start().strip_prefix("*-")?;
    let name = name.split_whitespace().next()?;
    Some((name.split(':').next().unwrap_or(name), name))
}

/// Its head is a node's name, without and with its number.
type Part<'a> = Section<'a, (&'a str, &'a str)>;

fn parts(text: &Text) -> Vec<Part<'_>> {
    sections(text, node, |line| Field::parse(line, ": "))
}

const MEMORY: &FactTable = &[("size", "memory.installed", Kind::Bytes)];
const PROCESSOR: &FactTable = &[
    ("product", "cpu.model", Kind::Words),
    ("vendor", "firmware.cpu.vendor", Kind::Words),
    ("version", "firmware.cpu.model", Kind::Words),
    ("capacity", "firmware.cpu.frequency.max", Kind::Hertz),
];

impl Importer for Lshw {
    fn title(&self) -> &'static str {
        "lshw"
    }
    fn recognises(&self, text: &Text) -> bool {
        let known = |l: &str| {
            node(l).is_some_and(|(n, _)| {
                ["bank", "memory", "cpu", "core", "firmware", "cache"].contains(&n)
            })
        };
        text.any(known)
            && text.any(|l| {
                ["description: ", "product: ", "physical id: "]
                    .iter()
                    .any(|f| l.trim_start().starts_with(f))
            })
    }
    fn read(&self, text: &Text, found: &mut Found) -> Result<(), Problem> {
        let all = parts(text);
        let mut period = None;
        for part in &all {
            match part.head.0 {
                "bank" => {
                    let with_period = part.fields.iter().find(|f| f.value.contains("ns)"));
                    period = period.or(with_period.map(|f| f.line));
                    bank(part, found)?;
                }
                "cpu" => processor(part, found),
                "memory" => {
                    let described = part.get("description").map(|f| f.value.to_lowercase());
                    if described.as_deref() == Some("system memory") {
                        facts(MEMORY, |name| part.get(name), found);
                    }
                }
                _ => {}
            }
        }
        let banks: Vec<&Part<'_>> = all.iter().filter(|p| p.head.0 == "bank").collect();
        let highest =
            banks.iter().filter_map(|p| p.head.1.split_once(':')?.1.parse::<usize>().ok()).max();
        if let (Some(highest), Some(first)) =
            (highest.filter(|h| h + 1 > banks.len()), banks.first())
        {
            found.warn(
                first.line,
                format!(
                    "bank {highest} is there and only {} of at least {} banks are: it is cut short",
                    banks.len(),
                    highest + 1
                ),
            );
        }
        if let Some(line) = period {
            found.warn(
                line,
                "the nanoseconds behind a frequency are its period, and no latency of memory",
            );
        }
        if let Some(first) = banks.first() {
            found.topology_read(&["dimms"], first.line);
        }
        Ok(())
    }
}

fn bank(part: &Part<'_>, found: &mut Found) -> Result<(), Problem> {
    let text =
        |name: &str| part.words(name).filter(|v| !v.is_empty() && v != "[Empty]" && v != "Unknown");
    let capacity = part.get("size").map(module_size).transpose()?;
    let description = text("description").unwrap_or_default();
    let kind = description
        .split_whitespace()
        .find(|w| w.starts_with("DDR") || w.starts_with("LPDDR"))
        .map(str::to_owned);
    let rated = part.get("clock").and_then(|f| f.read(hertz));
    if let Some((line, hz)) = rated {
        check_speed(line, hz / 1e6, kind.as_deref(), found);
    }
    let modules = &mut found.machine.topology.dimms;
    if modules.len() < 4096 {
        modules.push(Dimm {
            slot: text("slot").unwrap_or_else(|| tidy(part.head.1)),
            bytes: capacity,
            populated: capacity.is_some(),
            kind,
            width: part.integer("width", 1..=1024),
            // lshw calls MT/s MHz, and shows the rating.
            rated: rated.map(|(_, hz)| hz),
            manufacturer: text("vendor"),
            part: text("product"),
            ..Dimm::default()
        });
    }
    Ok(())
}

/// The processors of one board state the same: the first is kept.
fn processor(part: &Part<'_>, found: &mut Found) {
    for (name, fact_name, kind) in PROCESSOR {
        if let Some(field) = part.get(name).filter(|f| f.value != "[empty]")
            && found.machine.value(fact_name).is_none()
        {
            fact(field, fact_name, *kind, found);
        }
    }
}
