//! A command in namespaces of its own, so that what others do meanwhile is not taken for its doing, and what is there afterwards
//! that was not there before: settings, control groups, mounts, modules, temporary files and processes.
use crate::sandbox::{PROGRAM, Sandbox, possible};
use std::{sync::OnceLock, time::Duration};

/// Prints the state of the host, a line for each thing. Left out are values that change by themselves, and control groups of
/// other pid namespaces, which cpulens names by their number.
const STATE: &str = r#"
settings() {
    [ -n "$SETTINGS" ] || return
    find /proc/sys -type f -perm -u+w ! -path '*/random/*' ! -name ns_last_pid ! -name '*_cost' \
        ! -path '*/sched_domain/*' ! -path '*/fs/binfmt_misc/*' ! -path '*/net/*' 2>/dev/null
    find /sys/devices/system /sys/kernel/mm /sys/module/*/parameters /sys/block/*/queue -type f -perm -u+w \
        ! -path '*/damon/*' ! -path '*/zswap/*' 2>/dev/null
}
state() {
    settings | sort | timeout 30 xargs -r -d '\n' grep -sHa . | cut -c1-4096
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

/// `signal SECONDS SIGNALS WHOM COMMAND...`: a command that gets signals after a time. WHOM is `-` for its process group. A job
/// in the background would ignore Ctrl-C, and so would what it starts.
const SIGNAL: &str = r#"
signal() {
    delay=$1 signals=$2 whom=$3; shift 3
    setsid env --default-signal=INT,HUP,TERM "$@" < /dev/null & pid=$!
    sleep $delay
    for signal in $signals; do kill -s $signal -- $whom$pid 2>/dev/null; sleep 0.02; done
    wait $pid
}
"#;

/// The result of a command.
pub(crate) struct After {
    pub(crate) code: i32,
    /// Files, processes and settings that were added or removed: lines of diff(1).
    pub(crate) left: String,
    /// The end of what was printed.
    pub(crate) said: String,
}

/// Runs a line of shell, of which `/run/cpulens` is the program, with folders of its own for temporary files. Its working folder
/// is the sandbox. Writable settings of the kernel take a second to compare.
pub(crate) fn alone(sandbox: &Sandbox, line: &str, settings: bool) -> After {
    let script = format!(
        "mount --make-rprivate / && mount -t tmpfs none /run && cp \"$0\" /run/cpulens && mkdir /run/home &&
             mount --bind . /run/home || exit 1
         for d in /tmp /var/tmp /dev/shm; do [ -d $d ] && mount -t tmpfs none $d; done
         export TMPDIR=/tmp HOME=/run/home XDG_DATA_HOME=/run/home/data
         cd /run/home
         {STATE} {SIGNAL}
         state > /run/before
         {{ {line}
         }} > /run/said 2>&1; code=$?
         # Supervisors have a moment.
         for i in 1 2 3 4 5 6 7 8 9 10; do state > /run/after; cmp -s /run/before /run/after && break; sleep 0.5; done
         echo $code; diff /run/before /run/after; echo said; tail -c 3000 /run/said"
    );
    let words =
        ["--pid", "--fork", "--mount-proc", "--mount", "--ipc", "sh", "-c", &script, PROGRAM];
    let mut command = sandbox.command("unshare");
    command.env("SETTINGS", if settings { "1" } else { "" });
    let output = command.timeout(Duration::from_secs(1800)).args(words).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let parts = text.split_once('\n').and_then(|(code, rest)| {
        let (left, said) = rest.split_once("said\n")?;
        Some(After { code: code.parse().ok()?, left: left.to_owned(), said: said.to_owned() })
    });
    parts.unwrap_or_else(|| panic!("{line}: {text}{}", String::from_utf8_lossy(&output.stderr)))
}

/// Whether such namespaces can be made.
pub(crate) fn can_isolate() -> bool {
    static CAN: OnceLock<bool> = OnceLock::new();
    let line =
        "unshare --pid --fork --mount-proc --mount --ipc mount -t tmpfs none /tmp 2>/dev/null";
    let can = *CAN.get_or_init(|| Sandbox::new().shell(line).code == 0);
    possible("namespaces need root and unshare(1)", can)
}
