//! Flush and reload of one cache line, as in demonstrations named `memory_bound`.
//!
//! Method: one pinned thread, one line of random data on its own NUMA node. `as_written`: flush and load, ordered by
//! the address only. `fenced`: flush, fence, load, and the next turn waits for the load. `flush`: flush and fence only,
//! so `fenced` minus `flush` is close to the load. `clflush` on x86-64, `dc civac` on aarch64.
//! Limits: none of these is memory latency (see load_latency): flush and fence are included, and the line always hits
//! the TLB and an open DRAM row.
//! Source: perf-stat demonstrations of "memory bound" code
//! (`_mm_clflush(&a); b = a;`).
use crate::prelude::*;
use kernels::flush;

/// Seconds per turn of flushing and loading one line.
pub static PROBE: Probe =
    Probe { visits: 3, refuses, ..Probe::new(240, 1, "Cache line flush and reload", cases, run) };

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    Ok(vec![setting.single(&[], setting.depth.pick(0.15, 0.3, 1.0))])
}

fn refuses(_case: &Case, _machine: &Machine) -> Option<Reason> {
    flush::loops().is_none().then(|| {
        Reason::mended_by(
            "no instruction is known here by which a program could flush a line",
            "run on x86-64 or aarch64",
        )
    })
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let loops = flush::loops().ok_or("there is no flush here")?;
    let (cpu, _pinned) = bench.pin_first(case)?;
    let node = bench.machine.topology.memory_of(cpu);
    let (arena, buffer) = bench.buffer(measure::place::LEAST, Pages::Base, node, cpu)?;
    let line = arena.lines().get(1).ok_or("the buffer has no line to flush")?;
    let limits = bench.limits(bench.depth.pick(0.06, 0.15, 0.4));
    let parts = [("as_written", loops.reload), ("fenced", loops.fenced), ("flush", loops.flush)];
    bench.each(&parts, |bench, (name, turns)| {
        let mut series =
            Series::new(Metric::TimePerTurn, Unit::Seconds, Better::Lower).at(param::LOOP, *name);
        series.variant = Some(loops.instruction.into());
        series.buffer = Some(record::Buffer { bytes: 64, llc_ratio: None, ..buffer.clone() });
        bench.series(series, &limits, 1.0, |n| turns(line, n)).map(Some)
    })
}
