//! A 95 % interval covers what it says: 93 to 97 % of 2,000 experiments, or what its documentation says instead.

use crate::noise::{Noise, rate};
use stats::{Sample, bootstrap, rng::Rng};

/// The interval of `n` values, as a report takes it: the median's, and of too few values for that the geometric mean's.
fn covers_median(noise: Noise, n: usize, rng: &mut Rng) -> bool {
    let xs = noise.series(n, rng);
    let sample = Sample::new(&xs).unwrap();
    let interval = sample.median_interval(0.95).or_else(|| sample.geometric_interval(0.95));
    let (interval, (low, high)) = (interval.unwrap(), noise.medians());
    interval.low <= high && interval.high >= low
}

fn covers_mean(noise: Noise, n: usize, resamples: usize, rng: &mut Rng) -> bool {
    let xs = noise.series(n, rng);
    let mean = |xs: &[f64]| xs.iter().sum::<f64>() / xs.len() as f64;
    let interval = bootstrap::interval(&xs, mean, 0.95, resamples, rng.next_u64()).unwrap();
    interval.low <= noise.mean() && noise.mean() <= interval.high
}

#[test]
#[ignore = "prints the tables of the documentation; run with --release --nocapture"]
fn tables() {
    for n in [6, 7, 8, 10, 15, 25, 50, 100] {
        let row =
            [Noise::Normal(0.02), Noise::LogNormal(1.0), Noise::Bimodal(0.7), Noise::Bimodal(0.5)]
                .map(|noise| {
                    format!("{:.1}", 100.0 * rate(20_000, 1, |rng| covers_median(noise, n, rng)))
                });
        println!("median {n} {row:?}");
    }
    for n in [2, 3, 4, 5] {
        let row = [
            Noise::Normal(0.02),
            Noise::LogNormal(0.3),
            Noise::LogNormal(1.0),
            Noise::Bimodal(0.7),
        ]
        .map(|noise| format!("{:.1}", 100.0 * rate(20_000, 1, |rng| covers_median(noise, n, rng))));
        println!("few {n} {row:?}");
    }
    for n in [5, 6, 10, 25, 100] {
        let row = [
            Noise::Normal(0.02),
            Noise::LogNormal(0.3),
            Noise::LogNormal(1.0),
            Noise::Bimodal(0.7),
        ]
        .map(|noise| {
            format!("{:.1}", 100.0 * rate(4_000, 1, |rng| covers_mean(noise, n, 1_000, rng)))
        });
        println!("mean {n} {row:?}");
    }
}

#[test]
fn the_median_interval_covers_what_it_says() {
    for noise in [Noise::Normal(0.02), Noise::LogNormal(1.0), Noise::Bimodal(0.7)] {
        for n in [6, 10, 25] {
            let share = rate(2_000, 1, |rng| covers_median(noise, n, rng));
            assert!((0.93..=0.97).contains(&share), "{noise:?}, n = {n}: {share}");
        }
    }
}

#[test]
fn few_values_cover_what_they_say() {
    for noise in [Noise::Normal(0.02), Noise::LogNormal(0.3), Noise::LogNormal(1.0)] {
        for n in [2, 3, 5] {
            let share = rate(2_000, 1, |rng| covers_median(noise, n, rng));
            assert!((0.93..=0.97).contains(&share), "{noise:?}, n = {n}: {share}");
        }
    }
    // As documented: two values of two states do not show both.
    let share = rate(2_000, 1, |rng| covers_median(Noise::Bimodal(0.7), 2, rng));
    assert!((0.85..0.90).contains(&share), "{share}");
}

/// As documented: where a whole gap of values are medians, touching it is easier.
#[test]
fn two_equal_states_are_covered_more_often_never_less() {
    for n in [6, 10, 25] {
        let share = rate(2_000, 1, |rng| covers_median(Noise::Bimodal(0.5), n, rng));
        assert!((0.94..=0.99).contains(&share), "n = {n}: {share}");
    }
}

/// Negative control: an interval a fifth narrower is caught by the same bounds.
#[test]
fn a_narrower_interval_would_be_noticed() {
    let share = rate(2_000, 1, |rng| {
        let xs = Noise::Normal(0.02).series(10, rng);
        let sample = Sample::new(&xs).unwrap();
        let (median, interval) = (sample.median(), sample.median_interval(0.95).unwrap());
        median + 0.8 * (interval.low - median) <= 1.0
            && median + 0.8 * (interval.high - median) >= 1.0
    });
    assert!(share < 0.93, "{share}");
}

#[test]
fn the_bootstrap_covers_what_it_says() {
    for (noise, n, low, high) in [
        (Noise::Normal(0.02), 10, 0.93, 0.97),
        (Noise::Normal(0.02), 25, 0.93, 0.97),
        (Noise::LogNormal(0.3), 25, 0.93, 0.97),
        // Labelled: few values from a long tail do not show the tail.
        (Noise::Normal(0.02), 6, 0.91, 0.95),
        (Noise::LogNormal(1.0), 10, 0.82, 0.88),
    ] {
        let share = rate(2_000, 1, |rng| covers_mean(noise, n, 300, rng));
        assert!((low..=high).contains(&share), "{noise:?}, n = {n}: {share}");
    }
}
