//! `compare -- A -- B`: two commands in pairs, to the end.
use crate::{db::until, resume::Running, sandbox::Sandbox};
use serde_json::Value;
use std::fs;

fn json(args: &[&str]) -> (i32, Value, String) {
    let ran = Sandbox::new().cpulens(args);
    (ran.code, serde_json::from_str(&ran.out).unwrap_or_default(), ran.err)
}

/// The rates are printed, so that they differ by 3 % on any machine.
#[test]
fn printed_rates_of_3_per_cent_apart_are_found_to_differ() {
    let common = ["compare", "--format", "json", "-q", "--budget", "8", "--order", "turn"];
    let rate = ["--rate-regex", "rate ([0-9]+)", "--strict"];
    let commands = ["--", "echo", "rate 100", "--", "echo", "rate 103"];
    let (code, found, err) = json(&[&common[..], &rate, &commands].concat());
    assert_eq!((code, found["decision"].as_str()), (1, Some("differs")), "{found} {err}");
    assert!((found["ratio"].as_f64().unwrap() - 1.03).abs() < 1e-9, "{found}");
    assert_eq!(found["commands"][1]["rate"]["median"].as_f64(), Some(103.0));
    assert_eq!(found["measure"].as_str(), Some("rate"));
    assert!(found["pairs"].as_u64().unwrap() >= 7 && found["places"].is_null());
}

/// All ratios of a page are of B over A, of what they name: of times a slower B has more.
#[test]
fn a_slower_command_has_more_of_the_time_and_less_of_the_rate() {
    let answer = |options: &[&str], a: &[&str], b: &[&str]| {
        let common = ["compare", "-q", "--budget", "8", "--order", "turn"];
        let ran =
            Sandbox::new().cpulens(&[&common[..], options, &["--"], a, &["--"], b].concat()).done();
        let (_, answer) = ran.out.split_once("B is slower than A: ").expect(&ran.out);
        let (times, of) = answer.split_once(" times the ").expect(answer);
        (times.parse::<f64>().unwrap(), of.replace('\n', " "))
    };
    let (times, of) = answer(&[], &["sleep", "0.02"], &["sleep", "0.2"]);
    assert!(times > 1.0 && of.starts_with("elapsed time (95 % CI "), "{times} {of}");
    let rate = ["--rate-regex", "rate ([0-9]+)"];
    let (times, of) = answer(&rate, &["echo", "rate 100"], &["echo", "rate 50"]);
    assert!(times == 0.5 && of.starts_with("rate (95 % CI 0.5000 to 0.5000)"), "{times} {of}");
}

/// Which measure decides is said, and it is one that others' load does not change where that is possible.
#[test]
fn a_busy_loop_is_compared_by_cpu_time_and_a_sleep_by_elapsed_time() {
    let measure = |command: &[&str]| {
        let common = ["compare", "--format", "json", "-q", "--budget", "4", "--order", "turn"];
        let (_, found, err) = json(&[&common[..], &["--"], command, &["--"], command].concat());
        assert!(found["pairs"].as_u64().unwrap_or_default() > 0, "{found} {err}");
        found["measure"].as_str().unwrap_or_default().to_owned()
    };
    let work = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
    assert_eq!(measure(&["sh", "-c", work]), "cpu_time");
    assert_eq!(measure(&["sleep", "0.1"]), "elapsed");
}

#[test]
fn too_few_pairs_are_no_answer_and_name_a_budget() {
    let (code, found, _) = json(&[
        "compare", "--format", "json", "-q", "--budget", "0.5", "--", "sleep", "0.1", "--", "true",
    ]);
    assert_eq!((code, found["decision"].as_str()), (0, Some("open")), "{found}");
    assert!(found["interval"].is_null());
}

/// A command that never ends does not outlast the budget.
#[test]
fn a_run_longer_than_the_budget_is_ended() {
    let (code, _, err) =
        json(&["compare", "-q", "--budget", "0.5", "--", "sleep", "1000", "--", "true"]);
    assert!(code == 2 && err.contains("A: it had not ended after 0.5 s"), "{code} {err}");
}

#[test]
fn an_interrupt_keeps_the_pairs_until_then() {
    let place = Sandbox::new();
    let run = "echo >> runs; sleep 0.05";
    let args = ["compare", "--format", "json", "-q", "--order", "turn", "--budget", "600"];
    let commands = ["--difference", "0.0001", "--", "sh", "-c", run, "--", "sh", "-c", run];
    let running = Running::start(&place, &[&args[..], &commands].concat());
    until("some runs", || {
        let runs = fs::read_to_string(place.path("runs")).ok()?;
        (runs.lines().count() > 8).then_some(())
    });
    running.signal("INT");
    let (code, out, err) = running.ended();
    let found: Value = serde_json::from_str(&out).unwrap_or_default();
    assert_eq!((code, found["interrupted"].as_bool()), (128 + 2, Some(true)), "{out} {err}");
    assert!(found["pairs"].as_u64().unwrap() > 2, "{out}");
}

#[test]
fn a_run_that_fails_later_keeps_the_pairs_until_then() {
    let fails_later = "echo >> runs; test $(wc -l < runs) -lt 6";
    let common = ["compare", "--format", "json", "-q", "--order", "turn", "--budget", "60"];
    let commands = ["--difference", "0.0001", "--", "true", "--", "sh", "-c", fails_later];
    let (code, found, err) = json(&[&common[..], &commands].concat());
    assert!(code == 2 && err.contains("B failed: exit code 1"), "{code} {err}");
    assert!(found["failed"].as_str().unwrap().starts_with("B failed"), "{found}");
    assert_eq!(found["pairs"].as_u64(), Some(4), "one run does not count: {found}");
}

#[test]
fn one_command_three_commands_and_failing_ones_are_refused_with_what_to_type() {
    for args in
        [&["compare", "--", "true"][..], &["compare", "--", "true", "--", "true", "--", "true"]]
    {
        let (code, _, err) = json(args);
        assert!(code == 2 && err.contains("cpulens compare -- A -- B"), "{err}");
    }
    let (code, _, err) = json(&["compare", "-q", "--", "true", "--", "sh", "-c", "exit 3"]);
    assert!(code == 2 && err.contains("exit code 3"), "{code} {err}");
    // Events per second are no runs per second.
    let in_shell = "sysbench cpu run";
    let known = ["compare", "-q", "--", "sysbench", "cpu", "run", "--", "sh", "-c", in_shell];
    let (code, _, err) = json(&known);
    assert!(code == 2 && err.contains("one rate") && err.contains("--rate-regex"), "{err}");
    let (code, _, err) = json(&["compare", "-q", "--", "true", "--", "no-such-command"]);
    assert!(code == 127, "{code} {err}");
}
