//! The summary as text: one screen of at most 40 lines at 80 columns, in English or Chinese.
pub mod compared;
mod drawing;
mod explained;
mod layout;
pub(crate) mod screen;
mod view;
mod words;

use analyse::summary::{Cause, Cell, Column, Figure, Next, Note, Row, Summary, Table, TableId};
pub use layout::wrapped;
use layout::{Grid, flow};
pub(crate) use layout::{indented, longest_word};
use messages::{self as say, Lang, prose};
use record::{Environment, Sort, printable};
use std::io::{self, Write};
pub use view::View;

/// Lines of a summary where a line has 80 columns.
pub const LINES: usize = 40;
/// From this width on it fits on them.
const FITS: usize = 80;
/// The narrowest width that is laid out for.
const NARROWEST: usize = 20;

/// Columns of a machine's name that are left of a long one.
const SHORTEST_NAME: usize = 12;

/// Parts that are left out until the rest fits.
#[derive(Clone, Copy)]
struct Room {
    /// Rows of figures, and of each table.
    rows: usize,
    /// Findings, each with a line that says what to do.
    findings: usize,
    /// Findings that are proven by figures.
    proofs: usize,
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
    let findings = summary.findings.len();
    let mut room = Room { rows: 24, findings, proofs: findings };
    let mut lines = blocks(summary, view, room);
    while view.width >= FITS && lines.len() > LINES && room.proofs > 0 {
        room.proofs -= 1;
        lines = blocks(summary, view, room);
    }
    while view.width >= FITS && lines.len() > LINES && (room.findings > 0 || room.rows > 1) {
        // The last rows go, then the least costly findings: one without its command says nothing.
        let least = [(12, 3), (8, 2), (1, 0)].into_iter();
        let mut least = least.skip_while(|(rows, of)| room.rows <= *rows && room.findings <= *of);
        match least.next() {
            Some((rows, _)) if room.rows > rows => room.rows -= 1,
            _ => room.findings -= 1,
        }
        lines = blocks(summary, view, room);
    }
    styled(lines, view)
}

fn styled(lines: Lines, view: &View<'_>) -> Vec<String> {
    let styled = |(style, mut line): (Style, String)| {
        printable(&mut line);
        style.on(view.colour, line)
    };
    lines.into_iter().map(styled).collect()
}

/// The style of a line; the meaning never rests on it.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Style {
    Plain,
    Heading,
    Check(Environment),
    Faint,
}

impl Style {
    pub(crate) fn on(self, colour: bool, line: String) -> String {
        let code = match self {
            Style::Plain => return line,
            Style::Heading => "1",
            Style::Check(Environment::Pass) => "1;32",
            Style::Check(Environment::Warn) => "1;33",
            Style::Check(Environment::Fail) => "1;31",
            Style::Faint => "2",
        };
        if colour { format!("\u{1b}[{code}m{line}\u{1b}[0m") } else { line }
    }
}

type Lines = Vec<(Style, String)>;

fn plain(lines: impl IntoIterator<Item = String>) -> Lines {
    all_in(Style::Plain, lines)
}

fn all_in(style: Style, lines: impl IntoIterator<Item = String>) -> Lines {
    lines.into_iter().map(|line| (style, line)).collect()
}

/// Text on as many lines as it takes.
fn said(text: &str, width: usize) -> Lines {
    plain(wrapped(text, width))
}

/// A text as a heading.
fn heading(text: &str, width: usize) -> Lines {
    all_in(Style::Heading, wrapped(text, width))
}

/// Items behind a label, if there are any.
fn listed(label: &str, items: &[String], between: &str, width: usize) -> Lines {
    if items.is_empty() {
        vec![]
    } else {
        plain(flow(&format!("{label}  "), items, between, width))
    }
}

/// What is left out for want of room, if anything is.
fn more_rows(lang: Lang, more: usize, width: usize) -> Lines {
    if more == 0 { vec![] } else { said(&say::more_rows(lang, more as u64), width) }
}

fn empty() -> (Style, String) {
    (Style::Plain, String::new())
}

fn blocks(summary: &Summary, view: &View<'_>, room: Room) -> Lines {
    let width = view.width.max(NARROWEST);
    let mut all = header(summary, view, width);
    all.extend(match summary.measured {
        true => environment(summary, view.lang, width),
        false => said(say::unmeasured(view.lang), width),
    });
    if let Some(of) = &summary.imported {
        let counts = words::imported(view.lang, of);
        all.extend(plain(flow("", &counts, say::comma(view.lang), width)));
        let record = std::slice::from_ref(&of.record);
        all.extend(listed(say::record(view.lang), record, "", width));
    }
    if !summary.header.other_machines.is_empty() {
        all.extend(said(say::several_machines(view.lang), width));
    }
    let answer = [figures(summary, view.lang, width, room)];
    for block in answer.into_iter().chain(tables(summary, view.lang, width, room)) {
        if block.is_empty() {
            continue;
        }
        all.push(empty());
        all.extend(block);
    }
    if lacks_interval(summary) {
        all.extend(said(say::no_interval(view.lang), width));
    }
    for (i, doubt) in words::doubts(view.lang, &summary.warnings).into_iter().enumerate() {
        let head = format!("{}  ", say::doubts(view.lang));
        let head = if i == 0 { head } else { " ".repeat(layout::columns(&head)) };
        all.extend(plain(flow(&head, &[doubt], "", width)));
    }
    if !summary.lines.is_empty() {
        all.push(empty());
        let shown = summary.lines.iter().take(room.rows);
        all.extend(plain(shown.flat_map(|line| layout::pasted("", line, width))));
    }
    if !summary.drawing.is_empty() {
        all.push(empty());
        let lines = drawing::lines(&summary.drawing, view.lang, width);
        let shown = if width >= FITS { lines.len().min(room.rows) } else { lines.len() };
        let more = lines.len() - shown;
        all.extend(plain(lines.into_iter().take(shown)));
        all.extend(more_rows(view.lang, more, width));
    }
    if !summary.answers_only {
        all.push(empty());
        all.extend(findings(summary, view, width, room));
    }
    all.push(empty());
    all.extend(gaps(summary, view.lang, width));
    all.extend(next(summary, view, width));
    all
}

/// Whether every result is another tool's: its figures are printed values without intervals.
fn is_imported(summary: &Summary) -> bool {
    summary.causes.iter().any(|cause| matches!(cause, Cause::Imported { .. }))
}

/// Whether a figure has no interval, or what a command measured has none at all.
fn lacks_interval(summary: &Summary) -> bool {
    if is_imported(summary) {
        return false;
    }
    let figure = |f: &Figure| f.quantity.interval.is_none() && !f.is_doubtful() && !f.is_in_table();
    let number = |cell: &Cell| matches!(cell, Cell::Number(_));
    let known = |cell: &Cell| matches!(cell, Cell::Number(q) if q.interval.is_some());
    let table = |t: &Table| {
        let own =
            matches!(t.id, TableId::Scaling { .. } | TableId::UnixBench { .. } | TableId::Noise);
        let mut cells = t.rows.iter().flat_map(|row| &row.cells);
        own && cells.clone().any(number) && !cells.any(known)
    };
    summary.figures.iter().any(figure) || summary.tables.iter().any(table)
}

/// The machine on the first line; what has no room there, and the run, on the next.
fn header(summary: &Summary, view: &View<'_>, width: usize) -> Lines {
    let (machine, mut run) = words::header(summary, view);
    let between = say::comma(view.lang);
    let above = |items: usize| {
        let mut shown = machine[..items].to_vec();
        if let Some(last) = shown.last_mut().filter(|_| items < machine.len()) {
            *last += between.trim_end();
        }
        flow("", &shown, between, width)
    };
    let shown = (1..=machine.len()).rev().find(|items| above(*items).len() == 1).unwrap_or(1);
    run.splice(0..0, machine[shown..].iter().cloned());
    // Where it takes more than a line, the program goes first, then the middle of the name.
    let over = |run: &[String]| layout::columns(&run.join(between)).saturating_sub(width);
    let (first, named) = (machine.len() - shown, summary.header.name.is_some());
    if width >= FITS && !summary.header.tool.is_empty() && over(&run) > 0 {
        run.remove(first + usize::from(named));
    }
    if width >= FITS && named {
        let room = layout::columns(&run[first]).saturating_sub(over(&run));
        run[first] = layout::elided(&run[first], room.max(SHORTEST_NAME));
    }
    let mut lines = all_in(Style::Heading, above(shown));
    if !run.is_empty() {
        lines.extend(plain(flow("", &run, between, width)));
    }
    lines
}

/// The verdict and as many of its causes as the line has room for; one is always shown.
fn environment(summary: &Summary, lang: Lang, width: usize) -> Lines {
    let heading = format!("{}  ", words::verdict(lang, summary.environment));
    let mut causes: Vec<String> = summary.causes.iter().map(|c| words::cause(lang, c)).collect();
    if causes.is_empty() {
        causes.push(say::nothing_found(lang).to_owned());
    }
    let first = |shown: usize| {
        let more = causes.len() - shown;
        let more = (more > 0).then(|| say::more_causes(lang, more));
        let items: Vec<String> = causes[..shown].iter().cloned().chain(more).collect();
        flow(&heading, &items, say::comma(lang), width)
    };
    let all = (1..=causes.len()).rev().map(first).find(|lines| lines.len() == 1);
    let lines = all.unwrap_or_else(|| first(1));
    all_in(Style::Check(summary.environment), lines)
}

fn figures(summary: &Summary, lang: Lang, width: usize, room: Room) -> Lines {
    let shown: Vec<_> = summary.figures.iter().filter(|f| !f.is_in_table()).collect();
    if shown.is_empty() {
        return vec![];
    }
    let median = match is_imported(summary) {
        true => say::column_value(lang),
        false => say::column_median(lang),
    };
    let cycles = say::column_cycles(lang);
    let heads = [(median, true), (say::column_interval(lang), true), (cycles, true), ("", false)];
    let mut grid = Grid::new("", &heads);
    // The least asked for go first where there is no room.
    let mut ranked = shown.clone();
    ranked.order_by_key(|f| words::rank(f.id));
    ranked.truncate(room.rows);
    for figure in shown.iter().filter(|f| ranked.contains(f)) {
        grid.row(
            words::figure(lang, figure),
            vec![
                words::median(figure),
                words::range(&figure.quantity),
                words::cycles(figure),
                words::notes(lang, figure),
            ],
        );
    }
    let mut lines = headed(grid.lines(width));
    if shown.len() > ranked.len() {
        let more = (shown.len() - ranked.len()) as u64;
        lines.extend(said(&say::more_figures(lang, more), width));
    }
    let has = |of: fn(&Note) -> bool| ranked.iter().flat_map(|f| &f.notes).any(of);
    let by_publication =
        |n: &Note| matches!(n, Note::AsExpected | Note::BetterThanExpected | Note::OfExpected(_));
    let expected = summary.header.microarchitecture.as_ref().filter(|_| has(by_publication));
    let mut legend: Vec<String> =
        expected.iter().map(|name| say::legend_expected(lang, name)).collect();
    legend.extend(has(|n| matches!(n, Note::Rank { .. })).then(|| say::legend_rank(lang).into()));
    let alike = summary.header.microarchitecture.as_ref();
    let alike = alike.filter(|_| has(|n| matches!(n, Note::OfKind { .. })));
    legend.extend(alike.map(|name| say::legend_of_kind(lang, name)));
    if !legend.is_empty() {
        // A full-width stop brings its own space.
        let between = if lang == Lang::Zh { "" } else { " " };
        lines.extend(plain(flow("", &legend, between, width)));
    }
    lines.extend(marks(&ranked, lang).flat_map(|words| said(words, width)));
    lines
}

/// The meaning of the marks of these figures.
pub(crate) fn marks(figures: &[&Figure], lang: Lang) -> impl Iterator<Item = &'static str> {
    let doubtful = figures.iter().any(|f| f.is_doubtful());
    let moved = figures.iter().any(|f| f.moved && !f.is_doubtful());
    let multimodal = doubtful.then(|| say::multimodal(lang));
    multimodal.into_iter().chain(moved.then(|| say::moved(lang)))
}

/// The tables; a note that holds for the next one, too, stands below the last of them.
fn tables(summary: &Summary, lang: Lang, width: usize, room: Room) -> Vec<Lines> {
    let all = summary.tables.iter().map(|t| table(t, lang, width, room));
    let all: Vec<(Lines, Vec<String>)> = all.collect();
    let notes = |i: usize| {
        let next = all.get(i + 1).map_or(&[][..], |(_, notes)| notes);
        all[i].1.iter().filter(|note| !next.contains(note)).flat_map(|note| said(note, width))
    };
    all.iter()
        .enumerate()
        .map(|(i, (rows, _))| rows.iter().cloned().chain(notes(i)).collect())
        .collect()
}

/// The rows that have room. The last of them takes no more of it than the line that counts it.
fn shown_rows(table: &Table, room: Room) -> &[Row] {
    let one_more = table.more == 0 && table.rows.len() == room.rows + 1;
    &table.rows[..if one_more { table.rows.len() } else { room.rows.min(table.rows.len()) }]
}

/// A table, and what is said below it: that rows do not count, and its limit.
fn table(table: &Table, lang: Lang, width: usize, room: Room) -> (Lines, Vec<String>) {
    let (title, limit) = words::title(lang, table);
    let mut lines = heading(&title, width);
    let headed = |c: &Column| match table.id {
        TableId::Machine => String::new(),
        _ => words::column(lang, *c),
    };
    let names: Vec<String> = table.columns.iter().map(headed).collect();
    let column = |(i, name)| (String::as_str(name), words::of_numbers(table, i));
    let columns: Vec<(&str, bool)> = names.iter().enumerate().map(column).collect();
    let mut grid = Grid::new("", &columns).of_commands(table.id == TableId::Predictions);
    let shown = shown_rows(table, room);
    for row in shown {
        let cells = row.cells.iter().zip(&table.columns);
        let mark = if row.excluded { "- " } else { "" };
        let cells = cells.map(|(cell, column)| words::cell(lang, cell, *column)).collect();
        grid.row(format!("{mark}{}", words::label(lang, &row.label)), cells);
        if row.cells.iter().all(|cell| !matches!(cell, Cell::Command(_))) {
            grid.of_words();
        }
    }
    lines.extend(plain(grid.lines(width)));
    let more = table.more + table.rows.len() - shown.len();
    lines.extend(more_rows(lang, more, width));
    let excluded = shown.iter().any(|r| r.excluded);
    let excluded = excluded.then(|| say::excluded(lang, words::section(table)));
    (lines, excluded.into_iter().chain(limit).collect())
}

/// The first line of a grid as a heading.
fn headed(lines: Vec<String>) -> Lines {
    let style = |i| if i == 0 { Style::Heading } else { Style::Plain };
    lines.into_iter().enumerate().map(|(i, line)| (style(i), line)).collect()
}

fn findings(summary: &Summary, view: &View<'_>, width: usize, room: Room) -> Lines {
    let lang = view.lang;
    let mut notes = notes(summary, lang, width);
    notes.extend(below(summary, lang, width));
    notes.extend(of_published(summary, lang, width));
    if summary.findings.is_empty() {
        let mut lines = said(&say::no_findings(lang, summary.checks as u64), width);
        lines.extend(notes);
        return lines;
    }
    let mut lines = vec![];
    let shown = &summary.findings[..room.findings.min(summary.findings.len())];
    let basis = if shown.iter().any(|f| f.grade.is_some()) { say::basis(lang) } else { "" };
    let mut right = vec![[basis.to_owned(), say::lost_work(lang).to_owned()]];
    right.extend(
        shown.iter().map(|f| [words::grade(lang, f.grade).to_owned(), words::cost(lang, f, shown)]),
    );
    let widest = |i: usize| right.iter().map(|r| layout::columns(&r[i])).max().unwrap_or(0);
    let (wide_basis, wide_cost) = (widest(0), widest(1));
    let across = |left: &str, [basis, cost]: &[String; 2]| {
        let pad = |text: &str, to: usize| " ".repeat(to.saturating_sub(layout::columns(text)));
        let right = format!("{basis}{}  {}{cost}", pad(basis, wide_basis), pad(cost, wide_cost));
        let free = width.saturating_sub(layout::columns(left) + layout::columns(&right));
        match free {
            0 | 1 => {
                let mut lines = layout::indented(left, 3, width);
                lines[0] = lines[0].trim_start().to_owned();
                // Below it nothing has to be in columns.
                let right = format!("{basis}  {cost}");
                [lines, layout::indented(right.trim_start(), 3, width)].concat()
            }
            free => vec![format!("{left}{}{right}", " ".repeat(free))],
        }
    };
    lines.extend(all_in(Style::Heading, across(say::findings(lang), &right[0])));
    for ((i, finding), right) in shown.iter().enumerate().zip(&right[1..]) {
        let claim = words::claim(lang, finding.rule);
        lines.extend(plain(across(&format!("{}. {claim}", i + 1), right)));
        if let Some(proof) = finding.proof.as_ref().filter(|_| i < room.proofs) {
            lines.extend(plain(layout::indented(&prose::in_language(lang, proof), 3, width)));
        }
        if let Some(action) = words::action(lang, finding) {
            let command = words::command_of(finding).unwrap_or_default();
            lines.extend(plain(layout::advice(&action, command, 3, width)));
        }
    }
    let more = summary.more_findings + summary.findings.len().saturating_sub(room.findings);
    if more > 0 {
        let full = summary.next.iter().find(|n| matches!(n, Next::FullOf(_)));
        let tells = *full.unwrap_or(&Next::Diagnose);
        let command = words::command(summary, tells, view);
        let said = say::more_findings(lang, command, more as u64);
        // It ends with a command, which stands among the next ones, too.
        let mut said = layout::pasted("", &said, width);
        if said.len() > 1 && summary.next.contains(&tells) {
            said = wrapped(&say::more_findings_below(lang, more as u64), width);
        }
        lines.extend(plain(said));
    }
    lines.extend(notes);
    lines
}

/// The differences of published runs, a sentence each.
fn of_published(summary: &Summary, lang: Lang, width: usize) -> Lines {
    if summary.of_published.is_empty() {
        return vec![];
    }
    let mut lines = heading(say::of_published(lang), width);
    let sentences = summary.of_published.iter();
    lines.extend(sentences.flat_map(|one| said(&prose::in_language(lang, one), width)));
    lines
}

/// Findings that need no action.
fn notes(summary: &Summary, lang: Lang, width: usize) -> Lines {
    let notes: Vec<String> = summary.notes.iter().map(|rule| words::claim(lang, rule)).collect();
    listed(say::notes(lang), &notes, say::semicolon(lang), width)
}

/// Quantities worse than published of the microarchitecture.
fn below(summary: &Summary, lang: Lang, width: usize) -> Lines {
    let name = summary.header.microarchitecture.as_deref().unwrap_or_default();
    let all: Vec<String> = summary.below.iter().map(|b| words::below(lang, b)).collect();
    listed(&say::below(lang, name), &all, say::semicolon(lang), width)
}

fn gaps(summary: &Summary, lang: Lang, width: usize) -> Lines {
    let gaps: Vec<String> = summary.gaps.iter().map(|g| words::gap(lang, g)).collect();
    listed(say::gaps(lang), &gaps, say::semicolon(lang), width)
}

fn next(summary: &Summary, view: &View<'_>, width: usize) -> Lines {
    let commands: Vec<String> =
        summary.next.iter().map(|n| words::command(summary, *n, view)).collect();
    plain(layout::commands(&format!("{}  ", say::next(view.lang)), &commands, width))
}
