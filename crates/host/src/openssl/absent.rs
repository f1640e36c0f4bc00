//! No OpenSSL: the same functions as `linked`, each with the reason.
use super::Algorithm;
use record::Reason;

fn reason() -> Reason {
    Reason::mended_by(
        "this cpulens was built without OpenSSL",
        "a cpulens with the feature openssl, which is on unless --no-default-features was given",
    )
}

pub fn missing() -> Option<Reason> {
    Some(reason())
}

pub fn code() -> Result<String, Reason> {
    Err(reason())
}

pub fn encrypt(_: &[u8], _: &[u8]) -> Result<Vec<u8>, Reason> {
    Err(reason())
}

#[derive(Debug)]
pub struct Key(());

impl Key {
    pub fn generate() -> Result<Key, Reason> {
        Err(reason())
    }
}

#[derive(Debug)]
pub struct Job(());

impl Job {
    pub fn new(_: Algorithm, _: usize, _: Option<&Key>) -> Result<Job, Reason> {
        Err(reason())
    }
    pub fn run(&mut self, _: u64) -> Result<(), Reason> {
        Err(reason())
    }
}
