//! `stat` as CSV: a row for each figure of a run, and for each event of an interval.
use super::{Intervals, tag};
use crate::renderers::csv::word;
use analyse::program::{Program, figures};
use sections::page::visible;
use std::io;

/// Rows of the runs and of their intervals; a row of a whole run has no interval. Columns: `cpulens stat --help`.
pub fn csv(programs: &[Program<'_>], intervals: &[Intervals]) -> io::Result<String> {
    let mut rows = csv::Writer::from_writer(vec![]);
    rows.write_record(["run", "from", "to", "quantity", "value", "unit", "of", "coverage"])?;
    for (at, program) in programs.iter().enumerate() {
        let run = (at + 1).to_string();
        let tag = tag(program);
        for f in figures(program) {
            let (value, coverage) = (f.value.to_string(), f.coverage.to_string());
            let unit = word(&f.unit);
            let of = if f.of_machine { "machine" } else { &tag };
            rows.write_record([&run, "", "", &f.name, &value, &unit, of, &coverage])?;
        }
        for interval in intervals.get(at).into_iter().flatten() {
            let (from, to) = (interval.from.to_string(), interval.to.to_string());
            for (event, count) in &interval.counts {
                let count = count.to_string();
                rows.write_record([&run, &from, &to, event, &count, "count", &tag, ""])?;
            }
        }
    }
    let bytes = rows.into_inner().map_err(|e| e.into_error())?;
    String::from_utf8(bytes).map(|text| visible(&text)).map_err(io::Error::other)
}
