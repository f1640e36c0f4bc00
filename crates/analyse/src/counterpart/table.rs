//! The table: what other tools print, and what of ours is made to the same definition. How well they agree is what the page
//! named says. Where several rows are of one figure of theirs, the first whose series a record has counts.
use super::{Counterpart, Differs, Form, Is, Near, Printed, Shown, databases};
use crate::compare::Grade;
use Is::{Any, AsMany, Holds, NoLess, One, OneOrUntold, Theirs, Tool};

/// How well ours agrees with the original, by what was measured in the pages named. lmbench's stream: copy 1.008, scale 1.036,
/// triad 0.992 of the original.
const LMBENCH: Shown = Shown::Within(0.04, MEMORY);
/// 1.008 at 512 KiB, 0.982 at 8 MiB, 0.961 at 64 MiB.
const LAT_MEM_RD: Shown = Shown::Within(0.05, MEMORY);
/// On base pages, best against best: copy 0.972, scale 1.070, add 1.049, triad 1.032.
const STREAM: Shown = Shown::Within(0.07, MEMORY);
/// 512 MiB on base pages: 1.012 and 1.010.
const MULTICHASE: Shown = Shown::Within(0.02, MEMORY);
/// 0.874 and 0.945.
const CORE_TO_CORE: Shown = Shown::Within(0.15, MEMORY);
/// Version 2: 1.017 (1.0), 0.991 (0.4).
const SYSBENCH: Shown = Shown::Within(0.03, CORE);
/// SHA-256, ChaCha20-Poly1305 and RSA, which are one code in 3.0 and in ours.
const OPENSSL: Shown = Shown::Within(0.03, CORE);
/// 1.009: it is the very program.
const BC: Shown = Shown::Within(0.03, CORE);
/// By CPU time 1.000 to 1.043.
const TESTS: Shown = Shown::Within(0.05, UNIXBENCH);
/// -0.9 % over five pairs.
const COMMAND: Shown = Shown::Within(0.01, MEMORY);

const MEMORY: &str = "docs/validation/memory.md";
const CORE: &str = "docs/validation/core.md";
const UNIXBENCH: &str = "docs/validation/unixbench.md";

/// Nothing out of the ordinary: a form of nothing, a definition of ours that has never changed.
pub(super) const ROW: Counterpart = Counterpart {
    what: "",
    theirs: form(&[], "", &[]),
    ours: form(&[], "", &[]),
    version: 1,
    printed: Printed::Mean,
    factor: 1.0,
    shown: Shown::Never,
    differs: None,
    command: "",
    near: None,
};

pub(super) type At = &'static [(&'static str, Is)];

pub(super) const fn form(probes: &'static [&'static str], metric: &'static str, at: At) -> Form {
    Form { probes, metric, at }
}

pub(super) const fn unclaimed(why: &'static str, remedy: &'static str) -> Option<Differs> {
    Some(Differs { grade: Grade::Unclaimed, why, remedy })
}

pub(super) const fn refused(why: &'static str, remedy: &'static str) -> Option<Differs> {
    Some(Differs { grade: Grade::Refused, why, remedy })
}

/// Ours is on the CPU's own node.
const LOCAL: (&str, Is) = ("between", OneOrUntold(&["own node"]));
const BEST: (&str, Is) = ("statistic", One(&["best"]));
const LEAST: (&str, Is) = ("statistic", One(&["least"]));
const KERNEL: (&str, Is) = ("kernel", Theirs("kernel"));
const WORKING_SET: (&str, Is) = ("working_set", Theirs("working_set"));

const fn lmbench(metric: &'static str, theirs: At, ours: At) -> Counterpart {
    Counterpart {
        what: "lmbench stream",
        theirs: form(&["lmbench_stream"], metric, theirs),
        ours: form(&["lmbench_stream"], metric, ours),
        shown: LMBENCH,
        command: "cpulens run --only lmbench_stream",
        ..ROW
    }
}

/// `-M 64M`, one thread.
const MOVES: At = &[
    ("kernel", One(&["copy", "scale", "triad"])),
    ("size", One(&["67108864"])),
    ("threads", OneOrUntold(&["1"])),
    BEST,
    LOCAL,
];
const ADD: At = &[
    ("kernel", One(&["add"])),
    ("size", One(&["67108864"])),
    ("threads", OneOrUntold(&["1"])),
    BEST,
    LOCAL,
];
const INTEL: At = &[("lineage", One(&["intel"])), KERNEL];
const A9: At = &[("lineage", One(&["a9"])), KERNEL];
const WHICH_ADD: Option<Differs> = refused(
    "which add it printed is not told: intel/lmbench sums one array, 3.0-a9 adds two into a third",
    "lmbench's stream of one lineage on both",
);

const fn lat_mem_rd(theirs: At, ours: At) -> Counterpart {
    Counterpart {
        what: "lat_mem_rd -t",
        theirs: form(&["lat_mem_rd"], "load_to_use", theirs),
        ours: form(&["lat_mem_rd"], "load_to_use", ours),
        printed: Printed::Least,
        shown: LAT_MEM_RD,
        command: "cpulens run --only lat_mem_rd --depth standard",
        ..ROW
    }
}

const RANDOM: At =
    &[("order", One(&["random"])), ("stride", Any), ("working_set", Any), LEAST, LOCAL];
const FORWARDS: At =
    &[("order", OneOrUntold(&["stride"])), ("stride", Any), ("working_set", Any), LEAST, LOCAL];
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

const fn stream(pages: At, differs: Option<Differs>) -> Counterpart {
    const THEIRS: At = &[
        ("kernel", One(&["copy", "scale", "add", "triad"])),
        ("elements", Any),
        ("thread_count", Any),
        ("threads", Any),
        BEST,
    ];
    Counterpart {
        what: "STREAM",
        theirs: form(&["stream"], "bandwidth", THEIRS),
        ours: form(&["stream"], "bandwidth", pages),
        version: 2,
        printed: Printed::Most,
        shown: STREAM,
        differs,
        command: "cpulens run --only stream --where pages=base",
        ..ROW
    }
}

const fn multichase(theirs: At, ours: At, shown: Shown) -> Counterpart {
    Counterpart {
        what: "multichase",
        theirs: form(&["multichase"], "load_to_use", theirs),
        ours: form(&["load_latency"], "load_to_use", ours),
        version: 2,
        shown,
        command: "cpulens run --only load_latency",
        ..ROW
    }
}

const SIMPLE: (&str, Is) = ("chase", One(&["simple"]));
const SMALL: (&str, Is) = ("page", One(&["4096"]));
const ALONE: (&str, Is) = ("thread_count", OneOrUntold(&["1"]));
const ON_BASE: (&str, Is) = ("pages", One(&["base"]));

const fn prime(theirs: Form, ours: Form) -> Counterpart {
    Counterpart {
        what: "sysbench cpu",
        theirs,
        ours,
        version: 2,
        shown: SYSBENCH,
        command: "cpulens run --only prime --depth standard",
        ..ROW
    }
}

/// 0.4 is where a fixed number of events is timed; published figures do not name it.
const SYSBENCH_0: (&str, Is) = ("tool", Tool(&["sysbench", "sysbench 0.4", "sysbench 0.5"]));
const CPU: (&str, Is) = ("test", One(&["cpu"]));
const EVENTS: (&str, Is) = ("events", OneOrUntold(&["10000"]));
const TO_50000: (&str, Is) = ("primes", One(&["50000"]));
const OURS_04: (&str, Is) = ("sysbench", One(&["0.4"]));
const UP_TO_50000: (&str, Is) = ("max_prime", One(&["50000"]));

const fn openssl(
    theirs: At,
    ours: At,
    metric: &'static str,
    differs: Option<Differs>,
) -> Counterpart {
    Counterpart {
        what: "openssl speed",
        theirs: form(&["openssl_speed"], metric, theirs),
        ours: form(&["openssl"], metric, ours),
        version: 2,
        shown: if differs.is_none() { OPENSSL } else { Shown::Never },
        differs,
        command: "cpulens run --only openssl",
        ..ROW
    }
}

const COPIES: (&str, Is) = ("copies", AsMany("processes"));
const BLOCK: (&str, Is) = ("block", Theirs("block"));
const OTHER_OPENSSL: Option<Differs> = unclaimed(
    "OpenSSL's code for it changed between versions, and ours is linked in",
    "openssl speed of one version on both",
);

const fn bc(theirs: Form) -> Counterpart {
    Counterpart {
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

const fn unixbench(tools: At, ours: At, differs: Option<Differs>) -> Counterpart {
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
    Counterpart {
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

const fn command(probe: &'static [&'static str], at: At) -> Counterpart {
    Counterpart {
        what: "the time of a command",
        theirs: form(probe, "elapsed", at),
        ours: form(&["stat"], "elapsed", &[("command", Theirs("of")), ("whom", One(&["command"]))]),
        shown: COMMAND,
        command: "cpulens stat -- COMMAND",
        ..ROW
    }
}

const fn mlc(theirs: Form, ours: Form) -> Counterpart {
    Counterpart {
        what: "Intel MLC",
        theirs,
        ours,
        shown: Shown::Never,
        command: "cpulens run --only numa_matrix,bandwidth --depth standard",
        ..ROW
    }
}

const fn peak(traffic: At, kernel: At) -> Counterpart {
    mlc(form(&["mlc_peak"], "bandwidth", traffic), form(&["bandwidth"], "bandwidth", kernel))
}

const ALL: (&str, Is) = ("threads", One(&["all"]));
const BETWEEN: (&str, Is) = ("between", Theirs("between"));

/// Every figure of theirs that something of ours may stand beside.
pub static COUNTERPARTS: &[Counterpart] = &[
    Counterpart {
        printed: Printed::Least,
        near: Some(Near {
            what: "lmbench stream copy, time of an element",
            at: &[("kernel", "copy")],
        }),
        ..lmbench("time_per_element", MOVES, INTEL)
    },
    Counterpart { printed: Printed::Most, ..lmbench("bandwidth", MOVES, INTEL) },
    Counterpart { printed: Printed::Least, ..lmbench("time_per_element", MOVES, A9) },
    Counterpart { printed: Printed::Most, ..lmbench("bandwidth", MOVES, A9) },
    Counterpart {
        printed: Printed::Least,
        differs: WHICH_ADD,
        ..lmbench("time_per_element", ADD, INTEL)
    },
    Counterpart { printed: Printed::Most, differs: WHICH_ADD, ..lmbench("bandwidth", ADD, INTEL) },
    Counterpart {
        near: Some(Near {
            what: "lat_mem_rd -t at 64 MiB",
            at: &[("working_set", "67108864"), ("stride", "64")],
        }),
        ..lat_mem_rd(RANDOM, OF_64)
    },
    lat_mem_rd(RANDOM, OF_MORE),
    Counterpart {
        what: "lat_mem_rd",
        differs: refused(
            "theirs was not in random order (-t), or does not tell, so that prefetchers may have helped",
            "lat_mem_rd -t on the other machine",
        ),
        ..lat_mem_rd(FORWARDS, OF_64)
    },
    stream(&[ON_BASE, KERNEL, ("threads", AsMany("thread_count"))], None),
    stream(
        &[("pages", One(&["transparent"])), KERNEL, ("threads", AsMany("thread_count"))],
        unclaimed(
            "ours had huge pages, smaller arrays and other contents",
            "cpulens run --only stream --where pages=base",
        ),
    ),
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
    Counterpart {
        what: "core-to-core-latency",
        theirs: form(
            &["core_to_core"],
            "one_way",
            &[
                ("method", One(&["cas"])),
                (
                    "between",
                    One(&[
                        "SMT siblings",
                        "same cluster",
                        "same L3",
                        "same die",
                        "same node",
                        "same socket",
                        "other socket",
                    ]),
                ),
            ],
        ),
        ours: form(&["core_to_core"], "round_trip", &[("method", One(&["cas"])), BETWEEN]),
        version: 2,
        // It prints half of the way there and back.
        factor: 0.5,
        shown: CORE_TO_CORE,
        command: "cpulens run --only core_to_core",
        ..ROW
    },
    Counterpart {
        near: Some(Near {
            what: "sysbench 0.4 prime 50000 on one core",
            at: &[("thread_count", "1")],
        }),
        ..prime(
            form(
                &["sysbench"],
                "elapsed",
                &[
                    SYSBENCH_0,
                    CPU,
                    EVENTS,
                    TO_50000,
                    ("thread_count", One(&["1"])),
                    ("placement", OneOrUntold(&["1 physical core"])),
                ],
            ),
            form(
                &["prime"],
                "time_of_10000_events",
                &[OURS_04, UP_TO_50000, ("threads", One(&["one"]))],
            ),
        )
    },
    Counterpart {
        near: Some(Near {
            what: "sysbench 0.4 prime 50000 on a pair of threads",
            at: &[("placement", "1 SMT pair")],
        }),
        ..prime(
            form(
                &["sysbench"],
                "elapsed",
                &[
                    SYSBENCH_0,
                    CPU,
                    EVENTS,
                    TO_50000,
                    ("thread_count", One(&["2"])),
                    ("placement", One(&["1 SMT pair"])),
                ],
            ),
            form(
                &["prime"],
                "time_of_10000_events",
                &[OURS_04, UP_TO_50000, ("threads", One(&["siblings"]))],
            ),
        )
    },
    prime(
        form(
            &["sysbench"],
            "events",
            &[
                ("tool", Tool(&["sysbench 1"])),
                CPU,
                ("primes", One(&["10000"])),
                ("thread_count", Any),
            ],
        ),
        form(
            &["prime"],
            "events",
            &[
                ("sysbench", One(&["1.0"])),
                ("max_prime", One(&["10000"])),
                ("threads", AsMany("thread_count")),
            ],
        ),
    ),
    openssl(
        &[
            ("tool", Tool(&["openssl speed 3"])),
            ("algorithm", One(&["sha256"])),
            ("processes", Any),
            ("block", Any),
        ],
        &[("algorithm", One(&["sha256"])), COPIES, BLOCK],
        "throughput",
        None,
    ),
    openssl(
        &[("algorithm", One(&["sha256"])), ("processes", Any), ("block", Any)],
        &[("algorithm", One(&["sha256"])), COPIES, BLOCK],
        "throughput",
        OTHER_OPENSSL,
    ),
    openssl(
        &[
            ("tool", Tool(&["openssl speed 3"])),
            ("algorithm", One(&["chacha20-poly1305"])),
            ("processes", Any),
            ("block", Any),
        ],
        &[("algorithm", One(&["chacha20-poly1305"])), COPIES, BLOCK],
        "throughput",
        None,
    ),
    openssl(
        &[("algorithm", One(&["chacha20-poly1305"])), ("processes", Any), ("block", Any)],
        &[("algorithm", One(&["chacha20-poly1305"])), COPIES, BLOCK],
        "throughput",
        OTHER_OPENSSL,
    ),
    // A message with each block from these on; before, all blocks were one message.
    openssl(
        &[
            (
                "tool",
                Tool(&[
                    "openssl speed 3.0.16",
                    "openssl speed 3.0.17",
                    "openssl speed 3.0.18",
                    "openssl speed 3.0.19",
                    "openssl speed 3.2.4",
                    "openssl speed 3.2.5",
                    "openssl speed 3.2.6",
                    "openssl speed 3.3.3",
                    "openssl speed 3.3.4",
                    "openssl speed 3.3.5",
                    "openssl speed 3.5",
                    "openssl speed 3.6",
                ]),
            ),
            ("algorithm", One(&["aes-256-gcm"])),
            ("processes", Any),
            ("block", Any),
        ],
        &[("algorithm", One(&["aes-256-gcm"])), COPIES, BLOCK],
        "throughput",
        OTHER_OPENSSL,
    ),
    openssl(
        &[("algorithm", One(&["aes-256-gcm"])), ("processes", Any), ("block", Any)],
        &[("algorithm", One(&["aes-256-gcm-stream"])), COPIES, BLOCK],
        "throughput",
        OTHER_OPENSSL,
    ),
    openssl(
        &[("algorithm", One(&["aes-256 ige", "aes-256-ige"])), ("processes", Any), ("block", Any)],
        &[("algorithm", One(&["aes-256-ige"])), COPIES, BLOCK],
        "throughput",
        unclaimed(
            "openssl speed has not measured AES-IGE since 3.0, so that ours has no original of its version",
            "openssl speed of one version on both",
        ),
    ),
    openssl(
        &[("algorithm", One(&["rsa 2048 bits"])), ("processes", Any)],
        &[("algorithm", One(&["rsa2048"])), COPIES],
        "sign",
        OTHER_OPENSSL,
    ),
    openssl(
        &[("algorithm", One(&["rsa 2048 bits"])), ("processes", Any)],
        &[("algorithm", One(&["rsa2048"])), COPIES],
        "verify",
        OTHER_OPENSSL,
    ),
    bc(form(
        &["bc"],
        "elapsed",
        &[("task", One(&["pow"])), ("copies", One(&["one"])), ("kind", Any)],
    )),
    bc(form(&["perf_stat", "time"], "elapsed", &[("of", Holds("7^999999"))])),
    unixbench(unixbench_of!("UnixBench 6"), ours_of_unixbench!("upstream-6"), None),
    unixbench(unixbench_of!("UnixBench 5.1.3"), ours_of_unixbench!("5.1.3"), None),
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
    command(&["perf_stat"], &[("of", Any)]),
    command(&["time"], &[("of", Any)]),
    mlc(
        form(
            &["numa_matrix"],
            "idle_latency",
            &[("order", OneOrUntold(&["random"])), ("between", Any)],
        ),
        form(&["numa_matrix"], "idle_latency", &[BETWEEN]),
    ),
    mlc(
        form(
            &["numa_matrix"],
            "bandwidth",
            &[("traffic", OneOrUntold(&["Read-only", "reads"])), ("between", Any)],
        ),
        form(&["numa_matrix"], "bandwidth", &[BETWEEN]),
    ),
    peak(&[ALL, ("traffic", One(&["ALL Reads"]))], &[ALL, ("kernel", One(&["read"]))]),
    peak(&[ALL, ("traffic", One(&["3:1 Reads-Writes"]))], &[ALL, ("kernel", One(&["mix_3_1"]))]),
    peak(&[ALL, ("traffic", One(&["2:1 Reads-Writes"]))], &[ALL, ("kernel", One(&["mix_2_1"]))]),
    peak(&[ALL, ("traffic", One(&["1:1 Reads-Writes"]))], &[ALL, ("kernel", One(&["mix_1_1"]))]),
    databases::ROWS[0],
    databases::ROWS[1],
    databases::ROWS[2],
    databases::ROWS[3],
    databases::ROWS[4],
    databases::ROWS[5],
    databases::ROWS[6],
    databases::ROWS[7],
];
