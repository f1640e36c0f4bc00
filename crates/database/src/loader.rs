//! A session that fills tables. An engine may undo a transaction for the sake of others, who load beside it: it is done again
//! from its beginning, as often as a worker's would be.
use crate::{
    engine::Dialect,
    session::{Error, Session},
};

/// Times that a transaction is done again at most.
const RETRIES: u32 = 10;

/// A session that fills tables.
#[allow(missing_debug_implementations, reason = "a session is a trait object")]
pub struct Loader<'a> {
    session: &'a mut dyn Session,
    dialect: Dialect,
    /// Transactions that were undone by the engine and done again.
    pub retries: u64,
}

impl<'a> Loader<'a> {
    /// One over this session.
    pub fn new(session: &'a mut dyn Session, dialect: Dialect) -> Loader<'a> {
        Loader { session, dialect, retries: 0 }
    }
    /// Does `work` in a transaction. It may be called several times, and has to do the same each time.
    ///
    /// # Errors
    /// The engine refused it for good, or is gone.
    pub fn transaction(
        &mut self,
        mut work: impl FnMut(&mut dyn Session, Dialect) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (session, dialect) = (&mut *self.session, self.dialect);
        // A file of ours is nobody else's, and is filled without a journal: nothing of it could be undone.
        let mut left = if dialect == Dialect::Sqlite { 0 } else { RETRIES };
        loop {
            let begun = session.begin(true);
            let done = begun.and_then(|()| work(session, dialect)).and_then(|()| session.commit());
            match done {
                Err(error) if error.class.is_retryable() && left > 0 => {
                    // A lock timeout undoes a statement only.
                    session.rollback()?;
                    left -= 1;
                    self.retries += 1;
                }
                other => return other,
            }
        }
    }
}
