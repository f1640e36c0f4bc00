//! `unixbench`: `run` with UnixBench's tests; the default format is UnixBench's own report.
use crate::{
    commands::run::{self, Request},
    exit::Exit,
};
use anyhow::{Result, bail};
use measure::probe::ProbeOptions;
use std::path::Path;
use workloads::unixbench::{Copies, TESTS};

pub(crate) fn unixbench(args: arguments::UnixBench) -> Result<Exit> {
    let mut options = args.options;
    if let Some(folder) = &mut options.scratch {
        *folder = match Path::new(folder).canonicalize() {
            Ok(real) if real.is_dir() => real.display().to_string(),
            _ => bail!("--scratch {folder}: there is no such folder"),
        };
    }
    if !options.switches.is_empty() {
        let one = |copies: &Copies| matches!(copies, Copies::Number(1) | Copies::ScalingRun);
        if !options.copies.iter().any(one) {
            bail!("--context is about the two processes of one copy: add 1 to --copies");
        }
        if !args.tests.is_empty() && !args.tests.iter().any(|test| test == "context1") {
            bail!("--context is about context1: add it to the tests");
        }
    }
    options.placements.sort_unstable();
    options.placements.dedup();
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
