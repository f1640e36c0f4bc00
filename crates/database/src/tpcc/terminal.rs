//! One worker: draws transactions, runs each until it is committed, and tells what came of it.
use super::{
    Scale, delivery,
    inputs::{Binding, Deck, Input, Kind, Mix, Who},
    new_order, order_status, payment,
    random::{Constants, Random, name},
    statements::Prepared,
    stock_level,
    text::Text,
};
use crate::{
    engine::Dialect,
    session::{Class, Error, Session, Value},
};

/// How a transaction is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// A statement for every row, as sysbench-tpcc does.
    RowWise,
    /// The same, and one for every item that Stock-Level looks at, as tpcc-mysql does.
    ItemWise,
    /// Statements of several keys and rows, as go-tpc does.
    Batched,
    /// One call of a stored procedure, as HammerDB does.
    Procedure,
}

impl Way {
    /// All of them.
    pub const ALL: [Way; 4] = [Way::RowWise, Way::ItemWise, Way::Batched, Way::Procedure];
    /// The word on the command line and in the record.
    pub fn name(self) -> &'static str {
        match self {
            Way::RowWise => "row-wise",
            Way::ItemWise => "item-wise",
            Way::Batched => "batched",
            Way::Procedure => "procedure",
        }
    }
    /// Whether each row has a statement of its own.
    pub(super) fn by_row(self) -> bool {
        matches!(self, Way::RowWise | Way::ItemWise)
    }
    /// The way of that name.
    pub fn named(name: &str) -> Option<Way> {
        Way::ALL.into_iter().find(|way| way.name() == name)
    }
}

/// What a worker is told.
#[derive(Debug, Clone)]
pub struct Worker {
    /// Its number, from 0: its own warehouse follows from it.
    pub index: usize,
    /// How much there is.
    pub scale: Scale,
    /// How it asks.
    pub way: Way,
    /// How often each transaction comes.
    pub mix: Mix,
    /// Whose warehouse each is of.
    pub binding: Binding,
    /// Seed of what it draws.
    pub seed: u64,
    /// When orders are entered: `2026-11-22 03:40:00`.
    pub now: String,
}

/// How a transaction ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It was made to last.
    Committed,
    /// It named an item that there is not, as one new order in a hundred does, and was undone.
    RolledBack,
    /// It was tried as often as is allowed, and was undone each time.
    GivenUp,
}

/// One transaction, and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// Which.
    pub kind: Kind,
    /// How it ended.
    pub ending: Ending,
    /// Times that it was tried again, by deadlocks, lock timeouts and changed rows.
    pub retries: [u32; 3],
}

/// Times that a transaction is tried again at most.
const RETRIES: u32 = 10;

/// A worker with its session.
#[allow(missing_debug_implementations, reason = "a session is a trait object")]
pub struct Terminal {
    pub(super) session: Box<dyn Session>,
    pub(super) prepared: Prepared,
    pub(super) way: Way,
    pub(super) now: Text<32>,
    pub(super) last: Text<16>,
    /// Customers of one last name, or items of a district's last orders.
    pub(super) found: Vec<i64>,
    pub(super) data: Text<500>,
    pub(super) old: Text<500>,
    scale: Scale,
    random: Random,
    deck: Deck,
    home: Option<i64>,
}

impl Terminal {
    /// Prepares everything that it will ask.
    ///
    /// # Errors
    /// The engine refused, or is gone.
    pub fn new(
        mut session: Box<dyn Session>,
        dialect: Dialect,
        worker: &Worker,
    ) -> Result<Terminal, Error> {
        let (batched, calls) = (worker.way == Way::Batched, worker.way == Way::Procedure);
        let prepared = Prepared::new(&mut *session, dialect, (batched, calls))?;
        let mut now = Text::new();
        now.set(&worker.now);
        let seed = worker.seed ^ (worker.index as u64 + 1).wrapping_mul(0xd134_2543_de82_ef95);
        let home = worker.index as i64 % worker.scale.warehouses.max(1) + 1;
        Ok(Terminal {
            session,
            prepared,
            way: worker.way,
            now,
            last: Text::new(),
            found: Vec::with_capacity(stock_level::ITEMS.max(worker.scale.customers as usize)),
            data: Text::new(),
            old: Text::new(),
            scale: worker.scale,
            random: Random::new(seed, Constants::RUN),
            deck: Deck::new(&worker.mix),
            home: (worker.binding == Binding::Home).then_some(home),
        })
    }
    /// The session, when all is done.
    pub fn into_session(self) -> Box<dyn Session> {
        self.session
    }
    /// One transaction, tried again with the same inputs while that may help.
    ///
    /// # Errors
    /// The engine refused it for good, or is gone.
    pub fn turn(&mut self) -> Result<Turn, Error> {
        let kind = self.deck.draw(&mut self.random);
        let w = match self.home {
            Some(w) => w,
            None => self.random.between(1, self.scale.warehouses),
        };
        let input = Input::draw(kind, w, &self.scale, &mut self.random);
        let mut turn = Turn { kind, ending: Ending::GivenUp, retries: [0; 3] };
        loop {
            let error = match self.attempt(&input) {
                Ok(ending) => {
                    turn.ending = ending;
                    return Ok(turn);
                }
                Err(error) => error,
            };
            let class = match error.class {
                Class::Deadlock => 0,
                Class::LockTimeout => 1,
                Class::Changed => 2,
                _ => return Err(error),
            };
            self.session.rollback()?;
            if turn.retries.iter().sum::<u32>() >= RETRIES {
                return Ok(turn);
            }
            turn.retries[class] += 1;
        }
    }

    fn attempt(&mut self, input: &Input) -> Result<Ending, Error> {
        if self.way == Way::Procedure {
            return self.call(input);
        }
        let batched = self.way == Way::Batched;
        self.session.begin(!matches!(input.kind(), Kind::OrderStatus | Kind::StockLevel))?;
        let commit = match *input {
            Input::NewOrder { w, d, c, ref lines, count, .. } => {
                let order = new_order::Order { w, d, c, lines: &lines[..count] };
                match batched {
                    true => new_order::batched(self, &order)?,
                    false => new_order::row_wise(self, &order)?,
                }
            }
            Input::Payment { .. } => payment::run(self, input)?,
            Input::OrderStatus { w, d, who } => order_status::run(self, (w, d), who)?,
            Input::Delivery { w, carrier } => match batched {
                true => delivery::batched(self, w, carrier)?,
                false => delivery::row_wise(self, w, carrier)?,
            },
            Input::StockLevel { w, d, threshold } => stock_level::run(self, (w, d), threshold)?,
        };
        if commit {
            self.session.commit()?;
            return Ok(Ending::Committed);
        }
        self.session.rollback()?;
        Ok(Ending::RolledBack)
    }

    /// One call; it begins and ends its transaction itself, and answers with 1, or with 0 where it undid it.
    fn call(&mut self, input: &Input) -> Result<Ending, Error> {
        let calls = self.prepared.calls.ok_or_else(|| Error::unexpected("procedures"))?;
        let (id, last) = match input {
            Input::Payment { who, .. } | Input::OrderStatus { who, .. } => self.by(*who),
            _ => (0, false),
        };
        let last = if last { self.last.as_str() } else { "" };
        let now = Value::Text(self.now.as_str());
        let mut done = None;
        let mut took = |row: &[Value<'_>]| done = row.first().and_then(|v| v.int());
        let int = Value::Int;
        match *input {
            Input::NewOrder { w, d, c, ref lines, count, .. } => {
                let local = lines[..count].iter().all(|line| line.supply == w);
                let mut all = [int(0); 6 + 3 * super::inputs::LINES];
                all[..6].copy_from_slice(&[
                    int(w),
                    int(d),
                    int(c),
                    int(count as i64),
                    int(i64::from(local)),
                    now,
                ]);
                for (three, line) in all[6..].chunks_mut(3).zip(lines) {
                    three.copy_from_slice(&[int(line.item), int(line.supply), int(line.quantity)]);
                }
                self.session.execute(calls.new_order, &all, &mut took)?
            }
            Input::Payment { w, d, cw, cd, cents, .. } => {
                let amount = Value::Real(cents as f64 / 100.0);
                let all =
                    [int(w), int(d), int(cw), int(cd), int(id), Value::Text(last), amount, now];
                self.session.execute(calls.payment, &all, &mut took)?
            }
            Input::OrderStatus { w, d, .. } => {
                let all = [int(w), int(d), int(id), Value::Text(last)];
                self.session.execute(calls.order_status, &all, &mut took)?
            }
            Input::Delivery { w, carrier } => {
                self.session.execute(calls.delivery, &[int(w), int(carrier), now], &mut took)?
            }
            Input::StockLevel { w, d, threshold } => {
                let all = [int(w), int(d), int(threshold)];
                self.session.execute(calls.stock_level, &all, &mut took)?
            }
        };
        match done {
            Some(1) => Ok(Ending::Committed),
            Some(0) => Ok(Ending::RolledBack),
            Some(_) => Err(Error::unexpected("customer, district or stock of a new order")),
            None => Err(Error::unexpected("answer of a procedure")),
        }
    }

    /// A customer's number, or 0 and whether the last name is written to `self.last`.
    fn by(&mut self, who: Who) -> (i64, bool) {
        match who {
            Who::Id(id) => (id, false),
            Who::Name(number) => {
                self.last.clear();
                name(&mut |s| self.last.push(s), number);
                (0, true)
            }
        }
    }

    /// The customer who is meant; of those with one last name the one in the middle, by first name (clause 2.5.2.2).
    pub(super) fn customer(&mut self, w: i64, d: i64, who: Who) -> Result<i64, Error> {
        let (id, named) = self.by(who);
        if !named {
            return Ok(id);
        }
        let key = [Value::Int(w), Value::Int(d), Value::Text(self.last.as_str())];
        if self.way.by_row() {
            self.session.execute(self.prepared.one.count_by_name, &key, &mut |_| ())?;
        }
        let found = &mut self.found;
        found.clear();
        self.session.execute(self.prepared.one.ids_by_name, &key, &mut |row| {
            found.extend(row.first().and_then(|v| v.int()));
        })?;
        middle(found).ok_or_else(|| Error::unexpected("customer of that name"))
    }
}

/// Position n / 2 rounded up, counted from 1.
fn middle(found: &[i64]) -> Option<i64> {
    found.get(found.len().div_ceil(2).checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_one_is_half_rounded_up() {
        assert_eq!(middle(&[]), None);
        assert_eq!(middle(&[7]), Some(7));
        assert_eq!(middle(&[7, 8]), Some(7));
        assert_eq!(middle(&[7, 8, 9]), Some(8));
        assert_eq!(middle(&[7, 8, 9, 10]), Some(8));
    }

    #[test]
    fn words_are_read_back() {
        assert!(Way::ALL.iter().all(|way| Way::named(way.name()) == Some(*way)));
        assert_eq!(Way::named("rowwise"), None);
    }
}
