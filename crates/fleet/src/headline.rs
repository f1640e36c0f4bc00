//! The figures that stand for a machine: one name and one definition for each, the same in a check, a digest and a fleet.
use analyse::{Curve, Estimate, Matrix, Report};
use record::{Better, Metric, Pages, ProbeId, Unit, param};
use serde::{Deserialize, Serialize};

/// A figure that stands for a machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Headline {
    /// Its name: `memory_latency`, `read_bandwidth`, `node1.read_bandwidth`, `core_to_core.same_l3`.
    pub name: String,
    /// Unit of the numbers.
    pub unit: Unit,
    /// Which direction is good.
    pub better: Better,
    /// The median.
    pub value: f64,
    /// 95 % interval of the median, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
}

/// The figures of a record that stand for its machine, in the order in which they were measured.
pub fn headlines(report: &Report<'_>) -> Vec<Headline> {
    let mut all = frequencies(report);
    all.extend(latencies(report));
    all.extend(pairs(report));
    all.extend(bandwidths(report));
    all
}

/// The frequency of a core of each kind.
fn frequencies(report: &Report<'_>) -> Vec<Headline> {
    let of = |e: &Estimate| {
        let kind =
            report.text(e, param::KIND).map_or(String::new(), |kind| format!(".{}", word(&kind)));
        headline(format!("core_frequency{kind}"), e)
    };
    report
        .all(ProbeId::CoreFrequency, Metric::Frequency, &[(param::CHAIN, "add")])
        .map(of)
        .collect()
}

/// Of the curve on huge pages, where translation costs least; of one on base pages under names of their own.
fn latencies(report: &Report<'_>) -> Vec<Headline> {
    let curves = report.get::<Vec<Curve>>();
    let random = |pages: Pages| {
        let fits = move |c: &&Curve| {
            c.order == "random" && c.pages == pages && c.stride.is_none_or(|s| s == 64.0)
        };
        curves.iter().find(fits)
    };
    let (curve, suffix) = match (random(Pages::Thp), random(Pages::Base)) {
        (Some(curve), _) => (curve, ""),
        (None, Some(curve)) => (curve, ".base_pages"),
        (None, None) => return vec![],
    };
    let of = |level: &analyse::Level| {
        let plateau = level.found.as_ref().ok()?;
        Some(Headline {
            name: format!("{}_latency{suffix}", word(&level.name)),
            unit: Unit::Seconds,
            better: Better::Lower,
            value: plateau.seconds,
            interval: plateau.interval.map(|i| (i.low, i.high)),
        })
    };
    curve.levels.iter().filter_map(of).collect()
}

/// Round trips of a line, by what the two CPUs share.
fn pairs(report: &Report<'_>) -> Vec<Headline> {
    let by_cas = |m: &&Matrix| {
        let run = &report.record.runs[m.run];
        m.metric == Metric::RoundTrip && run.case.get(param::METHOD).is_none_or(|how| how == "cas")
    };
    let Some(matrix) = report.get::<Vec<Matrix>>().iter().find(by_cas) else { return vec![] };
    let of = |class: &analyse::Class| Headline {
        name: format!("core_to_core.{}", word(&class.relation)),
        unit: matrix.unit,
        better: Better::Lower,
        value: class.median,
        interval: None,
    };
    matrix.classes.iter().map(of).collect()
}

/// Of all CPUs together, and of each node's to its own memory.
fn bandwidths(report: &Report<'_>) -> Vec<Headline> {
    let mut all = vec![];
    for kernel in ["read", "triad"] {
        let of = |threads| {
            let at = [(param::KERNEL, kernel), (param::ONE_OR_ALL, threads)];
            // A case is done again while the CPUs move; the last attempt counts.
            report.all(ProbeId::Bandwidth, Metric::Bandwidth, &at).last().cloned()
        };
        let whole = of("all").or_else(|| of("one"));
        all.extend(whole.map(|e| headline(format!("{kernel}_bandwidth"), &e)));
    }
    let node = |e: &Estimate| report.record.runs[e.run].case.get(param::NODE);
    let mut nodes: Vec<Headline> = vec![];
    for e in report.all(ProbeId::Bandwidth, Metric::Bandwidth, &[(param::ONE_OR_ALL, "node")]) {
        let (Some(node), Some(kernel)) = (node(e), report.text(e, param::KERNEL)) else { continue };
        let name = format!("node{node}.{}_bandwidth", word(&kernel));
        nodes.retain(|h| h.name != name);
        nodes.push(headline(name, e));
    }
    all.extend(nodes);
    all
}

fn headline(name: String, e: &Estimate) -> Headline {
    Headline {
        name,
        unit: e.unit,
        better: e.better,
        value: e.median,
        interval: e.interval.map(|i| (i.low, i.high)),
    }
}

/// Words as part of a name: `SMT siblings` is `smt_siblings`.
fn word(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    text.chars().take(40).map(plain).collect()
}
