//! An output format: bytes from a report, or from a machine alone.
use crate::renderers::ALL;
use analyse::Report;
use analyse::compare::Comparison;
use messages::Lang;
use record::{Machine, ProbeId};
use sections::document::Document;
use sections::page::Page;
use std::io::{self, Write};

/// Writes what is given, and fails only as `out` does.
pub type Writer = fn(Subject<'_>, &Settings, &mut dyn Write) -> io::Result<()>;

/// One output format. Its id, which is its file's name, is what `--format` takes. A format of reports alone leaves everything else
/// to another format.
#[derive(Debug, Clone, Copy)]
pub struct Renderer {
    /// Writes the format.
    pub write: Writer,
    /// What a report must have, if the format is about one subject alone.
    pub needs: Option<Needs>,
}

/// The subject of a format that shows nothing else.
#[derive(Debug, Clone, Copy)]
pub struct Needs {
    /// What it is, and the command that measures it.
    pub what: &'static str,
    /// Whether a report has it.
    pub has: fn(&Report<'_>) -> bool,
    /// Whether a probe measures it.
    pub measures: fn(&ProbeId) -> bool,
}

impl Renderer {
    /// A format that has something to say of every report.
    pub(crate) const fn of_all(write: Writer) -> Renderer {
        Renderer { write, needs: None }
    }
}

/// The subject of an output.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    /// A record with its analyses.
    Report(&'a Report<'a>),
    /// A machine that has not been measured.
    Machine(&'a Machine),
    /// Several records side by side.
    Comparison(&'a Comparison),
    /// Any other document.
    Document(&'a Document),
}

impl Subject<'_> {
    /// The page of what is to be written.
    pub(crate) fn page(self, settings: &Settings) -> Page {
        match self {
            Subject::Report(report) => {
                let started = settings.started.as_deref();
                Page::of_report(report, settings.section, started)
            }
            Subject::Machine(machine) => Page::of_machine(machine),
            Subject::Comparison(comparison) => Page::of_comparison(comparison),
            Subject::Document(document) => document.page.clone(),
        }
    }
}

impl<'a> From<&'a Report<'_>> for Subject<'a> {
    fn from(report: &'a Report<'_>) -> Subject<'a> {
        Subject::Report(report)
    }
}

/// Properties of the reader's terminal. Only the terminal format uses them.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// The start of the run in the reader's zone; as in the record if nothing.
    pub started: Option<String>,
    /// The name of the record for the suggested commands.
    pub record: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            width: 100,
            colour: false,
            details: false,
            section: None,
            lang: Lang::En,
            started: None,
            record: "last".into(),
        }
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
pub fn named(id: &str) -> io::Result<&'static Renderer> {
    ALL.iter().find(|(name, _)| *name == id).map(|(_, renderer)| *renderer).ok_or_else(|| {
        let known = formats().collect::<Vec<_>>().join(", ");
        io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("'{id}' is not a format; there are {known}"),
        )
    })
}

/// Writes something in the format with that id. The same records give the same bytes.
///
/// # Errors
/// An unknown id, and what `out` returns.
pub fn render<'a>(
    id: &str,
    of: impl Into<Subject<'a>>,
    settings: &Settings,
    out: &mut dyn Write,
) -> io::Result<()> {
    (named(id)?.write)(of.into(), settings, out)
}
