//! Memory modules run below their rated speed.
//!
//! Usual causes: two modules on a channel, a CPU whose memory controller is slower, modules of different speeds, or a
//! conservative firmware setting. The finding names the cause where the CPU's family, the slot names and the modules
//! determine it. Bandwidth falls with the speed. Source: SMBIOS 3.7, type 17, "Speed" and "Configured Memory Speed".
use crate::cost::{Confidence, Cost, Demand};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::words::{percent, transfers};
use crate::{facts, memory_speed};
use record::Reason;

/// Firmware rounds: 2933 and 2934 are the same speed.
const SLOWER: f64 = 0.98;

pub(crate) static RULE: Rule = Rule {
    title: "Memory modules run below their rating",
    demands: &[Demand::Bandwidth, Demand::Latency],
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let dimms = evidence.dimms()?;
    let known: Vec<(f64, f64)> = dimms
        .iter()
        .filter(|d| d.populated && d.purpose.is_none())
        .filter_map(|d| Some((d.rated?, d.configured?)))
        .filter(|(rated, configured)| *rated > 0.0 && *configured > 0.0)
        .collect();
    if known.is_empty() {
        return Err(Missing(Reason::new(
            "firmware states no rated and configured speed for any module",
        )));
    }
    let ratio = |(rated, configured): &(f64, f64)| configured / rated;
    let slow: Vec<_> = known.iter().filter(|speeds| ratio(speeds) < SLOWER).collect();
    let worst = slow.iter().min_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    let Some((rated, configured)) = worst else { return Ok(None) };
    let (model, design) =
        (evidence.text(facts::CPU_MODEL).ok(), evidence.text(facts::MICROARCHITECTURE).ok());
    let limit = memory_speed::limit(dimms, model, design);
    Ok(Some(Finding {
        claim: format!(
            "{} of {} memory modules run below their rating, the slowest at {} instead of {}: {} of its bandwidth is not used. {limit}",
            slow.len(),
            known.len(),
            transfers(*configured),
            transfers(*rated),
            percent(1.0 - configured / rated)
        ),
        advice: "Look up the speed that this CPU allows with as many modules on a channel, then set it in the firmware setup.".into(),
        confirm_with: "sudo dmidecode -t memory | grep -i speed".into(),
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let known = evidence.dimms()?.iter().filter(|d| d.populated && d.purpose.is_none());
    let worst = known
        .filter_map(|d| Some(d.configured? / d.rated?))
        .reduce(f64::min)
        .ok_or_else(Missing::figure)?;
    Cost::between(
        0.0,
        1.0 - worst,
        Confidence::Stated,
        "Bandwidth is proportional to transfers per second. A program that does not saturate it loses little.",
    )
}
