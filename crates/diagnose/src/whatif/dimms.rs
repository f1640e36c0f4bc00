//! Memory modules at another speed: bandwidth is in proportion where memory is used up; a single load hardly changes. No CPU
//! runs memory faster than its vendor states. Sources: JESD79-3F and JESD79-4D for the fastest DDR3 and DDR4; the fastest
//! DDR5 are MRDIMMs of the second generation.
use super::{Predicted, Prediction};
use crate::evidence::Evidence;
use crate::memory_speed::Limit;
use crate::words::{count, rate, transfers};
use record::Reason;

/// The fastest modules of a kind, in transfers per second.
const FASTEST: [(&str, f64); 3] = [("DDR3", 2.133e9), ("DDR4", 3.2e9), ("DDR5", 12.8e9)];
/// Firmware rounds: 2933 and 2934 are the same speed.
const SAME: f64 = 1.01;

pub(super) fn predict(evidence: &Evidence<'_>, to: f64) -> Predicted {
    (format!("memory modules at {}", transfers(to)), found(evidence, to))
}

fn found(evidence: &Evidence<'_>, to: f64) -> Result<Prediction, Reason> {
    let (now, rated) = evidence.module_speeds()?;
    evidence.note(format!("the slowest module runs at {}", transfers(now)));
    exists(evidence, to, rated.unwrap_or(now).max(now))?;
    if (to / now).max(now / to) < SAME {
        return Ok(unchanged(now));
    }
    let most = evidence.fastest_memory().map(|most| most.max(now));
    let Some(most) = most.filter(|most| to > most * SAME) else {
        return Ok(gain(evidence, now, to, rated));
    };
    let limit = format!("CPU runs memory at {} at most", transfers(most));
    if most <= now * SAME {
        return Ok(no_gain(now, &limit));
    }
    let found = gain(evidence, now, most, rated);
    let basis = format!("{} This {limit}.", found.basis);
    Ok(Prediction { basis, held: Some(format!("this {limit}")), ..found })
}

/// Refuses a speed that no module of the machine's kind has; those that are fitted show what there is.
fn exists(evidence: &Evidence<'_>, to: f64, fitted: f64) -> Result<(), Reason> {
    let dimms = evidence.dimms().unwrap_or_default();
    let kind = dimms.iter().find_map(|d| d.kind.as_deref()).unwrap_or("DDR5");
    let known = FASTEST.iter().find(|(name, _)| *name == kind);
    let (kind, most) = known.copied().unwrap_or(FASTEST[2]);
    match to > most.max(fitted) * SAME {
        true => Err(Reason::new(format!("{kind} modules run at {} at most", transfers(most)))),
        false => Ok(()),
    }
}

/// Memory that runs at that speed.
fn unchanged(now: f64) -> Prediction {
    let nothing = format!("nothing changes: memory runs at {} now", transfers(now));
    let basis = format!("Memory runs at {} now.", transfers(now));
    Prediction { basis, held: Some(nothing), ..no_gain(now, "CPU runs memory so") }
}

/// Modules that are faster than a CPU which is at its limit.
fn no_gain(now: f64, limit: &str) -> Prediction {
    Prediction {
        times: (1.0, 1.0),
        who: "Every program.".into(),
        basis: format!("This {limit}."),
        assumes: "The CPU stays: another model may run memory faster.".into(),
        test: "sudo dmidecode -t memory | grep -i speed".into(),
        now: Some(format!("now {}", transfers(now))),
        held: Some(format!("no gain: this {limit}")),
    }
}

fn gain(evidence: &Evidence<'_>, now: f64, to: f64, rated: Option<f64>) -> Prediction {
    let ratio = to / now;
    let new = match rated.filter(|rated| to > rated * SAME) {
        Some(rated) => {
            format!("These modules are rated at {}: others are needed. ", transfers(rated))
        }
        None => String::new(),
    };
    Prediction {
        times: if ratio < 1.0 { (ratio, 1.0) } else { (1.0, ratio) },
        who: "From a program that does not use bandwidth up to one that does nothing but stream on all cores.".into(),
        basis: basis(evidence, now, to),
        assumes: format!("{new}{}", assumed(evidence, to)),
        test: "cpulens run --only bandwidth,bandwidth_scaling".into(),
        now: Some(format!("now {}", transfers(now))),
        ..Prediction::default()
    }
}

/// Where few cores use memory up, it is memory that limits; else it may be the cores.
fn basis(evidence: &Evidence<'_>, now: f64, to: f64) -> String {
    match evidence.saturated("read") {
        Ok(found) => format!(
            "Reads of a node end at {} with {}, so it is memory that is used up; transfers from {} to {}.",
            rate(found.limit),
            count(found.threads, "thread"),
            transfers(now),
            transfers(to)
        ),
        Err(_) => format!(
            "Transfers from {} to {}; that it is memory which is used up was not measured.",
            transfers(now),
            transfers(to)
        ),
    }
}

/// The assumption: several modules on a channel may allow less than one.
fn assumed(evidence: &Evidence<'_>, to: f64) -> &'static str {
    match evidence.memory_limit() {
        Limit::Load(_, at) | Limit::Firmware(_, at) if to > at * SAME => {
            "There is one module on each channel, since more of them are slower, and timings in nanoseconds stay."
        }
        _ => {
            "The memory controller runs at that speed with as many modules on a channel, and timings in nanoseconds stay."
        }
    }
}
