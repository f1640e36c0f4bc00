//! Arguments of `diagnose`.
use crate::{Output, Screen};
use clap::Args as Group;

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/diagnose.txt"))]
pub struct Diagnose {
    /// A record's file, `last` for the newest, ref:NAME, or - for standard input
    #[arg(default_value = "last")]
    pub record: String,
    /// Another record: the same machine before or after a change, or another machine
    #[arg(long, value_name = "RECORD")]
    pub against: Option<String>,
    /// The kind of workload: db, web, compute, fork-heavy, or a run that `stat --format json` counted
    #[arg(long, value_name = "KIND|FILE")]
    pub workload: Option<String>,
    /// Exit with 1 if there are findings, with 3 if the environment check of the record failed
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub screen: Screen,
    #[command(flatten)]
    pub output: Output,
}
