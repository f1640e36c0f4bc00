//! Arguments of `catalogue`.
use crate::{Answer, Output, Screen};
use clap::{Args as Group, Subcommand};

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/catalogue.txt"))]
pub struct Catalogue {
    #[command(subcommand)]
    pub what: InCatalogue,
}

#[derive(Debug, Subcommand)]
pub enum InCatalogue {
    /// List the machines and where they were published
    List {
        #[command(flatten)]
        screen: Screen,
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
