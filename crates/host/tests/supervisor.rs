//! A share of the cache does not outlive the program that made it, however that ends.
#![allow(clippy::unwrap_used, reason = "a test that cannot start its stand-in has failed")]
use host::resctrl::Group;
use std::{
    fs,
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

const TREE: &str = "CPULENS_TEST_RESCTRL";

/// The program's stand-in: holds a group until it is killed. Does nothing in an ordinary run of the tests.
#[test]
fn holds_a_group() {
    let Some(tree) = std::env::var_os(TREE) else { return };
    // A script that runs tests in its background ignores interrupts, and whatever it starts does, too: this one would not
    // have been interrupted, but have slept to its end.
    // SAFETY: no handler is involved; the signal does to this process what it does to any.
    unsafe { libc::signal(libc::SIGINT, libc::SIG_DFL) };
    let _group = Group::enter(Path::new(&tree)).unwrap();
    // The kernel's own files go with their folder.
    let mut entries = fs::read_dir(&tree).unwrap().flatten();
    let group = entries.find(|e| e.file_name().to_string_lossy().starts_with("cpulens-"));
    fs::remove_file(group.unwrap().path().join("tasks")).unwrap();
    fs::write(Path::new(&tree).join("ready"), "").unwrap();
    thread::sleep(Duration::from_secs(60));
}

/// A state of files, waited for.
fn becomes(what: &str, state: impl Fn() -> bool) {
    for _ in 0..3000 {
        if state() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("it never came to this: {what}");
}

fn groups(tree: &Path) -> usize {
    let entries = fs::read_dir(tree).unwrap().flatten();
    entries.filter(|e| e.file_name().to_string_lossy().starts_with("cpulens-")).count()
}

#[test]
fn a_killed_or_interrupted_program_leaves_no_group_behind() {
    for (signal, number) in
        [("KILL", libc::SIGKILL), ("TERM", libc::SIGTERM), ("INT", libc::SIGINT)]
    {
        let tree = tempfile::tempdir().unwrap();
        let mut program = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "holds_a_group", "--nocapture"])
            .env(TREE, tree.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        becomes("the group is made", || tree.path().join("ready").exists());
        assert_eq!(groups(tree.path()), 1);
        let killed = Command::new("sh")
            .args(["-c", &format!("kill -{signal} {}", program.id())])
            .status()
            .unwrap();
        assert!(killed.success());
        let ended = program.wait().unwrap();
        assert_eq!(ended.signal(), Some(number), "it ended by itself: {ended}");
        becomes("the group is gone", || groups(tree.path()) == 0);
    }
}
