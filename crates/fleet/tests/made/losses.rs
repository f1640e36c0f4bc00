//! Machines that lose CPU time at every run: their figures do not say so, and some of their runs are not fit.
use super::*;
use fleet::{Loss, LossKind};

/// Makes a run lose a share, so much that it is not fit if `unfit`.
pub(super) fn lose(run: &mut Digest, kind: LossKind, share: Option<f64>, unfit: bool) {
    let why = format!("It lost by {}", record::stored_name(&kind));
    run.unfit = unfit.then(|| why.clone());
    run.losses.push(Loss { kind, share, why: why.into() });
}

/// Machine 4 of thirty, of which `plant` changes the runs at these hours.
fn planted(hours: &[usize], plant: impl Fn(usize, &mut Digest)) -> Fleet {
    let mut rng = Rng::new(8);
    let mut inputs: Vec<Input> = vec![];
    for (hour, host) in hours.iter().flat_map(|hour| (0..30).map(move |i| (*hour, 3 * i + 1))) {
        let mut run = digest(host, hour, &mut rng);
        if host == 4 {
            plant(hour, &mut run);
        }
        inputs.push((format!("{host}-{hour}.json"), Ok(run)));
    }
    fleet(inputs, &[])
}

#[test]
fn what_is_lost_at_two_runs_makes_a_machine_slow() {
    let quota = planted(&[0, 3], |_, run| {
        run.facts.insert("limits.cpu_quota".into(), "16".into());
    });
    let steal = planted(&[0, 3], |_, run| lose(run, LossKind::StealTime, Some(0.2), true));
    let busy = planted(&[0, 3], |_, run| lose(run, LossKind::CpuContention, Some(0.4), true));
    let swap = planted(&[0, 3], |_, run| lose(run, LossKind::Swapping, None, true));
    let slow = |run: &mut Digest| lose(run, LossKind::FrequencyBelowRated, Some(0.3), false);
    let frequency = planted(&[0, 3], |_, run| slow(run));
    let small = planted(&[0, 3], |_, run| {
        run.facts.insert("memory.thp.enabled".into(), "never".into());
        run.figures
            .iter_mut()
            .for_each(|h| h.name = h.name.replace("_latency", "_latency.base_pages"));
    });
    for (found, kind, share) in [
        (small, LossKind::ThpNever, None),
        (quota, LossKind::CpuQuota, Some(0.75)),
        (steal, LossKind::StealTime, Some(0.2)),
        (busy, LossKind::CpuContention, Some(0.4)),
        (swap, LossKind::Swapping, None),
        (frequency, LossKind::FrequencyBelowRated, Some(0.3)),
    ] {
        let [only] = &found.flagged[..] else { panic!("{kind:?} {:?}", found.flagged) };
        assert_eq!((only.host.as_str(), only.standing), ("host0004", Standing::Slow));
        let [loss] = &only.losses[..] else { panic!("{:?}", only.losses) };
        assert_eq!((loss.kind, loss.share, only.off.len()), (kind, share, 0));
        assert_eq!(only.since.as_deref(), Some("2026-11-01T00:00:00Z"));
        let cost = only.costs.first().map(|cost| (cost.bound_by, cost.most));
        let cost = cost.filter(|(_, most)| *most > 0.0);
        assert_eq!(cost, share.map(|share| ("CPU cycles", share)));
        assert!(found.left_out.is_empty(), "in one place only: {:?}", found.left_out);
        assert!(found.odd.is_empty(), "in one place only: {:?}", found.odd);
        let differs: Vec<&str> = only.differs.iter().map(|(fact, ..)| fact.as_str()).collect();
        let setting = match kind {
            LossKind::CpuQuota => vec!["limits.cpu_quota"],
            LossKind::ThpNever => vec!["memory.thp.enabled"],
            _ => vec![],
        };
        assert_eq!(differs, setting);
    }
}

#[test]
fn what_is_lost_once_is_suspect_unless_programs_took_it() {
    let of = |hours: &[usize], kind, share, unfit| {
        let last = *hours.last().unwrap();
        let found = planted(hours, |hour, run| {
            if hour == last {
                lose(run, kind, share, unfit);
            }
        });
        let standings: Vec<Standing> = found.flagged.iter().map(|f| f.standing).collect();
        (standings, found.left_out.len())
    };
    let suspect = (vec![Standing::Suspect], 0);
    assert_eq!(of(&[0, 3], LossKind::StealTime, Some(0.2), true), suspect);
    assert_eq!(of(&[0], LossKind::StealTime, Some(0.2), true), suspect);
    assert_eq!(of(&[0], LossKind::FrequencyBelowRated, Some(0.2), false), suspect);
    // Less than the least effect, and a moment's programs.
    assert_eq!(of(&[0, 3], LossKind::StealTime, Some(0.04), false), (vec![], 0));
    assert_eq!(of(&[0, 3], LossKind::CpuContention, Some(0.4), true), (vec![], 1));
    assert_eq!(of(&[0, 3], LossKind::Swapping, None, true), (vec![], 1));
    // An hour later is no confirmation, another kind of loss is none either, and what is over is over.
    let kinds = [LossKind::StealTime, LossKind::CpuContention];
    let soon = planted(&[0, 1], |_, run| lose(run, LossKind::StealTime, Some(0.2), true));
    let other = planted(&[0, 3], |hour, run| lose(run, kinds[1 - hour / 3], Some(0.4), true));
    for found in [soon, other] {
        let standings: Vec<Standing> = found.flagged.iter().map(|f| f.standing).collect();
        assert_eq!(standings, [Standing::Suspect]);
    }
    let over = planted(&[0, 3], |hour, run| {
        if hour == 0 {
            lose(run, LossKind::StealTime, Some(0.2), true);
        }
    });
    assert!(over.flagged.is_empty() && over.left_out.is_empty());
}

/// A machine without SMT is of another kind, whose peers are few.
#[test]
fn fewer_threads_of_as_many_cores_are_a_loss() {
    let of = |hours: &[usize], hosts: usize| {
        let mut rng = Rng::new(8);
        let each = hours.iter().flat_map(|hour| (0..150).map(move |i| (*hour, i)));
        let run = |(hour, i): (usize, usize)| {
            let mut run = digest(3 * i + 1, hour, &mut rng);
            run.key.cores = 32;
            run.key.cpus = if i < hosts { 32 } else { 64 };
            (format!("{i}-{hour}.json"), Ok(run))
        };
        let found = fleet(each.map(run).collect(), &[]);
        assert!(found.odd.is_empty(), "in one place only: {:?}", found.odd);
        let kinds = |f: &fleet::verdict::Flagged| f.losses.iter().map(|l| l.kind).collect();
        found.flagged.iter().map(|f| (f.standing, kinds(f))).collect::<Vec<_>>()
    };
    let off = |standing, n| vec![(standing, vec![LossKind::SmtOff]); n];
    assert_eq!(of(&[0, 3], 1), off(Standing::Slow, 1));
    assert_eq!(of(&[0, 3], 2), off(Standing::Slow, 2));
    assert_eq!(of(&[0], 1), off(Standing::Suspect, 1));
    assert_eq!(of(&[0, 3], 20), []);
}

/// A machine that is the only one of its kind has no peers that could have the same.
#[test]
fn a_single_machine_is_slow_by_what_it_loses() {
    let found = planted(&[0, 3], |_, run| {
        run.key.model = "another".into();
        run.facts.insert("limits.cpu_quota".into(), "16".into());
    });
    let all: Vec<_> = found.flagged.iter().map(|f| (f.host.as_str(), f.standing)).collect();
    assert_eq!(all, [("host0004", Standing::Slow)]);
}

#[test]
fn what_most_of_a_kind_lose_makes_none_slow() {
    for (with, slow) in [(2, 2), (14, 14), (16, 0), (30, 0)] {
        let mut rng = Rng::new(8);
        let run = |i: usize| {
            let mut run = digest(3 * (i % 30) + 1, 3 * (i / 30), &mut rng);
            if i % 30 < with {
                run.facts.insert("limits.cpu_quota".into(), "16".into());
            }
            (format!("{i}.json"), Ok(run))
        };
        let found = fleet((0..60).map(run).collect(), &[]);
        assert_eq!(found.flagged.len(), slow, "{with} of 30");
        let said = format!("{with} of 30 have cpu_quota, so none is slow by it");
        assert_eq!(found.notes.iter().any(|n| n.contains(&said)), slow == 0, "{:?}", found.notes);
    }
}
