//! Arguments of `compare`.
use super::{Output, Paired, Screen, values::amount};
use clap::Args as Group;
use std::path::PathBuf;

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens compare before.json after.json             the second against the first
  cpulens compare before.json                        the newest record against it
  cpulens compare a.json b.json --full               every figure, with conditions and intervals
  cpulens compare a1.json a2.json                    one machine twice: how large noise is
  cpulens compare a.json b.json --earlier runs/      noise by earlier runs of the same machines
  cpulens compare fleet/*.json --baseline good.json --format html -o fleet.html
  cpulens compare old.json last --format csv | grep worse
  cpulens compare ref:intel-8163 ref:kunpeng-920-4826   two reference machines
  cpulens compare old.json new.json --details        also every point of every curve
  cpulens compare perf-a.txt perf-b.txt --explain    why b is faster: frequency, IPC, instructions or cores
  cpulens compare a.json b.json --price a=4200 --price b=6900 --watts a=350 --watts b=420
  cpulens compare -- ./old --jobs 4 -- ./new --jobs 4   two commands in random order, until it is decided

Exit codes: 0 compared; 2 a record could not be read, or nothing is comparable. With --strict also: 1 significant differences;
3 the environment check of a record failed.")]
pub(crate) struct Compare {
    /// Two records or more, or one that the newest is compared with: files, `last` for the newest, ref:NAME for one of
    /// the catalogue, or - for standard input; outputs of other tools that `import` reads, and what `stat --format json`
    /// wrote
    #[arg(required_unless_present = "commands", value_name = "RECORD")]
    pub(crate) records: Vec<String>,
    /// The record that the others are compared with [default: the first]
    #[arg(long, value_name = "RECORD")]
    pub(crate) baseline: Option<String>,
    /// Earlier records of the same machines: three or more say how much figures vary from run to run [default: your folder of
    /// records, where one of the RECORDs is in it]
    #[arg(long, value_name = "DIR")]
    pub(crate) earlier: Option<PathBuf>,
    /// Why each workload is faster or slower: its ratio as factors, which are instructions, frequency, IPC, cores used, SMT,
    /// locality and bandwidth; with --full also each point
    #[arg(long)]
    pub(crate) explain: bool,
    /// The price of a record's machine, in one currency for all: adds ratios per price
    #[arg(long, value_name = "RECORD=AMOUNT", value_parser = amount)]
    pub(crate) price: Vec<(String, f64)>,
    /// The power of a record's machine under load, in watts: adds ratios per watt
    #[arg(long, value_name = "RECORD=WATTS", value_parser = amount)]
    pub(crate) watts: Vec<(String, f64)>,
    /// Exit with 1 if there are significant differences, with 3 if the environment check of a record failed
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) commands: Paired,
    #[command(flatten)]
    pub(crate) screen: Screen,
    #[command(flatten)]
    pub(crate) output: Output,
}
