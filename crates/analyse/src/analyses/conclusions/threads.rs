//! Conclusions on several cores: bandwidth, saturation, core-to-core latency.
use crate::bandwidth_scalings::{BandwidthScaling, Saturated};
use crate::curves::Curve;
use crate::estimate::{Estimate, elsewhere_of};
use crate::matrices::{Cell, Class, Matrix};
use crate::summary::figures;
use crate::words::{count, number, percent, rate, time};
use crate::{Verdicts, facts, quantity};
use estimates::report::Report;
use record::{Environment, Judgement, Metric, Pages, Sort};

/// All cores together reach less than this share of what each would alone: memory is what they wait for.
const SHARED: f64 = 0.75;
/// Cycles that a core could work in while it waits for one load from memory; beyond this, latency rules programs
/// that follow pointers. A core of four instructions a cycle loses a thousand of them.
const LONG_WAIT: f64 = 250.0;

/// Read bandwidth of one core, of all, and how many cores use it up.
pub(super) fn bandwidth(report: &Report<'_>) -> Option<String> {
    match (reads(report, "one"), reads(report, "all")) {
        (Some(one), Some(all)) => {
            let cores = report.record.runs[all.run].case.place.cpus.len();
            if let Some(modes) = modes(report) {
                let levels: Vec<String> = modes.iter().map(|level| rate(*level)).collect();
                return Some(format!(
                    "One core reads {} from memory, {} together {}: no single value.",
                    quantity::median(one),
                    count(cores, "core"),
                    levels.join(" or ")
                ));
            }
            let ratio = all.median / one.median;
            let mut said = format!(
                "One core reads {} from memory, {} together {}: {} times as much",
                quantity::median(one),
                count(cores, "core"),
                quantity::median(all),
                number(ratio)
            );
            let enough = if ratio.is_finite() { ratio.ceil().max(1.0) as usize } else { cores };
            let scaling = report.get::<Vec<BandwidthScaling>>().iter().find(|s| s.kernel == "read");
            // Where it was measured nobody need guess.
            if scaling.is_none() && enough < cores && ratio < SHARED * cores as f64 {
                said += &format!(", so {} can use it up", count(enough, "core"));
            }
            said += ".";
            said += &states(all);
            said += &elsewhere(all);
            said.extend(scaling.map(saturation));
            Some(said)
        }
        (Some(one), None) => {
            Some(format!("One core reads {} from memory.{}", quantity::median(one), states(one)))
        }
        (None, Some(all)) => Some(format!(
            "All cores together read {} from memory.{}",
            quantity::median(all),
            states(all)
        )),
        (None, None) => None,
    }
}

/// The levels at which modes and charts show the read bandwidth of all cores; nothing where they agree.
fn modes(report: &Report<'_>) -> Option<Vec<f64>> {
    let modes = figures::read_bandwidth_of_all_cores(report)?.quantity.modes;
    (modes.len() > 1).then(|| modes.iter().map(|mode| mode.level).collect())
}

/// The threads that saturate memory, of one node and of the machine.
fn saturation(scaling: &BandwidthScaling) -> String {
    let mut said = String::new();
    // Of several nodes each is used up by itself.
    let (found, what) = match &scaling.node {
        Some(node) => (node, "the memory of one node"),
        None => (&scaling.all, "memory"),
    };
    match found {
        Ok(found) => said += &format!(" {} {what}{}.", enough(found), as_far(found)),
        Err(why) => said += &format!(" {}.", quantity::capital(&why.why)),
    }
    said
}

/// `4 threads saturate`, and what else it may be.
fn enough(found: &Saturated) -> String {
    let range = match found.most {
        Some(most) if most == found.fewest => String::new(),
        Some(most) => format!(" (by the noise, between {} and {most})", found.fewest),
        None => format!(" (by the noise, {} or more)", found.fewest),
    };
    let verb = if found.threads == 1 { "saturates" } else { "saturate" };
    format!("{}{range} {verb}", count(found.threads, "thread"))
}

/// The limit, and how near the number of threads below comes to it.
fn as_far(found: &Saturated) -> String {
    match found.before {
        Some((threads, share)) => format!(
            ": with reads {} at most, of which {} get {}",
            rate(found.limit),
            count(threads, "thread"),
            percent(share)
        ),
        None => format!(": with reads {} at most", rate(found.limit)),
    }
}

fn reads<'r>(report: &'r Report<'_>, cores: &'r str) -> Option<&'r Estimate> {
    report.reads(cores).last().filter(|e| e.median > 0.0)
}

/// A second sentence where the samples lie at several levels.
fn states(e: &Estimate) -> String {
    if e.states.len() < 2 {
        return String::new();
    }
    let levels: Vec<String> = e.states.iter().map(|s| rate(s.level)).collect();
    format!(" It has {} modes, {}: no single value.", levels.len(), levels.join(" and "))
}

/// A second sentence where the CPUs were at another distance for a while.
fn elsewhere(e: &Estimate) -> String {
    elsewhere_of(&e.elsewhere, e.median, e.count).map_or(String::new(), |(level, share)| {
        let share = percent(share);
        format!(
            " In {share} of the samples the CPUs were at another distance: then {}.",
            rate(level)
        )
    })
}

/// Fastest and slowest relation between CPUs, and pairs that changed while they were looked at.
pub(super) fn core_to_core(report: &Report<'_>) -> Option<String> {
    let matrix = report.get::<Vec<Matrix>>().iter().find(|m| m.metric == Metric::RoundTrip)?;
    // A hypervisor moves virtual CPUs and goes on stating the same neighbours.
    let virtual_machine = facts::hypervisor(&report.record.machine).is_some();
    let stated = if virtual_machine { ", as stated" } else { "" };
    let mut classes: Vec<&Class> = matrix.classes.iter().collect();
    classes.order_by(|a, b| a.fastest.median.total_cmp(&b.fastest.median));
    let range = |class: &&Class| {
        let (low, high) = (time(class.fastest.median), time(class.slowest.median));
        let range = if low == high { low } else { format!("{low} to {high}") };
        format!("{range} ({}{stated})", class.relation)
    };
    let groups: Vec<String> = classes.iter().map(range).collect();
    let pairs = count(matrix.cells.len(), "pair");
    let mut said = format!(
        "A cache line goes to another CPU and back in {}, over {pairs}.",
        groups.join(", ")
    );
    let split: Vec<&Cell> = matrix.cells.iter().filter(|c| c.states.len() > 1).collect();
    if let Some(cell) = split.first() {
        let levels: Vec<String> = cell.states.iter().map(|s| time(s.level)).collect();
        let verb = if split.len() == 1 { "has" } else { "have" };
        let meanwhile = if virtual_machine {
            "the hypervisor has probably moved CPUs meanwhile"
        } else {
            "something changed meanwhile"
        };
        said += &format!(
            " {} {verb} more than one mode (CPUs {} and {}: {}), so {meanwhile} and a median of those means nothing.",
            count(split.len(), "pair"),
            cell.from,
            cell.to,
            levels.join(" and ")
        );
    }
    let moved: Vec<&Cell> = matrix.cells.iter().filter(|c| !c.elsewhere.is_empty()).collect();
    if let Some(cell) = moved.first() {
        let levels: Vec<String> = cell.elsewhere.iter().map(|s| time(s.level)).collect();
        said += &format!(
            " In other placements of the CPUs {} took longer or shorter (CPUs {} and {}: {}).",
            count(moved.len(), "pair"),
            cell.from,
            cell.to,
            levels.join(" and ")
        );
    }
    Some(said)
}

/// The first bottleneck of programs on this machine, as far as it was measured.
pub(super) fn limit(report: &Report<'_>) -> Option<String> {
    if report.get::<Judgement>().environment == Environment::Fail {
        return None;
    }
    let limits = "limits this machine most, of what was measured";
    // Time that is not given cannot be made up for by anything below.
    for (id, what) in
        [("steal_time", "the hypervisor's other guests"), ("cpu_quota", "the quota of CPU time")]
    {
        if report.get::<Verdicts>().fires(id) {
            return Some(format!("What {limits}, is {what}."));
        }
    }
    if let (Some(one), Some(all)) = (reads(report, "one"), reads(report, "all")) {
        let cores = report.record.runs[all.run].case.place.cpus.len();
        let levels = modes(report).unwrap_or_else(|| vec![all.median]);
        let shares = || levels.iter().map(|level| level / one.median / cores as f64);
        // What one of the modes refutes is not said.
        if cores > 1 && shares().all(|share| share < SHARED) {
            let shares: Vec<String> = shares().map(percent).collect();
            return Some(format!(
                "What {limits}, is memory bandwidth: with {cores} cores reading, each gets {} of what it gets alone.",
                shares.join(" or ")
            ));
        }
    }
    let cycles = Curve::of(report, "random", Pages::Base)?.plateau("memory")?.cycles?;
    (cycles > LONG_WAIT).then(|| {
        format!(
            "What {limits}, is memory latency: a core waits {} cycles for each load that misses all caches.",
            number(cycles)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Reason;

    #[test]
    fn what_saturates_is_said_with_its_noise_or_why_it_is_not_known() {
        let found = Saturated {
            limit: 180e9,
            threads: 6,
            fewest: 6,
            most: Some(6),
            before: Some((4, 0.88)),
        };
        let of = |node, all| {
            saturation(&BandwidthScaling {
                run: 0,
                kernel: "read".into(),
                points: vec![],
                node,
                all,
            })
        };
        assert_eq!(
            of(None, Ok(found)),
            " 6 threads saturate memory: with reads 180 GB/s at most, of which 4 threads get 88 %."
        );
        let unsure = Saturated { fewest: 4, most: Some(8), before: None, ..found };
        assert_eq!(
            of(Some(Ok(unsure)), Err(Reason::new("bandwidth still rises"))),
            " 6 threads (by the noise, between 4 and 8) saturate the memory of one node: with reads 180 GB/s at most."
        );
        assert_eq!(of(None, Err(Reason::new("it rises"))), " It rises.");
    }
}
