//! NIST Statistical Reference Datasets, univariate: mean and standard deviation against the certified values.
//! <https://www.itl.nist.gov/div898/strd/univ/homepage.html>; NumAcc1 to 4 are made from their definitions.

use stats::Sample;

/// Correct significant digits, as NIST counts them.
fn digits(found: f64, certified: f64) -> f64 {
    if found == certified { 15.0 } else { -((found - certified) / certified).abs().log10() }
}

/// `middle`, then `low` and `high` in turn, 500 times each.
fn numacc(middle: f64, low: f64, high: f64) -> Vec<f64> {
    std::iter::once(middle).chain((0..1000).map(|k| if k % 2 == 0 { low } else { high })).collect()
}

/// E\[x²\] − E\[x\]²: what one must not do.
fn naive_stddev(xs: &[f64]) -> f64 {
    let n = xs.len() as f64;
    let (sum, squares) = xs.iter().fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
    ((squares / n - (sum / n).powi(2)) * n / (n - 1.0)).sqrt()
}

fn check(xs: &[f64], mean: f64, stddev: f64, least: f64) {
    let sample = Sample::new(xs).unwrap();
    assert!(digits(sample.mean(), mean) > 14.5, "mean {}", sample.mean());
    let found = sample.stddev().unwrap();
    assert!(digits(found, stddev) > least, "stddev {found}: {} digits", digits(found, stddev));
}

#[test]
fn numacc1() {
    check(&[10_000_001.0, 10_000_003.0, 10_000_002.0], 10_000_002.0, 1.0, 14.9);
}

#[test]
fn numacc2() {
    check(&numacc(1.2, 1.1, 1.3), 1.2, 0.1, 14.0);
}

/// The values themselves, as `f64`, are off by 1e-11 of their spread, and by 1e-9 in NumAcc4: no sum can do better.
#[test]
fn numacc3() {
    check(&numacc(1_000_000.2, 1_000_000.1, 1_000_000.3), 1_000_000.2, 0.1, 9.0);
}

#[test]
fn numacc4() {
    check(&numacc(10_000_000.2, 10_000_000.1, 10_000_000.3), 10_000_000.2, 0.1, 8.0);
}

#[test]
fn the_short_formula_fails_where_we_do_not() {
    let xs = numacc(10_000_000.2, 10_000_000.1, 10_000_000.3);
    let naive = naive_stddev(&xs);
    assert!(naive.is_nan() || digits(naive, 0.1) < 2.0, "{naive}");
    // And it is a formula: on easy values it is right.
    assert!(digits(naive_stddev(&numacc(1.2, 1.1, 1.3)), 0.1) > 10.0);
}
