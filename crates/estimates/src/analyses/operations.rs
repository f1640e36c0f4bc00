//! Operations per cycle and per second of a core.
use crate::analysis::{Analysis, Entry};
use crate::estimate::Estimate;
use crate::report::Report;
use record::{Metric, ProbeId, param};
use stats::Interval;

/// The rate of one kind of operation.
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
    /// 95 % interval of `flops`, per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flops_interval: Option<Interval>,
    /// Index into `Report::estimates`.
    pub estimate: usize,
}

pub static ANALYSIS: Entry = Entry::of::<Vec<Operation>>();

impl Analysis for Vec<Operation> {
    const TITLE: &str = "What a core does in a cycle and in a second, one per operation.";
    const ORDER: u16 = 100;
    /// One for each operation that was measured, in the record's order.
    fn compute(report: &Report<'_>) -> Self {
        report
            .of_probe(ProbeId::CoreRate)
            .filter(|(_, e)| e.metric == Metric::TimePerOp && e.median > 0.0)
            .filter_map(|(estimate, e)| {
                let op = report.text(e, param::OP)?;
                let per_second = 1.0 / e.median;
                let lanes = match op.as_str() {
                    "fma" => Some(1.0),
                    "fma_vector" => param::LANES.of(&e.at).map(|lanes| lanes as f64),
                    _ => None,
                };
                Some(Operation {
                    kind: report.text(e, param::KIND),
                    per_second,
                    per_cycle: e.per_cycle,
                    ipc: instructions(report, e, &op)
                        .zip(e.per_cycle)
                        .map(|(each, rate)| each * rate),
                    flops: lanes.map(|lanes| 2.0 * lanes * per_second),
                    flops_interval: lanes.zip(e.interval).map(|(lanes, of)| Interval {
                        low: 2.0 * lanes / of.high,
                        high: 2.0 * lanes / of.low,
                        ..of
                    }),
                    estimate,
                    op,
                })
            })
            .collect()
    }
}

/// The instructions of one operation, as the run says of its kernel.
fn instructions(report: &Report<'_>, e: &Estimate, op: &str) -> Option<f64> {
    let name = format!("core_rate.instructions.{op}");
    report.record.runs.get(e.run)?.reading(&name).map(|reading| reading.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use record::{Better, Series, Unit};

    fn series(metric: &str, value: f64, hertz: Option<f64>) -> Series {
        let new = Series::new(metric, Unit::Seconds, Better::Lower);
        Series { samples: vec![value], frequency: hertz, ..new }
    }

    #[test]
    fn operations_are_counted_by_cycle_by_second_and_by_lane() {
        let mut record = example::empty();
        // Powers of two, of which the quotients are exact.
        let (fast, slow, hertz) = (0.5f64.powi(31), 0.5f64.powi(30), 2f64.powi(32));
        let all = vec![
            series("time_per_op", fast, Some(hertz)).at(param::OP, "add"),
            series("time_per_op", slow, Some(hertz))
                .at(param::OP, "fma_vector")
                .at(param::LANES, 8u64),
            series("time_per_op", slow, None).at(param::OP, "fma"),
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
        let found = Vec::<Operation>::compute(&Report::new(&record));
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
}
