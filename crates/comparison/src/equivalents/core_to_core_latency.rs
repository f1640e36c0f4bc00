//! core-to-core-latency.
use crate::equivalent::{
    Equivalent, Match, Shown,
    row::{BETWEEN, MEMORY, ROW, form},
};
use Match::One;
use record::{Metric, ProbeId};

/// 0.949; 0.813 to 0.850 on another host.
const CORE_TO_CORE: Shown = Shown::Within(0.15, MEMORY);

/// If two rows have the same figure, the first that a record can fill counts.
pub(crate) static ROWS: [Equivalent; 1] = [Equivalent {
    what: "core-to-core-latency",
    theirs: form(
        &[ProbeId::CoreToCore],
        Metric::OneWay,
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
    ours: form(&[ProbeId::CoreToCore], Metric::RoundTrip, &[("method", One(&["cas"])), BETWEEN]),
    version: 3,
    // It prints half of the way there and back.
    factor: 0.5,
    shown: CORE_TO_CORE,
    command: "cpulens run --only core_to_core",
    ..ROW
}];
