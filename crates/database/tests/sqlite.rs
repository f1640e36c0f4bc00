//! SQLite as an engine: data are loaded once and as they should be, transactions keep the conditions, and what is wrong is seen.
#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]
use database::{
    engine::{Engine, Running, Wanted},
    engines::sqlite::Sqlite,
    point_select::{self, Ids},
    prepare::{Data, Found, prepare},
    session::{Session, Value},
    tpcc::{Binding, Check, Ending, Kind, Mix, Scale, Terminal, Way, Worker, check, next_orders},
};
use record::CpuSet;
use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Barrier, atomic::AtomicBool},
    thread,
};

const SMALL: Scale = Scale { warehouses: 2, items: 500, customers: 60 };

fn open(folder: &Path, workload: &str, mode: &str) -> Box<dyn Running> {
    let (cpus, options) = (CpuSet::default(), BTreeMap::new());
    let wanted = Wanted {
        workload,
        mode,
        folder,
        bytes: 1,
        threads: 2,
        connections: 2,
        cpus: &cpus,
        nodes: &cpus,
        options: &options,
    };
    assert_eq!(Sqlite.lacks(&wanted), None);
    Sqlite.open(&wanted).unwrap()
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

fn worker(way: Way) -> Worker {
    Worker {
        index: 0,
        scale: SMALL,
        way,
        mix: Mix::default(),
        binding: Binding::Random,
        seed: 5,
        now: "2026-01-02 03:04:05".into(),
    }
}

#[test]
fn rows_are_found_by_every_mode_and_loaded_once() {
    let folder = tempfile::tempdir().unwrap();
    let data = Data::PointSelect { rows: 5500 };
    for (at, mode) in Sqlite.modes("point_select").iter().enumerate() {
        let running = open(folder.path(), "point_select", mode);
        assert_eq!(ready(&*running, &data, Found::Ours), Ok(at > 0), "{mode}");
        let mut lookups = running.lookups(0, 1, point_select::STATEMENT).unwrap();
        let mut ids = Ids::new(point_select::Distribution::Uniform, 5500, 1);
        let mut right = 0;
        for _ in 0..300 {
            lookups
                .turn(&mut |_| ids.draw() as i64, &mut |_, text| {
                    right += i32::from(text.is_some_and(point_select::is_c));
                })
                .unwrap();
        }
        assert_eq!(right, 300, "{mode}");
        let mut none = 0;
        lookups.turn(&mut |_| 5501, &mut |_, text| none += i32::from(text.is_none())).unwrap();
        assert_eq!(none, 1, "there are no more rows");
    }
    let running = open(folder.path(), "point_select", "wal");
    let mut session = running.session(0).unwrap();
    assert_eq!(number(&mut *session, "SELECT COUNT(*) FROM sbtest1"), 5500.0);
    assert_eq!(number(&mut *session, "SELECT COUNT(DISTINCT c) FROM sbtest1"), 5500.0);
    assert_eq!(
        number(&mut *session, "SELECT MIN(length(pad)) + MAX(length(pad)) FROM sbtest1"),
        118.0
    );
    assert_eq!(number(&mut *session, "SELECT COUNT(*) FROM sbtest1 WHERE k < 1 OR k > 5500"), 0.0);
}

/// Bytes that this thread has asked for; nothing where the kernel does not count them.
fn asked_for() -> Option<u64> {
    let counts = std::fs::read_to_string("/proc/thread-self/io").ok()?;
    counts.lines().find_map(|line| line.strip_prefix("rchar:")?.trim().parse().ok())
}

#[test]
fn files_on_a_disk_are_read_before_anybody_is_timed_and_reads_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let disk = host::folders::filesystem(folder.path()).unwrap().kind != "tmpfs";
    let data = Data::PointSelect { rows: 20_000 };
    ready(&*open(folder.path(), "point_select", "shared"), &data, Found::Ours).unwrap();
    let size = std::fs::metadata(folder.path().join("sqlite-point_select.db")).unwrap().len();
    for mode in ["shared", "wal", "own"] {
        let running = open(folder.path(), "point_select", mode);
        let before = asked_for();
        running.warm(point_select::TABLES).unwrap();
        if let Some((then, now)) = before.zip(asked_for()) {
            assert_eq!(now - then >= size, disk, "{mode}: {size} bytes");
        }
        let counts = running.counts();
        let counted = counts.iter().any(|(name, _, n)| *name == "disk_reads" && *n >= 0.0);
        // Copies in memory are read from no disk.
        let may_count = disk && mode != "own" && (mode == "shared" || before.is_some());
        assert_eq!(counted, may_count, "{mode}: {counts:?}");
    }
    let Ok(memory) = tempfile::tempdir_in("/dev/shm") else { return };
    if host::folders::filesystem(memory.path()).unwrap().kind == "tmpfs" {
        let running = open(memory.path(), "point_select", "shared");
        assert_eq!((running.counts(), running.warm(&[])), (vec![], Ok(())));
    }
}

#[test]
fn what_others_made_is_left_alone_unless_it_may_go() {
    let folder = tempfile::tempdir().unwrap();
    let data = Data::PointSelect { rows: 100 };
    let running = open(folder.path(), "point_select", "shared");
    {
        let mut session = running.loader(0).unwrap();
        session.run("CREATE TABLE accounts (id INTEGER)").unwrap();
        session.run("CREATE TABLE sbtest1 (id INTEGER PRIMARY KEY, c TEXT)").unwrap();
    }
    let why = ready(&*running, &data, Found::Ours).unwrap_err();
    assert!(why.contains("accounts"), "{why}");
    let why = ready(&*running, &data, Found::Reuse).unwrap_err();
    assert!(why.contains("hold 0"), "{why}");
    assert_eq!(ready(&*running, &data, Found::Replace), Ok(false));
    let mut session = running.loader(0).unwrap();
    assert_eq!(number(&mut *session, "SELECT COUNT(*) FROM sbtest1"), 100.0);
    assert_eq!(
        number(&mut *session, "SELECT COUNT(*) FROM accounts"),
        0.0,
        "what is not in the way stays"
    );
    drop(session);
    assert_eq!(
        ready(&*running, &Data::PointSelect { rows: 60 }, Found::Reuse),
        Ok(true),
        "more than enough"
    );
}

/// What a loader holds in memory has a bound, however many rows there are: pages, and what an index is sorted in.
#[test]
fn a_loader_holds_a_part_of_the_data_in_memory() {
    let folder = tempfile::Builder::new().prefix("it's").tempdir().unwrap();
    let running = open(folder.path(), "point_select", "shared");
    let mut session = running.loader(0).unwrap();
    let kibibytes = -number(&mut *session, "PRAGMA cache_size");
    assert!((1024.0..=65536.0).contains(&kibibytes), "{kibibytes}");
    assert_eq!(number(&mut *session, "PRAGMA temp_store"), 1.0, "in files");
    // Where they are is one setting of the whole process, in which other tests run, too.
    session.run("CREATE TABLE t (a)").unwrap();
}

#[test]
fn loading_stops_when_it_shall_and_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let running = open(folder.path(), "point_select", "shared");
    let data = Data::PointSelect { rows: 3000 };
    let stop = AtomicBool::new(true);
    assert!(prepare(&*running, (&data, 1), Found::Ours, &stop, &mut |_| ()).is_err());
    assert_eq!(
        ready(&*running, &data, Found::Ours),
        Ok(false),
        "half a load is not taken for a whole"
    );
    assert_eq!(ready(&*running, &data, Found::Ours), Ok(true));
}

#[test]
fn the_journal_is_named_as_sqlite_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let journal = |workload: &str, mode: &str, data: &Data| {
        let running = open(folder.path(), workload, mode);
        ready(&*running, data, Found::Ours).unwrap();
        let mut session = running.session(0).unwrap();
        let statement = session.prepare("PRAGMA journal_mode").unwrap();
        let mut found = String::new();
        let mut take = |row: &[Value<'_>]| found = row[0].text().unwrap().to_owned();
        session.execute(statement, &[], &mut take).unwrap();
        (running.identity().settings["journal"].clone(), found)
    };
    for mode in Sqlite.modes("tpcc") {
        let (told, found) = journal("tpcc", mode, &Data::Tpcc { scale: SMALL });
        assert_eq!(told, found, "{mode}");
    }
    for mode in Sqlite.modes("point_select") {
        let (told, found) = journal("point_select", mode, &Data::PointSelect { rows: 100 });
        // Where nothing is written there is none, whatever there would be.
        assert!(told == found || told == "none" && *mode != "wal", "{mode}: {told} {found}");
    }
}

#[test]
fn the_population_has_the_standards_cardinalities() {
    let folder = tempfile::tempdir().unwrap();
    let running = open(folder.path(), "tpcc", "sharded");
    assert_eq!(ready(&*running, &Data::Tpcc { scale: SMALL }, Found::Ours), Ok(false));
    let mut session = running.session(0).unwrap();
    let mut count = |what: &str| number(&mut *session, &format!("SELECT COUNT(*) FROM {what}"));
    let (w, c) = (SMALL.warehouses as f64, SMALL.customers as f64);
    assert_eq!((count("warehouse"), count("district"), count("item")), (w, 10.0 * w, 500.0));
    assert_eq!(
        (count("customer"), count("history"), count("orders")),
        (10.0 * w * c, 10.0 * w * c, 10.0 * w * c)
    );
    assert_eq!((count("new_order"), count("stock")), (10.0 * w * c * 0.3, 500.0 * w));
    let lines = count("order_line") / count("orders");
    assert!((9.5..10.5).contains(&lines), "{lines}");
    assert_eq!(count("orders WHERE (o_carrier_id IS NULL) = (o_id > 42)"), count("orders"));
    assert_eq!(
        count("(SELECT DISTINCT o_w_id, o_d_id, o_c_id FROM orders)"),
        count("orders"),
        "each customer has one"
    );
    let bad = count("customer WHERE c_credit = 'BC'") / count("customer");
    assert!((0.05..0.15).contains(&bad), "{bad}");
    assert_eq!(check(&mut *session, &SMALL, Check::All).unwrap(), []);
}

#[test]
fn conditions_hold_after_transactions_of_either_way() {
    let folder = tempfile::tempdir().unwrap();
    for (mode, way) in
        [("sharded", Way::RowWise), ("files", Way::Batched), ("shared", Way::Batched)]
    {
        let running = open(folder.path(), "tpcc", mode);
        ready(&*running, &Data::Tpcc { scale: SMALL }, Found::Ours).unwrap();
        let mut session = running.session(0).unwrap();
        let before = next_orders(&mut *session).unwrap();
        let mut terminal = Terminal::new(session, running.dialect(), &worker(way)).unwrap();
        let (mut kinds, mut orders, mut undone) = ([0; 5], 0, 0);
        for _ in 0..3000 {
            let turn = terminal.turn().unwrap();
            kinds[turn.kind as usize] += 1;
            match (turn.kind, turn.ending) {
                (Kind::NewOrder, Ending::Committed) => orders += 1,
                (Kind::NewOrder, Ending::RolledBack) => undone += 1,
                (_, ending) => assert_eq!(ending, Ending::Committed),
            }
        }
        assert_eq!(kinds, [1350, 1290, 120, 120, 120], "{mode}");
        // One in a hundred of 1350, within five standard deviations.
        assert!((1..35).contains(&undone), "{undone}");
        let mut session = terminal.into_session();
        assert_eq!(next_orders(&mut *session).unwrap() - before, orders);
        assert_eq!(check(&mut *session, &SMALL, Check::All).unwrap(), [], "{mode} {way:?}");
        let delivered = number(&mut *session, "SELECT SUM(c_delivery_cnt) FROM customer");
        assert!(delivered >= 360.0, "the 360 new orders of the load go first: {delivered}");
    }
}

#[test]
fn all_ways_leave_the_same_data() {
    let folder = tempfile::tempdir().unwrap();
    let sums = [Way::RowWise, Way::ItemWise, Way::Batched].map(|way| {
        let running = open(folder.path(), "tpcc", "sharded");
        ready(&*running, &Data::Tpcc { scale: SMALL }, Found::Ours).unwrap();
        let session = running.session(0).unwrap();
        let mut terminal = Terminal::new(session, running.dialect(), &worker(way)).unwrap();
        for _ in 0..1000 {
            terminal.turn().unwrap();
        }
        let mut session = terminal.into_session();
        [
            "SELECT SUM(s_quantity * 7 + s_ytd * 3 + s_order_cnt + s_remote_cnt) FROM stock",
            "SELECT SUM(ol_amount) + SUM(ol_quantity) + SUM(length(ol_dist_info)) FROM order_line",
            "SELECT SUM(c_balance) + SUM(c_payment_cnt) + SUM(length(c_data)) FROM customer",
            "SELECT SUM(h_amount) + SUM(length(h_data)) FROM history",
            "SELECT SUM(o_carrier_id) + SUM(o_all_local) FROM orders",
        ]
        .map(|sql| number(&mut *session, sql).round())
    });
    assert!(sums.iter().all(|all| *all == sums[0]), "{sums:?}");
}

#[test]
fn every_condition_fails_on_an_inconsistency() {
    let folder = tempfile::tempdir().unwrap();
    let running = open(folder.path(), "tpcc", "sharded");
    ready(&*running, &Data::Tpcc { scale: SMALL }, Found::Ours).unwrap();
    for (broken, sql) in [
        (1, "UPDATE warehouse SET w_ytd = w_ytd + 1 WHERE w_id = 2"),
        (2, "UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = 1 AND d_id = 3"),
        (3, "DELETE FROM new_order WHERE no_w_id = 1 AND no_d_id = 1 AND no_o_id = 50"),
        (
            4,
            "DELETE FROM order_line WHERE ol_w_id = 1 AND ol_d_id = 1 AND ol_o_id = 7 AND ol_number = 2",
        ),
        (5, "UPDATE orders SET o_carrier_id = NULL WHERE o_w_id = 1 AND o_d_id = 1 AND o_id = 7"),
        (
            6,
            "UPDATE orders SET o_ol_cnt = o_ol_cnt + 1 WHERE o_w_id = 1 AND o_d_id = 1 AND o_id = 7",
        ),
        (
            7,
            "UPDATE order_line SET ol_delivery_d = NULL WHERE ol_w_id = 1 AND ol_d_id = 1 AND ol_o_id = 7",
        ),
        (8, "UPDATE history SET h_w_id = 1 WHERE h_w_id = 2 AND h_c_id = 9"),
        (9, "UPDATE history SET h_d_id = 1 WHERE h_w_id = 2 AND h_d_id = 2 AND h_c_id = 9"),
        (
            10,
            "UPDATE customer SET c_balance = c_balance + 1 WHERE c_w_id = 1 AND c_d_id = 1 AND c_id = 9",
        ),
        (11, "UPDATE customer SET c_delivery_cnt = 1 WHERE c_w_id = 1 AND c_d_id = 1 AND c_id = 9"),
        (12, "UPDATE customer SET c_ytd_payment = 0 WHERE c_w_id = 1 AND c_d_id = 1 AND c_id = 9"),
    ] {
        // A copy of its own for each.
        let mut session = running.session(0).unwrap();
        session.run(sql).unwrap();
        let all = check(&mut *session, &SMALL, Check::All).unwrap();
        assert!(
            all.iter().any(|(number, rows)| *number == broken && *rows > 0),
            "{broken}: {all:?}"
        );
        let four = check(&mut *session, &SMALL, Check::Four).unwrap();
        assert_eq!(four.iter().any(|(number, _)| *number == broken), broken <= 4);
    }
}

/// The first to come switches the file to a log; the others find it so.
#[test]
fn workers_may_all_come_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..40 {
        let running = open(folder.path(), "point_select", "wal");
        ready(&*running, &Data::PointSelect { rows: 100 }, Found::Ours).unwrap();
        let together = Barrier::new(4);
        thread::scope(|scope| {
            for worker in 0..4 {
                let (running, together) = (&*running, &together);
                scope.spawn(move || {
                    together.wait();
                    let session = running.session(worker).map(|_| ());
                    assert_eq!(session.map_err(|e| e.reason.why), Ok(()));
                });
            }
        });
        running.close().unwrap();
    }
}

#[test]
fn two_writers_of_one_file_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let running = open(folder.path(), "tpcc", "shared");
    ready(&*running, &Data::Tpcc { scale: SMALL }, Found::Ours).unwrap();
    let before = next_orders(&mut *running.session(0).unwrap()).unwrap();
    let orders: i64 = std::thread::scope(|scope| {
        let all: Vec<_> = (0..2)
            .map(|index| {
                let running = &running;
                scope.spawn(move || {
                    let session = running.session(index).unwrap();
                    let worker = Worker { index, ..worker(Way::RowWise) };
                    let mut terminal = Terminal::new(session, running.dialect(), &worker).unwrap();
                    let turns = (0..300).map(|_| terminal.turn().unwrap());
                    turns
                        .filter(|t| t.kind == Kind::NewOrder && t.ending == Ending::Committed)
                        .count() as i64
                })
            })
            .collect();
        all.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    let mut session = running.session(0).unwrap();
    assert_eq!(next_orders(&mut *session).unwrap() - before, orders);
    assert_eq!(check(&mut *session, &SMALL, Check::All).unwrap(), []);
}

#[test]
fn values_go_in_and_out_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let running = open(folder.path(), "tpcc", "sharded");
    let mut session = running.loader(0).unwrap();
    session.run("CREATE TABLE t (a INT, b REAL, c TEXT, d INT)").unwrap();
    let insert = session.prepare("INSERT INTO t VALUES (?, ?, ?, ?)").unwrap();
    let row = [Value::Int(-7), Value::Real(0.25), Value::Text("é"), Value::Null];
    assert_eq!(session.execute(insert, &row, &mut |_| ()).unwrap(), 1);
    let select = session.prepare("SELECT * FROM t").unwrap();
    let mut seen = 0;
    session
        .execute(select, &[], &mut |values| {
            assert_eq!(values, row);
            seen += 1;
        })
        .unwrap();
    assert_eq!(seen, 1);
    assert!(session.prepare("SELECT * FROM nowhere").is_err_and(|e| !e.class.is_retryable()));
}
