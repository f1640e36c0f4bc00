//! A real mariadbd, where one is installed (`cargo xtask setup`). Tests assert structure and messages, never time.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod sessions;

use database::{
    engine::{Engine, Executor, Instance, OpenOptions},
    engines::{mariadb::Mariadb, mysql::Mysql},
    options::{EngineOptions, Protocol, Transport, WaitMode},
    session::{ErrorClass, Session, Value},
};
use record::CpuSet;
use std::{cell::Cell, fs, io::Write, process::Command, thread, time::Duration};

/// Options of an engine in a temporary folder.
struct Case {
    folder: tempfile::TempDir,
    cpus: CpuSet,
    nodes: CpuSet,
    options: EngineOptions,
    bytes: u64,
}

impl Case {
    fn new(options: EngineOptions) -> Case {
        Case {
            folder: tempfile::tempdir().unwrap(),
            cpus: host::cpus::affinity().unwrap().iter().take(1).collect(),
            nodes: CpuSet::default(),
            options,
            bytes: 1 << 20,
        }
    }
    fn poll() -> Case {
        Case::new(EngineOptions { wait: Some(WaitMode::Poll), ..EngineOptions::default() })
    }
    /// For an account at this socket.
    fn socket(socket: &str, user: &str, database: Option<&str>) -> Case {
        Case::new(EngineOptions {
            socket: Some(socket.into()),
            user: Some(user.into()),
            database: database.map(str::to_owned),
            ..EngineOptions::default()
        })
    }
    fn open_options(&self) -> OpenOptions<'_> {
        OpenOptions {
            workload: "point_select",
            mode: "shared",
            folder: self.folder.path().to_owned(),
            bytes: self.bytes,
            size_option: None,
            threads: 1,
            connections: 4,
            cpus: self.cpus.clone(),
            nodes: self.nodes.clone(),
            options: self.options.clone(),
        }
    }
    /// A started server; `None` where none is installed.
    fn start(&self) -> Option<Box<dyn Instance>> {
        if let Some(why) = Mariadb.unavailable(&self.open_options()) {
            let mut err = std::io::stderr();
            let _ = writeln!(err, "skipped: {why}");
            return None;
        }
        Some(Mariadb.open(&self.open_options()).unwrap())
    }
    fn process(&self) -> Option<u32> {
        let pid = self.folder.path().join("server/data/pid");
        fs::read_to_string(pid).ok()?.trim().parse().ok()
    }
    fn socket_path(&self) -> String {
        self.folder.path().join("server/data/socket").display().to_string()
    }
}

fn pid(instance: &dyn Instance) -> u32 {
    let Executor::Process(pid) = instance.executor() else { panic!("it is not a process here") };
    pid
}
fn alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}
fn signal(pid: u32, signal: &str) {
    // Starting a server in another test reaps every child of this process.
    let _alone = host::child::ProcessGroup::new().unwrap();
    assert!(Command::new("kill").args([signal, &pid.to_string()]).status().unwrap().success());
}
/// The rows of a statement, as text.
fn rows(session: &mut dyn Session, sql: &str, values: &[Value<'_>]) -> Vec<String> {
    let statement = session.prepare(sql).unwrap();
    let mut rows = vec![];
    session.execute(statement, values, &mut |row| rows.push(format!("{row:?}"))).unwrap();
    rows
}
fn fill(instance: &dyn Instance, count: i64) {
    let mut loader = instance.loader_session(0).unwrap();
    loader.run("CREATE TABLE t (id INT PRIMARY KEY, c CHAR(120) NOT NULL) ENGINE=InnoDB").unwrap();
    let rows: Vec<String> = (1..=count).map(|id| format!("({id},'text {id}')")).collect();
    loader.run(&format!("INSERT INTO t VALUES {}", rows.join(","))).unwrap();
    drop(loader);
    instance.finish_load(&[]).unwrap();
}

#[test]
fn a_started_server_is_private_pinned_and_stopped() {
    let mut case = Case::poll();
    case.nodes.insert(0);
    let Some(instance) = case.start() else { return };
    let server = case.folder.path().join("server");
    // Where root starts it, its account passes through the folder.
    for (private, passed) in [(server.clone(), 0o010), (server.join("data"), 0)] {
        let mode =
            std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&private).unwrap().permissions());
        assert_eq!(mode & 0o777 & !passed, 0o700, "{}", private.display());
    }
    let pid = pid(&*instance);
    assert_eq!(case.process(), Some(pid));
    // It listens on no address of the network.
    let listening = fs::read_to_string(format!("/proc/{pid}/net/tcp")).unwrap();
    assert!(!listening.contains(":0CEA "), "{listening}");
    fill(&*instance, 10);
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    for task in tasks {
        let status = fs::read_to_string(task.unwrap().path().join("status")).unwrap();
        assert!(status.contains(&format!("Cpus_allowed_list:\t{}\n", case.cpus)), "{status}");
    }
    let info = instance.info();
    assert!(info.name == "MariaDB" || info.name == "MySQL");
    for known in ["innodb_buffer_pool_size", "wait", "transport", "server_cpus", "account"] {
        assert!(info.settings.contains_key(known), "{known}: {:?}", info.settings);
    }
    assert!(instance.status_counters().iter().any(|(name, ..)| *name == "row_lock_waits"));
    // Its memory has the policy, unless that is forbidden here, and is looked at where the kernel tells.
    let memory = &info.settings["memory"];
    match fs::read_to_string(format!("/proc/{pid}/numa_maps")) {
        Ok(maps) if memory == "bound to node 0" => {
            assert!(maps.contains(" bind:0 "), "{maps}");
            assert_eq!(instance.memory_on_nodes(), Some(1.0));
        }
        _ => assert!(memory.contains("node 0") || memory.contains("any node"), "{memory}"),
    }
    instance.close().unwrap();
    assert!(!alive(pid));
    assert!(server.join("data").exists(), "the data stay for the next step");

    // The next step finds them, and is pinned from its first moment on.
    let instance = case.start().unwrap();
    let mut session = instance.session(0).unwrap();
    assert_eq!(rows(&mut *session, "SELECT COUNT(*) FROM t", &[]), ["[Int(10)]"]);
    drop(session);
    drop(instance);
    assert_eq!(case.process().filter(|pid| alive(*pid)), None, "dropped is stopped, too");
}

/// As if the first start had been interrupted after the installation.
#[test]
fn a_folder_whose_first_start_failed_is_usable() {
    let case = Case::poll();
    let Some(instance) = case.start() else { return };
    let mut session = instance.session(0).unwrap();
    session.run("DROP DATABASE cpulens").unwrap();
    session.run("CREATE USER 'anybody'@'%'").unwrap();
    drop(session);
    instance.close().unwrap();
    for transport in [Transport::Socket, Transport::Tcp] {
        let mut again = case.open_options();
        again.options.transport = Some(transport);
        let instance = Mariadb.open(&again).unwrap();
        let mut session = instance.session(0).unwrap();
        assert_eq!(rows(&mut *session, "SELECT DATABASE()", &[]), ["[Text(\"cpulens\")]"]);
        session
            .run(&format!("CREATE TABLE by_{} (id INT)", record::stored_name(&transport)))
            .unwrap();
        if transport == Transport::Socket {
            let others = "SELECT user FROM mysql.user WHERE user IN ('anybody', 'cpulens')";
            assert_eq!(rows(&mut *session, others, &[]), [""; 0]);
        } else {
            let both = "SELECT COUNT(*) FROM by_socket, by_tcp";
            assert_eq!(rows(&mut *session, both, &[]), ["[Int(0)]"], "nothing was created again");
        }
        drop(session);
        instance.close().unwrap();
    }
}

#[test]
fn a_folder_in_use_is_refused_and_its_server_goes_on() {
    let case = Case::poll();
    let Some(instance) = case.start() else { return };
    fill(&*instance, 10);
    let mut session = instance.session(0).unwrap();
    for _ in 0..2 {
        let why = Mariadb.open(&case.open_options()).err().unwrap();
        assert!(why.why.contains("another cpulens uses"), "{why}");
        assert!(why.why.contains(&*case.folder.path().display().to_string()), "{why}");
        assert!(why.remedy.unwrap().contains("--data"));
        assert_eq!(rows(&mut *session, "SELECT COUNT(*) FROM t", &[]), ["[Int(10)]"]);
    }
    let server = pid(&*instance);
    assert!(alive(server));
    // The server has not inherited the lock.
    let lock = case.folder.path().join("server/lock");
    let open = fs::read_dir(format!("/proc/{server}/fd")).unwrap();
    let open: Vec<_> = open.filter_map(|fd| fs::read_link(fd.unwrap().path()).ok()).collect();
    assert!(lock.exists() && !open.contains(&lock), "{open:?}");
    // A server closes while sessions are open.
    instance.close().unwrap();
    let instance = Mariadb.open(&case.open_options()).unwrap();
    assert!(session.run("SELECT 1").is_err());
    instance.close().unwrap();
}

/// A connection stays open while others load, also where the server closes idle ones soon.
#[test]
fn connections_may_be_idle() {
    let case = Case::poll();
    let Some(instance) = case.start() else { return };
    let mut watcher = instance.session(0).unwrap();
    watcher.run("SET GLOBAL wait_timeout=1").unwrap();
    let root = Case::socket(&case.socket_path(), "root", Some("cpulens"));
    let attached = Mysql.open(&root.open_options()).unwrap();
    let mut loader = attached.loader_session(0).unwrap();
    let mut session = attached.session(0).unwrap();
    // A later connection without our setting, which the server closes.
    let mut plain = attached.session(1).unwrap();
    plain.run("SET SESSION wait_timeout=1").unwrap();
    let id = rows(&mut *plain, "SELECT CONNECTION_ID()", &[]);
    while rows(&mut *watcher, "SELECT id FROM information_schema.processlist", &[]).contains(&id[0])
    {
        thread::sleep(Duration::from_millis(20));
    }
    loader.run("CREATE TABLE late (id INT)").unwrap();
    assert_eq!(rows(&mut *session, "SELECT COUNT(*) FROM late", &[]), ["[Int(0)]"]);
    assert!(!attached.status_counters().is_empty(), "its own connection is open, too");
    attached.finish_load(&[]).unwrap();
    drop((loader, session, plain, watcher));
    attached.close().unwrap();
    instance.close().unwrap();
}

#[test]
fn a_killed_server_is_reported_with_its_signal() {
    let case = Case::new(EngineOptions { wait: Some(WaitMode::Epoll), ..EngineOptions::default() });
    let Some(instance) = case.start() else { return };
    fill(&*instance, 10);
    let mut lookups = instance.lookups(0, 2, "SELECT c FROM t WHERE id=?").unwrap();
    let mut session = instance.session(1).unwrap();
    lookups.exchange(&mut |_| 1, &mut |_, _| {}).unwrap();
    signal(pid(&*instance), "-9");
    let error = loop {
        if let Err(error) = lookups.exchange(&mut |_| 1, &mut |_, _| {}) {
            break error;
        }
    };
    assert_eq!(error.class, ErrorClass::ConnectionLost);
    assert!(error.reason.why.contains("was killed by signal 9"), "{error}");
    let error = session.begin(true).unwrap_err();
    assert!(error.reason.why.contains("was killed by signal 9"), "{error}");
    let error = instance.session(2).err().unwrap();
    assert!(error.reason.why.contains("was killed by signal 9"), "{error}");
    assert!(instance.status_counters().is_empty());
    assert!(instance.close().is_err(), "it did not stop as it should");
}

#[test]
fn a_server_that_cannot_start_says_why() {
    let case = Case::new(EngineOptions::default());
    let Some(instance) = case.start() else { return };
    instance.close().unwrap();
    // Its system tables are garbled.
    let data = case.folder.path().join("server/data/ibdata1");
    fs::write(&data, "nonsense").unwrap();
    let why = Mariadb.open(&case.open_options()).err().unwrap();
    assert!(why.why.contains("ended with status") && why.why.contains("[ERROR]"), "{why}");
    let server = Some("/no/such/server".to_owned());
    let wrong = Case::new(EngineOptions { server, ..EngineOptions::default() });
    assert!(Mariadb.unavailable(&wrong.open_options()).unwrap().why.contains("/no/such/server"));
    let mut huge = Case::new(EngineOptions::default());
    huge.bytes = 1 << 50;
    assert!(Mariadb.open(&huge.open_options()).err().unwrap().remedy.is_some());
}

#[test]
fn a_running_server_is_used_and_stays() {
    let ours =
        Case::new(EngineOptions { transport: Some(Transport::Tcp), ..EngineOptions::default() });
    let Some(instance) = ours.start() else { return };
    let socket = ours.socket_path();
    let root = Case::socket(&socket, "root", Some("cpulens"));
    let attached = Mysql.open(&root.open_options()).unwrap();
    assert_eq!(pid(&*attached), pid(&*instance), "the listener is known");
    let mut session = attached.session(0).unwrap();
    for host in ["localhost", "127.0.0.1"] {
        session.run(&format!("CREATE USER 'me'@'{host}' IDENTIFIED BY 's3cret'")).unwrap();
        session.run(&format!("GRANT ALL ON cpulens.* TO 'me'@'{host}'")).unwrap();
    }
    let port = rows(&mut *session, "SELECT @@port", &[]).concat();
    let port: String = port.chars().filter(char::is_ascii_digit).collect();
    drop(session);
    attached.close().unwrap();
    assert!(alive(pid(&*instance)));

    let file = ours.folder.path().join("mine.cnf");
    let open_at = |at: &str, password: &str| {
        let text = format!("[client]\nuser=me\npassword={password}\n{at}\ndatabase=cpulens\n");
        fs::write(&file, text).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        fs::set_permissions(&file, mode).unwrap();
        let option_file = Some(file.display().to_string());
        let case = Case::new(EngineOptions { option_file, ..EngineOptions::default() });
        Mysql.open(&case.open_options())
    };
    let over_tcp = open_at(&format!("host=127.0.0.1\nport={port}"), "s3cret").unwrap();
    assert_eq!(over_tcp.info().settings["transport"], "tcp");
    assert_eq!(pid(&*over_tcp), pid(&*instance), "the other end is known");
    over_tcp.close().unwrap();
    let open_with = |password: &str| open_at(&format!("socket={socket}"), password);
    let open = open_with("s3cret").unwrap();
    // Whatever is recorded of it, the password is not.
    assert!(!format!("{:?}", open.info()).contains("s3cret"));
    let own = fs::read("/proc/self/cmdline").unwrap();
    assert!(!String::from_utf8_lossy(&own).contains("s3cret"));
    drop(open);
    let wrong = open_with("wr0ng").err().unwrap();
    assert!(wrong.why.contains("refuses me with the given password"), "{wrong}");
    assert!(!wrong.why.contains("wr0ng") && wrong.remedy.unwrap().contains("MYSQL_PWD"));
    let without = Case::socket(&socket, "root", None);
    assert!(Mysql.unavailable(&without.open_options()).unwrap().why.contains("no database"));
    let none = Case::socket(&socket, "root", Some("nowhere"));
    let none = Mysql.open(&none.open_options()).err().unwrap();
    assert!(none.why.contains("Unknown database"), "{none}");
    instance.close().unwrap();
}
