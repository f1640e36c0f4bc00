//! Every quantity that two records or more have: values, ratio, and whether that is more than noise.
use super::summary::middle;
use crate::compared::{BESIDE, drawn, label, labels, ranged, ratio};
use crate::page::{Block, Table};
use crate::quantity;
use crate::say;
use crate::section::{ComparisonSection, Section};
use analyse::compare::{Against, Cell, Comparison, Incomparable, Row, Standing, Verdict};
use record::{Between, Sort, Text};

pub(crate) static SECTION: ComparisonSection = Section::with_numbers("Row by row", 60, &[], blocks);

/// More records than this have no columns.
const COLUMNS: usize = 50;
/// Records that are side by side where there are many: a line of 80 columns has room for so many.
const ACROSS: usize = 5;

/// By group; points of curves are folded away, for the curves show them.
fn blocks(of: &Comparison) -> Vec<Block> {
    let mut blocks = vec![];
    for group in of.rows.chunk_by(|a, b| a.group == b.group) {
        let (points, rows): (Vec<&Row>, Vec<&Row>) =
            group.iter().partition(|row| drawn(of, &row.quantity));
        let heading = quantity::capital(group[0].group.name());
        if !rows.is_empty() {
            blocks.push(Block::heading(heading.clone()));
            blocks.extend(tables(of, &rows));
        }
        if !points.is_empty() {
            let points_of = quantity::counted(points.len(), "point");
            let summary = format!("{heading}: {points_of} of a curve");
            blocks.push(Block::details(summary, tables(of, &points)));
        }
    }
    blocks
}

fn tables(of: &Comparison, rows: &[&Row]) -> Vec<Block> {
    let tables: Vec<Table> = match of.sides.len() <= COLUMNS {
        true => rows
            .chunk_by(|a, b| a.quantity.probe == b.quantity.probe)
            .flat_map(|rows| of_probe(of, rows))
            .collect(),
        false => vec![spread(of, rows)],
    };
    tables.into_iter().map(Block::Table).collect()
}

/// Values side by side, and the ratios of a few records; what all rows are stands above the first table.
fn of_probe(of: &Comparison, rows: &[&Row]) -> Vec<Table> {
    let (labels, common) = labels(rows);
    let mut tables = if of.sides.len() > 2 { values(of, rows, &labels) } else { vec![] };
    if of.sides.len() <= BESIDE {
        let pairs = of.others().map(|i| pair(of, rows, &labels, i));
        tables.extend(pairs.filter(|table| !table.rows.is_empty()));
    }
    if let (Some(first), Some(common)) = (tables.first_mut(), common) {
        first.notes.insert(0, common.into());
    }
    tables
}

/// The values of the records that have any, some records side by side, the others below them.
fn values(of: &Comparison, rows: &[&Row], labels: &[String]) -> Vec<Table> {
    let any = |side: &usize| rows.iter().any(|row| row.cells[*side].is_some());
    let sides: Vec<usize> = (0..of.sides.len()).filter(any).collect();
    // As many in each block as in the others.
    let across = sides.len().div_ceil(sides.len().div_ceil(ACROSS).max(1)).max(1);
    let table = |sides: &[usize]| {
        let names = sides.iter().map(|side| format!("#{}", of.sides[*side].name));
        let mut table = Table::new(["quantity".to_owned()].into_iter().chain(names));
        for (row, label) in rows.iter().zip(labels) {
            let cells: Vec<String> = sides.iter().map(|side| value(row, *side)).collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                table.add([label.clone()].into_iter().chain(cells));
            }
        }
        table
    };
    let mut tables: Vec<Table> = sides.chunks(across).map(table).collect();
    let differs = |cell: &Text| cell.ends_with(DIFFERS);
    let marked = tables.iter().flat_map(|t| t.rows.iter().flatten()).any(differs);
    if let Some(first) = tables.first_mut() {
        first.notes.extend(marked.then(|| say::STARRED.into()));
    }
    tables
}

/// The mark of a value that differs from the baseline's.
const DIFFERS: &str = " *";

fn value(row: &Row, side: usize) -> String {
    let Some(cell) = &row.cells[side] else { return String::new() };
    let verdict = row.against(side).map(|against| against.verdict);
    let differs = matches!(verdict, Some(Verdict::Better | Verdict::Worse | Verdict::Different));
    format!(
        "{}{}",
        quantity::plain(cell.median, row.quantity.unit),
        if differs { DIFFERS } else { "" }
    )
}

/// Values and ratio of the baseline and another record. Of several records what the baseline does not have has no row.
fn pair(of: &Comparison, rows: &[&Row], labels: &[String], other: usize) -> Table {
    let [base_name, name] = [of.baseline, other].map(|i| format!("#{}", of.sides[i].name));
    let optional = ["in cycles", "per core", "per watt", "per price"];
    let [cycles, core, watt, price] = optional.map(|name| format!("#{name}"));
    let ratio_of = "#ratio [95 %]";
    let mut table = Table::new([
        "quantity", &base_name, &name, ratio_of, &cycles, &core, &watt, &price, "that is",
    ]);
    for (row, label) in rows.iter().zip(labels) {
        let Some(cell) = &row.cells[other] else { continue };
        if of.sides.len() > 2 && matches!(cell.standing, Standing::Alone) {
            continue;
        }
        let base = row.cells[of.baseline].as_ref();
        let against = row.against(other);
        let maybe =
            |pick: fn(&Against) -> Option<f64>| against.and_then(pick).map_or(String::new(), ratio);
        table.row([
            Text::from(label),
            base.map_or("none".into(), |c| quantity::plain(c.median, row.quantity.unit)).into(),
            quantity::plain(cell.median, row.quantity.unit).into(),
            against.map_or(String::new(), |a| ranged(a.ratio, a.interval)).into(),
            maybe(|a| a.per_cycle).into(),
            maybe(|a| a.normalized.as_ref()?.per_core).into(),
            maybe(|a| a.normalized.as_ref()?.per_watt).into(),
            maybe(|a| a.normalized.as_ref()?.per_price).into(),
            said(cell),
        ]);
    }
    for i in (0..table.columns.len()).rev() {
        let empty = table.rows.iter().all(|row| row[i].is_empty());
        if empty && optional.contains(&table.columns[i].name.as_str()) {
            table.columns.remove(i);
            table.rows.iter_mut().for_each(|row| drop(row.remove(i)));
        }
    }
    table
}

fn said(cell: &Cell) -> Text {
    let after = |words: &str, unlike: &Incomparable| {
        Text::list([words.into(), Text::from(unlike.word())], Between::Colon)
    };
    let whose = |verdict: Verdict, words: &str| {
        Text::list([verdict.word().into(), Text::from(words)], Between::Semicolon)
    };
    match &cell.standing {
        Standing::Baseline => "baseline".into(),
        Standing::Alone => "not in the baseline".into(),
        Standing::Refused(unlike) => after("not comparable", unlike),
        Standing::Compared(against) => match (against.verdict, against.unlike.first()) {
            (Verdict::Unclaimed, Some(unlike)) => after("nothing claimed", unlike),
            (Verdict::Unclaimed, None) => "nothing claimed".into(),
            (verdict, _) if cell.conditions.equivalent.is_some() => {
                whose(verdict, "ours of that definition")
            }
            (verdict, Some(Incomparable::Ours(_))) => whose(verdict, "theirs of that definition"),
            (verdict, _) => verdict.word().into(),
        },
    }
}

/// The lowest, middle and highest value of each row, for many records.
fn spread(of: &Comparison, rows: &[&Row]) -> Table {
    Table::of(rows, |row| {
        let (mut found, mut better, mut worse) = (vec![], 0, 0);
        for (i, against) in of.others().filter_map(|i| Some((i, row.against(i)?))) {
            better += usize::from(against.verdict == Verdict::Better);
            worse += usize::from(against.verdict == Verdict::Worse);
            found.push((against.ratio, i));
        }
        found.order_by(|a, b| a.0.total_cmp(&b.0));
        let at = |place: usize| {
            found.get(place).map_or((String::new(), String::new()), |(x, i)| {
                (ratio(*x), of.sides[*i].name.clone())
            })
        };
        let base = row.cells[of.baseline].as_deref();
        let plain = |c: &Cell| quantity::plain(c.median, row.quantity.unit);
        let (low, high) = (at(0), at(found.len().saturating_sub(1)));
        [
            ("quantity", label(&row.quantity)),
            ("#baseline", base.map_or("none".into(), plain)),
            ("#ratios", found.len().to_string()),
            ("#lowest", low.0),
            ("in", low.1),
            ("#middle", middle(&found)),
            ("#highest", high.0),
            ("in ", high.1),
            ("#better", better.to_string()),
            ("#worse", worse.to_string()),
        ]
    })
}
