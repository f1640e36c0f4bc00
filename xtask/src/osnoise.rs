//! `cargo xtask osnoise`: the kernel's own tracer of noise beside `cpulens noise gaps`, on the same CPU of the same boot, in turn.
//! Debian's cloud and standard kernels have no such tracer; its real-time kernel has, and is booted for this. All is emulated,
//! so that what is compared is a share with a share, taken of an emulated CPU by whatever its host does.
//! Source: Documentation/trace/osnoise-tracer.rst of the Linux kernel.
use crate::lab::{self, Traced};
use serde_json::Value;

/// Where the tracer is.
const TRACING: &str = "/sys/kernel/tracing";
/// The least gap of both, in nanoseconds: what the tracer has if nothing else is said.
const THRESHOLD: &str = "5000";
/// How far apart the shares may be, as a factor: the two do not run at once, and the host has other work.
const APART: f64 = 3.0;

pub(crate) fn chore() -> Result<(), String> {
    let gaps = |cpu, record| {
        let words = ["noise", "gaps", "--binding", "bound", "--seconds", "6", "--cpus", cpu];
        [&words[..], &["--threshold", THRESHOLD, "--record", record]].concat()
    };
    let (first, meanwhile, last) =
        (gaps("1", "/tmp/a.json"), gaps("0", "/tmp/m.json"), gaps("1", "/tmp/b.json"));
    let (tracer, cpus) = (format!("{TRACING}/current_tracer"), format!("{TRACING}/osnoise/cpus"));
    let trace = format!("{TRACING}/trace");
    // While the tracer has CPU 1, ours keeps CPU 0 as busy as it was before.
    let boot = lab::with_tracer(&[
        Traced { before: &[], args: &first, collect: "/tmp/a.json" },
        Traced { before: &[(&cpus, "1"), (&tracer, "osnoise")], args: &meanwhile, collect: &trace },
        Traced { before: &[(&tracer, "nop")], args: &last, collect: "/tmp/b.json" },
    ])?;
    let file = |name: &str| {
        let bytes = boot.files.get(name).ok_or(format!("no {name} came back: {:?}", boot.notes))?;
        Ok::<String, String>(String::from_utf8_lossy(bytes).into_owned())
    };
    let theirs =
        traced(&file(&trace)?, 1).ok_or(format!("the tracer wrote no line: {:?}", boot.notes))?;
    let ours = [watched(&file("/tmp/a.json")?), watched(&file("/tmp/b.json")?)];
    let [Some(before), Some(after)] = ours else {
        return Err("cpulens watched no gaps there".into());
    };
    println!(
        "CPU 1: osnoise {:.2} %, cpulens {:.2} % before and {:.2} % after it",
        100.0 * theirs,
        100.0 * before,
        100.0 * after
    );
    let (low, high) = (before.min(after) / APART, before.max(after) * APART);
    match (low..=high).contains(&theirs) {
        true => Ok(()),
        false => Err(format!("further apart than by a factor of {APART}")),
    }
}

/// The share of gaps of the only thread of a record.
fn watched(record: &str) -> Option<f64> {
    let record: Value = serde_json::from_str(record).ok()?;
    let series = record["runs"].as_array()?.iter();
    let gaps = series.flat_map(|r| r["outcome"]["measured"].as_array()).flatten();
    let gaps = gaps.map(|s| &s["gaps"]).find(|gaps| gaps.is_object())?;
    Some(gaps["total"].as_f64()? / gaps["watched"].as_f64().filter(|w| *w > 0.0)?)
}

/// The share of noise that the tracer saw on a CPU: `osnoise/1-321 [001] ..... 12.345678: 1000000 1930 99.80700 ...` (of a thread
/// that is gone `<...>-321`), of which the first two numbers are microseconds that were watched, and of noise.
fn traced(trace: &str, cpu: u32) -> Option<f64> {
    let on = format!("[{cpu:03}]");
    let line = |line: &str| {
        let (head, numbers) = line.split_once(": ")?;
        let ours = !head.starts_with('#') && head.contains(&on);
        let mut numbers = numbers.split_whitespace().map_while(|n| n.parse::<f64>().ok());
        ours.then(|| numbers.next().zip(numbers.next()))?
    };
    let sum = trace.lines().filter_map(line).fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    (sum.0 > 0.0).then(|| sum.1 / sum.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tracers_lines_are_added_up_for_one_cpu() {
        let trace = "# tracer: osnoise\n#\n#           TASK-PID      CPU#  TIMESTAMP\n\
             \x20      osnoise/1-101   [001] .....    12.000001: 1000000  30000  97.00000  9000 3 0 251 40 2\n\
             \x20      osnoise/0-100   [000] .....    12.000001: 1000000 500000  50.00000  9000 3 0 251 40 2\n\
             \x20          <...>-101   [001] .....    14.000001: 1000000  10000  99.00000  9000 3 0 251 40 2\n";
        assert_eq!(traced(trace, 1), Some(0.02));
        assert_eq!(traced(trace, 2), None);
        assert_eq!(traced("# tracer: nop\n", 1), None);
    }

    #[test]
    fn a_records_gaps_are_a_share() {
        let record =
            r#"{"runs": [{"outcome": {"measured": [{"gaps": {"watched": 5.0, "total": 0.5}}]}}]}"#;
        assert_eq!(watched(record), Some(0.1));
        assert_eq!(watched("{}"), None);
    }
}
