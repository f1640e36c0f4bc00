//! Top-down level 1, and level 2 where the processor tells it: what the slots of a program's cycles were used for.
//! Source: A. Yasin, "A top-down method for performance analysis and counters architecture", ISPASS 2014; the vendors'
//! formulas as in Linux tools/perf/pmu-events.
use super::{Counted, Readings};
use record::{Run, param};

/// Shares of all slots; they add up to one.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Slots {
    /// Used by operations that retired.
    pub retiring: f64,
    /// Lost to operations on a wrong path, and to the recovery from it.
    pub bad_speculation: f64,
    /// Empty for want of operations.
    pub frontend: f64,
    /// Empty for want of room: units that are busy, or data that is not there.
    pub backend: f64,
    /// Back-end slots that waited for memory, where that is known; the others waited for the core's own units.
    pub memory: Option<f64>,
    /// Retiring slots of instructions that are many operations, or microcode.
    pub heavy: Option<f64>,
    /// Slots lost to bad speculation after a mispredicted branch; the others after another restart.
    pub mispredicted: Option<f64>,
    /// Of those empty for the front end the ones of cycles in which it delivered nothing at all, so that what it waited for
    /// was a miss, and not its width.
    pub latency: Option<f64>,
}

/// From whatever the processor counts; nothing if that is not enough.
pub(super) fn slots(run: &Run, readings: &Readings<'_>, counted: &Counted) -> Option<Slots> {
    let (retiring, bad, frontend, backend) =
        metrics(readings).or_else(|| operations(run, readings, counted))?;
    let [retiring, bad, frontend, backend] = [retiring, bad, frontend, backend].map(|x| x.max(0.0));
    let sum = retiring + bad + frontend + backend;
    if sum <= 0.0 {
        return None;
    }
    let backend = backend / sum;
    let [retiring, bad, frontend] = [retiring, bad, frontend].map(|x| x / sum);
    let part = |part: Option<f64>, whole: f64| part.map(|part| part.clamp(0.0, whole));
    let metric = |role: &str| Some(readings.role(role)? / readings.role("slots")?);
    // AMD's formulas; each of two counts is of its own turn at the counters.
    let of_two = |part: &str, all: &str| {
        let all = readings.role(all).filter(|all| *all > 0.0)?;
        Some(readings.role(part)? / all)
    };
    let mispredicted = || {
        let (branches, others) = (readings.role("branch_misses")?, readings.role("restarts")?);
        (branches + others > 0.0).then(|| bad * branches / (branches + others))
    };
    // Cycles in which not one slot was filled, so that as many slots as the core is wide were lost in each.
    let latency = || Some(readings.role("empty_frontend")? / counted.cycles);
    Some(Slots {
        retiring,
        bad_speculation: bad,
        frontend,
        backend,
        memory: part(memory(readings, counted, backend), backend),
        heavy: part(
            metric("slots_heavy")
                .or_else(|| Some(retiring * of_two("ops_microcode", "ops_retired")?)),
            retiring,
        ),
        mispredicted: part(metric("slots_mispredicted").or_else(mispredicted), bad),
        latency: part(metric("slots_latency").or_else(latency), frontend),
    })
}

type Four = (f64, f64, f64, f64);

/// As the processor itself shares them out.
fn metrics(readings: &Readings<'_>) -> Option<Four> {
    let slots = readings.role("slots").filter(|slots| *slots > 0.0)?;
    let of = |role: &str| Some(readings.role(role)? / slots);
    Some((
        of("slots_retiring")?,
        of("slots_bad_speculation")?,
        of("slots_frontend")?,
        of("slots_backend")?,
    ))
}

/// From operations begun and completed, and slots that stayed empty. One of the front and the back end may be what the
/// others leave.
fn operations(run: &Run, readings: &Readings<'_>, counted: &Counted) -> Option<Four> {
    let width = run.case.get(param::WIDTH)? as f64;
    let slots = width * counted.cycles;
    let of = |role: &str| Some(readings.role(role)? / slots);
    let retired = of("ops_retired")?;
    let flush = of("flush_cycles").unwrap_or(0.0) * width;
    let begun = || {
        let recovery = of("recovery_cycles").unwrap_or(0.0) * width;
        Some((of("ops_issued")? - retired + recovery).max(0.0) + flush)
    };
    let bad = of("lost_speculation").or_else(begun)?;
    let frontend = of("lost_frontend").map(|lost| (lost - flush).max(0.0));
    let (frontend, backend) = match (frontend, of("lost_backend")) {
        (Some(frontend), Some(backend)) => (frontend, backend),
        (Some(frontend), None) => (frontend, 1.0 - retired - bad - frontend),
        (None, backend) => (1.0 - retired - bad - backend?, backend?),
    };
    Some((retired, bad, frontend, backend))
}

/// The share of slots that waited for memory.
fn memory(readings: &Readings<'_>, counted: &Counted, backend: f64) -> Option<f64> {
    let metric = || Some(readings.role("slots_memory")? / readings.role("slots")?);
    let waiting = || {
        let any = readings.role("waiting_any").filter(|any| *any > 0.0)?;
        Some(backend * readings.role("waiting_load")? / any)
    };
    let cycles = || {
        let stall = readings.role("stall_memory").or_else(|| readings.role("stall_l1_miss"))?;
        Some(stall / counted.cycles)
    };
    metric().or_else(waiting).or_else(cycles)
}
