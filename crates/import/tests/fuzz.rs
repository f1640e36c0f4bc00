//! The fuzz target in the ordinary suite, and samples whose lines and bits were moved about.
#[path = "../../../fuzz/entries/import.rs"]
mod entries;
#[path = "../../../fuzz/entries/suite.rs"]
mod suite;

use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Lines repeated, lost and exchanged: what people do when they paste.
    #[test]
    fn moved_lines_hold(
        seed in any::<prop::sample::Index>(),
        moves in proptest::collection::vec((0u8..4, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..8),
    ) {
        let seeds = entries::seeds();
        let bytes = &seeds[seed.index(seeds.len())];
        let mut lines: Vec<&[u8]> = bytes.split(|b| *b == b'\n').collect();
        for (how, a, b) in moves {
            let (a, b) = (a.index(lines.len()), b.index(lines.len()));
            match how {
                0 => lines.insert(b, lines[a]),
                1 if lines.len() > 1 => { lines.remove(a); }
                2 => lines.swap(a, b),
                _ => lines[a] = &lines[a][..lines[a].len() / 2],
            }
        }
        entries::import(&lines.join(&b'\n'));
    }

    /// Two outputs in one file, and single bits turned over.
    #[test]
    fn joined_and_flipped_samples_hold(
        one in any::<prop::sample::Index>(),
        two in any::<prop::sample::Index>(),
        bits in proptest::collection::vec((any::<prop::sample::Index>(), 0u8..8), 0..6),
    ) {
        let seeds = entries::seeds();
        let mut bytes = [&seeds[one.index(seeds.len())][..], &seeds[two.index(seeds.len())]].concat();
        for (at, bit) in bits {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        entries::import(&bytes);
    }
}

/// Inputs that fuzzing found.
#[test]
fn found_inputs_hold() {
    for text in [
        "",
        "\n",
        "|",
        "| a |\n| b |",
        "CPU(s):",
        "stride=64\n0.1",
        "node distances:\nnode 0\n 0: 10",
    ] {
        entries::import(text.as_bytes());
    }
}
