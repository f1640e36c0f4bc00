//! Arguments of `spread`.
use crate::{
    Automatic, Output,
    place::{PARTS, SMT},
    values::{automatic, duration, one_of, some_cores, whole},
};
use analyse::place::Per;
use clap::{Args as Group, ValueEnum};
use std::{ffi::OsString, path::PathBuf};

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/spread.txt"))]
pub struct Spread {
    /// One copy for each of these parts [default: nodes, sockets, or by the options below]
    #[arg(long, value_name = "PART", value_parser = one_of(PARTS))]
    pub per: Option<Per>,
    /// Number of copies
    #[arg(long, value_name = "auto|N", default_value = "auto", value_parser = automatic)]
    pub instances: Automatic,
    /// Physical cores of each instance
    #[arg(long, value_name = "K", value_parser = some_cores)]
    pub cores_per_instance: Option<usize>,
    /// Whether to use the second thread of each core
    #[arg(long, value_name = "on|off", value_parser = one_of(SMT))]
    pub smt: Option<bool>,
    /// Whether memory is bound to each copy's NUMA nodes, or follows first touch
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Bound::Bind)]
    pub memory: Bound,
    /// Kill the copies and their children after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = duration)]
    pub timeout: Option<f64>,
    /// End processes that copies leave running; by default they live on
    #[arg(long)]
    pub end_children: bool,
    /// Measure the command with and without pinning, and show the gain
    #[arg(long)]
    pub prove: bool,
    /// Repeats of each way to run, interleaved; at least 4, and 6 for 95 % intervals
    #[arg(long, default_value_t = 6, requires = "prove", value_parser = whole(4..=1000_u64))]
    pub repeats: u64,
    /// Throughput is the last number that this expression captures in a copy's output [default: that of a known program, else completed runs]
    #[arg(long, value_name = "REGEX", requires = "prove", conflicts_with = "rate_file")]
    pub rate_regex: Option<String>,
    /// Throughput is the last number in this file when a copy has ended
    #[arg(long, value_name = "FILE", requires = "prove")]
    pub rate_file: Option<PathBuf>,
    /// Exit with 1 if placement makes a significant difference
    #[arg(long, requires = "prove")]
    pub strict: bool,
    /// Print only errors
    #[arg(short, long)]
    pub quiet: bool,
    #[command(flatten)]
    pub output: Output,
    /// The command and its arguments
    #[arg(last = true, value_name = "COMMAND", required = true)]
    pub command: Vec<OsString>,
}

/// Memory placement of copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Bound {
    /// Only on their NUMA nodes
    Bind,
    /// By first touch
    Near,
}
