//! An engine that fails when it is told to: what is tried again, how often, and what ends it.
#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]
use database::{
    engine::{Dialect, Identity, Running, Works},
    loader::Loader,
    point_select,
    prepare::{Data, Found, prepare},
    session::{Class, Error, Rows, Session, Statement, Value},
    tpcc::{self, Binding, Ending, Kind, Mix, Scale, Terminal, Turn, Way, Worker},
};
use record::Reason;
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

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

/// A session of which only rows are asked: the answer to every question, or none, and the words in between.
struct Answers(Option<i64>, Vec<&'static str>);

impl Session for Answers {
    fn be_patient(&mut self) {
        self.1.push("patient");
    }
    fn run(&mut self, _: &str) -> Result<(), Error> {
        Ok(())
    }
    fn prepare(&mut self, _: &str) -> Result<Statement, Error> {
        Ok(Statement(0))
    }
    fn execute(&mut self, _: Statement, _: &[Value<'_>], rows: Rows<'_>) -> Result<u64, Error> {
        self.1.push("asked");
        if let Some(answer) = self.0 {
            rows(&[Value::Int(answer)]);
        }
        Ok(0)
    }
    fn begin(&mut self, _: bool) -> Result<(), Error> {
        Ok(())
    }
    fn commit(&mut self) -> Result<(), Error> {
        Ok(())
    }
    fn rollback(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

#[test]
fn a_procedure_that_says_nothing_or_found_no_data_has_committed_nothing() {
    let turn = |answer| {
        let worker = Worker {
            index: 0,
            scale: Scale::standard(1),
            way: Way::Procedure,
            mix: Mix([1, 0, 0, 0, 0]),
            binding: Binding::Home,
            seed: 1,
            now: "2026-01-02 03:04:05".into(),
        };
        let session = Box::new(Answers(answer, vec![]));
        Terminal::new(session, Dialect::Mysql, &worker).unwrap().turn()
    };
    assert_eq!(turn(Some(1)).unwrap().ending, Ending::Committed);
    assert_eq!(turn(Some(0)).unwrap().ending, Ending::RolledBack);
    assert!(turn(Some(-1)).unwrap_err().reason.why.contains("stock"));
    assert!(turn(None).unwrap_err().reason.why.contains("answer"));
}

#[test]
fn conditions_are_waited_for_as_long_as_they_take() {
    let mut session = Answers(Some(0), vec![]);
    let scale = Scale::standard(1);
    assert_eq!(tpcc::check(&mut session, &scale, tpcc::Check::Four), Ok(vec![]));
    assert_eq!(session.1, ["patient", "asked", "asked", "asked", "asked"]);
}

/// A server that lets in whoever prepares and one who loads, and refuses the other: what was committed meanwhile.
struct Crowded {
    refused: Arc<AtomicBool>,
    committed: Arc<AtomicUsize>,
}

struct Slow(Arc<AtomicBool>, Arc<AtomicUsize>);

impl Session for Slow {
    fn run(&mut self, sql: &str) -> Result<(), Error> {
        // Nothing is loaded before the other one was refused.
        while sql.starts_with("INSERT INTO warehouse") && !self.0.load(SeqCst) {
            thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }
    fn prepare(&mut self, _: &str) -> Result<Statement, Error> {
        Ok(Statement(0))
    }
    fn execute(&mut self, _: Statement, _: &[Value<'_>], _: Rows<'_>) -> Result<u64, Error> {
        Ok(0)
    }
    fn begin(&mut self, _: bool) -> Result<(), Error> {
        Ok(())
    }
    fn commit(&mut self) -> Result<(), Error> {
        if self.0.load(SeqCst) {
            self.1.fetch_add(1, SeqCst);
            thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }
    fn rollback(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

impl Running for Crowded {
    fn identity(&self) -> Identity {
        Identity::default()
    }
    fn dialect(&self) -> Dialect {
        Dialect::Mysql
    }
    fn works(&self) -> Works {
        Works::Elsewhere
    }
    fn loaders(&self) -> usize {
        2
    }
    fn loader(&self, index: usize) -> Result<Box<dyn Session>, Error> {
        if index == 1 {
            self.refused.store(true, SeqCst);
            return Err(Error::new(Class::Fatal, 1040, "Too many connections"));
        }
        Ok(Box::new(Slow(self.refused.clone(), self.committed.clone())))
    }
    fn session(&self, _: usize) -> Result<Box<dyn Session>, Error> {
        panic!("nobody asks");
    }
    fn close(self: Box<Self>) -> Result<(), Reason> {
        Ok(())
    }
}

#[test]
fn a_loader_that_is_not_let_in_ends_the_load() {
    let crowded = Crowded { refused: Arc::default(), committed: Arc::default() };
    let scale = Scale { warehouses: 300, items: 2, customers: 3 };
    let cancel = AtomicBool::new(false);
    let data = Data::Tpcc { scale };
    let ready = prepare(&crowded, (&data, 1), Found::Ours, &cancel, &mut |_| ());
    assert!(ready.unwrap_err().why.contains("Too many connections"));
    // Each warehouse is several transactions.
    let committed = crowded.committed.load(SeqCst);
    assert!(committed < 300, "{committed}");
}

/// What was inserted and made to last, by a server that undoes transactions for the sake of others.
#[derive(Default)]
struct Tables {
    lasting: Vec<String>,
    begun: Option<Vec<String>>,
    /// Statements, commits included, until the next refusal, and those after it.
    refusals: Vec<usize>,
}

impl Tables {
    fn refuses(&mut self) -> Result<(), Error> {
        match self.refusals.first_mut() {
            Some(0) => {
                self.refusals.remove(0);
                Err(Error::new(Class::Deadlock, 1213, "as it was told"))
            }
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl Session for Tables {
    fn run(&mut self, sql: &str) -> Result<(), Error> {
        self.refuses()?;
        self.begun.as_mut().expect("rows are inserted in a transaction").push(sql.to_owned());
        Ok(())
    }
    fn prepare(&mut self, _: &str) -> Result<Statement, Error> {
        panic!("a server is given statements of many rows");
    }
    fn execute(&mut self, _: Statement, _: &[Value<'_>], _: Rows<'_>) -> Result<u64, Error> {
        panic!("nothing was prepared");
    }
    fn begin(&mut self, writes: bool) -> Result<(), Error> {
        assert!(writes && self.begun.replace(vec![]).is_none(), "one after the other");
        Ok(())
    }
    fn commit(&mut self) -> Result<(), Error> {
        self.refuses()?;
        self.lasting.extend(self.begun.take().expect("it had begun"));
        Ok(())
    }
    fn rollback(&mut self) -> Result<(), Error> {
        self.begun = None;
        Ok(())
    }
}

/// Fills tables while these statements are refused: the rows that last, how often it was done again, and how it ended.
fn filled(
    refusals: &[usize],
    fill: impl Fn(&mut Loader<'_>) -> Result<(), Error>,
) -> (Vec<String>, u64, Result<(), Error>) {
    let mut tables = Tables { refusals: refusals.to_vec(), ..Tables::default() };
    let mut loader = Loader::new(&mut tables, Dialect::Mysql);
    let ended = fill(&mut loader);
    let retries = loader.retries;
    (tables.lasting, retries, ended)
}

#[test]
fn a_load_that_is_undone_is_done_again_with_the_same_rows() {
    let small = Scale { warehouses: 2, items: 40, customers: 30 };
    let warehouse = |loader: &mut Loader<'_>| {
        tpcc::load_items(loader, &small, 7)?;
        tpcc::load_warehouse(loader, (&small, 2), 7, &mut |_| true)
    };
    let (rows, retries, ended) = filled(&[], warehouse);
    assert!(ended.is_ok() && retries == 0 && rows.len() > 60, "{}", rows.len());
    // The first statement of all, in the middle of a district, and a commit.
    let (again, retries, ended) = filled(&[0, 12, 5, 30], warehouse);
    assert_eq!((retries, ended), (4, Ok(())));
    assert_eq!(again, rows);

    let told = std::cell::RefCell::new(vec![]);
    let selects = |loader: &mut Loader<'_>| {
        point_select::load(loader, 0..9500, (9500, 7), &mut |n| {
            told.borrow_mut().push(n);
            true
        })
    };
    let (rows, _, ended) = filled(&[], selects);
    assert!(ended.is_ok() && rows.len() > 2);
    let (again, retries, ended) = filled(&[1], selects);
    assert_eq!((again, retries, ended), (rows, 1, Ok(())));
    assert_eq!(told.borrow().last(), Some(&9500), "what is done is told from the beginning again");
}

#[test]
fn a_load_that_is_always_undone_ends() {
    let never =
        |loader: &mut Loader<'_>| point_select::load(loader, 0..1000, (1000, 7), &mut |_| true);
    let (rows, retries, ended) = filled(&[0; 11], never);
    assert_eq!((rows.len(), retries), (0, 10));
    assert_eq!(ended.unwrap_err().class, Class::Deadlock);
}
