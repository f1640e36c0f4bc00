//! A machine that was not measured: what it is made of, and settings that decide about speed.
use super::{Cell, Column, Label, Row, Table, TableId};
use crate::words;
use record::{CacheKind, Machine, Unit};

/// A row of the machine's table. Its name in snake case ends its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Base frequency as stated.
    BaseFrequency,
    /// Boost frequency as stated.
    BoostFrequency,
    /// The frequency governor.
    Governor,
    /// Data caches by level.
    Caches,
    /// Memory of each NUMA node.
    Nodes,
    /// NUMA distances of the first node.
    Distances,
    /// Memory modules by kind.
    Modules,
    /// Transparent huge pages.
    HugePages,
    /// NUMA balancing.
    Balancing,
    /// CPUs that the scheduler leaves out.
    Isolated,
    /// CPUs that this process may use, where these are not all.
    Usable,
    /// Limit of CPU time.
    Quota,
    /// The container.
    Container,
    /// Vulnerabilities that nothing mitigates.
    Vulnerable,
}

impl Part {
    /// The name in snake case.
    pub fn name(self) -> &'static str {
        match self {
            Part::BaseFrequency => "base_frequency",
            Part::BoostFrequency => "boost_frequency",
            Part::Governor => "governor",
            Part::Caches => "caches",
            Part::Nodes => "nodes",
            Part::Distances => "distances",
            Part::Modules => "modules",
            Part::HugePages => "huge_pages",
            Part::Balancing => "balancing",
            Part::Isolated => "isolated",
            Part::Usable => "usable",
            Part::Quota => "quota",
            Part::Container => "container",
            Part::Vulnerable => "vulnerable",
        }
    }
}

/// The table of a machine; parts that are not known have no row.
pub(super) fn table(machine: &Machine) -> Option<Table> {
    let topology = &machine.topology;
    let number =
        |name: &str, unit| machine.number(name).map(|x| super::tables::number(Some(x), unit));
    let text = |name: &str| machine.value(name).map(|v| Cell::Text(v.to_string()));
    let limited = |name: &str| {
        text(name).filter(|c| !matches!(c, Cell::Text(t) if t == "unlimited" || t == "none"))
    };
    let usable = topology.usable();
    let restricted = usable.len() < topology.online().len() && !usable.is_empty();
    let cells = [
        (Part::BaseFrequency, number(crate::facts::CLOCK_BASE, Unit::Hertz)),
        (Part::BoostFrequency, number(crate::facts::CLOCK_MAX, Unit::Hertz)),
        (Part::Governor, text(crate::facts::GOVERNOR)),
        (Part::Caches, caches(machine)),
        (Part::Nodes, nodes(machine)),
        (Part::Distances, distances(machine)),
        (Part::Modules, modules(machine)),
        (Part::HugePages, text(crate::facts::THP)),
        (Part::Balancing, text("memory.numa_balancing")),
        (Part::Isolated, limited("cpu.isolated")),
        (Part::Usable, restricted.then(|| Cell::Text(usable.to_string()))),
        (Part::Quota, limited(crate::facts::CPU_QUOTA)),
        (Part::Container, text("virtual.container")),
        (Part::Vulnerable, vulnerable(machine)),
    ];
    let row = |(part, cell): (Part, Option<Cell>)| {
        Some(Row { label: Label::Part(part), cells: vec![cell?], excluded: false })
    };
    Table::new(TableId::Machine, &[Column::Value], cells.into_iter().filter_map(row).collect())
}

/// Equal items in order, each with how often it is there: `2 x 48 KiB`.
fn counted(items: impl Iterator<Item = String>) -> String {
    let mut all: Vec<(String, usize)> = vec![];
    for item in items {
        match all.iter_mut().find(|(known, _)| *known == item) {
            Some((_, count)) => *count += 1,
            None => all.push((item, 1)),
        }
    }
    let times = |(item, count): &(String, usize)| match count {
        1 => item.clone(),
        count => format!("{count} x {item}"),
    };
    all.iter().map(times).collect::<Vec<_>>().join(", ")
}

fn bytes(of: u64) -> String {
    words::bytes(of as f64)
}

fn caches(machine: &Machine) -> Option<Cell> {
    let all = machine.topology.caches.iter().filter(|c| c.kind != CacheKind::Instruction);
    let text = counted(all.filter_map(|c| Some(format!("L{} {}", c.level, bytes(c.bytes?)))));
    (!text.is_empty()).then_some(Cell::Text(text))
}

fn nodes(machine: &Machine) -> Option<Cell> {
    let text = counted(machine.topology.nodes.iter().filter_map(|n| n.bytes.map(bytes)));
    (!text.is_empty()).then_some(Cell::Text(text))
}

fn distances(machine: &Machine) -> Option<Cell> {
    let first = machine.topology.nodes.first().filter(|n| n.distances.len() > 1)?;
    let all: Vec<String> = first.distances.iter().map(ToString::to_string).collect();
    Some(Cell::Text(all.join(" ")))
}

fn modules(machine: &Machine) -> Option<Cell> {
    let filled = machine.topology.dimms.iter().filter(|d| d.populated);
    let text = counted(filled.map(|d| {
        let parts =
            [d.bytes.map(bytes), d.kind.clone(), d.configured.or(d.rated).map(words::transfers)];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }));
    (!text.is_empty()).then_some(Cell::Text(text))
}

fn vulnerable(machine: &Machine) -> Option<Cell> {
    let state = |name: &str| machine.text(name).is_some_and(|s| s.starts_with("Vulnerable"));
    let open: Vec<String> = machine
        .facts
        .keys()
        .filter(|name| state(name))
        .filter_map(|name| Some(name.strip_prefix("kernel.mitigations.")?.to_owned()))
        .collect();
    (!open.is_empty()).then(|| Cell::Text(open.join(", ")))
}
