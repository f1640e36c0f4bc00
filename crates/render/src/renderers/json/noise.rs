//! Noise as data: shares and their parts, pieces of work, interrupts by CPU.
use super::quantity;
use analyse::noise::{Noise, Part, Watched, Worked};
use record::Unit;
use serde_json::{Value, json};

pub(super) fn noise(noise: &Noise) -> Value {
    json!({
        "cpus": noise.cpus.iter().map(watched).collect::<Vec<_>>(),
        "works": noise.works.iter().map(worked).collect::<Vec<_>>(),
        "pressure": noise.pressure.map(|p| quantity(p, Unit::Ratio)),
        "guest": noise.guest.as_ref().map(|guest| json!({
            "accelerator": guest.accelerator,
            "cpus": guest.cpus.iter().map(watched).collect::<Vec<_>>(),
            "works": guest.works.iter().map(worked).collect::<Vec<_>>(),
        })),
        "ranked": noise.ranked,
        "irqs": noise.irqs.iter().map(|(irq, cpus)| json!({
            "irq": irq,
            "cpus": cpus.iter().map(|(cpu, rate)| json!({
                "cpu": cpu,
                "rate": quantity(*rate, Unit::PerSecond),
            })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "routes": noise.routes.iter().map(|route| json!({
            "irqs": route.irqs.to_string(),
            "may": route.may.to_string(),
            "goes": route.goes.as_ref().map(ToString::to_string),
        })).collect::<Vec<_>>(),
        "spared": noise.spared.as_ref().map(ToString::to_string),
        "mitigations": noise.mitigations.iter().map(|(name, says)| json!({
            "name": name,
            "says": says,
        })).collect::<Vec<_>>(),
    })
}

fn watched(w: &Watched) -> Value {
    json!({
        "estimate": w.estimate,
        "binding": w.binding,
        "cpu": w.cpu,
        "detours": quantity(w.per_second, Unit::PerSecond),
        "median": w.lengths.map(|l| quantity(l[0], Unit::Seconds)),
        "p99": w.lengths.map(|l| quantity(l[1], Unit::Seconds)),
        "p99_9": w.lengths.map(|l| quantity(l[2], Unit::Seconds)),
        "longest": w.longest.map(|s| quantity(s, Unit::Seconds)),
        "taken": quantity(w.share, Unit::Ratio),
        "parts": w.parts.iter().map(part).collect::<Vec<_>>(),
    })
}

fn part(p: &Part) -> Value {
    json!({
        "by": p.by.id(),
        "share": quantity(p.share, Unit::Ratio),
        "seconds": quantity(p.seconds, Unit::Seconds),
        "times": quantity(p.times, Unit::Count),
    })
}

fn worked(w: &Worked) -> Value {
    let p = &w.pieces;
    json!({
        "estimate": w.estimate,
        "binding": w.binding,
        "cpu": w.cpu,
        "quantum": w.quantum,
        "undisturbed_speed": quantity(p.floor, Unit::Seconds),
        "median": quantity(p.lengths[0], Unit::Seconds),
        "p99": quantity(p.lengths[1], Unit::Seconds),
        "p99_9": quantity(p.lengths[2], Unit::Seconds),
        "longest": quantity(p.lengths[3], Unit::Seconds),
        "disturbed": quantity(p.disturbed, Unit::Ratio),
        "overhead": quantity(p.overhead, Unit::Ratio),
        "direct": quantity(p.direct, Unit::Ratio),
        "indirect": quantity(p.indirect, Unit::Ratio),
        "floor_moves": quantity(p.shift, Unit::Ratio),
        "frequency": p.frequency.map(|f| quantity(f, Unit::Ratio)),
        "scatter": quantity(p.scatter, Unit::Ratio),
        "migrations": p.migrations,
    })
}
