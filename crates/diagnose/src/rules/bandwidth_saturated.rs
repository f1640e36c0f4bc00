//! Half of a node's cores, or fewer, saturate its memory bandwidth.
//!
//! Beyond that number a streaming program gains nothing from more cores. From the knee on, every load of other programs
//! waits in a queue and takes 1.5 times as long as on an idle machine. The machine is built so; the rule reports it because
//! thread counts usually follow cores. It fires where even the upper end (95 %) of the number of cores needed is half of
//! the measured cores or fewer. Source: J. McCalpin, STREAM over numbers of threads; Intel MLC's loaded latencies.
use crate::bandwidth_scalings::{RISES, Saturated};
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::words::{count, rate};

pub(crate) static RULE: Rule =
    Rule::new("A few cores saturate memory bandwidth", &[Demand::Bandwidth], check, cost)
        .noted("The machine is built so, and programs that do not stream lose nothing.");

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let (found, cores) = few(evidence)?;
    let Some(most) = found.most.filter(|most| most * 2 <= cores) else { return Ok(None) };
    let knee = evidence.knee().map_or(String::new(), |knee| {
        format!(" From {} on, loads take 1.5 times as long.", rate(knee))
    });
    Ok(Some(Finding::new(
        format!(
            "{} of the {cores} of a node {} its memory at {} of reads. More cores read no more.{knee}",
            count(most, "core"),
            if most == 1 { "saturates" } else { "saturate" },
            rate(found.limit)
        ),
        "Give a streaming program no more threads per node than that, spread it over the nodes, and run computations beside it.",
        "cpulens run --only bandwidth_scaling, while nothing else runs: not confirmed if twice as many threads read more",
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (found, cores) = few(evidence)?;
    Cost::up_to(
        1.0 - found.threads as f64 / cores as f64,
        Confidence::Derived,
        "Share of the CPU time on all cores: from nothing, for a program in the caches, to all cores beyond that number, for one that only streams.",
    )
}

/// The threads that saturate memory, and the number of cores that were tried.
fn few(evidence: &Evidence<'_>) -> Result<(Saturated, usize), Reason> {
    let cores = evidence.widest("read");
    match (evidence.saturated("read"), cores) {
        (Ok(found), Some(cores)) => Ok((found, cores)),
        // Whose reads still rise with the last core has not used memory up: that is in order.
        (Err(why), Some(cores)) if cores > 1 && why.why.starts_with(RISES) => {
            evidence.note(format!("reads still rise with the last of {}", count(cores, "core")));
            let limit = f64::INFINITY;
            Ok((
                Saturated { limit, threads: cores, fewest: cores, most: None, before: None },
                cores,
            ))
        }
        (Err(why), _) => Err(why),
        (_, None) => Err(Reason::mended_by(
            "reads over the number of cores of a node were not measured",
            "cpulens run --only bandwidth_scaling",
        )),
    }
}
