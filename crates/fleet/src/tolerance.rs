//! Limits from healthy machines: tolerance intervals of their own spread.
use crate::digest::Digest;
use crate::headline::{Headline, SYSTEM_CALL};
use crate::profile::{CRITICAL, Limit, Profile, WARN, worse};
use crate::say;
use crate::unite::unite;
use crate::verdict::Fleet;
use analyse::quantity::plain;
use record::{Better, Text};
use stats::Sample;
use std::collections::{BTreeMap, BTreeSet};

/// With fewer machines their spread says next to nothing, and what is published is taken instead.
pub const FEWEST: usize = 5;
/// Standard normal quantiles of 99 % (the share of machines that shall lie inside) and 95 % (the confidence in that).
const CONTENT: f64 = 2.326_35;
const CONFIDENCE: f64 = 1.644_85;
/// No limit lies nearer than this share to the median: two checks of one machine differ by as much.
const NEAREST: f64 = 0.03;
/// Standard deviation of a normal distribution over its median absolute deviation.
pub(crate) const DEVIATIONS: f64 = 1.4826;

/// Limits from the figures of healthy machines of one kind: a warning where a machine would lie outside of what 99 % of them
/// keep, with 95 % confidence; critical twice as far from the median. Figures that fewer than [`FEWEST`] have get none.
pub fn profile<'a>(
    title: impl Into<Text>,
    machines: impl Iterator<Item = &'a [Headline]>,
) -> Profile {
    let mut found = Profile { title: Some(title.into()), ..Profile::default() };
    for (name, all) in record::groups(machines.flatten().map(|h| (h.name.as_str(), h))) {
        match limit(&all) {
            Ok(limit) => found.limits.extend(limit),
            Err(why) => drop(found.without.insert(name.into(), why)),
        }
    }
    found.otherwise = say::NO_LIMIT_PEERS.into();
    found
}

/// Limits from the healthy machines of the largest group, with its place in [`Fleet::groups`]: of each figure those of its best
/// mode. `digests` are all runs. An error says how many machines there are.
pub fn golden<'a>(
    fleet: &Fleet,
    digests: impl Iterator<Item = &'a Digest>,
) -> Result<(usize, Profile), Text> {
    let largest =
        (0..fleet.groups.len()).max_by_key(|i| (fleet.groups[*i].fit, std::cmp::Reverse(*i)));
    let largest = largest.ok_or_else(|| Text::from(say::NO_RUN_AT_ALL))?;
    let group = &fleet.groups[largest];
    let flagged: BTreeSet<&str> = fleet.flagged.iter().map(|f| f.host.as_str()).collect();
    let mut newest: BTreeMap<&str, &Digest> = BTreeMap::new();
    // A run without an identity is that of a machine that may be slow.
    let mut digests: Vec<Digest> = digests.cloned().collect();
    unite(digests.iter_mut().collect());
    for d in digests
        .iter()
        .filter(|d| d.key == group.key && d.unfit.is_none() && !flagged.contains(d.host.as_str()))
    {
        let known = newest.entry(&d.host).or_insert(d);
        if d.started > known.started {
            *known = d;
        }
    }
    if newest.len() < FEWEST {
        let (n, key) = (newest.len(), &group.key);
        return Err(say::limits_few(FEWEST, key, n));
    }
    let title = say::healthy(newest.len(), &group.key);
    let slower: BTreeSet<(&str, &str)> = fleet
        .slower
        .iter()
        .filter(|s| s.group == largest)
        .flat_map(|s| s.machines.iter().map(|m| (m.host.as_str(), s.metric.as_str())))
        .collect();
    let healthy = |d: &&Digest| {
        let limited = |h: &&Headline| {
            h.name != SYSTEM_CALL && !slower.contains(&(d.host.as_str(), h.name.as_str()))
        };
        d.figures.iter().filter(limited).cloned().collect::<Vec<_>>()
    };
    let figures: Vec<Vec<Headline>> = newest.values().map(healthy).collect();
    let limits = profile(title, figures.iter().map(Vec::as_slice));
    Ok((largest, Profile { machine: Some(group.key.clone()), ..limits }))
}

/// Nothing where no side is bad; an error says why there can be none.
fn limit(all: &[&Headline]) -> Result<Option<Limit>, Text> {
    let values: Vec<f64> = all.iter().map(|h| h.value).collect();
    let enough = all.first().filter(|_| all.len() >= FEWEST);
    let first = enough.ok_or_else(|| say::no_limit_few(all.len()))?;
    if let Some(modes) = two_modes(&values) {
        return Ok(of_worse(first, modes));
    }
    let (median, spread) = middle(&values).ok_or_else(|| Text::from(say::NO_LIMIT_MEDIAN))?;
    let inside = factor(values.len()) * spread / median;
    let beyond = inside.max(NEAREST);
    // A band as wide as the figure itself is no limit.
    if first.better == Better::Higher && beyond >= 0.45 {
        return Err(say::no_limit_apart(format!("{:.0}", 100.0 * spread / median)));
    }
    let (n, deviation) = (values.len(), 100.0 * spread / median);
    let (middle, deviation) = (plain(median, first.unit), format!("{deviation:.1}"));
    let why = match inside < NEAREST {
        false => say::limit_inside(n, middle, deviation),
        true => say::limit_floor(n, middle, deviation, format!("{:.1}", 100.0 * inside)),
    };
    Ok(worse(first, median, [beyond, 2.0 * beyond], &why))
}

/// Medians and numbers of the values below and above a gap that is wide beside what both sides span; nothing without one.
fn two_modes(values: &[f64]) -> Option<[(f64, usize); 2]> {
    /// Machines of a side, so that one outlier is none.
    const SIDE: usize = 2;
    /// The gap over the span of either side.
    const WIDE: f64 = 3.0;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let gap = |i: &usize| sorted[*i] - sorted[i - 1];
    let cut = (SIDE..=sorted.len().checked_sub(SIDE)?).max_by(|a, b| gap(a).total_cmp(&gap(b)))?;
    let (low, high) = sorted.split_at(cut);
    let span = |side: &[f64]| side[side.len() - 1] - side[0];
    let apart =
        gap(&cut) >= WIDE * span(low).max(span(high)) && gap(&cut) >= WARN * sorted[cut - 1];
    let side = |side: &[f64]| Some((Sample::new(side)?.median(), side.len()));
    (apart && sorted[0] > 0.0).then(|| Some([side(low)?, side(high)?])).flatten()
}

/// Both modes of the healthy are healthy: the limit is that of the worse.
fn of_worse(of: &Headline, [low, high]: [(f64, usize); 2]) -> Option<Limit> {
    let (median, _) = if of.better == Better::Lower { high } else { low };
    let why = say::two_modes(low.1, plain(low.0, of.unit), high.1, plain(high.0, of.unit));
    worse(of, median, [WARN, CRITICAL], &why)
}

/// The median and the standard deviation as the median absolute deviation estimates it; nothing unless the median is positive.
pub(crate) fn middle(values: &[f64]) -> Option<(f64, f64)> {
    let median = Sample::new(values)?.median();
    let off: Vec<f64> = values.iter().map(|x| (x - median).abs()).collect();
    (median > 0.0 && median.is_finite())
        .then(|| Some((median, DEVIATIONS * Sample::new(&off)?.median())))
        .flatten()
}

/// Standard deviations from the middle that hold 99 % on one side with 95 % confidence, of `n` values of a normal distribution
/// (Natrella 1963, NIST/SEMATECH e-Handbook 7.2.6.3); infinite for too few.
fn factor(n: usize) -> f64 {
    let n = n as f64;
    let a = 1.0 - CONFIDENCE.powi(2) / (2.0 * (n - 1.0));
    let b = CONTENT.powi(2) - CONFIDENCE.powi(2) / n;
    if a <= 0.0 { f64::INFINITY } else { (CONTENT + (CONTENT.powi(2) - a * b).sqrt()) / a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Unit;
    use stats::rng::Rng;

    fn group(n: usize, spread: f64, rng: &mut Rng) -> Vec<Vec<Headline>> {
        let one = |value| Headline {
            name: "read_bandwidth".into(),
            unit: Unit::BytesPerSecond,
            better: Better::Higher,
            value,
            interval: None,
        };
        (0..n).map(|_| vec![one(1e11 * (1.0 + spread * rng.normal()))]).collect()
    }

    /// The handbook's example: n = 43, 90 % content and 99 % confidence give 1.8752 by this formula; ours for 10 is in its table.
    #[test]
    fn factors_are_those_of_the_handbook() {
        assert!((factor(10) - 3.981).abs() < 0.15, "{}", factor(10));
        assert!((factor(100) - 2.684).abs() < 0.02, "{}", factor(100));
        assert_eq!(factor(2), f64::INFINITY);
    }

    /// Limits of 30 machines hold for other machines of the kind, and not for one that is 15 % slower.
    #[test]
    fn other_machines_of_the_kind_keep_the_limits() {
        let mut rng = Rng::new(7);
        let (mut outside, mut missed) = (0, 0);
        for _ in 0..200 {
            let golden = group(30, 0.015, &mut rng);
            let profile = profile("g", golden.iter().map(Vec::as_slice));
            let limit = profile.limits[0].warn_min.unwrap();
            let others = group(50, 0.015, &mut rng);
            outside += others.iter().filter(|o| o[0].value < limit).count();
            missed += usize::from(0.85e11 >= limit);
        }
        assert!(outside <= 100, "{outside} of 10,000 healthy machines outside");
        assert_eq!(missed, 0);
    }

    /// Four of a kind at one rate and four at another: no deviation stands for all.
    #[test]
    fn two_modes_of_few_machines_have_the_limit_of_the_worse() {
        let mut rng = Rng::new(2);
        for slower in [0.5, 0.8] {
            let mut all = group(8, 0.005, &mut rng);
            all[..4].iter_mut().for_each(|of| of[0].value *= slower);
            let found = profile("g", all.iter().map(Vec::as_slice));
            let (limit, worse) = (&found.limits[0], slower * 1e11);
            assert!((0.93 * worse..0.97 * worse).contains(&limit.warn_min.unwrap()), "{limit:?}");
            assert!(limit.why.starts_with("two modes of healthy machines: 4 at"), "{}", limit.why);
        }
        let scattered = (1..9).map(|i| {
            vec![Headline { value: f64::from(i), ..group(1, 0.0, &mut rng)[0][0].clone() }]
        });
        let scattered: Vec<_> = scattered.collect();
        let found = profile("g", scattered.iter().map(Vec::as_slice));
        assert!(found.limits.is_empty());
        assert!(found.without["read_bandwidth"].contains("too far apart"), "{:?}", found.without);
        assert_eq!(
            profile("g", scattered[..3].iter().map(Vec::as_slice)).without["read_bandwidth"],
            "too few peers have it (3)"
        );
    }

    #[test]
    fn few_machines_give_no_limit_and_no_spread_a_narrow_one() {
        let mut rng = Rng::new(1);
        let four = group(4, 0.01, &mut rng);
        assert!(profile("g", four.iter().map(Vec::as_slice)).limits.is_empty());
        let alike = group(8, 0.0, &mut rng);
        let limit = &profile("g", alike.iter().map(Vec::as_slice)).limits[0];
        assert_eq!((limit.warn_min, limit.critical_min), (Some(0.97e11), Some(0.94e11)));
        assert!(limit.why.contains("lie within 0.0 % with 95 % confidence, and no limit"));
        let spread = group(30, 0.03, &mut rng);
        let limit = &profile("g", spread.iter().map(Vec::as_slice)).limits[0];
        assert!(limit.why.ends_with("machines lie inside with 95 % confidence"), "{}", limit.why);
    }
}
