//! What was typed. What it means is decided by the commands.
use clap::{Args as Group, Parser, Subcommand, ValueEnum};
use measure::ladder::Memory;
use record::CpuSet;
use std::{ffi::OsString, path::PathBuf};

/// Tells how fast a machine's CPU and memory really are, and why.
#[derive(Debug, Parser)]
#[command(
    name = "cpulens",
    version,
    after_help = "Examples:
  cpulens                             measure this machine (run --depth quick)
  cpulens scale -- ./program          how a program scales over this machine's cores, and what holds it back
  cpulens info                        what this machine is, in a moment, without measuring
  cpulens run --only load_latency --cpus 0
  cpulens run --depth standard --time-budget 120 --format html -o report.html
  cpulens run --resume                go on with the last run that was interrupted
  cpulens show last --format csv      an earlier record, in another form
  cpulens compare old.json new.json   what differs between records, and what is noise
  cpulens diagnose last --workload db what is wrong for a database, what costs most first, and what to do
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
    #[command(flatten)]
    pub(crate) measuring: Measuring,
}

/// What every command that measures and records is asked.
#[derive(Debug, Group)]
pub(crate) struct Measuring {
    /// Take at most so many seconds, shortening and leaving out what is last
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_budget: Option<f64>,
    /// Print the plan and its estimated time, and measure nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
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
  cpulens scale core_rate                            additions: one core, its SMT pair, 2, 4 ... all
  cpulens scale bandwidth --where kernel=triad       memory that many cores want at once
  cpulens scale --policy one-to-one,range,unpinned load_latency
  cpulens scale --memory local,interleave,bind=1 bandwidth
  cpulens scale --cpus 0-7 --repeats 8 -- gzip -k -c /var/log/syslog
  cpulens scale --copies 1 --policy range -- openssl speed -seconds 1 -multi 8 sha256
  cpulens scale --dry-run core_rate                  the steps, their CPUs and the time they take
  cpulens scale --resume                             finish the last interrupted ladder

Probes that can be copied: bandwidth (kernel=read), core_rate (op=add), load_latency (order=random), openssl
(algorithm=aes-256-ige) and prime (sysbench=1.0); --where chooses others of their parameter's values. A command should take a second or so, and copies of it run side by side.")]
pub(crate) struct Scale {
    /// The probe whose work is copied: bandwidth, core_rate, load_latency, openssl or prime
    #[arg(value_name = "PROBE", required_unless_present_any = ["command", "resume"])]
    pub(crate) probe: Option<String>,
    /// Instead of a probe, a command: each copy is one run of it
    #[arg(last = true, value_name = "COMMAND", conflicts_with = "probe")]
    pub(crate) command: Vec<String>,
    /// Only on these CPUs, as in 0-7,64-71
    #[arg(long, value_name = "LIST")]
    pub(crate) cpus: Option<CpuSet>,
    /// How copies are placed: each on a CPU of its own, all on the step's CPUs, or as the scheduler likes
    #[arg(long, value_enum, value_name = "POLICY,...", value_delimiter = ',', default_values = ["one-to-one", "unpinned"])]
    pub(crate) policy: Vec<Policy>,
    /// Where they have their memory: near by (local), spread over the nodes of all chosen CPUs (interleave), or on one
    /// node (bind=0)
    #[arg(long, value_name = "MEMORY,...", value_delimiter = ',', default_values = ["local"], value_parser = memory)]
    pub(crate) memory: Vec<Memory>,
    /// Times that every step is measured, in turn with all others; 3 at least, 6 for intervals of 95 %
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u64).range(measure::ladder::FEWEST_REPEATS as u64..=1000))]
    pub(crate) repeats: u64,
    /// Seconds that each step of a probe works; of a command, what one run is expected to take
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = some_seconds)]
    pub(crate) per_step: f64,
    /// So many copies on every step, instead of one a CPU
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=8192))]
    pub(crate) copies: Option<u64>,
    /// End a command that takes longer; the step has then failed
    #[arg(long, value_name = "SECONDS", default_value = "600", value_parser = some_seconds)]
    pub(crate) timeout: f64,
    /// Other work of the probe than its first, as in kernel=triad
    #[arg(long = "where", value_name = "NAME=VALUE,...", value_delimiter = ',', value_parser = parameter)]
    pub(crate) only_with: Vec<(String, String)>,
    /// Go on with an interrupted ladder: a record's file, or the last one
    #[arg(
        long,
        value_name = "RECORD",
        num_args = 0..=1,
        default_missing_value = "last",
        // The record has settled all of these.
        conflicts_with_all = ["probe", "command", "cpus", "policy", "memory", "repeats", "per_step", "copies", "timeout", "only_with", "dry_run", "record", "name", "seed"]
    )]
    pub(crate) resume: Option<String>,
    #[command(flatten)]
    pub(crate) measuring: Measuring,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Policy {
    OneToOne,
    Range,
    Unpinned,
}

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens unixbench                                    the index with one copy and with one a CPU
  cpulens unixbench --copies 1 --depth standard        one copy, in some five minutes
  cpulens unixbench --exact                            UnixBench's own passes and durations: half an hour a number of copies
  cpulens unixbench --copies ladder syscall execl      two tests with 1, 2, 4 ... copies
  cpulens unixbench --copies N --placement one-to-one,range --repeats 3    what pinning gains, test by test
  cpulens unixbench context1 --copies 1 --context same,siblings,node,nodes
  cpulens unixbench --variant 5.1.3 --format csv -o old.csv

Formats text and csv are UnixBench's own report and its CSV file; lines that begin with # are ours.")]
pub(crate) struct UnixBench {
    /// Only these tests: dhry2reg, whetstone_double, execl, fstime, fsbuffer, fsdisk, pipe, context1, spawn, syscall, shell1, shell8
    #[arg(value_name = "TEST", value_parser = test_of_unixbench)]
    pub(crate) tests: Vec<String>,
    /// Numbers of copies: N is one for each CPU, ladder is 1, 2, 4 ... N
    #[arg(long, value_name = "NUMBER,...", value_delimiter = ',', default_values = ["1", "N"], value_parser = copies)]
    pub(crate) copies: Vec<measure::unixbench::Copies>,
    /// How copies are placed: wherever the scheduler likes, each on one CPU, all on the chosen CPUs, each on one node
    #[arg(long, value_enum, value_name = "PLACEMENT,...", value_delimiter = ',', default_values = ["none"])]
    pub(crate) placement: Vec<CopyPlacement>,
    /// The version whose behaviour the tests have
    #[arg(long, default_value = "upstream-6", value_parser = clap::builder::PossibleValuesParser::new(measure::unixbench::Variant::ALL.map(measure::unixbench::Variant::name)))]
    pub(crate) variant: String,
    /// Start copies one after the other, as UnixBench does, or all at once
    #[arg(long, value_enum, default_value_t = CopyStart::Serial)]
    pub(crate) start: CopyStart,
    /// Where the two processes of context1 are besides the variant's own way, with one copy
    #[arg(long, value_name = "WHERE,...", value_delimiter = ',', value_parser = clap::builder::PossibleValuesParser::new(measure::unixbench::Switch::ALL.map(measure::unixbench::Switch::name)))]
    pub(crate) context: Vec<String>,
    /// How much to measure; the whole index of one copy takes 3, 7 or 25 minutes
    #[arg(long, value_enum, default_value_t = Depth::Quick)]
    pub(crate) depth: Depth,
    /// UnixBench's own passes, durations and waits
    #[arg(long, conflicts_with_all = ["depth", "passes", "seconds"])]
    pub(crate) exact: bool,
    /// So many passes of every test, instead of the depth's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) passes: Option<u64>,
    /// Seconds of every pass, instead of the depth's
    #[arg(long, value_name = "SECONDS", value_parser = some_seconds)]
    pub(crate) seconds: Option<f64>,
    /// Measure everything so many times, in turn
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100))]
    pub(crate) repeats: u64,
    /// Only on these CPUs, as in 0-7,64-71
    #[arg(long, value_name = "LIST")]
    pub(crate) cpus: Option<CpuSet>,
    /// A folder for the files that are copied and sorted, instead of the first on a disk
    #[arg(long, value_name = "DIR")]
    pub(crate) scratch: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) measuring: Measuring,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CopyPlacement {
    None,
    OneToOne,
    Range,
    Node,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CopyStart {
    Serial,
    Barrier,
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
  cpulens compare before.json after.json             the second against the first
  cpulens compare a1.json a2.json                    one machine twice: how far to believe small differences
  cpulens compare fleet/*.json --baseline good.json --format html -o fleet.html
  cpulens compare old.json last --format csv | grep worse
  cpulens compare ref:intel-8163 ref:kunpeng-920-4826   machines of the catalogue
  cpulens compare old.json new.json --details        also every point of every curve
  cpulens compare perf-a.txt perf-b.txt --explain    why b is faster: clock, IPC, instructions or cores
  cpulens compare a.json b.json --price a=4200 --price b=6900 --watts a=350 --watts b=420

Exit codes: 0 nothing differs by more than noise; 1 something does; 2 a record could not be read, or nothing is comparable;
3 a record's machine was unfit to be measured.")]
pub(crate) struct Compare {
    /// Records: files, `last` for the newest, ref:NAME for one of the catalogue, or - for standard input; outputs of
    /// other tools that `import` reads, and what `stat --format json` wrote
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) records: Vec<String>,
    /// The record that the others are set against; the first if nothing else is said
    #[arg(long, value_name = "RECORD")]
    pub(crate) baseline: Option<String>,
    /// Take the ratio of each workload apart: instructions, clock, IPC, cores used, SMT, locality, bandwidth
    #[arg(long)]
    pub(crate) explain: bool,
    /// What a record's machine costs, in one currency for all: adds ratios per price
    #[arg(long, value_name = "RECORD=AMOUNT", value_parser = amount)]
    pub(crate) price: Vec<(String, f64)>,
    /// What a record's machine draws under load, in watts: adds ratios per watt
    #[arg(long, value_name = "RECORD=WATTS", value_parser = amount)]
    pub(crate) watts: Vec<(String, f64)>,
    #[command(flatten)]
    pub(crate) output: Output,
}

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

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens diagnose last                          what is wrong, most costly first
  cpulens diagnose db1.json --workload db        what of it matters to a database
  cpulens diagnose slow.json --against fast.json what explains the difference, and what does not
  cpulens stat --format json -o run.json -- ./program && cpulens diagnose last --workload run.json

Exit codes: 0 nothing that bears on the workload; 1 something worth acting on; 2 a record could not be read; 3 the record's
machine was unfit to be measured.")]
pub(crate) struct Diagnose {
    /// A record's file, `last` for the newest, or - for standard input
    pub(crate) record: String,
    /// Another record: the same machine before or after a change, or another machine
    #[arg(long, value_name = "RECORD")]
    pub(crate) against: Option<String>,
    /// Whom it is for: db, web, compute, fork-heavy, or a run that `stat --format json` counted
    #[arg(long, value_name = "KIND|FILE")]
    pub(crate) workload: Option<String>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens place                                      one instance for each memory node of this machine
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

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens spread -- ./generator --port 700{index}      a copy on every memory node
  cpulens spread --per socket -- ./server -c conf.{index}
  cpulens spread --instances 4 --timeout 60 -- sh -c 'exec ./load --cpus $CPULENS_CPUS'
  cpulens spread --prove -- ./job                       completed runs: 1, 1 pinned, N, N pinned, in turn
  cpulens spread --prove --rate-regex 'Requests/sec: +([0-9.]+)' -- wrk -d 5 http://localhost:80{index}0/

{index}, {node}, {cpus} and {count} are filled in in the command's words, and CPULENS_INDEX, CPULENS_NODE, CPULENS_CPUS
and CPULENS_COUNT are in its environment. Copies have nothing to read and no terminal; each line that they write begins
with their number. Signals are passed on to all of them, and nothing of them is left behind.
Exit codes: the highest of the copies', 128 and the number of the signal for one that was killed; 124 if --timeout ended
them; 126 if the command cannot be run, 127 if it is not found; 2 if cpulens could not. With --prove: 1 if placement makes
a difference, 0 if none beyond noise.")]
pub(crate) struct Spread {
    /// One copy for each of these parts; nodes, sockets or what was asked for below if nothing is said
    #[arg(long, value_enum, value_name = "PART")]
    pub(crate) per: Option<Per>,
    /// How many copies
    #[arg(long, value_name = "auto|N", default_value = "auto", value_parser = automatic)]
    pub(crate) instances: Automatic,
    /// Physical cores of each
    #[arg(long, value_name = "K", value_parser = some_cores)]
    pub(crate) cores_per_instance: Option<usize>,
    /// Whether to use the second thread of each core
    #[arg(long, value_enum, value_name = "on|off")]
    pub(crate) smt: Option<Smt>,
    /// Whether their memory is bound to their nodes, or is where they touch it first
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Bound::Bind)]
    pub(crate) memory: Bound,
    /// End them, and all they started, after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = duration)]
    pub(crate) timeout: Option<f64>,
    /// Measure the command with and without its place, and tell what that is worth
    #[arg(long)]
    pub(crate) prove: bool,
    /// Times that each way to run is measured, in turn with the others; 4 at least, 6 for intervals of 95 %
    #[arg(long, default_value_t = 6, requires = "prove", value_parser = clap::value_parser!(u64).range(4..=1000))]
    pub(crate) repeats: u64,
    /// Throughput is the number that this expression captures in what a copy writes, the last match; completed runs if none
    #[arg(long, value_name = "REGEX", requires = "prove", conflicts_with = "rate_file")]
    pub(crate) rate_regex: Option<String>,
    /// Throughput is the last number in this file when a copy has ended
    #[arg(long, value_name = "FILE", requires = "prove")]
    pub(crate) rate_file: Option<PathBuf>,
    /// Say nothing but what goes wrong
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) output: Output,
    /// The command and its arguments
    #[arg(last = true, value_name = "COMMAND", required = true)]
    pub(crate) command: Vec<OsString>,
}

/// Where copies have their memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bound {
    /// On their nodes, and nowhere else
    Bind,
    /// Where they touch it first
    Near,
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

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens stat -- ./program --its arguments
  cpulens stat --timeout 60 -o stat.json --format json -- sh -c 'sort big | uniq -c'
  cpulens stat -p 4711 --timeout 10                    a process that runs already
  cpulens stat --cpus 0-7 --timeout 10                 whatever runs on these CPUs, system-wide
  cpulens stat --events wide,r1b -- ./program          more events, by name or code

The report goes to standard error; the command's own streams are left alone.
Exit codes: the command's own, or 128 and the number of the signal that killed it; 124 if --timeout ended it; 126 if it
cannot be run, 127 if it is not found; 2 if cpulens could not.")]
pub(crate) struct Stat {
    /// Count whatever runs on these CPUs meanwhile (system-wide), instead of the command
    #[arg(long, value_name = "LIST", conflicts_with = "pid")]
    pub(crate) cpus: Option<CpuSet>,
    /// Count this process and all its threads meanwhile, instead of the command
    #[arg(short, long, value_name = "PID")]
    pub(crate) pid: Option<u32>,
    /// End the command, and all it started, after so many seconds; or watch for so long without one
    #[arg(long, value_name = "SECONDS", value_parser = duration)]
    pub(crate) timeout: Option<f64>,
    /// Count these events instead of the processor family's own: names, `wide` for all that are published of the
    /// family, or codes such as r1b
    #[arg(long, value_name = "EVENT,...", value_delimiter = ',')]
    pub(crate) events: Vec<String>,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = StatFormat::Text)]
    pub(crate) format: StatFormat,
    /// Write the report to this file instead of standard error
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The command and its arguments
    #[arg(last = true, value_name = "COMMAND", required_unless_present_any = ["pid", "cpus"])]
    pub(crate) command: Vec<OsString>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatFormat {
    /// For people
    Text,
    /// For programs: the observation and what follows from it, on standard output if no file is named
    Json,
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

fn copies(text: &str) -> Result<measure::unixbench::Copies, String> {
    use measure::unixbench::Copies;
    match (text, text.parse::<usize>()) {
        ("N" | "n", _) => Ok(Copies::All),
        ("ladder", _) => Ok(Copies::Ladder),
        (_, Ok(number @ 1..=8192)) => Ok(Copies::Number(number)),
        _ => Err("copies are a number from 1 to 8192, N, or ladder".into()),
    }
}

/// UnixBench writes one of its names with a hyphen.
fn test_of_unixbench(text: &str) -> Result<String, String> {
    let id = text.replace('-', "_");
    match measure::unixbench::TESTS.contains(&&*id) {
        true => Ok(id),
        false => Err(format!("the tests are {}", measure::unixbench::TESTS.join(", "))),
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

fn amount(text: &str) -> Result<(String, f64), String> {
    let known = text.rsplit_once('=').and_then(|(name, x)| Some((name, x.parse::<f64>().ok()?)));
    match known {
        Some((name, x)) if !name.is_empty() && x.is_finite() && x > 0.0 => Ok((name.to_owned(), x)),
        _ => Err("a record and a number above 0, as in db1.json=350".into()),
    }
}

fn automatic(text: &str) -> Result<Automatic, String> {
    match text {
        "auto" => Ok(Automatic(None)),
        _ => some_cores(text).map(|n| Automatic(Some(n))).map_err(|e| format!("auto, or {e}")),
    }
}

/// At most as many as a kernel has CPUs at most (NR_CPUS).
fn some_cores(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(n) if (1..=8192).contains(&n) => Ok(n),
        _ => Err("a number, 1 to 8192".into()),
    }
}

fn memory(text: &str) -> Result<Memory, String> {
    Memory::named(text).ok_or_else(|| "memory is local, interleave or bind=NODE".into())
}

fn some_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s.is_finite() && (0.01..=1e6).contains(&s) => Ok(s),
        _ => Err("a number of seconds, 0.01 to 1000000".into()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s.is_finite() && s >= 1.0 => Ok(s),
        _ => Err("a time budget is a number of seconds, at least 1".into()),
    }
}

/// The longest time that can be waited for is a year.
fn duration(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s > 0.0 && s <= 365.0 * 86_400.0 => Ok(s),
        _ => Err("a time limit is a number of seconds, more than 0 and at most a year".into()),
    }
}
