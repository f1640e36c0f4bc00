//! What `db` is told.
use super::{
    Measuring,
    values::{cores_or_name, distribution, mix, some_seconds},
};
use clap::{Args as Group, ValueEnum};
use measure::db::{Distribution, Mix};
use record::CpuSet;
use std::path::PathBuf;

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens db point-select                       SQLite, built in: 1 core, its SMT pair, 2, 4 ... all
  cpulens db tpcc --points 1,2,4,8 --check      new orders per minute, all twelve conditions checked
  cpulens db point-select --mode shared,wal     files that are only read against a log that all lock
  cpulens db tpcc --way row-wise,batched        a statement a row against statements of several
  cpulens db point-select --dry-run             the steps, their CPUs and the time they take
  cpulens db point-select --engine mariadb      the installed server, started privately on 1, 2, 4 ... cores
  cpulens db tpcc --engine mariadb --instances 1,2   one server against two with half of the cores and the data each
  cpulens db point-select --engine mariadb --pin cores,none --transport socket,tcp   four ways on every step, in turn
  cpulens db tpcc --engine mysql://me@db/bench  a server that runs; the password comes from MYSQL_PWD or --option-file
  cpulens run --resume                          finish the last interrupted scaling run

SQLite's modes: point-select shared (one read-only file, mapped), wal (a log whose locks all share), own (a copy in memory for
each thread); tpcc sharded (warehouses of its own in memory for each thread), files (the same in files), shared (one file, one
writer at a time). Data that are loaded serve all steps; --data keeps them for further runs.")]
pub(crate) struct Db {
    /// What is asked of the database
    #[arg(value_enum)]
    pub(crate) workload: Workload,
    /// sqlite (built in), mariadb (a MariaDB or MySQL that is started for it), or one that runs: mysql://user@host:port/database
    #[arg(long, value_name = "ENGINE", default_value = "sqlite")]
    pub(crate) engine: String,
    /// The program or the unpacked archive of the server to start [default: the first that is found]
    #[arg(long, value_name = "PATH")]
    pub(crate) server: Option<PathBuf>,
    /// Ask a server that runs by its Unix socket
    #[arg(long, value_name = "PATH")]
    pub(crate) socket: Option<PathBuf>,
    /// Log in by this file of mode 0600, as mysql's --defaults-extra-file; a password may also be in MYSQL_PWD
    #[arg(long, value_name = "FILE")]
    pub(crate) option_file: Option<PathBuf>,
    /// User of a server that runs
    #[arg(long, value_name = "NAME")]
    pub(crate) user: Option<String>,
    /// Database of a server that runs
    #[arg(long, value_name = "NAME")]
    pub(crate) database: Option<String>,
    /// How a server that is started is spoken to; each on every step [default: socket]
    #[arg(long, value_name = "HOW,...", value_delimiter = ',', value_parser = ["socket", "tcp"])]
    pub(crate) transport: Vec<String>,
    /// Servers that are started and share a step's cores and the data; each number on every step that has cores for it [default: 1]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) instances: Vec<u64>,
    /// Whether a server that is started stays on a step's cores, or goes anywhere; each on every step [default: cores]
    #[arg(long, value_enum, value_name = "WHERE,...", value_delimiter = ',')]
    pub(crate) pin: Vec<Pin>,
    /// How clients of a server wait: poll as sysbench does, epoll, or spin [default: spin where each can have a CPU]
    #[arg(long, value_name = "HOW", value_parser = ["poll", "epoll", "spin"])]
    pub(crate) wait: Option<String>,
    /// Prepared statements or texts for point-select on a server [default: prepared]
    #[arg(long, value_name = "HOW", value_parser = ["prepared", "text"])]
    pub(crate) protocol: Option<String>,
    /// How a transaction on a server begins: by a statement, elided (autocommit is off), or after a ping as go-tpc's [default: statement]
    #[arg(long, value_name = "HOW", value_parser = ["statement", "elided", "ping"])]
    pub(crate) begin: Option<String>,
    /// What transactions on a server see of each other [default: the server's]
    #[arg(long, value_name = "LEVEL", value_parser = ["read-uncommitted", "read-committed", "repeatable-read", "serializable"])]
    pub(crate) isolation: Option<String>,
    /// Commits of a server that is started wait for the disk
    #[arg(long)]
    pub(crate) durable: bool,
    /// How threads share the data; each on every step
    #[arg(long, value_name = "MODE,...", value_delimiter = ',')]
    pub(crate) mode: Vec<String>,
    /// Rows of point-select [default: 10 million with 8 GB of free memory, else 1 million]
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u64).range(1..=10_000_000_000))]
    pub(crate) rows: Option<u64>,
    /// How ids are drawn: uniform, gaussian, special (as sysbench 1.0), special-0.5, pareto or zipfian
    #[arg(long, value_name = "NAME", default_value = "uniform", value_parser = distribution)]
    pub(crate) distribution: Distribution,
    /// Warehouses of tpcc; of each thread where each has its own [default: 1 of each thread, else by cores and memory]
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) warehouses: Option<u64>,
    /// How transactions of tpcc are asked for; each on every step
    #[arg(long, value_enum, value_name = "WAY,...", value_delimiter = ',', default_values = ["row-wise"])]
    pub(crate) way: Vec<Way>,
    /// Shares of new-order, payment, order-status, delivery and stock-level
    #[arg(long, value_name = "N/N/N/N/N", default_value = "45/43/4/4/4", value_parser = mix)]
    pub(crate) mix: Mix,
    /// Whose warehouse a transaction of tpcc is of: any, or the worker's own
    #[arg(long, value_enum, default_value_t = Binding::Random)]
    pub(crate) binding: Binding,
    /// Check all twelve consistency conditions of tpcc after every step, and not the first four
    #[arg(long)]
    pub(crate) check: bool,
    /// Connections per CPU of a server, each on every step; SQLite has one a CPU [default: 4, and of tpcc 10 a warehouse at most]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) threads: Vec<u64>,
    /// Only these steps: numbers of cores, smt, socket, all, threads
    #[arg(long, value_name = "STEP,...", value_delimiter = ',', value_parser = cores_or_name)]
    pub(crate) points: Vec<String>,
    /// Only on these CPUs, as in 0-7,64-71
    #[arg(long, value_name = "LIST")]
    pub(crate) cpus: Option<CpuSet>,
    /// Times that every step is measured, in turn with all others
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) repeats: u64,
    /// Windows of a step; up to twice as many while they vary by more than 2 % (transactions: 5 %)
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(crate) windows: u64,
    /// Seconds of a window
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = some_seconds)]
    pub(crate) seconds: f64,
    /// Seconds of load before the first window [default: 3, of tpcc 10]
    #[arg(long, value_name = "SECONDS", value_parser = some_seconds)]
    pub(crate) warm: Option<f64>,
    /// Keep data in this folder, and use what is there
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Tables that are in the way may be dropped, whoever made them
    #[arg(long, conflicts_with = "reuse")]
    pub(crate) replace: bool,
    /// Use tables that are there, whoever made them
    #[arg(long)]
    pub(crate) reuse: bool,
    #[command(flatten)]
    pub(crate) measuring: Measuring,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Workload {
    /// sysbench's point select: rows by their id
    PointSelect,
    /// TPC-C's five transactions; not a TPC result
    Tpcc,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Way {
    /// A statement for every row
    RowWise,
    /// The same, and one for every item that Stock-Level looks at, as tpcc-mysql does
    ItemWise,
    /// Statements of several keys and rows
    Batched,
    /// A stored procedure for every transaction
    Procedure,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Pin {
    /// On the step's cores
    Cores,
    /// Anywhere on the CPUs of --cpus
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Binding {
    /// Any warehouse, drawn each time
    Random,
    /// Always the worker's own
    Home,
}
