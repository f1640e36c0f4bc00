//! What `spread` is told.
use super::{
    Automatic, Output, Per, Smt,
    values::{automatic, duration, some_cores},
};
use clap::{Args as Group, ValueEnum};
use std::{ffi::OsString, path::PathBuf};

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens spread -- ./generator --port 700{index}      a copy on every NUMA node
  cpulens spread --per socket -- ./server -c conf.{index}
  cpulens spread --instances 4 --timeout 60 -- sh -c 'exec ./load --cpus $CPULENS_CPUS'
  cpulens spread --prove -- ./job                       completed runs: 1, 1 pinned, N, N pinned, in turn
  cpulens spread --prove --rate-regex 'Requests/sec: +([0-9.]+)' -- wrk -d 5 http://localhost:80{index}0/

{index}, {node}, {cpus} and {count} are filled in in the command's words, and CPULENS_INDEX, CPULENS_NODE, CPULENS_CPUS
and CPULENS_COUNT are in its environment. Copies have nothing to read and no terminal; each line that they write begins
with their number. Signals are passed on to all of them, and nothing of them is left behind.
Exit codes: the highest of the copies', 128 and the number of the signal for one that was killed; 124 if --timeout ended
them; 126 if the command cannot be run, 127 if it is not found; 2 if cpulens could not. With --prove: 1 if placement makes
a difference, 0 if none beyond noise.")]
pub(crate) struct Spread {
    /// One copy for each of these parts; nodes, sockets or what was asked for below if nothing is said
    #[arg(long, value_enum, value_name = "PART")]
    pub(crate) per: Option<Per>,
    /// How many copies
    #[arg(long, value_name = "auto|N", default_value = "auto", value_parser = automatic)]
    pub(crate) instances: Automatic,
    /// Physical cores of each
    #[arg(long, value_name = "K", value_parser = some_cores)]
    pub(crate) cores_per_instance: Option<usize>,
    /// Whether to use the second thread of each core
    #[arg(long, value_enum, value_name = "on|off")]
    pub(crate) smt: Option<Smt>,
    /// Whether their memory is bound to their nodes, or is where they touch it first
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Bound::Bind)]
    pub(crate) memory: Bound,
    /// End them, and all they started, after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = duration)]
    pub(crate) timeout: Option<f64>,
    /// Measure the command with and without its place, and tell what that is worth
    #[arg(long)]
    pub(crate) prove: bool,
    /// Times that each way to run is measured, in turn with the others; 4 at least, 6 for intervals of 95 %
    #[arg(long, default_value_t = 6, requires = "prove", value_parser = clap::value_parser!(u64).range(4..=1000))]
    pub(crate) repeats: u64,
    /// Throughput is the number that this expression captures in what a copy writes, the last match; completed runs if none
    #[arg(long, value_name = "REGEX", requires = "prove", conflicts_with = "rate_file")]
    pub(crate) rate_regex: Option<String>,
    /// Throughput is the last number in this file when a copy has ended
    #[arg(long, value_name = "FILE", requires = "prove")]
    pub(crate) rate_file: Option<PathBuf>,
    /// Say nothing but what goes wrong
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) output: Output,
    /// The command and its arguments
    #[arg(last = true, value_name = "COMMAND", required = true)]
    pub(crate) command: Vec<OsString>,
}

/// Where copies have their memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bound {
    /// On their nodes, and nowhere else
    Bind,
    /// Where they touch it first
    Near,
}
