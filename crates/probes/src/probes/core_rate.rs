//! Operations per cycle of a core: add, mul, div, fma, load, store, branches, nops; 8-bit and 52-bit integers on vectors
//! and tiles where the machine has instructions for them.
//!
//! Method: assembly loops of a known number of operations, with core frequency measured between samples. The record
//! holds seconds per operation. `*_chain` loops are dependent and give latency; the others are independent and give
//! throughput. `nop4` and `nop8` are instructions of four and eight bytes. The result of each loop is compared with the known
//! one before it is timed.
//! Limits: an operation is one scalar instruction of 64 bits (`div32`: 32), or one vector or tile instruction on `lanes`
//! values: doubles (`fma_vector`), 52-bit integers (`madd52`), sums of four 8-bit products (`dot8`, `tile_dot8`). Loops of
//! 66 to 240 instructions, which the decoded-instruction cache holds; one core.
use crate::prelude::*;
use kernels::Features;
use measure::{
    bench::{compute_kernel, few_lines},
    scalable_work::{CopyResources, ScalableWork, Work},
};
use record::Reading;

/// Seconds per operation, by operation.
pub static PROBE: Probe = Probe {
    visits: 2,
    scalable_work: || Some(&SCALABLE_WORK),
    ..Probe::new(40, 2, "The core: operations per cycle", cases, run)
};

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    Ok(setting.per_kind(setting.depth.pick(1.0, 2.8, 8.0)))
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let (_cpu, _pinned) = bench.pin_first(case)?;
    let ops = ops(&bench.features);
    let limits = bench.limits(bench.depth.pick(0.1, 0.3, 0.8));
    let mut lines = few_lines(bench.seed);
    bench.each(&ops, |bench, op| {
        let (variant, run, work) = compute_kernel(op, &bench.features)?;
        if let Err(why) = bench::right(op, variant, run) {
            bench.unread.insert(format!("core_rate.{op}"), why);
            return Ok(None);
        }
        let mut series =
            Series::new(Metric::TimePerOp, Unit::Seconds, Better::Lower).at(param::OP, *op);
        if let Some(lanes) = kernels::compute::lanes(op, variant) {
            series = series.at(param::LANES, lanes);
        }
        series.variant = Some(variant.into());
        // What assembly fixes is known without a counter; times the measured clock it gives the IPC.
        bench.readings.extend(work.exact_instructions().map(|instructions| {
            let each = instructions as f64 / work.ops as f64;
            Reading::new(format!("core_rate.instructions.{op}"), Unit::Count, each)
        }));
        bench.series(series, &limits, work.ops as f64, |n| run(&mut lines, n)).map(Some)
    })
}

/// Every operation that is measured: those that the machine has, and the empty loop is none.
fn ops(features: &Features) -> Vec<&'static str> {
    let all = kernels::compute::ALL.iter().map(|(id, _)| *id);
    all.filter(|id| *id != "empty" && compute_kernel(id, features).is_ok()).collect()
}

/// Operations per second, in a cache of each copy's own.
static SCALABLE_WORK: ScalableWork = ScalableWork {
    unit: Unit::PerSecond,
    parameter: param::OP,
    kinds: || ops(&Features::detect()),
    llc_multiple: 0,
    prepare: prepare_copy,
};

fn prepare_copy(copy: CopyResources<'_>, go: &mut dyn FnMut(Work<'_>)) -> Result<(), Reason> {
    let (_, run, work) = compute_kernel(copy.kind, &copy.features)?;
    let lines = copy.memory.len().min(few_lines(0).len());
    let memory = &mut copy.memory[..lines];
    go(&mut |steps| {
        std::hint::black_box(run(memory, steps));
        steps as f64 * work.ops as f64
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_one_that_this_machine_has() {
        let ops = ops(&Features::detect());
        let lengths = ops.iter().filter(|op| op.starts_with("nop")).count();
        assert_eq!(lengths, if cfg!(target_arch = "x86_64") { 3 } else { 1 });
        for op in ops {
            let (variant, _, _) = compute_kernel(op, &Features::detect()).unwrap();
            let native = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
            assert!(!native || variant != "portable", "{op}");
        }
    }
}
