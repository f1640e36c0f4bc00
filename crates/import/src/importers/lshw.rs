//! lshw's tree as text, with `-json` and with `-xml`: memory banks, processors, and what made the machine. Serial numbers are left out.
//!
//! Limits: the `(0.3ns)` behind a frequency is its period, 1 over 2933 MHz, and no latency.
//! Source: lshw, src/core/print.cc, and its reading of SMBIOS.
use super::dmidecode::{check_speed, module_size};
use crate::prelude::*;
use inventory::names_processor;
use record::Dimm;
use roxmltree::{Document, Node as Element};

pub(crate) static IMPORTER: Importer = Importer::new("lshw", recognises, read);

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
    ("capacity", "firmware.cpu.frequency.max", Kind::Hertz),
];

fn recognises(text: &Text) -> bool {
    if json(text, "\"physid\"").is_some() || is_xml(text) {
        return true;
    }
    const NODES: [&str; 6] = ["bank", "memory", "cpu", "core", "firmware", "cache"];
    const LABELS: [&str; 3] = ["description: ", "product: ", "physical id: "];
    text.any(|l| node(l).is_some_and(|(n, _)| NODES.contains(&n)))
        && text.any(|l| LABELS.iter().any(|label| l.trim_start().starts_with(label)))
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let lines = match json(text, "\"physid\"") {
        Some(document) => {
            let mut lines = Lines::of(text);
            tree(&document, 0, &mut lines);
            Some(lines.lines)
        }
        None if is_xml(text) => {
            let (document, mut lines) = (text.xml(false)?, vec![]);
            element(document.root_element(), &document, 0, &mut lines);
            Some(lines)
        }
        None => None,
    };
    let lines = lines.map(|lines| text.derived(&lines));
    let text = lines.as_ref().unwrap_or(text);
    let all = parts(text);
    let none = !all.iter().any(|p| ["bank", "cpu", "memory", "core"].contains(&p.head.0));
    Problem::when(none, "it describes neither processors nor memory")?;
    let (mut period, mut filled, mut most_cores) = (None, 0u64, 1);
    for part in &all {
        match part.head.0 {
            "bank" => {
                let with_period = part.fields.iter().find(|f| f.value.contains("ns)"));
                period = period.or(with_period.map(|f| f.line));
                bank(part, found)?;
            }
            "cpu" => {
                // Without SMBIOS lshw lists what the kernel calls a CPU, which is no socket.
                most_cores = most_cores.max(configured(part, "cores").map_or(1, |(n, _)| n));
                filled += u64::from(
                    part.get("slot").is_some()
                        && part.words("product").is_some_and(|p| p != "[empty]"),
                );
                processor(part, found);
            }
            "memory" => {
                let described = part.get("description").map(|f| f.value.to_lowercase());
                if described.as_deref() == Some("system memory") {
                    facts(MEMORY, |name| part.get(name), found);
                }
            }
            _ => {}
        }
    }
    // Some hypervisors give each virtual CPU a socket.
    if filled > 0 && (filled <= 2 || most_cores > 1) {
        found.fact_in(all[0].line, "board.sockets.filled", filled, Unit::Count);
    }
    let banks: Vec<&Part<'_>> = all.iter().filter(|p| p.head.0 == "bank").collect();
    let highest =
        banks.iter().filter_map(|p| p.head.1.split_once(':')?.1.parse::<usize>().ok()).max();
    if let (Some(highest), Some(first)) = (highest.filter(|h| h + 1 > banks.len()), banks.first()) {
        let (there, at_least) = (banks.len(), highest + 1);
        let what = format!(
            "bank {highest} is there and only {there} of at least {at_least} banks are: it is cut short"
        );
        found.warn(first.line, what);
    }
    if let Some(line) = period {
        let what = "the nanoseconds behind a frequency are its period, and no latency of memory";
        found.warn(line, what);
    }
    if let Some(first) = banks.first() {
        found.topology_read(&["dimms"], first.line);
    }
    Ok(())
}

fn bank(part: &Part<'_>, found: &mut Found) -> Result<(), Problem> {
    const NONE: [&str; 4] = ["", "[Empty]", "Unknown", "NO DIMM"];
    let text = |name: &str| part.words(name).filter(|v| !NONE.contains(&&**v));
    let capacity = part.get("size").map(module_size).transpose()?;
    let description = text("description").unwrap_or_default();
    let kind = description
        .split_whitespace()
        .find(|w| w.starts_with("DDR") || w.starts_with("LPDDR"))
        .map(str::to_owned);
    // lshw keeps the clock in 32 bits, so those of DDR5 wrap around; the description has it in full.
    let in_words =
        description.split_once(" MHz (").and_then(|(before, _)| before.rsplit(' ').next());
    let in_words = in_words.and_then(number).map(|mhz| mhz * 1e6);
    let clock = part.get("clock").and_then(|f| f.read(hertz));
    let rated = clock.map(|(line, hz)| (line, in_words.unwrap_or(hz)));
    if let Some((line, hz)) = rated {
        check_speed(line, hz / 1e6, kind.as_deref(), found);
    }
    let module = Dimm {
        bytes: capacity,
        populated: capacity.is_some(),
        kind,
        width: part.integer("width", 1..=1024),
        // lshw calls MT/s MHz, and shows the rating.
        rated: rated.map(|(_, hz)| hz),
        manufacturer: text("vendor"),
        part: text("product"),
        ..Dimm::default()
    };
    found.module(text("slot").or_else(|| Some(tidy(part.head.1))), module);
    Ok(())
}

fn is_xml(text: &Text) -> bool {
    let whole = text.whole().trim_start();
    whole.starts_with('<') && whole.contains("<node id=") && whole.contains("<physid>")
}

/// The fields that are read of a node: words, and amounts with the unit that the JSON leaves out.
const FIELDS: &[&str] = &["description", "product", "vendor", "version", "slot"];
const AMOUNTS: &[(&str, &str)] =
    &[("size", ""), ("capacity", ""), ("clock", "Hz"), ("width", " bits")];

/// Nodes of the XML in the words of the text.
fn element(
    node: Element<'_, '_>,
    document: &Document<'_>,
    depth: usize,
    lines: &mut Vec<(u32, String)>,
) {
    let mut say = |of: Element<'_, '_>, words: String| {
        lines.push((document.text_pos_at(of.range().start).row, words));
    };
    if let Some(id) = node.attribute("id") {
        say(node, format!("*-{id}"));
    }
    for field in node.children().filter(Element::is_element) {
        let (name, value) = (field.tag_name().name(), field.text().unwrap_or("").trim());
        let amount = AMOUNTS.iter().find(|(known, _)| *known == name);
        if FIELDS.contains(&name) {
            say(field, format!("{name}: {value}"));
        } else if let Some((_, unit)) = amount {
            let unit = if unit.is_empty() { field.attribute("units").unwrap_or("") } else { unit };
            say(field, format!("{name}: {value}{unit}"));
        } else if name == "configuration" {
            let settings: Vec<String> = field
                .children()
                .filter_map(|s| Some([s.attribute("id")?, s.attribute("value")?].join("=")))
                .collect();
            say(field, format!("{name}: {}", settings.join(" ")));
        }
    }
    if depth < 32 {
        let nodes = node.children().filter(|c| c.has_tag_name("node"));
        nodes.for_each(|below| element(below, document, depth + 1, lines));
    }
}

/// Nodes of the JSON in the words of the text.
fn tree(node: &serde_json::Value, depth: usize, lines: &mut Lines<'_>) {
    if let Some(id) = node["id"].as_str() {
        lines.push(id, format!("*-{id}"));
        let mut say = |name: &str, value: String| lines.push(name, format!("{name}: {value}"));
        for name in FIELDS {
            node[*name].as_str().into_iter().for_each(|value| say(name, value.to_owned()));
        }
        for (name, unit) in AMOUNTS {
            let unit = if unit.is_empty() { node["units"].as_str().unwrap_or("") } else { unit };
            node[*name].as_u64().into_iter().for_each(|n| say(name, format!("{n}{unit}")));
        }
        let settings: Vec<String> = node["configuration"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| format!("{name}={}", value.as_str().unwrap_or("")))
            .collect();
        if !settings.is_empty() {
            say("configuration", settings.join(" "));
        }
    }
    let below = node.as_array().or_else(|| node["children"].as_array());
    if depth < 32 {
        below.into_iter().flatten().for_each(|child| tree(child, depth + 1, lines));
    }
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
    // `6.85.7` of x86; elsewhere, and of old lshw, firmware's words.
    if let Some(version) = part.get("version").filter(|f| f.value != "[empty]") {
        let parts: Vec<Option<u32>> = version.value.split('.').map(|n| n.parse().ok()).collect();
        match parts[..] {
            [Some(family), Some(model), Some(stepping)] => {
                found.signature(version.line, [family, model, stepping]);
            }
            _ if found.machine.value("firmware.cpu.model").is_none()
                && names_processor(version.value) =>
            {
                fact(version, "firmware.cpu.model", Kind::Words, found);
            }
            _ => {}
        }
    }
    for (name, counted) in COUNTS {
        if let (Some((n, line)), None) = (configured(part, name), found.machine.value(counted)) {
            found.fact_in(line, counted, n, Unit::Count);
        }
    }
}

/// A number of a node's configuration, such as `cores=8`, and its line.
fn configured(part: &Part<'_>, name: &str) -> Option<(u64, u32)> {
    let field = part.get("configuration")?;
    let mut words = field.value.split(' ');
    let n = words.find_map(|w| w.strip_prefix(name)?.strip_prefix('=')?.parse::<u64>().ok())?;
    Some((n, field.line))
}

const COUNTS: &[(&str, &str)] = &[
    ("cores", "firmware.cpu.cores"),
    ("enabledcores", "firmware.cpu.cores.enabled"),
    ("threads", "firmware.cpu.threads"),
];

#[cfg(test)]
mod tests {
    use crate::{Gathered, gathered::imported};

    /// B.02.18 with `-class memory`: no brackets, and a comma behind the last.
    #[test]
    fn a_list_without_brackets_is_one() {
        let bank = |n: u8| {
            format!(
                r#"  {{"id": "bank:{n}", "class": "memory", "physid": "{n}", "slot": "A{n}", "units": "bytes", "size": 17179869184}}"#
            )
        };
        for between in [",\n", "\n", ""] {
            let text = format!("{}{between}{},\n", bank(0), bank(1));
            let machine = imported("lshw.json", &text).machine;
            assert_eq!(machine.topology.dimms.len(), 2, "{between:?}");
        }
    }

    /// Made up after the format of B.02.19; the text has the same nodes.
    #[test]
    fn xml_says_what_the_text_does() {
        let xml = r#"<?xml version="1.0" standalone="yes" ?>
<list><node id="host" class="system"><physid>0</physid><node id="core" class="bus"><physid>0</physid>
<node id="memory" class="memory"><description>System Memory</description><physid>1</physid>
 <size units="bytes">17179869184</size>
 <node id="bank" class="memory"><description>DIMM DDR4 Synchronous 3200 MHz (0.3 ns)</description>
  <physid>0</physid><slot>DIMM_A1</slot><size units="bytes">17179869184</size>
  <width units="bits">64</width><clock units="Hz">3200000000</clock></node></node>
<node id="cpu" class="processor"><product>AMD EPYC 7313 16-Core Processor</product><physid>4</physid>
 <slot>CPU1</slot><capacity units="Hz">3700000000</capacity>
 <configuration><setting id="cores" value="16" /><setting id="threads" value="32" /></configuration></node>
</node></node></list>"#;
        let text = "  *-core\n     *-memory\n          description: System Memory\n          physical id: 1\n          size: 16GiB\n        *-bank\n             description: DIMM DDR4 Synchronous 3200 MHz (0.3 ns)\n             slot: DIMM_A1\n             size: 16GiB\n             width: 64 bits\n             clock: 3200MHz (0.3ns)\n     *-cpu\n          product: AMD EPYC 7313 16-Core Processor\n          slot: CPU1\n          capacity: 3700MHz\n          configuration: cores=16 threads=32\n";
        let read = |text: &str| {
            let machine = imported("lshw", text).machine;
            let facts = machine.facts.into_iter().map(|(name, fact)| (name, fact.known));
            (facts.collect::<Vec<_>>(), machine.topology.dimms)
        };
        let (facts, modules) = read(xml);
        assert_eq!((facts.len() > 5, modules[0].rated), (true, Some(3.2e9)));
        assert_eq!((facts, modules), read(text));
        let disk = r#"<list><node id="disk" class="disk"><physid>0</physid></node></list>"#;
        assert!(Gathered::default().add("disk.xml", disk.as_bytes()).is_err());
    }
}
