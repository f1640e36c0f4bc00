//! Arguments of `selftest`.
use crate::{Output, values::whole};
use clap::{Args as Group, Subcommand};

#[derive(Debug, Group)]
pub struct Selftest {
    #[command(subcommand)]
    pub what: SelftestKind,
}

#[derive(Debug, Subcommand)]
pub enum SelftestKind {
    /// Repeat a short run and print how often equal runs are called different on this machine
    Aa(Aa),
}

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/aa.txt"))]
pub struct Aa {
    /// How many runs
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole(2..=100_u64))]
    pub runs: u64,
    /// Only these probes (comma-separated; see `cpulens list`)
    #[arg(long, value_name = "PROBE,...", value_delimiter = ',')]
    pub only: Vec<String>,
    #[command(flatten)]
    pub output: Output,
}
