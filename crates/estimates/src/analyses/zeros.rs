//! The speed-up of zeros over other data: the factor by which benchmarks on zeroed buffers are off here.
use crate::analysis::{Analysis, Entry};
use crate::report::Report;
use record::{ProbeId, param};

/// The speed-up of zeros for one kind of access.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ZeroGain {
    /// `read`, `write`, `write_nt`.
    pub kernel: String,
    /// Bandwidth with zeros over bandwidth with other data: random words for reads, one repeated byte that is not zero
    /// for writes.
    pub ratio: f64,
    /// Index into `Report::estimates` of the one with zeros.
    pub zero: usize,
    /// And of the one with other data, whose content is called `random`.
    pub random: usize,
}

pub static ANALYSIS: Entry = Entry::of::<Vec<ZeroGain>>();

impl Analysis for Vec<ZeroGain> {
    const TITLE: &str = "What zeros are worth, one per kind of access.";
    const ORDER: u16 = 90;
    /// One for each kind of access that was measured with both, in the record's order.
    fn compute(report: &Report<'_>) -> Self {
        let content = |e: usize| param::CONTENT.of(&report.estimates[e].at);
        let of = |wanted: &str| -> Vec<usize> {
            let all = 0..report.own().len();
            all.filter(|e| {
                report.estimates[*e].probe == ProbeId::DataContent && content(*e) == Some(wanted)
            })
            .collect()
        };
        let zeros = of("zero");
        of("random")
            .into_iter()
            .filter_map(|random| {
                let r = &report.estimates[random];
                let same = |z: &&usize| {
                    let z = &report.estimates[**z];
                    z.run == r.run
                        && z.metric == r.metric
                        && param::KERNEL.value(&z.at) == param::KERNEL.value(&r.at)
                };
                let zero = *zeros.iter().find(same)?;
                let z = &report.estimates[zero];
                let kernel = param::KERNEL.of(&r.at)?.to_owned();
                (r.median > 0.0).then(|| ZeroGain {
                    kernel,
                    ratio: z.median / r.median,
                    zero,
                    random,
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use record::{Better, Metric, Series, Unit};

    #[test]
    fn each_kind_of_access_is_compared_with_itself() {
        let series = |kernel: &str, content: &str, rate: f64| {
            let mut s = Series::new(Metric::Bandwidth, Unit::BytesPerSecond, Better::Higher)
                .at(param::KERNEL, kernel)
                .at(param::CONTENT, content);
            s.samples = vec![rate];
            s
        };
        let all = vec![
            series("read", "random", 40e9),
            series("read", "zero", 44e9),
            series("write_nt", "random", 45e9),
            series("write_nt", "zero", 99e9),
            series("write", "random", 30e9),
        ];
        let mut record = example::empty();
        example::measured(&mut record, "data_content", &[], all);
        let found = Vec::<ZeroGain>::compute(&Report::new(&record));
        let ratios: Vec<(&str, f64)> = found.iter().map(|g| (g.kernel.as_str(), g.ratio)).collect();
        assert_eq!(ratios, [("read", 1.1), ("write_nt", 2.2)]);
    }
}
