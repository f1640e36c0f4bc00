//! Results at several points: a scaling run, tests, CPUs, connections, results of other tools.
mod chosen;

use super::{Part, Quantity, labels};
use crate::whatif::Change;
use crate::{
    Curve, Estimate, Limit, Report, ScalingRuns, UnitOfTool, databases, noise, unit_of_tool,
    unixbench,
};
use benchmarks::quantities::copies;
use chosen::{chosen, first};
use record::{CpuSet, ProbeId, Reason, Sort, Text, Unit, param};

/// Rows shown; the report has all.
pub(super) const ROWS: usize = 14;

/// The kind of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum TableId {
    /// A workload on more and more cores, and what limits it.
    Scaling {
        /// The workload.
        workload: String,
        /// The limit on all cores, or why that is not known.
        limit: Result<Limit, Reason>,
    },
    /// UnixBench's tests.
    UnixBench {
        /// The numbers of copies between the fewest and the most, which have no column.
        between: Vec<u64>,
        /// Imported results with as many copies as an earlier one.
        others: usize,
    },
    /// The share of each CPU that the system takes.
    Noise,
    /// A database on more and more cores.
    Database {
        /// `point_select` or `tpcc`.
        workload: String,
        /// The engine as it called itself.
        engine: Option<String>,
        /// The reason why the limit is not known, if it is not.
        unlimited: Option<Reason>,
        /// Connections on the one core that all points are compared with, if they are the same.
        against: Option<u64>,
    },
    /// Results of other tools.
    Imported,
    /// A result that is no figure; a probe of it.
    Measured(ProbeId),
    /// A machine's parts and settings.
    Machine,
    /// A record beside another, and the name of that one.
    Against(Option<String>),
    /// Predicted effects of changes.
    Predictions,
    /// Instances and where they run.
    Placement {
        /// Whether it rests on measurements.
        measured: bool,
        /// CPUs that no instance has.
        left: CpuSet,
    },
}

/// A column; its unit is that of its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Work a second.
    Throughput,
    /// The interval of the value, or its modes.
    Interval,
    /// The rate of a core, as a share of that of one core alone.
    Efficiency,
    /// Instructions per cycle.
    Ipc,
    /// Core frequency.
    Frequency,
    /// UnixBench's index of so many copies.
    Index(u64),
    /// Index over that of one copy.
    Times,
    /// Share of the time that is lost.
    Lost,
    /// Detours a second.
    Detours,
    /// Median length of a detour.
    MedianLength,
    /// The longest detour.
    Longest,
    /// The largest source of noise.
    Source,
    /// Connections.
    Connections,
    /// 99 of a hundred events take no longer.
    P99,
    /// The limit.
    HeldBy,
    /// A value.
    Value,
    /// The value of this record.
    Here,
    /// The value of the other record.
    Other,
    /// The command that tests it.
    Test,
    /// CPUs.
    Cpus,
    /// Physical cores.
    Cores,
    /// NUMA nodes of the memory.
    Nodes,
    /// Memory.
    Memory,
}

/// The label of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Label {
    /// A name that is no sentence.
    Name(Text),
    /// Cores, and the CPUs on them.
    Cores {
        /// Physical cores.
        cores: usize,
        /// CPUs.
        threads: usize,
        /// The name of the placement, if there are several on the same cores.
        placement: Option<String>,
    },
    /// A CPU.
    Cpu(u32),
    /// A thread that could be moved.
    Unbound,
    /// A part of the machine, or a setting.
    Part(Part),
    /// A change, and what it is now where that is known.
    Change(Change, Option<Text>),
}

/// The content of a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// A number.
    Number(Quantity),
    /// A number in the unit that its tool has for it: so many of the number's own make one.
    Named(Quantity, f64, &'static str),
    /// A word, list or sentence as the record or the analysis has it.
    Text(Text),
    /// A command.
    Command(String),
    /// A range of factors.
    Times(f64, f64),
    /// A source of noise, and the task where it is one.
    Source(noise::NoiseSource, Option<noise::Culprit>),
    /// The limit of a database.
    HeldBy(databases::Verdict),
}

/// A row.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The label.
    pub label: Label,
    /// As many cells as there are columns.
    pub cells: Vec<Cell>,
    /// Whether something speaks against it.
    pub excluded: bool,
}

/// Rows under columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its kind.
    pub id: TableId,
    /// Columns beside the label.
    pub columns: Vec<Column>,
    /// In reading order.
    pub rows: Vec<Row>,
    /// Rows that are not shown.
    pub more: usize,
    /// What all rows are of, which no label repeats; empty where they have nothing in common.
    pub common: Text,
    /// The file that it is of, and the other machine that this names, where the record is of several.
    pub file: Option<(String, Option<String>)>,
}

impl Table {
    pub(super) fn new(id: TableId, columns: &[Column], mut rows: Vec<Row>) -> Option<Table> {
        let more = rows.len().saturating_sub(ROWS);
        rows.truncate(ROWS);
        let mut columns = columns.to_vec();
        // A column that is empty in every row is none.
        for i in (0..columns.len()).rev() {
            if rows.iter().all(|r| r.cells[i] == Cell::Empty) {
                columns.remove(i);
                rows.iter_mut().for_each(|r| drop(r.cells.remove(i)));
            }
        }
        (!rows.is_empty()).then_some(Table {
            id,
            columns,
            rows,
            more,
            common: Text::default(),
            file: None,
        })
    }
}

pub(super) fn number(value: Option<f64>, unit: Unit) -> Cell {
    let value = value.filter(|v| v.is_finite());
    value.map_or(Cell::Empty, |v| Cell::Number(Quantity::plain(v, unit)))
}

/// The tables of what a command was asked for. The probes of `run` have figures instead, or, chosen by name, rows.
pub(super) fn tables(
    report: &Report<'_>,
    own: bool,
    imported: bool,
    has_figures: bool,
) -> Vec<Table> {
    let mut all = vec![];
    all.extend(report.get::<ScalingRuns>().0.iter().filter_map(scaling));
    all.extend(report.get::<databases::Databases>().0.iter().filter_map(database));
    // Among the results of other tools the two indexes stand for its tests.
    let others = || report.of_others().iter();
    let printed = imported && others().all(|e| e.probe == ProbeId::Unixbench);
    let bench = copies::own_or_printed(report).filter(|_| own || printed);
    all.extend(bench.as_deref().and_then(|bench| tests(report, bench)));
    // Among the figures of a whole run, noise has two of its own.
    if report.get::<Vec<Curve>>().is_empty() {
        all.extend(report.get::<noise::NoiseResult>().0.as_ref().and_then(cpus));
    }
    if imported && (all.is_empty() || !own) {
        let shown = |e: &&Estimate| {
            let test = param::TEST.of(&e.at).and_then(record::unixbench::named);
            let scored = test.is_some() || param::OF.of(&e.at).is_some_and(|of| of != "non-index");
            bench.is_some() && e.probe == ProbeId::Unixbench && scored
        };
        let found: Vec<&Estimate> = others().filter(|e| !shown(e)).collect();
        all.extend(listed(report, TableId::Imported, &first(&found), &found));
    }
    if all.is_empty() && !has_figures {
        let own = report.own().iter().filter(|e| !BESIDE.contains(&e.probe));
        let found: Vec<&Estimate> = own.collect();
        let table = |one: &&Estimate| {
            let rows = first(&chosen(&found));
            listed(report, TableId::Measured(one.probe), &rows, &found)
        };
        all.extend(found.first().and_then(table));
    }
    all
}

fn scaling(run: &crate::ScalingRun) -> Option<Table> {
    let row = |p: &crate::ScalingPoint| {
        let throughput = p.median.map(|m| Quantity::within(m, run.unit, p.interval));
        let cell = throughput.map_or(Cell::Empty, Cell::Number);
        Row {
            label: Label::Cores { cores: p.cores, threads: p.threads, placement: None },
            cells: vec![
                cell.clone(),
                if p.interval.is_some() { cell } else { Cell::Empty },
                number(p.efficiency, Unit::Ratio),
                number(p.ipc, Unit::PerCycle),
                number(p.frequency, Unit::Hertz),
            ],
            excluded: p.median.is_none(),
        }
    };
    let columns =
        [Column::Throughput, Column::Interval, Column::Efficiency, Column::Ipc, Column::Frequency];
    let id = TableId::Scaling { workload: run.workload.clone(), limit: run.limit.clone() };
    Table::new(id, &columns, run.main().map(row).collect())
}

fn database(of: &databases::Database) -> Option<Table> {
    let throughput = |m: f64, p: &databases::Point| {
        Cell::Number(Quantity::within(m, Unit::PerSecond, p.interval))
    };
    let row = |p: &databases::Point| Row {
        label: Label::Cores { cores: p.cores, threads: p.threads, placement: p.placement.clone() },
        cells: vec![
            number(Some(p.connections as f64), Unit::Count),
            p.median.map_or(Cell::Empty, |m| throughput(m, p)),
            p.median.filter(|_| p.interval.is_some()).map_or(Cell::Empty, |m| throughput(m, p)),
            number(p.efficiency, Unit::Ratio),
            number(p.latency.iter().find(|(q, _)| *q == 0.99).map(|(_, s)| *s), Unit::Seconds),
            number(p.ipc, Unit::PerCycle),
            match p.median {
                Some(_) => Cell::HeldBy(p.verdict.clone()),
                None => Cell::Empty,
            },
        ],
        excluded: !p.counts(),
    };
    let columns = [
        Column::Connections,
        Column::Throughput,
        Column::Interval,
        Column::Efficiency,
        Column::P99,
        Column::Ipc,
        Column::HeldBy,
    ];
    let unknown = |p: &databases::Point| match &p.verdict {
        databases::Verdict::Unknown(why) => p.median.map(|_| why.clone()),
        _ => None,
    };
    let bases = || of.points.iter().filter_map(|p| p.against.as_ref().map(|base| base.connections));
    let id = TableId::Database {
        workload: of.workload.to_string(),
        engine: of.engine.clone(),
        unlimited: of.points.iter().find_map(unknown),
        against: bases().next().filter(|first| bases().all(|other| other == *first)),
    };
    Table::new(id, &columns, of.points.iter().map(row).collect())
}

fn tests(report: &Report<'_>, of: &unixbench::UnixBench) -> Option<Table> {
    let first = of.sections.iter().min_by_key(|s| s.copies)?;
    let most = of.sections.iter().max_by_key(|s| s.copies).filter(|s| s.copies > first.copies);
    let score =
        |s: &unixbench::Section, id| s.tests.iter().find(|t| t.test.id == id).map(|t| t.index);
    let rows = record::unixbench::TESTS.iter().filter_map(|test| {
        let one = score(first, test.id);
        let all = most.and_then(|s| score(s, test.id));
        one.or(all)?;
        let scaled = of
            .scalings
            .iter()
            .find(|s| s.test.id == test.id && Some(s.copies) == most.map(|s| s.copies));
        Some(Row {
            label: Label::Name(test.name.into()),
            cells: vec![
                number(one, Unit::Count),
                number(all, Unit::Count),
                number(scaled.map(|s| s.times), Unit::Count),
            ],
            excluded: false,
        })
    });
    let most_copies = most.map_or(0, |s| s.copies);
    // Others do not always print how many copies ran.
    let one = if first.copies > 0 { Column::Index(first.copies) } else { Column::Value };
    let columns = [one, Column::Index(most_copies), Column::Times];
    let between = |n: &u64| most.is_some_and(|most| (first.copies + 1..most.copies).contains(n));
    let between = of.sections.iter().map(|s| s.copies).filter(between).collect();
    let others = copies::beyond(report, of);
    Table::new(TableId::UnixBench { between, others }, &columns, rows.collect())
}

fn cpus(of: &noise::Noise) -> Option<Table> {
    let mut watched: Vec<&noise::CpuDetours> = of.cpus.iter().collect();
    // The most disturbed first, where not all of them have room.
    if watched.len() > ROWS {
        watched.order_by(|a, b| b.share.total_cmp(&a.share));
    }
    let row = |c: &&noise::CpuDetours| Row {
        label: c.cpu.map_or(Label::Unbound, Label::Cpu),
        cells: vec![
            number(Some(c.share), Unit::Ratio),
            number(Some(c.per_second), Unit::PerSecond),
            number(c.lengths.map(|l| l[0]), Unit::Seconds),
            number(c.longest, Unit::Seconds),
            c.parts.first().map_or(Cell::Empty, |p| {
                let preempted = p.by == noise::NoiseSource::Preemption;
                Cell::Source(p.by.clone(), c.culprit.clone().filter(|_| preempted))
            }),
        ],
        excluded: false,
    };
    let columns =
        [Column::Lost, Column::Detours, Column::MedianLength, Column::Longest, Column::Source];
    Table::new(TableId::Noise, &columns, watched.iter().map(row).collect())
}

/// Measured beside whatever was asked for.
const BESIDE: &[ProbeId] = &[ProbeId::Preflight, ProbeId::Instrument];

/// The unit that a tool has for its result, where it is not ours.
fn named(report: &Report<'_>, e: &Estimate) -> Option<UnitOfTool> {
    let text = |name| report.text(e, name).unwrap_or_default();
    let foreign = report.record.runs[e.run].origin.is_some();
    unit_of_tool((e.probe, e.metric, e.unit), (&text(param::TEST), &text(param::TOOL)), foreign)
}

/// Results one by one, of all of these.
fn listed(
    report: &Report<'_>,
    id: TableId,
    found: &[&Estimate],
    all: &[&Estimate],
) -> Option<Table> {
    let (mut names, mut rows) = (labels::names(report, found), vec![]);
    for e in found {
        let value = Cell::Number(Quantity::within(e.median, e.unit, e.interval));
        let interval = if e.interval.is_some() { value.clone() } else { Cell::Empty };
        let value = match named(report, e) {
            Some(of) => Cell::Named(Quantity::plain(e.median, e.unit), of.one, of.name),
            None => value,
        };
        rows.push(vec![value, interval]);
    }
    if id == TableId::Imported {
        for (name, value) in super::counted::rows(report.record) {
            names.push(name);
            rows.push(vec![value, Cell::Empty]);
        }
    }
    let total = all.len() + rows.len() - found.len();
    let common = labels::take_common(&mut names, &labels::names(report, all));
    let row = |(name, cells): (&labels::Name, _)| Row {
        label: Label::Name(name.text()),
        cells,
        excluded: false,
    };
    let rows = names.iter().zip(rows).map(row).collect();
    let table = Table::new(id, &[Column::Value, Column::Interval], rows)?;
    Some(Table { more: total - table.rows.len(), common, ..table })
}

#[cfg(test)]
mod tests;
