//! Results of another tool's `perf stat`: instructions per cycle, core frequency, and shares of misses.
use super::labels::{self, Name};
use super::{Cell, Quantity};
use crate::{explain, say};
use record::{Message, ProbeId, Record, Run, Text, Unit, param};

/// A share of misses: its words, the misses, and what they are of.
const MISSES: &[(Message, &[&str], &[&str])] = &[
    (say::MISSES_LLC, &["LLC-load-misses"], &["LLC-loads"]),
    (say::MISSES_CACHE, &["cache-misses"], &["cache-references"]),
    (say::MISSES_L1, &["L1-dcache-load-misses"], &["L1-dcache-loads"]),
    (say::MISSES_TLB, &["dTLB-load-misses"], &["dTLB-loads"]),
    (say::MISSES_BRANCH, &["branch-misses"], &["branches", "branch-instructions"]),
];
const CYCLES: &[&str] = &["cycles", "cpu-cycles"];

/// One row for each figure of each run, or for each count where it has no figure, with what was counted: a program alone, or CPUs
/// with whatever ran on them.
pub(super) fn rows(record: &Record) -> Vec<(Name, Cell)> {
    let counted = record.runs.iter().filter(|run| run.case.probe == ProbeId::PerfStat);
    let rows = counted.filter_map(|run| Some((run, counted_of(record, run)?)));
    rows.flat_map(|(run, of)| {
        let mut all = figures(run);
        if all.is_empty() {
            let counts =
                run.readings.iter().filter(|r| r.coverage > 0.0 && !r.name.ends_with(".spread"));
            all.extend(counts.map(|r| (Text::from(&r.name), r.value, r.unit)));
        }
        all.into_iter().map(move |figure| row(&of, figure))
    })
    .collect()
}

/// What the counts of a run are of, in words, if it says so; nothing where they contradict themselves.
fn counted_of(record: &Record, run: &Run) -> Option<Vec<Text>> {
    if let Some(scope) = run.case.get(param::SCOPE).and_then(labels::scope) {
        return Some(vec![scope.into()]);
    }
    explain::own_counts(record, run, None).ok()?;
    Some(run.case.params.get("of").map(|of| labels::program(&of.to_string())).into_iter().collect())
}

fn row(of: &[Text], (name, value, unit): (Text, f64, Unit)) -> (Name, Cell) {
    let value = match unit {
        Unit::Count => Cell::Named(Quantity::plain(value, unit), 1.0, ""),
        unit => Cell::Number(Quantity::plain(value, unit)),
    };
    (Name { what: say::stat_of(name), of: of.to_vec() }, value)
}

fn figures(run: &Run) -> Vec<(Text, f64, Unit)> {
    let ratio = |above: &[&str], below: &[&str]| {
        let below = count(run, below).filter(|x| *x > 0.0)?;
        Some(count(run, above)? / below)
    };
    // The task's time is of both modes; that of CPUs has idle time in it.
    let of_task = !matches!(run.case.get(param::SCOPE), Some("system" | "cpu"))
        && reading(run, CYCLES, true).is_some();
    let frequency = ratio(CYCLES, &["task-clock"]).filter(|hz| of_task && *hz > 0.0);
    let ipc = ratio(&["instructions"], CYCLES).filter(|ipc| *ipc > 0.0);
    let mut all: Vec<_> = ipc.map(|ipc| ("IPC".into(), ipc, Unit::PerCycle)).into_iter().collect();
    all.extend(frequency.map(|hz| ("frequency".into(), hz, Unit::Hertz)));
    let share = |(name, misses, of): &(Message, &[&str], &[&str])| {
        Some((Text::from(*name), ratio(misses, of)?, Unit::Ratio))
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
                ("IPC".into(), 2.0, Unit::PerCycle),
                ("frequency".into(), 3e9, Unit::Hertz),
                ("last-level cache misses".into(), 0.1, Unit::Ratio)
            ]
        );
        let user = [("task-clock:u", 2.0), ("cycles:u", 6e9), ("instructions:u", 12e9)];
        assert_eq!(super::figures(&run("process", &user)), [("IPC".into(), 2.0, Unit::PerCycle)]);
    }
    /// What is not a program's is said, and without ratios the counts themselves are there.
    #[test]
    fn every_scope_has_rows_that_name_it() {
        let named = |scope: &str, events: &[(&str, f64)]| {
            let record = Record { runs: vec![run(scope, events)], ..crate::example::empty() };
            rows(&record).iter().map(|(name, _)| name.text().to_string()).collect::<Vec<_>>()
        };
        let all = [("task-clock", 2.0), ("cycles", 6e9), ("instructions", 12e9)];
        let of_task =
            |of: &str| [format!("perf stat IPC: {of}"), format!("perf stat frequency: {of}")];
        assert_eq!(named("unknown", &all), of_task("scope not printed"));
        assert_eq!(named("system", &all), ["perf stat IPC: system-wide"]);
        let counts = [("page-faults", 47.0), ("context-switches", 0.0)];
        let only =
            ["perf stat page-faults: program ./a", "perf stat context-switches: program ./a"];
        assert_eq!(named("process", &counts), only);
    }
}
