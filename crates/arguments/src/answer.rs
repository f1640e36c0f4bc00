//! Options of how much of a report is shown, and in which language.
use clap::{Args as Group, ValueEnum};

#[derive(Debug, Default, Group)]
pub struct Answer {
    #[command(flatten)]
    pub screen: Screen,
    /// Only this section of the report, as in machine, latency, bandwidth, findings
    #[arg(long, value_name = "NAME", conflicts_with = "full", value_parser = section)]
    pub section: Option<&'static str>,
}

/// A summary or all of it.
#[derive(Debug, Default, Group)]
pub struct Screen {
    /// With text, the whole report instead of its summary
    #[arg(long)]
    pub full: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Language {
    #[default]
    Auto,
    En,
    Zh,
}

/// The section of that name.
fn section(asked: &str) -> Result<&'static str, String> {
    let plain = asked.replace('-', "_");
    if let Some(name) = sections::section::names().find(|name| *name == plain) {
        return Ok(name);
    }
    let near = catalogue::nearest(asked, sections::section::names());
    let meant = match near[..] {
        [] => String::new(),
        _ => format!("did you mean {}? ", near.join(" or ")),
    };
    let all: Vec<&str> = sections::section::names().collect();
    Err(format!("there is no such section; {meant}there are {}", all.join(", ")))
}
