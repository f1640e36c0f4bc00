//! The time of a command: time(1), perf stat.
use crate::equivalent::{
    Equivalent, Match, Shown,
    row::{At, MEMORY, ROW, form},
};
use Match::{Any, One, Theirs};

/// 0.996 over six pairs, by CPU time.
const COMMAND: Shown = Shown::Within(0.01, MEMORY);

const fn command(probe: &'static [&'static str], at: At) -> Equivalent {
    Equivalent {
        what: "the time of a command",
        theirs: form(probe, "elapsed", at),
        ours: form(&["stat"], "elapsed", &[("command", Theirs("of")), ("whom", One(&["command"]))]),
        shown: COMMAND,
        command: "cpulens stat -- COMMAND",
        ..ROW
    }
}

/// If two rows have the same figure, the first that a record can fill counts.
pub(crate) static ROWS: [Equivalent; 2] =
    [command(&["perf_stat"], &[("of", Any)]), command(&["time"], &[("of", Any)])];
