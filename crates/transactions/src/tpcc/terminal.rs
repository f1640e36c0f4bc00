//! A terminal: draws transactions, runs each until it commits, and reports the outcome.
use super::{
    Scale, delivery,
    inputs::{Binding, CustomerKey, Deck, Input, LINES, Mix, TransactionType},
    new_order, order_status, payment,
    random::{Constants, Random, push_last_name},
    statements::PreparedStatements,
    stock_level,
    text::Text,
};
use database::{
    engine::SqlDialect,
    session::{Error, ErrorClass, Session, Value, int_at},
};
use serde::{Deserialize, Serialize};

/// The statements of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatementStyle {
    /// A statement for each row, as in sysbench-tpcc.
    RowWise,
    /// Also one for each item of Stock-Level, as in tpcc-mysql.
    ItemWise,
    /// Statements with several keys and rows, as in go-tpc.
    Batched,
    /// A call of a stored procedure, as in HammerDB.
    Procedure,
}

impl StatementStyle {
    pub(super) fn is_per_row(self) -> bool {
        matches!(self, StatementStyle::RowWise | StatementStyle::ItemWise)
    }
}

/// Options of a terminal.
#[derive(Debug, Clone)]
pub struct TerminalOptions {
    /// Its number from 0, which determines its home warehouse.
    pub index: usize,
    /// Cardinalities of the data.
    pub scale: Scale,
    /// Statements of its transactions.
    pub style: StatementStyle,
    /// Shares of the transactions.
    pub mix: Mix,
    /// Home warehouse of the transactions.
    pub binding: Binding,
    /// Seed of its inputs.
    pub seed: u64,
    /// Entry date of orders, such as `2026-11-22 03:40:00`.
    pub now: String,
}

/// The end of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionOutcome {
    /// Committed.
    Committed,
    /// Rolled back because an item does not exist, as 1 % of the new orders are.
    RolledBack,
    /// Rolled back after the last retry.
    GivenUp,
}

/// A transaction that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FinishedTransaction {
    /// Its type.
    pub transaction: TransactionType,
    /// Its end.
    pub outcome: TransactionOutcome,
    /// Retries after deadlocks, lock wait timeouts and changed rows.
    pub retries: [u32; 3],
}

/// Retries of a transaction.
const RETRIES: u32 = 10;

/// A terminal with its session.
#[allow(missing_debug_implementations, reason = "a session is a trait object")]
pub struct Terminal {
    pub(super) session: Box<dyn Session>,
    pub(super) prepared: PreparedStatements,
    pub(super) style: StatementStyle,
    pub(super) now: Text<32>,
    pub(super) last_name: Text<16>,
    /// Customers with one last name, or items of a district's last orders.
    pub(super) found: Vec<i64>,
    pub(super) data: Text<500>,
    pub(super) old: Text<500>,
    scale: Scale,
    random: Random,
    deck: Deck,
    home: Option<i64>,
}

impl Terminal {
    /// Prepares all statements.
    ///
    /// # Errors
    /// The engine refused a statement or is gone.
    pub fn new(
        mut session: Box<dyn Session>,
        dialect: SqlDialect,
        options: &TerminalOptions,
    ) -> Result<Terminal, Error> {
        let prepared = PreparedStatements::new(&mut *session, dialect, options.style)?;
        let mut now = Text::new();
        now.set(&options.now);
        let seed = options.seed ^ (options.index as u64 + 1).wrapping_mul(0xd134_2543_de82_ef95);
        let home = options.index as i64 % options.scale.warehouses.max(1) + 1;
        Ok(Terminal {
            session,
            prepared,
            style: options.style,
            now,
            last_name: Text::new(),
            found: Vec::with_capacity(stock_level::ITEMS.max(options.scale.customers as usize)),
            data: Text::new(),
            old: Text::new(),
            scale: options.scale,
            random: Random::new(seed, Constants::RUN),
            deck: Deck::new(&options.mix),
            home: (options.binding == Binding::Home).then_some(home),
        })
    }
    /// The session, after the last transaction.
    pub fn into_session(self) -> Box<dyn Session> {
        self.session
    }
    /// Runs one transaction and retries it with the same inputs where that may help.
    ///
    /// # Errors
    /// The engine refused it for good or is gone.
    pub fn run_transaction(&mut self) -> Result<FinishedTransaction, Error> {
        let transaction = self.deck.draw(&mut self.random);
        let w = match self.home {
            Some(w) => w,
            None => self.random.between(1, self.scale.warehouses),
        };
        let input = Input::draw(transaction, w, &self.scale, &mut self.random);
        let mut retries = [0; 3];
        loop {
            let error = match self.attempt(&input) {
                Ok(outcome) => return Ok(FinishedTransaction { transaction, outcome, retries }),
                Err(error) => error,
            };
            let class = match error.class {
                ErrorClass::Deadlock => 0,
                ErrorClass::LockTimeout => 1,
                ErrorClass::RowChanged => 2,
                _ => return Err(error),
            };
            self.session.rollback()?;
            if retries.iter().sum::<u32>() >= RETRIES {
                let outcome = TransactionOutcome::GivenUp;
                return Ok(FinishedTransaction { transaction, outcome, retries });
            }
            retries[class] += 1;
        }
    }

    fn attempt(&mut self, input: &Input) -> Result<TransactionOutcome, Error> {
        if self.style == StatementStyle::Procedure {
            return self.call_procedure(input);
        }
        let batched = self.style == StatementStyle::Batched;
        self.session.begin(!input.is_read_only())?;
        let commit = match *input {
            Input::NewOrder { w, d, c, ref lines, count, .. } => {
                let order = new_order::Order { w, d, c, lines: &lines[..count] };
                match batched {
                    true => new_order::batched(self, &order)?,
                    false => new_order::per_row(self, &order)?,
                }
            }
            Input::Payment { .. } => payment::run(self, input)?,
            Input::OrderStatus { w, d, customer } => order_status::run(self, (w, d), customer)?,
            Input::Delivery { w, carrier } => match batched {
                true => delivery::batched(self, w, carrier)?,
                false => delivery::per_row(self, w, carrier)?,
            },
            Input::StockLevel { w, d, threshold } => stock_level::run(self, (w, d), threshold)?,
        };
        if commit {
            self.session.commit()?;
            return Ok(TransactionOutcome::Committed);
        }
        self.session.rollback()?;
        Ok(TransactionOutcome::RolledBack)
    }

    /// Calls a stored procedure, which begins and ends its transaction.
    fn call_procedure(&mut self, input: &Input) -> Result<TransactionOutcome, Error> {
        let id = match input {
            Input::Payment { customer, .. } | Input::OrderStatus { customer, .. } => {
                self.customer_id(*customer).unwrap_or(0)
            }
            _ => 0,
        };
        let last_name = Value::Text(if id == 0 { self.last_name.as_str() } else { "" });
        let now = Value::Text(self.now.as_str());
        let int = Value::Int;
        let mut parameters = [int(0); 6 + 3 * LINES];
        let transaction = match *input {
            Input::NewOrder { w, d, c, ref lines, count, .. } => {
                let local = int(lines[..count].iter().all(|line| line.supply == w).into());
                let (head, of_lines) = parameters.split_at_mut(6);
                head.copy_from_slice(&[int(w), int(d), int(c), int(count as i64), local, now]);
                for (three, line) in of_lines.chunks_mut(3).zip(lines) {
                    three.copy_from_slice(&[int(line.item), int(line.supply), int(line.quantity)]);
                }
                TransactionType::NewOrder
            }
            Input::Payment { w, d, cw, cd, cents, .. } => {
                let amount = Value::Real(cents as f64 / 100.0);
                let [w, d, cw, cd, id] = [w, d, cw, cd, id].map(int);
                parameters[..8].copy_from_slice(&[w, d, cw, cd, id, last_name, amount, now]);
                TransactionType::Payment
            }
            Input::OrderStatus { w, d, .. } => {
                parameters[..4].copy_from_slice(&[int(w), int(d), int(id), last_name]);
                TransactionType::OrderStatus
            }
            Input::Delivery { w, carrier } => {
                parameters[..3].copy_from_slice(&[int(w), int(carrier), now]);
                TransactionType::Delivery
            }
            Input::StockLevel { w, d, threshold } => {
                parameters[..3].copy_from_slice(&[int(w), int(d), int(threshold)]);
                TransactionType::StockLevel
            }
        };
        let call = self.prepared.calls.get(transaction as usize);
        let (call, count) = *call.ok_or_else(|| Error::missing("procedures"))?;
        let mut status = None;
        let mut read_status = |row: &[Value<'_>]| status = int_at(row, 0);
        self.session.execute(call, &parameters[..count], &mut read_status)?;
        match status {
            Some(1) => Ok(TransactionOutcome::Committed),
            Some(0) => Ok(TransactionOutcome::RolledBack),
            Some(_) => Err(Error::missing("customer, district or stock of a new order")),
            None => Err(Error::missing("answer of a procedure")),
        }
    }

    /// A customer's number; for a last name `None`, and the name is in `self.last_name`.
    fn customer_id(&mut self, customer: CustomerKey) -> Option<i64> {
        match customer {
            CustomerKey::Id(id) => Some(id),
            CustomerKey::Name(number) => {
                self.last_name.clear();
                push_last_name(&mut |s| self.last_name.push(s), number);
                None
            }
        }
    }

    /// The customer's number. Of several with one last name it is the middle one by first name (clause 2.5.2.2).
    pub(super) fn customer(&mut self, w: i64, d: i64, customer: CustomerKey) -> Result<i64, Error> {
        if let Some(id) = self.customer_id(customer) {
            return Ok(id);
        }
        let key = [Value::Int(w), Value::Int(d), Value::Text(self.last_name.as_str())];
        if self.style.is_per_row() {
            self.session.update(self.prepared.one.count_by_name, &key)?;
        }
        let found = &mut self.found;
        found.clear();
        self.session.execute(self.prepared.one.ids_by_name, &key, &mut |row| {
            found.extend(int_at(row, 0));
        })?;
        middle(found).ok_or_else(|| Error::missing("customer of that name"))
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
}
