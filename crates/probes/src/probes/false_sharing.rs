//! False sharing: threads count in one cache line, in lines of their own, and in one shared word.
//!
//! Method: one pinned thread per core adds one to its 64-bit counter in a tight loop; all start together. `own_line`:
//! counters 1 KiB apart. `same_line`: adjacent counters in one line, plain loads and stores. `one_atomic`: one word,
//! atomic additions. The value is seconds per addition, mean over threads. Two threads, and one per core up to eight,
//! as many as a line of 64 bytes holds.
//! Limits: the tightest possible loop, so programs lose less. A core that holds the line adds many times, so the value
//! is not a transfer time.
use crate::prelude::*;
use host::pages;
use kernels::sync;
use measure::threads::per_thread::{self, Repetition};

/// Seconds per addition by where the counters lie.
pub static PROBE: Probe = Probe {
    visits: 3,
    ..Probe::new(220, 1, "False sharing: counters in one cache line, and apart", cases, run)
};

/// Counters in a line, so threads at most.
const MOST: usize = 8;
/// Words from one counter to the next where each has a line of its own: farther than any prefetcher looks.
const APART: usize = 128;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let cores = place::one_per_core(setting.machine, &setting.cpus);
    let cpus = if cores.len() > 1 { &cores } else { &setting.cpus };
    if cpus.len() < 2 {
        return Err(Reason::mended_by(
            "there is only one CPU to count on",
            "allow more CPUs: --cpus, or a wider cpuset",
        ));
    }
    let mut counts = vec![2];
    if cpus.len() > 2 && (setting.depth > Depth::Quick || setting.every_variant()) {
        counts.push(cpus.len().min(MOST));
    }
    let case = |n: usize| {
        let some: CpuSet = cpus.iter().take(n).collect();
        setting.case(some, &[param::COUNTERS.set(n as u64)], setting.depth.pick(0.25, 0.5, 1.2))
    };
    Ok(counts.into_iter().map(case).collect())
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    placement_check::checked(case, bench, |bench| layouts(case, bench))
}

fn layouts(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let cpus: Vec<u32> = case.place.cpus.iter().take(MOST).collect();
    let node = cpus.first().and_then(|c| bench.machine.topology.memory_of(*c));
    let bytes = APART * size_of::<u64>() * (MOST + 1);
    let mut arena = pages::map(&pages::Request { bytes, pages: Pages::Base, node })?;
    let words = sync::counters(arena.lines_mut());
    let limits = bench.limits(bench.depth.pick(0.03, 0.1, 0.3));
    let mut all = vec![];
    for (layout, apart, atomic) in
        [("own_line", APART, false), ("same_line", 1, false), ("one_atomic", 0, true)]
    {
        let repetition = Repetition { limits, steps: None, faults: false };
        let timed = per_thread::measure(&cpus, bench, &repetition, |index| {
            let word = &words[index * apart];
            let count = if atomic { sync::count_shared } else { sync::count_own };
            Ok(move |adds| _ = std::hint::black_box(count(word, adds)))
        })?
        .timed;
        let series =
            Series::new(Metric::TimePerAdd, Unit::Seconds, Better::Lower).at(param::LAYOUT, layout);
        all.push(timed.into_series(series));
        if bench.cancelled() {
            break;
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Cpu, Machine};

    /// Threads of one core share its first-level cache, and false sharing would look nearly free.
    #[test]
    fn threads_are_of_unlike_cores_where_there_are_any() {
        let mut machine = Machine::default();
        for id in 0..4 {
            let siblings = [id % 2, id % 2 + 2].into_iter().collect();
            let (online, allowed) = (true, true);
            machine.topology.cpus.push(Cpu { id, online, allowed, siblings, ..Cpu::default() });
        }
        let on = |cpus: &str| {
            let setting = Setting::new(&machine, cpus.parse().unwrap(), Depth::Quick);
            cases(&setting).unwrap().remove(0).place.cpus.to_string()
        };
        assert_eq!((on("0-3"), on("0,2,3"), on("2-3")), ("0,1".into(), "0,3".into(), "2,3".into()));
        assert_eq!(on("0,2"), "0,2");
    }
}
