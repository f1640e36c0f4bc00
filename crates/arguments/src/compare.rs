//! Arguments of `compare`.
use crate::{Output, Paired, Screen, values::amount};
use clap::Args as Group;
use std::path::PathBuf;

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/compare.txt"))]
pub struct Compare {
    /// Two records or more, or one that the newest is compared with [default: the newest but one]: files, `last` for the
    /// newest, ref:NAME for one of the catalogue, or - for standard input; outputs of other tools that `import` reads, and
    /// what `stat --format json` wrote
    #[arg(value_name = "RECORD")]
    pub records: Vec<String>,
    /// The record that the others are compared with [default: the first, or one that shares figures with more of the others]
    #[arg(long, value_name = "RECORD")]
    pub baseline: Option<String>,
    /// Earlier records of the same machines: three or more say how much figures vary from run to run [default: your folder of
    /// records, where one of the RECORDs is in it]
    #[arg(long, value_name = "DIR")]
    pub earlier: Option<PathBuf>,
    /// Why each workload is faster or slower: its ratio as factors, which are instructions, frequency, IPC, cores used, SMT,
    /// locality and bandwidth; with --full also each point
    #[arg(long)]
    pub explain: bool,
    /// The price of a record's machine, in one currency for all: adds ratios per price
    #[arg(long, value_name = "RECORD=AMOUNT", value_parser = amount)]
    pub price: Vec<(String, f64)>,
    /// The power of a record's machine under load, in watts: adds ratios per watt
    #[arg(long, value_name = "RECORD=WATTS", value_parser = amount)]
    pub watts: Vec<(String, f64)>,
    /// Exit with 1 if there are significant differences, with 3 if the environment check of a record failed
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub commands: Paired,
    #[command(flatten)]
    pub screen: Screen,
    #[command(flatten)]
    pub output: Output,
}
