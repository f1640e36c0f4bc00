//! What `diagnose` is told.
use super::Output;
use clap::Args as Group;

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens diagnose last                          what is wrong, most costly first
  cpulens diagnose db1.json --workload db        what of it matters to a database
  cpulens diagnose slow.json --against fast.json what explains the difference, and what does not
  cpulens stat --format json -o run.json -- ./program && cpulens diagnose last --workload run.json

What is as built, by default, or costs less than 2 % is a note, unless --workload leans on it: nothing to act on.

Exit codes: 0 nothing to act on; 1 something worth acting on; 2 a record could not be read; 3 the record's machine was unfit
to be measured.")]
pub(crate) struct Diagnose {
    /// A record's file, `last` for the newest, or - for standard input
    pub(crate) record: String,
    /// Another record: the same machine before or after a change, or another machine
    #[arg(long, value_name = "RECORD")]
    pub(crate) against: Option<String>,
    /// Whom it is for: db, web, compute, fork-heavy, or a run that `stat --format json` counted
    #[arg(long, value_name = "KIND|FILE")]
    pub(crate) workload: Option<String>,
    #[command(flatten)]
    pub(crate) output: Output,
}
