//! What is lost because cores want memory at once: of bandwidth itself the rate over that of as many lone cores, of a
//! counted program the share of the machine's bandwidth that it used.
use super::Amount;
use super::seen::{Seen, medians};
use crate::say;
use crate::words;
use record::{Metric, ProbeId, Reason, Record, Unit, param};

/// Bytes of a line.
const LINE: f64 = 64.0;
/// Below this share of what memory can deliver nobody waits in a queue: loaded latency is flat there.
const FREE: f64 = 0.25;

/// Parameters that say how many take part.
const MANY: &[&str] = &["copies", "step", "thread_count", "threads"];

pub(super) fn of(seen: &Seen<'_>, all: &[Seen<'_>]) -> Result<Amount, Reason> {
    if seen.run.case.probe == ProbeId::CoreRate {
        return Ok(Amount::measured(1.0, say::FROM_REGISTERS));
    }
    let moved = [ProbeId::Bandwidth, ProbeId::Stream, ProbeId::ScalingRun];
    let moves = seen.series.unit == Unit::BytesPerSecond && moved.contains(&seen.run.case.probe);
    if moves {
        return saturation(seen, all);
    }
    let Some(program) = &seen.program else {
        return Err(Reason::new(say::FROM_NOT_COUNTED_BANDWIDTH));
    };
    let lines = program.count("fills_memory");
    let lines = lines.ok_or_else(|| Reason::new(say::FROM_LINES_NOT_COUNTED))?;
    let used = lines * LINE / program.elapsed.max(1e-9);
    let Some(most) = peak(seen.record) else {
        let read = words::rate(used);
        return Err(Reason::mended_by(
            say::from_read_unknown(read),
            "cpulens run --only bandwidth",
        ));
    };
    let share = used / most;
    let used = words::percent(share);
    if share < FREE {
        return Ok(Amount::inferred(1.0, say::from_used_of(used)));
    }
    Err(Reason::new(say::from_used_cost(used)))
}

/// Over as many lone cores.
fn saturation(seen: &Seen<'_>, all: &[Seen<'_>]) -> Result<Amount, Reason> {
    let cores = seen.cores();
    let cores = cores.ok_or_else(|| Reason::new(say::FROM_CORES_NOT_STATED))?;
    if cores < 1.5 {
        return Ok(Amount::measured(1.0, say::FROM_ONE_CORE));
    }
    let alike = |s: &&Seen<'_>| s.alone_as(seen, MANY) && s.cores().is_some_and(|n| n < 1.5);
    let alone = all.iter().find(alike);
    let alone = alone.ok_or_else(|| Reason::new(say::FROM_NO_ONE_CORE))?;
    // What sibling threads add is a factor of its own.
    let gain = super::smt::of(seen, all).map_or(1.0, |gain| gain.value);
    let share = seen.rate / (cores * gain * alone.rate);
    Ok(Amount::measured(share, say::FROM_CORES_ALONE))
}

/// The most that all cores read at once, in bytes per second.
fn peak(record: &Record) -> Option<f64> {
    let runs = record.runs.iter().filter(|r| {
        r.case.probe == ProbeId::Bandwidth
            && r.case.get(param::KERNEL) == Some("read")
            && r.case.get(param::ONE_OR_ALL) == Some("all")
    });
    stats::median(&medians(runs.filter_map(|r| r.metric(Metric::Bandwidth))))
}
