//! The CPUs that may be used: online, allowed, not isolated; and the cores that are busy with interrupts.
use super::{Basis, Draft, cores::Core};
use crate::noise::NoiseResult;
use crate::{noise, report::Report, say};
use diagnose::{evidence::is_foreign, interrupts};
use record::{CpuSet, Message, Reason, Record, Sort, Text};
use std::collections::BTreeMap;

/// CPUs that were not to choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Avoided {
    /// The CPUs.
    pub cpus: CpuSet,
    /// The reason, as a full sentence.
    pub why: Text,
}

/// The subject of choices about interrupts.
pub(super) const INTERRUPTS: Message = say::ABOUT_INTERRUPTS;

/// The most cores that are given up for interrupts.
const MOST: usize = 4;

/// The CPUs to choose from, and those that are not.
pub(super) fn eligible(
    record: &Record,
    draft: &mut Draft,
) -> Result<(CpuSet, Vec<Avoided>), Reason> {
    let machine = &record.machine;
    let topology = &machine.topology;
    if topology.cpus.is_empty() {
        let stated = topology.missing.iter().find(|(part, _)| part == "cpus");
        return Err(match stated {
            Some((_, why)) => why.after(say::WHY_CPUS),
            None => Reason {
                remedy: Some(match machine.sockets() {
                    sockets @ 2..=64 => say::place_until_then(sockets, sockets - 1),
                    _ if is_foreign(record) => say::PLACE_IMPORT.into(),
                    _ => say::PLACE_MOUNT_SYS.into(),
                }),
                ..Reason::new(say::WHY_CPUS)
            },
        });
    }
    let set = |of: &dyn Fn(&record::Cpu) -> bool| -> CpuSet {
        topology.cpus.iter().filter(|c| of(c)).map(|c| c.id).collect()
    };
    let mut avoided = vec![];
    let mut without = |cpus: CpuSet, why: Message| {
        if !cpus.is_empty() {
            avoided.push(Avoided { cpus, why: why.into() });
        }
    };
    without(set(&|c| !c.online), say::PLACE_OFFLINE);
    without(set(&|c| c.online && !c.allowed), say::PLACE_OUTSIDE);
    let free = set(&|c| c.online && c.allowed && !c.isolated);
    let isolated = set(&|c| c.online && c.allowed && c.isolated);
    let cpus = if free.is_empty() && !isolated.is_empty() {
        draft.choose(say::ABOUT_ISOLATION, say::PLACE_ALL_ISOLATED, Basis::Stated);
        isolated
    } else {
        without(isolated, say::PLACE_ISOLATED);
        free
    };
    if cpus.is_empty() {
        return Err(Reason::mended_by(say::PLACE_NO_CPU, say::PLACE_LOOK_AT_CPUSET));
    }
    Ok((cpus, avoided))
}

/// The cores without those that serve far more interrupts than others, and what was left out.
pub(super) fn without_irq_heavy(
    report: &Report<'_>,
    cores: &[Core],
    draft: &mut Draft,
) -> (Vec<Core>, Vec<Avoided>) {
    let machine = &report.record.machine;
    let all = || cores.to_vec();
    let default: Option<CpuSet> = machine.text("interrupts.affinity").and_then(|t| t.parse().ok());
    let touched =
        |set: &CpuSet| cores.iter().filter(|c| c.cpus.iter().any(|id| set.contains(id))).count();
    let few = |n: usize| n > 0 && n * MOST <= cores.len();
    // Somebody steers interrupts to a few CPUs: that is what these are for.
    if let Some(default) = default.filter(|set| few(touched(set))) {
        let why = say::PLACE_IRQ_DEFAULT;
        return out(cores, &default, why, Basis::Stated, draft);
    }
    let routes = noise::routes(machine);
    let may: CpuSet = routes.iter().flat_map(|r| r.may.iter()).collect();
    if few(touched(&may)) {
        let why = say::PLACE_IRQ_ONLY;
        return out(cores, &may, why, Basis::Stated, draft);
    }
    let known: Option<Vec<&CpuSet>> = routes.iter().map(|r| r.goes.as_ref()).collect();
    let known = known.filter(|sets| !sets.is_empty());
    let goes: Option<CpuSet> = known.map(|sets| sets.into_iter().flat_map(CpuSet::iter).collect());
    let Some((rates, when)) = counted(report, cores) else {
        let (text, basis) = match &goes {
            Some(goes) => (say::place_irq_sent(goes.to_string()), Basis::Stated),
            None => (say::PLACE_IRQ_UNKNOWN.into(), Basis::Assumed),
        };
        draft.choose(INTERRUPTS, text, basis);
        return (all(), vec![]);
    };
    let of = |core: &Core| core.cpus.iter().filter_map(|id| rates.get(&id)).sum::<f64>();
    let total = cores.iter().map(of).sum::<f64>();
    let mean = total / cores.len().max(1) as f64;
    // Counts since boot may be of interrupts that are sent elsewhere by now.
    let still = |c: &Core| goes.as_ref().is_none_or(|to| c.cpus.iter().any(|id| to.contains(id)));
    let mut irq_heavy: Vec<&Core> =
        cores.iter().filter(|c| interrupts::heavy(of(c), total, cores.len()) && still(c)).collect();
    irq_heavy.order_by(|a, b| of(b).total_cmp(&of(a)));
    let dropped = irq_heavy.len().saturating_sub(cores.len() / MOST);
    irq_heavy.truncate(cores.len() / MOST);
    if irq_heavy.is_empty() {
        let most = cores.iter().map(of).fold(0.0, f64::max);
        let said = if dropped > 0 {
            say::place_irq_few_cores
        } else if most >= interrupts::HEAVY {
            say::place_irq_spread
        } else {
            say::place_irq_little
        };
        draft.choose(INTERRUPTS, said(format!("{most:.0}"), when), Basis::Measured);
        return (all(), vec![]);
    }
    let cpus: CpuSet = irq_heavy.iter().flat_map(|c| c.cpus.iter()).collect();
    let least = irq_heavy.iter().map(|c| of(c)).fold(f64::INFINITY, f64::min);
    let (least, mean) = (format!("{least:.0}"), format!("{mean:.0}"));
    let why = say::place_irq_heavy(irq_heavy.len(), least, when, mean);
    out(cores, &cpus, why, Basis::Measured, draft)
}

fn out(
    cores: &[Core],
    cpus: &CpuSet,
    why: impl Into<Text>,
    basis: Basis,
    draft: &mut Draft,
) -> (Vec<Core>, Vec<Avoided>) {
    let hit = |c: &&Core| c.cpus.iter().any(|id| cpus.contains(id));
    let gone: CpuSet = cores.iter().filter(hit).flat_map(|c| c.cpus.iter()).collect();
    let kept: Vec<Core> = cores.iter().filter(|c| !hit(c)).cloned().collect();
    let (count, why) = (cores.len() - kept.len(), why.into());
    let text = say::place_left_to_interrupts(count, gone.to_string(), &why);
    draft.choose(INTERRUPTS, text, basis);
    (kept, vec![Avoided { cpus: gone, why }])
}

/// Interrupts of devices a second of each CPU, and of what time that is: since boot, and where detours were watched on all of these
/// cores the more of then and since boot.
fn counted(report: &Report<'_>, cores: &[Core]) -> Option<(BTreeMap<u32, f64>, Message)> {
    let since_boot = interrupts::rates(&report.record.machine);
    let watched = report.get::<NoiseResult>().0.as_ref().and_then(|noise| {
        let all = cores.iter().flat_map(|c| c.cpus.iter());
        noise.device_interrupts().filter(|rates| all.into_iter().all(|id| rates.contains_key(&id)))
    });
    match (since_boot, watched) {
        (Some(mut rates), Some(watched)) => {
            for (cpu, rate) in watched {
                let known = rates.entry(cpu).or_default();
                *known = known.max(rate);
            }
            Some((rates, say::PLACE_SINCE_BOOT_OR))
        }
        (None, Some(watched)) => Some((watched, say::PLACE_WHILE_WATCHED)),
        (rates, None) => Some((rates?, say::PLACE_SINCE_BOOT)),
    }
}
