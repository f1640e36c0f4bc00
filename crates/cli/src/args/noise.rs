//! What `noise` is told.
use super::{
    Depth, Measuring,
    values::{nanoseconds, share, some_seconds},
};
use clap::{Args as Group, ValueEnum};
use record::CpuSet;
use std::path::PathBuf;

#[derive(Debug, Group)]
#[command(after_help = "Examples:
  cpulens noise                                what is taken from each CPU, by whom, and what requests to the kernel cost
  cpulens noise detours --seconds 60              a minute of detours: interrupts, preemption, steal
  cpulens noise detours --cpus 2-7 --format sysjitter --threshold 300
  cpulens noise work --binding bound,unbound,fifo
  cpulens noise line --kmod --isolate           as root: the same code with interrupts off, in kernel and user mode, in each place
  cpulens noise line --guest --rounds 20        the same inside a guest of QEMU, round by round beside its host
  cpulens noise detours --guest                    detours in a guest beside those of its host
  cpulens noise costs --record before.json && reboot
  cpulens compare before.json after.json       what other mitigations cost, request by request

Formats sysjitter, oslat and osnoise print rows as these tools do, for scripts that read them. No root is needed; binding
fifo needs CAP_SYS_NICE and leaves --duty of the time to others, and --duty 1 shows what the kernel's own limit takes.")]
pub(crate) struct Noise {
    /// Only these: detours (who takes the CPU), work (what the same work takes), costs (what requests to the kernel cost), line
    /// (how far from undisturbed speed a program is; also by any of its options, and not without being asked for)
    #[arg(value_enum, value_name = "WHAT")]
    pub(crate) what: Vec<What>,
    /// Seconds that detours are watched for, with each binding [default: 3, 10 or 60 by depth]
    #[arg(long, value_name = "SECONDS", value_parser = some_seconds)]
    pub(crate) seconds: Option<f64>,
    /// Seconds that each kind of work is repeated for, with each binding [default: 1, 3 or 10 by depth]
    #[arg(long, value_name = "SECONDS", value_parser = some_seconds)]
    pub(crate) each: Option<f64>,
    /// How threads are held: one bound to each CPU, one that may be moved, one real-time on each CPU
    #[arg(long, value_enum, value_name = "BINDING,...", value_delimiter = ',', default_values = ["bound", "unbound"])]
    pub(crate) binding: Vec<Binding>,
    /// The shortest detour that counts, in nanoseconds [default: 100, or eight steps of the counter]
    #[arg(long, value_name = "NANOSECONDS", value_parser = nanoseconds)]
    pub(crate) threshold: Option<f64>,
    /// Share of the time that real-time threads work
    #[arg(long, value_name = "SHARE", default_value = "0.9", value_parser = share)]
    pub(crate) duty: f64,
    /// line: load the kernel module that runs with interrupts off, built on the spot or from FILE; it is unloaded in the end
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) kmod: Option<String>,
    /// line: keep a CPU from all other tasks where that place is measured (cgroup v2), and give it back
    #[arg(long)]
    pub(crate) isolate: bool,
    /// detours, work, line: boot a guest of QEMU with this program inside, and run everything there as well
    #[arg(long)]
    pub(crate) guest: bool,
    /// The guest's kernel [default: the running one's image in /boot, or the newest there]
    #[arg(long, value_name = "FILE", requires = "guest")]
    pub(crate) kernel: Option<PathBuf>,
    /// line: rounds, each of one pass in every place and mode [default: 10, 20 or 40 by depth]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) rounds: Option<u64>,
    /// The other side of --guest: answer as the first process of a guest
    #[arg(long, hide = true)]
    pub(crate) inside: bool,
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
    Detours,
    Work,
    Costs,
    Line,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Binding {
    Bound,
    Unbound,
    Fifo,
}
