//! What rows of the table are made of.
use super::{Differs, Equivalent, Form, Match, Printed, Shown};
use crate::grade::Grade;
use Match::{One, OneOrUnstated, Theirs};
use record::{Metric, ProbeId};

/// Pages that say how well ours agrees with originals.
pub const MEMORY: &str = "docs/validation/memory.md";
pub const CORE: &str = "docs/validation/core.md";
pub const UNIXBENCH: &str = "docs/validation/unixbench.md";

/// Nothing out of the ordinary: a form of nothing, a definition of ours that has never changed.
pub const ROW: Equivalent = Equivalent {
    what: "",
    theirs: form(&[], Metric::Elapsed, &[]),
    ours: form(&[], Metric::Elapsed, &[]),
    version: 1,
    printed: Printed::Mean,
    factor: 1.0,
    shown: Shown::Never,
    differs: None,
    command: "",
    near: None,
};

pub type At = &'static [(&'static str, Match)];

pub const fn form(probes: &'static [ProbeId], metric: Metric, at: At) -> Form {
    Form { probes, metric, at }
}

pub const fn unclaimed(why: &'static str, remedy: &'static str) -> Option<Differs> {
    Some(Differs { grade: Grade::Unclaimed, why, remedy })
}

pub const fn refused(why: &'static str, remedy: &'static str) -> Option<Differs> {
    Some(Differs { grade: Grade::Refused, why, remedy })
}

/// Ours is on the CPU's own node.
pub const LOCAL: (&str, Match) = ("between", OneOrUnstated(&["own node"]));
pub const BEST: (&str, Match) = ("statistic", One(&["best"]));
pub const LEAST: (&str, Match) = ("statistic", One(&["least"]));
pub const KERNEL: (&str, Match) = ("kernel", Theirs("kernel"));
pub const WORKING_SET: (&str, Match) = ("working_set", Theirs("working_set"));
pub const BETWEEN: (&str, Match) = ("between", Theirs("between"));
pub const ON_BASE: (&str, Match) = ("pages", One(&["base"]));
