//! bc, timed by any tool.
use crate::equivalent::{
    Equivalent, Form, Match, Shown,
    row::{CORE, ROW, form, unclaimed},
};
use Match::{Any, Holds, One};
use record::{Metric, ProbeId};

/// 1.009: the same program.
const BC: Shown = Shown::Within(0.03, CORE);

const fn bc(theirs: Form) -> Equivalent {
    Equivalent {
        what: "bc, 7^999999",
        theirs,
        ours: form(
            &[ProbeId::Bc],
            Metric::Elapsed,
            &[("task", One(&["pow"])), ("copies", One(&["one"]))],
        ),
        shown: BC,
        differs: unclaimed(
            "each machine ran its installed bc, and theirs states no version",
            "the same bc on both",
        ),
        command: "cpulens run --only bc",
        ..ROW
    }
}

/// If two rows have the same figure, the first that a record can fill counts.
pub(crate) static ROWS: [Equivalent; 2] = [
    bc(form(
        &[ProbeId::Bc],
        Metric::Elapsed,
        &[("task", One(&["pow"])), ("copies", One(&["one"])), ("kind", Any)],
    )),
    bc(form(&[ProbeId::PerfStat, ProbeId::Time], Metric::Elapsed, &[("of", Holds("7^999999"))])),
];
