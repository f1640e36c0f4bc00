//! The workloads on a server of ours, where one is installed (`cargo xtask setup`): loaded once, the same data whichever way is
//! asked, the conditions kept, also by several workers at once.
#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]
use database::{
    engine::{Dialect, Engine, Running, Wanted},
    engines::mariadb::Mariadb,
    insert::Insert,
    point_select,
    prepare::{Data, Found, prepare, spoil},
    session::{Session, Value},
    tpcc::{
        self, Binding, Check, Ending, Kind, Mix, Scale, Terminal, Way, Worker, check, next_orders,
    },
};
use record::CpuSet;
use std::{collections::BTreeMap, io::Write, path::Path, sync::atomic::AtomicBool, thread};

const SMALL: Scale = Scale { warehouses: 2, items: 500, customers: 60 };

/// A server, or a word on why there is none and nothing.
fn open(folder: &Path, workload: &str, begin: &str) -> Option<Box<dyn Running>> {
    let cpus = CpuSet::default();
    let options =
        BTreeMap::from([("wait".into(), "poll".into()), ("begin".into(), begin.to_owned())]);
    let wanted = Wanted {
        workload,
        mode: "shared",
        folder,
        bytes: 32 << 20,
        threads: 4,
        connections: 4,
        cpus: &cpus,
        nodes: &cpus,
        options: &options,
    };
    if let Some(why) = Mariadb.lacks(&wanted) {
        let _ = writeln!(std::io::stderr(), "skipped: {why}");
        return None;
    }
    Some(Mariadb.open(&wanted).unwrap())
}

fn ready(running: &dyn Running, data: &Data, found: Found) -> Result<bool, String> {
    let cancel = AtomicBool::new(false);
    let ready = prepare(running, (data, 1), found, &cancel, &mut |_| ());
    ready.map(|ready| ready.found).map_err(|why| why.why)
}

fn number(session: &mut dyn Session, sql: &str) -> f64 {
    let statement = session.prepare(sql).unwrap();
    let mut found = None;
    session.execute(statement, &[], &mut |row| found = row.first().and_then(|v| v.real())).unwrap();
    found.unwrap()
}

fn worker(index: usize, way: Way) -> Worker {
    Worker {
        index,
        scale: SMALL,
        way,
        mix: Mix::default(),
        binding: Binding::Random,
        seed: 5 + index as u64,
        now: "2026-01-02 03:04:05".into(),
    }
}

#[test]
fn rows_are_loaded_once_and_found() {
    let folder = tempfile::tempdir().unwrap();
    let Some(running) = open(folder.path(), "point_select", "statement") else { return };
    let data = Data::PointSelect { rows: 5500 };
    assert_eq!(ready(&*running, &data, Found::Ours), Ok(false));
    assert_eq!(ready(&*running, &data, Found::Ours), Ok(true));
    let mut lookups = running.lookups(0, 1, point_select::STATEMENT).unwrap();
    let (mut id, mut right) = (0, 0);
    while right < 5500 {
        lookups
            .turn(
                &mut |_| {
                    id += 1;
                    id
                },
                &mut |_, text| right += i32::from(text.is_some_and(point_select::is_c)),
            )
            .unwrap();
    }
    drop(lookups);
    let mut session = running.loader(0).unwrap();
    session.run("CREATE TABLE accounts (id INTEGER)").unwrap();
    session.run("DROP TABLE cpulens_data").unwrap();
    drop(session);
    let why = ready(&*running, &data, Found::Ours).unwrap_err();
    assert!(why.contains("accounts"), "{why}");
    let mut session = running.loader(0).unwrap();
    session.run("DROP TABLE accounts").unwrap();
    drop(session);

    // Two workloads in one database: each has its stamp, and each its tables.
    assert_eq!(ready(&*running, &data, Found::Replace), Ok(false));
    let other = Data::Tpcc { scale: SMALL };
    assert_eq!(ready(&*running, &other, Found::Ours), Ok(false));
    assert_eq!(ready(&*running, &data, Found::Ours), Ok(true));
    assert_eq!(ready(&*running, &other, Found::Ours), Ok(true));
    spoil(&*running, &data).unwrap();
    assert_eq!(ready(&*running, &other, Found::Ours), Ok(true));
    assert_eq!(ready(&*running, &data, Found::Ours), Ok(false), "they were no longer right");
    // A stamp of one makes no table of the other ours.
    let mut session = running.loader(0).unwrap();
    session.run("DELETE FROM cpulens_data WHERE what LIKE 'tpcc%'").unwrap();
    drop(session);
    let why = ready(&*running, &other, Found::Ours).unwrap_err();
    assert!(why.contains("did not make") && !why.contains("sbtest1"), "{why}");
    running.close().unwrap();
}

/// Lines and statements leave the same rows; a server that takes no lines is loaded all the same, and none loses any in silence.
#[test]
fn rows_are_the_same_whether_the_server_takes_lines_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let Some(running) = open(folder.path(), "tpcc", "statement") else { return };
    let mut sums = vec![];
    for takes in [1, 0] {
        let mut session = running.loader(0).unwrap();
        session.run(&format!("SET GLOBAL local_infile = {takes}")).unwrap();
        let inserts = |session: &mut dyn Session| {
            let sql = "SELECT variable_value + 0 FROM information_schema.global_status \
                       WHERE variable_name = 'com_load'";
            number(session, sql)
        };
        let before = inserts(&mut *session);
        if takes == 0 {
            spoil(&*running, &Data::Tpcc { scale: SMALL }).unwrap();
        }
        assert_eq!(ready(&*running, &Data::Tpcc { scale: SMALL }, Found::Ours), Ok(false));
        let used = inserts(&mut *session) - before;
        // Each loader asks once.
        assert_eq!(used > 10.0, takes == 1, "{used}");
        let tables =
            "warehouse, district, customer, history, new_order, orders, order_line, stock, item";
        let statement = session.prepare(&format!("CHECKSUM TABLE {tables}")).unwrap();
        let mut each = vec![];
        session.execute(statement, &[], &mut |row| each.push(format!("{:?}", &row[..2]))).unwrap();
        assert_eq!(each.len(), 9);
        sums.push(each);
    }
    assert_eq!(sums[0], sums[1]);
    let mut session = running.loader(0).unwrap();
    session.run("SET GLOBAL local_infile = 1").unwrap();
    let mut again = |columns: &[&str], row: &[Value<'_>]| {
        let mut rows = Insert::new(&mut *session, Dialect::Mysql, "new_order", columns).unwrap();
        rows.row(row).unwrap();
        rows.finish().unwrap_err().reason.why
    };
    let columns = ["no_o_id", "no_d_id", "no_w_id"];
    let why = again(&columns, &[Value::Int(60), Value::Int(1), Value::Int(1)]);
    assert!(why.contains("took 0 of 1 rows"), "the row is there already: {why}");
    let why = again(&columns, &[Value::Int(1 << 40), Value::Int(1), Value::Int(1)]);
    assert!(why.contains("with 1 warnings"), "the number is too large: {why}");
    session.run("SELECT 1").unwrap();
    drop(session);
    running.close().unwrap();
}

/// No table keeps the statistics that it had when it was empty, those that get no index after loading included.
#[test]
fn tables_have_statistics_after_loading() {
    let folder = tempfile::tempdir().unwrap();
    let Some(running) = open(folder.path(), "tpcc", "statement") else { return };
    let cancel = AtomicBool::new(false);
    let data = (&Data::Tpcc { scale: SMALL }, 1);
    let loaded = prepare(&*running, data, Found::Ours, &cancel, &mut |_| ()).unwrap();
    assert_eq!((loaded.found, loaded.notes), (false, vec![]));
    let mut session = running.loader(0).unwrap();
    let mut known = |table: &str| {
        let sql = format!(
            "SELECT n_rows FROM mysql.innodb_table_stats \
             WHERE database_name = DATABASE() AND table_name = '{table}'"
        );
        number(&mut *session, &sql)
    };
    let unknown: Vec<_> = tpcc::TABLES.iter().filter(|table| known(table) < 2.0).collect();
    assert_eq!(unknown, [&""; 0]);
    drop(session);
    running.close().unwrap();
}

/// A server that was started anew has read its tables before anybody is timed.
#[test]
fn tables_that_are_found_are_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let data = Data::Tpcc { scale: SMALL };
    let Some(running) = open(folder.path(), "tpcc", "statement") else { return };
    assert_eq!(ready(&*running, &data, Found::Ours), Ok(false));
    running.close().unwrap();
    let running = open(folder.path(), "tpcc", "statement").unwrap();
    assert_eq!(ready(&*running, &data, Found::Ours), Ok(true));
    let mut session = running.session(0).unwrap();
    let read = "SELECT variable_value + 0 FROM information_schema.global_status \
                WHERE variable_name = 'innodb_buffer_pool_reads'";
    let before = number(&mut *session, read);
    assert!(number(&mut *session, "SELECT SUM(LENGTH(c_data)) FROM customer") > 0.0);
    assert!(number(&mut *session, "SELECT SUM(LENGTH(s_data)) FROM stock") > 0.0);
    assert_eq!(number(&mut *session, read), before);
    drop(session);
    running.close().unwrap();
}

#[test]
fn all_ways_leave_the_same_data_and_the_conditions_hold() {
    let begins = ["elided", "elided", "ping", "statement"];
    let ways = Way::ALL.into_iter().zip(begins);
    let mut sums = vec![];
    let folder = tempfile::tempdir().unwrap();
    for (way, begin) in ways {
        let Some(running) = open(folder.path(), "tpcc", begin) else { return };
        // Each begins with the same data.
        if !sums.is_empty() {
            spoil(&*running, &Data::Tpcc { scale: SMALL }).unwrap();
        }
        assert_eq!(ready(&*running, &Data::Tpcc { scale: SMALL }, Found::Ours), Ok(false));
        let mut session = running.session(0).unwrap();
        let before = next_orders(&mut *session).unwrap();
        let mut terminal = Terminal::new(session, running.dialect(), &worker(0, way)).unwrap();
        let (mut orders, mut undone) = (0, 0);
        for _ in 0..1000 {
            let turn = terminal.turn().unwrap();
            match (turn.kind, turn.ending) {
                (Kind::NewOrder, Ending::Committed) => orders += 1,
                (Kind::NewOrder, Ending::RolledBack) => undone += 1,
                (_, ending) => assert_eq!(ending, Ending::Committed),
            }
        }
        drop(terminal);
        assert!((1..20).contains(&undone), "{way:?} {undone}");
        let mut session = running.session(0).unwrap();
        assert_eq!(next_orders(&mut *session).unwrap() - before, orders, "{way:?}");
        assert_eq!(check(&mut *session, &SMALL, Check::All).unwrap(), [], "{way:?}");
        let all = [
            "SELECT SUM(s_quantity * 7 + s_ytd * 3 + s_order_cnt + s_remote_cnt) FROM stock",
            "SELECT SUM(ol_amount) + SUM(ol_quantity) + SUM(length(ol_dist_info)) FROM order_line",
            "SELECT SUM(c_balance) + SUM(c_payment_cnt) + SUM(length(c_data)) FROM customer",
            "SELECT SUM(h_amount) + SUM(length(h_data)) FROM history",
            "SELECT SUM(o_carrier_id) + SUM(o_all_local) FROM orders",
        ]
        .map(|sql| number(&mut *session, sql).round());
        sums.push(all);
        drop(session);
        running.close().unwrap();
    }
    assert!(sums.iter().all(|all| *all == sums[0]), "{sums:?}");
}

#[test]
fn several_workers_keep_the_conditions_however_they_collide() {
    let folder = tempfile::tempdir().unwrap();
    let Some(running) = open(folder.path(), "tpcc", "statement") else { return };
    assert_eq!(ready(&*running, &Data::Tpcc { scale: SMALL }, Found::Ours), Ok(false));
    let mut session = running.session(9).unwrap();
    let before = next_orders(&mut *session).unwrap();
    let orders: i64 = thread::scope(|scope| {
        let ways = [Way::RowWise, Way::Batched, Way::Procedure, Way::Batched];
        let workers: Vec<_> = ways
            .into_iter()
            .enumerate()
            .map(|(index, way)| {
                let running = &*running;
                scope.spawn(move || {
                    let session = running.session(index).unwrap();
                    let mut terminal =
                        Terminal::new(session, running.dialect(), &worker(index, way)).unwrap();
                    let turns = (0..400).map(|_| terminal.turn().unwrap());
                    turns
                        .filter(|turn| {
                            (turn.kind, turn.ending) == (Kind::NewOrder, Ending::Committed)
                        })
                        .count() as i64
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    assert_eq!(next_orders(&mut *session).unwrap() - before, orders);
    assert_eq!(check(&mut *session, &SMALL, Check::All).unwrap(), []);
    drop(session);
    running.close().unwrap();
}

#[test]
fn procedures_of_others_stay_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let Some(running) = open(folder.path(), "tpcc", "statement") else { return };
    let mut session = running.loader(0).unwrap();
    // Names that HammerDB and others give theirs.
    for name in ["tpcc_payment", "payment", "neword"] {
        session.run(&format!("CREATE PROCEDURE {name}() SELECT 'theirs'")).unwrap();
    }
    assert_eq!(ready(&*running, &Data::Tpcc { scale: SMALL }, Found::Ours), Ok(false));
    assert_eq!(ready(&*running, &Data::Tpcc { scale: SMALL }, Found::Reuse), Ok(true));
    let count = |session: &mut dyn Session, like: &str| {
        number(
            session,
            &format!(
                "SELECT COUNT(*) FROM information_schema.routines WHERE routine_schema = DATABASE() AND {like}"
            ),
        )
    };
    assert_eq!(count(&mut *session, "routine_definition LIKE '%theirs%'"), 3.0);
    assert_eq!(count(&mut *session, "routine_name LIKE 'cpulens\\_tpcc\\_%'"), 5.0);
    // Stock that is not there is no item that the standard wants to be unknown.
    session.run("DELETE FROM stock").unwrap();
    let worker = Worker { mix: Mix([1, 0, 0, 0, 0]), ..worker(0, Way::Procedure) };
    let own = running.session(0).unwrap();
    let mut terminal = Terminal::new(own, running.dialect(), &worker).unwrap();
    assert!(terminal.turn().unwrap_err().reason.why.contains("stock"));
    drop(terminal);
    drop(session);
    running.close().unwrap();
}
