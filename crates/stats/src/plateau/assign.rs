//! Assigns plateaus to caches, once the capacities are known.

use super::{Levels, Plateau};

/// Between these fractions of the capacities below and its own, a cache answers alone: nearer, the neighbour already
/// or still serves part of the loads.
const CLEAR_OF_PREVIOUS: f64 = 1.3;
const CLEAR_OF_OWN: f64 = 0.7;
/// Beyond this multiple of the last cache, at most a quarter of random loads can hit it.
const MEMORY_BEYOND: f64 = 4.0;

/// Names plateaus: one answer for each hint (a name and a capacity, in the unit of x), by rising capacity, and
/// `"memory"` last.
///
/// A cache gets the plateau that lies mostly between 1.3 times the capacity below it and 0.7 times its own, and of
/// several, as when a TLB step divides a cache, the one that covers most of that range. Memory gets a plateau that
/// reaches beyond 4 times the last capacity. `None` means that the curve shows no such level: the capacity is wrong,
/// or shared with somebody, or the curve too short. Without hints memory cannot be known either.
///
/// ```
/// use stats::plateau::{Point, assign, find};
/// let curve: Vec<Point> = (12..24).map(|k| Point {
///     x: f64::from(1 << k),
///     y: if k < 16 { 1.0 } else { 9.0 },
/// }).collect();
/// let named = assign(&find(&curve), &[("L1".to_owned(), 49_152.0)]);
/// assert_eq!(named[0].0, "L1");
/// assert_eq!(named[0].1.map(|plateau| plateau.level), Some(1.0));
/// assert_eq!(named[1].0, "memory");
/// assert_eq!(named[1].1.map(|plateau| plateau.level), Some(9.0));
/// ```
pub fn assign(levels: &Levels, hints: &[(String, f64)]) -> Vec<(String, Option<Plateau>)> {
    let mut hints: Vec<&(String, f64)> = hints.iter().collect();
    hints.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut free = levels.plateaus.clone();
    let mut named = Vec::with_capacity(hints.len() + 1);
    let mut previous = 0.0;
    for (name, capacity) in hints {
        let range = (previous * CLEAR_OF_PREVIOUS, capacity * CLEAR_OF_OWN);
        let mostly_inside = |plateau: &Plateau| {
            2.0 * octaves_within(plateau, range) > (plateau.to / plateau.from).ln()
        };
        named.push((name.clone(), take(&mut free, range, mostly_inside)));
        previous = *capacity;
    }
    let beyond = (previous * MEMORY_BEYOND, f64::INFINITY);
    let memory = if previous > 0.0 {
        take(&mut free, beyond, |plateau| plateau.to > beyond.0)
    } else {
        None
    };
    named.push(("memory".to_owned(), memory));
    named
}

/// Takes out the plateau that covers most of the range, of those that may.
fn take(
    free: &mut Vec<Plateau>,
    range: (f64, f64),
    may: impl Fn(&Plateau) -> bool,
) -> Option<Plateau> {
    let (index, _) =
        free.iter().enumerate().filter(|(_, plateau)| may(plateau)).max_by(|(_, a), (_, b)| {
            octaves_within(a, range).total_cmp(&octaves_within(b, range))
        })?;
    Some(free.remove(index))
}

/// The length of the plateau within the range, as the logarithm of a ratio; 0 if it is outside.
fn octaves_within(plateau: &Plateau, (low, high): (f64, f64)) -> f64 {
    (plateau.to.min(high) / plateau.from.max(low)).ln().max(0.0)
}
