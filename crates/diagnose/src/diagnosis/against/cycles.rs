//! Cycles per instruction of the same workload against the cycles of a load from memory: whether memory latency can be why one
//! needs more. Correlation and no proof: what else differs is named. Source: published point-select runs on four machines.
use super::amount;
use crate::curves::Curve;
use crate::explain::{Factor, Work};
use crate::report::Report;
use crate::words::number;

/// Nearer to 1 than this is the same.
const SAME: f64 = 1.05;

pub(super) fn sentences(
    pairs: &[(&Work, &Work)],
    own: &Report<'_>,
    other: &Report<'_>,
) -> Vec<String> {
    let loads = memory_cycles(own).zip(memory_cycles(other)).map(|(a, b)| a / b);
    pairs.iter().filter_map(|(a, b)| one(a, b, loads)).collect()
}

fn one(a: &Work, b: &Work, loads: Option<f64>) -> Option<String> {
    let cpi = amount(b, Factor::Ipc)? / amount(a, Factor::Ipc)?;
    if (1.0 / SAME..=SAME).contains(&cpi) {
        return None;
    }
    let named = super::named(&a.quantity);
    let first = format!("{named} needs {} times the cycles for an instruction", number(cpi));
    let unlike: Vec<String> = crate::software::differing(&a.software, &b.software)
        .into_iter()
        .map(|(name, a, b)| format!("{name} ({a} and {b})"))
        .collect();
    let besides = match unlike.is_empty() {
        true => String::new(),
        false => {
            format!(" The runs differ in {} as well, so nothing is attributed.", unlike.join(", "))
        }
    };
    Some(match loads {
        None => format!(
            "{first}; whether memory latency is why cannot be determined without a load's time on both (cpulens run --only load_latency).{besides}"
        ),
        Some(loads) if (cpi > 1.0) == (loads > 1.0) && (loads - 1.0).abs() > SAME - 1.0 => format!(
            "{first}, and a load from memory takes {} times the cycles: memory latency can be why, and by no more than that. cpulens stat on both tells how long it waits.{besides}",
            number(loads)
        ),
        Some(loads) => format!(
            "{first}, and a load from memory {} times the cycles: memory latency does not explain it.{besides}",
            number(loads)
        ),
    })
}

/// Core cycles of a random load from memory on base pages.
fn memory_cycles(report: &Report<'_>) -> Option<f64> {
    Curve::of(report, "random", record::Pages::Base)?.level("memory")?.ok()?.cycles
}
