//! Which detours of a real-time thread are RT throttling, and which another real-time task's that came first.
//!
//! Up to Linux 6.11 the kernel stops all real-time threads of a CPU that have had it for `sched_rt_runtime_us` of
//! `sched_rt_period_us`, until the period ends; since 6.12 a server gives ordinary tasks 50 ms of each second that they had
//! less of. Either way it comes in one piece a period of about what is left, and only after real-time threads had the CPU
//! for the rest of a period. A task that comes first, and as seldom, for as long, cannot be determined from that.
//! Source: sched(7), Documentation/scheduler/sched-rt-group.rst, kernel/sched/deadline.c (dl_server) of the Linux kernel.
use record::{Cause, Detours, Sort};
use std::collections::BTreeMap;

/// The CPU time that real-time threads may have, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::analyses::noise) struct Limit {
    pub(in crate::analyses::noise) runtime: f64,
    pub(in crate::analyses::noise) period: f64,
}

/// A piece may be shorter than what is left to others by so much: the thread that watches slept, or others left some.
const SHORTEST: f64 = 0.5;
/// And longer: the kernel looks at it in ticks of up to 10 ms, of the 50 ms that are usual.
const LONGEST: f64 = 1.25;
/// From one piece to the next real-time threads have nearly all that they may have.
const NEARLY: f64 = 0.9;

/// Detours that were RT throttling, by what moved in them and by octave: how many, and seconds.
#[derive(Debug, Default)]
pub(super) struct Throttled(BTreeMap<(Vec<String>, u32), (f64, f64)>);

impl Limit {
    /// `None` for a thread that by itself leaves others as much as the kernel asks for: it cannot use its share up.
    pub(in crate::analyses::noise) fn of(runtime: f64, period: f64, duty: f64) -> Option<Limit> {
        (period > runtime && duty * period > runtime).then_some(Limit { runtime, period })
    }
    /// Those of the longest detours, which are kept one by one, that are as long as, and no more often than, throttling can be.
    pub(super) fn throttled(self, detours: &Detours) -> Throttled {
        let left = self.period - self.runtime;
        let mut may: Vec<&record::Detour> = detours
            .largest
            .iter()
            .filter(|detour| (SHORTEST * left..=LONGEST * left).contains(&detour.seconds))
            .filter(|detour| detour.at > NEARLY * self.runtime)
            .filter(|detour| detour.moved.iter().any(|m| m == "switch"))
            .collect();
        may.order_by(|a, b| (a.seconds - left).abs().total_cmp(&(b.seconds - left).abs()));
        let mut are: Vec<&record::Detour> = vec![];
        for detour in may {
            if are.iter().all(|other| (other.at - detour.at).abs() > NEARLY * self.runtime) {
                are.push(detour);
            }
        }
        let mut throttled = Throttled::default();
        for detour in are {
            let octave = (detour.seconds * 1e9).max(1.0).log2() as u32;
            let of = throttled.0.entry((detour.moved.clone(), octave)).or_default();
            of.0 += 1.0;
            of.1 += detour.seconds;
        }
        throttled
    }
}

impl Throttled {
    /// How many of these detours, and seconds of them; they are not given twice.
    pub(super) fn take(&mut self, cause: &Cause, octave: u32) -> (f64, f64) {
        let key = (cause.moved.clone(), octave);
        let (Some(all), Some((n, seconds))) = (self.0.get_mut(&key), cause.octaves.get(&octave))
        else {
            return (0.0, 0.0);
        };
        // The same may have moved in detours that were looked at and in others.
        let taken = (all.0.min(*n as f64), all.1.min(*seconds));
        all.0 -= taken.0;
        all.1 -= taken.1;
        taken
    }
}
