//! What was typed. What it means is decided by the commands.
mod catalogue;
mod compare;
mod db;
mod diagnose;
mod noise;
mod place;
mod run;
mod scale;
mod spread;
mod stat;
mod unixbench;
mod values;
mod whatif;

pub(crate) use self::{
    catalogue::{Catalogue, InCatalogue},
    compare::Compare,
    db::{Binding, Db, Pin, Way, Workload},
    diagnose::Diagnose,
    noise::{Binding as NoiseBinding, Noise, What as NoiseWhat},
    place::{Automatic, Per, Place, Smt},
    run::{Depth, Measuring, Run},
    scale::{Policy, Scale},
    spread::{Bound, Spread},
    stat::{Stat, StatFormat},
    unixbench::{CopyPlacement, CopyStart, UnixBench},
    whatif::Whatif,
};
use clap::{Args as Group, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Tells how fast a machine's CPU and memory really are, and why.
#[derive(Debug, Parser)]
#[command(
    name = "cpulens",
    version,
    after_help = "Examples:
  cpulens                             measure this machine (run --depth quick)
  cpulens scale -- ./program          how a program scales over this machine's cores, and what holds it back
  cpulens noise                       what interrupts, other tasks and the hypervisor take from each CPU
  cpulens info                        what this machine is, in a moment, without measuring
  cpulens run --only load_latency --cpus 0
  cpulens run --depth standard --time-budget 120 --format html -o report.html
  cpulens run --resume                go on with the last run that was interrupted
  cpulens show last --format csv      an earlier record, in another form
  cpulens compare old.json new.json   what differs between records, and what is noise
  cpulens diagnose last --workload db what is wrong for a database, what costs most first, and what to do
  cpulens whatif last --dimms 2933    what other memory modules would bring, as a range
  cpulens place --instances 4         where to run four of a program: numactl, systemd, docker lines, and why
  cpulens spread -- ./program         a copy on every node, its memory near by; --prove: what that is worth
  cpulens explain load_latency        how a number is made, and its limits
  cpulens stat -- make -j8            where the time of any program goes

Exit codes: 0 done; 1 done, with findings worth acting on; 2 could not; 3 done, but the machine was unfit;
stat and spread pass their command's on."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure this machine, report, and save a record
    Run(Box<Run>),
    /// Run a probe or a command on more and more cores, and tell how it scales and what holds it back
    Scale(Box<Scale>),
    /// Run UnixBench's twelve tests as it does, faster and with what its index hides
    Unixbench(Box<UnixBench>),
    /// What the kernel, interrupts and the hypervisor take from each CPU, and what requests to the kernel cost
    Noise(Box<Noise>),
    /// Ask a database on 1, 2, 4 ... pinned cores: point select and TPC-C, with its IPC at every step
    Db(Box<Db>),
    /// Show what this machine is, without measuring
    Info(Info),
    /// Show an earlier record
    Show(Show),
    /// Read other tools' results (lscpu, numactl, STREAM, perf stat ...) into a record
    Import(Import),
    /// Run any command and tell where its time went: clock, IPC, stalls, waits, and what limits it
    Stat(Stat),
    /// Compare records: who is faster at what, what is noise, and what cannot be compared
    Compare(Compare),
    /// Machines that others measured and published, and records of your own beside them
    Catalogue(Catalogue),
    /// What is wrong with a machine, what costs most first, what to do, and what would prove it wrong
    Diagnose(Diagnose),
    /// What a change would bring: predicted from a record's measurements, with what it assumes and how to test it
    Whatif(Whatif),
    /// Where to run: ready lines for numactl, systemd, docker and others, and why
    Place(Place),
    /// Run copies of a command, each pinned with its memory near by; --prove tells what that is worth to it
    Spread(Box<Spread>),
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
    /// A record's file, `last` for the newest, ref:NAME for one of the catalogue, or - for standard input
    pub(crate) record: String,
    /// Show UnixBench's indexes beside these: records, ref:NAME, or UnixBench's own reports; else beside the nearest of the catalogue
    #[arg(long, value_name = "RECORD,...", value_delimiter = ',')]
    pub(crate) against: Vec<String>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens import lscpu.txt numactl.txt stream.txt --machine db1
  cpulens import results/*.txt --record db1.json && cpulens show db1.json
  ssh db1 lscpu | cpulens import - --machine db1")]
pub(crate) struct Import {
    /// Files of one machine, in any of the formats of docs/importers.md, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// A name for the machine, kept in the record
    #[arg(long, value_name = "NAME")]
    pub(crate) machine: Option<String>,
    /// Save the record here instead of beside the first file; a file that is there already is left alone
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
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
