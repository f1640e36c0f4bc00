//! How the machine itself moved between the cases, by the reference sample that ran between them.
use crate::analysis::{Analysis, Entry};
use crate::report::Report;
use crate::words::percent;
use stats::Sample;
use std::collections::BTreeMap;

/// How the machine moved during the run, by the reference sample.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Drift {
    /// Samples.
    pub samples: usize,
    /// Median frequency in hertz, and its 5th and 95th percentile over all windows.
    pub frequency: (f64, f64, f64),
    /// (largest - smallest) / median of the samples' median frequencies.
    pub frequency_range: f64,
    /// (largest - smallest) / median of the samples' median chase latencies.
    pub chase_range: f64,
    /// What that means, in a sentence.
    pub verdict: String,
}

/// A quiet machine's samples stay within 1 to 2 %; beyond this, cases taken at different times do not compare.
pub const RANGE: f64 = 0.05;

pub static ANALYSIS: Entry = Entry::of::<Option<Drift>>();

impl Analysis for Option<Drift> {
    const TITLE: &str = "How the machine itself moved while it was measured; nothing if the reference sample was taken fewer than twice.";
    const ORDER: u16 = 190;
    /// What the reference sample saw; nothing with fewer than two samples that have both frequency and chase.
    fn compute(report: &Report<'_>) -> Self {
        let record = report.record;
        // Cores need not be equal, so only samples of one CPU compare: of the one that has most.
        let mut cpus: BTreeMap<u32, usize> = BTreeMap::new();
        record
            .reference_samples
            .iter()
            .for_each(|sample| *cpus.entry(sample.cpu).or_default() += 1);
        let (cpu, _) = cpus.into_iter().rev().max_by_key(|(_, samples)| *samples)?;
        let mut samples: Vec<(f64, f64)> = vec![];
        let mut windows: Vec<f64> = vec![];
        for sample in record.reference_samples.iter().filter(|sample| sample.cpu == cpu) {
            let (Some(frequency), Some(chase)) =
                (Sample::new(&sample.frequency), Sample::new(&sample.chase))
            else {
                continue;
            };
            samples.push((frequency.median(), chase.median()));
            windows.extend(&sample.frequency);
        }
        if samples.len() < 2 {
            return None;
        }
        let (frequencies, chases): (Vec<f64>, Vec<f64>) = samples.iter().copied().unzip();
        let (frequency_range, chase_range) = (range(&frequencies)?, range(&chases)?);
        // A cache runs with the core, so in cycles a changed frequency cancels and what is left is the cache itself.
        let cycles: Vec<f64> = samples.iter().map(|(frequency, chase)| frequency * chase).collect();
        let windows = Sample::new(&windows)?;
        Some(Drift {
            samples: samples.len(),
            frequency: (windows.median(), windows.quantile(0.05), windows.quantile(0.95)),
            frequency_range,
            chase_range,
            verdict: verdict(samples.len(), frequency_range, chase_range, range(&cycles)?),
        })
    }
}

/// (largest - smallest) / median.
fn range(values: &[f64]) -> Option<f64> {
    let sample = Sample::new(values)?;
    (sample.median() > 0.0).then(|| (sample.max() - sample.min()) / sample.median())
}

fn verdict(samples: usize, frequency: f64, chase: f64, cycles: f64) -> String {
    match (frequency > RANGE, cycles > RANGE) {
        (false, false) if chase <= RANGE => format!(
            "The machine was steady: over {samples} reference samples its frequency moved by {} and its cache latency by {}.",
            percent(frequency),
            percent(chase)
        ),
        (false, false) => format!(
            "Frequency and cache latency moved together, by {} and {}: little, but more than noise.",
            percent(frequency),
            percent(chase)
        ),
        (true, false) => format!(
            "The core frequency moved by {} during the run, and everything that runs with it: compare cycles rather than times.",
            percent(frequency)
        ),
        (false, true) => format!(
            "The cache latency moved by {} while the frequency moved by only {}: something else used the caches or the core.",
            percent(chase),
            percent(frequency)
        ),
        (true, true) => format!(
            "The frequency moved by {} and the cache latency by {}, independently: the machine changed during the run.",
            percent(frequency),
            percent(chase)
        ),
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
        };
        let mut record = crate::example::empty();
        record.reference_samples = vec![sample(4, 2e9), sample(0, 4e9), sample(0, 4e9)];
        let drift = Option::<Drift>::compute(&Report::new(&record)).unwrap();
        assert_eq!((drift.samples, drift.frequency_range, drift.frequency.0), (2, 0.0, 4e9));
    }

    #[test]
    fn frequency_and_cache_are_distinguished() {
        let slower = of(&[(4e9, 1e-9), (2e9, 2e-9)]).unwrap();
        assert!(
            slower.verdict.starts_with("The core frequency moved by 67 %"),
            "{}",
            slower.verdict
        );
        let shared = of(&[(4e9, 1e-9), (4e9, 2e-9)]).unwrap();
        assert!(shared.verdict.starts_with("The cache latency moved"), "{}", shared.verdict);
        let both = of(&[(4e9, 1e-9), (2e9, 9e-9)]).unwrap();
        assert!(both.verdict.contains("independently"), "{}", both.verdict);
        let quiet = of(&[(4e9, 1e-9), (4.01e9, 1.01e-9)]).unwrap();
        assert!(quiet.verdict.starts_with("The machine was steady"), "{}", quiet.verdict);
    }
}
