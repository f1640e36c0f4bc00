//! Half of a node's cores, or fewer, saturate its memory bandwidth.
//!
//! Beyond that number a streaming program gains nothing from more cores. From the knee on, every load of other programs
//! waits in a queue and takes 1.5 times as long as on an idle machine. The machine is built so; the rule reports it because
//! thread counts usually follow cores. It fires where even the upper end (95 %) of the number of cores needed is half of
//! the measured cores or fewer. Source: J. McCalpin, STREAM over numbers of threads; Intel MLC's loaded latencies.
use crate::bandwidth_scalings::{RISES, Saturated};
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::rate;
use record::{Between, Text};

pub(crate) static RULE: Rule =
    Rule::new(say::SATURATED, &[Demand::Bandwidth], check, cost).noted(say::SATURATED_NOTE);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let (found, cores) = few(evidence)?;
    let Some(most) = found.most.filter(|most| most * 2 <= cores) else { return Ok(None) };
    let claim = say::saturated_claim(most, cores, rate(found.limit));
    let knee = evidence.knee().map(|knee| say::saturated_knee(rate(knee)));
    Ok(Some(Finding::new(
        Text::list([claim].into_iter().chain(knee), Between::Sentences),
        say::SATURATED_ADVICE,
        say::SATURATED_CONFIRM,
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (found, cores) = few(evidence)?;
    Cost::up_to(1.0 - found.threads as f64 / cores as f64, Confidence::Derived, say::SATURATED_COST)
}

/// The threads that saturate memory, and the number of cores that were tried.
fn few(evidence: &Evidence<'_>) -> Result<(Saturated, usize), Reason> {
    let cores = evidence.widest("read");
    match (evidence.saturated("read"), cores) {
        (Ok(found), Some(cores)) => Ok((found, cores)),
        // Whose reads still rise with the last core has not used memory up: that is in order.
        (Err(why), Some(cores)) if cores > 1 && why.why.starts_with(RISES) => {
            evidence.note(say::saturated_rise(cores));
            let limit = f64::INFINITY;
            Ok((
                Saturated { limit, threads: cores, fewest: cores, most: None, before: None },
                cores,
            ))
        }
        (Err(why), _) => Err(why),
        (_, None) => Err(Reason::mended_by(
            say::SATURATED_UNMEASURED,
            "cpulens run --only bandwidth_scaling",
        )),
    }
}
