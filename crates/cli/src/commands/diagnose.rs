//! `diagnose`: load, analyse, rank what is wrong for a workload, and set it beside another record.
use crate::{args, exit::Exit, files, output};
use analyse::diagnosis::{Workload, diagnosis};
use analyse::program::program;
use anyhow::{Context, Result, bail};
use record::{Machine, Run, Validity};
use std::{fs, path::Path};

pub(crate) fn run(args: &args::Diagnose) -> Result<Exit> {
    output::check(&args.output)?;
    let (record, _) = files::load(&args.record)?;
    let other = args.against.as_deref().map(files::load).transpose()?.map(|(other, _)| other);
    let workload = args.workload.as_deref().map(|w| workload(w, &record.machine)).transpose()?;
    let report = analyse::analyse(&record);
    let mut found = diagnosis(&report, workload);
    let theirs = other.as_ref().map(analyse::analyse);
    if let Some(theirs) = &theirs {
        found = found.against(&report, theirs);
    }
    let names = (short(&args.record), args.against.as_deref().map(short).unwrap_or_default());
    let document = render::diagnosis::document(&found, &report, (&names.0, &names.1));
    output::document(&args.output, &document)?;
    Ok(if report.judgement.validity == Validity::Invalid {
        Exit::Unfit
    } else if found.findings.is_empty() {
        Exit::Done
    } else {
        Exit::Findings
    })
}

/// A kind of program, or a run that `cpulens stat --format json` counted: what it says is concluded again from the run.
fn workload(name: &str, machine: &Machine) -> Result<Workload> {
    if let Some(kind) = Workload::named(name) {
        return Ok(kind);
    }
    let kinds = Workload::names().collect::<Vec<_>>().join(", ");
    if !Path::new(name).is_file() {
        bail!("--workload {name}: neither a kind of program ({kinds}) nor a file");
    }
    let what = || format!("--workload {name} is no run that cpulens stat --format json counted");
    let bytes = fs::read(name).with_context(|| format!("cannot read {name}"))?;
    let document: serde_json::Value = serde_json::from_slice(&bytes).with_context(what)?;
    let run: Run = serde_json::from_value(document["run"].clone()).with_context(what)?;
    let program = program(&run, machine).with_context(what)?;
    Ok(Workload::counted(&program))
}

/// A file's name without folders and ending.
fn short(name: &str) -> String {
    match Path::new(name).file_stem() {
        Some(stem) if name != "-" => stem.to_string_lossy().into_owned(),
        _ => "standard input".into(),
    }
}
