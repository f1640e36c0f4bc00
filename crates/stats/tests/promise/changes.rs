//! Change points: shifts that are several deviations are found where they are; series without one are left alone.
use stats::changes::changes;
use stats::rng::Rng;

fn series(n: usize, at: usize, shift: f64, rng: &mut Rng) -> Vec<f64> {
    (0..n).map(|i| if i < at { 100.0 } else { 100.0 + shift } + rng.normal()).collect()
}

/// Deviations of the noise are 1 %: a shift of 2 % is two of them.
#[test]
fn planted_shifts_are_found() {
    for (n, shift, least) in
        [(10, 5.0, 75), (20, 2.0, 60), (20, 5.0, 95), (50, 2.0, 90), (50, 10.0, 98)]
    {
        let mut rng = Rng::new(n as u64);
        let found = (0..100u64).filter(|seed| {
            let values = series(n, n / 2, shift, &mut rng);
            changes(&values, *seed).iter().any(|at| at.abs_diff(n / 2) <= 2)
        });
        let found = found.count();
        assert!(found >= least, "n {n}, shift {shift}: {found} of 100");
    }
}

/// At most one false change in 1,000 series-days.
#[test]
fn series_without_a_shift_have_next_to_no_change() {
    let mut rng = Rng::new(9);
    for (n, count) in [(10, 300), (50, 100)] {
        let found: usize =
            (0..count).map(|seed| changes(&series(n, n, 0.0, &mut rng), seed).len()).sum();
        let expected = n as f64 * count as f64 / 1000.0;
        assert!(found as f64 <= 2.0 * expected + 3.0, "n {n}: {found} in {count} series");
    }
}
