//! Each table of the sources: which figures it holds, what its rows and its columns are.
use super::{Grid, Layout};
use crate::records;
use crate::reference::{Measurement, Reference};
use record::Topology;

/// In the order of the sources.
pub(crate) static ALL: &[Layout] = &[
    layout("openssl", "openssl speed aes-256-ige, thousands of bytes a second", openssl),
    layout("bc", "7^999999 by bc on one core", bc),
    layout(
        "prime",
        "sysbench cpu, prime 50000, on a core and on its pair of threads: seconds",
        prime,
    ),
    layout("point-select", "sysbench point select: queries a second", point_select),
    layout("tpcc", "TPC-C of 1000 warehouses: tpmC", tpcc),
    layout("stream", "lmbench stream, copy, over all nodes: ns an element and MB/s", stream),
    layout("lat-mem-rd", "lat_mem_rd -t 64M, memory of node 0 from each node: ns", lat_mem_rd),
    layout("irq", "irq_test: ticks, and the overhead that the text derives from them", irq),
    layout("unixbench", "UnixBench of the 1630V100 sample, 1 and 160 processes", unixbench),
    layout(
        "unixbench-l3",
        "UnixBench index with the whole L3 and with three quarters of it",
        unixbench_l3,
    ),
    layout(
        "unixbench-tlbi",
        "UnixBench with a delay behind every TLB invalidation",
        unixbench_tlbi,
    ),
    layout(
        "pinning",
        "UnixBench pinned one to one, and to a range: scores of three runs each",
        pinning,
    ),
];

const fn layout(
    name: &'static str,
    title: &'static str,
    make: fn(&Reference) -> Grid<'_>,
) -> Layout {
    Layout { name, title, make }
}

fn text(m: &Measurement, name: &str) -> String {
    m.text(name).unwrap_or("not stated").to_owned()
}

/// The system under test: the machine, and what else distinguishes the columns of the source.
fn system(m: &Measurement) -> String {
    let mut name = m.machine.clone();
    for part in ["os", "server"].into_iter().filter_map(|p| m.text(p)) {
        name += &format!(", {part}");
    }
    name
}

fn cores(m: &Measurement) -> String {
    match (m.text("placement"), m.integer("cores")) {
        (Some("1 SMT pair"), _) => "SMT pair".into(),
        (_, Some(1)) => "1 core".into(),
        (_, Some(n)) => format!("{n} cores"),
        (placement, None) => placement.unwrap_or("not stated").into(),
    }
}

/// One core, its pair of threads, then ever more cores.
fn by_cores(head: &str) -> (u64, bool) {
    match head.split_once(' ').and_then(|(n, _)| n.parse().ok()) {
        Some(cores) => (cores, false),
        None => (1, true),
    }
}

fn openssl(of: &Reference) -> Grid<'_> {
    Grid::pivot(
        "machine, processes",
        of.series("openssl-speed-aes-256-ige", "throughput"),
        |m| format!("{}, {}", m.machine, m.integer("threads_implied").unwrap_or_default()),
        |m| format!("{} bytes", m.integer("block_bytes_implied").unwrap_or_default()),
    )
}

fn bc(of: &Reference) -> Grid<'_> {
    let table = |m: &&Measurement| m.kind == "summary" || m.metric == "frequency_nominal";
    let all = of.measurements.iter().filter(|m| m.workload == "bc-7pow999999").filter(table);
    let head = |m: &Measurement| match m.metric.as_str() {
        "elapsed" => "seconds and IPC".into(),
        _ => "frequency on the label".into(),
    };
    Grid::pivot("machine", all, |m| m.machine.clone(), head)
}

/// The pair's gain is computed here: the article states one for all of Intel.
fn prime(of: &Reference) -> Grid<'_> {
    let all: Vec<&Measurement> = of.series("sysbench-cpu-prime", "elapsed").collect();
    let column = |m: &Measurement| match m.integer("threads") {
        Some(1) => "1 core".to_owned(),
        _ => "SMT pair".to_owned(),
    };
    let mut grid = Grid::pivot("system", all.iter().copied(), system, column);
    for one in all.iter().filter(|m| m.integer("threads") == Some(1)) {
        let pair = all.iter().find(|m| system(m) == system(one) && m.integer("threads") == Some(2));
        if let (Some(a), Some(b)) = (one.value, pair.and_then(|m| m.value)) {
            grid.cell(&system(one), "gain of the pair (computed)").derived =
                Some(format!("{:.2}x", a / b));
        }
    }
    grid.level();
    grid
}

fn point_select(of: &Reference) -> Grid<'_> {
    let row = |m: &Measurement| match m.text("transport") {
        Some(t) if t.starts_with("unix socket") => format!("{}, by socket", system(m)),
        _ => system(m),
    };
    let all = of.series("sysbench-point-select", "qps");
    Grid::pivot("system", all, row, cores).sort_columns(by_cores)
}

fn tpcc(of: &Reference) -> Grid<'_> {
    Grid::pivot("system", of.series("tpcc", "tpmC"), system, cores).sort_columns(by_cores)
}

fn stream(of: &Reference) -> Grid<'_> {
    let ends = |m: &&Measurement| m.workload == "lmbench-stream-summary" && m.kind == "summary";
    let head = |m: &Measurement| match m.metric.as_str() {
        "min_latency" => "least ns".into(),
        "max_latency" => "most ns".into(),
        "max_copy_bandwidth" => "most MB/s".into(),
        _ => "least MB/s".into(),
    };
    let row = |m: &Measurement| {
        format!("{} ({} nodes)", m.machine, m.integer("numa_nodes").unwrap_or_default())
    };
    Grid::pivot("machine", of.measurements.iter().filter(ends), row, head)
}

/// Beside each latency the firmware's distance, with which the text says it agrees.
fn lat_mem_rd(of: &Reference) -> Grid<'_> {
    let place = |m: &Measurement| match (m.integer("cpu"), m.integer("cpu_node")) {
        (Some(cpu), _) => format!("{}, CPU {cpu}", m.machine),
        (None, node) => format!("{}, node {}", m.machine, node.unwrap_or_default()),
    };
    let all: Vec<&Measurement> = of.series("lmbench-lat_mem_rd", "latency").collect();
    let mut grid = Grid::pivot("machine, from", all.iter().copied(), place, |_| "ns".into());
    let mut last: Option<(&str, Topology)> = None;
    for m in all {
        if last.as_ref().is_none_or(|(name, _)| *name != m.machine) {
            last = of
                .machine(&m.machine)
                .map(|x| (m.machine.as_str(), records::build(of, x).machine.topology));
        }
        let stated = last.as_ref().and_then(|(_, topology)| numa_distance(topology, m));
        grid.cell(&place(m), "stated distance").derived =
            Some(stated.map_or("not printed".into(), |d| d.to_string()));
    }
    grid.level();
    grid
}

/// Rates computed here from the printed ticks.
fn irq(of: &Reference) -> Grid<'_> {
    let row = |m: &Measurement| {
        format!("{}, {} mode, {}", m.machine, text(m, "mode"), text(m, "column_head"))
    };
    let figures = || of.measurements.iter().filter(|m| m.workload == "irq_test-prime-sieve");
    let table = |m: &&Measurement| m.metric == "tsc_delta" || m.kind == "derived-by-author";
    let head = |m: &Measurement| match m.metric.as_str() {
        "tsc_delta" => "ticks".into(),
        _ => "overhead as printed".into(),
    };
    let mut grid = Grid::pivot("machine, mode, run", figures().filter(table), row, head);
    let base = figures().find(|m| {
        m.metric == "tsc_delta"
            && m.text("mode") == Some("kernel")
            && m.text("column_head") == Some("NO BIND, WITHOUT IRQ")
    });
    if let Some(base) = base.and_then(|m| m.value) {
        for m in figures().filter(|m| m.metric == "tsc_delta") {
            let gives = m.value.map(|ticks| format!("{:.4}%", (ticks / base - 1.0) * 100.0));
            grid.cell(&row(m), "overhead of the ticks (computed)").derived = gives;
        }
    }
    grid.level();
    grid
}

/// Result and index of a machine's UnixBench, by number of processes.
fn of_unixbench<'a>(of: &'a Reference, machine: &'a str) -> Grid<'a> {
    let all = of.of(machine).filter(|m| m.workload == "unixbench");
    let head = |m: &Measurement| {
        let what = match m.metric.as_str() {
            "index_score" => "index",
            other => other,
        };
        match m.integer("processes") {
            Some(1) => format!("{what}, 1 process"),
            Some(n) => format!("{what}, {n} processes"),
            None => what.to_owned(),
        }
    };
    Grid::pivot("test", all, |m| text(m, "test"), head)
}

fn unixbench(of: &Reference) -> Grid<'_> {
    of_unixbench(of, "kunpeng-1630v100-sample")
}

fn unixbench_tlbi(of: &Reference) -> Grid<'_> {
    of_unixbench(of, "unspecified-tlbi-host")
}

fn unixbench_l3(of: &Reference) -> Grid<'_> {
    let all = of.of("kunpeng-l3cut-1die-40c").filter(|m| m.workload == "unixbench");
    let head = |m: &Measurement| match m.integer("l3_ways") {
        Some(ways) => format!("index, {ways} ways"),
        None => "'reduction ratio'".into(),
    };
    Grid::pivot("test", all, |m| text(m, "test"), head)
}

fn pinning(of: &Reference) -> Grid<'_> {
    let all = of.measurements.iter().filter(|m| m.workload == "unixbench-pinning");
    let head = |m: &Measurement| match m.integer("run") {
        Some(run) => format!("{} {run}", text(m, "pinning")),
        None => "gain".into(),
    };
    Grid::pivot("test", all, |m| text(m, "test"), head)
}

/// The stated NUMA distance from the CPU's node to the memory's.
pub fn numa_distance(topology: &Topology, m: &Measurement) -> Option<u32> {
    let number = |name: &str| m.integer(name).and_then(|n| u32::try_from(n).ok());
    let from = number("cpu_node").or_else(|| {
        let cpu = number("cpu")?;
        topology.nodes.iter().find(|n| n.cpus.contains(cpu)).map(|n| n.id)
    })?;
    let to = topology.nodes.iter().position(|n| Some(n.id) == number("mem_node"))?;
    topology.node(from)?.distances.get(to).copied()
}
