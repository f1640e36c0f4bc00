//! What an output format is: bytes from a report, or from a machine alone.
use crate::document::Document;
use crate::messages::Lang;
use crate::renderers::{ALL, text::Text};
use analyse::Report;
use analyse::compare::Comparison;
use record::Machine;
use std::io::{self, Write};

/// One output format; its id, which is its file's name, is what `--format` takes.
pub trait Renderer: Sync {
    /// What it is, in a few words.
    fn title(&self) -> &'static str;
    /// Writes the report.
    ///
    /// # Errors
    /// Only what `out` returns.
    fn render(
        &self,
        report: &Report<'_>,
        settings: &Settings,
        out: &mut dyn Write,
    ) -> io::Result<()>;
    /// The format that writes everything else, where this one is a form of reports alone.
    fn else_by(&self) -> &'static dyn Renderer {
        &Text
    }
    /// Writes what is known of a machine that has not been measured.
    ///
    /// # Errors
    /// Only what `out` returns.
    fn info(&self, machine: &Machine, settings: &Settings, out: &mut dyn Write) -> io::Result<()> {
        self.else_by().info(machine, settings, out)
    }
    /// Writes several records side by side.
    ///
    /// # Errors
    /// Only what `out` returns.
    fn compare(
        &self,
        comparison: &Comparison,
        settings: &Settings,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.else_by().compare(comparison, settings, out)
    }
    /// Writes what is neither a report nor a comparison.
    ///
    /// # Errors
    /// Only what `out` returns.
    fn document(
        &self,
        document: &Document,
        settings: &Settings,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.else_by().document(document, settings, out)
    }
}

/// What the reader's side can show. Only the terminal format looks at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Columns of the terminal.
    pub width: u16,
    /// Whether ANSI colours are understood and wanted.
    pub colour: bool,
    /// Whether to write out what the other formats fold away: every series, and how each was measured.
    pub details: bool,
    /// The only section of a report to be shown; all of them if nothing.
    pub section: Option<&'static str>,
    /// The language that a page with several begins with.
    pub lang: Lang,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { width: 100, colour: false, details: false, section: None, lang: Lang::En }
    }
}

/// The ids of the formats, in alphabetical order.
pub fn formats() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|(id, _)| *id)
}

/// The format with that id.
///
/// # Errors
/// `InvalidInput` naming the formats there are.
pub fn named(id: &str) -> io::Result<&'static dyn Renderer> {
    ALL.iter().find(|(name, _)| *name == id).map(|(_, renderer)| *renderer).ok_or_else(|| {
        let known = formats().collect::<Vec<_>>().join(", ");
        io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("'{id}' is not a format; there are {known}"),
        )
    })
}

/// Writes a report in the format with that id. The same record gives the same bytes.
///
/// # Errors
/// An unknown id, and what `out` returns.
pub fn render(
    id: &str,
    report: &Report<'_>,
    settings: &Settings,
    out: &mut dyn Write,
) -> io::Result<()> {
    named(id)?.render(report, settings, out)
}

/// Writes what is known of a machine in the format with that id.
///
/// # Errors
/// An unknown id, and what `out` returns.
pub fn render_info(
    id: &str,
    machine: &Machine,
    settings: &Settings,
    out: &mut dyn Write,
) -> io::Result<()> {
    named(id)?.info(machine, settings, out)
}

/// Writes a comparison in the format with that id. The same records give the same bytes.
///
/// # Errors
/// An unknown id, and what `out` returns.
pub fn render_comparison(
    id: &str,
    comparison: &Comparison,
    settings: &Settings,
    out: &mut dyn Write,
) -> io::Result<()> {
    named(id)?.compare(comparison, settings, out)
}

/// Writes a document in the format with that id.
///
/// # Errors
/// An unknown id, and what `out` returns.
pub fn render_document(
    id: &str,
    document: &Document,
    settings: &Settings,
    out: &mut dyn Write,
) -> io::Result<()> {
    named(id)?.document(document, settings, out)
}
