//! The same piece of work again and again, each timed: what an undisturbed piece takes is undisturbed speed, and nobody needs to
//! turn interrupts off to see it.
//!
//! A piece is some 50 us long, so that most have no tick in them. Disturbed is what takes more than the third quartile of the
//! window before by three interquartile ranges and half a microsecond (Tukey's far out); what the pieces after a disturbed
//! one take more than others is what the disturbance costs after it has ended.
//!
//! The floor of a window is of pieces during which nothing was switched, by the kernel's count. After each window dependent
//! additions tell the core's clock, so that a floor that moves with it is known from one that somebody else moves.
use super::{Counter, NoiseSettings, TURN};
use host::accounts::ThreadEvents;
use measure::bench::CoreFrequency;
use record::{FixedWork, Histogram, Reason};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// Length of a piece in seconds, about.
pub(crate) const PIECE: f64 = 50e-6;
/// Windows as those of detours.
const WINDOW: f64 = 0.1;
const WINDOWS: f64 = 200.0;
/// Pieces that are tried before, to know what is usual.
const TRIED: usize = 400;
/// Pieces after a disturbed one that are counted one by one.
const AFTER: usize = 8;
/// Half a microsecond is less than any interrupt takes.
const LEAST_EXCESS: f64 = 0.5e-6;
/// Buckets an octave: 0.5 % wide.
const PER_OCTAVE: u32 = 128;
/// Looks at the clock after each window, of 50 us each: the best of them was not interrupted.
const CLOCKS: usize = 3;
/// Pieces of a window of which the quantiles are taken, at most.
const MOST: usize = 1 << 14;

/// The result: the mean seconds of a piece in each window, and the details.
pub(crate) struct FixedWorkResult {
    pub(crate) means: Vec<f64>,
    pub(crate) fixed_work: FixedWork,
}

/// The third quartile and three interquartile ranges beyond it, and half a microsecond.
fn far_out(sorted: &[u64], counter: &Counter<'_>) -> u64 {
    let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share) as usize];
    let (low, high) = (at(0.25), at(0.75));
    high + 3 * (high - low) + counter.ticks(LEAST_EXCESS)
}

/// Repeats `piece` in the calling thread; it says whether its answer was right. `core` tells the clock.
///
/// # Errors
/// A piece's answer was wrong.
pub(crate) fn repeat(
    settings: &NoiseSettings,
    counter: &Counter<'_>,
    cancel: &AtomicBool,
    core: Option<&CoreFrequency>,
    piece: &mut dyn FnMut() -> bool,
) -> Result<FixedWorkResult, Reason> {
    let mut fixed_work = FixedWork {
        lengths: Histogram::new(PER_OCTAVE),
        after: vec![(0, 0.0); AFTER],
        ..FixedWork::default()
    };
    let mut timed = |fixed_work: &mut FixedWork| {
        let began = counter.now();
        let right = piece();
        let took = counter.now().saturating_sub(began);
        fixed_work.checked += 1;
        match right {
            true => Ok((began, took)),
            false => Err(Reason::new(
                "the work had a wrong result: the processor, or memory, is not in order",
            )),
        }
    };
    let mut window: Vec<u64> = Vec::with_capacity(MOST);
    for _ in 0..TRIED {
        window.push(timed(&mut fixed_work)?.1);
    }
    window.sort_unstable();
    let mut usual = far_out(&window, counter);
    fixed_work.threshold = counter.seconds(usual);
    window.clear();
    let start = counter.now();
    let end = start + counter.ticks(settings.seconds);
    let length = counter.ticks(WINDOW.max(settings.seconds / WINDOWS));
    let turn = counter.ticks(TURN * settings.duty);
    let (mut window_end, mut turn_end) = (start + length, start + turn);
    let (mut means, mut own) = (vec![], ThreadEvents::now());
    // How many pieces ago one was disturbed; those before the first are as good as any.
    let mut since = AFTER;
    let (mut in_window, mut of_window) = (0u64, 0u64);
    loop {
        let (began, took) = timed(&mut fixed_work)?;
        let seconds = counter.seconds(took);
        fixed_work.lengths.add(seconds);
        fixed_work.count += 1;
        fixed_work.total += seconds;
        of_window += took;
        in_window += 1;
        // Two threads' counters are the same one; where a thread is, is asked for between pieces.
        let found = ThreadEvents::now();
        let switched = found.switches != own.switches;
        fixed_work.switched += u64::from(switched);
        fixed_work.migrations += u64::from(found.cpu != own.cpu);
        own = found;
        if window.len() < MOST && !switched {
            window.push(took);
        }
        let into = if took > usual {
            since = 0;
            &mut fixed_work.disturbed
        } else {
            since = (since + 1).min(AFTER + 1);
            match fixed_work.after.get_mut(since - 1) {
                Some(after) => after,
                None => &mut fixed_work.quiet,
            }
        };
        into.0 += 1;
        into.1 += seconds;
        let now = began + took;
        let over = now >= end || cancel.load(Ordering::Relaxed);
        if now >= window_end || over {
            // The last one may be short, and one may have gone by without a piece that had the CPU to itself.
            if window.len() >= 20 || over && means.is_empty() {
                if window.is_empty() {
                    window.push(took);
                }
                window.sort_unstable();
                let fifth = window[(window.len() - 1) / 20];
                fixed_work.floors.push(counter.seconds(fifth));
                usual = far_out(&window, counter);
                means.push(counter.seconds(of_window) / in_window as f64);
                let looks = core.map(|core| (0..CLOCKS).map(|_| core.window(counter.clock())));
                fixed_work.frequencies.extend(looks.map(|looks| looks.fold(0.0, f64::max)));
            }
            window.clear();
            (in_window, of_window) = (0, 0);
            window_end = counter.now() + length;
            own = ThreadEvents::now();
        }
        if over {
            return Ok(FixedWorkResult { means, fixed_work });
        }
        if now >= turn_end {
            if settings.duty < 1.0 {
                host::clock::sleep(Duration::from_secs_f64(TURN * (1.0 - settings.duty)));
            }
            turn_end = counter.now() + turn;
            own = ThreadEvents::now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::Binding;
    use host::clock::Monotonic;

    fn settings(seconds: f64) -> NoiseSettings {
        NoiseSettings { binding: Binding::Bound, seconds, duty: 1.0, threshold: None }
    }

    #[test]
    fn pieces_add_up() {
        let clock = Monotonic::new();
        let counter = Counter::new(&clock);
        let core = CoreFrequency::new(&clock, &kernels::Features::detect(), "add_chain").unwrap();
        let mut n = 0u64;
        let mut piece = || {
            n += 1;
            // Every hundredth takes far longer, and the one after it a bit.
            let rounds = if n.is_multiple_of(100) { 200_000 } else { 5_000 };
            (0..rounds).for_each(|i| _ = std::hint::black_box(i));
            true
        };
        let stop = AtomicBool::new(false);
        let done = repeat(&settings(0.25), &counter, &stop, Some(&core), &mut piece).unwrap();
        let q = &done.fixed_work;
        let parts = q.after.iter().chain([&q.disturbed, &q.quiet]);
        let (count, seconds) = parts.fold((0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        assert_eq!((count, q.lengths.count()), (q.count, q.count));
        assert!((seconds / q.total - 1.0).abs() < 1e-6);
        assert_eq!(q.checked, q.count + TRIED as u64);
        assert!(q.disturbed.0 >= q.count / 100, "{q:?}");
        // Every hundredth takes forty times as long: all of that is among the disturbed, whatever else a busy host adds to them.
        let quiet = q.quiet.1 / q.quiet.0 as f64;
        let excess = q.disturbed.1 - q.disturbed.0 as f64 * quiet;
        assert!(excess > 20.0 * quiet * (q.count / 100) as f64, "{excess} {quiet} {q:?}");
        assert!(!done.means.is_empty() && done.means.len() == q.floors.len());
        assert!(done.means.iter().zip(&q.floors).all(|(mean, floor)| mean >= floor));
        assert_eq!(q.frequencies.len(), q.floors.len());
        assert!(q.frequencies.iter().all(|hertz| *hertz > 0.0) && q.switched <= q.count);
    }

    #[test]
    fn a_wrong_answer_ends_it() {
        let clock = Monotonic::new();
        let mut left = TRIED + 10;
        let mut piece = || {
            left -= 1;
            left > 0
        };
        let stop = AtomicBool::new(false);
        let counter = Counter::new(&clock);
        let why = repeat(&settings(5.0), &counter, &stop, None, &mut piece);
        assert!(why.is_err_and(|e| e.why.contains("wrong result")));
    }
}
