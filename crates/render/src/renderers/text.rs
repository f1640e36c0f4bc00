//! For a terminal: sections under rules, tables as wide as the window, charts in characters.
use crate::heads::{folded_heads, keep_words};
use crate::renderer::{Renderer, Settings, Subject};
use crate::summary::{Style, longest_word, wrapped};
use crate::{language, quantity};
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, TableStyle};
use messages::prose;
use record::CpuSet;
use sections::chart::{Bars, Chart, Curves, Heat, HeatCell, Kind, Part, Point, Rank, range};
use sections::page::{Block, Column, Entry, Page, Section, Table};
use std::{
    collections::BTreeSet,
    io::{self, Write},
};
use unicode_width::UnicodeWidthStr;

/// For a terminal.
pub(crate) static RENDERER: Renderer = Renderer::of_all(write);

pub(crate) fn write(of: Subject<'_>, settings: &Settings, out: &mut dyn Write) -> io::Result<()> {
    Writer { settings, out }.page(of.page(settings))
}

/// The narrowest window that is honoured; below it lines are left to the terminal to break.
const NARROWEST: u16 = 20;
/// Narrower than this a curve has no room.
const NARROWEST_CURVE: usize = 34;

/// Columns beside the text of a cell.
const PADDING: usize = 2;
/// Facts whose columns are narrower stand below their names.
const NARROWEST_CELL: usize = 16;

/// A table without numbers is drawn in at most so many times the lines of its cells one after the other.
const TALLER: usize = 2;

struct Writer<'a> {
    settings: &'a Settings,
    out: &'a mut dyn Write,
}

impl Writer<'_> {
    fn width(&self) -> usize {
        self.settings.width.max(NARROWEST).into()
    }
    /// A line that is made here, in the chosen language.
    fn said(&self, english: &str) -> String {
        prose::in_language(self.settings.lang, english)
    }
    /// Text on as many lines as it takes.
    fn lines(&mut self, style: Style, text: &str) -> io::Result<()> {
        let lines = wrapped(text, self.width()).into_iter();
        let mut lines = lines.map(|line| style.on(self.settings.colour, line));
        lines.try_for_each(|line| writeln!(self.out, "{line}"))
    }

    fn page(&mut self, page: Page) -> io::Result<()> {
        let page = language::page(self.settings.lang, page);
        self.lines(Style::Heading, &page.title)?;
        let subtitle = page.subtitle.trim_end();
        if !subtitle.is_empty() {
            self.lines(Style::Faint, subtitle)?;
        }
        // A section alone lacks the environment check, and says its verdict.
        let in_full = |section: &Section| {
            section.blocks.iter().any(|block| matches!(block, Block::Banner(_)))
        };
        let measured = page.sections.iter().any(|section| section.numbers);
        let alone = measured && !page.sections.iter().any(in_full);
        if let Some(banner) = page.banner.as_ref().filter(|_| alone) {
            self.lines(Style::Check(banner.environment), &banner.short)?;
        }
        page.sections.iter().try_for_each(|section| self.section(section))
    }

    fn section(&mut self, section: &Section) -> io::Result<()> {
        let title = section.title;
        let rule = "─".repeat(self.width().saturating_sub(title.width() + 4));
        self.heading(format!("── {title} {rule}").trim_end())?;
        section.blocks.iter().try_for_each(|block| self.block(block))
    }

    fn block(&mut self, block: &Block) -> io::Result<()> {
        match block {
            Block::Heading(text) => self.heading(text),
            Block::Paragraph(text) => self.paragraph("", text),
            Block::Banner(banner) => {
                self.lines(Style::Check(banner.environment), &banner.verdict)?;
                banner.reasons.iter().try_for_each(|reason| self.paragraph("- ", reason))
            }
            Block::List(items) => items.iter().try_for_each(|item| self.paragraph("- ", item)),
            Block::Lines(lines) => lines.iter().try_for_each(|line| writeln!(self.out, "{line}")),
            Block::Entries(entries) => self.entries(entries),
            Block::Table(table) => self.table(table),
            Block::Chart(chart) => self.chart(chart),
            Block::Details(details) if self.settings.details => {
                self.heading(&details.summary)?;
                details.blocks.iter().try_for_each(|block| self.block(block))
            }
            Block::Details(details) => {
                details.instead.iter().try_for_each(|text| self.paragraph("", text))
            }
        }
    }

    /// Behind an empty line.
    fn heading(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out)?;
        self.lines(Style::Heading, text)
    }

    /// Wrapped text; lines after the first are indented by the width of the bullet.
    fn paragraph(&mut self, bullet: &str, text: &str) -> io::Result<()> {
        self.fitted(bullet, text).iter().try_for_each(|line| writeln!(self.out, "{line}"))
    }
    fn fitted(&self, bullet: &str, text: &str) -> Vec<String> {
        let wrapped = wrapped(text, self.width() - bullet.len());
        let leads =
            std::iter::once(bullet.to_owned()).chain(std::iter::repeat(" ".repeat(bullet.len())));
        leads.zip(wrapped).map(|(lead, line)| lead + &line).collect()
    }

    fn entries(&mut self, entries: &[Entry]) -> io::Result<()> {
        let source = |e: &Entry| e.source.as_ref().map_or(String::new(), |s| format!("[{s}]"));
        let widest = |of: &dyn Fn(&Entry) -> String| entries.iter().map(|e| of(e).width()).max();
        let name = widest(&|e| e.name.to_string()).unwrap_or(0);
        let room = self.width().saturating_sub(name + 3 * PADDING);
        let value = widest(&|e| e.value.to_string()).unwrap_or(0);
        let right = widest(&source).unwrap_or(0).min((room / 2).max(room.saturating_sub(value)));
        if room - right < NARROWEST_CELL {
            return entries.iter().try_for_each(|e| {
                self.paragraph("", &e.name)?;
                self.paragraph("  ", &format!("{} {}", e.value, source(e)))
            });
        }
        // Long paths and settings are cut between their parts.
        let cell = |text: &str, width: usize| match longest_word(text) > width {
            true => wrapped(text, width).join("\n"),
            false => text.to_owned(),
        };
        let mut table = Table::new(["", "", ""]);
        for e in entries {
            let value = cell(&e.value, room - right);
            table.row([e.name.to_string(), value, cell(&source(e), right.max(2))]);
        }
        let drawn = self.arranged(&table, false);
        writeln!(self.out, "{drawn}")
    }

    fn table(&mut self, table: &Table) -> io::Result<()> {
        for note in &table.notes {
            self.paragraph("", note)?;
        }
        let folded = folded_heads(table);
        let Some(fits) = [table, &folded].into_iter().find(|table| self.has_room(table)) else {
            return writeln!(self.out, "{}", self.stacked(table));
        };
        let drawn = self.arranged(fits, true);
        // Numbers are read in columns; of words, cells of many short lines are read less easily than sentences.
        let stacked =
            table.columns.iter().all(|column| !column.number).then(|| self.stacked(table));
        let is_lower =
            |lines: &String| drawn.lines().count() > TALLER * lines.lines().count().max(2);
        writeln!(self.out, "{}", stacked.filter(is_lower).as_ref().unwrap_or(&drawn))
    }

    /// Columns that each column of a table takes at least, so that no word is broken.
    fn least(table: &Table) -> Vec<usize> {
        let least = |(i, column): (usize, &Column)| {
            let cells = table.rows.iter().filter_map(|row| row.get(i));
            let widest = cells.map(|cell| longest_word(cell)).max().unwrap_or(0);
            column.name.lines().map(longest_word).fold(widest, usize::max)
        };
        table.columns.iter().enumerate().map(least).collect()
    }
    fn has_room(&self, table: &Table) -> bool {
        Self::least(table).iter().map(|width| width + PADDING + 1).sum::<usize>() <= self.width()
    }
    /// A table that has no room: each row's first cell, and below it the others with their headings.
    fn stacked(&self, table: &Table) -> String {
        let mut lines = vec![];
        for row in &table.rows {
            let Some((first, others)) = row.split_first() else { continue };
            lines.extend(self.fitted("", first));
            let named = others.iter().zip(&table.columns[1..]).filter(|(cell, _)| !cell.is_empty());
            let named: Vec<String> =
                named.map(|(cell, column)| format!("{} {cell}", column.name)).collect();
            lines.extend(self.fitted("  ", &named.join(messages::comma(self.settings.lang))));
        }
        lines.join("\n")
    }

    fn arranged(&self, table: &Table, headed: bool) -> String {
        let mut drawn = comfy_table::Table::new();
        let mut style = TableStyle::new();
        if headed {
            style = style.header_separator(LineStyle::none().fill('─').junction('─'));
            drawn.set_header(table.columns.iter().map(|c| &c.name));
        }
        drawn
            .load_style(style)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(self.settings.width.max(NARROWEST));
        for row in &table.rows {
            drawn.add_row(row);
        }
        for (i, _) in table.columns.iter().enumerate().filter(|(_, column)| column.number) {
            if let Some(column) = drawn.column_mut(i) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        if self.has_room(table) {
            let least = Self::least(table).iter().map(|width| width + PADDING).collect::<Vec<_>>();
            keep_words(&mut drawn, table, &least);
        }
        let lines: Vec<String> = drawn.lines().map(|line| line.trim_end().to_owned()).collect();
        lines.join("\n")
    }

    /// The picture; its data only where everything is to be written out. A timeline has no picture here.
    fn chart(&mut self, chart: &Chart) -> io::Result<()> {
        if matches!(chart.kind, Kind::Timeline(_) | Kind::Days(_)) && !self.settings.details {
            return Ok(());
        }
        self.heading(&chart.title)?;
        match &chart.kind {
            _ if !chart.is_worth_drawing() => return self.table(&chart.table),
            Kind::Curves(curves) if curves.linear || self.width() < NARROWEST_CURVE => {
                return self.table(&chart.table);
            }
            Kind::Curves(curves) => self.curves(curves)?,
            Kind::Bars(bars) => return self.bars(bars),
            Kind::Heat(heat) => return self.heat(heat, chart),
            Kind::Drawing(part) => self.tree(part, 0)?,
            Kind::Timeline(_) | Kind::Days(_) => {}
            Kind::Waterfall(waterfall) => {
                for line in crate::falls::lines(waterfall, self.width()) {
                    writeln!(self.out, "{}", line.trim_end())?;
                }
                return self.table(&chart.table);
            }
        }
        if self.settings.details { self.table(&chart.table) } else { Ok(()) }
    }

    /// A picture in characters.
    fn curves(&mut self, curves: &Curves) -> io::Result<()> {
        const ROWS: usize = 14;
        let columns = self.width().saturating_sub(14).clamp(20, 72);
        let shown = |p: &&Point| p.x > 0.0 && p.y > 0.0;
        let points = || curves.lines.iter().flat_map(|l| &l.points).filter(shown);
        let (left, right) = range(points().map(|p| p.x));
        let (low, high) = range(points().map(|p| p.y));
        if left >= right || low >= high {
            return Ok(());
        }
        let place = |x: f64, from: f64, to: f64, cells: usize| {
            ((x / from).ln() / (to / from).ln() * (cells - 1) as f64).round() as usize
        };
        let mut picture = vec![vec![' '; columns]; ROWS];
        let symbols = ['o', '+', 'x', '#', '*', '%'];
        for (line, symbol) in curves.lines.iter().zip(symbols.iter().cycle()) {
            for p in line.points.iter().filter(shown) {
                picture[ROWS - 1 - place(p.y, low, high, ROWS)][place(p.x, left, right, columns)] =
                    *symbol;
            }
        }
        for (i, row) in picture.iter().enumerate() {
            let label = match i {
                0 => quantity::plain(high, curves.axes.y.1),
                i if i == ROWS - 1 => quantity::plain(low, curves.axes.y.1),
                _ => String::new(),
            };
            let line = format!("{label:>9} │{}", row.iter().collect::<String>());
            writeln!(self.out, "{}", line.trim_end())?;
        }
        let x = |at| quantity::plain(at, curves.axes.x.1);
        let (from, to) = (x(left), x(right));
        writeln!(self.out, "{:>9} └{}", "", "─".repeat(columns))?;
        let width = columns.saturating_sub(from.len());
        writeln!(self.out, "{:>11}{from}{to:>width$}", "")?;
        for (line, symbol) in curves.lines.iter().zip(symbols.iter().cycle()) {
            self.paragraph(&format!("{:>11}{symbol} ", ""), &line.label)?;
        }
        Ok(())
    }

    fn bars(&mut self, bars: &Bars) -> io::Result<()> {
        let values = bars.bars.iter().map(|b| b.value);
        let largest = values.filter(|v| v.is_finite()).fold(0.0, f64::max);
        let heads: Vec<String> =
            bars.bars.iter().map(|b| format!("{} {}", b.label, bars.groups[b.group])).collect();
        let texts = bars.bars.iter().map(|b| b.text.width()).max().unwrap_or(0);
        let most = (self.width() / 2).min(self.width().saturating_sub(texts + 6));
        let longest = heads.iter().map(|h| h.width()).max().unwrap_or(0).min(most);
        let room = self.width().saturating_sub(longest + texts + 2).clamp(4, 50);
        for (bar, head) in bars.bars.iter().zip(&heads) {
            let share =
                if largest > 0.0 && bar.value.is_finite() { bar.value / largest } else { 0.0 };
            let drawn = "█".repeat((share.clamp(0.0, 1.0) * room as f64).round() as usize);
            // A name without room has a line of its own.
            let mut head = head.as_str();
            if head.width() > longest {
                self.paragraph("", head)?;
                head = "";
            }
            let gap = " ".repeat(longest.saturating_sub(head.width()) + 1);
            writeln!(self.out, "{head}{gap}{drawn} {}", bar.text)?;
        }
        Ok(())
    }

    /// A matrix, if it fits the window; a larger one is left to the other formats.
    fn heat(&mut self, heat: &Heat, chart: &Chart) -> io::Result<()> {
        let cell = heat.cells.iter().map(|c| c.text.chars().count()).max().unwrap_or(1) + 3;
        let columns = heat.to.as_ref().unwrap_or(&heat.cpus).len();
        if (columns + 1) * cell <= self.width() {
            return self.table(&chart.table);
        }
        if heat.cpus.len() + 8 <= self.width() {
            return self.shades(heat);
        }
        let pairs = heat.cells.len();
        let note = format!(
            "{pairs} pairs do not fit {} columns; the formats html and csv show them.",
            self.width()
        );
        self.paragraph("", &self.said(&note))
    }

    /// One character a pair, darker is faster, as on the page.
    fn shades(&mut self, heat: &Heat) -> io::Result<()> {
        const SHADES: [char; 4] = ['█', '▓', '▒', '░'];
        let value = |c: &&HeatCell| c.value.is_finite() && c.value > 0.0;
        let logs: Vec<f64> = heat.cells.iter().filter(value).map(|c| c.value.ln()).collect();
        let (low, high) = range(logs.iter().copied());
        let mut rows = vec![vec![' '; heat.cpus.len()]; heat.cpus.len()];
        for cell in heat.cells.iter().filter(value) {
            let share = (cell.value.ln() - low) / (high - low).max(1e-9);
            let shade = SHADES[((share * 4.0) as usize).min(3)];
            for (row, column) in [(cell.row, cell.column), (cell.column, cell.row)] {
                if let Some(place) = rows.get_mut(row).and_then(|r| r.get_mut(column)) {
                    *place = shade;
                }
            }
        }
        for (cpu, row) in heat.cpus.iter().zip(rows) {
            writeln!(self.out, "{cpu:>5}  {}", row.into_iter().collect::<String>())?;
        }
        let key: Vec<String> = SHADES
            .iter()
            .zip([0.125, 0.375, 0.625, 0.875])
            .map(|(shade, share)| {
                let middle = (low + share * (high - low)).exp();
                format!("{shade} about {}", quantity::plain(middle, heat.unit))
            })
            .collect();
        self.paragraph("", &self.said(&format!("Rows and columns are CPUs: {}.", key.join(", "))))
    }

    /// One line a part, cores that are alike on one line, and what all cores have said once, at the end.
    fn tree(&mut self, part: &Part, depth: usize) -> io::Result<()> {
        let mut notes = BTreeSet::new();
        core_notes(part, &mut notes);
        let common = notes.len() == 1;
        self.subtree(part, depth, common)?;
        match notes.into_iter().next() {
            Some(note) if common && !note.is_empty() => {
                self.paragraph("  ", &self.said(&format!("Every core: {note}")))
            }
            _ => Ok(()),
        }
    }

    fn subtree(&mut self, part: &Part, depth: usize, common: bool) -> io::Result<()> {
        /// More parts alike than this are shown by their number.
        const SHOWN: usize = 8;
        let indent = "  ".repeat(depth);
        let note = if part.note.is_empty() { String::new() } else { format!(": {}", part.note) };
        let off = if part.off { " (offline)" } else { "" };
        let head = format!("{}{note}{off}", part.label);
        let lines: Vec<&[Part]> = part.parts.chunk_by(alike_cores).collect();
        if let [cores] = lines[..]
            && cores[0].rank >= Rank::Core
            && part.note.is_empty()
        {
            let line = self.said(&format!("{head}: {}", cores_line(cores, common)));
            return self.paragraph(&indent, &line);
        }
        self.paragraph(&indent, &self.said(&head))?;
        let mut rest = &lines[..];
        while let Some((first, after)) = rest.split_first() {
            if first[0].rank >= Rank::Core {
                let line = self.said(&cores_line(first, common));
                self.paragraph(&format!("{indent}  "), &line)?;
                rest = after;
                continue;
            }
            let folds = matches!(first[0].rank, Rank::Cache | Rank::Cluster);
            let same = |other: &&&[Part]| folds && same_form(&first[0], &other[0]);
            let alike = rest.iter().take_while(same).count().max(1);
            let shown = if alike > SHOWN { SHOWN / 2 } else { alike };
            for part in &rest[..shown] {
                self.subtree(&part[0], depth + 1, common)?;
            }
            if alike > shown {
                let cpus: CpuSet = rest[shown..alike].iter().flat_map(|p| threads(&p[0])).collect();
                let more = format!("and {} more like it, CPUs {cpus}", alike - shown);
                self.paragraph(&format!("{indent}  "), &self.said(&more))?;
            }
            rest = &rest[alike..];
        }
        Ok(())
    }
}

/// Resources that cores in use have of their own.
fn core_notes<'a>(part: &'a Part, notes: &mut BTreeSet<&'a str>) {
    if part.rank == Rank::Core && !part.off {
        notes.insert(&part.note);
    }
    part.parts.iter().for_each(|inner| core_notes(inner, notes));
}

fn threads(part: &Part) -> Vec<u32> {
    match part.rank {
        Rank::Thread => part.label.parse().into_iter().collect(),
        _ => part.parts.iter().flat_map(threads).collect(),
    }
}

/// Whether two neighbours are cores, or threads of unknown cores, that differ in their numbers only.
fn alike_cores(a: &Part, b: &Part) -> bool {
    a.rank >= Rank::Core
        && a.rank == b.rank
        && a.cores.or(b.cores).is_none()
        && (&a.note, a.off, a.parts.len(), kind(a)) == (&b.note, b.off, b.parts.len(), kind(b))
}

/// The kind in a core's label: `(efficiency)`.
fn kind(core: &Part) -> Option<&str> {
    core.label.split_once('(').map(|(_, kind)| kind.trim_end_matches(')'))
}

/// Whether two parts are built alike: what a reader of the first needs not read again.
fn same_form(a: &Part, b: &Part) -> bool {
    let named = |part: &Part| matches!(part.rank, Rank::Cache).then(|| part.label.clone());
    (a.rank, &a.note, a.off, named(a), kind(a)) == (b.rank, &b.note, b.off, named(b), kind(b))
        && a.parts.len() == b.parts.len()
        && a.parts.iter().zip(&b.parts).all(|(a, b)| same_form(a, b))
}

/// `6 performance cores with 2 threads each, CPUs 0-11: L1d 48 KiB`.
fn cores_line(alike: &[Part], common: bool) -> String {
    let threads: CpuSet = alike.iter().flat_map(threads).collect();
    let first = &alike[0];
    let kind = kind(first).map_or(String::new(), |kind| format!("{kind} "));
    let count = first.cores.unwrap_or(alike.len());
    let cores = if count == 1 { "core" } else { "cores" };
    let each = match first.parts.len() / first.cores.unwrap_or(1) {
        0 | 1 => String::new(),
        each => format!(" with {each} threads each"),
    };
    let off = if first.off { " (offline)" } else { "" };
    let note = match first.note.as_str() {
        "" => String::new(),
        _ if common => String::new(),
        note => format!(": {note}"),
    };
    match first.rank {
        Rank::Thread => format!("CPUs {threads}{off}"),
        _ => format!("{count} {kind}{cores}{each}, CPUs {threads}{note}{off}"),
    }
}
