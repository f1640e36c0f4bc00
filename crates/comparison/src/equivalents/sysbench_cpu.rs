//! sysbench cpu, of 0.4 and of 1.0.
use crate::equivalent::{
    Equivalent, Form, Match, Near, Shown,
    row::{At, CORE, ROW, form},
};
use Match::{Any, AsMany, One, OneOrUnstated, Tool};
use record::{Metric, ProbeId};

/// Version 2: 1.017 (1.0), 0.991 (0.4).
const SYSBENCH: Shown = Shown::Within(0.03, CORE);
/// 0.4 times a fixed number of events; published figures do not name the version.
const SYSBENCH_0: (&str, Match) = ("tool", Tool(&["sysbench", "sysbench 0.4", "sysbench 0.5"]));
const CPU: (&str, Match) = ("test", One(&["cpu"]));
const EVENTS: (&str, Match) = ("events", OneOrUnstated(&["10000"]));
const TO_50000: (&str, Match) = ("primes", One(&["50000"]));
const OURS_04: (&str, Match) = ("sysbench", One(&["0.4"]));
const UP_TO_50000: (&str, Match) = ("max_prime", One(&["50000"]));

const fn prime(theirs: Form, ours: Form) -> Equivalent {
    Equivalent {
        what: "sysbench cpu",
        theirs,
        ours,
        version: 3,
        shown: SYSBENCH,
        command: "cpulens run --only prime --depth standard",
        ..ROW
    }
}

/// The time of 10,000 events up to 50,000, as 0.4 prints it.
const fn of_04(near: Near, theirs: At, ours: At) -> Equivalent {
    let theirs = form(&[ProbeId::Sysbench], Metric::Elapsed, theirs);
    let ours = form(&[ProbeId::Prime], Metric::TimeOf10000Events, ours);
    Equivalent { near: Some(near), ..prime(theirs, ours) }
}

/// If two rows have the same figure, the first that a record can fill counts.
pub(crate) static ROWS: [Equivalent; 3] = [
    of_04(
        Near { what: "sysbench 0.4 prime 50000 on one core", at: &[("thread_count", "1")] },
        &[
            SYSBENCH_0,
            CPU,
            EVENTS,
            TO_50000,
            ("thread_count", One(&["1"])),
            ("placement", OneOrUnstated(&["1 physical core"])),
        ],
        &[OURS_04, UP_TO_50000, ("threads", One(&["one"]))],
    ),
    of_04(
        Near {
            what: "sysbench 0.4 prime 50000 on a pair of threads",
            at: &[("placement", "1 SMT pair")],
        },
        &[
            SYSBENCH_0,
            CPU,
            EVENTS,
            TO_50000,
            ("thread_count", One(&["2"])),
            ("placement", One(&["1 SMT pair"])),
        ],
        &[OURS_04, UP_TO_50000, ("threads", One(&["siblings"]))],
    ),
    prime(
        form(
            &[ProbeId::Sysbench],
            Metric::Events,
            &[
                ("tool", Tool(&["sysbench 1"])),
                CPU,
                ("primes", One(&["10000"])),
                ("thread_count", Any),
            ],
        ),
        form(
            &[ProbeId::Prime],
            Metric::Events,
            &[
                ("sysbench", One(&["1.0"])),
                ("max_prime", One(&["10000"])),
                ("threads", AsMany("thread_count")),
            ],
        ),
    ),
];
