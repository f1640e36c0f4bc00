//! How often the intervals of the scalability law hold the parameters of simulated curves.
use stats::Interval;
use stats::rng::Rng;
use stats::usl::{Point, UslFit, fit};

const COUNTS: [f64; 6] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
const CURVES: usize = 300;

/// Laws of simulated curves with relative noise, `repeats` points a count.
fn laws(sigma: f64, kappa: f64, noise: f64, repeats: usize) -> Vec<UslFit> {
    let mut rng = Rng::new(23);
    let mut law = || {
        let points: Vec<Point> = COUNTS
            .iter()
            .flat_map(|n| std::iter::repeat_n(*n, repeats))
            .map(|n| {
                let rate = 5.0 * n / (1.0 + sigma * (n - 1.0) + kappa * n * (n - 1.0));
                Point { count: n, rate: rate * (1.0 + noise * rng.normal()) }
            })
            .collect();
        fit(&points, 0.95).unwrap()
    };
    (0..CURVES).map(|_| law()).collect()
}

fn share(laws: &[UslFit], holds: impl Fn(&UslFit) -> bool) -> f64 {
    laws.iter().filter(|l| holds(l)).count() as f64 / laws.len() as f64
}

fn holds(interval: &Interval, value: f64) -> bool {
    interval.low <= value && value <= interval.high
}

#[test]
fn intervals_hold_the_true_parameters() {
    for (sigma, kappa) in [(0.05, 0.002), (0.2, 0.005), (0.02, 0.0005)] {
        for (noise, repeats) in [(0.01, 3), (0.05, 3)] {
            let laws = laws(sigma, kappa, noise, repeats);
            let of_sigma = share(&laws, |l| holds(&l.sigma_interval, sigma));
            let of_kappa = share(&laws, |l| holds(&l.kappa_interval, kappa));
            let knee = ((1.0 - sigma) / kappa).sqrt();
            // Where no knee is claimed nothing wrong is said.
            let of_knee = share(&laws, |l| l.knee.is_none_or(|(_, i)| holds(&i, knee)));
            let seen = share(&laws, |l| l.knee.is_some());
            println!(
                "{sigma} {kappa} {noise} {repeats}: {of_sigma} {of_kappa} {of_knee}, knee seen {seen}"
            );
            for covered in [of_sigma, of_kappa, of_knee] {
                assert!((0.915..=0.99).contains(&covered), "{sigma} {kappa} {noise}: {covered}");
            }
        }
    }
}

#[test]
fn without_coherency_hardly_a_knee_is_seen() {
    for (sigma, noise) in [(0.0, 0.01), (0.05, 0.01), (0.3, 0.03), (1.0, 0.01)] {
        let laws = laws(sigma, 0.0, noise, 5);
        let (knees, covered) = (
            share(&laws, |l| l.knee.is_some()),
            share(&laws, |l| holds(&l.sigma_interval, sigma) && holds(&l.kappa_interval, 0.0)),
        );
        println!("sigma {sigma} noise {noise}: knee in {knees}, covered {covered}");
        assert!(knees < 0.045, "{knees}");
        assert!(covered > 0.91, "{covered}");
    }
}

/// A negative control: intervals of half the width must be noticed.
#[test]
fn intervals_that_are_too_narrow_are_noticed() {
    let half = |i: &Interval, at: f64| Interval {
        low: f64::midpoint(i.low, at),
        high: f64::midpoint(i.high, at),
        confidence: i.confidence,
    };
    let laws = laws(0.05, 0.002, 0.01, 3);
    let covered = share(&laws, |l| holds(&half(&l.sigma_interval, l.sigma), 0.05));
    assert!(covered < 0.8, "{covered}");
}
