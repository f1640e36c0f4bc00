//! Counts of every form of `perf stat`, with their marks of thousands, shares and spreads.
use crate::{Gathered, gathered::imported};
use record::{Provenance, Reading};

fn read(text: &str) -> (Vec<Reading>, usize, Vec<String>) {
    let mut gathered = Gathered::default();
    gathered.add("perf.txt", text.as_bytes()).unwrap();
    let warnings = gathered.sources()[0].warnings.iter().map(|w| w.what.clone()).collect();
    let run = gathered.record(Provenance::default()).runs.remove(0);
    let times = run.series().len();
    (run.readings, times, warnings)
}

/// The form of outputs with LC_ALL=fr_FR.UTF-8, de_DE.UTF-8 and de_CH.UTF-8.
#[test]
fn counts_of_every_locale_are_read() {
    for (thousands, decimals) in [
        (" ", ","),
        ("\u{a0}", ","),
        ("\u{202f}", ","),
        (".", ","),
        ("\u{2019}", "."),
        (",", "."),
        ("", "."),
    ] {
        let (t, d) = (thousands, decimals);
        let text = format!(
            " Performance counter stats for './a':\n\n          8{t}004{d}50 msec task-clock:u   #    1{d}02  CPUs utilized\n    18{t}982{t}406{t}383      cycles:u            (83{d}33%)\n           422{t}674      branch-misses:u\n               671      faults:u\n\n       1{t}230{d}866311997 seconds time elapsed\n\n       4{d}501730000 seconds user\n"
        );
        let (readings, times, warnings) = read(&text);
        let values: Vec<f64> = readings.iter().map(|r| r.value).collect();
        assert_eq!(values, [8.0045, 18_982_406_383.0, 422_674.0, 671.0], "{text}");
        assert!((readings[1].coverage - 0.8333).abs() < 1e-9 && times == 3, "{text}");
        assert_eq!(warnings, Vec::<String>::new(), "{text}");
    }
}

/// Clocks of perf 3 to 4.18: milliseconds without a unit, or with it behind the name.
#[test]
fn clocks_without_a_unit_are_milliseconds() {
    let head = " Performance counter stats for './a':\n\n";
    let end =
        "    30,123,456,789 cycles # 3.002 GHz (66.67%)\n\n  10.054321000 seconds time elapsed\n";
    for clock in ["10034.512345 task-clock (msec)", "10034.512345 task-clock:u"] {
        let (readings, times, warnings) =
            read(&format!("{head} {clock} # 0.998 CPUs utilized\n{end}"));
        let value = readings.iter().map(|r| r.value).find(|v| *v < 1e6);
        assert_eq!((value, times), (Some(10.034512345), 2), "{clock}");
        assert_eq!(warnings, Vec::<String>::new(), "{clock}");
    }
    let (readings, ..) =
        read("10034.512345,,task-clock,10034512345,100.00\n123,,faults,10034512345,100.00\n");
    assert_eq!(readings[0].value, 10.034512345);
}

/// The forms of `perf stat -r 5`, `-r 5 -x,` and `-r 5 -j` by the format of stat-display.c.
#[test]
fn repeats_have_their_spread_and_cpus_utilized() {
    let text = " Performance counter stats for './a' (5 runs):\n\n      8,004.50 msec task-clock   #    1.956 CPUs utilized   ( +-  0.31% )\n   18,982,406,383   cycles   #  2.371 GHz   ( +-  0.25% )  (83.33%)\n    671   faults   ( +-  1.50% )\n\n      4.0923 +- 0.0123 seconds time elapsed  ( +-  0.30% )\n";
    let separated = "8004.50,msec,task-clock,0.31%,8004500000,100.00,1.956,CPUs utilized\n18982406383,,cycles,0.25%,6670000000,83.33,2.371,GHz\n671,,faults,1.50%,8004500000,100.00,,\n";
    let json = "{\"counter-value\" : \"8004.500000\", \"unit\" : \"msec\", \"event\" : \"task-clock\", \"variance\" : 0.31, \"event-runtime\" : 8004500000, \"pcnt-running\" : 100.00, \"metric-value\" : \"1.956000\", \"metric-unit\" : \"CPUs utilized\"}\n{\"counter-value\" : \"18982406383.000000\", \"unit\" : \"\", \"event\" : \"cycles\", \"variance\" : 0.25, \"event-runtime\" : 6670000000, \"pcnt-running\" : 83.33}\n{\"counter-value\" : \"671.000000\", \"unit\" : \"\", \"event\" : \"faults\", \"variance\" : 1.50, \"event-runtime\" : 8004500000, \"pcnt-running\" : 100.00}\n";
    for (text, elapsed) in [(text, true), (separated, false), (json, false)] {
        let run = imported("perf.txt", text).runs.remove(0);
        let reading = |name: &str| run.reading(name).map(|r| (r.value * 1e4).round());
        assert_eq!(reading("task-clock.spread"), Some(31.0), "{text}");
        assert_eq!(reading("cycles.spread"), Some(25.0), "{text}");
        assert_eq!(reading("faults.spread"), Some(150.0), "{text}");
        assert_eq!(run.reading("faults").map(|r| r.value), Some(671.0), "{text}");
        assert!((run.reading("cycles").unwrap().coverage - 0.8333).abs() < 1e-9, "{text}");
        assert_eq!(reading("elapsed.spread"), elapsed.then_some(30.0), "{text}");
        let used = run.metric(record::Metric::CpusUsed).unwrap();
        assert_eq!(used.samples, [1.956], "{text}");
    }
}

#[test]
fn a_mark_that_may_be_either_gives_a_warning() {
    let head = " Performance counter stats for 'CPU(s) 0':\n\n";
    let (readings, _, warnings) = read(&format!("{head}   422.674      cycles\n"));
    assert_eq!((readings[0].value, warnings.len()), (422_674.0, 2), "{warnings:?}");
    let (readings, times, _) = read(&format!(
        "{head} 5,000 cycles\n\n 0.866 +- 0.002 seconds time elapsed  ( +-  0.20% )\n"
    ));
    assert_eq!((readings[0].value, times), (5000.0, 1));
    let (_, _, warnings) =
        read(&format!("{head} 5_000 cycles\n\n 0.866311997 seconds time elapsed\n"));
    assert_eq!(warnings, ["no counter of this block could be read"]);
}

/// The sums of the intervals of a genuine output are what perf itself printed behind them, which is read once.
#[test]
fn intervals_are_summed_up_as_perf_does() {
    let whole = include_str!("../../../tests/samples/guest.perf-stat.intervals-summary.txt");
    let end = whole.find(" Performance counter stats").unwrap();
    let values = |text: &str| {
        let runs = imported("perf.txt", text).runs;
        let of = |run: &record::Run| {
            let of = |name: &str| run.reading(name).unwrap().value;
            assert_eq!(run.readings.len(), 2, "{text}");
            let one = |metric| run.metric(metric).unwrap().samples[0];
            let (used, elapsed) = (one(record::Metric::CpusUsed), one(record::Metric::Elapsed));
            [of("task-clock"), of("page-faults"), elapsed, used]
        };
        runs.iter().map(of).collect::<Vec<_>>()
    };
    let (all, parts) = (values(whole), values(&whole[..end]));
    assert_eq!((all.len(), parts.len(), all[0][1]), (1, 1, 66.0));
    for (own, printed) in parts[0].iter().zip(&all[0]) {
        assert!((own / printed - 1.0).abs() < 0.01, "{parts:?} {all:?}");
    }
    let separated = "  0.2,51.19,msec,task-clock,51190000,100.00,0.256,CPUs utilized\n";
    let separated = separated.replace("0.2,", "0.200259852,");
    let text = format!(
        "{separated}{}summary,60.00,msec,task-clock,60000000,100.00,0.3,CPUs utilized\nsummary,7,,page-faults,60000000,100.00,,\n",
        separated.replace("0.2", "0.4")
    );
    let runs = imported("perf.txt", &text).runs;
    assert_eq!((runs.len(), runs[0].reading("page-faults").unwrap().value), (1, 7.0));
}

/// Parts of one time, as of CPUs, and a clock that begins anew: the intervals of another run. What was not counted for an interval
/// lowers the share.
#[test]
fn intervals_of_cpus_are_summed_up_and_runs_stay_apart() {
    let line = |at: &str, cpu: u8, count: &str, share: f64| {
        format!("     {at}00000000,CPU{cpu},{count},,cycles,1000,{share:.2},,\n")
    };
    let one = line("1.0", 0, "100", 100.0) + &line("1.0", 1, "200", 100.0);
    let two = one.clone() + &line("2.0", 0, "300", 50.0) + &line("2.0", 1, "<not counted>", 0.0);
    let runs = imported("perf.txt", &(two + &one)).runs;
    let of = |run: &record::Run| {
        let reading = run.reading("cycles").unwrap();
        (reading.value, reading.coverage, run.metric(record::Metric::Elapsed).unwrap().samples[0])
    };
    assert_eq!(runs.iter().map(of).collect::<Vec<_>>(), [(600.0, 0.625, 2.0), (300.0, 1.0, 1.0)]);
    let text = "#           time socket cpus             counts unit events\n     1,000000000 S0        2             1.234      cycles                        (50,00%)\n     1,000000000 S1        2             1.000      cycles                        (50,00%)\n     2,000000000 S0        2               766      cycles\n";
    let runs = imported("perf.txt", text).runs;
    assert_eq!(of(&runs[0]), (3000.0, 2.0 / 3.0, 2.0));
}

/// A genuine `-A`: 316.26 and 315.93 ms in 0.316 s, and 4,303 and 2,632 faults.
#[test]
fn rows_of_cpus_are_summed_up() {
    let text = include_str!("../../../tests/samples/guest.perf-stat.by-cpu.txt");
    let per_socket = text.replace("CPU0  ", "S0    1").replace("CPU1  ", "S0-D0 1");
    for text in [text, &per_socket] {
        let run = imported("perf.txt", text).runs.remove(0);
        assert_eq!(run.readings.len(), 2, "{text}");
        assert_eq!(run.reading("page-faults").unwrap().value, 6935.0);
        let used = run.metric(record::Metric::CpusUsed).unwrap().samples[0];
        assert!((used - 2.0).abs() < 0.01, "{used}");
    }
}
