//! Made detours, whose parts are known.
use super::*;

/// A second with detours of these causes: whether looked at, what moved, how many, and seconds of each.
fn second(causes: &[(bool, &str, u64, f64)]) -> Detours {
    let mut detours = Detours { watched: 1.0, elapsed: 1.0, ..Detours::default() };
    for (looked, moved, n, each) in causes {
        let octave = (each * 1e9).log2() as u32;
        let seconds = *n as f64 * each;
        detours.count += n;
        detours.total += seconds;
        let moved: Vec<String> = moved.split_whitespace().map(str::to_owned).collect();
        match detours.causes.iter_mut().find(|c| c.looked == *looked && c.moved == moved) {
            Some(cause) => drop(cause.octaves.insert(octave, (*n, seconds))),
            None => detours.causes.push(Cause {
                looked: *looked,
                moved,
                octaves: [(octave, (*n, seconds))].into(),
                ..Cause::default()
            }),
        }
    }
    detours
}

/// The same, where in each detour with a switch the thread waited so much of its seconds.
fn with_waiting(mut detours: Detours, share: f64) -> Detours {
    for cause in detours.causes.iter_mut().filter(|c| c.has("switch")) {
        cause.waited = cause.octaves.iter().map(|(o, (_, s))| (*o, share * s)).collect();
    }
    detours
}

/// Parts by their name, in hundredths of a per cent, rounded.
fn parts(detours: &Detours, around: Context) -> BTreeMap<String, i64> {
    let parts = attribute(detours, &around);
    let sum: f64 = parts.iter().map(|p| p.seconds).sum();
    assert!((sum - detours.total).abs() < 1e-9, "{sum} of {}: {parts:?}", detours.total);
    parts.iter().map(|p| (p.by.name().to_string(), (p.share * 1e4).round() as i64)).collect()
}
const METAL: Context = Context { guest: false, realtime: None };
const GUEST: Context = Context { guest: true, realtime: None };

#[test]
fn a_tick_and_a_task_are_told_apart() {
    let detours = second(&[(true, "timer", 240, 5e-6), (true, "timer switch", 100, 100e-6)]);
    let found = parts(&detours, METAL);
    assert_eq!(found, [("timer interrupts".into(), 12), ("preemption".into(), 100)].into());
}

/// A task that ran for 100 us each time; a timer that woke it and a switch there and back took 25 us more.
#[test]
fn what_others_ran_is_preemption_and_what_woke_them_is_not() {
    let causes = [(true, "timer", 240, 5e-6), (true, "timer switch", 100, 125e-6)];
    let found = parts(&with_waiting(second(&causes), 0.8), GUEST);
    assert_eq!(found, [("timer interrupts".into(), 37), ("preemption".into(), 100)].into());
    // Far more than a timer takes is no timer's.
    let causes = [(true, "timer", 240, 5e-6), (true, "timer switch", 10, 2e-3)];
    let found = parts(&with_waiting(second(&causes), 0.8), GUEST);
    assert_eq!((found["preemption"], found["SMI or hypervisor"]), (160, 40));
    // Where nobody looked it is like what was looked at; a thread that was moved was on its way.
    let causes = [(true, "device", 20, 5e-6), (false, "switch", 100, 125e-6)];
    let found = parts(&with_waiting(second(&causes), 0.8), GUEST);
    assert_eq!((found["preemption"], found["device interrupts"]), (100, 26));
    let found = parts(&with_waiting(second(&[(false, "switch migration", 8, 1e-3)]), 0.75), GUEST);
    assert_eq!((found["preemption"], found["migration"]), (60, 20));
    let found = parts(&with_waiting(second(&[(true, "switch", 100, 125e-6)]), 0.8), GUEST);
    assert_eq!(found, [("preemption".into(), 125)].into(), "the switch itself");
}

/// The quota was used up for 50 ms, and then others had the CPU first, for 10 more.
#[test]
fn a_quota_takes_no_more_than_the_kernel_says() {
    let mut detours = second(&[(true, "timer switch quota", 5, 60e-3)]);
    assert_eq!(parts(&detours, METAL), [("quota throttling".into(), 3000)].into());
    detours.counters.insert("quota.seconds".into(), 0.25);
    assert_eq!(
        parts(&detours, METAL),
        [("quota throttling".into(), 2500), ("preemption".into(), 500)].into()
    );
    // With the waiting known the timer's part is its own.
    let found = parts(&with_waiting(detours, 0.99), METAL);
    assert_eq!((found["quota throttling"], found["preemption"]), (2500, 470));
}

#[test]
fn several_interrupts_share_a_gap_by_what_each_takes_alone() {
    let detours = second(&[
        (true, "timer", 100, 10e-6),
        (true, "reschedule", 100, 2e-6),
        (true, "timer reschedule", 100, 12e-6),
    ]);
    let found = parts(&detours, METAL);
    assert_eq!(found["timer interrupts"], 20);
    assert_eq!(found["reschedule interrupts"], 4);
}

#[test]
fn softirqs_take_what_they_add() {
    let detours = second(&[(true, "timer", 100, 10e-6), (true, "timer softirq", 100, 30e-6)]);
    let found = parts(&detours, METAL);
    assert_eq!((found["timer interrupts"], found["softirqs"]), (20, 20));
}

#[test]
fn what_nothing_explains_is_steal_as_far_as_it_is_owned_up_to() {
    let mut detours = second(&[(true, "", 10, 2e-3), (true, "timer", 100, 10e-6)]);
    assert_eq!(parts(&detours, GUEST)["SMI or hypervisor"], 200);
    detours.counters.insert("stat.steal".into(), 0.015);
    let found = parts(&detours, GUEST);
    assert_eq!(
        (found["steal"], found["SMI or hypervisor"], found["timer interrupts"]),
        (150, 50, 10)
    );
    detours.counters.insert("stat.steal".into(), 5.0);
    assert!(!parts(&detours, GUEST).contains_key("SMI or hypervisor"));
}

/// A guest that was away for milliseconds finds its tick waiting: the tick did not take them.
#[test]
fn an_interrupt_of_milliseconds_is_the_hypervisors_in_a_guest() {
    let detours = second(&[(true, "timer", 200, 10e-6), (true, "timer", 4, 5e-3)]);
    let guest = parts(&detours, GUEST);
    assert_eq!((guest["timer interrupts"], guest["SMI or hypervisor"]), (20, 200));
    let metal = parts(&detours, METAL);
    assert_eq!(metal, [("timer interrupts".into(), 220)].into());
    let mut owned = detours;
    owned.counters.insert("stat.steal".into(), 0.01);
    let owned = parts(&owned, METAL);
    assert_eq!((owned["steal"], owned["timer interrupts"]), (100, 120));
}

#[test]
fn a_quota_is_none_of_the_tasks_doing() {
    let detours = second(&[(true, "timer switch quota", 5, 50e-3), (true, "switch", 1, 10e-3)]);
    let found = parts(&detours, METAL);
    assert_eq!((found["quota throttling"], found["preemption"]), (2500, 100));
}

/// Ten seconds of a real-time thread, in which these detours came: when, what moved, and seconds of each.
fn real_time(largest: &[(f64, &str, f64)]) -> Detours {
    let mut detours = Detours { watched: 10.0, elapsed: 10.0, ..Detours::default() };
    for (at, moved, seconds) in largest {
        let moved: Vec<String> = moved.split_whitespace().map(str::to_owned).collect();
        detours.count += 1;
        detours.total += seconds;
        detours.largest.push(record::Detour { at: *at, seconds: *seconds, moved: moved.clone() });
        if !detours.causes.iter().any(|c| c.moved == moved) {
            detours.causes.push(Cause { looked: true, moved: moved.clone(), ..Cause::default() });
        }
        let cause = detours.causes.iter_mut().find(|c| c.moved == moved).unwrap();
        let of = cause.octaves.entry((seconds * 1e9).log2() as u32).or_default();
        of.0 += 1;
        of.1 += seconds;
    }
    detours
}
/// So many detours of that length, each so long after the one before.
fn every(each: f64, count: u32, seconds: f64) -> Vec<(f64, &'static str, f64)> {
    (1..=count).map(|n| (f64::from(n) * each, "timer switch", seconds)).collect()
}
/// With what is usual left to others, and as much or less left by the thread itself.
fn fifo(duty: f64) -> Context {
    Context { guest: false, realtime: Limit::of(0.95, 1.0, duty) }
}

#[test]
fn a_share_that_is_used_up_comes_in_one_piece_a_period() {
    let pieces = real_time(&every(1.0, 9, 50e-3));
    assert_eq!(parts(&pieces, fifo(1.0)), [("RT throttling".into(), 450)].into());
    // The kernel looks at it in ticks.
    let late = real_time(&every(1.0, 9, 57e-3));
    assert_eq!(parts(&late, fifo(1.0)), [("RT throttling".into(), 513)].into());
    // What the timer took around is its own.
    let found = parts(&with_waiting(pieces.clone(), 0.98), fifo(1.0));
    assert_eq!((found["RT throttling"], found["timer interrupts"]), (441, 9));
    // Ordinary threads have no such share, and one that leaves others a tenth does not use it up.
    for around in [METAL, fifo(0.9)] {
        assert_eq!(parts(&pieces, around), [("preemption".into(), 450)].into());
    }
}

#[test]
fn a_real_time_task_that_comes_first_is_no_throttling() {
    let preemption = |detours: &Detours| {
        let parts = parts(detours, fifo(1.0));
        (parts.get("preemption").copied(), parts.get("RT throttling").copied())
    };
    // Longer than what the kernel ever leaves others.
    assert_eq!(preemption(&real_time(&every(1.0, 9, 0.2))), (Some(1800), None));
    // Before the thread can have used its share up.
    assert_eq!(preemption(&real_time(&[(0.3, "timer switch", 50e-3)])), (Some(50), None));
    // Far more often than once in a period: at most one a period can be throttling.
    let often = preemption(&real_time(&every(0.3, 30, 30e-3)));
    assert_eq!(often.0.unwrap() + often.1.unwrap(), 900);
    assert!(often.1.unwrap() <= 10 * 30, "{often:?}");
    // Both: the pieces that are as long as throttling is are it.
    let mut both = every(1.0, 9, 50e-3);
    both.extend((0..20).map(|n| (0.43 * f64::from(n) + 0.07, "timer switch", 34e-3)));
    assert_eq!(preemption(&real_time(&both)), (Some(680), Some(450)));
}

#[test]
fn what_moved_in_looked_at_and_other_gaps_is_given_once() {
    let mut detours = real_time(&every(1.0, 9, 50e-3));
    let half = Cause { looked: false, ..detours.causes[0].clone() };
    detours.causes.push(half);
    detours.total *= 2.0;
    let found = parts(&detours, fifo(1.0));
    assert_eq!((found["RT throttling"], found["preemption"]), (450, 450));
}

#[test]
fn what_was_not_looked_at_is_like_what_was() {
    let detours = second(&[
        (true, "timer", 30, 10e-6),
        (true, "device", 10, 10e-6),
        (false, "", 400, 10e-6),
        (false, "switch", 1, 1e-3),
    ]);
    let found = parts(&detours, METAL);
    assert_eq!((found["timer interrupts"], found["device interrupts"]), (33, 11));
    assert_eq!(found["preemption"], 10);
    let blind = second(&[(false, "", 400, 10e-6)]);
    assert_eq!(parts(&blind, GUEST), [("interrupts or more".into(), 40)].into());
}

/// 10,600 gaps of 200 ns a second, too short to be looked at, are neither firmware's nor the hypervisor's, nor a timer's.
#[test]
fn what_is_too_short_for_an_exit_is_a_stall_of_the_core() {
    let causes = [(false, "", 10_600, 200e-9), (true, "timer", 250, 5e-6), (true, "", 10, 100e-6)];
    let found = parts(&second(&causes), GUEST);
    let wanted =
        [("timer interrupts", 13), ("short stalls of the core", 21), ("SMI or hypervisor", 10)];
    assert_eq!(found, wanted.map(|(by, share)| (by.to_owned(), share)).into());
    assert_eq!(
        parts(&second(&[(true, "", 10_600, 200e-9)]), METAL),
        [("short stalls of the core".into(), 21)].into()
    );
    assert_eq!(
        parts(&second(&[(true, "", 100, 2e-6)]), METAL),
        [("SMI or hypervisor".into(), 2)].into()
    );
}

#[test]
fn migrations_and_faults_have_names_of_their_own() {
    let detours = second(&[
        (false, "switch migration", 3, 1e-4),
        (false, "migration", 2, 1e-3),
        (true, "fault", 10, 1e-4),
    ]);
    let found = parts(&detours, METAL);
    assert_eq!((found["preemption"], found["migration"], found["page faults"]), (3, 20, 10));
}

#[test]
fn no_gaps_no_parts() {
    assert!(attribute(&second(&[]), &GUEST).is_empty());
}
