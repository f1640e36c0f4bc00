//! The kernel's own tracer of noise beside `cpulens noise detours`, on the same CPU of the same boot, in turn. Debian's cloud and
//! standard kernels have no such tracer; its real-time kernel has, and is booted for this. All is emulated, so that what is
//! compared is a share with a share, taken of an emulated CPU by whatever its host does.
//! Source: Documentation/trace/osnoise-tracer.rst of the Linux kernel.
use lab::{Command, boot, command, machine};

/// The tracer's folder.
const TRACING: &str = "/sys/kernel/tracing";
/// The least gap of both, in nanoseconds: what the tracer has if nothing else is said.
const THRESHOLD: &str = "5000";
/// The largest ratio of the two shares: the two do not run at once, and the host has other work.
const APART: f64 = 3.0;

#[test]
#[ignore = "fetches a kernel of 70 MB: cargo xtask osnoise"]
fn the_tracer_and_the_probe_see_the_same_share() -> Result<(), String> {
    let (cpus, tracer) = (format!("{TRACING}/osnoise/cpus"), format!("{TRACING}/current_tracer"));
    let trace = format!("{TRACING}/trace");
    let gaps = |before: &[(&str, &str)], cpu, record: &str, collect: &str| {
        let words = ["noise", "detours", "--binding", "bound", "--seconds", "6", "--cpus", cpu];
        let more = ["--threshold", THRESHOLD, "--force", "--record", record];
        let before = before.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned()));
        let (before, collect) = (before.collect(), vec![collect.to_owned()]);
        Command { before, collect, ..command(&[&words[..], &more].concat()) }
    };
    // While the tracer has CPU 1, ours keeps CPU 0 as busy as it was before.
    let traced = [(cpus.as_str(), "1"), (tracer.as_str(), "osnoise")];
    let commands = vec![
        gaps(&[], "1", "/tmp/a.json", "/tmp/a.json"),
        gaps(&traced, "0", "/tmp/m.json", &trace),
        gaps(&[(&tracer, "nop")], "1", "/tmp/b.json", "/tmp/b.json"),
    ];
    let boot = boot(&machine("osnoise")?, commands, &[])?;
    let theirs = traced_share(boot.file(&trace)?, 1);
    let theirs = theirs.ok_or_else(|| format!("the tracer wrote no line: {:?}", boot.notes))?;
    let share = |name| watched_share(boot.file(name)?.as_bytes());
    let (before, after) = (share("/tmp/a.json")?, share("/tmp/b.json")?);
    println!("CPU 1: osnoise {theirs:.4}, cpulens {before:.4} before and {after:.4} after it");
    let (low, high) = (before.min(after) / APART, before.max(after) * APART);
    assert!((low..=high).contains(&theirs), "further apart than by a factor of {APART}");
    Ok(())
}

/// The share of gaps of the only thread of a record.
fn watched_share(record: &[u8]) -> Result<f64, String> {
    let record = record::from_slice(record).map_err(|e| e.to_string())?;
    let mut gaps =
        record.runs.iter().flat_map(|run| run.series()).filter_map(|s| s.detours.as_ref());
    let gaps = gaps.next().ok_or("cpulens watched no gaps there")?;
    Ok(gaps.total / gaps.watched)
}

/// The share of noise that the tracer saw on a CPU: `osnoise/1-321 [001] ..... 12.345678: 1000000 1930 99.80700 ...` (of a thread
/// that is gone `<...>-321`), of which the first two numbers are microseconds that were watched, and of noise.
fn traced_share(trace: &str, cpu: u32) -> Option<f64> {
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

#[test]
fn the_tracers_lines_are_added_up_for_one_cpu() {
    let trace = "# tracer: osnoise\n#\n#           TASK-PID      CPU#  TIMESTAMP\n\
         \x20      osnoise/1-101   [001] .....    12.000001: 1000000  30000  97.00000  9000 3 0 251 40 2\n\
         \x20      osnoise/0-100   [000] .....    12.000001: 1000000 500000  50.00000  9000 3 0 251 40 2\n\
         \x20          <...>-101   [001] .....    14.000001: 1000000  10000  99.00000  9000 3 0 251 40 2\n";
    assert_eq!(traced_share(trace, 1), Some(0.02));
    assert_eq!(traced_share(trace, 2), None);
    assert_eq!(traced_share("# tracer: nop\n", 1), None);
}
