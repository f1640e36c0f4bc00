//! Arguments of `digest` and `fleet`, and who a machine is among others.
use crate::{Output, values::parameter};
use clap::Args as Group;
use std::path::PathBuf;

/// Who the machine is. A record has no serial number.
#[derive(Debug, Default, Group)]
pub struct Identity {
    /// A name for this machine, kept in the record
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// A label of this machine, kept in the record, as in rack=a12
    #[arg(long, value_name = "KEY=VALUE", value_parser = parameter)]
    pub label: Vec<(String, String)>,
    /// Keep hashes of the product UUID (as root) and of /etc/machine-id with the salt in this file, the same for a fleet
    #[arg(long, value_name = "FILE")]
    pub fleet_salt: Option<PathBuf>,
}

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/digest.txt"))]
pub struct Digest {
    /// Records and digests: files, folders, `last`, ref:NAME, or - for standard input
    #[arg(required = true, value_name = "RECORD")]
    pub records: Vec<String>,
    /// Write a table as CSV instead of one line of JSON for each record or digest
    #[arg(long, value_enum)]
    pub table: Option<DigestTable>,
    /// Add both tables to this folder as Parquet, partitioned by month; the same records again add nothing
    #[arg(long, value_name = "DIR", conflicts_with_all = ["table", "file"])]
    pub parquet: Option<PathBuf>,
    /// Write to this file instead of standard output
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub file: Option<PathBuf>,
}

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/history.txt"))]
pub struct History {
    /// Folders and files of records and digests (.json, .jsonl, also with .zst, .parquet) [default: the folder where records are saved]
    #[arg(value_name = "DIR")]
    pub places: Vec<PathBuf>,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum DigestTable {
    /// One row for each record: who, when, what kind, which settings
    Runs,
    /// One row for each series: median, interval, spread
    Metrics,
}

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/fleet.txt"))]
pub struct Fleet {
    /// Folders and files of records and digests (.json, .jsonl, also with .zst), and tables of `digest --parquet`
    #[arg(required = true, value_name = "DIR")]
    pub places: Vec<PathBuf>,
    /// Names of the machines there should be, one a line: those without a run are named
    #[arg(long, value_name = "FILE")]
    pub hosts: Option<PathBuf>,
    /// Write limits for `check` from the healthy machines of the largest kind
    #[arg(long, value_name = "FILE")]
    pub write_profile: Option<PathBuf>,
    /// Write the names of suspects, one a line: these are to be looked at again; no file if there is none
    #[arg(long, value_name = "FILE")]
    pub write_suspects: Option<PathBuf>,
    /// Exit with 1 if a machine is slow
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub output: Output,
}
