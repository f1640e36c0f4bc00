//! Arguments of `noise`.
use crate::{
    Measuring,
    values::{nanoseconds, one_of, share, some_seconds, whole},
};
use clap::{Args as Group, ValueEnum};
use measure::probe::Depth;
use probes::noise::Binding;
use record::CpuSet;
use std::path::PathBuf;

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/noise.txt"))]
pub struct Noise {
    /// Only these: detours (sources of noise), work (fixed work quantum), costs (system calls), line (undisturbed speed; only if
    /// named, or by one of its options)
    #[arg(value_enum, value_name = "WHAT")]
    pub what: Vec<Experiment>,
    /// Seconds to watch for detours, with each binding [default: 3, 10 or 60 by depth]
    #[arg(long, value_name = "SECONDS", value_parser = some_seconds)]
    pub seconds: Option<f64>,
    /// Seconds to repeat each kind of work, with each binding [default: 1, 3 or 10 by depth]
    #[arg(long, value_name = "SECONDS", value_parser = some_seconds)]
    pub each: Option<f64>,
    /// How threads are pinned: one on each CPU, one that may migrate, one real-time thread on each CPU
    #[arg(long, value_name = "BINDING,...", value_delimiter = ',', default_value = "bound,unbound", value_parser = one_of(Binding::ALL.map(|b| (b.name(), b))))]
    pub binding: Vec<Binding>,
    /// The shortest detour that counts, in nanoseconds [default: 100, or eight steps of the counter]
    #[arg(long, value_name = "NANOSECONDS", value_parser = nanoseconds)]
    pub threshold: Option<f64>,
    /// Share of the time that real-time threads work
    #[arg(long, value_name = "SHARE", default_value = "0.9", value_parser = share)]
    pub duty: f64,
    /// line: load the kernel module that runs with interrupts off, built now or read from FILE, and unload it at the end
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub kmod: Option<String>,
    /// line: isolate a CPU from all other tasks (cgroup v2) while it is measured
    #[arg(long)]
    pub isolate: bool,
    /// detours, work, line: also measure inside a QEMU guest
    #[arg(long)]
    pub guest: bool,
    /// The guest's kernel [default: the running one's image in /boot, or the newest there]
    #[arg(long, value_name = "FILE", requires = "guest")]
    pub kernel: Option<PathBuf>,
    /// line: rounds of one pass in every place and mode [default: 10, 20 or 40 by depth]
    #[arg(long, value_name = "N", value_parser = whole(1..=1000_u64))]
    pub rounds: Option<u64>,
    /// Run as the first process of the guest of --guest
    #[arg(long, hide = true)]
    pub inside: bool,
    /// How much to measure
    #[arg(long, value_enum, default_value_t = Depth::Quick)]
    pub depth: Depth,
    /// Only on these CPUs, as in 0-7,64-71
    #[arg(long, value_name = "LIST")]
    pub cpus: Option<CpuSet>,
    #[command(flatten)]
    pub measuring: Measuring,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Experiment {
    Detours,
    Work,
    Costs,
    Line,
}
