//! Analyses of counted runs: published ones, and made-up ones of which each has one limit.
#![allow(clippy::unwrap_used, reason = "a test")]
use analyse::program::{Claim, Identity, Limiter, Program, Target, check, program};
use record::{
    Better, Case, CpuSet, Machine, Metric, Outcome, Placement, Reading, Reason, Run, Series, Unit,
};

const PERF: &str = include_str!("fixtures/perf_stat.csv");

/// A run of `stat` with these events by role: name, count over the whole time, share of it that was counted.
fn run(target: &str, elapsed: f64, cpus: u32, events: &[(&str, f64, f64)]) -> Run {
    let mut series = Series::new(Metric::Elapsed, Unit::Seconds, Better::Lower);
    series.samples.push(elapsed);
    let mut case = Case {
        probe: "stat".into(),
        version: 1,
        params: Default::default(),
        place: Placement { cpus: (0..cpus).collect::<CpuSet>(), ..Placement::default() },
        estimate: 0.0,
    };
    let mut say = |name: String, value: &str| drop(case.params.insert(name, value.into()));
    say("target".into(), target);
    say("scope".into(), "the command and all it starts");
    say("mode".into(), "user and kernel");
    let mut readings = vec![];
    for (name, count, share) in events {
        let is_role = !name.contains('.') && !["cycles", "instructions"].contains(name);
        if is_role {
            say(format!("role.{name}"), name);
        }
        let name = if name.contains('.') { (*name).into() } else { format!("counters.{name}") };
        readings.push(Reading { name, unit: Unit::Count, value: count * share, coverage: *share });
    }
    let outcome = Outcome::Measured(vec![series]);
    let unread = Default::default();
    Run { readings, unread, took: elapsed, ..Run::new(case, outcome) }
}

fn machine(frequency: f64) -> Machine {
    let mut machine = Machine::default();
    machine.set_in("cpu.frequency.max", frequency, Unit::Hertz, "test");
    machine
}

struct Published {
    name: &'static str,
    own: bool,
    frequency: f64,
    claim: Claim,
    run: Run,
}

fn published() -> Vec<Published> {
    let lines = PERF.lines().filter(|line| !line.starts_with('#'));
    let parsed = lines.map(|line| {
        let words: Vec<&'static str> = line.split(',').collect();
        let number = |at: usize| words[at].parse::<f64>().ok();
        let (elapsed, cpu, frequency) = (number(2).unwrap(), number(3), number(4).unwrap());
        let mut events = vec![
            ("cycles", number(5).unwrap(), number(6).unwrap()),
            ("instructions", number(7).unwrap(), number(8).unwrap()),
            // One program of one thread: on a CPU all of the time, where nothing else was printed.
            ("program.cpu", cpu.unwrap_or(elapsed), 1.0),
        ];
        for word in &words[9..] {
            let (role, rest) = word.split_once('=').unwrap();
            let (count, share) = rest.split_once('@').unwrap();
            events.push((role, count.parse().unwrap(), share.parse().unwrap()));
        }
        let claim = Claim {
            cycles: events[0].1,
            instructions: events[1].1,
            elapsed,
            cpu,
            threads: 1.0,
            advertised: Some(frequency),
        };
        let run = run("command", elapsed, 1, &events);
        Published { name: words[0], own: words[1] == "own", frequency, claim, run }
    });
    parsed.collect()
}

#[test]
fn counts_of_programs_are_accepted_and_those_of_machines_are_not() {
    let all = published();
    assert_eq!(all.iter().filter(|p| p.own).count(), 2);
    assert_eq!(all.len(), 7);
    for Published { name, own, frequency, claim, run } in &all {
        // What is advertised may not be known at all.
        for advertised in [Some(*frequency), None] {
            let identity = check(&Claim { advertised, ..*claim });
            assert_eq!(matches!(identity, Identity::Holds(_)), *own, "{name}: {identity:?}");
        }
        let machine = machine(*frequency);
        let found = program(run, &machine).unwrap();
        assert_eq!(found.counted.is_ok(), *own, "{name}: {:?}", found.identity);
        if !own {
            let Identity::Impossible(why) = &found.identity else { panic!("{name}") };
            assert!(why.contains("other programs were counted"), "{name}: {why}");
            assert_eq!(found.limiter.limiter, Limiter::Unknown, "{name}");
        }
    }
}

#[test]
fn published_programs_decompose_as_published() {
    let all = published();
    let of = |name: &str| all.iter().find(|p| p.name == name).unwrap();
    for (name, ipc, frequency) in
        [("kunpeng-920 bc", 1.84, 2.60e9), ("intel-8269cy bc", 2.19, 3.16e9)]
    {
        let published = of(name);
        let machine = machine(published.frequency);
        let found = program(&published.run, &machine).unwrap();
        let counted = found.counted.as_ref().unwrap();
        assert!((counted.ipc() - ipc).abs() < 0.006, "{name}: {}", counted.ipc());
        assert!(
            (counted.frequency() / frequency - 1.0).abs() < 0.005,
            "{name}: {}",
            counted.frequency()
        );
        let time =
            counted.instructions / (counted.frequency() * counted.ipc()) / found.cpus().unwrap();
        assert!((time / found.elapsed - 1.0).abs() < 1e-9, "{name}: {time}");
        // 12.5 and 9.4 mispredictions per 1000 instructions: a third of the cycles.
        assert_eq!(found.limiter.limiter, Limiter::BadSpeculation, "{name}: {:?}", found.limiter);
        assert!(found.limiter.estimated);
    }
}

#[test]
fn rates_are_those_that_perf_prints() {
    let all = published();
    let intel = all.iter().find(|p| p.name == "intel-8269cy bc").unwrap();
    let machine = machine(intel.frequency);
    let found = program(&intel.run, &machine).unwrap();
    let rate = |name: &str| found.rates.iter().find(|rate| rate.name == name).unwrap();
    assert!((rate("branches mispredicted").value - 0.0478).abs() < 0.0001);
    // Boost was on, though lscpu printed 2501 MHz as the most.
    assert!((rate("frequency over its reference").value - 1.273).abs() < 0.001);
    assert!((rate("branch misses").value - 9.355).abs() < 0.001);
    assert_eq!(rate("branch misses").share, 0.1429);
}

/// A second on one CPU of 1 GHz at an IPC of one, with these events.
fn second(events: &[(&str, f64, f64)], width: Option<u32>) -> Run {
    let base = [
        ("cycles", 1e9, 1.0),
        ("instructions", 1e9, 1.0),
        ("program.cpu", 1.0, 1.0),
        ("program.cpu.system", 0.1, 1.0),
    ];
    let mut run = run("command", 1.0, 1, &[&base[..], events].concat());
    width.into_iter().for_each(|width| drop(run.case.params.insert("width".into(), width.into())));
    run
}

fn limiter(run: &Run) -> Limiter {
    program(run, &machine(1e9)).unwrap().limiter.limiter
}

#[test]
fn every_limit_is_named_from_the_slots() {
    let metrics = |retiring: f64, bad: f64, front: f64, back: f64, memory: f64| {
        let of = |share: f64| 4e9 * share;
        vec![
            ("slots", 4e9, 1.0),
            ("slots_retiring", of(retiring), 1.0),
            ("slots_bad_speculation", of(bad), 1.0),
            ("slots_frontend", of(front), 1.0),
            ("slots_backend", of(back), 1.0),
            ("slots_memory", of(memory), 1.0),
        ]
    };
    assert_eq!(limiter(&second(&metrics(0.7, 0.1, 0.1, 0.1, 0.0), None)), Limiter::Instructions);
    assert_eq!(limiter(&second(&metrics(0.3, 0.4, 0.2, 0.1, 0.0), None)), Limiter::BadSpeculation);
    assert_eq!(limiter(&second(&metrics(0.3, 0.2, 0.4, 0.1, 0.0), None)), Limiter::FrontEnd);
    assert_eq!(limiter(&second(&metrics(0.3, 0.1, 0.1, 0.5, 0.1), None)), Limiter::Core);
    let deep = |l1: f64, l2: f64, l3: f64, lines: f64| {
        let stalls = [
            ("stall_l1_miss", l1 * 1e9, 1.0),
            ("stall_l2_miss", l2 * 1e9, 1.0),
            ("stall_l3_miss", l3 * 1e9, 1.0),
            ("llc_misses", lines, 1.0),
        ];
        second(&[&metrics(0.2, 0.0, 0.1, 0.7, 0.6)[..], &stalls].concat(), None)
    };
    assert_eq!(limiter(&deep(0.6, 0.2, 0.1, 1e6)), Limiter::L2);
    assert_eq!(limiter(&deep(0.6, 0.5, 0.1, 1e6)), Limiter::L3);
    assert_eq!(limiter(&deep(0.6, 0.6, 0.5, 8e6)), Limiter::MemoryLatency);
    // 100 million lines a second are ten in flight at 100 ns each.
    assert_eq!(limiter(&deep(0.6, 0.6, 0.5, 100e6)), Limiter::MemoryBandwidth);
}

#[test]
fn slots_follow_from_operations_where_the_processor_does_not_share_them_out() {
    let operations = [
        ("lost_frontend", 0.4e9, 1.0),
        ("ops_issued", 1.4e9, 0.5),
        ("ops_retired", 1.0e9, 0.5),
        ("recovery_cycles", 0.1e9, 1.0),
    ];
    let run = second(&operations, Some(4));
    let machine = machine(1e9);
    let slots = program(&run, &machine).unwrap().slots.unwrap();
    let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
    assert!(near(slots.retiring, 0.25) && near(slots.frontend, 0.1), "{slots:?}");
    assert!(near(slots.bad_speculation, 0.2) && near(slots.backend, 0.45), "{slots:?}");
    assert_eq!(slots.memory, None);
    // Without a width nothing can be said of slots.
    assert_eq!(program(&second(&operations, None), &machine).unwrap().slots, None);
    // AMD's own: lost to the back end, and loads among what was waited for.
    let own = [
        ("lost_frontend", 0.6e9, 1.0),
        ("lost_backend", 3.6e9, 1.0),
        ("ops_issued", 1.8e9, 1.0),
        ("ops_retired", 1.2e9, 1.0),
        ("waiting_load", 0.3e9, 1.0),
        ("waiting_any", 0.4e9, 1.0),
    ];
    let run = second(&own, Some(6));
    let slots = program(&run, &machine).unwrap().slots.unwrap();
    assert!(near(slots.backend, 0.6) && near(slots.memory.unwrap(), 0.45), "{slots:?}");
}

#[test]
fn slots_lost_to_wrong_paths_are_counted_or_moved_there() {
    let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
    let machine = machine(1e9);
    let slots = |events: &[(&'static str, f64, f64)]| {
        program(&second(events, Some(5)), &machine).unwrap().slots.unwrap()
    };
    // Intel's E-cores count them.
    let counted = slots(&[
        ("lost_frontend", 0.5e9, 1.0),
        ("lost_backend", 2.0e9, 1.0),
        ("lost_speculation", 0.5e9, 1.0),
        ("ops_retired", 2.0e9, 1.0),
    ]);
    assert!(near(counted.bad_speculation, 0.1) && near(counted.retiring, 0.4), "{counted:?}");
    // Neoverse N3 and V3: the front end's cycles of a flush are no want of instructions.
    let flushed = slots(&[
        ("lost_frontend", 1.0e9, 1.0),
        ("lost_backend", 1.5e9, 1.0),
        ("ops_issued", 2.5e9, 1.0),
        ("ops_retired", 2.0e9, 1.0),
        ("flush_cycles", 0.1e9, 1.0),
    ]);
    assert!(near(flushed.frontend, 0.1) && near(flushed.bad_speculation, 0.2), "{flushed:?}");
    // Neoverse N2: the front end is what the others leave.
    let left = slots(&[
        ("lost_backend", 1.5e9, 1.0),
        ("ops_issued", 2.5e9, 1.0),
        ("ops_retired", 2.0e9, 1.0),
    ]);
    assert!(near(left.frontend, 0.2) && near(left.backend, 0.3), "{left:?}");
}

#[test]
fn level_two_is_a_part_of_level_one_and_is_told_only_where_it_is_counted() {
    let near = |a: Option<f64>, b: f64| a.is_some_and(|a| (a - b).abs() < 1e-9);
    let machine = machine(1e9);
    let slots = |events: &[(&'static str, f64, f64)], width| {
        program(&second(events, width), &machine).unwrap().slots.unwrap()
    };
    // As the processor itself shares them out.
    let first = [
        ("slots", 4e9, 1.0),
        ("slots_retiring", 1.6e9, 1.0),
        ("slots_bad_speculation", 0.8e9, 1.0),
        ("slots_frontend", 1.2e9, 1.0),
        ("slots_backend", 0.4e9, 1.0),
    ];
    let second_level = [
        ("slots_heavy", 0.4e9, 1.0),
        ("slots_mispredicted", 0.6e9, 1.0),
        ("slots_latency", 0.8e9, 1.0),
        ("slots_memory", 0.1e9, 1.0),
    ];
    let one = slots(&first, None);
    let none = (None, None, None, None);
    assert_eq!((one.heavy, one.mispredicted, one.latency, one.memory), none);
    let two = slots(&[&first[..], &second_level].concat(), None);
    assert!(near(two.heavy, 0.1) && near(two.mispredicted, 0.15), "{two:?}");
    assert!(near(two.latency, 0.2) && near(two.memory, 0.025), "{two:?}");
    let said = |events: &[(&'static str, f64, f64)]| {
        program(&second(events, None), &machine).unwrap().limiter.evidence.join("; ")
    };
    assert!(!said(&first).contains("delivered nothing"));
    assert!(said(&[&first[..], &second_level].concat()).contains("20 %"), "{}", said(&first));
    // More than the whole cannot be a part of it.
    let much = slots(&[&first[..], &[("slots_latency", 3e9, 1.0)]].concat(), None);
    assert!(near(much.latency, much.frontend), "{much:?}");
    // AMD's formulas: a quarter of the operations is microcode, two of three restarts are of branches, and in 0.05 of the
    // cycles the front end delivered nothing.
    let own = [
        ("lost_frontend", 0.6e9, 1.0),
        ("lost_backend", 3.0e9, 1.0),
        ("ops_issued", 2.4e9, 1.0),
        ("ops_retired", 1.2e9, 1.0),
        ("ops_microcode", 0.3e9, 1.0),
        ("branch_misses", 2e6, 1.0),
        ("restarts", 1e6, 1.0),
        ("empty_frontend", 0.05e9, 1.0),
    ];
    let own = slots(&own, Some(6));
    assert!((own.retiring - 0.2).abs() < 1e-9 && near(own.heavy, 0.05), "{own:?}");
    assert!(near(own.mispredicted, 0.2 * 2.0 / 3.0) && near(own.latency, 0.05), "{own:?}");
}

#[test]
fn stalls_and_misses_name_a_limit_where_slots_are_not_counted() {
    let stalls = |front: f64, back: f64| {
        vec![("stall_frontend", front * 1e9, 1.0), ("stall_backend", back * 1e9, 1.0)]
    };
    assert_eq!(limiter(&second(&stalls(0.5, 0.1), None)), Limiter::FrontEnd);
    assert_eq!(limiter(&second(&stalls(0.1, 0.1), None)), Limiter::Instructions);
    let with = |more: (&'static str, f64, f64)| {
        let mut events = stalls(0.1, 0.6);
        events.push(more);
        limiter(&second(&events, None))
    };
    assert_eq!(with(("stall_memory", 0.1e9, 1.0)), Limiter::Core);
    assert_eq!(with(("branch_misses", 0.05e9, 1.0)), Limiter::BadSpeculation);
    assert_eq!(with(("llc_misses", 4e6, 1.0)), Limiter::MemoryLatency);
    assert_eq!(with(("nothing_else", 1.0, 1.0)), Limiter::Memory);
    // Misses alone, at assumed costs.
    let misses = |events: &[(&str, f64, f64)]| {
        program(&second(events, None), &machine(1e9)).unwrap().limiter
    };
    let judged = misses(&[("l1d_misses", 40e6, 1.0), ("l2_misses", 1e6, 1.0)]);
    assert_eq!((judged.limiter, judged.estimated), (Limiter::L2, true));
    assert_eq!(misses(&[("l1d_misses", 1e3, 1.0)]).limiter, Limiter::Unknown);
    assert_eq!(misses(&[]).limiter, Limiter::Unknown);
}

#[test]
fn what_is_not_on_a_cpu_is_not_limited_by_it() {
    let asleep = |waited: f64, cpu: f64| {
        let events = [
            ("program.cpu", cpu, 1.0),
            ("program.waited", waited, 1.0),
            ("program.switches.voluntary", 50.0, 1.0),
        ];
        run("command", 10.0, 2, &events)
    };
    assert_eq!(limiter(&asleep(0.1, 1.0)), Limiter::NotOnCpu);
    assert_eq!(limiter(&asleep(4.0, 5.0)), Limiter::RunQueue);
    let evidence = program(&asleep(4.0, 5.0), &Machine::default()).unwrap().limiter.evidence;
    assert!(evidence.iter().any(|said| said.contains("waited for a CPU")), "{evidence:?}");
    let kernel =
        run("command", 1.0, 1, &[("program.cpu", 1.0, 1.0), ("program.cpu.system", 0.8, 1.0)]);
    assert_eq!(limiter(&kernel), Limiter::Kernel);
}

#[test]
fn without_a_pmu_the_reason_is_all_that_is_said() {
    let mut run = run("command", 1.0, 1, &[("program.cpu", 1.0, 1.0)]);
    let reason = Reason::mended_by("no PMU in this guest", "give it one");
    run.unread.insert("counters.cycles".into(), reason.clone());
    let machine = Machine::default();
    let found = program(&run, &machine).unwrap();
    assert_eq!(found.counted, Err(reason));
    assert_eq!((found.target, found.limiter.limiter), (Target::Command, Limiter::Unknown));
    assert!(found.limiter.evidence[0].contains("no PMU"));
    assert_eq!(found.cpus(), Some(1.0));
}

#[test]
fn a_set_of_cpus_is_no_program() {
    let events = [
        ("cycles", 1e9, 1.0),
        ("instructions", 1e9, 1.0),
        ("machine.busy", 0.5, 1.0),
        ("llc_misses", 1e9, 1.0),
    ];
    let run = run("cpus", 1.0, 2, &events);
    let machine = machine(1e9);
    let found = program(&run, &machine).unwrap();
    assert_eq!((found.target, found.limiter.limiter), (Target::Cpus, Limiter::Unknown));
    assert!(found.limiter.evidence[0].contains("no program"));
    // Busy half of the time of two CPUs.
    assert_eq!(found.cpus(), Some(1.0));
}

#[test]
fn no_other_run_and_no_nonsense_is_a_program() {
    let mut other = run("command", 1.0, 1, &[]);
    other.case.params.clear();
    assert!(program(&other, &Machine::default()).is_none());
    for wild in [f64::NAN, f64::INFINITY, 0.0, -1.0, 1e300] {
        let events =
            [("cycles", wild, 1.0), ("instructions", wild, 1.0), ("program.cpu", wild, 1.0)];
        let run = run("command", 1.0, 1, &events);
        let machine = Machine::default();
        let found: Program<'_> = program(&run, &machine).unwrap();
        assert!(
            !matches!(found.identity, Identity::Holds(frequency) if !frequency.is_finite()),
            "{wild}"
        );
    }
}
