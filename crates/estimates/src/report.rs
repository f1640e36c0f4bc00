//! A record with its estimates and analyses. Finds estimates by what they are, and says why when there is none.
use crate::between_runs::Kind;
use crate::computed::Computed;
use crate::estimate::{self, Estimate};
use crate::say;
use record::{
    Case, Metric, ProbeId, Reason, Record, Run, Series,
    param::{self, Parameter},
};
use std::borrow::Cow;

/// A record and what follows from it: estimates, and analyses, each computed when it is asked for. Never read back.
#[derive(Debug)]
pub struct Report<'a> {
    /// The observations that everything rests on.
    pub record: &'a Record,
    /// One per measured series, in the record's order: [`Report::own`], then the imported.
    pub estimates: Vec<Estimate>,
    own: usize,
    pub(crate) computed: Computed,
}

impl<'a> Report<'a> {
    /// Starts with a record; nothing is computed before it is asked for.
    pub fn new(record: &'a Record) -> Report<'a> {
        Report::of_cases(record, |_| true)
    }
    /// [`Report::new`] with the estimates of some cases only.
    pub fn of_cases(record: &'a Record, wanted: impl Fn(&Case) -> bool) -> Report<'a> {
        let measured_here = |e: &Estimate| record.runs[e.run].origin.is_none();
        let (mut estimates, imported): (Vec<_>, Vec<_>) =
            estimate::estimates(record, wanted).into_iter().partition(measured_here);
        let own = estimates.len();
        estimates.extend(imported);
        Report { record, estimates, own, computed: Computed::default() }
    }
    /// [`Report::new`] without estimates, for analyses that read the record alone.
    pub fn without_estimates(record: &'a Record) -> Report<'a> {
        Report { record, estimates: vec![], own: 0, computed: Computed::default() }
    }
    /// Estimates of what was measured here.
    pub fn own(&self) -> &[Estimate] {
        &self.estimates[..self.own]
    }
    /// Estimates of other tools' values and of published figures. `quantities` says what may be concluded from them.
    pub fn of_others(&self) -> &[Estimate] {
        &self.estimates[self.own..]
    }
    /// Estimates of a probe's metric whose coordinates or parameters have all of these values.
    pub fn all<'r, const N: usize>(
        &'r self,
        probe: ProbeId,
        metric: Metric,
        at: [(Parameter<str>, &'r str); N],
    ) -> impl Iterator<Item = &'r Estimate> + use<'r, N> {
        let record = self.record;
        self.own().iter().filter(move |e| {
            e.probe == probe
                && e.metric == metric
                && at.iter().all(|(parameter, value)| {
                    let params = &record.runs[e.run].case.params;
                    parameter.of(&e.at).or_else(|| parameter.of(params)) == Some(*value)
                })
        })
    }
    /// The first of [`Report::all`], or why there is none.
    pub fn one<'r, const N: usize>(
        &'r self,
        probe: ProbeId,
        metric: Metric,
        at: [(Parameter<str>, &'r str); N],
    ) -> Result<&'r Estimate, Reason> {
        self.all(probe, metric, at).next().ok_or_else(|| self.why_not(probe))
    }
    /// The first series of a probe's metric that was measured here and has samples, or why there is none. It needs no estimates.
    fn first(&self, probe: ProbeId, metric: Metric) -> Result<&'a Series, Reason> {
        let runs = self.record.runs.iter();
        let runs = runs.filter(|run| run.case.probe == probe && run.origin.is_none());
        let mut of_metric = runs.flat_map(Run::series).filter(|series| series.metric == metric);
        of_metric.find(|s| !estimate::values(s).is_empty()).ok_or_else(|| self.why_not(probe))
    }
    /// Its samples that count.
    pub fn samples(&self, probe: ProbeId, metric: Metric) -> Result<Cow<'a, [f64]>, Reason> {
        self.first(probe, metric).map(estimate::values)
    }
    /// Its median.
    pub fn median(&self, probe: ProbeId, metric: Metric) -> Result<f64, Reason> {
        let series = self.first(probe, metric)?;
        estimate::median(series).ok_or_else(|| self.why_not(probe))
    }
    /// The cases of a probe, with their places in the record.
    pub fn cases(
        &self,
        probe: ProbeId,
    ) -> impl DoubleEndedIterator<Item = (usize, &'a Run)> + use<'a> {
        self.record.runs.iter().enumerate().filter(move |(_, run)| run.case.probe == probe)
    }
    /// Estimates of a case's metric, with their places in [`Report::estimates`].
    pub fn of_case<'r>(
        &'r self,
        run: usize,
        metric: Metric,
    ) -> impl DoubleEndedIterator<Item = (usize, &'r Estimate)> + Clone + use<'r> {
        let all = self.own().iter().enumerate();
        all.filter(move |(_, e)| e.run == run && e.metric == metric)
    }
    /// Estimates of a probe, with their places in [`Report::estimates`].
    pub fn of_probe<'r>(
        &'r self,
        probe: ProbeId,
    ) -> impl Iterator<Item = (usize, &'r Estimate)> + use<'r> {
        self.own().iter().enumerate().filter(move |(_, e)| e.probe == probe)
    }
    /// Reading memory on one core or all; of several cases in the record's order.
    pub fn reads<'r>(&'r self, cores: &'r str) -> impl Iterator<Item = &'r Estimate> + use<'r> {
        let at = [(param::KERNEL, "read"), (param::ONE_OR_ALL, cores)];
        self.all(ProbeId::Bandwidth, Metric::Bandwidth, at)
    }
    /// An estimate's coordinate or parameter, where it is text.
    pub fn text(&self, e: &Estimate, parameter: Parameter<str>) -> Option<String> {
        let of_case = || self.record.runs.get(e.run)?.case.get(parameter);
        parameter.of(&e.at).or_else(of_case).map(str::to_owned)
    }
    /// The raw series behind an estimate.
    pub fn series(&self, e: &Estimate) -> Option<&'a Series> {
        self.record.runs.get(e.run)?.series().get(e.series)
    }
    /// The reason why a probe has no number: its own, or that it was not asked.
    pub fn why_not(&self, probe: ProbeId) -> Reason {
        let runs = self.record.runs.iter().filter(|r| r.case.probe == probe);
        let reason = runs.clone().find_map(|r| r.outcome.why());
        let again = format!("cpulens run --only {probe}");
        match reason {
            Some(reason) => reason.after(say::no_result(probe.as_str())),
            None if runs.count() > 0 => {
                Reason::mended_by(say::probe_not_recorded(probe.as_str()), again)
            }
            None => Reason::mended_by(say::probe_not_run(probe.as_str()), again),
        }
    }
}

/// Why runs have no result, each reason once.
pub fn failures<'r>(runs: impl Iterator<Item = &'r Run>) -> Vec<Reason> {
    record::distinct(runs.filter_map(|run| run.outcome.why()).cloned())
}

/// Seconds by which the CPU time in `/proc/stat` advances (`USER_HZ`, proc_stat(5)).
pub const TICK: f64 = 0.01;

/// Share of all CPUs' time that others and the hypervisor took during a run; nothing where it is not known. A tick in each visit is
/// left out: it is the whole time of the shortest cases.
pub fn taken(run: &Run) -> Option<f64> {
    let of = |name: &str| run.reading(name).map(|r| r.value);
    let share = match (of("contention.busy"), of("contention.steal")) {
        (None, None) => return None,
        (busy, steal) => busy.unwrap_or(0.0) + steal.unwrap_or(0.0),
    };
    let counted = run.took * run.case.place.cpus.len().max(1) as f64;
    let ticks = TICK * run.visits.len().max(1) as f64;
    let unknown = if counted > 0.0 { ticks / counted } else { 0.0 };
    Some((share - unknown).max(0.0))
}

/// Share of a case's CPU time that others may take before its numbers are in doubt, as in the environment check.
const UNDISTURBED: f64 = 0.05;

/// The part of [`taken`] that is too much.
pub fn taken_beyond(run: &Run) -> f64 {
    (taken(run).unwrap_or(0.0) - UNDISTURBED).clamp(0.0, 0.99)
}

/// The doubt that the time others took of a case's CPUs casts on a series of this kind, as a standard deviation of its
/// logarithm. `whole` says that a sample without disturbance is among its samples.
pub fn taken_doubt(run: &Run, kind: Kind, whole: bool) -> f64 {
    let taken = taken_beyond(run);
    let left_out = kind.per_taken() * taken;
    if whole { left_out } else { left_out.max(ALL_DISTURBED * -(1.0 - taken).ln()) }
}

/// The same where every sample is disturbed and none could be left out, as a share of the logarithm by which a program is slower
/// that gets only the time that others leave. Source: docs/validation/README.md, "Load of others".
const ALL_DISTURBED: f64 = 0.7;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use record::{Better, Metric, ProbeId, Series, Unit};

    /// Contention of a case of three visits that took so long in all.
    #[test]
    fn a_tick_is_no_load_of_others() {
        let beyond = |took: f64| {
            let mut record = example::empty();
            example::measured(&mut record, "page_fault", &[], vec![]);
            let run = &mut record.runs[0];
            (run.took, run.visits) = (took, vec![Default::default(); 3]);
            run.readings.push(record::Reading::new("contention.busy", Unit::Ratio, 0.5));
            taken_beyond(run)
        };
        assert_eq!(beyond(0.03), 0.0);
        assert!((beyond(3.0) - 0.44).abs() < 1e-9, "{}", beyond(3.0));
    }

    #[test]
    fn coordinates_and_parameters_both_select() {
        let mut record = example::empty();
        let mut s = Series::new(Metric::Bandwidth, Unit::BytesPerSecond, Better::Higher);
        s.samples = vec![1e9];
        let series = vec![s.clone().at(param::KERNEL, "copy"), s.at(param::KERNEL, "triad")];
        example::measured(&mut record, "stream", &[("threads", "all")], series);
        let report = Report::new(&record);
        let found = report.one(
            ProbeId::Stream,
            Metric::Bandwidth,
            [(param::ONE_OR_ALL, "all"), (param::KERNEL, "triad")],
        );
        assert_eq!(found.unwrap().series, 1);
        let none = report
            .one(ProbeId::Stream, Metric::Bandwidth, [(param::ONE_OR_ALL, "one")])
            .unwrap_err();
        assert_eq!(none.why, "stream did not record this");
        let none = report.one(ProbeId::CoreFrequency, Metric::Frequency, []).unwrap_err();
        assert_eq!(none.remedy.unwrap(), "cpulens run --only core_frequency");
    }
}
