//! Instructions for a unit of work: counted over a whole run, or fixed by assembly.
use super::{Amount, seen::Seen};
use record::{ProbeId, Reason, param};

pub(super) fn of(seen: &Seen<'_>) -> Result<Amount, Reason> {
    if let Ok(counts) = &seen.counts {
        let from = format!("retired in the whole run{}", counts.shared());
        return Ok(Amount::measured(counts.instructions, from));
    }
    let fixed = || {
        let op = param::OP.of(&seen.series.at).or_else(|| seen.run.case.get(param::OP))?;
        seen.reading(&format!("core_rate.instructions.{op}"))
    };
    match fixed().filter(|_| seen.run.case.probe == ProbeId::CoreRate) {
        Some(each) => Ok(Amount::measured(each, "of the loop, as assembly fixes them")),
        None => Err(Reason::new("instructions for a unit of work were not counted")),
    }
}
