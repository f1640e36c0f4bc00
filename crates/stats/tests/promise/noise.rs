//! Simulated measurements with a known median.

use stats::rng::Rng;

/// A kind of noise around a level near 1, as multiples of it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Noise {
    /// Normal, with this coefficient of variation.
    Normal(f64),
    /// Logarithms normal with this standard deviation: a long tail to the right, as most timings have.
    LogNormal(f64),
    /// Two states, the second five times the first, the first with this probability; 2 % noise on each.
    Bimodal(f64),
}

impl Noise {
    pub(crate) fn draw(self, rng: &mut Rng) -> f64 {
        match self {
            Noise::Normal(cv) => 1.0 + cv * rng.normal(),
            Noise::LogNormal(sigma) => (sigma * rng.normal()).exp(),
            Noise::Bimodal(first) => {
                let level = if rng.uniform() < first { 1.0 } else { 5.0 };
                level * (1.0 + 0.02 * rng.normal())
            }
        }
    }

    pub(crate) fn series(self, n: usize, rng: &mut Rng) -> Vec<f64> {
        (0..n).map(|_| self.draw(rng)).collect()
    }

    /// Every value between the two is a median: one for the first kinds, the gap for two equally likely states.
    pub(crate) fn medians(self) -> (f64, f64) {
        match self {
            Noise::Normal(_) | Noise::LogNormal(_) => (1.0, 1.0),
            Noise::Bimodal(0.5) => (1.1, 4.5),
            Noise::Bimodal(0.7) => {
                // Φ⁻¹(0.5 / 0.7) = 0.565949
                let median = 1.0 + 0.02 * 0.565_949;
                (median, median)
            }
            Noise::Bimodal(_) => unreachable!("no test uses another share"),
        }
    }

    pub(crate) fn mean(self) -> f64 {
        match self {
            Noise::Normal(_) => 1.0,
            Noise::LogNormal(sigma) => (sigma * sigma / 2.0).exp(),
            Noise::Bimodal(first) => first + 5.0 * (1.0 - first),
        }
    }
}

/// Share of seeded experiments that come out true.
pub(crate) fn rate(
    experiments: u64,
    seed: u64,
    mut experiment: impl FnMut(&mut Rng) -> bool,
) -> f64 {
    let hits = (0..experiments).filter(|k| experiment(&mut Rng::new(seed * 1_000_003 + k))).count();
    hits as f64 / experiments as f64
}
