//! The protocol between the lab's host and the first process of its machines: a job as JSON in the memory disk, and
//! frames as lines of JSON on a serial line that the kernel also writes to.
use serde::{Deserialize, Serialize};

/// The path of the job on the machine.
pub const JOB: &str = "/lab/job";
/// The file that every machine sends back first: what its kernel says of it, once the place is prepared.
pub const FACTS: &str = "/lab/facts";
/// The kernel's log, one message a line; read without waiting for more.
pub const KERNEL_LOG: &str = "/dev/kmsg";
/// The file system of a machine whose disk is small: its `XDG_DATA_HOME`.
pub const DISK: &str = "/data";

/// The commands of a machine and the state it is put into first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Job {
    pub place: Place,
    /// Kernel modules beside the job, loaded first, and each after those that it needs.
    pub drivers: Vec<String>,
    /// Run one after the other.
    pub commands: Vec<Command>,
    /// Seconds from the kernel's start after which a program is killed.
    pub timeout: u64,
}

/// Resources that are taken away from the programs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Place {
    /// CPUs to take offline.
    pub offline: Vec<u32>,
    /// The root and /dev are read-only, and there is no /tmp.
    pub readonly: bool,
    /// /sys is not mounted.
    pub no_sys: bool,
    /// The kernel's tracers are at /sys/kernel/tracing.
    pub tracing: bool,
    /// The tables of interrupts are hidden.
    pub no_interrupts: bool,
    /// `cpuset.cpus` of the programs' cgroup.
    pub cpuset: Option<String>,
    /// `memory.max` of the programs' cgroup.
    pub memory: Option<String>,
    /// `cpu.max` of the programs' cgroup.
    pub quota: Option<String>,
    /// The size of the file system at [`DISK`], as in tmpfs's `size`.
    pub disk: Option<String>,
    /// The user; root if none.
    pub uid: Option<u32>,
}

/// A program to run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Command {
    /// The program and its arguments.
    pub args: Vec<String>,
    /// Files to send back afterwards.
    pub collect: Vec<String>,
    /// Its standard output is a pipe whose other end is closed before it starts.
    pub closed_output: bool,
    /// Files, and what is written into each of them before the program starts.
    pub before: Vec<(String, String)>,
    /// The state before (without those files) is compared with the state afterwards.
    pub unchanged: bool,
    /// A file: as soon as it is not empty, the program is killed (SIGKILL), and then the file has ten seconds to be empty
    /// again. One name of the path may end with `*`.
    pub kill_when_filled: Option<String>,
    pub unplug: Option<Unplug>,
}

/// A CPU that goes offline soon after these words were on the program's standard error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unplug {
    pub cpu: u32,
    pub after: String,
}

/// One message from the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Frame {
    /// A line of standard output, its end included.
    Out(String),
    /// A line of standard error.
    Err(String),
    /// A file that was to be collected. One that is not there sends a note.
    File(String, String),
    /// Files, processes and settings that a program added or removed and should not have.
    Changed(String),
    /// Steps that the init could not do.
    Note(String),
    /// The exit of a program; later frames belong to the next one.
    End(Ending),
    /// The last frame.
    Off,
}

/// The exit of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    Exited(i32),
    Killed(i32),
    /// It ran longer than the job allows, and was killed.
    TimedOut,
    /// It could not be started; a note says why.
    NotStarted,
}

const MARK: &str = "@lab ";

impl Frame {
    /// A line of its own. A newline comes first, in case the kernel stopped in the middle of one.
    pub fn line(&self, number: u32) -> String {
        format!("\n{MARK}{}\n", serde_json::to_string(&(number, self)).unwrap_or_default())
    }
    /// The frame in a line, if there is one.
    ///
    /// # Errors
    /// It is damaged, or one before it is missing.
    pub fn in_line(line: &str, expected: u32) -> Option<Result<Frame, String>> {
        let (_, text) = line.split_once(MARK)?;
        Some(match serde_json::from_str::<(u32, Frame)>(text) {
            Ok((number, frame)) if number == expected => Ok(frame),
            Ok((found, _)) => Err(format!("frame {expected} is missing before {found}")),
            Err(error) => Err(format!("frame {expected} is damaged ({error}): {line}")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_and_missing_frames_are_errors() {
        let frame = Frame::File("/tmp/a:b c".into(), "100 % : é\r\n\u{0}\"".into());
        let line = frame.line(7).replace('\n', "\r\n");
        let line = format!("[    0.1] {}", line.trim());
        assert_eq!(Frame::in_line(&line, 7), Some(Ok(frame)));
        assert!(matches!(Frame::in_line(&line, 6), Some(Err(e)) if e.contains("missing")));
        let cut = &line[..line.len() - 2];
        assert!(matches!(Frame::in_line(cut, 7), Some(Err(e)) if e.contains("damaged")));
        assert_eq!(Frame::in_line("[    0.000000] Linux version 6.1", 0), None);
    }
}
