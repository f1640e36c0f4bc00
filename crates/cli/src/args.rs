//! What was typed. What it means is decided by the commands.
use clap::{Args as Group, Parser, Subcommand, ValueEnum};
use record::CpuSet;
use std::path::PathBuf;

/// Tells how fast a machine's CPU and memory really are, and why.
#[derive(Debug, Parser)]
#[command(
    name = "cpulens",
    version,
    after_help = "Examples:
  cpulens                             measure this machine (run --depth quick)
  cpulens info                        what this machine is, in a moment, without measuring
  cpulens run --only load_latency --cpus 0
  cpulens run --depth standard --time-budget 120 --format html -o report.html
  cpulens run --resume                go on with the last run that was interrupted
  cpulens show last --format csv      an earlier record, in another form
  cpulens compare old.json new.json   what differs between records, and what is noise
  cpulens explain load_latency        how a number is made, and its limits

Exit codes: 0 done; 1 done, with findings worth acting on; 2 could not; 3 done, but the machine was unfit."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure this machine, report, and save a record
    Run(Box<Run>),
    /// Show what this machine is, without measuring
    Info(Info),
    /// Show an earlier record
    Show(Show),
    /// Compare records: who is faster at what, what is noise, and what cannot be compared
    Compare(Compare),
    /// List the probes and rules, one line each
    #[command(after_help = "Examples:
  cpulens list
  cpulens list | grep core")]
    List,
    /// Explain a probe, a rule or a kernel: what it measures, how, its limits, its sources
    #[command(after_help = "Examples:
  cpulens explain load_latency
  cpulens explain thp_never
  cpulens explain memory/triad")]
    Explain {
        /// A probe's or rule's id, as `list` shows them
        id: String,
    },
    /// Save this machine's description as a tree of files, without serial numbers, names or addresses
    Capture(Capture),
    /// Print a shell's completion script
    #[command(after_help = "Examples:
  cpulens completions bash > ~/.local/share/bash-completion/completions/cpulens
  cpulens completions zsh > ~/.zfunc/_cpulens
  cpulens completions fish > ~/.config/fish/completions/cpulens.fish")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

impl Command {
    /// What no command at all means.
    pub(crate) fn default_run() -> Command {
        let args = Args::parse_from(["cpulens", "run"]);
        args.command.unwrap_or(Command::List)
    }
}

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens run                               everything, quickly (under 90 s on 2 CPUs)
  cpulens run --dry-run                     print the plan and its estimated time
  cpulens run --only core_clock,core_rate   just the core
  cpulens run --cpus 0-7,64-71              only on these CPUs
  cpulens run --nodes 0 --depth thorough    only on node 0, every pair
  cpulens run --only load_latency --where order=grouped,pages=base
  cpulens run --resume                      finish the last interrupted run")]
pub(crate) struct Run {
    /// How much to measure
    #[arg(long, value_enum, default_value_t = Depth::Quick)]
    pub(crate) depth: Depth,
    /// Only these probes (comma-separated; see `cpulens list`)
    #[arg(long, value_name = "PROBE,...", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Not these probes
    #[arg(long, value_name = "PROBE,...", value_delimiter = ',')]
    pub(crate) skip: Vec<String>,
    /// Only on these CPUs, as in 0-7,64-71
    #[arg(long, value_name = "LIST")]
    pub(crate) cpus: Option<CpuSet>,
    /// Only on the CPUs of these memory nodes, as in 0,2
    #[arg(long, value_name = "LIST")]
    pub(crate) nodes: Option<CpuSet>,
    /// Only cases with these parameters, among all variants that there are (see `--dry-run`)
    #[arg(long = "where", value_name = "NAME=VALUE,...", value_delimiter = ',', value_parser = parameter)]
    pub(crate) only_with: Vec<(String, String)>,
    /// Core to core between all pairs of CPUs, however many there are
    #[arg(long)]
    pub(crate) all_pairs: bool,
    /// The NUMA matrix from one CPU of every last-level cache, instead of one of every node
    #[arg(long)]
    pub(crate) per_cpu: bool,
    /// Take at most so many seconds, shortening and leaving out what is last
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_budget: Option<f64>,
    /// Print the plan and its estimated time, and measure nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Go on with an interrupted run: a record's file, or the last one
    #[arg(
        long,
        value_name = "RECORD",
        num_args = 0..=1,
        default_missing_value = "last",
        // The record has settled all of these.
        conflicts_with_all = ["depth", "only", "skip", "cpus", "nodes", "only_with", "all_pairs", "per_cpu", "dry_run", "record", "name", "seed"]
    )]
    pub(crate) resume: Option<String>,
    /// Save the record here instead of $XDG_DATA_HOME/cpulens/records
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// A name for this machine, kept in the record
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Seed of every random order and buffer
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Plan for a captured tree instead of this machine (with --dry-run)
    #[arg(long, value_name = "DIR", requires = "dry_run")]
    pub(crate) root: Option<PathBuf>,
    /// No progress and no notes on standard error, only complaints
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens info
  cpulens info --format json -o machine.json
  cpulens info --root capture-db1          a machine captured elsewhere")]
pub(crate) struct Info {
    /// Read a captured tree instead of this machine
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens show last
  cpulens show records/db1.json --format html -o db1.html
  ssh db1 cat record.json | cpulens show -")]
pub(crate) struct Show {
    /// A record's file, `last` for the newest, or - for standard input
    pub(crate) record: String,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens compare before.json after.json             the second against the first
  cpulens compare a1.json a2.json                    one machine twice: how far to believe small differences
  cpulens compare fleet/*.json --baseline good.json --format html -o fleet.html
  cpulens compare old.json last --format csv | grep worse
  cpulens compare old.json new.json --details        also every point of every curve

Exit codes: 0 nothing differs by more than noise; 1 something does; 2 a record could not be read, or nothing is comparable;
3 a record's machine was unfit to be measured.")]
pub(crate) struct Compare {
    /// Records: files, `last` for the newest, or - for standard input
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) records: Vec<String>,
    /// The record that the others are set against; the first if nothing else is said
    #[arg(long, value_name = "RECORD")]
    pub(crate) baseline: Option<String>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens capture -o capture-db1
  cpulens info --root capture-db1")]
pub(crate) struct Capture {
    /// The folder to write; it must not exist, or be empty
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Group)]
pub(crate) struct Output {
    /// The form of the report
    #[arg(long, default_value = "text", value_parser = clap::builder::PossibleValuesParser::new(render::renderer::formats()))]
    pub(crate) format: String,
    /// Write the report to this file instead of standard output
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// In text, also every series and how it was measured
    #[arg(long)]
    pub(crate) details: bool,
    /// Colour in text (auto: only on a terminal, and not with NO_COLOR set)
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    pub(crate) color: Colour,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Depth {
    /// Under 90 s on two CPUs; medians within 2 %
    Quick,
    /// A few minutes; medians within 1 %
    Standard,
    /// As long as it takes: every pair of CPUs, fine curves
    Thorough,
}

impl From<Depth> for measure::probe::Depth {
    fn from(depth: Depth) -> Self {
        match depth {
            Depth::Quick => Self::Quick,
            Depth::Standard => Self::Standard,
            Depth::Thorough => Self::Thorough,
        }
    }
}

fn parameter(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.to_owned(), value.to_owned()))
        }
        _ => Err("a parameter is chosen by NAME=VALUE, as in pages=base".into()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s.is_finite() && s >= 1.0 => Ok(s),
        _ => Err("a time budget is a number of seconds, at least 1".into()),
    }
}
