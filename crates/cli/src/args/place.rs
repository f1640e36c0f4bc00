//! What `place` is told, and `spread` as well.
use super::{
    Output,
    values::{automatic, some_cores},
};
use clap::{Args as Group, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens place                                      one instance for each NUMA node of this machine
  cpulens place last --instances 4                   four, by what the newest record measured
  cpulens place --cores-per-instance 8 --smt off     as many of eight cores as fit, one thread each
  cpulens place db1.json --per socket --format json

Nothing is measured, and nothing is changed: the lines are there to be pasted. `cpulens spread` runs a command so.")]
pub(crate) struct Place {
    /// A record's file, `last` for the newest, ref:NAME, or - for standard input; this machine if none is named
    pub(crate) record: Option<String>,
    /// A captured tree instead of this machine
    #[arg(long, value_name = "DIR", conflicts_with = "record")]
    pub(crate) root: Option<PathBuf>,
    /// How many instances; `auto` goes by nodes, sockets and what was measured
    #[arg(long, value_name = "auto|N", default_value = "auto", value_parser = automatic)]
    pub(crate) instances: Automatic,
    /// Physical cores of each
    #[arg(long, value_name = "K", value_parser = some_cores)]
    pub(crate) cores_per_instance: Option<usize>,
    /// Whether to use the second thread of each core; by what was measured if nothing is said
    #[arg(long, value_enum, value_name = "on|off")]
    pub(crate) smt: Option<Smt>,
    /// One instance for each of these parts
    #[arg(long, value_enum, value_name = "PART")]
    pub(crate) per: Option<Per>,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// A number, or nothing for `auto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Automatic(pub(crate) Option<usize>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Smt {
    On,
    Off,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Per {
    Socket,
    Node,
    Die,
    Core,
}

impl From<Per> for analyse::place::Per {
    fn from(per: Per) -> Self {
        match per {
            Per::Socket => Self::Socket,
            Per::Node => Self::Node,
            Per::Die => Self::Die,
            Per::Core => Self::Core,
        }
    }
}
