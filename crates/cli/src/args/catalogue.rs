//! What `catalogue` is told.
use super::Output;
use clap::{Args as Group, Subcommand};

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens catalogue list
  cpulens catalogue show kunpeng-920-4826            as cpulens show ref:kunpeng-920-4826
  cpulens compare ref:intel-8163 ref:kunpeng-920-4826
  cpulens catalogue table stream                     a table of the sources, doubtful cells marked
  cpulens catalogue add db1.json                     from then on it is ref:db1")]
pub(crate) struct Catalogue {
    #[command(subcommand)]
    pub(crate) what: InCatalogue,
}

#[derive(Debug, Subcommand)]
pub(crate) enum InCatalogue {
    /// Name every machine, and where it was published
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Show a machine's record, with every doubt about it
    Show {
        /// Its name, as `list` shows it
        name: String,
        #[command(flatten)]
        output: Output,
    },
    /// Print a table of the sources anew, and mark the cells that disagree with other figures; without a name, list them
    Table {
        /// Its name
        name: Option<String>,
        #[command(flatten)]
        output: Output,
    },
    /// Keep a record of your own under a name; what is there already stays
    Add {
        /// A record's file, `last` for the newest, or - for standard input
        record: String,
        /// The name; the record's own, else its file's if none is given
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
    },
}
