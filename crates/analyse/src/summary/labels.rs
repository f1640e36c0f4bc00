//! Results of other tools, and what has no figure, named in words: the tool, what it measured, and of what.
use crate::compare::UNSAID;
use crate::words::{bytes, plain};
use crate::{Estimate, Report};
use record::{Metric, ProbeId, Value};

/// Coordinates whose value speaks for itself.
const BARE: &[&str] = &[
    "workload",
    "kernel",
    "op",
    "operation",
    "placement",
    "pages",
    "order",
    "test",
    "request",
    "stressor",
    "transaction",
    "suite",
    "algorithm",
    "level",
    "pair",
    "script",
    "server",
    "row",
    "tune",
    "of",
];
/// Coordinates that count: one, and several.
const COUNTED: &[(&str, &str, &str)] = &[
    ("thread_count", "thread", "threads"),
    ("threads", "thread", "threads"),
    ("cores", "core", "cores"),
    ("copies", "copy", "copies"),
    ("connections", "connection", "connections"),
    ("processes", "process", "processes"),
    ("warehouses", "warehouse", "warehouses"),
];
/// Tools as they call themselves, where their names here are others.
const TOOLS: &[(&str, &str)] = &[
    ("geekbench", "Geekbench"),
    ("lat_mem_rd", "lat_mem_rd"),
    ("likwid_bench", "likwid-bench"),
    ("likwid_perfctr", "likwid-perfctr"),
    ("lmbench_stream", "lmbench stream"),
    ("mlc_caches", "MLC"),
    ("mlc_loaded", "MLC"),
    ("mlc_peak", "MLC peak"),
    ("numa_matrix", "NUMA matrix"),
    ("openssl_speed", "openssl speed"),
    ("passmark", "PassMark"),
    ("sbc_bench", "sbc-bench"),
    ("sevenzip", "7-Zip"),
    ("spec_cpu", "SPEC CPU"),
    ("stream", "STREAM"),
    ("stress_ng", "stress-ng"),
    ("tpcc", "TPC-C"),
    ("unixbench", "UnixBench"),
];
/// Metrics in other words than their names.
const METRICS: &[(&str, &str)] = &[
    ("bogo_ops", "bogo operations"),
    ("bogo_ops_per_cpu", "bogo operations per CPU second"),
    ("cpus_used", "CPUs used"),
    ("injected", "bandwidth under load"),
    ("ipc", "IPC"),
    ("ipc_of_machine", "IPC of the machine"),
    ("latency_95", "95 % latency"),
    ("latency_beyond_l1", "latency beyond L1"),
    ("latency_least", "least latency"),
    ("latency_mean", "mean latency"),
    ("latency_most", "highest latency"),
    ("user", "user time"),
    ("system", "system time"),
];

/// Metrics that the unit of the value says.
const BY_UNIT: &[Metric] = &[
    Metric::Bandwidth,
    Metric::LoadToUse,
    Metric::OneWay,
    Metric::Rate,
    Metric::Throughput,
    Metric::TimePerOp,
    Metric::TimePerRequest,
];
/// Values that mean something else where nobody says what they are of.
const RENAMED: &[(&str, &str)] = &[
    ("Compression", "compression test"),
    ("Socket", "network socket"),
    ("null_call", "null system call"),
];

/// `STREAM: copy, 80 million elements`.
pub(super) fn name(report: &Report<'_>, e: &Estimate) -> String {
    let tool = known(TOOLS, e.probe.as_str()).map_or_else(|| e.probe.words(), str::to_owned);
    let metric = known(METRICS, e.metric.as_str()).map_or_else(|| e.metric.words(), str::to_owned);
    let params = report.record.runs.get(e.run).map(|run| &run.case.params);
    let ends = between(e);
    let is_end = |name: &str| ends.is_some() && ["from", "to"].contains(&name);
    let pairs = params.into_iter().flatten().chain(&e.at).filter(|(name, _)| !is_end(name));
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort_by_key(|(name, _)| !BARE.contains(&name.as_str()));
    let words = pairs.into_iter().filter_map(|(name, value)| coordinate(e, name, value));
    let words: Vec<String> = words.chain(ends.clone()).collect();
    let name = match e.probe {
        // What is no figure of a program has its own name.
        ProbeId::ReferenceResult | ProbeId::Table => metric,
        _ if tool.ends_with(&metric) => tool,
        _ if BY_UNIT.contains(&e.metric) && !words.is_empty() => tool,
        _ => format!("{tool} {metric}"),
    };
    if words.is_empty() { name } else { format!("{name}: {}", words.join(", ")) }
}

fn known(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == name).map(|(_, words)| *words)
}

/// `from node 0 to node 1`, of what runs between two of them.
fn between(e: &Estimate) -> Option<String> {
    let what = match e.probe {
        ProbeId::NumaMatrix => "node",
        ProbeId::CoreToCore => "CPU",
        _ => return None,
    };
    let (from, to) = (e.at.get("from")?, e.at.get("to")?);
    Some(format!("from {what} {from} to {what} {to}"))
}

/// A parameter in words; nothing where it does not say what was measured.
fn coordinate(e: &Estimate, name: &str, value: &Value) -> Option<String> {
    let text = value.to_string();
    let of_program =
        ["of", "during"].contains(&name) && [ProbeId::PerfStat, ProbeId::Time].contains(&e.probe);
    if of_program {
        return Some(program(&text));
    }
    // Without its name the twelve of UnixBench are one, and so are the copies of tinymembench; a summary of runs has two ends.
    let named = ["test", "row", "of", "kernel"].contains(&name);
    let unsaid = UNSAID.contains(&name) && !text.ends_with("of all runs");
    if unsaid || text.chars().count() > WIDEST && !named {
        return None;
    }
    let number = value.number().or_else(|| text.parse().ok());
    if let (Some((_, one, many)), Some(n)) = (COUNTED.iter().find(|(c, ..)| *c == name), number) {
        return Some(format!("{} {}", plain(n), if n == 1.0 { one } else { many }));
    }
    Some(match (name, number) {
        ("working_set" | "size" | "block" | "page", Some(n)) => match name {
            "working_set" | "size" => bytes(n),
            _ => format!("{} {name}s", bytes(n)),
        },
        ("elements", Some(n)) if n >= 1e6 => format!("{} million elements", plain(n / 1e6)),
        ("pages", Some(n)) => format!("{} pages", plain(n)),
        ("cpu", Some(n)) => format!("CPU {n}"),
        // The line only keeps two checks of one frequency apart.
        ("line", _) if e.probe == ProbeId::SbcBench => return None,
        ("stated", Some(hz)) if e.metric == Metric::Frequency => {
            format!("{} MHz set", plain(hz / 1e6))
        }
        ("primes", Some(n)) => format!("primes to {n}"),
        ("memory", Some(n)) => format!("memory of node {n}"),
        ("copies", _) if text == "one" => "one copy".into(),
        ("threads", _) if text == "one" => "one thread".into(),
        ("threads", _) if text == "all" => "all threads".into(),
        ("scope", _) if text == "process" => return None,
        (name, _) if BARE.contains(&name) => {
            known(RENAMED, &text).map_or_else(|| text.clone(), str::to_owned)
        }
        _ => format!("{} {text}", name.replace('_', " ")),
    })
}

/// A program that another tool ran or watched; the end of a long command is left out.
pub(super) fn program(command: &str) -> String {
    match command.char_indices().nth(WIDEST_COMMAND) {
        Some((end, _)) => format!("program {}…", &command[..end]),
        None => format!("program {command}"),
    }
}

/// Characters of a value that leave room for the others.
const WIDEST: usize = 24;
/// Those of a command.
const WIDEST_COMMAND: usize = 36;
