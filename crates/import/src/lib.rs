//! Other tools' results in the record's terms: facts, topology and series with where each was read and what is doubtful
//! about it. Bytes in, parts of a record out; no I/O, no frequency. See `docs/adr/0016`.
#![deny(missing_docs)]

mod cells;
mod found;
mod frequencies;
mod gathered;
pub mod importer;
pub mod importers;
mod number;
mod session;
mod text;

pub use found::{Found, Problem};
pub use gathered::{Gathered, Read};
pub use text::{Line, MAX_BYTES, MAX_LINE, MAX_LINES, Text, tidy};
