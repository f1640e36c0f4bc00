//! `whatif`: load, analyse, and predict the effect of each change.
use crate::{exit::Exit, output};
use analyse::summary::of_predictions;
use analyse::whatif::{Change, whatif};
use anyhow::Result;
use messages::{self as words, Lang};
use record::Judgement;
use storage::{files, say};

pub(crate) fn run(args: &arguments::Whatif) -> Result<Exit> {
    output::check(&args.output)?;
    let changes = changes(args);
    if changes.is_empty() {
        ask(output::language(args.output.lang), files::named(&args.record));
        return Ok(Exit::CouldNot);
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

/// Says which changes there are.
fn ask(lang: Lang, record: &str) {
    let changes = [
        ("--dimms MT/s", words::ask_dimms(lang)),
        ("--bound", words::ask_bound(lang)),
        ("--smt-off", words::ask_smt_off(lang)),
        ("--huge-pages", words::ask_huge_pages(lang)),
        ("--frequency MHz", words::ask_frequency(lang)),
        ("--cores N", words::ask_cores(lang)),
    ];
    say(&format!("cpulens: {}", words::name_a_change(lang)));
    for (option, change) in changes {
        say(&format!("  {option:<17}{change}"));
    }
    say(&format!("{} cpulens whatif {record} --huge-pages", words::such_as(lang)));
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
