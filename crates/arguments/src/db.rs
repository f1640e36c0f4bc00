//! Arguments of `db`.
use crate::{Measuring, values::some_seconds};
use clap::{Args as Group, ValueEnum};
use record::CpuSet;
use workloads::db::DatabaseOptions;

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/db.txt"))]
pub struct Db {
    /// Workload
    #[arg(value_enum)]
    pub workload: Workload,
    #[command(flatten)]
    pub options: DatabaseOptions,
    /// Only on these CPUs, as in 0-7,64-71
    #[arg(long, value_name = "LIST", display_order = 27)]
    pub cpus: Option<CpuSet>,
    /// Seconds of load before the first window [default: 3, of tpcc 10]
    #[arg(long, value_name = "SECONDS", value_parser = some_seconds, display_order = 30)]
    pub warm_up: Option<f64>,
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
