//! The sections of a page and their order. A section is a function from what is known to blocks; it says
//! nothing by returning no blocks, and is then left out.
use crate::origin;
use crate::page::{Banner, Block, Section};
use crate::sections as all;
use analyse::compare::Comparison;
use analyse::{Estimate, Report};
use record::{Environment, Judgement, Machine};

/// Probes that have a section of their own. The others are shown together, so that none is lost.
pub const PLACED: &[&str] = &[
    "preflight",
    "instrument",
    "core_frequency",
    "core_rate",
    "branch_miss",
    "pause_latency",
    "loaded_frequency",
    "prime",
    "lock_cost",
    "openssl",
    "bc",
    "dhry2reg",
    "whetstone_double",
    "execl",
    "fstime",
    "fsbuffer",
    "fsdisk",
    "pipe",
    "context1",
    "spawn",
    "syscall",
    "shell1",
    "shell8",
    "load_latency",
    "tlb_reach",
    "lat_mem_rd",
    "cache_bandwidth",
    "bandwidth",
    "bandwidth_scaling",
    "stream",
    "lmbench_stream",
    "data_content",
    "core_to_core",
    "smt_pair",
    "page_fault",
    "tlb_shootdown",
    "noise_detours",
    "noise_fwq",
    "kernel_ops",
    "false_sharing",
    "memory_bound",
    "cache_allocation",
    "loaded_latency",
    "numa_matrix",
    "scaling_run",
    "undisturbed_speed",
    "point_select",
    "tpcc",
];

type Of<T> = fn(T) -> Vec<Block>;

/// What a report says: fitness first, conclusions last, since that is where a terminal's reader stops.
pub fn of_report(report: &Report<'_>) -> Vec<Section> {
    let list: &[(&'static str, &'static str, bool, Of<&Report<'_>>)] = &[
        ("environment", "Is this machine fit to be measured?", false, all::environment::blocks),
        ("machine", "The machine", false, |r| all::machine::blocks(&r.record.machine)),
        ("instrument", "The instrument", true, all::instrument::blocks),
        ("core", "The core", true, all::core::blocks),
        ("latency", "Latency", true, all::latency::blocks),
        ("tlb", "Address translation", true, all::tlb::blocks),
        ("lat-mem-rd", "Latency as lmbench measures it", true, all::lat_mem_rd::blocks),
        ("bandwidth", "Bandwidth", true, all::bandwidth::blocks),
        ("loaded-latency", "Latency under load", true, all::loaded::blocks),
        ("numa", "Between nodes", true, all::numa::blocks),
        ("core-to-core", "Core to core", true, all::core_to_core::blocks),
        ("scaling_run", "How workloads scale", true, all::scaling_run::blocks),
        ("databases", "Databases on pinned cores", true, all::databases::blocks),
        ("memory-management", "What memory management costs", true, all::memory_management::blocks),
        ("noise", "What the system takes away", true, all::noise::blocks),
        ("line-speed", "Undisturbed speed", true, all::undisturbed_speed::blocks),
        ("imported", "Results of other tools", false, all::imported::blocks),
        ("workloads", "Known workloads and locks", true, all::workloads::blocks),
        ("unixbench", "UnixBench", true, all::unixbench::blocks),
        ("other", "Other measurements", true, all::other::blocks),
        ("stability", "The machine during the run", true, all::stability::blocks),
        ("findings", "Findings", true, all::findings::blocks),
        ("nearest", "Nearest machines of the catalogue", true, all::nearest::blocks),
        ("not-measured", "What was not measured, and why", false, all::not_measured::blocks),
        ("provenance", "How this report came about", false, all::provenance::blocks),
        ("conclusions", "Conclusions", true, all::conclusions::blocks),
    ];
    list.iter()
        .filter_map(|(id, title, numbers, of)| made(id, title, *numbers, of(report)))
        .collect()
}

/// What is known of a machine that has not been measured.
pub fn of_machine(machine: &Machine) -> Vec<Section> {
    let list: &[(&'static str, &'static str, Of<&Machine>)] = &[
        ("machine", "The machine", all::machine::blocks),
        ("unknown", "What could not be read, and why", all::not_measured::unread),
    ];
    list.iter().filter_map(|(id, title, of)| made(id, title, false, of(machine))).collect()
}

/// What several records say of each other: the answer first, what it rests on after it.
pub fn of_comparison(comparison: &Comparison) -> Vec<Section> {
    let list: &[(&'static str, &'static str, bool, Of<&Comparison>)] = &[
        ("summary", "What differs", true, all::compared::summary),
        ("why", "Why", true, all::compared_why::blocks),
        ("records", "The records", false, all::compared::records),
        ("machines", "The machines, where they differ", false, all::compared_machines::blocks),
        ("curves", "Curves", true, all::compared_curves::blocks),
        ("rows", "Row by row", true, all::compared_rows::blocks),
        ("unlike", "What is unlike, and what would mend it", false, all::compared::unlike),
        ("reading", "How to read this", false, all::compared::reading),
    ];
    list.iter()
        .filter_map(|(id, title, numbers, of)| made(id, title, *numbers, of(comparison)))
        .collect()
}

fn made(
    id: &'static str,
    title: &'static str,
    numbers: bool,
    blocks: Vec<Block>,
) -> Option<Section> {
    (!blocks.is_empty()).then_some(Section { id, title, numbers, blocks })
}

/// The estimates of some probes, in the record's order; what was imported has a section of its own.
pub fn of_probes<'r>(report: &'r Report<'_>, probes: &[&str]) -> Vec<&'r Estimate> {
    let own = |e: &&Estimate| !origin::imported(report, e.run);
    report.estimates.iter().filter(|e| probes.contains(&e.probe.as_str())).filter(own).collect()
}

/// The verdict on the machine's fitness, in full and in short.
pub fn banner(judgement: &Judgement) -> Banner {
    let word = match judgement.environment {
        Environment::Pass => "Valid: nothing was found that would move the numbers",
        Environment::Warn => "Doubtful: something may have moved some numbers",
        Environment::Fail => "Invalid: the numbers do not describe this machine",
    };
    let short = match judgement.reasons.first() {
        Some(gravest) if judgement.environment != Environment::Pass => {
            format!("{word}. {}.", gravest.why.trim_end_matches('.'))
        }
        _ => format!("{word}."),
    };
    Banner {
        environment: judgement.environment,
        verdict: format!("{word}."),
        short,
        reasons: judgement.reasons.iter().map(ToString::to_string).collect(),
    }
}

/// What to call a machine: its model if it says so.
pub fn machine_name(machine: &Machine) -> String {
    let known = machine.text("cpu.model");
    known.map_or_else(|| "A machine that does not say its model".into(), str::to_owned)
}
