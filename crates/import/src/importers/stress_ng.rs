//! stress-ng's `--metrics`, `--metrics-brief` and `--yaml`: bogo operations per second by stressor. The columns are found by their
//! heads, since versions differ in the log's prefix.
//!
//! Limits: bogo operations are what a version's stressor takes for one; nothing is comparable across versions.
//! Source: stress-ng, stress-ng.c, stress_metrics_dump; lines of published outputs with two, three and four columns behind
//! the times.
use crate::prelude::*;

pub(crate) static IMPORTER: Importer = Importer::new("stress-ng", recognises, read);

/// A line without `stress-ng: metrc: [4711] `.
fn bare(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("stress-ng: ")?;
    let (_, rest) = rest.split_once(':')?;
    let rest = rest.trim_start();
    Some(rest.strip_prefix('[').and_then(|r| r.split_once(']')).map_or(rest, |(_, r)| r).trim())
}

fn recognises(text: &Text) -> bool {
    text.any(|l| l.trim() == "- stressor: cpu" || l.trim_start().starts_with("stress-ng-version:"))
        || text
            .any(|l| bare(l).is_some_and(|l| l.starts_with("stressor") && l.contains("bogo ops/s")))
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    if text.any(|l| l.trim_start().starts_with("- stressor:")) {
        return yaml(text, found);
    }
    let mut case = None;
    let mut head = false;
    for line in text.lines() {
        if let Some(command_line) = command(line.text, &["stress-ng"]) {
            found.command(command_line);
            continue;
        }
        let Some((stressor, cells)) = bare(line.text).and_then(|row| row.split_once(' ')) else {
            continue;
        };
        if stressor == "stressor" {
            head = true;
            continue;
        }
        let values: Vec<f64> = cells.split_whitespace().map_while(number).take(6).collect();
        let [ops, real, user, system, rate, rate_per_cpu] = values[..] else { continue };
        if !head {
            continue;
        }
        let case = *case.get_or_insert_with(|| {
            found.case(line.number, ProbeId::StressNg, &[("statistic", "mean".into())])
        });
        let at = [("stressor", Value::from(tidy(stressor)))];
        found.series(case, BOGO_OPS, &at, &[rate]);
        if user + system > 0.0 {
            found.series(case, per_second(Metric::BogoOpsPerCpu), &at, &[rate_per_cpu]);
        }
        // Times are printed to hundredths of a second.
        if real > 0.5 && (ops / real / rate.max(1e-9) - 1.0).abs() > 0.02 {
            let stressor = tidy(stressor);
            found.warn(line.number, format!("{stressor}: {rate} bogo operations a second do not follow from {ops} in {real} s"));
        }
    }
    let why = "the head of the metrics is there and no stressor: it is cut short";
    Problem::when(case.is_none(), why)
}

/// The stressors of `--yaml`, whose own metrics of later versions have other names and are left.
fn yaml(text: &Text, found: &mut Found) -> Result<(), Problem> {
    for field in
        text.lines().filter_map(|l| Field::parse(l, ":")).take_while(|f| f.name != "metrics")
    {
        match field.name {
            "stress-ng-version" => found.version(field.value),
            "release" => found.fact(field.line, "kernel.release", tidy(field.value)),
            "machine" => found.fact(field.line, "kernel.arch", tidy(field.value)),
            _ => {}
        }
    }
    let head = |line| -> Option<&str> { str::strip_prefix(str::trim(line), "- stressor: ") };
    let mut case = None;
    for part in sections(text, head, |line| Field::parse(line, ":")) {
        let value = |name: &str| part.get(name).and_then(|f| number(f.value));
        let Some(rate) = value("bogo-ops-per-second-real-time") else {
            return Err(Problem::at(part.line, "no rate follows this stressor: it is cut short"));
        };
        let case = *case.get_or_insert_with(|| {
            found.case(part.line, ProbeId::StressNg, &[("statistic", "mean".into())])
        });
        let at = [("stressor", Value::from(tidy(part.head)))];
        found.series(case, BOGO_OPS, &at, &[rate]);
        let used = value("user-time").unwrap_or(0.0) + value("system-time").unwrap_or(0.0);
        if let Some(rate) = value("bogo-ops-per-second-usr-sys-time").filter(|_| used > 0.0) {
            found.series(case, per_second(Metric::BogoOpsPerCpu), &at, &[rate]);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::Gathered;

    /// Made up after the format.
    #[test]
    fn columns_are_where_their_heads_are() {
        for prefix in ["stress-ng: metrc: [48] ", "stress-ng: info:  [48] "] {
            let text = format!(
                "{prefix}stressor       bogo ops real time  usr time  sys time   bogo ops/s     bogo ops/s\n{prefix}                          (secs)    (secs)    (secs)   (real time) (usr+sys time)\n{prefix}cpu               10570      3.00      5.98      0.00      3523.33        1767.56\n"
            );
            let read = Gathered::default().add("s.txt", text.as_bytes()).unwrap();
            assert_eq!((read.series, read.warnings), (2, 0));
            let wider = text.replace("1767.56\n", "1767.56        84.05          1548\n")
                + &format!(
                    "{prefix}miscellaneous metrics:\n{prefix}close     600923.80 close calls per sec (harmonic mean of 192 instances)\n"
                );
            let read = Gathered::default().add("s.txt", wider.as_bytes()).unwrap();
            assert_eq!((read.series, read.warnings), (2, 0), "later columns and metrics are left");
            let wrong = text.replace("3523.33", "9523.33");
            assert_eq!(Gathered::default().add("s.txt", wrong.as_bytes()).unwrap().warnings, 1);
        }
    }
}
