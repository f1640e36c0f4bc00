//! Arguments of `list`.
use crate::{Language, Screen};
use clap::{Args as Group, ValueEnum};

#[derive(Debug, Default, Group)]
#[command(after_help = include_str!("help/list.txt"))]
pub struct List {
    /// Only this group, a line on each
    #[arg(value_enum)]
    pub group: Option<Listed>,
    #[command(flatten)]
    pub screen: Screen,
    /// The language (auto: as LC_ALL, LC_MESSAGES or LANG says)
    #[arg(long, value_enum, default_value_t = Language::Auto)]
    pub lang: Language,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Listed {
    /// Probes of the core
    Core,
    /// Probes of caches and memory
    Memory,
    /// Probes of threads, the operating system and its noise
    System,
    /// Databases, UnixBench and others
    Workloads,
    /// Rules
    Rules,
}
