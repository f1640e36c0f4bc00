//! The units that the sources print, in the record's base units.
use record::Unit;

/// The base unit and the factor to it; nothing for a unit that no source has.
///
/// Sizes of memory are powers of two, as memory is sold; `KBps` is UnixBench's, 1024 bytes; kB and MB of openssl and lmbench
/// are powers of ten.
pub(crate) fn unit(printed: &str) -> Option<(Unit, f64)> {
    Some(match printed {
        "s" => (Unit::Seconds, 1.0),
        "ns" => (Unit::Seconds, 1e-9),
        "kB/s" => (Unit::BytesPerSecond, 1e3),
        "MB/s" => (Unit::BytesPerSecond, 1e6),
        "KBps" => (Unit::BytesPerSecond, 1024.0),
        "GB" | "GiB" => (Unit::Bytes, 1_073_741_824.0),
        "TB" => (Unit::Bytes, 1_099_511_627_776.0),
        "GHz" => (Unit::Hertz, 1e9),
        "MHz" => (Unit::Hertz, 1e6),
        "MT/s" => (Unit::TransfersPerSecond, 1e6),
        "QPS" | "lps" => (Unit::PerSecond, 1.0),
        "MWIPS" => (Unit::PerSecond, 1e6),
        "tpmC" | "lpm" => (Unit::PerSecond, 1.0 / 60.0),
        "insn/cycle" => (Unit::PerCycle, 1.0),
        "%" => (Unit::Ratio, 0.01),
        "x" => (Unit::Ratio, 1.0),
        // A tick of the time stamp counter is no cycle of the core, and a score has no unit that is printed.
        "count" | "cores" | "tsc_ticks" | "index" | "score" | "V" => (Unit::Count, 1.0),
        _ => return None,
    })
}
