//! Arguments of `compare -- A -- B`.
use crate::values::duration;
use clap::{Args as Group, ValueEnum};
use std::ffi::OsString;

#[derive(Debug, Group)]
#[command(next_help_heading = "Two commands: compare [OPTIONS] -- A -- B")]
pub struct Paired {
    /// Seconds in which to decide; less if it is decided earlier
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = duration, requires = "commands")]
    pub budget: f64,
    /// The smallest difference of interest, in per cent
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0, requires = "commands", value_parser = percent)]
    pub difference: f64,
    /// Run them one after the other in random order, or together on equal cores that they exchange
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = Order::Auto, requires = "commands")]
    pub order: Order,
    /// A command's rate is the last number that this expression captures in its output [default: that of a known program, else its runs a second]
    #[arg(long, value_name = "REGEX", requires = "commands")]
    pub rate_regex: Option<String>,
    /// Kill a command and its children after this many seconds [default: the budget]
    #[arg(long, value_name = "SECONDS", value_parser = duration, requires = "commands")]
    pub timeout: Option<f64>,
    /// End processes that a command leaves running; by default they live on
    #[arg(long, requires = "commands")]
    pub end_children: bool,
    /// Print only errors and the result
    #[arg(short, long, requires = "commands")]
    pub quiet: bool,
    /// Two commands with their arguments, separated by --
    #[arg(last = true, value_name = "A -- B", conflicts_with_all = ["records", "baseline", "explain", "price", "watts"])]
    pub commands: Vec<OsString>,
}

/// The order of the runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// Together where each finds as many equal cores as it uses, else in turn
    Auto,
    /// One after the other
    Turn,
    /// At the same time
    Together,
}

fn percent(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('%').trim().parse::<f64>() {
        Ok(x) if x > 0.0 && x < 100.0 => Ok(x),
        _ => Err("a number of per cent, above 0 and below 100".into()),
    }
}
