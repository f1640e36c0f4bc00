//! Results of another tool's `perf stat`: instructions per cycle, core frequency, and shares of misses.
use super::{Cell, Label, Quantity, Row};
use crate::explain;
use record::{ProbeId, Record, Run, Unit};

/// A share of misses: its words, the misses, and what they are of.
const MISSES: &[(&str, &[&str], &[&str])] = &[
    ("last-level cache misses", &["LLC-load-misses"], &["LLC-loads"]),
    ("cache misses", &["cache-misses"], &["cache-references"]),
    ("L1 data cache misses", &["L1-dcache-load-misses"], &["L1-dcache-loads"]),
    ("data TLB misses", &["dTLB-load-misses"], &["dTLB-loads"]),
    ("branch misses", &["branch-misses"], &["branches", "branch-instructions"]),
];
const CYCLES: &[&str] = &["cycles", "cpu-cycles"];

/// One row for each figure of each program that was counted alone.
pub(super) fn rows(record: &Record) -> Vec<Row> {
    let counted = record.runs.iter().filter(|run| run.case.probe == ProbeId::PerfStat);
    let own = counted.filter(|run| explain::own_counts(record, run, None).is_ok());
    own.flat_map(|run| figures(run).into_iter().map(|figure| row(run, figure))).collect()
}

fn row(run: &Run, (name, value, unit): (&str, f64, Unit)) -> Row {
    let name = match run.case.params.get("of") {
        Some(of) => format!("perf stat {name}: {}", super::labels::program(&of.to_string())),
        None => format!("perf stat {name}"),
    };
    let cells = vec![Cell::Number(Quantity::plain(value, unit)), Cell::Empty];
    Row { label: Label::Name(name), cells, excluded: false }
}

fn figures(run: &Run) -> Vec<(&'static str, f64, Unit)> {
    let ratio = |above: &[&str], below: &[&str]| {
        let below = count(run, below).filter(|x| *x > 0.0)?;
        Some(count(run, above)? / below)
    };
    // The task's time is of both modes.
    let both_modes = reading(run, CYCLES, true).is_some();
    let frequency = ratio(CYCLES, &["task-clock"]).filter(|hz| both_modes && *hz > 0.0);
    let ipc = ratio(&["instructions"], CYCLES).filter(|ipc| *ipc > 0.0);
    let mut all: Vec<_> = ipc.map(|ipc| ("IPC", ipc, Unit::PerCycle)).into_iter().collect();
    all.extend(frequency.map(|hz| ("frequency", hz, Unit::Hertz)));
    let share = |(name, misses, of): &(&'static str, &[&str], &[&str])| {
        Some((*name, ratio(misses, of)?, Unit::Ratio))
    };
    all.extend(MISSES.iter().filter_map(share));
    all
}

fn count(run: &Run, names: &[&str]) -> Option<f64> {
    reading(run, names, false)
}

/// An event's count, with `:u` and the like behind its name or, if it has to be `exact`, without.
fn reading(run: &Run, names: &[&str], exact: bool) -> Option<f64> {
    let bare = |name: &str| name.split(':').next().is_some_and(|bare| names.contains(&bare));
    let fits = |name: &str| if exact { names.contains(&name) } else { bare(name) };
    let found = run.readings.iter().find(|r| fits(&r.name) && r.coverage > 0.0)?;
    Some(found.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Case, Outcome, Placement, Reading};

    fn run(scope: &str, events: &[(&str, f64)]) -> Run {
        let params = [("scope".to_owned(), scope.into()), ("of".to_owned(), "./a".into())];
        let case = Case {
            probe: ProbeId::PerfStat,
            version: 0,
            params: params.into(),
            place: Placement::default(),
            estimate: 0.0,
        };
        let reading = |(name, value): &(&str, f64)| Reading {
            name: (*name).into(),
            unit: Unit::Count,
            value: *value,
            coverage: 1.0,
        };
        let readings = events.iter().map(reading).collect();
        Run { readings, ..Run::new(case, Outcome::Measured(vec![])) }
    }

    #[test]
    fn counts_become_ipc_frequency_and_misses() {
        let all = [
            ("task-clock", 2.0),
            ("cycles", 6e9),
            ("instructions", 12e9),
            ("LLC-loads", 100.0),
            ("LLC-load-misses", 10.0),
        ];
        let figures = figures(&run("process", &all));
        assert_eq!(
            figures,
            [
                ("IPC", 2.0, Unit::PerCycle),
                ("frequency", 3e9, Unit::Hertz),
                ("last-level cache misses", 0.1, Unit::Ratio)
            ]
        );
        let user = [("task-clock:u", 2.0), ("cycles:u", 6e9), ("instructions:u", 12e9)];
        assert_eq!(super::figures(&run("process", &user)), [("IPC", 2.0, Unit::PerCycle)]);
    }
}
