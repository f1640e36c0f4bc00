//! What we promise about the program itself, each as a share of its limit.
use super::{ours::Ours, process::Call, summary::median};

/// `what`, `value`, `limit`, `value / limit`, `verdict`.
pub(crate) type Line = [String; 5];

pub(crate) const HEAD: [&str; 5] = ["target", "value", "limit", "ratio", "verdict"];

const MIB: f64 = 1024.0 * 1024.0;

/// Measures them all; the longest takes as long as a quick run.
pub(crate) fn measure(ours: &Ours, cpu: &str) -> Result<Vec<Line>, String> {
    let mut lines = vec![];
    let mut times = vec![];
    for _ in 0..21 {
        let ran = Call::new(&ours.binary).args(&["--help"]).run()?;
        times.push(ran.took.as_secs_f64() * 1e3);
    }
    let help = median(&times).ok_or("--help was not timed")?;
    lines.push(line("cpulens --help, median of 21, starting it included", help, 10.0, "ms"));

    let size = std::fs::metadata(&ours.binary).map_err(|e| e.to_string())?.len();
    lines.push(line("binary", size as f64 / 1e6, 20.0, "MB"));

    let held = |arguments: &[&str]| -> Result<f64, String> {
        let (record, ran) = ours.measure(arguments)?;
        let peak = ran.peak.ok_or("it ended before its memory was looked at")?;
        Ok(peak.saturating_sub(record.largest_buffer()) as f64 / MIB)
    };
    let small = held(&["--only", "instrument"])?;
    lines.push(line("resident memory, smallest probes", small, 50.0, "MiB"));
    let large = held(&["--only", "load_latency", "--cpus", cpu])?;
    lines.push(line("resident memory beyond the buffer, load_latency", large, 50.0, "MiB"));
    let most = held(&["--only", "bandwidth", "--cpus", cpu])?;
    lines.push(line("resident memory beyond the buffer, bandwidth", most, 50.0, "MiB"));

    let taking = |arguments: &[&str], probe: &str| -> Result<f64, String> {
        Ok(ours.measure(&[arguments, &["--cpus", cpu]].concat())?.0.seconds(probe))
    };
    let three = taking(&["--only", "load_latency"], "load_latency")?;
    lines.push(line("three latency curves, quick", three, 6.0, "s"));
    let one = ["--only", "load_latency", "--where", "order=random,pages=base,stride=64"];
    lines.push(line("one latency curve, quick", taking(&one, "load_latency")?, 2.0, "s"));
    let sizes = ["--only", "lat_mem_rd", "--where", "lineage=intel,size=64,stride=64"];
    lines.push(line("107 sizes as lat_mem_rd", taking(&sizes, "lat_mem_rd")?, 10.0, "s"));
    lines.push(line("reach of the TLBs", taking(&["--only", "tlb_reach"], "tlb_reach")?, 1.0, "s"));

    let (_, ran) = ours.measure(&["--depth", "quick"])?;
    lines.push(line("run --depth quick", ran.took.as_secs_f64(), 90.0, "s"));
    Ok(lines)
}

fn line(what: &str, value: f64, limit: f64, unit: &str) -> Line {
    let verdict = if value <= limit { "within" } else { "OUTSIDE" };
    [
        what.into(),
        format!("{value:.1} {unit}"),
        format!("{limit:.0} {unit}"),
        format!("{:.2}", value / limit),
        verdict.into(),
    ]
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_limit_is_kept_or_not() {
        assert_eq!(super::line("x", 5.0, 10.0, "ms")[3..], ["0.50", "within"]);
        assert_eq!(super::line("x", 11.0, 10.0, "ms")[4], "OUTSIDE");
    }
}
