//! The id of each query. The distributions are sysbench's with their quirks: `special` draws three quarters of the ids from the
//! middle 1 % of the rows, but sysbench 1.0 uses one random number twice and so reaches only the upper three quarters of these.
//! Source: sysbench sb_rand.c of 0.5 and 1.0; Hörmann and Derflinger 1996 (Zipf by rejection-inversion).
use serde::{Deserialize, Serialize};
use stats::rng::Rng;

/// The distribution of ids over the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Distribution {
    /// Uniform.
    Uniform,
    /// The mean of twelve uniform numbers.
    Gaussian,
    /// sysbench 1.0's default.
    Special,
    /// sysbench 0.5's default.
    #[serde(rename = "special-0.5")]
    Special05,
    /// `u` to the power of 7.2: h is 0.2.
    Pareto,
    /// Zipf's law with exponent 0.8: low ids are hot.
    Zipfian,
}

/// `rand-pareto-h`, `rand-zipfian-exp`, `rand-spec-iter`, `rand-spec-pct` and `rand-spec-res` of sysbench, as it has them.
const PARETO_H: f64 = 0.2;
const ZIPF: f64 = 0.8;
const ITERATIONS: u32 = 12;
const SPECIAL_SHARE: f64 = 0.01;
const SPECIAL_RANGE: f64 = 4.0;

/// Draws ids from 1 to the number of rows.
#[derive(Debug, Clone)]
pub struct Ids {
    distribution: Distribution,
    rows: u64,
    rng: Rng,
    /// Constants of the Zipf sampler: the integral at 1.5 less 1, the integral at the last row and a half, the squeeze.
    zipf: [f64; 3],
}

impl Ids {
    /// Ids of a table with this number of rows.
    pub fn new(distribution: Distribution, rows: u64, seed: u64) -> Ids {
        let rows = rows.max(1);
        let zipf = [
            integral(1.5) - 1.0,
            integral(rows as f64 + 0.5),
            2.0 - inverse(integral(2.5) - height(2.0)),
        ];
        Ids { distribution, rows, rng: Rng::new(seed), zipf }
    }
    /// The next id.
    #[inline]
    pub fn draw(&mut self) -> u64 {
        let n = self.rows as f64;
        let drawn = match self.distribution {
            Distribution::Uniform => self.rng.below(self.rows),
            Distribution::Gaussian => (self.mean() * n) as u64,
            Distribution::Special => {
                let (range, u) = (n - 1.0, self.rng.uniform());
                if u * SPECIAL_RANGE < 1.0 {
                    (self.mean() * range) as u64
                } else {
                    let few = (range * SPECIAL_SHARE).floor();
                    let middle = range / 2.0 - range * SPECIAL_SHARE / 2.0;
                    (u * (few + 1.0) + middle) as u64
                }
            }
            Distribution::Special05 => {
                let range = (self.rows - 1).max(1);
                let drawn = self.rng.below(range * SPECIAL_RANGE as u64);
                if drawn < range {
                    (self.mean() * range as f64) as u64
                } else {
                    drawn % (range / 100).max(1) + range / 2 - range / 200
                }
            }
            Distribution::Pareto => {
                let power = PARETO_H.ln() / (1.0 - PARETO_H).ln();
                (n * self.rng.uniform().powf(power)) as u64
            }
            Distribution::Zipfian => self.zipfian() - 1,
        };
        drawn.min(self.rows - 1) + 1
    }

    fn mean(&mut self) -> f64 {
        (0..ITERATIONS).map(|_| self.rng.uniform()).sum::<f64>() / f64::from(ITERATIONS)
    }

    fn zipfian(&mut self) -> u64 {
        let [first, last, squeeze] = self.zipf;
        loop {
            let u = last + self.rng.uniform() * (first - last);
            let x = inverse(u);
            let k = (x + 0.5).floor().clamp(1.0, self.rows as f64);
            if k - x <= squeeze || u >= integral(k + 0.5) - height(k) {
                return k as u64;
            }
        }
    }
}

fn height(x: f64) -> f64 {
    x.powf(-ZIPF)
}

fn integral(x: f64) -> f64 {
    (x.powf(1.0 - ZIPF) - 1.0) / (1.0 - ZIPF)
}

fn inverse(y: f64) -> f64 {
    (1.0 + y * (1.0 - ZIPF)).max(0.0).powf(1.0 / (1.0 - ZIPF))
}

#[cfg(test)]
mod tests {
    use super::*;
    use database::options;

    const ROWS: u64 = 1000;
    const DRAWS: usize = 200_000;

    fn histogram(distribution: Distribution, cells: usize) -> Vec<f64> {
        let mut ids = Ids::new(distribution, ROWS, 7);
        let mut counts = vec![0.0; cells];
        for _ in 0..DRAWS {
            let id = ids.draw();
            assert!((1..=ROWS).contains(&id), "{id}");
            counts[((id - 1) as usize * cells) / ROWS as usize] += 1.0;
        }
        counts
    }

    /// The statistic of a comparison with what the formula gives; cells with hardly any expectation are left out.
    fn chi_square(seen: &[f64], expected: &[f64]) -> (f64, usize) {
        let cells: Vec<_> = seen.iter().zip(expected).filter(|(_, e)| **e >= 5.0).collect();
        (cells.iter().map(|(s, e)| (*s - *e).powi(2) / *e).sum(), cells.len())
    }

    /// Half a dozen standard deviations above what the statistic is on average.
    fn fits((statistic, cells): (f64, usize)) -> bool {
        let free = cells as f64 - 1.0;
        statistic < free + 6.0 * (2.0 * free).sqrt()
    }

    fn share(of: impl Fn(f64) -> f64, cells: usize) -> Vec<f64> {
        (0..cells)
            .map(|i| {
                (of((i + 1) as f64 / cells as f64) - of(i as f64 / cells as f64)) * DRAWS as f64
            })
            .collect()
    }

    #[test]
    fn uniform_and_pareto_are_as_their_formulas_say() {
        let uniform = histogram(Distribution::Uniform, 100);
        assert!(fits(chi_square(&uniform, &share(|x| x, 100))));
        let power = 0.2f64.ln() / 0.8f64.ln();
        let pareto = histogram(Distribution::Pareto, 100);
        assert!(fits(chi_square(&pareto, &share(|x| x.powf(1.0 / power), 100))));
        assert!(!fits(chi_square(&pareto, &share(|x| x, 100))), "the test has power");
    }

    #[test]
    fn zipf_is_a_power_of_the_rank() {
        let seen = histogram(Distribution::Zipfian, ROWS as usize);
        let sum: f64 = (1..=ROWS).map(|k| height(k as f64)).sum();
        let expected: Vec<f64> =
            (1..=ROWS).map(|k| height(k as f64) / sum * DRAWS as f64).collect();
        assert!(fits(chi_square(&seen, &expected)));
    }

    #[test]
    fn special_is_three_quarters_in_the_middle_and_1_0_misses_a_quarter_of_it() {
        for (distribution, reached) in
            [(Distribution::Special, 0.0075), (Distribution::Special05, 0.01)]
        {
            let mut ids = Ids::new(distribution, 1_000_000, 3);
            let (mut middle, mut lowest, mut highest) = (0, u64::MAX, 0);
            for _ in 0..DRAWS {
                let id = ids.draw();
                // The gaussian part is there as well, thinly.
                if (495_000..=505_001).contains(&id) {
                    middle += 1;
                    (lowest, highest) = (lowest.min(id), highest.max(id));
                }
            }
            let share = f64::from(middle) / DRAWS as f64;
            // 75 %, and of the gaussian quarter what falls there: sd is 1/12, so 1 % of the rows have about 4.8 % of it.
            assert!((share - 0.762).abs() < 0.01, "{distribution:?}: {share}");
            let mut hot = vec![0u32; 10_002];
            let mut ids = Ids::new(distribution, 1_000_000, 4);
            (0..DRAWS * 10).for_each(|_| {
                let id = ids.draw();
                if (495_000..=505_001).contains(&id) {
                    hot[(id - 495_000) as usize] += 1;
                }
            });
            // A hot row is drawn some 150 to 200 times, a cold one about twice.
            let hot = hot.iter().filter(|n| **n > 50).count() as f64 / 1e6;
            assert!((hot - reached).abs() < 0.0002, "{distribution:?}: {hot}");
        }
    }

    #[test]
    fn gaussian_is_narrow_and_in_the_middle() {
        let mut ids = Ids::new(Distribution::Gaussian, 1_000_000, 3);
        let all: Vec<f64> = (0..DRAWS).map(|_| ids.draw() as f64 / 1e6).collect();
        let mean = all.iter().sum::<f64>() / DRAWS as f64;
        let sd = (all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / DRAWS as f64).sqrt();
        assert!((mean - 0.5).abs() < 0.002 && (sd - 1.0 / 12.0).abs() < 0.001, "{mean} {sd}");
    }

    #[test]
    fn a_single_row_is_always_drawn_and_names_are_parsed() {
        use Distribution::{Gaussian, Pareto, Special, Special05, Uniform, Zipfian};
        for d in [Uniform, Gaussian, Special, Special05, Pareto, Zipfian] {
            assert_eq!(options::parse(&record::stored_name(&d)), Ok(d));
            let mut ids = Ids::new(d, 1, 1);
            assert!((0..1000).all(|_| ids.draw() == 1), "{d:?}");
        }
    }
}
