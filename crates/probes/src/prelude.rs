//! Names that nearly every probe uses: the trait, the bench it times through, and the parts of the record that it fills.
pub(crate) use crate::placement_check;
pub(crate) use kernels::Line;
pub(crate) use measure::{
    bench::{self, Bench},
    memory_kernels, place,
    probe::{Depth, Probe, Setting},
    threads,
    timing::{Limits, Timed},
};
pub(crate) use record::{
    Better, Case, CpuSet, Machine, Metric, Pages, ProbeId, Reason, Series, Unit, param,
};
