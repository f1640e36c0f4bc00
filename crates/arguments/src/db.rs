//! Arguments of `db`.
use crate::{
    Measuring,
    values::{cores_or_name, some_seconds, whole},
};
use clap::{Args as Group, ValueEnum};
use record::CpuSet;
use std::path::PathBuf;
use workloads::db::{
    BeginMode, Binding, Distribution, Isolation, Mix, Pinning, Protocol, StatementStyle, TlsMode,
    Transport, WaitMode, parse,
};

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/db.txt"))]
pub struct Db {
    /// Workload
    #[arg(value_enum)]
    pub workload: Workload,
    /// sqlite (built in), mariadb (a MariaDB or MySQL that is started here), or a running one: mysql://user@host:port/database
    #[arg(long, value_name = "ENGINE", default_value = "sqlite")]
    pub engine: String,
    /// Program or unpacked archive of the server to start [default: the first that is found]
    #[arg(long, value_name = "PATH")]
    pub server: Option<PathBuf>,
    /// Unix socket of a running server
    #[arg(long, value_name = "PATH")]
    pub socket: Option<PathBuf>,
    /// Log in by this file of mode 0600, as mysql's --defaults-extra-file; a password may also be in MYSQL_PWD
    #[arg(long, value_name = "FILE")]
    pub option_file: Option<PathBuf>,
    /// User of a running server
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// Database of a running server
    #[arg(long, value_name = "NAME")]
    pub database: Option<String>,
    /// TLS to a running server: verify-identity, verify-ca (any name that --tls-ca signed) or off [default: verify-identity unless the
    /// host is this one]
    #[arg(long, value_name = "MODE", value_parser = parse::<TlsMode>)]
    pub tls: Option<TlsMode>,
    /// Certificates of the authority that signed a running server's [default: the system's]
    #[arg(long, value_name = "FILE")]
    pub tls_ca: Option<PathBuf>,
    /// Public key of a running server (its public_key.pem), which encrypts the password where there is no TLS
    #[arg(long, value_name = "FILE")]
    pub server_key: Option<PathBuf>,
    /// Transport to a started server, socket or tcp; each on every scaling point [default: socket]
    #[arg(long, value_name = "TRANSPORT,...", value_delimiter = ',', value_parser = parse::<Transport>)]
    pub transport: Vec<Transport>,
    /// Servers that are started and share a point's cores and the data; each on every point that has cores for it [default: 1]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = whole(1..=1024_u64))]
    pub instances: Vec<u64>,
    /// Pin a started server to a point's cores, or to none; each on every scaling point [default: cores]
    #[arg(long, value_name = "cores|none,...", value_delimiter = ',', value_parser = parse::<Pinning>)]
    pub pin: Vec<Pinning>,
    /// How clients of a server wait: poll as sysbench does, epoll, or spin [default: spin where each client has a CPU]
    #[arg(long, value_name = "MODE", value_parser = parse::<WaitMode>)]
    pub wait: Option<WaitMode>,
    /// Protocol of point-select on a server: prepared (statements) or text [default: prepared]
    #[arg(long, value_name = "PROTOCOL", value_parser = parse::<Protocol>)]
    pub protocol: Option<Protocol>,
    /// Begin of a transaction on a server: statement, elided (autocommit off), or ping (as go-tpc) [default: statement]
    #[arg(long, value_name = "MODE", value_parser = parse::<BeginMode>)]
    pub begin: Option<BeginMode>,
    /// Isolation on a server: read-uncommitted, read-committed, repeatable-read, serializable [default: the server's]
    #[arg(long, value_name = "LEVEL", value_parser = parse::<Isolation>)]
    pub isolation: Option<Isolation>,
    /// Commits of a started server wait for the disk
    #[arg(long)]
    pub durable: bool,
    /// How threads share the data; each on every scaling point
    #[arg(long, value_name = "MODE,...", value_delimiter = ',')]
    pub mode: Vec<String>,
    /// Rows of point-select
    #[arg(long, value_name = "ROWS", default_value_t = 1_000_000, value_parser = whole(1..=10_000_000_000_u64))]
    pub rows: u64,
    /// Distribution of ids: uniform, gaussian, special (as sysbench 1.0), special-0.5, pareto or zipfian
    #[arg(long, value_name = "NAME", default_value = "uniform", value_parser = parse::<Distribution>)]
    pub distribution: Distribution,
    /// Warehouses of tpcc, or of each thread with its own [default: 1 of each thread, else by cores and memory]
    #[arg(long, value_name = "W", value_parser = whole(1..=1_000_000_u64))]
    pub warehouses: Option<u64>,
    /// Statements of tpcc: row-wise (as sysbench-tpcc), item-wise (also in Stock-Level, as tpcc-mysql), batched (several keys and
    /// rows, as go-tpc) or procedure (stored, as HammerDB); each on every scaling point
    #[arg(long, value_name = "STYLE,...", value_delimiter = ',', default_value = "row-wise", value_parser = parse::<StatementStyle>)]
    pub statements: Vec<StatementStyle>,
    /// Mix of new-order, payment, order-status, delivery and stock-level
    #[arg(long, value_name = "N/N/N/N/N", default_value = "45/43/4/4/4", value_parser = parse::<Mix>)]
    pub mix: Mix,
    /// Home warehouse of a tpcc transaction: random, or home (the terminal's own)
    #[arg(long, value_name = "WAREHOUSE", default_value = "random", value_parser = parse::<Binding>)]
    pub binding: Binding,
    /// Check all twelve consistency conditions of tpcc after every scaling point, not only four
    #[arg(long)]
    pub check: bool,
    /// Connections per CPU, of SQLite threads, each on every point [default: 4, of tpcc 10 a warehouse at most, of SQLite 1; where
    /// there are fewer than three points, one core also has 2 and 4 times as many]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = whole(1..=1024_u64))]
    pub threads: Vec<u64>,
    /// Only these scaling points: numbers of cores, smt, socket, all, threads
    #[arg(long, value_name = "POINT,...", value_delimiter = ',', value_parser = cores_or_name)]
    pub points: Vec<String>,
    /// Only on these CPUs, as in 0-7,64-71
    #[arg(long, value_name = "LIST")]
    pub cpus: Option<CpuSet>,
    /// Repeats of every scaling point, interleaved
    #[arg(long, default_value_t = 2, value_parser = whole(1..=1000_u64))]
    pub repeats: u64,
    /// Windows of a scaling point
    #[arg(long, default_value_t = 10, value_parser = whole(1..=10_000_u64))]
    pub windows: u64,
    /// Seconds of a window
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = some_seconds)]
    pub seconds: f64,
    /// Seconds of load before the first window [default: 3, of tpcc 10]
    #[arg(long, value_name = "SECONDS", value_parser = some_seconds)]
    pub warm_up: Option<f64>,
    /// Keep data in this folder, and use what is there; for root, one that no other account may change
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Drop tables that are in the way, also those of other programs
    #[arg(long, conflicts_with = "reuse")]
    pub replace: bool,
    /// Use existing tables, also those of other programs
    #[arg(long)]
    pub reuse: bool,
    #[command(flatten)]
    pub measuring: Measuring,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Workload {
    /// sysbench's point select: rows by primary key
    PointSelect,
    /// TPC-C's five transactions; not a TPC result
    Tpcc,
}
