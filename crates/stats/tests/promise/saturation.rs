//! How often the saturation point is found in curves whose true shape is known.
use stats::Sample;
use stats::rng::Rng;
use stats::saturation::{Point, saturation};

const THREADS: [usize; 9] = [1, 2, 3, 4, 6, 8, 12, 16, 24];
const SHARE: f64 = 0.95;
const CURVES: usize = 2000;

/// Bandwidth of n threads: each alone gets 1, all together at most `limit`, with a bend as sharp as `bend`.
fn bandwidth(threads: usize, limit: f64, bend: f64) -> f64 {
    ((threads as f64).powf(-bend) + limit.powf(-bend)).powf(-1.0 / bend)
}

/// Shares of the curves where the range holds the truth, and where the point is the truth; of `biased` ones the limit is
/// taken for the highest value.
fn found(noise: f64, biased: bool) -> (f64, f64) {
    let mut rng = Rng::new(11);
    let (mut covered, mut exact) = (0, 0);
    for _ in 0..CURVES {
        let (limit, bend) = (2.0 + 8.0 * rng.uniform(), 4.0 + 8.0 * rng.uniform());
        let truth: Vec<f64> = THREADS.iter().map(|n| bandwidth(*n, limit, bend)).collect();
        let best = truth.iter().copied().fold(0.0, f64::max);
        let want = truth.iter().position(|b| *b >= SHARE * best).unwrap();
        let points: Vec<Point> = truth
            .iter()
            .map(|b| {
                let samples: Vec<f64> = (0..9).map(|_| b * (1.0 + noise * rng.normal())).collect();
                let sample = Sample::new(&samples).unwrap();
                let i = sample.median_interval(0.95).unwrap();
                Point { value: sample.median(), low: i.low, high: i.high }
            })
            .collect();
        let mut s = saturation(&points, SHARE).unwrap();
        if biased {
            let highest = points.iter().map(|p| p.value).fold(0.0, f64::max);
            let at = |value: fn(&Point) -> f64| {
                points
                    .iter()
                    .position(|p| value(p) >= 1.03 * SHARE * highest)
                    .unwrap_or(THREADS.len())
            };
            s.first = at(|p| p.value);
            s.earliest = at(|p| p.high);
            s.latest = Some(at(|p| p.low));
        }
        covered += usize::from(s.earliest <= want && s.latest.is_none_or(|l| want <= l));
        exact += usize::from(s.first == want);
    }
    (covered as f64 / CURVES as f64, exact as f64 / CURVES as f64)
}

#[test]
fn the_range_holds_the_true_number_of_threads() {
    for (noise, least) in [(0.005, 0.93), (0.01, 0.90), (0.02, 0.80)] {
        let (covered, exact) = found(noise, false);
        println!("noise {noise}: range {covered}, point {exact}");
        assert!(covered > 0.95, "noise {noise}: covered in {covered}");
        assert!(exact > least, "noise {noise}: exact in {exact}");
    }
}

/// A negative control: a limit that is 3 % too high finds other points.
#[test]
fn a_limit_that_is_too_high_is_noticed() {
    let (covered, exact) = found(0.005, true);
    assert!(covered < 0.95 && exact < 0.93, "covered {covered}, exact {exact}");
}

/// Bandwidth that rises with every thread is not called saturated.
#[test]
fn a_straight_line_is_rarely_called_saturated() {
    let mut rng = Rng::new(5);
    let mut wrong = 0;
    for _ in 0..CURVES {
        let points: Vec<Point> = [1, 2, 3, 4, 6, 8]
            .map(|n| {
                let samples: Vec<f64> =
                    (0..9).map(|_| f64::from(n) * (1.0 + 0.03 * rng.normal())).collect();
                let sample = Sample::new(&samples).unwrap();
                let i = sample.median_interval(0.95).unwrap();
                Point { value: sample.median(), low: i.low, high: i.high }
            })
            .into();
        wrong += usize::from(saturation(&points, SHARE).unwrap().seen);
    }
    assert!(wrong < CURVES / 100, "{wrong} of {CURVES}");
}
