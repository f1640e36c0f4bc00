//! The normal distribution and Student's t, as far as intervals need them.

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
    root(0.0, 1e6, 80, |t| student_mass(degrees, t) - confidence)
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

/// Where a rising function crosses zero, after so many halvings.
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
