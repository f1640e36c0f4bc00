//! Runs that are made here, in each format.
use super::*;
use record::{Better, Case, Machine, Metric, Outcome, Placement, Reading, Run, Series, hostile};
use serde_json::Value;

fn counted(target: &str) -> Run {
    let mut elapsed = Series::new(Metric::Elapsed, Unit::Seconds, Better::Lower);
    elapsed.samples.push(2.0);
    let place = Placement { cpus: "0".parse().unwrap(), ..Placement::default() };
    let params = [("target", target), ("scope", "unknown"), ("command", "a\u{1b}\u{202e}b")];
    let params = params.map(|(name, value)| (name.to_owned(), value.into())).into();
    let reading = |(name, value): (&str, f64)| Reading {
        name: name.into(),
        unit: Unit::Count,
        value,
        coverage: 0.5,
    };
    let readings = [
        ("counters.cycles", 2e9),
        ("counters.instructions", 3e9),
        ("program.cpu", 2.0),
        ("machine.busy", 1.0),
    ];
    Run {
        readings: readings.map(reading).into(),
        took: 2.0,
        ..Run::new(
            Case { probe: "stat".into(), version: 1, params, place, estimate: 0.0 },
            Outcome::Measured(vec![elapsed]),
        )
    }
}

fn both(target: &str) -> (String, Value) {
    let run = counted(target);
    let machine = Machine::default();
    let program = analyse::program::program(&run, &machine).unwrap();
    let text = text(&program, Lang::En, usize::MAX);
    (text, serde_json::from_str(&document(&[program], &[])).unwrap())
}

/// Counted half of the time: 4 G cycles and 6 G instructions in 2 s.
#[test]
fn a_program_has_an_ipc_and_a_sum_and_says_that_it_was_scaled() {
    let (text, json) = both("command");
    assert!(text.contains("IPC") && text.contains("1.50"), "{text}");
    assert!(text.contains("6 G / (2 GHz x 1.50) / 1"), "{text}");
    assert!(text.contains("counted for 50 % of the time, scaled"), "{text}");
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
    assert_eq!(json["counted"]["ipc"]["value"], 1.5);
    assert_eq!(json["counted"]["coverage"], 0.5);
}

#[test]
fn what_was_counted_system_wide_is_never_called_a_programs_ipc() {
    let (text, json) = both("cpus");
    assert!(!text.contains("  IPC") && !text.contains("x IPC"), "{text}");
    assert!(text.contains("instructions per cycle of all"), "{text}");
    assert!(text.contains("[system-wide, CPUs 0]") && text.contains("cannot tell"), "{text}");
    assert_eq!(json["counted"]["ipc"], Value::Null);
    assert_eq!(json["scope"]["target"], "system-wide");
}

/// Seven runs of 2 s to 2.6 s: the median has an interval, and JSON and CSV have every run.
#[test]
fn several_runs_have_a_median_an_interval_and_a_range() {
    let machine = Machine::default();
    let runs: Vec<Run> = (0..7)
        .map(|i| {
            let mut run = counted("command");
            let Outcome::Measured(series) = &mut run.outcome else { panic!() };
            series[0].samples[0] += 0.1 * f64::from(i);
            run
        })
        .collect();
    let programs: Vec<Program<'_>> =
        runs.iter().map(|run| analyse::program::program(run, &machine).unwrap()).collect();
    let counts = [("task-clock".to_owned(), 5e8), ("cycles".to_owned(), 1e9)].into();
    let intervals = vec![vec![Interval { from: 0.0, to: 0.5, counts }]];
    let table = repeated(&programs, Lang::En, 80);
    let elapsed = table.lines().find(|line| line.contains("elapsed")).unwrap();
    let words: Vec<&str> = elapsed.split_whitespace().collect();
    assert_eq!(words[..], ["elapsed", "2.30", "s", "2.07-2.53", "2", "s", "2.60", "s"], "{table}");
    let chinese = repeated(&programs, Lang::Zh, 80);
    assert!(chinese.lines().next().unwrap().ends_with(": 7 次运行"), "{chinese}");
    let same = table.lines().find(|line| line.contains("instructions ")).unwrap();
    let words: Vec<&str> = same.split_whitespace().collect();
    assert_eq!(words[1..], ["3", "G"].repeat(4), "{table}");
    let columns = |line: &str| line.chars().count();
    assert!(table.lines().map(columns).max() <= Some(80), "{table}");
    assert!(!table.contains("fewer"), "{table}");
    for width in [60, 40] {
        let table = repeated(&programs, Lang::En, width);
        assert!(table.lines().map(columns).max() <= Some(width), "{table}");
        assert!(table.contains("2.07-2.53"), "{table}");
    }
    let few = repeated(&programs[..3], Lang::En, 80);
    assert!(few.contains("Of fewer than 6 runs"), "{few}");
    let elapsed = few.lines().find(|line| line.contains("elapsed")).unwrap();
    let words: Vec<&str> = elapsed.split_whitespace().collect();
    // ln 2, ln 2.1, ln 2.2: mean 0.7412, s 0.04766, t 4.303.
    assert_eq!(words[3], "1.86-2.36", "{few}");
    let json: Value = serde_json::from_str(&document(&programs, &intervals)).unwrap();
    assert_eq!(json["runs"].as_array().map(Vec::len), Some(7));
    assert_eq!(json["figures"][0]["name"], "elapsed");
    assert_eq!(json["figures"][0]["runs"], 7);
    assert_eq!(json["runs"][0]["intervals"][0]["counts"]["cycles"], 1e9);
    let csv = csv(&programs, &intervals).unwrap();
    assert_eq!(csv.lines().filter(|line| line.contains(",elapsed,")).count(), 7);
    assert!(csv.contains("1,0,0.5,cycles,1000000000,count,command,"), "{csv}");
    let line = intervals[0][0].line();
    assert!(line.contains("1.000") && line.contains("2 GHz") && line.contains("n/a"), "{line}");
    assert_eq!(line.len(), Interval::heads().len());
}

/// What was asked for is said, with its count or the reason why there is none.
#[test]
fn events_that_were_asked_for_are_said_with_their_count_or_reason() {
    let mut run = counted("command");
    run.case.params.insert("events".into(), "r1b,branches".into());
    let reading = Reading::new("counters.r1b", Unit::Count, 30.0);
    run.readings.push(Reading { coverage: 0.5, ..reading });
    let why = record::Reason::mended_by("no such counter", "another machine");
    run.unread.insert("counters.branches".into(), why);
    let machine = Machine::default();
    let program = analyse::program::program(&run, &machine).unwrap();
    let text = text(&program, Lang::En, 80);
    let line = |name: &str| text.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
    assert!(line("r1b").contains(" 60 "), "{text}");
    assert!(line("branches").contains("n/a") && text.contains("no such counter"), "{text}");
    assert!(text.contains("to get it: another machine"), "{text}");
    let csv = csv(std::slice::from_ref(&program), &[]).unwrap();
    assert!(csv.contains("1,,,branches,,count,command,\n"), "{csv}");
    let table = repeated(&[program.clone(), program], Lang::En, 80);
    let missing = table.lines().find(|line| line.contains("branches")).unwrap();
    assert_eq!(missing.matches("n/a").count(), 4, "{table}");
}

/// Nanoseconds are no count, and rates stand beside counts.
#[test]
fn figures_have_the_unit_of_their_values() {
    let mut run = counted("command");
    let new = |name, value| Reading::new(name, Unit::Count, value);
    run.readings.extend([new("counters.task-clock", 5e8), new("program.switches.voluntary", 10.0)]);
    let machine = Machine::default();
    let program = analyse::program::program(&run, &machine).unwrap();
    let counts = [("task-clock".to_owned(), 25e7)].into();
    let csv = csv(&[program], &[vec![Interval { from: 0.0, to: 0.5, counts }]]).unwrap();
    assert!(csv.contains(",task-clock,0.5,seconds,") && csv.contains(",task-clock,0.25,seconds,"));
    assert!(csv.contains(",waits (voluntary switches)/s,5,count,"), "{csv}");
    assert!(csv.contains(",waits (voluntary switches),10,count,"), "{csv}");
}

#[test]
fn how_a_command_ended_is_said_in_chinese() {
    let mut run = counted("command");
    run.case.params.insert("status".into(), "exited with status 3".into());
    let machine = Machine::default();
    let program = analyse::program::program(&run, &machine).unwrap();
    let first = |lang| text(&program, lang, usize::MAX).lines().next().unwrap().to_owned();
    assert!(first(Lang::En).ends_with("b: exited with status 3"), "{}", first(Lang::En));
    assert!(!first(Lang::Zh).contains("exited"), "{}", first(Lang::Zh));
}

/// Text without room beside a figure stands below it.
#[test]
fn lines_are_no_wider_than_the_terminal() {
    let run = counted("command");
    let machine = Machine::default();
    let program = analyse::program::program(&run, &machine).unwrap();
    let [narrow, wide] = [70, usize::MAX].map(|width| text(&program, Lang::En, width));
    assert!(narrow.lines().all(|line| line.width() <= 70), "{narrow}");
    assert!(wide.lines().any(|line| line.width() > 80), "{wide}");
    let words = |text: &str| text.replace("; ", " ").split_whitespace().collect::<String>();
    assert_eq!(words(&narrow), words(&wide));
}

#[test]
fn energy_is_the_machines() {
    let mut run = counted("command");
    let read =
        |name: &str, unit, value| Reading::new(format!("machine.energy.{name}"), unit, value);
    run.readings.extend([
        read("package", Unit::Joules, 90.0),
        read("package.power", Unit::Watts, 45.0),
        read("temperature", Unit::Celsius, 61.0),
    ]);
    let machine = Machine::default();
    let program = analyse::program::program(&run, &machine).unwrap();
    let text = text(&program, Lang::En, usize::MAX);
    let line = text.lines().find(|line| line.contains("energy of the packages")).unwrap();
    assert!(line.ends_with("90 J   [machine]; 45 W on average"), "{line}");
    assert!(text.contains("61 °C") && !text.contains("energy of DRAM"), "{text}");
    let figures = analyse::program::figures(&program);
    let energy = figures.iter().find(|f| f.name == "energy.package").unwrap();
    assert!(energy.of_machine && energy.unit == Unit::Joules, "{energy:?}");
}

/// Commands, scopes and names of processes are other people's texts.
#[test]
fn no_text_of_a_program_drives_a_terminal() {
    const EVIL: &str = "a\u{1b}[2J\u{9b}31m\u{7f}\u{202e}b";
    let machine = Machine::default();
    for target in ["command", "process"] {
        let mut run = counted(target);
        for name in ["scope", "command", "status", "still_running", "family"] {
            run.case.params.insert(name.into(), EVIL.into());
        }
        run.readings.push(Reading::new("program.still_running", Unit::Count, 1.0));
        let programs: Vec<Program<'_>> =
            (0..2).map(|_| analyse::program::program(&run, &machine).unwrap()).collect();
        let said = [
            text(&programs[0], Lang::En, 80),
            repeated(&programs, Lang::En, 80),
            csv(&programs, &[]).unwrap(),
            document(&programs, &[]),
        ];
        for one in &said {
            assert!(!one.contains(|c| c != '\n' && hostile(c)), "{one:?}");
        }
        let read: Value = serde_json::from_str(&said[3]).unwrap();
        assert_eq!(read["runs"][0]["run"]["case"]["params"]["scope"], EVIL);
    }
}
