//! Records side by side as a page: one column a machine, and for each quantity a table that is sorted by it.
use crate::quantity;
use crate::summary::View;
use crate::summary::compared::text;
use crate::summary::screen::Both;
use analyse::compare::{Comparison, Row};
use messages::Lang;
use record::{Better, Sort, printed};
use sections::compared;
use sections::compared::{drawn, label, labels};
use std::cmp::Reverse;

/// Quantities side by side; all of them are in the rows below.
const QUANTITIES: usize = 40;

/// Columns of text that a phone shows.
const PHONE: usize = 40;

/// The table side by side, and those that are sorted.
pub(super) struct Compared {
    /// The first screen: machines, environment, who is faster at what.
    pub(super) screen: Both,
    /// The chart for the window of a phone.
    pub(super) phone: Both,
    pub(super) machines: Vec<Machine>,
    pub(super) rows: Vec<Quantity>,
}

/// A column.
pub(super) struct Machine {
    pub(super) name: String,
    pub(super) model: String,
}

/// A row, and the machines that have it, the best first.
pub(super) struct Quantity {
    pub(super) label: String,
    /// The label without what the rows of the probe have in common.
    pub(super) short: String,
    /// Their common words, above the first of them.
    pub(super) common: Option<String>,
    /// The better direction, in words.
    pub(super) better: &'static str,
    /// One for each machine.
    pub(super) cells: Vec<String>,
    /// Name, value, ratio to the baseline.
    pub(super) sorted: Vec<[String; 3]>,
}

/// The quantities that the most records have, in the comparison's order.
pub(super) fn compared(of: &Comparison) -> Compared {
    let filled = |row: &Row| row.cells.iter().flatten().count();
    let mut rows: Vec<(usize, &Row)> =
        of.rows.iter().enumerate().filter(|(_, row)| !drawn(of, &row.quantity)).collect();
    rows.order_by_key(|(i, row)| (Reverse(filled(row)), *i));
    rows.truncate(QUANTITIES);
    rows.order_by_key(|(i, _)| *i);
    let machine = |side: &analyse::compare::Side| Machine {
        name: printed(&side.name),
        model: printed(side.model.as_deref().unwrap_or("")),
    };
    let screen = |width| {
        let lines = |lang| text(of, &[], &View { lang, width, ..View::default() }).join("\n");
        Both { en: lines(Lang::En), zh: lines(Lang::Zh) }
    };
    Compared {
        screen: screen(View::default().width),
        phone: screen(PHONE),
        machines: of.sides.iter().map(machine).collect(),
        rows: rows
            .chunk_by(|(_, a), (_, b)| a.quantity.probe == b.quantity.probe)
            .flat_map(|rows| of_probe(of, &rows.iter().map(|(_, row)| *row).collect::<Vec<_>>()))
            .collect(),
    }
}

fn of_probe(of: &Comparison, rows: &[&Row]) -> Vec<Quantity> {
    let (labels, mut common) = labels(rows);
    let one = |(row, short): (&&Row, String)| one(of, row, &short, common.take());
    rows.iter().zip(labels).map(one).collect()
}

fn one(of: &Comparison, row: &Row, short: &str, common: Option<String>) -> Quantity {
    let better = row.quantity.better;
    let mut sides: Vec<(usize, f64)> = row
        .cells
        .iter()
        .enumerate()
        .filter_map(|(i, cell)| Some((i, cell.as_ref()?.median)))
        .collect();
    sides.order_by(|a, b| match better {
        Better::Higher => b.1.total_cmp(&a.1),
        _ => a.1.total_cmp(&b.1),
    });
    let value = |i: usize| {
        row.cells[i]
            .as_ref()
            .map_or(String::new(), |c| quantity::plain(c.median, row.quantity.unit))
    };
    let sorted = sides.iter().map(|(i, _)| {
        let ratio = row.against(*i).map(|a| compared::ratio(a.ratio));
        let ratio = ratio.unwrap_or_else(|| {
            if *i == of.baseline { "baseline".into() } else { "not comparable".into() }
        });
        [printed(&of.sides[*i].name), value(*i), ratio]
    });
    Quantity {
        label: printed(&quantity::capital(&label(&row.quantity))),
        short: printed(&quantity::capital(short)),
        common: common.map(|words| printed(&words)),
        better: match better {
            Better::Higher => "higher is better",
            Better::Lower => "lower is better",
            _ => "",
        },
        sorted: sorted.collect(),
        cells: (0..of.sides.len()).map(value).collect(),
    }
}
