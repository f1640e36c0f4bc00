//! The reason why a command did not start, and the exit status that shells report for it.
//! Source: execve(2); the shell's "Exit Status for Commands" of POSIX.
use crate::threads;
use record::Reason;
use std::{ffi::OsStr, io};

/// The exit status of a shell for a command that it cannot find.
pub(super) const NOT_FOUND: i32 = 127;
/// The exit status of a shell for a command that it finds and cannot run.
pub(super) const NOT_EXECUTABLE: i32 = 126;

/// Why a command did not start, and the exit status that shells report for it (127 or 126); no status if the command is
/// not at fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub why: Reason,
    /// 127 for a command that is not there, 126 for one that cannot be run.
    pub status: Option<i32>,
}

impl Refused {
    pub(super) fn ours(what: &str, error: &io::Error) -> Refused {
        let why = format!("cannot {what}: {error}");
        let why = match error.raw_os_error() {
            // fork(2): a limit of processes and threads was reached.
            Some(libc::EAGAIN) => Reason::mended_by(why, threads::MORE_PROCESSES),
            _ => Reason::new(why),
        };
        why.into()
    }
}

impl From<Reason> for Refused {
    /// The command is not at fault.
    fn from(why: Reason) -> Refused {
        Refused { why, status: None }
    }
}

impl From<Refused> for Reason {
    fn from(refused: Refused) -> Reason {
        refused.why
    }
}

/// The reason and the shells' exit status of a failed exec.
pub(super) fn refusal(name: &OsStr, errno: i32) -> Refused {
    let name = name.to_string_lossy();
    let error = io::Error::from_raw_os_error(errno);
    let why = match errno {
        libc::ENOENT if name.contains('/') => {
            let what = "no such program, or the interpreter that it names is not there";
            Reason::new(format!("{name}: {what}"))
        }
        libc::ENOENT => {
            Reason::mended_by(format!("{name}: command not found"), "give its path, or see PATH")
        }
        libc::EACCES => {
            Reason::mended_by(format!("{name}: not executable"), format!("chmod +x {name}"))
        }
        libc::ENOEXEC => Reason::mended_by(
            format!("{name}: no program that this machine can run"),
            "build it for this machine; a script begins with #! and its interpreter",
        ),
        _ => Reason::new(format!("{name}: cannot be run: {error}")),
    };
    let status = if errno == libc::ENOENT { NOT_FOUND } else { NOT_EXECUTABLE };
    Refused { why, status: Some(status) }
}
