//! Instructions for a unit of work: counted over a whole run, or fixed by assembly.
use super::{Amount, seen::Seen};
use crate::say;
use record::{ProbeId, Reason, param};

pub(super) fn of(seen: &Seen<'_>) -> Result<Amount, Reason> {
    if let Ok(counts) = &seen.counts {
        return Ok(Amount::measured(counts.instructions, counts.shared(say::FROM_RETIRED)));
    }
    let fixed = || {
        let op = param::OP.of(&seen.series.at).or_else(|| seen.run.case.get(param::OP))?;
        seen.reading(&format!("core_rate.instructions.{op}"))
    };
    match fixed().filter(|_| seen.run.case.probe == ProbeId::CoreRate) {
        Some(each) => Ok(Amount::measured(each, say::FROM_LOOP)),
        None => Err(Reason::new(say::FROM_UNIT_OF_WORK)),
    }
}
