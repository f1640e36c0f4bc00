//! The summary as text: one screen of at most 40 lines at 80 columns, in English or Chinese.
mod layout;
pub(crate) mod screen;
mod words;

use crate::messages::{self as say, Lang};
use crate::page::printable;
use analyse::summary::{Column, Summary, Table};
use layout::{Grid, flow, wrapped};
use record::Environment;
use std::io::{self, Write};

/// Lines of a summary where a line has 80 columns.
pub const LINES: usize = 40;
/// From this width on it fits on them.
const FITS: usize = 80;
/// The narrowest width that is laid out for.
const NARROWEST: usize = 20;

/// How a summary is shown.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// Columns.
    pub width: usize,
    /// Whether ANSI colours are wanted.
    pub colour: bool,
    /// The language of its words.
    pub lang: Lang,
    /// How the next command names the record: `last`, `ref:NAME`, a file.
    pub record: &'a str,
    /// The start of the run in the reader's zone; as in the record if nothing.
    pub started: Option<&'a str>,
}

impl Default for View<'_> {
    fn default() -> Self {
        View { width: FITS, colour: false, lang: Lang::En, record: "last", started: None }
    }
}

/// What is left out until the rest fits.
#[derive(Clone, Copy)]
struct Room {
    /// Rows of figures, and of each table.
    rows: usize,
    /// Findings with a line that says what to do.
    actions: usize,
}

/// Writes a summary.
///
/// # Errors
/// Only what `out` returns.
pub fn write(summary: &Summary, view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    for line in text(summary, view) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Its lines, none of them wider than `view.width`.
pub fn text(summary: &Summary, view: &View<'_>) -> Vec<String> {
    let mut room = Room { rows: 24, actions: 5 };
    let mut lines = blocks(summary, view, room);
    while view.width >= FITS && lines.len() > LINES && (room.actions > 0 || room.rows > 3) {
        // The least costly findings lose their second lines, then tables their last rows.
        if room.actions > 2 || room.rows <= 8 && room.actions > 0 {
            room.actions -= 1;
        } else {
            room.rows -= 1;
        }
        lines = blocks(summary, view, room);
    }
    let styled = |(style, mut line): (Style, String)| {
        printable(&mut line);
        style.on(view.colour, line)
    };
    lines.into_iter().map(styled).collect()
}

/// How a line looks; the meaning never rests on it.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    Plain,
    Heading,
    Check(Environment),
}

impl Style {
    fn on(self, colour: bool, line: String) -> String {
        let code = match self {
            Style::Plain => return line,
            Style::Heading => "1",
            Style::Check(Environment::Pass) => "1;32",
            Style::Check(Environment::Warn) => "1;33",
            Style::Check(Environment::Fail) => "1;31",
        };
        if colour { format!("\u{1b}[{code}m{line}\u{1b}[0m") } else { line }
    }
}

type Lines = Vec<(Style, String)>;

fn plain(lines: impl IntoIterator<Item = String>) -> Lines {
    lines.into_iter().map(|line| (Style::Plain, line)).collect()
}

fn blocks(summary: &Summary, view: &View<'_>, room: Room) -> Lines {
    let width = view.width.max(NARROWEST);
    let mut all = header(summary, view, width);
    all.extend(environment(summary, view.lang, width));
    let answer = [figures(summary, view.lang, width, room)];
    let tables = summary.tables.iter().map(|t| table(t, view.lang, width, room));
    for block in answer.into_iter().chain(tables).filter(|b| !b.is_empty()) {
        all.push((Style::Plain, String::new()));
        all.extend(block);
    }
    all.push((Style::Plain, String::new()));
    all.extend(findings(summary, view, width, room));
    all.push((Style::Plain, String::new()));
    all.extend(gaps(summary, view.lang, width));
    all.extend(next(summary, view, width));
    all
}

/// The machine on the first lines, the run on the next.
fn header(summary: &Summary, view: &View<'_>, width: usize) -> Lines {
    let (machine, run) = words::header(summary, view);
    let mut lines: Lines =
        flow("", &machine, ", ", width).into_iter().map(|l| (Style::Heading, l)).collect();
    lines.extend(plain(flow("", &run, ", ", width)));
    lines
}

/// The verdict and its causes.
fn environment(summary: &Summary, lang: Lang, width: usize) -> Lines {
    let verdict = match summary.environment {
        Environment::Pass => say::environment_pass(lang),
        Environment::Warn => say::environment_warn(lang),
        Environment::Fail => say::environment_fail(lang),
    };
    let mut causes: Vec<String> = summary.causes.iter().map(|c| words::cause(lang, c)).collect();
    if causes.is_empty() {
        causes.push(say::nothing_found(lang).to_owned());
    }
    let style = Style::Check(summary.environment);
    flow(&format!("{verdict}  "), &causes, ", ", width).into_iter().map(|l| (style, l)).collect()
}

fn figures(summary: &Summary, lang: Lang, width: usize, room: Room) -> Lines {
    let shown: Vec<_> = summary.figures.iter().filter(|f| !f.is_in_table()).collect();
    if shown.is_empty() {
        return vec![];
    }
    let mut grid = Grid::new(
        "",
        &[
            (say::column_median(lang), true),
            (say::column_interval(lang), true),
            (say::column_cycles(lang), true),
            ("", false),
        ],
    );
    // The least asked for go first where there is no room.
    let mut ranked = shown.clone();
    ranked.sort_by_key(|f| words::rank(f.id));
    ranked.truncate(room.rows);
    for figure in shown.iter().filter(|f| ranked.contains(f)) {
        grid.row(
            words::figure(lang, figure),
            vec![
                words::median(figure),
                words::range(lang, &figure.quantity),
                words::cycles(figure),
                figure.note.map_or(String::new(), |n| words::note(lang, figure, n)),
            ],
        );
    }
    let mut lines = headed(grid.lines(width));
    if shown.len() > ranked.len() {
        let more = (shown.len() - ranked.len()) as u64;
        lines.extend(plain(wrapped(&say::more_rows(lang, more), width)));
    }
    if shown.iter().any(|f| f.is_doubtful()) {
        lines.extend(plain(wrapped(say::multimodal(lang), width)));
    }
    lines
}

fn table(table: &Table, lang: Lang, width: usize, room: Room) -> Lines {
    let (title, above) = words::title(lang, table);
    let mut lines: Lines =
        wrapped(&title, width).into_iter().map(|l| (Style::Heading, l)).collect();
    let names: Vec<String> = table.columns.iter().map(|c| words::column(lang, *c)).collect();
    let numbers = |c: &Column| !matches!(c, Column::Source | Column::HeldBy);
    let columns: Vec<(&str, bool)> =
        names.iter().map(String::as_str).zip(table.columns.iter().map(numbers)).collect();
    let mut grid = Grid::new("", &columns);
    for row in table.rows.iter().take(room.rows) {
        let cells = row.cells.iter().zip(&table.columns);
        let mark = if row.excluded { "- " } else { "" };
        let cells = cells.map(|(cell, column)| words::cell(lang, cell, *column)).collect();
        grid.row(format!("{mark}{}", words::label(lang, &row.label)), cells);
    }
    lines.extend(plain(grid.lines(width)));
    let more = table.more + table.rows.len().saturating_sub(room.rows);
    if more > 0 {
        lines.extend(plain(wrapped(&say::more_rows(lang, more as u64), width)));
    }
    if table.rows.iter().take(room.rows).any(|r| r.excluded) {
        let section = words::section(table);
        lines.extend(plain(wrapped(&say::excluded(lang, section), width)));
    }
    lines.extend(plain(above.iter().flat_map(|line| wrapped(line, width))));
    lines
}

/// The first line of a grid as a heading.
fn headed(lines: Vec<String>) -> Lines {
    let style = |i| if i == 0 { Style::Heading } else { Style::Plain };
    lines.into_iter().enumerate().map(|(i, line)| (style(i), line)).collect()
}

fn findings(summary: &Summary, view: &View<'_>, width: usize, room: Room) -> Lines {
    let lang = view.lang;
    if summary.findings.is_empty() {
        return plain(wrapped(say::no_findings(lang), width));
    }
    let mut lines = vec![];
    let across = |left: &str, right: &str| {
        let free = width.saturating_sub(layout::columns(left) + layout::columns(right));
        match free {
            0 | 1 => {
                let mut lines = wrapped(left, width);
                lines.extend(wrapped(&format!("   {right}"), width));
                lines
            }
            free => vec![format!("{left}{}{right}", " ".repeat(free))],
        }
    };
    let head = across(say::findings(lang), say::lost_work(lang));
    lines.extend(head.into_iter().map(|l| (Style::Heading, l)));
    for (i, finding) in summary.findings.iter().enumerate() {
        let claim = words::claim(lang, finding.rule);
        lines.extend(plain(across(&format!("{}. {claim}", i + 1), &words::cost(lang, finding))));
        if let Some(action) = words::action(lang, finding.rule).filter(|_| i < room.actions) {
            lines.extend(plain(layout::indented(action, 3, width)));
        }
    }
    if summary.more_findings > 0 {
        let command = format!("cpulens diagnose {}", words::quoted(view.record));
        let more = say::more_findings(lang, command, summary.more_findings as u64);
        lines.extend(plain(wrapped(&more, width)));
    }
    lines
}

fn gaps(summary: &Summary, lang: Lang, width: usize) -> Lines {
    if summary.gaps.is_empty() {
        return vec![];
    }
    let gaps: Vec<String> = summary.gaps.iter().map(|g| words::gap(lang, g)).collect();
    plain(flow(&format!("{}  ", say::gaps(lang)), &gaps, "; ", width))
}

fn next(summary: &Summary, view: &View<'_>, width: usize) -> Lines {
    let commands: Vec<String> =
        summary.next.iter().map(|n| words::command(*n, view.record)).collect();
    plain(flow(&format!("{}  ", say::next(view.lang)), &commands, "   ", width))
}
