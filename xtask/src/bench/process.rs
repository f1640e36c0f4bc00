//! A program that is run to its end: pinned, timed, watched for its memory, and stopped if it takes too long.
use super::usage::Usage;
use crate::{children::child, stopwatch::Stopwatch};
use rustix::process::{Pid, Signal, kill_process_group};
use std::{
    ffi::OsStr,
    io::{Read, Seek},
    os::unix::process::CommandExt,
    path::PathBuf,
    process::{Child, Stdio},
    thread::sleep,
    time::Duration,
};
use tempfile::tempfile;

/// What is to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    program: PathBuf,
    args: Vec<String>,
    variables: Vec<(String, String)>,
    /// The CPUs it may use, if not all.
    cpus: Option<String>,
    /// Whether it is a round-robin thread of the system's, which takes turns with others of its kind.
    in_turn: bool,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Ran {
    /// Standard output, then standard error: some originals print results to the latter.
    pub(crate) text: String,
    pub(crate) code: Option<i32>,
    pub(crate) took: Duration,
    /// The most memory it was seen to hold, in bytes; nothing where it ended before it was looked at.
    pub(crate) peak: Option<u64>,
    /// What other programs took meanwhile, in percent of all CPUs' time.
    pub(crate) others: Option<u64>,
}

/// The longest that anything is waited for: three times the slowest call on an idle machine.
const PATIENCE: Duration = Duration::from_secs(300);
/// Looking costs microseconds on another CPU.
const GLANCE: Duration = Duration::from_millis(2);

impl Call {
    pub(crate) fn new(program: impl Into<PathBuf>) -> Call {
        Call {
            program: program.into(),
            args: vec![],
            variables: vec![],
            cpus: None,
            in_turn: false,
        }
    }
    /// A program and its arguments.
    pub(crate) fn started(words: &[&str]) -> Call {
        let (program, args) = words.split_first().unwrap_or((&"", &[]));
        Call::new(program).args(args)
    }
    #[must_use]
    pub(crate) fn args(mut self, args: &[&str]) -> Call {
        self.args.extend(args.iter().map(|a| (*a).to_owned()));
        self
    }
    #[must_use]
    pub(crate) fn on(mut self, cpus: &str) -> Call {
        self.cpus = Some(cpus.to_owned());
        self
    }
    #[must_use]
    pub(crate) fn in_turn(mut self) -> Call {
        self.in_turn = true;
        self
    }
    /// Started inside the control groups with these lists of processes.
    #[must_use]
    pub(crate) fn inside(mut self, lists: &[PathBuf]) -> Call {
        let enter: String =
            lists.iter().map(|list| format!("echo $$ > {} && ", list.display())).collect();
        let program = self.program.display().to_string();
        let words = ["-c".into(), enter + "exec \"$@\"", "sh".into(), program];
        self.args.splice(0..0, words);
        self.program = "sh".into();
        self
    }
    #[must_use]
    pub(crate) fn with(mut self, variables: &[(&str, &str)]) -> Call {
        self.variables.extend(variables.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())));
        self
    }

    /// What is run.
    pub(crate) fn program(&self) -> &std::path::Path {
        &self.program
    }
    /// Its name and arguments, for messages.
    pub(crate) fn words(&self) -> String {
        let name = self.program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let variables = self.variables.iter().map(|(k, v)| format!("{k}={v}"));
        let words: Vec<String> = variables.chain([name]).chain(self.args.iter().cloned()).collect();
        words.join(" ")
    }

    /// Runs it to its end, whatever its exit code.
    pub(crate) fn run(&self) -> Result<Ran, String> {
        let failed = |e: std::io::Error| format!("{}: {e}", self.words());
        // Nameless files: unlike a pipe they never make the program wait.
        let (mut out, mut err) = (tempfile().map_err(failed)?, tempfile().map_err(failed)?);
        let mut words: Vec<&OsStr> = vec![];
        if self.in_turn {
            words.extend(["chrt", "-r", "20"].map(OsStr::new));
        }
        if let Some(cpus) = &self.cpus {
            words.extend(["taskset", "-c", cpus].map(OsStr::new));
        }
        words.push(self.program.as_os_str());
        let mut command = child(words.remove(0));
        command.args(words);
        command.args(&self.args).envs(self.variables.iter().map(|(k, v)| (k, v)));
        command.stdin(Stdio::null()).process_group(0);
        command.stdout(out.try_clone().map_err(failed)?).stderr(err.try_clone().map_err(failed)?);
        let time = Stopwatch::start();
        let before = Usage::now();
        let (code, took, peak) = wait(&mut command.spawn().map_err(failed)?, time)
            .map_err(|why| format!("{}: {why}", self.words()))?;
        let others = before.zip(Usage::now()).and_then(|(before, now)| before.others(now));
        let mut bytes = vec![];
        for file in [&mut out, &mut err] {
            file.rewind().and_then(|()| file.read_to_end(&mut bytes)).map_err(failed)?;
        }
        Ok(Ran { text: String::from_utf8_lossy(&bytes).into_owned(), code, took, peak, others })
    }
}

/// Waits, looking at the memory's high-water mark, and ends the whole group when patience does.
fn wait(
    child: &mut Child,
    time: Stopwatch,
) -> Result<(Option<i32>, Duration, Option<u64>), String> {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    loop {
        let seen = std::fs::read_to_string(&status).ok().and_then(|text| high_water(&text));
        peak = seen.max(peak);
        let ended = child.try_wait().map_err(|e| e.to_string())?;
        let took = time.elapsed();
        if let Some(status) = ended {
            return Ok((status.code(), took, peak));
        }
        if took > PATIENCE {
            if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                kill_process_group(group, Signal::KILL).map_err(|e| e.to_string())?;
            }
            child.wait().map_err(|e| e.to_string())?;
            return Err(format!("was stopped after {} s", PATIENCE.as_secs()));
        }
        // A short program is looked at often, a long one left alone.
        sleep(if took < Duration::from_millis(50) { GLANCE / 10 } else { GLANCE * 5 });
    }
}

/// `VmHWM` of a `/proc/PID/status`, in bytes.
fn high_water(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_outputs_the_code_and_the_variables_are_had() {
        let call = Call::new("/bin/sh").args(&["-c", "echo $A; echo b >&2; exit 3"]);
        let ran = call.with(&[("A", "a")]).run().unwrap();
        assert_eq!((ran.text.as_str(), ran.code), ("a\nb\n", Some(3)));
    }

    #[test]
    fn memory_is_seen_while_it_is_held() {
        let fill = "x=$(head -c 20000000 /dev/zero | tr '\\0' x); sleep 0.2";
        let ran = Call::new("/bin/sh").args(&["-c", fill]).run().unwrap();
        assert!(ran.peak.is_some_and(|p| p > 20_000_000), "{ran:?}");
        assert!(ran.took >= Duration::from_millis(200));
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = Call::new("/no/such/program").run().map(|r| r.code);
        assert_ne!(error, Ok(Some(0)));
    }

    #[test]
    fn the_high_water_mark_is_kibibytes() {
        assert_eq!(high_water("Name:\tx\nVmHWM:\t    1234 kB\n"), Some(1234 << 10));
        assert_eq!(high_water("Name:\tx\n"), None);
    }
}
