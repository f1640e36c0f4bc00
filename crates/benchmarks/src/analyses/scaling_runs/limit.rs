//! The limit of a workload on all cores: idle CPUs, falling frequency, slower instructions, or none.
use super::{ScalingPoint, ScalingRun};
use estimates::words::{count, number, percent};
use record::Reason;

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
    pub fn words(&self, cores: usize) -> String {
        let of = |efficiency: &f64| {
            let done = percent(*efficiency);
            format!("On {} each core does {done} of what one alone does", count(cores, "core"))
        };
        match self {
            Limit::None(efficiency) => {
                format!("{}: it scales, and nothing that they share limits it.", of(efficiency))
            }
            Limit::Waiting { full, efficiency, flat } => format!(
                "{}{}, and their CPUs are used to {} only: copies wait for each other or for I/O (locks), not for the CPU.",
                of(efficiency),
                if *flat { " and throughput is flat" } else { "" },
                percent(*full)
            ),
            Limit::Client { full, client } => format!(
                "The client used {} of its CPUs, and the server {} of its own: the client limits, and what the server can do on all its cores is unknown. More CPUs for the client (--client-cpus) would tell.",
                percent(*client),
                percent(*full)
            ),
            Limit::Frequency { ratio, efficiency } => format!(
                "{}, and the frequency is {} times that of one core: power or heat limits it.",
                of(efficiency),
                number(*ratio)
            ),
            Limit::Stalled { ratio, efficiency } => format!(
                "{}, and instructions per cycle fall to {} times those of one core: it waits for memory or a shared cache.",
                of(efficiency),
                number(*ratio)
            ),
            Limit::Shared { efficiency, flat } => format!(
                "{}{}: the CPUs are full and the frequency does not explain it. It waits for something that cores share, most often memory; instructions per cycle would tell, and could not be counted here.",
                of(efficiency),
                if *flat { " and throughput is flat" } else { "" }
            ),
        }
    }
}

/// The limit; `quota` is the CPU time per second that the cgroup allows.
pub(super) fn limit(scaling_run: &ScalingRun, quota: Option<f64>) -> Result<Limit, Reason> {
    let cores: Vec<&ScalingPoint> = scaling_run.cores().filter(|r| r.median.is_some()).collect();
    let (Some(one), Some(all)) = (cores.first(), cores.last()) else {
        return Err(Reason::new("no step has a result"));
    };
    if cores.len() < 2 || one.cores != 1 {
        return Err(match scaling_run.cores().count() {
            0 | 1 if scaling_run.scaling_points.iter().any(|p| p.client_full.is_some()) => {
                Reason::mended_by(
                    "the server has one core, and its client the others: how it scales is unknown",
                    "four cores or more (--cpus, --client-cpus)",
                )
            }
            0 | 1 if one.cores > 1 => Reason::mended_by(
                format!(
                    "only one point was measured ({}), and one core is needed beside it",
                    count(one.cores, "core")
                ),
                "cpulens scale -- COMMAND, which begins with one core",
            ),
            0 | 1 => Reason::mended_by(
                "the scaling run has one step, of one core",
                "cpulens scale -- COMMAND, with more CPUs (--cpus, cpuset)",
            ),
            steps if steps == cores.len() => Reason::mended_by(
                "the scaling run does not begin with one core",
                "cpulens scale, which begins with one",
            ),
            steps => Reason::new(format!(
                "of {steps} steps without sibling threads {} has a result",
                cores.len()
            )),
        });
    }
    let efficiency = all.efficiency.ok_or("one core has no result")?;
    // Also where it seems to scale: one core may have been disturbed more than all.
    if let Some(why) = disturbed(&[one, all]) {
        return Err(why);
    }
    if efficiency >= SCALES {
        return Ok(Limit::None(efficiency));
    }
    if let Some(quota) = quota.filter(|q| *q < all.threads as f64) {
        return Err(Reason::mended_by(
            format!(
                "a quota allows {} CPUs' worth of time, so {} cannot be full",
                number(quota),
                count(all.threads, "CPU")
            ),
            "raise the quota (cpu.max of the cgroup), or choose as many CPUs with --cpus",
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
            None => Err(Reason::new("CPU use was not recorded")),
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
        (_, Some(_)) => Err(Reason::new(
            "CPUs are full, and neither the frequency nor instructions per cycle explain the loss: copies may execute more instructions",
        )),
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
    let taken = scaling_points.iter().filter_map(|r| r.taken).find(|taken| *taken > TAKEN)?;
    Some(Reason::mended_by(
        format!(
            "other programs or the hypervisor took {} of the machine meanwhile",
            percent(taken)
        ),
        "stop what else runs, or measure at a quieter time",
    ))
}
