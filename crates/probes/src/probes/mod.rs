//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod bandwidth;
pub mod bandwidth_scaling;
pub mod bc;
pub mod branch_miss;
pub mod cache_allocation;
pub mod cache_bandwidth;
pub mod context1;
pub mod core_frequency;
pub mod core_rate;
pub mod core_to_core;
pub mod data_content;
pub mod dhry2reg;
pub mod execl;
pub mod false_sharing;
pub mod fsbuffer;
pub mod fsdisk;
pub mod fstime;
pub mod instrument;
pub mod kernel_ops;
pub mod lat_mem_rd;
pub mod lmbench_stream;
pub mod load_latency;
pub mod loaded_frequency;
pub mod loaded_latency;
pub mod lock_cost;
pub mod memory_bound;
pub mod noise_detours;
pub mod noise_fwq;
pub mod numa_matrix;
pub mod openssl;
pub mod page_fault;
pub mod pause_latency;
pub mod pipe;
pub mod point_select;
pub mod preflight;
pub mod prime;
pub mod scaling_run;
pub mod shell1;
pub mod shell8;
pub mod smt_pair;
pub mod spawn;
pub mod stream;
pub mod syscall;
pub mod tlb_reach;
pub mod tlb_shootdown;
pub mod tpcc;
pub mod undisturbed_speed;
pub mod verify;
pub mod whetstone_double;

use measure::probe::Probe;

/// Every probe and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &Probe)] = &[
    ("bandwidth", &bandwidth::PROBE),
    ("bandwidth_scaling", &bandwidth_scaling::PROBE),
    ("bc", &bc::PROBE),
    ("branch_miss", &branch_miss::PROBE),
    ("cache_allocation", &cache_allocation::PROBE),
    ("cache_bandwidth", &cache_bandwidth::PROBE),
    ("context1", &context1::PROBE),
    ("core_frequency", &core_frequency::PROBE),
    ("core_rate", &core_rate::PROBE),
    ("core_to_core", &core_to_core::PROBE),
    ("data_content", &data_content::PROBE),
    ("dhry2reg", &dhry2reg::PROBE),
    ("execl", &execl::PROBE),
    ("false_sharing", &false_sharing::PROBE),
    ("fsbuffer", &fsbuffer::PROBE),
    ("fsdisk", &fsdisk::PROBE),
    ("fstime", &fstime::PROBE),
    ("instrument", &instrument::PROBE),
    ("kernel_ops", &kernel_ops::PROBE),
    ("lat_mem_rd", &lat_mem_rd::PROBE),
    ("lmbench_stream", &lmbench_stream::PROBE),
    ("load_latency", &load_latency::PROBE),
    ("loaded_frequency", &loaded_frequency::PROBE),
    ("loaded_latency", &loaded_latency::PROBE),
    ("lock_cost", &lock_cost::PROBE),
    ("memory_bound", &memory_bound::PROBE),
    ("noise_detours", &noise_detours::PROBE),
    ("noise_fwq", &noise_fwq::PROBE),
    ("numa_matrix", &numa_matrix::PROBE),
    ("openssl", &openssl::PROBE),
    ("page_fault", &page_fault::PROBE),
    ("pause_latency", &pause_latency::PROBE),
    ("pipe", &pipe::PROBE),
    ("point_select", &point_select::PROBE),
    ("preflight", &preflight::PROBE),
    ("prime", &prime::PROBE),
    ("scaling_run", &scaling_run::PROBE),
    ("shell1", &shell1::PROBE),
    ("shell8", &shell8::PROBE),
    ("smt_pair", &smt_pair::PROBE),
    ("spawn", &spawn::PROBE),
    ("stream", &stream::PROBE),
    ("syscall", &syscall::PROBE),
    ("tlb_reach", &tlb_reach::PROBE),
    ("tlb_shootdown", &tlb_shootdown::PROBE),
    ("tpcc", &tpcc::PROBE),
    ("undisturbed_speed", &undisturbed_speed::PROBE),
    ("verify", &verify::PROBE),
    ("whetstone_double", &whetstone_double::PROBE),
];
