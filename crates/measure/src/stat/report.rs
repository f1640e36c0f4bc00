//! The counts as a [`Run`] of a record.
use super::{Accounts, Counts, Request, STAT, Stat, Target};
use crate::{
    events::{Chosen, Family},
    samplers::scheduler,
};
use host::{
    child::{self, Status},
    counters::Mode,
    usage::{Schedstat, Usage},
};
use record::{
    Better, Case, CpuSet, Machine, Metric, Outcome, Placement, Reading, Reason, Run, Series, Unit,
    Value, param,
};
use std::collections::BTreeMap;

/// The observation as a run of a record.
pub(super) fn report(
    machine: &Machine,
    request: &Request,
    family: &Family,
    chosen: &[Vec<Chosen>],
    seen: Counts,
    (before, after): (&Accounts, &Accounts),
    hertz: &[Option<f64>],
) -> Stat {
    let mut params = BTreeMap::new();
    let mut say = |(name, value): (&str, Value)| drop(params.insert(name.to_owned(), value));
    let words: Vec<String> = request.command.iter().map(|w| quoted(&w.to_string_lossy())).collect();
    if !words.is_empty() {
        say(param::COMMAND.set(words.join(" ")));
    }
    let target = match request.target {
        Target::Command => "command",
        Target::Process(_) => "process",
        Target::Cpus(_) => "cpus",
    };
    say(param::TARGET.set(target));
    say(param::SCOPE.set(seen.scope));
    say(param::MODE.set(if seen.mode == Mode::All { "user and kernel" } else { "user" }));
    say(param::FAMILY.set(family.title()));
    family.width().into_iter().for_each(|width| say(param::WIDTH.set(width)));
    if !request.events.is_empty() {
        let always = |name: &str| ["cycles", "instructions"].contains(&name);
        let names = chosen.iter().flatten().map(|one| &*one.event.name);
        say(param::EVENTS.set(names.filter(|name| !always(name)).collect::<Vec<_>>().join(",")));
    }
    for one in chosen.iter().flatten() {
        one.role
            .iter()
            .for_each(|role| say((&format!("role.{role}"), one.event.name.clone().into())));
    }

    let mut readings = vec![];
    let mut unread = BTreeMap::new();
    for (event, count) in seen.events {
        let name = format!("counters.{}", event.name);
        match count {
            Ok(count) => readings.push(Reading {
                coverage: count.share,
                ..Reading::new(name, Unit::Count, count.value as f64)
            }),
            Err(reason) => drop(unread.insert(name, reason)),
        }
    }
    let mut used = None;
    if let Some(done) = seen.done.as_ref().filter(|_| request.target == Target::Command) {
        let own = done.ended.first().map(|one| one.used).unwrap_or_default();
        // Its account begins with the process that waits to become it.
        let own = before.held.map_or(own, |held| own.since(&held));
        let all = own.plus(&done.orphans_used);
        used = Some((all, done.ended.first().and_then(|one| one.queue)));
    }
    if let (Some((then, waited)), Some((now, waited_now))) = (before.process, after.process) {
        let queue = waited_now.zip(waited).map(|(now, then)| now.since(&then));
        used = Some((now.since(&then), queue));
    }
    if let Some((used, queue)) = used {
        readings.extend(own_readings(&used, queue));
    } else if let Target::Process(pid) = request.target {
        let why = format!("process {pid} had ended when it was looked at again");
        unread.insert("program.cpu".into(), Reason::new(why));
    }
    let of_cpus = match &request.target {
        Target::Cpus(cpus) => Some(cpus),
        _ => None,
    };
    let known = used.map_or(0.0, |(used, _)| used.cpu_seconds);
    readings.extend(machine_readings((before, after), of_cpus, known));
    match seen.energy {
        Ok(all) => readings.extend(
            all.into_iter()
                .map(|reading| Reading { name: format!("machine.{}", reading.name), ..reading }),
        ),
        Err(why) => drop(unread.insert("machine.energy".into(), why)),
    }
    if let Some(done) = &seen.done {
        let count =
            |name: &str, n: u32| Reading::new(format!("program.{name}"), Unit::Count, f64::from(n));
        readings.push(count("left_behind", done.left_behind));
        readings.push(count("still_running", done.still_running.len() as u32));
        if !done.still_running.is_empty() {
            say(param::STILL_RUNNING.set(child::names(&done.still_running)));
        }
        readings.push(count("timed_out", u32::from(done.timed_out)));
        readings.push(count("unkillable", done.unkillable));
    }
    let status = seen.done.as_ref().and_then(|done| done.ended.first()).map(|one| one.status);
    match status {
        Some(Status::Exited(code)) => say(param::STATUS.set(format!("exited with status {code}"))),
        Some(Status::Killed(signal)) => {
            say(param::STATUS.set(format!("killed by signal {signal}")))
        }
        None => {}
    }

    let mut elapsed = Series::new(Metric::Elapsed, Unit::Seconds, Better::Lower);
    elapsed.samples.push(seen.elapsed);
    let mut series = vec![elapsed];
    for (when, hertz) in ["before", "after"].iter().zip(hertz) {
        let mut clock =
            Series::new(Metric::Frequency, Unit::Hertz, Better::Neither).at(param::WHEN, *when);
        clock.samples.extend(hertz);
        if hertz.is_some() {
            series.push(clock);
        }
    }
    let cpus = of_cpus.cloned().unwrap_or_else(|| machine.topology.usable());
    let place = Placement { cpus, ..Placement::default() };
    let case = Case {
        probe: STAT.into(),
        version: 1,
        params,
        place,
        estimate: request.limit.unwrap_or(0.0),
    };
    let timed_out = seen.done.is_some_and(|done| done.timed_out);
    let run =
        Run { readings, unread, took: seen.elapsed, ..Run::new(case, Outcome::Measured(series)) };
    Stat { run, status: status.map(Status::code), timed_out }
}

/// A word as a shell would have to be given it.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The resource use of a program by the kernel's accounts.
fn own_readings(used: &Usage, queue: Option<Schedstat>) -> Vec<Reading> {
    let mut readings = vec![
        Reading::new("program.cpu", Unit::Seconds, used.cpu_seconds),
        Reading::new("program.cpu.system", Unit::Seconds, used.system_seconds),
    ];
    readings.extend(scheduler::counts("program", used));
    if used.max_rss_bytes > 0 {
        let resident = used.max_rss_bytes as f64;
        readings.push(Reading::new("program.resident", Unit::Bytes, resident));
    }
    // Tasks that have ended are not asked any more: the share says how much of the CPU time is accounted for.
    readings.extend(queue.map(|queue| scheduler::waited("program", used, &queue)));
    readings
}

/// Other activity on the CPUs; `own` seconds of their time were the program's.
fn machine_readings(
    (before, after): (&Accounts, &Accounts),
    cpus: Option<&CpuSet>,
    own: f64,
) -> Vec<Reading> {
    let mut readings = vec![];
    if let (Some(then), Some(now)) = (before.seconds(cpus), after.seconds(cpus)) {
        let [busy, idle, steal] = std::array::from_fn(|i| (now[i] - then[i]).max(0.0));
        let total = busy + idle + steal;
        if total > 0.0 {
            let share = |name: &str, value: f64| {
                Reading::new(format!("machine.{name}"), Unit::Ratio, (value / total).max(0.0))
            };
            readings.push(share("steal", steal));
            readings.push(share(if cpus.is_some() { "busy" } else { "others" }, busy - own));
        }
    }
    if let (Some(then), Some(now)) = (before.served, after.served) {
        let count = |name: &str, now: u64, then: u64| {
            let more = now.saturating_sub(then) as f64;
            Reading::new(format!("machine.{name}"), Unit::Count, more)
        };
        readings.push(count("interrupts", now.hard, then.hard));
        readings.push(count("softirqs", now.soft, then.soft));
    }
    readings
}
