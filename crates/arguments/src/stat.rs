//! Arguments of `stat`.
use crate::{
    Language,
    values::{duration, whole},
};
use clap::{Args as Group, ValueEnum};
use record::CpuSet;
use std::{ffi::OsString, path::PathBuf};

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/stat.txt"))]
pub struct Stat {
    /// Count all tasks on these CPUs (system-wide) instead of the command
    #[arg(long, value_name = "LIST", conflicts_with = "pid")]
    pub cpus: Option<CpuSet>,
    /// Count this process and all its threads instead of the command
    #[arg(short, long, value_name = "PID")]
    pub pid: Option<u32>,
    /// Kill the command and its children after this many seconds; without a command, count for so long
    #[arg(long, value_name = "SECONDS", value_parser = duration)]
    pub timeout: Option<f64>,
    /// End processes that the command leaves running; by default they live on, as under `perf stat`
    #[arg(long, requires = "command")]
    pub end_children: bool,
    /// Run the command so many times, one after the other; each figure then has a 95 % interval
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = whole(1..=1000_u32))]
    pub repeat: u32,
    /// Print what was counted every so many milliseconds, at least 10
    #[arg(short = 'I', long, value_name = "MS", value_parser = whole(10..=86_400_000_u32))]
    pub interval: Option<u32>,
    /// Count these events instead of the default ones: names, `wide` for all published events of the processor family, or codes
    /// such as r1b
    #[arg(long, value_name = "EVENT,...", value_delimiter = ',')]
    pub events: Vec<String>,
    /// The format of the report
    #[arg(long, value_enum, default_value_t = StatFormat::Text)]
    pub format: StatFormat,
    /// The language of the text (auto: as LC_ALL, LC_MESSAGES or LANG says)
    #[arg(long, value_enum, default_value_t = Language::Auto)]
    pub lang: Language,
    /// Write the report to this file instead of standard error
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The command and its arguments
    #[arg(last = true, value_name = "COMMAND", required_unless_present_any = ["pid", "cpus"])]
    pub command: Vec<OsString>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StatFormat {
    /// A report to read
    Text,
    /// The counts and their analysis, on standard output unless -o names a file
    Json,
    /// The counts, a row for each, on standard output unless -o names a file
    Csv,
}
