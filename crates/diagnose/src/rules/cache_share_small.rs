//! A core has less than half of the stated last-level cache.
//!
//! Programs size blocks and batches by the stated cache. Data that do not fit are read from memory each time. A guest sees
//! the cache of a whole die; its neighbours use the rest, or the host allocates a few ways to it. Without a hypervisor,
//! ways are reserved or the stated size is that of several caches. The rule fires where every latency curve (4 KiB and huge
//! pages, two access orders, at different times) leaves the cache within half of the stated size, by the ends of intervals:
//! a load then takes more than half as long as one from memory, so two in five of them miss. It is clear where every load
//! within that half takes less. Curves that disagree give no verdict, because the load of a neighbour changes. Curves measured
//! under CPU contention are excluded. Source: L. McVoy, C. Staelin, "lmbench" (1996): sizes of caches by latency over
//! working sets; Linux, Documentation/filesystems/resctrl.rst.
use crate::rule::{Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::bytes;

/// Curves that have to agree.
const CURVES: usize = 2;

pub(crate) static RULE: Rule = Rule::without_cost(
    say::SHARE,
    &[Demand::Latency, Demand::Sharing],
    check,
    say::SMALLER_CACHE,
    Some(say::SHARE_MISSES),
)
.noted(say::SHARE_NOTE);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let reaches = evidence.reaches()?;
    let again = say::SHARE_AGAIN;
    if reaches.len() < CURVES {
        return Err(Reason::mended_by(say::SHARE_MOMENT, again));
    }
    let left: Vec<f64> = reaches.iter().filter_map(|r| r.outside).collect();
    if left.is_empty() {
        let far = reaches.iter().all(|r| r.inside >= r.half);
        let hidden = say::SHARE_NOISE;
        return if far { Ok(None) } else { Err(Reason::mended_by(hidden, again)) };
    }
    if left.len() < reaches.len() {
        return Err(Reason::mended_by(say::share_some(left.len(), reaches.len()), again));
    }
    let stated = reaches.iter().map(|r| r.stated).fold(0.0, f64::max);
    let inside = reaches.iter().map(|r| r.inside).fold(f64::INFINITY, f64::min);
    let outside = left.iter().copied().fold(0.0, f64::max);
    let (why, advice) = match evidence.hypervisor() {
        Some(name) => (say::share_neighbours(name), say::SHARE_INSTANCE),
        None => (say::SHARE_RESERVED.into(), say::SHARE_LOOK),
    };
    Ok(Some(Finding::new(
        say::share_claim(reaches.len(), bytes(inside), bytes(outside), bytes(stated), why),
        say::share_advice(advice),
        say::SHARE_CONFIRM,
    )))
}
