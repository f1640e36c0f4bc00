//! A scaling run as JSON: its steps, what siblings and pinning add, the law, and what holds it back.
use super::{interval, maybe, quantity};
use analyse::{Gain, Limit, ScalingPoint, ScalingRun};
use record::Unit;
use serde_json::{Value, json};

pub(super) fn scaling_run(l: &ScalingRun) -> Value {
    let scaling_point = |r: &ScalingPoint| {
        json!({
            "step": r.step,
            "cores": r.cores,
            "threads": r.threads,
            "copies": r.copies,
            "policy": r.policy,
            "memory": r.memory,
            "throughput": maybe(r.median, l.unit),
            "interval": interval(r.interval, l.unit),
            "repeats": r.rates.len(),
            "efficiency": maybe(r.efficiency, Unit::Ratio),
            "cpu_use": maybe(r.full, Unit::Ratio),
            "ipc": maybe(r.ipc, Unit::PerCycle),
            "frequency": maybe(r.frequency, Unit::Hertz),
            "slowest_copy": maybe(r.spread, Unit::Ratio),
            "failed": r.failed,
        })
    };
    let gain = |g: &Gain| match &g.found {
        Ok(r) => json!({
            "step": g.step,
            "with": g.with,
            "ratio": quantity(r.estimate, Unit::Ratio),
            "interval": interval(Some(r.interval), Unit::Ratio),
            "beyond_noise": r.distinguishable,
        }),
        Err(why) => json!({ "step": g.step, "with": g.with, "not_found": why }),
    };
    let law = match &l.law {
        Ok(law) => json!({
            "gamma": quantity(law.gamma, l.unit),
            "sigma": quantity(law.sigma, Unit::Ratio),
            "sigma_interval": interval(Some(law.sigma_interval), Unit::Ratio),
            "kappa": quantity(law.kappa, Unit::Ratio),
            "kappa_interval": interval(Some(law.kappa_interval), Unit::Ratio),
            "knee": law.knee.map(|(at, _)| quantity(at, Unit::Count)),
            "knee_interval": law.knee.map(|(_, i)| interval(Some(i), Unit::Count)),
            "misfit": quantity(law.misfit, Unit::Ratio),
        }),
        Err(why) => json!({ "not_found": why }),
    };
    json!({
        "workload": l.workload,
        "command": l.command,
        "steps": l.scaling_points.iter().map(scaling_point).collect::<Vec<_>>(),
        "siblings": l.siblings.iter().map(gain).collect::<Vec<_>>(),
        "unpinned": l.unpinned.iter().map(gain).collect::<Vec<_>>(),
        "law": law,
        "limit": l.limit.as_ref().ok().map(Limit::words),
        "limit_unknown": l.limit.as_ref().err(),
    })
}
