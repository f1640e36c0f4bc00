//! `cpulens selftest aa`: equal runs compared; an interrupt tells of those that ended and leaves nothing behind.
use crate::{db::until, resume::Running, sandbox::Sandbox};
use std::{fs, path::PathBuf};

#[test]
fn an_interrupted_self_test_compares_what_ended_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    let args = ["selftest", "aa", "--runs", "40", "--only", "core_frequency"];
    let run = Running::start(&sandbox, &args);
    let third = |folder: PathBuf| folder.join("3.log").exists().then_some(());
    until("the third run", || {
        let folders = fs::read_dir(sandbox.path("")).ok()?.filter_map(Result::ok);
        folders.map(|entry| entry.path()).find_map(third)
    });
    run.signal("INT");
    let (code, out, err) = run.ended();
    assert_eq!(code, 128 + 2, "{err}");
    assert!(out.contains("Runs of this machine: 2, pairs: 1"), "{out}{err}");
    assert_eq!(sandbox.everything(), Vec::<PathBuf>::new());
}
