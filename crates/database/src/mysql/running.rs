//! A server that is there, whether we started it or not: sessions, lookups, and what it says of itself.
use super::{
    Begin, Manner, Wait,
    address::{Address, Place},
    connection::Connection,
    lookups::Wires,
    session::{Obituary, Wired},
};
use crate::{
    engine::{Dialect, Identity, Running, Wanted, Works},
    lookups::Lookups,
    server::managed::{self, Managed},
    session::{Class, Error, Session},
    tpcc,
};
use host::{cpus, sockets, usage};
use record::{Reason, Unit};
use std::{
    fs,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// What of a server's configuration can move a number.
const SETTINGS: [&str; 22] = [
    "version_comment",
    "version_compile_machine",
    "innodb_buffer_pool_size",
    "innodb_page_size",
    "innodb_log_file_size",
    "innodb_redo_log_capacity",
    "innodb_flush_log_at_trx_commit",
    "innodb_flush_method",
    "innodb_doublewrite",
    "innodb_adaptive_hash_index",
    "innodb_stats_auto_recalc",
    "innodb_io_capacity",
    "performance_schema",
    "log_bin",
    "sync_binlog",
    "thread_handling",
    "thread_cache_size",
    "max_connections",
    "query_cache_type",
    "character_set_server",
    "tx_isolation",
    "transaction_isolation",
];

/// What a server counts, and what it is called in a record.
const COUNTS: [(&str, &str, Unit); 6] = [
    ("Innodb_row_lock_waits", "row_lock_waits", Unit::Count),
    ("Innodb_row_lock_time", "row_lock_seconds", Unit::Seconds),
    ("Innodb_deadlocks", "deadlocks", Unit::Count),
    ("Innodb_buffer_pool_reads", "disk_reads", Unit::Count),
    ("Innodb_buffer_pool_wait_free", "buffer_waits", Unit::Count),
    ("Innodb_log_waits", "log_waits", Unit::Count),
];

/// Workers that load a server of which nothing is known.
const LOADERS: usize = 8;

/// A server and how it is spoken to.
#[derive(Debug)]
pub(crate) struct Open {
    /// For what is not timed.
    admin: Mutex<Connection>,
    address: Address,
    manner: Manner,
    identity: Identity,
    works: Works,
    /// Statements that make what is stored beside the data.
    stored: Vec<String>,
    /// The server, if it is ours.
    managed: Option<Arc<Managed>>,
}

impl Open {
    /// Connects to it, and asks what it is.
    pub(crate) fn new(
        address: Address,
        manner: Manner,
        managed: Option<Arc<Managed>>,
        workload: &str,
    ) -> Result<Open, Error> {
        let mut admin = Connection::open(&address)?;
        let (name, version) = admin.version()?;
        let names = SETTINGS.map(|name| format!("'{name}'")).join(",");
        let sql = format!("SHOW GLOBAL VARIABLES WHERE Variable_name IN ({names})");
        let mut identity = Identity {
            name: name.into(),
            version,
            settings: admin.pairs(&sql)?.into_iter().collect(),
        };
        let transport = match address.place {
            Place::Socket(_) => "socket",
            Place::Tcp(..) => "tcp",
        };
        let ours = [("transport", transport.to_owned())];
        let settings = managed.as_ref().map(|managed| managed.settings()).unwrap_or_default();
        let all = ours.into_iter().chain(manner.settings()).chain(settings);
        identity.settings.extend(all.map(|(name, value)| (name.to_owned(), value)));
        let works = match &managed {
            Some(managed) => Works::InProcess(managed.pid()),
            None => {
                let server = sockets::peer(&admin.socket).filter(|pid| is_server(*pid));
                server.map_or(Works::Elsewhere, Works::InProcess)
            }
        };
        let stored = if workload == "tpcc" { tpcc::procedures() } else { vec![] };
        Ok(Open { admin: Mutex::new(admin), address, manner, identity, works, stored, managed })
    }

    fn admin(&self) -> MutexGuard<'_, Connection> {
        self.admin.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn obituary(&self) -> Obituary {
        let managed = self.managed.clone();
        Box::new(move || managed.as_ref()?.obituary())
    }
    /// An error with what became of the server.
    fn connect(&self) -> Result<Connection, Error> {
        Connection::open(&self.address).map_err(|mut error| {
            if let Some(reason) = self.managed.as_ref().and_then(|managed| managed.obituary()) {
                error.reason = reason;
            }
            error
        })
    }
}

/// Whether this process is a server that can be looked at: whoever made the socket may have been somebody who starts servers
/// (systemd.socket(5)), and processes of others may be hidden (hidepid of proc(5)).
fn is_server(pid: u32) -> bool {
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    matches!(name.trim_end(), "mariadbd" | "mysqld") && usage::process_usage(pid).is_some()
}

/// How a worker waits if nothing was said of it: without sleeping where each can have a CPU that the server has not.
pub(crate) fn manner(wanted: &Wanted<'_>) -> Result<Manner, Reason> {
    let server = wanted.cpus;
    let free =
        cpus::affinity().map_or(0, |all| all.iter().filter(|cpu| !server.contains(*cpu)).count());
    Manner::of(wanted.options, free >= wanted.threads && !server.is_empty())
}

impl Running for Open {
    fn identity(&self) -> Identity {
        self.identity.clone()
    }
    fn dialect(&self) -> Dialect {
        Dialect::Mysql
    }
    fn works(&self) -> Works {
        self.works
    }
    fn loaders(&self) -> usize {
        if self.managed.is_some() { managed::loaders() } else { LOADERS }
    }
    fn loader(&self, _index: usize) -> Result<Box<dyn Session>, Error> {
        let plain = Manner { wait: Wait::Poll, begin: Begin::Statement, ..self.manner.clone() };
        let mut session = Wired::new(self.connect()?, plain, self.obituary())?;
        session.be_patient();
        // Without foreign keys tables can be dropped in our order. Unique keys stay checked: without both checks a MariaDB from
        // 10.6 on locks an empty table as a whole for whoever inserts into it first, which two that have begun at the same
        // time wait for until one is undone (MDEV-515).
        session.run("SET foreign_key_checks=0")?;
        Ok(Box::new(session))
    }
    fn warm(&self, tables: &[&str]) -> Result<(), Error> {
        if self.managed.is_none() {
            return Ok(());
        }
        let mut admin = self.admin();
        // Counting reads an index beside the primary one, where there is one, and a checksum every row.
        let count = |table: &&str| admin.run(&format!("SELECT COUNT(*) FROM {table}"));
        tables.iter().try_for_each(count)?;
        admin.run(&format!("CHECKSUM TABLE {}", tables.join(", ")))
    }
    fn loaded(&self) -> Result<(), Error> {
        let mut admin = self.admin();
        match self.stored.iter().try_for_each(|sql| admin.run(sql)) {
            // Who may store nothing can ask in every other way; calls of what is not there say so.
            Err(Error { class: Class::Denied, .. }) if self.managed.is_none() => {}
            stored => stored?,
        }
        match &self.managed {
            Some(managed) => managed.pin(),
            None => Ok(()),
        }
    }
    fn session(&self, _worker: usize) -> Result<Box<dyn Session>, Error> {
        Ok(Box::new(Wired::new(self.connect()?, self.manner.clone(), self.obituary())?))
    }
    fn procedures(&self) -> bool {
        true
    }
    fn lookups(
        &self,
        _worker: usize,
        connections: usize,
        statement: &str,
    ) -> Result<Box<dyn Lookups>, Error> {
        let all: Result<Vec<_>, _> = (0..connections.max(1)).map(|_| self.connect()).collect();
        Ok(Box::new(Wires::new(all?, statement, &self.manner, self.obituary())?))
    }
    fn on_nodes(&self) -> Option<f64> {
        self.managed.as_ref()?.on_nodes()
    }
    fn counts(&self) -> Vec<(&'static str, Unit, f64)> {
        let names = COUNTS.map(|(name, ..)| format!("'{name}'")).join(",");
        let sql = format!("SHOW GLOBAL STATUS WHERE Variable_name IN ({names})");
        // A server that has gone counts nothing; whoever asks it next is told.
        let rows = self.admin().pairs(&sql).unwrap_or_default();
        let count = |(known, name, unit): (&str, &'static str, Unit)| {
            let (_, value) = rows.iter().find(|(name, _)| name.eq_ignore_ascii_case(known))?;
            let value: f64 = value.parse().ok()?;
            // It counts milliseconds.
            Some((name, unit, if unit == Unit::Seconds { value / 1000.0 } else { value }))
        };
        COUNTS.into_iter().filter_map(count).collect()
    }
    fn close(self: Box<Self>) -> Result<(), Reason> {
        match &self.managed {
            Some(managed) => managed.stop(&mut self.admin()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_server;

    #[test]
    fn whoever_made_a_socket_is_not_always_the_server() {
        assert!(!is_server(1), "what starts servers");
        assert!(!is_server(std::process::id()));
        assert!(!is_server(u32::MAX));
    }
}
