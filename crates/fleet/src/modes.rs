//! Modes of one figure over many machines: hills of its density with a valley between them, each named by the fact that divides
//! the machines in the same way. On Azure's published noise data 36 of 68 series have two to five.
use crate::say;
use crate::tolerance::middle;
use record::{Sort, Text};
use serde::Serialize;
use stats::Sample;
use std::collections::BTreeMap;

/// Machines whose figure lies on one hill of the density.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Mode {
    /// The median of its machines.
    pub median: f64,
    /// Their standard deviation, as the median absolute deviation estimates it.
    pub spread: f64,
    /// The standard deviation that the lighter of its tails has: no less than `spread`, and at most twice as much. The other tail
    /// holds what is slow, or disturbed.
    #[serde(skip)]
    pub tail: f64,
    /// The number of machines in it.
    pub count: usize,
    /// The fact and value that they have and the others do not, if there is one.
    pub because: Option<(String, Text)>,
    /// Other facts that divide the machines in the same way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<String>,
}

/// A hill of fewer machines is a handful of outliers: this share of all, and so many.
const SHARE: f64 = 0.05;
const FEWEST: usize = 5;
/// A valley is lower than this share of the lower of the hills beside it.
const VALLEY: f64 = 0.5;
/// Medians nearer to each other than this share are one mode, for nothing follows from the difference.
const APART: f64 = 0.03;
/// A fact names modes if it tells so many of the machines' modes.
const NAMES: f64 = 0.95;
/// From so many values on a smaller part says how wide a hill is, so that none of five modes alike is missed.
const MANY: usize = 200;
/// Part of the values, and how many deviations of a normal distribution its densest part spans.
const MANY_PART: (usize, f64) = (8, 0.3146);
const FEW_PART: (usize, f64) = (4, 0.6745);
/// The quantile that tells of a tail, and its distance from the middle in deviations of a normal distribution.
const TAIL: (f64, f64) = (0.02, 2.0537);
/// A tail is taken as heavier than a normal one by at most this: a few machines far on the good side hide no slow one.
const HEAVIEST: f64 = 2.0;
/// Points of the grid on which the density is taken.
const GRID: usize = 512;

/// A fact that names modes, and the mode of each of its values.
type Naming = (String, BTreeMap<String, usize>);

/// The modes of a figure, and by what a value is in one of them.
#[derive(Debug, Clone)]
pub(crate) struct Modes {
    /// The modes, lowest first.
    pub(crate) all: Vec<Mode>,
    cuts: Vec<f64>,
    /// The fact that names them, and the mode of each of its values.
    named: Option<Naming>,
}

impl Modes {
    /// Finds the modes of these values. `facts` are those of the machine of each value.
    pub(crate) fn new(values: &[f64], facts: &[&BTreeMap<String, String>]) -> Modes {
        let cuts = cuts(values);
        let place = |x: &f64| cuts.iter().filter(|cut| *x > **cut).count();
        let by_value: Vec<usize> = values.iter().map(place).collect();
        let modes = cuts.len() + 1;
        let mut named =
            if modes > 1 { naming(&by_value, modes, facts) } else { vec![] }.into_iter();
        let mut found = Modes { all: vec![], cuts, named: named.next() };
        let alike: Vec<String> = named.map(|(fact, _)| fact).collect();
        let places: Vec<usize> =
            values.iter().zip(facts).map(|(x, facts)| found.place(*x, facts)).collect();
        let mode = |number: usize| {
            let own: Vec<f64> = values
                .iter()
                .zip(&places)
                .filter(|(_, m)| **m == number)
                .map(|(x, _)| *x)
                .collect();
            let because = found.named.as_ref().and_then(|(fact, by_value)| {
                let mut own =
                    by_value.iter().filter(|(_, m)| **m == number).map(|(v, _)| v.as_str());
                let first = own.next()?.to_owned();
                let more = own.count();
                let words = if more > 0 { say::and_more(first, more) } else { first.into() };
                Some((fact.clone(), words))
            });
            let (median, spread) = middle(&own).unwrap_or_default();
            let (tail, count) = (tail(&own, median, spread), own.len());
            Mode { median, spread, tail, count, because, alike: alike.clone() }
        };
        found.all = (0..=found.cuts.len()).map(mode).collect();
        found
    }
    /// The mode of a value of a machine with these facts: where one of them names the modes, that which it says.
    pub(crate) fn place(&self, value: f64, facts: &BTreeMap<String, String>) -> usize {
        let by_value = || self.cuts.iter().filter(|cut| value > **cut).count();
        self.named.as_ref().and_then(|named| says(named, facts)).unwrap_or_else(by_value)
    }
}

/// The mode that a fact says of a machine with these facts.
fn says((fact, by_value): &Naming, facts: &BTreeMap<String, String>) -> Option<usize> {
    by_value.get(facts.get(fact)?).copied()
}

/// The standard deviation that the lighter tail of these values has, within its limits.
pub(crate) fn tail(values: &[f64], median: f64, spread: f64) -> f64 {
    let (quantile, deviations) = TAIL;
    let lighter = Sample::new(values).map_or(0.0, |all| {
        (median - all.quantile(quantile)).min(all.quantile(1.0 - quantile) - median) / deviations
    });
    lighter.clamp(spread, HEAVIEST * spread)
}

/// The values between modes.
fn cuts(values: &[f64]) -> Vec<f64> {
    let mut logs: Vec<f64> = values.iter().filter(|x| **x > 0.0).map(|x| x.ln()).collect();
    logs.sort_unstable_by(f64::total_cmp);
    let n = logs.len();
    let least = FEWEST.max((SHARE * n as f64).ceil() as usize);
    let (Some(low), Some(high)) = (logs.first(), logs.last()) else { return vec![] };
    if n < 2 * least || high - low < APART {
        return vec![];
    }
    // The width of a hill is that of its densest part: of all modes together it would hide them.
    let densest = |part: usize, deviations: f64| {
        let spans = (0..n - n / part).map(|i| logs[i + n / part] - logs[i]);
        spans.fold(f64::INFINITY, f64::min) / deviations
    };
    let (part, deviations) = if n >= MANY { MANY_PART } else { FEW_PART };
    let width = (densest(part, deviations) * (n as f64).powf(-0.2)).max(APART / 6.0);
    let from = low - 3.0 * width;
    let step = (high + 3.0 * width - from) / GRID as f64;
    let reach = ((4.0 * width / step).ceil() as usize).clamp(1, GRID);
    let mut bins = vec![0.0; GRID + 1];
    logs.iter().for_each(|x| bins[((x - from) / step) as usize] += 1.0);
    let weight: Vec<f64> =
        (0..=reach).map(|i| (-0.5 * (i as f64 * step / width).powi(2)).exp()).collect();
    let at = |i: usize| {
        let (a, b) = (i.saturating_sub(reach), (i + reach).min(GRID));
        (a..=b).map(|j| bins[j] * weight[i.abs_diff(j)]).sum::<f64>()
    };
    let density: Vec<f64> = (0..=GRID).map(at).collect();
    let mut cuts: Vec<usize> = vec![];
    let mut begin = 0;
    while let Some(cut) = valley(&density, begin) {
        let (first, last) = (from + begin as f64 * step, from + cut as f64 * step);
        let left = logs.iter().filter(|x| **x > first && **x <= last).count();
        let right = logs.iter().filter(|x| **x > last).count();
        if left >= least && right >= least {
            cuts.push(cut);
        }
        begin = cut;
    }
    cuts.into_iter().map(|i| (from + i as f64 * step).exp()).collect()
}

/// The first place after `begin` that is lower than [`VALLEY`] of what is highest before it and after it.
fn valley(density: &[f64], begin: usize) -> Option<usize> {
    let (mut highest, mut lowest) = (0.0_f64, (f64::INFINITY, begin));
    for (i, d) in density.iter().enumerate().skip(begin) {
        if *d > highest && lowest.0.is_infinite() {
            highest = *d;
        } else if *d < VALLEY * highest && *d < lowest.0 {
            lowest = (*d, i);
        } else if lowest.0.is_finite() && lowest.0 < VALLEY * *d {
            return Some(lowest.1);
        }
    }
    None
}

/// The fact whose values tell the modes best, and those that divide the machines in the same way.
fn naming(of: &[usize], modes: usize, facts: &[&BTreeMap<String, String>]) -> Vec<Naming> {
    let mut counts: BTreeMap<&str, BTreeMap<&str, Vec<usize>>> = BTreeMap::new();
    for (mode, facts) in of.iter().zip(facts) {
        for (fact, value) in *facts {
            let by_value = counts.entry(fact).or_default();
            by_value.entry(value).or_insert_with(|| vec![0; modes])[*mode] += 1;
        }
    }
    let explained = |by_value: &BTreeMap<&str, Vec<usize>>| -> usize {
        by_value.values().map(|c| c.iter().copied().max().unwrap_or(0)).sum()
    };
    // Of facts that explain equally many, the one with fewer values explains more.
    let mut best: Vec<_> = counts
        .iter()
        .filter(|(_, by_value)| by_value.len() > 1 && by_value.len() <= 4 * modes)
        .map(|(fact, by_value)| (explained(by_value), by_value.len(), *fact))
        .filter(|(explained, ..)| *explained as f64 >= NAMES * of.len() as f64)
        .collect();
    best.order_by_key(|(explained, values, fact)| (std::cmp::Reverse(*explained), *values, *fact));
    let most =
        |c: &Vec<usize>| (0..c.len()).max_by_key(|i| (c[*i], std::cmp::Reverse(*i))).unwrap_or(0);
    let named = |(_, _, fact): &(usize, usize, &str)| -> Naming {
        let by_value = counts[fact].iter().map(|(value, c)| ((*value).to_owned(), most(c)));
        ((*fact).to_owned(), by_value.collect())
    };
    let mut best = best.iter().map(named);
    // It must lead to every mode, else it names only the largest.
    let leads = |named: &Naming| (0..modes).all(|mode| named.1.values().any(|m| *m == mode));
    let Some(first) = best.next().filter(leads) else { return vec![] };
    let alike = |other: &Naming| facts.iter().all(|own| says(other, own) == says(&first, own));
    let others: Vec<Naming> = best.filter(alike).collect();
    [first].into_iter().chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::rng::Rng;

    fn facts(kernel: &str) -> BTreeMap<String, String> {
        [("kernel.release".to_owned(), kernel.to_owned())].into()
    }

    #[test]
    fn two_hills_are_two_modes_named_by_the_fact_that_divides_them() {
        let mut rng = Rng::new(3);
        let (old, new) = (facts("6.1"), facts("6.18"));
        let (mut values, mut all) = (vec![], vec![]);
        for i in 0..300 {
            let (of, at) = if i % 3 == 0 { (&old, 80.0) } else { (&new, 100.0) };
            values.push(at * (1.0 + 0.01 * rng.normal()));
            all.push(of);
        }
        let modes = Modes::new(&values, &all);
        let found = &modes.all;
        assert_eq!(found.iter().map(|m| m.count).collect::<Vec<_>>(), [100, 200]);
        assert_eq!(found[0].because, Some(("kernel.release".into(), "6.1".into())));
        let of = |i: usize| modes.place(values[i], all[i]);
        assert!((0..300).all(|i| of(i) == usize::from(i % 3 != 0)));
    }

    /// Which of them is the cause is not known, so that all are named.
    #[test]
    fn facts_that_divide_alike_are_all_named() {
        let mut rng = Rng::new(3);
        let with = |kernel: &str, more: [(&str, &str); 3]| -> BTreeMap<String, String> {
            let more = more.map(|(fact, value)| (fact.to_owned(), value.to_owned()));
            facts(kernel).into_iter().chain(more).collect()
        };
        let old = with("6.1", [("cpu.microcode", "0x1"), ("bios.date", "a"), ("label.rack", "a")]);
        let new = with("6.18", [("cpu.microcode", "0x2"), ("bios.date", "b"), ("label.rack", "a")]);
        let all: Vec<_> = (0..300).map(|i| if i % 3 == 0 { &old } else { &new }).collect();
        let level = |i: usize| if std::ptr::eq(all[i], &old) { 80.0 } else { 100.0 };
        let values: Vec<f64> = (0..300).map(|i| level(i) * (1.0 + 0.01 * rng.normal())).collect();
        let named = |all: &[&BTreeMap<String, String>]| {
            let modes = Modes::new(&values, all).all;
            (modes[0].because.clone().map(|(fact, _)| fact), modes[0].alike.clone())
        };
        let alike = ["cpu.microcode".to_owned(), "kernel.release".to_owned()];
        assert_eq!(named(&all), (Some("bios.date".into()), alike.to_vec()));
        // One machine with the other microcode: that fact divides them otherwise.
        let other =
            with("6.1", [("cpu.microcode", "0x2"), ("bios.date", "a"), ("label.rack", "a")]);
        let mut mixed = all.clone();
        mixed[0] = &other;
        assert_eq!(named(&mixed), (Some("bios.date".into()), alike[1..].to_vec()));
    }

    #[test]
    fn one_hill_is_one_mode_however_few_or_far_its_outliers() {
        let mut rng = Rng::new(5);
        let mut split = 0;
        for n in [6, 20, 100, 1000] {
            for _ in 0..50 {
                let mut values: Vec<f64> =
                    (0..n).map(|_| 100.0 * (1.0 + 0.01 * rng.normal())).collect();
                values[0] = 60.0;
                let none = BTreeMap::new();
                split += usize::from(Modes::new(&values, &vec![&none; n]).all.len() > 1);
            }
        }
        assert!(split <= 6, "{split} of 200");
    }

    /// However many of them there are, and alike in number.
    #[test]
    fn five_hills_are_five_modes_and_one_is_one() {
        let none = BTreeMap::new();
        for n in [300, 1000] {
            let (mut rng, mut split) = (Rng::new(7), 0);
            for _ in 0..20 {
                let of = |modes: usize, rng: &mut Rng| {
                    let value =
                        |i: usize| (1.0 + 0.12 * (i % modes) as f64) * (1.0 + 0.01 * rng.normal());
                    modes_of((0..n).map(value).collect::<Vec<_>>(), &none)
                };
                assert_eq!(of(5, &mut rng), 5);
                split += usize::from(of(1, &mut rng) > 1);
            }
            assert!(split <= 1, "{split} of 20 at {n}");
        }
    }

    fn modes_of(values: Vec<f64>, none: &BTreeMap<String, String>) -> usize {
        Modes::new(&values, &vec![none; values.len()]).all.len()
    }

    #[test]
    fn what_is_alike_or_nothing_has_one_mode() {
        let none = BTreeMap::new();
        assert_eq!(Modes::new(&[5.0; 40], &[&none; 40]).all.len(), 1);
        assert_eq!(Modes::new(&[], &[]).all.len(), 1);
    }
}
