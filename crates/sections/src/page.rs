//! What a rendering says, before it is known how it looks: sections made of blocks. Text, Markdown and HTML
//! lay out the same page, so a new section is written once.
use crate::chart::{Chart, Kind, Part};
use crate::say;
use crate::{quantity, section};
use analyse::Report;
use analyse::compare::Comparison;
use record::{Environment, Judgement, Machine, Text};

/// A whole report, or what is known of a machine.
#[derive(Debug, Clone)]
pub struct Page {
    /// Its title.
    pub title: Text,
    /// When and with what, in one line.
    pub subtitle: Text,
    /// Fitness of the machine; nothing where nothing was measured.
    pub banner: Option<Banner>,
    /// In reading order.
    pub sections: Vec<Section>,
}

/// One topic.
#[derive(Debug, Clone)]
pub struct Section {
    /// Name for links.
    pub id: &'static str,
    /// Heading.
    pub title: &'static str,
    /// Whether it shows measured numbers: alone on a page it needs the verdict of the environment check.
    pub numbers: bool,
    /// Its content.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Debug, Clone)]
pub enum Block {
    /// A heading inside the section.
    Heading(Text),
    /// Sentences.
    Paragraph(Text),
    /// The environment check in full.
    Banner(Banner),
    /// Short texts of equal rank.
    List(Vec<Text>),
    /// Lines to be pasted as they are, never wrapped.
    Lines(Vec<String>),
    /// Names and values with their sources.
    Entries(Vec<Entry>),
    /// Rows.
    Table(Table),
    /// A picture with its data.
    Chart(Box<Chart>),
    /// Details that most readers skip.
    Details(Details),
}

/// Whether the machine was fit to be measured.
#[derive(Debug, Clone)]
pub struct Banner {
    /// The verdict.
    pub environment: Environment,
    /// The verdict in a sentence.
    pub verdict: Text,
    /// The verdict and the gravest reason in one line.
    pub short: Text,
    /// Every reason, with its remedy.
    pub reasons: Vec<Text>,
}

/// A named value.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The name.
    pub name: Text,
    /// Its value, or why there is none.
    pub value: Text,
    /// Whether there is one.
    pub known: bool,
    /// Its source.
    pub source: Option<Text>,
}

impl Entry {
    /// A known value without a file behind it.
    pub fn known(name: impl Into<Text>, value: impl Into<Text>) -> Entry {
        Entry { name: name.into(), value: value.into(), known: true, source: None }
    }
    /// Adds the source of the value.
    #[must_use]
    pub fn from(mut self, source: impl Into<Text>) -> Entry {
        self.source = Some(source.into());
        self
    }
}

/// Rows under headings.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Common properties of the rows.
    pub notes: Vec<Text>,
    /// Headings.
    pub columns: Vec<Column>,
    /// Cells, as many in each row as there are headings.
    pub rows: Vec<Vec<Text>>,
}

/// The heading of a column.
#[derive(Debug, Clone, Default)]
pub struct Column {
    /// Its words.
    pub name: Text,
    /// Whether the cells are numbers, set flush right.
    pub number: bool,
    /// Whether the cells are names of a user's, which are the same in every language.
    pub verbatim: bool,
}

impl Table {
    /// An empty table. A name that begins with `#` is a column of numbers, one with `@` of a user's names.
    pub fn new<S: AsRef<str>>(columns: impl IntoIterator<Item = S>) -> Table {
        let column = |name: S| {
            let name = name.as_ref();
            Column {
                name: name.strip_prefix(['#', '@']).unwrap_or(name).to_owned().into(),
                number: name.starts_with('#'),
                verbatim: name.starts_with('@'),
            }
        };
        Table { columns: columns.into_iter().map(column).collect(), ..Table::default() }
    }
    /// Cells by the numbers of their rows and columns, which are headings.
    pub(crate) fn matrix(of: &str, from: &[u32], to: &[u32], cells: Vec<Vec<String>>) -> Table {
        let heads = std::iter::once(of.to_owned()).chain(to.iter().map(|n| format!("#{n}")));
        let row = |(n, row): (&u32, Vec<String>)| {
            std::iter::once(n.to_string()).chain(row).map(Text::from).collect()
        };
        Table { rows: from.iter().zip(cells).map(row).collect(), ..Table::new(heads) }
    }

    /// A row for each item, each cell behind the heading above it; without items there are no columns.
    pub(crate) fn of<'h, T, C: Into<Text>, const N: usize>(
        items: impl IntoIterator<Item = T>,
        row: impl FnMut(T) -> [(&'h str, C); N],
    ) -> Table {
        let mut table = Table::default();
        items.into_iter().map(row).for_each(|row| table.headed(row));
        table
    }
    /// Adds a row, each cell behind the heading above it. The first row makes the columns.
    pub fn headed<const N: usize>(&mut self, row: [(&str, impl Into<Text>); N]) {
        if self.columns.is_empty() {
            self.columns = Table::new(row.iter().map(|(name, _)| name)).columns;
        }
        self.row(row.map(|(_, cell)| cell.into()));
    }
    /// Adds a row.
    pub fn row<const N: usize>(&mut self, cells: [impl Into<Text>; N]) {
        self.add(cells);
    }
    /// Adds a row of any length.
    pub fn add<T: Into<Text>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }
    /// Adds a note above it.
    pub fn note(&mut self, note: impl Into<Text>) {
        self.notes.push(note.into());
    }
    /// A column for each row: where rows are few and columns many.
    pub(crate) fn turned(self) -> Table {
        let mut lines = self.rows.into_iter().map(Vec::into_iter).collect::<Vec<_>>();
        let mut line = |name: Text| {
            let cells = lines.iter_mut().map(|cells| cells.next().unwrap_or_default());
            std::iter::once(name).chain(cells).collect::<Vec<_>>()
        };
        let mut rows = self.columns.into_iter().map(|column| line(column.name));
        let head = rows.next().unwrap_or_default();
        let columns = head.into_iter().map(|name| Column { name, ..Column::default() }).collect();
        Table { notes: self.notes, columns, rows: rows.collect() }
    }
    /// Drops columns without content. The first column stays.
    #[must_use]
    pub(crate) fn without_empty(mut self) -> Table {
        for i in (1..self.columns.len()).rev() {
            if !self.rows.is_empty() && self.rows.iter().all(|row| row[i].is_empty()) {
                self.remove(i);
            }
        }
        self
    }
    /// The same, and moves what is the same in every row into a note, so that the numbers have room.
    #[must_use]
    pub fn folded(self) -> Table {
        let mut table = self.without_empty();
        for i in (1..table.columns.len()).rev() {
            let [first, others @ ..] = &table.rows[..] else { continue };
            let same = !others.is_empty() && others.iter().all(|row| row[i] == first[i]);
            if same && !table.columns[i].number {
                let first = first[i].clone();
                let column = table.remove(i);
                table.notes.insert(0, format!("{}: {first}", column.name).into());
            }
        }
        table
    }
    fn remove(&mut self, column: usize) -> Column {
        self.rows.iter_mut().for_each(|row| drop(row.remove(column)));
        self.columns.remove(column)
    }
}

/// Details that are folded away where a format can fold.
#[derive(Debug, Clone)]
pub struct Details {
    /// The title of the details.
    pub summary: Text,
    /// The inside.
    pub blocks: Vec<Block>,
    /// The paragraph where a format leaves them out; it may leave them out in silence.
    pub instead: Option<Text>,
}

impl Block {
    /// Blocks that most readers skip.
    pub fn details(summary: impl Into<Text>, blocks: Vec<Block>) -> Block {
        Block::Details(Details { summary: summary.into(), blocks, instead: None })
    }
    /// A heading inside a section.
    pub(crate) fn heading(text: impl Into<Text>) -> Block {
        Block::Heading(text.into())
    }
    /// A list, even of nothing.
    pub(crate) fn items<T: Into<Text>>(items: impl IntoIterator<Item = T>) -> Block {
        Block::List(items.into_iter().map(Into::into).collect())
    }
    /// A paragraph.
    pub fn text(text: impl Into<Text>) -> Block {
        Block::Paragraph(text.into())
    }
    /// A chart.
    pub fn chart(chart: Chart) -> Block {
        Block::Chart(Box::new(chart))
    }
    /// A table; nothing where it has no rows.
    pub(crate) fn table(table: Table) -> Vec<Block> {
        if table.rows.is_empty() { vec![] } else { vec![Block::Table(table)] }
    }

    /// A list; nothing where it has no items.
    pub(crate) fn list<T: Into<Text>>(items: Vec<T>) -> Option<Block> {
        (!items.is_empty()).then(|| Block::items(items))
    }

    /// A table below its heading; nothing where it has no rows.
    pub(crate) fn titled(title: impl Into<Text>, table: Table) -> Vec<Block> {
        let heading = (!table.rows.is_empty()).then(|| Block::Heading(title.into()));
        heading.into_iter().chain(Block::table(table)).collect()
    }
    /// A list below its heading; nothing where it has no items.
    pub(crate) fn listed<T: Into<Text>>(title: impl Into<Text>, items: Vec<T>) -> Vec<Block> {
        let heading = (!items.is_empty()).then(|| Block::Heading(title.into()));
        heading.into_iter().chain(Block::list(items)).collect()
    }
    /// A table that most readers skip.
    pub fn folded(summary: impl Into<Text>, table: Table) -> Block {
        Block::details(summary, vec![Block::Table(table)])
    }
}

impl Page {
    /// Sections about something.
    pub fn new(title: impl Into<Text>, subtitle: impl Into<Text>, sections: Vec<Section>) -> Page {
        Page { title: title.into(), subtitle: subtitle.into(), banner: None, sections }.harmless()
    }
    /// Sections about a record, under its name and its environment check.
    pub(crate) fn of_record(report: &Report<'_>, subtitle: Text, sections: Vec<Section>) -> Page {
        let made = &report.record.provenance;
        let machine = || match made.other_machines().len() {
            0 => section::machine_name(&report.record.machine),
            others => say::machines_title(others + 1),
        };
        let page = Page {
            title: match (&made.name, made.called()) {
                (Some(name), _) => name.clone().into(),
                (None, Some(host)) => format!("{}, {host}", machine()).into(),
                (None, None) => machine(),
            },
            subtitle,
            banner: Some(section::banner(report.get::<Judgement>())),
            sections,
        };
        page.harmless()
    }
    /// The page of a report, or of one section of it. `started` is the start of the run in the reader's zone, if that is known.
    pub fn of_report(report: &Report<'_>, section: Option<&str>, started: Option<&str>) -> Page {
        let made = &report.record.provenance;
        let mut subtitle = format!("{} {}", made.tool, made.version);
        if let Some(depth) = &made.depth {
            subtitle += &format!(", depth {depth}");
        }
        let recorded = || made.started.as_deref().map(record::minute);
        if let Some(started) = started.map(str::to_owned).or_else(recorded) {
            subtitle += &format!(", started {started}");
        }
        Page::of_record(report, subtitle.into(), section::of_report(report, section))
    }
    /// The page of a machine that has not been measured.
    pub fn of_machine(machine: &Machine) -> Page {
        let subtitle = say::PAGE_WHAT_MACHINE_SAYS_ABOUT;
        Page::new(section::machine_name(machine), subtitle, section::of_machine(machine))
    }
    /// The page of several records side by side.
    pub fn of_comparison(comparison: &Comparison) -> Page {
        let name = |side: usize| comparison.sides.get(side).map_or("", |s| s.name.as_str());
        let others: Vec<usize> = comparison.others().collect();
        let who = match others[..] {
            [one] => name(one).to_owned(),
            _ => quantity::counted(others.len(), "record"),
        };
        let rows = comparison.rows.len();
        let noun = if rows == 1 { "quantity" } else { "quantities" };
        let base = name(comparison.baseline);
        let subtitle = format!(
            "{rows} {noun} that two records or more have; ratios are to the baseline, {base}"
        );
        Page::new(format!("{who} against {base}"), subtitle, section::of_comparison(comparison))
    }
    /// Hostile characters made visible.
    fn harmless(mut self) -> Page {
        self.each_text(&mut |text| text.change(record::printable));
        self
    }
    /// Every text on the page but the sections' titles, to be changed in place.
    fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
        change(&mut self.title);
        change(&mut self.subtitle);
        if let Some(banner) = &mut self.banner {
            banner.each_text(change);
        }
        for block in self.sections.iter_mut().flat_map(|s| &mut s.blocks) {
            block.each_text(change);
        }
    }
}

impl Chart {
    /// Every text of the chart but names of axes and panels, to be changed in place.
    pub fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
        change(&mut self.title);
        change(&mut self.description);
        self.table.each_text(true, change);
        match &mut self.kind {
            Kind::Curves(curves) => {
                for line in curves.lines.iter_mut().chain(&mut curves.others) {
                    change(&mut line.label);
                    line.plateaus.iter_mut().for_each(|p| {
                        change(&mut p.name);
                        change(&mut p.value);
                    });
                }
                curves.guides.iter_mut().for_each(|g| change(&mut g.label));
            }
            Kind::Bars(bars) => {
                bars.groups.iter_mut().for_each(&mut *change);
                for bar in &mut bars.bars {
                    change(&mut bar.label);
                    change(&mut bar.text);
                }
            }
            Kind::Heat(heat) => {
                for cell in &mut heat.cells {
                    change(&mut cell.text);
                    change(&mut cell.title);
                }
            }
            Kind::Timeline(_) => {}
            Kind::Days(days) => {
                days.ticks.iter_mut().for_each(|(_, text)| change(text));
                days.settings.iter_mut().for_each(|(_, text)| change(text));
                for figure in &mut days.figures {
                    change(&mut figure.label);
                    figure.changes.iter_mut().for_each(|(.., text)| change(text));
                }
            }
            Kind::Drawing(part) => each_part(part, change),
            Kind::Waterfall(falls) => {
                for fall in falls {
                    change(&mut fall.label);
                    change(&mut fall.text);
                }
            }
        }
    }
}

impl Section {
    /// One that repeats no environment check above it.
    pub fn new(id: &'static str, title: &'static str, blocks: Vec<Block>) -> Section {
        Section { id, title, numbers: false, blocks }
    }
}

impl Banner {
    /// Every text of it, to be changed in place.
    pub fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
        change(&mut self.verdict);
        change(&mut self.short);
        self.reasons.iter_mut().for_each(change);
    }
}

impl Table {
    /// Every text, to be changed in place; a user's names only where they are asked for.
    pub fn each_text(&mut self, names: bool, change: &mut dyn FnMut(&mut Text)) {
        self.notes.iter_mut().for_each(&mut *change);
        self.columns.iter_mut().for_each(|c| change(&mut c.name));
        let changed = |column: &Column| names || !column.verbatim;
        for row in &mut self.rows {
            let cells = row.iter_mut().zip(&self.columns).filter(|(_, column)| changed(column));
            cells.for_each(|(cell, _)| change(cell));
        }
    }
}

impl Block {
    /// Every text of the block, to be changed in place.
    pub fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
        match self {
            Block::Heading(text) | Block::Paragraph(text) => change(text),
            Block::Banner(banner) => banner.each_text(change),
            Block::List(items) => items.iter_mut().for_each(change),
            Block::Lines(lines) => lines.iter_mut().for_each(|line| of_string(line, change)),
            Block::Entries(entries) => {
                for entry in entries {
                    change(&mut entry.name);
                    change(&mut entry.value);
                    entry.source.iter_mut().for_each(&mut *change);
                }
            }
            Block::Table(table) => table.each_text(true, change),
            Block::Chart(chart) => chart.each_text(change),
            Block::Details(details) => {
                change(&mut details.summary);
                details.instead.iter_mut().for_each(&mut *change);
                details.blocks.iter_mut().for_each(|b| b.each_text(change));
            }
        }
    }
}

fn of_string(text: &mut String, change: &mut dyn FnMut(&mut Text)) {
    let mut made = Text::from(std::mem::take(text));
    change(&mut made);
    *text = made.to_string();
}

fn each_part(part: &mut Part, change: &mut dyn FnMut(&mut Text)) {
    change(&mut part.label);
    change(&mut part.note);
    part.parts.iter_mut().for_each(|p| each_part(p, change));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mark_makes_a_column_of_numbers_and_a_name_keeps_its_own() {
        let table = Table::new(["#median", "##1 of 2", "case"]);
        let heads: Vec<(&str, bool)> =
            table.columns.iter().map(|c| (c.name.as_str(), c.number)).collect();
        assert_eq!(heads, [("median", true), ("#1 of 2", true), ("case", false)]);
    }
}
