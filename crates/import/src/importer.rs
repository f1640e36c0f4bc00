//! What an importer is: one tool's output, told from all others, into facts and series.
use crate::found::{Found, Problem};
use crate::text::Text;

/// How sure an importer is that a text, or a part of it, is its tool's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sure {
    /// Nothing in it is.
    No,
    /// It has the shape, and nothing that only this tool writes: read it if nobody is surer.
    Shape,
    /// Words or lines that only this tool writes.
    Certain,
}

/// Reads the output of one tool.
pub trait Importer: Sync {
    /// The tool, as people call it.
    fn title(&self) -> &'static str;
    /// How sure it is. Looks at the whole text, for outputs are pasted into sessions.
    fn recognise(&self, text: &Text) -> Sure;
    /// Reads what it recognised; lines of other tools are left to their importers.
    ///
    /// # Errors
    /// Where nothing can be read that could be relied on; the line says where.
    fn read(&self, text: &Text, found: &mut Found) -> Result<(), Problem>;
}
