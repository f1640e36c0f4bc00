//! Arguments of `catalogue`.
use super::{Answer, Output};
use clap::{Args as Group, Subcommand};

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens catalogue list
  cpulens catalogue show kunpeng-920-4826            as cpulens show ref:kunpeng-920-4826
  cpulens compare ref:intel-8163 ref:kunpeng-920-4826
  cpulens catalogue table stream                     a table of the publications, contradictory cells flagged
  cpulens catalogue add db1.json                     from then on it is ref:db1")]
pub(crate) struct Catalogue {
    #[command(subcommand)]
    pub(crate) what: InCatalogue,
}

#[derive(Debug, Subcommand)]
pub(crate) enum InCatalogue {
    /// List the machines and where they were published
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Show a machine's record with its warnings
    Show {
        /// Its name, as `list` shows it
        name: String,
        #[command(flatten)]
        answer: Answer,
        #[command(flatten)]
        output: Output,
    },
    /// Print a table of the publications with contradictory cells flagged; without a name, list the tables
    Table {
        /// Its name
        name: Option<String>,
        #[command(flatten)]
        output: Output,
    },
    /// Keep your own record under a name; an existing one is never replaced
    Add {
        /// A record's file, `last` for the newest, or - for standard input
        record: String,
        /// The name [default: the record's own, or that of its file]
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
    },
}
