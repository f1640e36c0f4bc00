//! What `noise` is told.
use super::{
    Depth, Measuring,
    values::{nanoseconds, share, some_seconds},
};
use clap::{Args as Group, ValueEnum};
use record::CpuSet;

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens noise                                what is taken from each CPU, by whom, and what requests to the kernel cost
  cpulens noise gaps --seconds 60              a minute of gaps: interrupts, preemption, steal
  cpulens noise gaps --cpus 2-7 --format sysjitter --threshold 300
  cpulens noise work --binding bound,unbound,fifo
  cpulens noise costs --record before.json && reboot
  cpulens compare before.json after.json       what other mitigations cost, request by request

Formats sysjitter, oslat and osnoise print rows as these tools do, for scripts that read them. No root is needed; binding
fifo needs CAP_SYS_NICE and leaves --duty of the time to others, and --duty 1 shows what the kernel's own limit takes.")]
pub(crate) struct Noise {
    /// Only these: gaps (who takes the CPU), work (what the same work takes), costs (what requests to the kernel cost)
    #[arg(value_enum, value_name = "WHAT")]
    pub(crate) what: Vec<What>,
    /// Seconds that gaps are watched for, with each binding [default: 3, 10 or 60 by depth]
    #[arg(long, value_name = "SECONDS", value_parser = some_seconds)]
    pub(crate) seconds: Option<f64>,
    /// Seconds that each kind of work is repeated for, with each binding [default: 1, 3 or 10 by depth]
    #[arg(long, value_name = "SECONDS", value_parser = some_seconds)]
    pub(crate) each: Option<f64>,
    /// How threads are held: one bound to each CPU, one that may be moved, one real-time on each CPU
    #[arg(long, value_enum, value_name = "BINDING,...", value_delimiter = ',', default_values = ["bound", "unbound"])]
    pub(crate) binding: Vec<Binding>,
    /// The shortest gap that counts, in nanoseconds [default: 100, or eight steps of the counter]
    #[arg(long, value_name = "NANOSECONDS", value_parser = nanoseconds)]
    pub(crate) threshold: Option<f64>,
    /// Share of the time that real-time threads work
    #[arg(long, value_name = "SHARE", default_value = "0.9", value_parser = share)]
    pub(crate) duty: f64,
    /// How much to measure
    #[arg(long, value_enum, default_value_t = Depth::Quick)]
    pub(crate) depth: Depth,
    /// Only on these CPUs, as in 0-7,64-71
    #[arg(long, value_name = "LIST")]
    pub(crate) cpus: Option<CpuSet>,
    #[command(flatten)]
    pub(crate) measuring: Measuring,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    Gaps,
    Work,
    Costs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Binding {
    Bound,
    Unbound,
    Fifo,
}
