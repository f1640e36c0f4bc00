//! One run of somebody's program, or a while of one that runs already, or of some CPUs: everything that the processor
//! and the kernel count of it, as a [`Run`] like any other. What follows from it is `analyse::program`'s business.
use crate::{
    bench::CoreFrequency,
    events::{Chosen, Family},
};
use host::{
    child::{self, Background, GroupResult, ProcessGroup, Program, Refused, Status},
    clock::Clock,
    counters::{Count, Counting, Cpus, Event, Mode, Process, Scope, Tree},
    usage::{self, CpuTimes, InterruptCounts, Schedstat, Usage},
};
use kernels::Features;
use record::{
    Better, Case, CpuSet, Machine, Metric, Outcome, Placement, Reading, Reason, Run, Series, Unit,
    Value, param,
};
use std::{
    collections::BTreeMap,
    ffi::OsString,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// The name of the case, which no plan contains.
pub const STAT: &str = "stat";

/// Windows of the core frequency before and after: their median is steady within a per cent.
const CLOCK_WINDOWS: usize = 41;

/// Seconds between looks at a process that we did not start and cannot wait for.
const LOOK: Duration = Duration::from_millis(20);

/// Who is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whom {
    /// The command and all it starts.
    Command,
    /// A process that runs already.
    Process(u32),
    /// Whatever runs on these CPUs.
    Cpus(CpuSet),
}

/// What to count, of whom, and for how long.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The command; without one a process or CPUs are watched until the limit, or until interrupted.
    pub command: Vec<OsString>,
    /// Who is counted.
    pub whom: Whom,
    /// Seconds after which a command is ended, and a watch ends.
    pub limit: Option<f64>,
    /// Events by name; the family's own if none are named.
    pub events: Vec<String>,
    /// What becomes of processes that the command leaves running.
    pub background: Background,
}

/// What was counted, and how the command ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Stat {
    /// The observation.
    pub run: Run,
    /// The command's exit status as a shell would report it; nothing without a command.
    pub status: Option<i32>,
    /// The command outlived its time limit and was ended.
    pub timed_out: bool,
}

/// Counts.
///
/// # Errors
/// The command is none, an event is none, or there is nothing to count; the exit status that shells use for the first.
pub fn stat(
    machine: &Machine,
    ask: &Ask,
    clock: &dyn Clock,
    cancel: &AtomicBool,
) -> Result<Stat, Refused> {
    let ours = |why| Refused { why, status: None };
    let family = Family::of(machine).map_err(ours)?;
    let chosen = family.groups(&ask.events).map_err(ours)?;
    let mut processes = None;
    let mut pid = None;
    if !ask.command.is_empty() {
        let mut one = ProcessGroup::new()?.background(ask.background);
        if ask.background == Background::End {
            one = one.enclosed();
        }
        pid = Some(one.hold(&Program::new(&ask.command)?)?);
        processes = Some(one);
    }
    let mut watch = Watch { ask, clock, cancel, processes };
    let mut hertz = vec![core_frequency(clock)];
    let before = Around::look(&ask.whom);
    let seen = match (&ask.whom, pid) {
        (Whom::Command, Some(pid)) => watch.count(Tree::of_held(pid), &chosen, false),
        (Whom::Command, None) => {
            Err(ours(Reason::mended_by("there is no command to run", "cpulens stat -- COMMAND")))
        }
        (Whom::Process(pid), _) => watch.count(Process { pid: *pid }, &chosen, true),
        (Whom::Cpus(cpus), _) => watch.count(Cpus { cpus: cpus.clone() }, &chosen, true),
    }?;
    let after = Around::look(&ask.whom);
    hertz.push(core_frequency(clock));
    Ok(report(machine, ask, &family, &chosen, seen, (&before, &after), &hertz))
}

/// The median of several windows, on whichever CPU we are; nothing if it cannot be measured.
fn core_frequency(clock: &dyn Clock) -> Option<f64> {
    let core = CoreFrequency::new(clock, &Features::detect(), "add_chain").ok()?;
    let mut windows: Vec<f64> = (0..CLOCK_WINDOWS).map(|_| core.window(clock)).collect();
    windows.sort_by(f64::total_cmp);
    windows.get(CLOCK_WINDOWS / 2).copied()
}

/// What was counted while something ran.
struct Seen {
    scope: String,
    mode: Mode,
    events: Vec<(Event, Result<Count, Reason>)>,
    elapsed: f64,
    done: Option<GroupResult>,
}

struct Watch<'a> {
    ask: &'a Ask,
    clock: &'a dyn Clock,
    cancel: &'a AtomicBool,
    processes: Option<ProcessGroup>,
}

impl Watch<'_> {
    /// Counts for a scope while the command runs, or for as long as was asked.
    fn count<S: Scope + Clone>(
        &mut self,
        scope: S,
        chosen: &[Vec<Chosen>],
        by_hand: bool,
    ) -> Result<Seen, Refused> {
        let ours = |why| Refused { why, status: None };
        let mut groups: Vec<Vec<Event>> =
            chosen.iter().map(|group| group.iter().map(|c| c.event.clone()).collect()).collect();
        // The kernel's own never compete for a counter.
        let named = |event: &Event| chosen.iter().flatten().any(|c| c.event == *event);
        groups.extend(Event::software().into_iter().filter(|e| !named(e)).map(|event| vec![event]));
        let words = scope.describe();
        let mut counting = Counting::open(scope, &groups, Mode::All);
        if let (Some(reason), Whom::Process(_)) = (counting.refused(), &self.ask.whom)
            && reason.why.contains("no process")
        {
            return Err(ours(reason.clone()));
        }
        if by_hand {
            counting.start().map_err(ours)?;
        }
        let (elapsed, done) = match self.processes.take() {
            Some(processes) => {
                let done = processes.run(self.clock, self.ask.limit)?;
                (done.ended.first().map_or(0.0, |one| one.ended - one.began), Some(done))
            }
            None => (self.wait(), None),
        };
        counting.stop().map_err(ours)?;
        let counts = counting.counts();
        Ok(Seen { scope: words, mode: counts.mode, events: counts.events, elapsed, done })
    }

    /// Waits for the limit, the user, or the end of the process.
    fn wait(&self) -> f64 {
        let began = self.clock.now();
        loop {
            let elapsed = self.clock.now() - began;
            let over = match &self.ask.whom {
                Whom::Process(pid) => usage::process_usage(*pid).is_none(),
                _ => false,
            };
            let left = self.ask.limit.map_or(f64::INFINITY, |limit| limit - elapsed);
            if over || left <= 0.0 || self.cancel.load(Ordering::Relaxed) {
                return elapsed;
            }
            host::clock::sleep(LOOK.min(Duration::from_secs_f64(left.min(1.0))));
        }
    }
}

/// What the kernel says of the machine, and of a process, before and after.
struct Around {
    times: Option<CpuTimes>,
    served: Option<InterruptCounts>,
    process: Option<(Usage, Option<Schedstat>)>,
}

impl Around {
    fn look(whom: &Whom) -> Around {
        let times = usage::cpu_times();
        let all = || times.iter().flat_map(|t| t.per_cpu.keys().copied()).collect();
        let (cpus, pid) = match whom {
            Whom::Command => (all(), None),
            Whom::Process(pid) => (all(), Some(*pid)),
            Whom::Cpus(cpus) => (cpus.clone(), None),
        };
        let process =
            pid.and_then(|pid| Some((usage::process_usage(pid)?, usage::process_schedstat(pid))));
        let served = usage::interrupts(&cpus);
        Around { times, served, process }
    }
    /// Busy, idle and stolen seconds of these CPUs, or of all.
    fn seconds(&self, cpus: Option<&CpuSet>) -> Option<[f64; 3]> {
        let times = self.times.as_ref()?;
        let of = times.per_cpu.iter().filter(|(id, _)| cpus.is_none_or(|set| set.contains(**id)));
        Some(of.fold([0.0; 3], |[busy, idle, steal], (_, t)| {
            [busy + t.busy, idle + t.idle + t.iowait, steal + t.steal]
        }))
    }
}

/// The observation as a run of a record.
fn report(
    machine: &Machine,
    ask: &Ask,
    family: &Family,
    chosen: &[Vec<Chosen>],
    seen: Seen,
    (before, after): (&Around, &Around),
    hertz: &[Option<f64>],
) -> Stat {
    let mut params = BTreeMap::new();
    let mut say = |(name, value): (&str, Value)| drop(params.insert(name.to_owned(), value));
    let words: Vec<String> = ask.command.iter().map(|w| quoted(&w.to_string_lossy())).collect();
    if !words.is_empty() {
        say(param::COMMAND.set(words.join(" ")));
    }
    let whom = match ask.whom {
        Whom::Command => "command",
        Whom::Process(_) => "process",
        Whom::Cpus(_) => "cpus",
    };
    say(param::WHOM.set(whom));
    say(param::SCOPE.set(seen.scope));
    say(param::MODE.set(if seen.mode == Mode::All { "user and kernel" } else { "user" }));
    say(param::FAMILY.set(family.title()));
    family.width().into_iter().for_each(|width| say(param::WIDTH.set(width)));
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
    if let Some(done) = seen.done.as_ref().filter(|_| ask.whom == Whom::Command) {
        let own = done.ended.first().map(|one| one.used).unwrap_or_default();
        let all = own.plus(&done.orphans_used);
        used = Some((all, done.ended.first().and_then(|one| one.queue)));
    }
    if let (Some((then, waited)), Some((now, waited_now))) = (before.process, after.process) {
        let queue = waited_now.zip(waited).map(|(now, then)| Schedstat {
            on_cpu: (now.on_cpu - then.on_cpu).max(0.0),
            waited: (now.waited - then.waited).max(0.0),
        });
        used = Some((now.since(&then), queue));
    }
    if let Some((used, queue)) = used {
        readings.extend(own_readings(&used, queue));
    } else if let Whom::Process(pid) = ask.whom {
        let why = format!("process {pid} had ended when it was looked at again");
        unread.insert("program.cpu".into(), Reason::new(why));
    }
    let of_cpus = match &ask.whom {
        Whom::Cpus(cpus) => Some(cpus),
        _ => None,
    };
    let known = used.map_or(0.0, |(used, _)| used.cpu_seconds);
    readings.extend(machine_readings((before, after), of_cpus, known));
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
    let case =
        Case { probe: STAT.into(), version: 1, params, place, estimate: ask.limit.unwrap_or(0.0) };
    let timed_out = seen.done.is_some_and(|done| done.timed_out);
    let run = Run {
        case,
        outcome: Outcome::Measured(series),
        threads: vec![],
        readings,
        unread,
        began: 0.0,
        took: seen.elapsed,
        origin: None,
        visits: vec![],
    };
    Stat { run, status: status.map(Status::code), timed_out }
}

/// A word as a shell would have to be given it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// What a program used, as the kernel accounts for it.
fn own_readings(used: &Usage, queue: Option<Schedstat>) -> Vec<Reading> {
    let seconds =
        |name: &str, value: f64| Reading::new(format!("program.{name}"), Unit::Seconds, value);
    let count = |name: &str, n: u64| Reading::new(format!("program.{name}"), Unit::Count, n as f64);
    let mut readings = vec![
        seconds("cpu", used.cpu_seconds),
        seconds("cpu.system", used.system_seconds),
        count("switches.voluntary", used.ctx_voluntary),
        count("switches.involuntary", used.ctx_involuntary),
        count("faults.minor", used.minor_faults),
        count("faults.major", used.major_faults),
    ];
    if used.max_rss_bytes > 0 {
        let resident = used.max_rss_bytes as f64;
        readings.push(Reading::new("program.resident", Unit::Bytes, resident));
    }
    // Tasks that have ended are not asked any more: the share says how much of the CPU time is accounted for.
    readings.extend(queue.map(|queue| Reading {
        coverage: (queue.on_cpu / used.cpu_seconds.max(1e-9)).clamp(0.0, 1.0),
        ..Reading::new("program.waited", Unit::Seconds, queue.waited)
    }));
    readings
}

/// What happened on the CPUs beside it; `own` seconds of their time were the program's.
fn machine_readings(
    (before, after): (&Around, &Around),
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

#[cfg(test)]
mod tests {
    use super::*;
    use host::clock::Monotonic;

    fn ask(command: &[&str], whom: Whom) -> Ask {
        let command = command.iter().map(|&word| word.into()).collect();
        Ask { command, whom, limit: Some(20.0), events: vec![], background: Background::Keep }
    }

    fn run(ask: &Ask) -> Result<Stat, Refused> {
        stat(&Machine::default(), ask, &Monotonic::new(), &AtomicBool::new(false))
    }

    fn value(run: &Run, name: &str) -> Option<f64> {
        run.reading(name).map(|r| r.value)
    }

    /// With a PMU or without: every event is a reading or has its reason.
    #[test]
    fn a_command_is_a_run_in_which_nothing_is_missing_without_a_reason() {
        assert_eq!([quoted("-j8"), quoted("a b"), quoted("it's")], ["-j8", "'a b'", "'it'\\''s'"]);
        let spin = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exit 3";
        let Stat { run, status, timed_out } =
            run(&ask(&["sh", "-c", spin], Whom::Command)).unwrap();
        assert_eq!((status, timed_out), (Some(3), false));
        assert_eq!(run.case.get(param::WHOM), Some("command"));
        assert_eq!(run.case.get(param::STATUS), Some("exited with status 3"));
        for event in ["cycles", "instructions", "task-clock", "cpu-migrations"] {
            let name = format!("counters.{event}");
            let unread = run.unread.get(&name);
            assert!(value(&run, &name).is_some() != unread.is_some(), "{name}: {run:?}");
            assert!(unread.is_none_or(|reason| !reason.why.is_empty()));
        }
        let Outcome::Measured(series) = &run.outcome else { panic!("{run:?}") };
        let used = value(&run, "program.cpu").unwrap();
        assert!(used > 0.0 && used <= 1.1 * series[0].samples[0] + 0.01, "{run:?}");
        assert_eq!(value(&run, "program.left_behind"), Some(0.0));
        for reading in &run.readings {
            assert!(reading.value.is_finite() && reading.value >= 0.0, "{reading:?}");
            assert!((0.0..=1.0).contains(&reading.coverage), "{reading:?}");
        }
    }

    #[test]
    fn a_process_is_watched_while_it_runs_and_one_that_is_gone_is_refused() {
        let own = Whom::Process(std::process::id());
        let watched = run(&ask(&["sleep", "0.1"], own.clone())).unwrap();
        assert_eq!(watched.run.case.get(param::WHOM), Some("process"));
        assert!(value(&watched.run, "program.cpu").is_some(), "{watched:?}");
        let alone = run(&Ask { limit: Some(0.1), ..ask(&[], own) }).unwrap();
        assert_eq!(alone.status, None);
        assert!(alone.run.took >= 0.1);
        assert!(
            run(&ask(&[], Whom::Process(u32::MAX >> 1)))
                .unwrap_err()
                .why
                .why
                .contains("no process")
        );
        assert!(run(&ask(&[], Whom::Command)).unwrap_err().why.remedy.is_some());
    }

    #[test]
    fn cpus_are_nobodys_program() {
        let cpus: CpuSet = "0".parse().unwrap();
        let seen = run(&ask(&["sleep", "0.2"], Whom::Cpus(cpus.clone()))).unwrap();
        assert!(seen.run.case.get(param::SCOPE).unwrap().contains("system-wide"));
        assert_eq!(seen.run.case.place.cpus, cpus);
        assert_eq!(value(&seen.run, "program.cpu"), None);
        assert!(value(&seen.run, "machine.busy").is_none_or(|busy| busy <= 1.0));
    }

    #[test]
    fn an_event_that_is_none_is_refused_before_anything_runs() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ran");
        let mut ask = ask(&["touch", file.to_str().unwrap()], Whom::Command);
        ask.events = vec!["nonsense".into()];
        assert!(run(&ask).unwrap_err().why.why.contains("nonsense"));
        assert!(!file.exists());
    }
}
