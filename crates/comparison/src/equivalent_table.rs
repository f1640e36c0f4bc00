//! The rows of every tool, in one table.
use crate::equivalent::{At, Equivalent};
use crate::equivalents;
use record::{Metric, ProbeId};

/// Every figure of theirs that something of ours may stand beside. Of two rows of one figure, which one file has, the first
/// that a record can fill counts.
pub fn all() -> impl Iterator<Item = &'static Equivalent> {
    equivalents::ALL.iter().flat_map(|(_, rows)| *rows)
}

/// The rows of the table that a foreign quantity has.
pub fn of(probe: ProbeId, metric: Metric, at: &At) -> impl Iterator<Item = &'static Equivalent> {
    all().filter(move |row| row.is_theirs(probe, metric, at))
}
