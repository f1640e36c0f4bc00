//! Die interleaving as the cause of a latency or bandwidth: of two records of one processor model one has a NUMA node for each
//! die and the other one node for a socket. What the dies of a socket take on average is predicted from the first record, and what
//! the second measured beyond it is the residual. (Rule `die_interleaving`; lat_mem_rd on a Hygon 7280.)
use super::family::Share;
use super::{Factor, Family, How, summary};
use crate::compare::{Comparison, Subject, SubjectKind};
use crate::report::Report;
use benchmarks::quantities::latency::between_nodes;
use estimates::analyses::numa::Numa;
use record::{Record, Unit};

/// Dies that differ by less are one to the memory.
const APART: f64 = 1.05;

/// Memory of the own die and of all dies of a socket, of a record with a NUMA node for each die.
#[derive(Debug, Clone, PartialEq)]
pub struct Dies {
    /// Dies of a socket.
    count: usize,
    /// Seconds of a load from the own die, and on average over the dies of the socket.
    load: Option<[f64; 2]>,
    /// Bytes per second that one core copies, likewise.
    copy: Option<[f64; 2]>,
}

/// The cause of a difference, with what predicts it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Interleaved {
    /// Index of the record whose dies are interleaved.
    pub side: usize,
    /// Index of the record whose dies are NUMA nodes.
    pub apart: usize,
    /// Dies of a socket.
    pub dies: usize,
    /// Value for memory of the own die, in seconds or bytes per second.
    pub own: f64,
    /// On average over the dies of a socket.
    pub mean: f64,
    /// The unit of both.
    #[serde(skip)]
    pub unit: Unit,
}

/// The cost of other dies in a record; `None` where a socket has one NUMA node, or where its nodes are equally far.
pub fn dies(record: &Record) -> Option<Dies> {
    let topology = &record.machine.topology;
    let (nodes, sockets) = (topology.nodes.len(), record.machine.sockets());
    if sockets == 0 || nodes <= sockets || !nodes.is_multiple_of(sockets) {
        return None;
    }
    let report = Report::new(record);
    let own = report.get::<Option<Numa>>().clone();
    let numa = own.or_else(|| between_nodes(&report).map(|found| found.value.numa))?;
    let count = nodes / sockets;
    // Nodes are numbered socket by socket where no CPU states its package.
    let socket = |node: u32| {
        let cpu = topology.node(node).and_then(|n| n.cpus.iter().next());
        let package = cpu.and_then(|id| topology.cpu(id)?.package);
        package.unwrap_or(node / count as u32)
    };
    let of = |value: fn(&estimates::analyses::numa::NumaCell) -> Option<f64>| {
        let near = numa.cells.iter().filter(|c| socket(c.from) == socket(c.to));
        let all: Vec<(bool, f64)> =
            near.filter_map(|c| Some((c.from == c.to, value(c)?))).collect();
        let mean = |own: bool| {
            let found: Vec<f64> = all.iter().filter(|x| x.0 == own).map(|x| x.1).collect();
            (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64)
        };
        let (own, others) = (mean(true)?, mean(false)?);
        Some([own, (own + others * (count - 1) as f64) / count as f64])
    };
    let load = of(|c| c.latency).filter(|[own, mean]| *mean > own * APART);
    let copy = of(|c| Some(1.0 / c.bandwidth?)).filter(|[own, mean]| *mean > own * APART);
    let copy = copy.map(|both| both.map(|x| 1.0 / x));
    (load.is_some() || copy.is_some()).then_some(Dies { count, load, copy })
}

/// The explanation of a headline by it; nothing where it is not the cause.
pub(super) fn family(
    of: &Comparison,
    dies: &[Option<Dies>],
    side: usize,
    subject: &Subject,
) -> Option<Family> {
    let (a, b) = (&of.sides[of.baseline], &of.sides[side]);
    if a.model.is_none() || a.model != b.model || a.sockets != b.sockets {
        return None;
    }
    let [apart, whole] =
        if dies.get(of.baseline)?.is_some() { [of.baseline, side] } else { [side, of.baseline] };
    let known = dies.get(apart)?.as_ref()?;
    if of.sides[whole].nodes != of.sides[whole].sockets {
        return None;
    }
    let ([own, mean], unit) = match subject.kind {
        SubjectKind::MemoryLatency | SubjectKind::OtherMemoryLatency => {
            (known.load?, Unit::Seconds)
        }
        SubjectKind::CoreBandwidth => (known.copy?, Unit::BytesPerSecond),
        _ => return None,
    };
    let headline = of.headlines.iter().find(|h| h.subject == *subject)?;
    let ahead = headline.sides[side].as_ref()?;
    let slower = if unit == Unit::Seconds { own / mean } else { mean / own };
    let locality = if whole == side { slower } else { 1.0 / slower };
    let amount = |i: usize| if i == whole { [slower; 2] } else { [1.0; 2] };
    let share = Share {
        factor: Factor::Locality,
        times: [locality; 2],
        mean: locality,
        sides: [Some(amount(of.baseline)), Some(amount(side))],
        how: How::Inferred,
        inferred: false,
        in_ipc: false,
    };
    let mut family = Family {
        side,
        subject: subject.clone(),
        points: ahead.rows,
        times: [ahead.low, ahead.high],
        mean: ahead.times,
        factors: vec![share],
        rest: [ahead.low / locality, ahead.high / locality],
        holds: vec![],
        unlike: vec![],
        declined: None,
        interleaved: Some(Interleaved { side: whole, apart, dies: known.count, own, mean, unit }),
        summary: vec![],
    };
    let name = |i: usize| of.sides[i].name.as_str();
    family.summary = summary::of_family(&family, name(of.baseline), name(side));
    let cause = family.interleaved.as_ref().map(|i| summary::of_dies(i, name(whole), name(apart)));
    family.summary.splice(1..1, cause);
    Some(family)
}
