//! What a command measured at several points: a scaling run, tests, CPUs, connections, results of other tools.
mod listed;

use super::{Part, Quantity};
use crate::whatif::Change;
use crate::{Curve, Estimate, Limit, Report, ScalingRun, databases, noise, unixbench};
use listed::{chosen, first, listed};
use record::{CpuSet, ProbeId, Reason, Unit};

/// Rows shown; the report has all.
const ROWS: usize = 14;

/// Which table it is.
#[derive(Debug, Clone, PartialEq)]
pub enum TableId {
    /// A workload on more and more cores, and what limits it.
    Scaling {
        /// The workload.
        workload: String,
        /// What holds it back on all cores, or why that is not known.
        limit: Result<Limit, Reason>,
    },
    /// UnixBench's tests.
    UnixBench,
    /// What the system takes from each CPU.
    Noise,
    /// A database on more and more cores.
    Database {
        /// `point_select` or `tpcc`.
        workload: String,
        /// The engine as it called itself.
        engine: Option<String>,
        /// Why it is not known what limits it, where that is so.
        unlimited: Option<Reason>,
    },
    /// Results of other tools.
    Imported,
    /// What has no place among the figures; a probe of it.
    Measured(ProbeId),
    /// A machine's parts and settings.
    Machine,
    /// A record beside another.
    Against,
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
    /// The same as an interval or as modes.
    Interval,
    /// What a core does, as a share of what one does alone.
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
    /// What takes most of it.
    Source,
    /// Connections.
    Connections,
    /// 99 of a hundred events take no longer.
    P99,
    /// What holds it back.
    HeldBy,
    /// A value.
    Value,
    /// Of this record.
    Here,
    /// Of the other one.
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

/// What a row is about.
#[derive(Debug, Clone, PartialEq)]
pub enum Label {
    /// A name that is no sentence.
    Name(String),
    /// So many cores with so many CPUs.
    Cores {
        /// Physical cores.
        cores: usize,
        /// CPUs.
        threads: usize,
        /// What tells it from others on the same cores; a placement's name.
        placement: Option<String>,
    },
    /// A CPU.
    Cpu(u32),
    /// A thread that could be moved.
    Unbound,
    /// A part of the machine, or a setting.
    Part(Part),
    /// A change, and what it is now where that is known.
    Change(Change, Option<String>),
}

/// What a cell holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// A number.
    Number(Quantity),
    /// A number in the unit that its tool has for it: so many of the number's own make one.
    Named(Quantity, f64, &'static str),
    /// A word, list or command as the record or the analysis has it.
    Text(String),
    /// A range of factors.
    Times(f64, f64),
    /// Who takes time, and the task where it is one.
    Source(noise::NoiseSource, Option<noise::Culprit>),
    /// What holds a database back.
    HeldBy(databases::Verdict),
}

/// A row.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What it is about.
    pub label: Label,
    /// As many cells as there are columns.
    pub cells: Vec<Cell>,
    /// Whether something speaks against it.
    pub excluded: bool,
}

/// Rows under columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Which it is.
    pub id: TableId,
    /// Columns beside the label.
    pub columns: Vec<Column>,
    /// In reading order.
    pub rows: Vec<Row>,
    /// Rows that are not shown.
    pub more: usize,
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
        (!rows.is_empty()).then_some(Table { id, columns, rows, more })
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
    all.extend(report.get::<Vec<ScalingRun>>().iter().filter_map(scaling));
    all.extend(report.get::<Vec<databases::Database>>().iter().filter_map(database));
    all.extend(report.get::<Option<unixbench::UnixBench>>().as_ref().and_then(tests));
    // Among the figures of a whole run, noise has two of its own.
    if report.get::<Vec<Curve>>().is_empty() {
        all.extend(report.get::<Option<noise::Noise>>().as_ref().and_then(cpus));
    }
    if imported && (all.is_empty() || !own) {
        let found: Vec<&Estimate> = report.of_others().iter().collect();
        all.extend(listed(report, TableId::Imported, &first(&found), found.len()));
    }
    if all.is_empty() && !has_figures {
        let own = report.own().iter().filter(|e| !BESIDE.contains(&e.probe));
        let found: Vec<&Estimate> = own.collect();
        let table = |first: &&Estimate| {
            let rows = listed::first(&chosen(&found));
            listed(report, TableId::Measured(first.probe), &rows, found.len())
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
    let row = |p: &databases::Point| Row {
        label: Label::Cores { cores: p.cores, threads: p.threads, placement: p.placement.clone() },
        cells: vec![
            number(Some(p.connections as f64), Unit::Count),
            p.median.map_or(Cell::Empty, |m| {
                Cell::Number(Quantity::within(m, Unit::PerSecond, p.interval))
            }),
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
        Column::Efficiency,
        Column::P99,
        Column::Ipc,
        Column::HeldBy,
    ];
    let unknown = |p: &databases::Point| match &p.verdict {
        databases::Verdict::Unknown(why) => p.median.map(|_| why.clone()),
        _ => None,
    };
    let id = TableId::Database {
        workload: of.workload.to_string(),
        engine: of.engine.clone(),
        unlimited: of.points.iter().find_map(unknown),
    };
    Table::new(id, &columns, of.points.iter().map(row).collect())
}

fn tests(of: &unixbench::UnixBench) -> Option<Table> {
    let first = of.sections.iter().min_by_key(|s| s.copies)?;
    let most = of.sections.iter().max_by_key(|s| s.copies).filter(|s| s.copies > first.copies);
    let score =
        |s: &unixbench::Section, id| s.tests.iter().find(|t| t.test.id == id).map(|t| t.index);
    let rows = record::unixbench::TESTS.iter().filter_map(|test| {
        let one = score(first, test.id);
        let all = most.and_then(|s| score(s, test.id));
        one.or(all)?;
        let scaled = of
            .bandwidth_scalings
            .iter()
            .find(|s| s.test.id == test.id && Some(s.copies) == most.map(|s| s.copies));
        Some(Row {
            label: Label::Name(test.name.to_owned()),
            cells: vec![
                number(one, Unit::Count),
                number(all, Unit::Count),
                number(scaled.map(|s| s.times), Unit::Count),
            ],
            excluded: false,
        })
    });
    let copies = most.map_or(0, |s| s.copies);
    let columns = [Column::Index(first.copies), Column::Index(copies), Column::Times];
    Table::new(TableId::UnixBench, &columns, rows.collect())
}

fn cpus(of: &noise::Noise) -> Option<Table> {
    let mut watched: Vec<&noise::CpuDetours> = of.cpus.iter().collect();
    // The most disturbed first, where not all of them have room.
    if watched.len() > ROWS {
        watched.sort_by(|a, b| b.share.total_cmp(&a.share));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{empty, measured};
    use record::{Better, Metric, Origin, Record, Series, param};

    #[test]
    fn scores_come_first_and_constants_never() {
        let mut record = empty();
        let whetstone = "Double-Precision Whetstone";
        for (metric, test) in
            [("baseline", whetstone), ("rate", whetstone), ("ipc", whetstone), ("score", "all")]
        {
            let mut s = Series::new(metric, Unit::PerSecond, Better::Higher).at(param::TEST, test);
            s.samples = vec![2e9];
            measured(&mut record, "unixbench", &[], vec![s]);
            record.runs.last_mut().unwrap().origin = Some(Origin { source: 0, line: 1 });
        }
        let tables = crate::summary::summary(&crate::analyse(&record)).tables;
        let names = tables[0].rows.iter().map(|row| match &row.label {
            Label::Name(name) => name.as_str(),
            other => panic!("{other:?}"),
        });
        let names: Vec<&str> = names.collect();
        assert!(names[0].starts_with("unixbench score"), "{names:?}");
        assert!(names.len() == 3 && names.iter().all(|n| !n.contains("baseline")), "{names:?}");
        assert!(matches!(tables[0].rows[1].cells[0], Cell::Named(_, 1e6, "MWIPS")));
    }

    /// A probe without a figure has rows, of many cases for the largest size of each; one with a figure has none.
    #[test]
    fn what_has_no_figure_is_listed() {
        let series = |metric, unit, size: u64, attempt: u64| {
            let mut s = Series::new(metric, unit, Better::Higher);
            s.samples = vec![size as f64; 8];
            s.at(param::BLOCK, size).at(param::ATTEMPT, attempt)
        };
        let speed = |size, attempt| series(Metric::Throughput, Unit::BytesPerSecond, size, attempt);
        let mut record = empty();
        for copies in 1..=8u64 {
            let all = vec![speed(16, 1), speed(16, 2), speed(1024, 1), speed(1024, 2)];
            measured(&mut record, "openssl", &[("copies", &copies.to_string())], all);
        }
        measured(&mut record, "preflight", &[], vec![series(Metric::Busy, Unit::Ratio, 1, 1)]);
        let of = |record: &Record| crate::summary::summary(&crate::analyse(record)).tables;
        let [table] = &of(&record)[..] else { panic!("one table") };
        assert_eq!(table.id, TableId::Measured(ProbeId::Openssl));
        let rows = table.rows.iter().map(|row| match (&row.label, &row.cells[0]) {
            (Label::Name(name), Cell::Number(quantity)) => (name.as_str(), quantity.value),
            other => panic!("{other:?}"),
        });
        let rows: Vec<_> = rows.collect();
        assert_eq!(rows[0], ("openssl throughput: copies 1, block 1024", 1024.0));
        assert_eq!((rows.len(), table.more), (8, 24));
        let first = Record { runs: record.runs[..1].to_vec(), ..record.clone() };
        let [of_one] = &of(&first)[..] else { panic!("one table") };
        assert_eq!((of_one.rows.len(), of_one.more), (2, 2), "16 and 1,024 bytes");
        let mut hertz = Series::new(Metric::Frequency, Unit::Hertz, Better::Higher);
        hertz.samples = vec![3e9; 8];
        measured(&mut record, "core_frequency", &[], vec![hertz.at(param::CHAIN, "add")]);
        assert_eq!(of(&record), []);
    }
}
