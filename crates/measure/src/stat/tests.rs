//! Commands, processes and CPUs that are counted here, with a PMU or without.
use super::{report::quoted, *};
use host::clock::Monotonic;
use record::{Outcome, param};
use std::sync::Mutex;

fn request(command: &[&str], target: Target) -> Request {
    let command = command.iter().map(|&word| word.into()).collect();
    Request { command, target, limit: Some(20.0), every: None, events: vec![], end_children: false }
}

fn run(request: &Request) -> Result<Stat, Refused> {
    stat(&Machine::default(), request, &Monotonic::new(), &AtomicBool::new(false), &|_| {})
}

fn value(run: &Run, name: &str) -> Option<f64> {
    run.reading(name).map(|r| r.value)
}

/// With a PMU or without: every event is a reading or has its reason.
#[test]
fn a_command_is_a_run_in_which_nothing_is_missing_without_a_reason() {
    assert_eq!([quoted("-j8"), quoted("a b"), quoted("it's")], ["-j8", "'a b'", "'it'\\''s'"]);
    let spin = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exit 3";
    let Stat { run, status, timed_out } =
        run(&request(&["sh", "-c", spin], Target::Command)).unwrap();
    assert_eq!((status, timed_out), (Some(3), false));
    assert_eq!(run.case.get(param::TARGET), Some("command"));
    assert_eq!(run.case.get(param::STATUS), Some("exited with status 3"));
    for event in ["cycles", "instructions", "task-clock", "cpu-migrations"] {
        let name = format!("counters.{event}");
        let unread = run.unread.get(&name);
        assert!(value(&run, &name).is_some() != unread.is_some(), "{name}: {run:?}");
        assert!(unread.is_none_or(|reason| !reason.why.is_empty()));
    }
    let Outcome::Measured(series) = &run.outcome else { panic!("{run:?}") };
    let used = value(&run, "program.cpu").unwrap();
    assert!(used > 0.0 && used <= 1.1 * series[0].samples[0] + 0.01, "{run:?}");
    assert_eq!(value(&run, "program.left_behind"), Some(0.0));
    for reading in &run.readings {
        assert!(reading.value.is_finite() && reading.value >= 0.0, "{reading:?}");
        assert!((0.0..=1.0).contains(&reading.coverage), "{reading:?}");
    }
}

#[test]
fn events_that_were_asked_for_are_named() {
    let events = ["r1b", "cpu-migrations"].map(str::to_owned).to_vec();
    let run = run(&Request { events, ..request(&["true"], Target::Command) }).unwrap().run;
    assert_eq!(run.case.get(param::EVENTS), Some("r1b,cpu-migrations"));
    let plain = super::tests::run(&request(&["true"], Target::Command)).unwrap().run;
    assert_eq!(plain.case.get(param::EVENTS), None);
}

/// It ends once; while it is held it is not yet the command.
#[test]
fn waiting_for_its_release_is_no_wait_of_the_command() {
    let of = |_| {
        let run = run(&request(&["true"], Target::Command)).unwrap().run;
        value(&run, "program.switches.voluntary").unwrap()
    };
    let fewest = (0..8).map(of).fold(f64::INFINITY, f64::min);
    assert!(fewest <= 1.0, "{fewest}");
}

#[test]
fn a_process_is_watched_while_it_runs_and_one_that_is_gone_is_refused() {
    let own = Target::Process(std::process::id());
    let watched = run(&request(&["sleep", "0.1"], own.clone())).unwrap();
    assert_eq!(watched.run.case.get(param::TARGET), Some("process"));
    assert!(value(&watched.run, "program.cpu").is_some(), "{watched:?}");
    let alone = run(&Request { limit: Some(0.1), ..request(&[], own) }).unwrap();
    assert_eq!(alone.status, None);
    assert!(alone.run.took >= 0.1);
    assert!(
        run(&request(&[], Target::Process(u32::MAX >> 1)))
            .unwrap_err()
            .why
            .why
            .contains("no process")
    );
    assert!(run(&request(&[], Target::Command)).unwrap_err().why.remedy.is_some());
}

#[test]
fn cpus_are_nobodys_program() {
    let cpus: CpuSet = "0".parse().unwrap();
    let seen = run(&request(&["sleep", "0.2"], Target::Cpus(cpus.clone()))).unwrap();
    assert!(seen.run.case.get(param::SCOPE).unwrap().contains("system-wide"));
    assert_eq!(seen.run.case.place.cpus, cpus);
    assert_eq!(value(&seen.run, "program.cpu"), None);
    assert!(value(&seen.run, "machine.busy").is_none_or(|busy| busy <= 1.0));
}

#[test]
fn an_event_that_is_none_is_refused_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ran");
    let mut request = request(&["touch", file.to_str().unwrap()], Target::Command);
    request.events = vec!["nonsense".into()];
    let why = run(&request).unwrap_err().why;
    assert!(why.why.contains("nonsense"));
    let remedy = why.remedy.unwrap();
    assert!(remedy.contains("context-switches"), "{remedy}");
    let mut names: Vec<&str> = remedy.trim_start_matches("choose from ").split(", ").collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{remedy}");
    assert!(!file.exists());
}

/// Intervals follow each other without a gap, and their counts add up to those of the whole.
#[test]
fn intervals_add_up_to_the_whole() {
    let spin = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done";
    let request = Request { every: Some(0.02), ..request(&["sh", "-c", spin], Target::Command) };
    let seen = Mutex::new(vec![]);
    let add = |interval: Interval| seen.lock().unwrap().push(interval);
    let Stat { run, .. } =
        stat(&Machine::default(), &request, &Monotonic::new(), &AtomicBool::new(false), &add)
            .unwrap();
    let seen = seen.into_inner().unwrap();
    assert!(seen.len() > 1, "{seen:?}");
    assert!(seen[0].from == 0.0 && seen.windows(2).all(|w| w[0].to == w[1].from), "{seen:?}");
    let whole = value(&run, "counters.task-clock").unwrap();
    let sum: f64 = seen.iter().map(|interval| interval.counts["task-clock"]).sum();
    assert!((0.9 * whole..=1.001 * whole).contains(&sum), "{sum} of {whole}");
}
