//! Arguments of `check`.
use crate::{Identity, Output, values::seconds};
use clap::Args as Group;
use std::path::PathBuf;

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/check.txt"))]
pub struct Check {
    /// Limits as TOML: tables `limit` with metric, warn_min, warn_max, critical_min, critical_max, why; the table `machine` says for which kind
    #[arg(long, value_name = "FILE")]
    pub profile: Option<PathBuf>,
    /// As good as this record: a file, `last`, or ref:NAME; what others published of the same processor counts within 15 % and 30 %
    #[arg(long, value_name = "RECORD", conflicts_with = "profile")]
    pub against: Option<String>,
    /// Like the machines of its kind that were fit, by the records and digests below this folder; of fewer than five, as published of the processor
    #[arg(long, value_name = "DIR", conflicts_with_all = ["profile", "against"])]
    pub peers: Option<PathBuf>,
    /// Write the result for Prometheus' node exporter into this file
    #[arg(long, value_name = "FILE")]
    pub prometheus: Option<PathBuf>,
    /// Judge the newest check, or the one of --record, and measure nothing
    #[arg(long)]
    pub last: bool,
    /// Print one line for `fleet` instead, and exit with 0 where there is a result, good or bad
    #[arg(long, conflicts_with = "format")]
    pub digest: bool,
    /// With --last, an older result is UNKNOWN
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "last")]
    pub max_age: Option<f64>,
    /// The record's file instead of a new one in $XDG_DATA_HOME/cpulens/records
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Replace the file of --record if it is there
    #[arg(long, requires = "record")]
    pub force: bool,
    #[command(flatten)]
    pub identity: Identity,
    #[command(flatten)]
    pub output: Output,
}
