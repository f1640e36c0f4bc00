//! Finds estimates by what they are, and says why when there is none.
use crate::estimate::Estimate;
use record::{Outcome, Reason, Record, Run, Series};

/// A record with its estimates: what judgements, rules and conclusions look things up in.
#[derive(Debug, Clone, Copy)]
pub struct Observed<'a> {
    pub record: &'a Record,
    pub estimates: &'a [Estimate],
}

impl<'a> Observed<'a> {
    /// Estimates of a probe's metric whose coordinates or parameters have all of these values.
    pub fn all(
        &self,
        probe: &'a str,
        metric: &'a str,
        at: &'a [(&'a str, &'a str)],
    ) -> impl Iterator<Item = &'a Estimate> + use<'a> {
        let record = self.record;
        self.estimates.iter().filter(move |e| {
            e.probe == probe
                && e.metric == metric
                && at.iter().all(|(name, value)| {
                    let params = &record.runs[e.run].case.params;
                    e.at.get(*name)
                        .or_else(|| params.get(*name))
                        .is_some_and(|v| v.to_string() == *value)
                })
        })
    }
    /// The first of [`Observed::all`], or why there is none.
    pub fn one(
        &self,
        probe: &'a str,
        metric: &'a str,
        at: &'a [(&'a str, &'a str)],
    ) -> Result<&'a Estimate, Reason> {
        self.all(probe, metric, at).next().ok_or_else(|| self.why_not(probe))
    }
    /// The raw series behind an estimate.
    pub fn series(&self, e: &Estimate) -> Option<&'a Series> {
        self.record.runs.get(e.run)?.series().get(e.series)
    }
    /// Why a probe has no number: its own reason, or that it was not asked.
    pub fn why_not(&self, probe: &str) -> Reason {
        let runs = self.record.runs.iter().filter(|r| r.case.probe == probe);
        let reason = runs.clone().find_map(|r| match &r.outcome {
            Outcome::Measured(_) => None,
            Outcome::Skipped(why) | Outcome::Failed(why) | Outcome::NotReached(why) => Some(why),
        });
        let again = format!("cpulens run --only {probe}");
        match reason {
            Some(reason) => Reason {
                why: format!("{probe} has no result: {}", reason.why),
                remedy: reason.remedy.clone(),
            },
            None if runs.count() > 0 => {
                Reason::mended_by(format!("{probe} did not record this"), again)
            }
            None => Reason::mended_by(format!("{probe} was not run"), again),
        }
    }
}

/// Share of all CPUs' time that others and the hypervisor took during a run; nothing where it is not known.
pub fn taken(run: &Run) -> Option<f64> {
    let of = |name: &str| run.reading(name).map(|r| r.value);
    match (of("contention.busy"), of("contention.steal")) {
        (None, None) => None,
        (busy, steal) => Some(busy.unwrap_or(0.0) + steal.unwrap_or(0.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{estimate, example};
    use record::{Better, Series, Unit};

    #[test]
    fn coordinates_and_parameters_both_select() {
        let mut record = example::empty();
        let mut s = Series::new("bandwidth", Unit::BytesPerSecond, Better::Higher);
        s.samples = vec![1e9];
        let series = vec![s.clone().at("kernel", "copy"), s.at("kernel", "triad")];
        example::measured(&mut record, "stream", &[("threads", "all")], series);
        let estimates = estimate::estimates(&record);
        let seen = Observed { record: &record, estimates: &estimates };
        let found = seen.one("stream", "bandwidth", &[("threads", "all"), ("kernel", "triad")]);
        assert_eq!(found.unwrap().series, 1);
        let none = seen.one("stream", "bandwidth", &[("threads", "one")]).unwrap_err();
        assert_eq!(none.why, "stream did not record this");
        let none = seen.one("core_frequency", "frequency", &[]).unwrap_err();
        assert_eq!(none.remedy.unwrap(), "cpulens run --only core_frequency");
    }
}
