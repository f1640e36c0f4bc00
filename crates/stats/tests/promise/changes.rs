//! Change points: shifts that are several deviations are found where they are; series without one are left alone.
use stats::changes::changes;
use stats::rng::Rng;

fn series(n: usize, at: usize, shift: f64, rng: &mut Rng) -> Vec<f64> {
    (0..n).map(|i| if i < at { 100.0 } else { 100.0 + shift } + rng.normal()).collect()
}

/// Deviations of the noise are 1 %, as those of a guest: a shift of 2 % is two of them. Fewer than ten values have too few orders.
#[test]
fn planted_shifts_are_found() {
    for (n, shift, least, most) in [
        (5, 10.0, 0, 0),
        (9, 10.0, 0, 0),
        (10, 2.0, 5, 60),
        (10, 5.0, 75, 100),
        (10, 10.0, 90, 100),
        (20, 2.0, 60, 100),
        (20, 5.0, 95, 100),
        (50, 2.0, 85, 100),
        (50, 10.0, 98, 100),
    ] {
        let mut rng = Rng::new(n as u64);
        let found = (0..100u64).filter(|seed| {
            let values = series(n, n / 2, shift, &mut rng);
            changes(&values, *seed).iter().any(|at| at.abs_diff(n / 2) <= 2)
        });
        let found = found.count();
        assert!((least..=most).contains(&found), "n {n}, shift {shift}: {found} of 100");
    }
}

/// At most one false change in 1,000 series-days, of quiet runs and of runs of which one in twenty is disturbed.
#[test]
fn series_without_a_shift_have_next_to_no_change() {
    let mut rng = Rng::new(9);
    for (n, count, disturbed) in
        [(10, 300, false), (30, 100, false), (50, 60, false), (30, 100, true)]
    {
        let found: usize = (0..count)
            .map(|seed| {
                let mut values = series(n, n, 0.0, &mut rng);
                for x in values.iter_mut().filter(|_| disturbed) {
                    *x -= if rng.below(20) == 0 { 20.0 * rng.uniform() } else { 0.0 };
                }
                changes(&values, seed).len()
            })
            .sum();
        // Three are expected at most; eight are exceeded once in 260 times.
        assert!(found <= 8, "n {n}: {found} in {count} series, disturbed {disturbed}");
    }
}
