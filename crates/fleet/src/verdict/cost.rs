//! What a slow figure costs a workload: the share of its work that a program loses which waits for nothing else. A program that
//! waits for it half of its time loses about half as much (Amdahl).
use super::SlowFigure;
use crate::headline::{ACROSS, Headline, SYSTEM_CALL};
use crate::loss::Loss;
use analyse::cost::Demand;
use record::{Better, Sort};
use serde::Serialize;

/// The work that a program loses on a machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cost {
    /// The limiting resource of the program.
    pub bound_by: &'static str,
    /// The share of its work that is lost at most; zero where no figure of that kind is worse.
    pub most: f64,
    /// The figure, or the kind of loss, that says so.
    pub figure: Option<String>,
}

/// The resource that this figure describes.
pub(super) fn demand(figure: &str) -> Option<Demand> {
    let plain = figure.strip_suffix(".base_pages").unwrap_or(figure);
    let plain = plain.strip_suffix(ACROSS).unwrap_or(plain);
    // The first two caches run at the core's clock.
    match plain {
        "l1_latency" | "l2_latency" => Some(Demand::Cycles),
        _ if plain.starts_with("core_frequency") => Some(Demand::Cycles),
        SYSTEM_CALL => Some(Demand::Kernel),
        _ if plain.starts_with("core_to_core") => Some(Demand::Sharing),
        _ if plain.ends_with("_latency") => Some(Demand::Latency),
        _ if plain.ends_with("_bandwidth") => Some(Demand::Bandwidth),
        _ => None,
    }
}

/// The cost of one figure that is `worse` by a share of the good one.
pub(super) fn of(figure: &str, better: Better, worse: f64) -> Option<Cost> {
    let most = if better == Better::Lower { worse / (1.0 + worse) } else { worse };
    let bound_by = demand(figure)?.name();
    Some(Cost { bound_by, most, figure: Some(figure.into()) })
}

/// Of all that a machine was compared by, and of what it loses, the largest cost first.
pub(super) fn costs(off: &[SlowFigure], compared: &[Headline], losses: &[Loss]) -> Vec<Cost> {
    let all = Demand::ALL.into_iter().filter_map(|bound| {
        let own = || compared.iter().filter(|h| demand(&h.name) == Some(bound));
        let of = |h: &Headline| {
            let worse = off.iter().find(|o| o.name == h.name)?.worse;
            of(&h.name, h.better, worse)
        };
        own().next()?;
        let none = Cost { bound_by: bound.name(), most: 0.0, figure: None };
        let largest = own().filter_map(of).max_by(|a, b| a.most.total_cmp(&b.most));
        Some(largest.unwrap_or(none))
    });
    let mut all: Vec<Cost> = all.collect();
    // What is lost of the CPUs is lost to a program that needs their cycles.
    let bound_by = Demand::Cycles.name();
    let cycles = all.iter().find(|cost| cost.bound_by == bound_by).map_or(0.0, |cost| cost.most);
    let shares = losses.iter().filter_map(|loss| Some((loss.kind, loss.share?)));
    let lost = shares.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, share)| *share > cycles);
    if let Some((kind, most)) = lost {
        all.retain(|cost| cost.bound_by != bound_by);
        all.push(Cost { bound_by, most, figure: Some(record::stored_name(&kind)) });
    }
    all.order_by(|a, b| b.most.total_cmp(&a.most));
    all
}
