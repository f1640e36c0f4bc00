//! SQLite, built into the program: the same code on every machine, without a server. The client threads execute the queries.
//!
//! Modes of point select: `shared`, one read-only file mapped by all connections, without locks and system calls; `wal`, each query
//! a transaction on a file with a write-ahead log, whose locks all share; `own`, a copy in memory for each thread. Modes of TPC-C:
//! `sharded`, each thread has its own warehouses in memory; `files`, the same in a file with a log; `shared`, one file with one
//! writer at a time. None has row locks as a server has them.
//! Source: sqlite.org (wal.html, mmap.html, threadsafe.html, uri.html).
mod session;
mod space;

use crate::{
    engine::{Engine, EngineInfo, Executor, Instance, OpenOptions, SqlDialect},
    session::{Error, Session},
};
use host::usage;
use record::{Reason, Unit};
use rusqlite::{Connection, OpenFlags};
use session::{SqliteSession, file_error, sqlite_error};
use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// SQLite.
#[derive(Debug)]
pub struct Sqlite;

pub(crate) static ENGINE: Sqlite = Sqlite;

/// Bytes of a page.
const PAGE: f64 = 4096.0;
/// Time that a writer waits for the write lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Pragmas of a file that is written to and need not survive a crash of the machine.
const WITH_LOG: [&str; 3] = ["journal_mode=WAL", "synchronous=OFF", "cache_size=-65536"];

impl Engine for Sqlite {
    fn modes(&self, workload: &str) -> &'static [&'static str] {
        match workload {
            "point_select" => &["shared", "wal", "own"],
            _ => &["sharded", "files", "shared"],
        }
    }
    fn is_embedded(&self) -> bool {
        true
    }
    fn prefers_tmpfs(&self) -> bool {
        true
    }
    fn unavailable(&self, options: &OpenOptions<'_>) -> Option<Reason> {
        let existing = fs::metadata(base_file(&options.folder, options.workload))
            .map_or(0, |about| about.len());
        // A folder that does not exist yet will be on its parent's filesystem.
        let folders = [Some(&*options.folder), options.folder.parent()].into_iter().flatten();
        let filesystem = folders.filter_map(|at| filesystem::folders::filesystem(at).ok()).next();
        space::missing(options, existing, filesystem.as_ref(), host::pages::free_on_node(None))
    }
    fn open(&self, options: &OpenOptions<'_>) -> Result<Box<dyn Instance>, Reason> {
        let modes = self.modes(options.workload);
        let mode = *modes.iter().find(|mode| **mode == options.mode).ok_or_else(|| {
            Reason::mended_by(
                format!("SQLite has no mode '{}' for {}", options.mode, options.workload),
                format!("--mode {}", modes.join(", ")),
            )
        })?;
        // Files may be no links, so the folder's own links are followed first.
        let folder = options.folder.canonicalize();
        let folder = folder.map_err(|e| {
            Reason::new(format!("{} cannot be used: {e}", options.folder.display()))
        })?;
        Ok(Box::new(SqliteInstance {
            base: base_file(&folder, options.workload),
            folder,
            mode,
            is_point_select: options.workload == "point_select",
            switching: Mutex::new(()),
        }))
    }
}

/// The file that the data are loaded into. It stays for the next scaling point.
fn base_file(folder: &Path, workload: &str) -> PathBuf {
    folder.join(format!("sqlite-{workload}.db"))
}

#[derive(Debug)]
struct SqliteInstance {
    base: PathBuf,
    folder: PathBuf,
    mode: &'static str,
    is_point_select: bool,
    /// Held while a file is switched to a write-ahead log.
    switching: Mutex<()>,
}

impl SqliteInstance {
    /// Opens a file with a write-ahead log. SQLite refuses two connections that switch a file at the same time, without waiting for
    /// the busy timeout.
    fn open_with_log(&self, path: &Path) -> Result<Connection, Error> {
        let _guard = self.switching.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        set_pragmas(&connection, &WITH_LOG)?;
        Ok(connection)
    }
    fn journal(&self) -> &'static str {
        match (self.mode, self.is_point_select) {
            ("wal" | "files", _) | ("shared", false) => "wal",
            (_, true) => "none",
            (_, false) => "memory",
        }
    }
    fn is_on_disk(&self) -> bool {
        !filesystem::folders::filesystem(&self.folder).is_ok_and(|on| space::is_in_memory(&on))
    }
    fn shared_file(&self) -> PathBuf {
        self.folder.join("sqlite-shared.db")
    }
    /// A copy of the data in the calling thread's memory.
    fn copy_to_memory(&self) -> Result<Connection, Error> {
        let from = open(&self.base, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut to = Connection::open_in_memory_with_flags(flags).map_err(|e| sqlite_error(&e))?;
        let backup = rusqlite::backup::Backup::new(&from, &mut to).map_err(|e| sqlite_error(&e))?;
        // -1: all pages.
        backup.step(-1).map_err(|e| sqlite_error(&e))?;
        drop(backup);
        Ok(to)
    }
}

/// Opens a file without a mutex: no two threads share a connection. Others may write to the folder, so no link is followed.
fn open(path: &Path, flags: OpenFlags) -> Result<Connection, Error> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(path, flags).map_err(|e| sqlite_error(&e))?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(|e| sqlite_error(&e))?;
    Ok(connection)
}

/// Copies into a file that this creates; one with that name, perhaps a link, is removed.
fn copy_to_new(from: &Path, to: &Path) -> io::Result<()> {
    match fs::remove_file(to) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    let mut new = File::options().write(true).create_new(true).open(to)?;
    io::copy(&mut File::open(from)?, &mut new).map(drop)
}

fn set_pragmas(connection: &Connection, pragmas: &[&str]) -> Result<(), Error> {
    for pragma in pragmas {
        let statement = connection.prepare(&format!("PRAGMA {pragma}"));
        let mut statement = statement.map_err(|e| sqlite_error(&e))?;
        let mut rows = statement.raw_query();
        while rows.next().map_err(|e| sqlite_error(&e))?.is_some() {}
    }
    Ok(())
}

impl Instance for SqliteInstance {
    fn info(&self) -> EngineInfo {
        let settings = [
            ("mode", self.mode),
            ("journal", self.journal()),
            ("synchronous", "off"),
            ("threads", "multi-thread, a connection each"),
        ];
        EngineInfo {
            name: "SQLite".into(),
            version: rusqlite::version().into(),
            settings: settings.map(|(name, value)| (name.into(), value.into())).into(),
        }
    }
    fn dialect(&self) -> SqlDialect {
        SqlDialect::Sqlite
    }
    fn executor(&self) -> Executor {
        Executor::CallingThread
    }
    fn loader_session(&self, _: usize) -> Result<Box<dyn Session>, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let connection = open(&self.base, flags)?;
        // Rows arrive in key order and need few pages. An index of any size is sorted in a file beside the data. An interrupted load
        // is repeated, so there is no journal.
        let folder = self.folder.to_string_lossy().replace('\'', "''");
        let sort_folder = format!("temp_store_directory='{folder}'");
        let pragmas =
            ["journal_mode=OFF", "synchronous=OFF", "cache_size=-49152", "temp_store=FILE"];
        set_pragmas(&connection, &pragmas)?;
        set_pragmas(&connection, &[&sort_folder])?;
        Ok(Box::new(SqliteSession::new(connection)?))
    }
    fn finish_load(&self, _procedures: &[String]) -> Result<(), Error> {
        if self.mode == "shared" && !self.is_point_select {
            let shared = self.shared_file();
            copy_to_new(&self.base, &shared).map_err(|e| file_error(&shared, &e))?;
        }
        Ok(())
    }
    fn session(&self, worker: usize) -> Result<Box<dyn Session>, Error> {
        let connection = match (self.mode, self.is_point_select) {
            ("shared", true) => {
                let uri = PathBuf::from(format!("file:{}?immutable=1", escape_uri(&self.base)));
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
                let connection = open(&uri, flags)?;
                let size = fs::metadata(&self.base).map_or(0, |m| m.len());
                let mapped = format!("mmap_size={}", size + (1 << 20));
                set_pragmas(&connection, &[&mapped, "cache_size=-1024"])?;
                connection
            }
            ("wal", _) => self.open_with_log(&self.base)?,
            ("files", _) => {
                let shard = self.folder.join(format!("sqlite-shard-{worker}.db"));
                copy_to_new(&self.base, &shard).map_err(|e| file_error(&shard, &e))?;
                self.open_with_log(&shard)?
            }
            ("shared", false) => self.open_with_log(&self.shared_file())?,
            _ => {
                let connection = self.copy_to_memory()?;
                set_pragmas(&connection, &["synchronous=OFF", "temp_store=MEMORY"])?;
                connection
            }
        };
        Ok(Box::new(SqliteSession::new(connection)?))
    }
    fn is_sharded(&self) -> bool {
        matches!(self.mode, "sharded" | "files" | "own")
    }
    fn warm_up(&self, _tables: &[&str]) -> Result<(), Error> {
        if self.is_on_disk() {
            // Reading more than fits into memory would evict what was read first.
            let most = host::pages::free_on_node(None).unwrap_or(u64::MAX);
            File::open(&self.base)
                .and_then(|file| io::copy(&mut file.take(most), &mut io::sink()))
                .map_err(|e| file_error(&self.base, &e))?;
        }
        Ok(())
    }
    fn status_counters(&self) -> Vec<(&'static str, Unit, f64)> {
        let reads = match self.mode {
            _ if !self.is_on_disk() => None,
            "own" | "sharded" => None,
            // A mapped file is read by page faults, several pages at once.
            "shared" if self.is_point_select => Some(usage::process().major_faults as f64),
            _ => read_bytes().map(|bytes| bytes / PAGE),
        };
        reads.map(|reads| ("disk_reads", Unit::Count, reads)).into_iter().collect()
    }
}

impl Drop for SqliteInstance {
    /// Removes the files of this scaling point. What cannot be removed goes with the folder.
    fn drop(&mut self) {
        let is_temporary =
            |name: &str| name.starts_with("sqlite-shard-") || name.starts_with("sqlite-shared.");
        for entry in fs::read_dir(&self.folder).into_iter().flatten().filter_map(Result::ok) {
            if entry.file_name().to_str().is_some_and(is_temporary) {
                _ = fs::remove_file(entry.path());
            }
        }
        if self.mode == "wal"
            && let Ok(connection) = open(&self.base, OpenFlags::SQLITE_OPEN_READ_WRITE)
        {
            // Writes the log into the file, so that it can be mapped again. If that fails the data are loaded again.
            _ = set_pragmas(&connection, &["journal_mode=DELETE"]);
        }
    }
}

/// Bytes that this process read from disks, where the kernel counts them. Source: proc_pid_io(5).
fn read_bytes() -> Option<f64> {
    let counts = fs::read_to_string("/proc/self/io").ok()?;
    counts.lines().find_map(|line| line.strip_prefix("read_bytes:")?.trim().parse().ok())
}

fn escape_uri(path: &Path) -> String {
    let text = path.to_string_lossy();
    text.replace('%', "%25").replace('?', "%3f").replace('#', "%23")
}
