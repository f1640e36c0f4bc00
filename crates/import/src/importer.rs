//! An importer reads one tool's output into facts and series.
use crate::found::{Found, Problem};
use crate::text::Text;

/// Reads the output of one tool.
pub trait Importer: Sync {
    /// The tool's usual name.
    fn title(&self) -> &'static str;
    /// Whether the text holds this tool's output. Users paste outputs into sessions, so it looks at the whole text.
    fn recognises(&self, text: &Text) -> bool;
    /// Whether the importer reads only text that no other importer recognises.
    fn is_fallback(&self) -> bool {
        false
    }
    /// Reads the lines of this tool. Other importers read the other lines.
    ///
    /// # Errors
    /// If nothing reliable can be read; the line says where.
    fn read(&self, text: &Text, found: &mut Found) -> Result<(), Problem>;
}
