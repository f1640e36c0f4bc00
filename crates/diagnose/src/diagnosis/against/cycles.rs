//! Cycles per instruction of the same workload against the cycles of a load from memory: whether memory latency can be why one
//! needs more. Correlation and no proof: what else differs is named. Source: published point-select runs on four machines.
use super::amount;
use crate::curves::Curve;
use crate::explain::{Factor, Work};
use crate::report::Report;
use crate::say;
use crate::words::number;
use record::{Between, Text};

/// Nearer to 1 than this is the same.
const SAME: f64 = 1.05;

pub(super) fn sentences(
    pairs: &[(&Work, &Work)],
    own: &Report<'_>,
    other: &Report<'_>,
) -> Vec<Text> {
    let loads = memory_cycles(own).zip(memory_cycles(other)).map(|(a, b)| a / b);
    pairs.iter().filter_map(|(a, b)| one(a, b, loads)).collect()
}

fn one(a: &Work, b: &Work, loads: Option<f64>) -> Option<Text> {
    let cpi = amount(b, Factor::Ipc)? / amount(a, Factor::Ipc)?;
    if (1.0 / SAME..=SAME).contains(&cpi) {
        return None;
    }
    let named = super::named(&a.quantity);
    let cycles = number(cpi);
    let unlike: Vec<Text> = crate::software::differing(&a.software, &b.software)
        .into_iter()
        .map(|(name, a, b)| say::differs(name, a, b))
        .collect();
    let said = match loads {
        None => say::cycles_unexplained(named, cycles),
        Some(loads) if (cpi > 1.0) == (loads > 1.0) && (loads - 1.0).abs() > SAME - 1.0 => {
            say::cycles_by_latency(named, cycles, number(loads))
        }
        Some(loads) => say::cycles_not_by_latency(named, cycles, number(loads)),
    };
    Some(match unlike.is_empty() {
        true => said,
        false => {
            let besides = say::runs_differ_too(Text::list(unlike, Between::Comma));
            Text::list([said, besides], Between::Sentences)
        }
    })
}

/// Core cycles of a random load from memory on base pages.
fn memory_cycles(report: &Report<'_>) -> Option<f64> {
    Curve::of(report, "random", record::Pages::Base)?.level("memory")?.ok()?.cycles
}
