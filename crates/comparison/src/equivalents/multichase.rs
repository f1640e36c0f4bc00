//! multichase.
use crate::equivalent::{
    Equivalent, Match, Shown,
    row::{At, MEMORY, ON_BASE, ROW, WORKING_SET, form},
};
use Match::{Any, NoLess, One, OneOrUnstated};
use record::{Metric, ProbeId};

/// 512 MiB on 4 KiB pages: 1.000 in one process, 1.006 at equal page frames.
const MULTICHASE: Shown = Shown::Within(0.02, MEMORY);
const SIMPLE: (&str, Match) = ("chase", One(&["simple"]));
const SMALL: (&str, Match) = ("page", One(&["4096"]));
const ALONE: (&str, Match) = ("thread_count", OneOrUnstated(&["1"]));

const fn multichase(theirs: At, ours: At, shown: Shown) -> Equivalent {
    Equivalent {
        what: "multichase",
        theirs: form(&[ProbeId::Multichase], Metric::LoadToUse, theirs),
        ours: form(&[ProbeId::LoadLatency], Metric::LoadToUse, ours),
        version: 2,
        shown,
        command: "cpulens run --only load_latency",
        ..ROW
    }
}

/// If two rows have the same figure, the first that a record can fill counts.
pub(crate) static ROWS: [Equivalent; 2] = [
    multichase(
        &[
            SIMPLE,
            SMALL,
            ALONE,
            ("stride", One(&["64"])),
            ("tlb_locality", NoLess("working_set")),
            ("working_set", Any),
        ],
        &[ON_BASE, WORKING_SET, ("order", One(&["random"])), ("stride", One(&["64"]))],
        MULTICHASE,
    ),
    multichase(
        &[
            SIMPLE,
            SMALL,
            ALONE,
            ("stride", One(&["256"])),
            ("tlb_locality", One(&["262144"])),
            ("working_set", Any),
        ],
        &[ON_BASE, WORKING_SET, ("order", One(&["grouped"])), ("stride", One(&["256"]))],
        Shown::Never,
    ),
];
