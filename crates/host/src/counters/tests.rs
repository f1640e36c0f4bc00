//! Both worlds: on a machine with counters they count, on one without the reason is one a user can act on.
use super::*;
use crate::{
    child::{ProcessGroup, Program},
    clock::Monotonic,
};

fn spin() {
    let chain = kernels::compute::add_chain::KERNEL.reference;
    std::hint::black_box(chain(&mut [], 10_000));
}

#[test]
fn counts_are_differences_with_the_share_they_ran_for() {
    let start = Totals { value: 10, enabled: 100, running: 50 };
    let end = Totals { value: 40, enabled: 300, running: 100 };
    let other = Totals { value: 1, enabled: 100, running: 100 };
    assert_eq!(end.since(&start).count(), Ok(Count { value: 30, share: 0.25 }));
    assert_eq!(end.since(&start).and(other).count(), Ok(Count { value: 31, share: 0.5 }));
    // Enabled for a while and never scheduled: the count is not zero, it is unknown.
    let starved = Totals { enabled: 300, ..start };
    assert!(starved.since(&start).count().unwrap_err().remedy.is_some());
}

#[test]
fn this_machine_counts_or_says_why_not() {
    let pair = vec![Event::cycles(), Event::instructions()];
    let mut counting = Counting::open(ThisThread::new(), &[pair], Mode::User);
    if let Some(reason) = counting.refused() {
        assert!(reason.remedy.is_some(), "{reason}");
        return;
    }
    counting.start().unwrap();
    spin();
    counting.stop().unwrap();
    // Others may have the counters just now.
    if let Some(count) = counting.counts().get("instructions") {
        assert!(count.share > 0.0 && count.share <= 1.0, "{count:?}");
        assert!(count.value > 0 || count.share < 1.0, "{count:?}");
    }
}

#[test]
fn only_the_pair_of_one_group_gives_an_ipc() {
    let count = |value| Ok(Count { value, share: 1.0 });
    let mut counts = Counts {
        scope: Tree::here(),
        mode: Mode::All,
        events: vec![(Event::cycles(), count(200)), (Event::instructions(), count(300))],
    };
    assert_eq!(counts.ipc(), Some(1.5));
    counts.events[0].1 = count(0);
    assert_eq!(counts.ipc(), None);
    counts.events[0].1 = Err(Reason::new("none"));
    assert_eq!((counts.ipc(), counts.get("instructions").map(|c| c.value)), (None, Some(300)));
}

/// The kernel's own events exist without a PMU: they show that a held command is counted with all it starts, from its
/// first instruction.
#[test]
fn a_command_is_counted_with_all_it_starts() {
    let mut processes = ProcessGroup::new().unwrap();
    let script = "for i in 1 2 3; do (i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done); done";
    let pid = processes.hold(&Program::new(&["sh", "-c", script]).unwrap().quiet()).unwrap();
    let mut counting =
        Counting::open(Tree::of_held(pid), &Event::software().map(|e| vec![e]), Mode::All);
    if let Some(reason) = counting.refused() {
        assert!(reason.remedy.is_some(), "{reason}");
        return;
    }
    let done = processes.run(&Monotonic::new(), None).unwrap();
    counting.stop().unwrap();
    let counts = counting.counts();
    let clock = counts.get("task-clock").unwrap();
    let (used, wall) = (done.ended[0].used.cpu_seconds, done.ended[0].ended - done.ended[0].began);
    assert_eq!(clock.share, 1.0);
    // Its own account has the time before its release, too, but not what a hypervisor took; each fork of it faults.
    let counted = clock.value as f64 * 1e-9;
    let within = counted > 0.5 * used && counted < 1.1 * wall + 1e-3;
    assert!(within, "{counted} s counted, {used} s used, {wall} s by the clock");
    assert!(counts.get("minor-faults").unwrap().value > 3);
    if counts.mode == Mode::User {
        assert_eq!(counts.get("context-switches"), None);
    }
}

/// The wrong scope sees nothing of the work: what this thread counts is not what another does.
#[test]
fn a_thread_is_not_counted_with_the_others() {
    let clock = Event::software()[..1].to_vec();
    let mut alone = Counting::open(ThisThread::new(), std::slice::from_ref(&clock), Mode::User);
    let mut tree = Counting::open(Tree::here(), &[clock], Mode::User);
    if alone.refused().is_some() {
        return;
    }
    tree.start().unwrap();
    alone.start().unwrap();
    let work = || {
        while crate::usage::thread().cpu_seconds < 0.02 {
            spin()
        }
    };
    std::thread::spawn(work).join().unwrap();
    alone.stop().unwrap();
    tree.stop().unwrap();
    let of = |counts: Option<Count>| counts.unwrap().value;
    let (alone, tree) = (of(alone.counts().get("task-clock")), of(tree.counts().get("task-clock")));
    assert!(alone < tree / 2, "{alone} ns alone, {tree} ns with the thread it started");
}

#[test]
fn a_process_that_is_gone_and_an_event_that_is_none_say_so() {
    let nobody =
        Counting::open(Process { pid: u32::MAX >> 1 }, &[vec![Event::cycles()]], Mode::All);
    assert!(nobody.refused().unwrap().why.contains("no process"));
    let groups = [Event::software()[..1].to_vec(), vec![Event::new("nonsense", 1, 9999)]];
    let some = Counting::open(ThisThread::new(), &groups, Mode::User);
    if some.slots[0].state.is_ok() {
        assert!(some.refused().is_none());
        assert!(some.counts().events[1].1.is_err());
    }
}

/// The counters of a case include programs that its thread starts, and their children.
#[test]
fn children_are_counted_with_the_thread_that_starts_them() {
    let clock = Event::software()[..1].to_vec();
    let mut tree = Counting::open(Tree::here(), &[clock], Mode::User);
    if tree.refused().is_some() {
        return;
    }
    tree.start().unwrap();
    let busy = "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'; true";
    let mut processes = ProcessGroup::new().unwrap();
    processes.hold(&Program::new(&["sh", "-c", busy]).unwrap().quiet()).unwrap();
    let done = processes.run(&Monotonic::new(), Some(60.0)).unwrap();
    tree.stop().unwrap();
    let counted = tree.counts().get("task-clock").unwrap().value as f64 * 1e-9;
    let used = done.ended[0].used.cpu_seconds;
    assert!(used > 0.0 && counted > used / 2.0, "{counted} s counted of {used} s");
}
