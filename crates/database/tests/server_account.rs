//! Attacks of the server's account on root, and folders with odd names. Each test needs root, a mariadbd and an account `mysql`;
//! where one is missing it is skipped.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
use database::{
    engine::{Engine, Instance, OpenOptions},
    engines::mariadb::Mariadb,
    options::{EngineOptions, Transport, WaitMode},
};
use record::{CpuSet, Reason};
use std::{
    fs,
    io::Write,
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::CommandExt,
    },
    path::Path,
    process::Command,
};

/// User and group of the account; `None` where a test cannot run.
fn account() -> Option<(u32, u32)> {
    let passwd = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let line = passwd.lines().find(|line| line.starts_with("mysql:"));
    let ids = line.map(|line| {
        let mut ids = line.split(':').skip(2).map(|id| id.parse().unwrap());
        (ids.next().unwrap(), ids.next().unwrap())
    });
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let missing = Mariadb.unavailable(&options(Path::new("/"))).is_some();
    let ids = ids.filter(|_| is_root && !missing);
    if ids.is_none() {
        let mut err = std::io::stderr();
        let _ = writeln!(err, "skipped: no root, no mariadbd or no account mysql");
    }
    ids
}
/// An empty folder of mode 0755, which the account can reach.
fn reachable() -> tempfile::TempDir {
    let folder = tempfile::tempdir_in("/var/tmp").unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}
fn options(folder: &Path) -> OpenOptions<'static> {
    OpenOptions {
        workload: "point_select",
        mode: "shared",
        folder: folder.to_owned(),
        bytes: 1 << 20,
        size_option: None,
        threads: 1,
        connections: 4,
        cpus: CpuSet::default(),
        nodes: CpuSet::default(),
        options: EngineOptions { wait: Some(WaitMode::Poll), ..EngineOptions::default() },
    }
}
fn open(folder: &Path) -> Result<Box<dyn Instance>, Reason> {
    Mariadb.open(&options(folder))
}
/// Runs a script as the account.
fn as_account((user, group): (u32, u32), script: &str) {
    // Starting a server in another test reaps every child of this process.
    let _alone = host::child::ProcessGroup::new().unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).uid(user).gid(group).current_dir("/");
    shell.output().unwrap();
}
fn owner(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().uid()
}

#[test]
fn the_account_cannot_make_root_write_elsewhere() {
    let Some(ids) = account() else { return };
    let (outer, safe) = (reachable(), tempfile::tempdir().unwrap());
    for private in [false, true] {
        let case = outer.path().join(format!("case-{private}"));
        fs::create_dir(&case).unwrap();
        let mode = if private { 0o700 } else { 0o755 };
        fs::set_permissions(&case, fs::Permissions::from_mode(mode)).unwrap();
        let target = safe.path().join("shadow");
        fs::write(&target, "of root").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
        let instance = open(&case).unwrap();
        assert_eq!(instance.info().settings["account"], "mysql");
        instance.close().unwrap();
        let server = case.join("server");
        assert_eq!(owner(&server.join("data")), ids.0, "the account owns its data");
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
        // A server that starts as root creates this file in its data to learn whether names have cases.
        let probe = format!("data/{}.lower-test", host.trim());
        let names = ["my.cnf", "error.log", "lock", "installed", "installing", "data", &probe];
        for name in names {
            let (link, to) = (server.join(name), safe.path());
            let to = to.join(if name == probe { "new" } else { "shadow" });
            let (link, to) = (link.display(), to.display());
            as_account(ids, &format!("mv {link} {link}.old; ln -sfn {to} {link}"));
            // Whether it starts does not matter.
            if let Ok(instance) = open(&case) {
                let _ = instance.close();
            }
            let about = fs::metadata(&target).unwrap();
            assert_eq!((about.uid(), about.mode() & 0o777), (0, 0o600), "{name}");
            assert_eq!(fs::read_to_string(&target).unwrap(), "of root", "{name}");
            assert!(!safe.path().join("new").exists(), "{name}");
            as_account(ids, &format!("rm -f {link}; mv {link}.old {link}"));
        }
        for ours in [&case, &server, &server.join("error.log"), &server.join("lock")] {
            assert_eq!(owner(ours), 0, "{}", ours.display());
        }
    }
}

/// Both transports, twice: what the first run leaves suits the second.
#[test]
fn a_server_of_the_account_serves_root() {
    let Some(ids) = account() else { return };
    let outer = reachable();
    for transport in [Transport::Socket, Transport::Tcp] {
        let mut options = options(outer.path());
        options.options.transport = Some(transport);
        let instance = Mariadb.open(&options).unwrap();
        let database::engine::Executor::Process(pid) = instance.executor() else { panic!() };
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let of = |name: &str| status.lines().find(|line| line.starts_with(name)).unwrap();
        let all = |id: u32| format!("{id}\t{id}\t{id}\t{id}");
        assert!(of("Uid:").ends_with(&all(ids.0)), "{status}");
        assert!(of("Gid:").ends_with(&all(ids.1)), "{status}");
        assert_eq!(of("Groups:").split_whitespace().nth(1), Some(&*ids.1.to_string()));
        assert!(of("CapEff:").ends_with("\t0000000000000000"), "{status}");
        instance.session(0).unwrap().run("CREATE TABLE IF NOT EXISTS t (id INT)").unwrap();
        instance.close().unwrap();
    }
}

#[test]
fn a_folder_whose_name_servers_misread_changes_no_owner() {
    let Some(_) = account() else { return };
    for name in [" y", "a b", "a#b", "a'b", "a\"b", "a\nb", "a*", "a:b"] {
        let outer = reachable();
        let case = outer.path().join(name);
        let why = open(&case).err().unwrap_or_else(|| panic!("{name:?} was accepted"));
        assert!(why.remedy.as_ref().is_some_and(|r| r.contains("--data")), "{why}");
        assert_eq!(owner(outer.path()), 0, "{name:?}");
        assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 0, "{name:?}: nothing is created");
    }
    // A dash is a letter like others.
    let outer = reachable();
    let case = outer.path().join("-rf");
    fs::create_dir(&case).unwrap();
    open(&case).unwrap().close().unwrap();
}
