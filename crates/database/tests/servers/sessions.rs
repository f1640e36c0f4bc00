//! Sessions: values, procedures, waits, deadlocks.
use super::*;

#[test]
fn values_are_stored_and_read() {
    let case = Case::new(EngineOptions { wait: Some(WaitMode::Spin), ..EngineOptions::default() });
    let Some(instance) = case.start() else { return };
    let mut session = instance.session(0).unwrap();
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
    assert_eq!((error.class, error.code), (ErrorClass::Fatal, 1146));
    assert_eq!(rows(&mut *session, "SELECT 1", &[]), ["[Int(1)]"], "the session survives an error");
    instance.close().unwrap();
}

#[test]
fn procedures_return_rows() {
    let case = Case::poll();
    let Some(instance) = case.start() else { return };
    assert!(instance.has_procedures());
    let mut session = instance.session(0).unwrap();
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
    instance.close().unwrap();
}

#[test]
fn lookups_find_every_row_in_every_wait_mode() {
    let plain = Case::poll();
    let Some(instance) = plain.start() else { return };
    fill(&*instance, 100);
    instance.close().unwrap();
    use {Protocol::*, Transport::*, WaitMode::*};
    for (wait, protocol, transport, connections) in [
        (Poll, Prepared, Socket, 1),
        (Poll, Text, Socket, 1),
        (Poll, Prepared, Socket, 3),
        (Epoll, Prepared, Socket, 4),
        (Epoll, Text, Tcp, 4),
        (Spin, Prepared, Socket, 4),
        (Spin, Text, Socket, 1),
        (Spin, Prepared, Tcp, 1),
    ] {
        let mut options = plain.open_options();
        options.options = EngineOptions {
            wait: Some(wait),
            protocol: Some(protocol),
            transport: Some(transport),
            ..EngineOptions::default()
        };
        let instance = Mariadb.open(&options).unwrap();
        assert_eq!(instance.info().settings["transport"], record::stored_name(&transport));
        let label = format!("{wait:?} {protocol:?} {transport:?}");
        let mut lookups = instance.lookups(0, connections, "SELECT c FROM t WHERE id=?").unwrap();
        assert_eq!(lookups.connections(), connections);
        // The key in flight on each connection; 0 for none.
        let in_flight: Vec<Cell<i64>> = vec![Cell::new(0); connections];
        let (sent, found, missing) = (Cell::new(0), Cell::new(0), Cell::new(0));
        let answered = |connection: usize, text: Option<&str>| {
            let id = in_flight[connection].replace(0);
            match id {
                0 => panic!("connection {connection} has no request: {text:?}"),
                101 => {
                    assert_eq!(text, None, "{label}");
                    missing.set(missing.get() + 1);
                }
                _ => {
                    let right = format!("text {id}");
                    assert_eq!(text, Some(&*right), "{label}");
                    found.set(found.get() + 1);
                }
            }
        };
        let mut next = |connection: usize| {
            sent.set(sent.get() + 1);
            let id = sent.get() % 101 + 1; // 101 is no row
            in_flight[connection].set(id);
            id
        };
        while sent.get() < 300 {
            lookups
                .exchange(&mut next, &mut |connection, text| answered(connection, text))
                .unwrap();
        }
        assert_eq!(lookups.idle().is_some(), wait == Spin);
        lookups.drain(&mut |connection, text| answered(connection, text)).unwrap();
        assert_eq!(found.get() + missing.get(), sent.get(), "{label}");
        assert!(missing.get() >= 2 && found.get() > 250, "{found:?} {missing:?}");
        drop(lookups);
        instance.close().unwrap();
    }
}

#[test]
fn deadlocks_and_lock_timeouts_are_classified_and_retryable() {
    let case = Case::poll();
    let Some(instance) = case.start() else { return };
    fill(&*instance, 2);
    let lock = "SELECT c FROM t WHERE id=? FOR UPDATE";
    let mut first = instance.session(0).unwrap();
    first.run("SET innodb_lock_wait_timeout=1").unwrap();
    let of_first = first.prepare(lock).unwrap();
    let take = |session: &mut dyn Session, statement, id| {
        session.execute(statement, &[Value::Int(id)], &mut |_| {})
    };
    let mut watcher = instance.session(4).unwrap();
    let mut second = instance.session(1).unwrap();
    let of_second = second.prepare(lock).unwrap();
    second.begin(true).unwrap();
    take(&mut *second, of_second, 2).unwrap();
    first.begin(true).unwrap();
    take(&mut *first, of_first, 1).unwrap();
    let waited = take(&mut *first, of_first, 2).unwrap_err();
    assert_eq!((waited.class, waited.code), (ErrorClass::LockTimeout, 1205));
    assert!(waited.class.is_retryable());
    first.run("SET innodb_lock_wait_timeout=50").unwrap();
    // A third waits for the first, which rolls back.
    let other = thread::scope(|scope| {
        let instance = &*instance;
        let (go, gone) = std::sync::mpsc::channel();
        let waits = scope.spawn(move || {
            let mut third = instance.session(2).unwrap();
            let statement = third.prepare(lock).unwrap();
            third.begin(true).unwrap();
            go.send(()).unwrap();
            let got = take(&mut *third, statement, 1);
            third.rollback().unwrap();
            got.map(drop).map_err(|e| e.class)
        });
        gone.recv().unwrap();
        let waiting = "SELECT 1 FROM information_schema.innodb_trx WHERE trx_state='LOCK WAIT'";
        // InnoDB keeps what it last showed for as long as it is read more often than every 100 ms.
        while rows(&mut *watcher, waiting, &[]).is_empty() {
            assert!(!waits.is_finished(), "the third did not wait");
            thread::sleep(Duration::from_millis(150));
        }
        first.rollback().unwrap();
        waits.join().unwrap()
    });
    assert_eq!(other, Ok(()));
    second.rollback().unwrap();
    // A deadlock: 1 then 2 against 2 then 1.
    let outcomes = thread::scope(|scope| {
        let barrier = std::sync::Arc::new(std::sync::Barrier::new(2));
        let workers: Vec<_> = [(1, 2), (2, 1)]
            .into_iter()
            .map(|(one, two)| {
                let (instance, barrier) = (&*instance, std::sync::Arc::clone(&barrier));
                scope.spawn(move || {
                    let mut session = instance.session(3).unwrap();
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
    assert_eq!(victims, [(ErrorClass::Deadlock, 1213)], "{outcomes:?}");
    instance.close().unwrap();
}
