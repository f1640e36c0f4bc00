//! With all CPUs busy the frequency is below the base frequency.
//!
//! All cores keep the base frequency under a usual load within the processor's power limit. Less means a lower power limit:
//! by firmware, by the rack (RAPL, BMC), or by an energy-saving profile. Falling from the boost of one core towards the
//! base is by design and no finding. Source: Intel SDM 3B, 15.10 (RAPL); AMD PPR, "TDP and cTDP".
use crate::estimate::Estimate;
use crate::facts::CLOCK_BASE;
use crate::judgement::FREQUENCY_BELOW;
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, OrWhy, Reason, Rule};
use crate::say;
use crate::words::{frequency, percent};
use record::{Between, Text};

const LIMIT: &str = "power.limit.package-0.long_term";

pub(crate) static RULE: Rule = Rule::new(say::POWER_TITLE, &[Demand::Cycles], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let (active, all) = at_work(evidence)?;
    let base = evidence.number(CLOCK_BASE)?;
    if all.ends().1 >= base * (1.0 - FREQUENCY_BELOW) {
        return Ok(None);
    }
    let limit = evidence.number(LIMIT).ok().map(|watts| say::power_limit(format!("{watts:.0}")));
    let claim = say::power_claim(
        active,
        frequency(all.median),
        percent(1.0 - all.median / base),
        frequency(base),
    );
    Ok(Some(Finding::new(
        Text::list([claim].into_iter().chain(limit), Between::Sentences),
        say::POWER_ADVICE,
        say::POWER_VERIFY,
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (_, all) = at_work(evidence)?;
    let base = evidence.number(CLOCK_BASE)?;
    Cost::up_to(1.0 - all.ends().0 / base, Confidence::Measured, say::POWER_COST)
}

/// The frequency of additions with the most CPUs at work, and how many.
fn at_work<'a>(evidence: &Evidence<'a>) -> Result<(u64, &'a Estimate), Reason> {
    let loads = evidence.frequencies_under_load()?;
    let scalar = loads.iter().find(|l| l.class == "scalar");
    let held = scalar.and_then(|l| l.active.iter().max_by_key(|h| h.at)).filter(|h| h.at > 1);
    let found = held.and_then(|held| Some((held.at, evidence.held("scalar", held)?)));
    found.or_why(say::POWER_MISSING, say::POWER_REMEDY)
}
