//! The document everything passes along: what was observed, on what, how, and where each value
//! came from. No I/O, no clock, nothing derived: see `docs/adr/0001` and `0002`.
#![deny(missing_docs)]

mod case;
mod cpuset;
mod device;
mod groups;
mod json;
mod machine;
mod message;
mod name;
mod named;
mod noise;
mod outcome;
pub mod param;
mod record;
mod relation;
mod sort;
mod source;
mod text;
mod time;
mod toml;
mod topology;
mod unit;
pub mod unixbench;
mod zst;

pub use case::{Case, Pages, Placement, Value};
pub use cpuset::{CpuSet, CpuSetError};
pub use device::{Device, DeviceKind, Link, Queues};
pub use groups::{counts, distinct, groups, sets};
pub use json::{LoadError, MAX_BYTES, from_slice, from_slice_of, to_vec};
pub use machine::{Fact, FactValue, Machine};
pub use message::{Between, Lang, Message, Text};
pub use name::{Metric, OtherName, ProbeId};
pub use named::stored_name;
pub use noise::{Cause, Detour, Detours, FixedWork, Histogram, Task};
pub use outcome::{
    Buffer, Disturbed, INJECTORS_PAUSED, ONE_CORE, OTHER_PLACEMENT, OrWhy, Outcome, Reading,
    Reason, Run, Series, Thread, Visit,
};
pub use record::{Environment, Judgement, Provenance, Record, ReferenceSample, SCHEMA};
pub use relation::{Relation, Relations};
pub use sort::Sort;
pub use source::{Origin, Publication, Source, Warning, WarningKind};
pub use text::{hostile, invisible, json_escaped, printable, printed, visible};
pub use time::{minute, rfc3339, seconds_since_1970};
pub use toml::from_toml;
pub use topology::{Cache, CacheKind, Cpu, Dimm, HugePool, Node, Topology};
pub use unit::{Better, Unit};
pub use zst::{compressed, decompressed, plain};
