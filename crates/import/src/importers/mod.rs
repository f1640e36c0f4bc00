//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod bash_time;
pub mod core_to_core_csv;
pub mod cpu_list;
pub mod cpuinfo;
pub mod dmidecode;
pub mod lat_mem_rd;
pub mod likwid_bench;
pub mod lmbench_stream;
pub mod lscpu;
pub mod lshw;
pub mod lstopo;
pub mod mccalpin_stream;
pub mod mlc;
pub mod multichase;
pub mod numactl;
pub mod openssl_speed;
pub mod perf_stat;
pub mod perfspect;
pub mod sbc_bench;
pub mod sevenzip;
pub mod stress_ng;
pub mod sysbench;
pub mod table;
pub mod tpcc;
pub mod unixbench;

use crate::importer::Importer;

/// Every importer and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &dyn Importer)] = &[
    ("bash_time", &bash_time::BashTime),
    ("core_to_core_csv", &core_to_core_csv::CoreToCoreCsv),
    ("cpu_list", &cpu_list::CpuList),
    ("cpuinfo", &cpuinfo::Cpuinfo),
    ("dmidecode", &dmidecode::Dmidecode),
    ("lat_mem_rd", &lat_mem_rd::LatMemRd),
    ("likwid_bench", &likwid_bench::LikwidBench),
    ("lmbench_stream", &lmbench_stream::LmbenchStream),
    ("lscpu", &lscpu::Lscpu),
    ("lshw", &lshw::Lshw),
    ("lstopo", &lstopo::Lstopo),
    ("mccalpin_stream", &mccalpin_stream::MccalpinStream),
    ("mlc", &mlc::Mlc),
    ("multichase", &multichase::Multichase),
    ("numactl", &numactl::Numactl),
    ("openssl_speed", &openssl_speed::OpensslSpeed),
    ("perf_stat", &perf_stat::PerfStat),
    ("perfspect", &perfspect::Perfspect),
    ("sbc_bench", &sbc_bench::SbcBench),
    ("sevenzip", &sevenzip::Sevenzip),
    ("stress_ng", &stress_ng::StressNg),
    ("sysbench", &sysbench::Sysbench),
    ("table", &table::Table),
    ("tpcc", &tpcc::Tpcc),
    ("unixbench", &unixbench::Unixbench),
];
