//! Conclusions of the texts, compared with other figures.

use super::checks::warning;
use catalogue::{Measurement, Reference, SanityWarning};
use record::Value;

const PRIME: (&str, &str) = ("sysbench-cpu-prime", "elapsed");
const BC: (&str, &str) = ("bc-7pow999999", "elapsed");

/// The lines that say who suits dense computation, and who is strong at a simple one.
const DENSE: (&str, u32) = ("four-cpus", 533);
const SIMPLE: (&str, u32) = ("cpu-pk", 434);

/// Ceilings that are stated, against the most that anybody saw.
pub(super) fn ceilings(reference: &Reference, found: &mut Vec<SanityWarning>) {
    for m in reference.series("ipc-ceiling", "max_ipc_stated") {
        let seen =
            reference.series("ipc-ceiling", "max_ipc_observed").filter(|s| s.machine == m.machine);
        let (Some(most), Some(stated)) = (seen.filter_map(|s| s.value).reduce(f64::max), m.value)
        else {
            continue;
        };
        if most < stated {
            found.push(warning(
                m,
                format!(
                    "{stated} instructions a cycle are stated as the most; {most} is the most that was seen, so no program is to be measured by the first"
                ),
            ));
        }
    }
}

/// Costs that are read off two runs which differ in more than the cause that is named.
pub(super) fn two_changes(reference: &Reference, found: &mut Vec<SanityWarning>) {
    let ticks = || reference.series("irq_test-prime-sieve", "tsc_delta");
    let flag = |m: &Measurement, name: &str| match m.params.get(name) {
        Some(Value::Bool(flag)) => Some(*flag),
        _ => None,
    };
    let same = |m: &Measurement, other: &Measurement| {
        ["mode", "column_head"].iter().all(|name| m.text(name) == other.text(name))
            && m.machine == other.machine
    };
    for m in reference.series("irq_test-prime-sieve", "overhead_vs_undisturbed_speed") {
        let seen = ticks().find(|t| same(t, m));
        let base = ticks().find(|t| {
            t.machine == m.machine
                && t.text("mode") == Some("kernel")
                && flag(t, "irq_enabled") == Some(false)
        });
        let (Some(seen), Some(base)) = (seen, base) else { continue };
        let differ =
            |name: &str| flag(seen, name).zip(flag(base, name)).is_some_and(|(a, b)| a != b);
        if m.text("mode") == Some("kernel") && differ("irq_enabled") && differ("bound") {
            // The figure follows from its ticks: only what it is read as is doubtful, so no cell is marked.
            let what = format!(
                "{} is taken for the cost of interrupts; the pass without them was not bound and this one is, so place and interrupts are not distinguished",
                m.printed
            );
            found.push(SanityWarning { measurements: vec![], ..warning(m, what) });
        }
    }
}

/// A machine that is said not to suit dense computation, against who is first at one.
pub(super) fn dense(reference: &Reference, found: &mut Vec<SanityWarning>) {
    let mut all: Vec<(&Measurement, f64)> = reference
        .series(BC.0, BC.1)
        .filter(|m| m.seen() && m.integer("threads") == Some(1))
        .filter_map(|m| Some((m, m.value?)))
        .collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    let Some((first, least)) = all.first() else { return };
    let other = all.iter().find(|(m, _)| m.machine != first.machine);
    let Some((other, next)) = other.filter(|_| first.machine.starts_with("intel")) else { return };
    found.push(SanityWarning {
        machine: first.machine.clone(),
        publication: DENSE.0.into(),
        line: Some(DENSE.1),
        what: format!(
            "it is said not to suit dense computation; it computes 7^999999 first, in {least:.2} s, and {} is next, in {next:.2} s",
            other.machine
        ),
        measurements: vec![],
    });
}

/// An order of processors, where one of them stands on either side of another by its system alone.
pub(super) fn order_by_system(reference: &Reference, found: &mut Vec<SanityWarning>) {
    let alone = |m: &&Measurement| m.seen() && m.integer("threads") == Some(1);
    let all: Vec<&Measurement> = reference.series(PRIME.0, PRIME.1).filter(alone).collect();
    for a in &all {
        let other = |b: &&&Measurement| b.machine == a.machine && b.text("os") != a.text("os");
        let Some(b) = all.iter().find(other) else { continue };
        let (Some(fast), Some(slow)) = (a.value, b.value) else { continue };
        let between = all.iter().find(|m| m.value.is_some_and(|v| fast < v && v < slow));
        let (Some(m), Some(os), Some(their)) = (between, a.text("os"), b.text("os")) else {
            continue;
        };
        found.push(SanityWarning {
            machine: a.machine.clone(),
            publication: SIMPLE.0.into(),
            line: Some(SIMPLE.1),
            what: format!(
                "its core is called strong at simple computation; prime takes {fast} s under {os} and {slow} s under {their}, on either side of {} ({} s), so the order is the system's as well",
                m.machine,
                m.value.unwrap_or_default()
            ),
            measurements: vec![],
        });
    }
}

/// Times of more and more work, of which the last are out of proportion.
pub(super) fn not_in_proportion(reference: &Reference, found: &mut Vec<SanityWarning>) {
    let mut all: Vec<(&Measurement, f64, f64)> = reference
        .series("whetstone-N8", "elapsed")
        .filter_map(|m| Some((m, m.integer("amount")? as f64, m.value?)))
        .collect();
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    let per_unit = |w: &[(&Measurement, f64, f64)]| (w[1].2 - w[0].2) / (w[1].1 - w[0].1);
    let steps: Vec<f64> = all.windows(2).map(per_unit).collect();
    let mut sorted = steps.clone();
    sorted.sort_by(f64::total_cmp);
    let (Some(low), Some(high)) =
        (sorted.get(sorted.len().saturating_sub(1) / 2), sorted.get(sorted.len() / 2))
    else {
        return;
    };
    let usual = f64::midpoint(*low, *high);
    for ((m, amount, _), step) in all.iter().skip(1).zip(&steps) {
        let times = step / usual;
        if times > 2.0 {
            found.push(warning(
                m,
                format!(
                    "the step to {amount} units takes {times:.1} times as long as the others of as many, so the work gets harder and a score made of it does not go by the clock"
                ),
            ));
        }
    }
}
