//! Transparent huge pages are switched off, for all programs or for this one.
//!
//! Every random access beyond the reach of the TLB then pays for a page walk, and programs that ask for huge pages
//! with `madvise` are refused without notice. `madvise` is a setting that gives them to those who ask and to nobody
//! else. Whatever the system's setting is, whoever starts a program (a container's runtime, a service's wrapper) can take them
//! from it and from all that it starts, by `prctl(PR_SET_THP_DISABLE)`; then no setting brings them back.
//! Source: Linux, Documentation/admin-guide/mm/transhuge.rst; prctl(2).
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::facts::{THP, THP_PROCESS, selected};
use crate::rule::{Finding, Rule};

pub(crate) static RULE: Rule = Rule {
    title: "Transparent huge pages are off",
    demands: &[Demand::Latency, Demand::Forks],
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let setting = evidence.text(THP).map(selected);
    // Kernels before 5.0 do not tell it of a process.
    let process = evidence.text(THP_PROCESS).ok();
    if setting == Ok("never") {
        return Ok(Some(Finding {
            claim: "Transparent huge pages are switched off, so large working sets pay for page walks.".into(),
            advice: "Give them to programs that ask: echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled.".into(),
            confirm_with: "cpulens run --only load_latency, before and after".into(),
        }));
    }
    if process == Some("disabled") {
        let system = setting
            .map_or(String::new(), |word| format!(", although the system's setting is {word}"));
        return Ok(Some(Finding {
            claim: format!(
                "Transparent huge pages are switched off for this process and all that it starts{system}: whoever started it did that (PR_SET_THP_DISABLE), and large working sets pay for page walks."
            ),
            advice: "Start the program without it: look at THP_enabled in /proc/PID/status of each of its parents (pstree -sp PID), and change the first that has 0, a wrapper or a container's runtime.".into(),
            confirm_with: "grep THP_enabled /proc/self/status, started in the same way, says 1".into(),
        }));
    }
    setting.map(|_| None)
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let share = evidence.translation().ok_or_else(Missing::translation)?;
    Cost::between(
        0.0,
        share,
        Sure::Measured,
        "From nothing, within reach of the TLB, to what translation adds to a random load from memory on base pages.",
    )
}
