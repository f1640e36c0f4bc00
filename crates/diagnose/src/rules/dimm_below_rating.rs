//! Memory modules run below their rated speed.
//!
//! Usual causes: two modules on a channel, modules of different speeds, or a conservative firmware setting. The finding
//! names the cause where the CPU's model, the slot names and the modules determine it. A CPU at its own limit is no fault
//! (`memory_limited_by_cpu`). Where the CPU's limit is not known it is a note, unless a measured loss, faster modules of the
//! same machine or a speed of half of the rated one back it. Bandwidth falls with the speed. Source: SMBIOS 3.7, type 17,
//! "Speed" and "Configured Memory Speed"; the vendors' statements for each CPU model.
use crate::memory_speed::Limit;
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::words::{percent, transfers};

pub(crate) static RULE: Rule = Rule::new(
    "Memory modules run below their rating",
    &[Demand::Bandwidth, Demand::Latency],
    check,
    cost,
);

/// The limits of CPUs lie within the speeds of a generation of modules, whose fastest is twice its slowest (JEDEC JESD79-4 and -5).
const HALF: f64 = 0.5;

const UNSTATED: &str = "The limit of this CPU is not known, and nothing else shows a loss.";

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let Some(slow) = evidence.slow_modules()? else { return Ok(None) };
    if slow.replaced {
        return Ok(Some(Finding::new(
            format!(
                "The memory modules run at {}; those that replaced them ran at {} in the same machine: {} of that bandwidth is not used.",
                transfers(slow.configured),
                transfers(slow.rated),
                percent(slow.lost_share())
            ),
            format!(
                "Fit modules that run at {}, or set that speed in the firmware setup where these are rated for it.",
                transfers(slow.rated)
            ),
            "sudo dmidecode -t memory | grep -i speed",
        )));
    }
    let limit = evidence.memory_limit();
    // Then the modules are better than the machine, and nothing is wrong with it: `memory_limited_by_cpu`.
    if matches!(limit, Limit::Cpu(_)) {
        return Ok(None);
    }
    let lost = match slow.possible < slow.rated {
        true => format!(
            "The CPU allows {}: {} of that bandwidth is not used",
            transfers(slow.possible),
            percent(slow.lost_share())
        ),
        false => format!("{} of its bandwidth is not used", percent(slow.lost_share())),
    };
    let end = if slow.possible < slow.rated { ". " } else { ": " };
    let which = match slow.known {
        1 => "The only memory module whose speeds are known runs".to_owned(),
        known => {
            format!("{} of {known} memory modules run below their rating, the slowest", slow.slow)
        }
    };
    let finding = Finding::new(
        format!(
            "{which} at {} instead of {}{end}{lost}. {}",
            transfers(slow.configured),
            transfers(slow.rated),
            limit.words()
        ),
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
    Cost::up_to(
        slow.lost_share(),
        Confidence::Stated,
        "Bandwidth is proportional to transfers per second. A program that does not saturate it loses little.",
    )
}
