//! `diagnose`: load, analyse, rank what makes the machine slow for a workload, and compare with another record.
use crate::{exit::Exit, output};
use analyse::compare::Comparison;
use analyse::diagnosis::{Workload, diagnosis};
use analyse::program::program;
use analyse::summary::of_diagnosis;
use anyhow::{Context, Result, bail};
use record::{Judgement, Record, Run};
use std::path::Path;
use storage::{
    files::{self, short},
    foreign,
};

pub(crate) fn run(args: &arguments::Diagnose) -> Result<Exit> {
    output::check(&args.output)?;
    let (mut record, _) = files::load(&args.record)?;
    let other = args.against.as_deref().map(files::load).transpose()?.map(|(other, _)| other);
    let workload = args.workload.as_deref().map(|w| workload(w, &mut record)).transpose()?;
    let report = analyse::analyse(&record);
    let mut found = diagnosis(&report, workload);
    let theirs = other.as_ref().map(analyse::analyse);
    if let Some(theirs) = &theirs {
        found = found.against(&report, theirs);
    }
    let names = (short(&args.record), args.against.as_deref().map(short).unwrap_or_default());
    if output::is_short(&args.output, &args.screen) {
        let name = files::named(&args.record);
        output::screen(&args.output, &of_diagnosis(&report, &found), name)?;
    } else {
        let document = sections::diagnosis::document(&found, &report, (&names.0, &names.1));
        output::document(&args.output, &document)?;
    }
    let environment = report.get::<Judgement>().environment;
    Ok(Exit::analysed(args.strict, environment, !found.findings.is_empty()))
}

/// Two records without a figure of one thing: what differs about their machines, and what is wrong with the first. Gives the lines
/// that were written: none where neither is known and the comparison says more.
pub(super) fn beside(
    [name, other]: [&str; 2],
    output: &arguments::Output,
    comparison: &Comparison,
) -> Result<usize> {
    let (own, theirs) = (files::load(name)?.0, files::load(other)?.0);
    let (report, theirs) = (analyse::analyse(&own), analyse::analyse(&theirs));
    let found = diagnosis(&report, None).against(&report, &theirs);
    let mut summary = of_diagnosis(&report, &found);
    let says_more = !comparison.headlines.is_empty() || !comparison.not_compared.is_empty();
    if summary.tables.is_empty() && summary.findings.is_empty() && says_more {
        return Ok(0);
    }
    // The figures of both stand beside each other, and the comparison takes the rest of the screen.
    summary.findings.iter_mut().for_each(|finding| finding.proof = None);
    output::screen(output, &summary, files::named(name))
}

/// A kind of program, or a run that `cpulens stat --format json` counted: what it says is concluded again from the run, which
/// rules look at, too.
fn workload(name: &str, record: &mut Record) -> Result<Workload> {
    if let Some(kind) = Workload::named(name) {
        return Ok(kind);
    }
    let run = counted(name)?;
    let found = program(&run, &record.machine);
    let workload = Workload::counted(&found.with_context(|| no_run(name))?);
    record.runs.push(run);
    Ok(workload)
}

/// The run that a file of `cpulens stat --format json` holds.
pub(super) fn counted(name: &str) -> Result<Run> {
    if !Path::new(name).is_file() {
        let kinds = Workload::names().collect::<Vec<_>>().join(", ");
        bail!("--workload {name}: neither a kind of program ({kinds}) nor a file");
    }
    let mut bytes = vec![];
    files::bytes_into(name, &mut bytes)?;
    foreign::counted(&bytes).with_context(|| no_run(name))
}

fn no_run(name: &str) -> String {
    format!("--workload {name} is no run that cpulens stat --format json counted")
}
