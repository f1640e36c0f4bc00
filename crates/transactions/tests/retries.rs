//! Retries and failures with fake sessions: what is retried, how often, and what ends a transaction or a load.
#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]
use database::{
    engine::{EngineInfo, Executor, Instance, SqlDialect},
    session::{Error, ErrorClass, Rows, Session, Statement, Value},
};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};
use transactions::{
    loader::Loader,
    point_select,
    prepare::{Dataset, ExistingTables, prepare},
    tpcc::{
        self, Binding, Mix, Scale, StatementStyle, Terminal, TerminalOptions, TransactionOutcome,
    },
};

/// The calls of a fake session.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Call<'a> {
    DisableTimeout,
    Run(&'a str),
    Prepare,
    Execute(&'a [Value<'a>]),
    Begin,
    Commit,
    Rollback,
}

/// A session that answers every call with this function; `Some` is the integer in the only row of a result.
struct Fake<F>(F);

impl<F: FnMut(Call<'_>) -> Result<Option<i64>, Error>> Session for Fake<F> {
    fn disable_timeout(&mut self) {
        self.0(Call::DisableTimeout).unwrap();
    }
    fn run(&mut self, sql: &str) -> Result<(), Error> {
        self.0(Call::Run(sql)).map(drop)
    }
    fn prepare(&mut self, _: &str) -> Result<Statement, Error> {
        self.0(Call::Prepare).map(|_| Statement(0))
    }
    fn execute(
        &mut self,
        _: Statement,
        parameters: &[Value<'_>],
        rows: Rows<'_>,
    ) -> Result<u64, Error> {
        if let Some(answer) = self.0(Call::Execute(parameters))? {
            rows(&[Value::Int(answer)]);
        }
        Ok(0)
    }
    fn begin(&mut self, _: bool) -> Result<(), Error> {
        self.0(Call::Begin).map(drop)
    }
    fn commit(&mut self) -> Result<(), Error> {
        self.0(Call::Commit).map(drop)
    }
    fn rollback(&mut self) -> Result<(), Error> {
        self.0(Call::Rollback).map(drop)
    }
}

/// A terminal that calls procedures for new orders.
fn terminal(answer: impl FnMut(Call<'_>) -> Result<Option<i64>, Error> + 'static) -> Terminal {
    let options = TerminalOptions {
        index: 3,
        scale: Scale::standard(4),
        style: StatementStyle::Procedure,
        mix: Mix([1, 0, 0, 0, 0]),
        binding: Binding::Home,
        seed: 1,
        now: "2026-01-02 03:04:05".into(),
    };
    Terminal::new(Box::new(Fake(answer)), SqlDialect::Mysql, &options).unwrap()
}

/// A terminal whose calls fail with these errors, and what its session was called for.
fn failing_terminal(errors: &[ErrorClass]) -> (Terminal, Arc<Mutex<Vec<&'static str>>>) {
    let (mut errors, calls) = (errors.to_vec(), Arc::new(Mutex::new(vec![])));
    let log = Arc::clone(&calls);
    let terminal = terminal(move |call| match call {
        Call::Execute(parameters) => {
            log.lock().unwrap().push("call");
            // A new order whose item does not exist is rolled back.
            let fails = parameters.contains(&Value::Int(100_001));
            match errors.pop() {
                Some(class) => Err(Error::new(class, 1213, "an error of the test")),
                None => Ok(Some(i64::from(!fails))),
            }
        }
        Call::Rollback => {
            log.lock().unwrap().push("rollback");
            Ok(None)
        }
        Call::Begin | Call::Commit => panic!("a procedure begins and commits itself"),
        _ => Ok(None),
    });
    (terminal, calls)
}

#[test]
fn retryable_errors_are_retried_and_counted() {
    let (mut terminal, calls) = failing_terminal(&[
        ErrorClass::Deadlock,
        ErrorClass::LockTimeout,
        ErrorClass::RowChanged,
        ErrorClass::Deadlock,
    ]);
    let done = terminal.run_transaction().unwrap();
    assert_eq!((done.outcome, done.retries), (TransactionOutcome::Committed, [2, 1, 1]));
    let calls = calls.lock().unwrap().join(" ");
    assert_eq!(calls, "call rollback call rollback call rollback call rollback call");
}

#[test]
fn a_transaction_is_given_up_after_ten_retries() {
    let (mut terminal, calls) = failing_terminal(&[ErrorClass::Deadlock; 11]);
    let done = terminal.run_transaction().unwrap();
    assert_eq!((done.outcome, done.retries), (TransactionOutcome::GivenUp, [10, 0, 0]));
    assert_eq!(calls.lock().unwrap().last(), Some(&"rollback"));
    assert_eq!(terminal.run_transaction().unwrap().outcome, TransactionOutcome::Committed);
}

#[test]
fn other_errors_are_not_retried() {
    for class in [
        ErrorClass::ConnectionLost,
        ErrorClass::NoSpace,
        ErrorClass::AccessDenied,
        ErrorClass::Fatal,
    ] {
        let (mut terminal, _) = failing_terminal(&[class]);
        assert_eq!(terminal.run_transaction().unwrap_err().class, class);
    }
}

#[test]
fn one_percent_of_the_new_orders_is_rolled_back() {
    let (mut terminal, _) = failing_terminal(&[]);
    let rolled_back = (0..10_000)
        .filter(|_| terminal.run_transaction().unwrap().outcome == TransactionOutcome::RolledBack)
        .count();
    // 100 expected, standard deviation 10.
    assert!((50..150).contains(&rolled_back), "{rolled_back}");
}

#[test]
fn a_procedure_without_data_or_answer_is_an_error() {
    let run = |answer| terminal(move |_| Ok(answer)).run_transaction();
    assert_eq!(run(Some(1)).unwrap().outcome, TransactionOutcome::Committed);
    assert_eq!(run(Some(0)).unwrap().outcome, TransactionOutcome::RolledBack);
    assert!(run(Some(-1)).unwrap_err().reason.why.contains("stock"));
    assert!(run(None).unwrap_err().reason.why.contains("answer"));
}

#[test]
fn conditions_have_no_time_limit() {
    let mut calls = vec![];
    let mut session = Fake(|call: Call<'_>| {
        calls.push(format!("{call:?}"));
        Ok(Some(0))
    });
    let scale = Scale::standard(1);
    let violated = tpcc::violations(&mut session, &scale, tpcc::ConditionSet::Four);
    assert_eq!(violated, Ok(vec![]));
    calls.retain(|call| call != "Prepare");
    assert_eq!(
        calls,
        ["DisableTimeout", "Execute([])", "Execute([])", "Execute([])", "Execute([])"]
    );
}

/// A server with connections for the main session and one loader. The second loader is refused.
struct Crowded {
    refused: Arc<AtomicBool>,
    committed: Arc<AtomicUsize>,
}

impl Instance for Crowded {
    fn info(&self) -> EngineInfo {
        EngineInfo::default()
    }
    fn dialect(&self) -> SqlDialect {
        SqlDialect::Mysql
    }
    fn executor(&self) -> Executor {
        Executor::Unobservable
    }
    fn max_loaders(&self) -> usize {
        2
    }
    fn loader_session(&self, index: usize) -> Result<Box<dyn Session>, Error> {
        if index == 1 {
            self.refused.store(true, SeqCst);
            return Err(Error::new(ErrorClass::Fatal, 1040, "Too many connections"));
        }
        let (refused, committed) = (self.refused.clone(), self.committed.clone());
        Ok(Box::new(Fake(move |call: Call<'_>| {
            match call {
                // Nothing is loaded before the other loader is refused.
                Call::Run(sql) if sql.starts_with("INSERT INTO warehouse") => {
                    while !refused.load(SeqCst) {
                        thread::sleep(Duration::from_millis(1));
                    }
                }
                Call::Commit if refused.load(SeqCst) => {
                    committed.fetch_add(1, SeqCst);
                    thread::sleep(Duration::from_millis(1));
                }
                _ => {}
            }
            Ok(None)
        })))
    }
    fn session(&self, _: usize) -> Result<Box<dyn Session>, Error> {
        panic!("the test opens no session");
    }
}

#[test]
fn a_refused_loader_ends_the_load() {
    let crowded = Crowded { refused: Arc::default(), committed: Arc::default() };
    let scale = Scale { warehouses: 300, items: 2, customers: 3 };
    let cancel = AtomicBool::new(false);
    let data = Dataset::Tpcc { scale };
    let report = prepare(&crowded, (&data, 1), ExistingTables::Ours, &cancel, &mut |_| ());
    assert!(report.unwrap_err().why.contains("Too many connections"));
    // Each warehouse has eleven transactions.
    let committed = crowded.committed.load(SeqCst);
    assert!(committed < 300 * 11, "{committed}");
}

/// Loads rows while these statements fail (each counted from the failure before). Returns the committed statements, the number
/// of retries, and the result.
fn load(
    failures: &[usize],
    fill: impl Fn(&mut Loader<'_>) -> Result<(), Error>,
) -> (Vec<String>, u64, Result<(), Error>) {
    let (mut failures, mut committed, mut open) = (failures.to_vec(), vec![], None);
    let mut fail = || match failures.first_mut() {
        Some(0) => {
            failures.remove(0);
            Err(Error::new(ErrorClass::Deadlock, 1213, "an error of the test"))
        }
        Some(left) => {
            *left -= 1;
            Ok(())
        }
        None => Ok(()),
    };
    let mut session = Fake(|call: Call<'_>| {
        match call {
            Call::Run(sql) => {
                fail()?;
                let open: &mut Vec<String> = open.as_mut().expect("rows need a transaction");
                open.push(sql.to_owned());
            }
            Call::Begin => assert!(open.replace(vec![]).is_none(), "one transaction at a time"),
            Call::Commit => {
                fail()?;
                committed.extend(open.take().expect("a transaction is open"));
            }
            Call::Rollback => open = None,
            other => panic!("a loader of a server does not call {other:?}"),
        }
        Ok(None)
    });
    let mut loader = Loader::new(&mut session, SqlDialect::Mysql);
    let result = fill(&mut loader);
    let retries = loader.retries;
    (committed, retries, result)
}

#[test]
fn a_retried_load_inserts_the_same_rows() {
    let small = Scale { warehouses: 2, items: 40, customers: 30 };
    let warehouse = |loader: &mut Loader<'_>| {
        tpcc::load_items(loader, &small, 7)?;
        tpcc::load_warehouse(loader, (&small, 2), 7, &mut |_| true)
    };
    let (rows, retries, result) = load(&[], warehouse);
    assert!(result.is_ok() && retries == 0 && rows.len() > 60, "{}", rows.len());
    // The first statement, statements within a district, and a commit.
    let (again, retries, result) = load(&[0, 12, 5, 30], warehouse);
    assert_eq!((retries, result), (4, Ok(())));
    assert_eq!(again, rows);

    let progress = std::cell::RefCell::new(vec![]);
    let selects = |loader: &mut Loader<'_>| {
        point_select::load(loader, 0..9500, (9500, 7), &mut |n| {
            progress.borrow_mut().push(n);
            true
        })
    };
    let (rows, _, result) = load(&[], selects);
    assert!(result.is_ok() && rows.len() > 2);
    let (again, retries, result) = load(&[1], selects);
    assert_eq!((again, retries, result), (rows, 1, Ok(())));
    assert_eq!(progress.borrow().last(), Some(&9500));
}

#[test]
fn a_load_that_always_fails_ends() {
    let never =
        |loader: &mut Loader<'_>| point_select::load(loader, 0..1000, (1000, 7), &mut |_| true);
    let (rows, retries, result) = load(&[0; 11], never);
    assert_eq!((rows.len(), retries), (0, 10));
    assert_eq!(result.unwrap_err().class, ErrorClass::Deadlock);
}
