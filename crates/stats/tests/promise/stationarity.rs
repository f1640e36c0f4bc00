//! Drift, steps and memory are found where they are, and seldom where they are not.

use crate::noise::{Noise, rate};
use stats::{rng::Rng, stationary};

fn shaped(n: usize, rng: &mut Rng, shape: impl Fn(f64) -> f64) -> Vec<f64> {
    let noise = Noise::Normal(0.02).series(n, rng);
    noise.iter().enumerate().map(|(k, x)| x * shape(k as f64 / n as f64)).collect()
}

fn drifts(xs: &[f64]) -> bool {
    stationary::drift(xs).unwrap().significant
}

fn steps(xs: &[f64]) -> bool {
    stationary::step(xs).unwrap().significant
}

/// 0.06 is 5 % and two standard errors of 2,000 experiments.
#[test]
fn white_noise_neither_drifts_nor_steps_more_than_once_in_twenty() {
    for n in [5, 6, 10, 25, 60] {
        let share = rate(2_000, 1, |rng| drifts(&shaped(n, rng, |_| 1.0)));
        assert!(share <= 0.06, "drift, n = {n}: {share}");
    }
    for (n, experiments) in [(8, 500), (10, 500), (25, 300), (100, 2_000)] {
        let share = rate(experiments, 3, |rng| steps(&shaped(n, rng, |_| 1.0)));
        assert!(share <= 0.07, "step, n = {n}: {share}");
    }
}

#[test]
fn a_drift_is_found_and_measured() {
    for (n, least) in [(10, 0.88), (25, 0.99), (100, 0.99)] {
        let share = rate(500, 2, |rng| {
            let found = stationary::drift(&shaped(n, rng, |at| 1.0 + 0.1 * at)).unwrap();
            found.significant && (0.02..0.18).contains(&found.relative_change)
        });
        assert!(share >= least, "n = {n}: {share}");
    }
}

#[test]
fn a_step_is_found_where_it_is() {
    for n in [8, 12, 40, 100] {
        let share = rate(200, 4, |rng| {
            let found =
                stationary::step(&shaped(n, rng, |at| if at < 0.5 { 1.0 } else { 1.1 })).unwrap();
            found.significant
                && found.at.abs_diff(n / 2) <= 1
                && (found.after / found.before - 1.1).abs() < 0.06
        });
        assert!(share >= 0.95, "n = {n}: {share}");
    }
}

/// A walk is nothing but memory; white noise has none.
#[test]
fn memory_is_told_from_none() {
    let mut rng = Rng::new(5);
    let white = Noise::Normal(0.02).series(400, &mut rng);
    let walk: Vec<f64> = white
        .iter()
        .scan(0.0, |at, step| {
            *at += step - 1.0;
            Some(*at)
        })
        .collect();
    assert!(stationary::lag1(&white).unwrap().abs() < 0.15);
    assert!(stationary::lag1(&walk).unwrap() > 0.8);
}
