//! Modes of which one has many more machines than another.
use super::*;

/// A few machines that are faster and more alike than all others do not make these slow.
#[test]
fn most_machines_are_not_slow_beside_few_fast_ones() {
    let mut rng = Rng::new(7);
    let mut run = |i: usize| {
        let mut run = digest(3 * (i % 200) + 1, 3 * (i / 200), &mut rng);
        if i % 200 >= 16 {
            let mut own = Rng::new(1000 + i as u64 % 200);
            worsen(&mut run, &["memory_latency"], 0.3 + 0.065 * own.normal());
        }
        (format!("{i}.json"), Ok(run))
    };
    let found = fleet((0..400).map(&mut run).collect(), &[]);
    let latency = found.groups[0].figures.iter().find(|f| f.name == "memory_latency").unwrap();
    assert!(latency.modes.len() == 2 && latency.modes[0].count < 20, "{:?}", latency.modes);
    assert!(found.flagged.len() <= 2, "{} of 200", found.flagged.len());
}

/// What slow machines share may be where they stand.
#[test]
fn a_mode_is_named_by_a_label() {
    let mut rng = Rng::new(7);
    let run = |i: usize| {
        let mut run = digest(3 * i + 1, 0, &mut rng);
        let labels = [("rack", i / 10), ("slot", i % 10)];
        run.labels = labels.map(|(label, own)| (label.into(), own.to_string())).into();
        if i / 10 == 2 {
            worsen(&mut run, &["core_frequency"], 0.2);
        }
        (format!("{i}.json"), Ok(run))
    };
    let found = fleet((0..40).map(run).collect(), &[]);
    let [rack] = &found.slower[..] else { panic!("{:?}", found.slower) };
    assert_eq!(rack.because, Some(("label.rack".into(), "2".into())));
    assert_eq!((rack.machines.len(), rack.standing), (10, Standing::Slow));
    assert!(found.odd.is_empty(), "{:?}", found.odd);
}

/// A hypervisor had its CPUs on two caches: that bandwidth has another name, is compared with no other and is not lacking.
#[test]
fn bandwidth_across_caches_is_another_figure() {
    let mut rng = Rng::new(5);
    let mut runs: Vec<Digest> = (0..30).map(|i| digest(3 * i + 1, 0, &mut rng)).collect();
    let of_it = |h: &&mut Headline| h.name == "read_bandwidth";
    let moved = runs[3].figures.iter_mut().find(of_it).unwrap();
    (moved.name, moved.value) = (fleet::headline::across(&moved.name), moved.value * 0.5);
    let of = |runs: &[Digest]| {
        fleet(runs.iter().map(|d| (d.host.clone(), Ok(d.clone()))).collect(), &[])
    };
    let found = of(&runs);
    assert_eq!((found.left_out.len(), found.flagged.len()), (0, 0), "{:?}", found.left_out);
    runs[3].figures.retain(|h| !h.name.starts_with("read_bandwidth"));
    assert!(of(&runs).left_out[0].why.starts_with("has no read_bandwidth"));
}
