//! Samples of a common effort: from the first thread's start to the last thread's end.
use super::{Member, add_causes};
use crate::timing::{self, Limits, Timed};
use host::{clock::Clock, disturb::Watcher};
use record::Reason;

/// When the first thread began, when the last one ended, and what disturbed them.
#[derive(Debug, Clone, Default)]
pub struct Span {
    begin: Option<f64>,
    end: f64,
    causes: Vec<&'static str>,
}

impl Span {
    fn seconds(&self) -> f64 {
        self.end - self.begin.unwrap_or(self.end)
    }
}

/// Work that does so many steps.
pub type Work<'a> = Box<dyn FnMut(u64) + 'a>;

/// One thread's view of a common measurement.
#[allow(missing_debug_implementations, reason = "it borrows a clock")]
pub struct Elapsed<'a> {
    member: &'a Member<'a, Span>,
    clock: &'a (dyn Clock + Sync),
    watch: Watcher,
}

impl<'a> Elapsed<'a> {
    /// The view of one thread.
    pub fn new(member: &'a Member<'a, Span>, clock: &'a (dyn Clock + Sync)) -> Elapsed<'a> {
        Elapsed { member, clock, watch: Watcher::open() }
    }

    /// Runs `work` on all threads at once.
    fn sample(&mut self, work: impl FnOnce()) -> Result<(Span, bool), Reason> {
        let Elapsed { member, clock, watch } = self;
        let timed = || {
            member.stop_if_moved();
            watch.mark();
            let begin = clock.now();
            work();
            let end = clock.now();
            Ok((begin, end, watch.since()))
        };
        let all = member.sample(timed, |span, (begin, end, causes)| {
            span.begin = Some(span.begin.map_or(*begin, |first| first.min(*begin)));
            span.end = span.end.max(*end);
            add_causes(&mut span.causes, causes.iter().copied());
        })?;
        Ok((all.sum, all.stop))
    }

    /// Seconds of all threads for so many steps.
    ///
    /// # Errors
    /// A thread failed.
    pub fn seconds(&mut self, work: impl FnOnce()) -> Result<f64, Reason> {
        Ok(self.sample(work)?.0.seconds())
    }

    /// Finds how many steps make a sample, and seconds per step; see [`crate::timing::calibrate`].
    pub fn calibrate(&mut self, limits: &Limits, work: &mut dyn FnMut(u64)) -> (u64, f64) {
        let clock = self.clock;
        let took = &mut |steps| self.seconds(|| work(steps)).unwrap_or(f64::INFINITY);
        timing::steps_for(clock, limits, took)
    }

    /// Times `work`; see [`crate::timing::time`]. Also whether sampling was stopped.
    ///
    /// # Errors
    /// A thread failed.
    pub fn time(
        &mut self,
        limits: &Limits,
        work: &mut dyn FnMut(u64),
    ) -> Result<(Timed, bool), Reason> {
        let (steps, _) = self.calibrate(limits, work);
        let mut timed = Timed { steps, ..Timed::default() };
        let mut spent = 0.0;
        loop {
            let (sum, stop) = self.sample(|| work(steps))?;
            spent += sum.seconds();
            timed.push(sum.seconds() / steps as f64, sum.causes);
            if stop || timed.is_complete(limits, spent) {
                return Ok((timed, stop));
            }
        }
    }

    /// Times all of `works` interleaved, one sample of each, until every one is settled: a drift affects all of them
    /// alike. The budget is that of each.
    ///
    /// # Errors
    /// A thread failed.
    pub fn time_interleaved(
        &mut self,
        limits: &Limits,
        works: &mut [Work<'_>],
    ) -> Result<Vec<Timed>, Reason> {
        let mut all: Vec<Timed> = works
            .iter_mut()
            .map(|work| Timed { steps: self.calibrate(limits, work).0, ..Timed::default() })
            .collect();
        let budget = limits.budget * works.len() as f64;
        let limits = Limits { budget, ..*limits };
        let mut spent = 0.0;
        loop {
            let mut stopped = false;
            for (work, timed) in works.iter_mut().zip(&mut all) {
                let (sum, stop) = self.sample(|| work(timed.steps))?;
                spent += sum.seconds();
                stopped |= stop;
                timed.push(sum.seconds() / timed.steps as f64, sum.causes);
            }
            if stopped || all.iter().all(|timed| timed.is_complete(&limits, spent)) {
                return Ok(all);
            }
        }
    }
}
