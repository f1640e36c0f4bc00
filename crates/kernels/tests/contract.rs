//! The contract every kernel and variant is held to: whatever is added to a folder is tested here.
use kernels::{Arena, Features, Kernel, Line, Work, compute, fill_random, memory};
use proptest::prelude::*;

/// Lines around every unroll and split, and memory that starts off a page.
const SIZES: [usize; 15] = [0, 1, 2, 3, 4, 5, 8, 12, 13, 16, 63, 64, 65, 200, 1000];

fn all() -> impl Iterator<Item = &'static (&'static str, &'static Kernel)> {
    memory::ALL.iter().chain(compute::ALL)
}

/// Runs a kernel on `lines` lines that start `offset` lines into a page, and returns its checksum and all the memory
/// around it too: a kernel must not write beyond its slice.
fn run(code: kernels::Run, offset: usize, lines: usize, steps: u64) -> (u64, Vec<Line>) {
    let mut arena = Arena::heap((offset + lines + 4) * Line::BYTES);
    fill_random(arena.lines_mut(), 42);
    let sum = code(&mut arena.lines_mut()[offset..offset + lines], steps);
    (sum, arena.lines().to_vec())
}

fn agrees(id: &str, kernel: &Kernel, offset: usize, lines: usize, steps: u64) {
    let want = run(kernel.reference, offset, lines, steps);
    for variant in kernel.variants {
        let Some(code) = (variant.get)(&Features::detect()) else { continue };
        let got = run(code, offset, lines, steps);
        let what = format!("{id}/{} on {lines} lines from {offset}, {steps} steps", variant.name);
        assert_eq!(got.0, want.0, "checksum of {what}");
        let differs = got.1.iter().zip(&want.1).position(|(a, b)| a != b);
        assert_eq!(differs, None, "line in memory after {what}");
    }
}

#[test]
fn every_variant_agrees_with_its_reference() {
    for (id, kernel) in memory::ALL {
        for lines in SIZES {
            for (offset, steps) in [(0, 0), (0, 1), (1, 2), (3, 5)] {
                agrees(id, kernel, offset, lines, steps);
            }
        }
    }
    for (id, kernel) in compute::ALL {
        for (lines, steps) in [(0, 0), (0, 1), (1, 2), (9, 3), (0, 100)] {
            agrees(id, kernel, 0, lines, steps);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn every_memory_variant_agrees_anywhere(offset in 0usize..9, lines in 0usize..400, steps in 0u64..4) {
        for (id, kernel) in memory::ALL {
            agrees(id, kernel, offset, lines, steps);
        }
    }
}

#[test]
fn the_first_variant_is_portable_and_names_are_unique() {
    for (id, kernel) in all() {
        assert!(
            (kernel.variants[0].get)(&Features::portable()).is_some(),
            "{id} needs a portable variant first"
        );
        let mut names: Vec<_> = kernel.variants.iter().map(|v| v.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), kernel.variants.len(), "{id}");
    }
}

/// Work must say what the memory shows: parts the kernel changes are written, the rest of the slice is not.
#[test]
fn work_names_the_parts_that_change() {
    for (id, kernel) in memory::ALL {
        let work = kernel.work;
        // `mix_*` update part 0 in place: it is read and written.
        let updated = u64::from(id.starts_with("mix_"));
        assert_eq!(
            work.reads + work.writes,
            work.arrays as u64 + updated,
            "{id}: each part is read or written once"
        );
        let lines = 64 * work.arrays;
        let before = run(|_, _| 0, 0, lines, 0).1;
        let after = run(kernel.reference, 0, lines, 1).1;
        let changed = |part: usize| before[part * 64..][..64] != after[part * 64..][..64];
        assert_eq!(changed(0), work.writes == 1, "{id}");
        assert!((1..work.arrays).all(|p| !changed(p)), "{id} changes a part it only reads");
    }
    for (id, kernel) in compute::ALL {
        let Work { arrays, reads, writes, ops, .. } = kernel.work;
        assert_eq!((arrays, reads, writes), (0, 0, 0), "{id}");
        assert!(ops > 0, "{id}");
    }
}

/// Stored values must not be a special case of the processor: lines of zeros are.
#[test]
fn only_the_zero_kernels_write_zeros() {
    for (id, kernel) in memory::ALL.iter().filter(|(_, k)| k.work.writes > 0) {
        let memory = run(kernel.reference, 0, 30, 1).1;
        let written = &memory[..30 / kernel.work.arrays];
        let numbers = || written.iter().flat_map(|l| l.0).map(f64::from_bits);
        if ["zero", "write_zero"].contains(id) {
            assert!(numbers().all(|x| x == 0.0));
        } else {
            assert!(
                numbers().all(f64::is_normal),
                "{id} leaves what arithmetic would stumble over"
            );
        }
    }
}

/// STREAM's own check: three parts with constants, results known in advance.
#[test]
fn stream_computes_what_stream_computes() {
    let expected = [("copy", 2.0), ("scale", 6.0), ("add", 2.5), ("triad", 3.5)];
    for (id, kernel) in memory::ALL {
        let loop_of = id.trim_end_matches("_nt").trim_end_matches("_libc");
        let Some((_, want)) = expected.iter().find(|(name, _)| loop_of == *name) else { continue };
        for variant in kernel.variants {
            let Some(code) = (variant.get)(&Features::detect()) else { continue };
            let mut arena = Arena::heap(kernel.work.arrays * 100 * Line::BYTES);
            for (i, line) in arena.lines_mut().iter_mut().enumerate() {
                *line = Line([[1.0f64, 2.0, 0.5][i / 100].to_bits(); 8]);
            }
            code(arena.lines_mut(), 2);
            assert!(
                arena.lines()[..100].iter().flat_map(|l| l.0).all(|w| f64::from_bits(w) == *want),
                "{id}/{}",
                variant.name
            );
        }
    }
}

/// A negative control: the comparison must see one wrong word at the end, and a store beyond the slice.
#[test]
#[should_panic(expected = "line in memory")]
fn a_kernel_that_skips_its_tail_is_caught() {
    let broken = Kernel {
        about: "Broken",
        work: Work { arrays: 1, reads: 0, writes: 1, flops: 0, ops: 0, instructions: 0 },
        reference: |m, _| {
            m.fill(Line([5; 8]));
            0
        },
        variants: &[kernels::Variant {
            name: "skips",
            get: |_| {
                Some(|m, _| {
                    let blocks = m.len() / 4 * 4;
                    m[..blocks].fill(Line([5; 8]));
                    0
                })
            },
            work: None,
        }],
    };
    agrees("broken", &broken, 0, 65, 1);
}

/// `docs/kernels.md` is made from the tables.
#[test]
fn the_page_of_kernels_is_current() {
    let mut page = String::from(
        "<!-- Generated from the tables of kernels by `cargo test -p kernels`. Do not edit. -->\n# Kernels\n",
    );
    for (folder, kernels) in [("memory", memory::ALL), ("compute", compute::ALL)] {
        for (id, kernel) in kernels {
            assert!(!kernel.about.is_empty(), "{id}");
            let lines: Vec<&str> = kernel.about.trim_end().lines().map(str::trim).collect();
            page += &format!("\n## {folder}/{id}\n\n{}\n", lines.join("\n"));
        }
    }
    let file = format!("{}/../../docs/kernels.md", env!("CARGO_MANIFEST_DIR"));
    if std::fs::read_to_string(&file).unwrap_or_default() != page {
        std::fs::write(&file, page).unwrap();
        panic!("updated docs/kernels.md; look at the change and run again");
    }
}

#[test]
fn the_sources_have_a_hash() {
    assert_eq!(kernels::SOURCE_HASH.len(), 16);
    assert!(kernels::SOURCE_HASH.bytes().all(|b| b.is_ascii_hexdigit()));
}

/// The instructions that a kernel states are those in the snapshot of its loop.
#[test]
fn stated_instructions_are_those_in_the_snapshot() {
    let folder = format!("{}/asm/{}", env!("CARGO_MANIFEST_DIR"), std::env::consts::ARCH);
    for (id, kernel) in compute::ALL {
        for variant in kernel.variants {
            let work = variant.work.unwrap_or(kernel.work);
            let Some(stated) = work.exact_instructions() else { continue };
            let name = variant.name;
            let text = std::fs::read_to_string(format!("{folder}/{id}.{name}.s")).unwrap();
            // The instruction behind a branch is executed never, or half the time.
            let skipped = match *id {
                "branch_hit" => kernel.work.ops,
                "branch_miss" => kernel.work.ops / 2,
                _ => 0,
            };
            assert_eq!(stated + skipped, text.lines().count() as u64, "{id}/{name}");
        }
    }
}

/// A counter of the architecture does not run backwards, and its begin and end are the same counter.
#[test]
fn ticks_move_forward() {
    use kernels::arch;
    if arch::TICKS {
        let begin = arch::ticks_begin();
        (compute::add_chain::KERNEL.reference)(&mut [], 1000);
        assert!(arch::ticks_end() >= begin);
    }
}
