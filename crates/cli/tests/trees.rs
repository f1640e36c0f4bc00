//! `info` and the plan of a run on captured trees whose files are hostile, unreadable, limited or of a huge machine.
use crate::sandbox::{Sandbox, fixtures, has_control};
use serde_json::Value;
use std::fs;

/// A tree of two CPUs with these files besides; gives its path.
fn tree(sandbox: &Sandbox, files: &[(&str, String)]) -> String {
    let base = [
        ("sys/devices/system/cpu/present", "0-1"),
        ("sys/devices/system/cpu/online", "0-1"),
        ("cpulens/affinity", "0-1"),
        ("cpulens/auxv", "AT_PAGESZ 4096"),
        ("cpulens/uname", "Linux\n6.1.0\n#1 SMP\nx86_64"),
        ("proc/meminfo", "MemTotal: 8388608 kB\nMemFree: 4194304 kB\nMemAvailable: 4194304 kB"),
    ];
    let base = base.map(|(path, text)| (path, text.to_owned()));
    for (path, text) in base.iter().chain(files) {
        let file = sandbox.path("tree").join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    sandbox.path("tree").display().to_string()
}

fn facts(sandbox: &Sandbox, tree: &str) -> Value {
    let ran = sandbox.cpulens(&["info", "--format", "json", "--root", tree]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    serde_json::from_str::<Value>(&ran.out).unwrap()["machine"]["facts"].take()
}

/// Every format of both commands; gives the texts.
fn shown(sandbox: &Sandbox, tree: &str) -> Vec<String> {
    let mut texts = vec![];
    for format in ["text", "markdown", "csv", "json", "html"] {
        for command in [&["info"][..], &["run", "--dry-run"]] {
            let args = [command, &["--format", format, "--root", tree]].concat();
            let ran = sandbox.cpulens(&args);
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}");
            assert!(!has_control(&ran.out.replace(['\t', '\r'], "")), "{args:?}");
            texts.push(ran.out);
        }
    }
    texts
}

#[test]
fn a_models_name_drives_neither_terminal_nor_browser() {
    let sandbox = Sandbox::new();
    let name = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}<script>alert(1)</script>";
    let info = format!("processor\t: 0\nmodel name\t: {name}\n\nprocessor\t: 1\n");
    let top =
        tree(&sandbox, &[("proc/cpuinfo", info), ("proc/cmdline", format!("quiet {name}\n"))]);
    for text in shown(&sandbox, &top) {
        assert!(!text.contains('\u{202e}'), "{text}");
    }
    let page = sandbox.cpulens(&["info", "--format", "html", "--root", &top]).out;
    assert!(!page.contains("<script>alert") && page.contains("alert(1)"));
}

#[test]
fn texts_without_end_are_cut() {
    let sandbox = Sandbox::new();
    let long = "x".repeat(2_000_000);
    let files = [
        ("proc/cpuinfo", format!("processor\t: 0\nmodel name\t: {long}\nflags\t: {long}\n")),
        ("proc/cmdline", format!("isolcpus={long}\n")),
        ("sys/class/dmi/id/product_name", long.clone()),
    ];
    let top = tree(&sandbox, &files);
    for text in shown(&sandbox, &top) {
        assert!(text.len() < 200_000, "{} bytes", text.len());
    }
}

#[test]
fn quotas_of_both_kinds_of_groups_are_reported() {
    let limits = |files: &[(&str, &str)]| {
        let sandbox = Sandbox::new();
        let owned: Vec<_> = files.iter().map(|(path, text)| (*path, (*text).to_owned())).collect();
        let facts = facts(&sandbox, &tree(&sandbox, &owned));
        (facts["limits.cpu_quota"]["value"].clone(), facts["limits.memory"]["value"].clone())
    };
    let second = limits(&[
        ("proc/self/cgroup", "0::/\n"),
        ("sys/fs/cgroup/cpu.max", "150000 100000\n"),
        ("sys/fs/cgroup/memory.max", "1073741824\n"),
    ]);
    assert_eq!(second, (1.5.into(), (1u64 << 30).into()));
    let first = limits(&[
        ("proc/self/cgroup", "3:memory:/a\n2:cpu,cpuacct:/a\n"),
        ("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "50000\n"),
        ("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"),
        ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "1073741824\n"),
    ]);
    assert_eq!(first, (0.5.into(), (1u64 << 30).into()));
    let nothing =
        limits(&[("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/cpu.max", "0 100000\n")]);
    assert_eq!(nothing.0, Value::Null, "a quota of no CPU at all is no quota");
}

#[test]
fn what_was_not_readable_is_said_to_be() {
    let sandbox = Sandbox::new();
    let denied = "/sys/firmware/dmi/tables/DMI";
    let list = format!("denied\t{denied}\nfailed\t/proc/cpuinfo\tinput/output error\n");
    let top = tree(&sandbox, &[("cpulens/unreadable", list)]);
    let ran = sandbox.cpulens(&["info", "--format", "json", "--root", &top]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let info: Value = serde_json::from_str(&ran.out).unwrap();
    let missing = info["machine"]["topology"]["missing"].to_string();
    assert!(missing.contains("run as root") && missing.contains(denied), "{missing}");
    assert!(ran.out.contains("could not be read") || ran.out.contains("unreadable"), "{}", ran.out);
    assert_eq!(sandbox.cpulens(&["info", "--root", &top]).code, 0);
}

#[test]
fn a_thousand_cpus_have_a_plan_that_ends() {
    let cases = |cpus: u32| {
        let sandbox = Sandbox::new();
        let all = format!("0-{}", cpus - 1);
        let mut files = vec![
            ("sys/devices/system/cpu/present".to_owned(), all.clone()),
            ("sys/devices/system/cpu/online".into(), all.clone()),
            ("cpulens/affinity".into(), all),
        ];
        for cpu in 0..cpus {
            let dir = format!("sys/devices/system/cpu/cpu{cpu}/topology");
            files.push((format!("{dir}/physical_package_id"), (cpu / 256).to_string()));
            files.push((format!("{dir}/core_cpus_list"), cpu.to_string()));
        }
        let files: Vec<_> = files.iter().map(|(path, text)| (&**path, text.clone())).collect();
        let top = tree(&sandbox, &files);
        let ran = sandbox.cpulens(&["run", "--dry-run", "--format", "json", "--root", &top]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let plan: Value = serde_json::from_str(&ran.out).unwrap();
        plan["plan"]["cases"].as_array().unwrap().len()
    };
    let (few, many) = (cases(64), cases(1024));
    assert!(many <= 2 * few, "{few} cases for 64 CPUs, {many} for 1024");
}

#[test]
fn a_broken_record_does_not_hide_the_good_ones() {
    let sandbox = Sandbox::new();
    let folder = sandbox.records_folder();
    fs::create_dir_all(&folder).unwrap();
    let good = fs::read(&fixtures()[0].1).unwrap();
    fs::write(folder.join("2026-01-01-good.json"), &good).unwrap();
    fs::write(folder.join("2026-01-02-broken.json"), &good[..good.len() / 2]).unwrap();
    // The newest is what was asked for: it is named, and the good one can be.
    let last = sandbox.cpulens(&["show", "last"]);
    assert!(
        last.code == 0 || last.code == 2 && last.err.contains("broken.json"),
        "{} {}",
        last.code,
        last.err
    );
    let named = folder.join("2026-01-01-good.json").display().to_string();
    assert!(sandbox.cpulens(&["show", &named]).done().err.is_empty());
}
