//! A cpuset allows fewer CPUs than are online.
//!
//! Programs that count the machine's CPUs (/proc/cpuinfo, sysconf) start a thread for each. These threads share the CPUs of
//! the cpuset. Unlike a quota, a cpuset does not throttle. Source: Linux, Documentation/admin-guide/cgroup-v2.rst,
//! "Cpuset".
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::say;
use crate::words::count;
use record::CpuSet;

const CPUSET: &str = "limits.cpuset";

pub(crate) static RULE: Rule = Rule::new(say::CPUSET, &[Demand::Cycles], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let Some((left, online)) = left(evidence)? else { return Ok(None) };
    Ok((left < online).then(|| {
        Finding::new(
            say::cpuset_claim(left, count(online, "CPU")),
            say::CPUSET_ADVICE,
            say::CPUSET_CONFIRM,
        )
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (left, online) = left(evidence)?.ok_or_else(no_figure)?;
    Cost::up_to(1.0 - left as f64 / online as f64, Confidence::Stated, say::CPUSET_COST)
}

/// CPUs that it leaves, and those online; nothing where there is none.
fn left(evidence: &Evidence<'_>) -> Result<Option<(usize, usize)>, Reason> {
    let text = evidence.text(CPUSET)?;
    if text == "unlimited" {
        return Ok(None);
    }
    let set: CpuSet = text.parse().map_err(|e| Reason::new(format!("{CPUSET}: {e}")))?;
    Ok(Some((set.len(), evidence.online_cpus()?)))
}
