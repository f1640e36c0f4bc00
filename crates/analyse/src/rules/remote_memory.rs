//! The machine has several NUMA nodes, so memory can be far away.
//!
//! A program that is not bound runs where there is room, and its memory stays where it was first touched: over time,
//! with n nodes, 1 - 1/n of its accesses go to another node. What one costs is in the firmware's distances (10 is
//! local, 20 is said to be twice as long; read as an order, not as a measurement), or better in the measured matrix: the
//! mean over all nodes is what such a program waits for. Measured alike within 5 %, it does not matter where memory is.
//! Source: ACPI 6.5, SLIT; two database hosts on which that mean explained a third of a slowdown (1.25 against 1.69 of
//! two and four sockets).
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, between_nodes, nodes};
use crate::rule::Finding;
use crate::rule::Rule;
use crate::words::{number, percent, time};
use record::Reason;

/// The distance of a node to itself, by definition.
const LOCAL: u32 = 10;

/// Nodes whose mean is within 5 % of the own one are alike: quick medians are known to 2 % each.
const SAME: f64 = 1.05;

/// See the file's header.
#[derive(Debug)]
pub struct RemoteMemory;

impl Rule for RemoteMemory {
    fn title(&self) -> &'static str {
        "Memory may be on another node"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let nodes = evidence.nodes()?;
        let with_memory = nodes.iter().filter(|n| n.bytes != Some(0)).count();
        if with_memory < 2 {
            return Ok(None);
        }
        let share = percent(1.0 - 1.0 / with_memory as f64);
        let finding = |claim: String| Finding {
            claim,
            advice: match evidence.unbound_is_faster() {
                Some(workload) => format!(
                    "Do not bind {workload} to single CPUs, for it does more unbound; whether nodes help it, cpulens spread --per node --prove -- COMMAND tells."
                ),
                None => "Bind each process to a node: numactl --cpunodebind=0 --membind=0 COMMAND."
                    .into(),
            },
            confirm_with: "numastat -p PID: all memory on the node it runs on".into(),
        };
        let numa = evidence.numa().ok();
        if let Some((mean, own)) = numa.as_ref().and_then(|numa| numa.unbound()) {
            if mean <= own * SAME || !numa.is_some_and(|numa| numa.surely_farther()) {
                return Ok(None);
            }
            return Ok(Some(finding(format!(
                "With {with_memory} NUMA nodes, {share} of the memory accesses of a program that is not bound may go to another node: a load from memory then takes {} on average instead of {}, {} times as long.",
                time(mean),
                time(own),
                number(mean / own)
            ))));
        }
        let Some(farthest) = nodes.iter().flat_map(|n| &n.distances).max() else {
            return Err(Missing(Reason::mended_by(
                "the distances between NUMA nodes are not known",
                "numactl --hardware shows them, if firmware states them",
            )));
        };
        if *farthest <= LOCAL {
            return Ok(None);
        }
        Ok(Some(finding(format!(
            "With {with_memory} NUMA nodes, {share} of the memory accesses of a program that is not bound may go to another node, at a stated distance of up to {farthest} (local: {LOCAL})."
        ))))
    }

    fn demands(&self) -> &'static [Demand] {
        &[Demand::Latency, Demand::Bandwidth, Demand::Sharing]
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let (mean, own) = evidence.numa()?.unbound().ok_or_else(Missing::figure)?;
        Cost::between(
            0.0,
            1.0 - own / mean,
            Sure::Measured,
            format!(
                "From nothing, where a program stays near its memory, to all the difference between {} and {} a load, where it waits for nothing but memory.",
                time(mean),
                time(own)
            ),
        )
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "two sockets with memory each",
                build: |r| nodes(r, &[&[10, 20], &[20, 10]]),
                expect: Expect::Fires,
            },
            Example {
                about: "two sockets, measured: the mean is 1.14 times the own node",
                build: |r| {
                    nodes(r, &[&[], &[]]);
                    between_nodes(r, &[&[110.0, 140.0], &[140.0, 110.0]]);
                },
                expect: Expect::Fires,
            },
            Example {
                about: "two nodes, measured alike",
                build: |r| {
                    nodes(r, &[&[10, 20], &[20, 10]]);
                    between_nodes(r, &[&[110.0, 111.0], &[112.0, 110.0]]);
                },
                expect: Expect::Clear,
            },
            Example { about: "one node", build: |r| nodes(r, &[&[10]]), expect: Expect::Clear },
            Example {
                about: "two nodes, no distances",
                build: |r| nodes(r, &[&[], &[]]),
                expect: Expect::CannotTell,
            },
        ];
        EXAMPLES
    }
}
