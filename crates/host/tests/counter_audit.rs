//! The counter audit: what kernels state they execute, against what the processor counted.
//! It needs hardware counters and is run where there are some: `cargo xtask test` does so on an emulated machine.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test, and its counts are worth reading"
)]
#[path = "audit/scopes.rs"]
mod scopes;

use host::counters::{Counting, Event, Mode, ThisThread};
use kernels::{Arena, Features, Kernel, Line, Run, Variant, Work, compute, fill_random, memory};

/// Counts are compared as the difference of medians, so whatever surrounds the loop cancels.
const ROUNDS: usize = 5;

/// Interrupts and faults may retire an instruction twice: more than none, far fewer than steps.
const SLACK: u64 = 16;

const COMPUTE_STEPS: u64 = 2_000;

/// Passes over a part of 64 lines and a bit: blocks and tails.
const PASSES: u64 = 50;
const LINES: usize = 3 * 67;

fn work(kernel: &Kernel, variant: &Variant) -> Work {
    variant.work.unwrap_or(kernel.work)
}

type Counters = Counting<ThisThread>;

fn counters() -> Counters {
    let pair = vec![Event::cycles(), Event::instructions()];
    let counting = Counting::open(ThisThread::new(), &[pair], Mode::User);
    assert_eq!(counting.refused(), None);
    counting
}

/// The median of the instructions of a call.
fn counted(counters: &mut Counters, run: Run, lines: &mut [Line], steps: u64) -> u64 {
    let mut counts: Vec<u64> = (0..ROUNDS)
        .map(|_| {
            counters.start().unwrap();
            std::hint::black_box(run(lines, steps));
            counters.stop().unwrap();
            let instructions = counters.counts().get("instructions").unwrap();
            assert_eq!(instructions.share, 1.0, "shared counters; audit on an idle machine");
            instructions.value
        })
        .collect();
    counts.sort_unstable();
    counts[ROUNDS / 2]
}

/// Instructions that `steps` further steps took.
fn further(counters: &mut Counters, run: Run, lines: &mut [Line], steps: u64) -> u64 {
    let once = counted(counters, run, lines, steps);
    counted(counters, run, lines, 2 * steps).saturating_sub(once)
}

/// Exactly what is stated, give or take interrupts. `branch_miss` states an average of coin tosses, 16 a step, and is
/// allowed four standard deviations, each half the root of their number.
fn as_stated(id: &str, stated: u64, steps: u64, found: u64) -> Result<(), String> {
    let tosses = if id == "branch_miss" { 16 * steps } else { 0 };
    let allowed = SLACK + 2 * tosses.isqrt();
    let expected = stated * steps;
    if expected.abs_diff(found) <= allowed {
        return Ok(());
    }
    let per_step = found as f64 / steps as f64;
    Err(format!("{id} states {stated} instructions a step, the processor counted {per_step:.3}"))
}

/// The most that one instruction of a variant reads or writes, in bytes; nothing where one does all.
/// A new kind of variant must say what it is before it passes.
fn widest_access(variant: &str) -> Option<usize> {
    Some(match variant {
        "word" | "plain" => 8,
        name if name.starts_with("sse2") => 16,
        name if name.starts_with("avx2") => 32,
        name if name.starts_with("avx512") => 64,
        // A pair of registers.
        name if name.starts_with("neon") => 32,
        #[cfg(target_arch = "aarch64")]
        name if name.starts_with("sve") => kernels::arch::sve_bytes().unwrap(),
        // The largest block that `dc zva` may have here.
        "zero_zva" => 4096,
        // What the C library takes for it may be such an instruction, too.
        "rep_stosb" | "rep_movsb" | "memcpy" => return None,
        other => panic!("how many bytes does an access of {other} move?"),
    })
}

/// At least one instruction for each access that the stated bytes imply. What lies between is the arithmetic and the
/// loop, so this sees bytes counted twice in assembly, and accesses dropped from a loop the compiler wrote tightly; the
/// loops themselves are pinned by their snapshots.
fn all_there(id: &str, bytes: u64, access: usize, found: u64) -> Result<(), String> {
    let least = bytes / access as u64;
    if found + SLACK >= least {
        return Ok(());
    }
    Err(format!(
        "{id} states {bytes} bytes, at least {least} accesses; the processor counted {found} instructions"
    ))
}

/// Compares what each variant states, and `more` than it, with what is counted.
fn audit_compute(
    id: &str,
    kernel: &Kernel,
    more: i64,
    counters: &mut Counters,
) -> Result<usize, String> {
    let mut audited = 0;
    for variant in kernel.variants {
        let Some(stated) = work(kernel, variant).exact_instructions() else { continue };
        let Some(run) = (variant.get)(&Features::detect()) else { continue };
        let stated = stated.saturating_add_signed(more);
        let found = further(counters, run, &mut [], COMPUTE_STEPS);
        let name = variant.name;
        println!("{id}/{name}: states {}, counted {found}", stated * COMPUTE_STEPS);
        as_stated(id, stated, COMPUTE_STEPS, found)?;
        audited += 1;
    }
    Ok(audited)
}

fn audit_memory(id: &str, kernel: &Kernel, counters: &mut Counters) -> Result<usize, String> {
    let mut arena = Arena::heap(LINES * Line::BYTES);
    fill_random(arena.lines_mut(), 1);
    let mut audited = 0;
    for variant in kernel.variants {
        let Some(run) = (variant.get)(&Features::detect()) else { continue };
        let Some(access) = widest_access(variant.name) else { continue };
        let bytes = work(kernel, variant).bytes_per_pass(LINES * Line::BYTES) * PASSES;
        let found = further(counters, run, arena.lines_mut(), PASSES);
        println!("{id}/{}: {} accesses, {found} instructions", variant.name, bytes / access as u64);
        all_there(&format!("{id}/{}", variant.name), bytes, access, found)?;
        audited += 1;
    }
    Ok(audited)
}

#[test]
#[ignore = "needs hardware counters"]
fn compute_kernels_execute_exactly_what_they_state() {
    let mut counters = counters();
    let audited: usize =
        compute::ALL.iter().map(|(id, k)| audit_compute(id, k, 0, &mut counters).unwrap()).sum();
    let least = compute::ALL.len() - compute::NATIVE_ONLY.len();
    assert!(audited >= least, "only {audited} kernels state their instructions");
}

#[test]
#[ignore = "needs hardware counters"]
fn memory_kernels_execute_every_access_they_state() {
    let mut counters = counters();
    for (id, kernel) in memory::ALL {
        // Of what one instruction may do, or the C library as it likes, nothing is stated.
        let stated = kernel.variants.iter().any(|v| widest_access(v.name).is_some());
        assert_eq!(audit_memory(id, kernel, &mut counters).unwrap() > 0, stated, "{id}");
    }
}

/// Negative controls: the same audit rejects a count that is off by one in a step, and bytes counted twice.
#[test]
#[ignore = "needs hardware counters"]
fn kernels_that_state_something_else_are_rejected() {
    let mut counters = counters();
    for (id, kernel) in compute::ALL {
        for more in [-1, 1] {
            let verdict = audit_compute(id, kernel, more, &mut counters);
            assert!(verdict.is_err() || verdict == Ok(0), "{id} passed with {more} instructions");
        }
    }
    let honest = &memory::copy::KERNEL;
    let liar = Kernel {
        about: "Counts its bytes twice",
        work: Work { reads: 2 * honest.work.reads, writes: 2 * honest.work.writes, ..honest.work },
        reference: honest.reference,
        variants: honest.variants,
    };
    assert!(audit_memory("copy", &liar, &mut counters).is_err());
}

/// The judgement itself needs no counters.
#[test]
fn one_instruction_in_a_step_is_the_difference_between_right_and_wrong() {
    assert_eq!(as_stated("add", 66, 1000, 66_000), Ok(()));
    assert_eq!(as_stated("add", 66, 1000, 66_000 + SLACK), Ok(()));
    for wrong in [65, 67] {
        assert!(as_stated("add", wrong, 1000, 66_000).is_err());
        assert!(as_stated("branch_miss", wrong, COMPUTE_STEPS, 66 * COMPUTE_STEPS).is_err());
    }
    assert_eq!(all_there("copy", 6400, 64, 100), Ok(()));
    assert!(all_there("copy", 6400, 64, 50).is_err());
}

/// Every variant this architecture has is one the audit knows.
#[test]
fn every_variant_has_a_width_or_is_one_instruction() {
    for variant in memory::ALL.iter().flat_map(|(_, k)| k.variants) {
        if (variant.get)(&Features::detect()).is_some() {
            widest_access(variant.name);
        }
    }
}
