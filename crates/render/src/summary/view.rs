//! Options of a summary: the reader's screen, language, zone and command.
use super::FITS;
use messages::Lang;

/// Options of a summary.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// Columns.
    pub width: usize,
    /// Whether ANSI colours are wanted.
    pub colour: bool,
    /// The language of its words.
    pub lang: Lang,
    /// Whether it was asked for by an option, which the suggested commands repeat.
    pub asked: bool,
    /// The name of the record for the suggested commands: `last`, `ref:NAME`, a file.
    pub record: &'a str,
    /// The command that was typed, without the program's name: with `--full` it says all. Nothing where that is not known.
    pub typed: &'a [String],
    /// The start of the run in the reader's zone; as in the record if nothing.
    pub started: Option<&'a str>,
    /// Lines of the screen that stand above a comparison.
    pub above: usize,
}

impl Default for View<'_> {
    fn default() -> Self {
        View {
            width: FITS,
            colour: false,
            lang: Lang::En,
            asked: false,
            record: "last",
            typed: &[],
            started: None,
            above: 0,
        }
    }
}

impl View<'_> {
    /// The option of its language, if that was asked for.
    pub(super) fn option(&self) -> &'static str {
        match (self.asked, self.lang) {
            (false, _) => "",
            (true, Lang::En) => " --lang en",
            (true, Lang::Zh) => " --lang zh",
        }
    }
}
