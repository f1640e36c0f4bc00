//! A database engine: opened for a data set, loaded, queried over sessions, closed. Its id is its file's name in `engines/`.
use crate::{
    lookups::{Lookups, SessionLookups},
    options::EngineOptions,
    session::{Error, Session},
};
use record::{CpuSet, Reason, Unit};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// An engine: embedded, a server that is started here, or a server that runs already.
pub trait Engine: Sync {
    /// The ways in which sessions share the data of a workload (`point_select` or `tpcc`); the default first.
    fn modes(&self, _workload: &str) -> &'static [&'static str] {
        &["shared"]
    }
    /// Whether client threads execute the queries themselves.
    fn is_embedded(&self) -> bool {
        false
    }
    /// Whether opening it starts a server; several can run, on any CPUs.
    fn starts_servers(&self) -> bool {
        false
    }
    /// Whether its files belong in memory unless the user names a folder: it has no cache of its own.
    fn prefers_tmpfs(&self) -> bool {
        false
    }
    /// Refuses folders that it cannot use, by their names. They need not exist.
    ///
    /// # Errors
    /// The name is of no use.
    fn check_folder(&self, _folder: &Path) -> Result<(), Reason> {
        Ok(())
    }
    /// A warning before it is used, with a remedy: others can read what is sent.
    fn warning(&self, _options: &EngineOptions) -> Option<Reason> {
        None
    }
    /// Names of the options that it accepts for a workload ([`OpenOptions::options`]); others are refused.
    fn options(&self, _workload: &str) -> &'static [&'static str] {
        &[]
    }
    /// The reason why it cannot be opened here: no server program, no address, no space.
    fn unavailable(&self, options: &OpenOptions<'_>) -> Option<Reason>;
    /// Opens it with the data that an earlier run left: connects, or starts its server on these CPUs and NUMA nodes.
    ///
    /// # Errors
    /// It cannot be opened; the remedy says what helps.
    fn open(&self, options: &OpenOptions<'_>) -> Result<Box<dyn Instance>, Reason>;
}

/// Options for opening an engine. All of them come from a case's parameters and placement.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions<'a> {
    /// `point_select` or `tpcc`.
    pub workload: &'a str,
    /// One of [`Engine::modes`].
    pub mode: &'a str,
    /// An existing folder of mode 0700 for its files. It outlives the case; its creator removes it.
    pub folder: PathBuf,
    /// Bytes of the data, to size buffer pools and to check for space.
    pub bytes: u64,
    /// The option that names their size; a remedy says how many fit.
    pub size_option: Option<SizeOption>,
    /// Client threads.
    pub threads: usize,
    /// Connections of all client threads.
    pub connections: usize,
    /// CPUs of the server; of the client threads for an embedded engine.
    pub cpus: CpuSet,
    /// NUMA nodes that the server's memory is bound to; empty: no binding.
    pub nodes: CpuSet,
    /// The user's options; those of [`Engine::options`].
    pub options: EngineOptions,
}

/// The option by which a user sets the size of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeOption {
    /// Its name, such as `--rows`.
    pub name: &'static str,
    /// Bytes of each.
    pub each: u64,
    /// Bytes of the data that do not grow with it.
    pub fixed: u64,
}

impl SizeOption {
    /// Bytes of so many.
    pub fn bytes(&self, count: u64) -> u64 {
        self.fixed.saturating_add(self.each.saturating_mul(count))
    }
    /// How many have at most so many bytes.
    pub fn most(&self, bytes: u64) -> u64 {
        bytes.saturating_sub(self.fixed) / self.each
    }
}

/// The SQL dialect of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SqlDialect {
    /// SQLite.
    Sqlite,
    /// MySQL and MariaDB.
    Mysql,
}

/// The processes whose CPU time and counters are the engine's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Executor {
    /// The client threads: the engine is embedded.
    CallingThread,
    /// The process with this id.
    Process(u32),
    /// A process that cannot be observed from here: of another machine or another user.
    Unobservable,
}

/// The engine and its settings for the record; nothing secret.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineInfo {
    /// `SQLite`, `MariaDB`, `MySQL`.
    pub name: String,
    /// As the engine reports it.
    pub version: String,
    /// Settings that affect performance, by name.
    pub settings: BTreeMap<String, String>,
}

/// An open engine.
pub trait Instance: Sync {
    /// Name, version and settings.
    fn info(&self) -> EngineInfo;
    /// Its SQL dialect.
    fn dialect(&self) -> SqlDialect;
    /// The processes that execute its queries.
    fn executor(&self) -> Executor;
    /// Number of threads that may load at the same time.
    fn max_loaders(&self) -> usize {
        1
    }
    /// A session of the loader with this number, opened on the thread that uses it. All sessions see the loaded data.
    ///
    /// # Errors
    /// It cannot be opened.
    fn loader_session(&self, index: usize) -> Result<Box<dyn Session>, Error>;
    /// Reads these tables, found from an earlier run, into the engine's cache. The first queries would read from disk otherwise.
    ///
    /// # Errors
    /// They cannot be read.
    fn warm_up(&self, _tables: &[&str]) -> Result<(), Error> {
        Ok(())
    }
    /// Completes the data after all loader sessions are closed. `procedures` are the statements that create stored procedures.
    ///
    /// # Errors
    /// The data cannot be completed.
    fn finish_load(&self, _procedures: &[String]) -> Result<(), Error> {
        Ok(())
    }
    /// A session of the client thread with this number, opened on that pinned thread. With [`Instance::is_sharded`] it sees its
    /// own copy of the loaded data.
    ///
    /// # Errors
    /// It cannot be opened.
    fn session(&self, worker: usize) -> Result<Box<dyn Session>, Error>;
    /// Whether each client thread has data of its own.
    fn is_sharded(&self) -> bool {
        false
    }
    /// Whether it supports stored procedures.
    fn has_procedures(&self) -> bool {
        false
    }
    /// Key lookups of one client thread with a prepared statement over several connections.
    ///
    /// # Errors
    /// A connection cannot be opened.
    fn lookups(
        &self,
        worker: usize,
        connections: usize,
        statement: &str,
    ) -> Result<Box<dyn Lookups>, Error> {
        let _ = connections;
        Ok(Box::new(SessionLookups::new(self.session(worker)?, statement)?))
    }
    /// Share of the server's memory on the NUMA nodes that it was bound to.
    fn memory_on_nodes(&self) -> Option<f64> {
        None
    }
    /// Status counters since it was opened, such as `row_lock_waits` and `disk_reads`. Read before and after a window, never
    /// inside one.
    fn status_counters(&self) -> Vec<(&'static str, Unit, f64)> {
        vec![]
    }
    /// Closes it and stops the server that it started. Dropping it does the same and reports nothing.
    ///
    /// # Errors
    /// What is left behind.
    fn close(self: Box<Self>) -> Result<(), Reason> {
        Ok(())
    }
}
