//! Kernel operation costs: system call, signal, switch, wake-up, interrupt, timer, fork, exec.
//!
//! Method: pinned threads repeat one request. `null_call`: getppid, the shortest system call. `futex_wake`: a wake-up
//! without a waiter. `signal`: a signal to the own thread, with handler. `switch`: two threads of one CPU wake each
//! other by futex; half a round trip, one context switch. `handover`: the same with a sleeping thread on another CPU.
//! `interrupt`: membarrier to 0, 1 and all `others` (at most 64) and their answers. `timer`: how late a sleep of 100 us
//! ends, of which 50 are the kernel's slack. `fork`: a copy of this process that exits. `exec`: a copy that becomes a
//! small static program. Compare two records to see the cost of KPTI and other mitigations.
//! Limits: this process has larger page tables than many. `handover` includes leaving an idle state. UnixBench's
//! `syscall`, `context1`, `spawn` and `execl` count other mixtures in their own processes.
//! Source: lmbench's lat_syscall, lat_ctx, lat_sig and lat_proc in what is measured; futex(2), membarrier(2).
use crate::prelude::*;
use host::costs::{self, MembarrierRegistration, Signals, TinyProgram};
use measure::threads::per_thread::{self, Repetition, ThreadWork};
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

/// Seconds per request, by what is asked.
pub static PROBE: Probe =
    Probe { visits: 3, switches: true, ..Probe::new(290, 1, "System calls", cases, run) };

const ALONE: [&str; 6] = ["null_call", "futex_wake", "signal", "timer", "fork", "exec"];
/// Seconds that a thread sleeps whose timer is waited for.
const SLEEP: f64 = 100e-6;
/// Other threads that are interrupted, at most.
const MOST: usize = 64;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let asked = setting.is_named(ProbeId::KernelOps);
    if setting.depth == Depth::Quick && !asked {
        return Ok(vec![]);
    }
    let estimate = setting.depth.pick(0.12, 0.25, 1.0);
    let main = setting.main_cpu();
    let request = |name: &str, cpus: CpuSet, times: f64| {
        let params = [param::REQUEST.set(name), param::CALLER.set(main)];
        setting.case(cpus, &params, estimate * times)
    };
    let own: CpuSet = [main].into_iter().collect();
    let mut cases: Vec<Case> = ALONE.iter().map(|name| request(name, own.clone(), 1.0)).collect();
    cases.push(request("switch", own, 1.0));
    let others: CpuSet = setting.cpus.iter().filter(|c| *c != main).collect();
    if let Some(other) = place::ranked(setting.machine, &others).first() {
        cases.push(request("handover", [main, *other].into_iter().collect(), 1.0));
    }
    let some = place::spread(setting.machine, &others, MOST);
    let times = counts(some.len()).len() as f64;
    cases.push(request("interrupt", some.iter().chain([main]).collect(), times));
    Ok(cases)
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let main = case.get(param::CALLER);
    let main = main.filter(|c| case.place.cpus.contains(*c)).or(case.place.cpus.first());
    let main = main.ok_or("no CPU to run on")?;
    let others: Vec<u32> = case.place.cpus.iter().filter(|c| *c != main).collect();
    let time = Series::new(Metric::TimePerRequest, Unit::Seconds, Better::Lower);
    match case.get(param::REQUEST).unwrap_or_default() {
        "timer" => Ok(vec![lateness(main, bench)?]),
        "switch" => Ok(vec![turns(&[main, main], bench)?]),
        "handover" => match others[..] {
            [other, ..] => Ok(vec![turns(&[main, other], bench)?]),
            [] => Err(Reason::new("there is no other CPU to hand over to")),
        },
        "interrupt" => interrupts(main, &others, bench),
        name => {
            let alone = SingleThreadOp::named(name)?;
            let _pinned = bench.pin(main)?;
            let limits = bench.limits(bench.depth.pick(0.08, 0.2, 0.8));
            let mut done = true;
            let series = bench.series(time, &limits, 1.0, &mut |n| {
                (0..n).for_each(|_| done &= alone.request());
            })?;
            match done {
                true => Ok(vec![series]),
                false => Err(Reason::new(format!("the kernel refused {name} at times"))),
            }
        }
    }
}

/// Operations that one thread does by itself.
enum SingleThreadOp {
    Null,
    Wake(AtomicU32),
    Signal(Signals),
    Fork,
    Exec(TinyProgram),
}

impl SingleThreadOp {
    fn named(name: &str) -> Result<SingleThreadOp, Reason> {
        match name {
            "null_call" => Ok(SingleThreadOp::Null),
            "futex_wake" => Ok(SingleThreadOp::Wake(AtomicU32::new(0))),
            "signal" => Signals::handled().map(SingleThreadOp::Signal),
            "fork" => Ok(SingleThreadOp::Fork),
            "exec" => TinyProgram::new().map(SingleThreadOp::Exec),
            _ => Err(Reason::new(format!("there is no request called {name}"))),
        }
    }
    /// Asks once; whether it was done.
    fn request(&self) -> bool {
        match self {
            SingleThreadOp::Null => costs::null_call(),
            SingleThreadOp::Wake(word) => _ = costs::wake(word),
            SingleThreadOp::Signal(signals) => signals.to_self(),
            SingleThreadOp::Fork => return costs::fork_and_wait(),
            SingleThreadOp::Exec(small) => return small.run(),
        }
        true
    }
}

/// The lateness of a thread's wake-ups.
fn lateness(cpu: u32, bench: &mut Bench<'_>) -> Result<Series, Reason> {
    let _pinned = bench.pin(cpu)?;
    let times =
        (bench.depth.pick(0.08, 0.2, 0.8) * bench.time_scale / (2.0 * SLEEP)).max(20.0) as usize;
    let mut series = Series::new(Metric::Late, Unit::Seconds, Better::Lower);
    series.samples = (0..times).map(|_| costs::timer_lateness(SLEEP)).collect();
    Ok(series)
}

/// Half a round trip of two threads that wake each other.
fn turns(cpus: &[u32; 2], bench: &mut Bench<'_>) -> Result<Series, Reason> {
    let words = [AtomicU32::new(0), AtomicU32::new(0)];
    let limits = bench.limits(bench.depth.pick(0.08, 0.2, 0.8));
    let repetition = Repetition { limits, steps: None, faults: false };
    let mut timed = per_thread::measure(cpus, bench, &repetition, |index| {
        Ok(WakePartner { index, words: &words })
    })?
    .timed;
    // Context switches are what is measured.
    timed.marks.retain(|mark| mark.why != "context switch");
    let series = Series::new(Metric::TimePerRequest, Unit::Seconds, Better::Lower);
    Ok(timed.into_series(series))
}

/// One of two: each round it waits for its word, clears it, and sets and wakes the other's.
struct WakePartner<'a> {
    index: usize,
    words: &'a [AtomicU32; 2],
}

impl ThreadWork for WakePartner<'_> {
    fn work(&mut self, rounds: u64) -> u64 {
        let (own, other) = (&self.words[self.index], &self.words[1 - self.index]);
        for _ in 0..rounds {
            if self.index == 0 {
                other.store(1, SeqCst);
                costs::wake(other);
            }
            costs::wait_while(own, 0);
            own.store(0, SeqCst);
            if self.index == 1 {
                other.store(1, SeqCst);
                costs::wake(other);
            }
        }
        // Two turns a round; the second thread's time is the same time.
        if self.index == 0 { 2 * rounds } else { 0 }
    }
}

/// None, one and all.
fn counts(all: usize) -> Vec<usize> {
    let mut counts = vec![0, 1.min(all), all];
    counts.dedup();
    counts
}

fn interrupts(main: u32, others: &[u32], bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let registered = costs::register_membarrier()?;
    let mut all = vec![];
    for count in counts(others.len()) {
        let cpus: Vec<u32> = [main].into_iter().chain(others[..count].iter().copied()).collect();
        let ended = AtomicU32::new(0);
        let limits = bench.limits(bench.depth.pick(0.08, 0.2, 0.8));
        let repetition = Repetition { limits, steps: Some(64), faults: false };
        let make =
            |index| Ok(InterruptThread { registered, caller: index == 0, ended: &ended, round: 0 });
        let timed = per_thread::measure(&cpus, bench, &repetition, make)?.timed;
        let series = Series::new(Metric::TimePerRequest, Unit::Seconds, Better::Lower);
        let series = series.at(param::OTHERS, count as u64);
        all.push(timed.into_series(series));
        if bench.cancelled() {
            break;
        }
    }
    Ok(all)
}

/// The caller, or one that keeps its CPU busy in user mode until the caller is done.
struct InterruptThread<'a> {
    registered: MembarrierRegistration,
    caller: bool,
    ended: &'a AtomicU32,
    round: u32,
}

impl ThreadWork for InterruptThread<'_> {
    fn prepare(&mut self, _: u64) {
        self.round += 1;
    }
    fn work(&mut self, times: u64) -> u64 {
        if !self.caller {
            while self.ended.load(SeqCst) < self.round {
                kernels::arch::pause();
            }
            return 0;
        }
        let done = (0..times).filter(|_| costs::interrupt_others(self.registered)).count();
        self.ended.store(self.round, SeqCst);
        done as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_that_stands_alone_is_done_or_has_a_reason() {
        // Another test's process group would end or reap what is started here.
        let _alone = host::child::ProcessGroup::new().unwrap();
        for name in ALONE.iter().filter(|name| **name != "timer") {
            match SingleThreadOp::named(name) {
                Ok(alone) => assert!((0..3).all(|_| alone.request()), "{name}"),
                Err(why) => assert!(why.remedy.is_some(), "{name}: {why}"),
            }
        }
        assert!(SingleThreadOp::named("reboot").is_err());
    }

    /// If one turn were lost, the other thread would wait for ever; a second at a time.
    #[test]
    fn turns_alternate() {
        let words = [AtomicU32::new(0), AtomicU32::new(0)];
        let units = std::thread::scope(|scope| {
            let second = scope.spawn(|| WakePartner { index: 1, words: &words }.work(200));
            let first = WakePartner { index: 0, words: &words }.work(200);
            first + second.join().unwrap()
        });
        assert_eq!(units, 400);
        assert!(words.iter().all(|w| w.load(SeqCst) == 0));
    }

    #[test]
    fn counts_are_none_one_and_all() {
        assert_eq!(counts(0), [0]);
        assert_eq!(counts(1), [0, 1]);
        assert_eq!(counts(7), [0, 1, 7]);
    }
}
