//! A busy core runs above the top frequency that the machine states.
//!
//! The stated top is then not the top: cpufreq leaves boost out, firmware or a hypervisor states another frequency, or the
//! CPU is overclocked. What is derived from the stated frequency (cycles of a latency, theoretical rates) is wrong by the
//! difference. The frequency is measured with a chain of dependent additions of one cycle each. Source: Linux
//! drivers/cpufreq/acpi-cpufreq.c, where boost is one entry of 1 MHz above the highest state.
use crate::facts;
use crate::rule::{Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::{frequency, percent};
use record::{Metric, ProbeId};

/// The tick counter's rate and the kernel's rounding differ by less.
const ABOVE: f64 = 1.03;

pub(crate) static RULE: Rule =
    Rule::without_cost(say::ABOVE, &[Demand::Cycles], check, say::ABOVE_COST, None)
        .noted(say::ABOVE_NOTE);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let measured = evidence.estimate(ProbeId::CoreFrequency, Metric::Frequency)?;
    let stated = evidence.number(facts::CLOCK_MAX)?;
    if stated <= 0.0 {
        return Err(Reason::new(say::ABOVE_NONE));
    }
    if measured.ends().0 <= ABOVE * stated {
        return Ok(None);
    }
    Ok(Some(Finding::new(
        say::above_claim(
            frequency(measured.median),
            percent(measured.median / stated - 1.0),
            frequency(stated),
        ),
        say::ABOVE_ADVICE,
        say::ABOVE_CONFIRM,
    )))
}
