//! Hardware and software counters by perf_event_open(2): cycles and instructions always in one group, further events in
//! groups that fit. The scope is part of the type, so that counts of a set of CPUs are never taken for a program's. Each
//! count has the share of the time during which it ran, and is never scaled up. A missing count has its reason.
mod attributes;
mod refusal;
mod scope;

pub use refusal::is_listed;
pub use scope::{Cpus, OfProgram, Process, Scope, ThisThread, Tree};

use attributes::{Attributes, Target, open};
use record::Reason;
use refusal::{refusal, starved};
use std::{io, mem, os::fd::AsRawFd, os::fd::OwnedFd};

/// linux/perf_event.h: types of events.
pub mod kind {
    /// Generic hardware events.
    pub const HARDWARE: u32 = 0;
    /// Events that the kernel counts.
    pub const SOFTWARE: u32 = 1;
    /// Cache events by cache, operation and result.
    pub const CACHE: u32 = 3;
    /// Raw codes of the processor.
    pub const RAW: u32 = 4;
}

/// An event.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Event {
    /// Its name for users.
    pub name: String,
    /// A type of perf_event_open(2), see [`kind`].
    pub kind: u32,
    /// Its number or code there.
    pub config: u64,
}

impl Event {
    pub fn new(name: &str, kind: u32, config: u64) -> Event {
        Event { name: name.into(), kind, config }
    }
    /// Core cycles.
    pub fn cycles() -> Event {
        Event::new("cycles", kind::HARDWARE, 0)
    }
    /// Instructions retired.
    pub fn instructions() -> Event {
        Event::new("instructions", kind::HARDWARE, 1)
    }
    /// Events that exist on every processor: CPU time in nanoseconds, context switches, migrations, minor and major page
    /// faults.
    pub fn software() -> [Event; 5] {
        let numbers = [1, 3, 4, 5, 6];
        let names =
            ["task-clock", "context-switches", "cpu-migrations", "minor-faults", "major-faults"];
        std::array::from_fn(|i| Event::new(names[i], kind::SOFTWARE, numbers[i]))
    }
    /// Whether it occurs in kernel mode only, so that a count of user mode would be zero.
    fn in_kernel_only(&self) -> bool {
        self.kind == kind::SOFTWARE && matches!(self.config, 3 | 4)
    }
}

/// The modes of the processor in which events are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// User and kernel mode.
    All,
    /// User mode only.
    User,
}

/// One event's count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Count {
    /// The raw count, never scaled up.
    pub value: u64,
    /// Share of the time during which it was counted: below 1 other events had the counter the rest of the time, or
    /// the program was on a CPU of another kind.
    pub share: f64,
}

impl Count {
    /// The count extrapolated to the whole time, as by perf.
    pub fn scaled(&self) -> u64 {
        if self.share > 0.0 { (self.value as f64 / self.share).round() as u64 } else { self.value }
    }
}

/// Counts of a scope. Only a program has an IPC; `Counts<Cpus>` has none.
///
/// ```compile_fail
/// fn of_all(counts: &host::counters::Counts<host::counters::Cpus>) -> Option<f64> {
///     counts.ipc()
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Counts<S> {
    /// The scope of the counters.
    pub scope: S,
    pub mode: Mode,
    /// Every requested event in order: its count, or why there is none.
    pub events: Vec<(Event, Result<Count, Reason>)>,
}

impl<S> Counts<S> {
    /// The count of the event of this name.
    pub fn get(&self, name: &str) -> Option<Count> {
        self.events.iter().find(|(event, _)| event.name == name)?.1.as_ref().ok().copied()
    }
}

impl<S: OfProgram> Counts<S> {
    /// Instructions per cycle. Both are in one group, so they cover the same time.
    pub fn ipc(&self) -> Option<f64> {
        let (cycles, instructions) = (self.get("cycles")?, self.get("instructions")?);
        (cycles.value > 0).then(|| instructions.value as f64 / cycles.value as f64)
    }
}

/// An event: its counter for every target, or why there is none.
#[derive(Debug)]
struct Slot {
    event: Event,
    state: Result<Vec<Option<Counter>>, Reason>,
    /// Whether it is a group leader.
    leads: bool,
}

#[derive(Debug)]
struct Counter {
    descriptor: OwnedFd,
    at_start: Totals,
}

/// A counter's totals since it was opened, as the kernel returns them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Totals {
    value: u64,
    enabled: u64,
    running: u64,
}

/// Open counters of a scope.
#[derive(Debug)]
pub struct Counting<S> {
    scope: S,
    mode: Mode,
    slots: Vec<Slot>,
}

impl<S: Scope> Counting<S> {
    /// Opens groups of events, each led by its first: the events of a group count at the same time or not at all. An event
    /// that does not fit into its group leads a further one. Where counting the kernel is forbidden, `mode` becomes
    /// [`Mode::User`].
    ///
    /// A held program is counted from its first instruction, any other scope from [`Counting::start`].
    pub fn open(scope: S, groups: &[Vec<Event>], mode: Mode) -> Counting<S> {
        let targets = scope.targets();
        crate::descriptors::raise_limit();
        let mode = match (&targets, mode) {
            (Ok(targets), Mode::All) => allowed(targets.first().copied()),
            _ => mode,
        };
        let mut counting = Counting { scope, mode, slots: vec![] };
        for group in groups {
            match &targets {
                Ok(targets) => counting.open_group(group, targets),
                Err(reason) => counting.slots.extend(group.iter().map(|event| Slot {
                    event: event.clone(),
                    state: Err(reason.clone()),
                    leads: false,
                })),
            }
        }
        counting
    }

    fn open_group(&mut self, group: &[Event], targets: &[Target]) {
        let mut leader: Option<usize> = None;
        for event in group {
            let (state, leads) = match self.open_event(event, targets, leader) {
                // No counter is left beside the others of the group.
                Err(error) if leader.is_some() && is_full(&error) => {
                    (self.open_event(event, targets, None), true)
                }
                state => (state, leader.is_none()),
            };
            let wanted = (self.scope.kind(), &*event.name);
            let state = match state {
                Ok(counters) if self.mode == Mode::User && event.in_kernel_only() => {
                    drop(counters);
                    Err(refusal::kernel_only(&event.name))
                }
                Ok(counters) => Ok(counters),
                Err(error) => {
                    Err(refusal(wanted, error.raw_os_error().unwrap_or(0), refusal::paranoia()))
                }
            };
            let leads = leads && state.is_ok();
            self.slots.push(Slot { event: event.clone(), state, leads });
            if leads {
                leader = Some(self.slots.len() - 1);
            }
        }
    }

    /// Opens one event for every target, in the group of the slot `leader`. Threads that have ended meanwhile are left out.
    fn open_event(
        &self,
        event: &Event,
        targets: &[Target],
        leader: Option<usize>,
    ) -> io::Result<Vec<Option<Counter>>> {
        let leaders = leader.and_then(|at| self.slots[at].state.as_ref().ok());
        let mut counters = vec![];
        for (i, target) in targets.iter().enumerate() {
            let group = match leaders.map(|leaders| &leaders[i]) {
                Some(None) => {
                    counters.push(None);
                    continue;
                }
                Some(Some(leader)) => Some(&leader.descriptor),
                None => None,
            };
            let attributes = Attributes::new(event, self.mode, target, group.is_none());
            counters.push(match open(&attributes, target, group) {
                Ok(descriptor) => Some(Counter { descriptor, at_start: Totals::default() }),
                Err(error) if error.raw_os_error() == Some(libc::ESRCH) => None,
                Err(error) => return Err(error),
            });
        }
        match counters.iter().any(Option::is_some) {
            true => Ok(counters),
            false => Err(io::Error::from_raw_os_error(libc::ESRCH)),
        }
    }

    /// The first event's reason, if no event can be counted.
    pub fn refused(&self) -> Option<&Reason> {
        let none = self.slots.iter().all(|slot| slot.state.is_err());
        self.slots.iter().find_map(|slot| slot.state.as_ref().err()).filter(|_| none)
    }

    pub fn start(&mut self) -> Result<(), Reason> {
        for slot in &mut self.slots {
            for counter in slot.state.iter_mut().flatten().flatten() {
                counter.at_start = counter.totals()?;
            }
        }
        self.tell(attributes::ENABLE)
    }

    /// Stops, and gives the counts since the start, or since the exec of a held program.
    pub fn stop(&mut self) -> Result<(), Reason> {
        self.tell(attributes::DISABLE)
    }

    /// The counts so far. An event whose counter never ran is unknown, not zero.
    pub fn counts(&self) -> Counts<S>
    where
        S: Clone,
    {
        let events = self.slots.iter().map(|slot| {
            let count = slot.state.as_ref().map_err(Clone::clone).and_then(|counters| {
                let mut sum = Totals::default();
                for counter in counters.iter().flatten() {
                    sum = sum.and(counter.totals()?.since(&counter.at_start));
                }
                sum.count()
            });
            (slot.event.clone(), count)
        });
        Counts { scope: self.scope.clone(), mode: self.mode, events: events.collect() }
    }

    fn tell(&self, request: libc::c_ulong) -> Result<(), Reason> {
        for slot in self.slots.iter().filter(|slot| slot.leads) {
            for counter in slot.state.iter().flatten().flatten() {
                attributes::control_group(&counter.descriptor, request)
                    .map_err(|e| broken("switch", &e))?;
            }
        }
        Ok(())
    }
}

/// The mode in which a target may be counted, probed with an event that every kernel has.
fn allowed(target: Option<Target>) -> Mode {
    let probe = Event::new("task-clock", kind::SOFTWARE, 1);
    let may = target.is_some_and(|target| {
        open(&Attributes::new(&probe, Mode::All, &target, true), &target, None).is_ok()
    });
    if may { Mode::All } else { Mode::User }
}

/// Whether the error means that the group is full.
fn is_full(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EINVAL | libc::ENOSPC))
}

impl Counter {
    fn totals(&self) -> Result<Totals, Reason> {
        let mut words = [0u64; 3];
        // SAFETY: the kernel writes at most the 24 bytes of its argument, and `words` has 24; any bytes are integers.
        let got = unsafe {
            libc::read(
                self.descriptor.as_raw_fd(),
                words.as_mut_ptr().cast(),
                mem::size_of_val(&words),
            )
        };
        match (got, words) {
            (24, [value, enabled, running]) => Ok(Totals { value, enabled, running }),
            (..0, _) => Err(broken("read", &io::Error::last_os_error())),
            _ => Err(Reason::new("the kernel returned something else than a counter")),
        }
    }
}

impl Totals {
    fn since(&self, start: &Totals) -> Totals {
        Totals {
            value: self.value.saturating_sub(start.value),
            enabled: self.enabled.saturating_sub(start.enabled),
            running: self.running.saturating_sub(start.running),
        }
    }
    fn and(&self, other: Totals) -> Totals {
        Totals {
            value: self.value + other.value,
            enabled: self.enabled + other.enabled,
            running: self.running + other.running,
        }
    }
    fn count(&self) -> Result<Count, Reason> {
        if self.running == 0 {
            return Err(starved(refusal::watchdog()));
        }
        let share = self.running as f64 / self.enabled.max(self.running) as f64;
        Ok(Count { value: self.value, share })
    }
}

fn broken(what: &str, error: &io::Error) -> Reason {
    Reason::new(format!("cannot {what} the hardware counters: {error}"))
}

#[cfg(test)]
mod tests;
