//! The time of a command: time(1), perf stat.
use crate::equivalent::{
    Equivalent, Match, Shown,
    row::{At, MEMORY, ROW, form},
};
use Match::{Any, One, Theirs};
use record::{Metric, ProbeId};

/// 0.996 over six pairs, by CPU time.
const COMMAND: Shown = Shown::Within(0.01, MEMORY);

const fn command(probe: &'static [ProbeId], at: At) -> Equivalent {
    Equivalent {
        what: "the time of a command",
        theirs: form(probe, Metric::Elapsed, at),
        ours: form(
            &[ProbeId::Stat],
            Metric::Elapsed,
            &[("command", Theirs("of")), ("whom", One(&["command"]))],
        ),
        shown: COMMAND,
        command: "cpulens stat -- COMMAND",
        ..ROW
    }
}

/// If two rows have the same figure, the first that a record can fill counts.
pub(crate) static ROWS: [Equivalent; 2] =
    [command(&[ProbeId::PerfStat], &[("of", Any)]), command(&[ProbeId::Time], &[("of", Any)])];
