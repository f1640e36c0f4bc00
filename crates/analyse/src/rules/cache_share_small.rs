//! A core gets less than half of the last-level cache that the machine states.
//!
//! Blocks and batches are sized by the stated cache, and those that do not fit are read from memory each time. A guest sees the
//! cache of a whole die, of which its neighbours use the rest, or of which the host gives it a few ways; without a hypervisor ways
//! are kept back, or the size is that of several caches. It is told where every curve of latency (base and huge pages, two orders, at
//! different times) has left the cache within half of the stated size, by the ends of intervals: a load takes more than half of one
//! from memory, so two in five of them miss. Curves that do not agree tell nothing: a neighbour's load moves. Curves taken
//! while others had the CPUs are left out. Source: L. McVoy, C. Staelin, "lmbench" (1996): sizes of caches by latency over working
//! sets; Linux, Documentation/filesystems/resctrl.rst.
use crate::cost::{Cost, Demand};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::words::{bytes, count};
use record::Reason;

/// Curves that have to agree.
const CURVES: usize = 2;
/// A core that surely reaches this share of it, and is not known to end before its half, has what is stated as far as can be told.
const QUARTER: f64 = 0.25;

pub(crate) static RULE: Rule = Rule {
    title: "A core gets a small part of the last-level cache",
    demands: &[Demand::Latency, Demand::Sharing],
    note: Some(
        "Only programs whose data fit the stated cache and not what there is of it lose by that.",
    ),
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let reaches = evidence.reaches()?;
    let again = "cpulens run --only load_latency --depth standard, while nothing else runs";
    if reaches.len() < CURVES {
        return Err(Missing(Reason::mended_by(
            "one curve of latency tells it of a moment only",
            again,
        )));
    }
    let left: Vec<f64> = reaches.iter().filter_map(|r| r.outside).collect();
    if left.is_empty() {
        let far = reaches.iter().all(|r| r.inside >= QUARTER * r.stated);
        let hidden = "noise hides where the curves of latency leave the cache";
        return if far { Ok(None) } else { Err(Missing(Reason::mended_by(hidden, again))) };
    }
    if left.len() < reaches.len() {
        return Err(Missing(Reason::mended_by(
            format!(
                "{} of {} leave the cache within half of its stated size, and the others do not: somebody uses it at times",
                left.len(),
                count(reaches.len(), "curve")
            ),
            again,
        )));
    }
    let stated = reaches.iter().map(|r| r.stated).fold(0.0, f64::max);
    let inside = reaches.iter().map(|r| r.inside).fold(f64::INFINITY, f64::min);
    let outside = left.iter().copied().fold(0.0, f64::max);
    let (why, advice) = match evidence.hypervisor() {
        Some(name) => (
            format!("neighbours on the host use the rest, or the hypervisor ({name}) gives this machine some of its ways only"),
            "ask for an instance with dies or a host of its own where that much more cache is worth its price",
        ),
        None => (
            "ways of it are kept back (resctrl, firmware), other cores fill it, or the stated size is that of several caches".into(),
            "look for partitions (mount -t resctrl resctrl /sys/fs/resctrl; cat /sys/fs/resctrl/schemata) and for who runs on the cores that share it",
        ),
    };
    Ok(Some(Finding {
        claim: format!(
            "A core finds up to {} in its caches and no longer {}, in each of {}, though the machine states a last-level cache of {}: {why}.",
            bytes(inside),
            bytes(outside),
            count(reaches.len(), "curve"),
            bytes(stated)
        ),
        advice: format!("Size blocks and batches by what is measured and not by what is stated; {advice}."),
        confirm_with: "cpulens run --only load_latency: with half of the stated size a load takes less than half of one from memory".into(),
    }))
}

fn cost(_: &Evidence<'_>) -> Result<Cost, Missing> {
    Err(Missing(Reason::mended_by(
        "only a program whose data then no longer fit loses by a smaller cache",
        "cpulens stat -- COMMAND: the share of its loads that miss the last level",
    )))
}
