//! The processor throttles because of heat.
//!
//! Processors count thermal throttling since boot. The frequency over some seconds of full load shows whether it still
//! happens. The rule needs both: the count may be old, and a falling frequency alone may be a power limit with a time
//! window of seconds. Source: Linux, arch/x86/kernel/cpu/mce/therm_throt.c.
use crate::estimate::Estimate;
use crate::judgement::FREQUENCY_BELOW;
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::{frequency, percent};

const COUNTS: [&str; 2] = ["cpu.throttle.package", "cpu.throttle.core"];

pub(crate) static RULE: Rule = Rule::new(say::HEAT, &[Demand::Cycles], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let [package, core] = COUNTS.map(|name| evidence.number(name));
    let times = match (package, core) {
        (Err(why), Err(_)) => return Err(why),
        (a, b) => a.unwrap_or(0.0) + b.unwrap_or(0.0),
    };
    if times == 0.0 {
        return Ok(None);
    }
    let (first, last) = over_time(evidence)?;
    if last.ends().1 >= first.ends().0 * (1.0 - FREQUENCY_BELOW) {
        return Ok(None);
    }
    Ok(Some(Finding::new(
        say::heat_claim(
            format!("{:.0}", times),
            frequency(first.median),
            frequency(last.median),
            percent(1.0 - last.median / first.median),
        ),
        say::HEAT_ADVICE,
        say::HEAT_CONFIRM,
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (first, last) = over_time(evidence)?;
    Cost::up_to(1.0 - last.ends().0 / first.ends().1, Confidence::Measured, say::HEAT_COST)
}

/// The frequency of additions in the first second and in the last.
fn over_time<'a>(evidence: &Evidence<'a>) -> Result<(&'a Estimate, &'a Estimate), Reason> {
    let missing = || {
        Reason::mended_by(
            say::HEAT_UNMEASURED,
            "cpulens run --only loaded_frequency --depth standard",
        )
    };
    let loads = evidence.frequencies_under_load().map_err(|_| missing())?;
    let seconds = loads.iter().find(|l| l.seconds.len() > 1).ok_or_else(missing)?;
    let ends = seconds.seconds.first().zip(seconds.seconds.last()).ok_or_else(missing)?;
    let of = |held| evidence.held(&seconds.class, held).ok_or_else(missing);
    Ok((of(ends.0)?, of(ends.1)?))
}
