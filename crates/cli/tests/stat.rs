//! `cpulens stat` from outside: the command's streams, status and end, and what is said of it, PMU or not.
use crate::{
    resume::Running,
    sandbox::{Sandbox, alive, has_control, soon},
};
use serde_json::Value;
use std::fs;

const SPIN: &str = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done";

#[test]
fn the_command_keeps_its_streams_and_its_status() {
    let script = format!("cat; echo out; echo err >&2; {SPIN}; exit 3");
    let ran = Sandbox::new().shell(&format!("echo in | \"$0\" stat -- sh -c '{script}'"));
    assert_eq!((ran.code, &*ran.out), (3, "in\nout\n"));
    let (theirs, report) = ran.err.split_once("\n\n").unwrap();
    assert_eq!(theirs.lines().next(), Some("err"));
    let report = ran.err.split_once("cpulens stat: ").unwrap().1.to_owned() + report;
    assert!(report.contains("exited with status 3"), "{report}");
    for line in ["elapsed", "CPU time", "CPUs used", "IPC", "minor faults", "Limited by"] {
        assert!(report.contains(line), "{line}: {report}");
    }
    // With a PMU there is an IPC; without one, why not and what would help.
    let ipc = report.lines().find(|line| line.trim_start().starts_with("IPC")).unwrap();
    assert!(!ipc.contains("n/a") || report.contains("to get it: "), "{report}");
    // Events that were not counted are none of the report's, and a rate stands beside its count.
    assert_eq!(report.contains("; events: "), !ipc.contains("n/a"), "{report}");
    let faults = report.lines().find(|line| line.contains("minor faults")).unwrap();
    let count = faults.split_once("; ").and_then(|(_, note)| note.strip_suffix(" in all"));
    assert!(count.is_some_and(|count| count.parse::<u64>().is_ok_and(|n| n > 0)), "{faults}");
}

#[test]
fn every_line_states_of_whom_it_speaks() {
    let ran = Sandbox::new().cpulens(&["stat", "--", "true"]);
    assert_eq!(ran.code, 0);
    let body = ran.err.split_once("\n\n").unwrap().1;
    let lines: Vec<&str> =
        body.lines().filter(|line| line.starts_with("  ") && line.trim() != "").collect();
    assert!(lines.len() > 8, "{body}");
    // What follows a line of its own is indented further.
    for line in lines.iter().filter(|l| !l.contains("to get it: ") && !l.starts_with("    ")) {
        assert!(line.contains('[') && line.contains(']'), "{line}");
    }
}

#[test]
fn json_is_a_document_and_goes_where_it_is_asked_to() {
    let place = Sandbox::new();
    let file = place.path("stat.json").display().to_string();
    let ran = place.cpulens(&["stat", "--format", "json", "-o", &file, "--", "sh", "-c", SPIN]);
    assert_eq!((ran.code, &*ran.out, &*ran.err), (0, "", ""));
    let document: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!((&document["stat"], &document["scope"]["target"]), (&1.into(), &"command".into()));
    assert_eq!(document["run"]["case"]["params"]["command"], format!("sh -c '{SPIN}'"));
    assert!(document["cpu"]["all"]["value"].as_f64().unwrap() > 0.0);
    let counted = &document["counted"];
    let ipc = counted["ipc"]["value"].as_f64();
    assert!(ipc.is_some() != counted["unknown"]["why"].is_string(), "{counted}");
    assert!(!document["limiter"]["name"].as_str().unwrap().is_empty());
    let ran = place.cpulens(&["stat", "--format", "json", "--", "true"]);
    assert!(serde_json::from_str::<Value>(&ran.out).unwrap()["elapsed"]["value"].is_number());
    assert_eq!(ran.err, "");
}

#[test]
fn a_command_is_run_again_and_read_by_interval() {
    let place = Sandbox::new();
    let file = place.path("runs").display().to_string();
    let script = format!("echo run >> {file}; sleep 0.1; exit 3");
    let args = ["stat", "-r", "3", "-I", "20", "--format", "csv", "--", "sh", "-c", &script];
    let ran = place.cpulens(&args);
    assert_eq!((ran.code, fs::read_to_string(&file).unwrap().lines().count()), (3, 3));
    let elapsed: Vec<&str> = ran.out.lines().filter(|line| line.contains(",elapsed,")).collect();
    assert_eq!(elapsed.len(), 3, "{}", ran.out);
    for run in ["1,", "2,", "3,"] {
        let intervals =
            ran.out.lines().filter(|l| l.starts_with(run) && l.contains(",task-clock,"));
        assert!(intervals.count() > 2, "{}", ran.out);
    }
    let ran = place.cpulens(&["stat", "-I", "20", "--", "sleep", "0.1"]);
    let heads = ran.err.lines().position(|line| line.contains("CPUs used") && line.contains("IPC"));
    assert!(
        heads.is_some_and(|at| ran.err.lines().nth(at + 2).unwrap().contains(" s ")),
        "{}",
        ran.err
    );
    let refused = place.cpulens(&["stat", "-r", "2", "--cpus", "0", "--timeout", "0.1"]);
    assert!(refused.code == 2 && refused.err.contains("--repeat"), "{}", refused.err);
}

#[test]
fn commands_that_are_none_have_the_status_that_shells_give_them() {
    let place = Sandbox::new();
    let missing = place.cpulens(&["stat", "--", "no-such-command-anywhere"]);
    assert_eq!((missing.code, missing.err.lines().count()), (127, 1), "{}", missing.err);
    assert!(missing.err.contains("command not found"), "{}", missing.err);
    let script = place.file("script", "#!/bin/sh\nexit 0\n");
    let forbidden = place.cpulens(&["stat", "--", &script]);
    assert_eq!((forbidden.code, forbidden.err.lines().count()), (126, 1), "{}", forbidden.err);
    assert!(forbidden.err.contains("chmod +x"), "{}", forbidden.err);
    assert!(!has_control(&place.cpulens(&["stat", "--", "\u{1b}[31mred"]).err));
}

#[test]
fn what_is_asked_wrongly_is_refused_before_anything_runs() {
    let place = Sandbox::new();
    let touch = |args: &[&str]| place.cpulens(&[&["stat"], args, &["--", "touch", "ran"]].concat());
    touch(&["--events", "LLC-lods"]).could_not("LLC-loads");
    touch(&["--cpus", "60000"]).could_not("CPUs that can be counted");
    touch(&["-p", "4000000"]).could_not("there is no process 4000000");
    touch(&["-o", "/no/such/folder/file"]).could_not("cannot write");
    for args in [&["--timeout", "0"][..], &["--timeout", "soon"], &["--cpus", "0", "-p", "1"]] {
        assert_eq!(touch(args).code, 2, "{args:?}");
    }
    assert_eq!(place.cpulens(&["stat"]).code, 2);
    assert!(!place.path("ran").exists());
}

#[test]
fn a_killed_command_reports_the_signal_and_a_limit_ends_all_of_it() {
    let place = Sandbox::new();
    let killed = place.cpulens(&["stat", "--", "sh", "-c", "kill -9 $$"]);
    assert_eq!(killed.code, 128 + 9);
    assert!(killed.err.contains("killed by signal 9"), "{}", killed.err);
    let script =
        "trap '' TERM; (trap '' TERM; setsid sleep 1000 & echo $! > pid; wait) & wait; sleep 1000";
    let ended = place.cpulens(&["stat", "--timeout", "0.3", "--", "sh", "-c", script]);
    assert_eq!(ended.code, 124, "{}", ended.err);
    assert!(ended.err.contains("time limit"), "{}", ended.err);
    assert!(!alive(&fs::read_to_string(place.path("pid")).unwrap()));
}

/// As under `perf stat` and `time`.
#[test]
fn a_background_process_lives_on_and_is_reported() {
    let place = Sandbox::new();
    for script in [
        "setsid sleep 1000 > out 2>&1 & echo $! > pid; until grep -q sleep /proc/$!/comm; do :; done",
        "sleep 1000 > out 2>&1 & echo $! > pid",
    ] {
        let ran = place.cpulens(&["stat", "--", "sh", "-c", script]);
        assert_eq!(ran.code, 0);
        let pid = fs::read_to_string(place.path("pid")).unwrap();
        assert!(alive(&pid), "{script}");
        assert!(ran.err.contains("still run") && ran.err.contains("sleep"), "{}", ran.err);
        place.shell(&format!("kill {pid}"));
    }
}

#[test]
fn a_background_process_is_ended_where_that_was_asked_for() {
    let place = Sandbox::new();
    let script = "setsid sleep 1000 & echo $! > pid";
    let ran = place.cpulens(&["stat", "--end-children", "--", "sh", "-c", script]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("left behind"), "{}", ran.err);
    assert!(!alive(&fs::read_to_string(place.path("pid")).unwrap()));
}

/// SIGKILL leaves cpulens no time: the command and its jobs end, a daemon lives on.
#[test]
fn a_killed_cpulens_leaves_no_job_of_the_command() {
    let place = Sandbox::new();
    let script = "exec > out 2>&1; sleep 1000 & echo $! > job; setsid sleep 1000 & echo $! > daemon; \
         until grep -q sleep /proc/$!/comm; do :; done; echo $$ > command; wait";
    let line = format!(
        "\"$0\" stat -- sh -c '{script}' 2> err & \
         while [ ! -s command ]; do sleep 0.05; done; kill -KILL $!; wait $!"
    );
    assert_eq!(place.shell(&line).code, 128 + 9);
    let pid = |name: &str| fs::read_to_string(place.path(name)).unwrap();
    let gone = || !alive(&pid("job")) && !alive(&pid("command"));
    assert!(soon(gone));
    assert!(alive(&pid("daemon")));
    place.shell(&format!("kill {}", pid("daemon")));
}

#[test]
fn signals_are_passed_on() {
    let place = Sandbox::new();
    let script = "trap 'exit 9' TERM; touch ready; while :; do sleep 0.05; done";
    let line = format!(
        "\"$0\" stat --timeout 60 -- sh -c \"{script}\" 2> err & \
         while [ ! -e ready ]; do sleep 0.05; done; kill -TERM $!; wait $!"
    );
    let ran = place.shell(&line);
    assert_eq!(ran.code, 9);
    let err = fs::read_to_string(place.path("err")).unwrap();
    assert!(err.contains("exited with status 9"), "{err}");
}

/// A command that ignores the request to end is ended by the second, with what it started in a session of its own.
#[test]
fn who_insists_ends_a_command_that_ignores_it() {
    let place = Sandbox::new();
    place.file("spin", "trap '' TERM; echo $$ > spins; while :; do :; done");
    place.file("hold", "trap '' TERM; setsid sh spin & wait");
    let line = "\"$0\" stat -- sh hold 2> err & while [ ! -s spins ]; do sleep 0.05; done; \
                kill -TERM $!; sleep 0.3; kill -0 $(cat spins) && touch first; kill -TERM $!; wait $!";
    assert_eq!(place.shell(line).code, 128 + 9, "it is killed");
    assert!(place.path("first").exists(), "the first is the command's");
    assert!(!alive(&fs::read_to_string(place.path("spins")).unwrap()));
}

/// A command that dies of the signal takes us with it by the same signal, or the loop of a shell would go on.
#[test]
fn a_signal_that_ends_the_command_ends_us() {
    let place = Sandbox::new();
    for command in ["stat", "spread"] {
        let script = "touch ready; exec sleep 60";
        let run = Running::start(&place, &[command, "--", "sh", "-c", script]);
        assert!(soon(|| place.path("ready").exists()), "{command}");
        run.signal("TERM");
        // `ended` fails if it is a mere exit code.
        assert_eq!(run.ended().0, 128 + 15, "{command}");
        fs::remove_file(place.path("ready")).unwrap();
    }
}

#[test]
fn a_process_and_cpus_are_watched_until_the_limit_or_an_interrupt() {
    let place = Sandbox::new();
    let ran = place.shell(
        "sh -c 'while :; do :; done' & \"$0\" stat -p $! --timeout 0.3; status=$?; kill $!; exit $status",
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("[process ") && ran.err.contains("Limited by"), "{}", ran.err);
    let ran = place.cpulens(&["stat", "--cpus", "0", "--timeout", "0.1"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("[system-wide, CPUs 0]"), "{}", ran.err);
    // Nobody's IPC.
    assert!(!ran.err.contains("  IPC"), "{}", ran.err);
    assert!(ran.err.contains("cannot tell") && ran.err.contains("no program"), "{}", ran.err);
    // Jobs in the background of a script ignore SIGINT. SIGTERM is sent when it is caught: bit 14 of SigCgt.
    let ran = place.shell(
        "\"$0\" stat --cpus 0 2> err & i=0; until [ $((0x$(sed -n 's/^SigCgt:\t//p' /proc/$!/status) & 0x4000)) -ne 0 ] \
         || [ $i -gt 600 ]; do sleep 0.05; i=$((i+1)); done; sleep 0.2; kill -TERM $!; wait $!",
    );
    let err = fs::read_to_string(place.path("err")).unwrap();
    assert!(ran.code == 128 + 15 && err.contains("system-wide"), "{} {err}", ran.code);
}
