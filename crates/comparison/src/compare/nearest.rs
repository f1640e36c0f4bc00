//! Values of one benchmark under unlike software: what the baseline has and another record has not is set beside the
//! nearest that it has, with what differs.
use super::{Cell, Quantity};
use crate::software;
use std::collections::BTreeMap;
use std::sync::Arc;

type Cells = BTreeMap<usize, Box<Cell>>;

/// Moves values to the baseline's quantities of which they are nearest, once each.
pub(super) fn pair(quantities: &[Arc<Quantity>], cells: &mut [Cells], baseline: usize) {
    let Some(base) = cells.get(baseline).map(|c| c.keys().copied().collect::<Vec<usize>>()) else {
        return;
    };
    let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, quantity) in quantities.iter().enumerate() {
        if !software::of(&quantity.at).is_empty() {
            alike.entry(quantity.loose_key()).or_default().push(index);
        }
    }
    for (_, held) in cells.iter_mut().enumerate().filter(|(side, _)| *side != baseline) {
        for group in alike.values() {
            let of_base = |index: &&usize| base.binary_search(index).is_ok();
            let open = group.iter().filter(of_base).filter(|b| !held.contains_key(b));
            let free = group.iter().filter(|c| held.contains_key(c)).filter(|c| !of_base(c));
            let mut pairs: Vec<(usize, usize, usize)> = open
                .flat_map(|b| free.clone().map(move |c| (b, c)))
                .filter_map(|(b, c)| {
                    let (x, y) = (&quantities[*b], &quantities[*c]);
                    let differ = software::differing(&software::of(&x.at), &software::of(&y.at));
                    // Two servers are two programs.
                    let server = differ.iter().any(|(name, ..)| name == "server");
                    (!server).then_some((differ.len(), *b, *c))
                })
                .collect();
            pairs.sort_unstable();
            for (_, b, c) in pairs {
                if held.contains_key(&b) {
                    continue;
                }
                if let Some(mut cell) = held.remove(&c) {
                    let (x, y) = (&quantities[b], &quantities[c]);
                    Arc::make_mut(&mut cell.conditions).software =
                        software::differing(&software::of(&x.at), &software::of(&y.at));
                    held.insert(b, cell);
                }
            }
        }
    }
}
