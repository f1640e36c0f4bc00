//! Placements of virtual CPUs: a hypervisor moves them between cores and chiplets within seconds, and what several of them do
//! together is one quantity for each distance between them. The round trips of a line before and after each attempt show it.
//! Samples of one placement stand for the case, the same in every run of a machine; those of others are marked.
use record::{Disturbed, ONE_CORE, OTHER_PLACEMENT, Outcome, Record, Run, Sort};
use std::collections::BTreeMap;

/// Two round trips farther apart than this, and none between them, are of two placements: those seen on one virtual machine
/// differ by 2.5 and more, runs in one placement by 1.2 (docs/validation/memory.md).
pub const MOVED: f64 = 1.5;
/// Fewer round trips are outliers.
const FEWEST: usize = 4;

/// Marks the samples of each case that were taken in another placement than the one that stands for its CPUs: of those seen the
/// nearest in which each CPU has a core of its own.
pub(crate) fn mark(record: &mut Record) {
    let hertz: Vec<f64> =
        record.reference_samples.iter().flat_map(|sample| sample.frequency.clone()).collect();
    let one_core = stats::median(&hertz).map_or(0.0, |hertz| ONE_CORE / hertz);
    let mut trips: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for run in &record.runs {
        let of_cpus = trips.entry(run.case.place.cpus.to_string()).or_default();
        of_cpus.extend(run.placement_checks().into_iter().flatten());
    }
    let limits: BTreeMap<String, (f64, f64)> =
        trips.into_iter().map(|(cpus, trips)| (cpus, nearest(trips, one_core))).collect();
    for run in &mut record.runs {
        if let Some(limits) = limits.get(&run.case.place.cpus.to_string()) {
            mark_run(run, *limits);
        }
    }
}

/// The least and the greatest round trip of the nearest placement but for threads of one core; all of them where no placement
/// was seen often enough.
fn nearest(mut trips: Vec<f64>, one_core: f64) -> (f64, f64) {
    trips.retain(|trip| *trip > 0.0);
    trips.order_by(f64::total_cmp);
    let groups = trips.chunk_by(|near, far| far / near <= MOVED).filter(|g| g.len() >= FEWEST);
    let ends: Vec<(f64, f64)> =
        groups.filter_map(|group| Some((*group.first()?, *group.last()?))).collect();
    let apart = ends.iter().find(|(_, most)| *most > one_core);
    apart.or(ends.first()).copied().unwrap_or((f64::NEG_INFINITY, f64::INFINITY))
}

fn mark_run(run: &mut Run, (least, most): (f64, f64)) {
    let checks = run.placement_checks();
    let Outcome::Measured(all) = &mut run.outcome else { return };
    for series in all.iter_mut().filter(|s| s.attempts.len() == checks.len()) {
        series.disturbed.retain(|mark| mark.why != OTHER_PLACEMENT);
        let mut from = 0_usize;
        for (count, ends) in series.attempts.clone().into_iter().zip(&checks) {
            let to = series.samples.len().min(from + count as usize);
            if ends.iter().any(|trip| *trip < least || *trip > most) {
                let mark =
                    |sample| Disturbed { sample: sample as u32, why: OTHER_PLACEMENT.into() };
                series.disturbed.extend((from..to).map(mark));
            }
            from = to;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Better, Machine, Metric, Provenance, Reading, ReferenceSample, Series, Unit};

    const NONE: Vec<u32> = vec![];

    /// A record of cases on CPUs 0 and 1, each with so many samples and round trips in nanoseconds around each attempt.
    fn of(cases: &[&[(u32, [f64; 2])]]) -> Record {
        let runs = cases.iter().map(|attempts| {
            let mut series = Series::new(Metric::Bandwidth, Unit::BytesPerSecond, Better::Higher);
            series.attempts = attempts.iter().map(|(samples, _)| *samples).collect();
            series.samples = vec![1e9; series.attempts.iter().sum::<u32>() as usize];
            let machine = Machine::default();
            let setting = crate::probe::Setting::new(
                &machine,
                "0-1".parse().unwrap(),
                crate::probe::Depth::Quick,
            );
            let case = setting.case("0-1".parse().unwrap(), &[], 1.0);
            let mut run = Run::new(case, Outcome::Measured(vec![series]));
            for (n, (_, ends)) in (1..).zip(*attempts) {
                let suffix = if n == 1 { String::new() } else { format!(".{n}") };
                for (when, ns) in ["before", "after"].into_iter().zip(ends) {
                    let name = format!("placement_check.{when}.cas{suffix}");
                    run.readings.push(Reading::new(name, Unit::Seconds, ns * 1e-9));
                }
            }
            run
        });
        let sample = ReferenceSample { frequency: vec![4e9], ..ReferenceSample::default() };
        let mut record = Record::new(Provenance::default(), Machine::default(), runs.collect());
        record.reference_samples = vec![sample];
        record
    }

    fn marked(mut record: Record) -> Vec<Vec<u32>> {
        mark(&mut record);
        mark(&mut record); // each visit marks anew
        let of = |run: &Run| run.series()[0].disturbed.iter().map(|mark| mark.sample).collect();
        record.runs.iter().map(of).collect()
    }

    #[test]
    fn samples_of_the_nearest_placement_stand_for_a_case() {
        let (near, far) = ([54.0, 57.0], [250.0, 251.0]);
        let found =
            marked(of(&[&[(3, near), (2, far)], &[(2, [52.0, 250.0]), (1, near)], &[(2, far)]]));
        assert_eq!(found, [vec![3, 4], vec![0, 1], vec![0, 1]]);
        let one = marked(of(&[&[(3, near), (2, near)], &[(2, [60.0, 70.0])]]));
        assert_eq!(one, [NONE, NONE]);
    }

    /// Threads of one core halve what both divide.
    #[test]
    fn threads_of_one_core_are_not_the_nearest_unless_they_always_are() {
        let (core, near) = ([19.0, 20.0], [54.0, 57.0]);
        let found = marked(of(&[&[(2, core), (1, near)], &[(1, near), (1, core)]]));
        assert_eq!(found, [vec![0, 1], vec![1]]);
        assert_eq!(marked(of(&[&[(2, core), (1, core)]])), [NONE]);
    }

    /// What looked like two placements may be one that was seen too seldom.
    #[test]
    fn marks_go_when_round_trips_between_two_groups_are_seen() {
        let apart = [54.0, 57.0];
        let mut record = of(&[&[(1, apart), (1, apart)], &[(1, [90.0, 91.0])]]);
        mark(&mut record);
        assert_eq!(record.runs[1].series()[0].disturbed.len(), 1);
        record.runs.extend(of(&[&[(1, [70.0, 75.0])]]).runs);
        assert_eq!(marked(record), [NONE, NONE, NONE]);
    }

    #[test]
    fn a_placement_that_is_hardly_seen_is_an_outlier() {
        let (near, odd) = ([54.0, 57.0], [20.0, 200.0]);
        assert_eq!(marked(of(&[&[(2, near), (1, odd)], &[(1, near)]])), [vec![2], NONE]);
    }
}
