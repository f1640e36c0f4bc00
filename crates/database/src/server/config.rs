//! The configuration of a server that we start: data in memory, no wait for a disk unless wanted, no background work.
//! Source: the manuals of MySQL 5.7 to 8.4 and of MariaDB 10.4 to 11; values of published CPU-bound comparisons.
use super::program::{ServerProgram, Vendor};
use super::server_folder::ServerFolder;
use std::ffi::OsString;

/// Inputs of the configuration.
#[derive(Debug, Clone)]
pub(super) struct ServerSettings<'a> {
    pub(super) server: &'a ServerProgram,
    /// The folder of all its files.
    pub(super) folder: &'a ServerFolder,
    /// Bytes of the buffer pool.
    pub(super) pool: u64,
    /// Bytes of the redo log.
    pub(super) log: u64,
    pub(super) connections: usize,
    pub(super) loaders: usize,
    /// The TCP port; without one it listens on its socket only.
    pub(super) port: Option<u16>,
    /// Commits wait for the disk.
    pub(super) durable: bool,
    /// The folder is on a tmpfs, which does not support O_DIRECT.
    pub(super) on_tmpfs: bool,
    /// It runs as root, which servers refuse unless it is said.
    pub(super) as_root: bool,
}

/// Connections beyond those of clients and loaders, for administration.
const SPARE: usize = 100;
/// The options that every server has. With `local-infile` MySQL 8 takes rows by LOAD DATA LOCAL, which it refuses by default.
const ALWAYS: &str = include_str!("options.txt");

/// The server's arguments. There is no option file: nothing has to be quoted, and nobody can change it before it is read.
/// Errors go to standard error.
pub(super) fn arguments(settings: &ServerSettings<'_>) -> Vec<OsString> {
    let ServerSettings { server, folder, .. } = settings;
    let on = |yes: bool| if yes { "1" } else { "0" };
    let mut options: Vec<(&str, OsString)> = vec![
        ("basedir", server.base.clone().into()),
        ("datadir", folder.data().into()),
        ("tmpdir", folder.data().into()),
        ("socket", folder.socket().into()),
        ("pid-file", folder.pid_file().into()),
    ];
    if settings.as_root {
        options.push(("user", "root".into()));
    }
    let mut add = |name, value: &str| options.push((name, value.into()));
    match settings.port {
        Some(port) => {
            add("bind-address", "127.0.0.1");
            add("port", &port.to_string());
        }
        None => add("skip-networking", "1"),
    }
    for (name, value) in ALWAYS.lines().filter_map(|line| line.split_once('=')) {
        add(name, value);
    }
    add("max-connections", &(settings.connections + settings.loaders + SPARE).to_string());
    add("thread-cache-size", &settings.connections.to_string());
    add("sync-binlog", on(settings.durable));
    add("innodb-buffer-pool-size", &settings.pool.to_string());
    add("innodb-flush-log-at-trx-commit", on(settings.durable));
    add("innodb-doublewrite", on(settings.durable));
    add("innodb-flush-method", if settings.on_tmpfs { "fsync" } else { "O_DIRECT_NO_FSYNC" });
    let log = settings.log.to_string();
    match (server.vendor, server.number) {
        (Vendor::MariaDb, _) => {
            add("query-cache-type", "0");
            add("innodb-log-file-size", &log);
        }
        (Vendor::MySql, [major, minor, patch]) => {
            if major >= 8 {
                add("disable-log-bin", "1");
                add("mysqlx", "0");
            } else {
                add("query-cache-type", "0");
            }
            if (major, minor, patch) >= (8, 0, 30) {
                add("innodb-redo-log-capacity", &log);
            } else {
                // It has two log files.
                add("innodb-log-file-size", &(settings.log / 2).to_string());
            }
        }
    }
    let option = |(name, value): (&str, OsString)| {
        let mut word = OsString::from(format!("--{name}="));
        word.push(value);
        word
    };
    // It must be the first.
    [OsString::from("--no-defaults")].into_iter().chain(options.into_iter().map(option)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(
        vendor: Vendor,
        number: [u32; 3],
        change: impl Fn(&mut ServerSettings<'_>),
    ) -> String {
        let outer = tempfile::tempdir().unwrap();
        let folder = ServerFolder::open(outer.path()).unwrap();
        let server = ServerProgram {
            program: "/usr/sbin/mysqld".into(),
            vendor,
            version: "x".into(),
            number,
            base: "/usr".into(),
        };
        let mut settings = ServerSettings {
            server: &server,
            folder: &folder,
            pool: 1 << 30,
            log: 512 << 20,
            connections: 8,
            loaders: 2,
            port: None,
            durable: false,
            on_tmpfs: false,
            as_root: false,
        };
        change(&mut settings);
        // A line for each, without the dashes.
        let words = arguments(&settings);
        assert_eq!(words[0], "--no-defaults");
        words.iter().map(|word| word.to_str().unwrap()[2..].to_owned() + "\n").collect()
    }

    #[test]
    fn a_server_listens_on_its_socket_or_one_port() {
        let socket = config(Vendor::MariaDb, [10, 11, 19], |_| {});
        assert!(socket.contains("skip-networking=1\n") && !socket.contains("bind-address"));
        let tcp = config(Vendor::MariaDb, [10, 11, 19], |settings| {
            settings.port = Some(4000);
        });
        assert!(
            tcp.contains("bind-address=127.0.0.1\nport=4000\n") && !tcp.contains("skip-networking")
        );
    }

    #[test]
    fn options_are_those_of_the_vendor_and_version() {
        let has = |vendor, number, option: &str| {
            config(vendor, number, |_| {}).contains(&format!("\n{option}\n"))
        };
        assert!(has(Vendor::MariaDb, [11, 4, 0], "innodb-log-file-size=536870912"));
        assert!(has(Vendor::MySql, [5, 7, 44], "innodb-log-file-size=268435456"));
        assert!(has(Vendor::MySql, [8, 0, 36], "innodb-redo-log-capacity=536870912"));
        assert!(has(Vendor::MySql, [8, 0, 36], "disable-log-bin=1"));
        assert!(!has(Vendor::MySql, [8, 4, 0], "query-cache-type=0"));
        assert!(has(Vendor::MySql, [5, 7, 44], "query-cache-type=0"));
    }

    #[test]
    fn loaders_have_connections_beside_the_clients() {
        let many = config(Vendor::MariaDb, [10, 11, 19], |settings| settings.loaders = 512);
        let most = many.lines().find_map(|line| line.strip_prefix("max-connections="));
        assert!(most.is_some_and(|most| most.parse::<usize>().unwrap() > 8 + 512), "{most:?}");
    }

    #[test]
    fn durable_servers_wait_for_the_disk() {
        let durable = config(Vendor::MariaDb, [10, 11, 19], |settings| settings.durable = true);
        for option in ["innodb-flush-log-at-trx-commit=1", "sync-binlog=1", "innodb-doublewrite=1"]
        {
            assert!(durable.contains(option), "{option}");
        }
        let account = config(Vendor::MariaDb, [10, 11, 19], |settings| {
            (settings.as_root, settings.on_tmpfs) = (true, true);
        });
        assert!(
            account.contains("\nuser=root\n") && account.contains("innodb-flush-method=fsync\n")
        );
    }
}
