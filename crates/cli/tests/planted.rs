//! Faults planted on this machine, each of which has to be named first. Huge pages that a wrapper took away are a fact and are
//! looked for in every test run. A hog, a hog of memory, a quota and a cpuset need root, cgroups that can be written and half a
//! minute each, and disturb whatever else runs here, so they are run by hand:
//! `cargo test -p cpulens --test cli planted -- --ignored --nocapture --test-threads 1`. Figures: docs/validation/diagnose.md.
use crate::sandbox::{PROGRAM, Sandbox};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Programs that are ended with the test.
struct Hogs(Vec<Child>);

impl Hogs {
    fn start(count: usize, line: &str) -> Hogs {
        let one = |_| Command::new("sh").args(["-c", line]).stdout(Stdio::null()).spawn().unwrap();
        Hogs((0..count).map(one).collect())
    }
}

impl Drop for Hogs {
    fn drop(&mut self) {
        for child in &mut self.0 {
            drop(child.kill());
            drop(child.wait());
        }
    }
}

/// A group of our own, removed with the test; nothing where none can be made.
struct Cgroup(PathBuf);

impl Cgroup {
    fn new(controller: &str, values: &[(&str, &str)]) -> Option<Cgroup> {
        let folder = Path::new("/sys/fs/cgroup").join(controller);
        let group = folder.join(format!("cpulens-planted-{}", std::process::id()));
        fs::create_dir(&group).ok()?;
        let made = Cgroup(group);
        values.iter().all(|(f, v)| fs::write(made.0.join(f), v).is_ok()).then_some(made)
    }
    fn enter(&self) -> String {
        format!("echo $$ > {}/cgroup.procs && exec ", self.0.display())
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        drop(fs::remove_dir(&self.0));
    }
}

/// The findings of a short run that was begun so, the most costly first; prints them.
fn named(what: &str, before: &str) -> Vec<String> {
    let place = Sandbox::new();
    let line = format!(
        "{before} {PROGRAM} run --quiet --only core_frequency,core_rate --record r.json > /dev/null"
    );
    let ran = place.shell(&line);
    assert_eq!(ran.code, 0, "{what}: {}", ran.err);
    let ran = place.cpulens(&["diagnose", "r.json", "--format", "json"]);
    let said: Value = serde_json::from_str(&ran.out).unwrap();
    let found = said["findings"].as_array().unwrap();
    let ids: Vec<String> = found.iter().map(|f| f["rule"].as_str().unwrap().into()).collect();
    eprintln!("{what}: {ids:?}");
    ids
}

/// The first that is named beyond what this machine has without the fault.
fn first_beyond(what: &str, before: &str) -> String {
    let usual = named("the machine as it is", "");
    let found = named(what, before);
    found.into_iter().find(|id| !usual.contains(id)).unwrap_or_default()
}

fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A wrapper that takes huge pages away from what it starts, as some containers' runtimes do: `prctl(PR_SET_THP_DISABLE, 1)`.
const NO_HUGE_PAGES: &str = if cfg!(target_arch = "aarch64") {
    "exec perl -e 'syscall(167, 41, 1, 0, 0, 0) == 0 or die; exec @ARGV' "
} else {
    "exec perl -e 'syscall(157, 41, 1, 0, 0, 0) == 0 or die; exec @ARGV' "
};

/// Whatever the system's setting is, and whatever else is wrong here.
#[test]
fn huge_pages_that_a_wrapper_took_away_are_found() {
    let place = Sandbox::new();
    let pages_disabled = |ran: &crate::sandbox::Ran| ran.out.contains("THP_enabled:\t0");
    let planted = place.shell(&format!("{NO_HUGE_PAGES} grep THP_enabled /proc/self/status"));
    if planted.code != 0 || !pages_disabled(&planted) {
        return eprintln!("no perl here, no prctl, or a kernel before 5.0: {}", planted.err);
    }
    let setting = std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled");
    let setting = setting.unwrap_or_default();
    let line = format!(
        "{NO_HUGE_PAGES} {PROGRAM} run --quiet --only core_frequency --record r.json > /dev/null"
    );
    place.shell(&line).done();
    let ran = place.cpulens(&["diagnose", "r.json", "--format", "json"]);
    let said: Value = serde_json::from_str(&ran.out).unwrap();
    let found = said["findings"].as_array().unwrap();
    let of = found.iter().find(|f| f["rule"] == "thp_never").expect(&ran.out);
    let claim = of["claim"].as_str().unwrap();
    assert!(setting.contains("[never]") || claim.contains("for this process"), "{claim}");
    // Without the wrapper it is not so.
    place.shell(&format!("{PROGRAM} run --quiet --only core_frequency --record s.json")).done();
    let ran = place.cpulens(&["diagnose", "s.json", "--format", "json"]);
    assert!(!ran.out.contains("PR_SET_THP_DISABLE"), "{}", ran.out);
}

#[test]
#[ignore = "measures for half a minute"]
fn huge_pages_taken_away_are_named_first() {
    assert_eq!(first_beyond("no huge pages", NO_HUGE_PAGES), "thp_never");
}

/// The verdict of a check of 20 s that was begun so.
fn checked(before: &str) -> String {
    let ran = Sandbox::new().shell(&format!("{before} {PROGRAM} check"));
    eprintln!("{}", ran.out);
    assert!((1..=2).contains(&ran.code), "{}", ran.out);
    ran.out
}

#[test]
#[ignore = "measures for 20 s"]
fn a_check_names_huge_pages_that_were_taken_away() {
    assert!(checked(NO_HUGE_PAGES).contains("thp_never"));
}

#[test]
#[ignore = "needs root, and cgroups"]
fn a_check_names_a_quota() {
    let Some(group) = quota() else { return eprintln!("no cgroup can be made here") };
    assert!(checked(&group.enter()).contains("cpu_quota"));
}

#[test]
#[ignore = "disturbs the machine"]
fn a_hog_is_named_first() {
    let _hogs = Hogs::start(cpus().div_ceil(2), "while :; do :; done");
    assert_eq!(named("a hog", "").first().unwrap(), "cpu_contention");
}

#[test]
#[ignore = "disturbs the machine"]
fn a_hog_of_memory_is_named_first() {
    let _hogs = Hogs::start(cpus().div_ceil(2), "exec dd if=/dev/zero of=/dev/null bs=256M");
    assert_eq!(named("a hog of memory", "").first().unwrap(), "cpu_contention");
}

/// Half a CPU.
fn quota() -> Option<Cgroup> {
    Cgroup::new("cpu", &[("cpu.cfs_period_us", "100000"), ("cpu.cfs_quota_us", "50000")])
        .or_else(|| Cgroup::new("", &[("cpu.max", "50000 100000")]))
}

#[test]
#[ignore = "needs root, and cgroups"]
fn a_quota_is_named_first() {
    let Some(group) = quota() else { return eprintln!("no cgroup can be made here") };
    assert_eq!(first_beyond("a quota", &group.enter()), "cpu_quota");
}

#[test]
#[ignore = "needs root, and cgroups"]
fn a_cpuset_is_named_first() {
    let values = [("cpuset.cpus", "0"), ("cpuset.mems", "0")];
    let one = Cgroup::new("cpuset", &values).or_else(|| Cgroup::new("", &values));
    let Some(group) = one else { return eprintln!("no cgroup can be made here") };
    assert_eq!(first_beyond("a cpuset", &group.enter()), "cpuset_smaller");
}
