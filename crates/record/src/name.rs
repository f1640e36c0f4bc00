//! Names of probes and metrics: those that code refers to, and any other as it stands in a record.
use crate::named::name_of;
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

/// A type that has `as_str` and is made from `&str` is compared, ordered, shown and serialized as that text.
macro_rules! of_text {
    ($Name:ident) => {
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
pub(crate) use of_text;

/// An enum of names that is read and written as text: the variants' names in snake case, but for those that say another.
macro_rules! names {
    ($(#[$doc:meta])* $Name:ident: $($Variant:ident $(= $text:literal)?)*) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $Name {
            $(
                #[doc = concat!("`", stringify!($Variant), "` in snake case" $(, ", but `", $text, "`")?, ".")]
                $Variant,
            )*
            /// Any other.
            Other(OtherName),
        }

        impl $Name {
            /// The name as it stands in a record.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($Name::$Variant => name_of!($Variant $(, $text)?),)*
                    $Name::Other(other) => other.0,
                }
            }
            /// The name as words: `load to use`.
            pub fn words(self) -> String {
                self.as_str().replace('_', " ")
            }
        }

        impl From<&str> for $Name {
            #[allow(non_upper_case_globals, reason = "they are named as the variants are")]
            fn from(name: &str) -> $Name {
                $(const $Variant: &str = name_of!($Variant $(, $text)?);)*
                match name {
                    $($Variant => $Name::$Variant,)*
                    other => $Name::Other(OtherName::intern(other)),
                }
            }
        }

        of_text!($Name);
    };
}

names! {
    /// The source of a measurement: a probe, which has the name of its file, or another tool.
    ProbeId:
        Bandwidth BandwidthScaling Bc BranchMiss CacheAllocation CacheBandwidth Compression Context1 CoreFrequency
        CoreRate CoreToCore DataContent Dhry2reg Execl FalseSharing Fsbuffer Fsdisk Fstime Geekbench Instrument
        KernelOps LatMemRd LikwidBench LikwidPerfctr Lmbench LmbenchStream LoadLatency LoadedFrequency LoadedLatency
        LockCost Membench MemoryBound MlcCaches MlcIdle MlcLoaded MlcPeak Multichase NoiseDetours NoiseFwq NumaMatrix
        Openssl OpensslSpeed PageFault Passmark PauseLatency PerfStat Perfspect Pgbench Phoronix Pipe PointSelect
        Preflight Prime Ramlat ReferenceResult SbcBench ScalingRun Sevenzip Shell1 Shell8 SmtPair SpecCpu Spawn Stat
        Stream StressNg Sysbench Syscall Table Time Tinymembench TlbReach TlbShootdown Tpcc UndisturbedSpeed Unixbench
        Verify WhetstoneDouble
}

names! {
    /// A measured quantity (`docs/series.md`).
    Metric:
        Additions Bandwidth Baseline BogoOps BogoOpsPerCpu Busy CacheToCache ClientCpusUsed ClockCost ClockResolution
        CopyRate CopyTime Count CpuTime CpusUsed Cycles CyclesUser Elapsed Events Fairness Frequency IdleLatency Index
        Injected Instructions InstructionsUser InterruptsOff InvoluntarySwitches Ipc IpcOfMachine IpcUser KernelShare
        Late Latency Latency50 = "latency_50" Latency90 = "latency_90" Latency95 = "latency_95"
        Latency99 = "latency_99" Latency999 = "latency_99.9" LatencyBeyondL1 LatencyLeast LatencyMean LatencyMost
        LoadToUse LoadedLatency LoopOverhead Lost MajorFaults MinorFaults Moved NewOrders OneWay Op PagesPerFault
        PassTime Power Preemptions Queries Rate Rating RoundTrip Runnable Score Sign Stalls StaticRate Steal Swap
        Switches System Throughput TickCost TickRate Time TimeOf10000Events = "time_of_10000_events" TimePerAdd
        TimePerBranch TimePerCall TimePerDivide TimePerElement TimePerEvent TimePerFault TimePerHint TimePerOp
        TimePerPage TimePerPass TimePerRequest TimePerStep TimePerTurn Transactions Turns User Verify
        VoluntarySwitches
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
    fn names_are_those_of_the_variants_in_snake_case() {
        let names = [Metric::LatencyBeyondL1, Metric::Latency999, Metric::Op].map(Metric::as_str);
        assert_eq!(names, ["latency_beyond_l1", "latency_99.9", "op"]);
        assert_eq!(ProbeId::from("lat_mem_rd"), ProbeId::LatMemRd);
    }

    #[test]
    fn names_sort_as_text() {
        let mut all = ["tpcc", "a tool", "bandwidth"].map(ProbeId::from);
        all.sort_unstable();
        assert_eq!(all.map(ProbeId::as_str), ["a tool", "bandwidth", "tpcc"]);
    }
}
