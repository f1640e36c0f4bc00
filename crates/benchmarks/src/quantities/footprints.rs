//! Buffers of tests whose figures are quoted as those of memory, against the last-level cache: of own runs as measured, else as
//! other tools state their size.
use record::{Metric, ProbeId, Record, Run, param};

/// `lat_mem_rd` and `load_latency` go over sizes and say which are which.
const OF_MEMORY: &[ProbeId] = &[
    ProbeId::Bandwidth,
    ProbeId::BandwidthScaling,
    ProbeId::DataContent,
    ProbeId::LmbenchStream,
    ProbeId::LoadedLatency,
    ProbeId::NumaMatrix,
    ProbeId::Stream,
];

/// A buffer.
#[derive(Debug, Clone, PartialEq)]
pub struct Footprint<'a> {
    /// The run that used it.
    pub run: &'a Run,
    /// Its size.
    pub bytes: u64,
    /// Its ratio to the last-level cache.
    pub over_cache: f64,
}

/// Footprints of own runs, else those that other tools state; none where the cache is not known.
pub fn footprints(record: &Record) -> Vec<Footprint<'_>> {
    let runs = || record.runs.iter().filter(|r| OF_MEMORY.contains(&r.case.probe));
    let own: Vec<Footprint<'_>> =
        runs().filter(|r| r.origin.is_none()).flat_map(measured).collect();
    if !own.is_empty() {
        return own;
    }
    let Some(cache) = last_level(record) else { return vec![] };
    let of = |run| {
        stated(run).map(move |bytes| Footprint { run, bytes, over_cache: bytes as f64 / cache })
    };
    runs().filter(|r| r.origin.is_some()).filter_map(of).collect()
}

fn measured(run: &Run) -> impl Iterator<Item = Footprint<'_>> {
    let series = run.series().iter().filter(|s| s.metric != Metric::Injected);
    series.filter_map(move |s| {
        let buffer = s.buffer.as_ref()?;
        Some(Footprint { run, bytes: buffer.bytes, over_cache: buffer.llc_ratio? })
    })
}

fn stated(run: &Run) -> Option<u64> {
    let of_series = || run.series().iter().find_map(|s| param::WORKING_SET.of(&s.at));
    param::SIZE.of(&run.case.params).or_else(|| Some(of_series()? as u64))
}

/// The last-level cache that a core reaches, as far as it is stated.
fn last_level(record: &Record) -> Option<f64> {
    let machine = &record.machine;
    // A core of AMD's or Hygon's reaches a part of its socket's cache, which the sum does not tell.
    let in_parts = matches!(machine.text("cpu.vendor"), Some("AMD" | "Hygon"));
    let of_socket = || Some(machine.number("cache.l3.total")? / machine.sockets().max(1) as f64);
    let stated = || machine.number("cache.l3.each").or_else(|| of_socket().filter(|_| !in_parts));
    let known = machine.topology.last_level_bytes(0).map(|bytes| bytes as f64).or_else(stated);
    known.filter(|bytes| *bytes > 0.0)
}
