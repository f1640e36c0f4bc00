//! Scores, indexes and verdicts of made records, and the printed tables of genuine ones recomputed.
use super::*;
use crate::analyses::references::{Reference, beside};
use crate::example::{self, passes as add};
use record::{Better, Metric, Outcome, Record, Series, Unit, Value, param, unixbench::TESTS};

const USUAL: [(&str, &str); 3] =
    [("variant", "upstream-6"), ("placement", "none"), ("start", "serial")];

fn found(record: &Record) -> UnixBench {
    UnixBenchResult::compute(&Report::new(record)).0.unwrap()
}

/// The count over 10 s that gives this score.
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

/// A run that was interrupted in its second turn has scores, of a third of the passes; it says so.
#[test]
fn a_score_of_some_turns_says_how_many_and_why() {
    let mut record = example::empty();
    for id in ["pipe", "syscall"] {
        for turn in ["1/3", "2/3", "3/3"] {
            let params = [&USUAL[..], &[("turn", turn)]].concat();
            add(&mut record, id, &params, 1, &[1000.0; 3], 0.9);
            if turn != "1/3" && id == "pipe" {
                let why = Reason::new("the run ended before this case");
                record.runs.last_mut().unwrap().outcome = Outcome::NotReached(why);
            }
        }
    }
    let bench = found(&record);
    let parts: Vec<(usize, usize)> = bench.sections[0].tests.iter().map(|t| t.parts).collect();
    assert_eq!(parts, [(1, 3), (3, 3)]);
    let said = bench.says.iter().filter(|s| s.contains("rest on a part of their passes"));
    let said: Vec<&Text> = said.collect();
    assert!(said.len() == 1 && said[0].contains("Pipe Throughput (1 of 3 parts)"), "{said:?}");
    assert!(said[0].contains("ended before this case") && !said[0].contains("System Call"));
}

/// Two turns of two passes of ten seconds: 100 and 300 faults in forty seconds.
#[test]
fn what_the_kernel_counted_is_told_per_second() {
    let mut record = example::empty();
    for (turn, faults) in [("1/2", 50.0), ("2/2", 150.0)] {
        let params = [&USUAL[..], &[("turn", turn)]].concat();
        add(&mut record, "spawn", &params, 1, &[1000.0; 2], 0.9);
        let Outcome::Measured(all) = &mut record.runs.last_mut().unwrap().outcome else { panic!() };
        for (metric, count) in [
            ("minor_faults", faults),
            ("major_faults", 0.0),
            ("voluntary_switches", 400.0),
            ("involuntary_switches", 2.0),
        ] {
            let mut s = Series::new(metric, Unit::Count, Better::Neither);
            s.samples = vec![count; 2];
            all.push(s);
        }
    }
    let counted = Counted { minor_faults: 10.0, major_faults: 0.0, waits: 40.0, preempted: 0.2 };
    assert_eq!(found(&record).sections[0].tests[0].counted, Some(counted));
    // Nothing is made of what older versions did not keep.
    let mut old = example::empty();
    add(&mut old, "spawn", &USUAL, 1, &[1000.0; 2], 0.9);
    assert_eq!(found(&old).sections[0].tests[0].counted, None);
}

/// The program is stated for every test, and warned about where it decides.
#[test]
fn tmpfs_is_doubted_of_files_and_memory_of_starts() {
    let with = |id: &str, variant: &str| {
        let mut record = example::empty();
        add(&mut record, id, &USUAL, 1, &[1000.0; 2], 0.9);
        let Outcome::Measured(all) = &mut record.runs[0].outcome else { panic!() };
        all.iter_mut().for_each(|s| s.variant = Some(variant.to_owned()));
        let says = found(&record).says.join("\n");
        (says.contains("on tmpfs"), says.contains("from memory"))
    };
    let variant = "dynamic program of cc; scratch on tmpfs; run from memory";
    assert_eq!(with("fstime", variant), (true, false));
    assert_eq!(with("shell8", variant), (true, false));
    assert_eq!(with("execl", variant), (false, true));
    assert_eq!(with("pipe", variant), (false, false));
}

/// A printed report of two tests with so many copies, in base units.
fn printed(copies: u64, dhrystones: f64, copied: f64) -> Record {
    let mut record = example::empty();
    let rate = |test: &Test, value: f64| {
        let mut s = Series::new(Metric::Rate, test.unit, Better::Higher).at(param::TEST, test.name);
        s.samples = vec![value * test.factor];
        s
    };
    let series = vec![rate(&TESTS[0], dhrystones), rate(&TESTS[3], copied)];
    example::measured(&mut record, "unixbench", &[("tool", "UnixBench 6.0.0")], series);
    record.runs[0].case.params.insert("copies".into(), Value::Integer(copies));
    record.runs[0].origin = Some(record::Origin { source: 0, line: 1 });
    record
}

#[test]
fn references_have_as_many_copies_and_the_nearest_come_first() {
    let mut record = example::empty();
    for (test, index) in [(&TESTS[0], 5000.0), (&TESTS[3], 3000.0)] {
        let count = count_for(test, test.baseline * index / 10.0);
        add(&mut record, test.id, &USUAL, 1, &[count], 0.5);
    }
    let bench = found(&record);
    let of = |name: &str, copies: u64, times: f64| {
        let (dhrystones, copied) = (116_700.0 * 500.0 * times, 3960.0 * 300.0 * times);
        Reference::of(name, &printed(copies, dhrystones, copied)).remove(0)
    };
    let others = [of("far", 1, 4.0), of("many", 16, 1.0), of("near", 1, 0.9), of("half", 1, 0.5)];
    assert_eq!(others[0].made, "UnixBench 6.0.0");
    let indexes: Vec<f64> = others[0].indexes.iter().map(|(_, index)| index.round()).collect();
    assert_eq!((indexes, others[0].total), (vec![20_000.0, 12_000.0], None), "two of twelve");
    let names = |most: usize| -> Vec<String> {
        beside(&bench, &others, most).into_iter().map(|r| r.name).collect()
    };
    assert_eq!(
        (names(2), names(9)),
        (vec!["near".into(), "half".into()], vec!["near".into(), "half".into(), "far".into()])
    );
    // A record of ours is one as well, in its way; what tells no copies is none.
    let own = Reference::of("own", &record);
    assert_eq!((own.len(), own[0].made.as_str(), own[0].copies), (1, "upstream-6", 1));
    let mut untold = printed(1, 1.0, 1.0);
    untold.runs[0].case.params.remove("copies");
    assert!(Reference::of("untold", &untold).is_empty());
}

#[test]
fn a_static_program_has_no_score_and_says_so() {
    let mut record = example::empty();
    let mut series = Series::new(Metric::StaticRate, Unit::PerSecond, Better::Higher);
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
            add(&mut record, *id, &USUAL, copies, &[*count], *kernel);
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

    // The frequency fell for all: nothing is the kernel's.
    let slow =
        [("dhry2reg", 960.0, 0.0), ("whetstone_double", 960.0, 0.0), ("fstime", 900.0, 0.97)];
    let bench = verdicts(&one, &slow);
    let cpus = of(&bench, "fstime");
    assert!(matches!(cpus, ScalingVerdict::Cpus(share) if (share - 0.6).abs() < 1e-9), "{cpus:?}");
    assert!(bench.says.iter().any(|s| s.contains("before blaming a kernel setting")));

    // Without the controls nothing is reported.
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
            example::noted(&mut record, "contention.busy", Unit::Ratio, 0.2);
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

/// A copy that keeps 1.6 CPUs busy by itself falls to 63 % without hindrance; to 6 % it falls by something else.
#[test]
fn a_parallel_copy_explains_no_more_than_it_used() {
    let with = |shells: f64| {
        let mut record = example::empty();
        for (copies, computed, shells) in [(1, 100.0, 100.0), (16, 1600.0, shells)] {
            add(&mut record, "dhry2reg", &USUAL, copies, &[computed], 0.0);
            add(&mut record, "shell1", &USUAL, copies, &[shells], 0.8);
            if copies == 1 {
                used(&mut record, 1.6);
            }
        }
        found(&record).scalings.iter().find(|s| s.test.id == "shell1").unwrap().verdict
    };
    assert_eq!(with(1000.0), ScalingVerdict::Parallel(1.6));
    assert_eq!(with(100.0), ScalingVerdict::Kernel(0.8));
}

/// Says how many CPUs the last test kept busy.
fn used(record: &mut Record, cpus: f64) {
    let Outcome::Measured(all) = &mut record.runs.last_mut().unwrap().outcome else {
        panic!("it was measured")
    };
    all.iter_mut().find(|s| s.metric == Metric::CpusUsed).unwrap().samples = vec![cpus];
}

/// Sixteen copies on four chosen CPUs of a machine of 64 do four times what one does, and are not held back.
#[test]
fn room_is_on_the_chosen_cpus() {
    let mut record = example::empty();
    for id in 0..64 {
        let (online, allowed) = (true, true);
        let cpu = record::Cpu { id, online, allowed, ..record::Cpu::default() };
        record.machine.topology.cpus.push(cpu);
    }
    for (copies, count) in [(1, 100.0), (16, 390.0)] {
        add(&mut record, "dhry2reg", &USUAL, copies, &[count], 0.0);
        record.runs.last_mut().unwrap().case.place.cpus = (0..4).collect();
    }
    let scaled = &found(&record).scalings[0];
    assert!((scaled.efficiency - 0.975).abs() < 1e-9, "{}", scaled.efficiency);
    assert_eq!(scaled.verdict, ScalingVerdict::Scales);
    // What was measured without saying where had all of the machine.
    record.runs.iter_mut().for_each(|r| r.case.place.cpus = Default::default());
    assert!((found(&record).scalings[0].efficiency - 390.0 / 1600.0).abs() < 1e-9);
}

#[test]
fn three_runs_each_are_apart_or_not() {
    let mut record = example::empty();
    let seed = [
        // One-to-one against range, as published: +589 %, +31 % (of which one run overlaps) and -35 %.
        ("context1", [767.171, 765.602, 766.436], [124.513, 102.827, 106.274]),
        ("fstime", [22.639, 16.1831, 21.9436], [15.3708, 14.4647, 16.7173]),
        ("shell8", [116.528, 118.021, 116.076], [180.382, 177.674, 180.729]),
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
    assert_eq!(of("shell8").apart, Some(true));
    for (id, gain, separation) in
        [("context1", 589.0, 6.149), ("fstime", 31.0, 0.968), ("shell8", -35.0, 0.664)]
    {
        assert_eq!(((of(id).ratio - 1.0) * 100.0).round(), gain, "{id}");
        assert!((of(id).separation.unwrap() - separation).abs() < 1e-3, "{id}: {:?}", of(id));
    }
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
