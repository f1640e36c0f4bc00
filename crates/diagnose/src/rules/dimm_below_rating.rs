//! Memory modules run below their rated speed.
//!
//! Usual causes: two modules on a channel, modules of different speeds, or a conservative firmware setting. The finding
//! names the cause where the CPU's model, the slot names and the modules determine it. A CPU at its own limit is no fault
//! (`memory_limited_by_cpu`). Where the CPU's limit is not known it is a note, unless a measured loss, faster modules of the
//! same machine or a speed of half of the rated one back it. Bandwidth falls with the speed. Source: SMBIOS 3.7, type 17,
//! "Speed" and "Configured Memory Speed"; the vendors' statements for each CPU model.
use crate::memory_speed::Limit;
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::say;
use crate::words::{percent, transfers};
use record::{Between, Message, Text};

pub(crate) static RULE: Rule =
    Rule::new(say::DIMM, &[Demand::Bandwidth, Demand::Latency], check, cost);

/// The limits of CPUs lie within the speeds of a generation of modules, whose fastest is twice its slowest (JEDEC JESD79-4 and -5).
const HALF: f64 = 0.5;

const UNSTATED: Message = say::DIMMS_UNSTATED;

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let Some(slow) = evidence.slow_modules()? else { return Ok(None) };
    if slow.replaced {
        return Ok(Some(Finding::new(
            say::dimm_replaced(
                transfers(slow.configured),
                transfers(slow.rated),
                percent(slow.lost_share()),
            ),
            say::dimm_fit(transfers(slow.rated)),
            "sudo dmidecode -t memory | grep -i speed",
        )));
    }
    let limit = evidence.memory_limit();
    // Then the modules are better than the machine, and nothing is wrong with it: `memory_limited_by_cpu`.
    if matches!(limit, Limit::Cpu(_)) {
        return Ok(None);
    }
    let (configured, rated) = (transfers(slow.configured), transfers(slow.rated));
    let which = match slow.known {
        1 => say::dimm_only(configured, rated),
        known => say::dimm_slowest(slow.slow, known, configured, rated),
    };
    let lost = percent(slow.lost_share());
    let claim = match slow.possible < slow.rated {
        true => say::dimm_claim_possible(which, transfers(slow.possible), lost),
        false => say::dimm_claim(which, lost),
    };
    let finding = Finding::new(
        Text::list([claim, limit.words()], Between::Sentences),
        limit.advice(),
        "sudo dmidecode -t memory | grep -i speed",
    );
    let finding = finding.acting(limit.action());
    Ok(Some(match limit {
        Limit::Unstated(_) if !slow.beside_faster && slow.configured > HALF * slow.rated => {
            finding.noted(UNSTATED)
        }
        _ => finding,
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let slow = evidence.slow_modules()?.ok_or_else(no_figure)?;
    Cost::up_to(slow.lost_share(), Confidence::Stated, say::DIMM_COST)
}
