//! The pairs of CPUs to measure: all, or some of every class where all would take too long. A sample is drawn from the
//! machine and the number alone, so that a resumed run draws the same one.
use record::{CpuSet, Machine, Relation, Relations};
use stats::rng::Rng;

/// Two CPUs, the lower number first, and what the machine states that they share.
pub type Pair = (u32, u32, Relation);

/// Every pair, or at most `per_class` random ones of each class; by ascending CPU numbers.
pub fn choose(machine: &Machine, cpus: &CpuSet, per_class: Option<u64>) -> Vec<Pair> {
    let relations = Relations::of(&machine.topology);
    let ids: Vec<u32> = cpus.iter().collect();
    let every = ids.iter().enumerate().flat_map(|(i, a)| {
        let relations = &relations;
        ids[i + 1..].iter().map(move |b| (*a, *b, relations.between(*a, *b)))
    });
    let Some(most) = per_class else { return every.collect() };
    // Reservoir sampling (Vitter's algorithm R), one reservoir a class: half a million pairs need no list.
    let mut chosen: Vec<(Relation, u64, Rng, Vec<Pair>)> = vec![];
    for pair in every {
        let at = chosen.iter().position(|(class, ..)| *class == pair.2).unwrap_or_else(|| {
            chosen.push((pair.2, 0, Rng::new(pair.2 as u64), vec![]));
            chosen.len() - 1
        });
        let (_, seen, rng, kept) = &mut chosen[at];
        *seen += 1;
        if (kept.len() as u64) < most {
            kept.push(pair);
        } else if let Some(place) = kept.get_mut(rng.below(*seen) as usize) {
            *place = pair;
        }
    }
    let mut pairs: Vec<Pair> = chosen.into_iter().flat_map(|(.., kept)| kept).collect();
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Cache, CacheKind, Cpu};
    use std::collections::BTreeMap;

    /// Two sockets, caches of eight cores, two threads a core.
    fn machine(threads: u32) -> Machine {
        let mut machine = Machine::default();
        let cores = threads / 2;
        for id in 0..threads {
            let core = id % cores;
            machine.topology.cpus.push(Cpu {
                id,
                online: true,
                allowed: true,
                package: Some(core * 2 / cores),
                siblings: [core, core + cores].into_iter().collect(),
                ..Cpu::default()
            });
        }
        for group in 0..cores / 8 {
            machine.topology.caches.push(Cache {
                level: 3,
                kind: CacheKind::Unified,
                bytes: Some(32 << 20),
                line: Some(64),
                ways: None,
                cpus: (group * 8..group * 8 + 8).flat_map(|c| [c, c + cores]).collect(),
            });
        }
        machine
    }
    fn by_class(pairs: &[Pair]) -> BTreeMap<Relation, usize> {
        let mut counts = BTreeMap::new();
        pairs.iter().for_each(|p| *counts.entry(p.2).or_default() += 1);
        counts
    }

    #[test]
    fn all_pairs_are_all_pairs_once() {
        let machine = machine(32);
        let pairs = choose(&machine, &machine.topology.usable(), None);
        assert_eq!(pairs.len(), 32 * 31 / 2);
        assert!(pairs.windows(2).all(|w| w[0] < w[1]) && pairs.iter().all(|p| p.0 < p.1));
    }

    #[test]
    fn a_sample_has_so_many_of_each_class_and_is_the_same_again() {
        let machine = machine(1024);
        let cpus = machine.topology.usable();
        let pairs = choose(&machine, &cpus, Some(24));
        let counts = by_class(&pairs);
        let classes = [Relation::Siblings, Relation::LastLevel, Relation::Socket, Relation::Apart];
        assert_eq!(counts, classes.map(|c| (c, 24)).into());
        assert_eq!(pairs, choose(&machine, &cpus, Some(24)));
        assert!(pairs.windows(2).all(|w| w[0] < w[1]), "no pair twice");
        // Fewer than asked for are all there.
        let few = choose(&machine, &"0-3".parse().unwrap(), Some(24));
        assert_eq!(few.len(), 6);
    }

    /// Every pair of a class is as likely as any other: the mean CPU number of many is in the middle.
    #[test]
    fn a_sample_favours_no_part_of_the_machine() {
        let machine = machine(512);
        let pairs = choose(&machine, &machine.topology.usable(), Some(400));
        for class in [Relation::LastLevel, Relation::Socket] {
            let cores: Vec<f64> =
                pairs.iter().filter(|p| p.2 == class).map(|p| f64::from(p.0 % 256)).collect();
            let mean = cores.iter().sum::<f64>() / cores.len() as f64;
            assert!((100.0..156.0).contains(&mean), "{class:?}: {mean}");
        }
    }
}
