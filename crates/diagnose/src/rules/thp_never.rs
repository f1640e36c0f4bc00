//! Transparent huge pages (THP) are off, for all programs or for this one.
//!
//! Every random access beyond the TLB reach then pays for a page walk, and the kernel silently ignores
//! `madvise(MADV_HUGEPAGE)`. The setting `madvise` gives THP to programs that ask, and to no others. A parent process (a
//! container runtime, a service wrapper) can also switch THP off for itself and its children by
//! `prctl(PR_SET_THP_DISABLE)`; no system setting overrides that. Source: Linux,
//! Documentation/admin-guide/mm/transhuge.rst; prctl(2).
use crate::facts::{THP, THP_PROCESS, selected};
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};

pub(crate) static RULE: Rule =
    Rule::new("Transparent huge pages are off", &[Demand::Latency, Demand::Forks], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let setting = evidence.text(THP).map(selected);
    // Kernels before 5.0 do not show it for a process.
    let process = evidence.text(THP_PROCESS).ok();
    if setting == Ok("never") {
        return Ok(Some(Finding::new(
            "Transparent huge pages (THP) are off, so large working sets pay for page walks.",
            "Give THP to programs that ask: echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled.",
            "cpulens run --only load_latency, before and after",
        )));
    }
    if process == Some("disabled") {
        let system = setting
            .map_or(String::new(), |word| format!(", although the system's setting is {word}"));
        return Ok(Some(Finding::new(
            format!(
                "Transparent huge pages (THP) are off for this process and its children{system}. A parent process did that (PR_SET_THP_DISABLE). Large working sets pay for page walks."
            ),
            "Find the first parent (pstree -sp PID) with THP_enabled: 0 in /proc/PID/status, such as a wrapper or a container runtime, and change it.",
            "grep THP_enabled /proc/self/status, started in the same way: not confirmed if it prints 1",
        )));
    }
    setting.map(|_| None)
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let share = evidence.translation()?;
    Cost::up_to(
        share,
        Confidence::Measured,
        "From nothing, within the TLB reach, to the share of page walks in a random load from memory on base pages.",
    )
}
