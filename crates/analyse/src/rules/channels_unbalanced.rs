//! Memory is not spread evenly over channels or sockets.
//!
//! Channels are interleaved only as far as they hold equal capacity: the rest of the memory runs on fewer channels,
//! and a socket with less memory sends its programs to the other one. Empty channels are claimed only where the names
//! of the board's slots tell which channel each is on, and only of sockets that have any memory.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::words::bytes;
use record::{Dimm, Reason};
use std::collections::{BTreeMap, BTreeSet};

/// The kernel and devices take some of a node's memory before it is counted: 10 % and more of small nodes.
const EVEN: f64 = 0.75;

pub(crate) static RULE: Rule = Rule {
    title: "Memory is spread unevenly",
    demands: &[Demand::Bandwidth, Demand::Latency],
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let sizes = |all: Vec<u64>| Some((*all.iter().min()?, *all.iter().max()?));
    let main: Vec<&Dimm> = evidence.dimms()?.iter().filter(|d| d.purpose.is_none()).collect();
    let modules = main.iter().filter(|d| d.populated).filter_map(|d| d.bytes);
    let Some((small, large)) = sizes(modules.filter(|b| *b > 0).collect()) else {
        return Err(Missing(Reason::new("firmware states the size of no memory module")));
    };
    // Nodes without CPUs (CXL, HBM) are of another size on purpose.
    let nodes = evidence.nodes()?.iter().filter(|n| !n.cpus.is_empty());
    let nodes = sizes(nodes.filter_map(|n| n.bytes).collect());
    let claim = if small != large {
        format!(
            "Memory modules have unlike sizes, from {} to {}: part of the memory is not interleaved over all channels.",
            bytes(small as f64),
            bytes(large as f64)
        )
    } else if let Some((least, most)) = nodes
        && (least as f64) < most as f64 * EVEN
    {
        format!(
            "NUMA nodes have unlike sizes, from {} to {}: they have unlike numbers of channels in use.",
            bytes(least as f64),
            bytes(most as f64)
        )
    } else if let Some((filled, all)) = channels(&main)
        && filled < all
    {
        format!(
            "Only {filled} of {all} memory channels hold a module: the others' bandwidth is missing."
        )
    } else {
        return Ok(None);
    };
    Ok(Some(Finding {
        claim,
        advice: "Fill the channels of every socket with equal modules, in the slots that the board's manual names first.".into(),
        confirm_with: "sudo dmidecode -t memory | grep -E 'Locator|Size', and numactl --hardware".into(),
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let main: Vec<&Dimm> = evidence.dimms()?.iter().filter(|d| d.purpose.is_none()).collect();
    let (filled, all) = channels(&main).filter(|(filled, all)| filled < all).ok_or_else(|| {
        Missing(Reason::mended_by(
            "how many channels each part of the memory is spread over is up to the firmware",
            "cpulens run --only bandwidth, after the change",
        ))
    })?;
    Cost::between(
        0.0,
        1.0 - filled as f64 / all as f64,
        Sure::Stated,
        "From nothing, where bandwidth is not used up, to the share of the channels that hold nothing.",
    )
}

/// Channels with a module and all channels, of the sockets that have any module.
fn channels(modules: &[&Dimm]) -> Option<(usize, usize)> {
    let socket = |channel: &str| channel.rsplit_once(' ').map(|(socket, _)| socket.to_string());
    let mut filled: BTreeMap<&str, bool> = BTreeMap::new();
    for module in modules {
        *filled.entry(module.channel.as_deref()?).or_default() |= module.populated;
    }
    let used: BTreeSet<_> =
        filled.iter().filter(|(_, has)| **has).map(|(c, _)| socket(c)).collect();
    let all = filled.keys().filter(|channel| used.contains(&socket(channel))).count();
    Some((filled.values().filter(|has| **has).count(), all))
}
