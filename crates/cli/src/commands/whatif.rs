//! `whatif`: load, analyse, and predict the effect of each change.
use crate::{exit::Exit, output};
use analyse::summary::of_predictions;
use analyse::whatif::{Change, whatif};
use anyhow::{Result, bail};
use record::Judgement;
use storage::files;

pub(crate) fn run(args: &arguments::Whatif) -> Result<Exit> {
    output::check(&args.output)?;
    let changes = changes(args);
    if changes.is_empty() {
        bail!(
            "name a change: --dimms MT/s, --bound, --smt-off, --huge-pages, --frequency MHz or --cores N"
        );
    }
    let (mut record, _) = files::load(&args.record)?;
    if let Some(name) = &args.workload {
        record.runs.push(super::diagnose::counted(name)?);
    }
    let report = analyse::analyse(&record);
    let answers = whatif(&report, &changes);
    if output::is_short(&args.output, &args.screen) {
        let summary = of_predictions(&report, &answers);
        output::screen(&args.output, &summary, files::named(&args.record))?;
    } else {
        let name = files::short(&args.record);
        output::document(&args.output, &sections::whatif::document(&answers, &report, &name))?;
    }
    if answers.iter().all(|a| a.found.is_err()) {
        return Ok(Exit::CouldNot);
    }
    let unpredicted = answers.iter().any(|a| a.found.is_err());
    let environment = report.get::<Judgement>().environment;
    Ok(Exit::analysed(args.strict, environment, unpredicted))
}

fn changes(args: &arguments::Whatif) -> Vec<Change> {
    let parts = [
        args.dimms.map(|mts| Change::Dimms(f64::from(mts) * 1e6)),
        args.bound.then_some(Change::Bound),
        args.smt_off.then_some(Change::SmtOff),
        args.huge_pages.then_some(Change::HugePages),
        args.frequency.map(|mhz| Change::Frequency(f64::from(mhz) * 1e6)),
        args.cores.map(|n| Change::Cores(n as usize)),
    ];
    parts.into_iter().flatten().collect()
}
