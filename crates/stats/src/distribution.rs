//! The normal distribution and Student's t, as far as intervals need them.

use crate::order::ByCount;
use std::f64::consts::{FRAC_2_SQRT_PI, PI, SQRT_2};

/// Φ(x). Taylor series of erf in the middle, continued fraction of erfc outside; good to 1e-13 absolute.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    let z = x.abs() / SQRT_2;
    let upper = if z < 3.0 {
        let (mut term, mut sum, mut k) = (z, z, 0.0);
        while term.abs() > 1e-17 {
            k += 1.0;
            term *= -z * z / k;
            sum += term / (2.0 * k + 1.0);
        }
        0.5 - 0.5 * FRAC_2_SQRT_PI * sum
    } else {
        let fraction = (1..60).rev().fold(z, |tail, k| z + f64::from(k) / 2.0 / tail);
        0.25 * FRAC_2_SQRT_PI * (-z * z).exp() / fraction
    };
    if x > 0.0 { 1.0 - upper } else { upper }
}

/// Φ⁻¹(p) for p between 1e-18 and 1 − 1e-15: a few halvings, then Newton.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    let near = root(-9.0, 9.0, 10, |x| normal_cdf(x) - p);
    (0..3).fold(near, |x, _| x - (normal_cdf(x) - p) * (2.0 * PI).sqrt() * (x * x / 2.0).exp())
}

/// The t with which Student's distribution of `degrees` ≥ 1 holds `confidence` of its mass in ±t.
pub(crate) fn student_two_sided(degrees: usize, confidence: f64) -> f64 {
    // Beyond 200 degrees the two differ by less than half a percent.
    if degrees > 200 {
        return normal_quantile(0.5 + confidence / 2.0);
    }
    let search = || root(0.0, 1e6, 80, |t| student_mass(degrees, t) - confidence);
    // A comparison of many records asks for the same few again and again, a quarter of its time.
    static OF_95: ByCount<f64> = ByCount::new();
    if confidence == 0.95 { OF_95.get(degrees, search) } else { search() }
}

/// Mass of Student's t in ±t: the finite series of Abramowitz & Stegun 26.7.3 and 26.7.4.
fn student_mass(degrees: usize, t: f64) -> f64 {
    let angle = (t / (degrees as f64).sqrt()).atan();
    let (sin, cos) = angle.sin_cos();
    let odd = degrees % 2 == 1;
    let (mut term, mut sum) = if odd { (cos, 0.0) } else { (1.0, 0.0) };
    let mut k = if odd { 1 } else { 0 };
    while k + 2 <= degrees {
        sum += term;
        term *= cos * cos * (k + 1) as f64 / (k + 2) as f64;
        k += 2;
    }
    if odd { 2.0 / PI * (angle + sin * sum) } else { sin * sum }
}

/// P(T > t) for t ≥ 0 and any number of degrees above 0: half the regularised incomplete beta function, by Lentz's
/// continued fraction (Press et al., Numerical Recipes, 6.4).
pub(crate) fn student_upper(t: f64, degrees: f64) -> f64 {
    let (a, b) = (degrees / 2.0, 0.5);
    let x = degrees / (degrees + t * t);
    if x >= 1.0 {
        return 0.5;
    }
    // ln Γ(b), b being a half.
    let half = 0.5 * PI.ln();
    let front = (ln_gamma(a + b) - ln_gamma(a) - half + a * x.ln() + b * (1.0 - x).ln()).exp();
    let upper = if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(a, b, x) / a
    } else {
        1.0 - front * beta_fraction(b, a, 1.0 - x) / b
    };
    0.5 * upper.clamp(0.0, 1.0)
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let apart = |v: f64| if v.abs() < 1e-300 { 1e-300 } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / apart(1.0 - (a + b) * x / (a + 1.0));
    let mut h = d;
    for m in 1..300 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / apart(1.0 + even * d);
        c = apart(1.0 + even / c);
        h *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / apart(1.0 + odd * d);
        c = apart(1.0 + odd / c);
        h *= d * c;
        if (d * c - 1.0).abs() < 1e-14 {
            break;
        }
    }
    h
}

/// ln Γ(x) for x > 0: Stirling's series above 16 (Abramowitz & Stegun 6.1.41), recurrence below.
fn ln_gamma(mut x: f64) -> f64 {
    // The logarithm of a product instead of sixteen logarithms, of which a comparison of a fleet makes millions.
    let mut below = 1.0;
    while x < 16.0 {
        below *= x;
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    (x - 0.5) * x.ln() - x
        + 0.5 * (2.0 * PI).ln()
        + (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y / 1680.0))) / x
        - below.ln()
}

/// The zero of a rising function, after so many bisections.
fn root(mut low: f64, mut high: f64, halvings: u32, rising: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..halvings {
        let middle = low + (high - low) / 2.0;
        if rising(middle) < 0.0 { low = middle } else { high = middle }
    }
    low + (high - low) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways to the same number: the finite series for whole degrees, the continued fraction for any.
    #[test]
    fn the_tail_of_t_agrees_with_the_series() {
        for degrees in [1, 2, 3, 5, 8, 30, 150] {
            for t in [0.1, 0.7, 1.3, 2.2, 4.0, 9.0] {
                let (tail, mass) = (student_upper(t, degrees as f64), student_mass(degrees, t));
                assert!((tail - (1.0 - mass) / 2.0).abs() < 1e-12, "{degrees} {t} {tail}");
            }
        }
        assert_eq!(student_upper(0.0, 3.5), 0.5);
        // Between whole degrees it lies between theirs, and far out it stays a number above zero.
        let at = |degrees| student_upper(3.0, degrees);
        assert!(at(5.0) < at(4.5) && at(4.5) < at(4.0));
        assert!(student_upper(1e3, 8.0) > 0.0 && student_upper(1e3, 8.0) < 1e-18);
    }

    #[test]
    fn the_normal_is_that_of_the_tables() {
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-1.96, 0.024_997_895_148_220),
            (-5.0, 2.866_515_718_791_94e-7),
        ] {
            assert!((normal_cdf(x) - p).abs() < 1e-12, "{x} {}", normal_cdf(x));
        }
        for (p, x) in [
            (0.975, 1.959_963_984_540_05),
            (1.0 / 16.0, -1.534_120_544_352_55),
            (1e-10, -6.361_340_902_404_06),
        ] {
            assert!((normal_quantile(p) - x).abs() < 1e-9, "{p} {}", normal_quantile(p));
        }
    }

    #[test]
    fn students_t_is_that_of_the_tables() {
        for (degrees, t) in [
            (1, 12.706_205),
            (2, 4.302_653),
            (5, 2.570_582),
            (9, 2.262_157),
            (24, 2.063_899),
            (120, 1.979_930),
        ] {
            assert!(
                (student_two_sided(degrees, 0.95) - t).abs() < 1e-5,
                "{degrees} {}",
                student_two_sided(degrees, 0.95)
            );
        }
    }
}
