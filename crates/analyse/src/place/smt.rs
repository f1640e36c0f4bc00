//! Sibling threads: which CPUs are a core, and whether its second thread is used.
use super::{Basis, Draft, Request};
use crate::report::Report;
use crate::say;
use crate::scaling_runs::ScalingRuns;
use crate::words::number;
use crate::{facts, scaling_runs};
use record::{CpuSet, Message, Node, Reason};

/// The numbering of the two threads of a core where only their number is stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Numbering {
    /// First all cores of a node, then their second threads: two ranges a node, which leave no other reading.
    Ranges,
    /// The threads of all cores in one range, as on bare metal of one node.
    Halves,
    /// Each core's threads next to each other, as in guests.
    Neighbours,
}

/// The numbering inside a node; nothing where not two threads a core are stated.
fn numbering(report: &Report<'_>, node: &Node) -> Option<Numbering> {
    let machine = &report.record.machine;
    let twice = machine.number("cpu.threads_per_core") == Some(2.0);
    let all: Vec<u32> = node.cpus.iter().collect();
    if !twice || all.is_empty() || !all.len().is_multiple_of(2) {
        return None;
    }
    let (one, two) = all.split_at(all.len() / 2);
    let apart = two.first().zip(one.last()).is_some_and(|(b, a)| *b > a + 1);
    // Numbers that run through all cores first would give each of several nodes two ranges.
    let several = machine.topology.with_cpus().count() > 1;
    Some(match apart {
        true => Numbering::Ranges,
        false if several || facts::hypervisor(machine).is_some() => Numbering::Neighbours,
        false => Numbering::Halves,
    })
}

/// The CPUs of a core: as stated, else as two threads a core are usually numbered.
pub(super) fn siblings(report: &Report<'_>, id: u32) -> CpuSet {
    let topology = &report.record.machine.topology;
    let stated = topology.cpu(id).map(|c| c.siblings.clone()).unwrap_or_default();
    let node = topology.nodes.iter().find(|n| n.cpus.contains(id));
    let Some((node, numbering)) =
        node.filter(|_| stated.is_empty()).and_then(|node| Some((node, numbering(report, node)?)))
    else {
        return stated;
    };
    let all: Vec<u32> = node.cpus.iter().collect();
    let half = all.len() / 2;
    let pair = |first: usize| match numbering {
        Numbering::Neighbours => [all[2 * first], all[2 * first + 1]],
        Numbering::Ranges | Numbering::Halves => [all[first], all[half + first]],
    };
    let pair = (0..half).map(pair).find(|pair| pair.contains(&id));
    pair.into_iter().flatten().collect()
}

/// Whether to use sibling threads.
pub(super) fn smt(report: &Report<'_>, ask: &Request, draft: &mut Draft) -> Result<bool, Reason> {
    const ABOUT: Message = say::ABOUT_SMT;
    let machine = &report.record.machine;
    let stated = machine.topology.cpus.iter().any(|c| c.siblings.len() > 1);
    let alone = machine.topology.cpus.iter().all(|c| siblings(report, c.id).len() < 2);
    let numbering = machine.topology.nodes.iter().find_map(|node| numbering(report, node));
    let numbering = numbering.filter(|_| !stated && !alone);
    let several = machine.cores() < machine.topology.online().len();
    // With half of the threads a wrong guess would leave cores idle; with all of them it changes little.
    let guessed = matches!(numbering, Some(Numbering::Halves | Numbering::Neighbours));
    if ask.smt == Some(false) && (guessed || alone && several) {
        return Err(Reason::mended_by(say::PLACE_NO_CORE_SHARING, say::PLACE_IMPORT_LSCPU));
    }
    if alone {
        if ask.smt.is_some() {
            draft.choose(ABOUT, say::PLACE_NO_SIBLING, Basis::Stated);
        }
        return Ok(true);
    }
    if let Some(numbering) = numbering {
        let taken = match numbering {
            Numbering::Ranges | Numbering::Halves => say::PLACE_HALVES_ASSUMED,
            Numbering::Neighbours => say::PLACE_NEIGHBOURS_ASSUMED,
        };
        draft.choose(ABOUT, taken, Basis::Assumed);
    }
    if let Some(smt) = ask.smt {
        let said = if smt { say::PLACE_ALL_THREADS } else { say::PLACE_ONE_THREAD };
        draft.choose(ABOUT, said, Basis::Asked);
        return Ok(smt);
    }
    let gains =
        report.get::<ScalingRuns>().0.iter().flat_map(|l| l.siblings.iter().map(move |g| (l, g)));
    let known = scaling_runs::known(gains).unwrap_or_default();
    let harm = known.iter().find(|(.., found)| scaling_runs::harms(found));
    let Some((scaling_run, gain, found)) = harm.or(known.first()) else {
        draft.choose(ABOUT, say::PLACE_ALL_THREADS_ASSUMED, Basis::Assumed);
        return Ok(true);
    };
    let said = match harm.is_some() {
        true => say::place_one_thread_measured,
        false => say::place_all_threads_measured,
    };
    let times = number(found.estimate);
    let text = said(&scaling_run.workload, times, &gain.step, &gain.with);
    draft.choose(ABOUT, text, Basis::Measured);
    Ok(harm.is_none())
}
