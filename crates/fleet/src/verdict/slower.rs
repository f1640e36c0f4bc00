//! Modes of a figure that are worse than its best one: machines that are too many to be outliers.
use super::again::{Host, before};
use super::cost;
use super::deviation::{ALIKE, DEVIATIONS, EFFECT};
use super::{Member, NEARLY_ALL, SlowMode, Standing};
use crate::digest::Digest;
use crate::headline::Headline;
use crate::modes::Mode;
use record::Better;

/// The place of the best mode and by which share another is worse.
fn best(modes: &[Mode], better: Better) -> Option<(usize, impl Fn(f64) -> f64)> {
    let sign = match better {
        Better::Lower => 1.0,
        Better::Higher => -1.0,
        Better::Neither => return None,
    };
    let all = modes.iter().map(|mode| sign * mode.median).enumerate();
    let (place, _) = all.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|_| modes.len() > 1)?;
    let median = modes[place].median;
    Some((place, move |value: f64| sign * (value - median) / median))
}

/// Whether what lies beside the best mode is a hill of its own, and not machines that are far from each other, too.
fn is_hill(mode: &Mode, best: &Mode, worse: f64) -> bool {
    let spread = mode.spread.max(best.spread).max(ALIKE * best.median);
    worse * best.median >= DEVIATIONS * spread || mode.because.is_some()
}

/// Beside the best mode, fewer machines than it has whose values spread over so many times its deviation are no hill: each is slow
/// by itself. More of them are what is usual.
const SCATTERED: f64 = 4.0;

/// The mode by which the machines of each mode are judged: the best one where their own is worse and scattered.
pub(super) fn judged_by(modes: &[Mode], better: Better) -> Vec<usize> {
    let Some((best, worse)) = best(modes, better) else { return (0..modes.len()).collect() };
    let by = |(place, mode): (usize, &Mode)| {
        let worse = worse(mode.median);
        let of_best = modes[best].spread.max(ALIKE * modes[best].median);
        let scattered = mode.count < modes[best].count && mode.spread >= SCATTERED * of_best;
        let alone = worse >= EFFECT && scattered && !is_hill(mode, &modes[best], worse);
        if alone { best } else { place }
    };
    modes.iter().enumerate().map(by).collect()
}

/// The modes of a figure that are worse than its best one. `places` are the modes of the machines `who`.
pub(super) fn slower(
    group: usize,
    name: &str,
    modes: &[Mode],
    who: &[usize],
    places: &[usize],
    hosts: &[Host],
) -> Vec<SlowMode> {
    let first = who.first().and_then(|i| hosts[*i].figure(name));
    let Some(&Headline { unit, better, .. }) = first else { return vec![] };
    let Some((best, share)) = best(modes, better) else { return vec![] };
    let best = &modes[best];
    let of = |(place, mode): (usize, &Mode)| {
        let worse = share(mode.median);
        if worse < EFFECT || !is_hill(mode, best, worse) {
            return None;
        }
        let own = || who.iter().zip(places).filter(|(_, p)| **p == place).map(|(i, _)| &hosts[*i]);
        let machines: Vec<Member> = own()
            .filter_map(|host| {
                let run = host.newest()?;
                let value = run.figure(name)?.value;
                Some(Member { host: run.host.clone(), name: run.shown().into(), value })
            })
            .collect();
        let slow = |d: &Digest| d.figure(name).is_some_and(|h| share(h.value) >= EFFECT);
        let again = own().filter(|host| before(host).any(slow)).count();
        let sure = mode.because.is_some() || again as f64 >= NEARLY_ALL * machines.len() as f64;
        Some(SlowMode {
            group,
            standing: if sure { Standing::Slow } else { Standing::Suspect },
            metric: name.into(),
            unit,
            better,
            value: mode.median,
            best: best.median,
            worse,
            because: mode.because.clone(),
            alike: mode.alike.clone(),
            cost: cost::of(name, better, worse),
            machines,
            of: who.len(),
        })
    };
    modes.iter().enumerate().filter_map(of).collect()
}
