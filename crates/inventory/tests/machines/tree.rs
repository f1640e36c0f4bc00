//! A tree of files in memory.
use inventory::{
    Root,
    root::{MAX_ENTRIES, UNREADABLE, Unreadable, bounded},
};
use std::{collections::BTreeMap, io};

/// What synthetic machines are built in and captures are kept in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    files: BTreeMap<String, Vec<u8>>,
    links: BTreeMap<String, String>,
    unreadable: Unreadable,
}

impl Tree {
    /// Adds or replaces a file.
    pub(crate) fn put(&mut self, path: &str, content: impl Into<Vec<u8>>) {
        let content = content.into();
        if path == UNREADABLE {
            self.unreadable = Unreadable::parse(&content);
        }
        self.files.insert(path.into(), content);
    }
    /// Adds or replaces a symbolic link; it is reported, never followed.
    pub(crate) fn put_link(&mut self, path: &str, target: &str) {
        self.links.insert(path.into(), target.into());
    }
    /// Removes a file, or everything below a directory.
    pub(crate) fn remove(&mut self, path: &str) {
        let below = format!("{path}/");
        self.files.retain(|name, _| name != path && !name.starts_with(&below));
        self.links.retain(|name, _| name != path && !name.starts_with(&below));
    }
    /// Marks a path as there but not readable by us.
    pub(crate) fn deny(&mut self, path: &str) {
        self.unreadable.0.insert(path.into(), None);
    }
    /// Paths and contents in ascending order.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(path, content)| (path.as_str(), content.as_slice()))
    }
}

impl Root for Tree {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.unreadable.check(path)?;
        let content = self.files.get(path).ok_or(io::ErrorKind::NotFound)?;
        bounded(content.as_slice())
    }
    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        self.unreadable.check(path)?;
        let below = format!("{}/", path.trim_end_matches('/'));
        let mut names = vec![];
        let mut from = below.clone();
        // Jumps from child to child ('0' follows '/'), so a directory costs its entries, not its descendants.
        while let Some((path, _)) = self.files.range(from.clone()..).next() {
            let Some(rest) = path.strip_prefix(&below) else { break };
            let name = rest.split('/').next().unwrap_or(rest);
            if name.is_empty() || names.len() >= MAX_ENTRIES {
                break;
            }
            names.push(name.to_string());
            let after = if rest.len() == name.len() { "\0" } else { "0" };
            from = format!("{below}{name}{after}");
        }
        let there = if names.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(names) };
        self.unreadable.join(path, there)
    }
    fn link(&self, path: &str) -> io::Result<String> {
        self.unreadable.check(path)?;
        self.links.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}
