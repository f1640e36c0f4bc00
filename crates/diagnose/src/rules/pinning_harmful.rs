//! A workload is faster unpinned than with each copy pinned to a CPU.
//!
//! Pinning avoids migrations, but the scheduler can no longer avoid interrupts, other programs and the processes that a
//! copy starts, which inherit its one CPU. The balance depends on the workload: published pairs of runs differ from 7 times
//! faster to 35 % slower. The finding is about the largest scaling point, beyond noise (95 %) and by more than 1 %. Where
//! it fires, no advice to pin applies to this workload. Source: UnixBench with one-to-one pinning and without, three runs
//! each.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::say;
use crate::scaling_runs::{best, times};
use crate::unixbench::PlacementGain;
use crate::words::number;
use record::Sort;

/// A test that loses less is not worth another placement.
const LESS: f64 = 0.99;

pub(crate) static RULE: Rule = Rule::new(say::PINNING_TITLE, &Demand::ALL, check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let gains = match evidence.unpinned_gains() {
        Ok(gains) => gains,
        Err(why) => {
            return tests(evidence, why)
                .map(|all| all.first().map(|worst| of_test(worst, all.len())));
        }
    };
    Ok(best(gains).map(|(scaling_run, gain, found)| {
        Finding::new(
            say::pinning_claim(&scaling_run.workload, &gain.step, times(found)),
            say::PINNING_ADVICE,
            say::PINNING_VERIFY,
        )
        .of(&scaling_run.workload)
    }))
}

/// Tests of UnixBench that do less with each copy pinned in every repeat, the worst first.
fn tests<'a>(evidence: &'a Evidence<'_>, why: Reason) -> Result<Vec<&'a PlacementGain>, Reason> {
    let Ok(unixbench) = evidence.unixbench() else { return Err(why) };
    let pinned = unixbench.gains.iter().filter(|g| g.placement.0 == "one-to-one");
    let known: Vec<&PlacementGain> = pinned.filter(|g| g.apart.is_some()).collect();
    if known.is_empty() {
        return Err(why);
    }
    let mut all: Vec<_> =
        known.into_iter().filter(|g| g.apart == Some(true) && g.ratio < LESS).collect();
    all.order_by(|a, b| a.ratio.total_cmp(&b.ratio));
    all.iter().for_each(|g| evidence.note(say::test_pinned(g.test.id.as_str(), number(g.ratio))));
    Ok(all)
}

fn of_test(worst: &PlacementGain, count: usize) -> Finding {
    let (test, ratio) = (worst.test.id.as_str(), number(worst.ratio));
    Finding::new(
        match count {
            1 => say::pinning_test(test, ratio),
            n => say::pinning_tests(test, ratio, n - 1),
        },
        say::PINNING_TEST_ADVICE,
        say::PINNING_TEST_VERIFY,
    )
    .of(worst.test.id.as_str())
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let gains = match evidence.unpinned_gains() {
        Ok(gains) => gains,
        Err(why) => {
            let all = tests(evidence, why)?;
            let (worst, least) = all.first().zip(all.last()).ok_or_else(no_figure)?;
            let basis = say::PINNING_TEST_COST;
            return Cost::between(
                1.0 - least.ratio,
                1.0 - worst.ratio,
                Confidence::Measured,
                basis,
            );
        }
    };
    let (.., found) = best(gains).ok_or_else(no_figure)?;
    // What it does pinned of what it would unpinned.
    Cost::on_scaling_run(1.0 / found.interval.high, 1.0 / found.interval.low)
}
