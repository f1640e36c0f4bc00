//! Arguments of `selftest`.
use super::Output;
use clap::{Args as Group, Subcommand};

#[derive(Debug, Group)]
pub(crate) struct Selftest {
    #[command(subcommand)]
    pub(crate) what: SelftestKind,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SelftestKind {
    /// Repeat a short run and print how often equal runs are called different on this machine
    Aa(Aa),
}

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/aa.txt"))]
pub(crate) struct Aa {
    /// How many runs
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(2..=100))]
    pub(crate) runs: u64,
    /// Only these probes (comma-separated; see `cpulens list`)
    #[arg(long, value_name = "PROBE,...", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    #[command(flatten)]
    pub(crate) output: Output,
}
