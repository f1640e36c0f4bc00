//! Wide vector instructions lower the frequency of all CPUs.
//!
//! On many processors AVX2 or AVX-512 instructions lower the frequency of their core, which also slows the code between
//! them. A program that does most of its work in them gains all the same. One that uses them seldom, through its C library
//! or a checksum, loses. Source: Intel Xeon specification updates ("AVX base and turbo frequencies"); V. Krasnov, "On the
//! dangers of Intel's frequency scaling" (10 % of a web server's throughput).
use crate::estimate::Estimate;
use crate::judgement::FREQUENCY_BELOW;
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::say;
use crate::words::{frequency, percent};

pub(crate) static RULE: Rule = Rule::new(say::VECTORS_TITLE, &[Demand::Cycles], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let Some((class, active, slow, scalar)) = slowest(evidence)? else { return Ok(None) };
    Ok(Some(Finding::new(
        say::vectors_claim(
            active,
            frequency(slow.median),
            &class,
            frequency(scalar.median),
            percent(1.0 - slow.median / scalar.median),
        ),
        say::VECTORS_ADVICE,
        say::VECTORS_VERIFY,
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (_, _, slow, scalar) = slowest(evidence)?.ok_or_else(no_figure)?;
    Cost::up_to(1.0 - slow.ends().0 / scalar.ends().1, Confidence::Derived, say::VECTORS_COST)
}

/// The kind whose frequency is surely below that of additions with as many CPUs at work, and how many; the slowest.
#[allow(clippy::type_complexity, reason = "one of four things is not worth a name")]
fn slowest<'a>(
    evidence: &Evidence<'a>,
) -> Result<Option<(String, u64, &'a Estimate, &'a Estimate)>, Reason> {
    let loads = evidence.frequencies_under_load()?;
    let none = || Reason::mended_by(say::VECTORS_MISSING, say::VECTORS_REMEDY);
    let scalar = loads.iter().find(|l| l.class == "scalar").ok_or_else(none)?;
    let mut any_known = false;
    let mut worst: Option<(String, u64, &Estimate, &Estimate)> = None;
    // Programs use matrix tiles for a lot of work only, and have nothing to switch off.
    for load in loads.iter().filter(|l| !["scalar", "amx", "sme"].contains(&&*l.class)) {
        let Some(held) = load.active.iter().max_by_key(|h| h.at) else { continue };
        let Some(same) = scalar.active.iter().find(|h| h.at == held.at) else { continue };
        let (Some(wide), Some(plain)) =
            (evidence.held(&load.class, held), evidence.held("scalar", same))
        else {
            continue;
        };
        any_known = true;
        let surely = wide.ends().1 < plain.ends().0 * (1.0 - FREQUENCY_BELOW);
        if surely && worst.as_ref().is_none_or(|(_, _, w, _)| wide.median < w.median) {
            worst = Some((load.class.clone(), held.at, wide, plain));
        }
    }
    if any_known { Ok(worst) } else { Err(none()) }
}
