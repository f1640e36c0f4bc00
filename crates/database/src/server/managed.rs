//! A server of ours at work: started in its folder under a supervisor, on its CPUs and nodes, awaited, pinned anew after loading,
//! and stopped: by the statement SHUTDOWN, then SIGTERM, then SIGKILL. Should we die it is killed by the supervisor.
use super::{
    Transport,
    config::{self, Needs},
    program::Server,
    setup::{self, Account, Lock},
    transport,
};
use crate::{
    engine::Wanted,
    mysql::{
        address::{Address, Place, Secret},
        connection::Connection,
    },
    session::{Class, Error},
};
use host::{
    child::{Program, Status, Supervised},
    clock::{Clock, Monotonic},
    cpus, folders, mempolicy, numamaps, pages, signals, sockets,
};
use record::{CpuSet, Reason};
use std::{
    fs::{self, File},
    io::{Read, Seek, SeekFrom},
    net::TcpListener,
    path::{Path, PathBuf},
    process,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Seconds until it must answer: recovery of a log may take most of them.
const UNTIL_READY: f64 = 180.0;
/// Between two looks whether it answers.
const LOOK: Duration = Duration::from_millis(20);
/// For SHUTDOWN, and then for SIGTERM, to be enough.
const TO_STOP: [Duration; 2] = [Duration::from_secs(60), Duration::from_secs(15)];
/// The same when the user wants to have his terminal back.
const TO_STOP_INTERRUPTED: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(2)];
/// Bytes of the end of an error log that are looked at.
const TAIL: u64 = 8 << 10;
/// Lines of them that are told.
const LINES: usize = 5;
/// The database and the account for TCP.
const NAME: &str = "cpulens";

/// How to log in.
#[derive(Debug)]
pub(crate) struct Login {
    pub(crate) socket: PathBuf,
    pub(crate) port: Option<u16>,
    pub(crate) user: String,
    pub(crate) password: String,
    pub(crate) database: String,
}

/// Threads that load a server of ours at the same time: it may use every CPU then.
pub(crate) fn loaders() -> usize {
    cpus::affinity().map_or(1, |cpus| cpus.len())
}

/// A server of ours that runs.
#[derive(Debug)]
pub(crate) struct Managed {
    process: Mutex<Supervised>,
    pid: u32,
    name: String,
    log: PathBuf,
    /// The CPUs that are wanted, of which all are used while loading.
    cpus: CpuSet,
    /// Nodes that its memory should be on; none if that is nobody's concern.
    nodes: CpuSet,
    settings: Vec<(&'static str, String)>,
    /// Its folder is ours; after the process, which is dropped first.
    lock: Lock,
}

impl Managed {
    /// Sets it up if it is new, starts it, and waits until it answers. Where its data are new it may use every CPU until
    /// [`Managed::pin`].
    pub(crate) fn start(server: &Server, wanted: &Wanted<'_>) -> Result<(Managed, Login), Reason> {
        let folder = wanted.folder.join(setup::FOLDER);
        let transport = transport(wanted.options)?;
        let account = setup::account(wanted.folder);
        let (lock, is_new) = setup::claim(&folder, &server.version)?;
        setup::fits(&folder, wanted.workload, wanted.bytes)?;
        let in_memory = folders::filesystem(&folder).is_ok_and(|f| f.kind == "tmpfs");
        let files = in_memory.then(|| setup::taken(&folder));
        // What the machine has, and what its control group leaves of that.
        let available = pages::free_on_node(None);
        let pool = setup::pool(wanted.workload, wanted.bytes, available, files)?;
        // One that a user has other files in stays his.
        if setup::is_ours_alone(wanted.folder) {
            setup::give(wanted.folder, account.as_ref())?;
        }
        setup::give(&folder, account.as_ref())?;
        if is_new {
            setup::install(server, &folder, account.as_ref())?;
        }
        let port = match transport {
            Transport::Tcp => Some(free_port()?),
            Transport::Socket => None,
        };
        let durable = match wanted.options.get("durable").map(String::as_str) {
            None | Some("no") => false,
            Some("yes") => true,
            Some(other) => return Err(crate::mysql::unknown("durable", other, "yes or no")),
        };
        let needs = Needs {
            server,
            folder: &folder,
            pool,
            log: setup::log(wanted.bytes),
            connections: wanted.connections,
            loaders: loaders(),
            transport,
            port,
            durable,
            in_memory,
            account: account.as_ref().map(|account| account.name.as_str()),
        };
        let text = config::text(&needs);
        let managed =
            Managed::launch(server, &folder, wanted, &text, account.as_ref(), is_new, lock)?;
        let login = managed.ready(&folder, port)?;
        Ok((managed, login))
    }

    fn launch(
        server: &Server,
        folder: &Path,
        wanted: &Wanted<'_>,
        text: &str,
        account: Option<&Account>,
        is_new: bool,
        lock: Lock,
    ) -> Result<Managed, Reason> {
        let written = |path: &Path| {
            let shown = path.display().to_string();
            move |e: std::io::Error| Reason::new(format!("{shown} cannot be written: {e}"))
        };
        let options = folder.join("my.cnf");
        fs::write(&options, text).map_err(written(&options))?;
        setup::give(&options, account)?;
        // One of a former step would be told as this one's.
        let log = folder.join("error.log");
        // One that is not there is none to remove, and any other trouble shows in the next step.
        let _ = fs::remove_file(&log);
        let output = File::options().create(true).append(true).open(&log);
        let output = output.map_err(written(&log))?;
        setup::give(&log, account)?;
        let words = [
            server.program.clone().into_os_string(),
            format!("--defaults-file={}", options.display()).into(),
        ];
        let program = Program::new(&words).map_err(|refused| refused.why)?;
        let mut program = program.writing_into(output);
        if !is_new && !wanted.cpus.is_empty() {
            program = program.on(wanted.cpus.clone());
        }
        // Whoever is started inherits the policy of who starts it.
        let nodes = wanted.nodes;
        let (policy, memory) = match nodes.len() {
            0 => (None, "wherever the kernel likes".into()),
            1 => (Some(mempolicy::bind(nodes)), format!("bound to node {nodes}")),
            _ => (Some(mempolicy::interleave(nodes)), format!("interleaved over nodes {nodes}")),
        };
        // Where it is forbidden the server runs all the same: where its memory came to lie is looked at later.
        let (policy, memory) = match policy {
            Some(Err(why)) => (None, format!("wherever the kernel likes ({})", why.why)),
            policy => (policy.and_then(Result::ok), memory),
        };
        let process = Supervised::start(&program).map_err(|refused| refused.why)?;
        drop(policy);
        let runs_as = account.map_or("the user's".into(), |account| account.name.clone());
        let settings = vec![
            ("program", server.program.display().to_string()),
            ("server_cpus", wanted.cpus.to_string()),
            ("memory", memory),
            ("account", runs_as),
        ];
        Ok(Managed {
            pid: process.pid(),
            process: Mutex::new(process),
            name: server.program.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            log,
            cpus: wanted.cpus.clone(),
            nodes: wanted.nodes.clone(),
            settings,
            lock,
        })
    }

    /// Waits until it answers, and sees to it that nobody else can ask.
    fn ready(&self, folder: &Path, port: Option<u16>) -> Result<Login, Reason> {
        let socket = folder.join("socket");
        let root = Address {
            place: Place::Socket(socket.clone()),
            user: "root".into(),
            password: Secret::default(),
            database: None,
        };
        let clock = Monotonic::new();
        let until = clock.now() + UNTIL_READY;
        let mut stranger = None;
        let mut admin = loop {
            if socket.exists() {
                match Connection::open(&root) {
                    // One of a run that was killed may not have ended yet.
                    Ok(connection) => match self.stranger(&connection) {
                        None => break connection,
                        other => stranger = other,
                    },
                    // It listens before it lets anybody in.
                    Err(Error { class: Class::Lost, .. }) if clock.now() < until => {}
                    Err(error) => return Err(self.obituary().unwrap_or(error.reason)),
                }
            }
            let ended = self.process().wait(LOOK).is_some();
            if let Some(reason) = if ended { self.obituary() } else { None } {
                return Err(reason);
            }
            if signals::interrupted() {
                return Err(Reason::new("interrupted while the server was starting"));
            }
            if clock.now() > until {
                let why = format!("{} does not answer after {UNTIL_READY} seconds", self.name);
                return Err(match stranger {
                    Some(who) => Reason::mended_by(
                        format!("{why}: {who} answers at {}", socket.display()),
                        "end that server, or name another folder with --data",
                    ),
                    None => Reason::new(why + &self.last_words()),
                });
            }
        };
        // At every start: the first one may have ended before it came so far.
        admin.run(&format!("CREATE DATABASE IF NOT EXISTS {NAME} CHARACTER SET latin1"))?;
        // Roles have no host, and accounts of the system, which nobody can log in to, have a point in their name.
        let sql = "SELECT user, host FROM mysql.user WHERE host <> ''";
        for (user, host) in admin.pairs(sql)? {
            let stays = host == "localhost" && (user == "root" || user.contains('.'));
            if !stays {
                admin.run(&format!("DROP USER {}@{}", quoted(&user), quoted(&host)))?;
            }
        }
        let (user, password) = match port {
            None => ("root", String::new()),
            Some(_) => {
                let password = random()?;
                let who = format!("'{NAME}'@'127.0.0.1'");
                for sql in [
                    format!("DROP USER IF EXISTS {who}"),
                    format!("CREATE USER {who} IDENTIFIED BY '{password}'"),
                    format!("GRANT ALL ON {NAME}.* TO {who}"),
                    format!("GRANT PROCESS, SHUTDOWN ON *.* TO {who}"),
                ] {
                    admin.run(&sql)?;
                }
                (NAME, password)
            }
        };
        Ok(Login { socket, port, user: user.into(), password, database: NAME.into() })
    }

    /// Who answers instead of it.
    fn stranger(&self, connection: &Connection) -> Option<String> {
        match sockets::peer(&connection.socket) {
            Some(pid) if pid == self.pid => None,
            // A kernel that tells everybody his own number (gVisor) does not know.
            Some(pid) if pid == process::id() => None,
            Some(pid) => Some(format!("process {pid}")),
            None => Some("a process that cannot be seen from here".into()),
        }
    }
    /// Its process id.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }
    /// Share of its memory that is where it should be.
    pub(crate) fn on_nodes(&self) -> Option<f64> {
        if self.nodes.is_empty() { None } else { numamaps::share_on_nodes(self.pid, &self.nodes) }
    }
    /// How it was started, for the record.
    pub(crate) fn settings(&self) -> Vec<(&'static str, String)> {
        self.settings.clone()
    }
    fn process(&self) -> MutexGuard<'_, Supervised> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Confines all that it has and will have to its CPUs.
    pub(crate) fn pin(&self) -> Result<(), Error> {
        if self.cpus.is_empty() {
            return Ok(());
        }
        cpus::confine_process(self.pid, &self.cpus).map_err(|e| {
            let cpu = self.cpus.first().unwrap_or(0);
            Error { class: Class::Fatal, code: 0, reason: cpus::refusal(cpu, &e) }
        })
    }

    /// How it ended, with its last words; nothing as long as it runs.
    pub(crate) fn obituary(&self) -> Option<Reason> {
        // A connection closes a moment before its process has ended.
        let status = self.process().wait(Duration::from_millis(500))?;
        let how = match status {
            Status::Exited(status) => format!("ended with status {status}"),
            Status::Killed(signal) => format!("was killed by signal {signal}"),
        };
        let why = format!("the server {how}: {}{}", self.name, self.last_words());
        Some(match status {
            Status::Killed(9) => {
                Reason::mended_by(why, "look whether memory ran out: dmesg | grep -i oom")
            }
            _ => Reason::new(why),
        })
    }

    /// The last errors in its log, or its last lines.
    fn last_words(&self) -> String {
        let tail = || -> std::io::Result<String> {
            let mut file = File::open(&self.log)?;
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
            let mut bytes = vec![];
            file.take(TAIL).read_to_end(&mut bytes)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        last_words(&tail().unwrap_or_default())
    }

    /// Stops it.
    pub(crate) fn stop(&self, admin: &mut Connection) -> Result<(), Reason> {
        let patience = if signals::interrupted() { TO_STOP_INTERRUPTED } else { TO_STOP };
        let mut process = self.process();
        // One that has gone already, or does not answer, is seen to below.
        let _ = admin.pairs("SHUTDOWN");
        if process.wait(patience[0]).is_none() {
            process.terminate();
        }
        if process.wait(patience[1]).is_none() {
            process.kill();
        }
        let ended = process.wait(patience[1]);
        if ended.is_some() {
            // Sessions may still know of it, and nobody need wait for them.
            self.lock.release();
        }
        match ended {
            Some(Status::Exited(0)) => Ok(()),
            Some(status) => Err(Reason::new(format!(
                "{} did not stop as it should: {status:?}{}",
                self.name,
                self.last_words()
            ))),
            None => {
                Err(Reason::new(format!("{} (process {}) cannot be stopped", self.name, self.pid)))
            }
        }
    }
}

/// The lines that say what is wrong, or the last ones if none does.
fn last_words(tail: &str) -> String {
    let lines: Vec<&str> = tail.lines().filter(|line| !line.trim().is_empty()).collect();
    let wrong: Vec<&str> = lines.iter().filter(|line| line.contains("[ERROR]")).copied().collect();
    let told = if wrong.is_empty() { lines } else { wrong };
    let last = told.len().saturating_sub(LINES);
    told[last..].iter().map(|line| format!("\n  {}", line.trim())).collect()
}

/// A string in SQL.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
}

/// A port that nobody has at this moment.
fn free_port() -> Result<u16, Reason> {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    port.map(|address| address.port())
        .map_err(|e| Reason::new(format!("there is no free port: {e}")))
}

/// A password that nobody guesses.
fn random() -> Result<String, Reason> {
    let mut bytes = [0; 16];
    let read = File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    read.map_err(|e| Reason::new(format!("there are no random numbers: {e}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_errors_are_told_or_the_last_lines() {
        let log = "a [Note] one\nb [ERROR] two\n\nc [Note] three\n";
        assert_eq!(last_words(log), "\n  b [ERROR] two");
        assert_eq!(last_words("1\n2\n3\n4\n5\n6\n"), "\n  2\n  3\n  4\n  5\n  6");
        assert_eq!(last_words(""), "");
    }

    #[test]
    fn passwords_differ_and_names_are_quoted() {
        assert_ne!(random().unwrap(), random().unwrap());
        assert_eq!(quoted("o'x\\"), "'o''x\\\\'");
    }
}
