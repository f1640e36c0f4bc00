//! Plateaus, levels and what refuses them, on made curves.
use super::*;

#[test]
fn a_plateau_reaches_as_far_as_the_intervals_of_its_points() {
    let ends = |low: f64, high: f64| Some(Interval { low, high, confidence: 0.95 });
    let point = |seconds: f64, interval| CurvePoint {
        bytes: 1.0,
        seconds,
        interval,
        cycles: None,
        served: None,
        estimate: 0,
    };
    let of =
        |points: &[CurvePoint]| plateau_of(&points.iter().collect::<Vec<_>>()).unwrap().interval;
    let three = [(9.0, 8.0, 10.0), (10.0, 9.5, 10.5), (11.0, 9.0, 12.0)];
    let three = three.map(|(at, low, high)| point(at, ends(low, high)));
    assert_eq!(of(&three), ends(8.0, 12.0));
    assert_eq!(of(&[three[0], point(10.0, None)]), None);
}

/// Points that differ by 3 % among each other and not between visits: the visits say where the next run's latency lies.
#[test]
fn a_plateau_is_known_as_well_as_its_visits_agree() {
    let half = |second: f64, busy: f64| {
        let mut record = crate::example::empty();
        let series = (0..8).map(|i| {
            let visit = |level: f64| vec![level * (1.0 + 5e-3 * f64::from(i)); 5];
            let mut s = record::Series::new(
                record::Metric::LoadToUse,
                record::Unit::Seconds,
                record::Better::Lower,
            )
            .at(param::WORKING_SET, 8192_u64 + 2048 * i as u64);
            (s.samples, s.visits) = ([visit(1e-9), visit(second)].concat(), vec![5, 5]);
            s
        });
        crate::example::measured(&mut record, "load_latency", &[], series.collect());
        let run = &mut record.runs[0];
        run.visits = vec![Default::default(); 2];
        run.readings.push(record::Reading::new("contention.busy", record::Unit::Ratio, busy));
        record.machine.topology.caches.push(Cache {
            level: 1,
            kind: record::CacheKind::Data,
            bytes: Some(48 << 10),
            line: None,
            ways: None,
            cpus: [0].into_iter().collect(),
        });
        let curves = Vec::<Curve>::compute(&Report::new(&record));
        curves[0].plateau("L1").unwrap().interval.unwrap().half_width() / 1e-9
    };
    let (agree, differ, beside) = (half(1e-9, 0.0), half(1.03e-9, 0.0), half(1e-9, 0.5));
    assert!(agree < 0.01, "{agree}");
    assert!(differ > 0.03, "{differ}");
    assert!(beside > 2.0 * agree, "{beside} {agree}");
}

#[test]
fn what_memory_serves_is_called_no_cache() {
    const LAST: f64 = 32.0;
    let point = |bytes: f64, seconds: f64| CurvePoint {
        bytes,
        seconds,
        interval: None,
        cycles: None,
        served: None,
        estimate: 0,
    };
    let of = |cache: f64, memory: f64| {
        let (near, far) = ([1.0, 2.0, 4.0], [128.0, 256.0]);
        let near = near.map(|bytes| point(bytes, cache));
        let points: Vec<_> =
            near.into_iter().chain(far.map(|b| point(b, memory + b * 1e-10))).collect();
        let found = plateau_of(&points[..3].iter().collect::<Vec<_>>()).unwrap();
        let mut levels = [Level { name: "L3".into(), stated: Some(LAST), found: Ok(found) }];
        refuse_what_memory_serves(&mut levels, &points, LAST);
        let [level] = levels;
        level.found.map(|p| p.seconds)
    };
    assert_eq!(of(13e-9, 150e-9).unwrap(), 13e-9);
    assert_eq!(of(90e-9, 150e-9).unwrap(), 90e-9);
    assert!(of(149e-9, 170e-9).unwrap_err().why.contains("others hold this cache"));
}

fn points(all: &[(f64, f64)]) -> Vec<CurvePoint> {
    let point = |(mib, ns): &(f64, f64)| CurvePoint {
        bytes: mib * 1048576.0,
        seconds: ns * 1e-9,
        interval: None,
        cycles: Some(ns * 3.0),
        served: None,
        estimate: 0,
    };
    all.iter().map(point).collect()
}

#[test]
fn memory_is_the_end_of_the_curve_as_far_back_as_it_is_flat() {
    let of = |all: &[(f64, f64)]| {
        let points = points(all);
        let points: Vec<&CurvePoint> = points.iter().collect();
        memory::flat_end(&points).map_or(0, <[_]>::len)
    };
    // As seen on a guest: the headline was the middle of a slope, in one run of a lower part of it than in the next.
    let mut slope =
        [(128.0, 138.0), (181.0, 143.0), (256.0, 146.0), (362.0, 149.0), (512.0, 154.0)];
    assert_eq!(of(&slope), 2);
    slope[3].1 = 153.0;
    assert_eq!(of(&slope), 2);
    // A busy machine scatters by more than the slope that is looked for.
    let busy = [(128.0, 154.0), (181.0, 157.0), (256.0, 159.0), (362.0, 158.0), (512.0, 156.0)];
    assert_eq!(of(&busy), 5);
    // Noise of one per cent is no slope.
    let flat = [(128.0, 130.5), (181.0, 131.3), (256.0, 132.1), (362.0, 131.5), (512.0, 132.3)];
    assert_eq!(of(&flat), 5);
    assert_eq!(of(&[(128.0, 100.0), (256.0, 131.0), (362.0, 131.2), (512.0, 131.1)]), 3);
    // A third more in half an octave, between points and within the last two.
    assert_eq!(of(&[(128.0, 70.0), (181.0, 75.0), (256.0, 95.0), (362.0, 125.0)]), 0);
    assert_eq!(of(&[(362.0, 100.0), (512.0, 190.0)]), 0);
    assert_eq!(of(&[]), 0);
}

/// As seen on a guest whose last cache is stated to be 260 MiB: the order that spares the TLB is flat, page walks make the other
/// rise. On a machine of its own the ring of 724 MiB is in the cache in part.
#[test]
fn one_size_beyond_a_large_cache_is_memory_where_nearer_ones_take_as_long() {
    let of = |all: &[(f64, f64)]| memory::find(&points(all), "L3", 260.0 * 1048576.0, true).ok();
    let in_other_order =
        |all: &[(f64, f64)]| memory::find(&points(all), "L3", 260.0 * 1048576.0, false);
    let (near, far) = ([(512.0, 124.6), (724.0, 124.9)], [(1024.0, 131.1), (1040.0, 121.6)]);
    let without = [near, far].concat();
    let with = [&near[..], &[(812.0, 120.4)], &far].concat();
    let found = (of(&without).unwrap(), of(&with).unwrap());
    assert_eq!((found.0.points, found.1.points), (3, 3));
    assert_eq!((found.0.from, found.1.from), (724.0 * 1048576.0, 812.0 * 1048576.0));
    assert!(in_other_order(&with).is_err());
    let rises = [(512.0, 165.9), (724.0, 202.8), (812.0, 206.6), (1024.0, 230.3), (1040.0, 219.8)];
    assert!(of(&rises).is_none() && of(&[rises[0], rises[1], rises[3], rises[4]]).is_none());
    let own = [(512.0, 75.0), (724.0, 89.0), (812.0, 124.0), (1024.0, 125.0), (1040.0, 125.2)];
    assert_eq!(of(&own).unwrap().points, 3);
    assert!(of(&[own[0], own[1], own[3], own[4]]).is_none());
    assert!(of(&far).is_none() && of(&far[1..]).is_none() && of(&near).is_none());
}

/// As seen on the same guest: on huge pages the longest flat run within the stated cache was at what memory takes.
#[test]
fn what_another_curve_calls_memory_is_no_cache_of_this_one() {
    let of = |elsewhere: Option<f64>| {
        let mut record = crate::example::empty();
        for (level, kib) in [(1, 48), (2, 2048), (3, 260 << 10)] {
            record.machine.topology.caches.push(Cache {
                level,
                kind: record::CacheKind::Unified,
                bytes: Some(kib << 10),
                line: None,
                ways: None,
                cpus: [0].into_iter().collect(),
            });
        }
        crate::example::measured(&mut record, "load_latency", &[], vec![]);
        let level = |mib: f64| match mib {
            ..0.04 => 1.7,
            ..1.8 => 5.5,
            ..3.0 => 25.0,
            ..9.0 => 35.0,
            ..60.0 => 35.0 * (mib / 9.0),
            _ => 140.0,
        };
        let sizes = (0..60).map(|n| 2f64.powf(f64::from(n) / 4.0) / 64.0);
        let shape: Vec<(f64, f64)> = sizes.map(|mib| (mib, level(mib))).collect();
        let points = points(&shape);
        let all = points.iter().map(|p| plateau::Point { x: p.bytes, y: p.seconds });
        let found = plateau::find(&all.collect::<Vec<_>>());
        let levels = levels(&record, &record.runs[0], &points, &found, (elsewhere, false));
        let l3 = levels.into_iter().find(|level| level.name == "L3").unwrap();
        l3.found.map(|p| (p.seconds * 1e9).round())
    };
    assert_eq!(of(Some(125e-9)).unwrap(), 35.0);
    assert_ne!(of(None).ok(), Some(35.0));
}

#[test]
fn a_last_cache_that_others_hold_is_read_before_the_curve_rises() {
    let of = |curve: &[(f64, f64)], stated: f64| {
        let curve = points(curve);
        let flat = |from, to| plateau_of(&curve[from..to].iter().collect::<Vec<_>>()).unwrap();
        let level = |name: &str, mib: f64, found| Level {
            name: name.into(),
            stated: Some(mib * 1048576.0),
            found,
        };
        let none = Err(Reason::new("not flat"));
        let mut levels = [level("L2", 1.0, Ok(flat(0, 2))), level("L3", stated, none)];
        shared::find_share(&mut levels, &curve, &flat(curve.len() - 2, curve.len()));
        let [_, last] = levels;
        last.found.ok().map(|p| (p.from / 1048576.0, p.to / 1048576.0, p.points))
    };
    // As seen on a guest: of 32 MiB some 4 are left, and the curve creeps from the end of L2 to there.
    let seen = [
        (0.1, 4.2),
        (0.2, 4.3),
        (0.7, 10.0),
        (1.2, 13.1),
        (1.4, 14.3),
        (1.7, 15.0),
        (2.0, 15.2),
        (2.4, 16.0),
        (2.8, 17.8),
        (3.4, 19.2),
        (4.0, 72.8),
        (4.8, 145.0),
        (6.7, 138.0),
        (9.5, 150.0),
        (13.0, 157.0),
        (128.0, 166.0),
        (512.0, 170.0),
    ];
    assert_eq!(of(&seen, 32.0), Some((1.4, 2.8, 5)));
    // Where more is left the curve is read nearer to its end.
    let more = seen.map(|(mib, ns)| (mib, if mib > 3.0 && mib < 6.0 { 18.0 } else { ns }));
    assert_eq!(of(&more, 32.0), Some((2.4, 4.0, 4)));
    // The window never passes the share of a stated cache that is its own.
    assert_eq!(of(&seen, 5.0), Some((1.4, 2.0, 3)));
    // Two points are no level, and a slope is none.
    assert_eq!(of(&seen, 4.0), None);
    let slope = seen.map(|(mib, ns)| (mib, if mib > 1.0 && mib < 4.0 { 10.0 * mib } else { ns }));
    assert_eq!(of(&slope, 32.0), None);
}

#[test]
fn a_last_cache_far_slower_than_its_processors_is_a_mixture() {
    let of = |microarchitecture: &str, ns: f64| {
        let machine = crate::expected::tests::machine(microarchitecture, "");
        let points = points(&[(2.0, ns), (4.0, ns), (8.0, ns)]);
        let found = plateau_of(&points.iter().collect::<Vec<_>>()).unwrap();
        let mut levels = [Level { name: "L3".into(), stated: None, found: Ok(found) }];
        if let Ok(it) = Microarchitecture::of(&machine) {
            refuse_mixtures(&mut levels, &it);
        }
        let [level] = levels;
        level.found.map(|p| p.points)
    };
    assert_eq!(of("Zen 3", 17.0).unwrap(), 3);
    let why = of("Zen 3", 140.0).unwrap_err().why;
    assert!(why.contains("takes 420 cycles, and L3 of Zen 3 at most 54"), "{why}");
    // Of a mesh that is slower, or of a core that nothing is published of, it is not said.
    assert_eq!(of("Sapphire Rapids", 40.0).unwrap(), 3);
    assert_eq!(of("unknown: x", 140.0).unwrap(), 3);
}

#[test]
fn a_working_set_is_called_memory_from_four_times_the_last_cache() {
    const MIB: f64 = 1048576.0;
    let caches = [(1, MIB / 32.0), (2, MIB), (3, 32.0 * MIB)];
    let of = |mib: f64| served(&caches, mib * MIB).unwrap();
    assert_eq!(of(0.02), Served::Cache(1));
    assert_eq!(of(0.03), Served::Between(1, 2));
    assert_eq!(of(0.5), Served::Cache(2));
    assert_eq!(of(1.2), Served::Between(2, 3));
    assert_eq!(of(12.0), Served::Cache(3));
    for mib in [13.0, 32.0, 64.0, 127.9] {
        assert_eq!(of(mib), Served::NotMemory(3));
    }
    assert_eq!(of(128.0), Served::Memory);
    assert_eq!(served(&[], MIB), None);
}
