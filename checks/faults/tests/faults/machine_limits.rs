//! Limits, a trapped counter and denied system calls that a process inherits. The reason is given, nothing panics,
//! and what can be measured is measured and kept.
use crate::{
    denied::{EDQUOT, EIO, ENOLCK, ENOSYS, EOPNOTSUPP, EPERM, EROFS, ESTALE, PRCTL, without},
    sandbox::{
        CHEAP, PROGRAM, Ran, Sandbox, is_record, load, measured, page_of, possible, reached,
    },
};
use std::{fs, time::Duration};

fn cheap() -> String {
    format!("\"$0\" {}", CHEAP.join(" "))
}

/// The only record, with all its cases measured, and no word of a defect in it.
#[track_caller]
fn whole(sandbox: &Sandbox, ran: &Ran) {
    assert_eq!(ran.code, 0, "{}", ran.err);
    let [file] = &sandbox.records()[..] else { panic!("{:?}", sandbox.everything()) };
    assert_eq!(reached(&load(file)), (3, 0));
    assert!(!ran.out.contains("defect"), "{}", ran.out);
    assert!(page_of(file).exists());
    let parts = sandbox.everything().into_iter().filter(|f| f.extension().unwrap() == "part");
    assert_eq!(parts.count(), 0);
}

/// SIGXFSZ is left as it is, which ends a process.
#[test]
fn a_limit_of_file_sizes_is_told() {
    let sandbox = Sandbox::new();
    let ran = sandbox.shell(&format!("ulimit -f 8; {}", cheap()));
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(ran.out.contains("Core frequency"), "{}", ran.err);
    assert!(ran.err.contains("File too large"), "{}", ran.err);
    assert!(sandbox.everything().is_empty(), "{:?}", sandbox.everything());
    let record = sandbox.file("record.json", measured());
    let line = format!("ulimit -f 1; \"$0\" show {record} -o report.html --format html");
    sandbox.shell(&line).could_not("File too large");
    // A command that is counted has the signal as ever.
    let big = "ulimit -f 1; \"$0\" stat -- sh -c 'head -c 9999 /dev/zero > big'";
    assert_eq!(sandbox.shell(big).code, 128 + 25);
}

#[test]
fn a_small_stack_is_enough() {
    for kib in [64, 256] {
        let sandbox = Sandbox::new();
        let ran = sandbox.shell(&format!("ulimit -s {kib}; {}", cheap()));
        whole(&sandbox, &ran);
        let run = sandbox.records().remove(0);
        for command in ["show", "diagnose"] {
            let line = format!("ulimit -s {kib}; \"$0\" {command} {}", run.display());
            sandbox.shell(&line).done();
        }
    }
}

/// Deterministic replay and some sandboxes trap rdtsc; the kernel's own clock then traps as well.
#[test]
fn a_trapped_counter_is_allowed_again_or_told() {
    // The loader of a dynamic program reads the counter before the program can do anything.
    let program = fs::read(PROGRAM).unwrap();
    let dynamic = program[..4096].windows(9).any(|bytes| bytes == b"/ld-linux");
    if !possible("a static program is needed", !dynamic) {
        return;
    }
    let trap =
        format!("syscall({PRCTL}, 26, 2, 0, 0, 0) == 0 or exit 77; exec {{ $ARGV[0] }} @ARGV");
    let sandbox = Sandbox::new();
    let mut command = sandbox.command("perl");
    let ran = Ran::of(command.args(["-e", &trap, "--", PROGRAM]).args(CHEAP));
    if !possible("perl and PR_SET_TSC are needed", ran.code != 77) {
        return;
    }
    whole(&sandbox, &ran);
    assert_eq!(ran.err.matches("PR_SET_TSC").count(), 1, "{}", ran.err);
}

#[test]
fn files_are_saved_without_fsync_rename_or_hard_links() {
    for calls in [&["fsync"][..], &["rename"], &["link"], &["fsync", "rename", "link"]] {
        for error in [EPERM, ENOSYS] {
            let sandbox = Sandbox::new();
            let Some(ran) = without(&sandbox, calls, error, &CHEAP) else { return };
            whole(&sandbox, &ran);
            let record = sandbox.records().remove(0).display().to_string();
            let show = ["show", &record, "-o", "report.txt"];
            for _ in 0..2 {
                without(&sandbox, calls, error, &show).unwrap().done();
            }
            assert!(fs::metadata(sandbox.path("report.txt")).unwrap().len() > 100);
        }
    }
}

/// The folder of records cannot be made.
#[test]
fn a_home_without_use_is_named_and_the_record_goes_elsewhere() {
    for (error, words) in [
        (EDQUOT, "quota exceeded"),
        (EIO, "Input/output error"),
        (EROFS, "Read-only file system"),
        (ESTALE, "Stale file handle"),
    ] {
        let sandbox = Sandbox::new();
        let Some(ran) = without(&sandbox, &["mkdir"], error, &CHEAP) else { return };
        assert_eq!(ran.code, 0, "{}", ran.err);
        let named = ran.err.contains(words) && ran.err.contains("the record goes to");
        assert!(named, "{words}: {}", ran.err);
        let mut files = sandbox.everything();
        files.retain(|f| is_record(f));
        assert_eq!(reached(&load(&files[0])), (3, 0));
    }
}

/// Data reach no disk any more.
#[test]
fn a_disk_that_breaks_keeps_no_record_and_takes_no_report() {
    let sandbox = Sandbox::new();
    let Some(ran) = without(&sandbox, &["fsync"], EIO, &CHEAP) else { return };
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(ran.out.contains("Core frequency"), "{}", ran.err);
    assert!(ran.err.contains("Input/output error"), "{}", ran.err);
    assert!(sandbox.everything().is_empty(), "{:?}", sandbox.everything());
}

/// As network filesystems are mounted: without locks, or without hard links.
#[test]
fn a_home_on_a_network_is_enough() {
    for (calls, error) in
        [(&["flock"][..], ENOLCK), (&["link"], EOPNOTSUPP), (&["flock", "link"], EOPNOTSUPP)]
    {
        let sandbox = Sandbox::new();
        let Some(ran) = without(&sandbox, calls, error, &CHEAP) else { return };
        whole(&sandbox, &ran);
    }
}

#[test]
fn a_denied_sleep_is_another_wait() {
    for error in [EPERM, ENOSYS] {
        let sandbox = Sandbox::new();
        let Some(ran) = without(&sandbox, &["nanosleep"], error, &CHEAP) else { return };
        whole(&sandbox, &ran);
    }
}

#[test]
fn what_rust_cannot_start_without_is_named() {
    for call in ["poll", "sigaction"] {
        for error in [EPERM, ENOSYS] {
            let sandbox = Sandbox::new();
            let Some(ran) = without(&sandbox, &[call], error, &CHEAP) else { return };
            assert!(ran.err.contains("seccomp"), "{}", ran.err);
            ran.could_not(&format!("the system call {call} is denied"));
        }
    }
}

/// A named pipe has no end while nobody writes. The test would take two minutes if one were waited for.
#[test]
fn named_pipes_are_refused_at_once() {
    let sandbox = Sandbox::new();
    assert_eq!(
        sandbox.shell("mkfifo pipe.json; mkdir -p tree/proc; mkfifo tree/proc/cpuinfo").code,
        0
    );
    let record = sandbox.file("record.json", measured());
    let quickly = |args: &[&str]| {
        Ran::of(sandbox.command(PROGRAM).args(args).timeout(Duration::from_secs(20)))
    };
    for args in [
        &["show", "pipe.json"][..],
        &["diagnose", "pipe.json"],
        &["run", "--resume", "pipe.json"],
        &["diagnose", &record, "--against", "pipe.json"],
        &["place", "pipe.json"],
    ] {
        quickly(args).could_not("named pipe");
    }
    for args in [&["import", "pipe.json"][..], &["compare", "pipe.json", &record]] {
        let ran = quickly(args);
        assert!(ran.code == 2 && ran.err.contains("named pipe"), "{}", ran.err);
    }
    assert_eq!(quickly(&["diagnose", &record, "--workload", "pipe.json"]).code, 2);
    quickly(&["info", "--root", "tree"]).done();
    fs::create_dir_all(sandbox.records_folder()).unwrap();
    fs::rename(sandbox.path("pipe.json"), sandbox.records_folder().join("2.json")).unwrap();
    quickly(&["show", "last"]).could_not("named pipe");
    // A pipe of a shell is read to its end.
    let line = format!("bash -c '\"$0\" show <(sleep 0.2; cat {record})' \"$0\"");
    let ran = sandbox.shell(&line);
    if possible("bash is needed", ran.code != 127) {
        assert!(ran.done().out.contains("Core frequency"));
    }
}
