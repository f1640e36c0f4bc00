//! Exit codes: what happened, and with `--strict` what was found.
use crate::{
    denied::{ENOSYS, EPERM, without},
    sandbox::{CHEAP, Sandbox, fixtures},
};

#[test]
fn a_record_that_is_shown_is_no_verdict() {
    let sandbox = Sandbox::new();
    let mut strict = vec![];
    for (name, file) in fixtures() {
        let file = file.display().to_string();
        for command in ["show", "diagnose"] {
            assert_eq!(sandbox.cpulens(&[command, &file]).code, 0, "{command} {name}");
        }
        strict.push(sandbox.cpulens(&["diagnose", &file, "--strict"]).code);
    }
    assert!([0, 1, 3].iter().all(|code| strict.contains(code)), "{strict:?}");
}

#[test]
fn a_run_states_what_it_found_with_strict_only() {
    let sandbox = Sandbox::new();
    let run = [&CHEAP[..], &["--record", "r.json"]].concat();
    let strict = sandbox.cpulens(&[&run[..], &["--strict"]].concat()).code;
    assert_eq!(strict, sandbox.cpulens(&["diagnose", "r.json", "--strict"]).code);
    let lax = sandbox.cpulens(&[&run[..], &["--force"]].concat());
    assert_eq!(lax.code, 0, "{}", lax.err);
}

/// The review's example: no thread can be pinned, so nothing is measured but what comes along.
#[test]
fn nothing_measured_is_a_failure() {
    for error in [EPERM, ENOSYS] {
        let sandbox = Sandbox::new();
        let args = ["run", "--only", "core_frequency,load_latency"];
        let Some(ran) = without(&sandbox, &["sched_setaffinity"], error, &args) else { return };
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains("nothing of what was asked for was measured"), "{}", ran.err);
        assert_eq!(sandbox.records().len(), 1, "the reasons are kept");
    }
}

#[test]
fn a_command_without_findings_to_state_has_no_strict() {
    let sandbox = Sandbox::new();
    for args in [&["info", "--strict"][..], &["spread", "--strict", "--", "true"]] {
        assert_eq!(sandbox.cpulens(args).code, 2, "{args:?}");
    }
}
