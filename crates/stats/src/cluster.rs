//! Clusters from distances alone, such as CPUs that share a cache, from core-to-core latencies.
//!
//! A level of nearness exists where the sorted distances leave a gap that no noise explains. What is nearer than the gap is
//! joined, but only things whose near ones are mostly the same (Jarvis and Patrick 1973): one stray distance joins nothing.
//! A level holds if nearly all distances agree with its groups. Single linkage alone is undone by one stray distance.

/// One level of nearness.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// Groups by their smallest member, members ascending; a thing that is near to none is a group of its own.
    pub groups: Vec<Vec<usize>>,
    /// Median distance inside groups.
    pub within: f64,
    /// Median distance between groups.
    pub between: f64,
}

/// A gap between two distances next to each other, and between the medians within and between groups, is at least this
/// ratio. Noise of 5 % makes such a gap in less than one of a hundred sets of distances that have none, noise of 10 % in two
/// of a hundred where there are only four things (`tests/promise/clusters.rs`).
pub const GAP: f64 = 1.3;
/// Share of all distances that may disagree with the groups.
const STRAY: f64 = 0.05;

/// The levels among `count` things, tightest first; empty if all are equally far apart.
///
/// `None` if a distance is missing or is not positive, or there are fewer than three things, which are always one group.
///
/// ```
/// // Two pairs: 10 inside, 50 between.
/// let far = |a, b| (a, b, 50.0);
/// let distances = [(0, 1, 10.0), far(0, 2), far(0, 3), far(1, 2), far(1, 3), (2, 3, 10.5)];
/// let levels = stats::cluster::levels(4, &distances).unwrap();
/// assert_eq!(levels.len(), 1);
/// assert_eq!(levels[0].groups, [vec![0, 1], vec![2, 3]]);
/// ```
pub fn levels(count: usize, distances: &[(usize, usize, f64)]) -> Option<Vec<Level>> {
    let mut table = vec![f64::NAN; count * count];
    for (a, b, distance) in distances {
        if a == b || *a >= count || *b >= count || !distance.is_finite() || *distance <= 0.0 {
            return None;
        }
        table[a * count + b] = *distance;
        table[b * count + a] = *distance;
    }
    let missing = |i: usize| i / count != i % count && table[i].is_nan();
    if count < 3 || (0..count * count).any(missing) {
        return None;
    }
    let mut sorted: Vec<f64> = pairs(count).map(|(a, b)| table[a * count + b]).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let gaps = sorted.windows(2).filter(|w| w[1] > w[0] * GAP).map(|w| (w[0] * w[1]).sqrt());
    let mut levels: Vec<Level> = vec![];
    for threshold in gaps {
        if let Some(level) = level(count, &table, threshold)
            && levels.iter().all(|known| known.groups != level.groups)
        {
            levels.push(level);
        }
    }
    Some(levels)
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
}

/// The groups of what is nearer than the threshold, if they are groups at all.
fn level(count: usize, table: &[f64], threshold: f64) -> Option<Level> {
    let near = |a: usize, b: usize| a == b || table[a * count + b] < threshold;
    let words = count.div_ceil(64);
    let mut friends = vec![0u64; count * words];
    for a in 0..count {
        for b in (0..count).filter(|b| near(a, *b)) {
            friends[a * words + b / 64] |= 1 << (b % 64);
        }
    }
    let of = |a: usize| &friends[a * words..(a + 1) * words];
    let alike = |a: usize, b: usize| {
        let both: u32 = of(a).iter().zip(of(b)).map(|(x, y)| (x & y).count_ones()).sum();
        let either: u32 = of(a).iter().zip(of(b)).map(|(x, y)| (x | y).count_ones()).sum();
        2 * both > either
    };
    // Each thing's group is named after its smallest member.
    let mut group: Vec<usize> = (0..count).collect();
    for (a, b) in pairs(count).filter(|(a, b)| near(*a, *b) && alike(*a, *b)) {
        let (low, high) = (group[a].min(group[b]), group[a].max(group[b]));
        if low != high {
            group.iter_mut().filter(|g| **g == high).for_each(|g| *g = low);
        }
    }
    let (inside, outside): (Vec<_>, Vec<_>) =
        pairs(count).partition(|(a, b)| group[*a] == group[*b]);
    let strays = inside.iter().filter(|(a, b)| !near(*a, *b)).count()
        + outside.iter().filter(|(a, b)| near(*a, *b)).count();
    if strays as f64 > STRAY * (inside.len() + outside.len()) as f64 {
        return None;
    }
    let median = |of: &[(usize, usize)]| {
        let mut all: Vec<f64> = of.iter().map(|(a, b)| table[a * count + b]).collect();
        all.sort_unstable_by(f64::total_cmp);
        (!all.is_empty()).then(|| crate::order::quantile(&all, 0.5))
    };
    let (within, between) = (median(&inside)?, median(&outside)?);
    let members = |name: usize| (0..count).filter(|i| group[*i] == name).collect::<Vec<_>>();
    let names = (0..count).filter(|i| group[*i] == *i);
    (between > within * GAP).then(|| Level {
        groups: names.map(members).collect(),
        within,
        between,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(count: usize, distance: impl Fn(usize, usize) -> f64) -> Vec<Level> {
        let all: Vec<_> = pairs(count).map(|(a, b)| (a, b, distance(a, b))).collect();
        levels(count, &all).unwrap()
    }

    #[test]
    fn levels_within_levels_are_all_found() {
        // Threads of a core, caches of four, sockets of eight.
        let found = of(16, |a, b| match (a / 2 == b / 2, a / 4 == b / 4, a / 8 == b / 8) {
            (true, ..) => 10.0,
            (_, true, _) => 25.0,
            (.., true) => 60.0,
            _ => 150.0,
        });
        let sizes: Vec<usize> = found.iter().map(|l| l.groups.len()).collect();
        assert_eq!(sizes, [8, 4, 2]);
        assert_eq!((found[1].within, found[1].between), (25.0, 150.0));
    }

    #[test]
    fn equal_distances_have_no_levels_and_a_slope_has_none() {
        assert!(of(8, |_, _| 50.0).is_empty());
        // A ring or a mesh: the farther the slower, without a gap.
        assert!(of(12, |a, b| 40.0 + 3.0 * (b - a) as f64).is_empty());
    }

    #[test]
    fn one_stray_distance_neither_joins_nor_splits() {
        let two = |a: usize, b: usize| if a / 8 == b / 8 { 25.0 } else { 120.0 };
        let groups = vec![(0..8).collect::<Vec<_>>(), (8..16).collect()];
        let low = of(16, |a, b| if (a, b) == (3, 12) { 24.0 } else { two(a, b) });
        let high = of(16, |a, b| if (a, b) == (1, 2) { 130.0 } else { two(a, b) });
        let between = of(16, |a, b| if (a, b) == (1, 9) { 55.0 } else { two(a, b) });
        for found in [low, high, between] {
            assert!(found.iter().any(|l| l.groups == groups), "{found:?}");
            assert!(found.iter().all(|l| l.groups.len() == 2), "{found:?}");
        }
    }

    #[test]
    fn what_is_incomplete_or_no_distance_states_nothing() {
        assert_eq!(levels(2, &[(0, 1, 1.0)]), None);
        assert_eq!(levels(3, &[(0, 1, 1.0), (0, 2, 1.0)]), None);
        assert_eq!(levels(3, &[(0, 1, 1.0), (0, 2, 1.0), (1, 2, 0.0)]), None);
        assert_eq!(levels(3, &[(0, 1, 1.0), (0, 2, 1.0), (1, 2, f64::NAN)]), None);
        assert_eq!(levels(3, &[(0, 1, 1.0), (0, 2, 1.0), (1, 5, 1.0)]), None);
        assert_eq!(levels(3, &[(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0)]), Some(vec![]));
    }
}
