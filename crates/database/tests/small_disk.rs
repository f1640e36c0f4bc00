//! A server whose disk fills up, where a small file system can be mounted (root). It is a program of its own: starting a server
//! waits for every child of the process.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
use database::{
    engine::{Engine, Executor, Instance, OpenOptions},
    engines::mariadb::Mariadb,
    session::ErrorClass,
};
use std::{env, fs, io::Write, path::Path, process::Command};

fn open(folder: &Path, bytes: u64) -> Result<Box<dyn Instance>, record::Reason> {
    let options = OpenOptions {
        workload: "point_select",
        mode: "shared",
        folder: folder.to_owned(),
        bytes,
        threads: 1,
        connections: 1,
        ..OpenOptions::default()
    };
    match Mariadb.unavailable(&options) {
        Some(why) => Err(why),
        None => Mariadb.open(&options),
    }
}

/// The other test runs this on a small file system; it is not a test by itself.
#[test]
#[ignore = "run by the test that makes the file system"]
fn a_server_on_a_small_disk() {
    let Some(disk) = env::var_os("SMALL_DISK") else { return };
    let folder = tempfile::tempdir_in(&disk).unwrap();
    // What cannot fit is refused before anything is set up.
    let why = open(folder.path(), 10 << 30).err().unwrap();
    assert!(why.why.contains("GiB on disk") && why.remedy.is_some(), "{why}");
    assert!(!folder.path().join("server/data").exists());
    let instance = open(folder.path(), 1 << 20).unwrap();
    let Executor::Process(process) = instance.executor() else { panic!("it works elsewhere") };
    let mut loader = instance.loader_session(0).unwrap();
    loader.run("CREATE TABLE t (id INT PRIMARY KEY, c CHAR(120) NOT NULL) ENGINE=InnoDB").unwrap();
    let mut ballast = fs::File::create(Path::new(&disk).join("ballast")).unwrap();
    let block = vec![1; 1 << 20];
    while ballast.write_all(&block).is_ok() {}
    let error = (0..200)
        .find_map(|round| {
            let ids = round * 4000..(round + 1) * 4000;
            let rows: Vec<String> = ids.map(|id| format!("({id},REPEAT('x',119))")).collect();
            loader.run(&format!("INSERT INTO t VALUES {}", rows.join(","))).err()
        })
        .expect("100 MB do not fit");
    assert_eq!(error.class, ErrorClass::NoSpace, "{error}");
    assert!(error.reason.remedy.unwrap().contains("make room"));
    drop(loader);
    // How it goes may have words of its own; that it goes matters.
    let _ = instance.close();
    assert!(!Path::new("/proc").join(process.to_string()).exists());
}

#[test]
fn a_full_disk_is_told_and_no_server_is_left() {
    let disk = tempfile::tempdir().unwrap();
    // A namespace of its own: the file system goes with the last process that sees it.
    let line = format!(
        "mount -t tmpfs -o size=700m,mode=755 none '{}' || exit 42; \
         exec '{}' --exact a_server_on_a_small_disk --ignored --nocapture",
        disk.path().display(),
        env::current_exe().unwrap().display()
    );
    let mut small = Command::new("unshare");
    small.args(["--mount", "sh", "-c", &line]).env("SMALL_DISK", disk.path());
    let skipped = |why: &str| {
        let _ = writeln!(std::io::stderr(), "skipped: {why}");
    };
    let Ok(done) = small.output() else { return skipped("there is no program unshare") };
    let said = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
    match done.status.code() {
        // The status of unshare itself is 1 where namespaces are forbidden, as that of a test that failed would be 101.
        Some(1 | 42) => skipped("nothing can be mounted here"),
        _ if said.contains("no database server") => skipped("there is no server"),
        _ => assert!(done.status.success() && said.contains("1 passed"), "{said}"),
    }
}
