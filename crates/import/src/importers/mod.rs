//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod babelstream;
pub mod bash_time;
pub mod core_to_core_csv;
pub mod cpu_list;
pub mod cpuinfo;
pub mod dmidecode;
pub mod geekbench;
pub mod lat_mem_rd;
pub mod likwid_bench;
pub mod likwid_perfctr;
pub mod likwid_topology;
pub mod lmbench_results;
pub mod lmbench_stream;
pub mod lmbench_summary;
pub mod lscpu;
pub mod lscpu_caches;
pub mod lshw;
pub mod lstopo;
pub mod lstopo_console;
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
pub mod yabs;

use crate::importer::Importer;

/// Every importer and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &Importer)] = &[
    ("babelstream", &babelstream::IMPORTER),
    ("bash_time", &bash_time::IMPORTER),
    ("core_to_core_csv", &core_to_core_csv::IMPORTER),
    ("cpu_list", &cpu_list::IMPORTER),
    ("cpuinfo", &cpuinfo::IMPORTER),
    ("dmidecode", &dmidecode::IMPORTER),
    ("geekbench", &geekbench::IMPORTER),
    ("lat_mem_rd", &lat_mem_rd::IMPORTER),
    ("likwid_bench", &likwid_bench::IMPORTER),
    ("likwid_perfctr", &likwid_perfctr::IMPORTER),
    ("likwid_topology", &likwid_topology::IMPORTER),
    ("lmbench_results", &lmbench_results::IMPORTER),
    ("lmbench_stream", &lmbench_stream::IMPORTER),
    ("lmbench_summary", &lmbench_summary::IMPORTER),
    ("lscpu", &lscpu::IMPORTER),
    ("lscpu_caches", &lscpu_caches::IMPORTER),
    ("lshw", &lshw::IMPORTER),
    ("lstopo", &lstopo::IMPORTER),
    ("lstopo_console", &lstopo_console::IMPORTER),
    ("mccalpin_stream", &mccalpin_stream::IMPORTER),
    ("mlc", &mlc::IMPORTER),
    ("multichase", &multichase::IMPORTER),
    ("numactl", &numactl::IMPORTER),
    ("openssl_speed", &openssl_speed::IMPORTER),
    ("passmark", &passmark::IMPORTER),
    ("perf_stat", &perf_stat::IMPORTER),
    ("perfspect", &perfspect::IMPORTER),
    ("pgbench", &pgbench::IMPORTER),
    ("phoronix", &phoronix::IMPORTER),
    ("sbc_bench", &sbc_bench::IMPORTER),
    ("sevenzip", &sevenzip::IMPORTER),
    ("spare_cores", &spare_cores::IMPORTER),
    ("spec_cpu", &spec_cpu::IMPORTER),
    ("stress_ng", &stress_ng::IMPORTER),
    ("sysbench", &sysbench::IMPORTER),
    ("table", &table::IMPORTER),
    ("tpcc", &tpcc::IMPORTER),
    ("unixbench", &unixbench::IMPORTER),
    ("yabs", &yabs::IMPORTER),
];
