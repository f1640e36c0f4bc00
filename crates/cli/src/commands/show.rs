//! `show`: load, analyse, render.
use crate::{exit::Exit, output};
use analyse::{
    Report,
    references::{Reference, References, beside},
    unixbench::UnixBenchResult,
};
use anyhow::{Context, Result, bail};
use record::Record;
use storage::{files, foreign, named};

pub(crate) fn show(args: &arguments::Show) -> Result<Exit> {
    let name = files::named(&args.record);
    let (record, _) = files::load(&args.record)?;
    if args.against.is_empty() {
        return shown(&record, &args.output, &args.answer, name);
    }
    let mut report = named::report(&record);
    report.set(chosen(&report, &args.against)?);
    output::report(&args.output, &args.answer, &report, name)?;
    Ok(Exit::Done)
}

/// Analyses and renders a record.
pub(crate) fn shown(
    record: &Record,
    output: &arguments::Output,
    answer: &arguments::Answer,
    name: &str,
) -> Result<Exit> {
    let report = named::report(record);
    output::report(output, answer, &report, name)?;
    Ok(Exit::Done)
}

/// UnixBench's indexes of the records that were named, each of which has some to be shown.
fn chosen(report: &Report<'_>, names: &[String]) -> Result<References> {
    let bench = report
        .get::<UnixBenchResult>()
        .0
        .as_ref()
        .context("--against: the record has no tests of UnixBench to be shown beside others")?;
    let mut bytes = vec![];
    let mut all = vec![];
    for name in names {
        let others = Reference::of(&files::short(name), &foreign::load(name, &mut bytes)?);
        let fit = beside(bench, &others, others.len());
        if fit.is_empty() {
            bail!(
                "--against {name}: it has no test of UnixBench that the record has, with as many copies"
            );
        }
        all.extend(fit);
    }
    Ok(References(all))
}
