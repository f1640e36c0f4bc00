//! Attributes detours to sources: pure arithmetic on the counters that changed in them.
//!
//! A switch says that another task ran, unless the quota had run out, or a real-time thread its share (`realtime.rs`): for as long
//! as the thread waited by the scheduler's account, or, where none is kept, for the whole detour. What is left of the detour is that of the
//! interrupts that moved in it. Quotas have no more than the kernel says that they took. A detour in which only one
//! kind of interrupt came is that interrupt's; where several came the detour is split by what each takes alone. A detour many times
//! as long as such ones take, or in which nothing moved at all, is no interrupt's: the hypervisor's, as far as it owns up to
//! steal, and otherwise unexplained: the hypervisor or firmware (SMI), which no counter shows; one too short for either is a stall
//! of the core. Detours that were not looked
//! at are split as the others are.
mod realtime;

pub(super) use realtime::Limit;

use crate::say;
use record::{Cause, Detours, Sort, Text};
use std::collections::BTreeMap;

/// A named part of what was taken.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Part {
    /// What took the time.
    pub by: NoiseSource,
    /// Seconds.
    pub seconds: f64,
    /// Share of the time that was watched.
    pub share: f64,
    /// The count, by the kernel or of detours.
    pub times: f64,
}

/// A source of noise.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NoiseSource {
    /// An interrupt, by its kind: `timer`, `device`, ...
    Interrupt(String),
    /// Work deferred from interrupts.
    Softirq,
    /// Another task.
    Preemption,
    /// Nobody: the quota of the control group was used up.
    Quota,
    /// Nobody or ordinary tasks: the share of real-time threads was used up.
    RealtimeShare,
    /// The way to another CPU.
    Migration,
    /// A page fault.
    Fault,
    /// The hypervisor, which says so.
    Steal,
    /// The hypervisor or firmware (SMI), which do not: no counter moved, or none that could take so long.
    Unexplained,
    /// The core itself, for less time than a hypervisor or firmware takes at least: another thread on it, or its memory.
    Stall,
    /// Interrupts or more: nobody could look.
    Unattributed,
}

impl NoiseSource {
    /// In a word or two.
    pub fn name(&self) -> Text {
        Text::from(match self {
            NoiseSource::Interrupt(kind) => match kind.as_str() {
                "tlb" => say::NOISE_TLB,
                "nmi" => say::NOISE_NMI,
                "device" => say::NOISE_DEVICE,
                "hypervisor" => say::NOISE_HYPERVISOR,
                "other" => say::NOISE_OTHER,
                "timer" => say::NOISE_TIMER,
                "reschedule" => say::NOISE_RESCHEDULE,
                "function_call" => say::NOISE_FUNCTION_CALL,
                "irq_work" => say::NOISE_IRQ_WORK,
                "machine_check" => say::NOISE_MACHINE_CHECK,
                "thermal" => say::NOISE_THERMAL,
                kind => return say::noise_of_kind(kind.replace('_', " ")),
            },
            NoiseSource::Softirq => say::NOISE_SOFTIRQS,
            NoiseSource::Preemption => say::NOISE_PREEMPTION,
            NoiseSource::Quota => say::NOISE_QUOTA,
            NoiseSource::RealtimeShare => say::NOISE_RT,
            NoiseSource::Migration => say::NOISE_MIGRATION,
            NoiseSource::Fault => say::NOISE_FAULTS,
            NoiseSource::Steal => say::NOISE_STEAL,
            NoiseSource::Unexplained => say::NOISE_SMI,
            NoiseSource::Stall => say::NOISE_STALLS,
            NoiseSource::Unattributed => say::NOISE_MORE,
        })
    }
}

/// Data beside the detours.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Context {
    /// Whether there is a hypervisor.
    pub(super) guest: bool,
    /// What the kernel leaves to others, if this was a real-time thread that leaves them less by itself.
    pub(super) realtime: Option<Limit>,
}

/// An interrupt that takes so many times as long as alike ones do was interrupted itself.
const FAR_LONGER: f64 = 8.0;

/// Seconds below which it was no way into a hypervisor and back, nor firmware's work: the former takes 1000 cycles and more, an
/// SMI microseconds. Source: kvm-unit-tests, x86/vmexit.c, which prints the former; hwlatdetect(8).
const NO_EXIT: f64 = 0.35e-6;

/// Counters that may change in a detour and are no interrupts.
const APART: [&str; 5] = ["switch", "quota", "migration", "fault", "several"];

/// Seconds, and how many detours.
#[derive(Debug, Clone, Copy, Default)]
struct Amount {
    seconds: f64,
    detours: f64,
}

impl Amount {
    fn add(&mut self, seconds: f64, detours: f64) {
        self.seconds += seconds;
        self.detours += detours;
    }
}

/// The parts, the largest first; together they are all detours.
pub(super) fn attribute(detours: &Detours, around: &Context) -> Vec<Part> {
    let mut parts: BTreeMap<NoiseSource, Amount> = BTreeMap::new();
    let mut give = |by: NoiseSource, seconds: f64, detours: f64| {
        parts.entry(by).or_default().add(seconds, detours);
    };
    let typical = Typical::of(detours);
    let (mut unlooked, mut excess, mut unexplained) =
        (Amount::default(), vec![], Amount::default());
    let mut quota = Amount::default();
    let mut throttled = around.realtime.map(|limit| limit.throttled(detours)).unwrap_or_default();
    for cause in &detours.causes {
        let (seconds, count) = (cause.seconds(), cause.count() as f64);
        if cause.has("switch") || cause.has("quota") {
            for (octave, (n, seconds)) in &cause.octaves {
                let (n, seconds) = (*n as f64, *seconds);
                let waited = cause.waited.get(octave).map_or(seconds, |w| w.clamp(0.0, seconds));
                if cause.has("quota") {
                    quota.add(waited, n);
                } else {
                    let (pieces, of) = throttled.take(cause, *octave);
                    let whole = waited * (of / seconds).min(1.0);
                    if pieces > 0.0 {
                        give(NoiseSource::RealtimeShare, whole, pieces);
                    }
                    if n > pieces {
                        give(NoiseSource::Preemption, waited - whole, n - pieces);
                    }
                }
                let rest = seconds - waited;
                match () {
                    () if rest <= 0.0 => {}
                    () if cause.has("migration") => give(NoiseSource::Migration, rest, 0.0),
                    () if !cause.looked || cause.has("several") => unlooked.seconds += rest,
                    // The interrupts around it, as far as they are known, or else the switch itself.
                    () => match interrupts(&typical, cause, n, rest, &mut give) {
                        Some(more) => excess.extend(more),
                        None => give(NoiseSource::Preemption, rest, 0.0),
                    },
                }
            }
        } else if cause.has("migration") {
            give(NoiseSource::Migration, seconds, count);
        } else if cause.has("fault") {
            give(NoiseSource::Fault, seconds, count);
        } else if !cause.looked || cause.has("several") {
            for (n, seconds) in cause.octaves.values().map(|(n, s)| (*n as f64, *s)) {
                match seconds < NO_EXIT * n && cause.moved.is_empty() {
                    true => give(NoiseSource::Stall, seconds, n),
                    false => unlooked.add(seconds, n),
                }
            }
        } else {
            for (n, seconds) in cause.octaves.values().map(|(n, s)| (*n as f64, *s)) {
                match interrupts(&typical, cause, n, seconds, &mut give) {
                    Some(more) => excess.extend(more),
                    None if seconds < NO_EXIT * n => give(NoiseSource::Stall, seconds, n),
                    None => unexplained.add(seconds, n),
                }
            }
        }
    }
    if quota.detours > 0.0 {
        // The kernel adds up all CPUs of the group, so that this one's are no more; others may have had the CPU first.
        let most = detours.counters.get("quota.seconds").copied().unwrap_or(f64::INFINITY);
        give(NoiseSource::Quota, quota.seconds.min(most), quota.detours);
        give(NoiseSource::Preemption, (quota.seconds - most).max(0.0), 0.0);
    }
    // Steal is owned up to in ticks; what nothing explains is the hypervisor's first.
    let stolen = detours.counters.get("stat.steal").copied().unwrap_or(0.0).max(0.0);
    let more: f64 = excess.iter().map(|(_, seconds)| seconds).sum();
    let mut steal = Amount { seconds: stolen.min(unexplained.seconds + more), detours: 0.0 };
    let of_unexplained = steal.seconds.min(unexplained.seconds);
    let of_more = steal.seconds - of_unexplained;
    if unexplained.seconds > 0.0 {
        let share = of_unexplained / unexplained.seconds;
        steal.detours = unexplained.detours * share;
        unexplained.detours -= steal.detours;
        unexplained.seconds -= of_unexplained;
    }
    if steal.seconds > 0.0 {
        give(NoiseSource::Steal, steal.seconds, steal.detours);
    }
    if more > 0.0 {
        let rest = more - of_more;
        match around.guest {
            true => unexplained.seconds += rest,
            // On bare metal an interrupt may take long.
            false => excess.iter().for_each(|(by, s)| give(by.clone(), s * rest / more, 0.0)),
        }
    }
    if unexplained.seconds > 0.0 {
        give(NoiseSource::Unexplained, unexplained.seconds, unexplained.detours);
    }
    distribute(unlooked, &mut parts);
    named_parts(detours, parts)
}

/// Gives seconds of `n` detours to the interrupts that moved in them, by what each takes alone, and returns what is far more than
/// that; nothing where none moved.
fn interrupts(
    typical: &Typical,
    cause: &Cause,
    n: f64,
    seconds: f64,
    give: &mut impl FnMut(NoiseSource, f64, f64),
) -> Option<Vec<(NoiseSource, f64)>> {
    let weights = typical.weights(cause);
    if weights.is_empty() {
        return None;
    }
    let usual: f64 = weights.iter().map(|(_, w)| w).sum();
    let (normal, more) = match seconds > FAR_LONGER * usual * n && usual > 0.0 {
        true => (usual * n, seconds - usual * n),
        false => (seconds, 0.0),
    };
    let (mut excess, each) = (vec![], 1.0 / weights.len() as f64);
    for (by, weight) in weights {
        let share = if usual > 0.0 { weight / usual } else { each };
        give(by.clone(), normal * share, n);
        if more > 0.0 {
            excess.push((by, more * share));
        }
    }
    Some(excess)
}

/// Detours that were not looked at are like those that were and that no switch explains.
fn distribute(unlooked: Amount, parts: &mut BTreeMap<NoiseSource, Amount>) {
    if unlooked.seconds <= 0.0 {
        return;
    }
    let alike = |by: &NoiseSource| {
        matches!(
            by,
            NoiseSource::Interrupt(_)
                | NoiseSource::Softirq
                | NoiseSource::Steal
                | NoiseSource::Unexplained
        )
    };
    let all: f64 = parts.iter().filter(|(by, _)| alike(by)).map(|(_, a)| a.seconds).sum();
    if all <= 0.0 {
        parts.insert(NoiseSource::Unattributed, unlooked);
        return;
    }
    for (_, amount) in parts.iter_mut().filter(|(by, _)| alike(by)) {
        let share = amount.seconds / all;
        amount.add(unlooked.seconds * share, unlooked.detours * share);
    }
}

fn named_parts(detours: &Detours, parts: BTreeMap<NoiseSource, Amount>) -> Vec<Part> {
    let counted = |by: &NoiseSource| match by {
        NoiseSource::Interrupt(kind) => {
            detours.counters.get(&format!("interrupts.{kind}")).copied()
        }
        NoiseSource::Quota => detours.counters.get("quota.times").copied(),
        _ => None,
    };
    let part = |(by, amount): (NoiseSource, Amount)| Part {
        times: counted(&by).unwrap_or(amount.detours),
        seconds: amount.seconds,
        share: amount.seconds / detours.watched.max(1e-12),
        by,
    };
    let mut all: Vec<Part> = parts.into_iter().map(part).filter(|p| p.seconds > 0.0).collect();
    all.order_by(|a, b| b.seconds.total_cmp(&a.seconds));
    all
}

/// The time of a lone interrupt of each kind, in seconds.
struct Typical {
    kinds: BTreeMap<String, f64>,
    softirq: f64,
    /// Any of them, where nothing better is known.
    any: f64,
}

impl Typical {
    fn of(detours: &Detours) -> Typical {
        let quiet = |c: &&Cause| {
            c.looked && !c.moved.is_empty() && !c.moved.iter().any(|m| APART.contains(&m.as_str()))
        };
        let looked: Vec<&Cause> = detours.causes.iter().filter(quiet).collect();
        let mut octaves: BTreeMap<u32, (u64, f64)> = BTreeMap::new();
        for (octave, (n, seconds)) in looked.iter().flat_map(|c| &c.octaves) {
            let of = octaves.entry(*octave).or_default();
            of.0 += n;
            of.1 += seconds;
        }
        let mut typical = Typical { kinds: BTreeMap::new(), softirq: 0.0, any: middle(&octaves) };
        for cause in &looked {
            if let [kind] = &cause.moved[..] {
                match kind.as_str() {
                    "softirq" => typical.softirq = middle(&cause.octaves),
                    _ => drop(typical.kinds.insert(kind.clone(), middle(&cause.octaves))),
                }
            }
        }
        // Softirqs hardly ever come alone: what they add to an interrupt that is known alone.
        let mut added = (0.0, 0.0);
        for cause in looked.iter().filter(|c| c.moved.len() == 2 && c.has("softirq")) {
            let kind = cause.moved.iter().find(|m| *m != "softirq");
            if let Some(alone) = kind.and_then(|kind| typical.kinds.get(kind)) {
                let n = cause.count() as f64;
                added.0 += n * (middle(&cause.octaves) - alone).max(0.0);
                added.1 += n;
            }
        }
        if added.1 > 0.0 {
            typical.softirq = added.0 / added.1;
        }
        typical
    }
    /// The sources of these detours, and the time of each.
    fn weights(&self, cause: &Cause) -> Vec<(NoiseSource, f64)> {
        let of = |moved: &String| match moved.as_str() {
            "softirq" if self.softirq > 0.0 => (NoiseSource::Softirq, self.softirq),
            "softirq" => (NoiseSource::Softirq, self.any / 2.0),
            kind => {
                let alone = self.kinds.get(kind).copied().unwrap_or(self.any);
                (NoiseSource::Interrupt(kind.to_owned()), alone)
            }
        };
        cause.moved.iter().filter(|moved| !APART.contains(&moved.as_str())).map(of).collect()
    }
}

/// The mean of the octave that the median is in: what is usual, whatever the longest took.
fn middle(octaves: &BTreeMap<u32, (u64, f64)>) -> f64 {
    let all: u64 = octaves.values().map(|(n, _)| n).sum();
    let mut seen = 0;
    let found = octaves.values().find(|(n, _)| {
        seen += n;
        2 * seen >= all
    });
    found.map_or(0.0, |(n, seconds)| seconds / (*n).max(1) as f64)
}

#[cfg(test)]
mod tests;
