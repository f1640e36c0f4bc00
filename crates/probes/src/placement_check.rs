//! Hypervisors move virtual CPUs between chiplets within seconds; a number across two placements means nothing. Multi-core
//! cases are therefore measured between two placement checks, and again if the placement changed meanwhile.
use crate::probes::core_to_core;
use measure::{
    bench::Bench,
    memory_kernels::{self, Code, Job, Sequence},
    place,
    placements::MOVED,
    probe::Setting,
    timing::Limits,
};
use record::{Case, CpuSet, Pages, Placement, Reading, Reason, Series, Unit};

/// Attempts at most.
const ATTEMPTS: u32 = 3;
/// Round trips in the line check, bytes per thread (where there is room) and seconds in the bandwidth check: 50 ms together.
const LINE_SAMPLES: u32 = 24;
const READ_BYTES: u64 = 32 << 20;
const READ_SECONDS: f64 = 0.03;

/// The thread counts that bandwidth is measured at: one, and all if there are more.
pub fn thread_counts(setting: &Setting<'_>) -> Vec<(&'static str, CpuSet)> {
    let mut counts = vec![("one", [setting.main_cpu()].into_iter().collect())];
    if setting.cpus.len() > 1 {
        counts.push(("all", setting.cpus.clone()));
    }
    counts
}

/// The same, and between them all CPUs of the main one's node where there are several nodes with CPUs.
pub fn thread_sets(setting: &Setting<'_>) -> Vec<(&'static str, CpuSet)> {
    let mut sets = thread_counts(setting);
    let topology = &setting.machine.topology;
    let node = topology.node_of(setting.main_cpu());
    let near: CpuSet = setting.cpus.iter().filter(|cpu| topology.node_of(*cpu) == node).collect();
    if near.len() > 1 && near != setting.cpus {
        sets.insert(1, ("node", near));
    }
    sets
}

/// One placement check: round trip of a line in seconds, and two threads' read bandwidth in bytes per second.
#[derive(Debug, Clone, Copy)]
struct State {
    line: f64,
    read: f64,
}

impl State {
    fn differs(self, other: State) -> bool {
        let ratio = |a: f64, b: f64| if a > b { a / b } else { b / a };
        ratio(self.line, other.line) > MOVED || ratio(self.read, other.read) > MOVED
    }
}

/// Runs `work` between two placement checks, up to three times while the placement changes and there is time. Single-threaded
/// cases run once, unchecked. The samples of all attempts are kept, in one series each.
///
/// # Errors
/// Those of `work`, or a check that could not be made.
pub fn checked(
    case: &Case,
    bench: &mut Bench<'_>,
    mut work: impl FnMut(&mut Bench<'_>) -> Result<Vec<Series>, Reason>,
) -> Result<Vec<Series>, Reason> {
    if case.place.cpus.len() < 2 {
        return work(bench);
    }
    let pair = place::spread(bench.machine, &case.place.cpus, 2);
    let mut all: Vec<Series> = vec![];
    let mut before = check(&pair, bench)?;
    for attempt in 1..=ATTEMPTS {
        bench.threads.clear();
        let began = bench.clock.now();
        let earlier = attempt as usize - 1;
        for mut series in work(bench)? {
            series.attempts = vec![series.samples.len() as u32];
            match all.iter_mut().find(|s| s.is_like(&series)) {
                Some(known) => known.append(series),
                None => {
                    series.attempts.splice(0..0, vec![0; earlier]);
                    all.push(series);
                }
            }
        }
        all.iter_mut().for_each(|s| s.attempts.resize(attempt as usize, 0));
        let threads = std::mem::take(&mut bench.threads);
        let after = check(&pair, bench)?;
        bench.threads = threads;
        for (when, state) in [("before", before), ("after", after)] {
            let suffix = if attempt == 1 { String::new() } else { format!(".{attempt}") };
            let name = |what| format!("placement_check.{when}.{what}{suffix}");
            bench.readings.push(Reading::new(name("cas"), Unit::Seconds, state.line));
            bench.readings.push(Reading::new(name("read"), Unit::BytesPerSecond, state.read));
        }
        let took = bench.clock.now() - began;
        if !before.differs(after) || !bench.may_repeat(took) || bench.cancelled() {
            break;
        }
        before = after;
    }
    Ok(all)
}

fn check(pair: &CpuSet, bench: &mut Bench<'_>) -> Result<State, Reason> {
    let ids: Vec<u32> = pair.iter().collect();
    let [a, b] = ids[..] else { return Err(Reason::new("a placement check needs two CPUs")) };
    let line = core_to_core::round_trips([a, b], LINE_SAMPLES, bench)?.samples;
    let place = Placement { cpus: pair.clone(), node: None, pages: Pages::Base };
    let case = Case {
        probe: "placement_check".into(),
        version: 1,
        params: Default::default(),
        place,
        estimate: READ_SECONDS,
    };
    let limits =
        Limits { sample: READ_SECONDS / 4.0, target: 1.0, budget: READ_SECONDS, least: 3, most: 3 };
    // A check that took more than there is would have the kernel kill the program.
    let bytes = place::within(READ_BYTES, pair.len(), memory_kernels::free_for(bench, &case));
    // The same code before and after, and no time for trials.
    let job = Job { code: Code::Specialised, ..Job::named("read")? };
    let read =
        memory_kernels::measure_in(&case, bench, &[job], bytes, &limits, Sequence::OneByOne)?;
    let median = |xs: &[f64]| stats::median(xs).ok_or("an empty check");
    let read = read.first().map_or(&[][..], |s| &s.samples);
    Ok(State { line: median(&line)?, read: median(read)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two states that virtual CPUs were seen in, and the noise inside one of them.
    #[test]
    fn another_placement_is_told_from_noise_in_either_direction() {
        let near = State { line: 50e-9, read: 55e9 };
        for (line, read, moved) in [
            (250e-9, 90e9, true),
            (60e-9, 50e9, false),
            (50e-9, 90e9, true),
            (100e-9, 55e9, true),
            (50e-9, 55e9, false),
        ] {
            let other = State { line, read };
            assert_eq!((near.differs(other), other.differs(near)), (moved, moved), "{other:?}");
        }
    }
}
