//! A test of memory used a buffer that the last-level cache serves in part.
//!
//! Up to four times the last-level cache more than a quarter of random loads may hit it, and of a stream what stays from the
//! pass before: such a figure is a mixture, and grows with the cache and not with the memory. 64 MB, as much as lmbench's usual
//! `-M 64M`, is inside the cache of many processors today. Source: the STREAM rules ("at least four times the size of all the
//! last-level caches").
use crate::cost::{Cost, Demand};
use crate::curve::MEMORY_BEYOND;
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::words::{bytes, number};
use record::Reason;

/// Probes whose figures are quoted as those of memory. `lat_mem_rd` and `load_latency` go over sizes and say which are which.
const OF_MEMORY: &[&str] = &[
    "bandwidth",
    "bandwidth_scaling",
    "data_content",
    "lmbench_stream",
    "loaded_latency",
    "numa_matrix",
    "stream",
];

/// Those whose size is part of their definition.
const BY_DEFINITION: &[&str] = &["lmbench_stream"];

pub(crate) static RULE: Rule = Rule {
    title: "A test of memory fits its cache in part",
    demands: &[Demand::Latency, Demand::Bandwidth],
    note: Some(
        "It is a doubt about figures, some of which have their size by definition, and slows no program down.",
    ),
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let sizes = evidence.footprints(OF_MEMORY)?;
    let mut small: Vec<&(String, u64, f64)> =
        sizes.iter().filter(|(.., ratio)| *ratio < MEMORY_BEYOND).collect();
    small.sort_by(|a, b| a.2.total_cmp(&b.2));
    let Some((probe, size, ratio)) = small.first() else { return Ok(None) };
    let mut names: Vec<&str> = small.iter().map(|(probe, ..)| probe.as_str()).collect();
    names.dedup();
    let defined = names.iter().all(|name| BY_DEFINITION.contains(name));
    Ok(Some(Finding {
        claim: format!(
            "Of {} the figures are not those of memory: {probe} used {}, {} times the last-level cache, and four times are needed.",
            names.join(", "),
            bytes(*size as f64),
            number(*ratio)
        ),
        advice: match defined {
            true => "Compare these figures with published ones of the same command only, and not across processors: this size is how that command is usually run. What memory gives, bandwidth and stream tell.",
            false => "Do not compare these figures with those of another processor. Free memory, so that the buffers can be larger (half of what a node has free is used at most), or raise the cgroup's limit.",
        }
        .into(),
        confirm_with: "cpulens run --only load_latency --depth standard: the curve is flat from that size on".into(),
    }))
}

fn cost(_: &Evidence<'_>) -> Result<Cost, Missing> {
    Err(Missing(Reason::new("it is a doubt about figures and slows no program down")))
}
