//! A server that we start: in its folder, under a supervisor, on its CPUs and NUMA nodes; awaited, pinned again after loading, and
//! stopped by SHUTDOWN, then SIGTERM, then SIGKILL. If we die the supervisor kills it.
use super::{
    config::{self, ServerSettings},
    program::ServerProgram,
    server_folder::{Account, ServerFolder},
    setup,
};
use crate::{
    engine::OpenOptions,
    mysql::{
        address::{Address, Encryption, Endpoint, Password},
        connection::Connection,
    },
    options::Transport,
    session::{Error, ErrorClass},
};
use filesystem::folders;
use host::{
    child::{Program, Status, Supervised},
    clock::{Clock, Monotonic},
    cpus, mempolicy, numamaps, pages, signals, sockets,
};
use record::{CpuSet, Reason};
use std::{
    ffi::OsString,
    fs::File,
    io::Read,
    net::TcpListener,
    os::unix::fs::FileExt,
    process,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

/// Seconds until the server must accept connections; crash recovery may need most of them.
const START_LIMIT: f64 = 180.0;
/// Interval between attempts to connect.
const RETRY: Duration = Duration::from_millis(20);
/// Time for SHUTDOWN, and then for SIGTERM.
const STOP_LIMITS: [Duration; 2] = [Duration::from_secs(60), Duration::from_secs(15)];
/// Time limits of a stop after an interrupt.
const STOP_LIMITS_INTERRUPTED: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(2)];
/// Time for its end after a lost connection.
const END_LIMIT: Duration = Duration::from_secs(5);
/// Bytes at the end of an error log that are read, and lines of them that are reported.
const TAIL: u64 = 8 << 10;
const TAIL_LINES: usize = 5;
/// The database, and the account for TCP.
const NAME: &str = "cpulens";

/// Loader threads of a server that we start: while loading it may use every CPU.
pub(crate) fn max_loaders() -> usize {
    cpus::affinity().map_or(1, |cpus| cpus.len())
}

/// A running server that we started.
#[derive(Debug)]
pub(crate) struct ManagedServer {
    process: Mutex<Supervised>,
    pid: u32,
    name: String,
    error_log: File,
    /// The wanted CPUs; while loading it uses all.
    cpus: CpuSet,
    /// The NUMA nodes of its memory; empty: any.
    nodes: CpuSet,
    settings: Vec<(&'static str, String)>,
    /// Whether it still ran some time after a lost connection.
    outlived: AtomicBool,
    /// Dropped after the process.
    folder: ServerFolder,
}

impl ManagedServer {
    /// Installs the server if it is new, starts it, and waits until it accepts connections. A new server may use every CPU until
    /// [`ManagedServer::pin`]. Returns it with the address of its database.
    pub(crate) fn start(
        server: &ServerProgram,
        wanted: &OpenOptions<'_>,
    ) -> Result<(ManagedServer, Address), Reason> {
        setup::check_names(&wanted.folder, Some(server))?;
        let folder = ServerFolder::open(&wanted.folder)?;
        let is_new = folder.is_new(&server.version)?;
        setup::check_space(folder.path(), is_new, wanted.size_option, wanted.bytes)?;
        let account = setup::account(&wanted.folder, &folder, &server.program);
        let account = account.as_ref();
        let is_root = account.is_some_and(|account| account.ids.is_none());
        if let (true, false, Some(owner @ 1..)) = (is_root, is_new, folder.owner_of_data()) {
            // As root it would write where links of that account lead.
            return Err(Reason::mended_by(
                format!(
                    "the data in {} belong to account {owner}, as which the server cannot run there",
                    folder.path().display()
                ),
                "let that account reach the folder, or remove the folder",
            ));
        }
        let on_tmpfs = folders::filesystem(folder.path()).is_ok_and(|f| f.kind == "tmpfs");
        let files = on_tmpfs.then(|| setup::folder_size(folder.path()));
        // Free memory of the machine, within the limit of our control group.
        let available = pages::free_on_node(None);
        let pool = setup::buffer_pool(wanted.size_option, wanted.bytes, available, files)?;
        folder.admit(account)?;
        if is_new {
            setup::install(server, &folder, account)?;
        }
        let port = match wanted.options.transport {
            Some(Transport::Tcp) => Some(free_port()?),
            _ => None,
        };
        let settings = ServerSettings {
            server,
            folder: &folder,
            pool,
            log: setup::redo_log(wanted.bytes),
            connections: wanted.connections,
            loaders: max_loaders(),
            port,
            durable: wanted.options.durable == Some(true),
            on_tmpfs,
            as_root: is_root,
        };
        let arguments = config::arguments(&settings);
        let error_log = folder.new_file("error.log")?;
        let cpus = if is_new { CpuSet::default() } else { wanted.cpus.clone() };
        let managed =
            ManagedServer::launch(server, arguments, wanted, account, cpus, (folder, error_log))?;
        let address = managed.wait_until_ready(port)?;
        Ok((managed, address))
    }

    fn launch(
        server: &ServerProgram,
        arguments: Vec<OsString>,
        wanted: &OpenOptions<'_>,
        account: Option<&Account>,
        cpus: CpuSet,
        (folder, error_log): (ServerFolder, File),
    ) -> Result<ManagedServer, Reason> {
        let server = &server.program;
        let words: Vec<OsString> =
            [server.clone().into_os_string()].into_iter().chain(arguments).collect();
        let output = error_log.try_clone();
        let output =
            output.map_err(|e| Reason::new(format!("the error log cannot be used: {e}")))?;
        let program = Program::new(&words)?;
        let mut program = program.writing_into(output);
        if let Some((user, group)) = account.and_then(|account| account.ids) {
            program = program.as_account(user, group);
        }
        if !cpus.is_empty() {
            program = program.on(cpus);
        }
        // A child inherits the memory policy of the thread that forks it.
        let nodes = &wanted.nodes;
        let policy = mempolicy::on(nodes);
        // Where policies are forbidden the server runs without one; where its memory lies is checked later.
        let memory = match (&policy, nodes.len()) {
            (Err(why), _) => format!("any node ({})", why.why),
            (_, 0) => "any node".into(),
            (_, 1) => format!("bound to node {nodes}"),
            _ => format!("interleaved over nodes {nodes}"),
        };
        let process = Supervised::start(&program)?;
        drop(policy);
        let account = account.map_or("the user's".into(), |account| account.name.clone());
        Ok(ManagedServer {
            pid: process.pid(),
            process: Mutex::new(process),
            name: server.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            error_log,
            cpus: wanted.cpus.clone(),
            nodes: nodes.clone(),
            settings: vec![
                ("program", server.display().to_string()),
                ("server_cpus", wanted.cpus.to_string()),
                ("memory", memory),
                ("account", account),
            ],
            outlived: AtomicBool::new(false),
            folder,
        })
    }

    /// Waits until the server accepts connections, and sets it up.
    fn wait_until_ready(&self, port: Option<u16>) -> Result<Address, Reason> {
        let root = Address {
            endpoint: Endpoint::Socket(self.folder.socket()),
            user: "root".into(),
            password: Password::default(),
            database: None,
            encryption: Encryption::Off,
            server_key: None,
        };
        let admin = self.connect(&root)?;
        set_up(admin, root, port).map_err(|error| {
            let lost = error.class == ErrorClass::ConnectionLost;
            lost.then(|| self.exit_reason()).flatten().unwrap_or(error.reason)
        })
    }

    /// The first connection.
    fn connect(&self, root: &Address) -> Result<Connection, Reason> {
        let clock = Monotonic::new();
        let until = clock.now() + START_LIMIT;
        let mut other_server = None;
        loop {
            if let Endpoint::Socket(path) = &root.endpoint
                && path.exists()
            {
                match Connection::open(root) {
                    // The server of a killed run may not have ended yet.
                    Ok(connection) => match self.other_peer(&connection) {
                        None => return Ok(connection),
                        other => other_server = other,
                    },
                    // The server listens before it accepts logins.
                    Err(Error { class: ErrorClass::ConnectionLost, .. }) if clock.now() < until => {
                    }
                    Err(error) => return Err(self.exit_reason().unwrap_or(error.reason)),
                }
            }
            let ended = self.process().wait(RETRY).is_some();
            if let Some(reason) = if ended { self.exit_reason() } else { None } {
                return Err(reason);
            }
            if signals::interrupted() {
                return Err(Reason::new("interrupted while the server was starting"));
            }
            if clock.now() > until {
                let why = format!("{} does not answer after {START_LIMIT} seconds", self.name);
                return Err(match other_server {
                    Some(other) => Reason::mended_by(
                        format!("{why}: {other} answers at {}", root.endpoint),
                        "end that server, or name another folder with --data",
                    ),
                    None => Reason::new(why + &self.error_log_tail()),
                });
            }
        }
    }

    /// The process that answers instead of ours.
    fn other_peer(&self, connection: &Connection) -> Option<String> {
        match sockets::peer(connection.socket()) {
            Some(pid) if pid == self.pid => None,
            // gVisor reports every process's own id.
            Some(pid) if pid == process::id() => None,
            Some(pid) => Some(format!("process {pid}")),
            None => Some("a process that cannot be seen from here".into()),
        }
    }
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }
    /// Share of its memory on the wanted nodes.
    pub(crate) fn memory_on_nodes(&self) -> Option<f64> {
        if self.nodes.is_empty() { None } else { numamaps::share_on_nodes(self.pid, &self.nodes) }
    }
    /// The server's settings, for the record.
    pub(crate) fn settings(&self) -> Vec<(&'static str, String)> {
        self.settings.clone()
    }
    fn process(&self) -> MutexGuard<'_, Supervised> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Pins all its threads, present and future, to its CPUs.
    pub(crate) fn pin(&self) -> Result<(), Error> {
        if self.cpus.is_empty() {
            return Ok(());
        }
        let cpu = self.cpus.first().unwrap_or(0);
        let confined = cpus::confine_process(self.pid, &self.cpus);
        confined.map_err(|e| cpus::refusal(cpu, &e).into())
    }

    /// The server's exit, with the end of its error log; `None` while it runs.
    pub(crate) fn exit_reason(&self) -> Option<Reason> {
        // A connection closes before the process ends, on a busy machine seconds before. The many clients of a server that
        // lives on wait once.
        let limit = if self.outlived.load(Relaxed) { Duration::ZERO } else { END_LIMIT };
        let status = self.process().wait(limit);
        self.outlived.store(status.is_none(), Relaxed);
        let status = status?;
        let how = match status {
            Status::Exited(status) => format!("ended with status {status}"),
            Status::Killed(signal) => format!("was killed by signal {signal}"),
        };
        let why = format!("the server {how}: {}{}", self.name, self.error_log_tail());
        Some(match status {
            Status::Killed(9) => {
                Reason::mended_by(why, "check whether memory ran out: dmesg | grep -i oom")
            }
            _ => Reason::new(why),
        })
    }

    /// The last errors in its log, or its last lines.
    fn error_log_tail(&self) -> String {
        let tail = || -> std::io::Result<String> {
            let length = self.error_log.metadata()?.len();
            let mut bytes = vec![0; length.min(TAIL) as usize];
            self.error_log.read_exact_at(&mut bytes, length.saturating_sub(TAIL))?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        last_errors(&tail().unwrap_or_default())
    }

    /// Stops it.
    pub(crate) fn stop(&self, admin: &mut Connection) -> Result<(), Reason> {
        let limits = if signals::interrupted() { STOP_LIMITS_INTERRUPTED } else { STOP_LIMITS };
        let mut process = self.process();
        // A server that has ended or does not answer is handled below.
        let _ = admin.query_pairs("SHUTDOWN");
        if process.wait(limits[0]).is_none() {
            process.terminate();
        }
        if process.wait(limits[1]).is_none() {
            process.kill();
        }
        let ended = process.wait(limits[1]);
        if ended.is_some() {
            // Sessions may still hold this server; other runs need not wait for them.
            self.folder.release();
        }
        let name = &self.name;
        match ended {
            Some(Status::Exited(0)) => Ok(()),
            Some(status) => {
                let log = self.error_log_tail();
                Err(Reason::new(format!("{name} did not stop as it should: {status:?}{log}")))
            }
            None => Err(Reason::new(format!("{name} (process {}) cannot be stopped", self.pid))),
        }
    }
}

/// The last lines with errors, or the last lines if there are none.
fn last_errors(tail: &str) -> String {
    let lines: Vec<&str> = tail.lines().filter(|line| !line.trim().is_empty()).collect();
    let errors: Vec<&str> = lines.iter().filter(|line| line.contains("[ERROR]")).copied().collect();
    let shown = if errors.is_empty() { lines } else { errors };
    let last = &shown[shown.len().saturating_sub(TAIL_LINES)..];
    last.iter().map(|line| format!("\n  {}", line.trim())).collect()
}

/// A string literal of SQL.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
}

/// A port that is free at this moment.
fn free_port() -> Result<u16, Reason> {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    port.map(|address| address.port())
        .map_err(|e| Reason::new(format!("there is no free port: {e}")))
}

/// Creates the database, and drops all accounts but its own.
fn set_up(mut admin: Connection, root: Address, port: Option<u16>) -> Result<Address, Error> {
    // At every start: the first one may have been interrupted.
    admin.run(&format!("CREATE DATABASE IF NOT EXISTS {NAME} CHARACTER SET latin1"))?;
    // Roles have no host. System accounts, which nobody can log in to, have a point in their name.
    let sql = "SELECT user, host FROM mysql.user WHERE host <> ''";
    for (user, host) in admin.query_pairs(sql)? {
        let stays = host == "localhost" && (user == "root" || user.contains('.'));
        if !stays {
            admin.run(&format!("DROP USER {}@{}", quoted(&user), quoted(&host)))?;
        }
    }
    let database = Some(NAME.into());
    let Some(port) = port else { return Ok(Address { database, ..root }) };
    let password = random_password()?;
    let account = format!("'{NAME}'@'127.0.0.1'");
    for sql in [
        format!("DROP USER IF EXISTS {account}"),
        format!("CREATE USER {account} IDENTIFIED BY '{password}'"),
        format!("GRANT ALL ON {NAME}.* TO {account}"),
        format!("GRANT PROCESS, SHUTDOWN ON *.* TO {account}"),
    ] {
        admin.run(&sql)?;
    }
    // MySQL 8 wants the password itself at the first login. Nobody else can have sent this key: the socket's peer is our server.
    let sql = "SHOW STATUS LIKE 'Caching_sha2_password_rsa_public_key'";
    let server_key = admin.query_pairs(sql)?.into_iter().next().map(|(_, key)| key.into());
    let (endpoint, password) = (Endpoint::Tcp("127.0.0.1".into(), port), Password::new(password));
    Ok(Address { endpoint, user: NAME.into(), password, database, server_key, ..root })
}

fn random_password() -> Result<String, Error> {
    let mut bytes = [0; 16];
    let read = File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    read.map_err(|e| Error::fatal(format!("there are no random numbers: {e}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_errors_or_lines_are_reported() {
        let log = "a [Note] one\nb [ERROR] two\n\nc [Note] three\n";
        assert_eq!(last_errors(log), "\n  b [ERROR] two");
        assert_eq!(last_errors("1\n2\n3\n4\n5\n6\n"), "\n  2\n  3\n  4\n  5\n  6");
        assert_eq!(last_errors(""), "");
    }

    #[test]
    fn passwords_differ_and_names_are_quoted() {
        assert_ne!(random_password().unwrap(), random_password().unwrap());
        assert_eq!(quoted("o'x\\"), "'o''x\\\\'");
    }
}
