//! Intel MLC. Not validated: it is closed source and x86 only.
use crate::equivalent::{
    Equivalent, Form, Match, Shown,
    row::{At, BETWEEN, ROW, form},
};
use Match::{Any, One, OneOrUnstated};
use record::{Metric, ProbeId};

const ALL: (&str, Match) = ("threads", One(&["all"]));

const fn mlc(theirs: Form, ours: Form) -> Equivalent {
    Equivalent {
        what: "Intel MLC",
        theirs,
        ours,
        shown: Shown::Never,
        command: "cpulens run --only numa_matrix,bandwidth --depth standard",
        ..ROW
    }
}

const fn matrix(theirs: Form, ours: Form) -> Equivalent {
    Equivalent { version: 2, ..mlc(theirs, ours) }
}

const fn peak(traffic: At, kernel: At) -> Equivalent {
    mlc(
        form(&[ProbeId::MlcPeak], Metric::Bandwidth, traffic),
        form(&[ProbeId::Bandwidth], Metric::Bandwidth, kernel),
    )
}

/// If two rows have the same figure, the first that a record can fill counts.
pub(crate) static ROWS: [Equivalent; 6] = [
    matrix(
        form(
            &[ProbeId::NumaMatrix],
            Metric::IdleLatency,
            &[("order", OneOrUnstated(&["random"])), ("between", Any)],
        ),
        form(&[ProbeId::NumaMatrix], Metric::IdleLatency, &[BETWEEN]),
    ),
    matrix(
        form(
            &[ProbeId::NumaMatrix],
            Metric::Bandwidth,
            &[("traffic", OneOrUnstated(&["Read-only", "reads"])), ("between", Any)],
        ),
        form(&[ProbeId::NumaMatrix], Metric::Bandwidth, &[BETWEEN]),
    ),
    peak(&[ALL, ("traffic", One(&["ALL Reads"]))], &[ALL, ("kernel", One(&["read"]))]),
    peak(&[ALL, ("traffic", One(&["3:1 Reads-Writes"]))], &[ALL, ("kernel", One(&["mix_3_1"]))]),
    peak(&[ALL, ("traffic", One(&["2:1 Reads-Writes"]))], &[ALL, ("kernel", One(&["mix_2_1"]))]),
    peak(&[ALL, ("traffic", One(&["1:1 Reads-Writes"]))], &[ALL, ("kernel", One(&["mix_1_1"]))]),
];
