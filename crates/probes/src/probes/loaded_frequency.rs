//! Core frequency under load: by active cores, by instruction kind, over time.
//!
//! Method: a pinned thread on each active CPU alternates 1 ms of one instruction kind with a window of 50 us of
//! dependent additions, one cycle each, against CLOCK_MONOTONIC_RAW. Frequency changes within milliseconds, so the
//! window shows that of the work before it. `class`: independent multiply-adds on one double (`scalar`) and on vectors
//! (`avx2`, `avx512`; `neon`, `sve`), dot products of 8-bit integers on vectors (`avx_vnni`, `avx512_vnni`) and tiles
//! (`amx`, `sme`), each where the machine has it and its result is right. `active`: 1, 2, 4, ... and all chosen CPUs, one
//! per core first; a sample is the median over active CPUs. `second`: all CPUs, second by second, to show thermal
//! throttling.
//! Limits: a core that shares its frequency domain shows the domain's. SMT siblings delay each other's windows a
//! little. The frequency that the system reports is not read.
//! Source: docs/validation/memory.md on the chain of additions; Intel 64 and IA-32 Architectures Optimization Reference
//! Manual, on clocks under vector instructions.
use crate::prelude::*;
use host::disturb::Watcher;
use kernels::{Features, Run};
use measure::{bench::CoreFrequency, threads::Member, timing::calibrate};
use std::sync::atomic::Ordering::Relaxed;

/// Hertz under load.
pub static PROBE: Probe =
    Probe { visits: 2, ..Probe::new(70, 1, "Core frequency under load", cases, run) };

/// Kinds of instruction: their name and the compute kernel with the variant that is made of them; nothing for the kernel's
/// best.
const CLASSES: [(&str, &str, Option<&str>); 9] = [
    ("scalar", "fma", None),
    ("avx2", "fma_vector", Some("avx2")),
    ("avx512", "fma_vector", Some("avx512")),
    ("neon", "fma_vector", Some("neon")),
    ("sve", "fma_vector", Some("sve")),
    ("avx_vnni", "dot8", Some("avx_vnni")),
    ("avx512_vnni", "dot8", Some("avx512_vnni")),
    ("amx", "tile_dot8", Some("amx")),
    ("sme", "tile_dot8", Some("sme")),
];
/// Seconds of work before a window.
const WORK: f64 = 1e-3;
/// Seconds over time at least, however short the time budget.
const LEAST: usize = 3;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let counts = active(setting.cpus.len()).len() as f64;
    let each = seconds(setting.depth) + 0.05;
    let by_active = setting.case(
        setting.cpus.clone(),
        &[param::OVER.set("active")],
        counts * kinds(setting) * each,
    );
    let mut cases = vec![by_active];
    if setting.depth > Depth::Quick || setting.every_variant() {
        let long = f64::from(lasting(setting.depth));
        cases.push(setting.case(setting.cpus.clone(), &[param::OVER.set("time")], long + 0.2));
    }
    Ok(cases)
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let order = place::cores_first(bench.machine, &case.place.cpus);
    let mut classes = classes(&bench.features);
    classes.retain(|class| {
        let wrong = bench::right(class.kernel, class.variant, class.run).err();
        let name = || format!("loaded_frequency.{}", class.name);
        wrong.map(|why| bench.unread.insert(name(), why)).is_none()
    });
    if case.get(param::OVER) == Some("time") {
        let widest = classes.iter().rfind(|class| class.kernel.starts_with("fma"));
        let widest = widest.ok_or("there is no work to load with")?;
        return over_time(widest, &order, bench);
    }
    let counts = active(order.len());
    let mut all = vec![];
    for (done, class) in classes.iter().enumerate() {
        for (i, count) in counts.iter().enumerate() {
            let spans = Spans { seconds: seconds(bench.depth) * bench.time_scale, count: 1 };
            let mut found = loaded(class, &order[..*count], spans, bench)?;
            all.push(found.pop().unwrap_or_default().into_series(clock(class, *count)));
            let share = (done * counts.len() + i + 1) as f64;
            bench.done(share / (classes.len() * counts.len()) as f64);
            if bench.cancelled() {
                return Ok(all);
            }
        }
    }
    Ok(all)
}

/// Kinds of instruction: scalar, at most two of multiply-adds on vectors, and those of the machine's flags.
fn kinds(setting: &Setting<'_>) -> f64 {
    let flags = setting.machine.text("cpu.flags").unwrap_or_default().split(' ');
    let more = flags.filter(|f| ["amx_int8", "avx512_vnni", "avx_vnni", "sme"].contains(f));
    3.0 + more.count() as f64
}

/// Seconds of each number of active CPUs.
fn seconds(depth: Depth) -> f64 {
    depth.pick(0.06, 0.3, 1.0)
}

/// Seconds that all CPUs work without a pause.
fn lasting(depth: Depth) -> u32 {
    depth.pick(3, 3, 60)
}

/// 1, 2, 4, ... and all.
fn active(most: usize) -> Vec<usize> {
    let powers = std::iter::successors(Some(1), |n| Some(n * 2));
    powers.take_while(|n| *n < most).chain([most]).collect()
}

/// A kind of instruction as this machine runs it.
struct Class {
    name: &'static str,
    kernel: &'static str,
    variant: &'static str,
    run: Run,
}

/// The kinds that this machine has, of multiply-adds the widest last.
fn classes(features: &Features) -> Vec<Class> {
    let class = |(name, id, wanted): &(&'static str, &'static str, Option<&str>)| {
        let (_, kernel) = kernels::compute::ALL.iter().find(|(known, _)| known == id)?;
        let fits = |v: &&kernels::Variant| wanted.is_none_or(|wanted| v.name == wanted);
        let found = kernel.variants.iter().rev().filter(fits);
        let (variant, run) = { found }.find_map(|v| Some((v.name, (v.get)(features)?)))?;
        Some(Class { name, kernel: id, variant, run })
    };
    CLASSES.iter().filter_map(class).collect()
}

fn over_time(class: &Class, cpus: &[u32], bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let count = (f64::from(lasting(bench.depth)) * bench.time_scale).round() as usize;
    let spans = Spans { seconds: 1.0, count: count.max(LEAST) };
    let found = loaded(class, cpus, spans, bench)?;
    let series = |(second, timed): (u64, Timed)| {
        timed.into_series(clock(class, cpus.len()).at(param::SECOND, second))
    };
    Ok((1u64..).zip(found).map(series).collect())
}

fn clock(class: &Class, active: usize) -> Series {
    Series {
        variant: Some(class.variant.into()),
        ..Series::new(Metric::Frequency, Unit::Hertz, Better::Higher)
            .at(param::CLASS, class.name)
            .at(param::ACTIVE, active as u64)
    }
}

/// The measured time: `count` times `seconds`, without a pause.
#[derive(Debug, Clone, Copy)]
struct Spans {
    seconds: f64,
    count: usize,
}

/// One window: the clock, and what disturbed it.
type Window = (f64, Vec<&'static str>);

/// The clock of these CPUs while all of them work, none waiting for another: one list of samples for each span.
fn loaded(
    class: &Class,
    cpus: &[u32],
    spans: Spans,
    bench: &mut Bench<'_>,
) -> Result<Vec<Timed>, Reason> {
    let (clock, cancel, features) = (bench.clock, bench.cancel, bench.features);
    let prepare = |_: &Member<'_, ()>| {
        let core = CoreFrequency::new(clock, &features, "add_chain")?;
        let limits = Limits::once(WORK);
        let (steps, _) = calibrate(clock, &limits, |n| (class.run)(&mut [], n));
        Ok((core, steps))
    };
    let places = threads::pinned(cpus.iter().copied());
    let results = threads::run(&places, bench, prepare, |_, (core, steps)| {
        let mut watch = Watcher::open();
        let mut all: Vec<Vec<Window>> = vec![];
        let start = clock.now();
        while all.len() < spans.count && !cancel.load(Relaxed) {
            let end = start + spans.seconds * (all.len() + 1) as f64;
            let mut windows = vec![];
            while windows.is_empty() || clock.now() < end {
                std::hint::black_box((class.run)(&mut [], steps));
                watch.mark();
                let hertz = core.window(clock);
                windows.push((hertz, watch.since()));
            }
            all.push(windows);
        }
        Ok((core.steps(), all))
    })?;
    let steps = results.last().map_or(0, |(steps, _)| *steps);
    let windows: Vec<Vec<Vec<Window>>> = results.into_iter().map(|(_, windows)| windows).collect();
    Ok(merged(&windows, steps))
}

/// The threads' windows as one list for each span: the first of all threads, the second, and so on, as many as each has.
fn merged(threads: &[Vec<Vec<Window>>], steps: u64) -> Vec<Timed> {
    let spans = threads.iter().map(Vec::len).min().unwrap_or(0);
    let of_span = |span: usize| {
        let mut timed = Timed { steps, ..Timed::default() };
        let least = threads.iter().map(|t| t[span].len()).min().unwrap_or(0);
        for window in 0..least {
            let mut why: Vec<&str> =
                threads.iter().flat_map(|t| t[span][window].1.iter().copied()).collect();
            why.sort_unstable();
            why.dedup();
            if let Some(median) = stats::median_of(threads.iter().map(|t| t[span][window].0)) {
                timed.push(median, why);
            }
        }
        timed
    };
    (0..spans).map(of_span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_and_all_are_active() {
        assert_eq!(active(1), [1]);
        assert_eq!(active(2), [1, 2]);
        assert_eq!(active(96), [1, 2, 4, 8, 16, 32, 64, 96]);
        assert_eq!(active(1024).len(), 11);
    }

    #[test]
    fn every_machine_has_a_scalar_class_and_no_class_twice() {
        let portable = classes(&Features::portable());
        assert_eq!(portable.iter().map(|c| (c.name, c.variant)).collect::<Vec<_>>()[0].0, "scalar");
        let here = classes(&Features::detect());
        let mut names: Vec<&str> = here.iter().map(|c| c.name).collect();
        assert!(here[1..].iter().all(|c| c.name == c.variant));
        assert!(here.iter().all(|c| bench::right(c.kernel, c.variant, c.run).is_ok()));
        let wrong = bench::right(here[0].kernel, "native", |_, _| 0).unwrap_err();
        assert!(wrong.why.contains("native instructions of fma gave a wrong result"));
        names.dedup();
        assert_eq!(names.len(), here.len());
    }

    #[test]
    fn a_sample_is_the_median_over_threads_and_what_disturbed_one_marks_all() {
        let window = |hertz| (hertz, vec![]);
        let first = vec![vec![window(3e9), window(1e9), window(9e9)], vec![window(5e9)]];
        let second = vec![vec![window(1e9), (2e9, vec!["steal"])], vec![window(7e9)]];
        let third = vec![vec![window(2e9), window(3e9)], vec![window(6e9)], vec![window(1e9)]];
        let all = merged(&[first, second, third], 7);
        assert_eq!(all.len(), 2);
        assert_eq!((&all[0].samples[..], all[0].steps), (&[2e9, 2e9][..], 7));
        assert_eq!((all[0].marks.len(), all[0].marks[0].sample), (1, 1));
        assert_eq!(all[1].samples, [6e9]);
        assert!(merged(&[], 7).is_empty());
    }
}
