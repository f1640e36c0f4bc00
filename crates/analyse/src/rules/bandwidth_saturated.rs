//! Half of a node's cores, or fewer, use up its memory's bandwidth.
//!
//! Beyond that number a program that streams gains nothing by more of them, and every load of others waits in a queue from the
//! knee on, where it costs half as much again as on an idle machine. That is as built; it is told because thread counts go by
//! cores. It is said where even the largest number that may be needed (95 %) is half of the measured cores or fewer.
//! Source: J. McCalpin, STREAM over numbers of threads; Intel MLC's loaded latencies.
use crate::bandwidth_scaling::Saturated;
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::words::{count, rate};
use record::Reason;

pub(crate) static RULE: Rule = Rule {
    title: "A few cores use up memory bandwidth",
    demands: &[Demand::Bandwidth],
    note: Some("So it was built, and programs that do not stream lose nothing."),
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let (found, cores) = few(evidence)?;
    let Some(most) = found.most.filter(|most| most * 2 <= cores) else { return Ok(None) };
    let knee = evidence.knee().map_or(String::new(), |knee| {
        format!(" From {} on a load of the others takes 1.5 times as long.", rate(knee))
    });
    Ok(Some(Finding {
        claim: format!(
            "Memory of a node is used up by {} of its {cores}: reads reach {}, and more of them bring no more.{knee}",
            count(most, "core"),
            rate(found.limit)
        ),
        advice: "Give what streams no more than so many threads of a node, spread it over the nodes, and run what computes beside it.".into(),
        confirm_with: "cpulens run --only bandwidth_scaling, while nothing else runs: twice as many threads read more".into(),
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let (found, cores) = few(evidence)?;
    Cost::between(
        0.0,
        1.0 - found.threads as f64 / cores as f64,
        Sure::Derived,
        "Of the CPU time of a program that does nothing but stream on all of them: from nothing, where it works in caches, to all cores beyond that number.",
    )
}

/// How many threads use it up, and how many cores were tried.
fn few(evidence: &Evidence<'_>) -> Result<(Saturated, usize), Missing> {
    let cores = evidence.widest("read");
    match (evidence.saturated("read"), cores) {
        (Ok(found), Some(cores)) => Ok((found, cores)),
        // Whose reads still rise with the last core has not used memory up: that is in order.
        (Err(_), Some(cores)) if cores > 1 => {
            evidence.noted(format!("reads still rise with the last of {}", count(cores, "core")));
            let limit = f64::INFINITY;
            Ok((
                Saturated { limit, threads: cores, fewest: cores, most: None, before: None },
                cores,
            ))
        }
        (Err(why), _) => Err(why),
        (_, None) => Err(Missing(Reason::mended_by(
            "reads over the number of cores of a node were not measured",
            "cpulens run --only bandwidth_scaling",
        ))),
    }
}
