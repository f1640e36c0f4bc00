//! Arguments of `whatif`.
use crate::{Output, Screen, values::whole};
use clap::Args as Group;

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/whatif.txt"))]
pub struct Whatif {
    /// A record's file, `last` for the newest, ref:NAME, or - for standard input
    #[arg(default_value = "last")]
    pub record: String,
    /// Memory modules at this speed
    #[arg(long, value_name = "MT/s", value_parser = whole(100..=100_000_u32))]
    pub dimms: Option<u32>,
    /// A process bound to each NUMA node and its memory
    #[arg(long)]
    pub bound: bool,
    /// One thread per core
    #[arg(long)]
    pub smt_off: bool,
    /// Huge pages for all programs
    #[arg(long)]
    pub huge_pages: bool,
    /// Another core frequency
    #[arg(long, value_name = "MHz", value_parser = whole(100..=10_000_u32))]
    pub frequency: Option<u32>,
    /// The scaling run's workload on this number of cores
    #[arg(long, value_name = "N", value_parser = whole(1..=65_536_u32))]
    pub cores: Option<u32>,
    /// Predict for a program that `stat --format json` counted on the same machine
    #[arg(long, value_name = "FILE")]
    pub workload: Option<String>,
    /// Exit with 1 if a change could not be predicted, with 3 if the environment check of the record failed
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub screen: Screen,
    #[command(flatten)]
    pub output: Output,
}
