//! Reference results: published measurements of other machines, as records with author, place, date, tool and warnings.
//! Data in, records and tables out: no I/O, no clock. See `docs/adr/0020`.

mod names;
mod place;
mod records;
mod reference;
mod tables;
mod units;
mod warnings;

pub use names::nearest;
pub use reference::{Machine, Measurement, Published, Reference};
pub use tables::{Cell, Row, Table, numa_distance};
pub use warnings::SanityWarning;

use record::Record;
use std::sync::OnceLock;

/// Every machine's name and deflated text.
static MACHINES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/machines.rs"));

/// The names of the machines, in alphabetical order; nothing is parsed for them.
pub fn names() -> impl Iterator<Item = &'static str> {
    MACHINES.iter().map(|(name, _)| *name)
}

/// Everything that is in the catalogue. It is parsed when it is first asked for.
///
/// # Errors
/// If the program was built with data that cannot be read; the tests see to it that it was not.
pub fn reference() -> Result<&'static Reference, &'static str> {
    static PARSED: OnceLock<Result<Reference, String>> = OnceLock::new();
    PARSED.get_or_init(Reference::parse).as_ref().map_err(String::as_str)
}

/// The record of a machine, or nothing if there is none of that name.
///
/// # Errors
/// As [`reference()`].
pub fn record(name: &str) -> Result<Option<Record>, &'static str> {
    let reference = reference()?;
    Ok(reference.machine(name).map(|machine| records::build(reference, machine)))
}

/// The names and titles of the tables that the sources print, in their order.
pub fn table_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    tables::ALL.iter().map(|layout| (layout.name, layout.title))
}

/// A table of the sources, made anew of the catalogue's measurements; nothing if there is none of that name.
///
/// # Errors
/// As [`reference()`].
pub fn table(name: &str) -> Result<Option<Table>, &'static str> {
    let reference = reference()?;
    Ok(tables::ALL.iter().find(|layout| layout.name == name).map(|layout| layout.of(reference)))
}
