//! A cpuset leaves fewer CPUs than are online.
//!
//! Programs that count the machine's CPUs (/proc/cpuinfo, sysconf) start a thread for each, and these share what the cpuset
//! leaves. Unlike a quota it pauses nobody. Source: Linux, Documentation/admin-guide/cgroup-v2.rst, "Cpuset".
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::words::count;
use record::{CpuSet, Reason};

const CPUSET: &str = "limits.cpuset";

pub(crate) static RULE: Rule = Rule {
    title: "A cpuset leaves fewer CPUs than there are",
    demands: &[Demand::Cycles],
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let Some((left, online)) = left(evidence)? else { return Ok(None) };
    Ok((left < online).then(|| Finding {
        claim: format!(
            "A cpuset leaves {} of the {} that are online: programs that start a thread for each CPU start too many.",
            left,
            count(online, "CPU")
        ),
        advice: "Widen cpuset.cpus of the cgroup (docker --cpuset-cpus), or tell programs how many threads to start (OMP_NUM_THREADS, GOMAXPROCS, worker_processes).".into(),
        confirm_with: "cat /sys/fs/cgroup/cpuset.cpus.effective, and nproc --all".into(),
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let (left, online) = left(evidence)?.ok_or_else(Missing::figure)?;
    Cost::between(
        0.0,
        1.0 - left as f64 / online as f64,
        Sure::Stated,
        "From nothing, by a program with no more threads than it leaves, to the CPUs that it takes.",
    )
}

/// CPUs that it leaves, and those online; nothing where there is none.
fn left(evidence: &Evidence<'_>) -> Result<Option<(usize, usize)>, Missing> {
    let text = evidence.text(CPUSET)?;
    if text == "unlimited" {
        return Ok(None);
    }
    let set: CpuSet = text.parse().map_err(|e| Missing(Reason::new(format!("{CPUSET}: {e}"))))?;
    Ok(Some((set.len(), evidence.online_cpus()?)))
}
