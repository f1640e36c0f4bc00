//! Memory of one node seen from the CPUs of another: latency, bandwidth, and the firmware's distances beside them.
use crate::chart::{Chart, Heat, HeatCell, Kind};
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::{Numa, NumaCell, Report};
use record::{Between, ProbeId, Text, Unit};

pub(crate) static SECTION: ReportSection =
    Section::with_numbers("NUMA", 100, &[ProbeId::NumaMatrix], blocks);

/// Two heat maps, the firmware's word on it, and every pair.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let all = section::of_probes(report, SECTION.probes);
    if all.is_empty() {
        return vec![];
    }
    let mut blocks = vec![];
    if let Some(numa) = report.get::<Option<Numa>>() {
        for of in [LATENCY, BANDWIDTH] {
            if numa.cells.iter().any(|c| (of.value)(c).is_some()) {
                blocks.push(Block::chart(chart(numa, of)));
            }
        }
        blocks.extend(stated(numa).map(Block::text));
        let title = say::EVERY_PAIR_OF_NODES_BESIDE_THE_FIRMWARE;
        blocks.push(Block::folded(title, pairs(numa)));
        let sweep = sweep(numa).map(|table| Block::folded("Latency from every cache", table));
        blocks.extend(sweep);
    } else {
        blocks.push(Block::text(say::THE_BUFFERS_WERE_LESS_THAN_FOUR_TIMES));
    }
    blocks.extend(origin::every_series(report, &all));
    blocks
}

/// One of the two matrices.
#[derive(Clone, Copy)]
struct Of {
    name: &'static str,
    title: &'static str,
    unit: Unit,
    value: fn(&NumaCell) -> Option<f64>,
    ratio: fn(&NumaCell) -> Option<f64>,
    darker: &'static str,
}

const LATENCY: Of = Of {
    name: "numa-latency",
    title: "Idle latency between nodes",
    unit: Unit::Seconds,
    value: |c| c.latency,
    ratio: |c| c.latency_ratio,
    darker: "darker is faster",
};
const BANDWIDTH: Of = Of {
    name: "numa-bandwidth",
    title: "Read bandwidth between nodes",
    unit: Unit::BytesPerSecond,
    value: |c| c.bandwidth,
    ratio: |c| c.bandwidth_ratio,
    darker: "darker is less",
};

fn chart(numa: &Numa, of: Of) -> Chart {
    let largest = numa.cells.iter().filter_map(of.value).fold(0.0, f64::max);
    let (factor, unit) = quantity::axis(largest, of.unit);
    let mut rows = vec![vec![String::new(); numa.to.len()]; numa.from.len()];
    let mut cells = vec![];
    for cell in &numa.cells {
        let place = |all: &[u32], node: u32| all.iter().position(|n| *n == node);
        let both = place(&numa.from, cell.from).zip(place(&numa.to, cell.to));
        let Some(((row, column), value)) = both.zip((of.value)(cell)) else { continue };
        let text = quantity::short(value / factor);
        rows[row][column].clone_from(&text);
        let mut title = say::node_to_node(cell.from, cell.to, quantity::plain(value, of.unit));
        if let Some(ratio) = (of.ratio)(cell) {
            title = say::of_own_node(title, quantity::percent(ratio));
        }
        if let Some(distance) = cell.distance {
            title = say::stated_distance(title, distance);
        }
        cells.push(HeatCell { row, column, value, text: text.into(), title, split: false });
    }
    let mut table = Table::matrix("CPUs of node", &numa.from, &numa.to, rows);
    table.note(say::in_by_numa_node_median(unit));
    Chart {
        name: of.name.into(),
        title: format!("{} in {unit}", of.title).into(),
        description: format!(
            "Rows are the nodes of the CPUs, columns those of the memory; {}. {} measured.",
            of.darker,
            quantity::counted(numa.cells.len(), "pair")
        )
        .into(),
        table,
        kind: Kind::Heat(Heat {
            cpus: numa.from.clone(),
            to: Some(numa.to.clone()),
            unit: of.unit,
            cells,
        }),
    }
}

/// The firmware's distances against the measured ones, in a sentence or two.
fn stated(numa: &Numa) -> Option<Text> {
    let stated = numa.stated.as_ref()?;
    let mut said = match (stated.compared, stated.contradicted.len()) {
        (0, _) => say::THE_FIRMWARE_STATES_NO_TWO_UNLIKE_DISTANCES.into(),
        (all, 0) => {
            say::the_firmware_s_distances_agree_with_the(quantity::counted(all, "comparison"))
        }
        (all, wrong) => say::the_firmware_s_distances_contradict_the_order(
            wrong,
            quantity::counted(all, "comparison"),
        ),
    };
    if let Some((from, to, by_distance, measured)) = stated.farthest {
        let farthest = say::farthest_from_stated(
            from,
            to,
            quantity::percent(by_distance),
            quantity::percent(measured),
        );
        said = Text::list([said, farthest], Between::Sentences);
    }
    Some(said)
}

fn pairs(numa: &Numa) -> Table {
    let words =
        |value: Option<f64>, unit| value.map_or(String::new(), |v| quantity::plain(v, unit));
    let share = |value: Option<f64>| value.map_or(String::new(), quantity::percent);
    Table::of(&numa.cells, |c| {
        [
            ("CPUs of node", c.from.to_string()),
            ("memory of node", c.to.to_string()),
            ("#latency", words(c.latency, Unit::Seconds)),
            ("#of own", share(c.latency_ratio)),
            ("#stated distance", c.distance.map_or("none".into(), |d| d.to_string())),
            ("#bandwidth", words(c.bandwidth, Unit::BytesPerSecond)),
            ("#of own bandwidth", share(c.bandwidth_ratio)),
        ]
    })
}

/// A row for each CPU and a column for each NUMA node, where CPUs were measured one by one.
fn sweep(numa: &Numa) -> Option<Table> {
    let mut cpus: Vec<u32> =
        numa.cells.iter().flat_map(|c| &c.sweep).map(|(cpu, _)| *cpu).collect();
    cpus.sort_unstable();
    cpus.dedup();
    if cpus.is_empty() {
        return None;
    }
    let heads = ["CPU".to_owned(), "of node".to_owned()].into_iter();
    let mut table = Table::new(heads.chain(numa.to.iter().map(|n| format!("#node {n}"))));
    for cpu in cpus {
        let of = |to: u32| {
            let cells = numa.cells.iter().filter(move |c| c.to == to);
            cells.flat_map(|c| c.sweep.iter().map(|s| (c.from, *s))).find(|(_, (id, _))| *id == cpu)
        };
        let node =
            numa.to.iter().find_map(|to| of(*to)).map_or(String::new(), |(n, _)| n.to_string());
        let cells = numa.to.iter().map(|to| {
            of(*to).map_or(String::new(), |(_, (_, s))| quantity::plain(s, Unit::Seconds))
        });
        table.add([cpu.to_string(), node].into_iter().chain(cells));
    }
    Some(table)
}
