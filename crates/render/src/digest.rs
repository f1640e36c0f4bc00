//! Records as rows of two tables, for databases: `runs` with a row for each record, `metrics` with a row for each series.
use analyse::Report;
use fleet::digest::Digest;
use record::Unit;
use std::io::{self, Write};

/// The row of a record, after the headings if it is the first.
///
/// # Errors
/// Those of the output.
pub fn runs(digest: &Digest, first: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    if first {
        rows.write_record([
            "host",
            "name",
            "started",
            "month",
            "labels",
            "model",
            "stepping",
            "sockets",
            "cores",
            "cpus",
            "nodes",
            "hypervisor",
            "kernel",
            "microcode",
            "bios",
            "thp",
            "governor",
            "modules",
            "unfit",
        ])?;
    }
    let fact = |name: &str| digest.facts.get(name).map_or("", String::as_str);
    let labels: Vec<String> = digest.labels.iter().map(|(k, v)| format!("{k}={v}")).collect();
    let key = &digest.key;
    let numbers = [key.sockets, key.cores, key.cpus, key.nodes].map(|n| n.to_string());
    let [sockets, cores, cpus, nodes] = &numbers;
    let started = digest.started.as_deref().unwrap_or_default();
    rows.write_record([
        &digest.host,
        digest.shown(),
        started,
        started.get(..7).unwrap_or_default(),
        &labels.join(" "),
        &key.model,
        &key.stepping,
        sockets,
        cores,
        cpus,
        nodes,
        &key.hypervisor,
        fact("kernel.release"),
        fact("cpu.microcode"),
        fact("bios.version"),
        fact("memory.thp.enabled"),
        fact("cpu.governor"),
        fact("memory.modules"),
        digest.unfit.as_deref().unwrap_or_default(),
    ])?;
    rows.flush()
}

/// The rows of a record's series and figures, after the headings if it is the first.
///
/// # Errors
/// Those of the output.
pub fn metrics(
    report: &Report<'_>,
    digest: &Digest,
    first: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    if first {
        rows.write_record([
            "host", "started", "probe", "case", "metric", "at", "unit", "better", "median", "low",
            "high", "n", "cv", "states",
        ])?;
    }
    let started = digest.started.as_deref().unwrap_or_default();
    let number = |x: Option<f64>| x.map_or(String::new(), |x| x.to_string());
    for h in &digest.figures {
        let ends = [h.interval.map(|i| i.0), h.interval.map(|i| i.1)].map(number);
        let [low, high] = &ends;
        let (unit, better, value) = (word(h.unit), word(h.better), h.value.to_string());
        rows.write_record([
            &digest.host,
            started,
            "figure",
            "",
            &h.name,
            "",
            &unit,
            &better,
            &value,
            low,
            high,
            "",
            "",
            "1",
        ])?;
    }
    for e in &report.estimates {
        let at: Vec<String> = e.at.iter().map(|(name, value)| format!("{name}={value}")).collect();
        rows.write_record([
            &digest.host,
            started,
            e.probe.as_str(),
            &e.case,
            e.metric.as_str(),
            &at.join(" "),
            &word::<Unit>(e.unit),
            &word(e.better),
            &e.median.to_string(),
            &number(e.interval.map(|i| i.low)),
            &number(e.interval.map(|i| i.high)),
            &e.count.to_string(),
            &number(e.cv),
            &e.states.len().to_string(),
        ])?;
    }
    rows.flush()
}

fn word<T: serde::Serialize>(of: T) -> String {
    serde_json::to_value(of).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}
