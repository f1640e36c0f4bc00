//! lshw's text tree: memory banks, processors, and what made the machine. Serial numbers are left out.
//!
//! Limits: the `(0.3ns)` behind a frequency is its period, 1 over 2933 MHz, and no latency.
//! Source: lshw, src/core/print.cc, and its reading of SMBIOS.
use super::dmidecode::step;
use crate::found::{Found, Problem};
use crate::importer::{Importer, Sure};
use crate::number::{bytes, hertz, leading};
use crate::text::{Text, tidy};
use record::{Dimm, Unit};

/// The importer.
#[derive(Debug)]
pub struct Lshw;

/// `*-bank:19`, `*-cpu`: a node's name without its number.
fn node(line: &str) -> Option<(&str, &str)> {
    let name = line.trim_start().strip_prefix("*-")?;
    let name = name.split_whitespace().next()?;
    Some((name.split(':').next().unwrap_or(name), name))
}

struct Part<'a> {
    name: &'a str,
    whole: &'a str,
    line: u32,
    fields: Vec<(u32, &'a str, &'a str)>,
}

impl<'a> Part<'a> {
    fn get(&self, name: &str) -> Option<(u32, &'a str)> {
        self.fields.iter().find(|(_, n, _)| *n == name).map(|(line, _, value)| (*line, *value))
    }
}

fn parts(text: &Text) -> Vec<Part<'_>> {
    let mut all: Vec<Part<'_>> = vec![];
    for line in text.lines() {
        if let Some((name, whole)) = node(line.text) {
            all.push(Part { name, whole, line: line.number, fields: vec![] });
        } else if let (Some(last), Some((name, value))) =
            (all.last_mut(), line.text.split_once(": "))
        {
            last.fields.push((line.number, name.trim(), value.trim()));
        }
    }
    all
}

impl Importer for Lshw {
    fn title(&self) -> &'static str {
        "lshw"
    }
    fn recognise(&self, text: &Text) -> Sure {
        let known = |l: &str| {
            node(l).is_some_and(|(n, _)| {
                ["bank", "memory", "cpu", "core", "firmware", "cache"].contains(&n)
            })
        };
        match text.any(known)
            && text.any(|l| {
                ["description: ", "product: ", "physical id: "]
                    .iter()
                    .any(|f| l.trim_start().starts_with(f))
            }) {
            true => Sure::Certain,
            false => Sure::No,
        }
    }
    fn read(&self, text: &Text, found: &mut Found) -> Result<(), Problem> {
        let all = parts(text);
        let mut period = None;
        for part in &all {
            match part.name {
                "bank" => {
                    period = period.or(part
                        .fields
                        .iter()
                        .find(|(.., v)| v.contains("ns)"))
                        .map(|(l, ..)| *l));
                    bank(part, found)?;
                }
                "cpu" => processor(part, found),
                "memory"
                    if part
                        .get("description")
                        .is_some_and(|(_, d)| d == "System Memory" || d == "System memory") =>
                {
                    if let Some((line, size)) =
                        part.get("size").and_then(|(l, v)| Some((l, bytes(v)?)))
                    {
                        found.fact_in(line, "memory.installed", size, Unit::Bytes);
                    }
                }
                _ => {}
            }
        }
        let banks: Vec<&Part<'_>> = all.iter().filter(|p| p.name == "bank").collect();
        let highest =
            banks.iter().filter_map(|p| p.whole.split_once(':')?.1.parse::<usize>().ok()).max();
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
            let at = found.at(first.line);
            found.machine.topology.sources.push(("dimms".into(), at));
        }
        Ok(())
    }
}

fn bank(part: &Part<'_>, found: &mut Found) -> Result<(), Problem> {
    let text = |name: &str| {
        part.get(name)
            .map(|(_, v)| tidy(v))
            .filter(|v| !v.is_empty() && v != "[Empty]" && v != "Unknown")
    };
    let capacity =
        match part.get("size") {
            Some((line, v)) => Some(bytes(v).ok_or_else(|| {
                Problem::at(line, format!("'{}' is no size of a module", tidy(v)))
            })?),
            None => None,
        };
    let description = text("description").unwrap_or_default();
    let kind = description
        .split_whitespace()
        .find(|w| w.starts_with("DDR") || w.starts_with("LPDDR"))
        .map(str::to_owned);
    let rated = part.get("frequency").and_then(|(l, v)| Some((l, hertz(v)?)));
    if let Some((line, hz)) = rated {
        step(line, hz / 1e6, kind.as_deref(), found);
    }
    let modules = &mut found.machine.topology.dimms;
    if modules.len() < 4096 {
        modules.push(Dimm {
            slot: text("slot").unwrap_or_else(|| tidy(part.whole)),
            bytes: capacity,
            populated: capacity.is_some(),
            kind,
            width: part
                .get("width")
                .and_then(|(_, v)| leading(v))
                .map(|(w, _)| w as u32)
                .filter(|w| (1..=1024).contains(w)),
            // lshw calls MT/s MHz, and shows the rating.
            rated: rated.map(|(_, hz)| hz),
            manufacturer: text("vendor"),
            part: text("product"),
            ..Dimm::default()
        });
    }
    Ok(())
}

fn processor(part: &Part<'_>, found: &mut Found) {
    for (field, name) in [
        ("product", "cpu.model"),
        ("vendor", "firmware.cpu.vendor"),
        ("version", "firmware.cpu.model"),
    ] {
        if let Some((line, value)) = part.get(field).filter(|(_, v)| *v != "[empty]") {
            // Two processors of one board say the same.
            if found.machine.value(name).is_none() {
                found.fact(line, name, tidy(value));
            }
        }
    }
    if let Some((line, hz)) = part.get("capacity").and_then(|(l, v)| Some((l, hertz(v)?)))
        && found.machine.value("firmware.cpu.frequency.max").is_none()
    {
        found.fact_in(line, "firmware.cpu.frequency.max", hz, Unit::Hertz);
    }
}
