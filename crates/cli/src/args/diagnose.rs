//! Arguments of `diagnose`.
use super::{Output, Screen};
use clap::Args as Group;

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens diagnose last                          rank what makes the machine slow
  cpulens diagnose db1.json --workload db        rank what affects a database
  cpulens diagnose slow.json --against fast.json explain the difference between two machines
  cpulens stat --format json -o run.json -- ./program && cpulens diagnose last --workload run.json

A property of the hardware, a default setting, or a cost below 2 % is a note, unless it affects --workload.

Exit codes: 0 diagnosed; 2 a record could not be read. With --strict also: 1 findings; 3 the environment check of the record
failed.")]
pub(crate) struct Diagnose {
    /// A record's file, `last` for the newest, ref:NAME, or - for standard input
    #[arg(default_value = "last")]
    pub(crate) record: String,
    /// Another record: the same machine before or after a change, or another machine
    #[arg(long, value_name = "RECORD")]
    pub(crate) against: Option<String>,
    /// The kind of workload: db, web, compute, fork-heavy, or a run that `stat --format json` counted
    #[arg(long, value_name = "KIND|FILE")]
    pub(crate) workload: Option<String>,
    /// Exit with 1 if there are findings, with 3 if the environment check of the record failed
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) screen: Screen,
    #[command(flatten)]
    pub(crate) output: Output,
}
