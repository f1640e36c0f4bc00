//! `stat`: inventory, then one counted run of a program, analysed and rendered.
use crate::{
    args::{self, StatFormat},
    exit::{Exit, TIMED_OUT},
    files, live, output,
};
use anyhow::{Context, Result, bail};
use host::{child::Background, clock::Monotonic, signals};
use measure::stat::{Ask, Whom, stat as count};
use std::{
    io::{self, Write},
    sync::atomic::AtomicBool,
};

pub(crate) fn stat(args: &args::Stat) -> Result<Exit> {
    if let Some(file) = &args.output {
        files::check(file).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let machine = inventory::inventory(&*live::root(None)?);
    let whom = match (&args.cpus, args.pid) {
        (Some(cpus), _) => {
            let online = machine.topology.cpus.iter().filter(|c| c.online).map(|c| c.id).collect();
            if cpus.is_empty() || !cpus.is_subset(&online) {
                bail!("--cpus {cpus}: CPUs that can be counted are {online}");
            }
            Whom::Cpus(cpus.clone())
        }
        (None, Some(pid)) => Whom::Process(pid),
        (None, None) => Whom::Command,
    };
    let ask = Ask {
        command: args.command.clone(),
        whom,
        limit: args.timeout,
        events: args.events.clone(),
        background: Background::ended(args.end_children),
    };
    // With a command, signals are passed on to it; without one they end the watch.
    static NEVER: AtomicBool = AtomicBool::new(false);
    let cancel = if ask.command.is_empty() { signals::on_interrupt() } else { &NEVER };
    let seen = match count(&machine, &ask, &Monotonic::new(), cancel) {
        Ok(seen) => seen,
        Err(why) => return Ok(Exit::refused(&why)),
    };
    let program =
        analyse::program::program(&seen.run, &machine).context("the run is no counted run")?;
    let report = match args.format {
        StatFormat::Text => render::program::text(&program),
        StatFormat::Json => render::program::document(&program),
    };
    match (&args.output, args.format) {
        (Some(file), _) => files::replace(file, report.as_bytes())
            .with_context(|| format!("cannot write {}", file.display()))?,
        (None, StatFormat::Json) => output::stdout(report.as_bytes())?,
        // Nobody to read it is no reason to lose the command's own status.
        (None, StatFormat::Text) => drop(write!(io::stderr(), "\n{report}")),
    }
    Ok(match seen.status {
        _ if seen.timed_out => Exit::Of(TIMED_OUT),
        Some(status) => Exit::Of(u8::try_from(status).unwrap_or(u8::MAX)),
        None => Exit::Done,
    })
}
