//! Data sets, queries and terminals for the tests of all engines.
#![allow(dead_code, reason = "each test program uses a part")]
use database::{
    engine::Instance,
    session::{Session, real_at},
};
use std::sync::atomic::AtomicBool;
use transactions::{
    prepare::{Dataset, ExistingTables, prepare},
    tpcc::{
        Binding, ConditionSet, FinishedTransaction, Mix, Scale, StatementStyle, Terminal,
        TerminalOptions, TransactionOutcome, TransactionType, next_orders, violations,
    },
};

pub(crate) const SMALL: Scale = Scale { warehouses: 2, items: 500, customers: 60 };
pub(crate) const SMALL_TPCC: Dataset = Dataset::Tpcc { scale: SMALL };

/// Prepares a data set; returns whether it was there already.
pub(crate) fn prepared(
    instance: &dyn Instance,
    data: &Dataset,
    existing: ExistingTables,
) -> Result<bool, String> {
    let cancel = AtomicBool::new(false);
    let report = prepare(instance, (data, 1), existing, &cancel, &mut |_| ());
    report.map(|report| report.found).map_err(|why| why.why.to_string())
}

/// The number that a query returns.
pub(crate) fn number(session: &mut dyn Session, sql: &str) -> f64 {
    let statement = session.prepare(sql).unwrap();
    let mut found = None;
    session.execute(statement, &[], &mut |row| found = real_at(row, 0)).unwrap();
    found.unwrap()
}

pub(crate) fn terminal_options(index: usize, style: StatementStyle) -> TerminalOptions {
    TerminalOptions {
        index,
        scale: SMALL,
        style,
        mix: Mix::default(),
        binding: Binding::Random,
        seed: 5 + index as u64,
        now: "2026-01-02 03:04:05".into(),
    }
}

pub(crate) fn terminal(instance: &dyn Instance, index: usize, style: StatementStyle) -> Terminal {
    let session = instance.session(index).unwrap();
    Terminal::new(session, instance.dialect(), &terminal_options(index, style)).unwrap()
}

pub(crate) fn run_transactions(terminal: &mut Terminal, count: usize) -> Vec<FinishedTransaction> {
    (0..count).map(|_| terminal.run_transaction().unwrap()).collect()
}

/// Without other terminals no transaction is given up.
pub(crate) fn assert_none_given_up(all: &[FinishedTransaction]) {
    assert!(all.iter().all(|one| one.outcome != TransactionOutcome::GivenUp));
}

/// The number of new orders with this outcome; no other transaction is rolled back.
pub(crate) fn new_orders(all: &[FinishedTransaction], outcome: TransactionOutcome) -> i64 {
    let rolled_back = |one: &&FinishedTransaction| one.outcome == TransactionOutcome::RolledBack;
    let is_new_order = |one: &FinishedTransaction| one.transaction == TransactionType::NewOrder;
    assert!(all.iter().filter(rolled_back).all(is_new_order));
    all.iter().filter(|one| one.outcome == outcome && is_new_order(one)).count() as i64
}

/// All conditions hold, and the districts have this many new orders more than before.
pub(crate) fn assert_consistent(session: &mut dyn Session, before: i64, orders: i64) {
    assert_eq!(next_orders(session).unwrap() - before, orders);
    assert_eq!(violations(session, &SMALL, ConditionSet::All).unwrap(), []);
}

/// Sums over all columns that transactions change.
pub(crate) fn tpcc_sums(session: &mut dyn Session) -> [f64; 5] {
    [
        "SELECT SUM(s_quantity * 7 + s_ytd * 3 + s_order_cnt + s_remote_cnt) FROM stock",
        "SELECT SUM(ol_amount) + SUM(ol_quantity) + SUM(length(ol_dist_info)) FROM order_line",
        "SELECT SUM(c_balance) + SUM(c_payment_cnt) + SUM(length(c_data)) FROM customer",
        "SELECT SUM(h_amount) + SUM(length(h_data)) FROM history",
        "SELECT SUM(o_carrier_id) + SUM(o_all_local) FROM orders",
    ]
    .map(|sql| number(session, sql).round())
}
