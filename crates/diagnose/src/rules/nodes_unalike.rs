//! The local memory of one NUMA node is slower than that of another.
//!
//! Nodes of one machine are built alike, and programs are placed as if they were. A node with slower local memory has
//! slower modules, a different frequency, or a busy neighbour on the host. The rule fires where even the nearest ends of
//! the intervals, of six samples or more, differ by more than 15 %, or where printed bandwidths of own nodes do; two
//! sockets of one model were published 3 % apart. Nodes without CPUs are another kind of memory and are excluded. Source:
//! lmbench's stream on both sockets of an FT2500.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::{number, rate, time};
use record::{Metric, ProbeId, Sort, param};

/// Nodes that differ by less are alike.
const UNALIKE: f64 = 1.15;

pub(crate) static RULE: Rule =
    Rule::new(say::UNALIKE_TITLE, &[Demand::Latency, Demand::Bandwidth], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let (fast, slow) = match ends(evidence) {
        Ok(found) => found,
        Err(why) => return copies(evidence).ok_or(why),
    };
    if slow.low <= fast.high * UNALIKE {
        return Ok(None);
    }
    Ok(Some(Finding::new(
        say::unalike_claim(
            time(slow.median),
            slow.node,
            time(fast.median),
            fast.node,
            number(slow.median / fast.median),
        ),
        say::unalike_advice(slow.node),
        say::UNALIKE_VERIFY,
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let (fast, slow) = ends(evidence)?;
    Cost::up_to(1.0 - fast.low / slow.high, Confidence::Measured, say::UNALIKE_COST)
}

/// The copy rate of a core in the memory of its own node, as others printed it of several nodes.
fn copies(evidence: &Evidence<'_>) -> Option<Option<Finding>> {
    let numa = evidence.numa().ok().filter(|_| !evidence.own_numa())?;
    let own = numa.cells.iter().filter(|c| c.from == c.to);
    let mut all: Vec<(f64, u32)> = own.filter_map(|c| Some((c.bandwidth?, c.from))).collect();
    all.order_by(|a, b| b.0.total_cmp(&a.0));
    let [(fast, first), .., (slow, last)] = all[..] else { return None };
    let both = say::rates_of_nodes(rate(fast), first, rate(slow), last);
    evidence.note(say::unalike_rates(evidence.rate(), &both));
    Some((fast > slow * UNALIKE).then(|| {
        Finding::new(
            say::unalike_claim_rates(evidence.rate(), both),
            say::unalike_advice_rates(last),
            say::UNALIKE_VERIFY_BANDWIDTH,
        )
    }))
}

/// A node's latency to its own memory in seconds.
#[derive(Debug, Clone, Copy)]
struct Own {
    node: u32,
    median: f64,
    low: f64,
    high: f64,
}

/// The fastest and the slowest node by their own memory.
fn ends(evidence: &Evidence<'_>) -> Result<(Own, Own), Reason> {
    let numa = evidence.numa()?;
    // A few samples may all be of one disturbance.
    let estimates = evidence.all(ProbeId::NumaMatrix, Metric::IdleLatency, [])?;
    let estimates: Vec<_> = estimates.into_iter().filter(|e| e.of_run.is_some()).collect();
    let repeated = |node: u32| {
        let ends = [param::FROM, param::TO];
        estimates.iter().any(|e| ends.iter().all(|end| end.of(&e.at) == Some(node)))
    };
    let own = numa.cells.iter().filter(|c| c.from == c.to).filter_map(|c| {
        let (low, high) = c.ends?;
        Some(Own { node: c.from, median: c.latency?, low, high })
    });
    let mut all: Vec<Own> = own.filter(|o| o.median > 0.0 && repeated(o.node)).collect();
    all.order_by(|a, b| a.median.total_cmp(&b.median));
    match all[..] {
        [fast, .., slow] => {
            evidence.note(say::unalike_read(
                all.len(),
                time(fast.median),
                fast.node,
                time(slow.median),
                slow.node,
            ));
            Ok((fast, slow))
        }
        _ => Err(Reason::mended_by(say::UNALIKE_MISSING, say::UNALIKE_REMEDY)),
    }
}
