//! Causes of disturbed numbers, as data: a kind and its size, for outputs that word it themselves.
use super::Watched;
use crate::analyses::drift::Resource;

/// The cause of a warning of the environment check.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "cause", rename_all = "snake_case")]
pub enum Cause {
    /// Other programs used this share of the CPUs.
    Contention {
        /// A ratio.
        share: f64,
        /// When that was.
        watched: Watched,
    },
    /// It is unknown whether other programs were busy.
    ContentionUnknown,
    /// The hypervisor took this share of the CPU time.
    Steal {
        /// A ratio.
        share: f64,
    },
    /// Other runnable tasks.
    RunnableTasks {
        /// A count.
        tasks: f64,
    },
    /// The machine swapped.
    Swapping {
        /// Pages a second.
        pages: f64,
    },
    /// Disturbed samples, which were left out.
    DisturbedSamples {
        /// A ratio.
        share: f64,
    },
    /// A quota of CPU time below what cases used.
    Quota {
        /// A count: CPUs' worth of time.
        quota: f64,
    },
    /// A CPU set smaller than the machine.
    CpuSet {
        /// CPUs that may be used.
        usable: usize,
        /// CPUs that are online.
        online: usize,
    },
    /// The core ran below a frequency that the machine states.
    FrequencyBelowRated {
        /// Measured, in hertz.
        measured: f64,
        /// Stated, in hertz.
        rated: f64,
        /// Its name: `base` or `maximum`.
        name: &'static str,
    },
    /// The core frequency was not steady.
    FrequencyUnsteady {
        /// 5th percentile of its windows, in hertz.
        low: f64,
        /// 95th percentile, in hertz.
        high: f64,
    },
    /// The reference sample changed during the run.
    Drift {
        /// The resource that moved most.
        resource: Resource,
        /// Its range over the median, a ratio.
        range: f64,
    },
    /// CPUs were not equally fast together all through a case.
    CpusMoved {
        /// Cases in which they were not.
        moved: usize,
        /// Cases that were checked.
        checked: usize,
    },
    /// Results of other tools, whose machine nobody looked at.
    Imported {
        /// Files that were imported.
        files: usize,
    },
    /// Imported files contradict an earlier one about the machine.
    OtherMachine {
        /// Such files.
        files: usize,
    },
    /// The importer warned of what it read.
    ImportWarnings {
        /// A count.
        warnings: usize,
    },
}
