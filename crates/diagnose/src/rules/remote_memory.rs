//! The machine has several NUMA nodes, so memory can be remote.
//!
//! A program that is not bound runs on any node, and its memory stays where it was first touched. Over time, with n nodes,
//! 1 - 1/n of its accesses go to another node. The measured matrix gives their cost: the mean over all nodes is what such a
//! program waits for. Without it the SLIT distances (10 is local, 20 nominally twice as long) give only an order. Where the
//! matrix is equal within 5 %, placement does not matter. Source: ACPI 6.5, SLIT; two database hosts on which that mean
//! explained a third of a slowdown (1.25 against 1.69 of two and four sockets).
use crate::numa::{Numa, NumaCell};
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, OrWhy, Reason, Rule, no_figure};
use crate::say;
use crate::words::{count, number, percent, time};
use record::{Between, Message, Text};

/// The distance of a node to itself, by definition.
const LOCAL: u32 = 10;

/// Nodes whose mean is within 5 % of the own one are alike: quick medians are known to 2 % each.
const SAME: f64 = 1.05;

pub(crate) static RULE: Rule = Rule::new(
    say::REMOTE_TITLE,
    &[Demand::Latency, Demand::Bandwidth, Demand::Sharing],
    check,
    cost,
);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let with_memory = evidence.memory_nodes()?;
    if with_memory < 2 {
        return hidden(evidence).map_or(Ok(None), Err);
    }
    let share = percent(1.0 - 1.0 / with_memory as f64);
    // Where nobody states the nodes, it is the sockets that were timed apart.
    let unstated = evidence.nodes().is_err() && evidence.number("numa.nodes").is_err();
    let remote = match unstated {
        true => say::remote_claim_sockets(with_memory, share),
        false => say::remote_claim(with_memory, share),
    };
    let finding = |claims: Vec<Text>| {
        Finding::new(
            Text::list(claims, Between::Sentences),
            match evidence.unbound_is_faster() {
                Some(workload) => say::remote_advice_unpinned(&workload),
                None => say::REMOTE_ADVICE.into(),
            },
            say::REMOTE_VERIFY,
        )
    };
    let numa = evidence.numa().ok();
    let mut rates =
        numa.filter(|_| !evidence.own_numa()).map_or(vec![], |numa| rates(numa, evidence.rate()));
    if let Some((mean, own)) = numa.as_ref().and_then(|numa| numa.unbound()) {
        if mean <= own * SAME || !numa.is_some_and(|numa| numa.surely_farther()) {
            return Ok(None);
        }
        let ratio = number(mean / own);
        let longer = say::remote_longer(remote, evidence.access(), time(mean), time(own), ratio);
        rates.insert(0, longer);
        return Ok(Some(finding(rates)));
    }
    if numa.is_some_and(|numa| slow_share(numa).is_some()) {
        rates.insert(0, say::sentence(remote));
        return Ok(Some(finding(rates)));
    }
    let nodes = evidence.nodes()?;
    let farthest = nodes
        .iter()
        .flat_map(|n| &n.distances)
        .max()
        .or_why(say::REMOTE_MISSING, say::REMOTE_REMEDY)?;
    if *farthest <= LOCAL {
        return Ok(None);
    }
    Ok(Some(finding(vec![say::remote_slit(remote, *farthest, LOCAL)])))
}

/// The reason why one node does not mean that no memory is remote.
fn hidden(evidence: &Evidence<'_>) -> Option<Reason> {
    let sockets = count(evidence.sockets_of_one_node()?, "socket");
    Some(Reason::mended_by(say::remote_hidden(sockets), say::REMOTE_HIDDEN_REMEDY))
}

/// Bandwidth of other nodes over that of the own one, on average; nothing where it is not surely less: a published value of
/// STREAM varies by a few percent.
fn slow_share(numa: &Numa) -> Option<f64> {
    const LESS: f64 = 0.9;
    let ratios: Vec<f64> = numa.cells.iter().filter_map(|c| c.bandwidth_ratio).collect();
    let others: Vec<f64> = ratios.into_iter().filter(|ratio| *ratio != 1.0).collect();
    let mean = others.iter().sum::<f64>() / others.len() as f64;
    (!others.is_empty() && mean < LESS).then_some(mean)
}

/// The time of the farthest node, and what is copied or read from there, where others measured it: both need not go together.
fn rates(numa: &Numa, rate: Message) -> Vec<Text> {
    let far = |of: fn(&NumaCell) -> Option<f64>| {
        numa.cells.iter().filter(|c| c.from != c.to).filter_map(of)
    };
    let slowest = far(|c| c.latency_ratio).reduce(f64::max);
    let least = far(|c| c.bandwidth_ratio).reduce(f64::min);
    let nearest = far(|c| c.latency_ratio).reduce(f64::min);
    let slowest = slowest.zip(nearest).map(|(most, least)| match least < most / SAME {
        true => say::remote_farthest_nearest(number(most), number(least)),
        false => say::remote_farthest(number(most)),
    });
    let least = least.map(|x| say::remote_rate(rate, number(x)));
    slowest.into_iter().chain(least).collect()
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let numa = evidence.numa()?;
    let Some((mean, own)) = numa.unbound() else {
        let ratio = slow_share(numa).ok_or_else(no_figure)?;
        let others = 1.0 - 1.0 / evidence.memory_nodes()? as f64;
        return Cost::up_to(
            1.0 - 1.0 / (1.0 - others + others / ratio),
            Confidence::Derived,
            say::REMOTE_COST_BANDWIDTH,
        );
    };
    Cost::up_to(1.0 - own / mean, Confidence::Measured, say::remote_cost(time(mean), time(own)))
}
