//! The server of the pairs and the two CPUs: one for the server, one for the clients.
use crate::clients::CONNECTIONS;
use database::{
    engine::{Engine, Executor, Instance, OpenOptions},
    engines::{mariadb::Mariadb, mysql::Mysql},
    options::{EngineOptions, Transport, WaitMode},
    session::Session,
};
use host::cpus;
use record::CpuSet;
use std::{fs, process::Command};

/// An account for TCP, and its password, for other programs.
pub(crate) const ACCOUNT: &str = "pairs";

/// A server that listens on a socket and by TCP.
pub(crate) struct BenchServer {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) server: CpuSet,
    pub(crate) client: CpuSet,
    pub(crate) instance: Box<dyn Instance>,
}

impl BenchServer {
    /// Starts it; this process gets the highest priority if allowed.
    pub(crate) fn open(workload: &str, bytes: u64) -> BenchServer {
        BenchServer::over(Transport::Tcp, workload, bytes)
    }
    /// The same with this transport.
    pub(crate) fn over(transport: Transport, workload: &str, bytes: u64) -> BenchServer {
        let first = fs::read_link("/proc/thread-self").unwrap();
        let own = first.file_name().unwrap().to_string_lossy().into_owned();
        let first = Command::new("renice").args(["-n", "-20", "-p", &own]).output();
        let first = first.is_ok_and(|done| done.status.success());
        println!("{}", if first { "nice -20" } else { "at ordinary priority" });
        let all = cpus::affinity().unwrap();
        let (server, client): (CpuSet, CpuSet) =
            (all.iter().take(1).collect(), all.iter().skip(1).take(1).collect());
        let folder = tempfile::tempdir().unwrap();
        let engine_options = EngineOptions {
            wait: Some(WaitMode::Poll),
            transport: Some(transport),
            ..EngineOptions::default()
        };
        let options = OpenOptions {
            workload,
            mode: "shared",
            folder: folder.path().to_owned(),
            bytes,
            size_option: None,
            threads: CONNECTIONS,
            connections: CONNECTIONS * 4,
            cpus: server.clone(),
            nodes: CpuSet::default(),
            options: engine_options,
        };
        let instance = Mariadb.open(&options).unwrap();
        let stand = BenchServer { folder, server, client, instance };
        let who = format!("'{ACCOUNT}'@'127.0.0.1'");
        let mut root = stand.root("cpulens", workload).session(0).unwrap();
        root.run(&format!("CREATE USER {who} IDENTIFIED BY '{ACCOUNT}'")).unwrap();
        root.run(&format!("GRANT ALL ON *.* TO {who}")).unwrap();
        stand
    }
    /// The server with the rights of root.
    pub(crate) fn root(&self, database: &str, workload: &str) -> Box<dyn Instance> {
        // This client must sleep in poll: it runs before the server, on any CPU.
        let engine_options = EngineOptions {
            socket: Some(self.socket()),
            user: Some("root".into()),
            database: Some(database.into()),
            wait: Some(WaitMode::Poll),
            ..EngineOptions::default()
        };
        let options = OpenOptions {
            workload,
            mode: "shared",
            folder: self.folder.path().to_owned(),
            threads: 1,
            connections: 1,
            cpus: self.server.clone(),
            options: engine_options,
            ..OpenOptions::default()
        };
        Mysql.open(&options).unwrap()
    }
    pub(crate) fn socket(&self) -> String {
        self.folder.path().join("server/data/socket").display().to_string()
    }
    pub(crate) fn port(&self) -> String {
        let options = fs::read_to_string(format!("/proc/{}/cmdline", self.pid())).unwrap();
        options.split('\0').find_map(|word| word.strip_prefix("--port=")).unwrap().into()
    }
    /// The server's process.
    pub(crate) fn pid(&self) -> u32 {
        match self.instance.executor() {
            Executor::Process(pid) => pid,
            _ => panic!("a started server is a process"),
        }
    }
}

/// A counter of the server.
pub(crate) fn counter(mut session: Box<dyn Session>, sql: &str) -> impl FnMut() -> f64 {
    let statement = session.prepare(sql).unwrap();
    move || {
        let mut found = None;
        let mut take = |row: &[database::session::Value<'_>]| {
            let value = row.last().unwrap();
            found = value.real().or_else(|| value.text()?.parse().ok());
        };
        session.execute(statement, &[], &mut take).unwrap();
        found.unwrap()
    }
}
