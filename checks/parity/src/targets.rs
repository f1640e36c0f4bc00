//! Targets of the program's own cost, each as a share of its limit.
use crate::{
    call::Call,
    fleet,
    ours::{MEASURED, Ours, largest_buffer},
    table::median,
    thousand,
};
use std::{fs, path::Path};
use xtask::tree;

/// `what`, `value`, `limit`, `value / limit`, `verdict`.
pub(crate) type Line = [String; 5];

pub(crate) const HEAD: [&str; 5] = ["target", "value", "limit", "ratio", "verdict"];

/// A fleet that a comparison must be able to hold.
const RECORDS: usize = 1000;
/// Outputs of other tools that are imported at once.
const OUTPUTS: usize = 10_000;

const MIB: f64 = 1024.0 * 1024.0;

/// Measures them all; the longest takes as long as a quick run.
pub(crate) fn measure(ours: &Ours, cpu: &str) -> Result<Vec<Line>, String> {
    let mut lines = vec![];
    let (help, _) = often(ours, &["--help"], 21)?;
    lines.push(line("cpulens --help, median of 21, starting it included", help, 10.0, "ms"));
    let (info, _) = often(ours, &["info"], 21)?;
    lines.push(line("cpulens info, median of 21", info, 150.0, "ms"));

    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let cpus = thousand::files_below(folder.path())?;
    let tree = folder.path().display().to_string();
    for (what, arguments) in [
        ("info", &["info", "--format", "json", "--root", &tree][..]),
        ("run --dry-run", &["run", "--dry-run", "--root", &tree]),
    ] {
        let (time, most) = often(ours, arguments, 7)?;
        lines.push(line(&format!("{what} of {cpus} CPUs, median of 7"), time, 1000.0, "ms"));
        lines.push(line(&format!("resident memory, {what} of {cpus} CPUs"), most, 64.0, "MiB"));
    }

    let (record, quick) = ours.measure(&["--depth", "quick"])?;
    lines.push(line("run --depth quick", quick.took, 90.0, "s"));
    let records = fleet::write(&folder.path().join("records"), &record, RECORDS)?;
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    for format in ["text", "csv"] {
        let words = [&["compare", "--format", format], &records[..]].concat();
        let (time, most) = often(ours, &words, 5)?;
        let what = format!("compare {RECORDS} records of a quick run as {format}");
        lines.push(line(&format!("{what}, median of 5"), time, 2000.0, "ms"));
        lines.push(line(&format!("resident memory, {what}"), most, 200.0, "MiB"));
    }
    let outputs = outputs(&folder.path().join("outputs"))?;
    let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    let (time, _) = often(ours, &[&["import"], &outputs[..]].concat(), 3)?;
    lines.push(line(&format!("import {OUTPUTS} files, median of 3"), time, 10_000.0, "ms"));

    let size = fs::metadata(&ours.binary).map_err(|e| e.to_string())?.len();
    lines.push(line("binary", size as f64 / 1e6, 20.0, "MB"));

    let held = |arguments: &[&str]| -> Result<f64, String> {
        let (record, ran) = ours.measure(arguments)?;
        Ok(ran.peak.saturating_sub(largest_buffer(&record)) as f64 / MIB)
    };
    let small = held(&["--only", "instrument"])?;
    lines.push(line("resident memory, smallest probes", small, 50.0, "MiB"));
    let large = held(&["--only", "load_latency", "--cpus", cpu])?;
    lines.push(line("resident memory beyond the buffer, load_latency", large, 50.0, "MiB"));
    let most = held(&["--only", "bandwidth", "--cpus", cpu])?;
    lines.push(line("resident memory beyond the buffer, bandwidth", most, 50.0, "MiB"));

    let taking = |arguments: &[&str], probe: &str| -> Result<f64, String> {
        let (record, _) = ours.measure(&[arguments, &["--cpus", cpu]].concat())?;
        Ok(record.runs.iter().filter(|r| r.case.probe == probe).map(|r| r.took).sum())
    };
    let three = taking(&["--only", "load_latency"], "load_latency")?;
    lines.push(line("three latency curves, quick", three, 6.0, "s"));
    let one = ["--only", "load_latency", "--where", "order=random,pages=base,stride=64"];
    lines.push(line("one latency curve, quick", taking(&one, "load_latency")?, 2.0, "s"));
    let sizes = ["--only", "lat_mem_rd", "--where", "lineage=intel,size=64,stride=64"];
    lines.push(line("107 sizes as lat_mem_rd", taking(&sizes, "lat_mem_rd")?, 10.0, "s"));
    lines.push(line("reach of the TLBs", taking(&["--only", "tlb_reach"], "tlb_reach")?, 1.0, "s"));

    let what = format!(
        "stat of a command of {COMMAND:.0} s beside the command alone, median of {PAIRS} pairs"
    );
    lines.push(line(&what, overhead(ours)?, 1.0, "%"));
    Ok(lines)
}

/// Seconds that the command takes on which `stat` is tried, and how often.
const COMMAND: f64 = 10.0;
const PAIRS: usize = 5;

/// The time that `stat` adds to a command, in percent: the median over pairs, each side first in turn.
fn overhead(ours: &Ours) -> Result<f64, String> {
    let spin = |turns: u64| format!("i=0; while [ $i -lt {turns} ]; do i=$((i+1)); done");
    let timed = |counted: bool, turns: u64| {
        let spin = spin(turns);
        let call = match counted {
            true => ours.call(&["stat", "-o", "/dev/null", "--", "sh", "-c", &spin]),
            false => Call::new(&["sh", "-c", &spin]),
        };
        call.done(&[0]).map(|ran| ran.took)
    };
    let trial = 200_000;
    let turns = (trial as f64 * COMMAND / timed(false, trial)?.max(1e-3)) as u64;
    let mut added = vec![];
    for pair in 0..PAIRS {
        let counted_first = pair % 2 == 0;
        let first = timed(counted_first, turns)?;
        let second = timed(!counted_first, turns)?;
        let (with, without) = if counted_first { (first, second) } else { (second, first) };
        added.push(100.0 * (with / without - 1.0));
    }
    median(&added).ok_or_else(|| "nothing was timed".into())
}

/// Outputs of STREAM, each with a first line of its own.
fn outputs(folder: &Path) -> Result<Vec<String>, String> {
    let text = tree::read(&tree::root().join("crates/import/tests/samples/guest.stream.txt"))?;
    tree::make(folder)?;
    let write = |number: usize| {
        let file = folder.join(format!("o{number:05}.txt"));
        tree::write(&file, format!("machine {number}\n{text}"))?;
        Ok(file.display().to_string())
    };
    (0..OUTPUTS).map(write).collect()
}

/// The median time in milliseconds, and the most memory in MiB.
fn often(ours: &Ours, arguments: &[&str], times: usize) -> Result<(f64, f64), String> {
    let (mut took, mut most) = (vec![], 0);
    for _ in 0..times {
        let ran = ours.call(arguments).done(&MEASURED)?;
        took.push(ran.took * 1e3);
        most = ran.peak.max(most);
    }
    let median = median(&took).ok_or("nothing was timed")?;
    Ok((median, most as f64 / MIB))
}

fn line(what: &str, value: f64, limit: f64, unit: &str) -> Line {
    let verdict = if value <= limit { "within" } else { "OUTSIDE" };
    let [shown, limit_shown] = [format!("{value:.1} {unit}"), format!("{limit:.0} {unit}")];
    [what.into(), shown, limit_shown, format!("{:.2}", value / limit), verdict.into()]
}

#[cfg(test)]
mod tests {
    #[test]
    fn outputs_differ_and_are_ten_thousand() {
        let folder = tempfile::tempdir().unwrap();
        let files = super::outputs(&folder.path().join("outputs")).unwrap();
        assert_eq!(files.len(), super::OUTPUTS);
        let read = |n: usize| std::fs::read_to_string(&files[n]).unwrap();
        assert!(read(0) != read(9_999) && read(9_999).contains("Triad:"));
    }

    #[test]
    fn a_limit_is_kept_or_not() {
        assert_eq!(super::line("x", 5.0, 10.0, "ms")[3..], ["0.50", "within"]);
        assert_eq!(super::line("x", 11.0, 10.0, "ms")[4], "OUTSIDE");
    }
}
