//! Cores at another frequency: in proportion where a program computes, nothing where it waits for memory.
use super::{Predicted, Prediction, amdahl, waits};
use crate::evidence::Evidence;
use crate::say;
use crate::words::frequency;
use record::{Metric, ProbeId, Reason};

pub(super) fn predict(evidence: &Evidence<'_>, to: f64) -> Predicted {
    (say::whatif_frequency(frequency(to)), found(evidence, to))
}

fn found(evidence: &Evidence<'_>, to: f64) -> Result<Prediction, Reason> {
    let (low, high) = evidence.estimate(ProbeId::CoreFrequency, Metric::Frequency)?.ends();
    let (least, most) = (to / high, to / low);
    let (times, who) = match waits(evidence) {
        Some(share) => (
            (amdahl(1.0 - share, least), amdahl(1.0 - share, most)),
            say::whatif_counted_works(crate::words::percent(1.0 - share)),
        ),
        None => ((least.min(1.0), most.max(1.0)), say::WHATIF_WHO_FREQUENCY.into()),
    };
    Ok(Prediction {
        times,
        who,
        basis: say::whatif_basis_frequency(frequency(f64::midpoint(low, high))),
        assumes: say::WHATIF_ASSUMES_FREQUENCY.into(),
        test: "cpulens run --only core_frequency,loaded_frequency".into(),
        ..Prediction::default()
    })
}
