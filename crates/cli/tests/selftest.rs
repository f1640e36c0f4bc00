//! `cpulens selftest aa`: equal runs compared; an interrupt tells of those that ended and leaves nothing behind.
use crate::{db::until, resume::Running, sandbox::Sandbox};
use std::{fs, path::PathBuf};

#[test]
fn an_interrupted_self_test_compares_what_ended_and_leaves_nothing() {
    let args = ["selftest", "aa", "--runs", "40", "--only", "core_frequency"];
    for (begun, said) in
        [("1.log", "before two runs ended"), ("3.log", "Runs of this machine: 2, pairs: 1")]
    {
        let sandbox = Sandbox::new();
        let run = Running::start(&sandbox, &args);
        let there = |folder: PathBuf| folder.join(begun).exists().then_some(());
        until(begun, || {
            let folders = fs::read_dir(sandbox.path("")).ok()?.filter_map(Result::ok);
            folders.map(|entry| entry.path()).find_map(there)
        });
        run.signal("INT");
        let (code, out, err) = run.ended();
        assert_eq!(code, 128 + 2, "{err}");
        assert!(out.contains(said) || err.contains(said), "{out}{err}");
        assert_eq!(sandbox.everything(), Vec::<PathBuf>::new());
    }
}
