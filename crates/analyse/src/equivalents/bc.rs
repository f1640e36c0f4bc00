//! bc, timed by whatever timed it.
use crate::equivalent::{
    Equivalent, Form, Is, Shown,
    row::{CORE, ROW, form, unclaimed},
};
use Is::{Any, Holds, One};

/// 1.009: it is the very program.
const BC: Shown = Shown::Within(0.03, CORE);

const fn bc(theirs: Form) -> Equivalent {
    Equivalent {
        what: "bc, 7^999999",
        theirs,
        ours: form(&["bc"], "elapsed", &[("task", One(&["pow"])), ("copies", One(&["one"]))]),
        shown: BC,
        differs: unclaimed(
            "each is the bc that was installed, and theirs does not tell its version",
            "the same bc on both",
        ),
        command: "cpulens run --only bc",
        ..ROW
    }
}

/// The rows; of two of one figure the first that a record can fill counts.
pub(crate) static ROWS: [Equivalent; 2] = [
    bc(form(
        &["bc"],
        "elapsed",
        &[("task", One(&["pow"])), ("copies", One(&["one"])), ("kind", Any)],
    )),
    bc(form(&["perf_stat", "time"], "elapsed", &[("of", Holds("7^999999"))])),
];
