//! What a core does in a cycle and in a second, what a mispredicted branch costs it, and the frequency it holds under load.
use crate::estimate::Estimate;
use crate::observed::Observed;

/// How often a core does one kind of operation.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Operation {
    /// The operation: a compute kernel's id.
    pub op: String,
    /// Kind of core, on hybrid machines.
    pub kind: Option<String>,
    /// Operations per second of one core.
    pub per_second: f64,
    /// Operations per cycle, by the clock measured beside them.
    pub per_cycle: Option<f64>,
    /// Instructions per cycle, derived and not counted: those that assembly fixes for each operation, the loop's
    /// included, times the operations per cycle.
    pub ipc: Option<f64>,
    /// Floating-point operations per second: two for every lane of a multiply-add.
    pub flops: Option<f64>,
    /// Index into `Report::estimates`.
    pub estimate: usize,
}

/// What one mispredicted branch costs.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Misprediction {
    /// Kind of core, on hybrid machines.
    pub kind: Option<String>,
    /// Seconds: (random - constant) over the half of the guesses that fail.
    pub seconds: f64,
    /// The same in cycles, by the clock measured beside the random branches.
    pub cycles: Option<f64>,
    /// Index into `Report::estimates` of the branches that none mispredicts.
    pub constant: usize,
    /// And of those of which half are mispredicted.
    pub random: usize,
}

/// The frequency under one kind of instruction.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoadedFrequency {
    /// `scalar`, `avx2`, `avx512`, `neon`, `sve`.
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

/// The share of guesses that fail on random branches.
const FAILING: f64 = 0.5;

fn text(seen: &Observed<'_>, e: &Estimate, name: &str) -> Option<String> {
    let param = || seen.record.runs.get(e.run)?.case.params.get(name);
    e.at.get(name).or_else(param).and_then(|v| v.text()).map(str::to_owned)
}

fn of<'a>(seen: &'a Observed<'_>, probe: &'a str) -> impl Iterator<Item = (usize, &'a Estimate)> {
    seen.estimates.iter().enumerate().filter(move |(_, e)| e.probe == probe)
}

/// One for each operation that was measured, in the record's order.
pub fn operations(seen: &Observed<'_>) -> Vec<Operation> {
    of(seen, "core_rate")
        .filter(|(_, e)| e.metric == "time_per_op" && e.median > 0.0)
        .filter_map(|(estimate, e)| {
            let op = text(seen, e, "op")?;
            let per_second = 1.0 / e.median;
            let lanes = match op.as_str() {
                "fma" => Some(1.0),
                "fma_vector" => e.at.get("lanes").and_then(|v| v.number()),
                _ => None,
            };
            Some(Operation {
                kind: text(seen, e, "kind"),
                per_second,
                per_cycle: e.per_cycle,
                ipc: instructions(seen, e, &op).zip(e.per_cycle).map(|(each, rate)| each * rate),
                flops: lanes.map(|lanes| 2.0 * lanes * per_second),
                estimate,
                op,
            })
        })
        .collect()
}

/// The instructions of one operation, as the run says of its kernel.
fn instructions(seen: &Observed<'_>, e: &Estimate, op: &str) -> Option<f64> {
    let name = format!("core_rate.instructions.{op}");
    seen.record.runs.get(e.run)?.reading(&name).map(|reading| reading.value)
}

/// One for each kind of core on which both kinds of branches were measured; nothing where random ones were not slower.
pub fn mispredictions(seen: &Observed<'_>) -> Vec<Misprediction> {
    let pattern = |wanted: &'static str| {
        of(seen, "branch_miss")
            .filter(move |(_, e)| e.at.get("pattern").and_then(|v| v.text()) == Some(wanted))
    };
    pattern("random")
        .filter_map(|(random, r)| {
            let (constant, c) = pattern("constant").find(|(_, c)| c.run == r.run)?;
            let seconds = (r.median - c.median) / FAILING;
            let hertz = r.cycles.map(|cycles| cycles / r.median);
            (seconds > 0.0).then(|| Misprediction {
                kind: text(seen, r, "kind"),
                seconds,
                cycles: hertz.map(|hz| seconds * hz),
                constant,
                random,
            })
        })
        .collect()
}

/// One for each kind of instruction, in the record's order.
pub fn loaded_frequencies(seen: &Observed<'_>) -> Vec<LoadedFrequency> {
    let mut all: Vec<LoadedFrequency> = vec![];
    let mut first = None;
    for (estimate, e) in of(seen, "loaded_frequency").filter(|(_, e)| e.median > 0.0) {
        let Some(class) = text(seen, e, "class") else { continue };
        let at = |name: &str| e.at.get(name).and_then(|v| v.integer());
        let Some(active) = at("active") else { continue };
        let index = all.iter().position(|c| c.class == class).unwrap_or_else(|| {
            all.push(LoadedFrequency { class, active: vec![], seconds: vec![] });
            all.len() - 1
        });
        let base = |held: &[Held]| held.first().map(|h| seen.estimates[h.estimate].median);
        let list = &mut all[index];
        match at("second") {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{estimate, example};
    use record::{Better, Record, Series, Unit};

    fn series(metric: &str, value: f64, hertz: Option<f64>) -> Series {
        let unit = if metric == "frequency" { Unit::Hertz } else { Unit::Seconds };
        Series {
            samples: vec![value],
            frequency: hertz,
            ..Series::new(metric, unit, Better::Lower)
        }
    }
    fn seen<T>(record: &Record, look: impl Fn(&Observed<'_>) -> T) -> T {
        look(&Observed { record, estimates: &estimate::estimates(record) })
    }

    #[test]
    fn operations_are_counted_by_cycle_by_second_and_by_lane() {
        let mut record = example::empty();
        // Powers of two, of which the quotients are exact.
        let (fast, slow, hertz) = (0.5f64.powi(31), 0.5f64.powi(30), 2f64.powi(32));
        let all = vec![
            series("time_per_op", fast, Some(hertz)).at("op", "add"),
            series("time_per_op", slow, Some(hertz)).at("op", "fma_vector").at("lanes", 8u64),
            series("time_per_op", slow, None).at("op", "fma"),
        ];
        example::measured(&mut record, "core_rate", &[("kind", "big")], all);
        // 66 instructions for 64 additions; of the others it is not said, or the frequency is not known.
        for op in ["add", "fma"] {
            record.runs[0].readings.push(record::Reading {
                name: format!("core_rate.instructions.{op}"),
                unit: Unit::Count,
                value: 66.0 / 64.0,
                coverage: 1.0,
            });
        }
        let found = seen(&record, operations);
        let ipc: Vec<_> = found.iter().map(|o| o.ipc).collect();
        assert_eq!(ipc, [Some(0.5 * 66.0 / 64.0), None, None]);
        let rates: Vec<_> = found.iter().map(|o| (o.per_cycle, o.per_second, o.flops)).collect();
        let (often, seldom) = (2f64.powi(31), 2f64.powi(30));
        let expected = [
            (Some(0.5), often, None),
            (Some(0.25), seldom, Some(16.0 * seldom)),
            (None, seldom, Some(2.0 * seldom)),
        ];
        assert_eq!(rates, expected);
        assert!(found.iter().all(|o| o.kind.as_deref() == Some("big")));
    }

    #[test]
    fn a_misprediction_is_twice_what_random_branches_take_longer() {
        let branches = |random: f64| {
            let mut record = example::empty();
            let all = vec![
                series("time_per_branch", 1e-9, Some(2e9)).at("pattern", "constant"),
                series("time_per_branch", random, Some(4e9)).at("pattern", "random"),
            ];
            example::measured(&mut record, "branch_miss", &[], all);
            seen(&record, mispredictions)
        };
        let found = branches(3e-9);
        assert!((found[0].seconds - 4e-9).abs() < 1e-18);
        assert!((found[0].cycles.unwrap() - 16.0).abs() < 1e-9);
        assert_eq!((found[0].constant, found[0].random), (0, 1));
        assert!(branches(0.9e-9).is_empty());
    }

    #[test]
    fn clocks_are_shares_of_one_scalar_core_and_of_the_first_second() {
        let mut record = example::empty();
        let frequency = |class: &str, active: u64, hertz: f64| {
            series("frequency", hertz, None).at("class", class).at("active", active)
        };
        let all = vec![
            frequency("scalar", 1, 4e9),
            frequency("scalar", 2, 3e9),
            frequency("avx512", 1, 2e9),
            frequency("avx512", 2, 2e9).at("second", 1u64),
            frequency("avx512", 2, 1e9).at("second", 2u64),
        ];
        example::measured(&mut record, "loaded_frequency", &[], all);
        let found = seen(&record, loaded_frequencies);
        let shares =
            |held: &[Held]| -> Vec<(u64, f64)> { held.iter().map(|h| (h.at, h.share)).collect() };
        assert_eq!(found.len(), 2);
        assert_eq!(shares(&found[0].active), [(1, 1.0), (2, 0.75)]);
        assert_eq!(shares(&found[1].active), [(1, 0.5)]);
        assert_eq!(shares(&found[1].seconds), [(1, 1.0), (2, 0.5)]);
    }
}
