//! Arguments of `scale`.
use crate::{
    Measuring,
    values::{Words, parameter, whole, words},
};
use clap::Args as Group;
use measure::scaling_run::ScalingRun;
use record::CpuSet;
use std::path::PathBuf;

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/scale.txt"))]
pub struct Scale {
    /// The probe whose work is copied: bandwidth, core_rate, load_latency, openssl or prime
    #[arg(value_name = "PROBE", required_unless_present_any = ["program", "resume"])]
    pub probe: Option<String>,
    /// A command instead of a probe: each copy is one run of it
    #[arg(last = true, value_name = "COMMAND", group = "program", conflicts_with = "probe")]
    pub command: Vec<String>,
    /// Scale the cores of this server, which --client loads
    #[arg(long, value_name = "CMD", value_parser = words, requires = "client")]
    pub server: Option<Words>,
    /// The command that loads the server; its rate is the throughput
    #[arg(long, value_name = "CMD", value_parser = words, group = "program", requires = "server", conflicts_with_all = ["probe", "policy", "memory", "copies"])]
    pub client: Option<Words>,
    /// CPUs of the client, as in 0-7; the server has the others
    #[arg(long, value_name = "LIST", requires = "server")]
    pub client_cpus: Option<CpuSet>,
    /// The server is ready when it listens on this TCP port
    #[arg(long, value_name = "N", requires = "server", conflicts_with = "ready_text", value_parser = whole(1..=u16::MAX))]
    pub ready_port: Option<u16>,
    /// The server is ready when this expression matches a line that it writes
    #[arg(long, value_name = "REGEX", requires = "server")]
    pub ready_text: Option<String>,
    /// Only on these CPUs, as in 0-7,64-71
    #[arg(long, value_name = "LIST")]
    pub cpus: Option<CpuSet>,
    #[command(flatten)]
    pub scaling_run: ScalingRun,
    /// Throughput is the last number that this expression captures in a copy's output [default: that of a known program, else
    /// completed runs]
    #[arg(long, value_name = "REGEX", requires = "program", conflicts_with = "rate_file")]
    pub rate_regex: Option<String>,
    /// Throughput is the last number in this file when a copy has ended; {index} is the copy's number
    #[arg(long, value_name = "FILE", requires = "program")]
    pub rate_file: Option<PathBuf>,
    /// Another variant of the probe's work, as in kernel=triad
    #[arg(long = "where", value_name = "NAME=VALUE,...", value_delimiter = ',', value_parser = parameter)]
    pub only_with: Vec<(String, String)>,
    /// Continue an interrupted scaling run: a record's file, or the last one
    #[arg(
        long,
        value_name = "RECORD",
        num_args = 0..=1,
        default_missing_value = "last",
        // The record has settled all of these.
        conflicts_with_all = ["probe", "program", "cpus", "policy", "memory", "repeats", "per_step", "copies", "timeout", "end_children", "only_with", "dry_run", "record", "name", "seed"]
    )]
    pub resume: Option<String>,
    #[command(flatten)]
    pub measuring: Measuring,
}

impl Scale {
    /// The command whose throughput is measured: the client of a server, or what stands after `--`.
    pub fn program(&self) -> &[String] {
        self.client.as_ref().map_or(&self.command, |client| &client.0)
    }
}
