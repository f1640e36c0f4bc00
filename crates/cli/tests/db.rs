//! `db` on the command line: wrong arguments, plans, records, and interrupted runs.
use crate::{
    resume::Running,
    sandbox::{Sandbox, load, possible, reached},
};
use record::{Outcome, ProbeId, Run, param};
use std::{
    fs,
    io::{Read, Write},
    net::TcpListener,
    path::{Path, PathBuf},
    process::Command,
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

#[test]
fn wrong_arguments_are_refused_before_anything_is_measured() {
    let sandbox = Sandbox::new();
    for (args, words) in [
        (&["db", "point-select", "--engine", "no-such-engine"][..], "--engine"),
        (&["db", "point-select", "--mode", "sharded"], "--mode shared, wal, own"),
        (&["db", "tpcc", "--statements", "procedure"], "no stored procedures"),
        (&["db", "tpcc", "--points", "8192"], "8192 cores"),
        (&["db", "tpcc", "--cpus", "60000"], "no such CPU"),
        (&["db", "tpcc", "--durable"], "--durable is no option of tpcc on sqlite"),
        (&["db", "tpcc", "--engine", "mariadb", "--socket", "/s"], "--socket is no option"),
        (&["db", "tpcc", "--engine", "mysql://me@h/d", "--points", "1"], "has no scaling points"),
        (&["db", "tpcc", "--engine", "mysql://me@h/d?password=x"], "options after a '?'"),
    ] {
        sandbox.cpulens(args).could_not(words);
    }
    for args in [
        &["db"][..],
        &["db", "insert"],
        &["db", "tpcc", "--mix", "1/2/3"],
        &["db", "tpcc", "--points", "many"],
        &["db", "tpcc", "--reuse", "--replace"],
        &["db", "point-select", "--rows", "0"],
        &["db", "point-select", "--distribution", "normal"],
        &["db", "point-select", "--seconds", "0"],
    ] {
        let ran = sandbox.cpulens(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
    }
    assert!(sandbox.everything().is_empty());
}

#[test]
fn a_dry_run_shows_every_scaling_point() {
    let sandbox = Sandbox::new();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/machines/epyc-guest/tree");
    let plan = |more: &[&str]| {
        let args = ["db", "--dry-run", "--root", root, "--format", "csv"];
        sandbox.cpulens(&[&args[..], more].concat()).done().out
    };
    let rows = |text: &str, probe: &str| text.lines().filter(|l| l.starts_with(probe)).count();
    let points = plan(&["point-select", "--mode", "shared,wal", "--repeats", "3"]);
    assert!(rows(&points, "point_select,") >= 6 && rows(&points, "tpcc,") == 0, "{points}");
    let one =
        plan(&["tpcc", "--points", "1", "--repeats", "1", "--statements", "row-wise,batched"]);
    assert_eq!(rows(&one, "tpcc,"), 2, "{one}");
    assert!(one.contains("statements=batched") && one.contains("mix=45/43/4/4/4"), "{one}");
    assert!(
        points.contains("warm_up=3 ") && one.contains("warm_up=10 "),
        "longer where data change"
    );
    assert!(plan(&["tpcc", "--points", "1", "--warm-up", "0.5"]).contains("warm_up=0.5 "));
    assert!(sandbox.everything().is_empty());
}

#[test]
fn a_scaling_run_of_sqlite_is_a_record_and_a_report() {
    let sandbox = Sandbox::new();
    let (file, data) = (sandbox.path("db.json"), sandbox.path("data"));
    let (name, data) = (file.to_str().unwrap(), data.to_str().unwrap());
    let args = [
        "db",
        "point-select",
        "--rows",
        "2000",
        "--windows",
        "6",
        "--seconds",
        "0.05",
        "--warm-up",
        "0.02",
        "--repeats",
        "1",
        "--points",
        "1",
        "--data",
        data,
        "--record",
        name,
    ];
    let ran = sandbox.cpulens(&args);
    assert!(ran.code != 2, "{}", ran.err);
    for words in ["Point select on SQLite 3.", "95 % CI", "1 core"] {
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
    }
    let record = load(&file);
    let runs: Vec<&Run> =
        record.runs.iter().filter(|r| r.case.probe == ProbeId::PointSelect).collect();
    assert!(runs.len() == 1 && matches!(runs[0].outcome, Outcome::Measured(_)), "{runs:?}");
    let kept = sandbox.path("data").join("sqlite-point_select.db");
    let made = std::fs::metadata(&kept).unwrap().modified().unwrap();
    let json = sandbox.cpulens(
        &[&args[..args.len() - 1], &[sandbox.path("2.json").to_str().unwrap(), "--format", "json"]]
            .concat(),
    );
    assert!(json.out.contains("\"databases\"") && json.out.contains("\"verdict\""));
    assert_eq!(std::fs::metadata(&kept).unwrap().modified().unwrap(), made, "data are used again");
}

/// mariadb-install-db would split such a path, and change the owner of a part of it.
#[test]
fn odd_data_folders_are_used_as_they_are_or_refused_before_anything_is_made() {
    let load = ["--rows", "500", "--windows", "3", "--seconds", "0.02", "--warm-up", "0.02"];
    let run = |sandbox: &Sandbox, engine: &str, data: &str| {
        let args = ["db", "point-select", "--points", "1", "--repeats", "1", "--engine", engine];
        sandbox.cpulens(&[&args[..], &load, &[&format!("--data={data}")]].concat())
    };
    for odd in ["x/ y", "a b", "a#b", "a'b", "a\"b", "a\nb", "a*b", "a;b", "a$b", "a?b", "a%b"] {
        let sandbox = Sandbox::new();
        fs::create_dir(sandbox.path("x")).unwrap();
        let refused = run(&sandbox, "mariadb", odd);
        refused.could_not("misread");
        assert!(sandbox.everything().is_empty(), "{odd:?}: {:?}", sandbox.everything());
        assert!(!sandbox.path(odd).exists());
        let ran = run(&sandbox, "sqlite", odd);
        assert!(ran.code != 2, "{odd:?}: {}", ran.err);
        let file = sandbox.path(odd).join("sqlite-point_select.db");
        assert!(file.is_file(), "{odd:?}: {:?}", sandbox.everything());
    }
    let sandbox = Sandbox::new();
    let ran = run(&sandbox, "sqlite", "-rf");
    assert!(ran.code != 2 && sandbox.path("-rf/sqlite-point_select.db").is_file(), "{}", ran.err);
    let before = sandbox.everything();
    let refused = sandbox.shell("\"$0\" db point-select --data \"$(printf 'a\\377')\"");
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    assert!(refused.err.contains("'--data <DIR>': it is not UTF-8"), "{}", refused.err);
    assert_eq!(sandbox.everything(), before);
}

/// An account that may exchange a folder for a link leads root to files of others.
#[test]
fn root_uses_no_folder_that_another_account_may_exchange() {
    let sandbox = Sandbox::new();
    let prepare =
        "chmod 755 . && mkdir theirs roots && mkdir -m 777 open && mkdir -m 1777 shared &&
         chown 65534 theirs && ln -s ../roots shared/link && chown -h 65534 shared/link";
    if !possible("it needs root", sandbox.shell(prepare).code == 0) {
        return;
    }
    let load = ["--rows", "500", "--points", "1", "--windows", "2", "--seconds", "0.02"];
    let db = |data: &str| {
        let args = ["db", "point-select", "--repeats", "1", "--data", data];
        sandbox.cpulens(&[&args[..], &load, &["--record", "r.json"]].concat())
    };
    let refused = ["theirs", "theirs/new", "open", "open/new", "shared", "shared/link"];
    for data in refused.into_iter().chain(["shared/link/new"]) {
        db(data).could_not("only root may change");
    }
    assert!(sandbox.everything().is_empty(), "{:?}", sandbox.everything());
    assert_ne!(db("shared/new").code, 2);
    sandbox.cpulens(&["capture", "-o", "shared/link/x"]).could_not("link of user 65534");
    assert_eq!(fs::read_dir(sandbox.path("roots")).unwrap().count(), 0);
}

/// No thread beside the first one may be started.
#[test]
fn a_limit_of_processes_is_a_reason_with_a_remedy() {
    let root = Sandbox::new().shell("id -u").out.trim() == "0";
    let nobody = if root { "setpriv --reuid 65534 --regid 65534 --clear-groups" } else { "" };
    let limited = format!("{nobody} prlimit --nproc=1");
    let can = Sandbox::new().shell(&format!("{limited} test -x \"$0\"")).code == 0;
    if !possible("it needs setpriv(1), prlimit(1) and a program they can reach", can) {
        return;
    }
    for engine in ["sqlite", "mariadb"] {
        let sandbox = Sandbox::new();
        sandbox.shell("chmod 777 .");
        let small = "--rows 500 --points 1 --windows 3 --seconds 0.02 --warm-up 0.02";
        let db = format!("\"$0\" db point-select --engine {engine} {small}");
        let ran = sandbox.shell(&format!("{limited} {db} --record r.json"));
        assert!(!ran.err.contains("defect") && !ran.err.contains("backtrace"), "{}", ran.err);
        let runs = load(&sandbox.path("r.json")).runs;
        for run in runs.iter().filter(|run| run.case.probe == ProbeId::PointSelect) {
            let (Outcome::Failed(why) | Outcome::Skipped(why)) = &run.outcome else {
                panic!("{run:?}")
            };
            assert!(!why.why.contains("panicked") && why.remedy.is_some(), "{why}");
        }
    }
}

/// Serves one client: logs it in, tells of its first query, and answers it by a byte every 20 ms.
fn trickling_server() -> (u16, Receiver<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let greeting = b"\x4a\0\0\0\x0a8.0.36\0\x01\0\0\0abcdefgh\0\xff\xf7\xff\x02\0\xff\xdf\x15\0\0\0\0\0\0\0\0\0\0abcdefghijkl\0mysql_native_password\0";
        stream.write_all(greeting).unwrap();
        for sequence in [2, 1] {
            let _ = stream.read(&mut [0; 4096]).unwrap();
            stream.write_all(&[7, 0, 0, sequence, 0, 0, 0, 2, 0, 0, 0]).unwrap();
        }
        let _ = stream.read(&mut [0; 4096]).unwrap();
        sender.send(()).unwrap();
        // A packet of half a megabyte begins.
        let mut bytes = [0, 0, 8, 1].into_iter().chain(std::iter::repeat(1));
        while stream.write_all(&[bytes.next().unwrap()]).is_ok() {
            thread::sleep(Duration::from_millis(20));
        }
    });
    (port, receiver)
}

#[test]
fn one_ctrl_c_is_enough_while_a_server_trickles() {
    let (port, queried) = trickling_server();
    let sandbox = Sandbox::new();
    let engine = format!("mysql://me@127.0.0.1:{port}/d");
    let run = Running::start(&sandbox, &["db", "point-select", "--engine", &engine, "--quiet"]);
    queried.recv_timeout(Duration::from_secs(60)).unwrap();
    run.signal("INT");
    // It ended by itself: without limit it would wait for some hours.
    assert_eq!(run.ended().0, 128 + 2);
}

#[test]
fn an_unencrypted_connection_to_another_host_needs_a_word_and_is_warned_about() {
    let sandbox = Sandbox::new();
    let db = |more: &[&str]| {
        let engine = "mysql://me@db.invalid/d";
        let args = ["db", "point-select", "--dry-run", "--engine", engine];
        sandbox.cpulens(&[&args[..], more].concat())
    };
    let off = db(&["--tls", "off"]).done();
    assert!(off.err.contains("Warning: the connection to db.invalid:3306 is not encrypted"));
    assert!(!db(&[]).done().err.contains("Warning"));
    for wrong in [&["--tls", "no"][..], &["--tls", "required"]] {
        assert_eq!(db(wrong).code, 2);
    }
    let local = ["db", "tpcc", "--engine", "mariadb", "--tls-ca", "x"];
    sandbox.cpulens(&local).could_not("--tls-ca is no option");
}

/// The data folder of that process, if it exists.
fn data_of(sandbox: &Sandbox, process: u32) -> Option<PathBuf> {
    let name = format!("cpulens-db-{process}-");
    let parents = [Path::new("/dev/shm").to_owned(), sandbox.path("")];
    let entries = parents.iter().flat_map(std::fs::read_dir).flatten().flatten();
    let ours = |e: &std::fs::DirEntry| e.file_name().to_string_lossy().starts_with(&name);
    entries.filter(ours).map(|entry| entry.path()).next()
}

/// Waits until there is something.
pub(crate) fn until<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    for _ in 0..6000 {
        if let Some(found) = look() {
            return found;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("not in a minute: {what}");
}

/// SIGKILL leaves a program no time to clean up.
#[test]
fn a_run_that_is_killed_leaves_no_data() {
    let sandbox = Sandbox::new();
    let long = ["--rows", "5000", "--points", "1", "--windows", "600", "--seconds", "1"];
    let run = Running::start(&sandbox, &[&["db", "point-select"][..], &long].concat());
    let process = run.id();
    let folder = until("data", || {
        data_of(&sandbox, process).filter(|f| f.join("sqlite-point_select.db").exists())
    });
    run.signal("KILL");
    // The supervisor holds the run's output open until the folder is removed.
    assert_eq!(run.ended().0, 128 + 9);
    assert!(!folder.exists(), "{}", folder.display());
}

/// A container that shares the folders with this host has other process numbers: the run's number is nobody's there.
#[test]
fn a_run_in_another_pid_namespace_leaves_the_data_of_a_live_run_alone() {
    let sandbox = Sandbox::new();
    let container = "unshare --pid --fork --mount-proc";
    let can = sandbox.shell(&format!("{container} true 2>/dev/null")).code == 0;
    if !possible("pid namespaces need root and unshare(1)", can) {
        return;
    }
    let long = ["--rows", "1000", "--points", "1", "--windows", "600", "--seconds", "1"];
    let run = Running::start(&sandbox, &[&["db", "point-select"][..], &long].concat());
    let process = run.id();
    let folder = until("data", || {
        data_of(&sandbox, process).filter(|f| f.join("sqlite-point_select.db").exists())
    });
    let short = "--rows 1000 --points 1 --windows 2 --seconds 0.05 --warm-up 0.05";
    let other = sandbox.file("other.json", "");
    fs::remove_file(&other).unwrap();
    let line = format!("exec {container} \"$0\" db point-select {short} --record {other}");
    let ran = sandbox.shell(&line);
    assert!(ran.code != 2, "{}", ran.err);
    assert!(folder.join("sqlite-point_select.db").exists(), "{}", folder.display());
    run.signal("INT");
    run.ended();
    assert!(!folder.exists());
}

/// Processes with this folder on their command line.
fn processes_using(folder: &Path) -> Vec<String> {
    let name = folder.display().to_string();
    let lines = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        fs::read_to_string(entry.ok()?.path().join("cmdline")).ok().filter(|l| l.contains(&name))
    });
    lines.collect()
}

#[test]
fn ctrl_c_keeps_results_and_leaves_neither_server_nor_data() {
    let there = |name: &&str| Path::new("/usr/sbin").join(name).exists();
    if !possible("no database server", ["mariadbd", "mysqld"].iter().any(there)) {
        return;
    }
    let sandbox = Sandbox::new();
    let short = ["--rows", "1000", "--windows", "2", "--seconds", "0.05", "--warm-up", "0.05"];
    let many = ["--engine", "mariadb", "--points", "1", "--repeats", "100"];
    let mut run = Running::start(&sandbox, &[&["db", "point-select"][..], &short, &many].concat());
    let file = run.measured(&sandbox);
    let folder = until("data", || data_of(&sandbox, run.id()));
    // A second case finds the data of the first.
    until("a second step", || (reached(&load(&file)).0 > 1).then_some(()));
    until("a server", || processes_using(&folder).pop());
    run.signal("INT");
    let (code, out, err) = run.ended();
    assert_eq!(code, 128 + 2, "{err}");
    let (done, left) = reached(&load(&file));
    assert!(done > 0 && left > 0, "{done} {left}");
    assert!(!out.is_empty() && err.contains("cpulens run --resume"), "{out}{err}");
    assert_eq!(processes_using(&folder), [""; 0]);
    assert!(!folder.exists(), "{}", folder.display());
}

/// Ctrl-C stops clients and the observer within a window.
#[test]
fn ctrl_c_does_not_wait_for_the_end_of_a_window() {
    let sandbox = Sandbox::new();
    let long = ["--rows", "1000", "--points", "1", "--windows", "1"];
    let hours = ["--seconds", "36000", "--warm-up", "0.01", "--repeats", "1"];
    let run = Running::start(&sandbox, &[&["db", "point-select"][..], &long, &hours].concat());
    let process = run.id();
    until("data", || {
        data_of(&sandbox, process).filter(|f| f.join("sqlite-point_select.db").exists())
    });
    // Loading or measuring: both end.
    thread::sleep(Duration::from_millis(500));
    run.signal("INT");
    let (code, _, err) = run.ended();
    assert_eq!(code, 128 + 2, "{err}");
    assert!(err.contains("cpulens run --resume"), "{err}");
}

#[test]
fn a_killed_server_costs_its_scaling_point_only() {
    let there = |name: &&str| Path::new("/usr/sbin").join(name).exists();
    if !possible("no database server", ["mariadbd", "mysqld"].iter().any(there)) {
        return;
    }
    let sandbox = Sandbox::new();
    let short = ["--rows", "1000", "--windows", "3", "--seconds", "0.5", "--warm-up", "0.05"];
    let many = ["--engine", "mariadb", "--points", "1", "--repeats", "100"];
    let mut run = Running::start(&sandbox, &[&["db", "point-select"][..], &short, &many].concat());
    let file = run.measured(&sandbox);
    let folder = until("data", || data_of(&sandbox, run.id()));
    let failed = || {
        let reason = |r: &Run| match &r.outcome {
            Outcome::Failed(why) => Some(why.why.clone()),
            _ => None,
        };
        load(&file).runs.iter().find_map(reason)
    };
    let pid = folder.join("server/data/pid");
    // It may be killed while it starts or after its point: repeated until a point has failed.
    let why = until("a step that failed", || {
        let pid = fs::read_to_string(&pid).unwrap_or_default();
        let command = fs::read_to_string(format!("/proc/{}/cmdline", pid.trim()));
        // The id of an ended server may belong to another process.
        if command.is_ok_and(|command| command.contains(&folder.display().to_string())) {
            let line = format!("kill -9 {}", pid.trim());
            let _ = Command::new("sh").args(["-c", &line]).output();
        }
        failed()
    });
    assert!(why.contains("killed by signal 9"), "{why}");
    let measured = || {
        let runs = load(&file).runs;
        let failed = runs.iter().position(|r| matches!(r.outcome, Outcome::Failed(_)))?;
        let measured = |r: &Run| matches!(r.outcome, Outcome::Measured(_));
        runs[failed..].iter().any(measured).then_some(())
    };
    until("a later step that is measured", measured);
    run.signal("INT");
    let (_, out, err) = run.ended();
    assert!(!out.is_empty(), "{err}");
    assert_eq!(processes_using(&folder), [""; 0]);
    assert!(!folder.exists(), "{}", folder.display());
}

/// Two servers pinned to a core each, and two that are not pinned.
#[test]
fn servers_share_cores_pinned_or_not() {
    let there = |name: &&str| Path::new("/usr/sbin").join(name).exists();
    let servers = ["mariadbd", "mysqld"].iter().any(there);
    let cores = host::cpus::affinity().is_ok_and(|cpus| cpus.len() > 1);
    if !possible("no database server, or one CPU", servers && cores) {
        return;
    }
    let sandbox = Sandbox::new();
    let file = sandbox.path("db.json");
    let small = ["--rows", "1000", "--windows", "2", "--seconds", "0.05", "--warm-up", "0.01"];
    let two = ["--engine", "mariadb", "--points", "2", "--repeats", "1", "--threads", "1"];
    let ways = ["--instances", "2", "--pin", "cores,none", "--record", file.to_str().unwrap()];
    let ran = sandbox.cpulens(&[&["db", "point-select"][..], &small, &two, &ways].concat());
    // A machine whose CPUs are siblings of one core has no point of two cores.
    if !possible("one core", !ran.err.contains("--points has 2 cores")) {
        return;
    }
    let record = load(&file);
    let runs = record.runs.iter().filter(|run| run.case.probe == ProbeId::PointSelect);
    let each: Vec<(&str, &str)> = runs
        .map(|run| {
            let Outcome::Measured(series) = &run.outcome else { panic!("{:?}", run.outcome) };
            let settings = series[0].variant.as_deref().unwrap();
            let (_, cpus) = settings.split_once("server_cpus=").unwrap();
            (run.case.get(param::PLACEMENT).unwrap(), cpus.split(';').next().unwrap())
        })
        .collect();
    let of = |name: &str| each.iter().find(|(placement, _)| *placement == name).unwrap().1;
    assert!(of("2 servers, pinned").contains(" | "), "each has its own: {each:?}");
    assert!(!of("2 servers, unpinned").contains(" | "), "both have all: {each:?}");
}
