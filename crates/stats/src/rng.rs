//! Seeded random numbers: xoshiro256++ (Blackman & Vigna 2019), its state filled by SplitMix64.

/// A generator that gives the same numbers for the same seed on every machine. Not for secrets.
///
/// ```
/// use stats::rng::Rng;
/// let (mut a, mut b) = (Rng::new(7), Rng::new(7));
/// assert_eq!(a.next_u64(), b.next_u64());
/// let mut order = [1, 2, 3, 4];
/// a.shuffle(&mut order);
/// assert_eq!(order.iter().sum::<i32>(), 10);
/// ```
#[derive(Clone, Debug)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// A generator for this seed; every seed is as good as any other.
    pub fn new(seed: u64) -> Rng {
        let mut mixer = seed;
        Rng { state: std::array::from_fn(|_| split_mix(&mut mixer)) }
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number from 0 to n − 1, each equally likely (Lemire 2019: multiply, and reject the few that would bias).
    ///
    /// # Panics
    /// If `n` is 0: there is no number below it.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "no number is below 0");
        loop {
            let wide = u128::from(self.next_u64()) * u128::from(n);
            let low = wide as u64;
            // 2⁶⁴ mod n is below n, so the slow remainder is seldom needed.
            if low >= n || low >= n.wrapping_neg() % n {
                return (wide >> 64) as u64;
            }
        }
    }

    /// A number from 0 up to, and without, 1; all 53 bits are random.
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A standard normal number (Marsaglia's polar method; the second of each pair is thrown away, to keep no state).
    pub fn normal(&mut self) -> f64 {
        loop {
            let (u, v) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let s = u * u + v * v;
            if s > 0.0 && s < 1.0 {
                return u * (-2.0 * s.ln() / s).sqrt();
            }
        }
    }

    /// Puts the items in random order, each order equally likely (Fisher & Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_vectors_come_out() {
        // SplitMix64 from 1234567, and xoshiro256++ from state 1, 2, 3, 4.
        let mut seed = 1_234_567;
        assert_eq!(split_mix(&mut seed), 6_457_827_717_110_365_317);
        assert_eq!(split_mix(&mut seed), 3_203_168_211_198_807_973);
        let mut rng = Rng { state: [1, 2, 3, 4] };
        assert_eq!(
            [rng.next_u64(), rng.next_u64(), rng.next_u64()],
            [41_943_041, 58_720_359, 3_588_806_011_781_223]
        );
    }

    #[test]
    fn below_is_even_and_reaches_everything() {
        let mut rng = Rng::new(1);
        let mut seen = [0_u32; 7];
        for _ in 0..7_000 {
            seen[rng.below(7) as usize] += 1;
        }
        // χ² with 6 degrees exceeds 22.5 once in a thousand.
        let chi: f64 = seen.iter().map(|&count| (f64::from(count) - 1000.0).powi(2) / 1000.0).sum();
        assert!(chi < 22.5, "{seen:?}");
        assert_eq!(rng.below(1), 0);
        // Without rejection the lower half would come twice as often as the upper third of this range.
        let third = u64::MAX / 4 * 3;
        let low = (0..4_000).filter(|_| rng.below(third) < third / 3).count();
        assert!((1180..1490).contains(&low), "{low}");
    }

    #[test]
    fn normal_has_its_moments() {
        let mut rng = Rng::new(2);
        let values: Vec<f64> = (0..20_000).map(|_| rng.normal()).collect();
        let moment = |k: i32| values.iter().map(|value| value.powi(k)).sum::<f64>() / 20_000.0;
        assert!(
            moment(1).abs() < 0.03 && (moment(2) - 1.0).abs() < 0.04,
            "{} {}",
            moment(1),
            moment(2)
        );
        assert!(
            moment(3).abs() < 0.15 && (moment(4) - 3.0).abs() < 0.3,
            "{} {}",
            moment(3),
            moment(4)
        );
    }

    #[test]
    fn every_order_is_equally_likely() {
        let mut rng = Rng::new(3);
        let mut seen = [0_u32; 27];
        for _ in 0..6_000 {
            let mut items = [0_usize, 1, 2];
            rng.shuffle(&mut items);
            seen[items[0] * 9 + items[1] * 3 + items[2]] += 1;
        }
        let orders: Vec<u32> = seen.into_iter().filter(|&count| count > 0).collect();
        assert!(
            orders.len() == 6 && orders.iter().all(|count| (880..1120).contains(count)),
            "{orders:?}"
        );
    }
}
