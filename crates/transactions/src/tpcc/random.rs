//! Random numbers, NURand, last names and strings (clauses 2.1.6, 4.3.2).
use stats::rng::Rng;

/// The constants C of NURand. That of last names differs between loading and running by 65 to 119, but not by 96 or 112
/// (clause 2.1.6.1). They are fixed so that machines compare; the values are BenchBase's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constants {
    /// The constant for last names, A = 255.
    pub last: i64,
    /// The constant for customers, A = 1023.
    pub customer: i64,
    /// The constant for items, A = 8191.
    pub item: i64,
}

impl Constants {
    /// For loading.
    pub const LOAD: Constants = Constants { last: 157, customer: 259, item: 7911 };
    /// For running.
    pub const RUN: Constants = Constants { last: 223, customer: 259, item: 7911 };
}

const SYLLABLES: [&str; 10] =
    ["BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"];
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789AB";

/// A seeded generator.
#[derive(Debug, Clone)]
pub struct Random {
    rng: Rng,
    constants: Constants,
}

impl Random {
    /// The same seed gives the same numbers on every machine.
    pub fn new(seed: u64, constants: Constants) -> Random {
        Random { rng: Rng::new(seed), constants }
    }
    /// A uniform integer, both ends included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.rng.below((high - low + 1).max(1) as u64) as i64
    }
    /// Whether an event of this probability in percent happens.
    pub fn percent(&mut self, share: i64) -> bool {
        self.between(1, 100) <= share
    }
    /// The non-uniform distribution of clause 2.1.6.
    fn nurand(&mut self, a: i64, c: i64, low: i64, high: i64) -> i64 {
        let drawn = self.between(0, a) | self.between(low, high);
        (drawn + c) % (high - low + 1) + low
    }
    /// An item number.
    pub fn item(&mut self, items: i64) -> i64 {
        self.nurand(8191, self.constants.item, 1, items)
    }
    /// A customer number.
    pub fn customer(&mut self, customers: i64) -> i64 {
        self.nurand(1023, self.constants.customer, 1, customers)
    }
    /// The number of a last name.
    pub fn last_name(&mut self, highest: i64) -> i64 {
        self.nurand(255, self.constants.last, 0, highest)
    }
    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        self.rng.shuffle(items);
    }
    /// Appends between `least` and `most` letters and digits.
    pub(crate) fn letters(&mut self, text: &mut String, least: i64, most: i64) {
        let mut left = self.between(least, most).max(0) as usize;
        // A random number has the bits of ten characters, six each.
        let mut ten = [0; 10];
        while left > 0 {
            let mut bits = self.rng.next_u64();
            for letter in &mut ten {
                *letter = LETTERS[(bits & 63) as usize];
                bits >>= 6;
            }
            let some = &ten[..left.min(10)];
            text.push_str(str::from_utf8(some).unwrap_or_default());
            left -= some.len();
        }
    }
    /// Appends digits.
    pub(crate) fn digits(&mut self, text: &mut String, count: i64) {
        for _ in 0..count {
            text.push(char::from(b'0' + self.between(0, 9) as u8));
        }
    }
    /// Appends 26 to 50 characters; 10 % of the texts contain ORIGINAL (clause 4.3.3.1).
    pub(crate) fn data(&mut self, text: &mut String) {
        let from = text.len();
        self.letters(text, 26, 50);
        if self.percent(10) {
            let at = from + self.between(0, (text.len() - from) as i64 - 8) as usize;
            text.replace_range(at..at + 8, "ORIGINAL");
        }
    }
}

/// Appends the last name of that number: a syllable for each of its three digits (clause 4.3.2.3).
pub(crate) fn push_last_name(push: &mut impl FnMut(&str), number: i64) {
    for digit in [number / 100, number / 10, number] {
        push(SYLLABLES[(digit % 10).unsigned_abs() as usize]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constants_of_loading_and_running_differ_as_the_standard_wants() {
        let apart = (Constants::LOAD.last - Constants::RUN.last).abs();
        assert!((65..=119).contains(&apart) && apart != 96 && apart != 112, "{apart}");
        for c in [Constants::LOAD, Constants::RUN] {
            assert!(c.last <= 255 && c.customer <= 1023 && c.item <= 8191);
        }
        assert_eq!(Constants::LOAD.customer, Constants::RUN.customer);
    }

    /// The exact distribution: every pair of the two uniform numbers.
    fn formula(a: i64, c: i64, low: i64, high: i64) -> Vec<f64> {
        let mut shares = vec![0.0; (high - low + 1) as usize];
        let each = 1.0 / ((a + 1) * (high - low + 1)) as f64;
        for x in 0..=a {
            for y in low..=high {
                let drawn = ((x | y) + c) % (high - low + 1) + low;
                shares[(drawn - low) as usize] += each;
            }
        }
        shares
    }

    #[test]
    fn nurand_is_as_its_formula_says() {
        const DRAWS: usize = 300_000;
        let mut random = Random::new(11, Constants::RUN);
        let mut seen = vec![0.0; 1000];
        (0..DRAWS).for_each(|_| seen[random.last_name(999) as usize] += 1.0);
        let statistic = |shares: &[f64]| -> f64 {
            seen.iter()
                .zip(shares)
                .filter(|(_, share)| **share * DRAWS as f64 >= 5.0)
                .map(|(s, share)| (s - share * DRAWS as f64).powi(2) / (share * DRAWS as f64))
                .sum()
        };
        // 999 degrees of freedom: its standard deviation is 45, and this is some six of them.
        assert!(statistic(&formula(255, 223, 0, 999)) < 1270.0);
        assert!(statistic(&formula(255, 157, 0, 999)) > 2000.0, "the other constant is rejected");
        assert!(statistic(&[0.001; 1000]) > 2000.0, "the uniform distribution is rejected");
        for _ in 0..10_000 {
            assert!((1..=3000).contains(&random.customer(3000)));
            assert!((1..=100_000).contains(&random.item(100_000)));
        }
    }

    #[test]
    fn last_names_are_syllables_and_texts_have_their_length() {
        let word = |number| {
            let mut text = String::new();
            push_last_name(&mut |s| text.push_str(s), number);
            text
        };
        assert_eq!(
            (word(371), word(40), word(999)),
            ("PRICALLYOUGHT".into(), "BARPRESBAR".into(), "EINGEINGEING".into())
        );
        let mut random = Random::new(1, Constants::LOAD);
        let (mut original, mut lengths) = (0, (usize::MAX, 0));
        for _ in 0..5000 {
            let mut text = String::from("x");
            random.data(&mut text);
            original += i32::from(text.contains("ORIGINAL"));
            lengths = (lengths.0.min(text.len() - 1), lengths.1.max(text.len() - 1));
        }
        // 500 expected, sd 21.
        assert!((400..600).contains(&original), "{original}");
        assert_eq!(lengths, (26, 50));
    }
}
