//! Samples that several threads take at once, and what they decide together from them: how many passes, and which variant.
use super::{Code, Job, find, specialised};
use crate::timing::{self, Limits, Timed};
use host::{clock::Clock, disturb::Watcher, threads::Worker};
use kernels::{Arena, Features, Kernel, Line, Run, Variant};
use record::{Buffer, Reason};
use std::{
    cell::RefCell,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
};

/// What the threads share: when each began and ended, what disturbed it, and whether the user wants to stop.
#[derive(Debug)]
pub(crate) struct Board {
    spans: Vec<[AtomicU64; 2]>,
    disturbed: Mutex<Vec<&'static str>>,
    pub(super) stop: AtomicBool,
}

/// The name of a variant that stands in where a machine cannot do what the kernel is named after. It is no rival of those
/// that can, however fast.
const PLAIN: &str = "plain";
/// Seconds of a trial at least, and the buffer below which it is not cut for trials.
const TRIAL: f64 = 3e-3;
const TRIAL_BYTES: usize = 64 << 20;

type Work<'a> = Box<dyn FnMut(u64) + 'a>;

impl Board {
    /// For so many threads.
    pub(crate) fn new(threads: usize) -> Board {
        Board {
            spans: (0..threads).map(|_| Default::default()).collect(),
            disturbed: Mutex::default(),
            stop: AtomicBool::new(false),
        }
    }
}

/// One thread's view of a common measurement.
pub(crate) struct Common<'a> {
    worker: &'a Worker<'a>,
    board: &'a Board,
    clock: &'a (dyn Clock + Sync),
    cancel: &'a AtomicBool,
    watch: Watcher,
}

/// What came of one common sample: equal on all threads.
struct Shared {
    seconds: f64,
    why: Vec<&'static str>,
    stop: bool,
}

impl<'a> Common<'a> {
    /// The view of one worker; all of the team must share the board.
    pub(crate) fn new(
        worker: &'a Worker<'a>,
        board: &'a Board,
        clock: &'a (dyn Clock + Sync),
        cancel: &'a AtomicBool,
    ) -> Common<'a> {
        Common { worker, board, clock, cancel, watch: Watcher::new() }
    }

    /// Runs `work` on all threads at once.
    fn sample(&mut self, work: impl FnOnce()) -> Shared {
        if self.worker.index == 0 {
            self.board.disturbed.lock().unwrap_or_else(|e| e.into_inner()).clear();
            self.board.stop.store(self.cancel.load(Relaxed), Relaxed);
        }
        self.worker.barrier();
        // A thread whose CPU was taken away shares another's: nothing more can be learnt, and each barrier takes time
        // slices. The team fails when it has ended.
        if host::cpus::current_cpu().is_some_and(|found| found != self.worker.cpu) {
            self.board.stop.store(true, Relaxed);
        }
        self.watch.mark();
        let begin = self.clock.now();
        work();
        let end = self.clock.now();
        let why = self.watch.since();
        let [b, e] = &self.board.spans[self.worker.index];
        b.store(begin.to_bits(), Relaxed);
        e.store(end.to_bits(), Relaxed);
        if !why.is_empty() {
            let mut all = self.board.disturbed.lock().unwrap_or_else(|e| e.into_inner());
            all.extend(why);
            all.sort_unstable();
            all.dedup();
        }
        self.worker.barrier();
        let time = |bits: &AtomicU64| f64::from_bits(bits.load(Relaxed));
        let first = self.board.spans.iter().map(|s| time(&s[0])).fold(f64::INFINITY, f64::min);
        let last = self.board.spans.iter().map(|s| time(&s[1])).fold(0.0, f64::max);
        let shared = Shared {
            seconds: last - first,
            why: self.board.disturbed.lock().unwrap_or_else(|e| e.into_inner()).clone(),
            stop: self.board.stop.load(Relaxed),
        };
        // Nobody clears the board before everybody has read it.
        self.worker.barrier();
        shared
    }

    /// Finds how many passes make a sample; see [`crate::timing::calibrate`].
    fn calibrate(&mut self, limits: &Limits, work: &mut dyn FnMut(u64)) -> (u64, f64) {
        let clock = self.clock;
        timing::steps_for(clock, limits, &mut |steps| self.sample(|| work(steps)).seconds)
    }

    /// Times `work`; see [`crate::timing::time`].
    pub(crate) fn time(&mut self, limits: &Limits, work: &mut dyn FnMut(u64)) -> Timed {
        let (steps, _) = self.calibrate(limits, work);
        let mut timed = Timed { steps, ..Timed::default() };
        let mut spent = 0.0;
        loop {
            let shared = self.sample(|| work(steps));
            spent += shared.seconds;
            timed.push(shared.seconds / steps as f64, shared.why);
            let count = timed.samples.len();
            let over = spent >= limits.budget && count >= limits.least.min(3);
            if count >= limits.most || over || shared.stop || timed.settled(limits) {
                return timed;
            }
        }
    }

    /// Times all of `works` in turn, one sample of each, over and over, until every one is settled: whatever drifts does so
    /// for all of them. The budget is that of each.
    fn time_in_turn(&mut self, limits: &Limits, works: &mut [Work<'_>]) -> Vec<Timed> {
        let mut all: Vec<Timed> = works
            .iter_mut()
            .map(|work| Timed { steps: self.calibrate(limits, work).0, ..Timed::default() })
            .collect();
        let budget = limits.budget * works.len() as f64;
        let mut spent = 0.0;
        loop {
            let mut stop = false;
            for (work, timed) in works.iter_mut().zip(&mut all) {
                let shared = self.sample(|| work(timed.steps));
                spent += shared.seconds;
                stop |= shared.stop;
                timed.push(shared.seconds / timed.steps as f64, shared.why);
            }
            let count = all.first().map_or(0, |t| t.samples.len());
            let over = spent >= budget && count >= limits.least.min(3);
            let settled = || all.iter().all(|t| t.settled(limits));
            if count >= limits.most || over || stop || settled() {
                return all;
            }
        }
    }

    /// Runs the jobs' code on the buffer of each one's content, in turn.
    pub(super) fn in_turn(
        &mut self,
        limits: &Limits,
        jobs: &[(&Job, &Kernel)],
        codes: &[(&'static str, Run)],
        memory: &mut [(Arena, Buffer)],
        at: impl Fn(&Job) -> usize,
    ) -> Vec<(&'static str, Timed)> {
        // Several jobs work on one buffer, though never at once.
        let memory: Vec<RefCell<&mut [Line]>> =
            memory.iter_mut().map(|(arena, _)| RefCell::new(arena.lines_mut())).collect();
        let mut works: Vec<Work<'_>> = vec![];
        for ((job, kernel), (_, run)) in jobs.iter().zip(codes) {
            let lines = &memory[at(job)];
            let own = job.lines(kernel, lines.borrow().len());
            works.push(Box::new(move |n| {
                std::hint::black_box(run(&mut lines.borrow_mut()[..own], n));
            }));
        }
        let timed = self.time_in_turn(limits, &mut works);
        codes.iter().map(|(name, _)| *name).zip(timed).collect()
    }

    /// The code a job shall run; `tried` remembers what trials have found.
    pub(super) fn code(
        &mut self,
        job: &Job,
        features: &Features,
        lines: &mut [Line],
        tried: &mut Vec<(&'static str, &'static str)>,
    ) -> Result<(&'static str, Run), Reason> {
        let kernel = find(job.kernel)?.1;
        let named = |name: &str| {
            let found = kernel.variants.iter().find(|v| v.name == name);
            found.and_then(|v| Some((v.name, (v.get)(features)?)))
        };
        let decides = match job.code {
            Some(Code::Named(name)) => match named(name) {
                Some(found) => return Ok(found),
                None => job.kernel,
            },
            Some(Code::Like(other)) => other,
            None if !job.tried => return Ok(specialised(kernel, features)),
            None => job.kernel,
        };
        let known = tried.iter().find(|(of, _)| *of == decides).map(|(_, name)| *name);
        let winner = match known {
            Some(name) => name,
            None => {
                let (name, _) = self.choose(find(decides)?.1, features, lines);
                tried.push((decides, name));
                name
            }
        };
        Ok(named(winner).unwrap_or_else(|| self.choose(kernel, features, lines)))
    }

    /// The fastest variant of a kernel here: each is calibrated, then all are tried in turn, three times, so that a
    /// disturbance or a slower minute does not decide. A third of the buffer is enough for that.
    fn choose(
        &mut self,
        kernel: &Kernel,
        features: &Features,
        lines: &mut [Line],
    ) -> (&'static str, Run) {
        let trial = Limits { sample: TRIAL, target: 1.0, budget: 0.0, least: 1, most: 1 };
        let share =
            if size_of_val(lines) >= 3 * TRIAL_BYTES { lines.len() / 3 } else { lines.len() };
        let lines = &mut lines[..share];
        let mut tried: Vec<(f64, u64, &'static str, Run)> = vec![];
        let here = |v: &&Variant| (v.get)(features).is_some();
        let real = kernel.variants.iter().filter(here).any(|v| v.name != PLAIN);
        for variant in kernel.variants.iter().filter(|v| !real || v.name != PLAIN) {
            let Some(run) = (variant.get)(features) else { continue };
            let (steps, took) = self.calibrate(&trial, &mut |n| {
                std::hint::black_box(run(lines, n));
            });
            tried.push((took, steps, variant.name, run));
        }
        for _ in 0..if tried.len() > 1 { 3 } else { 0 } {
            for (least, steps, _, run) in &mut tried {
                let took = self.sample(|| {
                    std::hint::black_box(run(lines, *steps));
                });
                *least = least.min(took.seconds / *steps as f64);
            }
        }
        let best = tried.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or(("none", |_, _| 0), |(_, _, name, run)| (name, run))
    }
}
