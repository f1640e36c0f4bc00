//! A hand-written table: Markdown (`| a | b |`), CSV with a head, columns parted by two blanks, or lines that end in
//! a number. The first row names the columns, the first column the rows; equal heads are repeats of one quantity. A unit
//! stands in the head, as in `time (s)`, or behind each number. Columns of percentages that follow from others are
//! recomputed, not kept.
//!
//! Limits: it is read if no tool's output is recognised. What the numbers mean is only in their heads; they are never
//! compared with measured ones. Tables whose cells ran together are refused, with what can be seen of the damage, and CSV
//! without any unit, which is another program's.
//! Source: CommonMark's pipe tables (GFM), RFC 4180.
mod derived;
mod grid;

use crate::{
    cells::{Cell, cell, head_unit},
    prelude::*,
};
use grid::Grid;

pub(crate) static IMPORTER: Importer =
    Importer { is_fallback: true, ..Importer::new("table", recognises, read) };

fn recognises(text: &Text) -> bool {
    !matches!(grid::of(text), Err(Problem { line: None, .. }))
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let grid = grid::of(text)?;
    grid.warnings.iter().for_each(|(line, what)| found.warn(*line, what));
    let columns = columns(&grid);
    let has_unit = |c: &Column| {
        head_unit(&c.head).is_some() || c.cells.iter().flatten().flatten().any(|c| c.unit.is_some())
    };
    let none = grid.separated && !columns.iter().any(has_unit);
    Problem::when(none, "no column states a unit: write it into a head, as in `time (ms)`")?;
    let first = grid.rows.first().map_or(1, |r| r.line);
    found.warn(0, "a hand-written table: only its heads give its numbers a meaning");
    let case = found.case(first, ProbeId::Table, &[]);
    let derived = derived::check(&grid, &columns, found);
    let mut plain: Vec<&str> = vec![];
    for (i, column) in columns.iter().enumerate().filter(|(i, _)| !derived.contains(i)) {
        let stated = head_unit(&column.head);
        for (r, row) in grid.rows.iter().enumerate() {
            let cells: Vec<&Cell> = column.of(r);
            let samples: Vec<f64> =
                cells.iter().map(|c| c.value * c.unit.or(stated).map_or(1.0, |(_, f)| f)).collect();
            let Some(first) = cells.first() else { continue };
            let unit = first.unit.or(stated).map(|(u, _)| u);
            if unit.is_none() && !plain.contains(&column.head.as_str()) {
                plain.push(&column.head);
            }
            let words = |text: &str| Some(text).filter(|text| !text.is_empty()).map(Value::from);
            let repeated = columns.iter().filter(|c| c.head == column.head).count() > 1;
            let at = known([
                ("row", words(&row.label)),
                ("group", words(&row.group)),
                ("column", repeated.then(|| (i + 1).into())),
            ]);
            let metric = tidy(&column.head).as_str().into();
            found.series(case, neither(metric, unit.unwrap_or(Unit::Count)), &at, &samples);
        }
    }
    if !plain.is_empty() {
        let named: Vec<String> = plain.iter().take(6).map(|h| format!("'{}'", tidy(h))).collect();
        let heads = named.join(", ");
        found.warn(0, format!("no unit is stated for {heads}: these are bare numbers"));
    }
    Ok(())
}

/// Columns of one head, their cells by row.
struct Column {
    head: String,
    cells: Vec<Vec<Option<Cell>>>,
}

impl Column {
    fn of(&self, row: usize) -> Vec<&Cell> {
        self.cells.get(row).into_iter().flatten().flatten().collect()
    }
    /// Every number in it is a percentage.
    fn percent(&self) -> bool {
        let mut all = self.cells.iter().flatten().flatten().peekable();
        all.peek().is_some() && all.all(|c| c.unit == Some((Unit::Ratio, 0.01)))
    }
    fn mean(&self, row: usize) -> Option<f64> {
        let cells = self.of(row);
        let sum: f64 = cells.iter().map(|c| c.value).sum();
        (!cells.is_empty()).then(|| sum / cells.len() as f64)
    }
}

fn columns(grid: &Grid) -> Vec<Column> {
    let mut columns: Vec<Column> = vec![];
    for (i, head) in grid.heads.iter().enumerate() {
        let cells: Vec<Option<Cell>> = grid.rows.iter().map(|r| cell(r.cells.get(i)?)).collect();
        if cells.iter().all(Option::is_none) {
            continue;
        }
        let at = columns.iter().position(|c| c.head == *head).unwrap_or_else(|| {
            columns.push(Column { head: head.clone(), cells: vec![vec![]; grid.rows.len()] });
            columns.len() - 1
        });
        for (row, cell) in columns[at].cells.iter_mut().zip(cells) {
            row.push(cell);
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use crate::Gathered;

    #[test]
    fn separated_numbers_without_a_unit_are_refused() {
        let read = |text: &str| Gathered::default().add("a.csv", text.as_bytes());
        assert!(read("operation,threads,score\nSET,1,346762\nGET,1,446762\n").is_err());
        assert!(read("cores,queries/s\n1,9902\n2,18000\n").is_ok());
        assert!(read("test,time (s)\na,1.5\nb,2.5\n").is_ok());
        assert!(read("| test | score |\n|---|---|\n| a | 15 |\n| b | 25 |\n").is_ok());
    }
}
