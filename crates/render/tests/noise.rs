//! Rows of other tools, and the page's section, of detours that were made for it: every number is known.
use crate::fixture::{record, rendered};
use record::{
    Better, Cause, Detour, Detours, Histogram, Metric, Outcome, Record, Series, Task, Unit, param,
};
use render::Settings;

/// A second on each of two CPUs: 250 ticks of 4 us, and on CPU 1 ten times 2 ms of another task.
fn watched() -> Record {
    let mut record = record("quiet-vm");
    let route = record::Value::Text("40 0-1 1".into());
    record.machine.set("interrupts.routes", record::Value::List(vec![route]), "test");
    let mut run = record.runs[0].clone();
    let of = |cpu: u32| {
        let mut lengths = Histogram::new(16);
        (0..250).for_each(|_| lengths.add(4e-6));
        let tick = Cause {
            looked: true,
            moved: vec!["timer".into()],
            octaves: [(11, (250, 1e-3))].into(),
            ..Cause::default()
        };
        let mut detours = Detours {
            watched: 1.0,
            elapsed: 1.02,
            threshold: 100e-9,
            least: 20e-9,
            looks: 40_000_000,
            count: 250,
            total: 1e-3,
            shortest: Some(3.9e-6),
            longest: Some(4.1e-6),
            causes: vec![tick],
            counters: [("interrupts.timer".into(), 255.0), ("softirqs.RCU".into(), 30.0)].into(),
            ..Detours::default()
        };
        if cpu == 1 {
            (0..10).for_each(|_| lengths.add(2e-3));
            let moved = vec!["timer".to_owned(), "switch".to_owned()];
            detours.causes.push(Cause {
                looked: true,
                moved: moved.clone(),
                octaves: [(20, (10, 0.02))].into(),
                ..Cause::default()
            });
            detours.count += 10;
            detours.total += 0.02;
            detours.longest = Some(2.01e-3);
            detours.largest.push(Detour { at: 0.5, seconds: 2.01e-3, moved });
            detours.tasks.push(Task { name: "backup\u{1b}[31m".into(), seconds: 0.02 });
            detours.counters.insert("irq.40".into(), 51.0);
            detours.counters.insert("switches.involuntary".into(), 10.0);
        }
        detours.lengths = lengths;
        let lost = Series::new(Metric::Lost, Unit::Ratio, Better::Lower).at(param::CPU, cpu);
        Series { samples: vec![detours.total; 10], detours: Some(Box::new(detours)), ..lost }
    };
    run.case.probe = "noise_detours".into();
    run.case.params = [("binding".into(), "bound".into())].into();
    run.outcome = Outcome::Measured(vec![of(0), of(1)]);
    record.runs.push(run);
    record
}

fn shown(format: &str) -> String {
    let record = watched();
    rendered(format, &analyse::analyse(&record), Settings { details: true, ..Settings::default() })
}

#[test]
fn sysjitters_rows_have_a_number_for_each_cpu() {
    let text = shown("sysjitter");
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows.len(), 18);
    assert_eq!(rows[0], "core_i: 0 1");
    for row in [
        "threshold(ns): 100 100",
        "runtime(s): 1.000 1.000",
        "int_n: 250 260",
        "int_n_per_sec: 250.000 260.000",
        "int_min(ns): 3900 3900",
        "int_max(ns): 4100 2010000",
        "int_mean(ns): 4000 80769",
        "int_total(ns): 1000000 21000000",
        "int_total(%): 0.100 2.100",
    ] {
        assert!(rows.contains(&row), "{row} is not in {text}");
    }
}

#[test]
fn oslats_buckets_hold_every_look() {
    let text = shown("oslat");
    assert!(text.contains("        Core:\t 0 1"), "{text}");
    assert!(text.contains("    001 (us):\t 39999750 39999740"), "{text}");
    assert!(text.contains("    032 (us):\t 0 10 (including overflows)"), "{text}");
    assert!(text.contains("     Maximum:\t 5 2010 (us)"), "{text}");
}

#[test]
fn osnoises_columns_are_twelve() {
    let text = shown("osnoise");
    let words: Vec<Vec<&str>> =
        text.lines().skip(3).map(|l| l.split_whitespace().collect()).collect();
    let wanted = [
        "0 #1 1000000 1000 99.90000 1000 4 0 0 255 30 0",
        "1 #1 1000000 21000 97.90000 21000 2010 0 0 255 30 10",
    ];
    assert_eq!(words.iter().map(|w| w.join(" ")).collect::<Vec<_>>(), wanted);
}

#[test]
fn the_section_names_who_had_the_cpu() {
    // Lines are wrapped where they end.
    let text = shown("text").split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "OS noise",
        "2.0 %",
        "timer interrupts",
        "preemption",
        "IRQ 40",
        "least disturbed first: CPU 0, 1. CPU 0 lost 0.10 %, CPU 1 lost 2.1 %",
        "No device interrupt is routed to CPU 0",
    ] {
        assert!(text.contains(words), "{words} is not in {text}");
    }
    assert!(!text.contains('\u{1b}'), "a task's name may be anything");
    let html = shown("html");
    assert!(html.contains("noise-lengths") && html.contains("noise-timeline"));
}

#[test]
fn gaps_by_length_are_drawn() {
    let page = shown("html");
    let chart = page.split_once("Detours by length").unwrap().1;
    let chart = chart.split_once("The data of this chart").unwrap().0;
    assert!(chart.contains("<svg") && chart.contains("<path"), "{chart}");
    assert!(!chart.contains("Nothing that can be drawn"));
}
