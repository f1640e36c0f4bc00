//! That nothing calls the system while it is being timed: the samples of the memory probes, seen by strace.
//!
//! A sample is what lies between two readings of the clock, with a look at the thread's counters before and after. The
//! traced program's clock makes a call of its own (`getppid`), and looking at the counters makes one too (`getrusage`), so the
//! trace of a thread shows every sample as `getrusage`, `getppid`, `getppid`, `getrusage`; whatever else stands between the
//! two `getppid` happened in timed code. The program prints a line when a probe has ended, which parts the trace.
use crate::audit::test_program;
use std::collections::BTreeMap;
use xtask::{
    children::{child, output},
    dist::Arch,
    tree::{cache, read},
};

const CLOCK: &str = "getppid";
const COUNTERS: &str = "getrusage";
/// The system call of the kernel's clock, which may be part of reading it.
const PART_OF_CLOCK: &str = "clock_gettime";
/// The line at a probe's end.
const PRINTED: &str = "write(1,";

/// Traces the test that runs the probes, and looks into each of its samples.
pub(crate) fn chore() -> Result<(), String> {
    let program = test_program(Arch::X86_64, &["probes"], "timed_regions")?;
    let trace = cache().join("timed_regions.trace");
    let mut strace = child("strace");
    strace.args(["-f", "-qq", "-s", "0", "-o"]).arg(&trace).arg(program);
    let said = output(strace.args(["--include-ignored", "--nocapture", "--test-threads=1"]))?;
    let taken = taken(&said);
    if taken.is_empty() {
        return Err(format!("no samples were taken: {said}"));
    }
    let seen = look(&read(&trace)?);
    if let Some(call) = seen.calls.first() {
        return Err(format!("{} system calls inside samples, first {call}", seen.calls.len()));
    }
    if seen.samples.len() != taken.len() {
        let (shown, all) = (seen.samples.len(), taken.len());
        return Err(format!("{all} probes took samples, but the trace shows samples of {shown}"));
    }
    for ((probe, taken), shown) in taken.iter().zip(&seen.samples) {
        if shown < taken {
            return Err(format!("{probe} took {taken} samples, but the trace shows {shown}"));
        }
    }
    let (regions, samples): (usize, usize) =
        (seen.samples.iter().sum(), taken.iter().map(|(_, n)| n).sum());
    println!("no system call in {regions} timed regions of {samples} samples and their trials");
    Ok(())
}

/// The probes in the order in which they ended, and how many samples each took.
fn taken(said: &str) -> Vec<(&str, usize)> {
    // The first stands behind the test's name.
    let lines =
        said.lines().filter_map(|line| line.split_once("samples: ")?.1.trim().split_once(' '));
    lines.filter_map(|(probe, samples)| Some((probe, samples.parse().ok()?))).collect()
}

/// The content of a trace.
#[derive(Debug, Default, PartialEq)]
struct Trace {
    /// Timed regions before each printed line, where there are any.
    samples: Vec<usize>,
    /// Calls inside them, each with its thread.
    calls: Vec<String>,
}

/// A trace by `strace -f -o`: a thread's number and one call on each line.
fn look(trace: &str) -> Trace {
    let mut seen = Trace::default();
    let mut samples = 0;
    // What each thread called since it last looked at the counters.
    let mut threads: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in trace.lines() {
        let Some((thread, rest)) = line.split_once(char::is_whitespace) else { continue };
        let rest = rest.trim_start();
        // Signals, ends of threads, and the second halves of calls that were torn apart are no calls.
        let Some((name, _)) = rest.split_once('(') else { continue };
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') || name == PART_OF_CLOCK {
            continue;
        }
        if rest.starts_with(PRINTED) {
            seen.samples.push(std::mem::take(&mut samples));
        }
        if name != COUNTERS {
            if let Some(calls) = threads.get_mut(thread) {
                calls.push(name);
            }
            continue;
        }
        let between = threads.insert(thread, vec![]).unwrap_or_default();
        let readings: Vec<usize> = (0..between.len()).filter(|i| between[*i] == CLOCK).collect();
        // Two readings are a sample. None, one or more are what happens between samples.
        if let [begin, end] = readings[..] {
            samples += 1;
            let inside = between[begin + 1..end].iter();
            seen.calls.extend(inside.map(|call| format!("{call} by thread {thread}")));
        }
    }
    seen.samples.push(samples);
    seen.samples.retain(|samples| *samples > 0);
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str =
        "7 getrusage(RUSAGE_THREAD, {}) = 0\n7 pread64(3, \"\"..., 9, 0) = 9\n7 getppid() = 1\n";

    #[test]
    fn a_call_inside_a_sample_is_seen_and_one_beside_it_is_not() {
        let quiet = format!(
            "{SAMPLE}7 getppid() = 1\n7 getrusage(RUSAGE_THREAD, {{}}) = 0\n7 brk(0) = 0\n"
        );
        assert_eq!(look(&quiet), Trace { samples: vec![1], calls: vec![] });
        let loud = format!(
            "{SAMPLE}9 brk(0) = 0\n7 futex(0x1, FUTEX_WAKE <unfinished ...>\n7 <... futex resumed>) = 0\n7 getppid() = 1\n7 getrusage() = 0\n"
        );
        assert_eq!(
            look(&loud),
            Trace { samples: vec![1], calls: vec!["futex by thread 7".into()] }
        );
    }

    /// One probe's samples, however many, are none of another's.
    #[test]
    fn samples_are_counted_between_printed_lines() {
        let sample = format!("{SAMPLE}7 getppid() = 1\n");
        let end = "7 getrusage() = 0\n";
        let said = "running 1 test\ntest a_test ... samples: one 2\nsamples: two 1\nok\n";
        assert_eq!(taken(said), [("one", 2), ("two", 1)]);
        let trace = format!(
            "7 write(1, \"\"..., 4) = 4\n{sample}{sample}{end}9 write(1, \"\"..., 4 <unfinished ...>\n{sample}{end}7 write(2, \"\"..., 1) = 1\n7 write(1, \"\"..., 2) = 2\n7 write(1, \"\"..., 2) = 2\n"
        );
        assert_eq!(look(&trace).samples, [2, 1]);
    }

    #[test]
    fn readings_between_samples_are_no_samples() {
        let between = "7 getrusage() = 0\n7 getppid() = 1\n7 getppid() = 1\n7 write(1) = 1\n7 getppid() = 1\n7 getrusage() = 0\n";
        assert_eq!(look(between), Trace::default());
        assert_eq!(look("7 +++ exited with 0 +++\n--- SIGINT {} ---\n"), Trace::default());
    }
}
