//! The workloads on a server that we start, where one is installed (`cargo xtask setup`): loaded once, the same data in every
//! statement style, and consistent, also with several terminals.
#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]
mod common;

use common::{
    SMALL_TPCC, assert_consistent, assert_none_given_up, new_orders, number, prepared,
    run_transactions, terminal, terminal_options, tpcc_sums,
};
use database::{
    engine::{Engine, Instance, OpenOptions, SqlDialect},
    engines::mariadb::Mariadb,
    options::{BeginMode, EngineOptions, WaitMode},
    session::{Session, Value},
};
use std::{io::Write, path::Path, sync::atomic::AtomicBool, thread};
use transactions::{
    bulk_insert::BulkInsert,
    point_select,
    prepare::{Dataset, ExistingTables, invalidate, prepare},
    tpcc::{self, Mix, StatementStyle, Terminal, TerminalOptions, TransactionOutcome, next_orders},
};

/// A server; `None` where none is installed.
fn open(folder: &Path, workload: &str, begin: BeginMode) -> Option<Box<dyn Instance>> {
    let (wait, begin) = (Some(WaitMode::Poll), Some(begin));
    let options = OpenOptions {
        workload,
        mode: "shared",
        folder: folder.to_owned(),
        bytes: 32 << 20,
        threads: 4,
        connections: 4,
        options: EngineOptions { wait, begin, ..EngineOptions::default() },
        ..OpenOptions::default()
    };
    if let Some(why) = Mariadb.unavailable(&options) {
        let _ = writeln!(std::io::stderr(), "skipped: {why}");
        return None;
    }
    Some(Mariadb.open(&options).unwrap())
}

#[test]
fn rows_are_loaded_once_and_found() {
    let folder = tempfile::tempdir().unwrap();
    let Some(instance) = open(folder.path(), "point_select", BeginMode::Statement) else { return };
    let data = Dataset::PointSelect { rows: 5500 };
    assert_eq!(prepared(&*instance, &data, ExistingTables::Ours), Ok(false));
    assert_eq!(prepared(&*instance, &data, ExistingTables::Ours), Ok(true));
    let mut lookups = instance.lookups(0, 1, point_select::STATEMENT).unwrap();
    let (mut id, mut right) = (0, 0);
    while right < 5500 {
        lookups
            .exchange(
                &mut |_| {
                    id += 1;
                    id
                },
                &mut |_, text| right += i32::from(text.is_some_and(point_select::is_c)),
            )
            .unwrap();
    }
    drop(lookups);
    let mut session = instance.loader_session(0).unwrap();
    session.run("CREATE TABLE accounts (id INTEGER)").unwrap();
    session.run("DROP TABLE cpulens_data").unwrap();
    drop(session);
    let why = prepared(&*instance, &data, ExistingTables::Ours).unwrap_err();
    assert!(why.contains("accounts"), "{why}");
    let mut session = instance.loader_session(0).unwrap();
    session.run("DROP TABLE accounts").unwrap();
    drop(session);

    // Two workloads in one database have a stamp and tables each.
    assert_eq!(prepared(&*instance, &data, ExistingTables::Replace), Ok(false));
    let other = SMALL_TPCC;
    assert_eq!(prepared(&*instance, &other, ExistingTables::Ours), Ok(false));
    assert_eq!(prepared(&*instance, &data, ExistingTables::Ours), Ok(true));
    assert_eq!(prepared(&*instance, &other, ExistingTables::Ours), Ok(true));
    invalidate(&*instance, &data).unwrap();
    assert_eq!(prepared(&*instance, &other, ExistingTables::Ours), Ok(true));
    assert_eq!(
        prepared(&*instance, &data, ExistingTables::Ours),
        Ok(false),
        "they were invalidated"
    );
    // The stamp of one workload does not cover the tables of the other.
    let mut session = instance.loader_session(0).unwrap();
    session.run("DELETE FROM cpulens_data WHERE what LIKE 'tpcc%'").unwrap();
    drop(session);
    let why = prepared(&*instance, &other, ExistingTables::Ours).unwrap_err();
    assert!(why.contains("did not make") && !why.contains("sbtest1"), "{why}");
    instance.close().unwrap();
}

/// LOAD DATA LOCAL and INSERT leave the same rows, and lost rows are errors.
#[test]
fn rows_are_the_same_with_and_without_load_data_local() {
    let folder = tempfile::tempdir().unwrap();
    let Some(instance) = open(folder.path(), "tpcc", BeginMode::Statement) else { return };
    let mut sums = vec![];
    for enabled in [1, 0] {
        let mut session = instance.loader_session(0).unwrap();
        session.run(&format!("SET GLOBAL local_infile = {enabled}")).unwrap();
        let inserts = |session: &mut dyn Session| {
            let sql = "SELECT variable_value + 0 FROM information_schema.global_status \
                       WHERE variable_name = 'com_load'";
            number(session, sql)
        };
        let before = inserts(&mut *session);
        if enabled == 0 {
            invalidate(&*instance, &SMALL_TPCC).unwrap();
        }
        assert_eq!(prepared(&*instance, &SMALL_TPCC, ExistingTables::Ours), Ok(false));
        let used = inserts(&mut *session) - before;
        // Each loader tries it once.
        assert_eq!(used > 10.0, enabled == 1, "{used}");
        let tables =
            "warehouse, district, customer, history, new_order, orders, order_line, stock, item";
        let statement = session.prepare(&format!("CHECKSUM TABLE {tables}")).unwrap();
        let mut each = vec![];
        session.execute(statement, &[], &mut |row| each.push(format!("{:?}", &row[..2]))).unwrap();
        assert_eq!(each.len(), 9);
        sums.push(each);
    }
    assert_eq!(sums[0], sums[1]);
    let mut session = instance.loader_session(0).unwrap();
    session.run("SET GLOBAL local_infile = 1").unwrap();
    let mut again = |columns: &str, row: &[Value<'_>]| {
        let mut rows =
            BulkInsert::new(&mut *session, SqlDialect::Mysql, "new_order", columns).unwrap();
        rows.row(row).unwrap();
        rows.finish().unwrap_err().reason.why
    };
    let columns = "no_o_id,no_d_id,no_w_id";
    let why = again(columns, &[Value::Int(60), Value::Int(1), Value::Int(1)]);
    assert!(why.contains("loaded 0 of 1 rows"), "the row is there already: {why}");
    let why = again(columns, &[Value::Int(1 << 40), Value::Int(1), Value::Int(1)]);
    assert!(why.contains("with 1 warnings"), "the number is too large: {why}");
    session.run("SELECT 1").unwrap();
    drop(session);
    instance.close().unwrap();
}

/// No table keeps the statistics of an empty table, also those without an index that is created after loading.
#[test]
fn tables_have_statistics_after_loading() {
    let folder = tempfile::tempdir().unwrap();
    let Some(instance) = open(folder.path(), "tpcc", BeginMode::Statement) else { return };
    let cancel = AtomicBool::new(false);
    let data = (&SMALL_TPCC, 1);
    let loaded = prepare(&*instance, data, ExistingTables::Ours, &cancel, &mut |_| ()).unwrap();
    assert_eq!((loaded.found, loaded.notes), (false, vec![]));
    let mut session = instance.loader_session(0).unwrap();
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
    instance.close().unwrap();
}

/// A restarted server reads its tables before the first window.
#[test]
fn existing_tables_are_warmed_up() {
    let folder = tempfile::tempdir().unwrap();
    let data = SMALL_TPCC;
    let Some(instance) = open(folder.path(), "tpcc", BeginMode::Statement) else { return };
    assert_eq!(prepared(&*instance, &data, ExistingTables::Ours), Ok(false));
    instance.close().unwrap();
    let instance = open(folder.path(), "tpcc", BeginMode::Statement).unwrap();
    assert_eq!(prepared(&*instance, &data, ExistingTables::Ours), Ok(true));
    let mut session = instance.session(0).unwrap();
    let read = "SELECT variable_value + 0 FROM information_schema.global_status \
                WHERE variable_name = 'innodb_buffer_pool_reads'";
    let before = number(&mut *session, read);
    assert!(number(&mut *session, "SELECT SUM(LENGTH(c_data)) FROM customer") > 0.0);
    assert!(number(&mut *session, "SELECT SUM(LENGTH(s_data)) FROM stock") > 0.0);
    assert_eq!(number(&mut *session, read), before);
    drop(session);
    instance.close().unwrap();
}

#[test]
fn all_statement_styles_leave_the_same_consistent_data() {
    let mut sums = vec![];
    let folder = tempfile::tempdir().unwrap();
    for (style, begin) in [
        (StatementStyle::RowWise, BeginMode::Elided),
        (StatementStyle::ItemWise, BeginMode::Elided),
        (StatementStyle::Batched, BeginMode::Ping),
        (StatementStyle::Procedure, BeginMode::Statement),
    ] {
        let Some(instance) = open(folder.path(), "tpcc", begin) else { return };
        // All begin with the same data.
        if !sums.is_empty() {
            invalidate(&*instance, &SMALL_TPCC).unwrap();
        }
        assert_eq!(prepared(&*instance, &SMALL_TPCC, ExistingTables::Ours), Ok(false));
        let before = next_orders(&mut *instance.session(0).unwrap()).unwrap();
        let all = run_transactions(&mut terminal(&*instance, 0, style), 1000);
        assert_none_given_up(&all);
        let rolled_back = new_orders(&all, TransactionOutcome::RolledBack);
        assert!((1..20).contains(&rolled_back), "{style:?} {rolled_back}");
        let mut session = instance.session(0).unwrap();
        assert_consistent(&mut *session, before, new_orders(&all, TransactionOutcome::Committed));
        sums.push(tpcc_sums(&mut *session));
        drop(session);
        instance.close().unwrap();
    }
    assert!(sums.iter().all(|all| *all == sums[0]), "{sums:?}");
}

#[test]
fn colliding_terminals_keep_the_data_consistent() {
    let folder = tempfile::tempdir().unwrap();
    let Some(instance) = open(folder.path(), "tpcc", BeginMode::Statement) else { return };
    assert_eq!(prepared(&*instance, &SMALL_TPCC, ExistingTables::Ours), Ok(false));
    let mut session = instance.session(9).unwrap();
    let before = next_orders(&mut *session).unwrap();
    let run = |index, style| {
        let all = run_transactions(&mut terminal(&*instance, index, style), 400);
        new_orders(&all, TransactionOutcome::Committed)
    };
    let run = &run;
    let orders: i64 = thread::scope(|scope| {
        let threads = [
            (0, StatementStyle::RowWise),
            (1, StatementStyle::Batched),
            (2, StatementStyle::Procedure),
            (3, StatementStyle::Batched),
        ]
        .map(|(index, style)| scope.spawn(move || run(index, style)));
        threads.map(|thread| thread.join().unwrap()).iter().sum()
    });
    assert_consistent(&mut *session, before, orders);
    drop(session);
    instance.close().unwrap();
}

#[test]
fn procedures_of_others_stay() {
    let folder = tempfile::tempdir().unwrap();
    let Some(instance) = open(folder.path(), "tpcc", BeginMode::Statement) else { return };
    let mut session = instance.loader_session(0).unwrap();
    // Names of HammerDB and others.
    for name in ["tpcc_payment", "payment", "neword"] {
        session.run(&format!("CREATE PROCEDURE {name}() SELECT 'theirs'")).unwrap();
    }
    assert_eq!(prepared(&*instance, &SMALL_TPCC, ExistingTables::Ours), Ok(false));
    assert_eq!(prepared(&*instance, &SMALL_TPCC, ExistingTables::Reuse), Ok(true));
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
    // Missing stock is an error, unlike the unknown item of the standard.
    session.run("DELETE FROM stock").unwrap();
    let mix = Mix([1, 0, 0, 0, 0]);
    let options = TerminalOptions { mix, ..terminal_options(0, StatementStyle::Procedure) };
    let own = instance.session(0).unwrap();
    let mut terminal = Terminal::new(own, instance.dialect(), &options).unwrap();
    assert!(terminal.run_transaction().unwrap_err().reason.why.contains("stock"));
    drop(terminal);
    drop(session);
    instance.close().unwrap();
}
