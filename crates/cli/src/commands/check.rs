//! `check`: the battery, or the newest one, against limits. Answers as a monitoring plug-in does, whatever happens.
use crate::{exit::Exit, identity, live, output, progress::Progress};
use analyse::{Report, quantity};
use anyhow::{Context, Error, Result, bail};
use filesystem::regular;
use fleet::check::keep_counts_after;
use fleet::digest::Digest;
use fleet::profile::MAX_BYTES;
use fleet::published::Published;
use fleet::tolerance::golden;
use fleet::verdict;
use fleet::{Check, Key, Profile, headlines, tolerance};
use host::{
    clock::{self, Clock, Monotonic},
    signals,
};
use measure::{probe::Depth, probe::Setting};
use probes::check_battery;
use record::{Record, seconds_since_1970};
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};
use storage::{
    digests::{below, read},
    files, say,
    store::Store,
};

/// Its word among the arguments, by which its records are found again.
pub(crate) const NAME: &str = "check";

pub(crate) fn check(args: &arguments::Check) -> Result<Exit> {
    let gauges = |check: &Check| {
        let Some(file) = &args.prometheus else { return };
        if let Err(why) = files::replace(file, render::check::prometheus(check).as_bytes()) {
            say(&format!("cpulens: {why:#}"));
        }
    };
    let unknown = |why: &str| {
        // An old file would say what was.
        gauges(&Check::unknown(why));
        output::stdout(format!("{}\n", render::check::unknown(why)).as_bytes())
            .map(|()| Exit::UNKNOWN)
    };
    match checked(args) {
        Ok(_) if signals::received().is_some() => unknown("it was interrupted by a signal"),
        Ok((check, digest)) => {
            gauges(&check);
            if args.digest {
                let digest = serde_json::to_string(&digest)?;
                output::write(&args.output, |out| writeln!(out, "{digest}"))?;
                return Ok(Exit::Done);
            }
            let text = args.output.format == "text" && !args.output.details;
            match text {
                true => output::write(&args.output, |out| {
                    writeln!(out, "{}", render::check::line(&check))
                })?,
                false => output::document(&args.output, &render::check::document(&check))?,
            }
            Ok(Exit::Of(check.status.code()))
        }
        Err(why) => unknown(&format!("{why:#}")),
    }
}

fn checked(args: &arguments::Check) -> Result<(Check, Digest)> {
    let limits = limits(args)?;
    output::check(&args.output)?;
    let record = match args.last {
        true => newest(args)?,
        false => measured(args)?,
    };
    let report = analyse::analyse(&record);
    let profile = match (limits, &args.peers) {
        (Limits::Unknown, Some(folder)) => peers(folder, &report)?,
        (Limits::Unknown, None) => Profile::expected(&report, &headlines(&report)),
        (Limits::Profile(profile), _) => profile,
        (Limits::Published(of), _) => of.limits(&report).map_err(Error::msg)?,
    };
    if let Some(of) = &profile.machine {
        let own = Key::of(&record.machine);
        if *of != own {
            bail!("the limits are for another kind of machine: {of}; this is {own}");
        }
    }
    Ok((fleet::check(&report, &profile), own_digest(&report)))
}

/// Digests of many machines are collected in one file: one that has neither an identity nor a name is known by what it measured.
fn own_digest(report: &Report<'_>) -> Digest {
    let mut digest = Digest::of(report, "");
    if digest.host.is_empty() {
        digest.host = digest.run.clone().unwrap_or_else(|| "this machine".into());
    }
    digest
}

/// The limits that the options name, before anything is measured.
enum Limits {
    Profile(Profile),
    /// Figures that others published of a machine; the measurement decides which of them are limits.
    Published(Published),
    /// Limits of peers, or the processor's own.
    Unknown,
}

fn limits(args: &arguments::Check) -> Result<Limits> {
    if let Some(file) = &args.profile {
        let shown = file.display();
        let text = regular::text(file, MAX_BYTES);
        let text = text.with_context(|| format!("cannot read {shown}"))?;
        let mut profile = Profile::parse(&text).map_err(|why| anyhow::anyhow!("{shown}: {why}"))?;
        profile.title.get_or_insert_with(|| shown.to_string().into());
        return Ok(Limits::Profile(profile));
    }
    let Some(name) = &args.against else { return Ok(Limits::Unknown) };
    let (record, _) = files::load(name)?;
    let report = analyse::analyse(&record);
    if let Some(why) = Digest::of(&report, name).unfit {
        bail!("{name} was not fit to be measured: {why}");
    }
    let figures = headlines(&report);
    if figures.is_empty() {
        return Ok(Limits::Published(Published::of(name, &report).map_err(Error::msg)?));
    }
    let machine = Some(Key::of(&record.machine));
    Ok(Limits::Profile(Profile { machine, ..Profile::as_good_as(name, &figures) }))
}

/// Limits from the healthy machines of the same kind whose records and digests are in a folder: of each the newest look that was
/// fit. Those of the processor where they are too few, which the title says.
fn peers(folder: &Path, report: &Report<'_>) -> Result<Profile> {
    let shown = folder.display();
    if !folder.is_dir() {
        bail!("{shown} is no folder");
    }
    let mut all = below(folder)?;
    all.sort_unstable();
    let mut digests = vec![];
    for (name, digest) in read(&all) {
        match digest {
            Ok(digest) => digests.push(digest),
            Err(why) => output::left_out(format!("{name} {why}")),
        }
    }
    let (found, machines) = fleet::peers(digests, &Digest::of(report, "this machine"));
    let looks = machines.iter().map(|d| (d.shown().to_owned(), Ok(d.clone()))).collect();
    let Ok((_, limits)) = golden(&verdict::fleet(looks, &[]), machines.iter()) else {
        let few = machines.len();
        say(&format!(
            "cpulens: {} of this kind with a check that counts in {shown}; limits take {}",
            quantity::counted(few, "machine"),
            tolerance::FEWEST
        ));
        let published = Profile::expected(report, &headlines(report));
        let title = match &published.title {
            Some(title) => format!("too few peers ({few}), so {title}"),
            None => format!("too few peers ({few}), and nothing is published of the processor"),
        };
        return Ok(Profile { title: Some(title.into()), ..published });
    };
    if let Some(note) = found {
        say(&format!("cpulens: {note}"));
    }
    let title = Some(format!("{} peers in {shown}", machines.len()).into());
    Ok(Profile { title, ..limits })
}

/// Seconds within which a check ends.
const RUNNING: f64 = 30.0;
/// Seconds by which two clocks of one machine may differ, as before and after the time was set.
const CLOCKS: f64 = 60.0;

/// The newest check, as it was recorded.
fn newest(args: &arguments::Check) -> Result<Record> {
    let record = match &args.record {
        Some(file) => files::read(file)?,
        None => newest_ended()?,
    };
    match (age(&record), args.max_age) {
        (Some(age), _) if age < -CLOCKS => {
            let started = record.provenance.started.unwrap_or_default();
            bail!("the newest check began at {started}, which is yet to come: a clock was wrong");
        }
        (Some(age), Some(most)) if age > most => {
            bail!("the newest check is {age:.0} s old, and --max-age is {most} s")
        }
        (None, Some(_)) => bail!("the newest check has no time, so its age is not known"),
        _ => Ok(record),
    }
}

/// Seconds since a check ended.
fn age(of: &Record) -> Option<f64> {
    let began = of.provenance.started.as_deref().and_then(seconds_since_1970)?;
    Some((seconds_since_1970(&clock::utc())? - began) as f64 - of.provenance.took)
}

/// The newest check of this machine but one that is running. A newer record that cannot be read may be a worse one.
fn newest_ended() -> Result<Record> {
    let (mut unread, mut found, mut other) = (None, None, None);
    let looked = files::newest(|file| match files::read(file) {
        Ok(record) => {
            let check = record.provenance.command.get(1).is_some_and(|command| command == NAME);
            let ended = check && !is_running(file, &record);
            let own = is_own(&record);
            if ended && !own {
                other = other.take().or(record.provenance.host.clone());
            }
            found = (ended && own).then_some(record);
            found.is_some()
        }
        Err(why) => {
            unread.get_or_insert(why);
            false
        }
    });
    match (unread, found, other) {
        (Some(why), ..) => Err(why.context("a newer record cannot be read")),
        (None, Some(found), _) => Ok(found),
        (None, None, Some(host)) => bail!("the checks here are of another machine: {host}"),
        (None, None, None) => Err(looked
            .err()
            .context("there is no check")?
            .context("no record of a check; cpulens check makes one")),
    }
}

/// Whether a record is of this machine, as far as it says it: machines may share a home, and a container has a name of its own.
fn is_own(of: &Record) -> bool {
    let host = of.provenance.host.as_ref();
    let boot = of.machine.text("machine.boot");
    host.is_none_or(|host| *host == host::live::host_name())
        || boot.is_some() && boot == identity::boot().as_deref()
}

/// Whether the process that writes a record, by whose number its name ends, is measuring.
fn is_running(file: &Path, record: &Record) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).map(files::stem);
    let process = name.and_then(|name| name.rsplit('-').next()?.parse::<u32>().ok());
    let recent = age(record).is_some_and(|age| (-CLOCKS..RUNNING).contains(&age));
    let left = record.runs.iter().any(|run| run.outstanding() > 0.0);
    // One that was killed and that nobody has waited for has no command line (proc_pid_cmdline(5)).
    let lives = |id| fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|line| !line.is_empty());
    left && recent && process.is_some_and(lives)
}

fn measured(args: &arguments::Check) -> Result<Record> {
    let look = || Ok::<_, anyhow::Error>(inventory::inventory(&*live::root(None)?));
    let machine = look()?;
    let cpus = machine.topology.usable();
    if cpus.is_empty() {
        bail!("no CPU may be used: the inventory found none");
    }
    let runs = check_battery::battery(&Setting::new(&machine, cpus, Depth::Quick));
    let provenance = super::run::provenance(Depth::Quick, 1, args.identity.name.clone());
    let mut machine = machine;
    identity::identify(&mut machine, &args.identity)?;
    let mut record = Record::new(provenance, machine, runs);
    let store = Store::open(args.record.as_deref(), args.force, &record)?;
    let until = (stop(), Some(check_battery::SECONDS), 0.0);
    let progress = Progress::new(true);
    let (_, mut store) = super::run::observe(&mut record, store, until, progress, false);
    if signals::received().is_none() {
        keep_counts_after(&mut record.machine, &look()?);
        record.judgement = Some(analyse::analyse(&record).get::<record::Judgement>().clone());
    }
    store.save(&record);
    if let Some(trouble) = &store.trouble {
        say(&format!("cpulens: {trouble}"));
    }
    Ok(record)
}

/// A flag that is set when the time is over or a signal has arrived, so that a check ends in time on a machine that is slow.
fn stop() -> &'static AtomicBool {
    static STOP: AtomicBool = AtomicBool::new(false);
    let cancel = signals::on_interrupt();
    let clock = Monotonic::new();
    let end = clock.now() + check_battery::SECONDS;
    thread::spawn(move || {
        while clock.now() < end && !cancel.load(Ordering::Relaxed) {
            clock::sleep(Duration::from_millis(20));
        }
        STOP.store(true, Ordering::Relaxed);
    });
    &STOP
}
