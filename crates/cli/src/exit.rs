//! Exit codes are part of the interface: the same in every command.
use host::{child::Refused, signals};
use record::Environment;
use std::process::ExitCode;
use storage::say;

/// The exit code of `timeout` for a command that it ended.
pub(crate) const TIMED_OUT: u8 = 124;

/// The exit code of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: done.
    Done,
    /// 1: done, with findings; only with `--strict`, or if `run --verify` met a wrong result.
    Findings,
    /// 2: failed, or nothing of what was asked for was measured.
    CouldNot,
    /// 3: done, but the environment check failed; only with `--strict`.
    Unfit,
    /// 4: measured, but the record is not where it should be.
    NotSaved,
    /// The exit status of a command that was run.
    Of(u8),
}

impl Exit {
    /// The exit code of a monitoring plug-in that could not decide.
    pub(crate) const UNKNOWN: Exit = Exit::Of(3);

    /// The exit of an analysis: done, unless the user wants to hear of findings and of a failed environment check by it. A failed
    /// check outweighs findings, which may follow from it.
    pub(crate) fn analysed(strict: bool, environment: Environment, findings: bool) -> Exit {
        match (environment, findings) {
            _ if !strict => Exit::Done,
            (Environment::Fail, _) => Exit::Unfit,
            (_, true) => Exit::Findings,
            (_, false) => Exit::Done,
        }
    }
    /// Ends the process by the signal that stopped the command, so that shell loops stop, too. A command of the user's that
    /// answered the signal with a status of its own keeps that.
    pub(crate) fn end(self) -> ExitCode {
        match (signals::received(), self) {
            (Some(number), Exit::Of(status)) if i32::from(status) != 128 + number => self.into(),
            (Some(number), _) => signals::end_by(number),
            (None, _) => self.into(),
        }
    }
    /// The exit of a command that did not start, as shells report it.
    pub(crate) fn refused(why: &Refused) -> Exit {
        say(&format!("cpulens: {}", why.why));
        let status = why.status.and_then(|status| u8::try_from(status).ok());
        status.map_or(Exit::CouldNot, Exit::Of)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::Findings => 1,
            Exit::CouldNot => 2,
            Exit::Unfit => 3,
            Exit::NotSaved => 4,
            Exit::Of(status) => status,
        })
    }
}

/// Prints the error.
impl From<anyhow::Error> for Exit {
    fn from(error: anyhow::Error) -> Exit {
        say(&format!("cpulens: {error:#}").replace('\n', " "));
        Exit::CouldNot
    }
}
