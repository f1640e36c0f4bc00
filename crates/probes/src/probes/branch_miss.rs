//! Branch misprediction penalty.
//!
//! Method: one pinned thread runs a loop of 16 branches on bits of a random sequence made in registers. `random`: each
//! branch follows the next bit, so half of all predictions fail. `constant`: the same instructions, always in the same
//! direction. Both are interleaved sample by sample; core frequency is measured between samples. The penalty is the
//! difference over 0.5.
//! Limits: it includes a few cycles for the branch's operand, and a restart from nearby code. A branch that waits for
//! memory, or whose target never ran, costs more. All samples use the same bits, far more than a predictor can hold.
//! Source: A. Fog, The microarchitecture of Intel, AMD and VIA CPUs, on branch misprediction.
use crate::prelude::*;
use host::disturb::Watcher;
use measure::{bench::CoreFrequency, timing};

/// Seconds per branch, by whether it can be predicted.
pub static PROBE: Probe =
    Probe { visits: 3, ..Probe::new(50, 1, "Branch misprediction penalty", cases, run) };

/// Patterns of the branches, and the kernel of each.
const PATTERNS: [(&str, &str); 2] = [("constant", "branch_hit"), ("random", "branch_miss")];
/// Steps of 16 branches, at least: a run of fewer could be learnt by heart.
const LEAST: u64 = 10_000;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    Ok(setting.per_kind(setting.depth.pick(0.2, 0.4, 1.0)))
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let (cpu, _pinned) = bench.pin_first(case)?;
    let limits = bench.limits(0.0);
    let turns = bench.depth.pick(25, 51, 151);
    let core = CoreFrequency::new(bench.clock, &bench.features, "add_chain")?;
    let mut works = vec![];
    for (pattern, kernel) in PATTERNS {
        let (variant, run, work) = bench::compute_kernel(kernel, &bench.features)?;
        let (found, _) = timing::calibrate(bench.clock, &limits, |n| run(&mut [], n));
        let timed = Timed { steps: found.max(LEAST), ..Timed::default() };
        works.push(Work { pattern, variant, run, ops: work.ops as f64, timed, hertz: vec![] });
    }
    let mut watch = Watcher::open();
    for turn in 0..turns {
        for work in &mut works {
            work.hertz.push(core.window(bench.clock));
            watch.mark();
            let begin = bench.clock.now();
            std::hint::black_box((work.run)(&mut [], work.timed.steps));
            let took = bench.clock.now() - begin;
            let why = watch.since();
            work.timed.push(took / (work.timed.steps as f64 * work.ops), why);
        }
        if !bench.done(f64::from(turn + 1) / f64::from(turns)) {
            break;
        }
    }
    bench::still_on(Some(cpu))?;
    Ok(works.into_iter().map(Work::into_series).collect())
}

/// A pattern while it is measured.
struct Work {
    pattern: &'static str,
    variant: &'static str,
    run: kernels::Run,
    /// Branches in a step.
    ops: f64,
    timed: Timed,
    hertz: Vec<f64>,
}

impl Work {
    fn into_series(self) -> Series {
        let series = Series {
            variant: Some(self.variant.into()),
            frequency: stats::median(&self.hertz),
            ..Series::new(Metric::TimePerBranch, Unit::Seconds, Better::Lower)
                .at(param::PATTERN, self.pattern)
        };
        self.timed.into_series(series)
    }
}
