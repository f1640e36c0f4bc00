//! Key lookups in a loop: one statement with an integer parameter, one text column in its answer. An engine may keep one request
//! in flight on each of several connections.
use crate::session::{Error, Session, Statement, Value};

/// The connections of one client thread.
pub trait Lookups {
    /// Number of connections, numbered from 0.
    fn connections(&self) -> usize {
        1
    }
    /// Waits for at least one answer and sends the next request on its connection. `next` returns the key and is called right
    /// before the request is sent. `answered` receives the connection and the text, or `None` where no row matched. No system
    /// call comes between an answer and its `answered`. The first call sends a request on every connection.
    ///
    /// # Errors
    /// The engine refused the statement or is gone.
    fn exchange(
        &mut self,
        next: &mut dyn FnMut(usize) -> i64,
        answered: &mut dyn FnMut(usize, Option<&str>),
    ) -> Result<(), Error>;
    /// Seconds spent polling without an answer, for a client that spins.
    fn idle(&self) -> Option<f64> {
        None
    }
    /// Waits for all requests in flight. The next `exchange` sends a request on every connection again.
    ///
    /// # Errors
    /// The engine refused the statement or is gone.
    fn drain(&mut self, answered: &mut dyn FnMut(usize, Option<&str>)) -> Result<(), Error> {
        let _ = answered;
        Ok(())
    }
}

/// Lookups over one session, one request at a time.
#[allow(missing_debug_implementations, reason = "a session is a trait object")]
pub struct SessionLookups {
    session: Box<dyn Session>,
    statement: Statement,
}

impl SessionLookups {
    /// Prepares the statement in the session.
    ///
    /// # Errors
    /// The engine refused the statement.
    pub fn new(mut session: Box<dyn Session>, statement: &str) -> Result<SessionLookups, Error> {
        let statement = session.prepare(statement)?;
        Ok(SessionLookups { session, statement })
    }
}

impl Lookups for SessionLookups {
    fn exchange(
        &mut self,
        next: &mut dyn FnMut(usize) -> i64,
        answered: &mut dyn FnMut(usize, Option<&str>),
    ) -> Result<(), Error> {
        let mut found = false;
        self.session.execute(self.statement, &[Value::Int(next(0))], &mut |row| {
            found = true;
            answered(0, row.first().and_then(|value| value.text()));
        })?;
        if !found {
            answered(0, None);
        }
        Ok(())
    }
}
