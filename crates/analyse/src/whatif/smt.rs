//! Sibling threads left unused: what a workload of the scaling run does without them, else what two threads of additions do.
use super::{Predicted, Prediction};
use crate::evidence::{Evidence, Missing};
use crate::scaling_runs::{known, times};
use record::Reason;

pub(super) fn predict(evidence: &Evidence<'_>) -> Predicted {
    ("sibling threads off".into(), found(evidence))
}

fn found(evidence: &Evidence<'_>) -> Result<Prediction, Missing> {
    let none = || {
        Reason::mended_by(
            "what sibling threads are worth was not measured for any workload",
            "cpulens scale -- COMMAND, where SMT is on",
        )
    };
    let scaling_runs = evidence.scaling_runs().map_err(|_| Missing(none()))?;
    let gains = scaling_runs.iter().filter_map(|l| l.siblings.last().map(|g| (*l, g)));
    let all = known(gains).map_err(|why| Missing(why.unwrap_or_else(none)))?;
    let (scaling_run, gain, ratio) = all.first().ok_or_else(|| Missing(none()))?;
    Ok(Prediction {
        times: (1.0 / ratio.interval.high, 1.0 / ratio.interval.low),
        who: format!("{} alone, on {}.", scaling_run.workload, gain.with),
        basis: format!("{} does {} what {} does.", gain.step, times(ratio), gain.with),
        assumes: "The workload is run with one copy or thread for each core afterwards; what is not on the scaling run may gain by siblings as much as this loses.".into(),
        test: "echo off | sudo tee /sys/devices/system/cpu/smt/control, then cpulens scale -- COMMAND".into(),
    })
}
