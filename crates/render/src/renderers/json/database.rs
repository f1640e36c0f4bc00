//! A database as JSON: its points, what speaks against each, the law, and what holds it back.
use super::{interval, maybe, quantity};
use analyse::database::{Database, Point};
use record::Unit;
use serde_json::{Value, json};

pub(super) fn database(d: &Database) -> Value {
    let point = |p: &Point| {
        let latency: Vec<Value> = p
            .latency
            .iter()
            .map(|(q, s)| json!({ "quantile": q, "latency": quantity(*s, Unit::Seconds) }))
            .collect();
        let gates: Vec<Value> =
            p.gates.iter().map(|g| json!({ "gate": g.name, "found": g.found })).collect();
        json!({
            "step": p.step,
            "cores": p.cores,
            "threads": p.threads,
            "connections": p.connections,
            "placement": p.placement,
            "clients_share_cpus": p.shared,
            "throughput": maybe(p.median, Unit::PerSecond),
            "interval": interval(p.interval, Unit::PerSecond),
            "windows": p.rates.len(),
            "variation": maybe(p.cv, Unit::Ratio),
            "efficiency": maybe(p.efficiency, Unit::Ratio),
            "cpu_use": maybe(p.full, Unit::Ratio),
            "ipc": maybe(p.ipc, Unit::PerCycle),
            "ipc_user": maybe(p.ipc_user, Unit::PerCycle),
            "frequency": maybe(p.frequency, Unit::Hertz),
            "cycles_each": maybe(p.cycles, Unit::Cycles),
            "cpu_time_each": maybe(p.cpu_time, Unit::Seconds),
            "switches_each": maybe(p.switches, Unit::Count),
            "latency": latency,
            "counts": p.counts(),
            "gates": gates,
            "verdict": p.verdict.short(),
            "failed": p.failed,
        })
    };
    let law = match &d.law {
        Ok(law) => json!({
            "gamma": quantity(law.gamma, Unit::PerSecond),
            "sigma": quantity(law.sigma, Unit::Ratio),
            "kappa": quantity(law.kappa, Unit::Ratio),
            "knee": law.knee.map(|(at, _)| quantity(at, Unit::Count)),
            "misfit": quantity(law.misfit, Unit::Ratio),
        }),
        Err(why) => json!({ "not_found": why }),
    };
    json!({
        "workload": d.workload,
        "load": d.load,
        "engine": d.engine,
        "points": d.points.iter().map(point).collect::<Vec<_>>(),
        "law": law,
    })
}
