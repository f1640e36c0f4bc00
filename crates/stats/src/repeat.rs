//! Intervals that hold for the next run. A run measures each quantity in several visits, and the variation between visits tells how
//! far its median may be off. Samples of one visit share an allocation and a moment: intervals that take them as independent miss
//! every other next run.

use crate::compare::Middle;
use crate::distribution::{student_two_sided, student_upper};
use crate::{Interval, Sample, balanced_median};

/// What is known of the variation between visits besides the visits of a quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Known {
    /// Standard deviation of the logarithm of a visit's median, from experience with runs of one visit and quantities of this kind;
    /// nothing for what does not vary, such as counts.
    pub prior: Option<f64>,
    /// Variance of that logarithm between the visits of all quantities of this kind in the run, this one included, and its degrees of
    /// freedom.
    pub pooled: Option<(f64, f64)>,
    /// Variance that all visits of one run have in common, as a multiple of that between them; nothing for 0.5.
    pub common: Option<f64>,
}

/// The median of a quantity in one run, and how far the next run's median may be from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repeat {
    /// Logarithm of the median.
    center: f64,
    /// Variance of the center from run to run.
    variance: f64,
    degrees: f64,
    /// Standard deviation of other errors, such as the load of other programs.
    doubt: f64,
    /// Logarithms of the least and the most that the next run's median may be; infinite where the samples set no limit.
    ends: (f64, f64),
}

/// No limits.
const ENDLESS: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

const CONFIDENCE: f64 = 0.95;
/// Standard deviations of a normal distribution in half of such an interval.
const NORMAL: f64 = 1.96;
/// Degrees of freedom of the prior, which comes from ten runs of another machine. It counts less where this run knows more.
const PRIOR_DEGREES: f64 = 6.0;
/// The least weight of the prior.
const PRIOR_LEAST: f64 = 0.15;
/// The most degrees of freedom of a pool: the quantities of a run share its neighbours and minutes.
const POOLED_DEGREES: f64 = 12.0;
/// The next run's median lies among this run's samples, or not further outside than by so many standard deviations of the prior:
/// a quantity that a neighbour slowed in one visit has not been faster for that. Of 4,707 series of ten quick runs of a Zen 4 guest
/// 95.7 % lay there, and 95.9 % in intervals without these ends, which are a third to a half wider in caches.
const BEYOND: f64 = 3.0;
/// [`Known::common`] where it is not known: drift slower than a run. 0.35 is the median of the probes over nine runs of a guest.
/// Live repetitions check it (`cpulens selftest aa`).
const COMMON: f64 = 0.5;

impl Known {
    fn common(&self) -> f64 {
        self.common.unwrap_or(COMMON)
    }
    /// Share of the prior's variance that lies between visits: runs of one visit vary as much, whatever is in common.
    fn of_one(&self) -> f64 {
        (1.0 + COMMON) / (1.0 + self.common())
    }
}

impl Repeat {
    /// Takes the samples of each visit; `None` for fewer than 4 values or none that is positive and finite.
    ///
    /// The variance between visits is moderated as in Smyth (2004): the visits' own, that of like quantities of the run, and
    /// the prior, weighed by their degrees of freedom. With one visit the prior stands in for it.
    ///
    /// How often the next run's median lies in the 95 % interval, in percent of simulated pairs
    /// (`tests/promise/repeats.rs`), each with 2 % within visits and 3 % between:
    ///
    /// | visits | prior right | prior a third | prior threefold | prior a third, 30 rows |
    /// |---|---|---|---|---|
    /// | 1 | 100 | 79 | 100 | 78 |
    /// | 2 | 100 | 87 | 100 | 99 |
    /// | 3 | 100 | 90 | 100 | 100 |
    ///
    /// ```
    /// use stats::repeat::{Known, Repeat};
    /// let visits = [vec![10.0, 10.1, 9.9, 10.0], vec![10.4, 10.5, 10.3, 10.4]];
    /// let known = Known { prior: Some(0.02), ..Known::default() };
    /// let repeat = Repeat::of(&visits, known).unwrap();
    /// let interval = repeat.interval(10.2);
    /// assert!(interval.low < 10.0 && interval.high > 10.4);
    /// ```
    pub fn of<V: AsRef<[f64]>>(visits: &[V], known: Known) -> Option<Repeat> {
        let all: Vec<f64> = visits.iter().flat_map(|v| v.as_ref().iter().copied()).collect();
        Repeat::of_sample(&Sample::new(&all)?, &Visits::of(visits), known)
    }
    /// Takes all samples, and the visits that they came in.
    pub fn of_sample(sample: &Sample<'_>, visits: &Visits, known: Known) -> Option<Repeat> {
        let error = Middle::of_sample(sample)?.variance();
        // A median of few values varies by itself: the prior is of what is left.
        let each = visits.each.unwrap_or(error);
        let prior = known.prior.map(|sd| sd.powi(2) * known.of_one() + each);
        let (variance, degrees) = moderated(prior, known, visits)
            .unwrap_or((error, (sample.len() as f64 - 1.0).max(1.0)));
        // Samples of one visit do not say what another would find.
        let ends = known.prior.filter(|_| visits.count > 1).map_or(ENDLESS, |sd| {
            (sample.min().ln() - BEYOND * sd, sample.max().ln() + BEYOND * sd)
        });
        Some(Repeat { center: visits.median(sample).ln(), variance, degrees, doubt: 0.0, ends })
    }
    /// Takes another statistic than the median: its value, that of each visit, and the standard deviation between visits that
    /// experience gives. `None` for values that have no logarithm.
    pub fn of_statistic(value: f64, visits: &[f64], prior: f64) -> Option<Repeat> {
        let of = Visits {
            count: visits.len(),
            between: between(visits.iter().copied()),
            each: None,
            within: None,
            median: None,
        };
        let (variance, degrees) = moderated(Some(prior.powi(2)), Known::default(), &of)?;
        let center = value.ln();
        let of = Repeat { center, variance, degrees, doubt: 0.0, ends: ENDLESS };
        center.is_finite().then_some(of)
    }
    /// Adds a doubt of this standard deviation.
    #[must_use]
    pub fn doubted(self, sd: f64) -> Repeat {
        Repeat { doubt: self.doubt.hypot(sd), ..self }
    }
    /// Weighs in the variance of earlier runs of the machine ([`from_run_to_run`]): the more there are, the less this run counts.
    /// Its doubt stays.
    #[must_use]
    pub fn among(self, (variance, degrees): (f64, f64)) -> Repeat {
        let own = self.degrees.min((PRIOR_DEGREES - degrees).max(PRIOR_LEAST));
        let sum = self.variance * own + variance * degrees;
        let (variance, degrees) = (sum / (own + degrees), own + degrees);
        Repeat { variance, degrees, ends: ENDLESS, ..self }
    }
    /// The 95 % interval of the next run's median, around this run's. This run's doubt counts once, its chance variation twice.
    pub fn interval(&self, median: f64) -> Interval {
        let chance = self.factor(2.0 * self.variance, self.degrees).ln();
        let doubt = NORMAL * self.doubt;
        let half = chance.hypot(doubt);
        let (below, above) = (self.center - self.ends.0, self.ends.1 - self.center);
        let [below, above] = [below, above].map(|end| half.min(end.hypot(doubt)).exp());
        Interval { low: median / below, high: median * above, confidence: CONFIDENCE }
    }
    /// Ratio to another, and its interval.
    pub fn over(&self, other: &Repeat) -> (f64, Interval) {
        let ratio = (self.center - other.center).exp();
        let (error, degrees) = self.with(other);
        let factor = self.factor(error.powi(2), degrees);
        (ratio, Interval { low: ratio / factor, high: ratio * factor, confidence: CONFIDENCE })
    }
    /// Probability of medians at least this far apart if their ratio is truly within 1/(1+band) to 1+band.
    pub fn p_value(&self, other: &Repeat, band: f64) -> Option<f64> {
        let beyond = (self.center - other.center).abs() - (1.0 + band).ln();
        if beyond.is_nan() || band < 0.0 {
            return None;
        }
        let (error, degrees) = self.with(other);
        Some(match (beyond <= 0.0, error <= 0.0) {
            (true, _) => 1.0,
            (_, true) => 0.0,
            _ => (2.0 * student_upper(beyond / error, degrees)).min(1.0),
        })
    }
    /// The probability that this is truly larger than the other; 0.5 where nothing is known.
    pub fn larger(&self, other: &Repeat) -> f64 {
        let apart = self.center - other.center;
        let (error, degrees) = self.with(other);
        match (apart == 0.0, error <= 0.0) {
            (true, _) => 0.5,
            (_, true) => f64::from(u8::from(apart > 0.0)),
            _ if apart > 0.0 => 1.0 - student_upper(apart / error, degrees),
            _ => student_upper(-apart / error, degrees),
        }
    }
    /// Standard error of the logarithm of the ratio to another, and its degrees of freedom (Welch and Satterthwaite).
    pub fn with(&self, other: &Repeat) -> (f64, f64) {
        let [a, b] = [self, other].map(|of| of.variance + of.doubt.powi(2));
        let degrees = (a + b).powi(2) / (a.powi(2) / self.degrees + b.powi(2) / other.degrees);
        ((a + b).sqrt(), if degrees.is_finite() { degrees.max(1.0) } else { 1.0 })
    }
    fn factor(&self, variance: f64, degrees: f64) -> f64 {
        (variance.sqrt() * student_two_sided(degrees.max(1.0) as usize, CONFIDENCE)).exp()
    }
}

/// Variance of the logarithm of a median from run to run, and its degrees of freedom, by medians in the order of time. It comes
/// from differences of runs that follow each other (von Neumann 1941), so that a change for good counts once; that is worth two
/// thirds of the degrees. `None` for fewer than three medians, or one that is not positive.
///
/// ```
/// let steady = stats::repeat::from_run_to_run(&[1.0, 1.01, 1.0, 1.01]).unwrap();
/// let changed = stats::repeat::from_run_to_run(&[1.0, 1.01, 1.0, 1.01, 2.0, 2.02, 2.0, 2.02]).unwrap();
/// assert!(changed.0.sqrt() < 0.2 && steady.0.sqrt() < 0.01);
/// ```
pub fn from_run_to_run(medians: &[f64]) -> Option<(f64, f64)> {
    if medians.len() < 3 || !medians.iter().all(|m| *m > 0.0 && m.is_finite()) {
        return None;
    }
    let steps = (medians.len() - 1) as f64;
    let squares = medians.windows(2).map(|pair| (pair[1] / pair[0]).ln().powi(2));
    Some((squares.sum::<f64>() / (2.0 * steps), steps * 2.0 / 3.0))
}

/// How far the mean of logarithms of ratios may be off, and how sure it is of its sign, if all of them are off together: rows
/// of a record share its minutes and neighbours. Each row has a standard error and degrees of freedom ([`Repeat::with`]).
pub fn together(mean: f64, rows: &[(f64, f64)]) -> Option<(f64, f64)> {
    let count = rows.len() as f64;
    let (error, degrees) =
        rows.iter().fold((0.0, 0.0), |(e, d), row| (e + row.0 / count, d + row.1 / count));
    if rows.is_empty() || !error.is_finite() {
        return None;
    }
    let half = error * student_two_sided(degrees.max(1.0) as usize, CONFIDENCE);
    let sure = if error > 0.0 { 1.0 - student_upper(mean.abs() / error, degrees) } else { 1.0 };
    Some((half, sure))
}

/// Variance from run to run of the middle of these visits, and its degrees of freedom: their own variance, that of the pool and
/// the prior, weighed by their degrees. `None` where there is none of them.
fn moderated(prior: Option<f64>, known: Known, visits: &Visits) -> Option<(f64, f64)> {
    let pooled = others(known.pooled, visits.between);
    let others = pooled.map_or(0.0, |(_, degrees)| degrees);
    let prior = prior.map(|variance| (variance, (PRIOR_DEGREES - others).max(PRIOR_LEAST)));
    let pooled = pooled.map(|(variance, degrees)| (variance, degrees.min(POOLED_DEGREES)));
    let (sum, weight) = [prior, pooled, visits.between]
        .into_iter()
        .flatten()
        .fold((0.0, 0.0), |(sum, all), (variance, degrees)| {
            (sum + variance * degrees, all + degrees)
        });
    let count = visits.count.max(1) as f64;
    (weight > 0.0).then(|| (sum / weight * (known.common() + 1.0 / count), weight))
}

/// The variance between visits that quantities of a kind have, by that of each and its degrees of freedom, and their degrees
/// together: the mean, where a visit with a neighbour in it, which few quantities have, counts for six standard deviations of a
/// typical one at most. Live repetitions chose that (docs/validation/README.md, "Repeatability").
///
/// ```
/// use stats::repeat::pooled;
/// let (calm, _) = pooled(&[(1e-4, 1.0); 9]).unwrap();
/// let mut one_disturbed = [(1e-4, 1.0); 9];
/// one_disturbed[8].0 = 1.0;
/// let (disturbed, degrees) = pooled(&one_disturbed).unwrap();
/// assert!((calm - 1e-4).abs() < 1e-9 && disturbed < 10.0 * calm && degrees == 9.0);
/// ```
pub fn pooled(of: &[(f64, f64)]) -> Option<(f64, f64)> {
    const AT_MOST: f64 = 36.0;
    let all: f64 = of.iter().map(|(_, degrees)| degrees).sum();
    // Half of such variances are below this share of the true one (Wilson and Hilferty 1931).
    let half = |degrees: f64| (1.0 - 2.0 / (9.0 * degrees)).powi(3);
    let mut scaled: Vec<(f64, f64)> = of.iter().map(|(v, d)| (v / half(*d), *d)).collect();
    scaled.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut below = 0.0;
    let middle = scaled.iter().find(|(_, degrees)| {
        below += degrees;
        below >= all / 2.0
    });
    let typical = middle.map(|(variance, _)| *variance).filter(|v| *v > 0.0);
    let most = typical.map_or(f64::INFINITY, |variance| variance * AT_MOST);
    let sum: f64 = of.iter().map(|(variance, degrees)| variance.min(most) * degrees).sum();
    (all > 0.0).then_some((sum / all, all))
}

/// The pool, where other quantities than this one are in it.
fn others(pooled: Option<(f64, f64)>, own: Option<(f64, f64)>) -> Option<(f64, f64)> {
    let ((variance, degrees), (_, its)) = (pooled?, own.unwrap_or_default());
    let left = degrees - its;
    (left >= 1.0).then_some((variance, left))
}

/// Standard deviation of the logarithms inside visits; nothing with fewer than two values in every visit.
pub fn within<V: AsRef<[f64]>>(visits: &[V]) -> Option<f64> {
    let (mut squares, mut degrees) = (0.0, 0.0);
    for visit in visits.iter().map(AsRef::as_ref).filter(|v| v.len() > 1) {
        let logs: Vec<f64> = visit.iter().map(|x| x.ln()).collect();
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        squares += logs.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
        degrees += logs.len() as f64 - 1.0;
    }
    (degrees > 0.0).then(|| (squares / degrees).sqrt())
}

/// Statistics of the visits of one quantity, apart from the samples themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Visits {
    count: usize,
    between: Option<(f64, f64)>,
    /// Mean variance of the logarithms of their medians, each by the samples inside; nothing for one visit, of which the whole
    /// sample tells.
    each: Option<f64>,
    within: Option<f64>,
    /// Of several.
    median: Option<f64>,
}

impl Visits {
    /// Takes the samples of each visit.
    pub fn of<V: AsRef<[f64]>>(visits: &[V]) -> Visits {
        let visits = visits.iter().map(AsRef::as_ref).filter(|v| !v.is_empty());
        let count = visits.clone().count();
        let within = within(&visits.clone().collect::<Vec<_>>());
        if count < 2 {
            return Visits { count, within, ..Visits::default() };
        }
        let median = balanced_median(&visits.clone().collect::<Vec<_>>());
        let samples: Vec<Sample<'_>> = visits.filter_map(Sample::new).collect();
        let middles = samples.iter().filter_map(Middle::of_sample);
        let each: Vec<f64> = middles.map(|middle| middle.variance()).collect();
        Visits {
            count,
            between: between(samples.iter().map(Sample::median)),
            each: Some(each.iter().sum::<f64>() / each.len().max(1) as f64),
            within,
            median,
        }
    }
    /// The median of these visits' samples, each visit counting the same.
    pub fn median(&self, sample: &Sample<'_>) -> f64 {
        self.median.unwrap_or_else(|| sample.median())
    }
    /// Standard deviation of the logarithms inside visits.
    pub fn within(&self) -> Option<f64> {
        self.within
    }
    /// Visits with a sample.
    pub fn count(&self) -> usize {
        self.count
    }
    /// Variance of the logarithms of the visits' medians and its degrees of freedom; nothing for one visit, and for values
    /// that have no logarithm.
    pub fn between(&self) -> Option<(f64, f64)> {
        self.between
    }
}

fn between(medians: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let logs: Vec<f64> = medians.map(f64::ln).collect();
    if logs.len() < 2 || logs.iter().any(|m| !m.is_finite()) {
        return None;
    }
    let degrees = logs.len() as f64 - 1.0;
    let variance = Sample::new(&logs)?.stddev()?.powi(2);
    Some((variance, degrees))
}

#[cfg(test)]
mod tests {
    /// Variation by minutes, which visits cannot see, and calm that the prior does not know.
    #[test]
    fn earlier_runs_outweigh_what_one_run_knows() {
        let visits = [vec![10.0, 10.01, 9.99, 10.0], vec![10.02, 10.03, 10.01, 10.0]];
        let of = |level: f64| {
            let visits =
                visits.each_ref().map(|v| v.iter().map(|x| x * level).collect::<Vec<f64>>());
            Repeat::of(&visits, Known { prior: Some(0.03), ..Known::default() }).unwrap()
        };
        let p = |other: f64, earlier: &[f64]| {
            let seen = from_run_to_run(earlier).unwrap();
            of(1.0).among(seen).p_value(&of(other).among(seen), 0.01).unwrap()
        };
        let loud = [10.0, 17.0, 10.0, 10.0, 18.0, 17.0, 10.0];
        let calm = [10.0, 10.03, 9.99, 10.02, 10.0, 9.98, 10.01, 10.0, 9.99, 10.01];
        assert!(of(1.0).p_value(&of(1.7), 0.01).unwrap() < 0.001);
        assert!(p(1.7, &loud) > 0.05, "{}", p(1.7, &loud));
        assert!(of(1.0).p_value(&of(1.05), 0.01).unwrap() > 0.05);
        assert!(p(1.05, &calm) < 0.05, "{}", p(1.05, &calm));
        assert_eq!(from_run_to_run(&[1.0, 2.0]), None);
        assert_eq!(from_run_to_run(&[1.0, 0.0, 1.0]), None);
    }

    use super::*;

    const PRIOR: Known = Known { prior: Some(0.02), pooled: None, common: None };

    #[test]
    fn visits_that_disagree_widen_the_interval_and_samples_do_not_narrow_it() {
        let of = |visits: &[Vec<f64>]| {
            let i = Repeat::of(visits, PRIOR).unwrap().interval(1.0);
            i.high - i.low
        };
        let visit = |level: f64, n: usize| vec![level; n];
        let agreed = of(&[visit(1.0, 7), visit(1.0, 7)]);
        assert!(of(&[visit(1.0, 7), visit(1.1, 7)]) > 1.5 * agreed);
        assert!(of(&[visit(1.0, 700), visit(1.0, 700)]) > 0.9 * agreed);
        assert!(of(&[visit(1.0, 14)]) > agreed, "one visit is known less well than two");
    }

    #[test]
    fn the_next_median_is_no_faster_than_all_samples() {
        let visits = [vec![1.0; 7], vec![5.0; 7]];
        let repeat = Repeat::of(&visits, PRIOR).unwrap();
        let low = |repeat: Repeat| repeat.interval(3.0).low;
        assert!((low(repeat) - (-0.06_f64).exp()).abs() < 1e-9 && repeat.interval(3.0).high > 5.0);
        assert!(low(repeat.doubted(0.5)) < 0.8, "others took time that the next run may have");
        let alone = Repeat::of(&[visits.concat()], PRIOR).unwrap();
        assert!(low(alone) < 0.9 * low(repeat), "one visit says nothing of others");
        assert!(low(repeat.among((2.0, 6.0))) < 0.5, "earlier runs say more");
    }

    #[test]
    fn turning_the_question_round_turns_the_answer_round() {
        let a = Repeat::of(&[vec![1.0, 1.1, 1.2, 1.3], vec![1.2; 4]], PRIOR).unwrap();
        let b = Repeat::of(&[vec![2.0, 2.3, 2.1, 2.2]], PRIOR).unwrap();
        let ((there, i), (back, j)) = (a.over(&b), b.over(&a));
        assert!((there * back - 1.0).abs() < 1e-12 && (i.low * j.high - 1.0).abs() < 1e-12);
        assert_eq!(a.p_value(&b, 0.01), b.p_value(&a, 0.01));
        assert!((a.larger(&b) + b.larger(&a) - 1.0).abs() < 1e-9 && b.larger(&a) > 0.99);
        let doubt = a.doubted(0.5).p_value(&b, 0.01).unwrap();
        assert!(doubt > a.p_value(&b, 0.01).unwrap() && a.p_value(&b, f64::NAN).is_none());
    }

    #[test]
    fn exact_counts_differ_and_few_or_no_values_tell_nothing() {
        let exact = |x: f64| Repeat::of(&[vec![x; 5]], Known::default()).unwrap();
        assert_eq!(exact(3.0).p_value(&exact(2.0), 0.01), Some(0.0));
        assert_eq!(
            (exact(3.0).p_value(&exact(3.0), 0.01), exact(3.0).larger(&exact(2.0))),
            (Some(1.0), 1.0)
        );
        for values in [vec![], vec![1.0; 3], vec![1.0, 2.0, 0.0, 3.0], vec![f64::NAN; 5]] {
            assert!(Repeat::of(&[values], PRIOR).is_none());
        }
        for visits in [vec![vec![1.0]], vec![vec![0.0], vec![1.0]]] {
            assert!(Visits::of(&visits).between().is_none());
        }
    }
}
