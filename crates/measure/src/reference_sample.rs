//! A short fixed workload between the cases: it separates "this case is noisy" from "the machine changed", for each resource
//! that cases rest on.
use crate::bench::CoreFrequency;
use host::{clock::Clock, cpus};
use kernels::{Arena, Features, Order, Ring};
use record::{Machine, Reason};

/// Windows per sample and resource, of some 50 us each.
const WINDOWS: usize = 7;
/// Loads per window in the second-level cache: 15 to 60 us.
const LOADS: u64 = 10_000;
/// Loads in the last cache: 20 to 80 us.
const LOADS_LAST: u64 = 1_500;
/// Loads in memory: 40 to 100 us.
const LOADS_MEMORY: u64 = 400;
/// Seconds of work before a sample counts: a core that was idle needs them to reach its frequency and its cache.
const WARM_UP: f64 = 3e-3;
/// A ring is in its cache when a pass takes what the one so many passes before took, within a share. Of lines that other data
/// drove from the last cache each pass leaves a part out: on a Zen 4 guest 3 MiB took 86 ns a load in the first pass, 29 in
/// the third and 15 from the seventh on.
const PASSES_APART: usize = 3;
const SETTLED: f64 = 0.05;
/// Seconds of such passes at most: neighbours may take the cache as fast as it is filled.
const FILLING: f64 = 20e-3;
/// The second-level cache where it is not known: its ring, a quarter of it, is larger than any first-level cache's half and
/// smaller than any second-level cache since 2010.
const SECOND: u64 = 512 << 10;
/// The ring whose lines are flushed to memory: all windows take less than one turn, a line in four, so that no prefetcher
/// brings the next one, on so few pages that their translations stay.
const FLUSHED: u64 = 1 << 20;
const FLUSHED_STRIDE: usize = 256;

/// Memory for the rings of one CPU's samples, which must outlive them.
#[derive(Debug)]
pub struct Arenas([Option<Arena>; 3]);

impl Arenas {
    /// A quarter of the second-level cache; twice all of it, where the last cache holds twice that; and what is flushed.
    pub fn new(machine: &Machine, cpu: u32, seed: u64) -> Arenas {
        let topology = &machine.topology;
        let second = topology.data_caches(cpu).get(1).and_then(|c| c.bytes);
        let last = topology.last_level_bytes(cpu);
        let beyond = second.map(|b| 2 * b).filter(|b| last.is_some_and(|last| last >= 2 * b));
        let near = (second.unwrap_or(SECOND) / 4).max(64 << 10);
        // The CPU that will read it is the first to write it.
        let _pinned = cpus::pin(cpu);
        Arenas([Some(near), beyond, Some(FLUSHED)].map(|bytes| {
            let mut arena = Arena::heap(usize::try_from(bytes?).ok()?);
            kernels::fill_random(arena.lines_mut(), seed);
            Some(arena)
        }))
    }
}

/// The fixed workload.
#[derive(Debug)]
pub struct ReferenceSample<'a> {
    cpu: u32,
    core: CoreFrequency,
    ports: CoreFrequency,
    /// In the second-level cache, the last one, and memory.
    rings: [Option<Ring<'a>>; 3],
}

impl<'a> ReferenceSample<'a> {
    /// Prepares the adds and links the rings.
    ///
    /// # Errors
    /// There is no kernel of adds, which is a defect.
    pub fn new(
        clock: &dyn Clock,
        features: &Features,
        cpu: u32,
        arenas: &'a mut Arenas,
        seed: u64,
    ) -> Result<ReferenceSample<'a>, Reason> {
        let [near, last, flushed] = &mut arenas.0;
        let ring = |arena: &'a mut Option<Arena>, stride| {
            Ring::build(arena.as_mut()?.lines_mut(), Order::Random { stride }, seed)
        };
        Ok(ReferenceSample {
            cpu,
            core: CoreFrequency::new(clock, features, "add_chain")?,
            ports: CoreFrequency::new(clock, features, "add")?,
            rings: [ring(near, 64), ring(last, 64), ring(flushed, FLUSHED_STRIDE)],
        })
    }
    /// Takes one sample, in some 10 ms; `None` if the CPU cannot be used any more.
    pub fn measure(&mut self, clock: &dyn Clock, at: f64) -> Option<record::ReferenceSample> {
        let _pinned = cpus::pin(self.cpu).ok()?;
        let warm = clock.now() + WARM_UP;
        while clock.now() < warm {
            self.core.window(clock);
        }
        let mut sample = record::ReferenceSample { at, cpu: self.cpu, ..Default::default() };
        for _ in 0..WINDOWS {
            sample.frequency.push(self.core.window(clock));
            sample.ports.push(self.ports.window(clock));
        }
        let [near, last, memory] = &mut self.rings;
        sample.chase = chase(near.as_mut(), LOADS, clock, cached);
        sample.l3 = chase(last.as_mut(), LOADS_LAST, clock, cached);
        sample.memory = chase(memory.as_mut(), LOADS_MEMORY, clock, |ring, _| ring.flush());
        let record::ReferenceSample { frequency, ports, chase, l3, memory, .. } = &mut sample;
        [frequency, ports, chase, l3, memory].into_iter().flatten().for_each(crate::run::round);
        Some(sample)
    }
}

/// Loads a ring into the cache that holds it. Each pass begins with reads in the order of addresses, which are 20 times as fast
/// as a walk: of a last cache that neighbours fill, a walk from memory loses its first lines before it ends. On an Ice Lake guest
/// whose lines stayed some 2 ms, walks of 2.5 MiB took 60 to 190 ns a load however many there were, and 22 after such reads.
fn cached(ring: &mut Ring<'_>, clock: &dyn Clock) -> bool {
    let began = clock.now();
    let mut passes: Vec<f64> = vec![];
    loop {
        ring.touch();
        let begin = clock.now();
        std::hint::black_box(ring.walk(ring.len() as u64));
        let end = clock.now();
        passes.push(end - begin);
        let before = passes.iter().rev().nth(PASSES_APART);
        let settled = before.is_some_and(|before| ((end - begin) / before - 1.0).abs() < SETTLED);
        if settled || end - began > FILLING {
            return true;
        }
    }
}

/// Seconds per load of a ring that is in its place, window by window; none where it cannot be brought there.
fn chase(
    ring: Option<&mut Ring<'_>>,
    loads: u64,
    clock: &dyn Clock,
    prepare: fn(&mut Ring<'_>, &dyn Clock) -> bool,
) -> Vec<f64> {
    let Some(ring) = ring else { return vec![] };
    if !prepare(ring, clock) {
        return vec![];
    }
    let mut window = || {
        let begin = clock.now();
        std::hint::black_box(ring.walk(loads));
        (clock.now() - begin) / loads as f64
    };
    // The first window fills what translates addresses.
    window();
    (0..WINDOWS).map(|_| window()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::collections::VecDeque;

    /// Every second reading is later than the one before it, by the next of these seconds.
    struct Passes(RefCell<(f64, bool, VecDeque<f64>)>);

    impl Clock for Passes {
        fn now(&self) -> f64 {
            let (now, is_end, passes) = &mut *self.0.borrow_mut();
            if *is_end {
                *now += passes.pop_front().unwrap();
            }
            *is_end = !*is_end;
            *now
        }
        fn resolution(&self) -> f64 {
            1e-9
        }
    }

    /// The windows of a ring whose passes and windows take so long.
    fn windows(passes: &[f64]) -> (Vec<f64>, usize) {
        let mut arena = Arena::heap(64 << 10);
        let mut ring = Ring::build(arena.lines_mut(), Order::Random { stride: 64 }, 1);
        let clock = Passes(RefCell::new((0.0, true, passes.iter().copied().collect())));
        let found = chase(ring.as_mut(), 1, &clock, cached);
        (found, clock.0.into_inner().2.len())
    }

    /// Passes of 2 MiB on a Zen 4 guest after other data had gone through its last cache, one of them disturbed.
    #[test]
    fn a_cache_that_fills_pass_by_pass_is_full_before_it_is_measured() {
        let passes =
            [0.0, 92.0, 57.0, 45.0, 174.0, 31.0, 28.0, 21.0, 17.0, 14.0, 13.0, 13.0, 13.0, 13.0];
        let mut all = passes.map(|x| x * 1e-6).to_vec();
        // The first window is not counted.
        all.extend([99.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        let (found, left) = windows(&all);
        assert_eq!(left, 0);
        let wanted = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
    }

    #[test]
    fn a_cache_that_neighbours_take_is_measured_as_it_is() {
        let passes: Vec<f64> = (0..100).map(|i| if i % 2 == 0 { 3e-3 } else { 6e-3 }).collect();
        let (found, left) = windows(&passes);
        assert_eq!((found.len(), 100 - left), (WINDOWS, 6 + 1 + WINDOWS));
    }
}
