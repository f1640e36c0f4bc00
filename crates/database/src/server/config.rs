//! The configuration of a server of ours: data in memory, nothing that waits for a disk unless that is wanted, nothing that
//! works in the background. Text only; what was written is in the record.
//! Source: the manuals of MySQL 5.7 to 8.4 and of MariaDB 10.4 to 11; values of published CPU-bound comparisons.
use super::{
    Transport,
    program::{Server, Vendor},
};
use std::{fmt::Write, path::Path};

/// What a configuration depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Needs<'a> {
    pub(super) server: &'a Server,
    /// The folder of all its files.
    pub(super) folder: &'a Path,
    /// Bytes of the buffer pool.
    pub(super) pool: u64,
    /// Bytes of the redo log.
    pub(super) log: u64,
    pub(super) connections: usize,
    /// Threads that load at the same time.
    pub(super) loaders: usize,
    pub(super) transport: Transport,
    pub(super) port: Option<u16>,
    /// Commits wait for the disk.
    pub(super) durable: bool,
    /// The folder is in memory, where files cannot bypass the page cache.
    pub(super) in_memory: bool,
    /// The account to run as, if it is not ours.
    pub(super) account: Option<&'a str>,
}

/// Connections beside those of workers and loaders: who prepares, checks and stops it, and people who look.
const SPARE: usize = 100;

/// The file of options.
pub(super) fn text(needs: &Needs<'_>) -> String {
    let Needs { server, folder, .. } = needs;
    let on = |yes: bool| if yes { "1" } else { "0" };
    let path = |name: &str| folder.join(name).display().to_string();
    let mut options: Vec<(&str, String)> = vec![
        ("basedir", server.base.display().to_string()),
        ("datadir", path("data")),
        ("tmpdir", path("data")),
        ("socket", path("socket")),
        ("pid-file", path("data/pid")),
        ("log-error", path("error.log")),
    ];
    options.extend(needs.account.map(|account| ("user", account.to_owned())));
    let mut add = |name, value: &str| options.push((name, value.into()));
    match (needs.transport, needs.port) {
        (Transport::Tcp, Some(port)) => {
            add("bind-address", "127.0.0.1");
            add("port", &port.to_string());
        }
        _ => add("skip-networking", "1"),
    }
    add("skip-name-resolve", "1");
    add("character-set-server", "latin1");
    add("performance-schema", "0");
    add("max-connections", &(needs.connections + needs.loaders + SPARE).to_string());
    add("thread-cache-size", &needs.connections.to_string());
    add("thread-handling", "one-thread-per-connection");
    add("back-log", "1024");
    add("table-open-cache", "4000");
    add("max-prepared-stmt-count", "1000000");
    add("max-allowed-packet", "64M");
    // Loaders send lines: a MySQL 8 takes none unless it is told so.
    add("local-infile", "1");
    add("sync-binlog", on(needs.durable));
    add("innodb-buffer-pool-size", &needs.pool.to_string());
    add("innodb-log-buffer-size", "64M");
    add("innodb-flush-log-at-trx-commit", on(needs.durable));
    add("innodb-doublewrite", on(needs.durable));
    add("innodb-flush-method", if needs.in_memory { "fsync" } else { "O_DIRECT_NO_FSYNC" });
    add("innodb-adaptive-hash-index", "0");
    add("innodb-stats-persistent", "1");
    add("innodb-stats-auto-recalc", "0");
    add("innodb-buffer-pool-dump-at-shutdown", "0");
    add("innodb-buffer-pool-load-at-startup", "0");
    add("innodb-io-capacity", "2000");
    add("innodb-io-capacity-max", "10000");
    add("innodb-flush-neighbors", "0");
    let log = needs.log.to_string();
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
                // It has two of them.
                add("innodb-log-file-size", &(needs.log / 2).to_string());
            }
        }
    }
    options.iter().fold("[mysqld]\n".into(), |mut text, (name, value)| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name}={value}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(vendor: Vendor, number: [u32; 3], change: impl Fn(&mut Needs<'_>)) -> String {
        let server = Server {
            program: "/usr/sbin/mysqld".into(),
            vendor,
            version: "x".into(),
            number,
            base: "/usr".into(),
        };
        let mut needs = Needs {
            server: &server,
            folder: Path::new("/tmp/f"),
            pool: 1 << 30,
            log: 512 << 20,
            connections: 8,
            loaders: 2,
            transport: Transport::Socket,
            port: None,
            durable: false,
            in_memory: false,
            account: None,
        };
        change(&mut needs);
        text(&needs)
    }

    #[test]
    fn a_server_listens_nowhere_but_where_it_is_asked() {
        let socket = of(Vendor::MariaDb, [10, 11, 19], |_| {});
        assert!(socket.contains("skip-networking=1\n") && !socket.contains("bind-address"));
        let tcp = of(Vendor::MariaDb, [10, 11, 19], |needs| {
            (needs.transport, needs.port) = (Transport::Tcp, Some(4000));
        });
        assert!(
            tcp.contains("bind-address=127.0.0.1\nport=4000\n") && !tcp.contains("skip-networking")
        );
    }

    #[test]
    fn options_are_those_of_the_vendor_and_version() {
        let has = |vendor, number, option: &str| {
            of(vendor, number, |_| {}).contains(&format!("\n{option}\n"))
        };
        assert!(has(Vendor::MariaDb, [11, 4, 0], "innodb-log-file-size=536870912"));
        assert!(has(Vendor::MySql, [5, 7, 44], "innodb-log-file-size=268435456"));
        assert!(has(Vendor::MySql, [8, 0, 36], "innodb-redo-log-capacity=536870912"));
        assert!(has(Vendor::MySql, [8, 0, 36], "disable-log-bin=1"));
        assert!(!has(Vendor::MySql, [8, 4, 0], "query-cache-type=0"));
        assert!(has(Vendor::MySql, [5, 7, 44], "query-cache-type=0"));
    }

    #[test]
    fn whoever_loads_is_let_in_beside_whoever_asks() {
        let many = of(Vendor::MariaDb, [10, 11, 19], |needs| needs.loaders = 512);
        let most = many.lines().find_map(|line| line.strip_prefix("max-connections="));
        assert!(most.is_some_and(|most| most.parse::<usize>().unwrap() > 8 + 512), "{most:?}");
    }

    #[test]
    fn durable_servers_wait_for_the_disk() {
        let durable = of(Vendor::MariaDb, [10, 11, 19], |needs| needs.durable = true);
        for option in ["innodb-flush-log-at-trx-commit=1", "sync-binlog=1", "innodb-doublewrite=1"]
        {
            assert!(durable.contains(option), "{option}");
        }
        let account = of(Vendor::MariaDb, [10, 11, 19], |needs| {
            (needs.account, needs.in_memory) = (Some("mysql"), true);
        });
        assert!(
            account.contains("user=mysql\n") && account.contains("innodb-flush-method=fsync\n")
        );
    }
}
