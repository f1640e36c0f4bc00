//! A run of everything where there is little to run with: it finishes, and what it could not measure has a reason.
use crate::sandbox::{PROGRAM, Ran, Sandbox, load, possible};
use record::Outcome;
use std::{fs, path::Path};

const RUN: &str = "run --depth quick --time-budget 15 --quiet";

/// Every case of the only record has an outcome, and whatever was not measured a reason.
#[track_caller]
fn finished(ran: &Ran, file: &Path) {
    assert_eq!(ran.code, 0, "{}", ran.err);
    let record = load(file);
    let mut measured = 0;
    for run in &record.runs {
        match &run.outcome {
            Outcome::Measured(_) => measured += 1,
            Outcome::Failed(why) | Outcome::Skipped(why) | Outcome::NotReached(why) => {
                let good = !why.why.is_empty() && !why.why.contains("defect");
                assert!(good, "{}: {why}", run.case.label());
            }
        }
    }
    assert!(measured > 0 && record.runs.len() > 20, "{measured} of {}", record.runs.len());
}

/// In a control group of version 1 or 2 with these files written: `CONTROLLER:FILE:TEXT`, as the hierarchy has them.
fn in_group(settings: &[&str]) -> Option<(Ran, Sandbox)> {
    let sandbox = Sandbox::new();
    let line = format!(
        "for setting in \"$@\"; do
            controller=${{setting%%:*}}; rest=${{setting#*:}}; file=${{rest%%:*}}; text=${{rest#*:}}
            top=/sys/fs/cgroup/$controller; [ -n \"$controller\" ] || top=/sys/fs/cgroup
            group=$top/cpulens-test-$$
            [ -e $top/cgroup.procs ] || exit 77
            [ -d $group ] || mkdir $group 2>/dev/null || exit 77
            groups=\"$groups $group\"
            echo \"$text\" 2>/dev/null > $group/$file || {{ rmdir $groups 2>/dev/null; exit 77; }}
         done
         groups=$(printf '%s\\n' $groups | sort -u)
         (for group in $groups; do sh -c 'echo $PPID' > $group/cgroup.procs || exit 77; done
          exec \"$0\" {RUN} --record record.json); code=$?
         rmdir $groups; exit $code"
    );
    let mut command = sandbox.command("sh");
    command.args(["-c", &line, PROGRAM]).args(settings);
    let ran = Ran::of(command.timeout(std::time::Duration::from_secs(600)));
    let what = format!("no control group with {settings:?}");
    possible(&what, ran.code != 77).then_some((ran, sandbox))
}

/// As both versions write it; a machine has one of them.
fn in_either(second: &[&str], first: &[&str]) {
    for settings in [second, first] {
        if let Some((ran, sandbox)) = in_group(settings) {
            finished(&ran, &sandbox.path("record.json"));
        }
    }
}

#[test]
fn a_tenth_of_a_cpu_is_enough() {
    in_either(&[":cpu.max:10000 100000"], &["cpu:cpu.cfs_quota_us:10000"]);
}

#[test]
fn memory_of_64_mib_is_enough() {
    in_either(&[":memory.max:67108864"], &["memory:memory.limit_in_bytes:67108864"]);
}

#[test]
fn one_cpu_is_enough() {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let cpus = text.lines().find_map(|l| l.strip_prefix("Cpus_allowed_list:")).unwrap_or("0");
    let cpu = cpus.trim().split(['-', ',']).next().unwrap();
    let second = format!(":cpuset.cpus:{cpu}");
    in_either(&[&second], &[&format!("cpuset:cpuset.cpus:{cpu}"), "cpuset:cpuset.mems:0"]);
}

/// Threads share parts of OpenSSL, which a build without locks does not survive.
#[test]
fn openssl_is_timed_on_several_threads() {
    let sandbox = Sandbox::new();
    let ran = sandbox.shell(
        "exec \"$0\" run --only openssl --where algorithm=rsa2048 --quiet --record record.json > /dev/null",
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let record = load(&sandbox.path("record.json"));
    let openssl = record.runs.iter().filter(|run| run.case.probe == record::ProbeId::Openssl);
    let measured = openssl.filter(|run| matches!(run.outcome, Outcome::Measured(_)));
    assert!(measured.count() > 1, "{}", ran.err);
}

/// Only a static program runs there.
#[test]
fn a_root_without_proc_is_enough() {
    let sandbox = Sandbox::new();
    let line = format!(
        "mkdir root && cp \"$0\" root/cpulens && chroot root /cpulens --version > /dev/null || exit 77
         exec chroot root /cpulens {RUN} --record /record.json"
    );
    let ran = sandbox.shell(&line);
    if possible("chroot(1) needs root and a static program", ran.code != 77) {
        finished(&ran, &sandbox.path("root/record.json"));
    }
}
