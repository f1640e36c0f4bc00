//! What a database engine is: something that can be opened for a set of data, loaded, asked over sessions, and closed. Its
//! id is its file's name in `engines/`.
use crate::{
    lookups::{Lookups, OneByOne},
    session::{Error, Session},
};
use record::{CpuSet, Reason, Unit};
use std::{collections::BTreeMap, path::Path};

/// A kind of engine: embedded, started here, or running already.
pub trait Engine: Sync {
    /// What it is, in a few words.
    fn title(&self) -> &'static str;
    /// Ways in which its sessions share the data of a workload (`point_select` or `tpcc`), the default first.
    fn modes(&self, workload: &str) -> &'static [&'static str];
    /// Whether the threads that ask do the work themselves.
    fn is_embedded(&self) -> bool {
        false
    }
    /// Whether opening it starts a server, of which there may be several, anywhere.
    fn starts_servers(&self) -> bool {
        false
    }
    /// Whether its files are to be in memory where nobody says where they shall be: not where it has a cache of its own.
    fn files_in_memory(&self) -> bool {
        false
    }
    /// What may be said of it for a workload, by name ([`Wanted::options`]): whoever says more would believe that it was so.
    fn options(&self, _workload: &str) -> &'static [&'static str] {
        &[]
    }
    /// What it needs and is not here: no server program, no address. Asked when it is the case's turn.
    fn lacks(&self, wanted: &Wanted<'_>) -> Option<Reason>;
    /// Opens it: finds its data where a former run left them, connects or starts its server on the CPUs and nodes that are
    /// wanted. Nothing is loaded yet.
    ///
    /// # Errors
    /// It cannot be had, and what would help.
    fn open(&self, wanted: &Wanted<'_>) -> Result<Box<dyn Running>, Reason>;
}

/// What an engine is opened for. All of it comes from a case's parameters and placement.
#[derive(Debug, Clone)]
pub struct Wanted<'a> {
    /// `point_select` or `tpcc`.
    pub workload: &'a str,
    /// One of the engine's [`Engine::modes`].
    pub mode: &'a str,
    /// A folder of our own for files: it exists, is ours alone (0700), and outlives the case. Who made it removes it.
    pub folder: &'a Path,
    /// Bytes that the data will take, for pools and for refusing in time.
    pub bytes: u64,
    /// Threads that will ask at the same time.
    pub threads: usize,
    /// Connections of all threads together.
    pub connections: usize,
    /// The CPUs of the server. For an embedded engine they are those of the threads that ask.
    pub cpus: &'a CpuSet,
    /// Nodes that the server's memory shall be bound to; empty: wherever it likes.
    pub nodes: &'a CpuSet,
    /// What else was said of the engine, by name: `address`, `isolation`, `transport`, `wait` ...
    pub options: &'a BTreeMap<String, String>,
}

/// Words in which engines differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite's.
    Sqlite,
    /// MySQL's and MariaDB's.
    Mysql,
}

/// Whose CPU time is the engine's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Works {
    /// That of the threads that ask: it is embedded.
    InCaller,
    /// That of this process, which may be counted.
    InProcess(u32),
    /// That of somebody who cannot be counted from here: another machine, or another user.
    Elsewhere,
}

/// What an engine is and how it is set, for the record: nothing secret.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// `SQLite`, `MariaDB`, `MySQL`.
    pub name: String,
    /// As it states it.
    pub version: String,
    /// Settings that matter, by name.
    pub settings: BTreeMap<String, String>,
}

/// An engine that is open.
pub trait Running: Sync {
    /// What it is.
    fn identity(&self) -> Identity;
    /// How it wants to be spoken to.
    fn dialect(&self) -> Dialect;
    /// Who does the work.
    fn works(&self) -> Works;
    /// Threads that may load at the same time.
    fn loaders(&self) -> usize;
    /// A session for the loader of this number, called on the thread that uses it. Loaded data are those of all sessions.
    ///
    /// # Errors
    /// It cannot be had.
    fn loader(&self, index: usize) -> Result<Box<dyn Session>, Error>;
    /// These tables were found as a former run left them: what it held in memory of them is read again, or the first who ask
    /// would wait for disks and the later ones would not.
    ///
    /// # Errors
    /// They cannot be read.
    fn warm(&self, _tables: &[&str]) -> Result<(), Error> {
        Ok(())
    }
    /// All is loaded and every loader's session has been dropped.
    ///
    /// # Errors
    /// The data could not be brought into their final form.
    fn loaded(&self) -> Result<(), Error> {
        Ok(())
    }
    /// A session for the worker of this number, called on the pinned thread that uses it. Where workers have shards of their
    /// own ([`Running::sharded`]) it sees its own copy of what was loaded.
    ///
    /// # Errors
    /// It cannot be had.
    fn session(&self, worker: usize) -> Result<Box<dyn Session>, Error>;
    /// Whether each worker has data of its own.
    fn sharded(&self) -> bool {
        false
    }
    /// Whether procedures can be stored in it and called.
    fn procedures(&self) -> bool {
        false
    }
    /// A worker's connections to ask one prepared statement over, for whole numbers as its one parameter; every answer is a
    /// row of one text. Unlike a session it may have a request under way on each of its connections.
    ///
    /// # Errors
    /// It cannot be had.
    fn lookups(
        &self,
        worker: usize,
        connections: usize,
        statement: &str,
    ) -> Result<Box<dyn Lookups>, Error> {
        let _ = connections;
        Ok(Box::new(OneByOne::new(self.session(worker)?, statement)?))
    }
    /// Share of its memory that lies on the nodes that were wanted, where it was bound to some and that can be seen.
    fn on_nodes(&self) -> Option<f64> {
        None
    }
    /// Counts that it keeps of itself, totals since it was opened: `row_lock_waits`, `disk_reads`. Asked before and after a
    /// window, never inside one.
    fn counts(&self) -> Vec<(&'static str, Unit, f64)> {
        vec![]
    }
    /// Closes it: what was started is stopped, what was not is left as it is. Dropping does the same without words.
    ///
    /// # Errors
    /// Something is left behind, and what.
    fn close(self: Box<Self>) -> Result<(), Reason>;
}
