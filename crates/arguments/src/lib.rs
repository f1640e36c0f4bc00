//! The command line.
mod answer;
mod catalogue;
mod check;
mod compare;
mod db;
mod diagnose;
mod fleet;
mod help;
mod list;
mod noise;
mod paired;
mod place;
mod run;
mod scale;
mod selftest;
mod spread;
mod stat;
mod unixbench;
mod values;
mod whatif;

pub use self::{
    answer::{Answer, Language, Screen},
    catalogue::{Catalogue, InCatalogue},
    check::Check,
    compare::Compare,
    db::{Db, Workload},
    diagnose::Diagnose,
    fleet::{Digest, DigestTable, Fleet, History, Identity},
    help::fitted,
    list::{List, Listed},
    noise::{Experiment as NoiseExperiment, Noise},
    paired::{Order, Paired},
    place::{Automatic, Place},
    run::{Measuring, Run},
    scale::Scale,
    selftest::{Aa, Selftest, SelftestKind},
    spread::{Bound, Spread},
    stat::{Stat, StatFormat},
    unixbench::UnixBench,
    whatif::Whatif,
};
use clap::{
    Args as Group, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum,
    error::{ContextKind, ContextValue},
};
use std::{ffi::OsString, path::PathBuf};

/// Measures a machine's CPU and memory, and explains what makes it slow.
#[derive(Debug, Parser)]
#[command(
    name = "cpulens",
    version,
    after_help = include_str!("help/cpulens.txt")
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Measure this machine, print a summary, and save a record and a report
    Run(Box<Run>),
    /// Run a probe or a command on 1, 2, 4 ... cores, and show how it scales and what limits it
    Scale(Box<Scale>),
    /// Run UnixBench's twelve tests, with the details behind its index
    Unixbench(Box<UnixBench>),
    /// Measure OS noise of each CPU (interrupts, preemption, steal time) and the cost of system calls
    Noise(Box<Noise>),
    /// Run point select and TPC-C against a database on 1, 2, 4 ... pinned cores, with IPC at each point
    Db(Box<Db>),
    /// Show this machine's hardware and settings, without measuring
    Info(Info),
    /// Show an earlier record
    Show(Show),
    /// Read other tools' results (lscpu, numactl, STREAM, perf stat ...) into a record
    Import(Import),
    /// Check this machine against limits in 20 s, as a monitoring plug-in
    Check(Check),
    /// Judge many machines by their peers: slow ones, suspects, and what only they have
    Fleet(Fleet),
    /// Show figures of records over time: where they changed, and which settings changed then
    History(History),
    /// Reduce records to what a fleet needs: lines of JSON, or rows for a database
    Digest(Digest),
    /// Count events of a command: frequency, IPC, stalls, waits, and what limits it
    Stat(Stat),
    /// Compare records: significant differences, noise, and what is not comparable
    Compare(Compare),
    /// Show reference machines, published by others, and your own records beside them
    Catalogue(Catalogue),
    /// Rank what makes a machine slow, by cost, with remedies and how to verify them
    Diagnose(Diagnose),
    /// Predict the effect of a change from a record's measurements, with its assumptions
    Whatif(Whatif),
    /// Print placements as lines for numactl, systemd, docker and others, with reasons
    Place(Place),
    /// Run copies of a command, each pinned with local memory; --prove measures the gain
    Spread(Box<Spread>),
    /// Test this program on this machine: how often equal runs are called different
    #[command(after_help = include_str!("help/selftest.txt"))]
    Selftest(Selftest),
    /// List the probes and rules by group
    List(List),
    /// Explain a probe, a rule or a kernel: what it measures, how, its limits, its sources
    #[command(after_help = include_str!("help/explain.txt"))]
    Explain {
        /// A probe's or rule's id, as `list` shows them
        id: String,
        /// The language; kernels and importers have English only (auto: as LC_ALL, LC_MESSAGES or LANG says)
        #[arg(long, value_enum, default_value_t = Language::Auto)]
        lang: Language,
    },
    /// Save the files that describe this machine, without serial numbers, names or addresses
    Capture(Capture),
    /// Print a shell's completion script
    #[command(after_help = include_str!("help/completions.txt"))]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of the program or of a command
    #[command(after_help = include_str!("help/man.txt"))]
    Man {
        /// The command; without it, the program
        command: Option<String>,
    },
}

/// Formats of some commands only; all have the others.
const FORMATS: &[(&str, &[&str])] = &[
    ("hwloc", &["info", "run", "show", "import"]),
    ("jsonl", &["run", "scale", "unixbench", "noise", "db", "show"]),
    ("oslat", NOISE),
    ("osnoise", NOISE),
    ("sysjitter", NOISE),
    ("unixbench", UNIXBENCH),
    ("unixbench_csv", UNIXBENCH),
];
const NOISE: &[&str] = &["run", "noise", "show", "import"];
const UNIXBENCH: &[&str] = &["run", "unixbench", "show", "import"];

/// The arguments of this process.
pub fn parsed() -> Result<Args, clap::Error> {
    // Texts below the options are fitted where they are shown: it takes as long as all else of a start.
    let asked = |word: OsString| word == "-h" || word == "--help" || word == "help";
    let program = match std::env::args_os().any(asked) {
        true => fitted(program()),
        false => program(),
    };
    let matches = program.try_get_matches().map_err(suggested)?;
    Args::from_arg_matches(&matches)
}

/// The error with the command that was probably meant: clap's own measure overlooks letters that changed places.
fn suggested(mut error: clap::Error) -> clap::Error {
    let asked = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(asked)) => asked.clone(),
        _ => return error,
    };
    if error.get(ContextKind::SuggestedSubcommand).is_none() {
        let program = Args::command();
        let names = program.get_subcommands().map(clap::Command::get_name);
        let near = ::catalogue::nearest(&asked, names).first().map(|name| (*name).to_owned());
        if let Some(near) = near {
            error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![near]));
        }
    }
    error
}

/// The program's arguments, `--format` with what each command has.
pub fn program() -> clap::Command {
    let whole = Args::command();
    let names: Vec<String> = whole.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    names.iter().fold(whole, |whole, name| whole.mut_subcommand(name, |c| with_formats(c, name)))
}

fn with_formats(command: clap::Command, name: &str) -> clap::Command {
    let inner: Vec<String> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    let command =
        inner.iter().fold(command, |c, one| c.mut_subcommand(one, |c| with_formats(c, name)));
    // `stat` has formats of its own.
    if name == "stat" || !command.get_arguments().any(|a| a.get_id() == "format") {
        return command;
    }
    let has = |format: &&str| {
        let only = FORMATS.iter().find(|(known, _)| known == format);
        only.is_none_or(|(_, commands)| commands.contains(&name))
    };
    let formats: Vec<&str> = render::renderer::formats().filter(has).collect();
    let parser = clap::builder::PossibleValuesParser::new(formats);
    command.mut_arg("format", |arg| arg.value_parser(parser))
}

impl Command {
    /// `cpulens` without a command is `cpulens run`.
    pub fn default_run() -> Command {
        let args = Args::parse_from(["cpulens", "run"]);
        args.command.unwrap_or(Command::List(List::default()))
    }
}

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/info.txt"))]
pub struct Info {
    /// Read a captured tree instead of this machine
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    #[command(flatten)]
    pub screen: Screen,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/show.txt"))]
pub struct Show {
    /// A record's file, `last` for the newest, ref:NAME for one of the catalogue, or - for standard input
    #[arg(default_value = "last")]
    pub record: String,
    /// Compare UnixBench's indexes with these: records, ref:NAME, or UnixBench's reports [default: the nearest reference machines]
    #[arg(long, value_name = "RECORD,...", value_delimiter = ',')]
    pub against: Vec<String>,
    #[command(flatten)]
    pub answer: Answer,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/import.txt"))]
pub struct Import {
    /// Outputs of one machine in any of the formats of docs/importers.md: files, folders, zip, tar, tar.gz, tar.zst, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// A name for the machine, kept in the record
    #[arg(long, value_name = "NAME")]
    pub machine: Option<String>,
    /// Save the record here instead of beside the first file; an existing file is never overwritten
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    #[command(flatten)]
    pub answer: Answer,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/capture.txt"))]
pub struct Capture {
    /// The folder to write; it must be new or empty
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

#[derive(Debug, Group)]
pub struct Output {
    /// The format of the report
    #[arg(long, default_value = "text", value_parser = clap::builder::PossibleValuesParser::new(render::renderer::formats()))]
    pub format: String,
    /// Write the report to this file instead of standard output
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// With text, the whole report with every series and how it was measured
    #[arg(long)]
    pub details: bool,
    /// Colour in text (auto: only on a terminal, and not with NO_COLOR set)
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    pub color: Colour,
    /// The language of text, and in which a page opens (auto: as LC_ALL, LC_MESSAGES or LANG says)
    #[arg(long, value_enum, default_value_t = Language::Auto)]
    pub lang: Language,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    Auto,
    Always,
    Never,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_options_of_a_command_have_one_name() {
        program().debug_assert();
    }

    #[test]
    fn every_command_has_the_formats_that_it_writes() {
        let program = program();
        for (format, commands) in FORMATS {
            assert!(render::renderer::formats().any(|known| known == *format), "{format}");
            assert!(commands.iter().all(|c| program.find_subcommand(c).is_some()), "{format}");
        }
        let formats = |name: &str| {
            let command = program.find_subcommand(name).into_iter();
            let arg = command.flat_map(|c| c.get_arguments()).find(|a| a.get_id() == "format");
            let all = arg.into_iter().flat_map(clap::Arg::get_possible_values);
            all.map(|v| v.get_name().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(formats("info"), ["csv", "html", "hwloc", "json", "markdown", "text"]);
        assert_eq!(formats("place"), ["csv", "html", "json", "markdown", "text"]);
        assert_eq!(formats("show").len(), render::renderer::formats().count());
        assert!(formats("noise").contains(&"oslat".into()));
        assert!(!formats("scale").contains(&"oslat".into()));
    }
}
