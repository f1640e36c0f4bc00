//! The limit of a workload on all cores: idle CPUs, falling frequency, slower instructions, or none.
use super::{ScalingPoint, ScalingRun};
use crate::say;
use estimates::words::{number, percent};
use record::{Reason, Text};

/// The limit by the steps of whole cores.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Each core does nearly as much as one alone: this share of it.
    None(f64),
    /// Copies wait while their CPUs are idle: locks, I/O or sleep. The share of the CPUs' time that was used.
    Waiting {
        /// Used share of the CPUs' time.
        full: f64,
        /// Efficiency: throughput over the cores times that of one core.
        efficiency: f64,
        /// Whether more cores brought next to nothing in the end.
        flat: bool,
    },
    /// The frequency falls with the number of cores, and explains the loss: power or heat.
    Frequency {
        /// Frequency on all cores over that on one.
        ratio: f64,
        /// Efficiency: throughput over the cores times that of one core.
        efficiency: f64,
    },
    /// CPUs are busy and each instruction takes longer: memory or a cache that they share.
    Stalled {
        /// Instructions per cycle on all cores over those on one.
        ratio: f64,
        /// Efficiency: throughput over the cores times that of one core.
        efficiency: f64,
    },
    /// The server's CPUs are idle at times while its client's are full: it was not loaded enough.
    Client {
        /// Used share of the server's CPUs' time.
        full: f64,
        /// Used share of the client's.
        client: f64,
    },
    /// CPUs are busy, and without counters it cannot be determined whether they wait for memory.
    Shared {
        /// Efficiency: throughput over the cores times that of one core.
        efficiency: f64,
        /// Whether more cores brought next to nothing in the end.
        flat: bool,
    },
}

/// Efficiency from which on a workload is said to scale.
pub(crate) const SCALES: f64 = 0.9;
/// Used share of CPUs below which they are not full.
const FULL: f64 = 0.9;
/// A frequency or a rate of instructions this much lower than on one core has fallen.
const FALLEN: f64 = 0.95;
/// Growth of throughput below which half as many cores again and more brought next to nothing.
const FLAT: f64 = 1.1;
const MORE: f64 = 1.5;
/// Share of what one core alone does below which an added core brought next to nothing.
const LITTLE: f64 = 0.25;
/// Share of the machine that others may take before anything is concluded of the workload.
pub(crate) const TAKEN: f64 = 0.05;

impl Limit {
    /// The conclusion, as a sentence: of the step with most cores.
    pub fn words(&self, cores: usize) -> Text {
        match *self {
            Limit::None(efficiency) => say::limit_none(cores, percent(efficiency)),
            Limit::Waiting { full, efficiency, flat: true } => {
                say::limit_waiting_flat(cores, percent(efficiency), percent(full))
            }
            Limit::Waiting { full, efficiency, flat: false } => {
                say::limit_waiting(cores, percent(efficiency), percent(full))
            }
            Limit::Client { full, client } => say::limit_client(percent(client), percent(full)),
            Limit::Frequency { ratio, efficiency } => {
                say::limit_frequency(cores, percent(efficiency), number(ratio))
            }
            Limit::Stalled { ratio, efficiency } => {
                say::limit_stalled(cores, percent(efficiency), number(ratio))
            }
            Limit::Shared { efficiency, flat: true } => {
                say::limit_shared_flat(cores, percent(efficiency))
            }
            Limit::Shared { efficiency, flat: false } => {
                say::limit_shared(cores, percent(efficiency))
            }
        }
    }
}

/// The limit; `quota` is the CPU time per second that the cgroup allows.
pub(super) fn limit(scaling_run: &ScalingRun, quota: Option<f64>) -> Result<Limit, Reason> {
    let cores: Vec<&ScalingPoint> = scaling_run.cores().filter(|r| r.median.is_some()).collect();
    let (Some(one), Some(all)) = (cores.first(), cores.last()) else {
        return Err(Reason::new(say::NO_STEP_RESULT));
    };
    if cores.len() < 2 || one.cores != 1 {
        return Err(match scaling_run.cores().count() {
            0 | 1 if scaling_run.scaling_points.iter().any(|p| p.client_full.is_some()) => {
                Reason::mended_by(say::SERVER_ONE_CORE, say::FOUR_CORES)
            }
            0 | 1 if one.cores > 1 => {
                Reason::mended_by(say::one_point(one.cores), say::SCALE_BEGINS_WITH_ONE)
            }
            0 | 1 => Reason::mended_by(say::ONE_STEP, say::SCALE_MORE_CPUS),
            steps if steps == cores.len() => {
                Reason::mended_by(say::NOT_FROM_ONE, say::SCALE_FROM_ONE)
            }
            steps => Reason::new(say::steps_with_result(steps, cores.len())),
        });
    }
    let efficiency = all.efficiency.ok_or_else(|| Reason::new(say::ONE_CORE_NO_RESULT))?;
    // Also where it seems to scale: one core may have been disturbed more than all.
    if let Some(why) = disturbed(&[one, all]) {
        return Err(why);
    }
    if efficiency >= SCALES {
        return Ok(Limit::None(efficiency));
    }
    if let Some(quota) = quota.filter(|q| *q < all.threads as f64) {
        return Err(Reason::mended_by(
            say::quota_not_full(number(quota), all.threads),
            say::RAISE_QUOTA,
        ));
    }
    let half = cores.iter().rev().find(|r| r.cores as f64 * MORE <= all.cores as f64);
    // Whatever the two were within noise; fewer than four repeats cannot say.
    let flat = half.is_some_and(|half| {
        all.over(half).is_some_and(|(_, i)| levels_off(all, half, one, i.high))
    });
    let ratio = |of: &dyn Fn(&ScalingPoint) -> Option<f64>| Some(of(all)? / of(one)?);
    let Some(full) = all.full else {
        // Nobody printed the CPU use: what longer instructions take is known all the same.
        return match ratio(&|r| r.ipc).filter(|ipc| *ipc < FALLEN) {
            Some(ratio) => Ok(Limit::Stalled { ratio, efficiency }),
            None => Err(Reason::new(say::USE_NOT_RECORDED)),
        };
    };
    if full < FULL
        && let Some(client) = all.client_full.filter(|client| *client >= FULL)
    {
        return Ok(Limit::Client { full, client });
    }
    if full < FULL {
        // One copy that waits by itself already does so on one core.
        return Ok(Limit::Waiting { full, efficiency, flat });
    }
    match (ratio(&|r| r.frequency), ratio(&|r| r.ipc)) {
        (Some(frequency), _) if frequency < FALLEN && efficiency >= FALLEN * frequency => {
            Ok(Limit::Frequency { ratio: frequency, efficiency })
        }
        (_, Some(ipc)) if ipc < FALLEN => Ok(Limit::Stalled { ratio: ipc, efficiency }),
        (_, Some(_)) => Err(Reason::new(say::LOSS_UNEXPLAINED)),
        (_, None) => Ok(Limit::Shared { efficiency, flat }),
    }
}

/// Whether the cores after `half` surely brought next to nothing: in all, or each of them against one alone.
fn levels_off(all: &ScalingPoint, half: &ScalingPoint, one: &ScalingPoint, times: f64) -> bool {
    let added = (all.cores - half.cores) as f64;
    let each = half.median.zip(one.median).map(|(half, one)| (times - 1.0) * half / added / one);
    times < FLAT || each.is_some_and(|each| each < LITTLE)
}

/// The reason why these steps say nothing of the workload: another program took what it could have used.
pub(super) fn disturbed(scaling_points: &[&ScalingPoint]) -> Option<Reason> {
    let mut taken = scaling_points.iter().filter_map(|r| Some((r.cores, r.taken?)));
    let (cores, taken) = taken.find(|(_, taken)| *taken > TAKEN)?;
    Some(Reason::mended_by(say::others_took_meanwhile(cores, percent(taken)), say::STOP_ELSE))
}
