//! Which results are shown where not all have room.
use super::{ROWS, labels};
use crate::Estimate;
use estimates::groups::by_key;
use record::{ProbeId, Sort, param};

/// The rank of a result: whole scores, memory, throughput of programs, each test; explaining values come last.
/// Constants of a tool are no results.
fn asked(e: &Estimate) -> Option<usize> {
    let metric = |names: &[&str]| names.iter().any(|name| e.metric == *name);
    Some(match e.probe {
        _ if metric(&["baseline"]) => return None,
        _ if metric(&["score"])
            && e.at.get("of").is_some_and(|of| of.text() == Some("all workloads")) =>
        {
            0
        }
        _ if metric(&["score"]) => 1,
        ProbeId::LatMemRd | ProbeId::LoadLatency => 2,
        _ if metric(&["idle_latency", "loaded_latency", "bandwidth"]) => 2,
        _ if metric(&["new_orders", "queries", "throughput", "events", "rating"]) => 3,
        _ if metric(&["index"]) => 4,
        _ if metric(&["rate", "elapsed", "latency"]) => 5,
        _ => EXPLAINS,
    })
}

/// The last of them.
const EXPLAINS: usize = 6;

/// Pairs of a matrix that are shown together: those of two nodes.
const PAIRS: usize = 4;

/// Kinds of results in the order of that, each with its results: of every kind one before the second of any, and a second of
/// what only explains where there is room. A small matrix is one result.
pub(super) fn first<'e>(found: &[&'e Estimate]) -> Vec<&'e Estimate> {
    let results = found.iter().copied().filter(|e| asked(e).is_some());
    let mut kinds = by_key(results, |e| (asked(e), e.probe, e.metric));
    kinds.order_by_key(|((asked, ..), _)| *asked);
    let mut taken = vec![0; kinds.len()];
    for round in 0..2 * ROWS {
        for (i, ((asked, ..), all)) in kinds.iter().enumerate() {
            let more = taken.iter().sum::<usize>() < ROWS && taken[i] < all.len();
            let explains = *asked == Some(EXPLAINS) && (1..ROWS).contains(&round);
            let matrix = all.len() <= PAIRS && all.iter().all(|e| labels::between(e).is_some());
            let step = if matrix { all.len() } else { 1 };
            taken[i] += if more && !explains { step } else { 0 };
        }
    }
    kinds.iter().zip(taken).flat_map(|((_, all), n)| some(all, n)).collect()
}

/// The first so many; of a curve over sizes, from its first to its last, which is memory.
fn some<'e>(all: &[&'e Estimate], n: usize) -> Vec<&'e Estimate> {
    let curve = n < all.len() && all.iter().all(|e| param::WORKING_SET.is_in(&e.at));
    match (curve, n) {
        (false, _) => all.iter().take(n).copied().collect(),
        (true, 0 | 1) => all.iter().rev().take(n).copied().collect(),
        (true, _) => from_first_to_last(all, n),
    }
}

/// `n` of them, two at least, equally far apart.
fn from_first_to_last<'e>(all: &[&'e Estimate], n: usize) -> Vec<&'e Estimate> {
    (0..n).map(|i| all[i * (all.len() - 1) / (n - 1)]).collect()
}

/// Of each case and metric the last of its sizes, which are measured in ascending order; of few cases, sizes from the first to
/// the last.
pub(super) fn chosen<'e>(all: &[&'e Estimate]) -> Vec<&'e Estimate> {
    let largest = largest(all);
    if largest.len() * 2 > ROWS || all.len() <= largest.len() {
        return largest;
    }
    from_first_to_last(all, ROWS.min(all.len()))
}

fn largest<'e>(all: &[&'e Estimate]) -> Vec<&'e Estimate> {
    let words = |e: &Estimate| {
        let words = e.at.iter().filter_map(|(name, value)| Some((name.clone(), value.text()?)));
        words.map(|(name, value)| (name, value.to_owned())).collect::<Vec<_>>()
    };
    let mut kept: Vec<&Estimate> = vec![];
    for e in all {
        let of_it =
            |k: &&mut &Estimate| (k.run, k.metric) == (e.run, e.metric) && words(k) == words(e);
        match kept.iter_mut().rev().find(of_it) {
            Some(smaller) => *smaller = e,
            None => kept.push(e),
        }
    }
    kept
}
