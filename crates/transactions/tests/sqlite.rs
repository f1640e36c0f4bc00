//! SQLite: data are loaded once and correctly, transactions keep the conditions, and inconsistencies are found.
#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]
mod common;

use common::{
    SMALL, SMALL_TPCC, assert_consistent, assert_none_given_up, new_orders, number, prepared,
    run_transactions, terminal, tpcc_sums,
};
use database::{
    engine::{Engine, Instance, OpenOptions},
    engines::sqlite::Sqlite,
    session::Value,
};
use std::{
    path::Path,
    sync::{Barrier, atomic::AtomicBool},
    thread,
};
use transactions::{
    point_select::{self, Ids},
    prepare::{Dataset, ExistingTables, prepare},
    tpcc::{ConditionSet, StatementStyle, TransactionOutcome, next_orders, violations},
};

fn open(folder: &Path, workload: &str, mode: &str) -> Box<dyn Instance> {
    let folder = folder.to_owned();
    let options =
        OpenOptions { workload, mode, folder, bytes: 1, threads: 2, ..OpenOptions::default() };
    assert_eq!(Sqlite.unavailable(&options), None);
    Sqlite.open(&options).unwrap()
}

/// An instance with TPC-C's tables.
fn open_tpcc(folder: &Path, mode: &str) -> Box<dyn Instance> {
    let instance = open(folder, "tpcc", mode);
    prepared(&*instance, &SMALL_TPCC, ExistingTables::Ours).unwrap();
    instance
}

#[test]
fn rows_are_loaded_once_and_found_in_every_mode() {
    let folder = tempfile::tempdir().unwrap();
    let data = Dataset::PointSelect { rows: 5500 };
    for (at, mode) in Sqlite.modes("point_select").iter().enumerate() {
        let instance = open(folder.path(), "point_select", mode);
        assert_eq!(prepared(&*instance, &data, ExistingTables::Ours), Ok(at > 0), "{mode}");
        let mut lookups = instance.lookups(0, 1, point_select::STATEMENT).unwrap();
        let mut ids = Ids::new(point_select::Distribution::Uniform, 5500, 1);
        let mut right = 0;
        for _ in 0..300 {
            lookups
                .exchange(&mut |_| ids.draw() as i64, &mut |_, text| {
                    right += i32::from(text.is_some_and(point_select::is_c));
                })
                .unwrap();
        }
        assert_eq!(right, 300, "{mode}");
        let mut none = 0;
        lookups.exchange(&mut |_| 5501, &mut |_, text| none += i32::from(text.is_none())).unwrap();
        assert_eq!(none, 1, "there are no more rows");
    }
    let instance = open(folder.path(), "point_select", "wal");
    let mut session = instance.session(0).unwrap();
    assert_eq!(number(&mut *session, "SELECT COUNT(*) FROM sbtest1"), 5500.0);
    assert_eq!(number(&mut *session, "SELECT COUNT(DISTINCT c) FROM sbtest1"), 5500.0);
    assert_eq!(
        number(&mut *session, "SELECT MIN(length(pad)) + MAX(length(pad)) FROM sbtest1"),
        118.0
    );
    assert_eq!(number(&mut *session, "SELECT COUNT(*) FROM sbtest1 WHERE k < 1 OR k > 5500"), 0.0);
}

/// Bytes that this thread has read, where the kernel counts them.
fn read_by_thread() -> Option<u64> {
    let counts = std::fs::read_to_string("/proc/thread-self/io").ok()?;
    counts.lines().find_map(|line| line.strip_prefix("rchar:")?.trim().parse().ok())
}

#[test]
fn files_on_a_disk_are_warmed_up_and_reads_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let disk = filesystem::folders::filesystem(folder.path()).unwrap().kind != "tmpfs";
    let data = Dataset::PointSelect { rows: 20_000 };
    prepared(&*open(folder.path(), "point_select", "shared"), &data, ExistingTables::Ours).unwrap();
    let size = std::fs::metadata(folder.path().join("sqlite-point_select.db")).unwrap().len();
    for mode in ["shared", "wal", "own"] {
        let instance = open(folder.path(), "point_select", mode);
        let before = read_by_thread();
        instance.warm_up(point_select::TABLES).unwrap();
        if let Some((then, now)) = before.zip(read_by_thread()) {
            assert_eq!(now - then >= size, disk, "{mode}: {size} bytes");
        }
        let counts = instance.status_counters();
        let counted = counts.iter().any(|(name, _, n)| *name == "disk_reads" && *n >= 0.0);
        // Copies in memory are read from no disk.
        let may_count = disk && mode != "own" && (mode == "shared" || before.is_some());
        assert_eq!(counted, may_count, "{mode}: {counts:?}");
    }
    let Ok(memory) = tempfile::tempdir_in("/dev/shm") else { return };
    if filesystem::folders::filesystem(memory.path()).unwrap().kind == "tmpfs" {
        let instance = open(memory.path(), "point_select", "shared");
        assert_eq!((instance.status_counters(), instance.warm_up(&[])), (vec![], Ok(())));
    }
}

#[test]
fn foreign_tables_stay_unless_they_may_be_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let data = Dataset::PointSelect { rows: 100 };
    let instance = open(folder.path(), "point_select", "shared");
    {
        let mut session = instance.loader_session(0).unwrap();
        session.run("CREATE TABLE accounts (id INTEGER)").unwrap();
        session.run("CREATE TABLE sbtest1 (id INTEGER PRIMARY KEY, c TEXT)").unwrap();
    }
    let why = prepared(&*instance, &data, ExistingTables::Ours).unwrap_err();
    assert!(why.contains("accounts"), "{why}");
    let why = prepared(&*instance, &data, ExistingTables::Reuse).unwrap_err();
    assert!(why.contains("hold 0"), "{why}");
    assert_eq!(prepared(&*instance, &data, ExistingTables::Replace), Ok(false));
    let mut session = instance.loader_session(0).unwrap();
    assert_eq!(number(&mut *session, "SELECT COUNT(*) FROM sbtest1"), 100.0);
    assert_eq!(
        number(&mut *session, "SELECT COUNT(*) FROM accounts"),
        0.0,
        "a table that is not in the way stays"
    );
    drop(session);
    assert_eq!(
        prepared(&*instance, &Dataset::PointSelect { rows: 60 }, ExistingTables::Reuse),
        Ok(true),
        "more than enough"
    );
}

/// The memory of a loader does not grow with the rows: pages, and the sort of an index.
#[test]
fn a_loader_has_bounded_memory() {
    let folder = tempfile::Builder::new().prefix("it's").tempdir().unwrap();
    let instance = open(folder.path(), "point_select", "shared");
    let mut session = instance.loader_session(0).unwrap();
    let kibibytes = -number(&mut *session, "PRAGMA cache_size");
    assert!((1024.0..=65536.0).contains(&kibibytes), "{kibibytes}");
    assert_eq!(number(&mut *session, "PRAGMA temp_store"), 1.0, "in files");
    // temp_store_directory is a setting of the whole process, in which other tests run.
    session.run("CREATE TABLE t (a)").unwrap();
}

#[test]
fn an_interrupted_load_is_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let instance = open(folder.path(), "point_select", "shared");
    let data = Dataset::PointSelect { rows: 3000 };
    let stop = AtomicBool::new(true);
    assert!(prepare(&*instance, (&data, 1), ExistingTables::Ours, &stop, &mut |_| ()).is_err());
    assert_eq!(
        prepared(&*instance, &data, ExistingTables::Ours),
        Ok(false),
        "an interrupted load is not complete"
    );
    assert_eq!(prepared(&*instance, &data, ExistingTables::Ours), Ok(true));
}

#[test]
fn the_journal_is_named_as_sqlite_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let journal = |workload: &str, mode: &str, data: &Dataset| {
        let instance = open(folder.path(), workload, mode);
        prepared(&*instance, data, ExistingTables::Ours).unwrap();
        let mut session = instance.session(0).unwrap();
        let statement = session.prepare("PRAGMA journal_mode").unwrap();
        let mut found = String::new();
        let mut take = |row: &[Value<'_>]| found = row[0].text().unwrap().to_owned();
        session.execute(statement, &[], &mut take).unwrap();
        (instance.info().settings["journal"].clone(), found)
    };
    for mode in Sqlite.modes("tpcc") {
        let (reported, found) = journal("tpcc", mode, &SMALL_TPCC);
        assert_eq!(reported, found, "{mode}");
    }
    for mode in Sqlite.modes("point_select") {
        let (reported, found) = journal("point_select", mode, &Dataset::PointSelect { rows: 100 });
        // A file that is only read has none.
        assert!(
            reported == found || reported == "none" && *mode != "wal",
            "{mode}: {reported} {found}"
        );
    }
}

#[test]
fn the_population_has_the_standards_cardinalities() {
    let folder = tempfile::tempdir().unwrap();
    let instance = open(folder.path(), "tpcc", "sharded");
    assert_eq!(prepared(&*instance, &SMALL_TPCC, ExistingTables::Ours), Ok(false));
    let mut session = instance.session(0).unwrap();
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
    assert_eq!(violations(&mut *session, &SMALL, ConditionSet::All).unwrap(), []);
}

#[test]
fn conditions_hold_after_transactions_in_every_mode() {
    let folder = tempfile::tempdir().unwrap();
    for (mode, style) in [
        ("sharded", StatementStyle::RowWise),
        ("files", StatementStyle::Batched),
        ("shared", StatementStyle::Batched),
    ] {
        let instance = open_tpcc(folder.path(), mode);
        let before = next_orders(&mut *instance.session(0).unwrap()).unwrap();
        let mut terminal = terminal(&*instance, 0, style);
        let all = run_transactions(&mut terminal, 3000);
        assert_none_given_up(&all);
        let mut counts = [0; 5];
        all.iter().for_each(|one| counts[one.transaction as usize] += 1);
        assert_eq!(counts, [1350, 1290, 120, 120, 120], "{mode}");
        let rolled_back = new_orders(&all, TransactionOutcome::RolledBack);
        // 1 % of 1350, within five standard deviations.
        assert!((1..35).contains(&rolled_back), "{rolled_back}");
        let mut session = terminal.into_session();
        let orders = new_orders(&all, TransactionOutcome::Committed);
        assert_consistent(&mut *session, before, orders);
        let delivered = number(&mut *session, "SELECT SUM(c_delivery_cnt) FROM customer");
        assert!(delivered >= 360.0, "the 360 new orders of the load go first: {delivered}");
    }
}

#[test]
fn all_statement_styles_leave_the_same_data() {
    let folder = tempfile::tempdir().unwrap();
    let styles = [StatementStyle::RowWise, StatementStyle::ItemWise, StatementStyle::Batched];
    let sums = styles.map(|style| {
        let instance = open_tpcc(folder.path(), "sharded");
        let mut terminal = terminal(&*instance, 0, style);
        run_transactions(&mut terminal, 1000);
        tpcc_sums(&mut *terminal.into_session())
    });
    assert!(sums.iter().all(|all| *all == sums[0]), "{sums:?}");
}

#[test]
fn every_condition_fails_on_an_inconsistency() {
    let folder = tempfile::tempdir().unwrap();
    let instance = open(folder.path(), "tpcc", "sharded");
    prepared(&*instance, &SMALL_TPCC, ExistingTables::Ours).unwrap();
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
        let mut session = instance.session(0).unwrap();
        session.run(sql).unwrap();
        let all = violations(&mut *session, &SMALL, ConditionSet::All).unwrap();
        assert!(
            all.iter().any(|(number, rows)| *number == broken && *rows > 0),
            "{broken}: {all:?}"
        );
        let four = violations(&mut *session, &SMALL, ConditionSet::Four).unwrap();
        assert_eq!(four.iter().any(|(number, _)| *number == broken), broken <= 4);
    }
}

/// The first session switches the file to a write-ahead log.
#[test]
fn sessions_can_open_at_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..40 {
        let instance = open(folder.path(), "point_select", "wal");
        prepared(&*instance, &Dataset::PointSelect { rows: 100 }, ExistingTables::Ours).unwrap();
        let together = Barrier::new(4);
        thread::scope(|scope| {
            for worker in 0..4 {
                let (instance, together) = (&*instance, &together);
                scope.spawn(move || {
                    together.wait();
                    let session = instance.session(worker).map(|_| ());
                    assert_eq!(session.map_err(|e| e.reason.why), Ok(()));
                });
            }
        });
        instance.close().unwrap();
    }
}

#[test]
fn two_writers_of_one_file_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let instance = open_tpcc(folder.path(), "shared");
    let before = next_orders(&mut *instance.session(0).unwrap()).unwrap();
    let run = |index| {
        let mut terminal = terminal(&*instance, index, StatementStyle::RowWise);
        let all = run_transactions(&mut terminal, 300);
        new_orders(&all, TransactionOutcome::Committed)
    };
    let run = &run;
    let orders: i64 = thread::scope(|scope| {
        let threads = [0, 1].map(|index| scope.spawn(move || run(index)));
        threads.map(|thread| thread.join().unwrap()).iter().sum()
    });
    assert_consistent(&mut *instance.session(0).unwrap(), before, orders);
}

#[test]
fn values_go_in_and_out_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let instance = open(folder.path(), "tpcc", "sharded");
    let mut session = instance.loader_session(0).unwrap();
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

/// Others may write to a folder that the user names.
#[test]
fn links_in_the_folder_are_not_followed() {
    let (folder, target) = (tempfile::tempdir().unwrap(), tempfile::NamedTempFile::new().unwrap());
    let link = |name: &str| {
        let _ = std::fs::remove_file(folder.path().join(name));
        std::os::unix::fs::symlink(target.path(), folder.path().join(name)).unwrap();
    };
    let open = |mode: &'static str| {
        let options = OpenOptions {
            workload: "tpcc",
            mode,
            folder: folder.path().to_owned(),
            threads: 1,
            ..OpenOptions::default()
        };
        Sqlite.open(&options).unwrap()
    };
    for (mode, copy) in [("shared", "sqlite-shared.db"), ("files", "sqlite-shard-0.db")] {
        let instance = open(mode);
        drop(instance.loader_session(0).unwrap());
        link(copy);
        instance.finish_load(&[]).unwrap();
        instance.session(0).unwrap().run("CREATE TABLE t (n INT)").unwrap();
        assert!(!folder.path().join(copy).is_symlink(), "{copy}");
    }
    link("sqlite-tpcc.db");
    assert!(open("shared").loader_session(0).is_err());
    assert_eq!(std::fs::metadata(target.path()).unwrap().len(), 0, "it is as it was");
}
