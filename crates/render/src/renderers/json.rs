//! For programs: the report as data, versioned, every number with its unit.
mod compared;
mod database;
mod explained;
mod noise;
mod scaling_run;
mod unixbench;

use crate::document::Document;
use crate::page::hostile;
use crate::renderer::{Renderer, Settings};
use analyse::compare::Comparison;
use analyse::nearest::{Near, NearFigure};
use analyse::{
    BandwidthCurve, BandwidthScaling, Cluster, Curve, Delivered, Drift, Estimate, Held, Interval,
    Level, Loaded, LoadedFrequency, Matrix, Misprediction, Numa, Operation, Plateau, Report,
    Saturated, State, Theoretical, Verdict,
};
use record::{Machine, Unit};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Version of the document that `render` writes. A change that readers of the old one would misread raises it.
const REPORT: u32 = 1;
/// Version of the document that `info` writes.
const INFO: u32 = 1;

/// The report as data.
#[derive(Debug)]
pub struct Json;

impl Renderer for Json {
    fn title(&self) -> &'static str {
        "The report as data"
    }
    fn render(&self, report: &Report<'_>, _: &Settings, out: &mut dyn Write) -> io::Result<()> {
        let record = report.record;
        let not_measured: Vec<Value> = record
            .runs
            .iter()
            .filter(|run| !matches!(run.outcome, record::Outcome::Measured(_)))
            .map(|run| json!({ "case": run.case, "outcome": run.outcome }))
            .collect();
        let verdicts: Vec<Value> = report.verdicts.iter().map(|(id, v)| verdict(id, v)).collect();
        written(
            &json!({
                "report": REPORT,
                "schema": record.schema,
                "provenance": record.provenance,
                "machine": record.machine,
                "judgement": report.judgement,
                "estimates": report.estimates.iter().map(|e| estimate(report, e)).collect::<Vec<_>>(),
                "curves": report.curves.iter().map(curve).collect::<Vec<_>>(),
                "matrices": report.matrices.iter().map(matrix).collect::<Vec<_>>(),
                "numa": report.numa.as_ref().map(numa),
                "loaded": report.loaded.iter().map(loaded).collect::<Vec<_>>(),
                "cache_bandwidth": report.cache_bandwidth.iter().map(cache_bandwidth).collect::<Vec<_>>(),
                "bandwidth_scalings": report.bandwidth_scalings.iter().map(scaling).collect::<Vec<_>>(),
                "scaling_runs": report.scaling_runs.iter().map(scaling_run::scaling_run).collect::<Vec<_>>(),
                "databases": report.databases.iter().map(database::database).collect::<Vec<_>>(),
                "unixbench": report.unixbench.as_ref().map(|of| unixbench::unixbench(of, &report.references)),
                "noise": report.noise.as_ref().map(noise::noise),
                "zeros": report.zeros.iter().map(|z| json!({
                    "kernel": z.kernel,
                    "ratio": quantity(z.ratio, Unit::Ratio),
                    "zero": z.zero,
                    "random": z.random,
                })).collect::<Vec<_>>(),
                "operations": report.operations.iter().map(operation).collect::<Vec<_>>(),
                "mispredictions": report.mispredictions.iter().map(misprediction).collect::<Vec<_>>(),
                "loaded_frequencies": report.loaded_frequencies.iter().map(loaded_frequency).collect::<Vec<_>>(),
                "theoretical": report.theoretical.as_ref().ok().map(theoretical),
                "theoretical_unknown": report.theoretical.as_ref().err(),
                "drift": report.drift.as_ref().map(drift),
                "verdicts": verdicts,
                "not_measured": not_measured,
                "conclusions": report.conclusions,
                "nearest": report.nearest.iter().map(near).collect::<Vec<_>>(),
            }),
            out,
        )
    }
    fn info(&self, machine: &Machine, _: &Settings, out: &mut dyn Write) -> io::Result<()> {
        written(&json!({ "info": INFO, "machine": machine }), out)
    }
    fn compare(
        &self,
        comparison: &Comparison,
        _: &Settings,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        written(&compared::document(comparison), out)
    }
    fn document(&self, document: &Document, _: &Settings, out: &mut dyn Write) -> io::Result<()> {
        written(&document.value, out)
    }
}

/// The characters that drive terminals are written as escapes, as JSON allows: no reader sees another text. Those below
/// 20h are by the library, the others occur in strings only.
fn written(value: &Value, out: &mut dyn Write) -> io::Result<()> {
    let text = serde_json::to_string_pretty(value)?;
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\n' && hostile(c) {
            plain += &format!("\\u{:04x}", u32::from(c));
        } else {
            plain.push(c);
        }
    }
    writeln!(out, "{plain}")
}

fn quantity(value: f64, unit: Unit) -> Value {
    json!({ "value": value, "unit": unit })
}

fn near(of: &Near) -> Value {
    let figure = |f: &NearFigure| json!({ "what": f.what, "here": quantity(f.here, f.unit), "published": quantity(f.there, f.unit) });
    json!({
        "name": of.name,
        "apart": quantity(of.apart, Unit::Ratio),
        "figures": of.figures.iter().map(figure).collect::<Vec<_>>(),
    })
}

fn operation(of: &Operation) -> Value {
    json!({
        "op": of.op,
        "kind": of.kind,
        "per_second": quantity(of.per_second, Unit::PerSecond),
        "per_cycle": maybe(of.per_cycle, Unit::PerCycle),
        "ipc_derived": maybe(of.ipc, Unit::PerCycle),
        "flops": maybe(of.flops, Unit::PerSecond),
        "estimate": of.estimate,
    })
}

fn misprediction(of: &Misprediction) -> Value {
    json!({
        "kind": of.kind,
        "time": quantity(of.seconds, Unit::Seconds),
        "cycles": maybe(of.cycles, Unit::Cycles),
        "constant": of.constant,
        "random": of.random,
    })
}

fn loaded_frequency(of: &LoadedFrequency) -> Value {
    let held = |name: &str, h: &Held| {
        let share = quantity(h.share, Unit::Ratio);
        json!({ name: h.at, "share": share, "estimate": h.estimate })
    };
    json!({
        "class": of.class,
        "active": of.active.iter().map(|h| held("cpus", h)).collect::<Vec<_>>(),
        "seconds": of.seconds.iter().map(|h| held("second", h)).collect::<Vec<_>>(),
    })
}

fn maybe(value: Option<f64>, unit: Unit) -> Value {
    value.map_or(Value::Null, |value| quantity(value, unit))
}

fn interval(of: Option<Interval>, unit: Unit) -> Value {
    of.map_or(
        Value::Null,
        |i| json!({ "low": i.low, "high": i.high, "confidence": i.confidence, "unit": unit }),
    )
}

fn states(of: &[State], unit: Unit) -> Value {
    of.iter().map(|s| json!({ "level": quantity(s.level, unit), "count": s.count })).collect()
}

fn estimate(report: &Report<'_>, e: &Estimate) -> Value {
    let series = crate::origin::series(report, e);
    let run = report.record.runs.get(e.run);
    let mut at = Map::new();
    for (name, value) in &e.at {
        at.insert(name.clone(), json!(value));
    }
    json!({
        "probe": e.probe,
        "case": e.case,
        "params": run.map(|r| &r.case.params),
        "metric": e.metric,
        "at": at,
        "better": e.better,
        "median": quantity(e.median, e.unit),
        "interval": interval(e.interval, e.unit),
        "cv": maybe(e.cv, Unit::Ratio),
        "min": quantity(e.min, e.unit),
        "max": quantity(e.max, e.unit),
        "count": e.count,
        "marked": e.marked,
        "cycles": maybe(e.cycles, Unit::Cycles),
        "per_cycle": maybe(e.per_cycle, Unit::PerCycle),
        "states": states(&e.states, e.unit),
        "variant": e.variant,
        "buffer": series.and_then(|s| s.buffer.as_ref()),
        "steps": series.map(|s| s.steps),
        "asked": run.map(|r| &r.case.place),
        "threads": run.map(|r| &r.threads),
    })
}

fn numa(numa: &Numa) -> Value {
    let cells: Vec<Value> = numa
        .cells
        .iter()
        .map(|c| {
            let sweep: Vec<Value> = c
                .sweep
                .iter()
                .map(|(cpu, s)| json!({ "cpu": cpu, "latency": quantity(*s, Unit::Seconds) }))
                .collect();
            json!({
                "from": c.from,
                "to": c.to,
                "latency": maybe(c.latency, Unit::Seconds),
                "bandwidth": maybe(c.bandwidth, Unit::BytesPerSecond),
                "distance": c.distance,
                "latency_ratio": maybe(c.latency_ratio, Unit::Ratio),
                "bandwidth_ratio": maybe(c.bandwidth_ratio, Unit::Ratio),
                "sweep": sweep,
            })
        })
        .collect();
    let stated = numa.stated.as_ref().map(|s| {
        let triple =
            |(from, near, far): &(u32, u32, u32)| json!({ "from": from, "nearer": near, "farther": far });
        let farthest = s.farthest.map(|(from, to, stated, measured)| {
            json!({
                "from": from,
                "to": to,
                "stated_ratio": quantity(stated, Unit::Ratio),
                "measured_ratio": quantity(measured, Unit::Ratio),
            })
        });
        json!({
            "compared": s.compared,
            "contradicted": s.contradicted.iter().map(triple).collect::<Vec<_>>(),
            "farthest": farthest,
        })
    });
    let unbound = numa.unbound().map(|(mean, own)| {
        json!({ "mean": quantity(mean, Unit::Seconds), "own": quantity(own, Unit::Seconds) })
    });
    json!({ "from": numa.from, "to": numa.to, "cells": cells, "stated": stated, "unbound": unbound })
}

fn loaded(l: &Loaded) -> Value {
    let points: Vec<Value> = l
        .points
        .iter()
        .map(|p| {
            json!({
                "level": p.level,
                "injected": quantity(p.injected, Unit::BytesPerSecond),
                "latency": quantity(p.seconds, Unit::Seconds),
                "interval": interval(p.interval, Unit::Seconds),
                "estimate": p.estimate,
            })
        })
        .collect();
    json!({
        "run": l.run,
        "inject": l.inject,
        "idle": maybe(l.idle, Unit::Seconds),
        "knee": maybe(l.knee, Unit::BytesPerSecond),
        "points": points,
    })
}

fn curve(c: &Curve) -> Value {
    let points: Vec<Value> = c
        .points
        .iter()
        .map(|p| {
            json!({
                "working_set": quantity(p.bytes, Unit::Bytes),
                "latency": quantity(p.seconds, Unit::Seconds),
                "interval": interval(p.interval, Unit::Seconds),
                "cycles": maybe(p.cycles, Unit::Cycles),
                "estimate": p.estimate,
            })
        })
        .collect();
    json!({
        "pages": c.pages,
        "huge_share": maybe(c.huge_share, Unit::Ratio),
        "order": c.order,
        "points": points,
        "levels": c.levels.iter().map(level).collect::<Vec<_>>(),
        "knees": c.knees.iter().map(|k| quantity(*k, Unit::Bytes)).collect::<Vec<_>>(),
    })
}

fn level(l: &Level) -> Value {
    let plateau = |p: &Plateau| {
        json!({
            "from": quantity(p.from, Unit::Bytes),
            "to": quantity(p.to, Unit::Bytes),
            "latency": quantity(p.seconds, Unit::Seconds),
            "cycles": maybe(p.cycles, Unit::Cycles),
            "spread": quantity(p.spread, Unit::Ratio),
            "points": p.points,
        })
    };
    json!({
        "name": l.name,
        "stated": maybe(l.stated, Unit::Bytes),
        "found": l.found.as_ref().ok().map(plateau),
        "not_found": l.found.as_ref().err(),
    })
}

fn matrix(m: &Matrix) -> Value {
    let cells: Vec<Value> = m
        .cells
        .iter()
        .map(|c| {
            json!({
                "from": c.from,
                "to": c.to,
                "median": quantity(c.median, m.unit),
                "states": states(&c.states, m.unit),
                "relation": c.relation,
            })
        })
        .collect();
    let classes: Vec<Value> = m
        .classes
        .iter()
        .map(|c| {
            json!({
                "relation": c.relation,
                "pairs": c.pairs,
                "split": c.split,
                "fastest": quantity(c.fastest.median, m.unit),
                "median": quantity(c.median, m.unit),
                "slowest": quantity(c.slowest.median, m.unit),
            })
        })
        .collect();
    let cluster = |c: &Cluster| {
        json!({
            "groups": c.groups,
            "within": quantity(c.within, m.unit),
            "between": quantity(c.between, m.unit),
            "stated": c.stated,
        })
    };
    json!({
        "metric": m.metric,
        "cpus": m.cpus,
        "pairs": m.pairs,
        "classes": classes,
        "clusters": m.clusters.as_ref().ok().map(|all| all.iter().map(cluster).collect::<Vec<_>>()),
        "not_clustered": m.clusters.as_ref().err(),
        "cells": cells,
    })
}

fn cache_bandwidth(c: &BandwidthCurve) -> Value {
    let rate = |x: f64| quantity(x, Unit::BytesPerSecond);
    let points: Vec<Value> = c
        .points
        .iter()
        .map(|p| {
            json!({
                "working_set": quantity(p.bytes, Unit::Bytes),
                "bandwidth": rate(p.bytes_per_second),
                "interval": interval(p.interval, Unit::BytesPerSecond),
                "bytes_per_cycle": p.per_cycle,
                "estimate": p.estimate,
            })
        })
        .collect();
    let delivered = |d: &Delivered| {
        json!({
            "from": quantity(d.from, Unit::Bytes),
            "to": quantity(d.to, Unit::Bytes),
            "bandwidth": rate(d.bytes_per_second),
            "bytes_per_cycle": d.per_cycle,
            "best": rate(d.best),
            "points": d.points,
        })
    };
    let levels: Vec<Value> = c
        .levels
        .iter()
        .map(|l| {
            json!({
                "name": l.name,
                "stated": maybe(l.stated, Unit::Bytes),
                "found": l.found.as_ref().ok().map(delivered),
                "not_found": l.found.as_ref().err(),
            })
        })
        .collect();
    json!({ "kernel": c.kernel, "points": points, "levels": levels })
}

fn scaling(s: &BandwidthScaling) -> Value {
    let points: Vec<Value> = s
        .points
        .iter()
        .map(|p| {
            json!({
                "threads": p.threads,
                "across": p.across,
                "bandwidth": quantity(p.bytes_per_second, Unit::BytesPerSecond),
                "interval": interval(p.interval, Unit::BytesPerSecond),
                "estimate": p.estimate,
            })
        })
        .collect();
    json!({
        "kernel": s.kernel,
        "points": points,
        "node": s.node.as_ref().map(saturated),
        "all": saturated(&s.all),
    })
}

fn saturated(found: &Result<Saturated, record::Reason>) -> Value {
    match found {
        Ok(s) => json!({
            "limit": quantity(s.limit, Unit::BytesPerSecond),
            "threads": s.threads,
            "fewest": s.fewest,
            "most": s.most,
        }),
        Err(why) => json!({ "not_found": why }),
    }
}

fn theoretical(t: &Theoretical) -> Value {
    json!({
        "channels": t.channels,
        "channels_exact": t.exact,
        "transfers": quantity(t.transfers, Unit::TransfersPerSecond),
        "peak": quantity(t.peak, Unit::BytesPerSecond),
        "measured": t.measured.map(|(estimate, share)| json!({
            "estimate": estimate,
            "share": quantity(share, Unit::Ratio),
        })),
    })
}

fn drift(d: &Drift) -> Value {
    json!({
        "beats": d.beats,
        "frequency": {
            "median": quantity(d.frequency.0, Unit::Hertz),
            "percentile_5": quantity(d.frequency.1, Unit::Hertz),
            "percentile_95": quantity(d.frequency.2, Unit::Hertz),
        },
        "frequency_range": quantity(d.frequency_range, Unit::Ratio),
        "chase_range": quantity(d.chase_range, Unit::Ratio),
        "verdict": d.verdict,
    })
}

fn verdict(id: &str, v: &Verdict) -> Value {
    match v {
        Verdict::Fires { finding, read } => json!({
            "rule": id,
            "verdict": "fires",
            "claim": finding.claim,
            "advice": finding.advice,
            "confirm_with": finding.confirm_with,
            "read": read,
        }),
        Verdict::Clear { read } => json!({ "rule": id, "verdict": "clear", "read": read }),
        Verdict::CannotTell { missing } => {
            json!({ "rule": id, "verdict": "cannot_tell", "missing": missing })
        }
    }
}
