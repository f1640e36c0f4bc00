//! The latency of handing a cache line from one CPU to another.
use crate::chart::{Chart, Heat, HeatCell, Kind};
use crate::page::{Block, Table};
use crate::section::{ReportSection, Section};
use crate::sections::memory_management;
use crate::{origin, quantity, section};
use analyse::{Cell, Cluster, Matrix, Report};
use record::{ProbeId, param};

/// A table of more pairs than 64 CPUs have would make the page tens of megabytes.
const LISTED: usize = 64 * 63 / 2;
/// Groups named one by one; more are counted.
const NAMED: usize = 16;

pub(crate) static SECTION: ReportSection = Section::with_numbers(
    "Core-to-core latency",
    110,
    &[ProbeId::CoreToCore, ProbeId::SmtPair],
    blocks,
);

/// For each matrix its classes of pairs, the groups its CPUs fall into, and a heat map; then two CPUs at once.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let all = section::of_probes(report, &[ProbeId::CoreToCore]);
    let mut blocks = vec![];
    for (i, matrix) in report.get::<Vec<Matrix>>().iter().enumerate() {
        blocks.push(Block::Table(classes(report, matrix)));
        let split = matrix.cells.iter().filter(|c| c.states.len() > 1).count();
        if split > 0 {
            blocks.push(Block::text(format!(
                "Pairs with more than one mode: {split} of {}. There is no value between the modes, so the one seen most \
                 often stands here. An asterisk marks them.",
                matrix.cells.len()
            )));
        }
        let moved = matrix.cells.iter().filter(|c| !c.elsewhere.is_empty()).count();
        if moved > 0 {
            blocks.push(Block::text(format!(
                "Pairs that were at another distance for a while: {moved} of {}. Their values are those of the nearest \
                 placement in which each CPU has a core of its own.",
                matrix.cells.len()
            )));
        }
        blocks.push(Block::text(groups(matrix)));
        // A few pairs of many CPUs would be a map of holes.
        if 2 * matrix.cells.len() >= matrix.pairs {
            blocks.push(Block::chart(chart(report, matrix, i)));
        } else {
            blocks.push(Block::text(format!(
                "{} of {} were measured, drawn from each relation (cpulens run --all-pairs measures all).",
                quantity::counted(matrix.cells.len(), "pair"),
                matrix.pairs
            )));
        }
    }
    if !all.is_empty() {
        let pairs = match all.len() <= LISTED {
            true => Block::Table(origin::table(report, "pair", &all)),
            false => Block::text(format!(
                "{} series are too many for a page; the format csv lists them.",
                all.len()
            )),
        };
        blocks.push(Block::details("Every pair, with spread and placement", vec![pairs]));
        blocks.push(Block::text(
            "Round trips: there and back. Half of one is the time one way, as other tools print it.",
        ));
        blocks.push(origin::method(report, &all));
    }
    blocks.extend(memory_management::two_at_once(report));
    blocks
}

/// Fastest, middle and slowest pair of each relation, nearest first.
fn classes(report: &Report<'_>, matrix: &Matrix) -> Table {
    let words =
        |c: &Cell| format!("{} ({}, {})", quantity::plain(c.median, matrix.unit), c.from, c.to);
    let mut table = Table::of(&matrix.classes, |class| {
        let split = Some(class.split).filter(|split| *split > 0);
        [
            ("relation", class.relation.clone()),
            ("#pairs", class.pairs.to_string()),
            ("#fastest", words(&class.fastest)),
            ("#median", quantity::plain(class.median, matrix.unit)),
            ("#slowest", words(&class.slowest)),
            ("#with modes", split.map_or(String::new(), |split| split.to_string())),
        ]
    });
    let what = matrix.metric.words() + &method(report, matrix);
    table.note(format!("{what}, by what two CPUs are stated to share"));
    table.without_empty()
}

/// The groups that the times show, and whether the machine states them.
fn groups(matrix: &Matrix) -> String {
    match &matrix.clusters {
        Err(why) => format!("Groups were not looked for: {why}."),
        Ok(all) if all.is_empty() => {
            "By these times the CPUs are one group: no gap divides near pairs from far ones.".into()
        }
        Ok(all) => all.iter().map(|c| group(matrix, c)).collect::<Vec<_>>().join(" "),
    }
}

fn group(matrix: &Matrix, cluster: &Cluster) -> String {
    let groups: Vec<String> = cluster.groups.iter().take(NAMED).map(ToString::to_string).collect();
    let rest = match cluster.groups.len() - groups.len() {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let stated = match &cluster.stated {
        Some(relation) => format!("as the machine states ({relation})"),
        None => "which the machine does not state".into(),
    };
    format!(
        "By these times the CPUs fall into {}, {stated}: {}{rest}. Inside {}, between {}.",
        quantity::counted(cluster.groups.len(), "group"),
        groups.join("; "),
        quantity::plain(cluster.within, matrix.unit),
        quantity::plain(cluster.between, matrix.unit),
    )
}

fn method(report: &Report<'_>, matrix: &Matrix) -> String {
    let method = report.record.runs.get(matrix.run).and_then(|run| run.case.get(param::METHOD));
    method.map_or(String::new(), |m| format!(" by {m}"))
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
        let states = origin::states_of(cell.levels(), matrix.unit);
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
    let mut table = Table::matrix("CPU", &matrix.cpus, &matrix.cpus, rows);
    let method = method(report, matrix);
    let metric = matrix.metric.words();
    table.note(format!("{metric} in {unit}{method}, median per pair of CPUs"));
    Chart {
        name: if index == 0 { "core-to-core".into() } else { format!("core-to-core-{index}") },
        title: format!("Core to core: {metric} in {unit}{method}"),
        description: format!(
            "{} of {}, darker is faster. An asterisk marks a pair with more than one mode.",
            quantity::counted(matrix.cells.len(), "pair"),
            quantity::counted(matrix.cpus.len(), "CPU"),
        ),
        table,
        kind: Kind::Heat(Heat { cpus: matrix.cpus.clone(), to: None, unit: matrix.unit, cells }),
    }
}
