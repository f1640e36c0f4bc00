//! UnixBench's reports, by version.
use crate::equivalent::{
    Differs, Equivalent, Match, Shown,
    row::{At, ROW, UNIXBENCH, form, refused, unclaimed},
};
use Match::{Any, AsMany, One, OneOrUnstated, Theirs, Tool};
use record::{Metric, ProbeId};

/// By CPU time 0.980 to 1.026.
const TESTS: Shown = Shown::Within(0.05, UNIXBENCH);

const fn unixbench(tools: At, ours: At, differs: Option<Differs>) -> Equivalent {
    Equivalent {
        what: "UnixBench",
        theirs: form(&[ProbeId::Unixbench], Metric::Rate, tools),
        ours: form(&record::unixbench::IDS, Metric::Rate, ours),
        shown: TESTS,
        differs,
        command: "cpulens unixbench",
        ..ROW
    }
}

macro_rules! ours_of_unixbench {
    ($variant:literal) => {
        &[
            ("variant", One(&[$variant])),
            ("test", Theirs("test")),
            ("copies", AsMany("copies")),
            ("placement", One(&["none"])),
            ("switch", OneOrUnstated(&["free"])),
            ("start", Any),
            ("passes", Any),
            ("seconds", Any),
            ("exact", Any),
        ]
    };
}

macro_rules! unixbench_of {
    ($($tool:literal),*) => {
        &[("tool", Tool(&[$($tool),*])), ("test", Any), ("copies", Any)]
    };
}

/// If two rows have the same figure, the first that a record can fill counts.
pub(crate) static ROWS: [Equivalent; 6] = [
    unixbench(unixbench_of!("UnixBench 6"), ours_of_unixbench!("upstream-6"), None),
    unixbench(
        unixbench_of!("UnixBench 5.1.3"),
        ours_of_unixbench!("5.1.3"),
        unclaimed(
            "all versions from 2011 to 2025 print 5.1.3, and they differ; ours is the first",
            "UnixBench of a known version: 6.0 and later print it",
        ),
    ),
    unixbench(unixbench_of!("UnixBench 5.1.6"), ours_of_unixbench!("aliyun-5.1.6"), None),
    unixbench(
        unixbench_of!("UnixBench"),
        ours_of_unixbench!("5.1.3"),
        unclaimed(
            "their version is unknown; ours is 5.1.3",
            "UnixBench of a known version: cpulens unixbench --variant 5.1.3, upstream-6 or aliyun-5.1.6",
        ),
    ),
    unixbench(
        unixbench_of!("UnixBench"),
        ours_of_unixbench!("upstream-6"),
        unclaimed(
            "their version is unknown; ours is 6.0",
            "UnixBench of a known version: cpulens unixbench --variant 5.1.3, upstream-6 or aliyun-5.1.6",
        ),
    ),
    unixbench(
        unixbench_of!("UnixBench 5"),
        ours_of_unixbench!("upstream-6"),
        refused(
            "ours is 6.0, whose code differs from 5.1 in some tests",
            "cpulens unixbench --variant 5.1.3",
        ),
    ),
];
