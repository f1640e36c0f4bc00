//! Nested design: cases are visited several times over a run, each visit with fresh memory (docs/adr/0039). Samples of one
//! allocation agree with each other better than with those of the next run; visits show by how much.
use crate::{
    plan::{self, Entry},
    probe::Depth,
};
use record::{Outcome, Reading, Run, Series, Sort, Unit, Visit};
use stats::rng::Rng;

/// Share of a case's time that every visit takes: it maps and fills its memory as any other.
const FILLING: f64 = 0.25;
/// A second visit that costs less than this in seconds is always planned, and so is a third of a case that takes less than
/// [`SHORT`] alone; beyond, as the allowance lasts.
const CHEAP: f64 = 1.5;
const SHORT: f64 = 0.4;
/// The most visits of a case.
const MOST: usize = 3;

/// Share of the time for samples of a case measured once that each of so many visits has.
fn sampling(visits: usize) -> f64 {
    match visits {
        ..=1 => 1.0,
        2 => 0.6,
        _ => 0.45,
    }
}

/// What so many visits take, where the case measured once takes 1.
fn cost(visits: usize) -> f64 {
    visits as f64 * (FILLING + (1.0 - FILLING) * sampling(visits))
}

/// Plans the visits of each case: as often as its probe asks, while the whole plan stays within what its depth allows. Second
/// visits come before third ones, the cheapest first; third ones in the plan's order, which begins with what matters most.
pub(crate) fn plan(probes: &[Entry], runs: &mut [Run], depth: Depth) {
    let once: Vec<f64> = runs.iter().map(|run| run.case.estimate).collect();
    let mut order: Vec<usize> = (0..runs.len()).collect();
    for visits in 2..=MOST {
        let allowance = match visits {
            2 => depth.pick(55.0, 140.0, f64::INFINITY),
            _ => depth.pick(48.0, 146.0, f64::INFINITY),
        };
        let mut left = allowance - plan::seconds_left(runs);
        match visits {
            2 => order.order_by(|a, b| once[*a].total_cmp(&once[*b])),
            _ => order.sort_unstable(),
        }
        for run in &order {
            let (run, once) = (&mut runs[*run], once[*run]);
            let asked = plan::about(probes, run).map_or(1, |about| about.visits);
            let longer = once * cost(visits) - run.case.estimate;
            let always = if visits == 2 || once < SHORT { CHEAP } else { 0.0 };
            let reached = matches!(run.outcome, Outcome::NotReached(_));
            let next = run.visits.len().max(1) + 1 == visits;
            if asked < visits || !reached || !next || longer > left.max(always) {
                continue;
            }
            left -= longer;
            run.case.estimate = once;
            repeat(run, visits);
        }
    }
}

fn repeat(run: &mut Run, visits: usize) {
    run.case.estimate *= cost(visits);
    run.visits = vec![Visit::default(); visits];
}

/// Plans as many visits of every case as these seconds have room for, and no more than each may have.
pub fn fill(probes: &[Entry], runs: &mut [Run], seconds: f64, most: impl Fn(&Run) -> usize) {
    let repeated = |run: &Run| {
        matches!(run.outcome, Outcome::NotReached(_))
            && plan::about(probes, run).is_some_and(|about| about.visits > 1)
            && !looks_around(probes, run)
    };
    let planned = |run: &Run, visits: usize| if repeated(run) { visits.min(most(run)) } else { 1 };
    let takes = |visits: usize| {
        let left = |run: &Run| plan::seconds_left(std::slice::from_ref(run));
        runs.iter().map(|run| left(run) * cost(planned(run, visits))).sum::<f64>()
    };
    let highest = runs.iter().map(&most).max().unwrap_or(1);
    let visits = (2..=highest).rev().find(|visits| takes(*visits) <= seconds).unwrap_or(1);
    for run in runs {
        let visits = planned(run, visits);
        if visits > 1 {
            repeat(run, visits);
        }
    }
}

/// Share of a budget of samples that one visit of a run has.
pub(crate) fn share(probes: &[Entry], run: &Run) -> f64 {
    if looks_around(probes, run) { 1.0 } else { sampling(run.visits.len()) }
}

/// The order of visits. The first round keeps the plan's order, so that a run that ends early has what matters most;
/// every later round has a random order of its own from the record's seed, so that no case always follows the same. Cases of one
/// probe in one place that have a process of their own are together: they share it, and its memory. So are cases that
/// time switches between threads are together, where a round meets the next one: before them events are closed, and the kernel
/// needs a second for that.
pub(crate) fn schedule(probes: &[Entry], runs: &[Run], seed: u64) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = (0..runs.len()).map(|run| (run, 0)).collect();
    let rounds = runs.iter().map(|run| run.visits.len()).max().unwrap_or(0);
    for round in 1..rounds {
        let these = (0..runs.len())
            .filter(|run| runs[*run].visits.len() > round && !looks_around(probes, &runs[*run]));
        let mut groups: Vec<Vec<usize>> = vec![];
        for run in these {
            let (probe, place) = (runs[run].case.probe, &runs[run].case.place);
            let shares = plan::find(probes, probe.as_str()).is_some_and(|probe| probe.own_process);
            let alike = |group: &&mut Vec<usize>| {
                let case = &runs[group[0]].case;
                shares && case.probe == probe && case.place == *place
            };
            match groups.iter_mut().find(alike) {
                Some(group) => group.push(run),
                None => groups.push(vec![run]),
            }
        }
        let mut rng = Rng::new(visit_seed(seed, round));
        rng.shuffle(&mut groups);
        groups.iter_mut().for_each(|group| rng.shuffle(group));
        let mut these: Vec<(usize, usize)> =
            groups.into_iter().flatten().map(|run| (run, round)).collect();
        these.order_by_key(|(run, _)| switches(probes, &runs[*run]) == (round % 2 == 0));
        all.extend(these);
    }
    let last = |run: &usize| runs[*run].visits.len() > 1 && looks_around(probes, &runs[*run]);
    all.extend((0..runs.len()).filter(last).map(|run| (run, 1)));
    all
}

fn switches(probes: &[Entry], run: &Run) -> bool {
    plan::about(probes, run).is_some_and(|about| about.switches)
}

/// The environment is looked at first and last.
pub(crate) fn looks_around(probes: &[Entry], run: &Run) -> bool {
    plan::about(probes, run).is_some_and(|about| about.first_and_last)
}

/// Whether this visit is still to be done.
pub(crate) fn is_due(run: &Run, visit: usize) -> bool {
    match (&run.outcome, visit) {
        (Outcome::NotReached(_), 0) => true,
        (Outcome::Measured(_), 1..) => run.visits.get(visit).is_some_and(|v| v.began.is_none()),
        _ => false,
    }
}

/// The seed of a visit's random orders: rings are laid out anew, too.
pub(crate) fn visit_seed(seed: u64, visit: usize) -> u64 {
    seed ^ (visit as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Takes what a visit gave, and its samplers, into its run.
pub(crate) fn take(
    run: &mut Run,
    visit: usize,
    seen: Run,
    sampled: Vec<Reading>,
    own_process: bool,
) {
    if let Some(of) = run.visits.get_mut(visit) {
        *of = Visit { began: Some(seen.began), took: seen.took, own_process };
    }
    if visit == 0 {
        run.outcome = seen.outcome;
        if let (Outcome::Measured(series), false) = (&mut run.outcome, run.visits.is_empty()) {
            series.iter_mut().for_each(|s| s.visits = vec![s.samples.len() as u32]);
        }
        run.threads = seen.threads;
        run.readings = seen.readings;
        run.readings.extend(sampled);
        run.unread = seen.unread;
        (run.began, run.took) = (seen.began, seen.took);
        return;
    }
    match (&mut run.outcome, seen.outcome) {
        (Outcome::Measured(all), Outcome::Measured(more)) => merge(all, more, visit),
        (_, Outcome::Skipped(why) | Outcome::Failed(why) | Outcome::NotReached(why)) => {
            // What the other visits gave stands.
            run.unread.insert(format!("visit.{}", visit + 1), why);
        }
        _ => {}
    }
    for thread in seen.threads {
        if !run.threads.contains(&thread) {
            run.threads.push(thread);
        }
    }
    add_readings(&mut run.readings, sampled, (run.took, seen.took));
    for mut reading in seen.readings {
        // A probe's own readings are constants of the case, but for the placement checks, which are numbered on.
        if reading.name.starts_with("placement_check.") {
            while run.readings.iter().any(|r| r.name == reading.name) {
                reading.name = next_number(&reading.name);
            }
            run.readings.push(reading);
        }
    }
    run.unread.extend(seen.unread);
    run.took += seen.took;
}

/// `x.cas` becomes `x.cas.2`, and `x.cas.2` `x.cas.3`.
fn next_number(name: &str) -> String {
    match name.rsplit_once('.').and_then(|(stem, n)| Some((stem, n.parse::<u32>().ok()?))) {
        Some((stem, n)) => format!("{stem}.{}", n + 1),
        None => format!("{name}.2"),
    }
}

/// Counts, seconds and joules add up, of temperatures the highest stays; shares and rates are averaged over the time of the
/// visits.
fn add_readings(all: &mut Vec<Reading>, more: Vec<Reading>, (before, now): (f64, f64)) {
    let mean = |a: f64, b: f64| (a * before + b * now) / (before + now).max(1e-12);
    for new in more {
        match all.iter_mut().find(|r| r.name == new.name && r.unit == new.unit) {
            Some(known) => {
                known.value = match known.unit {
                    Unit::Count | Unit::Seconds | Unit::Joules => known.value + new.value,
                    Unit::Celsius => known.value.max(new.value),
                    _ => mean(known.value, new.value),
                };
                known.coverage = mean(known.coverage, new.coverage);
            }
            None => all.push(new),
        }
    }
}

/// Samples of the same quantity become one series, in the order of the visits.
fn merge(all: &mut Vec<Series>, more: Vec<Series>, visit: usize) {
    let attempts = all.iter().map(|s| s.attempts.len()).max().unwrap_or(0);
    for mut new in more {
        let count = new.samples.len() as u32;
        match all.iter_mut().find(|s| s.is_like(&new)) {
            Some(known) => {
                // A series that an earlier visit did not have begins with empty visits.
                known.visits.resize(visit, 0);
                known.attempts.resize(attempts, 0);
                known.append(new);
                known.visits.push(count);
            }
            None => {
                new.attempts.splice(0..0, vec![0; attempts]);
                all.push(Series { visits: vec![count], ..new });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::{Probe, Setting};
    use record::{Better, Disturbed, Machine, Metric, Reason, Thread, param};

    const PLAIN: Probe = Probe::new(1, 1, "", |_| Ok(vec![]), |_, _| Ok(vec![]));
    static PROBES: &[Entry] = &[
        ("plain", &PLAIN),
        ("switching", &Probe { switches: true, ..PLAIN }),
        ("looking", &Probe { first_and_last: true, ..PLAIN }),
    ];

    fn named(probe: &str, visits: usize) -> Run {
        let machine = Machine::default();
        let setting = Setting::new(&machine, Default::default(), Depth::Quick);
        let case = setting.case(Default::default(), &[], 0.0);
        let mut run = plan::planned(probe, plan::find(PROBES, probe).unwrap(), case, &machine);
        run.visits = vec![Visit::default(); visits];
        run
    }

    fn run(visits: usize) -> Run {
        named("plain", visits)
    }

    fn series(samples: &[f64], variant: &str) -> Series {
        let mut s = Series::new(Metric::Bandwidth, Unit::BytesPerSecond, Better::Higher);
        s.samples = samples.to_vec();
        s.disturbed = vec![Disturbed { sample: 0, why: "steal".into() }];
        s.variant = Some(variant.into());
        s.frequency = Some(samples[0]);
        s
    }

    fn take(run: &mut Run, visit: usize, outcome: Outcome) {
        let began = visit as f64;
        let reading = |name: &str, unit, value| Reading::new(name, unit, value);
        let seen = Run {
            threads: vec![Thread { asked: 1, found: 1, node: None }],
            readings: vec![reading("placement_check.before.cas", Unit::Seconds, 1.0)],
            began,
            took: 1.0,
            ..Run::new(run.case.clone(), outcome)
        };
        let sampled = vec![
            reading("contention.steal", Unit::Ratio, began),
            reading("interrupts.hard", Unit::Count, 3.0),
            reading("energy.package", Unit::Joules, 2.0),
            reading("energy.temperature", Unit::Celsius, 60.0 - began),
        ];
        super::take(run, visit, seen, sampled, false);
    }

    #[test]
    fn third_visits_take_the_time_that_second_ones_leave_in_the_plans_order() {
        static THRICE: &[Entry] = &[("plain", &Probe { visits: 3, ..PLAIN })];
        let planned = |seconds: &[f64]| -> Vec<usize> {
            let mut runs: Vec<Run> = seconds.iter().map(|_| run(0)).collect();
            for (run, seconds) in runs.iter_mut().zip(seconds) {
                run.case.estimate = *seconds;
            }
            plan(THRICE, &mut runs, Depth::Quick);
            runs.iter().map(|run| run.visits.len()).collect()
        };
        assert_eq!(planned(&[10.0, 10.0]), [3, 3]);
        assert_eq!(planned(&[16.0, 12.0]), [3, 2]);
        assert_eq!(planned(&[30.0, 18.0]), [0, 0]);
        assert_eq!(planned(&[100.0, 3.0, 0.3]), [0, 2, 3]);
    }

    #[test]
    fn more_visits_have_fewer_samples_each_and_more_together() {
        let of = |visits| share(PROBES, &run(visits));
        assert_eq!((of(0), share(PROBES, &named("looking", 2))), (1.0, 1.0));
        assert!(of(2) < 1.0 && of(3) < of(2));
        assert!(2.0 * of(2) > 1.0 && 3.0 * of(3) > 2.0 * of(2));
    }

    #[test]
    fn visits_of_one_case_become_one_series_and_keep_apart() {
        let mut run = run(3);
        for (visit, (samples, variant)) in
            [(&[1.0, 2.0][..], "sse2"), (&[3.0], "avx2"), (&[5.0], "avx2")].into_iter().enumerate()
        {
            assert!(is_due(&run, visit) && run.outstanding() > 0.0);
            take(&mut run, visit, Outcome::Measured(vec![series(samples, variant)]));
            assert!(!is_due(&run, visit));
        }
        assert_eq!(run.outstanding(), 0.0);
        let s = &run.series()[0];
        assert_eq!((&s.samples[..], &s.visits[..]), (&[1.0, 2.0, 3.0, 5.0][..], &[2, 1, 1][..]));
        assert_eq!(s.disturbed.iter().map(|d| d.sample).collect::<Vec<_>>(), [0, 2, 3]);
        assert_eq!((s.variant.as_deref(), s.frequency), (Some("sse2, avx2"), Some(2.5)));
        assert_eq!(s.by_visit(), [vec![2.0]]);
        assert_eq!((run.threads.len(), run.took), (1, 3.0));
        let value = |name: &str| run.reading(name).unwrap().value;
        assert_eq!((value("contention.steal"), value("interrupts.hard")), (1.0, 9.0));
        assert!(run.reading("placement_check.before.cas.3").is_some());
    }

    #[test]
    fn attempts_of_later_visits_follow() {
        let of = |n: u64, attempts: &[u32]| {
            let samples = vec![1.0; attempts.iter().sum::<u32>() as usize];
            Series { attempts: attempts.to_vec(), ..series(&samples, "x").at(param::OTHERS, n) }
        };
        let mut run = run(3);
        take(&mut run, 0, Outcome::Measured(vec![of(1, &[2])]));
        take(&mut run, 1, Outcome::Measured(vec![of(1, &[1, 3]), of(2, &[2, 2])]));
        take(&mut run, 2, Outcome::Measured(vec![of(2, &[4])]));
        let found: Vec<_> = run.series().iter().map(|s| s.attempts.clone()).collect();
        assert_eq!(found, [vec![2, 1, 3], vec![0, 2, 2, 4]]);
    }

    #[test]
    fn visits_that_share_a_process_follow_each_other() {
        static SHARING: &[Entry] =
            &[("plain", &PLAIN), ("sharing", &Probe { own_process: true, ..PLAIN })];
        let of = |probe: &str| Run {
            case: record::Case { probe: probe.into(), ..run(3).case },
            ..run(3)
        };
        let mut runs: Vec<Run> = (0..12).map(|n| of(["plain", "sharing"][n % 2])).collect();
        for run in &mut runs[8..] {
            run.case.place.cpus = [3].into_iter().collect();
        }
        let all = schedule(SHARING, &runs, 1);
        for round in 1..3 {
            let key = |run: usize| (runs[run].case.probe.as_str() == "sharing").then_some(run >= 8);
            let keys: Vec<_> =
                all.iter().filter(|(_, of)| *of == round).map(|(run, _)| key(*run)).collect();
            let starts = |of: bool| {
                let begins =
                    |at: &usize| keys[*at] == Some(of) && (*at == 0 || keys[at - 1] != Some(of));
                (0..keys.len()).filter(begins).count()
            };
            assert_eq!((keys.len(), starts(true), starts(false)), (12, 1, 1), "{keys:?}");
        }
    }

    #[test]
    fn a_failed_visit_leaves_what_the_others_gave() {
        let mut run = run(2);
        take(&mut run, 0, Outcome::Measured(vec![series(&[1.0], "x")]));
        let lost = Outcome::Failed(Reason::new("the CPU went away"));
        take(&mut run, 1, lost);
        assert_eq!((run.series().len(), run.outstanding()), (1, 0.0));
        assert!(run.unread.contains_key("visit.2"));
    }

    #[test]
    fn later_rounds_have_orders_of_their_own_from_the_seed() {
        let runs = vec![run(3); 20];
        let of = |seed| schedule(PROBES, &runs, seed);
        let round = |all: &[(usize, usize)], n| -> Vec<usize> {
            all.iter().filter(|(_, visit)| *visit == n).map(|(run, _)| *run).collect()
        };
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
        assert_eq!(round(&of(1), 0), (0..20).collect::<Vec<_>>());
        assert_ne!(round(&of(1), 1), round(&of(1), 2));
        assert_eq!(schedule(PROBES, &[run(0)], 1), [(0, 0)]);
        let mut both = vec![run(3); 5];
        both.extend(vec![named("switching", 3); 5]);
        let began =
            schedule(PROBES, &both, 1).windows(2).filter(|w| w[0].0 < 5 && w[1].0 >= 5).count();
        assert_eq!(began, 2, "switches begin anew in the third round only");
    }

    #[test]
    fn the_environment_is_looked_at_first_and_last() {
        let runs = [named("looking", 2), run(3), run(3)];
        let all = schedule(PROBES, &runs, 1);
        assert_eq!((all[0], all.last(), all.len()), ((0, 0), Some(&(0, 1)), 8));
    }
}
