//! A database session: prepared statements, typed parameters and columns, transactions, and errors classified by what can be
//! done about them. Executing a statement allocates nothing here; an engine may.
use record::Reason;
use std::fmt;

/// A parameter or a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// NULL.
    Null,
    /// An integer.
    Int(i64),
    /// A floating-point number, or a DECIMAL.
    Real(f64),
    /// Text, or a date such as `2026-11-22 03:40:00`.
    Text(&'a str),
}

impl<'a> Value<'a> {
    /// The integer, also of a column with another type.
    #[inline]
    pub fn int(self) -> Option<i64> {
        match self {
            Value::Int(n) => Some(n),
            Value::Real(x) if x.fract() == 0.0 => Some(x as i64),
            Value::Text(text) => text.parse().ok(),
            _ => None,
        }
    }
    /// The number, also of a column with another type.
    #[inline]
    pub fn real(self) -> Option<f64> {
        match self {
            Value::Int(n) => Some(n as f64),
            Value::Real(x) => Some(x),
            Value::Text(text) => text.parse().ok(),
            Value::Null => None,
        }
    }
    /// The text.
    #[inline]
    pub fn text(self) -> Option<&'a str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// The integer in this column of a row.
#[inline]
pub fn int_at(row: &[Value<'_>], column: usize) -> Option<i64> {
    row.get(column)?.int()
}

/// The number in this column of a row.
#[inline]
pub fn real_at(row: &[Value<'_>], column: usize) -> Option<f64> {
    row.get(column)?.real()
}

/// The text in this column of a row; empty for NULL.
#[inline]
pub fn text_at<'a>(row: &[Value<'a>], column: usize) -> &'a str {
    row.get(column).and_then(|value| value.text()).unwrap_or_default()
}

/// A prepared statement of one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statement(pub usize);

/// Receives the rows of a result, one after the other. Values live until it returns.
pub type Rows<'a> = &'a mut dyn FnMut(&[Value<'_>]);

/// One connection, used by one thread.
pub trait Session {
    /// Removes the time limit of statements: what follows is not timed.
    fn disable_timeout(&mut self) {}
    /// Executes SQL without parameters and discards its rows: schema, loading, settings.
    ///
    /// # Errors
    /// The engine refused the statement or is gone.
    fn run(&mut self, sql: &str) -> Result<(), Error>;
    /// Executes a LOAD DATA LOCAL statement that reads these lines. Returns `false` where the engine does not accept them.
    /// It is an error if the engine loads another number of rows, or warns.
    ///
    /// # Errors
    /// The engine refused the statement or is gone.
    fn load_lines(&mut self, _sql: &str, _lines: &[u8], _rows: u64) -> Result<bool, Error> {
        Ok(false)
    }
    /// Prepares a statement; its parameters are `?`.
    ///
    /// # Errors
    /// The engine refused the statement or is gone.
    fn prepare(&mut self, sql: &str) -> Result<Statement, Error>;
    /// Executes a prepared statement, passes each row to `rows`, and returns the number of changed rows.
    ///
    /// # Errors
    /// The engine refused the statement or is gone.
    fn execute(
        &mut self,
        statement: Statement,
        parameters: &[Value<'_>],
        rows: Rows<'_>,
    ) -> Result<u64, Error>;
    /// Begins a transaction; `writes` says whether it changes rows.
    ///
    /// # Errors
    /// The engine refused the statement or is gone.
    fn begin(&mut self, writes: bool) -> Result<(), Error>;
    /// Commits the transaction.
    ///
    /// # Errors
    /// The engine refused the statement or is gone.
    fn commit(&mut self) -> Result<(), Error>;
    /// Rolls the transaction back; after an error there may be none.
    ///
    /// # Errors
    /// The engine is gone.
    fn rollback(&mut self) -> Result<(), Error>;
}

impl dyn Session + '_ {
    /// Executes a statement without a result set.
    ///
    /// # Errors
    /// The engine refused the statement or is gone.
    #[inline]
    pub fn update(&mut self, statement: Statement, parameters: &[Value<'_>]) -> Result<(), Error> {
        self.execute(statement, parameters, &mut |_| ()).map(drop)
    }
    /// Prepares and executes a query and returns the integer in the first column of its last row.
    ///
    /// # Errors
    /// The engine refused the statement or is gone.
    pub fn select_int(&mut self, sql: &str) -> Result<Option<i64>, Error> {
        let statement = self.prepare(sql)?;
        self.query_int(statement, &[])
    }
    /// Executes a query and returns the integer in the first column of its last row.
    ///
    /// # Errors
    /// The engine refused the statement or is gone.
    #[inline]
    pub fn query_int(
        &mut self,
        statement: Statement,
        parameters: &[Value<'_>],
    ) -> Result<Option<i64>, Error> {
        let mut found = None;
        self.execute(statement, parameters, &mut |row| found = int_at(row, 0))?;
        Ok(found)
    }
}

/// The reaction to an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorClass {
    /// A deadlock (1213), or the single write lock of SQLite was held.
    Deadlock,
    /// Lock wait timeout (1205).
    LockTimeout,
    /// The row changed since it was read (1020).
    RowChanged,
    /// The server died or the connection broke.
    ConnectionLost,
    /// No space on disk or in memory.
    NoSpace,
    /// Access denied.
    AccessDenied,
    /// Any other error; a retry does not help.
    Fatal,
}

impl ErrorClass {
    /// Whether the transaction may be retried after a rollback.
    pub fn is_retryable(self) -> bool {
        matches!(self, ErrorClass::Deadlock | ErrorClass::LockTimeout | ErrorClass::RowChanged)
    }
}

/// An error of the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The reaction to it.
    pub class: ErrorClass,
    /// The engine's error code; 0 if it has none.
    pub code: u32,
    /// The message, with a remedy.
    pub reason: Reason,
}

impl Error {
    /// An error with this message.
    pub fn new(class: ErrorClass, code: u32, why: impl Into<record::Text>) -> Error {
        Error { class, code, reason: Reason::new(why) }
    }
    /// An error that no retry helps against.
    pub fn fatal(why: impl Into<record::Text>) -> Error {
        Error::new(ErrorClass::Fatal, 0, why)
    }
    /// The result lacks what every correct data set has.
    pub fn missing(what: &str) -> Error {
        Error::fatal(format!("the database's answer has no {what}"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl std::error::Error for Error {}

impl From<Reason> for Error {
    fn from(reason: Reason) -> Error {
        Error { class: ErrorClass::Fatal, code: 0, reason }
    }
}

impl From<Error> for Reason {
    fn from(error: Error) -> Reason {
        error.reason
    }
}
