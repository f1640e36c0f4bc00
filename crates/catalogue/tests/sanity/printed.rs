//! Printed figures against the raw ones that they were made of.
use super::checks::{more, rounding, warning, warning_with};
use catalogue::{Measurement, Reference, SanityWarning};
use std::collections::BTreeMap;

/// Percentages of overhead, against the ticks they are to follow from.
pub(super) fn overheads(reference: &Reference, found: &mut Vec<SanityWarning>) {
    let ticks = || reference.series("irq_test-prime-sieve", "tsc_delta");
    let same = |m: &Measurement, mode: &str, head: &str| {
        m.text("mode") == Some(mode) && m.text("column_head") == Some(head)
    };
    // The baseline that the text names: the host's kernel thread with interrupts off.
    let host = |m: &&Measurement| !m.machine.ends_with("-vm");
    let base = ticks().filter(host).find(|m| same(m, "kernel", "NO BIND, WITHOUT IRQ"));
    let Some((base, line)) = base.and_then(|m| Some((m, m.value?))) else { return };
    for m in reference.series("irq_test-prime-sieve", "overhead_vs_undisturbed_speed") {
        let (Some(mode), Some(head), Some(value)) =
            (m.text("mode"), m.text("column_head"), m.value)
        else {
            continue;
        };
        let seen = ticks().find(|t| t.machine == m.machine && same(t, mode, head));
        let Some(seen) = seen.and_then(|t| t.value) else { continue };
        let gives = more(seen, line);
        // The host's follow to the last digit, but for what a rounded baseline does to the eighth.
        if (value - gives).abs() > rounding(&m.printed).max(3e-8) * 1.2 {
            found.push(warning(
                m,
                format!(
                    "{} is printed for {mode} mode, {head}; {seen} ticks over {} give {gives:.4} %",
                    m.printed, base.printed
                ),
            ));
        }
    }
}

/// Cells that hold no number although a number was meant.
pub(super) fn no_number(reference: &Reference, found: &mut Vec<SanityWarning>) {
    for m in reference.measurements.iter().filter(|m| m.value.is_none()) {
        if let Some(probable) = m.probable {
            found.push(warning(
                m,
                format!(
                    "'{}' is printed and is no number; {probable} was probably meant",
                    m.printed
                ),
            ));
        }
    }
}

/// The ends that the summary of STREAM states, against the runs that are printed.
pub(super) fn extremes(reference: &Reference, found: &mut Vec<SanityWarning>) {
    let ends = [
        ("min_latency", "latency", false),
        ("max_latency", "latency", true),
        ("max_copy_bandwidth", "bandwidth", true),
        ("min_copy_bandwidth", "bandwidth", false),
    ];
    for (end, metric, most) in ends {
        for m in reference.series("lmbench-stream-summary", end) {
            let runs = reference
                .series("lmbench-stream", metric)
                .filter(|r| r.machine == m.machine && r.text("kernel") == Some("copy") && r.seen());
            let further = |a: &(&Measurement, f64), b: &(&Measurement, f64)| a.1.total_cmp(&b.1);
            let valued = runs.filter_map(|r| Some((r, r.value?)));
            let seen = if most { valued.max_by(further) } else { valued.min_by(further) };
            let (Some((run, seen)), Some(stated)) = (seen, m.value) else { continue };
            if (seen - stated).abs() <= rounding(&m.printed) {
                continue;
            }
            let beyond = if most { seen > stated } else { seen < stated };
            let word = if most { "most" } else { "least" };
            found.push(warning(
                m,
                match beyond {
                    true => format!(
                        "{} {} is printed as the {word} of all runs, and the run printed in line {} has {}",
                        m.printed, m.unit, run.line, run.printed
                    ),
                    false => format!(
                        "{} {} is printed as the {word} of all runs; of those printed the {word} is {} (line {}): the run it comes from is not there",
                        m.printed, m.unit, run.printed, run.line
                    ),
                },
            ));
        }
    }
}

/// A time and a bandwidth of one row belong together: copy moves 16 bytes an element.
pub(super) fn pairs(reference: &Reference, found: &mut Vec<SanityWarning>) {
    for (time, rate) in
        [("min_latency", "max_copy_bandwidth"), ("max_latency", "min_copy_bandwidth")]
    {
        for m in reference.series("lmbench-stream-summary", time) {
            let other =
                reference.series("lmbench-stream-summary", rate).find(|r| r.machine == m.machine);
            let Some((r, rate)) = other.and_then(|r| Some((r, r.value?))) else { continue };
            let follows = 16e3 / rate;
            if m.value.is_some_and(|t| (t - follows).abs() > rounding(&m.printed) * 1.001) {
                found.push(
                    warning_with(
                        m,
                        format!(
                            "{} ns and {} MB/s do not belong together: 16 bytes at that rate take {follows:.3} ns",
                            m.printed, r.printed
                        ),
                [r]),
                );
            }
        }
    }
}

/// No cipher is slower with larger blocks by so much.
const FALL: f64 = 0.95;

/// Rates of a cipher that fall, and those without the `k` of their neighbours.
pub(super) fn falls(reference: &Reference, found: &mut Vec<SanityWarning>) {
    let all: Vec<&Measurement> =
        reference.series("openssl-speed-aes-256-ige", "throughput").collect();
    for pair in all.windows(2).filter(|p| p[0].line == p[1].line) {
        let (Some(a), Some(b)) = (pair[0].value, pair[1].value) else { continue };
        if b < a * FALL {
            found.push(warning(
                pair[1],
                format!(
                    "{} is {:.1} % less than with blocks a size smaller, which no cipher is: something disturbed it",
                    pair[1].printed,
                    -more(b, a)
                ),
            ));
        }
    }
    for m in all.iter().filter(|m| !m.printed.ends_with('k')) {
        found.push(warning(
            m,
            format!("{} lacks the k of its neighbours and is read as thousands", m.printed),
        ));
    }
}

/// Scores that rise where a part of the last-level cache is taken away.
pub(super) fn more_of_less(reference: &Reference, found: &mut Vec<SanityWarning>) {
    let mut by_test: BTreeMap<&str, Vec<(u64, f64)>> = BTreeMap::new();
    let indices =
        ["index", "index_score"].into_iter().flat_map(|i| reference.series("unixbench", i));
    for m in indices {
        if let (Some(test), Some(ways), Some(value)) =
            (m.text("test"), m.integer("l3_ways"), m.value)
        {
            by_test.entry(test).or_default().push((ways, value));
        }
    }
    for m in reference.series("unixbench", "ratio_percent") {
        let Some(pair) = m.text("test").and_then(|t| by_test.get(t)) else { continue };
        let (Some(full), Some(cut)) =
            (pair.iter().max_by_key(|p| p.0), pair.iter().min_by_key(|p| p.0))
        else {
            continue;
        };
        let gain = more(cut.1, full.1);
        // Scores of one machine scatter by this much.
        if gain > 2.0 {
            found.push(warning(
                m,
                format!(
                    "{} is printed as a reduction, and the score is {gain:.1} % higher with {} ways than with {}: the columns are swapped, or it is noise",
                    m.printed, cut.0, full.0
                ),
            ));
        }
    }
}

/// Gains of pinning whose repeats overlap.
pub(super) fn overlaps(reference: &Reference, found: &mut Vec<SanityWarning>) {
    for m in reference.series("unixbench-pinning", "gain_one_to_one_over_range") {
        let ends = |pinning: &str| -> Option<(f64, f64)> {
            let runs: Vec<f64> = reference
                .series("unixbench-pinning", "score")
                .filter(|r| r.text("test") == m.text("test") && r.text("pinning") == Some(pinning))
                .filter_map(|r| r.value)
                .collect();
            let least = runs.iter().copied().reduce(f64::min)?;
            Some((least, runs.iter().copied().reduce(f64::max)?))
        };
        if let (Some(own), Some(range)) = (ends("one-to-one"), ends("range"))
            && own.0 <= range.1
            && range.0 <= own.1
        {
            found.push(warning(
                m,
                format!(
                    "{} is printed as a gain, and the repeats overlap ({} to {}, and {} to {}): it is not separated from noise",
                    m.printed, own.0, own.1, range.0, range.1
                ),
            ));
        }
    }
}
