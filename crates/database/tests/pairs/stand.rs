//! The server of the pairs, and the two CPUs: one for it, one for whoever asks.
use crate::asking::CONNECTIONS;
use database::{
    engine::{Engine, Running, Wanted, Works},
    engines::{mariadb::Mariadb, mysql::Mysql},
    session::Session,
};
use host::cpus;
use record::CpuSet;
use std::{collections::BTreeMap, fs, process::Command};

/// An account by TCP, and its password, that other programs can be given.
pub(crate) const ACCOUNT: &str = "pairs";

/// A server of ours that listens at a socket and by TCP.
pub(crate) struct Stand {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) server: CpuSet,
    pub(crate) client: CpuSet,
    pub(crate) running: Box<dyn Running>,
}

static NOWHERE: std::sync::LazyLock<CpuSet> = std::sync::LazyLock::new(CpuSet::default);

/// Words of options by name.
fn options(words: &[(&str, &str)]) -> BTreeMap<String, String> {
    words.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
}

impl Stand {
    /// Starts it, where all priority is for what is measured if we may have it.
    pub(crate) fn open(workload: &str, bytes: u64) -> Stand {
        Stand::over("tcp", workload, bytes)
    }
    /// The same, asked by this transport.
    pub(crate) fn over(transport: &str, workload: &str, bytes: u64) -> Stand {
        let first = fs::read_link("/proc/thread-self").unwrap();
        let own = first.file_name().unwrap().to_string_lossy().into_owned();
        let first = Command::new("renice").args(["-n", "-20", "-p", &own]).output();
        let first = first.is_ok_and(|done| done.status.success());
        println!("{}", if first { "nice -20" } else { "at ordinary priority" });
        let all = cpus::affinity().unwrap();
        let (server, client): (CpuSet, CpuSet) =
            (all.iter().take(1).collect(), all.iter().skip(1).take(1).collect());
        let folder = tempfile::tempdir().unwrap();
        let options = options(&[("wait", "poll"), ("transport", transport)]);
        let wanted = Wanted {
            workload,
            mode: "shared",
            folder: folder.path(),
            bytes,
            threads: CONNECTIONS,
            connections: CONNECTIONS * 4,
            cpus: &server,
            nodes: &NOWHERE,
            options: &options,
        };
        let running = Mariadb.open(&wanted).unwrap();
        let stand = Stand { folder, server, client, running };
        let who = format!("'{ACCOUNT}'@'127.0.0.1'");
        let mut root = stand.root("cpulens", workload).session(0).unwrap();
        root.run(&format!("CREATE USER {who} IDENTIFIED BY '{ACCOUNT}'")).unwrap();
        root.run(&format!("GRANT ALL ON *.* TO {who}")).unwrap();
        stand
    }
    /// The server as somebody who may do everything sees it.
    pub(crate) fn root(&self, database: &str, workload: &str) -> Box<dyn Running> {
        let socket = self.socket();
        // Who looks on must sleep: it runs before the server, on whichever CPU.
        let place = [("socket", &*socket), ("user", "root"), ("database", database)];
        let options = options(&[&place[..], &[("wait", "poll")]].concat());
        let wanted = Wanted {
            workload,
            mode: "shared",
            folder: self.folder.path(),
            bytes: 0,
            threads: 1,
            connections: 1,
            cpus: &self.server,
            nodes: &NOWHERE,
            options: &options,
        };
        Mysql.open(&wanted).unwrap()
    }
    pub(crate) fn socket(&self) -> String {
        self.folder.path().join("server/socket").display().to_string()
    }
    pub(crate) fn port(&self) -> String {
        let options = fs::read_to_string(self.folder.path().join("server/my.cnf")).unwrap();
        options.lines().find_map(|line| line.strip_prefix("port=")).unwrap().into()
    }
    /// The server's process.
    pub(crate) fn pid(&self) -> u32 {
        match self.running.works() {
            Works::InProcess(pid) => pid,
            _ => panic!("a server of ours is a process"),
        }
    }
}

/// Something that the server counts.
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
