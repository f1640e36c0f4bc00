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
use crate::words::{bytes, count};

/// Curves that have to agree.
const CURVES: usize = 2;

pub(crate) static RULE: Rule = Rule::without_cost(
    "A core has a small part of the last-level cache",
    &[Demand::Latency, Demand::Sharing],
    check,
    "only a program whose data no longer fit loses by a smaller cache",
    Some("cpulens stat -- COMMAND counts the loads that miss the last level"),
)
.noted("Only programs whose data fit the stated cache but not the available part lose.");

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let reaches = evidence.reaches()?;
    let again = "cpulens run --only load_latency --depth standard, while nothing else runs";
    if reaches.len() < CURVES {
        return Err(Reason::mended_by("one latency curve shows one moment only", again));
    }
    let left: Vec<f64> = reaches.iter().filter_map(|r| r.outside).collect();
    if left.is_empty() {
        let far = reaches.iter().all(|r| r.inside >= r.half);
        let hidden = "noise hides where the latency curves leave the cache";
        return if far { Ok(None) } else { Err(Reason::mended_by(hidden, again)) };
    }
    if left.len() < reaches.len() {
        return Err(Reason::mended_by(
            format!(
                "{} of {} leave the cache within half of its stated size, and the others do not: other programs use it at times",
                left.len(),
                count(reaches.len(), "curve")
            ),
            again,
        ));
    }
    let stated = reaches.iter().map(|r| r.stated).fold(0.0, f64::max);
    let inside = reaches.iter().map(|r| r.inside).fold(f64::INFINITY, f64::min);
    let outside = left.iter().copied().fold(0.0, f64::max);
    let (why, advice) = match evidence.hypervisor() {
        Some(name) => (
            format!("neighbours on the host use the rest, or the hypervisor ({name}) allocates only some ways to this machine"),
            "choose an instance with whole dies or a dedicated host if more cache is worth the price",
        ),
        None => (
            "some ways are reserved (resctrl, firmware), other cores fill it, or the stated size is that of several caches".into(),
            "look for partitions (mount -t resctrl resctrl /sys/fs/resctrl; cat /sys/fs/resctrl/schemata) and for other programs on the cores that share it",
        ),
    };
    Ok(Some(Finding::new(
        format!(
            "In each of {2} a working set of {0} still fits the caches of a core and one of {1} does not, although the stated last-level cache has {3}: {why}.",
            bytes(inside),
            bytes(outside),
            count(reaches.len(), "curve"),
            bytes(stated)
        ),
        format!(
            "Size blocks and batches by the measured cache and not by the stated one; {advice}."
        ),
        "cpulens run --only load_latency: not confirmed if with half of the stated size a load takes less than half of one from memory",
    )))
}
