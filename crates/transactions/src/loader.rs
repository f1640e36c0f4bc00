//! A session that loads tables. The engine may roll a transaction back because of another loader (deadlock, lock wait timeout):
//! the loader then repeats it.
use database::{
    engine::SqlDialect,
    session::{Error, Session},
};

/// Retries of a transaction.
const RETRIES: u32 = 10;

/// A session that loads tables.
#[allow(missing_debug_implementations, reason = "a session is a trait object")]
pub struct Loader<'a> {
    session: &'a mut dyn Session,
    dialect: SqlDialect,
    /// Transactions that were rolled back by the engine and repeated.
    pub retries: u64,
}

impl<'a> Loader<'a> {
    /// A loader over this session.
    pub fn new(session: &'a mut dyn Session, dialect: SqlDialect) -> Loader<'a> {
        Loader { session, dialect, retries: 0 }
    }
    /// Runs `work` in a transaction. A retry calls it again, so it must insert the same rows each time.
    ///
    /// # Errors
    /// The engine refused the transaction for good or is gone.
    pub fn transaction(
        &mut self,
        mut work: impl FnMut(&mut dyn Session, SqlDialect) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (session, dialect) = (&mut *self.session, self.dialect);
        // SQLite has a single loader and no journal while loading: it could not roll back.
        let mut left = if dialect == SqlDialect::Sqlite { 0 } else { RETRIES };
        loop {
            let begun = session.begin(true);
            let done = begun.and_then(|()| work(session, dialect)).and_then(|()| session.commit());
            match done {
                Err(error) if error.class.is_retryable() && left > 0 => {
                    // A lock wait timeout rolls back one statement only.
                    session.rollback()?;
                    left -= 1;
                    self.retries += 1;
                }
                other => return other,
            }
        }
    }
}
