//! `stat`: inventory, then counted runs of a program, analysed and rendered.
use crate::{
    exit::{Exit, TIMED_OUT},
    live, output,
};
use analyse::program::Program;
use anyhow::{Context, Result, bail};
use arguments::StatFormat;
use host::{clock::Monotonic, signals};
use measure::stat::{Request, Stat, Target, stat as count};
use render::program::{Interval, Intervals, csv, document, repeated, text};
use std::{
    io::{self, Write},
    sync::{Mutex, PoisonError, atomic::AtomicBool},
};
use storage::files;

pub(crate) fn stat(args: &arguments::Stat) -> Result<Exit> {
    if let Some(file) = &args.output {
        files::check(file)?;
    }
    let machine = inventory::inventory(&*live::root(None)?);
    let target = match (&args.cpus, args.pid) {
        (Some(cpus), _) => {
            let online = machine.topology.cpus.iter().filter(|c| c.online).map(|c| c.id).collect();
            if cpus.is_empty() || !cpus.is_subset(&online) {
                bail!("--cpus {cpus}: CPUs that can be counted are {online}");
            }
            Target::Cpus(cpus.clone())
        }
        (None, Some(pid)) => Target::Process(pid),
        (None, None) => Target::Command,
    };
    let request = Request {
        command: args.command.clone(),
        target,
        limit: args.timeout,
        every: args.interval.map(|ms| f64::from(ms) / 1e3),
        events: args.events.clone(),
        end_children: args.end_children,
    };
    if args.repeat > 1 && request.command.is_empty() {
        bail!("--repeat {}: there is no command to run again", args.repeat);
    }
    // With a command, signals are passed on to it; without one they end the watch.
    static NEVER: AtomicBool = AtomicBool::new(false);
    let cancel = if request.command.is_empty() { signals::on_interrupt() } else { &NEVER };
    let mut seen: Vec<Stat> = vec![];
    let mut intervals: Vec<Intervals> = vec![];
    while seen.len() < args.repeat as usize {
        let lines = Lines { live: args.format == StatFormat::Text, seen: Mutex::default() };
        match count(&machine, &request, &Monotonic::new(), cancel, &|interval| lines.add(interval))
        {
            Ok(one) => seen.push(one),
            Err(why) if seen.is_empty() => return Ok(Exit::refused(&why)),
            Err(why) => bail!("run {} of {}: {}", seen.len() + 1, args.repeat, why.why),
        }
        intervals.push(lines.seen.into_inner().unwrap_or_else(PoisonError::into_inner));
        // A signal that ended the command, such as Ctrl-C, ends the repetition.
        if seen.last().is_some_and(|one| one.status > Some(128)) {
            break;
        }
    }
    let programs: Option<Vec<Program<'_>>> =
        seen.iter().map(|one| analyse::program::program(&one.run, &machine)).collect();
    let programs = programs.context("the run is no counted run")?;
    let report = match (args.format, &programs[..]) {
        (StatFormat::Text, [one]) => text(one, output::language(args.lang), width(args)),
        (StatFormat::Text, several) => repeated(several, output::language(args.lang), width(args)),
        (StatFormat::Json, all) => document(all, &intervals),
        (StatFormat::Csv, all) => csv(all, &intervals)?,
    };
    match (&args.output, args.format) {
        (Some(file), _) => files::replace(file, report.as_bytes())?,
        (None, StatFormat::Json | StatFormat::Csv) => output::stdout(report.as_bytes())?,
        // Nobody to read it is no reason to lose the command's own status.
        (None, StatFormat::Text) => drop(write!(io::stderr(), "\n{report}")),
    }
    let status = seen.iter().find_map(|one| one.status.filter(|status| *status != 0));
    Ok(match status {
        _ if seen.iter().any(|one| one.timed_out) => Exit::Of(TIMED_OUT),
        Some(status) => Exit::Of(u8::try_from(status).unwrap_or(u8::MAX)),
        None => Exit::Done,
    })
}

/// Columns of the report: those of the terminal that it is written to; a file's lines are not wrapped.
fn width(args: &arguments::Stat) -> usize {
    let size = args.output.is_none().then(|| terminal_size::terminal_size_of(io::stderr()));
    size.flatten().map_or(80, |(width, _)| usize::from(width.0).max(40))
}

/// Intervals as they come: kept, and with text printed at once.
struct Lines {
    live: bool,
    seen: Mutex<Intervals>,
}

impl Lines {
    fn add(&self, interval: measure::stat::Interval) {
        let measure::stat::Interval { from, to, counts } = interval;
        let interval = Interval { from, to, counts };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if self.live {
            let heads = if seen.is_empty() { Interval::heads() } else { String::new() };
            let _ = write!(io::stderr(), "{heads}{}", interval.line());
        }
        seen.push(interval);
    }
}
