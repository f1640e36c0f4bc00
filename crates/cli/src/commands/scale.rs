//! `scale`: `run` with one probe, the scaling run.
use crate::{
    commands::{
        rate,
        run::{self, Request},
    },
    exit::Exit,
};
use anyhow::{Result, bail};
use host::child::Program;
use measure::{
    probe::{Options, ProbeOptions},
    scalable_work,
    scaling_run::{Policy, ScalingRun, Workload},
    server::{Ready, Server},
};
use probes::probes::ALL;
use record::{ProbeId, Record, distinct};
use std::ffi::OsString;

pub(crate) fn scale(args: arguments::Scale) -> Result<Exit> {
    if let Some(name) = &args.resume {
        let has_scaling_run =
            |record: &Record| record.runs.iter().any(|r| r.case.probe == ProbeId::ScalingRun);
        return run::resume(&args.measuring, name, has_scaling_run, "scaling_run");
    }
    let command: Vec<OsString> = args.program().iter().map(OsString::from).collect();
    let server = server(&args)?;
    let workload = workload(&args)?;
    let rate = rate::chosen(args.rate_regex.as_deref(), args.rate_file.as_deref(), &command)?;
    let of = args.scaling_run;
    let scaling_run = ScalingRun {
        workload,
        policies: match &server {
            Some(_) => vec![Policy::Range],
            None => distinct(of.policies),
        },
        memory: distinct(of.memory),
        copies: server.as_ref().map(|_| 1).or(of.copies),
        rate,
        server,
        ..of
    };
    let run = arguments::Run {
        cpus: args.cpus,
        options: Options { only_with: args.only_with, ..Options::default() },
        ..arguments::Run::only(vec!["scaling_run".into()], args.measuring)
    };
    run::measure(&run, Request { options: ProbeOptions::with(scaling_run), required: true })
}

/// The workload of the scaling run.
fn workload(args: &arguments::Scale) -> Result<Workload> {
    if let Some(id) = &args.probe {
        let ids: Vec<&str> = scalable_work::all(ALL).iter().map(|(id, _)| *id).collect();
        if ids.contains(&id.as_str()) {
            return Ok(Workload::Probe(id.clone()));
        }
        let ids = ids.join(", ");
        if measure::plan::find(ALL, id).is_some() {
            bail!("the probe '{id}' has no work that could be copied; those that have are {ids}");
        }
        bail!(
            "there is no probe '{id}'; those with work that can be copied are {ids}; a command stands after --, as in `cpulens scale -- {id}`"
        );
    }
    found(args.program())?;
    Ok(Workload::Command(args.program().to_vec()))
}

fn found(command: &[String]) -> Result<()> {
    let Some(name) = command.first() else { bail!("name a probe, or a command after --") };
    if !Program::new(command).is_ok_and(|program| program.found()) {
        bail!("{name}: command not found; give its path, or see PATH");
    }
    Ok(())
}

/// The server whose cores are scaled, if there is one.
fn server(args: &arguments::Scale) -> Result<Option<Server>> {
    let Some(words) = args.server.as_ref().map(|server| server.0.clone()) else { return Ok(None) };
    found(&words)?;
    let ready = match (args.ready_port, args.ready_text.as_deref()) {
        (Some(port), _) => Some(Ready::Port(port)),
        (None, Some(text)) => match Ready::text(text) {
            Ok(ready) => Some(ready),
            Err(why) => bail!("--ready-text: {why}"),
        },
        (None, None) => Ready::of(&words),
    };
    let Some(ready) = ready else {
        bail!(
            "{}: nothing is known of when it is ready; give --ready-port or --ready-text",
            words[0]
        )
    };
    Ok(Some(Server { words, ready, client_cpus: args.client_cpus.clone() }))
}
