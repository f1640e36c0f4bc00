//! Conclusions on several cores: bandwidth, saturation, core-to-core latency.
use crate::bandwidth_scalings::{BandwidthScaling, Saturated};
use crate::curves::Curve;
use crate::estimate::{Estimate, elsewhere_of};
use crate::matrices::{Cell, Class, Matrix};
use crate::say;
use crate::summary::figures;
use crate::words::{number, percent, rate, time};
use crate::{Verdicts, facts, quantity};
use estimates::report::Report;
use record::{Between, Environment, Judgement, Metric, Pages, Sort, Text};

/// All cores together reach less than this share of what each would alone: memory is what they wait for.
const SHARED: f64 = 0.75;
/// Cycles that a core could work in while it waits for one load from memory; beyond this, latency rules programs
/// that follow pointers. A core of four instructions a cycle loses a thousand of them.
const LONG_WAIT: f64 = 250.0;

/// Read bandwidth of one core, of all, and how many cores use it up.
pub(super) fn bandwidth(report: &Report<'_>) -> Option<Text> {
    match (reads(report, "one"), reads(report, "all")) {
        (Some(one), Some(all)) => {
            let cores = report.record.runs[all.run].case.place.cpus.len();
            if let Some(modes) = modes(report) {
                let modes = either(modes.iter().map(|level| rate(*level)));
                return Some(say::bandwidth_modes(quantity::median(one), cores, modes));
            }
            let ratio = all.median / one.median;
            let (of_one, of_all) = (quantity::median(one), quantity::median(all));
            let said = say::bandwidth(of_one, cores, of_all, number(ratio));
            let enough = if ratio.is_finite() { ratio.ceil().max(1.0) as usize } else { cores };
            let scaling = report.get::<Vec<BandwidthScaling>>().iter().find(|s| s.kernel == "read");
            // Where it was measured nobody need guess.
            let guessed = scaling.is_none() && enough < cores && ratio < SHARED * cores as f64;
            let guess = guessed.then(|| say::bandwidth_enough(enough));
            let said = Text::list(std::iter::once(said).chain(guess), Between::Comma);
            let more = [states(all), elsewhere(all), scaling.map(saturation)];
            let all = std::iter::once(say::sentence(said)).chain(more.into_iter().flatten());
            Some(Text::list(all, Between::Sentences))
        }
        (Some(one), None) => {
            let said = [Some(say::bandwidth_one(quantity::median(one))), states(one)];
            Some(Text::list(said.into_iter().flatten(), Between::Sentences))
        }
        (None, Some(all)) => {
            let said = [Some(say::bandwidth_all(quantity::median(all))), states(all)];
            Some(Text::list(said.into_iter().flatten(), Between::Sentences))
        }
        (None, None) => None,
    }
}

/// `a or b or c`.
fn either(all: impl Iterator<Item = String>) -> Text {
    all.map(Text::from).reduce(say::either).unwrap_or_default()
}

/// `a and b and c`.
fn both(all: impl Iterator<Item = String>) -> Text {
    all.map(Text::from).reduce(say::both).unwrap_or_default()
}

/// The levels at which modes and charts show the read bandwidth of all cores; nothing where they agree.
fn modes(report: &Report<'_>) -> Option<Vec<f64>> {
    let modes = figures::read_bandwidth_of_all_cores(report)?.quantity.modes;
    (modes.len() > 1).then(|| modes.iter().map(|mode| mode.level).collect())
}

/// The threads that saturate memory, of one node and of the machine.
fn saturation(scaling: &BandwidthScaling) -> Text {
    // Of several nodes each is used up by itself.
    match (&scaling.node, &scaling.all) {
        (Some(Ok(found)), _) => saturated(found, say::saturate_node),
        (None, Ok(found)) => saturated(found, say::saturate_memory),
        (Some(Err(why)), _) | (None, Err(why)) => say::sentence(&why.why).capital(),
    }
}

/// `4 threads saturate memory`, what else it may be, the limit, and how near the number of threads below comes to it.
fn saturated(found: &Saturated, say_it: fn(usize, Text, String) -> Text) -> Text {
    let noise = match found.most {
        Some(most) if most == found.fewest => Text::default(),
        Some(most) => say::threads_noise_between(found.fewest, most),
        None => say::threads_noise_more(found.fewest),
    };
    let said = say_it(found.threads, noise, rate(found.limit));
    let before = found.before.map(|(n, share)| say::saturate_before(n, percent(share)));
    say::sentence(Text::list(std::iter::once(said).chain(before), Between::Comma))
}

fn reads<'r>(report: &'r Report<'_>, cores: &'r str) -> Option<&'r Estimate> {
    report.reads(cores).last().filter(|e| e.median > 0.0)
}

/// A second sentence where the samples lie at several levels.
fn states(e: &Estimate) -> Option<Text> {
    let levels = both(e.states.iter().map(|s| rate(s.level)));
    (e.states.len() > 1).then(|| say::has_modes(e.states.len(), levels))
}

/// A second sentence where the CPUs were at another distance for a while.
fn elsewhere(e: &Estimate) -> Option<Text> {
    let (level, share) = elsewhere_of(&e.elsewhere, e.median, e.count)?;
    Some(say::at_another_distance(percent(share), rate(level)))
}

/// Fastest and slowest relation between CPUs, and pairs that changed while they were looked at.
pub(super) fn core_to_core(report: &Report<'_>) -> Option<Text> {
    let matrix = report.get::<Vec<Matrix>>().iter().find(|m| m.metric == Metric::RoundTrip)?;
    // A hypervisor moves virtual CPUs and goes on stating the same neighbours.
    let virtual_machine = facts::hypervisor(&report.record.machine).is_some();
    let mut classes: Vec<&Class> = matrix.classes.iter().collect();
    classes.order_by(|a, b| a.fastest.median.total_cmp(&b.fastest.median));
    let range = |class: &Class| {
        let (low, high) = (time(class.fastest.median), time(class.slowest.median));
        let range = if low == high { low.into() } else { say::from_to(low, high) };
        match virtual_machine {
            true => say::of_relation_as_stated(range, &class.relation),
            false => say::of_relation(range, &class.relation),
        }
    };
    let groups = Text::list(classes.into_iter().map(range), Between::Comma);
    let mut said = vec![say::core_to_core(groups, matrix.cells.len())];
    let split: Vec<&Cell> = matrix.cells.iter().filter(|c| c.states.len() > 1).collect();
    if let Some(cell) = split.first() {
        let levels = both(cell.states.iter().map(|s| time(s.level)));
        said.push(match virtual_machine {
            true => say::pairs_changed_by_hypervisor(split.len(), cell.from, cell.to, levels),
            false => say::pairs_changed_meanwhile(split.len(), cell.from, cell.to, levels),
        });
    }
    let moved: Vec<&Cell> = matrix.cells.iter().filter(|c| !c.elsewhere.is_empty()).collect();
    if let Some(cell) = moved.first() {
        let levels = both(cell.elsewhere.iter().map(|s| time(s.level)));
        said.push(say::pairs_elsewhere(moved.len(), cell.from, cell.to, levels));
    }
    Some(Text::list(said, Between::Sentences))
}

/// The first bottleneck of programs on this machine, as far as it was measured.
pub(super) fn limit(report: &Report<'_>) -> Option<Text> {
    if report.get::<Judgement>().environment == Environment::Fail {
        return None;
    }
    // Time that is not given cannot be made up for by anything below.
    let taken = [("steal_time", say::LIMIT_STEAL), ("cpu_quota", say::LIMIT_QUOTA)];
    let taken = taken.into_iter().find(|(id, _)| report.get::<Verdicts>().fires(id));
    if let Some((_, said)) = taken {
        return Some(said.into());
    }
    if let (Some(one), Some(all)) = (reads(report, "one"), reads(report, "all")) {
        let cores = report.record.runs[all.run].case.place.cpus.len();
        let levels = modes(report).unwrap_or_else(|| vec![all.median]);
        let shares = || levels.iter().map(|level| level / one.median / cores as f64);
        // What one of the modes refutes is not said.
        if cores > 1 && shares().all(|share| share < SHARED) {
            return Some(say::limit_bandwidth(cores, either(shares().map(percent))));
        }
    }
    let cycles = Curve::of(report, "random", Pages::Base)?.plateau("memory")?.cycles?;
    (cycles > LONG_WAIT).then(|| say::limit_latency(number(cycles)))
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
            "6 threads saturate memory: with reads 180 GB/s at most, of which 4 threads get 88 %."
        );
        let unsure = Saturated { fewest: 4, most: Some(8), before: None, ..found };
        assert_eq!(
            of(Some(Ok(unsure)), Err(Reason::new("bandwidth still rises"))),
            "6 threads (by the noise, between 4 and 8) saturate the memory of one node: with reads 180 GB/s at most."
        );
        assert_eq!(of(None, Err(Reason::new("it rises"))), "It rises.");
    }
}
