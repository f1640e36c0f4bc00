//! A workload on another number of cores: by the scalability law that its scaling run follows; else by the figures of just
//! these cores, where there are any.
use super::{Predicted, Prediction};
use crate::evidence::Evidence;
use crate::say;
use crate::scaling_runs::{MISFIT, ScalingRun};
use crate::words::{count, number, percent};
use record::{Between, Reason, Sort, Text};
use stats::usl::UslFit;

/// A law is no use far beyond what it was fitted to.
const FAR: f64 = 4.0;

/// Throughput of a workload on some cores over that on others.
struct Known {
    workload: String,
    against: usize,
    ratio: f64,
    ends: (f64, f64),
}

pub(super) fn predict(evidence: &Evidence<'_>, cores: usize) -> Predicted {
    let found = by_law(evidence, cores);
    (count(cores, "core").into(), found.or_else(|why| by_figures(evidence, cores).ok_or(why)))
}

/// The workloads with a figure on just these cores, from the one that loses most to the one that loses least.
fn by_figures(evidence: &Evidence<'_>, cores: usize) -> Option<Prediction> {
    let mut all: Vec<Known> = known(evidence, cores);
    let against = all.iter().map(|k| k.against).max()?;
    all.retain(|k| k.against == against);
    all.order_by(|a, b| a.ratio.total_cmp(&b.ratio));
    let (least, most) = (all.first()?, all.last()?);
    let says = |k: &Known| {
        let ratio = number(k.ratio);
        say::whatif_cores_figures(&k.workload, &ratio, cores, against)
    };
    let one = least.workload == most.workload;
    Some(Prediction {
        times: (least.ends.0, most.ends.1),
        who: match one {
            true => say::whatif_who_cores_figures(&least.workload, cores, against),
            false => say::whatif_who_range(&least.workload, &most.workload),
        },
        basis: match one {
            true => says(least),
            false => Text::list([says(least), says(most)], Between::Sentences),
        },
        assumes: say::WHATIF_ASSUMES_CONDITIONS.into(),
        test: "cpulens scale -- COMMAND".into(),
        now: Some(say::against_cores(count(against, "core"))),
        ..Prediction::default()
    })
}

/// Every workload with a figure on so many cores, against its most cores; if these are the most, against the most of fewer.
fn known(evidence: &Evidence<'_>, cores: usize) -> Vec<Known> {
    let of_run = |run: &&ScalingRun| {
        let points = || run.cores().filter(|p| p.median.is_some());
        let others = points().filter(|p| p.cores != cores);
        let other = others.max_by_key(|p| p.cores)?;
        let (ratio, interval) = points().find(|p| p.cores == cores)?.over(other)?;
        let ends = (interval.low, interval.high);
        Some(Known { workload: run.workload.clone(), against: other.cores, ratio, ends })
    };
    let runs = evidence.scaling_runs().unwrap_or_default();
    let stated = evidence.plateaus().into_iter().filter(|p| p.few == cores).map(|p| Known {
        workload: p.workload,
        against: p.all,
        ratio: 1.0 / p.times,
        ends: (1.0 / p.times, 1.0 / p.times),
    });
    runs.iter().filter_map(of_run).chain(stated).collect()
}

/// The reason why there is no law: no workload ran on several numbers of cores, or what is published of them has no repeats.
fn no_law(evidence: &Evidence<'_>, cores: usize) -> Reason {
    let scale = "cpulens scale -- COMMAND";
    let runs = match evidence.scaling_runs() {
        Ok(runs) => runs,
        Err(why) => {
            let stated = evidence.plateaus().into_iter().next();
            return stated.map_or(why, |p| {
                let only = say::whatif_cores_two(&p.workload, p.few, p.all);
                Reason::mended_by(only, scale)
            });
        }
    };
    if runs.iter().flat_map(|run| run.cores()).any(|p| p.prior.is_some()) {
        return Reason::mended_by(say::whatif_cores_unpublished(cores), scale);
    }
    let why = runs.iter().find_map(|l| l.law.as_ref().err().cloned());
    why.unwrap_or_else(|| Reason::new(say::WHATIF_NO_LAW))
}

fn by_law(evidence: &Evidence<'_>, cores: usize) -> Result<Prediction, Reason> {
    let scaling_runs = evidence.scaling_runs().unwrap_or_default();
    let fitted = scaling_runs.iter().find_map(|l| Some((l, l.law.as_ref().ok()?)));
    let (scaling_run, law) = fitted.ok_or_else(|| no_law(evidence, cores))?;
    let now = scaling_run.most_cores() as f64;
    if law.misfit > MISFIT {
        return Err(Reason::new(say::whatif_misfit(percent(law.misfit), &scaling_run.workload)));
    }
    if cores as f64 > now * FAR {
        return Err(Reason::new(say::whatif_far(cores, now)));
    }
    let at = |sigma: f64, kappa: f64| {
        let law = UslFit { sigma, kappa, ..*law };
        law.rate(cores as f64) / law.rate(now)
    };
    let (sigma, kappa) = (&law.sigma_interval, &law.kappa_interval);
    // Less contention is more work on more cores, and less loss on fewer.
    let ends = [at(sigma.low, kappa.low), at(sigma.high, kappa.high), at(law.sigma, law.kappa)];
    let low = ends.into_iter().fold(f64::INFINITY, f64::min);
    Ok(Prediction {
        times: (low, ends.into_iter().fold(0.0, f64::max)),
        who: say::whatif_who_cores(&scaling_run.workload, cores, now),
        basis: say::whatif_law(
            percent(sigma.low),
            percent(sigma.high),
            number(kappa.low),
            number(kappa.high),
        ),
        assumes: say::WHATIF_ASSUMES_CORES.into(),
        test: "cpulens scale -- COMMAND".into(),
        ..Prediction::default()
    })
}
