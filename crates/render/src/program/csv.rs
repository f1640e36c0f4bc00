//! `stat` as CSV: a row for each figure of a run, without a value for an event that could not be counted, and for each
//! event of an interval.
use super::{Intervals, tag};
use analyse::program::{Program, figures};
use record::{stored_name, visible};
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
            let unit = stored_name(&f.unit);
            let of = if f.of_machine { "machine" } else { &tag };
            rows.write_record([&run, "", "", &f.name, &value, &unit, of, &coverage])?;
        }
        for asked in program.asked().iter().filter(|asked| asked.count.is_err()) {
            rows.write_record([&run, "", "", asked.event, "", "count", &tag, ""])?;
        }
        for interval in intervals.get(at).into_iter().flatten() {
            let (from, to) = (interval.from.to_string(), interval.to.to_string());
            for (event, count) in &interval.counts {
                // The kernel gives it in nanoseconds.
                let (count, unit) = match event.as_str() {
                    "task-clock" => ((count * 1e-9).to_string(), "seconds"),
                    _ => (count.to_string(), "count"),
                };
                rows.write_record([&run, &from, &to, event, &count, unit, &tag, ""])?;
            }
        }
    }
    let bytes = rows.into_inner().map_err(|e| e.into_error())?;
    String::from_utf8(bytes).map(|text| visible(&text)).map_err(io::Error::other)
}
