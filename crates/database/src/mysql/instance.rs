//! An open MySQL or MariaDB server, started here or not: sessions, lookups, settings and status counters.
use super::{
    ClientOptions,
    address::{Address, Endpoint},
    connection::Connection,
    lookups::MysqlLookups,
    session::{ExitReason, MysqlSession, explain},
};
use crate::{
    engine::{EngineInfo, Executor, Instance, OpenOptions, SqlDialect},
    lookups::Lookups,
    options::{BeginMode, WaitMode},
    server::managed::{self, ManagedServer},
    session::{Error, ErrorClass, Session},
};
use host::{cpus, sockets, usage};
use record::{Reason, Unit};
use std::{
    fs,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Server variables that affect performance.
const SETTINGS: &str = include_str!("settings.txt");

/// Status variables, their names in a record and their units.
const STATUS_COUNTERS: [(&str, &str, Unit); 6] = [
    ("Innodb_row_lock_waits", "row_lock_waits", Unit::Count),
    ("Innodb_row_lock_time", "row_lock_seconds", Unit::Seconds),
    ("Innodb_deadlocks", "deadlocks", Unit::Count),
    ("Innodb_buffer_pool_reads", "disk_reads", Unit::Count),
    ("Innodb_buffer_pool_wait_free", "buffer_waits", Unit::Count),
    ("Innodb_log_waits", "log_waits", Unit::Count),
];

/// Loader threads for a server that runs already.
const LOADERS: usize = 8;

/// An open server.
#[derive(Debug)]
pub(crate) struct MysqlInstance {
    /// For what is not timed.
    admin: Mutex<Connection>,
    address: Address,
    options: ClientOptions,
    info: EngineInfo,
    executor: Executor,
    /// The server, if we started it.
    server: Option<Arc<ManagedServer>>,
}

impl MysqlInstance {
    /// Connects, and reads the server's version and settings.
    pub(crate) fn new(
        address: Address,
        server: Option<Arc<ManagedServer>>,
        wanted: &OpenOptions<'_>,
    ) -> Result<MysqlInstance, Error> {
        let cpu_is_free = |cpu: &u32| !wanted.cpus.contains(*cpu);
        let free = cpus::affinity().map_or(0, |all| all.iter().filter(cpu_is_free).count());
        let cpu_for_each = free >= wanted.threads && !wanted.cpus.is_empty();
        let options = ClientOptions::new(&wanted.options, cpu_for_each);
        let explained = |error| explain(error, &exit_reason(server.as_ref()));
        let mut admin = connect(&address, server.as_deref())?;
        let (name, version) = admin.version().map_err(explained)?;
        let names: Vec<String> = SETTINGS.lines().map(|name| format!("'{name}'")).collect();
        let sql = format!("SHOW GLOBAL VARIABLES WHERE Variable_name IN ({})", names.join(","));
        let mut info = EngineInfo {
            name: name.into(),
            version,
            settings: admin.query_pairs(&sql).map_err(explained)?.into_iter().collect(),
        };
        let transport = match address.endpoint {
            Endpoint::Socket(_) => "socket",
            Endpoint::Tcp(..) => "tcp",
        };
        let settings = server.as_ref().map(|server| server.settings()).unwrap_or_default();
        let mut all = vec![("transport", transport.to_owned())];
        if transport == "tcp" {
            all.push(("tls", admin.encryption()));
        }
        let all = all.into_iter();
        let all = all.chain(options.settings()).chain(settings);
        info.settings.extend(all.map(|(name, value)| (name.to_owned(), value)));
        let pid = match &server {
            Some(server) => Some(server.pid()),
            None => sockets::peer(admin.socket()).filter(|pid| is_server(*pid)),
        };
        pid.into_iter().for_each(host::child::count_as_ours);
        Ok(MysqlInstance {
            admin: Mutex::new(admin),
            address,
            options,
            info,
            executor: pid.map_or(Executor::Unobservable, Executor::Process),
            server,
        })
    }

    fn admin(&self) -> MutexGuard<'_, Connection> {
        self.admin.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn exit_reason(&self) -> ExitReason {
        exit_reason(self.server.as_ref())
    }
    /// The same; the error of a lost connection says how the server ended.
    fn explained<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        result.map_err(|error| explain(error, &self.exit_reason()))
    }
    fn connect(&self) -> Result<Connection, Error> {
        connect(&self.address, self.server.as_deref())
    }
}

/// The exit of a server that we started; `None` while it runs.
fn exit_reason(server: Option<&Arc<ManagedServer>>) -> ExitReason {
    let server = server.cloned();
    Box::new(move || server.as_ref()?.exit_reason())
}

/// A connection; the error says how a server that has ended did.
fn connect(address: &Address, server: Option<&ManagedServer>) -> Result<Connection, Error> {
    Connection::open(address).map_err(|mut error| {
        if let Some(reason) = server.and_then(ManagedServer::exit_reason) {
            error.reason = reason;
        }
        error
    })
}

/// Whether this process is a server that can be observed. The peer of a socket is the process that made it, perhaps a service
/// manager (systemd.socket(5)), and processes of other users may be hidden (hidepid of proc(5)).
fn is_server(pid: u32) -> bool {
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    matches!(name.trim_end(), "mariadbd" | "mysqld") && usage::process_usage(pid).is_some()
}

impl Instance for MysqlInstance {
    fn info(&self) -> EngineInfo {
        self.info.clone()
    }
    fn dialect(&self) -> SqlDialect {
        SqlDialect::Mysql
    }
    fn executor(&self) -> Executor {
        self.executor
    }
    fn max_loaders(&self) -> usize {
        if self.server.is_some() { managed::max_loaders() } else { LOADERS }
    }
    fn loader_session(&self, _index: usize) -> Result<Box<dyn Session>, Error> {
        let (wait, begin) = (WaitMode::Poll, BeginMode::Statement);
        let plain = ClientOptions { wait, begin, ..self.options.clone() };
        let session = MysqlSession::new(self.connect()?, plain, self.exit_reason());
        let mut session = self.explained(session)?;
        session.disable_timeout();
        // Without foreign keys tables can be dropped in our order. Unique keys stay checked: without both checks MariaDB from
        // 10.6 on locks an empty table as a whole for its first loader, and two loaders that begin at the same time deadlock
        // (MDEV-515).
        session.run("SET foreign_key_checks=0")?;
        Ok(Box::new(session))
    }
    fn warm_up(&self, tables: &[&str]) -> Result<(), Error> {
        if self.server.is_none() {
            return Ok(());
        }
        let mut admin = self.admin();
        // COUNT reads a secondary index where there is one, CHECKSUM every row.
        let count = |table: &&str| admin.run(&format!("SELECT COUNT(*) FROM {table}"));
        let counted = tables.iter().try_for_each(count);
        let checksum = format!("CHECKSUM TABLE {}", tables.join(", "));
        self.explained(counted.and_then(|()| admin.run(&checksum)))
    }
    fn finish_load(&self, procedures: &[String]) -> Result<(), Error> {
        let mut admin = self.admin();
        match procedures.iter().try_for_each(|sql| admin.run(sql)) {
            // A user without this right can use every other statement style; a CALL reports the missing procedure.
            Err(Error { class: ErrorClass::AccessDenied, .. }) if self.server.is_none() => {}
            created => self.explained(created)?,
        }
        self.server.as_ref().map_or(Ok(()), |server| server.pin())
    }
    fn session(&self, _worker: usize) -> Result<Box<dyn Session>, Error> {
        let (connection, options) = (self.connect()?, self.options.clone());
        let session = MysqlSession::new(connection, options, self.exit_reason());
        Ok(Box::new(self.explained(session)?))
    }
    fn has_procedures(&self) -> bool {
        true
    }
    fn lookups(
        &self,
        _worker: usize,
        connections: usize,
        statement: &str,
    ) -> Result<Box<dyn Lookups>, Error> {
        let all: Result<Vec<_>, _> = (0..connections.max(1)).map(|_| self.connect()).collect();
        let lookups = MysqlLookups::new(all?, statement, &self.options, self.exit_reason());
        Ok(Box::new(self.explained(lookups)?))
    }
    fn memory_on_nodes(&self) -> Option<f64> {
        self.server.as_ref()?.memory_on_nodes()
    }
    fn status_counters(&self) -> Vec<(&'static str, Unit, f64)> {
        let names = STATUS_COUNTERS.map(|(name, ..)| format!("'{name}'")).join(",");
        let sql = format!("SHOW GLOBAL STATUS WHERE Variable_name IN ({names})");
        // A lost connection is reported by the next statement that needs it.
        let rows = self.admin().query_pairs(&sql).unwrap_or_default();
        let counter = |(known, name, unit): (&str, &'static str, Unit)| {
            let (_, value) = rows.iter().find(|(name, _)| name.eq_ignore_ascii_case(known))?;
            let value: f64 = value.parse().ok()?;
            // The server counts milliseconds.
            Some((name, unit, if unit == Unit::Seconds { value / 1000.0 } else { value }))
        };
        STATUS_COUNTERS.into_iter().filter_map(counter).collect()
    }
    fn close(self: Box<Self>) -> Result<(), Reason> {
        self.server.as_ref().map_or(Ok(()), |server| server.stop(&mut self.admin()))
    }
}

#[cfg(test)]
mod tests {
    use super::is_server;

    #[test]
    fn a_process_that_only_made_the_socket_is_not_the_server() {
        assert!(!is_server(1), "what starts servers");
        assert!(!is_server(std::process::id()));
        assert!(!is_server(u32::MAX));
    }
}
