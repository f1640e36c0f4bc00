//! What rows of the table are made of.
use super::{Differs, Equivalent, Form, Is, Printed, Shown};
use crate::grade::Grade;
use Is::{One, OneOrUntold, Theirs};

/// Pages that say how well ours agrees with originals.
pub const MEMORY: &str = "docs/validation/memory.md";
pub const CORE: &str = "docs/validation/core.md";
pub const UNIXBENCH: &str = "docs/validation/unixbench.md";

/// Nothing out of the ordinary: a form of nothing, a definition of ours that has never changed.
pub const ROW: Equivalent = Equivalent {
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

pub type At = &'static [(&'static str, Is)];

pub const fn form(probes: &'static [&'static str], metric: &'static str, at: At) -> Form {
    Form { probes, metric, at }
}

pub const fn unclaimed(why: &'static str, remedy: &'static str) -> Option<Differs> {
    Some(Differs { grade: Grade::Unclaimed, why, remedy })
}

pub const fn refused(why: &'static str, remedy: &'static str) -> Option<Differs> {
    Some(Differs { grade: Grade::Refused, why, remedy })
}

/// Ours is on the CPU's own node.
pub const LOCAL: (&str, Is) = ("between", OneOrUntold(&["own node"]));
pub const BEST: (&str, Is) = ("statistic", One(&["best"]));
pub const LEAST: (&str, Is) = ("statistic", One(&["least"]));
pub const KERNEL: (&str, Is) = ("kernel", Theirs("kernel"));
pub const WORKING_SET: (&str, Is) = ("working_set", Theirs("working_set"));
pub const BETWEEN: (&str, Is) = ("between", Theirs("between"));
pub const ON_BASE: (&str, Is) = ("pages", One(&["base"]));
