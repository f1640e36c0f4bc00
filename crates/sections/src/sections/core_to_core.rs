//! The latency of handing a cache line from one CPU to another.
use crate::chart::{Chart, Heat, HeatCell, Kind};
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ReportSection, Section};
use crate::sections::memory_management;
use crate::{origin, quantity, section};
use analyse::{Cell, Cluster, Matrix, Report};
use record::{Between, ProbeId, Text, param};

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
            blocks.push(Block::text(say::core_to_core_pairs_more_one_mode(
                split,
                matrix.cells.len(),
            )));
        }
        let moved = matrix.cells.iter().filter(|c| !c.elsewhere.is_empty()).count();
        if moved > 0 {
            blocks.push(Block::text(say::core_to_core_pairs_another_distance_while(
                moved,
                matrix.cells.len(),
            )));
        }
        blocks.push(Block::text(groups(matrix)));
        // A few pairs of many CPUs would be a map of holes.
        if 2 * matrix.cells.len() >= matrix.pairs {
            blocks.push(Block::chart(chart(report, matrix, i)));
        } else {
            blocks.push(Block::text(say::of_were_measured_drawn_from_each_relation(
                quantity::counted(matrix.cells.len(), "pair"),
                matrix.pairs,
            )));
        }
    }
    if !all.is_empty() {
        let pairs = match all.len() <= LISTED {
            true => Block::Table(origin::table(report, "pair", &all)),
            false => Block::text(say::series_are_too_many_for_a_page(all.len())),
        };
        blocks.push(Block::details(say::CORE_TO_CORE_EVERY_PAIR_SPREAD_PLACEMENT, vec![pairs]));
        blocks.push(Block::text(say::CORE_TO_CORE_ROUND_TRIPS_THERE_BACK));
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
    let metric = Text::from(matrix.metric.words());
    let what = match method(report, matrix) {
        Some(method) => say::measured_by(metric, method),
        None => metric,
    };
    table.note(say::by_what_two_cpus_are_stated_to(what));
    table.without_empty()
}

/// The groups that the times show, and whether the machine states them.
fn groups(matrix: &Matrix) -> Text {
    match &matrix.clusters {
        Err(why) => say::groups_were_not_looked_for(why),
        Ok(all) if all.is_empty() => say::BY_THESE_TIMES_THE_CPUS_ARE_ONE.into(),
        Ok(all) => Text::list(all.iter().map(|c| group(matrix, c)), Between::Sentences),
    }
}

fn group(matrix: &Matrix, cluster: &Cluster) -> Text {
    let groups: Vec<String> = cluster.groups.iter().take(NAMED).map(ToString::to_string).collect();
    let rest = match cluster.groups.len() - groups.len() {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let number = quantity::counted(cluster.groups.len(), "group");
    let groups = groups.join("; ") + &rest;
    let [within, between] =
        [cluster.within, cluster.between].map(|x| quantity::plain(x, matrix.unit));
    match &cluster.stated {
        Some(relation) => say::groups_as_stated(number, relation, groups, within, between),
        None => say::groups_not_stated(number, groups, within, between),
    }
}

fn method<'r>(report: &Report<'r>, matrix: &Matrix) -> Option<&'r str> {
    report.record.runs.get(matrix.run).and_then(|run| run.case.get(param::METHOD))
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
        cells.push(HeatCell {
            row,
            column,
            value: cell.median,
            text: text.into(),
            title: title.into(),
            split,
        });
    }
    let mut table = Table::matrix("CPU", &matrix.cpus, &matrix.cpus, rows);
    let metric = matrix.metric.words();
    let what = match method(report, matrix) {
        Some(method) => say::metric_in_unit_by(metric, unit, method),
        None => say::metric_in_unit(metric, unit),
    };
    table.note(say::median_per_pair(&what));
    Chart {
        name: if index == 0 { "core-to-core".into() } else { format!("core-to-core-{index}") },
        title: say::core_to_core_title(what),
        description: say::core_to_core_darker_faster_asterisk_marks(
            quantity::counted(matrix.cells.len(), "pair"),
            quantity::counted(matrix.cpus.len(), "CPU"),
        ),
        table,
        kind: Kind::Heat(Heat { cpus: matrix.cpus.clone(), to: None, unit: matrix.unit, cells }),
    }
}
