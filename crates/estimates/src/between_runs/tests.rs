//! Kinds of series, and how wide their intervals are.
use super::*;
use crate::example;
use record::Better;

fn record(samples: &[f64], visits: &[u32]) -> Record {
    let mut s = Series::new(Metric::Bandwidth, Unit::BytesPerSecond, Better::Higher);
    (s.samples, s.visits) = (samples.to_vec(), visits.to_vec());
    let mut record = example::empty();
    example::measured(&mut record, "bandwidth", &[], vec![s]);
    record.runs[0].visits = vec![Default::default(); visits.len()];
    record
}

#[test]
fn an_interval_says_what_it_rests_on() {
    let of = |record: &Record| crate::estimate::estimates(record, |_| true).remove(0);
    let width = |e: &crate::estimate::Estimate| e.interval.unwrap().half_width_relative(e.median);
    let agreed = of(&record(&[1e9; 14], &[7, 7]));
    let mut samples = vec![1e9; 7];
    samples.extend([1.2e9; 7]);
    let apart = of(&record(&samples, &[7, 7]));
    let once = of(&record(&[1e9; 14], &[]));
    assert!(width(&apart) > 1.5 * width(&agreed));
    let seen = |e: &crate::estimate::Estimate| e.variation.map(|v| (v.visits, v.between));
    assert_eq!((seen(&agreed), seen(&once)), (Some((2, Some(0.0))), Some((1, None))));
    assert!(width(&once) > Kind::Bandwidth.prior());
}

/// Time that others took, and two modes, say that the next run may be elsewhere.
#[test]
fn load_of_others_and_modes_widen_the_interval() {
    let width = |samples: &[f64], busy: f64| {
        let mut all = record(samples, &[7, 7]);
        let busy = record::Reading::new("contention.busy", Unit::Ratio, busy);
        all.runs[0].readings.push(busy);
        let of = crate::estimate::estimates(&all, |_| true).remove(0);
        (of.interval.unwrap().high / of.median).ln()
    };
    let calm = width(&[1e9; 14], 0.05);
    assert_eq!(width(&[1e9; 14], 0.0), calm);
    let beside = 1.96 * 0.5 * Kind::Bandwidth.per_taken();
    assert!((width(&[1e9; 14], 0.55) - calm.hypot(beside)).abs() < 1e-9);
    let modes = [1e9, 1e9, 1e9, 1e9, 2e9, 2e9, 2e9].repeat(2);
    assert!(width(&modes, 0.0) > 1.9 * 2f64.ln() / 2.0);
}

/// A neighbour that was there in one visit of one quantity.
#[test]
fn one_disturbed_quantity_makes_no_other_uncertain() {
    let width = |halved: f64| {
        let mut all = record(&[[1e9; 7], [1.01e9; 7]].concat(), &[7, 7]);
        for place in 1..9 {
            let mut other = all.runs[0].clone();
            let record::Outcome::Measured(series) = &mut other.outcome else { panic!() };
            let second = if place == 8 { halved } else { 1.0 };
            series[0].samples[7..].iter_mut().for_each(|x| *x *= second);
            all.runs.push(other);
        }
        let of = crate::estimate::estimates(&all, |_| true).remove(0);
        of.interval.unwrap().half_width_relative(of.median)
    };
    assert!(width(0.5) < 3.0 * width(1.0), "{} {}", width(0.5), width(1.0));
}

/// vCPUs that share a core for a while halve what both divide: the frequency is as well known as before.
#[test]
fn several_cpus_widen_no_interval_of_one() {
    let width = |halved: f64| {
        let mut all = record(&[3e9; 14], &[7, 7]);
        all.runs[0].case.probe = ProbeId::CoreFrequency;
        let mut both = record(&[[1e4; 7], [1e4 * halved; 7]].concat(), &[7, 7]).runs.remove(0);
        both.case.probe = ProbeId::Prime;
        both.case.place.cpus = [0, 1].into_iter().collect();
        all.runs.push(both);
        let of = crate::estimate::estimates(&all, |_| true).remove(0);
        of.interval.unwrap().half_width_relative(of.median)
    };
    assert_eq!(width(0.5), width(1.0));
}

/// A thread on the core that comes and goes is in the first cache, too; the frequency is what it was.
#[test]
fn a_shared_core_widens_what_one_core_does() {
    let width = |probe: &'static str, metric: Metric, ports: f64| {
        let mut s = visits(metric, Unit::Seconds, [1e-9, 1.001e-9]);
        s.at.insert("working_set".into(), FIRST.into());
        let mut all = example::empty();
        example::measured(&mut all, probe, &[], vec![s]);
        all.runs[0].visits = vec![Default::default(); 2];
        all.reference_samples = (0..20)
            .map(|i| record::ReferenceSample {
                frequency: vec![3e9; 3],
                chase: vec![6e-9; 3],
                ports: vec![if i % 2 == 0 { 12e9 } else { 12e9 * ports }; 3],
                ..Default::default()
            })
            .collect();
        let of = crate::estimate::estimates(&all, |_| true).remove(0);
        (of.interval.unwrap().high / of.median).ln()
    };
    let times = |probe, metric| width(probe, metric, 0.6) / width(probe, metric, 0.995);
    assert!(times("load_latency", Metric::LoadToUse) > 2.0);
    assert_eq!(times("core_frequency", Metric::Frequency), 1.0);
}

/// Of one kind a series whose samples scatter is less well known than one whose samples do not.
#[test]
fn intervals_are_as_wide_as_samples_scatter() {
    let widths = |ends: [f64; 2]| {
        let mut all = example::empty();
        for scatter in ends.into_iter().chain([0.01; 11]) {
            let each = |level: f64| {
                let sign = |i: i32| f64::from(i % 2 * 2 - 1);
                (0..9).map(|i| level * (1.0 + scatter * sign(i))).collect::<Vec<f64>>()
            };
            let mut s = Series::new(Metric::Bandwidth, Unit::BytesPerSecond, Better::Higher);
            (s.samples, s.visits) = ([each(1e9), each(1.02e9)].concat(), vec![9, 9]);
            example::measured(&mut all, "bandwidth", &[], vec![s]);
        }
        all.runs.iter_mut().for_each(|run| run.visits = vec![Default::default(); 2]);
        let found = crate::estimate::estimates(&all, |_| true);
        [0, 1].map(|i| found[i].interval.unwrap().half_width_relative(found[i].median))
    };
    let (equal, unequal) = (widths([0.01; 2])[0], widths([0.002, 0.02]));
    assert!(unequal[0] < 0.9 * equal && unequal[1] > 1.3 * equal, "{equal} {unequal:?}");
}

/// What all visits of a run have in common is more where neighbours take bandwidth for minutes.
#[test]
fn equal_visits_say_less_of_bandwidth_than_of_page_faults() {
    let width = |probe: &'static str, unit| {
        let mut all = example::empty();
        for _ in 0..20 {
            let series = visits(Metric::Bandwidth, unit, [1.0, 1.02]);
            example::measured(&mut all, probe, &[], vec![series]);
        }
        all.runs.iter_mut().for_each(|run| run.visits = vec![Default::default(); 2]);
        let of = crate::estimate::estimates(&all, |_| true).remove(0);
        (of.interval.unwrap().high / of.median).ln()
    };
    let kernel = width("page_fault", Unit::Seconds);
    for (probe, unit) in [
        ("stream", Unit::BytesPerSecond),
        ("lmbench_stream", Unit::Seconds),
        ("loaded_latency", Unit::Seconds),
    ] {
        assert!(width(probe, unit) > 1.3 * kernel, "{probe}: {} {kernel}", width(probe, unit));
    }
}

#[test]
fn the_first_cache_is_known_by_latency_and_shared_by_bandwidth() {
    let kind = |probe: &'static str, series: Series| {
        let mut all = example::empty();
        example::measured(&mut all, probe, &[], vec![series]);
        Kind::of(&all.runs[0], &all.runs[0].series()[0]).unwrap()
    };
    let of = |unit, bytes: u64| {
        Series::new(Metric::Bandwidth, unit, Better::Higher).at(param::WORKING_SET, bytes)
    };
    assert_eq!(kind("load_latency", of(Unit::Seconds, FIRST)), Kind::FirstCache);
    assert_eq!(kind("cache_bandwidth", of(Unit::BytesPerSecond, FIRST)), Kind::Ports);
    let pages = |n: u64| {
        let s = Series::new(Metric::LoadToUse, Unit::Seconds, Better::Lower);
        kind("tlb_reach", s.at(param::PAGES_TOUCHED, n))
    };
    assert_eq!((pages(512), pages(513)), (Kind::FirstCache, Kind::Translation));
}

/// Ten series of one case that agree are one agreement.
#[test]
fn series_that_share_visits_do_not_outweigh_experience() {
    let width = |cpus: &[u32]| {
        let mut all = record(&[3e9; 14], &[7, 7]);
        all.runs[0].case.probe = ProbeId::LoadedFrequency;
        all.runs[0].case.place.cpus = cpus.iter().copied().collect();
        let record::Outcome::Measured(series) = &mut all.runs[0].outcome else { panic!() };
        series[0].unit = Unit::Hertz;
        *series = vec![series[0].clone(); 10];
        let of = crate::estimate::estimates(&all, |_| true).remove(0);
        of.interval.unwrap().half_width_relative(of.median)
    };
    assert!(width(&[0, 1]) > 2.0 * Kind::Parallel.prior(), "{}", width(&[0, 1]));
    assert!(width(&[0]) < Kind::Core.prior(), "{}", width(&[0]));
}

/// Two visits at these levels.
fn visits(metric: Metric, unit: Unit, levels: [f64; 2]) -> Series {
    let mut s = Series::new(metric, unit, Better::Lower);
    (s.samples, s.visits) = (levels.map(|x| vec![x; 7]).concat(), vec![7, 7]);
    s
}

/// Widths of the intervals of a steady frequency and of a probe's series beside it.
fn beside_frequency(probe: &'static str, series: Series) -> [f64; 2] {
    let mut all = example::empty();
    let hertz = visits(Metric::Frequency, Unit::Hertz, [3e9, 3.001e9]);
    example::measured(&mut all, "core_frequency", &[], vec![hertz]);
    example::measured(&mut all, probe, &[], vec![series]);
    all.runs.iter_mut().for_each(|run| run.visits = vec![Default::default(); 2]);
    let found = crate::estimate::estimates(&all, |_| true);
    [0, 1].map(|i| found[i].interval.unwrap().half_width_relative(found[i].median))
}

#[test]
fn a_thread_on_the_core_makes_independent_operations_uncertain_and_no_frequency() {
    let of = |levels| {
        let add = visits(Metric::TimePerOp, Unit::Seconds, levels).at(param::OP, "add");
        beside_frequency("core_rate", add)
    };
    let (alone, shared) = (of([1e-10; 2]), of([1e-10, 2e-10]));
    assert_eq!(alone[0], shared[0]);
    assert!(shared[1] > 10.0 * alone[1], "{alone:?} {shared:?}");
}

/// Visits in which another thread of the core filled its first cache.
#[test]
fn a_shared_first_cache_makes_no_frequency_uncertain() {
    let of = |levels| {
        let loads = visits(Metric::LoadToUse, Unit::Seconds, levels);
        beside_frequency("load_latency", loads.at(param::WORKING_SET, FIRST))
    };
    let (alone, shared) = (of([1e-9; 2]), of([1e-9, 2e-9]));
    assert_eq!(alone[0], shared[0]);
    assert!(shared[1] > 10.0 * alone[1], "{alone:?} {shared:?}");
}

/// Which CPU gets a lock how often says nothing of the distance between them.
#[test]
fn competition_for_a_lock_makes_no_distance_uncertain() {
    let of = |levels: [f64; 2]| {
        let mut all = example::empty();
        let trip = visits(Metric::RoundTrip, Unit::Seconds, [5e-8; 2]);
        let turn = visits(Metric::TimePerTurn, Unit::Seconds, levels);
        example::measured(&mut all, "core_to_core", &[], vec![trip]);
        example::measured(&mut all, "lock_cost", &[], vec![turn]);
        all.runs.iter_mut().for_each(|run| run.visits = vec![Default::default(); 2]);
        let found = crate::estimate::estimates(&all, |_| true);
        [0, 1].map(|i| found[i].interval.unwrap().half_width_relative(found[i].median))
    };
    let (alone, unfair) = (of([1e-8; 2]), of([1e-8, 1.4e-8]));
    assert_eq!(alone[0], unfair[0]);
    assert!(alone[1] > Kind::Contention.prior(), "visits that agree are one settlement");
}

#[test]
fn a_count_has_no_such_variation() {
    let mut all = record(&[3.0; 8], &[]);
    let record::Outcome::Measured(series) = &mut all.runs[0].outcome else { panic!() };
    series[0].unit = Unit::Count;
    let found = crate::estimate::estimates(&all, |_| true).remove(0);
    assert!(found.variation.is_none() && found.interval.is_some());
}
