//! The host is after a command as it was before.
use crate::{
    alone::{After, alone, can_isolate},
    sandbox::Sandbox,
};
use std::path::Path;

/// The differences after a command that ends well.
fn changes(line: &str) -> String {
    let After { code, left, said } = alone(&Sandbox::new(), line, true);
    assert_eq!(code, 0, "{line}: {said}");
    left
}

/// The comparison sees what a command would leave: a file, a process, a control group, a mount.
#[test]
fn what_a_command_leaves_is_seen() {
    if !can_isolate() {
        return;
    }
    for (line, left) in [
        ("echo > /tmp/left", "file /tmp/left"),
        ("mkdir /dev/shm/left", "file /dev/shm/left"),
        ("setsid sleep 1000 > /dev/null 2>&1 &", "process"),
        ("mount -t tmpfs none /var/tmp", "mount"),
    ] {
        let changes = changes(line);
        assert!(changes.contains(left), "{line}: {changes}");
    }
    assert_eq!(changes("true"), "");
}

#[test]
fn short_commands_leave_the_host_as_it_was() {
    if !can_isolate() {
        return;
    }
    let db = "--rows 1000 --points 1 --windows 2 --seconds 0.05 --warm-up 0.05";
    let mut lines = vec![
        "/run/cpulens run --time-budget 10 --depth quick".to_owned(),
        "/run/cpulens noise --time-budget 5".to_owned(),
        "/run/cpulens noise line --rounds 1 --isolate".to_owned(),
        "/run/cpulens scale --repeats 3 -- sh -c 'setsid sleep 0.2 &'".to_owned(),
        "/run/cpulens stat -- true".to_owned(),
        "/run/cpulens spread -- sh -c 'sleep 0.1'".to_owned(),
        format!("/run/cpulens db point-select {db}"),
    ];
    if Path::new("/usr/sbin/mariadbd").exists() {
        lines.push(format!("/run/cpulens db point-select --engine mariadb {db}"));
    }
    for line in lines {
        assert_eq!(changes(&line), "", "{line}");
    }
}

#[test]
#[ignore = "takes a quarter of an hour; cargo xtask test --nightly"]
fn a_full_run_leaves_the_host_as_it_was() {
    if !can_isolate() {
        return;
    }
    for line in ["/run/cpulens run", "/run/cpulens noise", "/run/cpulens unixbench --depth quick"] {
        assert_eq!(changes(line), "", "{line}");
    }
}
