//! Two records of one machine are rarely distinguished, however many rows they have, and a changed row is found among many.

use crate::noise::{Noise, rate};
use stats::{beyond::p_value, discovery::adjusted, rng::Rng};

const BAND: f64 = 0.02;
const Q: f64 = 0.05;

/// Values of `a` and `b` with this true ratio.
fn p(noise: Noise, n: usize, ratio: f64, rng: &mut Rng) -> f64 {
    let a: Vec<f64> = noise.series(n, rng).iter().map(|x| x * ratio).collect();
    p_value(&a, &noise.series(n, rng), BAND).unwrap()
}

/// Rows of many kinds, as a record has them: counts, noises, and the rows that differ by `shift`, the first ones.
fn rows(count: usize, differ: usize, shift: f64, rng: &mut Rng) -> Vec<f64> {
    let kinds = [
        (Noise::Normal(0.004), 7),
        (Noise::Normal(0.02), 7),
        (Noise::LogNormal(0.05), 12),
        (Noise::LogNormal(0.3), 5),
        (Noise::Normal(0.05), 101),
    ];
    let row = |i: usize, rng: &mut Rng| {
        let (noise, n) = if i < differ { kinds[0] } else { kinds[i % kinds.len()] };
        p(noise, n, if i < differ { shift } else { 1.0 }, rng)
    };
    let found: Vec<f64> = (0..count).map(|i| row(i, rng)).collect();
    adjusted(&found)
}

#[test]
#[ignore = "prints the tables of the documentation; run with --release --nocapture"]
fn tables() {
    for n in [4, 5, 7, 10, 25, 101] {
        let share = |noise, ratio: f64| {
            [0.05, 0.01, 0.001].map(|most| {
                let share = rate(100_000, 1, |rng| p(noise, n, ratio, rng) <= most);
                format!("{:.3}", 100.0 * share)
            })
        };
        println!(
            "{n} {:?} {:?} {:?} {:?} {:?}",
            share(Noise::Normal(0.02), 1.0 + BAND),
            share(Noise::LogNormal(0.3), 1.0 + BAND),
            share(Noise::Bimodal(0.7), 1.0 + BAND),
            share(Noise::Normal(0.01), 1.0),
            share(Noise::Normal(0.05), 1.0)
        );
    }
    for count in [1, 10, 100, 400] {
        let cries = |ratio: f64| {
            let any = |rng: &mut Rng| rows(count, 0, ratio, rng).iter().any(|q| *q <= Q);
            format!("{:.2}", 100.0 * rate(2_000, 1, any))
        };
        println!("A/A of {count} rows {}", cries(1.0));
    }
}

/// At the edge of the band, where false alarms are most frequent, small probabilities stay honest far out in the tail.
#[test]
fn a_ratio_at_the_edge_is_called_beyond_it_no_more_often_than_stated() {
    for noise in [Noise::Normal(0.02), Noise::LogNormal(0.3)] {
        for n in [4, 7, 25] {
            for (most, allowed) in [(0.05, 0.06), (0.01, 0.014), (0.001, 0.002)] {
                let share = rate(10_000, 2, |rng| p(noise, n, 1.0 + BAND, rng) <= most);
                assert!(share <= allowed, "{noise:?}, n = {n}, p <= {most}: {share}");
            }
        }
    }
}

#[test]
fn two_records_of_one_machine_are_distinguished_at_most_once_in_twenty() {
    for count in [1, 20, 300] {
        let share = rate(400, 3, |rng| rows(count, 0, 1.0, rng).iter().any(|q| *q <= Q));
        assert!(share <= 0.05, "{count} rows: {share}");
    }
}

/// Without the adjustment they would be: the twin that must fail.
#[test]
fn without_adjustment_noisy_rows_cry_more_often() {
    let raw = |rng: &mut Rng| (0..300).any(|_| p(Noise::LogNormal(0.3), 7, 1.0, rng) <= Q);
    assert!(rate(100, 3, raw) > 0.9);
}

#[test]
fn one_row_slower_by_5_percent_is_found_among_300() {
    let found = |rng: &mut Rng| rows(300, 1, 1.05, rng)[0] <= Q;
    assert!(rate(200, 4, found) >= 0.9);
    let share = rate(100, 5, |rng| {
        let found = rows(300, 60, 1.05, rng);
        let (true_ones, false_ones) = found.split_at(60);
        let hits = true_ones.iter().filter(|q| **q <= Q).count();
        let alarms = false_ones.iter().filter(|q| **q <= Q).count();
        hits >= 57 && alarms <= 6
    });
    assert!(share >= 0.9, "{share}");
}
