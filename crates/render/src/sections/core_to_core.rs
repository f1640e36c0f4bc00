//! What it takes to hand a cache line from one CPU to another.
use crate::chart::{Chart, Heat, HeatCell, Kind};
use crate::page::{Block, Table};
use crate::{origin, quantity, section};
use analyse::{Cell, Matrix, Report};

/// A table of more pairs than 64 CPUs have would make the page tens of megabytes.
const LISTED: usize = 64 * 63 / 2;

/// A heat map per matrix, its relations, and its pairs.
pub fn blocks(report: &Report<'_>) -> Vec<Block> {
    let all = section::of_probes(report, &["core_to_core"]);
    if all.is_empty() && report.matrices.is_empty() {
        return vec![];
    }
    let mut blocks = vec![];
    for (i, matrix) in report.matrices.iter().enumerate() {
        blocks.push(Block::Table(relations(matrix)));
        let split = matrix.cells.iter().filter(|c| c.states.len() > 1).count();
        if split > 0 {
            blocks.push(Block::Paragraph(format!(
                "Pairs seen in more than one state: {split} of {}. The machine has moved its CPUs meanwhile, and a \
                 median across states means little. An asterisk marks them.",
                matrix.cells.len()
            )));
        }
        blocks.push(Block::Chart(Box::new(chart(report, matrix, i))));
    }
    let pairs = match all.len() <= LISTED {
        true => Block::Table(origin::table(report, "pair", &all)),
        false => Block::Paragraph(format!(
            "{} series are too many for a page; the format csv lists them.",
            all.len()
        )),
    };
    blocks.push(Block::details("Every pair, with spread and placement", vec![pairs]));
    blocks.push(origin::method(report, &all));
    blocks
}

/// Fastest and slowest pair of each relation between two CPUs, in the order in which relations first appear.
fn relations(matrix: &Matrix) -> Table {
    let mut table = Table::new(&["relation", "#pairs", "#fastest", "#slowest"]);
    let mut names: Vec<&str> = vec![];
    for cell in &matrix.cells {
        if !names.contains(&cell.relation.as_str()) {
            names.push(&cell.relation);
        }
    }
    for name in names {
        let of: Vec<&Cell> = matrix.cells.iter().filter(|c| c.relation == name).collect();
        let fastest = of.iter().min_by(|a, b| a.median.total_cmp(&b.median));
        let slowest = of.iter().max_by(|a, b| a.median.total_cmp(&b.median));
        let words = |c: Option<&&Cell>| {
            c.map_or(String::new(), |c| {
                format!("{} ({}, {})", quantity::plain(c.median, matrix.unit), c.from, c.to)
            })
        };
        table.row([name.to_owned(), of.len().to_string(), words(fastest), words(slowest)]);
    }
    table
}

fn chart(report: &Report<'_>, matrix: &Matrix, index: usize) -> Chart {
    let place = |cpu: u32| matrix.cpus.iter().position(|c| *c == cpu);
    let largest = matrix.cells.iter().map(|c| c.median).fold(0.0, f64::max);
    let (factor, unit) = quantity::axis(largest, matrix.unit);
    let mut rows = vec![vec![String::new(); matrix.cpus.len()]; matrix.cpus.len()];
    let mut cells = vec![];
    for cell in &matrix.cells {
        let (Some(row), Some(column)) = (place(cell.from), place(cell.to)) else { continue };
        let split = cell.states.len() > 1;
        let mark = if split { "*" } else { "" };
        let text = format!("{}{mark}", quantity::short(cell.median / factor));
        rows[row][column].clone_from(&text);
        rows[column][row].clone_from(&text);
        let states = origin::states_of(&cell.states, matrix.unit);
        let title = format!(
            "CPU {} and CPU {}: {}, {}{}{states}",
            cell.from,
            cell.to,
            quantity::plain(cell.median, matrix.unit),
            cell.relation,
            if states.is_empty() { "" } else { "; " },
        );
        cells.push(HeatCell { row, column, value: cell.median, text, title, split });
    }
    let heads: Vec<String> =
        std::iter::once("CPU".into()).chain(matrix.cpus.iter().map(|c| format!("#{c}"))).collect();
    let mut table = Table::new(&heads.iter().map(String::as_str).collect::<Vec<_>>());
    for (cpu, row) in matrix.cpus.iter().zip(rows) {
        table.rows.push(std::iter::once(cpu.to_string()).chain(row).collect());
    }
    let method = report.record.runs.get(matrix.run).and_then(|run| run.case.text("method"));
    let method = method.map_or(String::new(), |m| format!(" by {m}"));
    let metric = matrix.metric.replace('_', " ");
    table.notes.push(format!("{metric} in {unit}{method}, median per pair of CPUs"));
    Chart {
        name: if index == 0 { "core-to-core".into() } else { format!("core-to-core-{index}") },
        title: format!("Core to core: {metric} in {unit}{method}"),
        description: format!(
            "{} of {}, darker is faster. An asterisk marks a pair seen in more than one state.",
            quantity::counted(matrix.cells.len(), "pair"),
            quantity::counted(matrix.cpus.len(), "CPU"),
        ),
        table,
        kind: Kind::Heat(Heat { cpus: matrix.cpus.clone(), to: None, unit: matrix.unit, cells }),
    }
}
