//! Threads where RLIMIT_AS leaves no address space: its own program, since the limit is the process's.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
use host::{cpus, threads::run_pinned};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fs;

/// The stack of the first thread is kept for the second, which then lacks one for signals: Rust's runtime would abort.
#[test]
fn a_thread_whose_stack_is_there_and_nothing_else_is_not_started() {
    let cpu = cpus::affinity().unwrap().first().unwrap();
    let start = || run_pinned(&[cpu], |_| ());
    start().unwrap();
    let before = getrlimit(Resource::As);
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:")).unwrap();
    let bytes = size.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10;
    setrlimit(Resource::As, Rlimit { current: Some(bytes), ..before }).unwrap();
    let refused = start();
    setrlimit(Resource::As, before).unwrap();
    let why = refused.unwrap_err();
    assert!(why.to_string().contains("ulimit -v"), "{why}");
    start().unwrap();
}
