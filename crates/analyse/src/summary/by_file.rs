//! Results of several machines: each file of the import by itself, for no figure is of all of them.
use super::tables::{ROWS, Table, tables};
use record::{Machine, Origin, Provenance, Record, Run, Source};

/// Tables of files that are shown.
const FILES: usize = 4;

/// The tables of each file of a record of several machines, by itself.
pub(super) fn by_file(record: &Record) -> Vec<Table> {
    let sources = record.provenance.sources.iter().enumerate();
    let of_file = |(index, source): (usize, &Source)| {
        let of_it = |run: &&Run| run.origin.is_some_and(|origin| origin.source as usize == index);
        let alone = |run: &Run| {
            let origin = run.origin.map(|origin| Origin { source: 0, ..origin });
            Run { origin, ..run.clone() }
        };
        let runs: Vec<Run> = record.runs.iter().filter(of_it).map(alone).collect();
        if runs.is_empty() {
            return vec![];
        }
        let made = Provenance { sources: vec![source.clone()], ..Provenance::default() };
        let alone = Record::new(made, Machine::default(), runs);
        let report = crate::analyse(&alone);
        let mut all = tables(&report, false, true, false);
        all.iter_mut().for_each(|table| {
            table.file = Some((source.file.clone(), source.other_machine.clone()));
        });
        all
    };
    let mut all: Vec<Table> = sources.flat_map(of_file).collect();
    let beyond = all.split_off(FILES.min(all.len()));
    // Together they are as long as two.
    let room = 2 * ROWS / all.len().max(2);
    for table in &mut all {
        table.more += table.rows.len().saturating_sub(room);
        table.rows.truncate(room);
    }
    if let Some(last) = all.last_mut() {
        last.more += beyond.iter().map(|table| table.rows.len() + table.more).sum::<usize>();
    }
    all
}
