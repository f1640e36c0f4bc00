//! Memory is not spread evenly over channels or sockets.
//!
//! Channels are interleaved only as far as they hold equal capacity. The rest of the memory uses fewer channels, and the
//! programs of a socket with less memory use that of the other one. Empty channels are reported only where the slot names
//! give the channel of each module, and only for sockets that have memory.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, OrWhy, Reason, Rule};
use crate::say;
use crate::words::bytes;
use record::Dimm;
use std::collections::{BTreeMap, BTreeSet};

/// The kernel and devices take some of a node's memory before it is counted: 10 % and more of small nodes.
const EVEN: f64 = 0.75;

pub(crate) static RULE: Rule =
    Rule::new(say::CHANNELS, &[Demand::Bandwidth, Demand::Latency], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let sizes = |all: Vec<u64>| Some((*all.iter().min()?, *all.iter().max()?));
    let main: Vec<&Dimm> = evidence.dimms()?.iter().filter(|d| d.purpose.is_none()).collect();
    let modules = main.iter().filter(|d| d.populated).filter_map(|d| d.bytes);
    let Some((small, large)) = sizes(modules.filter(|b| *b > 0).collect()) else {
        return Err(Reason::new(say::CHANNELS_NO_SIZE));
    };
    // Nodes without CPUs (CXL, HBM) are of another size on purpose.
    let nodes = evidence.nodes()?.iter().filter(|n| !n.cpus.is_empty());
    let nodes = sizes(nodes.filter_map(|n| n.bytes).collect());
    let claim = if small != large {
        say::channels_modules_whole(bytes(small as f64), bytes(large as f64))
    } else if let Some((least, most)) = nodes
        && (least as f64) < most as f64 * EVEN
    {
        say::channels_nodes_whole(bytes(least as f64), bytes(most as f64))
    } else if let Some((filled, all)) = channels(&main)
        && filled < all
    {
        say::channels_only(filled, all)
    } else {
        return Ok(None);
    };
    Ok(Some(Finding::new(claim, say::CHANNELS_ADVICE, say::CHANNELS_CONFIRM)))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let main: Vec<&Dimm> = evidence.dimms()?.iter().filter(|d| d.purpose.is_none()).collect();
    let (filled, all) = channels(&main)
        .filter(|(filled, all)| filled < all)
        .or_why(say::CHANNELS_FIRMWARE, say::CHANNELS_AFTER)?;
    Cost::up_to(1.0 - filled as f64 / all as f64, Confidence::Stated, say::CHANNELS_COST)
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
