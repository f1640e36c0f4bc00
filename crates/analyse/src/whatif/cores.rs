//! A workload on another number of cores: by the scalability law that its scaling run follows.
use super::{Predicted, Prediction};
use crate::evidence::Evidence;
use crate::scaling_runs::{MISFIT, ScalingRun};
use crate::words::{count, number, percent};
use record::Reason;
use stats::usl::Law;

/// A law is no use far beyond what it was fitted to.
const FAR: f64 = 4.0;

pub(super) fn predict(evidence: &Evidence<'_>, cores: usize) -> Predicted {
    (count(cores, "core"), found(evidence, cores))
}

fn found(evidence: &Evidence<'_>, cores: usize) -> Result<Prediction, Reason> {
    let scaling_runs = evidence.scaling_runs()?;
    let fitted = scaling_runs.iter().find_map(|l| Some((l, l.law.as_ref().ok()?)));
    let (scaling_run, law) = fitted.ok_or_else(|| {
        let why = scaling_runs.iter().find_map(|l| l.law.as_ref().err().cloned());
        why.unwrap_or_else(|| Reason::new("no scaling run follows the scalability law"))
    })?;
    let now = most(scaling_run);
    if law.misfit > MISFIT {
        return Err(Reason::new(format!(
            "the scalability law is off by up to {} and does not describe {}",
            percent(law.misfit),
            scaling_run.workload
        )));
    }
    if cores as f64 > now * FAR {
        return Err(Reason::new(format!(
            "{cores} cores are more than four times the {now} that were measured"
        )));
    }
    let at = |sigma: f64, kappa: f64| {
        let law = Law { sigma, kappa, ..*law };
        law.rate(cores as f64) / law.rate(now)
    };
    let (sigma, kappa) = (&law.sigma_interval, &law.kappa_interval);
    // Less contention is more work on more cores, and less loss on fewer.
    let ends = [at(sigma.low, kappa.low), at(sigma.high, kappa.high), at(law.sigma, law.kappa)];
    let low = ends.into_iter().fold(f64::INFINITY, f64::min);
    Ok(Prediction {
        times: (low, ends.into_iter().fold(0.0, f64::max)),
        who: format!("{} on {cores} cores, against {now} now.", scaling_run.workload),
        basis: format!(
            "The scalability law of its scaling_run: contention {} to {}, coherency {} to {}.",
            percent(sigma.low),
            percent(sigma.high),
            number(kappa.low),
            number(kappa.high)
        ),
        assumes: "More cores are like these: the same cache for each, the same memory for each node, the same frequency.".into(),
        test: "cpulens scale -- COMMAND".into(),
        now: None,
        held: None,
    })
}

/// The most cores of the scaling run.
fn most(scaling_run: &ScalingRun) -> f64 {
    let cores = scaling_run.cores().filter(|r| r.median.is_some()).map(|r| r.cores).max();
    cores.unwrap_or(1) as f64
}
