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
