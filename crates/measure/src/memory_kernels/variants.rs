//! The variant of a kernel that runs: the one that is named, the most specialised one, or the fastest in trials on all
//! threads at once.
use super::{Code, Job, find, parts::Parts, specialised};
use crate::{threads::elapsed::Elapsed, timing::Limits};
use kernels::{Features, Kernel, Line, Run, Variant};
use record::Reason;

/// The name of a variant for machines that cannot do what the kernel is named after. It is not tried beside those that can.
const PLAIN: &str = "plain";
/// Seconds of a trial at least.
const TRIAL: f64 = 3e-3;

/// Results of the trials so far: kernels, and their fastest variants.
pub(super) struct Variants<'a> {
    features: &'a Features,
    tried: Vec<(&'static str, &'static str)>,
}

impl<'a> Variants<'a> {
    pub(super) fn new(features: &'a Features) -> Variants<'a> {
        Variants { features, tried: vec![] }
    }

    /// The code that a job runs.
    ///
    /// # Errors
    /// There is no kernel of that name, or a thread failed.
    pub(super) fn choose(
        &mut self,
        job: &Job,
        lines: &mut [Line],
        elapsed: &mut Elapsed<'_>,
    ) -> Result<(&'static str, Run), Reason> {
        let kernel = find(job.kernel)?.1;
        let features = self.features;
        let named = |name: &str| {
            let found = kernel.variants.iter().find(|v| v.name == name);
            found.and_then(|v| Some((v.name, (v.get)(features)?)))
        };
        let decides = match job.code {
            Code::Named(name) => match named(name) {
                Some(found) => return Ok(found),
                None => job.kernel,
            },
            Code::Like(other) => other,
            Code::Specialised => return Ok(specialised(kernel, features)),
            Code::Fastest => job.kernel,
        };
        let known = self.tried.iter().find(|(kernel, _)| *kernel == decides).map(|(_, name)| *name);
        let fastest = match known {
            Some(name) => name,
            None => {
                let (name, _) = fastest(find(decides)?.1, features, lines, elapsed)?;
                self.tried.push((decides, name));
                name
            }
        };
        named(fastest).map_or_else(|| self::fastest(kernel, features, lines, elapsed), Ok)
    }
}

/// The fastest variant of a kernel here: each is calibrated, then all are tried in turn, three times, so that one
/// disturbance does not decide.
fn fastest(
    kernel: &Kernel,
    features: &Features,
    lines: &mut [Line],
    elapsed: &mut Elapsed<'_>,
) -> Result<(&'static str, Run), Reason> {
    let trial = Limits::once(TRIAL);
    let mut parts = Parts::new(lines);
    let mut tried: Vec<(f64, u64, &'static str, Run)> = vec![];
    let here = |v: &&Variant| (v.get)(features).is_some();
    let real = kernel.variants.iter().filter(here).any(|v| v.name != PLAIN);
    for variant in kernel.variants.iter().filter(|v| !real || v.name != PLAIN) {
        let Some(run) = (variant.get)(features) else { continue };
        let (steps, took) = elapsed.calibrate(&trial, &mut |n| parts.run(lines, run, n));
        tried.push((took, steps, variant.name, run));
    }
    for _ in 0..if tried.len() > 1 { 3 } else { 0 } {
        for (least, steps, _, run) in &mut tried {
            let took = elapsed.seconds(|| parts.run(lines, *run, *steps))?;
            *least = least.min(took / *steps as f64);
        }
    }
    let best = tried.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
    Ok(best.map_or(("none", |_, _| 0), |(_, _, name, run)| (name, run)))
}
