//! Values of one benchmark under unlike software: what the baseline has and another record has not is set beside the
//! nearest that it has, with what differs.
use super::{Cell, Quantity};
use crate::quantities::CORE;
use crate::software;
use record::Better;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

type Cells = BTreeMap<usize, Box<Cell>>;

/// The number of parts of the software that differ, whether the kinds of core do, how slow both are, and the two quantities.
type Pair = (usize, bool, f64, [usize; 2]);

fn nearer(a: &Pair, b: &Pair) -> Ordering {
    (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)).then(a.3.cmp(&b.3))
}

/// Moves values to the baseline's quantities of which they are nearest, once each. Cores of unlike kinds meet by speed: the
/// fastest of one record and the fastest of the other.
pub(super) fn pair(quantities: &[Arc<Quantity>], cells: &mut [Cells], baseline: usize) {
    let speed = |index: usize, cell: &Cell| match quantities[index].better {
        Better::Lower => -cell.median.ln(),
        _ => cell.median.ln(),
    };
    let Some(base) = cells.get(baseline) else { return };
    let base: BTreeMap<usize, f64> =
        base.iter().map(|(at, cell)| (*at, speed(*at, cell))).collect();
    let of_software =
        quantities.iter().enumerate().filter(|(_, q)| !software::of(&q.at).is_empty());
    let alike = record::groups(of_software.map(|(index, q)| (q.loose_key(), index)));
    for (_, held) in cells.iter_mut().enumerate().filter(|(side, _)| *side != baseline) {
        for group in alike.values() {
            let open = group.iter().filter(|b| base.contains_key(b) && !held.contains_key(b));
            let free = group.iter().filter(|c| !base.contains_key(c));
            let free: Vec<(usize, f64)> =
                free.filter_map(|c| Some((*c, speed(*c, held.get(c)?)))).collect();
            let mut pairs: Vec<Pair> = open
                .flat_map(|b| free.iter().map(move |c| (b, c)))
                .filter_map(|(b, (c, fast))| {
                    let (x, y) = (&quantities[*b], &quantities[*c]);
                    let differ = software::differing(&software::of(&x.at), &software::of(&y.at));
                    // Two servers are two programs.
                    let server = differ.iter().any(|(name, ..)| name == "server");
                    let cores = x.at.get(CORE) != y.at.get(CORE);
                    let slow = if cores { -(base[b] + fast) } else { 0.0 };
                    (!server).then_some((differ.len(), cores, slow, [*b, *c]))
                })
                .collect();
            pairs.sort_unstable_by(nearer);
            for (.., [b, c]) in pairs {
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
