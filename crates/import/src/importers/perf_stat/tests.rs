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
