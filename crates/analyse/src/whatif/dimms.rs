//! Memory modules at another speed: bandwidth is in proportion where memory is used up; a single load hardly changes.
use super::{Predicted, Prediction};
use crate::evidence::Evidence;
use crate::words::{count, rate, transfers};
use record::Reason;

pub(super) fn predict(evidence: &Evidence<'_>, to: f64) -> Predicted {
    (format!("memory modules at {}", transfers(to)), found(evidence, to))
}

fn found(evidence: &Evidence<'_>, to: f64) -> Result<Prediction, Reason> {
    let (now, rated) = evidence.module_speeds()?;
    evidence.note(format!("the slowest module runs at {}", transfers(now)));
    let ratio = to / now;
    let new = match rated.filter(|rated| to > rated * 1.01) {
        Some(rated) => {
            format!("These modules are rated at {}: others are needed. ", transfers(rated))
        }
        None => String::new(),
    };
    // Where few cores use memory up, it is memory that limits; else it may be the cores.
    let basis = match evidence.saturated("read") {
        Ok(found) => format!(
            "Reads of a node end at {} with {}, so it is memory that is used up; transfers from {} to {}.",
            rate(found.limit),
            count(found.threads, "thread"),
            transfers(now),
            transfers(to)
        ),
        Err(_) => format!(
            "Transfers from {} to {}; that it is memory which is used up was not measured.",
            transfers(now),
            transfers(to)
        ),
    };
    Ok(Prediction {
        times: if ratio < 1.0 { (ratio, 1.0) } else { (1.0, ratio) },
        who: "From a program that does not use bandwidth up to one that does nothing but stream on all cores.".into(),
        basis,
        assumes: format!("{new}The memory controller runs at that speed with as many modules on a channel, and timings in nanoseconds stay."),
        test: "cpulens run --only bandwidth,bandwidth_scaling".into(),
    })
}
