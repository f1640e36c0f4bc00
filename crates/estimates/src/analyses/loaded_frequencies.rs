//! The frequency that a core holds under load.
use crate::analysis::{Analysis, Entry};
use crate::report::Report;
use record::{ProbeId, param};

/// The frequency under one kind of instruction.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoadedFrequency {
    /// `scalar`, `avx2`, `avx512`, `neon`, `sve`, `avx_vnni`, `avx512_vnni`, `amx`, `sme`.
    pub class: String,
    /// By number of active CPUs.
    pub active: Vec<Held>,
    /// Second by second with all of them active, where that was measured.
    pub seconds: Vec<Held>,
}

/// The frequency at one point.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Held {
    /// Active CPUs, or the second.
    pub at: u64,
    /// Its frequency over that of the first point of the first class, or of the first second.
    pub share: f64,
    /// Index into `Report::estimates`.
    pub estimate: usize,
}

pub static ANALYSIS: Entry = Entry::of::<Vec<LoadedFrequency>>();

impl Analysis for Vec<LoadedFrequency> {
    const TITLE: &str = "The frequency under load, one per kind of instruction.";
    const ORDER: u16 = 120;
    /// One for each kind of instruction, in the record's order.
    fn compute(report: &Report<'_>) -> Self {
        let mut all: Vec<LoadedFrequency> = vec![];
        let mut first = None;
        for (estimate, e) in
            report.of_probe(ProbeId::LoadedFrequency).filter(|(_, e)| e.median > 0.0)
        {
            let Some(class) = report.text(e, param::CLASS) else { continue };
            let Some(active) = param::ACTIVE.of(&e.at) else { continue };
            let index = all.iter().position(|c| c.class == class).unwrap_or_else(|| {
                all.push(LoadedFrequency { class, active: vec![], seconds: vec![] });
                all.len() - 1
            });
            let base = |held: &[Held]| held.first().map(|h| report.estimates[h.estimate].median);
            let list = &mut all[index];
            match param::SECOND.of(&e.at) {
                Some(second) => {
                    let share = e.median / base(&list.seconds).unwrap_or(e.median);
                    list.seconds.push(Held { at: second, share, estimate });
                }
                None => {
                    let share = e.median / *first.get_or_insert(e.median);
                    list.active.push(Held { at: active, share, estimate });
                }
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use record::{Better, Metric, Series, Unit};

    #[test]
    fn clocks_are_shares_of_one_scalar_core_and_of_the_first_second() {
        let mut record = example::empty();
        let frequency = |class: &str, active: u64, hertz: f64| {
            let new = Series::new(Metric::Frequency, Unit::Hertz, Better::Neither);
            let series = Series { samples: vec![hertz], ..new };
            series.at(param::CLASS, class).at(param::ACTIVE, active)
        };
        let all = vec![
            frequency("scalar", 1, 4e9),
            frequency("scalar", 2, 3e9),
            frequency("avx512", 1, 2e9),
            frequency("avx512", 2, 2e9).at(param::SECOND, 1u64),
            frequency("avx512", 2, 1e9).at(param::SECOND, 2u64),
        ];
        example::measured(&mut record, "loaded_frequency", &[], all);
        let found = Vec::<LoadedFrequency>::compute(&Report::new(&record));
        let shares =
            |held: &[Held]| -> Vec<(u64, f64)> { held.iter().map(|h| (h.at, h.share)).collect() };
        assert_eq!(found.len(), 2);
        assert_eq!(shares(&found[0].active), [(1, 1.0), (2, 0.75)]);
        assert_eq!(shares(&found[1].active), [(1, 0.5)]);
        assert_eq!(shares(&found[1].seconds), [(1, 1.0), (2, 0.5)]);
    }
}
