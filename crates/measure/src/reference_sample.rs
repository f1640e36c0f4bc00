//! A short fixed workload between the cases: it separates "this case is noisy" from "the machine changed".
use crate::bench::CoreFrequency;
use host::{clock::Clock, cpus};
use kernels::{Arena, Features, Order, Ring};
use record::{Machine, Reason};

/// Windows per sample, of 50 us each for the frequency and about as long for the chase.
const WINDOWS: usize = 7;
/// Loads per window: 15 to 60 us in a second-level cache.
const LOADS: u64 = 10_000;
/// Seconds of work before a sample counts: a core that was idle needs them to reach its frequency and its cache.
const WARM_UP: f64 = 3e-3;
/// The ring where the second-level cache is not known: larger than any first-level cache's half, smaller
/// than any second-level cache since 2010.
const RING: u64 = 128 << 10;

/// The fixed workload.
#[derive(Debug)]
pub struct ReferenceSample {
    cpu: u32,
    core: CoreFrequency,
    arena: Arena,
    seed: u64,
}

impl ReferenceSample {
    /// Prepares the add chain and the ring.
    ///
    /// # Errors
    /// There is no dependent-operation kernel, which is a defect.
    pub fn new(
        clock: &dyn Clock,
        machine: &Machine,
        features: &Features,
        cpu: u32,
        seed: u64,
    ) -> Result<ReferenceSample, Reason> {
        let second = machine.topology.data_caches(cpu).get(1).and_then(|c| c.bytes);
        let bytes = second.map_or(RING, |b| (b / 4).max(64 << 10));
        let mut arena = Arena::heap(bytes as usize);
        kernels::fill_random(arena.lines_mut(), seed);
        Ok(ReferenceSample {
            cpu,
            core: CoreFrequency::new(clock, features, "add_chain")?,
            arena,
            seed,
        })
    }
    /// Takes one sample, in about 5 ms; `None` if the CPU cannot be used any more.
    pub fn measure(&mut self, clock: &dyn Clock, at: f64) -> Option<record::ReferenceSample> {
        let _pinned = cpus::pin(self.cpu).ok()?;
        let mut ring =
            Ring::build(self.arena.lines_mut(), Order::Random { stride: 64 }, self.seed)?;
        std::hint::black_box(ring.walk(ring.len() as u64 * 2));
        let warm = clock.now() + WARM_UP;
        while clock.now() < warm {
            self.core.window(clock);
        }
        let mut sample =
            record::ReferenceSample { at, cpu: self.cpu, frequency: vec![], chase: vec![] };
        for _ in 0..WINDOWS {
            sample.frequency.push(self.core.window(clock));
            let begin = clock.now();
            std::hint::black_box(ring.walk(LOADS));
            sample.chase.push((clock.now() - begin) / LOADS as f64);
        }
        Some(sample)
    }
}
