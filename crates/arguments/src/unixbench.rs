//! Arguments of `unixbench`.
use crate::{Measuring, values::test_of_unixbench};
use clap::Args as Group;
use measure::probe::Depth;
use record::CpuSet;
use workloads::unixbench::Options;

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/unixbench.txt"))]
pub struct UnixBench {
    /// Only these tests: dhry2reg, whetstone_double, execl, fstime, fsbuffer, fsdisk, pipe, context1, spawn, syscall, shell1, shell8
    #[arg(value_name = "TEST", value_parser = test_of_unixbench)]
    pub tests: Vec<String>,
    #[command(flatten)]
    pub options: Options,
    /// How much to measure; the whole index of one copy takes 3, 7 or 25 minutes
    #[arg(long, value_enum, default_value_t = Depth::Quick, display_order = 5)]
    pub depth: Depth,
    /// Only on these CPUs, as in 0-7,64-71
    #[arg(long, value_name = "LIST", display_order = 9)]
    pub cpus: Option<CpuSet>,
    #[command(flatten)]
    pub measuring: Measuring,
}
