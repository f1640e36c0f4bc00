//! The host is after a command as it was before: settings, control groups, mounts, modules, temporary files and processes. Each
//! command runs in namespaces of its own, so that what others do meanwhile is not taken for its doing.
use crate::sandbox::{PROGRAM, Sandbox, possible};
use std::path::Path;

/// Prints the state of the host, a line for each thing. Left out are values that change by themselves, and control groups of
/// other pid namespaces, which cpulens names by their number.
const STATE: &str = r#"
settings() {
    find /proc/sys -type f -perm -u+w ! -path '*/random/*' ! -name ns_last_pid ! -name '*_cost' \
        ! -path '*/sched_domain/*' ! -path '*/fs/binfmt_misc/*' ! -path '*/net/*' 2>/dev/null
    find /sys/devices/system /sys/kernel/mm /sys/module/*/parameters /sys/block/*/queue -type f -perm -u+w \
        ! -path '*/damon/*' ! -path '*/zswap/*' 2>/dev/null
}
state() {
    settings | sort | timeout 30 xargs -d '\n' grep -sHa . | cut -c1-4096
    namespace=$(stat -Lc %i /proc/self/ns/pid)
    find /sys/fs/cgroup /sys/fs/resctrl -type d -name "cpulens-*-$namespace*" 2>/dev/null | sort | sed 's/^/group /'
    find /sys/fs/cgroup -name cgroup.subtree_control -exec grep -H . {} + 2>/dev/null | grep -v '/cpulens-' | sort
    sed 's/^/mount /' /proc/self/mountinfo
    cut -d' ' -f1 /proc/modules 2>/dev/null | sort | sed 's/^/module /'
    find /tmp /var/tmp /dev/shm | sort | sed 's/^/file /'
    for stat in /proc/[0-9]*/stat; do
        read -r pid name state parent rest < "$stat" 2>/dev/null || continue
        [ "$pid" = 1 ] || echo "process $pid $name"
    done
}
"#;

/// What differs after a command line of which `/run/cpulens` is the program; it is run with folders of its own for temporary files.
fn changes(sandbox: &Sandbox, line: &str) -> String {
    let script = format!(
        "mount --make-rprivate / && mount -t tmpfs none /run && cp \"$0\" /run/cpulens || exit 1
         for d in /tmp /var/tmp /dev/shm; do [ -d $d ] && mount -t tmpfs none $d; done
         export TMPDIR=/tmp HOME=/run/home XDG_DATA_HOME=/run/home
         mkdir -p /run/home; cd /run/home
         {STATE}
         state > /run/before
         {{ {line}
         }} > /run/said 2>&1; code=$?
         [ $code = 0 ] || [ $code = 1 ] || [ $code = 3 ] || {{ echo \"exit code $code\"; tail -5 /run/said; }}
         # Supervisors have a moment.
         for i in 1 2 3 4 5 6 7 8 9 10; do state > /run/after; cmp -s /run/before /run/after && break; sleep 0.5; done
         diff /run/before /run/after"
    );
    let words =
        ["--pid", "--fork", "--mount-proc", "--mount", "--ipc", "sh", "-c", &script, PROGRAM];
    let output = sandbox
        .command("unshare")
        .timeout(std::time::Duration::from_secs(1200))
        .args(words)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    said + &String::from_utf8_lossy(&output.stderr)
}

fn can_isolate() -> bool {
    let line =
        "unshare --pid --fork --mount-proc --mount --ipc mount -t tmpfs none /tmp 2>/dev/null";
    possible("namespaces need root and unshare(1)", Sandbox::new().shell(line).code == 0)
}

/// The comparison sees what a command would leave: a file, a process, a control group, a mount.
#[test]
fn what_a_command_leaves_is_seen() {
    if !can_isolate() {
        return;
    }
    let sandbox = Sandbox::new();
    for (line, left) in [
        ("echo > /tmp/left", "file /tmp/left"),
        ("mkdir /dev/shm/left", "file /dev/shm/left"),
        ("setsid sleep 1000 > /dev/null 2>&1 &", "process"),
        ("mount -t tmpfs none /var/tmp", "mount"),
    ] {
        let changes = changes(&sandbox, line);
        assert!(changes.contains(left), "{line}: {changes}");
    }
    assert_eq!(changes(&sandbox, "true"), "");
}

#[test]
fn short_commands_leave_the_host_as_it_was() {
    if !can_isolate() {
        return;
    }
    let sandbox = Sandbox::new();
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
        assert_eq!(changes(&sandbox, &line), "", "{line}");
    }
}

/// At quick depth: standard depth takes a quarter of an hour.
#[test]
#[ignore = "takes minutes; cargo test -p cpulens --test cli host_unchanged -- --ignored"]
fn a_full_run_leaves_the_host_as_it_was() {
    if !can_isolate() {
        return;
    }
    for line in ["/run/cpulens run --depth quick", "/run/cpulens noise"] {
        assert_eq!(changes(&Sandbox::new(), line), "", "{line}");
    }
}
