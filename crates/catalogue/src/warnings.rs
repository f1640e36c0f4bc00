//! Reference results that contradict other reference results. `tests/sanity` computes these warnings from the data and
//! keeps `warnings.json` current, so the program only reads them.
use serde::{Deserialize, Serialize};

/// A contradiction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SanityWarning {
    /// The machine whose record holds the warning.
    pub machine: String,
    /// The publication's id.
    pub publication: String,
    /// The line of the publication.
    pub line: Option<u32>,
    /// A sentence without its full stop.
    pub what: String,
    /// The ids of the measurements concerned. Tables flag the cells that hold them.
    pub measurements: Vec<String>,
}

/// All warnings, as the tests computed them.
pub(crate) fn parse() -> Result<Vec<SanityWarning>, String> {
    let deflated = include_bytes!(concat!(env!("OUT_DIR"), "/warnings.deflated"));
    let text = miniz_oxide::inflate::decompress_to_vec(deflated)
        .map_err(|e| format!("warnings.json: {e}"))?;
    serde_json::from_slice(&text).map_err(|e| format!("warnings.json: {e}"))
}
