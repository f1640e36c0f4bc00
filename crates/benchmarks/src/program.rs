//! What a counted run of a program says: `run time = instructions / (frequency x IPC) / CPUs`, where its cycles went, and
//! what limits it. Pure; the counts are `measure::stat`'s. Counts of a set of CPUs are of no program: they get no
//! limiter, and their quotient is called what it is.
mod figures;
mod identity;
mod limiter;
mod slots;

pub use figures::{Figure, Spread, figures};
pub use identity::{Claim, Identity, check};
pub use limiter::{Judged, Limiter};
pub use slots::Slots;

use crate::say;
use estimates::facts::{CLOCK_BASE, CLOCK_MAX};
use record::{Machine, Metric, Reason, Run, Unit, param};

/// Where a level of memory hierarchy cannot be determined otherwise, misses are compared per so many instructions.
const PER_INSTRUCTIONS: f64 = 1000.0;

record::named! {
    /// The target of the counters.
    pub enum Target {
        /// A command and all it starts.
        Command = "command",
        /// A process that ran already.
        Process = "process",
        /// Whatever ran on some CPUs.
        Cpus = "cpus",
    }
}

/// Cycles and instructions of one group, scaled to the whole time if they shared their counters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counted {
    /// Core cycles.
    pub cycles: f64,
    /// Instructions retired.
    pub instructions: f64,
    /// Share of the time during which they were counted.
    pub share: f64,
    /// CPU seconds that they are of: of user mode if only that was counted.
    pub cpu: f64,
}

impl Counted {
    /// Instructions per cycle.
    pub fn ipc(&self) -> f64 {
        self.instructions / self.cycles
    }
    /// Cycles per second on a CPU, in hertz.
    pub fn frequency(&self) -> f64 {
        self.cycles / self.cpu
    }
}

/// CPU seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CpuTime {
    /// In the program and in the kernel on its behalf.
    pub all: f64,
    /// The kernel's part, where it is known.
    pub system: Option<f64>,
}

/// Something that happens so often.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Rate {
    /// The event.
    pub name: &'static str,
    /// The count.
    pub value: f64,
    /// The subject, in words.
    pub of: &'static str,
    /// Its unit: a share, or a count.
    pub unit: Unit,
    /// The event that says so.
    pub event: String,
    /// Share of the time during which it was counted.
    #[serde(rename = "coverage")]
    pub share: f64,
}

/// An event that was asked for by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked<'a> {
    /// Its name.
    pub event: &'a str,
    /// Its count over the whole time and the share of it that was seen, or why there is none.
    pub count: Result<(f64, f64), Reason>,
}

/// The analysis of a counted run.
#[derive(Debug, Clone, PartialEq)]
pub struct Program<'a> {
    /// The observation.
    pub run: &'a Run,
    /// The target of the counters.
    pub target: Target,
    /// The same in words.
    pub scope: &'a str,
    /// Only user mode was counted.
    pub user_only: bool,
    /// Seconds from start to end.
    pub elapsed: f64,
    /// CPU time, or why it is not known.
    pub cpu: Result<CpuTime, Reason>,
    /// Cycles and instructions, or why there are none that can be used.
    pub counted: Result<Counted, Reason>,
    /// Whether cycles fit elapsed time, frequency and CPUs.
    pub identity: Identity,
    /// The core frequency measured just before and after, in hertz: of the machine, not of the program.
    pub frequency_beside: Vec<f64>,
    /// The use of the pipeline slots.
    pub slots: Option<Slots>,
    /// Stalls and misses.
    pub rates: Vec<Rate>,
    /// Its limiter, with the evidence.
    pub limiter: Judged,
}

impl Program<'_> {
    /// CPUs used on average.
    pub fn cpus(&self) -> Option<f64> {
        self.cpu.as_ref().ok().map(|cpu| cpu.all / self.elapsed.max(1e-9))
    }
    /// Share of its cycles that it waited for data from memory, where that was counted.
    pub fn waits(&self) -> Option<f64> {
        let named = |name: &str| self.rates.iter().find(|r| r.name == name).map(|r| r.value);
        let stalled = named("stalls on loads that missed L3").or_else(|| named("stalls on memory"));
        let slots = || self.slots.as_ref()?.memory;
        stalled.or_else(slots).filter(|share| *share > 0.0).map(|share| share.min(1.0))
    }
    /// The events that were asked for.
    pub fn asked(&self) -> Vec<Asked<'_>> {
        let readings = self.readings();
        let names = self.run.case.get(param::EVENTS).unwrap_or_default().split(',');
        let of = |event| {
            let count = readings.count(event);
            let count = count.ok_or_else(|| readings.why(&format!("counters.{event}")));
            Asked { event, count }
        };
        names.filter(|name| !name.is_empty()).map(of).collect()
    }
    /// The count of the event that has a role, over the whole time.
    pub fn count(&self, role: &str) -> Option<f64> {
        self.readings().role(role)
    }
    fn readings(&self) -> Readings<'_> {
        Readings(self.run)
    }
}

/// The readings of a run, scaled where their counters were shared.
struct Readings<'a>(&'a Run);

impl Readings<'_> {
    fn value(&self, name: &str) -> Option<f64> {
        self.0.reading(name).map(|reading| reading.value)
    }
    /// An event's count over the whole time, and the share of it that was seen.
    fn count(&self, event: &str) -> Option<(f64, f64)> {
        let reading = self.0.reading(&format!("counters.{event}"))?;
        (reading.coverage > 0.0).then(|| (reading.value / reading.coverage, reading.coverage))
    }
    /// The event that has a role.
    fn event(&self, role: &str) -> Option<&str> {
        self.0.case.params.get(&format!("role.{role}"))?.text()
    }
    /// The count of whatever event has a role.
    fn role(&self, role: &str) -> Option<f64> {
        self.count(self.event(role)?).map(|(value, _)| value)
    }
    fn why(&self, name: &str) -> Reason {
        let known = self.0.unread.get(name).cloned();
        known.unwrap_or_else(|| Reason::new(say::event_uncounted(name)))
    }
}

/// Everything that follows from a run of `stat`; nothing of any other.
pub fn program<'a>(run: &'a Run, machine: &Machine) -> Option<Program<'a>> {
    let target = Target::named(run.case.get(param::TARGET)?)?;
    let elapsed = *run.metric(Metric::Elapsed)?.samples.first()?;
    let frequencies = run.series().iter().filter(|s| s.metric == Metric::Frequency);
    let frequency_beside = frequencies.flat_map(|s| s.samples.clone()).collect();
    let readings = Readings(run);
    let user_only = run.case.get(param::MODE) == Some("user");
    let cpu = cpu_time(&readings, target, elapsed);
    let counted = counted(&readings, &cpu, user_only);
    let threads = run.case.place.cpus.len().max(1) as f64;
    let advertised = [CLOCK_MAX, CLOCK_BASE].iter().find_map(|fact| machine.number(fact));
    let identity = match &counted {
        Err(reason) => Identity::Unknown(reason.clone()),
        Ok(counted) => check(&Claim {
            cycles: counted.cycles,
            instructions: counted.instructions,
            elapsed,
            cpu: Some(counted.cpu),
            threads,
            advertised,
        }),
    };
    let counted = match &identity {
        Identity::Impossible(why) => Err(Reason::new(why.clone())),
        _ => counted,
    };
    let slots = counted.as_ref().ok().and_then(|counted| slots::slots(run, &readings, counted));
    let rates = rates(&readings, counted.as_ref().ok(), elapsed);
    let scope = run.case.get(param::SCOPE).unwrap_or("");
    let mut program = Program {
        run,
        target,
        scope,
        user_only,
        elapsed,
        cpu,
        counted,
        identity,
        frequency_beside,
        slots,
        rates,
        limiter: Judged::counted(Limiter::Unknown, vec![]),
    };
    program.limiter = limiter::judge(&program);
    Some(program)
}

/// The scheduler's own account in nanoseconds where it was counted, else that of the process.
fn cpu_time(readings: &Readings<'_>, target: Target, elapsed: f64) -> Result<CpuTime, Reason> {
    if target == Target::Cpus {
        let busy = readings.value("machine.busy");
        let cpus = readings.0.case.place.cpus.len() as f64;
        return busy
            .map(|busy| CpuTime { all: busy * elapsed * cpus, system: None })
            .ok_or_else(|| readings.why("machine.busy"));
    }
    let accounted = readings.value("program.cpu");
    let system = readings.value("program.cpu.system");
    let counted = readings.count("task-clock").map(|(ns, _)| ns * 1e-9);
    // A command's account begins before it is released, its counters when it becomes its program.
    let all = counted.or(accounted).ok_or_else(|| readings.why("program.cpu"))?;
    Ok(CpuTime { all, system: system.map(|system| system.min(all)) })
}

fn counted(
    readings: &Readings<'_>,
    cpu: &Result<CpuTime, Reason>,
    user_only: bool,
) -> Result<Counted, Reason> {
    let of = |event: &str| {
        readings.count(event).ok_or_else(|| readings.why(&format!("counters.{event}")))
    };
    let ((cycles, share), (instructions, other)) = (of("cycles")?, of("instructions")?);
    let cpu = cpu.as_ref().map_err(Clone::clone)?;
    let seconds = if user_only { cpu.all - cpu.system.unwrap_or(0.0) } else { cpu.all };
    if cycles <= 0.0 || instructions <= 0.0 || seconds <= 0.0 {
        return Err(Reason::new(say::NOTHING_EXECUTED));
    }
    Ok(Counted { cycles, instructions, share: share.min(other), cpu: seconds })
}

/// Events whose cycles are a share of all, by role.
const STALLS: [(&str, &str); 6] = [
    ("front end stalls", "stall_frontend"),
    ("back end stalls", "stall_backend"),
    ("stalls on memory", "stall_memory"),
    ("stalls on loads that missed L1", "stall_l1_miss"),
    ("stalls on loads that missed L2", "stall_l2_miss"),
    ("stalls on loads that missed L3", "stall_l3_miss"),
];
/// Events that are compared per so many instructions, by role.
const MISSES: [(&str, &str); 6] = [
    ("branch misses", "branch_misses"),
    ("L1 data misses", "l1d_misses"),
    ("L2 misses", "l2_misses"),
    ("last-level misses", "llc_misses"),
    ("TLB misses", "tlb_misses"),
    ("lines from memory", "fills_memory"),
];
/// What is compared by time, by reading.
const BY_TIME: [(&str, &str); 5] = [
    ("waits (voluntary switches)", "program.switches.voluntary"),
    ("preemptions (involuntary switches)", "program.switches.involuntary"),
    ("migrations", "counters.cpu-migrations"),
    ("minor faults", "program.faults.minor"),
    ("major faults", "program.faults.major"),
];

fn rates(readings: &Readings<'_>, counted: Option<&Counted>, elapsed: f64) -> Vec<Rate> {
    let mut rates = vec![];
    if let Some(counted) = counted {
        let rate = |name, role: &str, times: f64, under: Option<f64>, of| {
            let event = readings.event(role)?;
            let (value, share) = readings.count(event)?;
            let value = times * value / under.filter(|under| *under > 0.0)?;
            Some(Rate { name, value, of, unit: Unit::Ratio, event: event.to_owned(), share })
        };
        let cycles = Some(counted.cycles);
        rates.extend(
            STALLS.iter().filter_map(|(name, role)| rate(name, role, 1.0, cycles, "of cycles")),
        );
        let branches = readings.role("branches");
        rates.extend(rate("branches mispredicted", "branch_misses", 1.0, branches, "of branches"));
        // The reference runs at the advertised frequency: above one is boost.
        let reference = rate("frequency over its reference", "ref_cycles", 1.0, cycles, "times");
        let reference = reference.filter(|rate| rate.value > 0.0);
        rates.extend(reference.map(|r| Rate { value: 1.0 / r.value, unit: Unit::Count, ..r }));
        let (of, instructions) = ("per 1000 instructions", Some(counted.instructions));
        let misses = MISSES
            .iter()
            .filter_map(|(name, role)| rate(name, role, PER_INSTRUCTIONS, instructions, of));
        rates.extend(misses.map(|rate| Rate { unit: Unit::Count, ..rate }));
    }
    rates.extend(BY_TIME.iter().filter_map(|(name, reading)| {
        let value = readings.value(reading)? / elapsed.max(1e-9);
        let (of, event) = ("per second", (*reading).to_owned());
        Some(Rate { name, value, of, unit: Unit::Count, event, share: 1.0 })
    }));
    rates
}
