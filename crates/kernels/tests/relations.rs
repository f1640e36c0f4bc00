//! Relations between measured times that hold on any machine, with wide margins: nonsense fails, noise does not.
//!
//! Ignored by default since the machine must be idle: `cargo test --release -p kernels --test relations -- --ignored
//! --test-threads 1`.
//! Time is the tick counter; cycles come from the chain of dependent additions, one cycle each.
use kernels::{Arena, Features, Line, Order, Ring, Run, arch, compute, fill_random, memory};

/// Ticks of the fastest of some tries: disturbances only ever add.
fn ticks(mut code: impl FnMut()) -> f64 {
    let once = |code: &mut dyn FnMut()| {
        let begin = arch::ticks_begin();
        code();
        (arch::ticks_end() - begin) as f64
    };
    (0..9).map(|_| once(&mut code)).fold(f64::INFINITY, f64::min)
}

/// The kernel's last variant, which is the native one where there is one.
fn native(id: &str) -> (Run, u64) {
    let found = compute::ALL.iter().find(|(name, _)| *name == id);
    let Some((_, kernel)) = found else { panic!("there is no kernel {id}") };
    let features = Features::detect();
    let Some(code) = kernel.variants.iter().rev().find_map(|v| (v.get)(&features)) else {
        panic!("{id} has no portable variant")
    };
    (code, kernel.work.ops)
}

fn ticks_per_op(id: &str) -> f64 {
    let (code, ops) = native(id);
    let steps = 20_000;
    ticks(|| {
        code(&mut [], steps);
    }) / (steps * ops) as f64
}

fn ticks_per_cycle() -> f64 {
    ticks_per_op("add_chain")
}

fn random(bytes: usize) -> Arena {
    let mut arena = Arena::heap(bytes);
    fill_random(arena.lines_mut(), 5);
    arena
}

fn every_variant(mut f: impl FnMut(&str, Run, &kernels::Work, bool)) {
    let features = Features::detect();
    for (id, kernel) in memory::ALL.iter().chain(compute::ALL) {
        for variant in kernel.variants {
            if let Some(code) = (variant.get)(&features) {
                let work = variant.work.as_ref().unwrap_or(&kernel.work);
                f(&format!("{id}/{}", variant.name), code, work, work.arrays > 0);
            }
        }
    }
}

#[test]
#[ignore = "measures time: run on an idle machine"]
fn doubling_the_steps_doubles_the_time() {
    let mut arena = random(96 << 10);
    every_variant(|name, code, _, memory| {
        let steps = if memory { 200 } else { 4000 };
        let mut time = |steps| {
            ticks(|| {
                code(arena.lines_mut(), steps);
            })
        };
        time(steps);
        // A neighbour may disturb one try; a loop that forgets its steps fails all of them.
        let ratios = [(); 6].map(|()| time(2 * steps) / time(steps));
        let doubles = ratios.iter().any(|r| (1.7..2.3).contains(r));
        assert!(doubles, "{name}: twice the steps take {ratios:.2?} times as long");
    });
}

/// No core moves more than four 64-byte vectors, or finishes more than 16 instructions, in a cycle.
#[test]
#[ignore = "measures time: run on an idle machine"]
fn no_kernel_is_faster_than_a_core_can_be() {
    let mut arena = random(24 << 10);
    every_variant(|name, code, work, memory| {
        let steps = 2000;
        let took = ticks(|| {
            code(arena.lines_mut(), steps);
        });
        let cycles = took / ticks_per_cycle() / steps as f64;
        if memory {
            let bytes = work.bytes_per_pass(arena.bytes()) as f64;
            assert!(bytes / cycles < 256.0, "{name}: {:.0} bytes per cycle", bytes / cycles);
        } else {
            let done = work.exact_instructions().unwrap_or(work.ops) as f64;
            assert!(done / cycles < 16.0, "{name}: {:.1} instructions per cycle", done / cycles);
        }
    });
}

fn cycles_per_load(bytes: usize) -> f64 {
    let mut arena = random(bytes);
    let order = Order::Random { stride: 64 };
    let Some(mut ring) = Ring::build(arena.lines_mut(), order, 1) else {
        panic!("{bytes} bytes are no ring")
    };
    let steps = 100_000;
    ring.walk(steps);
    ticks(|| {
        ring.walk(steps);
    }) / ticks_per_cycle()
        / steps as f64
}

#[test]
#[ignore = "measures time: run on an idle machine"]
fn latency_does_not_fall_as_the_memory_grows() {
    let curve: Vec<f64> =
        [8 << 10, 16 << 10, 256 << 10, 4 << 20, 128 << 20].map(cycles_per_load).to_vec();
    assert!(curve.windows(2).all(|w| w[1] > 0.9 * w[0]), "cycles per load: {curve:.1?}");
}

/// The first-level cache of no core answers within one cycle, so a chase that seems to is not waiting.
fn waits_for_each_load(cycles_per_load: f64) -> bool {
    cycles_per_load >= 2.0
}

/// The negative control beside it reads the same lines in the same order from a table, without a chain.
#[test]
#[ignore = "measures time: run on an idle machine"]
fn the_chase_waits_and_an_independent_one_is_rejected() {
    assert!(waits_for_each_load(cycles_per_load(16 << 10)));
    let mut arena = random(16 << 10);
    let mut ring = Ring::build(arena.lines_mut(), Order::Random { stride: 64 }, 1).unwrap();
    let order: Vec<usize> = (0..ring.len()).map(|_| ring.walk_reference(1)).collect();
    let lines: &[Line] = arena.lines();
    let turns = 400;
    let took = ticks(|| {
        for _ in 0..turns {
            let sum = order.iter().fold(0u64, |s, at| s.wrapping_add(lines[*at].0[0]));
            std::hint::black_box(sum);
        }
    });
    let cycles = took / ticks_per_cycle() / (turns * order.len()) as f64;
    // An unoptimised test binary is slow enough to look honest; only a release run can show this.
    assert!(
        cfg!(debug_assertions) || !waits_for_each_load(cycles),
        "{cycles:.1} cycles per independent load"
    );
}

/// The price of a failed guess is positive and not absurd: the branch kernels differ in nothing else.
#[test]
#[ignore = "measures time: run on an idle machine"]
fn a_failed_guess_costs_something() {
    let cycles = |id| ticks_per_op(id) / ticks_per_cycle();
    let penalty = (cycles("branch_miss") - cycles("branch_hit")) / 0.5;
    assert!((3.0..60.0).contains(&penalty), "{penalty:.1} cycles");
}
