//! One process on each NUMA node with its memory there: loads take the own node's time, and what is shared is divided.
use super::{Predicted, Prediction, of_loads};
use crate::analyses::verdicts::Verdicts;
use crate::evidence::Evidence;
use crate::report::Report;
use crate::rule::Verdict;
use crate::scaling_runs::flat_beyond;
use crate::words::{count, number, time};
use record::{OrWhy, Reason};

pub(super) fn predict(evidence: &Evidence<'_>, report: &Report<'_>) -> Predicted {
    let nodes = evidence.memory_nodes();
    let title = match &nodes {
        Ok(nodes) => format!("{} bound, one to each NUMA node", count(*nodes, "process")),
        Err(_) => "a process bound to each NUMA node".into(),
    };
    (title, nodes.and_then(|nodes| found(evidence, report, nodes)))
}

/// The reason why a single node cannot be bound to: it may be all there is, or hide the others.
fn one_node(evidence: &Evidence<'_>, report: &Report<'_>) -> Reason {
    let near = Reason::new("the machine has one NUMA node, so nothing is far");
    let Some(sockets) = evidence.sockets_of_one_node() else { return near };
    let mut verdicts = report.get::<Verdicts>().iter();
    match verdicts.find(|(id, _)| *id == "numa_hidden") {
        Some((_, Verdict::Fires { finding, .. })) => Reason::mended_by(
            format!(
                "firmware or the host hides the NUMA nodes of {}: switch NUMA on there first",
                count(sockets, "socket")
            ),
            finding.advice.trim_end_matches('.'),
        ),
        Some((_, Verdict::CannotTell { missing })) => missing.clone(),
        _ => near,
    }
}

fn found(evidence: &Evidence<'_>, report: &Report<'_>, nodes: usize) -> Result<Prediction, Reason> {
    if nodes < 2 {
        return Err(one_node(evidence, report));
    }
    let (mean, own) = evidence
        .numa()?
        .unbound()
        .or_why("latency was not measured between all nodes", "cpulens run --only numa_matrix")?;
    let ((least, mut most), mut who) = of_loads(evidence, (mean / own).max(1.0));
    let mut basis = format!(
        "{} takes {} on average over all nodes and {} from the own one: {} times.",
        evidence.access(),
        time(mean),
        time(own),
        number(mean / own)
    );
    // Where all sockets do no more than one, dividing what they share may bring all of them back.
    let sockets = evidence.sockets().unwrap_or(1);
    let cores = evidence.cores().unwrap_or(0);
    let stated = || evidence.plateaus().into_iter().next().map(|p| (p.workload, p.few, p.all));
    let runs = evidence.scaling_runs().unwrap_or_default();
    if let Some((workload, one, all)) = flat_beyond(&runs, cores, sockets).or_else(stated) {
        let divided = all as f64 / one as f64;
        if divided > most {
            most = divided;
            who = format!(
                "From a program that shares nothing between nodes to {workload}, if all that its {all} CPUs share can be divided."
            );
        }
        basis +=
            &format!(" With {workload} {all} CPUs do no more than {one}, though all are full.");
    }
    Ok(Prediction {
        times: (least, most),
        who,
        basis,
        assumes: "The work can be divided between processes that share nothing, and each node's memory is large enough for its part.".into(),
        test: "cpulens spread --per node --prove -- COMMAND".into(),
        ..Prediction::default()
    })
}
