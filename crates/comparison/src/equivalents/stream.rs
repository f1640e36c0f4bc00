//! STREAM of McCalpin.
use crate::equivalent::{
    Differs, Equivalent, Match, Printed, Shown,
    row::{At, BEST, KERNEL, MEMORY, ON_BASE, ROW, form, unclaimed},
};
use Match::{Any, AsMany, One};
use record::{Metric, ProbeId};

/// On 4 KiB pages, best against best: copy 1.024, scale 1.013, add 0.983, triad 0.988; up to 1.070 on another host.
const STREAM: Shown = Shown::Within(0.07, MEMORY);

const fn stream(pages: At, differs: Option<Differs>) -> Equivalent {
    const THEIRS: At = &[
        ("kernel", One(&["copy", "scale", "add", "triad"])),
        ("elements", Any),
        ("thread_count", Any),
        ("threads", Any),
        BEST,
    ];
    Equivalent {
        what: "STREAM",
        theirs: form(&[ProbeId::Stream], Metric::Bandwidth, THEIRS),
        ours: form(&[ProbeId::Stream], Metric::Bandwidth, pages),
        version: 3,
        printed: Printed::Most,
        shown: STREAM,
        differs,
        command: "cpulens run --only stream --where pages=base",
        ..ROW
    }
}

/// If two rows have the same figure, the first that a record can fill counts.
pub(crate) static ROWS: [Equivalent; 2] = [
    stream(&[ON_BASE, KERNEL, ("threads", AsMany("thread_count"))], None),
    stream(
        &[("pages", One(&["thp"])), KERNEL, ("threads", AsMany("thread_count"))],
        unclaimed(
            "ours has huge pages, smaller arrays and other contents",
            "cpulens run --only stream --where pages=base",
        ),
    ),
];
