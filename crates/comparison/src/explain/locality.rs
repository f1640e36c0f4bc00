//! What memory of other nodes costs: the share of it that was remote, by how much farther that is, as far as the work
//! waits for memory at all.
use super::{Amount, seen::Seen};
use crate::conditions::local_share;
use crate::say;
use crate::words;
use record::{Outcome, ProbeId, Reason, Record, Unit, param};

/// Shares of local memory above this are all of it: a program's own small pages.
const LOCAL: f64 = 0.99;

pub(super) fn of(seen: &Seen<'_>) -> Result<Amount, Reason> {
    let topology = &seen.record.machine.topology;
    let (nodes, sockets) = (topology.nodes.len(), seen.record.machine.sockets());
    if seen.run.case.probe == ProbeId::CoreRate {
        return Ok(Amount::measured(1.0, say::FROM_REGISTERS));
    }
    let local = local_share(seen.series, &seen.run.cpus(), topology);
    match (local, nodes) {
        (Some(share), _) if share >= LOCAL => Ok(Amount::measured(1.0, say::FROM_LOCAL)),
        (Some(share), 2..) => {
            let farther = farther(seen.record, seen.series.unit == Unit::BytesPerSecond)?;
            let from =
                say::from_other_nodes(words::percent(1.0 - share), format!("{:.2}", farther));
            Ok(Amount::inferred(1.0 / (share + (1.0 - share) * farther), from))
        }
        (_, 1) if sockets <= 1 => Ok(Amount::measured(1.0, say::FROM_ONE_NODE)),
        (_, 1) => Err(Reason::new(say::FROM_NUMA_OFF)),
        (_, 0) => Err(Reason::new(say::FROM_WHERE_UNKNOWN)),
        _ => Err(Reason::new(say::FROM_REMOTE_UNKNOWN)),
    }
}

/// The slowdown of memory of other nodes, by the record's matrix of nodes.
fn farther(record: &Record, bandwidth: bool) -> Result<f64, Reason> {
    let metric = if bandwidth { "bandwidth" } else { "idle_latency" };
    let (mut own, mut other) = (vec![], vec![]);
    for run in record.runs.iter().filter(|r| r.case.probe == ProbeId::NumaMatrix) {
        let Outcome::Measured(all) = &run.outcome else { continue };
        for s in all.iter().filter(|s| s.metric == metric) {
            let Some(median) = crate::estimate::median(s) else { continue };
            let to = param::TO.value(&s.at).or_else(|| param::TO.value(&run.case.params));
            let same = param::FROM.value(&s.at) == to;
            if same { own.push(median) } else { other.push(median) }
        }
    }
    let both = stats::median(&own).zip(stats::median(&other));
    let times = both.map(|(own, other)| other / own).map(|t| if bandwidth { 1.0 / t } else { t });
    let why = say::FROM_FAR_UNKNOWN;
    times.ok_or_else(|| Reason::mended_by(why, "cpulens run --only numa_matrix"))
}
