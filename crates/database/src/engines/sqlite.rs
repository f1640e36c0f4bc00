//! SQLite, built into the program: the same code on every machine, no server, no set-up. Work is done by the threads that ask.
//!
//! Ways to share the data. Point select: `shared`, one read-only file mapped by all connections, without a lock or a system
//! call; `wal`, every select its own transaction on a file with a write-ahead log, which takes locks that all share; `own`, a
//! copy in memory for each thread. TPC-C: `sharded`, each thread has warehouses of its own in memory; `files`, the same in a
//! file with a log; `shared`, one file with one writer at a time. None of them has row locks as a server has them.
//! Source: sqlite.org (wal.html, mmap.html, threadsafe.html, uri.html).
mod connection;
mod room;

use crate::{
    engine::{Dialect, Engine, Identity, Running, Wanted, Works},
    session::{Error, Session},
};
use connection::{Connected, failed};
use host::usage;
use record::{Reason, Unit};
use rusqlite::{Connection, OpenFlags};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// SQLite.
#[derive(Debug)]
pub struct Sqlite;

/// Bytes of a page of its files.
const PAGE: f64 = 4096.0;
/// Time that a writer waits for the one before it.
const BUSY: Duration = Duration::from_secs(5);

impl Engine for Sqlite {
    fn title(&self) -> &'static str {
        "SQLite, built in"
    }
    fn modes(&self, workload: &str) -> &'static [&'static str] {
        match workload {
            "point_select" => &["shared", "wal", "own"],
            _ => &["sharded", "files", "shared"],
        }
    }
    fn is_embedded(&self) -> bool {
        true
    }
    fn files_in_memory(&self) -> bool {
        true
    }
    fn lacks(&self, wanted: &Wanted<'_>) -> Option<Reason> {
        let there = fs::metadata(base(wanted)).map_or(0, |about| about.len());
        // A folder that is still to be made will be on what the one above it is on.
        let above = [Some(wanted.folder), wanted.folder.parent()].into_iter().flatten();
        let folder = above.filter_map(|at| host::folders::filesystem(at).ok()).next();
        room::short(wanted, there, folder.as_ref(), host::pages::free_on_node(None))
    }
    fn open(&self, wanted: &Wanted<'_>) -> Result<Box<dyn Running>, Reason> {
        let base = base(wanted);
        let mode = self.modes(wanted.workload).iter().find(|mode| **mode == wanted.mode);
        let mode = *mode.ok_or_else(|| {
            Reason::mended_by(
                format!("SQLite has no mode '{}' for {}", wanted.mode, wanted.workload),
                format!("--mode {}", self.modes(wanted.workload).join(", ")),
            )
        })?;
        let point = wanted.workload == "point_select";
        Ok(Box::new(Open {
            base,
            folder: wanted.folder.to_owned(),
            mode,
            point,
            switching: Mutex::new(()),
        }))
    }
}

/// The file that data are loaded into, which outlives a step.
fn base(wanted: &Wanted<'_>) -> PathBuf {
    wanted.folder.join(format!("sqlite-{}.db", wanted.workload))
}

/// Its file, and how threads share it.
#[derive(Debug)]
struct Open {
    base: PathBuf,
    folder: PathBuf,
    mode: &'static str,
    point: bool,
    /// Held while a file is switched to a log.
    switching: Mutex<()>,
}

impl Open {
    /// A file that is written to, with a log. Two that switch one file at the same time would be refused at once, however long
    /// they are willing to wait for each other.
    fn logged(&self, path: &Path) -> Result<Connection, Error> {
        let _one = self.switching.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        pragmas(&connection, &UNSAFE_LOG)?;
        Ok(connection)
    }
    /// By what a transaction could be undone: a file's log, a journal in memory beside data in memory, or nothing where
    /// nothing is written.
    fn journal(&self) -> &'static str {
        match (self.mode, self.point) {
            ("wal" | "files", _) | ("shared", false) => "wal",
            (_, true) => "none",
            (_, false) => "memory",
        }
    }
    fn shard(&self, worker: usize) -> PathBuf {
        self.folder.join(format!("sqlite-shard-{worker}.db"))
    }
    /// Whether its files may have to be read from somewhere.
    fn on_disk(&self) -> bool {
        !host::folders::filesystem(&self.folder).is_ok_and(|on| room::is_memory(&on))
    }
    fn shared(&self) -> PathBuf {
        self.folder.join("sqlite-shared.db")
    }
    /// A copy of the data in memory of the thread that asks.
    fn in_memory(&self) -> Result<Connection, Error> {
        let from = open(&self.base, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let mut to = Connection::open_in_memory_with_flags(
            OpenFlags::SQLITE_OPEN_READ_WRITE
                | OpenFlags::SQLITE_OPEN_CREATE
                | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )
        .map_err(|e| failed(&e))?;
        {
            let backup = rusqlite::backup::Backup::new(&from, &mut to).map_err(|e| failed(&e))?;
            // All pages in one step.
            backup.step(-1).map_err(|e| failed(&e))?;
        }
        Ok(to)
    }
    /// Removes what belongs to a step and not to the data.
    fn tidy(&self) {
        let ours =
            |name: &str| name.starts_with("sqlite-shard-") || name.starts_with("sqlite-shared.");
        for entry in fs::read_dir(&self.folder).into_iter().flatten().filter_map(Result::ok) {
            if entry.file_name().to_str().is_some_and(ours) {
                // What cannot be removed now goes with the folder.
                _ = fs::remove_file(entry.path());
            }
        }
        if self.mode == "wal"
            && let Ok(connection) = open(&self.base, OpenFlags::SQLITE_OPEN_READ_WRITE)
        {
            // The log is folded into the file, so that it may be mapped again; where it cannot be, it is loaded anew.
            _ = pragmas(&connection, &["journal_mode=DELETE"]);
        }
    }
}

/// Opens a file without the mutex of a connection that threads share: nobody shares one.
fn open(path: &Path, flags: OpenFlags) -> Result<Connection, Error> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|e| failed(&e))?;
    connection.busy_timeout(BUSY).map_err(|e| failed(&e))?;
    Ok(connection)
}

fn pragmas(connection: &Connection, all: &[&str]) -> Result<(), Error> {
    for one in all {
        let mut statement = connection.prepare(&format!("PRAGMA {one}")).map_err(|e| failed(&e))?;
        let mut rows = statement.raw_query();
        while rows.next().map_err(|e| failed(&e))?.is_some() {}
    }
    Ok(())
}

/// Where a copy that is written to is not made safe against the machine's end.
const UNSAFE_LOG: [&str; 3] = ["journal_mode=WAL", "synchronous=OFF", "cache_size=-65536"];

impl Running for Open {
    fn identity(&self) -> Identity {
        let settings = [
            ("mode", self.mode.to_owned()),
            ("journal", self.journal().to_owned()),
            ("synchronous", "off".into()),
            ("threads", "multi-thread, a connection each".into()),
        ];
        Identity {
            name: "SQLite".into(),
            version: rusqlite::version().into(),
            settings: settings
                .into_iter()
                .map(|(k, v)| (k.to_owned(), v))
                .collect::<BTreeMap<_, _>>(),
        }
    }
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }
    fn works(&self) -> Works {
        Works::InCaller
    }
    fn loaders(&self) -> usize {
        1
    }
    fn loader(&self, _: usize) -> Result<Box<dyn Session>, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let connection = open(&self.base, flags)?;
        // Rows come in their keys' order, so that few pages are at work; what an index is sorted in may be as large as it is,
        // and goes into a file beside the data. What breaks off is loaded anew.
        let beside = self.folder.to_string_lossy().replace('\'', "''");
        pragmas(
            &connection,
            &[
                "journal_mode=OFF",
                "synchronous=OFF",
                "cache_size=-49152",
                "temp_store=FILE",
                &format!("temp_store_directory='{beside}'"),
            ],
        )?;
        Ok(Box::new(Connected::new(connection)?))
    }
    fn loaded(&self) -> Result<(), Error> {
        if self.mode == "shared" && !self.point {
            fs::copy(&self.base, self.shared())
                .map_err(|e| connection::broken(&self.shared(), &e))?;
        }
        Ok(())
    }
    fn session(&self, worker: usize) -> Result<Box<dyn Session>, Error> {
        let connection = match (self.mode, self.point) {
            ("shared", true) => {
                let uri = PathBuf::from(format!("file:{}?immutable=1", escaped(&self.base)));
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
                let connection = open(&uri, flags)?;
                let size = fs::metadata(&self.base).map_or(0, |m| m.len());
                pragmas(
                    &connection,
                    &[&format!("mmap_size={}", size + (1 << 20)), "cache_size=-1024"],
                )?;
                connection
            }
            ("wal", _) => self.logged(&self.base)?,
            ("files", _) => {
                let shard = self.shard(worker);
                fs::copy(&self.base, &shard).map_err(|e| connection::broken(&shard, &e))?;
                self.logged(&shard)?
            }
            ("shared", false) => self.logged(&self.shared())?,
            _ => {
                let connection = self.in_memory()?;
                pragmas(&connection, &["synchronous=OFF", "temp_store=MEMORY"])?;
                connection
            }
        };
        Ok(Box::new(Connected::new(connection)?))
    }
    fn sharded(&self) -> bool {
        matches!(self.mode, "sharded" | "files" | "own")
    }
    fn warm(&self, _tables: &[&str]) -> Result<(), Error> {
        if self.on_disk() {
            // What is more than there is memory would push out what has been read.
            let most = host::pages::free_on_node(None).unwrap_or(u64::MAX);
            File::open(&self.base)
                .and_then(|file| io::copy(&mut file.take(most), &mut io::sink()))
                .map_err(|e| connection::broken(&self.base, &e))?;
        }
        Ok(())
    }
    fn counts(&self) -> Vec<(&'static str, Unit, f64)> {
        let reads = match self.mode {
            _ if !self.on_disk() => None,
            // Copies in memory.
            "own" | "sharded" => None,
            // What is mapped is read by faults, several pages at once.
            "shared" if self.point => Some(usage::process().major_faults as f64),
            _ => read_bytes().map(|bytes| bytes / PAGE),
        };
        reads.map(|reads| ("disk_reads", Unit::Count, reads)).into_iter().collect()
    }
    fn close(self: Box<Self>) -> Result<(), Reason> {
        Ok(())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.tidy();
    }
}

/// Bytes that this process had read from disks; nothing where the kernel does not count them. Source: proc_pid_io(5).
fn read_bytes() -> Option<f64> {
    let counts = fs::read_to_string("/proc/self/io").ok()?;
    counts.lines().find_map(|line| line.strip_prefix("read_bytes:")?.trim().parse().ok())
}

/// A path as it may stand in a URI.
fn escaped(path: &Path) -> String {
    let text = path.to_string_lossy();
    text.replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}
