//! An importer reads one tool's output into facts and series.
use crate::found::{Found, Problem};
use crate::text::Text;

/// Reads the output of one tool.
#[derive(Debug)]
pub struct Importer {
    /// The tool's usual name.
    pub title: &'static str,
    /// Whether the text holds this tool's output. Users paste outputs into sessions, so it looks at the whole text.
    pub recognises: fn(&Text) -> bool,
    /// Reads the lines of this tool; other importers read the other lines. An error says that nothing reliable can be read,
    /// and at which line.
    pub read: fn(&Text, &mut Found) -> Result<(), Problem>,
    /// Whether the importer reads only text that no other importer recognises.
    pub is_fallback: bool,
}

impl Importer {
    pub(crate) const fn new(
        title: &'static str,
        recognises: fn(&Text) -> bool,
        read: fn(&Text, &mut Found) -> Result<(), Problem>,
    ) -> Importer {
        Importer { title, recognises, read, is_fallback: false }
    }
}
