//! Arguments of `run`, and those that all measuring commands share.
use crate::{
    Answer, Identity, Output,
    values::{patience, seconds},
};
use clap::Args as Group;
use measure::{
    plan::Selection,
    probe::{Depth, Options},
};
use record::CpuSet;
use std::path::PathBuf;

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/run.txt"))]
pub struct Run {
    /// How much to measure
    #[arg(long, value_enum, default_value_t = Depth::Quick)]
    pub depth: Depth,
    #[command(flatten)]
    pub selection: Selection,
    /// Only on these CPUs, as in 0-7,64-71
    #[arg(long, value_name = "LIST")]
    pub cpus: Option<CpuSet>,
    #[command(flatten)]
    pub options: Options,
    /// Check the results of every kernel on every CPU, for a tenth of the run's time, and exit with 1 if one is wrong
    #[arg(long)]
    pub verify: bool,
    /// Continue an interrupted run: a record's file, or the last one
    #[arg(
        long,
        value_name = "RECORD",
        num_args = 0..=1,
        default_missing_value = "last",
        // The record has settled all of these.
        conflicts_with_all = ["depth", "only", "skip", "cpus", "nodes", "only_with", "all_pairs", "per_cpu", "verify", "dry_run", "record", "name", "seed"]
    )]
    pub resume: Option<String>,
    #[command(flatten)]
    pub measuring: Measuring,
}

impl Run {
    /// A run of these probes on all CPUs.
    pub fn only(only: Vec<String>, measuring: Measuring) -> Run {
        Run {
            depth: Depth::Quick,
            selection: Selection { only, skip: vec![] },
            cpus: None,
            options: Options::default(),
            verify: false,
            resume: None,
            measuring,
        }
    }
}

/// Arguments of every command that measures and records.
#[derive(Debug, Group)]
pub struct Measuring {
    /// Run for at most this many seconds; the last cases are shortened or left out
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub time_budget: Option<f64>,
    /// Wait at most this many seconds, and a tenth of the time budget, for other programs to become quiet
    #[arg(long, value_name = "SECONDS", env = "CPULENS_PATIENCE", default_value = "10", value_parser = patience)]
    pub patience: f64,
    /// Print the plan and its estimated time, and measure nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Save the record here (.json, or .json.zst compressed) instead of in $XDG_DATA_HOME/cpulens/records
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Replace the file of --record, and the page beside it, if they are there
    #[arg(long, requires = "record")]
    pub force: bool,
    #[command(flatten)]
    pub identity: Identity,
    /// Seed of every random order and buffer
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Plan for a captured machine instead of this one (with --dry-run)
    #[arg(long, value_name = "DIR", requires = "dry_run")]
    pub root: Option<PathBuf>,
    /// Exit with 1 if there are findings, with 3 if the environment check failed
    #[arg(long)]
    pub strict: bool,
    /// Print only errors on standard error, no progress and no notes
    #[arg(short, long)]
    pub quiet: bool,
    /// Keep a line of each finished case above the progress line of a terminal
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
    #[command(flatten)]
    pub answer: Answer,
    #[command(flatten)]
    pub output: Output,
}
