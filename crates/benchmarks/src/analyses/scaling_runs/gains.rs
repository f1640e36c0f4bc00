//! The gains of a workload from the next thread of a core and from pinning.
use super::{ByIpc, Gain, ScalingPoint, ScalingRun, limit};
use crate::say;
use record::{Reason, Text};

/// The ratio of `a` to `b`.
fn gain(a: &ScalingPoint, b: &ScalingPoint, step: Text, with: &str) -> Gain {
    if let Some(why) = limit::disturbed(&[a, b]) {
        return Gain { step, with: with.into(), found: Err(why), by_ipc: None };
    }
    let found = a.ratio(b).ok_or_else(|| {
        let fewest = a.rates.len().min(b.rates.len());
        Reason::mended_by(say::repeats_noise(fewest), say::MORE_REPEATS)
    });
    Gain { step, with: with.into(), found, by_ipc: ByIpc::of(a, b) }
}

/// Steps with sibling threads against the same cores without.
pub(super) fn siblings(scaling_run: &ScalingRun) -> Vec<Gain> {
    let with = scaling_run.main().filter(|r| r.threads > r.cores);
    with.filter_map(|r| {
        let alone = scaling_run.cores().find(|c| c.cores == r.cores)?;
        Some(gain(r, alone, Text::from(&r.step), &alone.step))
    })
    .collect()
}

/// The gain of unpinned copies, against one copy a CPU.
pub(super) fn unpinned(scaling_points: &[ScalingPoint]) -> Vec<Gain> {
    let free = scaling_points.iter().filter(|r| r.policy == "unpinned");
    free.filter_map(|r| {
        let pinned = scaling_points
            .iter()
            .find(|p| p.policy == "one-to-one" && (&p.step, &p.memory) == (&r.step, &r.memory))?;
        let step = match r.memory.as_str() {
            "local" => Text::from(&r.step),
            "interleave" => say::step_interleave(&r.step),
            memory => say::step_with_memory(&r.step, memory),
        };
        Some(gain(r, pinned, step, "one-to-one"))
    })
    .collect()
}
