//! Columns of percentages: which of the others they follow from, and which rows do not.
use super::{Column, grid::Grid};
use crate::prelude::*;

/// More columns than this are not tried in pairs.
const MOST: usize = 24;
type Relation = (fn(f64, f64) -> f64, &'static str);
const RELATIONS: [Relation; 3] = [
    (|a, b| a / b, "over"),
    (|a, b| a / b - 1.0, "over, less one,"),
    (|a, b| 1.0 - a / b, "one less, over,"),
];

/// The columns that follow from others. A row that does not follow gives a warning.
pub(super) fn check(grid: &Grid, columns: &[Column], found: &mut Found) -> Vec<usize> {
    let mut derived = vec![];
    if columns.len() > MOST {
        return derived;
    }
    for (p, column) in columns.iter().enumerate().filter(|(_, c)| c.percent()) {
        let rows: Vec<usize> = (0..grid.rows.len()).filter(|r| column.of(*r).len() == 1).collect();
        let mut best: Option<(usize, usize, usize, Relation)> = None;
        for (a, above) in columns.iter().enumerate().filter(|(a, c)| *a != p && !c.percent()) {
            for (b, below) in
                columns.iter().enumerate().filter(|(b, c)| *b != p && *b != a && !c.percent())
            {
                for relation in RELATIONS {
                    let fits =
                        |r: &&usize| follows(column, above, below, relation, **r) == Some(true);
                    let fits = rows.iter().filter(fits).count();
                    if best.is_none_or(|(most, ..)| fits > most) {
                        best = Some((fits, a, b, relation));
                    }
                }
            }
        }
        let Some((fits, a, b, relation)) =
            best.filter(|(fits, ..)| *fits >= 2 && fits * 5 >= rows.len() * 3)
        else {
            continue;
        };
        derived.push(p);
        let (above, below) = (&columns[a], &columns[b]);
        for r in rows.iter().filter(|r| follows(column, above, below, relation, **r) == Some(false))
        {
            let row = &grid.rows[*r];
            let printed = column.of(*r).first().map_or("", |c| c.printed.as_str());
            if let (Some(x), Some(y)) = (above.mean(*r), below.mean(*r)) {
                let gives = relation.0(x, y) * 100.0;
                let (head, label) = (tidy(&column.head), &row.label);
                let what = format!(
                    "'{head}' of {label} is printed as {printed} %, and the columns give {gives:.2} %"
                );
                found.warn(row.line, what);
            }
        }
        let head = tidy(&column.head);
        found.warn(0, format!("the column '{head}' follows from '{}' {} '{}' in {fits} of {} rows: it is not kept", tidy(&above.head), relation.1, tidy(&below.head), rows.len()));
        overlap(grid, above, below, found);
        if ["降低", "reduction", "drop", "loss"].iter().any(|w| column.head.contains(w)) {
            let ratio = |r: &usize| Some(below.mean(*r)? / above.mean(*r)?).filter(|x| *x > 1.02);
            let more: Vec<f64> = rows.iter().filter_map(ratio).collect();
            if let Some(most) = more.iter().copied().reduce(f64::max) {
                found.warn(0, format!("'{head}' means a reduction, and in {} rows '{}' is larger, by up to {:.1} %: the columns are swapped, or it is noise", more.len(), tidy(&below.head), (most - 1.0) * 100.0));
            }
        }
    }
    derived
}

fn follows(
    p: &Column,
    above: &Column,
    below: &Column,
    relation: Relation,
    row: usize,
) -> Option<bool> {
    let cell = *p.of(row).first()?;
    let (a, b) = (above.mean(row)?, below.mean(row)?);
    (b != 0.0).then(|| agree(cell.value, relation.0(a, b) * 100.0, rounding(&cell.printed) * 1.02))
}

/// Warns of columns whose repeats overlap: they show no difference.
fn overlap(grid: &Grid, above: &Column, below: &Column, found: &mut Found) {
    for (r, row) in grid.rows.iter().enumerate() {
        let ends = |c: &Column| -> Option<(f64, f64)> {
            let all: Vec<f64> = c.of(r).iter().map(|c| c.value).collect();
            let end = |of: fn(f64, f64) -> f64| all.iter().copied().reduce(of);
            end(f64::min).zip(end(f64::max)).filter(|_| all.len() > 1)
        };
        if let (Some((a, b)), Some((c, d))) = (ends(above), ends(below))
            && a <= d
            && c <= b
        {
            found.warn(row.line, format!("the repeats of {} overlap ({a} to {b}, and {c} to {d}): their difference is not separated from noise", row.label));
        }
    }
}
