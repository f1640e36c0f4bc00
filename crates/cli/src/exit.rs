//! Exit codes are part of the interface.
use crate::output;
use std::{io, process::ExitCode};

/// What `timeout` reports of a command that it ended.
pub(crate) const TIMED_OUT: u8 = 124;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: done.
    Done,
    /// 1: done, and something was found that is worth acting on.
    Findings,
    /// 2: could not.
    CouldNot,
    /// 3: done, but the machine was not fit to be measured.
    Unfit,
    /// The exit status of a command that was run.
    Of(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::Findings => 1,
            Exit::CouldNot => 2,
            Exit::Unfit => 3,
            Exit::Of(status) => status,
        })
    }
}

/// Tells the user what went wrong. A reader that closed the pipe has seen enough: that is success.
impl From<anyhow::Error> for Exit {
    fn from(error: anyhow::Error) -> Exit {
        let closed = error.chain().any(|e| {
            e.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
        });
        if closed {
            return Exit::Done;
        }
        output::say(&format!("cpulens: {error:#}").replace('\n', " "));
        Exit::CouldNot
    }
}
