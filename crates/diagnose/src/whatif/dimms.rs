//! Memory modules at another speed: bandwidth is in proportion where memory is used up; a single load hardly changes. No CPU
//! runs memory faster than its vendor states. Sources: JESD79-3F and JESD79-4D for the fastest DDR3 and DDR4; the fastest
//! DDR5 are MRDIMMs of the second generation.
use super::{Predicted, Prediction};
use crate::evidence::Evidence;
use crate::memory_speed::Limit;
use crate::say;
use crate::words::{count, rate, transfers};
use record::{Between, Message, Reason, Text};

/// The fastest modules of a kind, in transfers per second.
const FASTEST: [(&str, f64); 3] = [("DDR3", 2.133e9), ("DDR4", 3.2e9), ("DDR5", 12.8e9)];
/// Firmware rounds: 2933 and 2934 are the same speed.
const SAME: f64 = 1.01;

pub(super) fn predict(evidence: &Evidence<'_>, to: f64) -> Predicted {
    (say::whatif_modules(transfers(to)), found(evidence, to))
}

fn found(evidence: &Evidence<'_>, to: f64) -> Result<Prediction, Reason> {
    let (now, rated) = evidence.module_speeds()?;
    evidence.note(say::slowest_runs(transfers(now)));
    exists(evidence, to, rated.unwrap_or(now).max(now))?;
    if (to / now).max(now / to) < SAME {
        return Ok(unchanged(now));
    }
    let most = evidence.fastest_memory().map(|most| most.max(now));
    let Some(most) = most.filter(|most| to > most * SAME) else {
        return Ok(gain(evidence, now, to, rated));
    };
    let limit = transfers(most);
    if most <= now * SAME {
        return Ok(Prediction {
            basis: say::this_cpu_at_most(&limit),
            held: Some(say::no_gain(limit)),
            ..no_gain(now)
        });
    }
    let found = gain(evidence, now, most, rated);
    let basis = Text::list([found.basis, say::this_cpu_at_most(&limit)], Between::Sentences);
    Ok(Prediction { basis, held: Some(say::held_by_cpu(limit)), ..found })
}

/// Refuses a speed that no module of the machine's kind has; those that are fitted show what there is.
fn exists(evidence: &Evidence<'_>, to: f64, fitted: f64) -> Result<(), Reason> {
    let dimms = evidence.dimms().unwrap_or_default();
    let kind = dimms.iter().find_map(|d| d.kind.as_deref()).unwrap_or("DDR5");
    let known = FASTEST.iter().find(|(name, _)| *name == kind);
    let (kind, most) = known.copied().unwrap_or(FASTEST[2]);
    match to > most.max(fitted) * SAME {
        true => Err(Reason::new(say::whatif_modules_kind_at_most(kind, transfers(most)))),
        false => Ok(()),
    }
}

/// Memory that runs at that speed.
fn unchanged(now: f64) -> Prediction {
    let nothing = say::whatif_modules_as_now(transfers(now));
    let basis = say::whatif_modules_is_now(transfers(now));
    Prediction { basis, held: Some(nothing), ..no_gain(now) }
}

/// Modules that are faster than a CPU which is at its limit.
fn no_gain(now: f64) -> Prediction {
    Prediction {
        times: (1.0, 1.0),
        who: say::WHATIF_MODULES_WHO_ALL.into(),
        assumes: say::WHATIF_MODULES_ASSUMES_CPU.into(),
        test: "sudo dmidecode -t memory | grep -i speed".into(),
        now: Some(say::now(transfers(now))),
        ..Prediction::default()
    }
}

fn gain(evidence: &Evidence<'_>, now: f64, to: f64, rated: Option<f64>) -> Prediction {
    let ratio = to / now;
    let new = rated.filter(|rated| to > rated * SAME);
    let new = new.map(|rated| say::whatif_modules_rated(transfers(rated)));
    let assumes = new.into_iter().chain([assumed(evidence, to).into()]);
    Prediction {
        times: if ratio < 1.0 { (ratio, 1.0) } else { (1.0, ratio) },
        who: say::WHATIF_WHO_DIMMS.into(),
        basis: basis(evidence, now, to),
        assumes: Text::list(assumes, Between::Sentences),
        test: "cpulens run --only bandwidth,bandwidth_scaling".into(),
        now: Some(say::now(transfers(now))),
        ..Prediction::default()
    }
}

/// Where few cores use memory up, it is memory that limits; else it may be the cores.
fn basis(evidence: &Evidence<'_>, now: f64, to: f64) -> Text {
    match evidence.saturated("read") {
        Ok(found) => say::whatif_reads_end(
            rate(found.limit),
            count(found.threads, "thread"),
            transfers(now),
            transfers(to),
        ),
        Err(_) => say::whatif_transfers(transfers(now), transfers(to)),
    }
}

/// The assumption: several modules on a channel may allow less than one.
fn assumed(evidence: &Evidence<'_>, to: f64) -> Message {
    match evidence.memory_limit() {
        Limit::Load(_, at) | Limit::Firmware(_, at) if to > at * SAME => {
            say::WHATIF_MODULES_ASSUMES_ONE_MODULE
        }
        _ => say::WHATIF_ASSUMES_DIMMS,
    }
}
