//! lmbench's lat_mem_rd.
use crate::equivalent::{
    Equivalent, Match, Near, Printed, Shown,
    row::{At, LEAST, LOCAL, MEMORY, ROW, WORKING_SET, form, refused},
};
use Match::{Any, One, OneOrUnstated, Theirs};
use record::{Metric, ProbeId};

/// 0.983 to 1.010 in one process; beside the program 1.036, and less where neighbours share the cache.
const LAT_MEM_RD: Shown = Shown::Within(0.14, MEMORY);
const RANDOM: At =
    &[("order", One(&["random"])), ("stride", Any), ("working_set", Any), LEAST, LOCAL];
const FORWARDS: At =
    &[("order", OneOrUnstated(&["stride"])), ("stride", Any), ("working_set", Any), LEAST, LOCAL];
const OF_64: At = &[
    ("lineage", One(&["intel"])),
    ("size", One(&["64"])),
    ("stride", Theirs("stride")),
    ("pages", Any),
    WORKING_SET,
];
const OF_MORE: At = &[
    ("lineage", One(&["intel"])),
    ("size", Any),
    ("stride", Theirs("stride")),
    ("pages", Any),
    WORKING_SET,
];

const fn lat_mem_rd(theirs: At, ours: At) -> Equivalent {
    Equivalent {
        what: "lat_mem_rd -t",
        theirs: form(&[ProbeId::LatMemRd], Metric::LoadToUse, theirs),
        ours: form(&[ProbeId::LatMemRd], Metric::LoadToUse, ours),
        version: 3,
        printed: Printed::Least,
        shown: LAT_MEM_RD,
        command: "cpulens run --only lat_mem_rd --depth standard",
        ..ROW
    }
}

/// If two rows have the same figure, the first that a record can fill counts.
pub(crate) static ROWS: [Equivalent; 3] = [
    Equivalent {
        near: Some(Near {
            what: "lat_mem_rd -t at 64 MiB",
            at: &[("working_set", "67108864"), ("stride", "64")],
        }),
        ..lat_mem_rd(RANDOM, OF_64)
    },
    lat_mem_rd(RANDOM, OF_MORE),
    Equivalent {
        what: "lat_mem_rd",
        differs: refused(
            "theirs was not in random order (-t) or does not state it, so prefetchers may have helped",
            "lat_mem_rd -t on the other machine",
        ),
        ..lat_mem_rd(FORWARDS, OF_64)
    },
];
