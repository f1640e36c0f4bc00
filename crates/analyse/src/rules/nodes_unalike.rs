//! The own memory of one node is slower than that of another.
//!
//! Nodes of one machine are built alike, and programs are placed on them as if they were. One whose own memory takes longer has
//! slower modules, a frequency of its own, or a neighbour on the host. It is told where even the nearest ends of the intervals, of six
//! samples or more, are more than 15 % apart; two sockets of one model were published 3 % apart. Nodes without CPUs are another
//! kind of memory and are not compared. Source: lmbench's stream on both sockets of an FT2500.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::words::{count, number, time};
use record::{Reason, Value};

/// Nodes that differ by less are alike.
const UNALIKE: f64 = 1.15;

pub(crate) static RULE: Rule = Rule {
    title: "One node's own memory is slower than another's",
    demands: &[Demand::Latency, Demand::Bandwidth],
    note: None,
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let (fast, slow) = ends(evidence)?;
    if slow.low <= fast.high * UNALIKE {
        return Ok(None);
    }
    Ok(Some(Finding {
        claim: format!(
            "A load from its own memory takes {} on node {}, and {} on node {}: {} times as long, though nodes of one machine should be alike.",
            time(slow.median),
            slow.node,
            time(fast.median),
            fast.node,
            number(slow.median / fast.median)
        ),
        advice: format!(
            "Compare the modules and channels of both (sudo dmidecode -t memory; numactl --hardware), and who else uses node {0}; until then run what waits for memory on others than node {0}.",
            slow.node
        ),
        confirm_with: "cpulens run --only numa_matrix, some times over: the nodes' own latencies stay within 15 %".into(),
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let (fast, slow) = ends(evidence)?;
    Cost::between(
        0.0,
        1.0 - fast.low / slow.high,
        Sure::Measured,
        "Of what runs on that node: from nothing, in caches, to the difference of the two, by a program that waits for nothing else.",
    )
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
fn ends(evidence: &Evidence<'_>) -> Result<(Own, Own), Missing> {
    let numa = evidence.numa()?;
    // A few samples may all be of one disturbance.
    let told = evidence.all("numa_matrix", "idle_latency", &[])?;
    let told: Vec<_> = told.into_iter().filter(|e| e.interval.is_some()).collect();
    let repeated = |node: u32| {
        let node = Value::Integer(node.into());
        told.iter().any(|e| ["from", "to"].iter().all(|end| e.at.get(*end) == Some(&node)))
    };
    let own = numa.cells.iter().filter(|c| c.from == c.to).filter_map(|c| {
        let (low, high) = c.ends?;
        Some(Own { node: c.from, median: c.latency?, low, high })
    });
    let mut all: Vec<Own> = own.filter(|o| o.median > 0.0 && repeated(o.node)).collect();
    all.sort_by(|a, b| a.median.total_cmp(&b.median));
    match all[..] {
        [fast, .., slow] => {
            evidence.noted(format!(
                "own memory of {}: {} on node {} to {} on node {}",
                count(all.len(), "node"),
                time(fast.median),
                fast.node,
                time(slow.median),
                slow.node
            ));
            Ok((fast, slow))
        }
        _ => Err(Missing(Reason::mended_by(
            "there are no two nodes whose CPUs measured their own memory six times or more",
            "cpulens run --only numa_matrix, on a machine of several nodes",
        ))),
    }
}
