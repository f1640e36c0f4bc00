//! One computation on one machine under two operating systems, as a publication prints both: what the system decides, as far as
//! single figures tell.
use crate::say;
use crate::words::number;
use record::{Metric, ProbeId, Record, Run, Text, param};

/// A nearer pair is of one speed: what single figures of the test may be off by.
const WORTH: f64 = 0.03;

/// The first pair of runs that differ in the system alone. Servers of databases are of a version each, so that they are left out.
pub(super) fn systems(record: &Record) -> Option<Text> {
    let runs: Vec<&Run> = record.runs.iter().filter(|r| computes(r)).collect();
    let mut pairs =
        runs.iter().enumerate().flat_map(|(i, a)| runs[i + 1..].iter().map(move |b| (a, b)));
    pairs.find_map(|(a, b)| sentence(a, b))
}

fn computes(run: &Run) -> bool {
    run.case.probe == ProbeId::Sysbench && run.case.get(param::TEST) == Some("cpu")
}

fn sentence(a: &Run, b: &Run) -> Option<Text> {
    let (one, other) = (a.case.get(param::OS)?, b.case.get(param::OS)?);
    let same = |name: &str| a.case.params.get(name) == b.case.params.get(name);
    if one == other || !["placement", "thread_count", "cores"].iter().all(|name| same(name)) {
        return None;
    }
    let elapsed = |run: &Run| stats::median(&run.metric(Metric::Elapsed)?.undisturbed());
    let times = elapsed(b)? / elapsed(a)?;
    ((times - 1.0).abs() > WORTH).then(|| say::systems_sysbench_cpu(other, number(times), one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_systems_of_one_record_are_set_against_each_other() {
        let record = catalogue::record("hygon-7280-8node").unwrap().unwrap();
        let said = systems(&record).unwrap();
        assert!(said.contains("1.16 times") && said.contains("Kylin"), "{said}");
        let record = catalogue::record("intel-8163").unwrap().unwrap();
        assert_eq!(systems(&record), None);
    }
}
