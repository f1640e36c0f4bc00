//! Arguments of `whatif`.
use super::Output;
use clap::Args as Group;

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens whatif last --dimms 2933               memory modules at 2933 MT/s
  cpulens whatif last --bound --smt-off          a process on each NUMA node; one thread a core: each by itself
  cpulens whatif last --huge-pages --workload run.json
                                                 for the program that cpulens stat --format json counted
  cpulens whatif scale.json --cores 64           the scaling run's workload on 64 cores

Everything printed is a prediction: a range from this machine's own measurements, with the assumption that matters most and
the command that would test it. Changes are predicted each by itself. Exit codes: 0 predicted; 1 some change could not be; 2 could
not; 3 the record's machine was unfit to be measured.")]
pub(crate) struct Whatif {
    /// A record's file, `last` for the newest, or - for standard input
    pub(crate) record: String,
    /// Memory modules at so many million transfers a second
    #[arg(long, value_name = "MT/s", value_parser = clap::value_parser!(u32).range(100..=100_000))]
    pub(crate) dimms: Option<u32>,
    /// A process bound to each NUMA node, its memory there
    #[arg(long)]
    pub(crate) bound: bool,
    /// Sibling threads left unused
    #[arg(long)]
    pub(crate) smt_off: bool,
    /// Huge pages for every program
    #[arg(long)]
    pub(crate) huge_pages: bool,
    /// Cores at another frequency
    #[arg(long, value_name = "MHz", value_parser = clap::value_parser!(u32).range(100..=10_000))]
    pub(crate) frequency: Option<u32>,
    /// The scaling run's workload on so many cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub(crate) cores: Option<u32>,
    /// A run that `stat --format json` counted on the same machine: predictions are then for this program
    #[arg(long, value_name = "FILE")]
    pub(crate) workload: Option<String>,
    #[command(flatten)]
    pub(crate) output: Output,
}
