//! No OpenSSL: the same functions as `linked`, each with the reason.
use super::Algorithm;
use record::Reason;

fn reason() -> Reason {
    Reason::mended_by(
        "this cpulens was built without OpenSSL",
        "a cpulens with the feature openssl, which is on unless --no-default-features was given",
    )
}

/// Why there is no library.
pub fn missing() -> Option<Reason> {
    Some(reason())
}

/// Nothing.
pub fn code() -> Result<String, Reason> {
    Err(reason())
}

/// A key that cannot be made.
#[derive(Debug)]
pub struct Key(());

impl Key {
    /// Nothing.
    pub fn generate() -> Result<Key, Reason> {
        Err(reason())
    }
}

/// Work that cannot be had.
#[derive(Debug)]
pub struct Job(());

impl Job {
    /// Nothing.
    pub fn new(_: Algorithm, _: usize, _: Option<&Key>) -> Result<Job, Reason> {
        Err(reason())
    }
    /// Nothing.
    pub fn run(&mut self, _: u64) -> Result<(), Reason> {
        Err(reason())
    }
}
