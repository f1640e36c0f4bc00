//! The gains of a workload from the next thread of a core and from pinning.
use super::{ByIpc, Gain, ScalingPoint, ScalingRun, limit};
use record::Reason;

/// The ratio of `a` to `b`.
fn gain(a: &ScalingPoint, b: &ScalingPoint, step: &str, with: &str) -> Gain {
    if let Some(why) = limit::disturbed(&[a, b]) {
        return Gain { step: step.into(), with: with.into(), found: Err(why), by_ipc: None };
    }
    let found = a.ratio(b).ok_or_else(|| {
        let fewest = a.rates.len().min(b.rates.len());
        Reason::mended_by(
            format!("{fewest} repeats cannot be distinguished from noise"),
            "--repeats 6, of which none fails",
        )
    });
    Gain { step: step.into(), with: with.into(), found, by_ipc: ByIpc::of(a, b) }
}

/// Steps with sibling threads against the same cores without.
pub(super) fn siblings(scaling_run: &ScalingRun) -> Vec<Gain> {
    let with = scaling_run.main().filter(|r| r.threads > r.cores);
    with.filter_map(|r| {
        let alone = scaling_run.cores().find(|c| c.cores == r.cores)?;
        Some(gain(r, alone, &r.step, &alone.step))
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
            "local" => r.step.clone(),
            memory => format!("{}, memory {memory}", r.step),
        };
        Some(gain(r, pinned, &step, "one-to-one"))
    })
    .collect()
}
