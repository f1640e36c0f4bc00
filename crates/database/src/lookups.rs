//! Many questions of one form: a prepared statement with a number in it, and a text for an answer. An engine may have
//! several of them under way, one on each connection; how it waits for answers is its own.
use crate::session::{Error, Session, Statement, Value};

/// A thread's connections over which it asks.
pub trait Lookups {
    /// Connections that it has, numbered from 0.
    fn connections(&self) -> usize {
        1
    }
    /// Waits for one answer or more, and asks on. `next` gives the number to ask for on a connection, right before it is
    /// sent; `answered` gets the connection and the text, or nothing where there was no such row. Both are called without
    /// any system call between an answer and its `answered`. On the first call every connection is asked.
    ///
    /// # Errors
    /// The engine refused, or is gone.
    fn turn(
        &mut self,
        next: &mut dyn FnMut(usize) -> i64,
        answered: &mut dyn FnMut(usize, Option<&str>),
    ) -> Result<(), Error>;
    /// Seconds that were spent looking for answers when there were none, of one that never sleeps.
    fn idle(&self) -> Option<f64> {
        None
    }
    /// Waits for what is still under way; afterwards a turn asks on every connection again.
    ///
    /// # Errors
    /// The engine refused, or is gone.
    fn drain(&mut self, answered: &mut dyn FnMut(usize, Option<&str>)) -> Result<(), Error> {
        let _ = answered;
        Ok(())
    }
}

/// One connection, one question at a time.
#[allow(missing_debug_implementations, reason = "a session is a trait object")]
pub struct OneByOne {
    session: Box<dyn Session>,
    statement: Statement,
}

impl OneByOne {
    /// Prepares the statement in the session.
    ///
    /// # Errors
    /// The engine refused it.
    pub fn new(mut session: Box<dyn Session>, statement: &str) -> Result<OneByOne, Error> {
        let statement = session.prepare(statement)?;
        Ok(OneByOne { session, statement })
    }
}

impl Lookups for OneByOne {
    fn turn(
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
