//! Subjects of a comparison: rows of one subject are one difference, however many of them a tool prints.
use super::{Group, Quantity, Row};
use crate::quantities::{FAR, NEAR};
use crate::say;
use record::{Better, Message, Metric, ProbeId, Text, Unit, Value};

record::named! {
    /// A subject; its name in snake case ends its message.
    #[derive(serde::Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum SubjectKind {
        /// Core frequency as measured.
        CoreFrequency = "core_frequency",
        /// Instructions of each kind on one core.
        CoreRate = "core_rate",
        /// Prime tests.
        Primes = "primes",
        /// Long numbers: `bc`.
        LongNumbers = "long_numbers",
        /// Ciphers and digests.
        Cryptography = "cryptography",
        /// 7-zip.
        Compression = "compression",
        /// Other programs, by time or throughput.
        Program = "program",
        /// UnixBench.
        Unixbench = "unixbench",
        /// TPC-C-like loads.
        Tpcc = "tpcc",
        /// Point select and other queries.
        Queries = "queries",
        /// Caches.
        CacheLatency = "cache_latency",
        /// Memory of the own NUMA node.
        MemoryLatency = "memory_latency",
        /// Memory of another NUMA node of the socket.
        NearMemoryLatency = "near_memory_latency",
        /// Memory of another socket.
        FarMemoryLatency = "far_memory_latency",
        /// Memory whose NUMA node is unknown.
        OtherMemoryLatency = "other_memory_latency",
        /// Address translation.
        Translation = "translation",
        /// Caches.
        CacheBandwidth = "cache_bandwidth",
        /// Memory, by one core.
        CoreBandwidth = "core_bandwidth",
        /// Memory, by several cores.
        Bandwidth = "bandwidth",
        /// Another node of the socket.
        NearBandwidth = "near_bandwidth",
        /// Another socket's memory.
        FarBandwidth = "far_bandwidth",
        /// Latency under load.
        Loaded = "loaded",
        /// Between cores.
        CoreToCore = "core_to_core",
        /// Page faults, TLB shootdowns.
        MemoryManagement = "memory_management",
        /// System calls and OS noise.
        System = "system",
        /// Figures of another tool.
        Tool = "tool",
    }
}

/// A subject, and which program or tool it is about where there are several.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Subject {
    /// Its kind.
    pub kind: SubjectKind,
    /// A workload, a server, a tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Whether it ran on both threads of one core: a mean over these and whole cores would be of neither.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub smt_pair: bool,
    /// Whether one thread ran, of a program that also runs on many: a mean over both would be of neither.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub one_thread: bool,
}

impl Subject {
    /// What it ran on, where that is not all there is.
    pub fn on(&self) -> Option<Message> {
        match (self.smt_pair, self.one_thread) {
            (true, _) => Some(say::ON_SMT_PAIR),
            (_, true) if self.kind == SubjectKind::Unixbench => Some(say::ON_ONE_COPY),
            (_, true) => Some(say::ON_ONE_THREAD),
            _ => None,
        }
    }
    /// In words.
    pub fn words(&self) -> Text {
        let kind = match self.kind {
            SubjectKind::Bandwidth => Group::MachineBandwidth.name().into(),
            SubjectKind::CoreBandwidth => Group::CoreBandwidth.name().into(),
            SubjectKind::Translation => Group::Translation.name().into(),
            SubjectKind::Loaded => Group::Loaded.name().into(),
            kind => kind.name().replace('_', " "),
        };
        let of = self.of.as_deref().unwrap_or_default();
        let (name, of) = match self.kind {
            SubjectKind::Program | SubjectKind::Tool if !of.is_empty() => (of, ""),
            _ => (kind.as_str(), of),
        };
        match (of, self.on()) {
            ("", None) => name.into(),
            ("", Some(on)) => say::subject_on(name, on),
            (of, None) => say::subject_on(name, of),
            (of, Some(on)) => say::subject_of_on(name, of, on),
        }
    }
}

/// Whether a program keeps to its registers and caches, so that the operating system has no part in it.
pub(super) fn computes(quantity: &Quantity) -> bool {
    match quantity.probe {
        ProbeId::Prime | ProbeId::Bc | ProbeId::Openssl | ProbeId::OpensslSpeed => true,
        ProbeId::CoreRate | ProbeId::CoreFrequency | ProbeId::BranchMiss => true,
        ProbeId::Sevenzip => true,
        ProbeId::Sysbench => quantity.at.get("test").and_then(Value::text) == Some("cpu"),
        _ => false,
    }
}

/// Whether it ran on both threads of one core.
pub(super) fn on_smt_pair(quantity: &Quantity) -> bool {
    let step = quantity.at.get("placement").or(quantity.at.get("step")).and_then(Value::text);
    step.is_some_and(|step| step.ends_with("SMT pair"))
}

/// Whether one thread or copy of it ran.
fn on_one_thread(quantity: &Quantity) -> bool {
    let one = |name: &&str| match quantity.at.get(*name) {
        Some(Value::Text(count)) => ["one", "1"].contains(&&**count),
        Some(count) => count.number() == Some(1.0),
        None => false,
    };
    ["thread_count", "threads", "copies", "processes"].iter().any(one)
}

/// The workload of a published figure, with its unit where that is none of a record's.
fn in_own_words(quantity: &Quantity) -> Option<String> {
    let text = |name: &str| quantity.at.get(name).and_then(Value::text);
    let workload = text("workload")?;
    Some(match text("in") {
        Some(unit) => format!("{workload}, {}", unit.replace('_', " ")),
        None => workload.to_owned(),
    })
}

/// The subject of a row; nothing where neither more nor less is better, where another row says the same, or where the two are
/// not of one distance.
pub(super) fn of(row: &Row) -> Option<Subject> {
    let quantity = &*row.quantity;
    let text = |name: &str| quantity.at.get(name).map(ToString::to_string);
    // A node's number is one machine's: nothing tells whether two of a number are equally far.
    if quantity.better == Better::Neither || quantity.at.contains_key("memory") {
        return None;
    }
    // The worst over all pairs is one of the farthest, wherever that is.
    if text("statistic").as_deref() == Some("least of all runs")
        && quantity.probe == ProbeId::LmbenchStream
    {
        return None;
    }
    let smt_pair = on_smt_pair(quantity);
    use SubjectKind as S;
    let one = on_one_thread(quantity);
    let named = |kind, of: Option<String>| {
        let splits = matches!(kind, S::Compression | S::Cryptography | S::Tool | S::Unixbench);
        Some(Subject { kind, of, smt_pair, one_thread: one && splits && !smt_pair })
    };
    let plain = |kind| named(kind, None);
    let far = match text("between").as_deref() {
        Some(NEAR) => Some((S::NearMemoryLatency, S::NearBandwidth)),
        Some(FAR | "another node") => Some((S::FarMemoryLatency, S::FarBandwidth)),
        _ => None,
    };
    let latency = |kind| plain(far.map_or(kind, |(latency, _)| latency));
    let bandwidth = |kind| plain(far.map_or(kind, |(_, bandwidth)| bandwidth));
    match (quantity.probe, quantity.metric) {
        // Time and rate of one loop are one observation.
        (ProbeId::LmbenchStream, _) if quantity.unit == Unit::Seconds => None,
        // A chain of multiplications has a rate, and no frequency.
        (ProbeId::CoreFrequency, _) if text("chain").is_some_and(|chain| chain != "add") => None,
        (ProbeId::CoreFrequency, _) => plain(S::CoreFrequency),
        // Whether two CPUs share a core is no speed of one.
        (ProbeId::SmtPair, _) => None,
        (ProbeId::Prime, _) => plain(S::Primes),
        (ProbeId::Sysbench, _) if text("test").as_deref() == Some("cpu") => plain(S::Primes),
        (ProbeId::Sysbench, Metric::Queries | Metric::Transactions) => {
            named(S::Queries, text("server"))
        }
        (ProbeId::PointSelect, Metric::Throughput) => named(S::Queries, text("engine")),
        (ProbeId::Tpcc, Metric::Throughput) => named(S::Tpcc, text("engine")),
        (ProbeId::Tpcc, Metric::NewOrders) => named(S::Tpcc, text("server")),
        (ProbeId::Pgbench, Metric::Transactions) => {
            named(S::Queries, text("script").map(|script| format!("pgbench {script}")))
        }
        (ProbeId::Sysbench | ProbeId::PointSelect | ProbeId::Tpcc | ProbeId::Pgbench, _) => None,
        (ProbeId::Bc, Metric::Elapsed) => plain(S::LongNumbers),
        (ProbeId::Bc, _) => None,
        (ProbeId::Openssl | ProbeId::OpensslSpeed, _) => plain(S::Cryptography),
        (ProbeId::Sevenzip, _) => plain(S::Compression),
        (ProbeId::ScalingRun, Metric::Throughput) => named(S::Program, text("workload")),
        (ProbeId::Stat | ProbeId::PerfStat | ProbeId::Time, Metric::Elapsed) => {
            let program = text("command").or(text("of")).or(text("task"));
            let is_bc =
                |p: &String| p.split(|c: char| !c.is_alphanumeric()).any(|word| word == "bc");
            match program.filter(|p| !is_bc(p)) {
                Some(program) => named(S::Program, Some(program)),
                None => plain(S::LongNumbers),
            }
        }
        (ProbeId::ScalingRun | ProbeId::Stat | ProbeId::PerfStat | ProbeId::Time, _) => None,
        (ProbeId::NumaMatrix, _) => match quantity.unit {
            Unit::Seconds => latency(S::MemoryLatency),
            // Other tools' matrices are of all CPUs of a node.
            Unit::BytesPerSecond if quantity.foreign => far.and_then(|(_, far)| plain(far)),
            Unit::BytesPerSecond => bandwidth(S::CoreBandwidth),
            _ => None,
        },
        (ProbeId::ReferenceResult, _) => named(S::Program, in_own_words(quantity)),
        (ProbeId::Table | ProbeId::Preflight, _) => None,
        // What loads memory is a condition of the latency under it.
        (ProbeId::LoadedLatency, Metric::Injected) => None,
        _ => match row.group {
            Group::Core => plain(S::CoreRate),
            Group::CacheLatency => plain(S::CacheLatency),
            Group::MemoryLatency => latency(S::MemoryLatency),
            // Another tool's buffer beside a cache of unknown size.
            Group::MixedLatency if quantity.foreign => latency(S::OtherMemoryLatency),
            Group::MixedLatency | Group::Instrument => None,
            Group::Translation => plain(S::Translation),
            Group::CacheBandwidth => plain(S::CacheBandwidth),
            Group::CoreBandwidth => bandwidth(S::CoreBandwidth),
            Group::MachineBandwidth => bandwidth(S::Bandwidth),
            Group::Loaded => plain(S::Loaded),
            Group::Nodes => None,
            Group::CoreToCore => plain(S::CoreToCore),
            Group::MemoryManagement => plain(S::MemoryManagement),
            Group::System => plain(S::System),
            Group::UnixBench => plain(S::Unixbench),
            // An index is a rate over a constant.
            _ if quantity.probe == ProbeId::Unixbench => plain(S::Unixbench),
            Group::Tasks => named(S::Program, Some(quantity.probe.words())),
            Group::Databases | Group::Other => named(S::Tool, Some(quantity.probe.words())),
        },
    }
}
