//! The tables of the publications, made from the transcribed results: a row for each system, and a flag at each cell that
//! contradicts other results.
mod layouts;

use crate::reference::{Measurement, Reference};
pub(crate) use layouts::ALL;
pub use layouts::numa_distance;
use record::Sort;
use std::collections::BTreeSet;

/// A table.
#[derive(Debug, Clone)]
pub struct Table {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The publications of its figures: id, title and lines of each.
    pub printed_in: Vec<String>,
    /// Heads, that of the rows first.
    pub columns: Vec<String>,
    /// In the order of the source.
    pub rows: Vec<Row>,
}

/// A row.
#[derive(Debug, Clone)]
pub struct Row {
    /// The row's label.
    pub label: String,
    /// As many as there are columns beside the first.
    pub cells: Vec<Cell>,
}

/// A cell.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    /// The printed text; empty where the source has no such cell.
    pub text: String,
    /// The measurements in it, by id; none where it is computed here.
    pub of: Vec<String>,
    /// Contradictions with other figures: sentences without their full stop.
    pub warnings: Vec<String>,
}

/// The rows and columns of a table.
pub(crate) struct Layout {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) make: fn(&Reference) -> Grid,
}

impl Layout {
    pub(crate) fn of(&self, reference: &Reference) -> Table {
        let grid = (self.make)(reference);
        let mut whence: Vec<(String, BTreeSet<u32>)> = vec![];
        let mut cell = |held: &CellFigures<'_>| {
            for m in &held.figures {
                match whence.iter_mut().find(|(p, _)| *p == m.publication) {
                    Some((_, lines)) => _ = lines.insert(m.line),
                    None => whence.push((m.publication.clone(), [m.line].into())),
                }
            }
            Cell {
                text: held.text(),
                of: held.figures.iter().map(|m| m.id.clone()).collect(),
                warnings: warnings(reference, &held.figures),
            }
        };
        let mut rows = vec![];
        for (label, cells) in grid.rows {
            rows.push(Row { label, cells: cells.iter().map(&mut cell).collect() });
        }
        let passage = |(id, lines): &(String, BTreeSet<u32>)| {
            let title = reference.publication(id).map_or("", |p| p.title.as_str());
            let (first, last) = (lines.first().unwrap_or(&0), lines.last().unwrap_or(&0));
            format!("{id} ({title}), lines {first} to {last}")
        };
        let printed_in = whence.iter().map(passage).collect();
        let columns = [grid.head.to_owned()].into_iter().chain(grid.columns).collect();
        Table { name: self.name, title: self.title, printed_in, columns, rows }
    }
}

/// Contradictions of the figures of a cell, each once.
fn warnings(reference: &Reference, figures: &[&Measurement]) -> Vec<String> {
    let about = |w: &&crate::SanityWarning| figures.iter().any(|m| w.measurements.contains(&m.id));
    record::distinct(reference.warnings.iter().filter(about).map(|warning| warning.what.clone()))
}

/// A table on its way.
pub(crate) struct Grid<'a> {
    pub(crate) head: &'static str,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<(String, Vec<CellFigures<'a>>)>,
}

/// The figures of a cell.
#[derive(Clone, Default)]
pub(crate) struct CellFigures<'a> {
    pub(crate) figures: Vec<&'a Measurement>,
    /// Computed here.
    pub(crate) derived: Option<String>,
}

impl CellFigures<'_> {
    fn text(&self) -> String {
        match &self.derived {
            Some(text) => text.clone(),
            None => self.figures.iter().map(|m| shown(m)).collect::<Vec<_>>().join("; "),
        }
    }
}

/// A figure as it is printed, with what stands beside it; words of another language are left out.
fn shown(m: &Measurement) -> String {
    let mut text = match (m.printed.is_ascii(), m.value) {
        (true, _) => m.printed.clone(),
        (false, Some(value)) => value.to_string(),
        (false, None) => "n/a".into(),
    };
    if let Some(ipc) = &m.ipc_printed {
        text += &format!(" IPC {ipc}");
    }
    match m.cpu_percent {
        Some((a, b)) if a == b => text += &format!(" CPU {a}%"),
        Some((a, b)) => text += &format!(" CPU {a}-{b}%"),
        None => {}
    }
    if m.jitter {
        text += " jitter";
    }
    text
}

impl<'a> Grid<'a> {
    /// Rows and columns in the order in which they first appear.
    pub(crate) fn pivot(
        head: &'static str,
        figures: impl Iterator<Item = &'a Measurement>,
        row: impl Fn(&Measurement) -> String,
        column: impl Fn(&Measurement) -> String,
    ) -> Grid<'a> {
        let mut grid = Grid { head, columns: vec![], rows: vec![] };
        for m in figures {
            grid.cell(&row(m), &column(m)).figures.push(m);
        }
        grid.level();
        grid
    }
    /// The cell of a row and column, made if it is not there.
    pub(crate) fn cell(&mut self, row: &str, column: &str) -> &mut CellFigures<'a> {
        let c = self.columns.iter().position(|x| x == column).unwrap_or_else(|| {
            self.columns.push(column.to_owned());
            self.columns.len() - 1
        });
        let r = self.rows.iter().position(|(x, _)| x == row).unwrap_or_else(|| {
            self.rows.push((row.to_owned(), vec![]));
            self.rows.len() - 1
        });
        let cells = &mut self.rows[r].1;
        if cells.len() <= c {
            cells.resize_with(c + 1, CellFigures::default);
        }
        &mut cells[c]
    }
    /// Columns by what `by` makes of their heads.
    pub(crate) fn sort_columns<K: Ord>(mut self, by: impl Fn(&str) -> K) -> Grid<'a> {
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        order.order_by_key(|i| by(&self.columns[*i]));
        self.columns = order.iter().map(|i| self.columns[*i].clone()).collect();
        for (_, cells) in &mut self.rows {
            *cells = order.iter().map(|i| cells[*i].clone()).collect();
        }
        self
    }
    /// Every row as long as the head.
    pub(crate) fn level(&mut self) {
        let width = self.columns.len();
        self.rows.iter_mut().for_each(|(_, cells)| cells.resize_with(width, CellFigures::default));
    }
}
