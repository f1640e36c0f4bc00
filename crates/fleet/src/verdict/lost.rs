//! Machines that lose CPU time, frequency or huge pages while most of their peers do not: slow by that, whatever their figures are.
use super::again::{Host, is_long_before};
use super::deviation::EFFECT;
use super::{Fleet, Standing};
use crate::digest::Digest;
use crate::group::Key;
use crate::loss::{Loss, LossKind, by_settings};
use crate::say;
use record::Sort;
use std::collections::BTreeSet;

/// What a machine loses.
pub(super) struct Lost {
    /// In the order of [`losses`].
    pub(super) losses: Vec<Loss>,
    pub(super) standing: Standing,
    /// The earliest of the runs in a row with one of the losses.
    pub(super) since: Option<String>,
}

/// The losses of a run that count: the machine's before those by programs, the largest first.
fn losses(run: &Digest) -> Vec<Loss> {
    let all = run.losses.iter().cloned().chain(by_settings(run));
    let mut all: Vec<Loss> = all.filter(|l| l.share.is_none_or(|share| share >= EFFECT)).collect();
    let share = |loss: &Loss| loss.share.unwrap_or(0.0);
    all.order_by(|a, b| {
        let programs = a.kind.is_of_programs().cmp(&b.kind.is_of_programs());
        programs.then(share(b).total_cmp(&share(a)))
    });
    all
}

fn has(run: &Digest, kind: LossKind) -> bool {
    losses(run).iter().any(|loss| loss.kind == kind)
}

/// Finds what each machine of a kind loses and most others do not. A loss that most have is a note.
pub(super) fn look(key: &Key, hosts: &mut [Host], fleet: &mut Fleet) {
    let kinds = |run| -> BTreeSet<LossKind> { losses(run).into_iter().map(|l| l.kind).collect() };
    let newest = hosts.iter().filter_map(|host| host.runs.last());
    let counts = record::counts(newest.flat_map(kinds));
    let of = hosts.len();
    // Of the others fewer than a half have what a machine is slow by. Peers with SMT are of another kind.
    let is_common =
        |kind: LossKind| of > 1 && kind != LossKind::SmtOff && 2 * (counts[&kind] - 1) >= of - 1;
    for host in hosts.iter_mut() {
        host.lost = lost(host, is_common);
    }
    for (kind, count) in counts.iter().filter(|(kind, _)| is_common(**kind)) {
        let name = record::stored_name(kind);
        fleet.notes.push(say::common_loss(key, count, of, name));
    }
}

fn lost(host: &Host, is_common: impl Fn(LossKind) -> bool) -> Option<Lost> {
    let newest = host.runs.last()?;
    let again = |kind| host.runs.iter().any(|d| is_long_before(d, newest) && has(d, kind));
    let counts = |loss: &Loss| !is_common(loss.kind);
    let all = losses(newest).into_iter().filter(counts);
    let (sure, once): (Vec<Loss>, Vec<Loss>) = all.partition(|loss| again(loss.kind));
    let once = once.into_iter().filter(|loss| !loss.kind.is_of_programs());
    let (losses, standing) = match sure.is_empty() {
        true => (once.collect::<Vec<Loss>>(), Standing::Suspect),
        false => (sure, Standing::Slow),
    };
    let first = losses.first()?.kind;
    let since = host.runs.iter().rev().take_while(|d| has(d, first)).last();
    let since = since.and_then(|d| d.started.clone());
    Some(Lost { losses, standing, since })
}
