//! A connection to a database: prepared statements, typed values in and out, transactions, and errors by what may be done
//! about them. Nothing here allocates while statements are executed; what the engine does for itself is its own.
use record::Reason;
use std::fmt;

/// A value of a parameter or of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// NULL.
    Null,
    /// A whole number.
    Int(i64),
    /// Any other number; columns of exact decimals are read as these, too.
    Real(f64),
    /// Text, or a date in the form `2026-11-22 03:40:00`.
    Text(&'a str),
}

impl<'a> Value<'a> {
    /// A whole number, also from a column of another type that holds one.
    pub fn int(self) -> Option<i64> {
        match self {
            Value::Int(n) => Some(n),
            Value::Real(x) if x.fract() == 0.0 => Some(x as i64),
            Value::Text(text) => text.parse().ok(),
            _ => None,
        }
    }
    /// A number.
    pub fn real(self) -> Option<f64> {
        match self {
            Value::Int(n) => Some(n as f64),
            Value::Real(x) => Some(x),
            Value::Text(text) => text.parse().ok(),
            Value::Null => None,
        }
    }
    /// Text.
    pub fn text(self) -> Option<&'a str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// A statement that was prepared in a session; it belongs to that session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statement(pub usize);

/// Takes the rows of an answer, one after the other. Values live until it returns.
pub type Rows<'a> = &'a mut dyn FnMut(&[Value<'_>]);

/// One connection. Whoever has it is alone with it.
pub trait Session {
    /// What is asked from now on is not timed, and may take as long as it takes.
    fn be_patient(&mut self) {}
    /// Runs statements that are not prepared and whose rows nobody wants: schema, loading, settings.
    ///
    /// # Errors
    /// The engine refused, or is gone.
    fn run(&mut self, sql: &str) -> Result<(), Error>;
    /// Runs a statement that reads these lines, where the engine takes any: whether it did. They are as many rows; fewer that are
    /// taken, or taken otherwise than they are, are an error.
    ///
    /// # Errors
    /// The engine refused, or is gone.
    fn fill(&mut self, _sql: &str, _lines: &[u8], _rows: u64) -> Result<bool, Error> {
        Ok(false)
    }
    /// Prepares a statement; its parameters are `?`.
    ///
    /// # Errors
    /// The engine refused, or is gone.
    fn prepare(&mut self, sql: &str) -> Result<Statement, Error>;
    /// Executes it, gives each row to `rows`, and tells how many rows were changed.
    ///
    /// # Errors
    /// The engine refused, or is gone.
    fn execute(
        &mut self,
        statement: Statement,
        parameters: &[Value<'_>],
        rows: Rows<'_>,
    ) -> Result<u64, Error>;
    /// Begins a transaction; `writes` says whether it will change anything.
    ///
    /// # Errors
    /// The engine refused, or is gone.
    fn begin(&mut self, writes: bool) -> Result<(), Error>;
    /// Makes it last.
    ///
    /// # Errors
    /// The engine refused, or is gone.
    fn commit(&mut self) -> Result<(), Error>;
    /// Undoes it; also after an error, when there may be nothing to undo.
    ///
    /// # Errors
    /// The engine is gone.
    fn rollback(&mut self) -> Result<(), Error>;
}

/// What may be done about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Two transactions waited for each other (1213), or the one lock of an embedded engine was taken.
    Deadlock,
    /// A lock was waited for too long (1205).
    LockTimeout,
    /// A row changed since it was read (1020).
    Changed,
    /// The engine has gone: it died, or the connection broke.
    Lost,
    /// There is no room left, on disk or in memory.
    Full,
    /// It does not let us in.
    Denied,
    /// Anything else: nothing that trying again would mend.
    Fatal,
}

impl Class {
    /// Whether the same transaction may be tried again, after a rollback.
    pub fn is_retryable(self) -> bool {
        matches!(self, Class::Deadlock | Class::LockTimeout | Class::Changed)
    }
    /// The word in the record.
    pub fn name(self) -> &'static str {
        match self {
            Class::Deadlock => "deadlock",
            Class::LockTimeout => "lock timeout",
            Class::Changed => "changed",
            Class::Lost => "lost",
            Class::Full => "full",
            Class::Denied => "denied",
            Class::Fatal => "fatal",
        }
    }
}

/// An engine's refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// What may be done about it.
    pub class: Class,
    /// The engine's own number of it; 0 where it gave none.
    pub code: u32,
    /// In words, with what would help.
    pub reason: Reason,
}

impl Error {
    /// An error of that class, in these words.
    pub fn new(class: Class, code: u32, why: impl Into<String>) -> Error {
        Error { class, code, reason: Reason::new(why) }
    }
    /// A defect of ours: an answer without what was asked for.
    pub fn unexpected(what: &str) -> Error {
        Error::new(Class::Fatal, 0, format!("the database's answer has no {what}"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl std::error::Error for Error {}

impl From<Error> for Reason {
    fn from(error: Error) -> Reason {
        error.reason
    }
}
