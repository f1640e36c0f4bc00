//! That nothing calls the system while it is being timed: the samples of the memory probes, seen by strace.
//!
//! A sample is what lies between two readings of the clock, with a look at the thread's counters before and after. The
//! traced program's clock makes a call of its own (`getppid`), and looking at the counters makes one too (`getrusage`), so the
//! trace of a thread shows every sample as `getrusage`, `getppid`, `getppid`, `getrusage`; whatever else stands between the
//! two `getppid` happened in timed code.
use crate::{
    audit::executable,
    children::{child, output},
    dist::{self, Arch},
    tree::{cache, read},
};
use std::collections::BTreeMap;

const CLOCK: &str = "getppid";
const COUNTERS: &str = "getrusage";
/// Where the kernel's clock needs a call, it is part of reading it.
const PART_OF_CLOCK: &str = "clock_gettime";

/// Traces the test that runs the probes, and looks into each of its samples.
pub(crate) fn chore() -> Result<(), String> {
    let program = build()?;
    let trace = cache().join("timed_regions.trace");
    let mut strace = child("strace");
    strace.args(["-f", "-qq", "-s", "0", "-o"]).arg(&trace).arg(program);
    let said = output(strace.args(["--include-ignored", "--nocapture", "--test-threads=1"]))?;
    let samples = said.lines().find_map(|l| l.split_once("samples: ")?.1.trim().parse().ok());
    let samples: usize = samples.ok_or_else(|| format!("no samples were taken: {said}"))?;
    let seen = look(&read(&trace)?);
    if let Some(call) = seen.calls.first() {
        return Err(format!("{} system calls inside samples, first {call}", seen.calls.len()));
    }
    if seen.samples < samples || samples == 0 {
        return Err(format!("{samples} samples were taken, but the trace shows {}", seen.samples));
    }
    println!(
        "no system call in {} timed regions of {samples} samples and their trials",
        seen.samples
    );
    Ok(())
}

/// The test as a program, made of what the program that we ship was made of: nothing is built twice.
fn build() -> Result<String, String> {
    let mut command = dist::cargo_for(Arch::X86_64)?;
    command.args(["test", "--quiet", "--locked", "--release", "--no-run", "--package", "measure"]);
    command.args(["--test", "timed_regions", "--target", Arch::X86_64.triple()]);
    let messages = output(command.arg("--message-format=json"))?;
    executable(&messages, "timed_regions").ok_or_else(|| "cargo built no timed_regions".into())
}

/// What a trace shows.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    /// Timed regions.
    samples: usize,
    /// Calls inside them, each with its thread.
    calls: Vec<String>,
}

/// A trace by `strace -f -o`: a thread's number and one call on each line.
fn look(trace: &str) -> Seen {
    let mut threads: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in trace.lines() {
        let Some((thread, rest)) = line.split_once(char::is_whitespace) else { continue };
        // Signals, ends of threads, and the second halves of calls that were torn apart are no calls.
        let Some((name, _)) = rest.trim_start().split_once('(') else { continue };
        if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && name != PART_OF_CLOCK {
            threads.entry(thread).or_default().push(name);
        }
    }
    let mut seen = Seen::default();
    for (thread, calls) in threads {
        // What lies between one look at the counters and the next.
        for between in calls.split(|call| *call == COUNTERS) {
            let readings: Vec<usize> =
                (0..between.len()).filter(|i| between[*i] == CLOCK).collect();
            // Two readings are a sample. None, one or more are what happens between samples.
            if let [begin, end] = readings[..] {
                seen.samples += 1;
                let inside = between[begin + 1..end].iter();
                seen.calls.extend(inside.map(|call| format!("{call} by thread {thread}")));
            }
        }
    }
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
        assert_eq!(look(&quiet), Seen { samples: 1, calls: vec![] });
        let loud = format!(
            "{SAMPLE}9 brk(0) = 0\n7 futex(0x1, FUTEX_WAKE <unfinished ...>\n7 <... futex resumed>) = 0\n7 getppid() = 1\n7 getrusage() = 0\n"
        );
        assert_eq!(look(&loud), Seen { samples: 1, calls: vec!["futex by thread 7".into()] });
    }

    #[test]
    fn readings_between_samples_are_no_samples() {
        let between = "7 getrusage() = 0\n7 getppid() = 1\n7 getppid() = 1\n7 write(1) = 1\n7 getppid() = 1\n7 getrusage() = 0\n";
        assert_eq!(look(between), Seen::default());
        assert_eq!(look("7 +++ exited with 0 +++\n--- SIGINT {} ---\n"), Seen::default());
    }
}
