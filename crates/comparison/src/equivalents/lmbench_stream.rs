//! lmbench's stream -M 64M, on one thread.
use crate::equivalent::{
    Differs, Equivalent, Match, Near, Printed, Shown,
    row::{At, BEST, KERNEL, LOCAL, MEMORY, ROW, form, refused},
};
use Match::{One, OneOrUnstated};
use record::{Metric, ProbeId};

/// Copy 1.008, scale 1.036, triad 0.992.
const LMBENCH: Shown = Shown::Within(0.04, MEMORY);
/// `-M 64M`, one thread.
const MOVES: At = &[
    ("kernel", One(&["copy", "scale", "triad"])),
    ("size", One(&["67108864"])),
    ("threads", OneOrUnstated(&["1"])),
    BEST,
    LOCAL,
];
const ADD: At = &[
    ("kernel", One(&["add"])),
    ("size", One(&["67108864"])),
    ("threads", OneOrUnstated(&["1"])),
    BEST,
    LOCAL,
];
const INTEL: At = &[("lineage", One(&["intel"])), KERNEL];
const A9: At = &[("lineage", One(&["a9"])), KERNEL];
const WHICH_ADD: Option<Differs> = refused(
    "the kind of add is unknown: intel/lmbench sums one array, 3.0-a9 adds two into a third",
    "lmbench's stream of one lineage on both",
);

const fn lmbench(metric: Metric, theirs: At, ours: At) -> Equivalent {
    Equivalent {
        what: "lmbench stream",
        theirs: form(&[ProbeId::LmbenchStream], metric, theirs),
        ours: form(&[ProbeId::LmbenchStream], metric, ours),
        shown: LMBENCH,
        command: "cpulens run --only lmbench_stream",
        ..ROW
    }
}

/// If two rows have the same figure, the first that a record can fill counts.
pub(crate) static ROWS: [Equivalent; 6] = [
    Equivalent {
        printed: Printed::Least,
        near: Some(Near {
            what: "lmbench stream copy, time of an element",
            at: &[("kernel", "copy")],
        }),
        ..lmbench(Metric::TimePerElement, MOVES, INTEL)
    },
    Equivalent { printed: Printed::Most, ..lmbench(Metric::Bandwidth, MOVES, INTEL) },
    Equivalent { printed: Printed::Least, ..lmbench(Metric::TimePerElement, MOVES, A9) },
    Equivalent { printed: Printed::Most, ..lmbench(Metric::Bandwidth, MOVES, A9) },
    Equivalent {
        printed: Printed::Least,
        differs: WHICH_ADD,
        ..lmbench(Metric::TimePerElement, ADD, INTEL)
    },
    Equivalent {
        printed: Printed::Most,
        differs: WHICH_ADD,
        ..lmbench(Metric::Bandwidth, ADD, INTEL)
    },
];
