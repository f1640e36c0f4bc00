//! What the frequency costs and resolves: the floor under every other number.
use crate::page::Block;
use crate::{origin, section};
use analyse::Report;

/// The frequency's own figures.
pub fn blocks(report: &Report<'_>) -> Vec<Block> {
    let own = section::of_probes(report, &["instrument"]);
    if own.is_empty() {
        return vec![];
    }
    vec![Block::Table(origin::table(report, "observed", &own)), origin::method(report, &own)]
}
