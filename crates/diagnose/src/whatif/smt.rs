//! Sibling threads left unused: what the workloads of the scaling runs do without them, from the one that loses most to the
//! one that loses least.
use super::{Predicted, Prediction};
use crate::evidence::Evidence;
use crate::say;
use crate::scaling_runs::{Known, known, times};
use record::Reason;

pub(super) fn predict(evidence: &Evidence<'_>) -> Predicted {
    (say::WHATIF_SMT_OFF.into(), found(evidence))
}

fn found(evidence: &Evidence<'_>) -> Result<Prediction, Reason> {
    if evidence.fact("cpu.smt").is_ok_and(|smt| smt.yes_or_no() == Some(false)) {
        return Err(Reason::new(say::WHATIF_NO_SIBLINGS));
    }
    let none = || Reason::mended_by(say::WHATIF_NO_SMT, say::WHATIF_NO_SMT_DO);
    let scaling_runs = evidence.scaling_runs().map_err(|_| none())?;
    let gains = scaling_runs.iter().filter_map(|l| l.siblings.last().map(|g| (*l, g)));
    let all = known(gains).map_err(|why| why.unwrap_or_else(none))?;
    let by = |a: &f64, b: &f64| a.total_cmp(b);
    let most = all.iter().max_by(|a, b| by(&a.2.interval.high, &b.2.interval.high));
    let least = all.iter().min_by(|a, b| by(&a.2.interval.low, &b.2.interval.low));
    let (most, least) = most.zip(least).ok_or_else(none)?;
    let (loses, keeps) = (&most.0.workload, &least.0.workload);
    let basis = |(_, gain, ratio): &Known<'_>| say::does_what(&gain.step, times(ratio), &gain.with);
    Ok(Prediction {
        times: (1.0 / most.2.interval.high, 1.0 / least.2.interval.low),
        who: match loses == keeps {
            true => say::whatif_who_smt(loses, &most.1.with),
            false => say::whatif_who_range(loses, keeps),
        },
        basis: match std::ptr::eq(most, least) {
            true => say::sentence(basis(most)),
            false => say::both_workloads(loses, basis(most), keeps, basis(least)),
        },
        assumes: say::WHATIF_ASSUMES_SMT.into(),
        test: "echo off | sudo tee /sys/devices/system/cpu/smt/control; cpulens scale -- COMMAND"
            .into(),
        ..Prediction::default()
    })
}
