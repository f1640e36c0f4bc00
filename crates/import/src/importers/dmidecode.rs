//! dmidecode's text: BIOS, system and board, processors (type 4), memory arrays (16) and modules (17); also a grep of its
//! `Version` lines. Serial numbers and asset tags are left out.
//!
//! Limits: what firmware says. A configured speed that is no step of its kind of memory was rounded or edited.
//! Source: DMTF DSP0134 (SMBIOS); dmidecode, dmidecode.c.
use crate::found::{Found, Problem};
use crate::importer::{Importer, Sure};
use crate::number::{bytes, hertz, leading, whole};
use crate::session::command;
use crate::text::{Text, tidy};
use record::{Dimm, Unit};

/// The importer.
#[derive(Debug)]
pub struct Dmidecode;

/// Transfers per second in millions that JEDEC defines, as firmware rounds them.
const STEPS: &[(&str, &[u32])] = &[
    ("DDR3", &[800, 1066, 1067, 1333, 1600, 1866, 1867, 2133]),
    ("DDR4", &[1333, 1600, 1866, 1867, 2133, 2134, 2400, 2666, 2667, 2933, 2934, 3200]),
    (
        "DDR5",
        &[3200, 3600, 4000, 4400, 4800, 5200, 5600, 6000, 6400, 6800, 7200, 7600, 8000, 8400, 8800],
    ),
];

/// One structure: its type, first line and its fields with theirs.
struct Structure<'a> {
    kind: u32,
    line: u32,
    fields: Vec<(u32, &'a str, &'a str)>,
}

impl<'a> Structure<'a> {
    /// A field's text, unless firmware left it at a placeholder.
    fn get(&self, name: &str) -> Option<(u32, &'a str)> {
        let (line, _, value) = self.fields.iter().find(|(_, n, _)| *n == name)?;
        Some((*line, *value)).filter(|(_, v)| stated(v))
    }
}

fn stated(value: &str) -> bool {
    const NONE: &[&str] = &[
        "",
        "unknown",
        "not specified",
        "null",
        "none",
        "no asset tag",
        "<out of spec>",
        "undefined",
        "n/a",
        "default string",
    ];
    let low = value.trim().to_ascii_lowercase();
    !NONE.contains(&low.as_str())
        && !low.starts_with("to be filled")
        && !low.starts_with("not provided")
}

/// The number in `Handle 0x0041, DMI type 17, 84 bytes`.
fn kind(line: &str) -> Option<u32> {
    line.trim()
        .strip_prefix("Handle 0x")?
        .split_once("DMI type ")?
        .1
        .split(',')
        .next()?
        .trim()
        .parse()
        .ok()
}

fn structures(text: &Text) -> Vec<Structure<'_>> {
    let mut all: Vec<Structure<'_>> = vec![];
    for line in text.lines() {
        if let Some(kind) = kind(line.text) {
            all.push(Structure { kind, line: line.number, fields: vec![] });
        } else if let (Some(last), Some((name, value))) =
            (all.last_mut(), line.text.split_once(':'))
            && line.text.starts_with(['\t', ' '])
        {
            last.fields.push((line.number, name.trim(), value.trim()));
        }
    }
    all
}

impl Importer for Dmidecode {
    fn title(&self) -> &'static str {
        "dmidecode"
    }
    fn recognise(&self, text: &Text) -> Sure {
        let asked = |l: &str| command(l, &["dmidecode"]).is_some();
        match text.any(|l| kind(l).is_some())
            || (text.any(asked) && text.any(|l| l.trim().starts_with("Version: ")))
        {
            true => Sure::Certain,
            false => Sure::No,
        }
    }
    fn read(&self, text: &Text, found: &mut Found) -> Result<(), Problem> {
        for line in text.lines() {
            if let Some(version) = line
                .text
                .trim_start()
                .strip_prefix("# dmidecode ")
                .filter(|v| v.starts_with(|c: char| c.is_ascii_digit()))
            {
                found.version(version);
            } else if let Some(asked) = command(line.text, &["dmidecode"]) {
                found.source.command.get_or_insert(crate::session::kept(asked));
            }
        }
        let all = structures(text);
        if all.is_empty() {
            return grepped(text, found);
        }
        for s in all.iter() {
            match s.kind {
                0 => facts(
                    s,
                    &[
                        ("Vendor", "bios.vendor"),
                        ("Version", "bios.version"),
                        ("Release Date", "bios.date"),
                    ],
                    found,
                ),
                1 => facts(
                    s,
                    &[("Manufacturer", "system.vendor"), ("Product Name", "system.product")],
                    found,
                ),
                2 => facts(
                    s,
                    &[("Manufacturer", "board.vendor"), ("Product Name", "board.product")],
                    found,
                ),
                17 => module(s, found)?,
                _ => {}
            }
        }
        processors(&all, found);
        let slots: Option<u64> = all
            .iter()
            .filter(|s| s.kind == 16 && s.get("Use").is_none_or(|(_, u)| u == "System Memory"))
            .map(|s| whole(s.get("Number Of Devices")?.1))
            .sum();
        let arrays = all.iter().find(|s| s.kind == 16);
        if let (Some(slots), Some(array)) = (slots.filter(|n| *n > 0), arrays) {
            found.fact_in(array.line, "memory.slots", slots, Unit::Count);
            let described = all.iter().filter(|s| s.kind == 17).count() as u64;
            if described != slots {
                found.warn(array.line, format!("the board has {slots} slots, and {described} are described: it is cut short"));
            }
        }
        if let Some(line) = all.iter().find(|s| s.kind == 17).map(|s| s.line) {
            let at = found.at(line);
            found.machine.topology.sources.push(("dimms".into(), at));
        }
        Ok(())
    }
}

/// `dmidecode -t processor | grep Version`: which of them are processors is told by the command alone.
fn grepped(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let asked = text.any(|l| {
        command(l, &["dmidecode"])
            .is_some_and(|c| c.contains("processor") || c.contains("-t 4") || c.contains("-t4"))
    });
    let versions: Vec<(u32, &str)> = text
        .lines()
        .filter_map(|l| Some((l.number, l.text.trim().strip_prefix("Version: ")?.trim())))
        .filter(|(_, v)| stated(v))
        .collect();
    let Some((line, first)) = versions.first().filter(|_| asked) else {
        return Err(Problem::whole(
            "these are lines picked out of dmidecode, and which structure they are from is not told",
        ));
    };
    found.fact(*line, "firmware.cpu.model", tidy(first));
    found.fact_in(*line, "board.sockets.filled", versions.len() as u64, Unit::Count);
    if versions.iter().any(|(_, v)| v != first) {
        found.warn(*line, "the processors are not all of one model");
    }
    found.warn(*line, "only the Version lines were kept of this output");
    Ok(())
}

fn facts(s: &Structure<'_>, names: &[(&str, &str)], found: &mut Found) {
    for (field, name) in names {
        if let Some((line, value)) = s.get(field) {
            found.fact(line, name, tidy(value));
        }
    }
}

fn processors(all: &[Structure<'_>], found: &mut Found) {
    let sockets: Vec<_> = all.iter().filter(|s| s.kind == 4).collect();
    let filled: Vec<_> = sockets
        .iter()
        .filter(|s| s.get("Status").is_none_or(|(_, v)| v.starts_with("Populated")))
        .collect();
    let Some(first) = filled.first() else { return };
    found.fact_in(first.line, "board.sockets", sockets.len() as u64, Unit::Count);
    found.fact_in(first.line, "board.sockets.filled", filled.len() as u64, Unit::Count);
    facts(
        first,
        &[("Manufacturer", "firmware.cpu.vendor"), ("Version", "firmware.cpu.model")],
        found,
    );
    for (field, name) in
        [("External Frequency", "external"), ("Max Speed", "max"), ("Current Speed", "current")]
    {
        if let Some((line, hz)) = first.get(field).and_then(|(l, v)| Some((l, hertz(v)?))) {
            found.fact_in(line, &format!("firmware.cpu.frequency.{name}"), hz, Unit::Hertz);
        }
    }
    for (field, name) in
        [("Core Count", "cores"), ("Core Enabled", "cores.enabled"), ("Thread Count", "threads")]
    {
        if let Some((line, n)) = first.get(field).and_then(|(l, v)| Some((l, whole(v)?))) {
            found.fact_in(line, &format!("firmware.cpu.{name}"), n, Unit::Count);
        }
    }
    let frequency = |field| first.get(field).and_then(|(l, v)| Some((l, hertz(v)?)));
    if let (Some((line, now)), Some((_, most))) =
        (frequency("Current Speed"), frequency("Max Speed"))
        && now > most
    {
        found.warn(line, "the current speed is above the maximum");
    }
}

fn module(s: &Structure<'_>, found: &mut Found) -> Result<(), Problem> {
    let text = |name: &str| s.get(name).map(|(_, v)| tidy(v));
    let size = s.fields.iter().find(|(_, n, _)| *n == "Size");
    let populated = size.is_some_and(|(.., v)| !v.starts_with("No Module") && stated(v));
    let capacity =
        match size.filter(|_| populated) {
            Some((line, _, v)) => Some(bytes(v).ok_or_else(|| {
                Problem::at(*line, format!("'{}' is no size of a module", tidy(v)))
            })?),
            None => None,
        };
    let speed = |names: &[&str]| {
        let (line, value) = names.iter().find_map(|n| s.get(n))?;
        let (x, unit) = leading(value)?;
        (unit.starts_with("MT/s") || unit.starts_with("MHz"))
            .then_some((line, x))
            .filter(|(_, x)| *x > 0.0 && *x < 65_000.0)
    };
    let (rated, configured) =
        (speed(&["Speed"]), speed(&["Configured Memory Speed", "Configured Frequency Speed"]));
    let kind = text("Type");
    for (line, x) in [rated, configured].into_iter().flatten() {
        step(line, x, kind.as_deref(), found);
    }
    if let (Some((_, r)), Some((line, c))) = (rated, configured)
        && c > r * 1.01
    {
        found.warn(line, "the module runs above its rating");
    }
    let width = s
        .get("Data Width")
        .and_then(|(_, v)| leading(v))
        .map(|(w, _)| w as u32)
        .filter(|w| (1..=1024).contains(w));
    let modules = &mut found.machine.topology.dimms;
    if modules.len() < 4096 {
        modules.push(Dimm {
            slot: text("Locator").unwrap_or_else(|| format!("module {}", modules.len() + 1)),
            bank: text("Bank Locator"),
            bytes: capacity,
            populated,
            kind,
            ranks: s
                .get("Rank")
                .and_then(|(_, v)| whole(v))
                .and_then(|r| u32::try_from(r).ok())
                .filter(|r| *r <= 64),
            width,
            rated: rated.map(|(_, x)| x * 1e6),
            configured: configured.map(|(_, x)| x * 1e6),
            manufacturer: text("Manufacturer"),
            part: text("Part Number"),
            technology: text("Memory Technology").filter(|t| t != "DRAM"),
            ..Dimm::default()
        });
    }
    Ok(())
}

/// A speed that no module of the kind can be set to.
pub(crate) fn step(line: u32, x: f64, kind: Option<&str>, found: &mut Found) {
    let Some((kind, steps)) = STEPS.iter().find(|(k, _)| kind.is_some_and(|t| t.starts_with(k)))
    else {
        return;
    };
    let (least, most) = (f64::from(steps[0]), f64::from(steps[steps.len() - 1]));
    if (least..=most).contains(&x) && !steps.iter().any(|s| (f64::from(*s) - x).abs() < 1.5) {
        let near =
            steps.iter().min_by_key(|s| (f64::from(**s) - x).abs() as u64).copied().unwrap_or(0);
        found.warn(
            line,
            format!(
                "{x} MT/s is no step of {kind} (the nearest is {near}): it was rounded or edited"
            ),
        );
    }
}
