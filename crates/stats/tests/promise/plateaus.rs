//! Simulated latency curves with known levels: they are found, counted, measured and distinguished from a mere rise.

use stats::plateau::{Levels, Plateau, Point, assign, find};
use stats::rng::Rng;

const KIB: f64 = 1024.0;
const MIB: f64 = 1024.0 * KIB;

/// A level that lasts up to a size. From there to `blurred` times it, the curve rises to the next.
#[derive(Clone, Copy)]
struct Level {
    first: f64,
    last: f64,
    until: f64,
    blurred: f64,
}

const fn flat(level: f64, until: f64) -> Level {
    Level { first: level, last: level, until, blurred: 1.0 }
}

const L1: Level = flat(0.93, 48.0 * KIB);
const L2: Level = flat(3.15, MIB);
/// A third level that creeps over its range, and passes only slowly into memory.
const CREEPING: Level = Level { first: 9.5, last: 12.6, until: 16.0 * MIB, blurred: 6.0 };
const MEMORY: Level = flat(150.0, f64::INFINITY);

/// The curve without noise, at sizes from 8 KiB up to `to`, so many to the octave.
fn sizes(to: f64, per_octave: i32) -> Vec<f64> {
    (0..)
        .map(|k| 8.0 * KIB * (f64::from(k) / f64::from(per_octave)).exp2())
        .take_while(|x| *x <= to * 1.0001)
        .collect()
}

fn height(levels: &[Level], x: f64) -> f64 {
    let mut from = 8.0 * KIB;
    for (k, level) in levels.iter().enumerate() {
        if x <= level.until {
            let share = if level.until.is_finite() {
                (x / from).ln() / (level.until / from).ln()
            } else {
                0.0
            };
            return level.first * (level.last / level.first).powf(share);
        }
        from = level.until * level.blurred;
        if x < from {
            let share = (x / level.until).ln() / level.blurred.ln();
            return level.last * (levels[k + 1].first / level.last).powf(share);
        }
    }
    f64::NAN
}

fn measure(levels: &[Level], sizes: &[f64], noise: f64, seed: u64) -> Vec<Point> {
    let mut rng = Rng::new(seed);
    sizes
        .iter()
        .map(|&x| Point { x, y: height(levels, x) * (1.0 + noise * rng.normal()) })
        .collect()
}

/// Median of what the curve without noise has on a level.
fn truth(levels: &[Level], k: usize, sizes: &[f64]) -> f64 {
    let from = if k == 0 { 0.0 } else { levels[k - 1].until * levels[k - 1].blurred };
    let on = sizes
        .iter()
        .filter(|x| **x >= from * 0.9999 && **x <= levels[k].until)
        .map(|&x| height(levels, x));
    stats::Sample::new(&on.collect::<Vec<_>>()).unwrap().median()
}

/// The fault of the answer; `None` if it is right.
fn fault(
    levels: &[Level],
    sizes: &[f64],
    per_octave: i32,
    tolerance: f64,
    found: &Levels,
) -> Option<String> {
    if found.plateaus.len() != levels.len() {
        return Some(format!("{} levels for {}", found.plateaus.len(), levels.len()));
    }
    for (k, plateau) in found.plateaus.iter().enumerate() {
        let truth = truth(levels, k, sizes);
        if (plateau.level / truth - 1.0).abs() > tolerance {
            return Some(format!("level {k}: {} for {truth}", plateau.level));
        }
    }
    for (k, knee) in found.knees.iter().enumerate() {
        let middle = levels[k].until * levels[k].blurred.sqrt();
        if (knee / middle).log2().abs() > 1.0 / f64::from(per_octave) {
            return Some(format!("knee {k}: {knee} for {middle}"));
        }
    }
    None
}

/// Name, levels, largest size.
fn curves() -> Vec<(&'static str, Vec<Level>, f64)> {
    let sharp_l3 = Level { blurred: 4.0, ..flat(10.25, 16.0 * MIB) };
    vec![
        ("one", vec![MEMORY], MIB),
        ("L1, L2", vec![L1, Level { until: f64::INFINITY, ..L2 }], MIB),
        ("L1, L2, memory", vec![L1, L2, MEMORY], 512.0 * MIB),
        ("four", vec![L1, L2, sharp_l3, MEMORY], 512.0 * MIB),
        ("four, creeping", vec![L1, L2, CREEPING, MEMORY], 512.0 * MIB),
        (
            "TLB step",
            vec![L1, flat(3.1, 416.0 * KIB), flat(4.7, MIB), CREEPING, MEMORY],
            512.0 * MIB,
        ),
    ]
}
fn faults(seeds: u64, per_octave: i32, noise: f64, tolerance: f64) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, levels, to) in curves() {
        let sizes = sizes(to, per_octave);
        for seed in 0..seeds {
            let found = find(&measure(&levels, &sizes, noise, seed));
            let fault = fault(&levels, &sizes, per_octave, tolerance, &found);
            faults.extend(
                fault.map(|fault| format!("{name}, {per_octave} per octave, seed {seed}: {fault}")),
            );
        }
    }
    faults
}

#[test]
#[ignore = "prints the shares in the documentation; run with --release --nocapture"]
fn tables() {
    for (noise, tolerance) in [(0.02, 0.06), (0.02, 0.02), (0.005, 0.02)] {
        for per_octave in [2, 3, 4, 8] {
            let faults = faults(400, per_octave, noise, tolerance);
            let levels = faults.iter().filter(|fault| fault.contains(": level")).count();
            println!(
                "noise {noise}, {per_octave} per octave: {levels} of 2,400 with a level off by {tolerance}"
            );
            println!("  other faults: {}", faults.len() - levels);
        }
    }
}

/// Levels within 2 %, knees within one step, at the noise of a median of repetitions.
#[test]
fn levels_and_knees_are_found_at_half_a_percent_of_noise() {
    for per_octave in [3, 4, 8] {
        assert_eq!(faults(40, per_octave, 0.005, 0.02), [] as [String; 0]);
    }
}

/// At 2 % the median of the few points of a level is itself known to 2 or 3 % only; their number is not in doubt.
#[test]
fn levels_are_counted_right_at_2_percent_of_noise() {
    for per_octave in [2, 3, 4, 8] {
        assert_eq!(faults(40, per_octave, 0.02, 0.06), [] as [String; 0]);
    }
}

#[test]
fn two_points_of_memory_are_enough() {
    let levels = [L1, L2, CREEPING, MEMORY];
    let mut sizes = sizes(64.0 * MIB, 4);
    sizes.extend([256.0 * MIB, 512.0 * MIB]);
    for seed in 0..50 {
        let found = find(&measure(&levels, &sizes, 0.02, seed));
        let last = found.plateaus.last().unwrap();
        assert_eq!(
            (found.plateaus.len(), last.points, last.to),
            (4, 2, 512.0 * MIB),
            "seed {seed}: {found:?}"
        );
        assert!((last.level / 150.0 - 1.0).abs() < 0.05);
    }
}

#[test]
fn a_wild_point_breaks_no_plateau() {
    let (levels, sizes) = ([L1, L2, CREEPING, MEMORY], sizes(512.0 * MIB, 4));
    let clean = find(&measure(&levels, &sizes, 0.01, 1));
    for at in 1..sizes.len() - 1 {
        let mut points = measure(&levels, &sizes, 0.01, 1);
        points[at].y *= 3.0;
        // In a knee or at its edge the point may pass for one of a level.
        if clean
            .plateaus
            .iter()
            .any(|plateau| plateau.from < sizes[at - 1] && sizes[at + 1] < plateau.to)
        {
            let found = find(&points);
            assert_eq!(found.plateaus.len(), 4, "at {}: {found:?}", sizes[at]);
            for (found, clean) in found.plateaus.iter().zip(&clean.plateaus) {
                assert!((found.level / clean.level - 1.0).abs() < 0.05);
                assert_eq!((found.from, found.to), (clean.from, clean.to), "at {}", sizes[at]);
            }
        }
    }
}

fn line(per_octave: i32, seed: u64, height: impl Fn(f64) -> f64) -> Levels {
    let mut rng = Rng::new(seed);
    let point = |x: &f64| Point { x: *x, y: height(x / (8.0 * KIB)) * (1.0 + 0.02 * rng.normal()) };
    find(&sizes(512.0 * MIB, per_octave).iter().map(point).collect::<Vec<_>>())
}

/// Negative control: a curve that rises by the root of x or faster has no levels, whatever the noise makes of it.
#[test]
fn a_straight_climb_has_no_plateau() {
    for (per_octave, power) in [(2, 0.7), (4, 0.7), (8, 0.7), (4, 1.0), (8, 1.0)] {
        for seed in 0..50 {
            assert_eq!(
                line(per_octave, seed, |x| x.powf(power)),
                Levels::default(),
                "{per_octave} {power} {seed}"
            );
        }
    }
}

/// Negative control: a curve that creeps all the way is one plateau at most, and its spread says what it is.
#[test]
fn a_creeping_line_is_labelled_with_its_spread() {
    for per_octave in [4, 8] {
        for slope in [0.05, 0.1, 0.2] {
            for seed in 0..25 {
                let found = line(per_octave, seed, |x| x.powf(slope));
                assert!(found.plateaus.len() == 1 && found.plateaus[0].spread > 0.4, "{found:?}");
                let found = line(per_octave, seed, |x| 1.0 + slope * x.ln());
                assert!(found.plateaus.len() == 1 && found.plateaus[0].spread > 0.4, "{found:?}");
            }
        }
    }
}

#[test]
fn nothing_to_see_is_nothing() {
    assert_eq!(find(&[]), Levels::default());
    assert_eq!(find(&[Point { x: 1.0, y: 1.0 }]), Levels::default());
    let bad = [Point { x: 0.0, y: 1.0 }, Point { x: 1.0, y: f64::NAN }, Point { x: -1.0, y: 2.0 }];
    assert_eq!(find(&bad), Levels::default());
}

#[test]
fn order_and_repetition_of_the_points_do_not_matter() {
    let points = measure(&[L1, L2, MEMORY], &sizes(128.0 * MIB, 4), 0.01, 7);
    let expected = find(&points);
    let mut thrice = [points.clone(), points.clone(), points].concat();
    Rng::new(8).shuffle(&mut thrice);
    assert_eq!(find(&thrice), expected);
}

fn hints() -> Vec<(String, f64)> {
    // Not in order: they are sorted by capacity.
    vec![("L3".to_owned(), 16.0 * MIB), ("L1".to_owned(), 48.0 * KIB), ("L2".to_owned(), MIB)]
}

fn names(levels: &[Level], to: f64) -> Vec<(String, Option<f64>)> {
    let found = find(&measure(levels, &sizes(to, 4), 0.005, 3));
    assign(&found, &hints())
        .into_iter()
        .map(|(name, plateau)| (name, plateau.map(|plateau| plateau.level)))
        .collect()
}

fn close(found: &[(String, Option<f64>)], expected: [(&str, Option<f64>); 4]) {
    for ((name, level), (expected_name, expected)) in found.iter().zip(expected) {
        assert_eq!(name, expected_name);
        match (level, expected) {
            (Some(level), Some(expected)) => {
                assert!((level / expected - 1.0).abs() < 0.03, "{name}: {level}")
            }
            (level, expected) => assert_eq!(*level, expected, "{name}"),
        }
    }
    assert_eq!(found.len(), 4);
}

#[test]
fn plateaus_get_the_names_of_the_caches() {
    let found = names(&[L1, L2, CREEPING, MEMORY], 512.0 * MIB);
    close(
        &found,
        [("L1", Some(0.93)), ("L2", Some(3.15)), ("L3", Some(10.94)), ("memory", Some(150.0))],
    );
}

#[test]
fn a_tlb_step_takes_no_name_from_a_cache() {
    let found = names(&[L1, flat(3.1, 416.0 * KIB), flat(4.7, MIB), CREEPING, MEMORY], 512.0 * MIB);
    close(
        &found,
        [("L1", Some(0.93)), ("L2", Some(3.1)), ("L3", Some(10.94)), ("memory", Some(150.0))],
    );
}

/// A third level that somebody else holds: the curve goes from L2 to memory.
#[test]
fn a_cache_the_curve_does_not_show_is_none() {
    let found = names(&[L1, L2, MEMORY], 512.0 * MIB);
    close(&found, [("L1", Some(0.93)), ("L2", Some(3.15)), ("L3", None), ("memory", Some(150.0))]);
}

#[test]
fn a_curve_that_ends_too_early_has_no_memory() {
    let found = names(&[L1, L2, CREEPING, MEMORY], 12.0 * MIB);
    close(&found, [("L1", Some(0.93)), ("L2", Some(3.15)), ("L3", Some(10.8)), ("memory", None)]);
    assert_eq!(assign(&Levels::default(), &[]), [("memory".to_owned(), None)]);
}

/// Between 0.7 and 1.3 times a capacity two levels answer: what is flat there is neither.
#[test]
fn what_is_flat_around_a_capacity_gets_no_name() {
    let between = Plateau { from: 0.8 * MIB, to: 1.25 * MIB, level: 6.0, points: 3, spread: 0.05 };
    let levels = Levels { plateaus: vec![between], knees: Vec::new() };
    assert!(assign(&levels, &hints()).iter().all(|(_, plateau)| plateau.is_none()));
}
