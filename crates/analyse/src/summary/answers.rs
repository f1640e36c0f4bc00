//! The summaries of commands that answer from a record: a machine, a diagnosis, predictions, a placement.
use super::{
    Cell, Column, Command, Finding, Gap, Label, Next, Quantity, Row, Summary, Table, TableId,
    drawing, next, summary, tables,
};
use crate::diagnosis::{Diagnosis, Ranked, diagnosis};
use crate::place::Placement;
use crate::whatif::Answer;
use crate::{Report, facts};
use benchmarks::quantities::Grade;
use record::{Record, Unit};

/// Findings of a diagnosis that are shown; text leaves out as many as have no room.
const MOST: usize = 12;

/// A machine that was not measured.
pub fn of_machine(report: &Report<'_>) -> Summary {
    let machine = &report.record.machine;
    let unknown = machine.facts.iter();
    let unknown = unknown.filter(|(_, f)| matches!(f.known, record::FactValue::Unknown(_)));
    let missing = machine.topology.missing.iter().map(|(name, _)| name.clone());
    let names: Vec<String> = unknown.map(|(name, _)| name.clone()).chain(missing).collect();
    let rated = facts::rated_frequencies(machine, None).is_err().then_some(Gap::RatedFrequency);
    let facts = (!names.is_empty()).then_some(Gap::Facts { names });
    Summary {
        drawing: drawing::drawing(machine),
        // Of a machine alone what is odd about it is all that is said.
        notes: diagnosis(report, None).notes.iter().map(|r| r.id).collect(),
        gaps: rated.into_iter().chain(facts).collect(),
        next: vec![Next::Run, Next::FullOf(Command::Info), Next::Place],
        warnings: vec![],
        ..summary(report)
    }
}

/// The summary of a diagnosis, for a workload and beside another record.
pub fn of_diagnosis(report: &Report<'_>, found: &Diagnosis) -> Summary {
    let lacking: usize = found.unlocks.iter().map(|u| u.rules.len()).sum();
    let unlike = found.against.iter().flat_map(|a| &a.rows).filter(|row| row.own != row.other);
    let beside = unlike.map(|row| Row {
        label: Label::Name(row.what.clone()),
        cells: vec![
            tables::number(row.own, row.unit),
            tables::number(row.other, row.unit),
            tables::number(row.ratio(), Unit::Count),
        ],
        excluded: false,
    });
    let columns = [Column::Here, Column::Other, Column::Times];
    let proven = |r: &Ranked| {
        let proof = Some(r.finding.claim.clone());
        Finding { proof, ..finding(report.record, r) }
    };
    let other = found.against.as_ref().and_then(|against| against.other.clone());
    let against = Table::new(TableId::Against(other), &columns, beside.collect());
    Summary {
        figures: vec![],
        drawing: vec![],
        tables: against.into_iter().collect(),
        findings: found.findings.iter().take(MOST).map(proven).collect(),
        more_findings: found.findings.len().saturating_sub(MOST),
        notes: found.notes.iter().map(|r| r.id).collect(),
        of_published: found.of_published.clone(),
        checks: found.clear.len() + found.notes.len() + found.aside.len(),
        gaps: (lacking > 0).then_some(Gap::Rules { count: lacking }).into_iter().collect(),
        next: vec![Next::FullOf(Command::Diagnose), Next::Full, next::compare(report)],
        warnings: vec![],
        ..summary(report)
    }
}

/// Facts are as sure as what the record was made from; of a machine that was only described they have no grade.
pub(super) fn finding(record: &Record, ranked: &Ranked) -> Finding {
    let surest = record.runs.iter().map(|run| Grade::of(record, run)).min();
    Finding {
        rule: ranked.id,
        action: ranked.finding.action,
        workload: ranked.finding.workload.clone(),
        grade: surest.map(|surest| ranked.basis.grade.max(surest)),
        cost: ranked.cost.as_ref().ok().cloned(),
        part_of: ranked.part_of,
        proof: None,
    }
}

/// The summary of a command that was asked for something else than figures and findings.
fn answer(report: &Report<'_>, tables: Option<Table>) -> Summary {
    Summary {
        figures: vec![],
        drawing: vec![],
        tables: tables.into_iter().collect(),
        findings: vec![],
        more_findings: 0,
        gaps: vec![],
        answers_only: true,
        warnings: vec![],
        ..summary(report)
    }
}

/// The summary of predictions.
pub fn of_predictions(report: &Report<'_>, answers: &[Answer]) -> Summary {
    let row = |answer: &Answer| {
        let found = answer.found.as_ref().ok();
        let times = found.map(|p| p.times);
        Row {
            label: Label::Change(answer.change, found.and_then(|p| p.now.clone())),
            cells: vec![
                times.map_or(Cell::Empty, |(low, high)| Cell::Times(low, high)),
                found.map_or(Cell::Empty, |p| match &p.held {
                    Some(held) => Cell::Text(held.into()),
                    None => Cell::Command(p.test.to_string()),
                }),
            ],
            excluded: false,
        }
    };
    let columns = [Column::Throughput, Column::Test];
    let predicted = answers.iter().filter(|a| a.found.is_ok());
    let table = Table::new(TableId::Predictions, &columns, predicted.map(row).collect());
    let gap = |a: &Answer| {
        let why = a.found.as_ref().err()?.why.clone();
        Some(Gap::Prediction { change: a.change, why })
    };
    Summary {
        gaps: answers.iter().filter_map(gap).collect(),
        next: vec![Next::FullOf(Command::Whatif), Next::Diagnose],
        ..answer(report, table)
    }
}

/// The summary of a placement.
pub fn of_placement(report: &Report<'_>, placement: &Placement) -> Summary {
    let row = |(number, i): (usize, &crate::place::Instance)| Row {
        label: Label::Name(number.into()),
        cells: vec![
            Cell::Text(i.cpus.to_string().into()),
            Cell::Number(Quantity::plain(i.cores as f64, Unit::Count)),
            if i.nodes.is_empty() { Cell::Empty } else { Cell::Text(i.nodes.to_string().into()) },
            tables::number(i.bytes.map(|b| b as f64), Unit::Bytes),
        ],
        excluded: false,
    };
    let columns = [Column::Cpus, Column::Cores, Column::Nodes, Column::Memory];
    let rows = placement.instances.iter().enumerate().map(row).collect();
    // What the kernel counts, such as interrupts, is no measurement of this program.
    let measured = !report.record.runs.is_empty()
        && placement.choices.iter().any(|c| c.basis == crate::place::Basis::Measured);
    let id = TableId::Placement { measured, left: placement.left.clone() };
    Summary {
        next: vec![Next::FullOf(Command::Place), Next::Spread],
        ..answer(report, Table::new(id, &columns, rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::empty;
    use record::{FactValue, Reason};

    #[test]
    fn a_machine_says_what_it_lacks_by_name_and_what_is_odd() {
        let mut record = empty();
        let node = record::Node { bytes: Some(20 << 30), ..record::Node::default() };
        record.machine.topology.nodes = vec![node];
        let cpu = |(id, online, allowed, kind): (u32, bool, bool, &str)| record::Cpu {
            id,
            online,
            allowed,
            kind: Some(kind.to_owned()),
            ..record::Cpu::default()
        };
        let (fast, slow) = ("performance", "efficiency");
        let cpus = [(0, true, true, fast), (1, true, false, fast), (2, false, false, fast)];
        let cpus = cpus.into_iter().chain([(3, true, false, slow)]);
        record.machine.topology.cpus = cpus.map(cpu).collect();
        let mut fact = |name: &str, known| {
            let fact = record::Fact { known, unit: None, source: String::new() };
            record.machine.facts.insert(name.to_owned(), fact);
        };
        fact("memory.total", FactValue::Value((24u64 << 30).into()));
        fact("bios.date", FactValue::Unknown(Reason::new("root only")));
        for (level, bytes) in [("l3", 32_u64 << 20), ("l1d", 32 << 10)] {
            fact(&format!("cache.{level}.instances"), FactValue::Value(1_u64.into()));
            fact(&format!("cache.{level}.each"), FactValue::Value(bytes.into()));
        }
        let summary = of_machine(&crate::analyse(&record));
        let cells = summary.tables.iter().flat_map(|t| &t.rows).flat_map(|row| &row.cells);
        let cells: Vec<&Cell> = cells.collect();
        for text in ["L1 32 KiB, L3 32 MiB", "1/4 (CPU 2)", "1/3 (CPU 0)", "P-core 0,1, E-core 3"] {
            assert!(cells.contains(&&Cell::Text(text.into())), "{text}: {cells:?}");
        }
        assert_eq!(summary.notes, ["memory_missing_from_nodes"]);
        assert!(summary.gaps.contains(&Gap::RatedFrequency));
        assert!(summary.gaps.contains(&Gap::Facts { names: vec!["bios.date".into()] }));
    }
}
