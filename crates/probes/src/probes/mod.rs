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
pub static ALL: &[(&str, &dyn Probe)] = &[
    ("bandwidth", &bandwidth::Bandwidth),
    ("bandwidth_scaling", &bandwidth_scaling::BandwidthScaling),
    ("bc", &bc::Bc),
    ("branch_miss", &branch_miss::BranchMiss),
    ("cache_allocation", &cache_allocation::CacheAllocation),
    ("cache_bandwidth", &cache_bandwidth::CacheBandwidth),
    ("context1", &context1::Context1),
    ("core_frequency", &core_frequency::CoreFrequency),
    ("core_rate", &core_rate::CoreRate),
    ("core_to_core", &core_to_core::CoreToCore),
    ("data_content", &data_content::DataContent),
    ("dhry2reg", &dhry2reg::Dhry2reg),
    ("execl", &execl::Execl),
    ("false_sharing", &false_sharing::FalseSharing),
    ("fsbuffer", &fsbuffer::Fsbuffer),
    ("fsdisk", &fsdisk::Fsdisk),
    ("fstime", &fstime::Fstime),
    ("instrument", &instrument::Instrument),
    ("kernel_ops", &kernel_ops::KernelOps),
    ("lat_mem_rd", &lat_mem_rd::LatMemRd),
    ("lmbench_stream", &lmbench_stream::LmbenchStream),
    ("load_latency", &load_latency::LoadLatency),
    ("loaded_frequency", &loaded_frequency::LoadedFrequency),
    ("loaded_latency", &loaded_latency::LoadedLatency),
    ("lock_cost", &lock_cost::LockCost),
    ("memory_bound", &memory_bound::MemoryBound),
    ("noise_detours", &noise_detours::NoiseDetours),
    ("noise_fwq", &noise_fwq::NoiseFwq),
    ("numa_matrix", &numa_matrix::NumaMatrix),
    ("openssl", &openssl::Openssl),
    ("page_fault", &page_fault::PageFault),
    ("pause_latency", &pause_latency::PauseLatency),
    ("pipe", &pipe::Pipe),
    ("point_select", &point_select::PointSelect),
    ("preflight", &preflight::Preflight),
    ("prime", &prime::Prime),
    ("scaling_run", &scaling_run::ScalingRun),
    ("shell1", &shell1::Shell1),
    ("shell8", &shell8::Shell8),
    ("smt_pair", &smt_pair::SmtPair),
    ("spawn", &spawn::Spawn),
    ("stream", &stream::Stream),
    ("syscall", &syscall::Syscall),
    ("tlb_reach", &tlb_reach::TlbReach),
    ("tlb_shootdown", &tlb_shootdown::TlbShootdown),
    ("tpcc", &tpcc::Tpcc),
    ("undisturbed_speed", &undisturbed_speed::UndisturbedSpeed),
    ("verify", &verify::Verify),
    ("whetstone_double", &whetstone_double::WhetstoneDouble),
];
