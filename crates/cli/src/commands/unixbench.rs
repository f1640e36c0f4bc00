//! `unixbench`: `run` with UnixBench's tests; the default format is UnixBench's own report.
use crate::{
    commands::run::{self, Request},
    exit::Exit,
};
use anyhow::{Result, bail};
use measure::probe::ProbeOptions;
use workloads::unixbench::{Copies, Options, TESTS};

pub(crate) fn unixbench(args: arguments::UnixBench) -> Result<Exit> {
    let scratch = args.scratch.map(|folder| match folder.canonicalize() {
        Ok(folder) if folder.is_dir() => Ok(folder.display().to_string()),
        _ => bail!("--scratch {}: there is no such folder", folder.display()),
    });
    if !args.context.is_empty() {
        let one = |copies: &Copies| matches!(copies, Copies::Number(1) | Copies::ScalingRun);
        if !args.copies.iter().any(one) {
            bail!("--context is about the two processes of one copy: add 1 to --copies");
        }
        if !args.tests.is_empty() && !args.tests.iter().any(|test| test == "context1") {
            bail!("--context is about context1: add it to the tests");
        }
    }
    let mut placements = args.placement;
    placements.sort_unstable();
    placements.dedup();
    let options = Options {
        copies: args.copies,
        placements,
        variant: args.variant,
        start: args.start,
        switches: args.context,
        exact: args.exact,
        passes: args.passes.map(|n| n as usize),
        seconds: args.seconds,
        repeats: args.repeats as usize,
        scratch: scratch.transpose()?,
    };
    let tests = match args.tests.is_empty() {
        true => TESTS.map(|(test, _)| test.to_string()).to_vec(),
        false => args.tests,
    };
    let mut measuring = args.measuring;
    if !measuring.dry_run {
        // In full it is UnixBench's own report. A plan is none.
        measuring.output.format = match measuring.output.format.as_str() {
            "text" if measuring.answer.screen.full => "unixbench".into(),
            "csv" => "unixbench_csv".into(),
            other => other.to_owned(),
        };
    }
    let run = arguments::Run {
        depth: args.depth,
        cpus: args.cpus,
        ..arguments::Run::only(tests, measuring)
    };
    run::measure(&run, Request { options: ProbeOptions::with(options), required: false })
}
