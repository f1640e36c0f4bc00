//! Cost of atomics and locks, uncontended and contended.
//!
//! Method: pinned threads take turns on one word for a fixed time: `fetch_add`, `swap`, `cas` (load, then
//! compare-and-swap until it succeeds), `spin` (test and set with a spin hint) and `mutex` (the standard library's
//! futex lock), the last two with one addition inside. One thread: the uncontended cost, in cycles too. From two to all
//! threads: turns per second of all; `time_per_turn` is threads over that rate; `fairness` is the fewest turns of a
//! thread over the most. After each sample the lock's own count must equal the threads' sum, else there is no result.
//! Limits: no work between turns, so the core that holds the line takes many turns. Programs contend less and hand over
//! more often. With as many threads as CPUs, a preempted holder blocks all; disturbed samples show that.
//! Source: M. Herlihy, N. Shavit, The Art of Multiprocessor Programming, ch. 7; futex(2).
use crate::prelude::*;
use host::disturb::Watcher;
use kernels::lock::{Lock, WAYS, Way};
use measure::threads::Member;

/// Seconds per turn, turns per second and fairness, by the way of taking turns.
pub static PROBE: Probe =
    Probe { visits: 3, ..Probe::new(230, 1, "Locks and atomic operations", cases, run) };

/// Turns between two looks at the clock, of all threads together: a look costs as much as two turns of one.
const CHUNK: u64 = 256;
/// The least a thread takes between two looks: contended turns cost more.
const LEAST: u64 = 8;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let cpus = place::cores_first(setting.machine, &setting.cpus);
    let main = setting.main_cpu();
    let case = |n: usize| {
        let some: CpuSet = match n {
            1 => [main].into_iter().collect(),
            n => cpus.iter().take(n).copied().collect(),
        };
        // Hundreds of threads need their time to meet.
        let seconds = setting.depth.pick(0.25, 0.5, 1.8) * (1.0 + n as f64 / 128.0);
        setting.case(some, &[param::THREADS.set(n)], seconds)
    };
    let every = setting.every_variant();
    Ok(counts(cpus.len(), setting.depth, every).into_iter().map(case).collect())
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    if case.place.cpus.len() == 1 {
        return alone(case, bench);
    }
    placement_check::checked(case, bench, |bench| contended(case, bench))
}

/// Numbers of threads: one, two, and from standard depth on all; at thorough depth every power of two between them.
fn counts(most: usize, depth: Depth, every: bool) -> Vec<usize> {
    let mut counts = vec![1];
    let powers = std::iter::successors(Some(2), |n| Some(n * 2)).take_while(|n| *n < most);
    match (every, depth) {
        (true, _) => counts.extend(powers),
        _ => counts.extend(powers.take(1)),
    }
    if most == 2 || most > 2 && (every || depth > Depth::Quick) {
        counts.push(most);
    }
    counts
}

/// One thread, with the clock beside it.
fn alone(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let (_cpu, _pinned) = bench.pin_first(case)?;
    let limits = bench.limits(bench.depth.pick(0.04, 0.1, 0.3));
    let mut all = vec![];
    for way in WAYS {
        let lock = Lock::new();
        let series =
            Series::new(Metric::TimePerTurn, Unit::Seconds, Better::Lower).at(param::WAY, way.name);
        all.push(bench.series(series, &limits, 1.0, &mut |turns| (way.run)(&lock, turns))?);
    }
    Ok(all)
}

/// Turns that one thread took in so many seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Share {
    turns: u64,
    seconds: f64,
}

/// The values of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Values {
    /// Turns per second of all threads.
    rate: f64,
    /// Threads over that rate: seconds per turn of a thread if all had as many.
    turn: f64,
    /// The least thread's turns over the most thread's.
    fairness: f64,
}

/// Every thread's own rate counts, since their times end a turn apart.
fn values(shares: &[Share]) -> Values {
    let rates = || shares.iter().map(|s| s.turns as f64 / s.seconds.max(1e-12));
    let rate: f64 = rates().sum();
    let (least, most) = (rates().fold(f64::INFINITY, f64::min), rates().fold(0.0, f64::max));
    Values { rate, turn: shares.len() as f64 / rate.max(1e-12), fairness: least / most.max(1e-12) }
}

fn contended(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let cpus: Vec<u32> = case.place.cpus.iter().collect();
    let limits = Limits {
        sample: bench.depth.pick(3e-3, 5e-3, 10e-3),
        target: 0.05,
        ..bench.limits(bench.depth.pick(0.05, 0.1, 0.3))
    };
    bench.each(&WAYS, |bench, way| contend(*way, &cpus, &limits, bench))
}

/// The sum over all threads of a sample.
#[derive(Debug, Clone, Default)]
struct Sum {
    shares: Vec<Share>,
    causes: Vec<&'static str>,
}

/// All threads on one lock, sample by sample.
fn contend(
    way: Way,
    cpus: &[u32],
    limits: &Limits,
    bench: &mut Bench<'_>,
) -> Result<Vec<Series>, Reason> {
    let lock = Lock::new();
    let clock = bench.clock;
    let chunk = (CHUNK / cpus.len() as u64).max(LEAST);
    let places = threads::pinned(cpus.iter().copied());
    let measure = |member: &Member<'_, Sum>, ()| {
        let mut watch = Watcher::open();
        let (mut rates, mut turns, mut fair) = (Timed::default(), vec![], vec![]);
        let (mut spent, mut counted) = (0.0, 0);
        // The first sample finds everything cold and is dropped.
        for sample in 0.. {
            let work = || {
                watch.mark();
                let begin = clock.now();
                let mut share = Share::default();
                while share.seconds < limits.sample {
                    (way.run)(&lock, chunk);
                    share.turns += chunk;
                    share.seconds = clock.now() - begin;
                }
                Ok((share, watch.since()))
            };
            let sampled = member.sample(work, |sum: &mut Sum, (share, causes)| {
                sum.shares.push(*share);
                threads::add_causes(&mut sum.causes, causes.iter().copied());
            })?;
            let Sum { shares, causes } = sampled.sum;
            counted += shares.iter().map(|s| s.turns).sum::<u64>();
            if (way.taken)(&lock).is_some_and(|turns| turns != counted) {
                return Err(Reason::new(format!("{} let two threads in at once", way.name)));
            }
            if sample == 0 {
                continue;
            }
            let values = values(&shares);
            rates.push(values.rate, causes);
            turns.push(values.turn);
            fair.push(values.fairness);
            spent += shares.first().map_or(0.0, |s| s.seconds);
            if sampled.stop || rates.is_complete(limits, spent) {
                break;
            }
        }
        Ok((rates, turns, fair))
    };
    let (rates, turns, fair) = threads::run_alike(&places, bench, |_| Ok(()), measure)?;
    let series = |metric, unit, better, samples| Series {
        samples,
        disturbed: rates.marks.clone(),
        steps: chunk,
        ..Series::new(metric, unit, better).at(param::WAY, way.name)
    };
    Ok(vec![
        series("turns", Unit::PerSecond, Better::Higher, rates.samples.clone()),
        series("time_per_turn", Unit::Seconds, Better::Lower, turns),
        series("fairness", Unit::Ratio, Better::Higher, fair),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_all_turns_their_time_and_the_least_over_the_most() {
        let shares = [Share { turns: 300, seconds: 1.0 }, Share { turns: 200, seconds: 2.0 }];
        let values = values(&shares);
        assert_eq!((values.rate, values.turn), (400.0, 2.0 / 400.0));
        assert!((values.fairness - 1.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn one_two_and_all_threads_are_counted_each_once() {
        use Depth::{Quick, Standard, Thorough};
        assert_eq!(counts(1, Thorough, true), [1]);
        assert_eq!(counts(2, Quick, false), [1, 2]);
        assert_eq!(counts(96, Quick, false), [1, 2]);
        assert_eq!(counts(96, Standard, false), [1, 2, 96]);
        assert_eq!(counts(6, Thorough, true), [1, 2, 4, 6]);
        assert_eq!(counts(1024, Thorough, true).len(), 11);
    }
}
