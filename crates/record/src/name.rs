//! Names of probes and metrics: those that code refers to, and any other as it stands in a record.
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::{cmp::Ordering, fmt};

/// A name without a variant of its own: of a newer version, another tool, or a probe that nothing refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OtherName(&'static str);

impl OtherName {
    /// Each distinct name is kept once until the program ends, so that names are small and can be copied.
    fn intern(name: &str) -> OtherName {
        static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
        let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        OtherName(names.get(name).copied().unwrap_or_else(|| {
            let kept: &'static str = Box::leak(name.into());
            names.insert(kept);
            kept
        }))
    }
}

/// An enum of names that is read and written as text.
macro_rules! names {
    ($(#[$doc:meta])* $Name:ident: $($Variant:ident = $text:literal,)*) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $Name {
            $(#[doc = concat!("`", $text, "`.")] $Variant,)*
            /// Any other.
            Other(OtherName),
        }

        impl $Name {
            /// The name as it stands in a record.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($Name::$Variant => $text,)*
                    $Name::Other(other) => other.0,
                }
            }
            /// The name as words: `load to use`.
            pub fn words(self) -> String {
                self.as_str().replace('_', " ")
            }
        }

        impl From<&str> for $Name {
            fn from(name: &str) -> $Name {
                match name {
                    $($text => $Name::$Variant,)*
                    other => $Name::Other(OtherName::intern(other)),
                }
            }
        }

        impl PartialEq<&str> for $Name {
            fn eq(&self, name: &&str) -> bool {
                self.as_str() == *name
            }
        }

        impl PartialOrd for $Name {
            fn partial_cmp(&self, other: &$Name) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $Name {
            fn cmp(&self, other: &$Name) -> Ordering {
                self.as_str().cmp(other.as_str())
            }
        }

        impl fmt::Display for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl Serialize for $Name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $Name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<$Name, D::Error> {
                String::deserialize(from).map(|name| name.as_str().into())
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $Name {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> std::borrow::Cow<'static, str> {
                String::schema_name()
            }
            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                String::json_schema(generator)
            }
        }
    };
}

names! {
    /// The source of a measurement: a probe, which has the name of its file, or another tool.
    ProbeId:
    Bandwidth = "bandwidth",
    BandwidthScaling = "bandwidth_scaling",
    Bc = "bc",
    BranchMiss = "branch_miss",
    CacheAllocation = "cache_allocation",
    CacheBandwidth = "cache_bandwidth",
    Compression = "compression",
    Context1 = "context1",
    CoreFrequency = "core_frequency",
    CoreRate = "core_rate",
    CoreToCore = "core_to_core",
    DataContent = "data_content",
    Dhry2reg = "dhry2reg",
    Execl = "execl",
    FalseSharing = "false_sharing",
    Fsbuffer = "fsbuffer",
    Fsdisk = "fsdisk",
    Fstime = "fstime",
    Geekbench = "geekbench",
    Instrument = "instrument",
    KernelOps = "kernel_ops",
    LatMemRd = "lat_mem_rd",
    LikwidBench = "likwid_bench",
    LikwidPerfctr = "likwid_perfctr",
    Lmbench = "lmbench",
    LmbenchStream = "lmbench_stream",
    LoadLatency = "load_latency",
    LoadedFrequency = "loaded_frequency",
    LoadedLatency = "loaded_latency",
    LockCost = "lock_cost",
    Membench = "membench",
    MemoryBound = "memory_bound",
    MlcCaches = "mlc_caches",
    MlcIdle = "mlc_idle",
    MlcLoaded = "mlc_loaded",
    MlcPeak = "mlc_peak",
    Multichase = "multichase",
    NoiseDetours = "noise_detours",
    NoiseFwq = "noise_fwq",
    NumaMatrix = "numa_matrix",
    Openssl = "openssl",
    OpensslSpeed = "openssl_speed",
    PageFault = "page_fault",
    Passmark = "passmark",
    PauseLatency = "pause_latency",
    PerfStat = "perf_stat",
    Perfspect = "perfspect",
    Pgbench = "pgbench",
    Phoronix = "phoronix",
    Pipe = "pipe",
    PointSelect = "point_select",
    Preflight = "preflight",
    Prime = "prime",
    Ramlat = "ramlat",
    ReferenceResult = "reference_result",
    SbcBench = "sbc_bench",
    ScalingRun = "scaling_run",
    Sevenzip = "sevenzip",
    Shell1 = "shell1",
    Shell8 = "shell8",
    SmtPair = "smt_pair",
    SpecCpu = "spec_cpu",
    Spawn = "spawn",
    Stat = "stat",
    Stream = "stream",
    StressNg = "stress_ng",
    Sysbench = "sysbench",
    Syscall = "syscall",
    Table = "table",
    Time = "time",
    Tinymembench = "tinymembench",
    TlbReach = "tlb_reach",
    TlbShootdown = "tlb_shootdown",
    Tpcc = "tpcc",
    UndisturbedSpeed = "undisturbed_speed",
    Unixbench = "unixbench",
    Verify = "verify",
    WhetstoneDouble = "whetstone_double",
}

names! {
    /// A measured quantity (`docs/series.md`).
    Metric:
    Additions = "additions",
    Bandwidth = "bandwidth",
    Baseline = "baseline",
    BogoOps = "bogo_ops",
    BogoOpsPerCpu = "bogo_ops_per_cpu",
    Busy = "busy",
    CacheToCache = "cache_to_cache",
    ClientCpusUsed = "client_cpus_used",
    ClockCost = "clock_cost",
    ClockResolution = "clock_resolution",
    CopyRate = "copy_rate",
    CopyTime = "copy_time",
    Count = "count",
    CpuTime = "cpu_time",
    CpusUsed = "cpus_used",
    Cycles = "cycles",
    CyclesUser = "cycles_user",
    Elapsed = "elapsed",
    Events = "events",
    Fairness = "fairness",
    Frequency = "frequency",
    IdleLatency = "idle_latency",
    Index = "index",
    Injected = "injected",
    Instructions = "instructions",
    InstructionsUser = "instructions_user",
    InterruptsOff = "interrupts_off",
    InvoluntarySwitches = "involuntary_switches",
    Ipc = "ipc",
    IpcOfMachine = "ipc_of_machine",
    IpcUser = "ipc_user",
    KernelShare = "kernel_share",
    Late = "late",
    Latency = "latency",
    Latency50 = "latency_50",
    Latency90 = "latency_90",
    Latency95 = "latency_95",
    Latency99 = "latency_99",
    Latency999 = "latency_99.9",
    LatencyBeyondL1 = "latency_beyond_l1",
    LatencyLeast = "latency_least",
    LatencyMean = "latency_mean",
    LatencyMost = "latency_most",
    LoadToUse = "load_to_use",
    LoadedLatency = "loaded_latency",
    LoopOverhead = "loop_overhead",
    Lost = "lost",
    MajorFaults = "major_faults",
    MinorFaults = "minor_faults",
    Moved = "moved",
    NewOrders = "new_orders",
    OneWay = "one_way",
    Op = "op",
    PagesPerFault = "pages_per_fault",
    PassTime = "pass_time",
    Power = "power",
    Preemptions = "preemptions",
    Queries = "queries",
    Rate = "rate",
    Rating = "rating",
    RoundTrip = "round_trip",
    Runnable = "runnable",
    Score = "score",
    Sign = "sign",
    Stalls = "stalls",
    StaticRate = "static_rate",
    Steal = "steal",
    Swap = "swap",
    Switches = "switches",
    System = "system",
    Throughput = "throughput",
    TickCost = "tick_cost",
    TickRate = "tick_rate",
    Time = "time",
    TimeOf10000Events = "time_of_10000_events",
    TimePerAdd = "time_per_add",
    TimePerBranch = "time_per_branch",
    TimePerCall = "time_per_call",
    TimePerDivide = "time_per_divide",
    TimePerElement = "time_per_element",
    TimePerEvent = "time_per_event",
    TimePerFault = "time_per_fault",
    TimePerHint = "time_per_hint",
    TimePerOp = "time_per_op",
    TimePerPage = "time_per_page",
    TimePerPass = "time_per_pass",
    TimePerRequest = "time_per_request",
    TimePerStep = "time_per_step",
    TimePerTurn = "time_per_turn",
    Transactions = "transactions",
    Turns = "turns",
    User = "user",
    Verify = "verify",
    VoluntarySwitches = "voluntary_switches",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_survives_json_and_is_kept_once() {
        for name in ["load_latency", "core_rates", "", "a \"quoted\" one"] {
            let id = ProbeId::from(name);
            let json = serde_json::to_string(&id).unwrap();
            assert_eq!(json, serde_json::to_string(name).unwrap());
            assert_eq!(serde_json::from_str::<ProbeId>(&json).unwrap(), id);
            assert_eq!(
                id.as_str().as_ptr(),
                ProbeId::from(name.to_owned().as_str()).as_str().as_ptr()
            );
        }
        assert_eq!(ProbeId::from("load_latency"), ProbeId::LoadLatency);
        assert!(matches!(ProbeId::from("core_rates"), ProbeId::Other(_)));
    }

    #[test]
    fn names_sort_as_text() {
        let mut all = ["tpcc", "a tool", "bandwidth"].map(ProbeId::from);
        all.sort_unstable();
        assert_eq!(all.map(ProbeId::as_str), ["a tool", "bandwidth", "tpcc"]);
    }
}
