//! What a machine lost while it was measured. Its figures do not say so: they are what its best samples reached, and those on 4 KiB
//! pages have no peers.
use crate::digest::Digest;
use crate::say;
use estimates::analyses::judgement::{Cause, Warning};
use record::{Environment, Text};
use serde::{Deserialize, Serialize};

/// The fact that holds the quota, a count of CPUs, or a word where there is none.
pub(crate) const QUOTA: &str = "limits.cpu_quota";
/// The facts that hold whether the system and the process have transparent huge pages.
pub(crate) const THP: &str = "memory.thp.enabled";
pub(crate) const THP_PROCESS: &str = "memory.thp.process";

/// A loss of CPU time, of frequency, or of huge pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Loss {
    /// Its kind, by which losses of two runs are the same.
    pub kind: LossKind,
    /// The share that was lost; nothing where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// The reason as a sentence without its full stop.
    pub why: Text,
}

/// The kind of a loss. Its name is that of the rule or cause in a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LossKind {
    /// A quota of CPU time.
    CpuQuota,
    /// The hypervisor ran other guests.
    StealTime,
    /// The core ran below a frequency that the machine states.
    FrequencyBelowRated,
    /// Transparent huge pages are off.
    ThpNever,
    /// Other programs were busy, so much that the run was not fit.
    CpuContention,
    /// Fewer threads of its cores are online than of those of like machines.
    SmtOff,
    /// The machine swapped, so much that the run was not fit.
    Swapping,
}

impl LossKind {
    /// Whether one run says nothing of the machine: programs come and go.
    pub(crate) fn is_of_programs(self) -> bool {
        matches!(self, LossKind::CpuContention | LossKind::Swapping)
    }
}

/// The losses of a run by the warnings of its judgement, but for those by its settings, which are among its facts.
pub(crate) fn losses(warnings: Vec<Warning>) -> Vec<Loss> {
    let of = |warning: Warning| {
        let (kind, share) = match warning.cause {
            Cause::Steal { share } => (LossKind::StealTime, Some(share)),
            Cause::FrequencyBelowRated { measured, rated, .. } => {
                (LossKind::FrequencyBelowRated, Some(1.0 - measured / rated))
            }
            Cause::Contention { share, .. } => (LossKind::CpuContention, Some(share)),
            Cause::Swapping { .. } => (LossKind::Swapping, None),
            _ => return None,
        };
        let counts = !kind.is_of_programs() || warning.environment == Environment::Fail;
        counts.then_some(Loss { kind, share, why: warning.why })
    };
    warnings.into_iter().filter_map(of).collect()
}

/// The loss of a machine with fewer CPUs than like machines, which have as many cores.
pub(crate) fn smt_off(cpus: usize, of: usize) -> Loss {
    let why = say::smt_off(cpus, of);
    Loss { kind: LossKind::SmtOff, share: None, why }
}

/// The losses by settings: a quota below the CPUs of the machine, and no huge pages.
pub(crate) fn by_settings(run: &Digest) -> impl Iterator<Item = Loss> {
    by_quota(run).into_iter().chain(without_huge_pages(run))
}

fn by_quota(run: &Digest) -> Option<Loss> {
    let (quota, cpus) = (run.facts.get(QUOTA)?.parse::<f64>().ok()?, run.key.cpus);
    let share = Some(1.0 - quota / cpus as f64).filter(|share| (0.0..1.0).contains(share))?;
    let why = say::quota_claim(quota, cpus);
    Some(Loss { kind: LossKind::CpuQuota, share: Some(share), why })
}

fn without_huge_pages(run: &Digest) -> Option<Loss> {
    let is = |fact: &str, value: &str| run.facts.get(fact).is_some_and(|own| own == value);
    let why = if is(THP, "never") {
        say::THP_CLAIM
    } else if is(THP_PROCESS, "disabled") {
        say::THP_CLAIM_PROCESS
    } else {
        return None;
    };
    Some(Loss { kind: LossKind::ThpNever, share: None, why: why.into() })
}
