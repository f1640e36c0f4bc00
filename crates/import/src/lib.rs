//! Reads other tools' results into facts, topology and series, each with its source and warnings. Bytes in, parts of a
//! record out: no I/O, no clock. See `docs/adr/0016`.

pub mod archive;
mod cells;
mod firmware_name;
mod found;
mod frequencies;
mod gathered;
mod grammar;
pub mod importer;
pub mod importers;
mod metric;
mod number;
mod prelude;
mod session;
mod text;

pub use found::{Found, Problem};
pub use gathered::{Gathered, Read, tools};
pub use text::{Line, MAX_BYTES, MAX_LINE, MAX_LINES, Text, tidy};
