//! One run of somebody's program, or a while of one that runs already, or of some CPUs: everything that the processor
//! and the kernel count of it, as a [`Run`] like any other. What follows from it is `analyse::program`'s business.
use crate::{
    bench::CoreFrequency,
    events::{Chosen, Family},
    sampler,
    samplers::energy,
};
use host::{
    child::{GroupResult, ProcessGroup, Program, Refused},
    clock::Clock,
    counters::{Count, Counting, Cpus, Event, Mode, Process, Scope, Tree},
    usage::{self, CpuTimes, InterruptCounts, Schedstat, Usage},
};
pub use intervals::Interval;
use kernels::Features;
use record::{CpuSet, Machine, Reading, Reason, Run, Sort};
use report::report;
use std::{
    ffi::OsString,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

mod intervals;
mod report;

/// The name of the case, which no plan contains.
pub const STAT: &str = "stat";

/// Windows of the core frequency before and after: their median is steady within a per cent.
const CLOCK_WINDOWS: usize = 41;

/// Seconds between looks at a process that we did not start and cannot wait for.
const LOOK: Duration = Duration::from_millis(20);

/// The processes or CPUs that are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The command and all it starts.
    Command,
    /// A process that runs already.
    Process(u32),
    /// Whatever runs on these CPUs.
    Cpus(CpuSet),
}

/// The request: events, processes or CPUs, and duration.
#[derive(Debug, Clone)]
pub struct Request {
    /// The command; without one a process or CPUs are watched until the limit, or until interrupted.
    pub command: Vec<OsString>,
    /// The processes or CPUs that are counted.
    pub target: Target,
    /// Seconds after which a command is ended, and a watch ends.
    pub limit: Option<f64>,
    /// Seconds between readings of the counters while it runs; without it they are read at the end.
    pub every: Option<f64>,
    /// Events by name; the family's own if none are named.
    pub events: Vec<String>,
    /// Whether processes that the command leaves running are ended.
    pub end_children: bool,
}

/// The counts, and the command's exit.
#[derive(Debug, Clone, PartialEq)]
pub struct Stat {
    /// The observation.
    pub run: Run,
    /// The command's exit status as a shell would report it; nothing without a command.
    pub status: Option<i32>,
    /// The command outlived its time limit and was ended.
    pub timed_out: bool,
}

/// Counts; `seen` is called with every interval, from another thread.
///
/// # Errors
/// The command is none, an event is none, or there is nothing to count; the exit status that shells use for the first.
pub fn stat(
    machine: &Machine,
    request: &Request,
    clock: &(dyn Clock + Sync),
    cancel: &AtomicBool,
    seen: &(dyn Fn(Interval) + Sync),
) -> Result<Stat, Refused> {
    let family = Family::of(machine)?;
    let chosen = family.groups(&request.events)?;
    let mut processes = None;
    let mut pid = None;
    if !request.command.is_empty() {
        let mut one = ProcessGroup::new()?.ending_children(request.end_children);
        pid = Some(one.hold(&Program::new(&request.command)?)?);
        processes = Some(one);
    }
    let energy = (energy::SAMPLER.open)();
    let mut watch = Watch { request, clock, cancel, processes, energy, seen };
    let mut hertz = vec![core_frequency(clock)];
    let before =
        Accounts { held: pid.and_then(usage::process_usage), ..Accounts::look(&request.target) };
    let seen = match (&request.target, pid) {
        (Target::Command, Some(pid)) => watch.count(Tree::of_held(pid), &chosen, false),
        (Target::Command, None) => {
            Err(Reason::mended_by("there is no command to run", "cpulens stat -- COMMAND").into())
        }
        (Target::Process(pid), _) => watch.count(Process { pid: *pid }, &chosen, true),
        (Target::Cpus(cpus), _) => watch.count(Cpus { cpus: cpus.clone() }, &chosen, true),
    }?;
    let after = Accounts::look(&request.target);
    hertz.push(core_frequency(clock));
    Ok(report(machine, request, &family, &chosen, seen, (&before, &after), &hertz))
}

/// The median of several windows, on whichever CPU we are; nothing if it cannot be measured.
fn core_frequency(clock: &dyn Clock) -> Option<f64> {
    let core = CoreFrequency::new(clock, &Features::detect(), "add_chain").ok()?;
    let mut windows: Vec<f64> = (0..CLOCK_WINDOWS).map(|_| core.window(clock)).collect();
    windows.order_by(f64::total_cmp);
    windows.get(CLOCK_WINDOWS / 2).copied()
}

/// Counts over a period.
struct Counts {
    scope: String,
    mode: Mode,
    events: Vec<(Event, Result<Count, Reason>)>,
    elapsed: f64,
    done: Option<GroupResult>,
    /// Energy of the whole machine meanwhile.
    energy: Result<Vec<Reading>, Reason>,
}

struct Watch<'a> {
    request: &'a Request,
    clock: &'a (dyn Clock + Sync),
    cancel: &'a AtomicBool,
    processes: Option<ProcessGroup>,
    energy: Result<Box<dyn sampler::Watch>, Reason>,
    seen: &'a (dyn Fn(Interval) + Sync),
}

impl Watch<'_> {
    /// Counts for a scope while the command runs, or for as long as was asked.
    fn count<S: Scope + Clone + Sync>(
        &mut self,
        scope: S,
        chosen: &[Vec<Chosen>],
        by_hand: bool,
    ) -> Result<Counts, Refused> {
        let mut groups: Vec<Vec<Event>> =
            chosen.iter().map(|group| group.iter().map(|c| c.event.clone()).collect()).collect();
        // The kernel's own never compete for a counter.
        let named = |event: &Event| chosen.iter().flatten().any(|c| c.event == *event);
        groups.extend(Event::software().into_iter().filter(|e| !named(e)).map(|event| vec![event]));
        let words = scope.describe();
        let mut counting = Counting::open(scope, &groups, Mode::All);
        if let (Some(reason), Target::Process(_)) = (counting.refused(), &self.request.target)
            && reason.why.contains("no process")
        {
            return Err(reason.clone().into());
        }
        if by_hand {
            counting.start()?;
        }
        let over = AtomicBool::new(false);
        let began = self.clock.now();
        let processes = self.processes.take();
        self.energy.iter_mut().for_each(|energy| energy.start(&CpuSet::default()));
        let (elapsed, done) = thread::scope(|scope| {
            let (request, clock, seen) = (self.request, self.clock, self.seen);
            let (counting, over) = (&counting, &over);
            let reader = request.every.map(|_| {
                scope.spawn(move || intervals::read(counting, (request, clock, began), over, seen))
            });
            let ended = match processes {
                Some(processes) => processes.run(clock, request.limit).map(|done| {
                    (done.ended.first().map_or(0.0, |one| one.ended - one.began), Some(done))
                }),
                None => Ok((self.wait(), None)),
            };
            over.store(true, Ordering::Release);
            drop(reader.map(thread::ScopedJoinHandle::join));
            ended
        })?;
        counting.stop()?;
        let energy = self.energy.as_mut().map(|energy| energy.stop()).map_err(|why| why.clone());
        let counts = counting.counts();
        Ok(Counts { scope: words, mode: counts.mode, events: counts.events, elapsed, done, energy })
    }

    /// Waits for the limit, the user, or the end of the process.
    fn wait(&self) -> f64 {
        let began = self.clock.now();
        loop {
            let elapsed = self.clock.now() - began;
            let over = match &self.request.target {
                Target::Process(pid) => usage::process_usage(*pid).is_none(),
                _ => false,
            };
            let left = self.request.limit.map_or(f64::INFINITY, |limit| limit - elapsed);
            if over || left <= 0.0 || self.cancel.load(Ordering::Relaxed) {
                return elapsed;
            }
            host::clock::sleep(LOOK.min(Duration::from_secs_f64(left.min(1.0))));
        }
    }
}

/// The kernel's accounts of the machine and of a process, before and after.
struct Accounts {
    times: Option<CpuTimes>,
    served: Option<InterruptCounts>,
    process: Option<(Usage, Option<Schedstat>)>,
    /// Usage of a command up to the point where it is held, before it runs.
    held: Option<Usage>,
}

impl Accounts {
    fn look(target: &Target) -> Accounts {
        let times = usage::cpu_times();
        let all = || times.iter().flat_map(|t| t.per_cpu.keys().copied()).collect();
        let (cpus, pid) = match target {
            Target::Command => (all(), None),
            Target::Process(pid) => (all(), Some(*pid)),
            Target::Cpus(cpus) => (cpus.clone(), None),
        };
        let process =
            pid.and_then(|pid| Some((usage::process_usage(pid)?, usage::process_schedstat(pid))));
        let served = usage::interrupts(&cpus);
        Accounts { times, served, process, held: None }
    }
    /// Busy, idle and stolen seconds of these CPUs, or of all.
    fn seconds(&self, cpus: Option<&CpuSet>) -> Option<[f64; 3]> {
        let times = self.times.as_ref()?;
        let of = cpus.map_or(times.all, |cpus| times.of(cpus));
        Some([of.busy, of.idle + of.iowait, of.steal])
    }
}

#[cfg(test)]
mod tests;
