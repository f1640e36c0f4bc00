//! A busy core runs above the top frequency that the machine states.
//!
//! The stated top is then not the top: cpufreq leaves boost out, firmware or a hypervisor states another frequency, or the
//! CPU is overclocked. What is derived from the stated frequency (cycles of a latency, theoretical rates) is wrong by the
//! difference. The frequency is measured with a chain of dependent additions of one cycle each. Source: Linux
//! drivers/cpufreq/acpi-cpufreq.c, where boost is one entry of 1 MHz above the highest state.
use crate::facts;
use crate::rule::{Demand, Evidence, Finding, Reason, Rule};
use crate::words::{frequency, percent};
use record::{Metric, ProbeId};

/// The tick counter's rate and the kernel's rounding differ by less.
const ABOVE: f64 = 1.03;

pub(crate) static RULE: Rule = Rule::without_cost(
    "The core frequency is above the stated top frequency",
    &[Demand::Cycles],
    check,
    "a higher frequency costs no time",
    None,
)
.noted("Nothing is slower by it; only the stated frequency is wrong.");

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let measured = evidence.estimate(ProbeId::CoreFrequency, Metric::Frequency)?;
    let stated = evidence.number(facts::CLOCK_MAX)?;
    if stated <= 0.0 {
        return Err(Reason::new("the stated top frequency is no frequency"));
    }
    if measured.ends().0 <= ABOVE * stated {
        return Ok(None);
    }
    Ok(Some(Finding::new(
        format!(
            "One busy core runs at {}, {} above the top frequency of {} that the machine states.",
            frequency(measured.median),
            percent(measured.median / stated - 1.0),
            frequency(stated)
        ),
        "Count with the measured frequency. Look up the boost frequency in the vendor's specification of the CPU model. On a machine of your own check for overclocking in the firmware setup.",
        "sudo turbostat --show Busy%,Bzy_MHz, with one busy core, and cat /sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
    )))
}
