//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod bash_time;
pub mod core_to_core_csv;
pub mod cpu_list;
pub mod cpuinfo;
pub mod dmidecode;
pub mod geekbench;
pub mod lat_mem_rd;
pub mod likwid_bench;
pub mod likwid_perfctr;
pub mod lmbench_results;
pub mod lmbench_stream;
pub mod lmbench_summary;
pub mod lscpu;
pub mod lshw;
pub mod lstopo;
pub mod mccalpin_stream;
pub mod mlc;
pub mod multichase;
pub mod numactl;
pub mod openssl_speed;
pub mod passmark;
pub mod perf_stat;
pub mod perfspect;
pub mod pgbench;
pub mod phoronix;
pub mod sbc_bench;
pub mod sevenzip;
pub mod spare_cores;
pub mod spec_cpu;
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
    ("geekbench", &geekbench::Geekbench),
    ("lat_mem_rd", &lat_mem_rd::LatMemRd),
    ("likwid_bench", &likwid_bench::LikwidBench),
    ("likwid_perfctr", &likwid_perfctr::LikwidPerfctr),
    ("lmbench_results", &lmbench_results::LmbenchResults),
    ("lmbench_stream", &lmbench_stream::LmbenchStream),
    ("lmbench_summary", &lmbench_summary::LmbenchSummary),
    ("lscpu", &lscpu::Lscpu),
    ("lshw", &lshw::Lshw),
    ("lstopo", &lstopo::Lstopo),
    ("mccalpin_stream", &mccalpin_stream::MccalpinStream),
    ("mlc", &mlc::Mlc),
    ("multichase", &multichase::Multichase),
    ("numactl", &numactl::Numactl),
    ("openssl_speed", &openssl_speed::OpensslSpeed),
    ("passmark", &passmark::Passmark),
    ("perf_stat", &perf_stat::PerfStat),
    ("perfspect", &perfspect::Perfspect),
    ("pgbench", &pgbench::Pgbench),
    ("phoronix", &phoronix::Phoronix),
    ("sbc_bench", &sbc_bench::SbcBench),
    ("sevenzip", &sevenzip::Sevenzip),
    ("spare_cores", &spare_cores::SpareCores),
    ("spec_cpu", &spec_cpu::SpecCpu),
    ("stress_ng", &stress_ng::StressNg),
    ("sysbench", &sysbench::Sysbench),
    ("table", &table::Table),
    ("tpcc", &tpcc::Tpcc),
    ("unixbench", &unixbench::Unixbench),
];
