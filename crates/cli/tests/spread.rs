//! `cpulens spread` from outside: copies in their places, their lines, their ends, and nothing left of them.
use crate::resume::Running;
use crate::sandbox::{Sandbox, alive, soon};
use serde_json::Value;
use std::fs;

fn cores() -> usize {
    let ran = Sandbox::new().cpulens(&["place", "--per", "core", "--format", "csv"]);
    ran.out.lines().count() - 1
}

#[test]
fn each_copy_knows_its_place_and_is_there() {
    let place = Sandbox::new();
    let script = "echo $CPULENS_INDEX {index} {cpus} $(sed -n 's/Cpus_allowed_list:\t//p' /proc/self/status); echo complaint >&2";
    let ran = place.cpulens(&["spread", "--quiet", "--per", "core", "--", "sh", "-c", script]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.out.lines().count(), cores(), "{}", ran.out);
    for line in ran.out.lines() {
        let (number, words) = line.split_once("] ").unwrap();
        let words: Vec<&str> = words.split(' ').collect();
        assert_eq!((words[0], words[0]), (number.trim_start_matches(['[', ' ']), words[1]));
        assert_eq!(words[2], words[3], "{line}");
    }
    assert!(ran.err.lines().all(|l| l.ends_with("] complaint")), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), cores());
}

#[test]
fn exit_codes_are_gathered_and_the_highest_is_ours() {
    let place = Sandbox::new();
    let ran = place.cpulens(&["spread", "--instances", "1", "--", "sh", "-c", "exit 7"]);
    assert_eq!(ran.code, 7);
    assert!(
        ran.err.contains("copies 0: exit code 7") && ran.err.contains("no terminal"),
        "{}",
        ran.err
    );
    let ran = place.cpulens(&["spread", "--instances", "1", "--", "sh", "-c", "kill -9 $$"]);
    assert_eq!(ran.code, 128 + 9);
    assert!(ran.err.contains("killed by signal 9"), "{}", ran.err);
    assert_eq!(place.cpulens(&["spread", "--", "no-such-command-anywhere"]).code, 127);
    assert_eq!(place.cpulens(&["spread", "--", "/etc/hostname"]).code, 126);
    place.cpulens(&["spread", "--instances", "8000", "--", "true"]).could_not("do not fit");
    assert_eq!(place.cpulens(&["spread"]).code, 2);
    assert_eq!(place.cpulens(&["spread", "--rate-regex", "([0-9])", "--", "true"]).code, 2);
}

/// A command that never ends, ignores requests, and forks away into a session of its own.
#[test]
fn a_time_limit_leaves_nothing() {
    let place = Sandbox::new();
    let script = "trap '' TERM; setsid sh -c 'echo $$ >> pids; exec sleep 1000' & echo $$ >> pids; while :; do sleep 1; done";
    let ran = place.cpulens(&[
        "spread",
        "--instances",
        "1",
        "--timeout",
        "0.7",
        "--",
        "sh",
        "-c",
        script,
    ]);
    assert_eq!(ran.code, 124, "{}", ran.err);
    assert!(ran.err.contains("had not ended after 0.7 s"), "{}", ran.err);
    let pids = fs::read_to_string(place.path("pids")).unwrap();
    assert_eq!(pids.lines().count(), 2);
    assert!(pids.lines().all(|pid| !alive(pid)), "{pids}");
}

#[test]
fn a_background_process_lives_on_unless_it_is_to_be_ended() {
    let place = Sandbox::new();
    let one = ["spread", "--instances", "1"];
    let script = "setsid sleep 1000 > out 2>&1 & echo $! > pid; until grep -q sleep /proc/$!/comm; do :; done";
    let script = ["--", "sh", "-c", script];
    let ran = place.cpulens(&[&one[..], &script].concat());
    let pid = fs::read_to_string(place.path("pid")).unwrap();
    assert!(ran.code == 0 && alive(&pid), "{}", ran.err);
    assert!(ran.err.contains("still run (1): sleep"), "{}", ran.err);
    place.shell(&format!("kill {pid}"));
    let ran = place.cpulens(&[&one[..], &["--end-children"], &script].concat());
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("outlived the copy"), "{}", ran.err);
    assert!(!alive(&fs::read_to_string(place.path("pid")).unwrap()));
}

/// Copies have no terminal to be stopped by, and nothing to read.
#[test]
fn a_command_that_needs_a_terminal_ends_instead_of_hanging() {
    let place = Sandbox::new();
    let ran = place.cpulens(&[
        "spread",
        "--instances",
        "1",
        "--timeout",
        "60",
        "--",
        "sh",
        "-c",
        "cat; exec < /dev/tty",
    ]);
    assert!(ran.code != 0 && ran.code != 124, "{} {}", ran.code, ran.err);
    assert!(ran.err.contains("no terminal"), "{}", ran.err);
}

/// A request to end reaches every copy; what is killed at once takes its copies with it.
#[test]
fn signals_are_passed_on_and_nothing_survives_us() {
    for (signal, code) in [("TERM", 3), ("INT", 3), ("KILL", 128 + 9)] {
        let place = Sandbox::new();
        let script = "trap 'exit 3' TERM INT; echo $$ > pid{index}; while :; do sleep 0.05; done";
        let run = Running::start(&place, &["spread", "--per", "core", "--", "sh", "-c", script]);
        let files: Vec<_> = (0..cores()).map(|i| place.path(&format!("pid{i}"))).collect();
        let written =
            |f: &std::path::PathBuf| fs::read_to_string(f).is_ok_and(|t| t.ends_with('\n'));
        assert!(soon(|| files.iter().all(written)), "{signal}: copies did not begin");
        let pids: Vec<String> = files.iter().map(|f| fs::read_to_string(f).unwrap()).collect();
        run.signal(signal);
        assert_eq!(run.ended().0, code, "{signal}");
        assert!(soon(|| !pids.iter().any(|pid| alive(pid))), "{signal}: {pids:?}");
    }
}

#[test]
fn a_command_of_fixed_duration_is_refused_a_verdict() {
    let args = ["spread", "--prove", "-q", "--repeats", "4", "--per", "core", "--format", "json"];
    let ran = Sandbox::new().cpulens(&[&args[..], &["--", "sleep", "0.5"]].concat());
    let found: Value = serde_json::from_str(&ran.out).unwrap_or_default();
    let why = found["gains"][0]["found"]["unknown"]["why"].as_str().unwrap_or_default();
    assert_eq!(why.contains("the command itself sets its duration"), cores() > 1, "{found}");
}

#[test]
fn a_proof_states_what_placement_is_worth_or_that_it_is_noise() {
    let place = Sandbox::new();
    let script = "echo rate: 100";
    let args = [
        "spread",
        "--prove",
        "--quiet",
        "--repeats",
        "4",
        "--per",
        "core",
        "--rate-regex",
        "rate: ([0-9]+)",
        "--format",
        "json",
        "--",
        "sh",
        "-c",
        script,
    ];
    let ran = place.cpulens(&args);
    assert_eq!((ran.code, &*ran.err), (0, ""), "{}", ran.out);
    let said: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(said["differs"], false);
    assert!(said["sentences"][0].as_str().unwrap().contains("no significant difference"), "{said}");
    for way in said["ways"].as_array().unwrap() {
        assert_eq!(way["rates"].as_array().unwrap().len(), 4);
    }
    // A rate that depends on being bound: twice as much on one CPU as on several.
    if cores() > 1 {
        let script = "n=$(grep -c , /proc/self/status); grep -q 'Cpus_allowed_list:.*[-,]' /proc/self/status && echo rate: 100 || echo rate: 200";
        let args = [
            "spread",
            "--prove",
            "--quiet",
            "--repeats",
            "4",
            "--per",
            "core",
            "--smt",
            "off",
            "--strict",
            "--rate-regex",
            "rate: ([0-9]+)",
            "--",
            "sh",
            "-c",
            script,
        ];
        let ran = place.cpulens(&args);
        assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("Pinning makes this program 100 % faster"), "{}", ran.out);
    }
}

#[test]
fn an_interrupt_or_a_later_failure_keeps_the_runs_until_then() {
    let place = Sandbox::new();
    let prove = ["spread", "--prove", "-q", "--instances", "1", "--format", "json"];
    let early = |out: &str, err: &str| {
        let found: Value = serde_json::from_str(out).unwrap_or_default();
        let rates = |way: &Value| way["rates"].as_array().map_or(0, Vec::len);
        let runs: usize = found["ways"].as_array().unwrap().iter().map(rates).sum();
        let last = found["sentences"].as_array().unwrap().last().unwrap().as_str().unwrap();
        assert!(last.starts_with("Ended early, after these runs: "), "{out} {err}");
        runs
    };
    let slow = ["--repeats", "1000", "--", "sh", "-c", "echo >> runs; sleep 0.05"];
    let running = Running::start(&place, &[&prove[..], &slow].concat());
    let runs = place.path("runs");
    let begun = || fs::read_to_string(&runs).is_ok_and(|runs| runs.lines().count() > 4);
    assert!(soon(begun), "no run began");
    running.signal("INT");
    let (code, out, err) = running.ended();
    assert_eq!(code, 128 + 2, "{out} {err}");
    assert!(early(&out, &err) > 2, "one run does not count: {out}");

    let fails_later = "echo >> turns; test $(wc -l < turns) -lt 6";
    let ran =
        place.cpulens(&[&prove[..], &["--repeats", "8", "--", "sh", "-c", fails_later]].concat());
    assert!(ran.code == 2 && ran.err.contains("copies failed: exit code 1"), "{}", ran.err);
    assert_eq!(early(&ran.out, &ran.err), 4, "{}", ran.out);
}

#[test]
fn a_proof_of_what_fails_is_none() {
    let place = Sandbox::new();
    let prove = |script: &str, more: &[&str]| {
        place.cpulens(
            &[&["spread", "--prove", "--quiet"], more, &["--", "sh", "-c", script]].concat(),
        )
    };
    prove("echo sorry; exit 4", &[]).could_not("sorry");
    prove("echo hello", &["--rate-regex", "rate ([0-9]+)"]).could_not("matches nothing");
    prove("sleep 100", &["--timeout", "0.3"]).could_not("had not ended");
    prove("true", &["--rate-file", "rate"]).could_not("no rate");
    prove("true", &["--rate-regex", "["]).could_not("no regular expression");
}
