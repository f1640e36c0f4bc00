//! An engine that fails when it is told to: what is tried again, how often, and what ends it.
#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]
use database::{
    engine::Dialect,
    session::{Class, Error, Rows, Session, Statement, Value},
    tpcc::{Binding, Ending, Kind, Mix, Scale, Terminal, Turn, Way, Worker},
};
use std::sync::{Arc, Mutex};

/// What it was asked, and how often it refuses to commit.
#[derive(Default)]
struct Told {
    refusals: Vec<Class>,
    words: Vec<&'static str>,
}

/// Stored procedures are the least that an engine must answer: one row.
struct Fake(Arc<Mutex<Told>>);

impl Session for Fake {
    fn run(&mut self, _: &str) -> Result<(), Error> {
        Ok(())
    }
    fn prepare(&mut self, _: &str) -> Result<Statement, Error> {
        Ok(Statement(0))
    }
    fn execute(
        &mut self,
        _: Statement,
        parameters: &[Value<'_>],
        rows: Rows<'_>,
    ) -> Result<u64, Error> {
        let mut told = self.0.lock().unwrap();
        told.words.push("call");
        if let Some(class) = told.refusals.pop() {
            return Err(Error::new(class, 1213, "as it was told"));
        }
        // A new order whose item is not there is undone.
        let fails = parameters.contains(&Value::Int(100_001));
        rows(&[Value::Int(i64::from(!fails))]);
        Ok(0)
    }
    fn begin(&mut self, _: bool) -> Result<(), Error> {
        panic!("a procedure begins its transaction itself");
    }
    fn commit(&mut self) -> Result<(), Error> {
        panic!("a procedure commits itself");
    }
    fn rollback(&mut self) -> Result<(), Error> {
        self.0.lock().unwrap().words.push("rollback");
        Ok(())
    }
}

fn terminal(refusals: &[Class]) -> (Terminal, Arc<Mutex<Told>>) {
    let told = Arc::new(Mutex::new(Told { refusals: refusals.to_vec(), words: vec![] }));
    let worker = Worker {
        index: 3,
        scale: Scale::standard(4),
        way: Way::Procedure,
        mix: Mix([1, 0, 0, 0, 0]),
        binding: Binding::Home,
        seed: 1,
        now: "2026-01-02 03:04:05".into(),
    };
    let terminal = Terminal::new(Box::new(Fake(told.clone())), Dialect::Mysql, &worker).unwrap();
    (terminal, told)
}

#[test]
fn what_may_be_tried_again_is_and_is_counted() {
    let (mut terminal, told) =
        terminal(&[Class::Deadlock, Class::LockTimeout, Class::Changed, Class::Deadlock]);
    let turn = terminal.turn().unwrap();
    assert_eq!(turn, Turn { kind: Kind::NewOrder, ending: Ending::Committed, retries: [2, 1, 1] });
    let words = told.lock().unwrap().words.join(" ");
    assert_eq!(words, "call rollback call rollback call rollback call rollback call");
}

#[test]
fn after_ten_times_it_is_given_up_and_the_next_one_comes() {
    let (mut terminal, told) = terminal(&[Class::Deadlock; 11]);
    let turn = terminal.turn().unwrap();
    assert_eq!((turn.ending, turn.retries), (Ending::GivenUp, [10, 0, 0]));
    assert_eq!(told.lock().unwrap().words.last(), Some(&"rollback"), "nothing is left half done");
    assert_eq!(terminal.turn().unwrap().ending, Ending::Committed);
}

#[test]
fn what_is_gone_or_refused_for_good_is_an_error() {
    for class in [Class::Lost, Class::Full, Class::Denied, Class::Fatal] {
        let (mut terminal, _) = terminal(&[class]);
        assert_eq!(terminal.turn().unwrap_err().class, class);
    }
}

#[test]
fn one_new_order_in_a_hundred_is_rolled_back() {
    let (mut terminal, _) = terminal(&[]);
    let undone =
        (0..10_000).filter(|_| terminal.turn().unwrap().ending == Ending::RolledBack).count();
    // 100 expected, standard deviation 10.
    assert!((50..150).contains(&undone), "{undone}");
}
