//! Fixed work quantum (FWQ): undisturbed speed of a piece of work, and what the system adds.
//!
//! Method: a thread on each CPU, all at once, repeats a quantum of about 50 us and times each. `quantum` = `prime`:
//! trial division of a range, whose count of primes is checked, and whole passes from 3 to 999,999 (78,497 primes;
//! `time_per_pass`). `l1`, `l2`, `memory`: dependent random loads through half of that cache, or a buffer beyond the
//! last one. `time_per_step`: per number or load, the mean of each tenth of a second. All lengths are kept as a
//! histogram, quanta after disturbed ones apart. Between windows dependent additions give the frequency. `binding` and
//! `system` are as in `noise_detours`; guests run primes only. A real-time thread rests after each pass as its `duty`
//! says. `numbers` sets the numbers of a prime quantum.
//! Limits: SMT siblings slow each other all the time, which is in their undisturbed speed. Memory quanta vary by
//! themselves. Real-time threads make their buffers, and each pass, without a rest.
//! Source: FWQ of LLNL's benchmarks; the test of github.com/snake0/irq_test; docs/adr/0022.
use crate::{
    noise::{self, Binding, Counter, NoiseSettings, fixed_work, guest},
    prelude::*,
};
use host::clock::Clock;
use kernels::{Order, Ring, quantum};
use measure::{bench::CoreFrequency, threads::Member};
use record::Buffer;
use std::time::Duration;

/// Seconds of one piece of work.
pub static PROBE: Probe =
    Probe { lacks: noise::lacks, ..Probe::new(280, 3, "OS noise: fixed work quantum", cases, run) };

const KINDS: [&str; 4] = ["prime", "l1", "l2", "memory"];
/// The first number of the pieces of primes: within the source's range.
const AT: u64 = 900_000;
/// Numbers of a piece at most.
const MOST_NUMBERS: u64 = 1 << 14;
/// The assumed size where a cache is not stated: every one in use is as large.
const L1: u64 = 32 << 10;
const L2: u64 = 256 << 10;
/// A buffer of this size at most, since it is built by every thread; but all of them are twice the last caches.
const MOST_MEMORY: u64 = 256 << 20;
/// Seconds of a whole pass, and of making a buffer of [`MOST_MEMORY`].
const PASS: f64 = 0.3;
const MADE: f64 = 0.5;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let asked = setting.is_named(ProbeId::NoiseFwq);
    let (bindings, seconds) = match setting.probe_options.get::<noise::Options>() {
        Some(options) => (&options.bindings[..], options.each),
        None if asked || setting.every_variant() => {
            (&[Binding::Bound][..], setting.depth.pick(0.5, 1.0, 2.0))
        }
        None => return Ok(vec![]),
    };
    let passes = passes(setting.depth);
    let extra = |kind: &str, settings: &NoiseSettings| match kind {
        "prime" => PASS * passes as f64 / settings.duty.max(0.01),
        "memory" => {
            let threads = threads(settings.binding, &setting.cpus);
            let bytes = beyond(setting.machine, setting.main_cpu(), &setting.cpus, threads);
            MADE * (bytes as f64 / MOST_MEMORY as f64).max(1.0)
        }
        _ => 0.0,
    };
    let cases = KINDS.iter().flat_map(|kind| {
        let cases = noise::cases(setting, bindings, seconds, &[param::QUANTUM.set(*kind)]);
        cases.into_iter().map(move |c| Case {
            estimate: c.estimate + extra(kind, &NoiseSettings::from_case(&c)),
            ..c
        })
    });
    let mut cases: Vec<Case> = cases.collect();
    if let Some(options) = setting.probe_options.get::<noise::Options>() {
        // Of a guest's caches nothing is known before it is booted.
        let quantum = [param::QUANTUM.set(KINDS[0])];
        cases.extend(guest::cases(setting, options, options.each, &quantum));
    }
    Ok(cases)
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    if guest::is_guest_case(case) {
        return guest::measured(case, bench);
    }
    let settings = NoiseSettings::scaled(case, bench);
    let kind = case.get(param::QUANTUM).unwrap_or("prime").to_owned();
    let (counter, cancel, clock) = (Counter::new(bench.clock), bench.cancel, bench.clock);
    let (machine, seed, passes) = (bench.machine, bench.seed, passes(bench.depth));
    let threads = threads(settings.binding, &case.place.cpus);
    let free = host::pages::free_on_node(None);
    let numbers = case.get(param::NUMBERS);
    let core = CoreFrequency::new(clock, &bench.features, "add_chain")?;
    let prepare = |cpu: Option<u32>| {
        if kind == "prime" {
            return Ok(Piece::Prime(range(numbers, clock)));
        }
        let cpu = cpu.or(case.place.cpus.first()).unwrap_or(0);
        let far = beyond(machine, cpu, &case.place.cpus, threads);
        let bytes = place::within(far, threads, free);
        Ok(Piece::Loads(Buffered::new(machine, seed, &kind, cpu, bytes)?))
    };
    let work = |_, piece, _: &Member<'_, ()>| {
        let repeat = |piece: &mut dyn FnMut() -> bool| {
            fixed_work::repeat(&settings, &counter, cancel, Some(&core), piece)
        };
        match piece {
            Piece::Prime((last, primes)) => {
                let done = repeat(&mut || quantum::primes(AT, last) == primes)?;
                Ok((done, last - AT, None, whole(passes, settings.duty, clock)?))
            }
            Piece::Loads(mut memory) => {
                let buffer = memory.buffer.clone();
                let mut ring = memory.ring()?;
                let steps = steps(&mut ring, clock);
                let done = repeat(&mut || {
                    std::hint::black_box(ring.walk(steps));
                    true
                })?;
                Ok((done, steps, Some(buffer), vec![]))
            }
        }
    };
    let found = noise::everywhere(case, bench, settings.binding, prepare, work)?;
    let mut all = vec![];
    for (cpu, (done, steps, buffer, passes)) in found {
        let of = |metric: &str, samples: Vec<f64>| {
            let series = Series::new(metric, Unit::Seconds, Better::Lower);
            let series = cpu.into_iter().fold(series, |s, cpu| s.at(param::CPU, cpu));
            Series { samples, ..series }
        };
        // How much work makes a piece is another on every machine; what a number or a load takes can be compared.
        let each = done.means.iter().map(|mean| mean / steps.max(1) as f64).collect();
        let series = of("time_per_step", each);
        all.push(Series { fixed_work: Some(Box::new(done.fixed_work)), buffer, steps, ..series });
        all.extend((!passes.is_empty()).then(|| of("time_per_pass", passes)));
    }
    Ok(all)
}

/// Passes over the source's whole range; the source has ten.
fn passes(depth: Depth) -> usize {
    depth.pick(3, 5, 10)
}

/// The number of working threads: one on each CPU, or one that may be moved.
fn threads(binding: Binding, cpus: &CpuSet) -> usize {
    if binding == Binding::Unbound { 1 } else { cpus.len().max(1) }
}

/// Bytes of a thread's buffer beyond the last cache: four times it, but no more than [`MOST_MEMORY`] where those of all
/// threads are twice the last caches that they reach.
fn beyond(machine: &Machine, cpu: u32, all: &CpuSet, threads: usize) -> u64 {
    let last = machine.topology.last_level_bytes(cpu).unwrap_or(place::UNKNOWN_LLC);
    let share = place::last_levels(machine, all).map_or(last, |sum| sum / threads as u64).min(last);
    (place::LLC_MULTIPLE * last).clamp(64 << 20, MOST_MEMORY.max(2 * share))
}

/// Times of whole passes over the source's range, while other CPUs do the same. After each the thread sleeps for as long
/// as leaves it this share of the time.
///
/// # Errors
/// One found another number of primes than there are.
fn whole(passes: usize, duty: f64, clock: &dyn Clock) -> Result<Vec<f64>, Reason> {
    let pass = |_| {
        let began = clock.now();
        let found = quantum::primes(quantum::FIRST, quantum::LAST);
        let took = clock.now() - began;
        if duty < 1.0 {
            host::clock::sleep(Duration::from_secs_f64(took * (1.0 / duty.max(0.01) - 1.0)));
        }
        match found == quantum::PRIMES {
            true => Ok(took),
            false => Err(Reason::new(format!(
                "{found} primes were found between 3 and 999,999, where there are {}: the processor is not in order",
                quantum::PRIMES
            ))),
        }
    };
    (0..passes).map(pass).collect()
}

/// A range from [`AT`] of so many numbers, or whose primes take some 50 us to be counted, and how many there are.
fn range(wanted: Option<u64>, clock: &dyn Clock) -> (u64, u64) {
    let last = AT + wanted.map_or_else(|| numbers(clock), |n| n.clamp(1, MOST_NUMBERS));
    let prime = |c: &u64| (2..).take_while(|d| d * d <= *c).all(|d| !c.is_multiple_of(d));
    (last, (AT..last).filter(prime).count() as u64)
}

/// The count of numbers that takes some 50 us.
fn numbers(clock: &dyn Clock) -> u64 {
    let mut numbers = 16;
    loop {
        let took = (0..5).map(|_| {
            let began = clock.now();
            std::hint::black_box(quantum::primes(AT, AT + numbers));
            clock.now() - began
        });
        let least = took.fold(f64::INFINITY, f64::min);
        if least >= 0.8 * fixed_work::PIECE || numbers >= MOST_NUMBERS {
            return numbers;
        }
        let wanted = numbers as f64 * fixed_work::PIECE / least.max(1e-9);
        numbers = (wanted as u64).clamp(numbers + 1, 4 * numbers);
    }
}

/// Loads that take some 50 us.
fn steps(ring: &mut Ring<'_>, clock: &dyn Clock) -> u64 {
    let mut steps = 64;
    // The first turn finds everything cold.
    ring.touch();
    loop {
        let began = clock.now();
        std::hint::black_box(ring.walk(steps));
        let took = clock.now() - began;
        if took >= 0.8 * fixed_work::PIECE || steps >= 1 << 20 {
            let scale = fixed_work::PIECE / took.max(1e-9);
            return ((steps as f64 * scale.min(1.0)) as u64).max(1);
        }
        steps *= 2;
    }
}

/// The piece of work that a thread repeats.
enum Piece {
    /// The end of a range of numbers, and the primes in it.
    Prime((u64, u64)),
    Loads(Buffered),
}

/// Memory to load from.
struct Buffered {
    arena: kernels::Arena,
    buffer: Buffer,
    seed: u64,
}

impl Buffered {
    /// Half of the first caches, or the `far` bytes.
    fn new(
        machine: &Machine,
        seed: u64,
        kind: &str,
        cpu: u32,
        far: u64,
    ) -> Result<Buffered, Reason> {
        let caches = machine.topology.data_caches(cpu);
        let level = |n: u32| caches.iter().find(|c| c.level == n).and_then(|c| c.bytes);
        let cpus: CpuSet = [cpu].into_iter().collect();
        let bytes = match kind {
            "l1" => level(1).unwrap_or(L1) / 2,
            "l2" => level(2).unwrap_or(L2) / 2,
            _ => far,
        };
        // The least that a buffer may be is more than the first caches hold: the ring takes a part of it.
        let whole = bytes.max(place::LEAST);
        let (arena, buffer) = bench::buffer(machine, seed, whole, Pages::Base, None, &cpus)?;
        let llc_ratio = place::ratio(machine, &cpus, bytes);
        Ok(Buffered { arena, buffer: Buffer { bytes, llc_ratio, ..buffer }, seed })
    }
    fn ring(&mut self) -> Result<Ring<'_>, Reason> {
        let lines = (self.buffer.bytes as usize / kernels::Line::BYTES).max(2);
        let lines = &mut self.arena.lines_mut()[..lines];
        Ring::build(lines, Order::Random { stride: kernels::Line::BYTES }, self.seed)
            .ok_or_else(|| Reason::new("too little memory for a ring of loads"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::clock::Monotonic;
    use record::{Cache, CacheKind};

    #[test]
    fn the_range_is_a_piece_and_its_primes_are_known() {
        let (last, primes) = range(None, &Monotonic::new());
        assert!(last > AT + 16);
        assert_eq!(quantum::primes(AT, last), primes);
        assert!(primes > 0, "{} numbers and no prime", last - AT);
        // Runs that are compared have the same piece.
        let (last, primes) = range(Some(100), &Monotonic::new());
        assert_eq!((last, quantum::primes(AT, last)), (AT + 100, primes));
    }

    #[test]
    fn a_buffer_is_beyond_the_last_cache_also_where_few_threads_share_a_large_one() {
        let machine = |bytes: u64| {
            let mut machine = Machine::default();
            for cpus in ["0-63", "64-127"] {
                machine.topology.caches.push(Cache {
                    level: 3,
                    kind: CacheKind::Unified,
                    bytes: Some(bytes),
                    line: None,
                    ways: None,
                    cpus: cpus.parse().unwrap(),
                });
            }
            machine
        };
        let beyond = |mib: u64, cpus: &str, threads| {
            beyond(&machine(mib << 20), 0, &cpus.parse().unwrap(), threads) >> 20
        };
        assert_eq!(
            (beyond(8, "0", 1), beyond(32, "0", 1), beyond(96, "0-127", 128)),
            (64, 128, 256)
        );
        // One alone, one in each socket, one that may be moved, and many.
        assert_eq!((beyond(504, "0", 1), beyond(504, "0,64", 2)), (1008, 1008));
        assert_eq!((beyond(504, "0-127", 1), beyond(504, "0-127", 128)), (1008, 256));
    }

    /// A real-time thread leaves others their share also while it makes whole passes.
    #[test]
    fn passes_leave_others_their_share() {
        let clock = Monotonic::new();
        let began = clock.now();
        let passes = whole(2, 0.5, &clock).unwrap();
        let (took, worked) = (clock.now() - began, passes.iter().sum::<f64>());
        assert!(passes.len() == 2 && took >= 1.9 * worked, "{took} {worked}");
    }

    #[test]
    fn quick_plans_nothing_that_was_not_asked_for() {
        let machine = Machine::default();
        let mut setting = Setting::new(&machine, "0-1".parse().unwrap(), Depth::Quick);
        assert!(cases(&setting).unwrap().is_empty());
        setting.options.named = vec![ProbeId::NoiseFwq];
        let cases = cases(&setting).unwrap();
        assert_eq!(cases.iter().map(|c| c.get(param::QUANTUM).unwrap()).collect::<Vec<_>>(), KINDS);
    }
}
