//! Energy, power and temperature case by case, and the energy per operation where a case did one kind of work.
//! Package counters count all programs and idle power, so energy per operation is what the machine spent on it.
//! Source of the readings: the sampler `energy`.
use crate::analysis::{Analysis, Entry};
use crate::quantity;
use crate::report::Report;
use crate::say;
use record::{Metric, Run, Text, Unit};

/// The energy of one case.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseEnergy {
    /// Index into `record.runs`.
    pub run: usize,
    /// Energy of all packages in joules; nothing where only a power meter can be read.
    pub package: Option<f64>,
    /// Energy of DRAM in joules, where it is counted apart.
    pub dram: Option<f64>,
    /// Energy of the whole platform in joules.
    pub platform: Option<f64>,
    /// Mean power of packages and DRAM in watts, or of the power meters.
    pub watts: f64,
    /// The highest temperature at the end of the case, in degrees Celsius.
    pub celsius: Option<f64>,
    /// Energy per operation; nothing where the case did several kinds of work.
    pub per_operation: Option<PerOperation>,
}

/// Mean power over the rate of the work.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PerOperation {
    /// Index into `Report::estimates` of the rate.
    pub estimate: usize,
    /// Energy in joules per operation, or per byte where the rate is in bytes per second.
    pub joules: f64,
    /// Whether the operation is a byte.
    pub is_byte: bool,
}

pub static ANALYSIS: Entry = Entry::of::<Vec<CaseEnergy>>();

impl Analysis for Vec<CaseEnergy> {
    const TITLE: &str = "Energy, power and temperature, one per case.";
    const ORDER: u16 = 185;
    /// One for each case beside which energy or power was read, in the record's order.
    fn compute(report: &Report<'_>) -> Self {
        let runs = report.record.runs.iter().enumerate();
        runs.filter(|(_, run)| run.origin.is_none())
            .filter_map(|(index, run)| of_case(report, index, run))
            .collect()
    }
    fn conclusions(&self) -> Vec<Text> {
        let all = || self.iter().filter_map(|case| Some((case, case.package?)));
        let (joules, seconds) = all().fold((0.0, 0.0), |(joules, seconds), (case, package)| {
            let with_dram = package + case.dram.unwrap_or(0.0);
            (joules + with_dram, seconds + with_dram / case.watts)
        });
        if seconds <= 0.0 {
            return vec![];
        }
        let words = |value, unit| quantity::plain(value, unit);
        let energy = words(joules, Unit::Joules);
        let (time, power) = (words(seconds, Unit::Seconds), words(joules / seconds, Unit::Watts));
        let most = self.iter().filter_map(|case| case.celsius).reduce(f64::max);
        vec![match most.map(|most| words(most, Unit::Celsius)) {
            Some(most) => say::energy_took_reached(energy, time, power, most),
            None => say::energy_took(energy, time, power),
        }]
    }
}

fn of_case(report: &Report<'_>, index: usize, run: &Run) -> Option<CaseEnergy> {
    let read = |name: &str| run.reading(&format!("energy.{name}")).map(|r| r.value);
    let counted = read("package.power").map(|package| package + read("dram.power").unwrap_or(0.0));
    let watts = counted.or_else(|| read("meter.power")).filter(|watts| *watts > 0.0)?;
    Some(CaseEnergy {
        run: index,
        package: read("package"),
        dram: read("dram"),
        platform: read("platform"),
        watts,
        celsius: read("temperature"),
        per_operation: per_operation(report, index, watts),
    })
}

/// Energy per operation, by the case's only rate or, without one, by its only time per operation on one CPU.
fn per_operation(report: &Report<'_>, run: usize, watts: f64) -> Option<PerOperation> {
    let own = report.own().iter().enumerate().filter(|(_, e)| e.run == run && e.median > 0.0);
    let rates: Vec<_> = own
        .clone()
        .filter(|(_, e)| matches!(e.unit, Unit::PerSecond | Unit::BytesPerSecond))
        .collect();
    let times: Vec<_> =
        own.filter(|(_, e)| e.metric == Metric::TimePerOp && e.unit == Unit::Seconds).collect();
    let one_cpu = report.record.runs[run].case.place.cpus.len() == 1;
    let (estimate, joules, is_byte) = match (&rates[..], &times[..]) {
        ([(at, e)], _) => (*at, watts / e.median, e.unit == Unit::BytesPerSecond),
        ([], [(at, e)]) if one_cpu => (*at, watts * e.median, false),
        _ => return None,
    };
    Some(PerOperation { estimate, joules, is_byte })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use record::{Better, Series};

    fn series(metric: Metric, unit: Unit, value: f64) -> Series {
        Series { samples: vec![value; 5], ..Series::new(metric, unit, Better::Higher) }
    }

    #[test]
    fn energy_per_operation_is_power_over_the_only_rate() {
        let mut record = example::empty();
        let read = series(Metric::Bandwidth, Unit::BytesPerSecond, 10e9);
        example::measured(&mut record, "bandwidth", &[], vec![read.clone()]);
        example::noted(&mut record, "energy.package", Unit::Joules, 30.0);
        example::noted(&mut record, "energy.package.power", Unit::Watts, 15.0);
        example::noted(&mut record, "energy.dram", Unit::Joules, 10.0);
        example::noted(&mut record, "energy.dram.power", Unit::Watts, 5.0);
        example::noted(&mut record, "energy.temperature", Unit::Celsius, 61.0);
        let add = series(Metric::TimePerOp, Unit::Seconds, 1e-9);
        example::measured(&mut record, "prime", &[], vec![add.clone()]);
        example::noted(&mut record, "energy.meter.power", Unit::Watts, 40.0);
        // Two kinds of work share the power, and without a reading there is nothing to say.
        example::measured(&mut record, "core_rate", &[], vec![read.clone(), read, add.clone()]);
        example::noted(&mut record, "energy.meter.power", Unit::Watts, 40.0);
        example::measured(&mut record, "prime", &[], vec![add]);
        let found = Vec::<CaseEnergy>::compute(&Report::new(&record));
        let nanojoules = |c: &CaseEnergy| Some((c.per_operation.as_ref()?.joules * 1e9).round());
        assert_eq!(found.iter().map(nanojoules).collect::<Vec<_>>(), [Some(2.0), Some(40.0), None]);
        assert!(found[0].per_operation.as_ref().unwrap().is_byte);
        assert_eq!(
            found.conclusions(),
            ["The processor took 40 J in 2 s of cases, 20 W on average, and reached 61 °C."]
        );
        assert!(found[1..].to_vec().conclusions().is_empty(), "a meter's mean is no energy");
    }
}
