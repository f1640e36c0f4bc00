//! Drift of the machine between the cases, by the reference sample that ran between them.
use crate::analysis::{Analysis, Entry};
use crate::report::Report;
pub use crate::resources::{Moved, Resource, is_across, placed, placement, round_trip};
use crate::resources::{by_resource, placements, watched};
use crate::say;
use crate::words::percent;
use record::{Between, Message, Text};
use stats::Sample;

/// The drift of the machine during the run, by the reference sample.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Drift {
    /// Samples.
    pub samples: usize,
    /// Median frequency of the samples in hertz, and its 5th and 95th percentile.
    pub frequency: (f64, f64, f64),
    /// Each resource that was watched, the core's frequency first.
    pub resources: Vec<Moved>,
    /// The conclusion, as a sentence.
    pub verdict: Text,
}

impl Drift {
    /// What the reference sample itself watched. The placement has an objection of its own, which names the cases.
    pub fn sampled(&self) -> impl Iterator<Item = &Moved> {
        self.resources.iter().filter(|m| m.resource != Resource::Placement)
    }
    /// The verdict without its full stop.
    pub fn reason(&self) -> Text {
        verdict(self.samples, &self.resources)
    }
    /// The one of these that moved furthest, in multiples of its limit.
    pub fn furthest(&self) -> Option<&Moved> {
        let of = |m: &Moved| m.range / m.resource.limit();
        self.sampled().max_by(|a, b| of(a).total_cmp(&of(b)))
    }
    /// The drift of a resource; `None` if it was not watched.
    pub fn of(&self, resource: Resource) -> Option<f64> {
        self.resources.iter().find(|m| m.resource == resource).map(|m| m.range)
    }
}

pub static ANALYSIS: Entry = Entry::of::<Option<Drift>>();

impl Analysis for Option<Drift> {
    const TITLE: &str = "How the machine itself moved while it was measured; nothing if the reference sample was taken fewer than twice.";
    const ORDER: u16 = 190;
    /// The drift; `None` with fewer than two samples that have both frequency and chase.
    fn compute(report: &Report<'_>) -> Self {
        let watched = watched(report.record);
        if watched.len() < 2 {
            return None;
        }
        let mut all = by_resource(&watched);
        let samples = Sample::new(all.get(&Resource::Frequency)?)?;
        let frequency = (samples.median(), samples.quantile(0.05), samples.quantile(0.95));
        all.insert(Resource::Placement, placements(report.record));
        let moved = |(resource, values): (Resource, Vec<f64>)| {
            Some(Moved { resource, range: Sample::new(&values)?.range()? })
        };
        let resources: Vec<Moved> = all.into_iter().filter_map(moved).collect();
        (!resources.is_empty()).then(|| Drift {
            samples: watched.len(),
            frequency,
            verdict: say::full_stop(verdict(watched.len(), &resources)),
            resources,
        })
    }
}

/// The figures that rest on it.
fn figures(resource: Resource) -> Message {
    match resource {
        Resource::Frequency => say::RESTS_FREQUENCY,
        Resource::Ports => say::RESTS_PORTS,
        Resource::L2 => say::RESTS_L2,
        Resource::L3 => say::RESTS_L3,
        Resource::Memory => say::RESTS_MEMORY,
        Resource::Placement => say::RESTS_PLACEMENT,
    }
}

/// The verdict without its full stop.
fn verdict(samples: usize, resources: &[Moved]) -> Text {
    let said = |m: &Moved| say::moved_by(m.resource.name(), percent(m.range));
    let far: Vec<&Moved> = resources.iter().filter(|m| m.too_far()).collect();
    match far[..] {
        [] => {
            let watched = resources.iter().filter(|m| m.resource != Resource::Placement);
            say::steady(samples, Text::list(watched.map(said), Between::Comma))
        }
        _ => {
            let each = far.iter().map(|m| say::moved_and_rests(said(m), figures(m.resource)));
            say::drifted(Text::list(each, Between::Semicolon))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::ReferenceSample;

    fn of(samples: &[(f64, f64)]) -> Option<Drift> {
        let mut record = crate::example::empty();
        record.reference_samples = samples
            .iter()
            .map(|(frequency, chase)| ReferenceSample {
                at: 0.0,
                cpu: 0,
                frequency: vec![*frequency],
                chase: vec![*chase],
                ..Default::default()
            })
            .collect();
        Option::<Drift>::compute(&Report::new(&record))
    }

    #[test]
    fn one_sample_tells_nothing() {
        assert!(of(&[]).is_none() && of(&[(1e9, 1e-9)]).is_none());
        assert!(of(&[(1e9, 1e-9), (0.0, 0.0)]).is_some());
        assert!(of(&[(0.0, 0.0), (0.0, 0.0)]).is_none());
    }

    #[test]
    fn cores_of_unlike_speed_are_no_drift() {
        let sample = |cpu, frequency| ReferenceSample {
            at: 0.0,
            cpu,
            frequency: vec![frequency],
            chase: vec![1e-9],
            ..Default::default()
        };
        let mut record = crate::example::empty();
        record.reference_samples = vec![sample(4, 2e9), sample(0, 4e9), sample(0, 4e9)];
        let drift = Option::<Drift>::compute(&Report::new(&record)).unwrap();
        assert_eq!((drift.samples, drift.frequency.0), (2, 4e9));
        assert_eq!(drift.of(Resource::Frequency), Some(0.0));
    }

    #[test]
    fn each_resource_is_judged_by_itself() {
        let far = |drift: Option<Drift>| -> Vec<Resource> {
            let all = drift.unwrap().resources;
            all.into_iter().filter(Moved::too_far).map(|moved| moved.resource).collect()
        };
        // A cache that keeps its cycles moves with the core only.
        assert_eq!(far(of(&[(4e9, 1e-9), (2e9, 2e-9)])), [Resource::Frequency]);
        assert_eq!(far(of(&[(4e9, 1e-9), (4e9, 2e-9)])), [Resource::L2]);
        assert_eq!(far(of(&[(4e9, 1e-9), (2e9, 9e-9)])), [Resource::Frequency, Resource::L2]);
        let quiet = of(&[(4e9, 1e-9), (4.01e9, 1.01e-9)]).unwrap();
        assert!(quiet.verdict.starts_with("The machine was steady"), "{}", quiet.verdict);
    }

    /// A thread on the same core halves what the core does at once and leaves a dependent chain as it is.
    #[test]
    fn a_neighbour_on_the_core_and_one_in_memory_are_told_apart() {
        let sample = |ports: f64, memory: f64| ReferenceSample {
            frequency: vec![4e9; 7],
            ports: vec![ports; 7],
            chase: vec![3e-9; 7],
            memory: vec![memory; 7],
            ..Default::default()
        };
        let of = |samples: &[(f64, f64)]| {
            let mut record = crate::example::empty();
            record.reference_samples = samples.iter().map(|(p, m)| sample(*p, *m)).collect();
            Option::<Drift>::compute(&Report::new(&record)).unwrap()
        };
        let core = of(&[(16e9, 1e-7), (8e9, 1e-7), (16e9, 1.02e-7)]);
        assert_eq!(core.furthest().map(|m| m.resource), Some(Resource::Ports));
        assert!(core.verdict.contains("another thread used the core"), "{}", core.verdict);
        assert_eq!(core.of(Resource::L3), None);
        let memory = of(&[(16e9, 1e-7), (16e9, 1.5e-7), (16e9, 1.4e-7)]);
        assert_eq!(memory.furthest().map(|m| m.resource), Some(Resource::Memory));
        assert!(memory.verdict.contains("memory latency"), "{}", memory.verdict);
    }
}
