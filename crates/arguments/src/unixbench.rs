//! Arguments of `unixbench`.
use crate::{
    Depth, Measuring,
    values::{copies, one_of, some_seconds, test_of_unixbench, whole},
};
use clap::Args as Group;
use record::CpuSet;
use std::path::PathBuf;
use workloads::unixbench::{Copies, Placement, Start, Switch, Variant};

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/unixbench.txt"))]
pub struct UnixBench {
    /// Only these tests: dhry2reg, whetstone_double, execl, fstime, fsbuffer, fsdisk, pipe, context1, spawn, syscall, shell1, shell8
    #[arg(value_name = "TEST", value_parser = test_of_unixbench)]
    pub tests: Vec<String>,
    /// Numbers of copies: N is one for each CPU, scaling is 1, 2, 4 ... N
    #[arg(long, value_name = "NUMBER,...", value_delimiter = ',', default_value = "1,N", value_parser = copies)]
    pub copies: Vec<Copies>,
    /// How copies are placed: not pinned, each on one CPU, all on the chosen CPUs, each on one NUMA node
    #[arg(long, value_name = "PLACEMENT,...", value_delimiter = ',', default_values = ["none"], value_parser = one_of(Placement::ALL.map(|p| (p.name(), p))))]
    pub placement: Vec<Placement>,
    /// The version of UnixBench to follow
    #[arg(long, default_value = "upstream-6", value_parser = one_of(Variant::ALL.map(|v| (v.name(), v))))]
    pub variant: Variant,
    /// Start copies one after the other, as UnixBench does, or at the same time
    #[arg(long, default_value = "serial", value_parser = one_of([Start::Serial, Start::Barrier].map(|s| (s.name(), s))))]
    pub start: Start,
    /// More placements of the two processes of context1, with one copy
    #[arg(long, value_name = "WHERE,...", value_delimiter = ',', value_parser = one_of(Switch::ALL.map(|s| (s.name(), s))))]
    pub context: Vec<Switch>,
    /// How much to measure; the whole index of one copy takes 3, 7 or 25 minutes
    #[arg(long, value_enum, default_value_t = Depth::Quick)]
    pub depth: Depth,
    /// UnixBench's own passes, durations and waits
    #[arg(long, conflicts_with_all = ["depth", "passes", "seconds"])]
    pub exact: bool,
    /// Passes of every test, instead of the depth's
    #[arg(long, value_name = "N", value_parser = whole(1..=1000_u64))]
    pub passes: Option<u64>,
    /// Seconds of every pass, instead of the depth's
    #[arg(long, value_name = "SECONDS", value_parser = some_seconds)]
    pub seconds: Option<f64>,
    /// Repeats of all tests, interleaved
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=100_u64))]
    pub repeats: u64,
    /// Only on these CPUs, as in 0-7,64-71
    #[arg(long, value_name = "LIST")]
    pub cpus: Option<CpuSet>,
    /// A folder for the files to copy and sort [default: the first on a disk]
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,
    #[command(flatten)]
    pub measuring: Measuring,
}
