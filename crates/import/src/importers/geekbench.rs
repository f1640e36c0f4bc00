//! Geekbench 5 and 6: the text of its screen, its JSON (`.gb5`, `.gb6`), and a result's page as text or its tables as JSON:
//! scores of one core and of all, of each workload with its rate.
//!
//! Limits: scores are comparable within one major version. Bytes are counted in powers of 1024, as `workload_rate` beside
//! `rate_string` shows, all else in powers of 1000. The JSON's host and user are left out.
//! Source: published results of 5.1 and 6.3 in all three forms.
use crate::{cells::spaced, prelude::*};
use serde_json::Value as Json;

pub(crate) static IMPORTER: Importer = Importer::new("Geekbench", recognises, read);

const FACTS: &FactTable = &[
    ("Name", "cpu.model", Kind::Words),
    ("Base Frequency", "cpu.frequency.base", Kind::Hertz),
    ("Maximum Frequency", "cpu.frequency.max", Kind::Hertz),
    ("Operating System", "os.name", Kind::Words),
    ("Model", "system.product", Kind::Words),
];
/// Metrics and their names in the JSON.
const METRICS: &[(&str, &str)] = &[
    ("Processor Brand", "Name"),
    ("Processor ID", "Identifier"),
    ("Stock Processor Frequency", "Base Frequency"),
    ("Processor Maximum Frequency", "Maximum Frequency"),
    ("Operating System", "Operating System"),
    ("Model", "Model"),
];
const PARTS: [&str; 2] = ["Single-Core", "Multi-Core"];

fn recognises(text: &Text) -> bool {
    version(text).is_some() || document(text).is_some() || is_page(text)
}

/// The first line of a page that a text browser saved.
fn is_page(text: &Text) -> bool {
    text.any(|l| l.trim() == "Geekbench Browser")
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let screen = match document(text) {
        Some(document) => Some(screen_of(&document, text)),
        None => is_page(text).then(|| screen_of_page(text)),
    };
    let text = screen.as_ref().unwrap_or(text);
    // Scores are of a major version.
    let version = version(text).unwrap_or("");
    found.version(version.split('.').next().unwrap_or(""));
    machine(text, found);
    let (mut part, mut cases) = (None, [None; 2]);
    // The scores of all workloads come last, and are what people look for.
    let (scores, rows): (Vec<_>, Vec<_>) =
        text.lines().partition(|line| line.text.contains(" Score "));
    for line in scores.into_iter().chain(rows) {
        let cells = spaced(line.text);
        if let [name] = cells[..] {
            part = PARTS.iter().position(|known| *known == name);
            continue;
        }
        let [name, score, ref rate @ ..] = cells[..] else { continue };
        let Some(score) = number(score) else { continue };
        let of = name.strip_suffix(" Score");
        let whole = of.and_then(|of| PARTS.iter().position(|known| *known == of));
        part = whole.or(part);
        let Some(threads) = part else { continue };
        let case = *cases[threads].get_or_insert_with(|| {
            let params = [("threads", ["one", "all"][threads].into())];
            found.case(line.number, ProbeId::Geekbench, &params)
        });
        let of = if whole.is_some() { "all workloads" } else { of.unwrap_or(name) };
        let at = ("of", Value::from(tidy(of)));
        found.series(case, SCORE, std::slice::from_ref(&at), &[score]);
        match rate.first().map(|rate| rated(rate)) {
            Some(Some((quantity, value))) => found.series(case, quantity, &[at], &[value]),
            Some(None) => found.warn(line.number, format!("'{}' is no rate", tidy(rate[0]))),
            None => {}
        }
    }
    found.version(version);
    Problem::when(found.without_series(), "it holds no score: it is cut short")
}

/// `Geekbench 6.3.0 Pro : https://www.geekbench.com/`.
fn version(text: &Text) -> Option<&str> {
    let of = |line| {
        let (version, _) = str::strip_prefix(line, "Geekbench ")?.split_once(" : ")?;
        version.split(' ').next().filter(|v| v.starts_with(|c: char| c.is_ascii_digit()))
    };
    text.whole().lines().take(100).find_map(of)
}

/// The JSON, of the program or of a page's tables.
fn document(text: &Text) -> Option<Json> {
    let ours = |document: &Json| {
        document["version"].as_str().is_some_and(|v| v.starts_with("Geekbench "))
            && document["sections"].is_array()
    };
    json(text, "\"sections\"")
        .filter(ours)
        .or_else(|| json(text, "\"Single-Core Performance\"").filter(Json::is_object))
}

/// A page in the words of the screen: a rate stands below its score, and names without two spaces behind them.
fn screen_of_page(text: &Text) -> Text {
    const NAMES: [&str; 5] =
        ["Operating System", "Base Frequency", "Maximum Frequency", "Topology", "Name"];
    let mut lines: Vec<(u32, String)> = vec![];
    for line in text.lines() {
        let row = line.text.trim();
        let part = row.strip_suffix(" Performance").filter(|part| PARTS.contains(part));
        let fact = NAMES.iter().find_map(|name| Some((name, row.strip_prefix(name)?)));
        let of = row.split_once(" for ").map_or(row, |(before, _)| before);
        if let (Some((_, last)), Some(_)) = (lines.last_mut(), rated(row)) {
            last.push_str("  ");
            last.push_str(row);
        } else if let Some((name, value)) = fact.filter(|(_, value)| value.starts_with(' ')) {
            lines.push((line.number, format!("{name}  {}", value.trim())));
        } else if of.starts_with("Geekbench ") && of != row {
            lines.push((line.number, format!("{of} : ")));
        } else {
            lines.push((line.number, part.unwrap_or(row).to_owned()));
        }
    }
    text.derived(&lines)
}

/// The JSON in the words of the screen.
fn screen_of(document: &Json, text: &Text) -> Text {
    let mut lines = Lines::of(text);
    let listed = |value: &Json| value.as_array().cloned().unwrap_or_default();
    if let Some(version) = document["version"].as_str() {
        lines.push("version", format!("{version} : "));
    }
    for metric in listed(&document["metrics"]) {
        let name = metric["name"].as_str().unwrap_or("");
        let known = METRICS.iter().find(|(theirs, _)| *theirs == name);
        if let (Some((_, ours)), Some(value)) = (known, metric["value"].as_str()) {
            lines.push(name, format!("{ours}  {value}"));
        }
    }
    for section in listed(&document["sections"]) {
        let name = section["name"].as_str().unwrap_or("");
        lines.push(name, name.to_owned());
        for workload in listed(&section["workloads"]) {
            let (of, rate) = (workload["name"].as_str(), workload["rate_string"].as_str());
            let of = of.unwrap_or("");
            lines.push(of, format!("{of}  {}  {}", workload["score"], rate.unwrap_or("")));
        }
        lines.push("score", format!("{name} Score  {}", section["score"]));
    }
    for part in PARTS {
        let table = document[format!("{part} Performance")].as_object();
        if table.is_some() {
            lines.push(part, part.to_owned());
        }
        for (of, cell) in table.into_iter().flatten() {
            let name = if of == "Score" { format!("{part} Score") } else { of.clone() };
            let rate = cell["description"].as_str().unwrap_or("");
            lines.push(of, format!("{name}  {}  {rate}", cell["score"]));
        }
    }
    text.derived(&lines.lines)
}

/// A rate, which is the score in other words, such as `38.3 Mpixels/sec`, `1.86 GB/sec` or `5373.6 FPS`.
fn rated(text: &str) -> Option<(Quantity, f64)> {
    let (value, unit) = leading(text)?;
    let item = unit.strip_suffix("/sec").or((unit == "FPS").then_some("frames"))?;
    let power = ["K", "M", "G"].iter().position(|p| item.to_uppercase().starts_with(p));
    let power = power.filter(|_| item.len() > 1).map_or(0, |p| p as i32 + 1);
    Some(match item {
        "B" | "KB" | "MB" | "GB" => {
            (neither(Metric::Bandwidth, Unit::BytesPerSecond), value * 1024f64.powi(power))
        }
        _ => (neither(Metric::Rate, Unit::PerSecond), value * 1000f64.powi(power)),
    })
}

fn machine<'a>(text: &'a Text, found: &mut Found) {
    let field = |line: Line<'a>| match spaced(line.text)[..] {
        [name, value] => Some(Field { line: line.number, name, value }),
        _ => None,
    };
    let fields: Vec<Field<'_>> = text.lines().filter_map(field).collect();
    // Of any Arm processor it prints this name.
    let get =
        |name: &str| fields.iter().find(|f| f.name == name && f.value != "ARM ARMv8").copied();
    facts(FACTS, get, found);
    if let Some(Field { line, value, .. }) = get("Kernel") {
        let mut words = value.split(' ').skip(1);
        found.known(line, "kernel.release", words.next());
        found.known(line, "kernel.arch", words.next());
    }
    if let Some(Field { line, value, .. }) = get("Identifier")
        && let [vendor, "Family", family, "Model", model, "Stepping", stepping] =
            value.split(' ').collect::<Vec<_>>()[..]
    {
        found.fact(line, "cpu.vendor", vendor);
        let numbers = [family, model, stepping].map(str::parse);
        if let [Ok(family), Ok(model), Ok(stepping)] = numbers {
            found.signature(line, [family, model, stepping]);
        }
    }
    if let Some(Field { line, value, .. }) = get("Topology") {
        let count = |what: &str| count_of(value, ", ", what).filter(|n| *n > 0);
        found.cores(line, count("Processor"), count("Core"));
        found.known(line, "cpu.count", count("Thread"));
    }
}

#[cfg(test)]
mod tests {
    use super::rated;

    /// Made up after pages of 5.4, as a text browser saves them.
    #[test]
    fn a_page_is_read_as_the_screen_is() {
        let page = "   Geekbench Browser\n     * Account\n\n   506\n   Single-Core Score\n   Geekbench 5.4.4 Preview for Linux AArch64\n\n   Operating System Some Linux 12\n   Name           ARM ARMv8\n   Topology       1 Processor, 8 Cores\n   Base Frequency 1.80 GHz\n\n  Single-Core Performance\n\n   Single-Core Score     506\n   Floating Point Score  470\n   AES-XTS               787\n                         1.34 GB/sec\n\n  Multi-Core Performance\n\n   Multi-Core Score      2319\n   AES-XTS               2300\n                         3.91 GB/sec\n";
        let mut gathered = crate::Gathered::default();
        let read = gathered.add("page.txt", page.as_bytes()).unwrap();
        assert_eq!(read.formats, ["Geekbench 5.4.4"]);
        let record = gathered.record(record::Provenance::default());
        let counts: Vec<usize> = record.runs.iter().map(|run| run.series().len()).collect();
        assert_eq!(counts, [4, 3]);
        assert_eq!(record.machine.text("os.name"), Some("Some Linux 12"));
        assert_eq!(record.machine.text("cpu.model"), None);
        assert_eq!(record.machine.integer("cpu.cores_per_socket"), Some(8));
    }

    #[test]
    fn rates_have_prefixes() {
        for (text, value) in [
            ("38.3 Mpixels/sec", 38.3e6),
            ("1.25 MTE/sec", 1.25e6),
            ("5373.6 FPS", 5373.6),
            ("1.39 GB/sec", 1.39 * 1_073_741_824.0),
            ("25.2 Words/sec", 25.2),
        ] {
            assert!((rated(text).unwrap().1 / value - 1.0).abs() < 1e-9, "{text}");
        }
        assert!(rated("12").is_none());
    }
}
