//! Groups are found where there are some, and none where there are none, under the noise that medians of round trips have.

use crate::noise::rate;
use stats::{
    cluster::{Level, levels},
    rng::Rng,
};

/// Distances with relative noise, and a share of them disturbed up to fourfold.
fn measured(
    count: usize,
    noise: f64,
    disturbed: f64,
    rng: &mut Rng,
    truth: impl Fn(usize, usize) -> f64,
) -> Vec<Level> {
    let mut all = vec![];
    for a in 0..count {
        for b in a + 1..count {
            let mut distance = truth(a, b) * (1.0 + noise * rng.normal()).max(0.2);
            if rng.uniform() < disturbed {
                distance *= 1.0 + 3.0 * rng.uniform();
            }
            all.push((a, b, distance));
        }
    }
    levels(count, &all).unwrap()
}

/// Near and far as placements of virtual CPUs were seen: 25 ns and 122 ns.
fn groups_of(size: usize) -> impl Fn(usize, usize) -> f64 {
    move |a, b| if a / size == b / size { 25.0 } else { 122.0 }
}

fn expected(count: usize, size: usize) -> Vec<Vec<usize>> {
    (0..count / size).map(|g| (g * size..(g + 1) * size).collect()).collect()
}

/// Of machines whose CPUs are equally far apart, how many seem to have groups.
#[test]
fn one_cluster_is_not_divided() {
    for (count, noise) in [(3, 0.02), (3, 0.05), (4, 0.1), (8, 0.1), (24, 0.1), (48, 0.05)] {
        let wrong = rate(2000 / count as u64, 1, |rng| {
            !measured(count, noise, 0.0, rng, |_, _| 25.0).is_empty()
        });
        let most = if noise > 0.05 { 0.025 } else { 0.01 };
        assert!(wrong <= most, "{count} CPUs, noise {noise}: {wrong}");
    }
}

/// Hidden clusters inside one advertised cache: found whole, and nothing else is.
#[test]
fn hidden_clusters_are_found_whole() {
    for (count, size) in [(4, 2), (8, 4), (16, 8), (24, 3), (32, 8), (48, 6)] {
        for (noise, disturbed) in [(0.02, 0.0), (0.05, 0.0), (0.1, 0.0), (0.05, 0.02)] {
            let truth = expected(count, size);
            let right = rate(400 / count as u64, 2, |rng| {
                let found = measured(count, noise, disturbed, rng, groups_of(size));
                found.iter().any(|l| l.groups == truth) && found.len() == 1
            });
            // A disturbed distance of the few that a small machine has is as good as another machine.
            let least = match disturbed > 0.0 && size < 6 {
                true => 0.6,
                false if noise > 0.05 => 0.9,
                false => 0.95,
            };
            assert!(right >= least, "{count} by {size}, {noise}, {disturbed}: {right}");
        }
    }
}

/// Threads of a core inside caches inside sockets: every level, in this order.
#[test]
fn levels_inside_levels_are_distinguished() {
    let right = rate(50, 3, |rng| {
        let found = measured(32, 0.04, 0.0, rng, |a, b| match (a / 2 == b / 2, a / 16 == b / 16) {
            (true, _) => 9.0,
            (_, true) if a / 8 == b / 8 => 26.0,
            (_, true) => 75.0,
            _ => 140.0,
        });
        found.iter().map(|l| l.groups.len()).collect::<Vec<_>>() == [16, 4, 2]
    });
    assert!(right >= 0.95, "{right}");
}

/// The broken twin: without a gap to look for, noise divides what hangs together.
#[test]
fn a_smaller_gap_would_divide_what_hangs_together() {
    let wrong = rate(300, 4, |rng| {
        let mut values: Vec<f64> = (0..6).map(|_| 25.0 * (1.0 + 0.1 * rng.normal())).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.windows(2).any(|w| w[1] > w[0] * 1.1)
    });
    assert!(wrong > 0.1, "{wrong}");
}
