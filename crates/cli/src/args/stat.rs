//! What `stat` is told.
use super::values::duration;
use clap::{Args as Group, ValueEnum};
use record::CpuSet;
use std::{ffi::OsString, path::PathBuf};

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens stat -- ./program --its arguments
  cpulens stat --timeout 60 -o stat.json --format json -- sh -c 'sort big | uniq -c'
  cpulens stat -p 4711 --timeout 10                    a process that runs already
  cpulens stat --cpus 0-7 --timeout 10                 whatever runs on these CPUs, system-wide
  cpulens stat --events wide,r1b -- ./program          more events, by name or code

The report goes to standard error; the command's own streams are left alone.
Exit codes: the command's own, or 128 and the number of the signal that killed it; 124 if --timeout ended it; 126 if it
cannot be run, 127 if it is not found; 2 if cpulens could not.")]
pub(crate) struct Stat {
    /// Count whatever runs on these CPUs meanwhile (system-wide), instead of the command
    #[arg(long, value_name = "LIST", conflicts_with = "pid")]
    pub(crate) cpus: Option<CpuSet>,
    /// Count this process and all its threads meanwhile, instead of the command
    #[arg(short, long, value_name = "PID")]
    pub(crate) pid: Option<u32>,
    /// End the command, and all it started, after so many seconds; or watch for so long without one
    #[arg(long, value_name = "SECONDS", value_parser = duration)]
    pub(crate) timeout: Option<f64>,
    /// Count these events instead of the processor family's own: names, `wide` for all that are published of the
    /// family, or codes such as r1b
    #[arg(long, value_name = "EVENT,...", value_delimiter = ',')]
    pub(crate) events: Vec<String>,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = StatFormat::Text)]
    pub(crate) format: StatFormat,
    /// Write the report to this file instead of standard error
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The command and its arguments
    #[arg(last = true, value_name = "COMMAND", required_unless_present_any = ["pid", "cpus"])]
    pub(crate) command: Vec<OsString>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatFormat {
    /// For people
    Text,
    /// For programs: the observation and what follows from it, on standard output if no file is named
    Json,
}
