//! Modes of a figure that are worse than its best one: machines that are too many to be outliers.
use super::again::{Host, before};
use super::cost;
use super::deviation::{ALIKE, DEVIATIONS, EFFECT};
use super::{Member, NEARLY_ALL, Slower, Standing};
use crate::digest::Digest;
use crate::headline::Headline;
use crate::modes::Mode;
use record::Better;

/// The modes of a figure that are worse than its best one. `places` are the modes of the machines `who`.
pub(super) fn slower(
    group: usize,
    name: &str,
    modes: &[Mode],
    who: &[usize],
    places: &[usize],
    hosts: &[Host],
) -> Vec<Slower> {
    let figure = |d: &Digest| d.figures.iter().find(|h| h.name == name).cloned();
    let first = who.first().and_then(|i| hosts[*i].newest()).and_then(figure);
    let Some(Headline { unit, better, .. }) = first else { return vec![] };
    let sign = if better == Better::Lower { 1.0 } else { -1.0 };
    let best = modes.iter().min_by(|a, b| (sign * a.median).total_cmp(&(sign * b.median)));
    let Some(best) = best.filter(|_| better != Better::Neither && modes.len() > 1) else {
        return vec![];
    };
    let of = |(place, mode): (usize, &Mode)| {
        let worse = sign * (mode.median - best.median) / best.median;
        let spread = mode.spread.max(best.spread).max(ALIKE * best.median);
        let apart = worse * best.median >= DEVIATIONS * spread || mode.because.is_some();
        if !apart || worse < EFFECT {
            return None;
        }
        let own = || who.iter().zip(places).filter(|(_, p)| **p == place).map(|(i, _)| &hosts[*i]);
        let machines: Vec<Member> = own()
            .filter_map(|host| {
                let look = host.newest()?;
                let value = figure(look)?.value;
                Some(Member { host: look.host.clone(), name: look.shown().into(), value })
            })
            .collect();
        let before = |host: &Host| {
            let earlier = before(host).filter_map(figure);
            earlier.map(|h| sign * (h.value - best.median) / best.median >= EFFECT).max()
        };
        let again = own().filter(|host| before(host) == Some(true)).count();
        let sure = mode.because.is_some() || again as f64 >= NEARLY_ALL * machines.len() as f64;
        Some(Slower {
            group,
            standing: if sure { Standing::Slow } else { Standing::Suspect },
            metric: name.into(),
            unit,
            better,
            value: mode.median,
            best: best.median,
            worse,
            because: mode.because.clone(),
            cost: cost::of(name, better, worse),
            machines,
            of: who.len(),
        })
    };
    modes.iter().enumerate().filter_map(of).collect()
}
