//! A machine's files, to be replayed elsewhere. What is captured is what [`crate::inventory`] reads, because it
//! is inventory that reads it: the list of files exists once, as code.
use crate::{
    reading::Unavailable,
    root::{Root, UNREADABLE},
    scrub,
};
use std::{cell::RefCell, collections::BTreeMap, io};

/// One thing to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A file's content, scrubbed.
    File(Vec<u8>),
    /// A symbolic link's target.
    Link(String),
}

/// The result of a capture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    /// The number of files and links that were kept.
    pub files: usize,
    /// Paths that are there but could not be read, with the reason.
    pub left_out: Vec<(String, String)>,
}

/// Hands every file that [`crate::inventory`] reads to `out`, in ascending order of path, without serial numbers,
/// host names, addresses or identifiers.
///
/// # Errors
/// Only what `out` returns; a file that cannot be read is in [`Captured::left_out`].
pub fn capture(
    root: &dyn Root,
    out: &mut dyn FnMut(&str, Entry) -> io::Result<()>,
) -> io::Result<Captured> {
    let tape = RecordingRoot { root, seen: RefCell::default() };
    crate::inventory(&tape);
    let mut captured = Captured::default();
    let mut unreadable = String::new();
    for (path, answer) in tape.seen.into_inner() {
        let shared = scrub::path(&path);
        let entry = match answer {
            Ok(Entry::File(content)) => Entry::File(scrub::file(&path, content)),
            Ok(link) => link,
            Err(why) => {
                unreadable += &match &why {
                    Some(message) => format!("failed\t{shared}\t{message}\n"),
                    None => format!("denied\t{shared}\n"),
                };
                captured.left_out.push((shared, why.unwrap_or("not permitted".into())));
                continue;
            }
        };
        out(&shared, entry)?;
        captured.files += 1;
    }
    if !unreadable.is_empty() {
        out(UNREADABLE, Entry::File(unreadable.into_bytes()))?;
        captured.files += 1;
    }
    Ok(captured)
}

/// What is there, or the message of an error; none if it may not be read.
type Answer = Result<Entry, Option<String>>;

/// A root that remembers what was asked of it and what it answered.
struct RecordingRoot<'a> {
    root: &'a dyn Root,
    seen: RefCell<BTreeMap<String, Answer>>,
}

impl RecordingRoot<'_> {
    fn note(&self, path: &str, answer: Result<Entry, &io::Error>) {
        let answer = match answer.map_err(Unavailable::from) {
            Ok(entry) => Ok(entry),
            Err(Unavailable::Missing) => return,
            Err(Unavailable::Denied) => Err(None),
            Err(Unavailable::Unreadable(why)) => Err(Some(why)),
        };
        self.seen.borrow_mut().insert(path.into(), answer);
    }
}

impl Root for RecordingRoot<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let result = self.root.read(path);
        self.note(path, result.as_ref().map(|content| Entry::File(content.clone())));
        result
    }
    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        let result = self.root.list(path);
        if let Err(error) = &result {
            self.note(path, Err(error));
        }
        result
    }
    fn link(&self, path: &str) -> io::Result<String> {
        let result = self.root.link(path);
        self.note(path, result.as_ref().map(|target| Entry::Link(target.clone())));
        result
    }
}
