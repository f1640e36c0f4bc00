//! UnixBench's score of passes and index of scores, step by step as its harness computes them.
//! Method: the copies of a pass are added up, and their times averaged; the third of the passes that counted least is left out;
//! the score is the geometric mean of what is left, and the index the geometric mean of scores over baselines, times ten.
//! Source: UnixBench 6.0, what its harness prints of known passes; the same in 5.1.3 but for the zeros.

/// The count of one copy, or of all copies of a pass, and its seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pass {
    /// Counts, or a rate where the test makes one itself.
    pub count: f64,
    /// Seconds.
    pub seconds: f64,
}

/// The score of the passes of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// In the unit of the test.
    pub score: f64,
    /// Mean time of the passes that were kept, in seconds.
    pub seconds: f64,
    /// The number of passes that were kept.
    pub kept: usize,
}

/// Ratios to a baseline up to this one are counted without being multiplied.
const NOTHING: f64 = 1e-6;

/// The copies of one pass together; nothing without copies.
pub fn pass(copies: &[Pass]) -> Option<Pass> {
    let number = copies.len() as f64;
    (!copies.is_empty()).then(|| Pass {
        count: copies.iter().map(|c| c.count).sum(),
        seconds: copies.iter().map(|c| c.seconds).sum::<f64>() / number,
    })
}

/// A pass in the unit of the test: its count over its time in units of `timebase` seconds; the count itself where that is 0.
pub fn rate(pass: Pass, timebase: f64) -> f64 {
    match timebase > 0.0 && pass.seconds > 0.0 {
        true => pass.count / (pass.seconds / timebase),
        false => pass.count,
    }
}

/// The score of a test; nothing without passes. A pass that counted nothing does not make the score nothing: it is left out
/// of the product, but counted in its root.
pub fn score(passes: &[Pass], timebase: f64) -> Option<Score> {
    let mut kept = passes.to_vec();
    kept.sort_by(|a, b| a.count.total_cmp(&b.count));
    kept.drain(..passes.len() / 3);
    let number = kept.len();
    if number == 0 {
        return None;
    }
    let logarithms = kept.iter().map(|p| rate(*p, timebase)).filter(|r| *r > 0.0).map(f64::ln);
    Some(Score {
        score: (logarithms.sum::<f64>() / number as f64).exp(),
        seconds: kept.iter().map(|p| p.seconds).sum::<f64>() / number as f64,
        kept: number,
    })
}

/// The index of a score.
pub fn index(score: f64, baseline: f64) -> f64 {
    score / baseline * 10.0
}

/// The index of several tests, from their scores over their baselines; nothing without tests.
pub fn total(ratios: &[f64]) -> Option<f64> {
    let logarithms = ratios.iter().filter(|r| **r > NOTHING).map(|r| r.ln());
    let mean = logarithms.sum::<f64>() / ratios.len().max(1) as f64;
    (!ratios.is_empty()).then(|| mean.exp() * 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(counts: &[f64]) -> Vec<Pass> {
        counts.iter().map(|count| Pass { count: *count, seconds: 10.0 }).collect()
    }

    #[test]
    fn copies_are_added_and_their_times_averaged() {
        let copies = [Pass { count: 100.0, seconds: 10.0 }, Pass { count: 50.0, seconds: 20.0 }];
        assert_eq!(pass(&copies), Some(Pass { count: 150.0, seconds: 15.0 }));
        assert_eq!(pass(&[]), None);
    }

    #[test]
    fn counts_are_stated_for_the_time_base_and_rates_as_they_are() {
        let one = Pass { count: 120.0, seconds: 30.0 };
        assert_eq!((rate(one, 1.0), rate(one, 60.0), rate(one, 0.0)), (4.0, 240.0, 120.0));
        assert_eq!(rate(Pass { seconds: 0.0, ..one }, 1.0), 120.0);
    }

    /// 10 passes keep 7, 5 keep 4, 4 keep 3, 3 keep 2, 2 keep 2 and 1 keeps 1.
    #[test]
    fn the_worst_third_is_left_out() {
        for (passes, kept) in [(10, 7), (5, 4), (4, 3), (3, 2), (2, 2), (1, 1)] {
            let all: Vec<f64> = (1..=passes).map(f64::from).collect();
            assert_eq!(score(&counts(&all), 1.0).map(|s| s.kept), Some(kept), "{passes}");
        }
        // 3 goes; the geometric mean of 20 and 80 in 10 s each.
        let found = score(&counts(&[80.0, 3.0, 20.0]), 1.0).unwrap();
        assert!((found.score - 4.0).abs() < 1e-12 && found.seconds == 10.0);
    }

    /// The pass with the least count is left out, not the slowest, and its time with it.
    #[test]
    fn the_worst_is_the_least_count_and_not_the_least_rate() {
        let slow = Pass { count: 100.0, seconds: 50.0 };
        let fast = Pass { count: 90.0, seconds: 10.0 };
        let other = Pass { count: 100.0, seconds: 10.0 };
        let found = score(&[slow, fast, other], 1.0).unwrap();
        assert!((found.score - 20f64.sqrt()).abs() < 1e-12, "{found:?}");
        assert_eq!((found.seconds, found.kept), (30.0, 2));
    }

    #[test]
    fn a_pass_that_counted_nothing_is_in_the_root_but_not_in_the_product() {
        let found = score(&counts(&[0.0, 1000.0]), 1.0).unwrap();
        assert!((found.score - 10.0).abs() < 1e-12, "{found:?}");
        assert_eq!(score(&[], 1.0), None);
    }

    #[test]
    fn the_index_is_the_geometric_mean_of_ratios() {
        assert_eq!(index(86.0, 43.0), 20.0);
        let all = total(&[2.0, 8.0]).unwrap();
        assert!((all - 40.0).abs() < 1e-12);
        let with_nothing = total(&[100.0, 1e-7]).unwrap();
        assert!((with_nothing - 100.0).abs() < 1e-9, "{with_nothing}");
        assert_eq!(total(&[]), None);
    }
}
