//! Intel PerfSpect's JSON reports: an object of tables, each a list of records of text. Reads facts of the machine, loaded
//! latency and bandwidth between nodes (both from Intel MLC), the rate of its CPU load, and power.
//!
//! Limits: text as PerfSpect words it; the frequencies by number of cores and the storage tables are not read. Host names,
//! addresses and serial numbers are left out.
//! Source: intel/PerfSpect, internal/report/render_json.go and the tables' definitions of versions 3.0 to 3.6.
use crate::prelude::*;
use serde_json::{Map, Value as Json};

pub(crate) static IMPORTER: Importer = Importer::new("PerfSpect JSON", recognises, read);

/// Tables that no other tool's JSON has.
const TABLES: &[&str] = &[
    "System Summary",
    "Software Version",
    "CPU Speed",
    "Memory Latency",
    "Memory Benchmark",
    "NUMA Bandwidth",
    "NUMA Benchmark",
    "Summary CPU Utilization",
];

const FACTS: &FactTable = &[
    ("CPU Model", "cpu.model", Kind::Words),
    ("Microarchitecture", "cpu.microarchitecture", Kind::Words),
    ("Microcode", "cpu.microcode", Kind::Words),
    ("Scaling Driver", "cpu.driver", Kind::Words),
    ("Scaling Governor", "cpu.governor", Kind::Words),
    ("Kernel", "kernel.release", Kind::Words),
    ("OS", "os.name", Kind::Words),
    ("Sockets", "cpu.sockets", Kind::Integer),
    ("Cores per Socket", "cpu.cores_per_socket", Kind::Integer),
    ("CPUs", "cpu.count", Kind::Integer),
    ("NUMA Nodes", "memory.nodes", Kind::Integer),
    ("Base Frequency", "cpu.frequency.base", Kind::Hertz),
    ("Maximum Frequency", "cpu.frequency.max", Kind::Hertz),
];

/// The tables of a report, or nothing.
fn tables(text: &Text) -> Option<Map<String, Json>> {
    let whole = text.whole().trim_start();
    if !whole.starts_with('{') || !TABLES.iter().any(|t| whole.contains(&format!("\"{t}\""))) {
        return None;
    }
    let Json::Object(tables) = serde_json::from_str(whole).ok()? else { return None };
    let records = |t: &Json| t.as_array().is_some_and(|rows| rows.iter().all(Json::is_object));
    (tables.keys().any(|k| TABLES.contains(&k.as_str())) && tables.values().all(records))
        .then_some(tables)
}

fn recognises(text: &Text) -> bool {
    tables(text).is_some()
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let tables = tables(text).ok_or_else(|| Problem::whole("it is no report of PerfSpect"))?;
    for (name, rows) in &tables {
        let at = text.whole().find(&format!("\"{name}\"")).unwrap_or(0);
        let line = text.line_at(at);
        let rows: Vec<&Map<String, Json>> =
            rows.as_array().into_iter().flatten().filter_map(Json::as_object).collect();
        machine(line, &rows, found);
        loaded(line, &rows, found);
        nodes(line, name, &rows, found);
        single(line, &rows, found);
    }
    let why = "its tables hold nothing that is read: ask PerfSpect for --benchmark all";
    Problem::when(found.is_empty(), why)
}

fn text<'a>(row: &'a Map<String, Json>, field: &str) -> Option<&'a str> {
    row.get(field)?.as_str().map(str::trim).filter(|t| !t.is_empty())
}

/// Tables of one record state facts of the machine; the summary repeats the others.
fn machine(line: u32, rows: &[&Map<String, Json>], found: &mut Found) {
    let [row] = rows else { return };
    let field = |name: &str| Some(Field { line, name: "", value: text(row, name)? });
    facts(FACTS, field, found);
    match text(row, "Hyperthreading") {
        Some("Enabled") => found.fact(line, "cpu.smt", true),
        Some("Disabled") => found.fact(line, "cpu.smt", false),
        _ => {}
    }
}

/// MLC's latency under load; the delays are not kept by PerfSpect, the rows are ordered by them, the least load first.
fn loaded(line: u32, rows: &[&Map<String, Json>], found: &mut Found) {
    let mut case = None;
    for (level, row) in (0u64..).zip(rows) {
        let value = |field: &str| text(row, field).and_then(number);
        let (Some(ns), Some(gb)) = (value("Latency (ns)"), value("Bandwidth (GB/s)")) else {
            continue;
        };
        let case = *case.get_or_insert_with(|| found.case(line, ProbeId::MlcLoaded, &[]));
        let at = [("level", Value::from(level))];
        found.series(case, seconds(Metric::LoadedLatency), &at, &[ns * 1e-9]);
        found.series(case, INJECTED, &at, &[gb * 1e9]);
    }
}

/// A row for each node that reads, a field for each that has the memory, in GB/s.
fn nodes(line: u32, name: &str, rows: &[&Map<String, Json>], found: &mut Found) {
    if !name.starts_with("NUMA B") {
        return;
    }
    let mut case = None;
    for row in rows {
        let Some(from) = text(row, "Node").and_then(whole) else { continue };
        for (field, cell) in row.iter().filter(|(field, _)| *field != "Node") {
            let (Some(to), Some(gb)) = (whole(field), cell.as_str().and_then(number)) else {
                continue;
            };
            let case = *case.get_or_insert_with(|| {
                found.case(line, ProbeId::NumaMatrix, &[("traffic", "reads".into())])
            });
            let at = [("from", Value::from(from)), ("to", to.into())];
            found.series(case, BANDWIDTH, &at, &[gb * 1e9]);
        }
    }
}

/// Tables of one figure.
fn single(line: u32, rows: &[&Map<String, Json>], found: &mut Found) {
    let [row] = rows else { return };
    if let Some(rate) = text(row, "Ops/s").and_then(number) {
        let case = found.case(line, ProbeId::Perfspect, &[("load", "cpu".into())]);
        found.series(case, BOGO_OPS, &[], &[rate]);
    }
    for (field, end) in [("Maximum Power", "most"), ("Minimum Power", "least")] {
        // A report without power has words here.
        let Some((watts, unit)) = text(row, field).and_then(leading) else { continue };
        if watts > 0.0 && (unit.is_empty() || unit.starts_with('W')) {
            let case = found.case(line, ProbeId::Perfspect, &[("load", "power".into())]);
            let power = neither(Metric::Power, Unit::Watts);
            found.series(case, power, &[("end", end.into())], &[watts]);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Gathered;
    use record::{Outcome, ProbeId, Provenance};

    /// Made up after the format: tables, records and fields as PerfSpect names them.
    const EXAMPLE: &str = r#"{
 "Host": [{"Host Name": "db1.example", "Time": "Mon"}],
 "CPU": [{"CPU Model": "Intel(R) Xeon(R) Platinum 8480+", "Base Frequency": "2.0GHz", "Maximum Frequency": "3.8GHz",
   "Sockets": "2", "Cores per Socket": "56", "Hyperthreading": "Enabled", "NUMA Nodes": "2"}],
 "CPU Speed": [{"Ops/s": "1234.5"}],
 "CPU Power": [{"Maximum Power": "350.20W", "Minimum Power": "No data"}],
 "Memory Latency": [
  {"Latency (ns)": "120.5", "Bandwidth (GB/s)": "10.1"},
  {"Latency (ns)": "260.0", "Bandwidth (GB/s)": "225.0"}
 ],
 "NUMA Bandwidth": [
  {"Node": "0", "0": "175.6", "1": "55.5"},
  {"Node": "1", "0": "55.6", "1": "175.7"}
 ],
 "Storage Performance": []
}"#;

    #[test]
    fn tables_are_recognised_by_their_fields() {
        let mut gathered = Gathered::default();
        let read = gathered.add("r.json", EXAMPLE.as_bytes()).unwrap();
        assert_eq!((read.facts, read.series, read.warnings), (7, 10, 0), "{read:?}");
        assert_eq!(read.formats, ["PerfSpect JSON"]);
        let record = gathered.record(Provenance::default());
        assert_eq!(record.machine.number("cpu.frequency.max"), Some(3.8e9));
        assert_eq!(record.machine.flag("cpu.smt"), Some(true));
        assert!(!format!("{record:?}").contains("db1"), "the host's name stays where it was");
        let matrix = record.runs.iter().find(|r| r.case.probe == ProbeId::NumaMatrix).unwrap();
        let Outcome::Measured(all) = &matrix.outcome else { panic!() };
        let far = all.iter().find(|s| s.at["from"] == 0u64.into() && s.at["to"] == 1u64.into());
        assert!((far.unwrap().samples[0] - 55.5e9).abs() < 1.0);
        assert_eq!(matrix.origin.unwrap().line, 11);
    }

    #[test]
    fn other_json_is_none_of_it() {
        for text in [
            "{\"System Summary\": 3}",
            "{\"CPU Speed\": [3]}",
            "{\"a\": [{\"CPU Speed\": \"\"}]}",
            "{\"CPU Speed\": [{}",
        ] {
            assert!(Gathered::default().add("x", text.as_bytes()).is_err(), "{text}");
        }
        let deep = format!("{{\"CPU Speed\": {}", "[".repeat(100_000));
        assert!(Gathered::default().add("x", deep.as_bytes()).is_err());
    }
}
