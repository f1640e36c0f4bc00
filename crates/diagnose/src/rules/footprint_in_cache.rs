//! A memory test used a buffer that partly fits the last-level cache.
//!
//! With a buffer below four times the last-level cache more than a quarter of random loads can hit it, and a stream hits
//! what stays from the previous pass. The result mixes cache and memory. 64 MB, lmbench's usual `-M 64M`, fits the cache of
//! many processors today. Source: the STREAM rules ("at least four times the size of all the last-level caches").
use crate::curves::MEMORY_BEYOND;
use crate::rule::{Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::{bytes, number};
use record::{ProbeId, Sort};

/// Those whose size is part of their definition.
const BY_DEFINITION: &[ProbeId] = &[ProbeId::LmbenchStream];

pub(crate) static RULE: Rule = Rule::without_cost(
    say::FOOTPRINT,
    &[Demand::Latency, Demand::Bandwidth],
    check,
    say::VALIDITY_SLOWS_NONE,
    None,
)
.noted(say::FOOTPRINT_NOTE);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let sizes = evidence.footprints()?;
    let mut small: Vec<_> = sizes.iter().filter(|f| f.over_cache < MEMORY_BEYOND).collect();
    small.order_by(|a, b| a.over_cache.total_cmp(&b.over_cache));
    let Some(least) = small.first() else { return Ok(None) };
    let mut probes: Vec<ProbeId> = small.iter().map(|f| f.run.case.probe).collect();
    probes.dedup();
    let defined = probes.iter().all(|probe| BY_DEFINITION.contains(probe));
    let names: Vec<&str> = probes.into_iter().map(ProbeId::as_str).collect();
    Ok(Some(Finding::new(
        say::footprint_claim(
            names.join(", "),
            least.run.case.probe.as_str(),
            bytes(least.bytes as f64),
            number(least.over_cache),
        ),
        match defined {
            true => say::FOOTPRINT_COMPARE_SAME,
            false => say::FOOTPRINT_COMPARE_NONE,
        },
        say::FOOTPRINT_CONFIRM,
    )))
}
