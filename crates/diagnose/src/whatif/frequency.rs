//! Cores at another frequency: in proportion where a program computes, nothing where it waits for memory.
use super::{Predicted, Prediction, amdahl, waits};
use crate::evidence::Evidence;
use crate::words::frequency;
use record::{Metric, ProbeId, Reason};

pub(super) fn predict(evidence: &Evidence<'_>, to: f64) -> Predicted {
    (format!("cores at {}", frequency(to)), found(evidence, to))
}

fn found(evidence: &Evidence<'_>, to: f64) -> Result<Prediction, Reason> {
    let (low, high) = evidence.estimate(ProbeId::CoreFrequency, Metric::Frequency)?.ends();
    let (least, most) = (to / high, to / low);
    let (times, who) = match waits(evidence) {
        Some(share) => (
            (amdahl(1.0 - share, least), amdahl(1.0 - share, most)),
            format!(
                "The counted program, which does not wait for memory during {} of its cycles.",
                crate::words::percent(1.0 - share)
            ),
        ),
        None => (
            (least.min(1.0), most.max(1.0)),
            "From a program that waits for nothing but memory to one that only computes.".into(),
        ),
    };
    Ok(Prediction {
        times,
        who,
        basis: format!("One busy core runs at {} now.", frequency(f64::midpoint(low, high))),
        assumes: "Power and cooling hold that frequency with all cores at work, and the caches' frequency goes with the core's.".into(),
        test: "cpulens run --only core_frequency,loaded_frequency".into(),
        ..Prediction::default()
    })
}
