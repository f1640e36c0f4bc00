//! A program that is run to its end: pinned, timed, watched for its memory, and ended with all that it started if it takes too
//! long.
use host::{
    child::{Program, Status, Supervised},
    clock::{Clock, Monotonic},
};
use measure::cpu_contention::Snapshot;
use record::CpuSet;
use std::{fs, io::Read, io::Seek, path::Path, path::PathBuf, time::Duration};
use tempfile::tempfile;

/// A program to run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Call {
    /// The program and its arguments.
    pub(crate) words: Vec<String>,
    variables: Vec<(String, String)>,
    /// The CPUs it may use, if not all.
    cpus: Option<CpuSet>,
    /// Whether it is a round-robin thread of the system's, which takes turns with others of its kind.
    in_turn: bool,
}

/// Its result.
#[derive(Debug)]
pub(crate) struct CallResult {
    /// Standard output and standard error: some originals print results to the latter.
    pub(crate) text: String,
    pub(crate) code: Option<i32>,
    /// Seconds.
    pub(crate) took: f64,
    /// The most memory it was seen to hold, in bytes; 0 where it ended before it was looked at.
    pub(crate) peak: u64,
    /// CPU time of other programs meanwhile, in percent of all CPUs' time; `None` if unknown.
    pub(crate) others: Option<f64>,
}

/// The longest that anything is waited for, in seconds: three times the slowest call on an idle machine.
const PATIENCE: f64 = 300.0;
/// Seconds between two looks at the memory of a short program, which cost microseconds on another CPU, and of a long one.
const LOOKS: [f64; 2] = [0.0002, 0.01];

impl Call {
    pub(crate) fn new(words: &[&str]) -> Call {
        let words = words.iter().map(|&word| word.to_owned()).collect();
        Call { words, ..Call::default() }
    }
    #[must_use]
    pub(crate) fn on(mut self, cpus: &CpuSet) -> Call {
        self.cpus = Some(cpus.clone());
        self
    }
    #[must_use]
    pub(crate) fn in_turn(mut self) -> Call {
        self.in_turn = true;
        self
    }
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: &str) -> Call {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }
    /// Started inside the control groups with these lists of processes.
    #[must_use]
    pub(crate) fn inside(mut self, lists: &[PathBuf]) -> Call {
        let enter = lists.iter().map(|list| format!("echo $$ > {} && ", list.display()));
        let script = enter.collect::<String>() + "exec \"$@\"";
        self.words.splice(0..0, ["sh".into(), "-c".into(), script, "sh".into()]);
        self
    }

    /// Runs it to its end, whatever its exit code.
    pub(crate) fn run(&self) -> Result<CallResult, String> {
        let failed = |why: String| format!("{}: {why}", self.words.join(" "));
        let refused = |e: host::child::Refused| failed(e.why.to_string());
        // A nameless file: unlike a pipe it never makes the program wait.
        let mut output = tempfile().map_err(|e| failed(e.to_string()))?;
        let copy = output.try_clone().map_err(|e| failed(e.to_string()))?;
        let chrt: &[&str] = if self.in_turn { &["chrt", "-r", "20"] } else { &[] };
        let words: Vec<&str> =
            chrt.iter().copied().chain(self.words.iter().map(String::as_str)).collect();
        let mut program = Program::new(&words).map_err(refused)?.writing_into(copy);
        if let Some(cpus) = &self.cpus {
            program = program.on(cpus.clone());
        }
        for (name, value) in &self.variables {
            program = program.with(name, value);
        }
        let clock = Monotonic::new();
        let (before, began) = (Snapshot::now(), clock.now());
        let mut running = Supervised::start(&program).map_err(refused)?;
        let mut peak = 0;
        let (status, took) = loop {
            peak = high_water(running.pid()).max(peak);
            let look = LOOKS[usize::from(clock.now() - began > 0.05)];
            let ended = running.wait(Duration::from_secs_f64(look));
            let took = clock.now() - began;
            match ended {
                Some(status) => break (status, took),
                None if took > PATIENCE => return Err(failed(format!("ended after {took:.0} s"))),
                None => {}
            }
        };
        drop(running);
        let others = before.as_ref().and_then(others_since);
        let mut bytes = vec![];
        let read = output.rewind().and_then(|()| output.read_to_end(&mut bytes));
        read.map_err(|e| failed(e.to_string()))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let code = match status {
            Status::Exited(code) => Some(code),
            Status::Killed(_) => None,
        };
        Ok(CallResult { text, code, took, peak, others })
    }

    /// The same; an exit code that is none of these is an error.
    pub(crate) fn done(&self, codes: &[i32]) -> Result<CallResult, String> {
        let ran = self.run()?;
        if ran.code.is_some_and(|code| codes.contains(&code)) {
            return Ok(ran);
        }
        let words: String = self.words.join(" ").chars().take(200).collect();
        Err(format!("{words}: exit code {:?}\n{}", ran.code, ran.text))
    }
}

/// `VmHWM` of a process, in bytes.
fn high_water(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib << 10)
}

/// CPU time of other programs since, in percent of all CPUs' time; `None` if unknown. What a hypervisor gave to others counts.
pub(crate) fn others_since(before: &Snapshot) -> Option<f64> {
    let contention = before.until(&Snapshot::now()?, &CpuSet::default())?;
    Some(100.0 * (contention.busy + contention.steal))
}

/// The path of an installed program that holds these bytes: other programs have names as common as `stream`, too.
pub(crate) fn genuine(program: &str, proof: &str) -> Option<PathBuf> {
    let holds = |file: &Path| {
        let proof = proof.as_bytes();
        fs::read(file).is_ok_and(|bytes| bytes.windows(proof.len()).any(|w| w == proof))
    };
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| holds(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_outputs_the_code_and_the_variables_come_back() {
        let call = Call::new(&["sh", "-c", "echo $A; echo b >&2; exit 3"]).with("A", "a");
        let ran = call.run().unwrap();
        assert_eq!((ran.text.as_str(), ran.code), ("a\nb\n", Some(3)));
        assert!(call.done(&[0]).unwrap_err().contains("exit code Some(3)"));
        assert!(Call::new(&["/no/such/program"]).run().is_err());
    }

    #[test]
    fn memory_is_seen_while_it_is_held() {
        let fill = "x=$(head -c 20000000 /dev/zero | tr '\\0' x); sleep 0.2";
        let ran = Call::new(&["sh", "-c", fill]).run().unwrap();
        assert!(ran.peak > 20_000_000 && ran.took >= 0.2, "{ran:?}");
    }
}
