//! Readings of probes and samplers.
use super::Evidence;
use crate::say;
use crate::words;
use record::{Outcome, ProbeId, Reading, Reason, Run};

impl<'a> Evidence<'a> {
    /// The readings of a probe beside its series.
    ///
    /// # Errors
    /// Why it has no result.
    pub(crate) fn readings(&self, probe: ProbeId) -> Result<Vec<&'a Reading>, Reason> {
        let measured =
            |run: &&Run| run.case.probe == probe && matches!(run.outcome, Outcome::Measured(_));
        let mut runs = self.seen.record.runs.iter().filter(measured).peekable();
        if runs.peek().is_none() {
            return Err(self.seen.why_not(probe));
        }
        let readings: Vec<&Reading> = runs.flat_map(|run| &run.readings).collect();
        self.note(format!("{probe}: {}", words::count(readings.len(), "reading")));
        Ok(readings)
    }
    /// The sum of a sampler's count over all cases.
    ///
    /// # Errors
    /// It watched no case, and why.
    pub(crate) fn counted(&self, name: &str) -> Result<f64, Reason> {
        let runs = &self.seen.record.runs;
        let seen: Vec<f64> = runs.iter().filter_map(|r| Some(r.reading(name)?.value)).collect();
        if seen.is_empty() {
            let sampler = name.split('.').next().unwrap_or(name);
            let why = runs.iter().find_map(|run| run.unread.get(sampler));
            let unwatched = || Reason::new(say::why_unwatched(name));
            return Err(why.cloned().unwrap_or_else(|| self.elsewhere(unwatched())));
        }
        let sum = seen.iter().sum();
        self.note(format!("{name} = {sum} ({})", words::count(seen.len(), "case")));
        Ok(sum)
    }
}
