//! One process on each NUMA node with its memory there: loads take the own node's time, and what is shared is divided.
use super::{Predicted, Prediction, of_loads};
use crate::analyses::verdicts::Verdicts;
use crate::evidence::Evidence;
use crate::report::Report;
use crate::rule::Verdict;
use crate::say;
use crate::scaling_runs::flat_beyond;
use crate::words::{count, number, time};
use record::{Between, OrWhy, Reason, Text};

pub(super) fn predict(evidence: &Evidence<'_>, report: &Report<'_>) -> Predicted {
    let nodes = evidence.memory_nodes();
    let title = match &nodes {
        Ok(nodes) => say::whatif_bound(count(*nodes, "process")),
        Err(_) => say::WHATIF_BOUND_UNKNOWN.into(),
    };
    (title, nodes.and_then(|nodes| found(evidence, report, nodes)))
}

/// The reason why a single node cannot be bound to: it may be all there is, or hide the others.
fn one_node(evidence: &Evidence<'_>, report: &Report<'_>) -> Reason {
    let near = Reason::new(say::WHATIF_ONE_NODE);
    let Some(sockets) = evidence.sockets_of_one_node() else { return near };
    let mut verdicts = report.get::<Verdicts>().iter();
    match verdicts.find(|(id, _)| *id == "numa_hidden") {
        Some((_, Verdict::Fires { finding, .. })) => Reason::mended_by(
            say::whatif_hidden_nodes(count(sockets, "socket")),
            finding.advice.clone().unended(),
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
        .or_why(say::WHATIF_NO_LATENCY, "cpulens run --only numa_matrix")?;
    let ((least, mut most), mut who) = of_loads(evidence, (mean / own).max(1.0));
    let ratio = number(mean / own);
    let mut basis = vec![say::whatif_access(evidence.access(), time(mean), time(own), ratio)];
    // Where all sockets do no more than one, dividing what they share may bring all of them back.
    let sockets = evidence.sockets().unwrap_or(1);
    let cores = evidence.cores().unwrap_or(0);
    let stated = || evidence.plateaus().into_iter().next().map(|p| (p.workload, p.few, p.all));
    let runs = evidence.scaling_runs().unwrap_or_default();
    if let Some((workload, one, all)) = flat_beyond(&runs, cores, sockets).or_else(stated) {
        let divided = all as f64 / one as f64;
        if divided > most {
            most = divided;
            who = say::whatif_who_bound(&workload, all);
        }
        basis.push(say::whatif_bound_flat(workload, all, one));
    }
    Ok(Prediction {
        times: (least, most),
        who,
        basis: Text::list(basis, Between::Sentences),
        assumes: say::WHATIF_ASSUMES_BOUND.into(),
        test: "cpulens spread --per node --prove -- COMMAND".into(),
        ..Prediction::default()
    })
}
