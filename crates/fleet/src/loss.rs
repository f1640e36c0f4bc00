//! What a machine lost while it was measured. Its figures do not say so, since they are what its best samples reached.
use crate::digest::Digest;
use analyse::Report;
use estimates::analyses::judgement::{self, Cause};
use record::Environment;
use serde::{Deserialize, Serialize};

/// The fact that holds the quota, a count of CPUs, or a word where there is none.
pub(crate) const QUOTA: &str = "limits.cpu_quota";

/// A loss of CPU time or of frequency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Loss {
    /// Its kind, by which losses of two runs are the same.
    pub kind: LossKind,
    /// The share that was lost; nothing where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// The same as a sentence without its full stop.
    pub why: String,
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
    /// Other programs were busy, so much that the run was not fit.
    CpuContention,
    /// The machine swapped, so much that the run was not fit.
    Swapping,
}

impl LossKind {
    /// Its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            LossKind::CpuQuota => "cpu_quota",
            LossKind::StealTime => "steal_time",
            LossKind::FrequencyBelowRated => "frequency_below_rated",
            LossKind::CpuContention => "cpu_contention",
            LossKind::Swapping => "swapping",
        }
    }
    /// Whether one run says nothing of the machine: programs come and go.
    pub(crate) fn is_of_programs(self) -> bool {
        matches!(self, LossKind::CpuContention | LossKind::Swapping)
    }
}

/// The losses of a run but for its quota, which is one of its facts.
pub(crate) fn losses(report: &Report<'_>) -> Vec<Loss> {
    let of = |warning: judgement::Warning| {
        let (kind, share) = match warning.cause {
            Cause::Steal { share } => (LossKind::StealTime, Some(share)),
            Cause::FrequencyBelowRated { measured, rated, .. } => {
                (LossKind::FrequencyBelowRated, Some(1.0 - measured / rated))
            }
            Cause::Contention { share } => (LossKind::CpuContention, Some(share)),
            Cause::Swapping { .. } => (LossKind::Swapping, None),
            _ => return None,
        };
        let counts = !kind.is_of_programs() || warning.environment == Environment::Fail;
        counts.then_some(Loss { kind, share, why: warning.why })
    };
    judgement::warnings(report).into_iter().filter_map(of).collect()
}

/// The loss by a quota below the CPUs of the machine.
pub(crate) fn by_quota(run: &Digest) -> Option<Loss> {
    let (quota, cpus) = (run.facts.get(QUOTA)?.parse::<f64>().ok()?, run.key.cpus);
    let share = Some(1.0 - quota / cpus as f64).filter(|share| (0.0..1.0).contains(share))?;
    let s = if cpus == 1 { "" } else { "s" };
    let why = format!("A quota allows {quota} CPUs' worth of time, and {cpus} CPU{s} are visible");
    Some(Loss { kind: LossKind::CpuQuota, share: Some(share), why })
}
