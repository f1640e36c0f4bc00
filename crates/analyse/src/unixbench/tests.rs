//! Scores, indexes and verdicts of made records, and the printed tables of genuine ones recomputed.
use super::*;
use crate::example::{self, passes as add};
use record::{Better, Unit, Value, unixbench::TESTS};

const USUAL: [(&str, &str); 3] =
    [("variant", "upstream-6"), ("placement", "none"), ("start", "serial")];

fn found(record: &Record) -> UnixBench {
    unixbench(&Observed { record, estimates: &[] }).unwrap()
}

/// What a count over 10 s must be for this score.
fn count_for(test: &Test, score: f64) -> f64 {
    if test.timebase > 0.0 { score * 10.0 / test.timebase } else { score }
}

/// One genuine table: results and printed indexes in the order of reports, and the printed total.
struct Table {
    results: [f64; 12],
    indexes: [f64; 12],
    total: f64,
}

/// Kunpeng 1630V100 with 1 and with 160 copies, and a host with slowed TLB invalidations.
const TABLES: [Table; 3] = [
    Table {
        results: [
            72_230_453.1,
            8795.2,
            6492.1,
            1_107_709.0,
            323_892.0,
            2_718_309.0,
            1_754_576.2,
            198_375.4,
            11_848.2,
            10_508.3,
            5013.5,
            1_285_256.0,
        ],
        indexes: [
            6189.4, 1599.1, 1509.8, 2797.2, 1957.1, 4686.7, 1410.4, 495.9, 940.3, 2478.4, 8355.9,
            856.8,
        ],
        total: 2014.8,
    },
    Table {
        results: [
            11_620_071_811.0,
            1_407_408.3,
            28_344.0,
            414_924.0,
            107_748.0,
            1_480_491.0,
            279_843_929.6,
            26_669_899.3,
            82_504.9,
            110_575.0,
            13_997.3,
            6_419_313.6,
        ],
        indexes: [
            995_721.7, 255_892.4, 6591.6, 1047.8, 651.0, 2552.6, 224_954.9, 66_674.7, 6548.0,
            26_079.0, 23_328.8, 4279.5,
        ],
        total: 17_357.3,
    },
    Table {
        results: [
            62_848_997.6,
            7630.3,
            5443.4,
            1_197_590.0,
            350_188.3,
            2_579_607.7,
            1_611_476.3,
            208_375.5,
            9664.8,
            9617.2,
            4075.9,
            1_052_480.6,
        ],
        indexes: [
            5385.5, 1387.3, 1265.9, 3024.2, 2115.9, 4447.6, 1295.4, 520.9, 767.0, 2268.2, 6793.1,
            701.7,
        ],
        total: 1840.0,
    },
];

#[test]
fn printed_tables_give_their_printed_indexes() {
    for table in &TABLES {
        let mut record = example::empty();
        for (test, result) in TESTS.iter().zip(table.results) {
            add(&mut record, test.id, &USUAL, 1, &[count_for(test, result)], 0.5);
        }
        let [section] = &found(&record).sections[..] else { panic!("one section") };
        assert!(!section.partial());
        for ((score, result), index) in section.tests.iter().zip(table.results).zip(table.indexes) {
            assert!((score.score / result - 1.0).abs() < 1e-9, "{}", score.test.name);
            let slack = 0.051 + 0.5 / score.test.baseline;
            assert!((score.index - index).abs() < slack, "{}: {}", score.test.name, score.index);
        }
        let total = section.total.unwrap();
        assert!((total - table.total).abs() < 0.06, "{total} for {}", table.total);
    }
}

/// The table of the cache cut to three quarters states indexes alone; its totals follow from them.
#[test]
fn printed_indexes_give_their_printed_totals() {
    let cut = [
        257_681.5, 66_184.1, 10_978.8, 3635.5, 2109.4, 8079.7, 57_768.1, 34_515.6, 10_384.8,
        37_353.5, 37_627.4, 2205.8,
    ];
    let whole = [
        257_592.6, 66_183.6, 11_434.2, 3816.9, 2339.2, 9023.8, 57_740.5, 34_574.4, 10_337.0,
        37_344.1, 37_599.8, 2469.3,
    ];
    for (indexes, printed) in [(cut, 17_351.4), (whole, 17_956.5)] {
        let ratios = indexes.map(|i| i / 10.0);
        let total = formula::total(&ratios).unwrap();
        assert!((total - printed).abs() < 0.06, "{total} for {printed}");
    }
}

/// Of ten passes three go; every one is kept in the list.
#[test]
fn the_worst_third_is_left_out_of_the_score_and_not_of_the_passes() {
    let mut record = example::empty();
    let counts: Vec<f64> = (1..=10).map(|n| if n <= 3 { 1.0 } else { 1000.0 }).collect();
    add(&mut record, "pipe", &USUAL, 1, &counts, 0.9);
    let bench = found(&record);
    let score = &bench.sections[0].tests[0];
    assert_eq!((score.kept, score.passes.len()), (7, 10));
    assert!((score.score - 100.0).abs() < 1e-9 && bench.sections[0].partial());
    assert!(bench.says.iter().any(|s| s.contains("partial: 1 of 12")), "{:?}", bench.says);
    assert!(bench.says.iter().any(|s| s.contains("spread by more than")), "{:?}", bench.says);
}

/// Ten passes in three turns are ten passes, wherever the worst third of them is.
#[test]
fn turns_of_a_test_are_one_run_of_it() {
    let mut record = example::empty();
    let turns: [(&str, &[f64]); 3] =
        [("1/3", &[1000.0; 4]), ("2/3", &[1.0; 3]), ("3/3", &[1000.0; 3])];
    for (turn, counts) in turns {
        let params: Vec<(&str, &str)> = USUAL.iter().copied().chain([("turn", turn)]).collect();
        add(&mut record, "pipe", &params, 1, counts, 0.9);
    }
    let bench = found(&record);
    let score = &bench.sections[0].tests[0];
    assert_eq!((score.kept, score.passes.len(), score.scores.len()), (7, 10, 1));
    assert!((score.score - 100.0).abs() < 1e-9, "{}", score.score);
    // So do the places of a context switch.
    let mut record = example::empty();
    for (turn, counts) in turns {
        for place in ["free", "same"] {
            let more = [("turn", turn), ("switch", place)];
            let params: Vec<(&str, &str)> = USUAL.iter().copied().chain(more).collect();
            add(&mut record, "context1", &params, 1, counts, 0.9);
        }
    }
    let places = found(&record).switches;
    assert_eq!(places.iter().map(|s| s.place.as_str()).collect::<Vec<_>>(), ["free", "same"]);
    assert!(places.iter().all(|s| (s.score - 100.0).abs() < 1e-9), "{places:?}");
}

#[test]
fn a_static_program_has_no_score_and_says_so() {
    let mut record = example::empty();
    let mut series = Series::new("static_rate", Unit::PerSecond, Better::Higher);
    series.samples = vec![15_000.0];
    example::measured(&mut record, "execl", &USUAL, vec![series]);
    record.runs[0].case.params.insert("copies".into(), Value::Integer(1));
    let bench = found(&record);
    assert!(bench.sections[0].tests.is_empty() && bench.sections[0].total.is_none());
    assert!(bench.says.iter().any(|s| s.contains("static program")), "{:?}", bench.says);
}

fn verdicts(one: &[(&str, f64, f64)], many: &[(&str, f64, f64)]) -> UnixBench {
    let mut record = example::empty();
    for (copies, tests) in [(1, one), (16, many)] {
        for (id, count, kernel) in tests {
            add(&mut record, id, &USUAL, copies, &[*count], *kernel);
        }
    }
    found(&record)
}

/// The table of 160 copies: user mode at 100 %, file copy at a third of one copy.
#[test]
fn what_falls_while_user_mode_does_not_is_held_back_by_the_kernel() {
    let one = [("dhry2reg", 100.0, 0.0), ("whetstone_double", 100.0, 0.0), ("fstime", 100.0, 0.9)];
    let many =
        [("dhry2reg", 1600.0, 0.0), ("whetstone_double", 1590.0, 0.0), ("fstime", 37.0, 0.97)];
    let bench = verdicts(&one, &many);
    let of = |b: &UnixBench, id: &str| b.scalings.iter().find(|s| s.test.id == id).unwrap().verdict;
    assert_eq!(of(&bench, "fstime"), ScalingVerdict::Kernel(0.97));
    assert_eq!(of(&bench, "dhry2reg"), ScalingVerdict::Scales);
    assert!(bench.says.iter().any(|s| s.contains("contention in the kernel, not by slow CPUs")));

    // The clock fell for all: nothing is the kernel's.
    let slow =
        [("dhry2reg", 960.0, 0.0), ("whetstone_double", 960.0, 0.0), ("fstime", 900.0, 0.97)];
    let bench = verdicts(&one, &slow);
    let cpus = of(&bench, "fstime");
    assert!(matches!(cpus, ScalingVerdict::Cpus(share) if (share - 0.6).abs() < 1e-9), "{cpus:?}");
    assert!(bench.says.iter().any(|s| s.contains("before blaming a kernel setting")));

    // Without the controls nothing is told.
    let bench = verdicts(&one[2..], &many[2..]);
    assert_eq!(of(&bench, "fstime"), ScalingVerdict::CannotTell);
    let user = [("dhry2reg", 1600.0, 0.0), ("pipe", 37.0, 0.1)];
    let bench = verdicts(&[("dhry2reg", 100.0, 0.0), ("pipe", 100.0, 0.1)], &user);
    assert_eq!(of(&bench, "pipe"), ScalingVerdict::Shared);
    // Somebody else used the machine: what fell may have been theirs.
    let mut record = example::empty();
    for (copies, count) in [(1, 100.0), (16, 900.0)] {
        for id in ["dhry2reg", "fstime"] {
            add(&mut record, id, &USUAL, copies, &[count], 0.97);
            example::noted(&mut record, "others.busy", Unit::Ratio, 0.2);
        }
    }
    let bench = found(&record);
    assert_eq!(of(&bench, "fstime"), ScalingVerdict::Disturbed(0.2));
    assert!(bench.says.iter().any(|s| s.contains("took up to 20 %")), "{:?}", bench.says);
    let jumped = [("context1", 5000.0, 0.9)];
    assert_eq!(
        of(&verdicts(&[("context1", 100.0, 0.9)], &jumped), "context1"),
        ScalingVerdict::OneIsSlow
    );
}

#[test]
fn three_runs_each_are_apart_or_not() {
    let mut record = example::empty();
    let seed = [
        // One-to-one against range, as published: +589 % and apart; +31 %, of which one run overlaps.
        ("context1", [767.171, 765.602, 766.436], [124.513, 102.827, 106.274]),
        ("fstime", [22.639, 16.1831, 21.9436], [15.3708, 14.4647, 16.7173]),
    ];
    for (id, pinned, free) in seed {
        for (placement, values) in [("one-to-one", pinned), ("range", free)] {
            for value in values {
                let params =
                    [("variant", "upstream-6"), ("placement", placement), ("start", "serial")];
                add(&mut record, id, &params, 96, &[value * 1000.0], 0.9);
            }
        }
    }
    let gains = found(&record).gains;
    let of = |id: &str| gains.iter().find(|g| g.test.id == id).unwrap();
    assert_eq!((of("context1").apart, of("fstime").apart), (Some(true), Some(false)));
    assert!((of("context1").ratio - 766.436 / 106.274).abs() < 1e-9);
    assert_eq!(of("fstime").placement.1.len(), 3);
}

#[test]
fn context_switches_elsewhere_are_no_part_of_the_index() {
    let mut record = example::empty();
    for (switch, count) in [("free", 1000.0), ("same", 9000.0)] {
        let params = [&USUAL[..], &[("switch", switch)]].concat();
        add(&mut record, "context1", &params, 1, &[count], 0.9);
    }
    let bench = found(&record);
    assert!((bench.sections[0].tests[0].score - 100.0).abs() < 1e-9);
    let ratios: Vec<Option<f64>> = bench.switches.iter().map(|s| s.ratio).collect();
    assert!(ratios[0] == Some(1.0) && (ratios[1].unwrap() - 9.0).abs() < 1e-9, "{ratios:?}");
}

#[test]
fn the_time_of_day_wraps_at_midnight() {
    let mut record = example::empty();
    record.provenance.started = Some("2026-11-22T23:59:30Z".into());
    assert_eq!(second_of_day(&record, 45.0), Some(15));
    assert_eq!(second_of_day(&example::empty(), 1.0), None);
}
