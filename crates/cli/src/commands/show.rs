//! `show`: load, analyse, render.
use crate::{args, catalogue, exit::Exit, files, output};
use analyse::{Report, diagnosis::diagnosis};
use anyhow::Result;
use record::{Record, Validity};

pub(crate) fn show(args: &args::Show) -> Result<Exit> {
    let (record, _) = files::load(&args.record)?;
    shown(&record, &args.output)
}

/// Analyses and renders a record.
pub(crate) fn shown(record: &Record, output: &args::Output) -> Result<Exit> {
    let report = catalogue::report(record);
    output::report(output, &report)?;
    Ok(verdict(&report))
}

/// Unfit outweighs findings: what was found on an unfit machine may not be so. Notes are nothing to act on.
pub(crate) fn verdict(report: &Report<'_>) -> Exit {
    if report.judgement.validity == Validity::Invalid {
        Exit::Unfit
    } else if !diagnosis(report, None).findings.is_empty() {
        Exit::Findings
    } else {
        Exit::Done
    }
}
