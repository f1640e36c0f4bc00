//! Where a published figure goes in a record: the case and series that an importer of the same tool would give it
//! (`docs/series.md`). What is like none of them keeps its own words under `published`, and says why.
use crate::reference::Measurement;
use crate::units;
use record::{Better, CpuSet, Metric, ProbeId, Unit, Value};
use std::collections::BTreeMap;

pub(crate) type Params = BTreeMap<String, Value>;

/// The case and series of a figure.
#[derive(Debug)]
pub(crate) struct Place {
    /// The tool that measured it, as importers call it.
    pub(crate) tool: &'static str,
    /// The command, as far as it is printed; hosts, users and passwords left out.
    pub(crate) command: Option<&'static str>,
    pub(crate) probe: ProbeId,
    pub(crate) params: Params,
    pub(crate) metric: Metric,
    pub(crate) at: Params,
    pub(crate) unit: Unit,
    pub(crate) factor: f64,
    pub(crate) better: Better,
    /// A counter's share of the time, in percent, if it is a counter.
    pub(crate) counted: Option<f64>,
    pub(crate) cpus: CpuSet,
    pub(crate) node: Option<u32>,
}

/// Words for a figure that is no series, and why.
fn foreign(m: &Measurement) -> Option<&'static str> {
    Some(match (m.kind.as_str(), m.workload.as_str()) {
        ("stated", _) => "stated in prose, not measured on its own",
        ("derived-by-author", _) => "derived by the author from other figures",
        (_, "irq_test-prime-sieve") => {
            "ticks of a counter whose rate is not printed, of code that no probe repeats"
        }
        (_, "unixbench-pinning") => "scores whose unit is not printed",
        (_, "whetstone-N8") => "one loop of a fork of UnixBench, which no probe repeats",
        (_, "dmidecode-memory" | "lshw-memory") => {
            "a property of a memory module; it stands among the machine's parts too"
        }
        (_, "lmbench-stream") if m.text("kernel").is_none() => {
            "which of the four loops it is, and on which CPUs it ran, is not printed"
        }
        (_, "unixbench") if m.unit == "score" => "whether it is an index or a rate is not printed",
        (_, "c-cpu_bound" | "c-memory_bound" | "bc-7pow999999")
        | (_, "openssl-speed-aes-256-ige" | "sysbench-cpu-prime" | "sysbench-point-select")
        | (_, "tpcc" | "lmbench-stream" | "lmbench-stream-summary" | "lmbench-lat_mem_rd")
        | (_, "unixbench") => return None,
        _ => "no series of this program is like it",
    })
}

const LESS: Better = Better::Lower;
const MORE: Better = Better::Higher;

/// The case and series of a figure.
pub(crate) fn of(m: &Measurement) -> Place {
    let (unit, factor) = units::unit(&m.unit).unwrap_or((Unit::Count, 1.0));
    let plain = Place {
        tool: tool(m),
        command: None,
        probe: ProbeId::ReferenceResult,
        params: Params::new(),
        metric: m.metric.as_str().into(),
        at: Params::new(),
        unit,
        factor,
        better: Better::Neither,
        counted: None,
        cpus: CpuSet::default(),
        node: None,
    };
    let mut place = match foreign(m) {
        Some(why) => as_it_is(m, why, plain),
        None => match m.workload.as_str() {
            "lmbench-stream" => lmbench_stream(m, plain),
            "lmbench-stream-summary" => summary(m, plain),
            "lmbench-lat_mem_rd" => lat_mem_rd(m, plain),
            "openssl-speed-aes-256-ige" => openssl(m, plain),
            "sysbench-cpu-prime" => prime(m, plain),
            "sysbench-point-select" => point_select(m, plain),
            "tpcc" => tpcc(m, plain),
            "unixbench" => unixbench(m, plain),
            _ => program(m, plain),
        },
    };
    if !["measured", "derived-by-tool", "reference", "not-applicable"].contains(&m.kind.as_str()) {
        place.params.insert("kind".into(), m.kind.as_str().into());
    }
    place
}

/// The tool that measured it.
fn tool(m: &Measurement) -> &'static str {
    match m.workload.as_str() {
        "lmbench-stream" | "lmbench-stream-summary" => "lmbench stream",
        "lmbench-lat_mem_rd" => "lmbench lat_mem_rd",
        "openssl-speed-aes-256-ige" => "openssl speed",
        "sysbench-cpu-prime" | "sysbench-point-select" => "sysbench",
        "tpcc" => "a TPC-C load of 1000 warehouses",
        "unixbench" | "unixbench-pinning" | "whetstone-N8" => "UnixBench",
        "irq_test-prime-sieve" => "irq_test",
        "dmidecode-memory" => "dmidecode",
        "lshw-memory" => "lshw",
        _ => match m.text("tool") {
            Some("perf stat") => "perf stat",
            Some("bash time") => "bash time",
            _ if m.workload == "bc-7pow999999" => "bc",
            _ => "text",
        },
    }
}

fn put(params: &mut Params, name: &str, value: impl Into<Value>) {
    params.insert(name.into(), value.into());
}

/// Parameters of the same name, as far as they are stated.
fn keep(m: &Measurement, params: &mut Params, names: &[&str]) {
    for name in names {
        let stated = m.params.get(*name).cloned().unwrap_or_else(|| "not stated".into());
        params.insert((*name).into(), stated);
    }
}

/// In its own words.
fn as_it_is(m: &Measurement, why: &str, mut place: Place) -> Place {
    put(&mut place.params, "workload", m.workload.as_str());
    put(&mut place.params, "not_comparable", why);
    place.at = m.params.clone();
    // Repeats of one quantity are its samples.
    place.at.remove("run");
    place.better = direction(m);
    if place.unit == Unit::Count && !["count", "cores"].contains(&m.unit.as_str()) {
        put(&mut place.at, "in", m.unit.as_str());
    }
    place
}

/// Whether more or less is better: less for times and ticks, more for rates and scores.
fn direction(m: &Measurement) -> Better {
    if matches!(m.kind.as_str(), "stated" | "derived-by-author") {
        return Better::Neither;
    }
    match (m.workload.as_str(), m.metric.as_str()) {
        ("irq_test-prime-sieve", "tsc_delta") | ("whetstone-N8", "elapsed") => LESS,
        ("lmbench-stream", "latency") => LESS,
        ("lmbench-stream", "bandwidth") | ("unixbench-pinning", "score") => MORE,
        ("unixbench", "index" | "result") => MORE,
        _ => Better::Neither,
    }
}

fn number(m: &Measurement, name: &str) -> Option<u32> {
    m.integer(name).and_then(|n| u32::try_from(n).ok())
}

/// The CPU that it ran on and the node of its memory.
fn on_cpu(m: &Measurement, place: &mut Place) {
    if let Some(cpu) = number(m, "cpu") {
        put(&mut place.params, "cpu", cpu.to_string());
        place.cpus = [cpu].into_iter().collect();
    }
    if let Some(node) = number(m, "mem_node") {
        put(&mut place.params, "memory", node.to_string());
        place.node = Some(node);
    }
}

/// As the importer of lmbench's `stream`: `64M` are 2^20 bytes each.
fn lmbench_stream(m: &Measurement, mut place: Place) -> Place {
    place.probe = ProbeId::LmbenchStream;
    place.command = Some("numactl -C CPU -m NODE stream -W 5 -N 5 -M 64M");
    on_cpu(m, &mut place);
    if m.text("total_size") == Some("64M") {
        put(&mut place.params, "size", 64u64 << 20);
    }
    put(&mut place.params, "statistic", "best");
    keep(m, &mut place.at, &["kernel"]);
    named(m.metric == "latency", place)
}

/// Least and most of all runs, of which not all are printed.
fn summary(m: &Measurement, mut place: Place) -> Place {
    place.probe = ProbeId::LmbenchStream;
    let least = m.metric.starts_with("min_");
    let statistic = if least { "least of all runs" } else { "most of all runs" };
    put(&mut place.params, "statistic", statistic);
    put(&mut place.at, "kernel", "copy");
    named(m.metric.ends_with("latency"), place)
}

fn named(latency: bool, mut place: Place) -> Place {
    (place.metric, place.better) =
        if latency { (Metric::TimePerElement, LESS) } else { (Metric::Bandwidth, MORE) };
    place
}

/// `-t` is lmbench's random order; the stride is its default on machines with pointers of 8 bytes.
fn lat_mem_rd(m: &Measurement, mut place: Place) -> Place {
    place.probe = ProbeId::LatMemRd;
    place.command = Some("numactl -C CPU -m 0 lat_mem_rd -W 5 -N 5 -t 64M");
    put(&mut place.params, "order", "random");
    put(&mut place.params, "stride", 64u64);
    put(&mut place.params, "statistic", "least");
    on_cpu(m, &mut place);
    if let Some(from) = number(m, "cpu_node") {
        put(&mut place.params, "from", from.to_string());
    }
    put(&mut place.at, "working_set", 64u64 << 20);
    (place.metric, place.better) = (Metric::LoadToUse, LESS);
    place
}

fn openssl(m: &Measurement, mut place: Place) -> Place {
    place.probe = ProbeId::OpensslSpeed;
    place.command = Some("openssl speed aes-256-ige -multi N");
    if let Some(processes) = m.integer("threads_implied").or_else(|| m.integer("threads")) {
        put(&mut place.params, "processes", processes);
    }
    put(&mut place.at, "algorithm", "aes-256 ige");
    put(&mut place.at, "block", m.integer("block_bytes_implied").unwrap_or(0));
    place.better = MORE;
    place
}

fn prime(m: &Measurement, mut place: Place) -> Place {
    place.probe = ProbeId::Sysbench;
    place.command =
        Some("taskset -c CPUS sysbench --num-threads=N --test=cpu --cpu-max-prime=50000 run");
    put(&mut place.params, "test", "cpu");
    put(&mut place.params, "statistic", "mean");
    put(&mut place.params, "primes", m.integer("cpu_max_prime").unwrap_or(0));
    put(&mut place.params, "thread_count", m.integer("threads").unwrap_or(0));
    keep(m, &mut place.params, &["placement", "os"]);
    place.better = LESS;
    place
}

/// The server, connection, system and number of cores belong to the figure.
fn point_select(m: &Measurement, mut place: Place) -> Place {
    place.probe = ProbeId::Sysbench;
    place.command = Some(
        "sysbench --test=select.lua --oltp_tables_count=1 --oltp-table-size=10000000 --oltp_skip_trx=on --max-requests=0 --max-time=300 run",
    );
    put(&mut place.params, "test", "oltp");
    put(&mut place.params, "statistic", "mean");
    keep(m, &mut place.params, &["cores", "placement", "os", "server", "transport"]);
    (place.metric, place.better) = (Metric::Queries, MORE);
    place
}

fn tpcc(m: &Measurement, mut place: Place) -> Place {
    place.probe = ProbeId::Tpcc;
    put(&mut place.params, "statistic", "mean");
    keep(m, &mut place.params, &["warehouses", "cores", "placement", "os", "server"]);
    (place.metric, place.better) = (Metric::NewOrders, MORE);
    place
}

fn unixbench(m: &Measurement, mut place: Place) -> Place {
    place.probe = ProbeId::Unixbench;
    if let Some(copies) = m.integer("processes") {
        put(&mut place.params, "copies", copies);
    }
    for name in ["cores", "l3", "l3_ways"] {
        if let Some(value) = m.params.get(name) {
            place.params.insert(name.into(), value.clone());
        }
    }
    let (metric, better) = match m.metric.as_str() {
        "result" => (Metric::Rate, MORE),
        "index" => (Metric::Index, MORE),
        "index_score" => (Metric::Score, MORE),
        // George, a SPARCstation 20-61: the index is ten times the result over it.
        _ => (Metric::Baseline, Better::Neither),
    };
    if metric == Metric::Score {
        put(&mut place.at, "of", "all");
    } else {
        keep(m, &mut place.at, &["test"]);
    }
    (place.metric, place.better) = (metric, better);
    place
}

/// `bc` and the loops in C: what perf and bash say of them, and the table that the author made of it.
fn program(m: &Measurement, mut place: Place) -> Place {
    let of = match m.workload.as_str() {
        "bc-7pow999999" => "bc: 7^999999",
        "c-cpu_bound" => "cpu_bound: a loop of nops",
        _ => "memory_bound: flush a line and load it",
    };
    place.better = LESS;
    place.metric = match m.metric.as_str() {
        "user_time" | "time_user" => Metric::User,
        "time_sys" => Metric::System,
        "elapsed" | "time_real" => Metric::Elapsed,
        other => other.trim_start_matches("perf:").into(),
    };
    match place.tool {
        "perf stat" => {
            place.probe = ProbeId::PerfStat;
            let wide = m.text("scope") == Some("system-wide");
            put(&mut place.params, "scope", if wide { "system" } else { "process" });
            put(&mut place.params, if wide { "during" } else { "of" }, of);
            if m.metric.starts_with("perf:") {
                place.counted = Some(m.counted_percent.unwrap_or(100.0));
            }
        }
        "bash time" => {
            place.probe = ProbeId::Time;
            put(&mut place.params, "of", of);
        }
        _ => {
            place.probe = ProbeId::Bc;
            place.command = Some("bash -c 'echo \"7^999999\" | bc > /dev/null'");
            put(&mut place.params, "task", "pow");
            put(&mut place.params, "copies", "one");
        }
    }
    place
}
