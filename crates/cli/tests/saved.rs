//! Records are not lost, not overwritten, and not written where somebody else wants them.
use crate::{
    resume::Running,
    sandbox::{
        CHEAP, PROGRAM, Ran, Sandbox, is_record, load, measured, page_of, possible, reached,
    },
};
use std::{collections::BTreeSet, fs, os::unix::fs::symlink, path::Path};

fn cheap() -> String {
    format!("\"$0\" {}", CHEAP.join(" "))
}

#[test]
fn runs_that_begin_together_leave_a_record_each() {
    let sandbox = Sandbox::new();
    let run = format!("{} --quiet > out 2>> err", cheap());
    sandbox.shell(&format!("for i in 1 2 3; do {run} & echo $! >> pids; done; wait"));
    let records = sandbox.records();
    assert_eq!(records.len(), 3, "{records:?}");
    let pids = fs::read_to_string(sandbox.path("pids")).unwrap();
    let host = sandbox.shell("uname -n | tr A-Z a-z | tr -c 'a-z0-9\\n' -").out;
    let name = |file: &Path| page_of(file).file_stem().unwrap().to_string_lossy().into_owned();
    for file in &records {
        assert_eq!(reached(&load(file)), (3, 0));
        assert!(page_of(file).exists());
        let name = name(file);
        assert!(name.contains(host.trim().trim_matches('-')), "{name}");
        assert!(pids.lines().any(|pid| name.ends_with(&format!("-{pid}"))), "{name}: {pids}");
        // 20260301T120000.123456Z
        assert_eq!(name.find('Z'), Some(22), "{name}");
    }
    let times: BTreeSet<String> = records.iter().map(|f| name(f)[..23].to_owned()).collect();
    assert_eq!(times.len(), 3, "{times:?}");
}

#[test]
fn a_file_that_is_there_is_replaced_with_force_only() {
    let sandbox = Sandbox::new();
    let run = |file: &str, more: &[&str]| {
        sandbox.cpulens(&[&CHEAP[..], &["--quiet", "--record", file], more].concat())
    };
    let text = sandbox.file("text.json", "my thesis");
    let record = sandbox.file("record.json", measured());
    sandbox.file("page.html", "my page");
    for (file, named) in
        [(&*text, "text.json"), (&record, "record.json"), ("page.json", "page.html")]
    {
        let ran = run(file, &[]);
        assert!(ran.err.contains(named), "{}", ran.err);
        ran.could_not("--force");
    }
    let content = |name: &str| fs::read_to_string(sandbox.path(name)).unwrap();
    assert_eq!((&*content("text.json"), &*content("record.json")), ("my thesis", measured()));
    assert_eq!(content("page.html"), "my page");
    assert_eq!(sandbox.everything().len(), 3);
    for file in ["text.json", "record.json", "page.json"] {
        run(file, &["--force"]).done();
        assert_eq!(reached(&load(&sandbox.path(file))), (3, 0));
        assert!(page_of(&sandbox.path(file)).exists());
    }
    assert!(content("page.html").contains("<html"));
    assert_eq!(
        sandbox.cpulens(&["run", "--force", "--dry-run"]).code,
        2,
        "what should it replace?"
    );
}

#[test]
fn a_record_in_use_is_nobody_elses() {
    let sandbox = Sandbox::new();
    let mut run = Running::start(&sandbox, &["run", "--only", "core_frequency,load_latency"]);
    let file = run.measured(&sandbox);
    let name = file.to_str().unwrap();
    sandbox.cpulens(&["run", "--resume", name]).could_not("in use");
    let over = [&CHEAP[..], &["--force", "--record", name]].concat();
    sandbox.cpulens(&over).could_not("in use");
    sandbox.cpulens(&["show", name]).done();
    run.signal("KILL");
    assert_eq!(run.ended().0, 128 + 9);
    let before = reached(&load(&file));
    assert!(before.1 > 0, "{before:?}");
    sandbox.cpulens(&["run", "--resume", name, "--time-budget", "1"]);
    assert_eq!(load(&file).provenance.resumed, 1);
}

/// Two hosts of a cluster with one home directory, as far as names tell them apart: the same process ids in another namespace.
#[test]
fn hosts_that_share_a_home_lose_nothing() {
    let sandbox = Sandbox::new();
    let inside = format!("hostname $1; {} --quiet", cheap());
    let line = format!(
        "for host in alpha beta; do unshare --uts --pid --fork sh -c '{inside}' \"$0\" $host > out & done; wait"
    );
    let allowed = sandbox.shell("unshare --uts --pid --fork hostname gamma 2>&1").code == 0;
    if !possible("namespaces need root, unshare(1) and hostname(1)", allowed) {
        return;
    }
    let ran = sandbox.shell(&line);
    let records = sandbox.records();
    assert_eq!(records.len(), 2, "{}", ran.err);
    for host in ["-alpha-", "-beta-"] {
        assert!(records.iter().any(|f| f.to_string_lossy().contains(host)), "{records:?}");
    }
}

/// The names that earlier versions used, in a folder in which others can make links: the shell keeps its process id.
#[test]
fn links_of_others_are_not_followed() {
    let sandbox = Sandbox::new();
    let record = sandbox.file("record.json", measured());
    let victim = sandbox.file("victim", "precious");
    fs::create_dir(sandbox.path("shared")).unwrap();
    let planted = "chmod 1777 shared; for n in .report.txt .r.json .r.html .cpulens; do \
                   ln -s ../victim shared/$n.$$.part; done";
    for command in [
        &format!("\"$0\" show {record} -o shared/report.txt")[..],
        &format!("{} --quiet --record shared/r.json", cheap()),
        &format!("\"$0\" import {record} -o shared/report.txt; true"),
    ] {
        sandbox.shell(&format!("{planted}; exec {command}"));
        assert_eq!(fs::read_to_string(&victim).unwrap(), "precious", "{command}");
    }
    // Not even under the name that was asked for, whatever it leads to.
    for target in [&*victim, "/dev/null", "nowhere"] {
        let link = sandbox.path("shared/link.txt");
        let _ = fs::remove_file(&link);
        symlink(target, &link).unwrap();
        sandbox.cpulens(&["show", &record, "-o", "shared/link.txt"]).done();
        assert!(!link.is_symlink() && fs::metadata(&link).unwrap().len() > 0, "{target}");
        fs::remove_file(&link).unwrap();
        let link = sandbox.path("shared/link.json");
        symlink(target, &link).unwrap();
        let args = [&CHEAP[..], &["--quiet", "--record", "shared/link.json"]].concat();
        sandbox.cpulens(&args).could_not("--force");
        assert!(link.is_symlink());
        fs::remove_file(&link).unwrap();
    }
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    assert!(!sandbox.path("nowhere").exists() && !sandbox.path("shared/nowhere").exists());
}

/// A stream that was redirected to a file: the link in /dev stays, and the file has the report.
#[test]
fn a_report_goes_through_the_links_of_dev() {
    let sandbox = Sandbox::new();
    let record = sandbox.file("record.json", measured());
    let shown = sandbox.cpulens(&["show", &record]).done().out;
    sandbox.shell(&format!("\"$0\" show {record} -o /dev/stdout > file")).done();
    assert!(Path::new("/dev/stdout").is_symlink());
    assert_eq!(fs::read_to_string(sandbox.path("file")).unwrap(), shown);
    let piped = sandbox.shell(&format!("\"$0\" show {record} -o /dev/stdout | cat")).done();
    assert_eq!(piped.out, shown);
}

/// A folder that fills up during the run: the record goes to the next one.
#[test]
fn a_full_disk_moves_the_record_to_the_next_folder() {
    let mounted = "unshare -m sh -c 'mount -t tmpfs -o size=32k none /mnt' 2>/dev/null";
    let can_mount = Sandbox::new().shell(mounted).code == 0;
    if !possible("mounting needs root and unshare(1)", can_mount) {
        return;
    }
    for (place, asked) in [("data", ""), ("data", "--record data/r.json")] {
        let sandbox = Sandbox::new();
        fs::create_dir(sandbox.path("data")).unwrap();
        fs::create_dir(sandbox.path("tmp")).unwrap();
        let line = format!(
            "mount -t tmpfs -o size=32k none {place}; TMPDIR=$PWD/tmp; export TMPDIR; {} {asked}; \
             code=$?; rm -rf kept; cp -r {place} kept; exit $code",
            cheap()
        );
        let ran = Ran::of(sandbox.command("unshare").args(["-m", "sh", "-c", &line, PROGRAM]));
        assert_eq!(ran.code, 4, "{asked}: {}", ran.err);
        let moved: Vec<_> = fs::read_dir(sandbox.path(""))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|file| is_record(file))
            .collect();
        let [file] = &moved[..] else { panic!("{asked}: {moved:?}: {}", ran.err) };
        assert_eq!(reached(&load(file)), (3, 0), "{asked}");
        assert!(page_of(file).exists());
        let said = format!("it is saved as {}", file.display());
        assert!(ran.err.contains(&said) && ran.err.contains("Record: "), "{}", ran.err);
        let left = fs::read_dir(sandbox.path("kept")).unwrap().flatten();
        let parts = left.filter(|f| f.path().extension().is_some_and(|x| x == "part")).count();
        assert_eq!(parts, 0, "{asked}");
    }
}
