//! TLB shootdown: the cost of removing a page while other threads run.
//!
//! Method: one thread unmaps (`munmap`), write-protects (`mprotect`) or discards (`madvise`, `MADV_DONTNEED`) single
//! pages that it has just written, each its own mapping; 32 calls a sample, on new pages. `others` threads of this
//! program run on other CPUs in user mode, spread over the last-level caches, so the kernel must invalidate their TLBs:
//! by interrupts on x86-64, by broadcast on aarch64.
//! Limits: they have not touched those pages; a kernel that tracks this does not interrupt them. The call's own work is
//! included: see `others` = 0.
//! Source: Documentation/mm of the Linux kernel, tlb flushing.
use crate::prelude::*;
use host::remap::Patches;
use measure::threads::per_thread::{self, Repetition, ThreadWork};
use std::sync::atomic::{AtomicU64, Ordering};

/// Seconds per call, by call and by how many other threads run.
pub static PROBE: Probe = Probe {
    visits: 3,
    ..Probe::new(260, 2, "TLB shootdown: unmapping pages of running threads", cases, run)
};

/// Pages in a sample.
const PAGES: usize = 32;
/// Other threads at most: from there on it is the number of interrupts, not how they are sent, that grows.
const MOST: usize = 64;
/// A call by its name, which takes a page away.
type Call = (&'static str, fn(&mut Patches, usize) -> bool);
const CALLS: [Call; 3] =
    [(UNMAP, Patches::unmap), ("mprotect", Patches::protect), ("madvise", Patches::discard)];
const UNMAP: &str = "munmap";

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let main = setting.main_cpu();
    let others: CpuSet = setting.cpus.iter().filter(|c| *c != main).collect();
    let most = setting.depth.pick(8, MOST, MOST);
    let others = place::spread(setting.machine, &others, most);
    let seconds = counts(others.len()).len() as f64 * setting.depth.pick(0.18, 0.35, 1.2);
    let cpus = others.iter().chain([main]).collect();
    Ok(vec![setting.case(cpus, &[param::CALLER.set(main)], seconds)])
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    placement_check::checked(case, bench, |bench| calls(case, bench))
}

/// The numbers of other running threads: none, 1, 2, 4 and so on, and all.
fn counts(all: usize) -> Vec<usize> {
    let mut counts = vec![0];
    counts.extend((0..).map(|i| 1 << i).take_while(|n| *n < all));
    counts.extend((all > 0).then_some(all));
    counts
}

/// All but the caller, in such an order that any first few are spread over the last-level caches.
fn others(machine: &Machine, cpus: &CpuSet, main: u32) -> Vec<u32> {
    place::ranked(machine, &cpus.iter().filter(|c| *c != main).collect())
}

fn calls(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let main = case.get(param::CALLER);
    let main = main.filter(|c| case.place.cpus.contains(*c));
    let main = main.or(case.place.cpus.first()).ok_or("no CPU to run on")?;
    let others = others(bench.machine, &case.place.cpus, main);
    let limits = bench.limits(bench.depth.pick(0.04, 0.1, 0.4));
    let counts = counts(others.len());
    let mut all = vec![];
    for (done, count) in (1u32..).zip(&counts) {
        let cpus: Vec<u32> = [main].into_iter().chain(others[..*count].iter().copied()).collect();
        for call in CALLS {
            let ended = AtomicU64::new(0);
            let repetition = Repetition { limits, steps: Some(PAGES as u64), faults: false };
            let timed = per_thread::measure(&cpus, bench, &repetition, |index| {
                let patches = if index == 0 { Some(Patches::map(PAGES)?) } else { None };
                Ok(Thread { call, patches, ended: &ended, round: 0 })
            })?
            .timed;
            let series = Series::new(Metric::TimePerCall, Unit::Seconds, Better::Lower)
                .at(param::CALL, call.0)
                .at(param::OTHERS, *count as u64);
            all.push(timed.into_series(series));
            if bench.cancelled() {
                return Ok(all);
            }
        }
        bench.done(f64::from(done) / counts.len() as f64);
    }
    Ok(all)
}

/// The caller, which has pages, or one that keeps its CPU busy in user mode until the caller is done.
struct Thread<'a> {
    call: Call,
    patches: Option<Patches>,
    /// Rounds that the caller has finished.
    ended: &'a AtomicU64,
    round: u64,
}

impl ThreadWork for Thread<'_> {
    fn prepare(&mut self, _: u64) {
        self.round += 1;
        let Some(patches) = &mut self.patches else { return };
        if self.call.0 == UNMAP && self.round > 1 {
            // Where there is no address space for more, the samples measure calls that do nothing; they would be short,
            // and there always is.
            if let Ok(fresh) = Patches::map(PAGES) {
                *patches = fresh;
            }
        }
        (0..patches.count()).for_each(|i| _ = patches.permit(i));
        patches.touch();
    }
    fn work(&mut self, _: u64) -> u64 {
        let Some(patches) = &mut self.patches else {
            while self.ended.load(Ordering::Acquire) < self.round {
                kernels::arch::pause();
            }
            return 0;
        };
        let done = (0..patches.count()).filter(|index| (self.call.1)(patches, *index)).count();
        self.ended.store(self.round, Ordering::Release);
        done as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Cache, CacheKind, Cpu};

    #[test]
    fn counts_double_up_to_all() {
        assert_eq!(counts(0), [0]);
        assert_eq!(counts(1), [0, 1]);
        assert_eq!(counts(2), [0, 1, 2]);
        assert_eq!(counts(7), [0, 1, 2, 4, 7]);
        assert_eq!(counts(8), [0, 1, 2, 4, 8]);
    }

    #[test]
    fn however_many_others_run_they_are_spread_over_the_caches() {
        let mut machine = Machine::default();
        for cpus in ["0-3", "4-7"].map(|list| list.parse::<CpuSet>().unwrap()) {
            machine.topology.cpus.extend(cpus.iter().map(|id| Cpu {
                id,
                online: true,
                allowed: true,
                siblings: [id].into_iter().collect(),
                ..Cpu::default()
            }));
            machine.topology.caches.push(Cache {
                level: 3,
                kind: CacheKind::Unified,
                bytes: Some(32 << 20),
                line: None,
                ways: None,
                cpus,
            });
        }
        let of = |cpus: &str| others(&machine, &cpus.parse().unwrap(), 1);
        assert_eq!(of("0-7"), [0, 4, 2, 5, 3, 6, 7]);
        // Of fewer CPUs, chosen as the plan does, the order is the same.
        assert_eq!(of("0-2,4"), [0, 4, 2]);
        assert!(of("1").is_empty());
    }

    #[test]
    fn every_call_takes_every_page_away_in_every_round() {
        for call in CALLS {
            let ended = AtomicU64::new(0);
            let patches = Some(Patches::map(PAGES).unwrap());
            let mut thread = Thread { call, patches, ended: &ended, round: 0 };
            for round in 1..4 {
                thread.prepare(0);
                assert_eq!(thread.work(0), PAGES as u64, "{} in round {round}", call.0);
                assert_eq!(ended.load(Ordering::Relaxed), round);
            }
        }
    }
}
