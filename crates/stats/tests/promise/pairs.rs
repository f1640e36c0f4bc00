//! Pairs that drift together: four looks err in 5 % at most, and a shift of 1 % is found.

use crate::noise::rate;
use stats::{
    paired::{Decision, LOOK_CONFIDENCE, LOOKS, decide, shift},
    rng::Rng,
};

/// Logarithms of a machine that drifts by a per cent from pair to pair and is slowed by a tenth at times; a side of a pair
/// differs by `cv` from the other.
fn pairs(n: usize, by: f64, cv: f64, rng: &mut Rng) -> Vec<f64> {
    let side = |rng: &mut Rng| {
        let slow = if rng.uniform() < 0.1 { 0.1 * rng.uniform() } else { 0.0 };
        cv * rng.normal() - slow
    };
    (0..n).map(|_| by + side(rng) - side(rng)).collect()
}

fn looked(n: usize, by: f64, cv: f64, least: f64, rng: &mut Rng) -> Decision {
    let all = pairs(n, by, cv, rng);
    let mut looks = (1..=LOOKS).map(|look| decide(&all[..n * look / LOOKS], least));
    looks.find(|d| *d != Decision::Open).unwrap_or(Decision::Open)
}

#[test]
fn four_looks_at_the_same_twice_err_in_one_of_twenty() {
    for n in [28, 60] {
        // 5 % is promised; 7.5 % is three standard errors above.
        let share = rate(800, 1, |rng| looked(n, 0.0, 0.02, 0.0, rng) == Decision::Differs);
        assert!(share < 0.075, "{n}: {share}");
    }
}

#[test]
fn a_shift_of_a_per_cent_is_found_and_none_is_told_from_it() {
    let differs = rate(100, 2, |rng| looked(80, 0.01, 0.01, 0.01, rng) == Decision::Differs);
    assert!(differs > 0.9, "{differs}");
    let same = rate(60, 3, |rng| looked(120, 0.0, 0.01, 0.01, rng) == Decision::Same);
    assert!(same > 0.85, "{same}");
    let tiny = rate(60, 5, |rng| looked(120, 0.002, 0.002, 0.01, rng) == Decision::Same);
    assert!(tiny > 0.85, "a shift far below it: {tiny}");
    let just = rate(60, 5, |rng| looked(120, 0.008, 0.002, 0.01, rng) == Decision::Differs);
    assert!(just > 0.85, "a shift below it: {just}");
}

#[test]
fn the_interval_holds_the_shift_as_often_as_it_says() {
    for n in [7, 12, 40] {
        let holds = rate(800, 4, |rng| {
            let found = shift(&pairs(n, 0.03, 0.02, rng), LOOK_CONFIDENCE).unwrap();
            found.interval.is_some_and(|i| i.low <= 0.03 && 0.03 <= i.high)
        });
        assert!(holds > 0.965, "{n}: {holds}");
    }
}
