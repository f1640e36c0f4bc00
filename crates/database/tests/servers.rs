//! Servers as engines: a real mariadbd where one is installed (`cargo xtask setup`), and false ones that send what no server
//! sends. What is asserted is structure and words, never time.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
use database::{
    engine::{Engine, Running, Wanted, Works},
    engines::{mariadb::Mariadb, mysql::Mysql},
    session::{Class, Session, Value},
};
use record::CpuSet;
use std::{
    cell::Cell,
    collections::BTreeMap,
    fs,
    io::{Read, Write},
    net::TcpListener,
    process::Command,
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

/// What an engine is opened for, with room for changes.
struct Case {
    folder: tempfile::TempDir,
    cpus: CpuSet,
    nodes: CpuSet,
    options: BTreeMap<String, String>,
    bytes: u64,
}

impl Case {
    fn new(options: &[(&str, &str)]) -> Case {
        Case {
            folder: tempfile::tempdir().unwrap(),
            cpus: host::cpus::affinity().unwrap().iter().take(1).collect(),
            nodes: CpuSet::default(),
            options: options.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect(),
            bytes: 1 << 20,
        }
    }
    fn wanted(&self) -> Wanted<'_> {
        Wanted {
            workload: "point_select",
            mode: "shared",
            folder: self.folder.path(),
            bytes: self.bytes,
            threads: 1,
            connections: 4,
            cpus: &self.cpus,
            nodes: &self.nodes,
            options: &self.options,
        }
    }
    /// A server of ours, or a word on why there is none and nothing.
    fn managed(&self) -> Option<Box<dyn Running>> {
        if let Some(why) = Mariadb.lacks(&self.wanted()) {
            let mut err = std::io::stderr();
            let _ = writeln!(err, "skipped: {why}");
            return None;
        }
        Some(Mariadb.open(&self.wanted()).unwrap())
    }
    fn process(&self) -> Option<u32> {
        let pid = self.folder.path().join("server/data/pid");
        fs::read_to_string(pid).ok()?.trim().parse().ok()
    }
}

fn pid(running: &dyn Running) -> u32 {
    let Works::InProcess(pid) = running.works() else { panic!("it works elsewhere") };
    pid
}
fn alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}
fn signal(pid: u32, signal: &str) {
    // The process group of another test, which sets a server up, would end or reap it.
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
fn fill(running: &dyn Running, count: i64) {
    let mut loader = running.loader(0).unwrap();
    loader.run("CREATE TABLE t (id INT PRIMARY KEY, c CHAR(120) NOT NULL) ENGINE=InnoDB").unwrap();
    let rows: Vec<String> = (1..=count).map(|id| format!("({id},'text {id}')")).collect();
    loader.run(&format!("INSERT INTO t VALUES {}", rows.join(","))).unwrap();
    drop(loader);
    running.loaded().unwrap();
}

#[test]
fn a_server_of_ours_is_private_pinned_and_gone_afterwards() {
    let mut case = Case::new(&[("wait", "poll")]);
    case.nodes.insert(0);
    let Some(running) = case.managed() else { return };
    let server = case.folder.path().join("server");
    for private in [server.clone(), server.join("data")] {
        let mode =
            std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&private).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o700, "{}", private.display());
    }
    let pid = pid(&*running);
    assert_eq!(case.process(), Some(pid));
    // It listens on no address of the network.
    let listening = fs::read_to_string(format!("/proc/{pid}/net/tcp")).unwrap();
    assert!(!listening.contains(":0CEA "), "{listening}");
    fill(&*running, 10);
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    for task in tasks {
        let status = fs::read_to_string(task.unwrap().path().join("status")).unwrap();
        assert!(status.contains(&format!("Cpus_allowed_list:\t{}\n", case.cpus)), "{status}");
    }
    let identity = running.identity();
    assert!(identity.name == "MariaDB" || identity.name == "MySQL");
    for known in ["innodb_buffer_pool_size", "wait", "transport", "server_cpus", "account"] {
        assert!(identity.settings.contains_key(known), "{known}: {:?}", identity.settings);
    }
    assert!(running.counts().iter().any(|(name, ..)| *name == "row_lock_waits"));
    // Its memory has the policy, unless that is forbidden here, and is looked at where the kernel tells.
    let memory = &identity.settings["memory"];
    match fs::read_to_string(format!("/proc/{pid}/numa_maps")) {
        Ok(maps) if memory == "bound to node 0" => {
            assert!(maps.contains(" bind:0 "), "{maps}");
            assert_eq!(running.on_nodes(), Some(1.0));
        }
        _ => assert!(memory.contains("node 0") || memory.contains("wherever"), "{memory}"),
    }
    running.close().unwrap();
    assert!(!alive(pid));
    assert!(server.join("data").exists(), "the data stay for the next step");

    // The next step finds them, and is pinned from its first moment on.
    let running = case.managed().unwrap();
    let mut session = running.session(0).unwrap();
    assert_eq!(rows(&mut *session, "SELECT COUNT(*) FROM t", &[]), ["[Int(10)]"]);
    drop(session);
    drop(running);
    assert_eq!(case.process().filter(|pid| alive(*pid)), None, "dropped is stopped, too");
}

/// As one whose first start was interrupted after its first tables had been made.
#[test]
fn a_folder_whose_first_start_failed_is_used_all_the_same() {
    let case = Case::new(&[("wait", "poll")]);
    let Some(running) = case.managed() else { return };
    let mut session = running.session(0).unwrap();
    session.run("DROP DATABASE cpulens").unwrap();
    session.run("CREATE USER 'anybody'@'%'").unwrap();
    drop(session);
    running.close().unwrap();
    for transport in ["socket", "tcp"] {
        let again = Case::new(&[("wait", "poll"), ("transport", transport)]);
        let wanted = Wanted { folder: case.folder.path(), ..again.wanted() };
        let running = Mariadb.open(&wanted).unwrap();
        let mut session = running.session(0).unwrap();
        assert_eq!(rows(&mut *session, "SELECT DATABASE()", &[]), ["[Text(\"cpulens\")]"]);
        session.run(&format!("CREATE TABLE by_{transport} (id INT)")).unwrap();
        if transport == "socket" {
            let others = "SELECT user FROM mysql.user WHERE user IN ('anybody', 'cpulens')";
            assert_eq!(rows(&mut *session, others, &[]), [""; 0]);
        } else {
            let both = "SELECT COUNT(*) FROM by_socket, by_tcp";
            assert_eq!(rows(&mut *session, both, &[]), ["[Int(0)]"], "nothing was made anew");
        }
        drop(session);
        running.close().unwrap();
    }
}

#[test]
fn a_folder_in_use_is_refused_and_whoever_uses_it_goes_on() {
    let case = Case::new(&[("wait", "poll")]);
    let Some(running) = case.managed() else { return };
    fill(&*running, 10);
    let mut session = running.session(0).unwrap();
    for _ in 0..2 {
        let why = Mariadb.open(&case.wanted()).err().unwrap();
        assert!(why.why.contains("another cpulens uses"), "{why}");
        assert!(why.why.contains(&*case.folder.path().display().to_string()), "{why}");
        assert!(why.remedy.unwrap().contains("--data"));
        assert_eq!(rows(&mut *session, "SELECT COUNT(*) FROM t", &[]), ["[Int(10)]"]);
    }
    let server = pid(&*running);
    assert!(alive(server));
    // The lock is ours alone: the server has not inherited it.
    let lock = case.folder.path().join("server/lock");
    let open = fs::read_dir(format!("/proc/{server}/fd")).unwrap();
    let open: Vec<_> = open.filter_map(|fd| fs::read_link(fd.unwrap().path()).ok()).collect();
    assert!(lock.exists() && !open.contains(&lock), "{open:?}");
    // Closed is closed, whoever still remembers a session.
    running.close().unwrap();
    let running = Mariadb.open(&case.wanted()).unwrap();
    assert!(session.run("SELECT 1").is_err());
    running.close().unwrap();
}

/// One that waits while others load is not closed.
#[test]
fn connections_may_be_idle_where_servers_are_impatient() {
    let case = Case::new(&[("wait", "poll")]);
    let Some(running) = case.managed() else { return };
    running.session(0).unwrap().run("SET GLOBAL wait_timeout=1").unwrap();
    let socket = case.folder.path().join("server/socket");
    let socket = socket.to_str().unwrap();
    let root = Case::new(&[("socket", socket), ("user", "root"), ("database", "cpulens")]);
    let attached = Mysql.open(&root.wanted()).unwrap();
    let mut loader = attached.loader(0).unwrap();
    let mut session = attached.session(0).unwrap();
    thread::sleep(Duration::from_secs(2));
    loader.run("CREATE TABLE late (id INT)").unwrap();
    assert_eq!(rows(&mut *session, "SELECT COUNT(*) FROM late", &[]), ["[Int(0)]"]);
    assert!(!attached.counts().is_empty(), "it asks for them by a connection of its own");
    attached.loaded().unwrap();
    drop((loader, session));
    attached.close().unwrap();
    running.close().unwrap();
}

#[test]
fn values_go_there_and_come_back() {
    let case = Case::new(&[("wait", "spin")]);
    let Some(running) = case.managed() else { return };
    let mut session = running.session(0).unwrap();
    let sql = "CREATE TABLE v (i BIGINT, r DOUBLE, m DECIMAL(12,2), t VARCHAR(500), d DATETIME, s TINYINT UNSIGNED)";
    session.run(sql).unwrap();
    let insert = session.prepare("INSERT INTO v VALUES (?,?,?,?,?,?)").unwrap();
    let long = "x".repeat(400);
    let values = [
        Value::Int(-5),
        Value::Real(0.25),
        Value::Real(1234.5),
        Value::Text(&long),
        Value::Text("2026-11-22 03:40:00"),
        Value::Int(255),
    ];
    assert_eq!(session.execute(insert, &values, &mut |_| {}).unwrap(), 1);
    assert_eq!(session.execute(insert, &[Value::Null; 6], &mut |_| {}).unwrap(), 1);
    assert_eq!(
        session.execute(insert, &values, &mut |_| {}).unwrap(),
        1,
        "types again after NULLs"
    );
    let select = session.prepare("SELECT * FROM v WHERE i=?").unwrap();
    let mut seen = 0;
    session
        .execute(select, &[Value::Int(-5)], &mut |row| {
            seen += 1;
            assert_eq!(row, &values);
        })
        .unwrap();
    assert_eq!(seen, 2);
    let nulls = "[Null, Null, Null, Null, Null, Null]";
    assert_eq!(rows(&mut *session, "SELECT * FROM v WHERE i IS NULL", &[]), [nulls]);
    let update = session.prepare("UPDATE v SET s=1 WHERE i=?").unwrap();
    assert_eq!(session.execute(update, &[Value::Int(-5)], &mut |_| {}).unwrap(), 2);
    assert!(session.execute(update, &[], &mut |_| {}).is_err(), "a parameter is missing");
    let error = session.prepare("SELECT nonsense FROM nowhere").unwrap_err();
    assert_eq!((error.class, error.code), (Class::Fatal, 1146));
    assert_eq!(rows(&mut *session, "SELECT 1", &[]), ["[Int(1)]"], "an error is no end");
    running.close().unwrap();
}

#[test]
fn procedures_answer_with_rows() {
    let case = Case::new(&[("wait", "poll")]);
    let Some(running) = case.managed() else { return };
    assert!(running.procedures());
    let mut session = running.session(0).unwrap();
    session.run("CREATE TABLE p (n INT)").unwrap();
    session
        .run("CREATE PROCEDURE put(IN a INT, IN b INT) BEGIN INSERT INTO p VALUES (a),(b); SELECT a+b, 'done'; END")
        .unwrap();
    let call = session.prepare("CALL put(?,?)").unwrap();
    for _ in 0..3 {
        let mut answer = vec![];
        let values = [Value::Int(3), Value::Int(4)];
        session.execute(call, &values, &mut |row| answer.push(format!("{row:?}"))).unwrap();
        assert_eq!(answer, ["[Int(7), Text(\"done\")]"]);
    }
    assert_eq!(rows(&mut *session, "SELECT COUNT(*) FROM p", &[]), ["[Int(6)]"]);
    running.close().unwrap();
}

#[test]
fn lookups_find_every_row_however_they_wait() {
    let plain = Case::new(&[("wait", "poll")]);
    let Some(running) = plain.managed() else { return };
    fill(&*running, 100);
    running.close().unwrap();
    let ways = [
        ("poll", "prepared", "socket", 1),
        ("poll", "text", "socket", 1),
        ("poll", "prepared", "socket", 3),
        ("epoll", "prepared", "socket", 4),
        ("epoll", "text", "tcp", 4),
        ("spin", "prepared", "socket", 4),
        ("spin", "text", "socket", 1),
        ("spin", "prepared", "tcp", 1),
    ];
    for (wait, protocol, transport, connections) in ways {
        let mut case =
            Case::new(&[("wait", wait), ("protocol", protocol), ("transport", transport)]);
        // The same data, without loading them again.
        case.folder = tempfile::tempdir().unwrap();
        let wanted = Wanted { folder: plain.folder.path(), ..case.wanted() };
        let running = Mariadb.open(&wanted).unwrap();
        assert_eq!(running.identity().settings["transport"], transport);
        let mut lookups = running.lookups(0, connections, "SELECT c FROM t WHERE id=?").unwrap();
        assert_eq!(lookups.connections(), connections);
        // What each connection was asked last; 0 is nothing.
        let asked: Vec<Cell<i64>> = vec![Cell::new(0); connections];
        let (sent, found, missing) = (Cell::new(0), Cell::new(0), Cell::new(0));
        let answered = |connection: usize, text: Option<&str>| {
            let id = asked[connection].replace(0);
            match id {
                0 => panic!("connection {connection} was asked nothing: {text:?}"),
                101 => {
                    assert_eq!(text, None, "{wait} {protocol} {transport}");
                    missing.set(missing.get() + 1);
                }
                _ => {
                    let right = format!("text {id}");
                    assert_eq!(text, Some(&*right), "{wait} {protocol} {transport}");
                    found.set(found.get() + 1);
                }
            }
        };
        let mut next = |connection: usize| {
            sent.set(sent.get() + 1);
            let id = sent.get() % 101 + 1; // 101 is no row
            asked[connection].set(id);
            id
        };
        while sent.get() < 300 {
            lookups.turn(&mut next, &mut |connection, text| answered(connection, text)).unwrap();
        }
        assert_eq!(lookups.idle().is_some(), wait == "spin");
        lookups.drain(&mut |connection, text| answered(connection, text)).unwrap();
        assert_eq!(found.get() + missing.get(), sent.get(), "{wait} {protocol} {transport}");
        assert!(missing.get() >= 2 && found.get() > 250, "{found:?} {missing:?}");
        drop(lookups);
        running.close().unwrap();
    }
}

#[test]
fn deadlocks_and_lock_timeouts_have_their_class_and_can_be_tried_again() {
    let case = Case::new(&[("wait", "poll")]);
    let Some(running) = case.managed() else { return };
    fill(&*running, 2);
    let lock = "SELECT c FROM t WHERE id=? FOR UPDATE";
    let mut first = running.session(0).unwrap();
    first.run("SET innodb_lock_wait_timeout=1").unwrap();
    let of_first = first.prepare(lock).unwrap();
    let take = |session: &mut dyn Session, statement, id| {
        session.execute(statement, &[Value::Int(id)], &mut |_| {})
    };
    let mut second = running.session(1).unwrap();
    let of_second = second.prepare(lock).unwrap();
    second.begin(true).unwrap();
    take(&mut *second, of_second, 2).unwrap();
    first.begin(true).unwrap();
    take(&mut *first, of_first, 1).unwrap();
    let waited = take(&mut *first, of_first, 2).unwrap_err();
    assert_eq!((waited.class, waited.code), (Class::LockTimeout, 1205));
    assert!(waited.class.is_retryable());
    first.run("SET innodb_lock_wait_timeout=50").unwrap();
    // Now each waits for the other; one of them is chosen.
    let other = thread::scope(|scope| {
        let running = &*running;
        let (go, gone) = std::sync::mpsc::channel();
        let waits = scope.spawn(move || {
            let mut third = running.session(2).unwrap();
            let statement = third.prepare(lock).unwrap();
            // It has the row of nobody, and then wants that of the first.
            third.begin(true).unwrap();
            go.send(()).unwrap();
            let got = take(&mut *third, statement, 1);
            third.rollback().unwrap();
            got.map(drop).map_err(|e| e.class)
        });
        gone.recv().unwrap();
        thread::sleep(Duration::from_millis(100));
        first.rollback().unwrap();
        waits.join().unwrap()
    });
    assert_eq!(other, Ok(()));
    second.rollback().unwrap();
    // A deadlock proper: 1 then 2 against 2 then 1.
    let outcomes = thread::scope(|scope| {
        let barrier = std::sync::Arc::new(std::sync::Barrier::new(2));
        let workers: Vec<_> = [(1, 2), (2, 1)]
            .into_iter()
            .map(|(one, two)| {
                let (running, barrier) = (&*running, std::sync::Arc::clone(&barrier));
                scope.spawn(move || {
                    let mut session = running.session(3).unwrap();
                    let statement = session.prepare(lock).unwrap();
                    session.begin(true).unwrap();
                    take(&mut *session, statement, one).unwrap();
                    barrier.wait();
                    let got = take(&mut *session, statement, two);
                    session.rollback().unwrap();
                    // The same transaction once more.
                    session.begin(true).unwrap();
                    take(&mut *session, statement, one).unwrap();
                    session.commit().unwrap();
                    got.map(drop).map_err(|e| (e.class, e.code))
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
    });
    let victims: Vec<_> = outcomes.iter().filter_map(|o| o.err()).collect();
    assert_eq!(victims, [(Class::Deadlock, 1213)], "{outcomes:?}");
    running.close().unwrap();
}

#[test]
fn a_server_that_is_killed_in_mid_run_is_told_by_its_signal() {
    let case = Case::new(&[("wait", "epoll")]);
    let Some(running) = case.managed() else { return };
    fill(&*running, 10);
    let mut lookups = running.lookups(0, 2, "SELECT c FROM t WHERE id=?").unwrap();
    let mut session = running.session(1).unwrap();
    lookups.turn(&mut |_| 1, &mut |_, _| {}).unwrap();
    signal(pid(&*running), "-9");
    let error = loop {
        if let Err(error) = lookups.turn(&mut |_| 1, &mut |_, _| {}) {
            break error;
        }
    };
    assert_eq!(error.class, Class::Lost);
    assert!(error.reason.why.contains("was killed by signal 9"), "{error}");
    let error = session.begin(true).unwrap_err();
    assert!(error.reason.why.contains("was killed by signal 9"), "{error}");
    let error = running.session(2).err().unwrap();
    assert!(error.reason.why.contains("was killed by signal 9"), "{error}");
    assert!(running.counts().is_empty());
    assert!(running.close().is_err(), "it did not stop as it should");
}

#[test]
fn a_server_that_cannot_start_says_why() {
    let case = Case::new(&[]);
    let Some(running) = case.managed() else { return };
    running.close().unwrap();
    // Its system tables are garbled.
    let data = case.folder.path().join("server/data/ibdata1");
    fs::write(&data, "nonsense").unwrap();
    let why = Mariadb.open(&case.wanted()).err().unwrap();
    assert!(why.why.contains("ended with status") && why.why.contains("[ERROR]"), "{why}");
    let wrong = Case::new(&[("server", "/no/such/server")]);
    assert!(Mariadb.lacks(&wrong.wanted()).unwrap().why.contains("/no/such/server"));
    let mut huge = Case::new(&[]);
    huge.bytes = 1 << 50;
    assert!(Mariadb.open(&huge.wanted()).err().unwrap().remedy.is_some());
}

/// A server that runs already, its passwords, and that it is left as it was.
#[test]
fn a_server_of_others_is_asked_and_left_alone() {
    let ours = Case::new(&[("transport", "tcp")]);
    let Some(running) = ours.managed() else { return };
    let socket = ours.folder.path().join("server/socket");
    let socket = socket.to_str().unwrap();
    let root = Case::new(&[("socket", socket), ("user", "root"), ("database", "cpulens")]);
    let attached = Mysql.open(&root.wanted()).unwrap();
    assert_eq!(pid(&*attached), pid(&*running), "who listens is known");
    let mut session = attached.session(0).unwrap();
    session.run("CREATE USER 'me'@'localhost' IDENTIFIED BY 's3cret'").unwrap();
    session.run("GRANT ALL ON cpulens.* TO 'me'@'localhost'").unwrap();
    drop(session);
    attached.close().unwrap();
    assert!(alive(pid(&*running)));

    let file = ours.folder.path().join("mine.cnf");
    let secret = |password: &str| {
        fs::write(
            &file,
            format!("[client]\nuser=me\npassword={password}\nsocket={socket}\ndatabase=cpulens\n"),
        )
        .unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        fs::set_permissions(&file, mode).unwrap();
        let case = Case::new(&[("option_file", file.to_str().unwrap())]);
        Mysql.open(&case.wanted())
    };
    let open = secret("s3cret").unwrap();
    // Whatever is recorded of it, the password is not.
    assert!(!format!("{:?}", open.identity()).contains("s3cret"));
    let own = fs::read("/proc/self/cmdline").unwrap();
    assert!(!String::from_utf8_lossy(&own).contains("s3cret"));
    drop(open);
    let wrong = secret("wr0ng").err().unwrap();
    assert!(wrong.why.contains("does not let me in with the password given"), "{wrong}");
    assert!(!wrong.why.contains("wr0ng") && wrong.remedy.unwrap().contains("MYSQL_PWD"));
    let without = Case::new(&[("socket", socket), ("user", "root")]);
    assert!(Mysql.lacks(&without.wanted()).unwrap().why.contains("which database"));
    let none = Case::new(&[("socket", socket), ("user", "root"), ("database", "nowhere")]);
    let none = Mysql.open(&none.wanted()).err().unwrap();
    assert!(none.why.contains("Unknown database"), "{none}");
    running.close().unwrap();
}

/// A server that accepts one connection after the other and sends these bytes to each: its address, and all that it is told.
fn false_server(bytes: Vec<u8>) -> (String, Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (tell, told) = channel();
    thread::spawn(move || {
        for stream in listener.incoming().take(3) {
            let mut stream = stream.unwrap();
            let _ = stream.write_all(&bytes);
            let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
            let (mut all, mut some) = (vec![], [0; 4096]);
            while let Ok(count @ 1..) = stream.read(&mut some) {
                all.extend_from_slice(&some[..count]);
            }
            if tell.send(all).is_err() {
                break;
            }
        }
    });
    (format!("mysql://me@127.0.0.1:{port}/d"), told)
}
fn attach(address: &str) -> String {
    let case = Case::new(&[("address", address)]);
    Mysql.open(&case.wanted()).err().unwrap().to_string()
}
fn packet(number: u8, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_le_bytes();
    [&length[..3], &[number], payload].concat()
}
fn greeting() -> Vec<u8> {
    let start = b"\x0a8.0.36\0\x01\0\0\0abcdefgh\0\xff\xf7\xff\x02\0\xff\xdf\x15\0\0\0\0\0\0\0\0\0\0abcdefghijkl\0mysql_native_password\0";
    packet(0, start)
}

#[test]
fn who_is_no_server_is_told_so() {
    let unused = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let refused = attach(&format!("mysql://me@127.0.0.1:{unused}/d"));
    assert!(
        refused.contains("cannot be reached") && refused.contains("nobody listens there"),
        "{refused}"
    );
    let missing = Case::new(&[("socket", "/no/such/socket"), ("user", "me"), ("database", "d")]);
    let missing = Mysql.open(&missing.wanted()).err().unwrap().to_string();
    assert!(missing.contains("/no/such/socket"), "{missing}");
    let strange: Vec<Vec<u8>> = vec![
        b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec(),
        vec![],
        packet(0, &[]),
        packet(0, &[9]),
        vec![0xff; 64],
        packet(0, b"\xff\x69\x04Host is blocked"),
        [greeting(), packet(2, &[])].concat(),
        [greeting(), packet(2, &[1])].concat(),
        [greeting(), packet(2, &[0xfe])].concat(),
        [greeting(), packet(2, b"\xff\x15\x04#28000Access denied")].concat(),
        // It lets us in, and is asked for its version.
        [greeting(), packet(2, &[0, 0, 0, 2, 0, 0, 0]), packet(1, &[])].concat(),
        [greeting(), packet(2, &[0, 0, 0, 2, 0, 0, 0]), packet(1, b"\xfb/etc/passwd")].concat(),
        [greeting(), packet(2, &[0, 0, 0, 2, 0, 0, 0]), packet(1, &[1]), packet(2, &[1])].concat(),
    ];
    for bytes in strange {
        let (address, told) = false_server(bytes.clone());
        let said = attach(&address);
        // No word of ours is about our own insides.
        let plain = ["panicked", "unwrap", "index out of"].iter().all(|word| !said.contains(word));
        assert!(said.len() > 20 && plain, "{bytes:?}: {said}");
        // Whatever it asks for, it is given no file.
        let told = told.recv_timeout(Duration::from_secs(60)).unwrap();
        assert!(!String::from_utf8_lossy(&told).contains("root:"), "{bytes:?}");
    }
}
