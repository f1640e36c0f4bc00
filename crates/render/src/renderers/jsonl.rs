//! One JSON object a line: each case as soon as it is finished, and the summary at the end.
use crate::renderer::{Renderer, Settings, Subject};
use crate::renderers::json::CaseOf;
use crate::renderers::text;
use analyse::Report;
use analyse::summary::summary;
use record::json_escaped;
use serde_json::json;
use std::io::{self, Write};

/// JSON lines.
pub(crate) static RENDERER: Renderer = Renderer::of_all(write);

pub(crate) fn write(of: Subject<'_>, settings: &Settings, out: &mut dyn Write) -> io::Result<()> {
    let Subject::Report(report) = of else { return text::write(of, settings, out) };
    for run in 0..report.record.runs.len() {
        of_run(report, run, out)?;
    }
    end(report, out)
}

/// The line of a case: its parameters, its outcome and its estimates.
///
/// # Errors
/// Only what `out` returns.
pub fn of_run(report: &Report<'_>, run: usize, out: &mut dyn Write) -> io::Result<()> {
    let Some(line) = CaseOf::new(report, run) else { return Ok(()) };
    put(&serde_json::to_value(line)?, out)
}

/// The last line: the flat summary.
///
/// # Errors
/// Only what `out` returns.
pub fn end(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    put(&json!({ "summary": summary(report).flat() }), out)
}

fn put(value: &serde_json::Value, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", json_escaped(&serde_json::to_string(value)?))?;
    out.flush()
}
