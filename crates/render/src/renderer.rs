//! What an output format is: bytes from a report.
use analyse::Report;
use std::io;

/// One output format; its id, which is its file's name, is what `--format` takes.
pub trait Renderer: Sync {
    /// What it is, in a few words.
    fn title(&self) -> &'static str;
    /// Writes the report.
    ///
    /// # Errors
    /// Only what `out` returns.
    fn render(&self, report: &Report<'_>, out: &mut dyn io::Write) -> io::Result<()>;
}
