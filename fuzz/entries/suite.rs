//! The fuzz targets of the entries beside it on what their fuzzers begin with and on random bytes: each `tests/fuzz.rs`
//! takes it in as a module of its own.
use super::entries;
use proptest::prelude::*;

#[test]
fn seeds_hold() {
    for (name, run, seeds) in entries::TARGETS {
        assert!(!seeds().is_empty(), "{name}");
        for seed in seeds() {
            run(&seed);
            (0..seed.len()).step_by(seed.len() / 16 + 1).for_each(|cut| run(&seed[..cut]));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_hold(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        entries::TARGETS.iter().for_each(|(_, run, _)| run(&bytes));
    }

    /// A seed with some of its bytes replaced goes further in than noise does.
    #[test]
    fn damaged_seeds_hold(
        target in 0..entries::TARGETS.len(),
        seed in any::<prop::sample::Index>(),
        hits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    ) {
        let (_, run, seeds) = entries::TARGETS[target];
        let mut seeds = seeds();
        let mut bytes = seeds.swap_remove(seed.index(seeds.len()));
        let seed_is_empty = bytes.is_empty();
        for (at, byte) in hits.into_iter().filter(|_| !seed_is_empty) {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        run(&bytes);
    }
}
