//! UnixBench's reports, by version.
use crate::equivalent::{
    Differs, Equivalent, Is, Shown,
    row::{At, ROW, UNIXBENCH, form, refused, unclaimed},
};
use Is::{Any, AsMany, One, OneOrUntold, Theirs, Tool};

/// By CPU time 1.000 to 1.043.
const TESTS: Shown = Shown::Within(0.05, UNIXBENCH);

const fn unixbench(tools: At, ours: At, differs: Option<Differs>) -> Equivalent {
    const IDS: &[&str] = &[
        "context1",
        "dhry2reg",
        "execl",
        "fsbuffer",
        "fsdisk",
        "fstime",
        "pipe",
        "shell1",
        "shell8",
        "spawn",
        "syscall",
        "whetstone_double",
    ];
    Equivalent {
        what: "UnixBench",
        theirs: form(&["unixbench"], "rate", tools),
        ours: form(IDS, "rate", ours),
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
            ("switch", OneOrUntold(&["free"])),
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

/// The rows; of two of one figure the first that a record can fill counts.
pub(crate) static ROWS: [Equivalent; 6] = [
    unixbench(unixbench_of!("UnixBench 6"), ours_of_unixbench!("upstream-6"), None),
    unixbench(
        unixbench_of!("UnixBench 5.1.3"),
        ours_of_unixbench!("5.1.3"),
        unclaimed(
            "every version from 2011 to 2025 calls itself 5.1.3, and they differ; ours is the first",
            "UnixBench of a known version: 6.0 and later tell it",
        ),
    ),
    unixbench(unixbench_of!("UnixBench 5.1.6"), ours_of_unixbench!("aliyun-5.1.6"), None),
    unixbench(
        unixbench_of!("UnixBench"),
        ours_of_unixbench!("5.1.3"),
        unclaimed(
            "which version theirs is, is not told; ours is 5.1.3",
            "UnixBench of a known version: cpulens unixbench --variant 5.1.3, upstream-6 or aliyun-5.1.6",
        ),
    ),
    unixbench(
        unixbench_of!("UnixBench"),
        ours_of_unixbench!("upstream-6"),
        unclaimed(
            "which version theirs is, is not told; ours is 6.0",
            "UnixBench of a known version: cpulens unixbench --variant 5.1.3, upstream-6 or aliyun-5.1.6",
        ),
    ),
    unixbench(
        unixbench_of!("UnixBench 5"),
        ours_of_unixbench!("upstream-6"),
        refused(
            "ours is 6.0, which compiles other code for some tests than 5.1",
            "cpulens unixbench --variant 5.1.3",
        ),
    ),
];
