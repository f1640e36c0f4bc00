//! Injected noise is found: as much as was injected, under its name, on its CPU, and not on another.
//!
//! Whoever runs this has neighbours and other work. What is asserted is therefore what the injector itself used of the CPU, by
//! the kernel's account of it, within bounds that a busy machine keeps; what may not be done here is said and skipped.
#![allow(clippy::unwrap_used, reason = "a test that cannot set up has failed")]
use host::{
    clock::{self, Clock, Monotonic},
    cpus, realtime,
    remap::Patches,
};
use kernels::Features;
use measure::{
    bench::Bench,
    plan,
    probe::{Depth, Probe, Setting},
};
use record::{Case, CpuSet, Gaps, Machine, Series, Value};
use std::{
    process::{Command, Stdio},
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

/// One experiment at a time: each is noise to the others.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(|e| e.into_inner())
}

/// The last two CPUs that may be used: the one that is disturbed, and another.
fn two() -> Option<(u32, u32)> {
    let all: Vec<u32> = cpus::affinity().unwrap().iter().collect();
    match all[..] {
        [.., other, disturbed] => Some((disturbed, other)),
        _ => None,
    }
}

/// Runs a probe on these CPUs with these parameters, and gives its series.
fn run(id: &str, cpus: &CpuSet, params: &[(&str, Value)]) -> Vec<Series> {
    let (clock, machine, cancel) = (Monotonic::new(), Machine::default(), AtomicBool::new(false));
    let probe: &dyn Probe = plan::entries().into_iter().find(|(known, _)| *known == id).unwrap().1;
    let case: Case =
        Setting::new(&machine, cpus.clone(), Depth::Quick).case(cpus.clone(), params, 1.0);
    assert_eq!(probe.lacks(&case), None);
    let mut bench = Bench {
        clock: &clock,
        machine: &machine,
        depth: Depth::Quick,
        seed: 1,
        features: Features::detect(),
        haste: 1.0,
        cancel: &cancel,
        tick: &mut |_| (),
        threads: vec![],
        readings: vec![],
        unread: Default::default(),
    };
    probe.run(&case, &mut bench).unwrap()
}

fn watched(cpus: &CpuSet, seconds: f64, binding: &str) -> Vec<(u32, Gaps)> {
    let params = [("binding", binding.into()), ("seconds", seconds.into())];
    let series = run("noise_gaps", cpus, &params);
    let of = |s: Series| (s.at["cpu"].integer().unwrap() as u32, *s.gaps.unwrap());
    series.into_iter().map(of).collect()
}

/// Does `work` beside a thread that disturbs until it is told to stop, and says what it used; both results.
fn beside<R, D: Send>(
    disturb: impl FnOnce(&AtomicBool) -> D + Send,
    work: impl FnOnce() -> R,
) -> (R, D) {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let other = scope.spawn(|| disturb(&stop));
        let done = work();
        stop.store(true, Relaxed);
        (done, other.join().unwrap())
    })
}

/// Share of the time in gaps during which the thread was switched away from.
fn switched(gaps: &Gaps) -> f64 {
    let causes = gaps.causes.iter().filter(|c| c.has("switch"));
    causes.map(record::Cause::seconds).sum::<f64>() / gaps.watched
}

fn counted(gaps: &Gaps, name: &str) -> f64 {
    gaps.counters.get(name).copied().unwrap_or(0.0)
}

/// A thread that is real-time takes 100 us every 10 ms: 1.0 % of its CPU is preemption, as much as it used.
#[test]
fn a_real_time_thread_is_preemption_on_its_cpu() {
    let _alone = alone();
    let Some((disturbed, other)) = two() else { return eprintln!("skipped: one CPU") };
    if let Err(why) = realtime::fifo(50) {
        return eprintln!("skipped: {why}");
    }
    let injector = |stop: &AtomicBool| {
        let _pinned = cpus::pin(disturbed).unwrap();
        let _fifo = realtime::fifo(50).unwrap();
        let clock = Monotonic::new();
        let (began, used) = (clock.now(), clock::of_thread());
        let mut turns = 0u32;
        while !stop.load(Relaxed) {
            let until = clock.now() + 100e-6;
            while clock.now() < until {}
            turns += 1;
            let next = began + 0.01 * f64::from(turns);
            thread::sleep(Duration::from_secs_f64((next - clock.now()).max(0.0)));
        }
        (clock::of_thread() - used) / (clock.now() - began)
    };
    let quiet = watched(&[disturbed, other].into_iter().collect(), 2.0, "bound");
    let (seen, used) =
        beside(injector, || watched(&[disturbed, other].into_iter().collect(), 2.0, "bound"));
    let of =
        |all: &[(u32, Gaps)], cpu: u32| switched(&all.iter().find(|(c, _)| *c == cpu).unwrap().1);
    let found = of(&seen, disturbed);
    println!(
        "injected {used:.4}, seen {found:.4}, without {:.4}, other CPU {:.4}",
        of(&quiet, disturbed),
        of(&seen, other)
    );
    assert!((0.009..0.03).contains(&used), "the injector used {used} of its CPU");
    // Where others preempt too, they do so in either run.
    assert!(found > 0.7 * used, "seen {found}, of {used} that were injected");
    if of(&quiet, disturbed) < 0.002 && of(&seen, other) < 0.002 {
        assert!((found - used).abs() < 0.0015, "seen {found}, injected {used}");
    } else {
        println!("not to the tenth of a per cent: other tasks run on these CPUs");
    }
}

/// An ordinary thread that wants all of the CPU gets half of it, and line speed stays what it is.
#[test]
fn a_hog_takes_half_and_leaves_line_speed_alone() {
    let _alone = alone();
    let cpu = cpus::affinity().unwrap().iter().next_back().unwrap();
    let only: CpuSet = [cpu].into_iter().collect();
    let hog = |stop: &AtomicBool| {
        let _pinned = cpus::pin(cpu).unwrap();
        while !stop.load(Relaxed) {
            std::hint::spin_loop();
        }
    };
    let (seen, ()) = beside(hog, || watched(&only, 1.0, "bound"));
    let taken = switched(&seen[0].1);
    assert!((0.35..0.97).contains(&taken), "a hog took {taken}");
    let floor = || {
        let params =
            [("quantum", "prime".into()), ("binding", "bound".into()), ("seconds", 0.4.into())];
        let series = run("noise_quanta", &only, &params);
        let quanta = series[0].quanta.clone().unwrap();
        assert!(quanta.checked > quanta.count, "every count of primes is looked at");
        assert!(series.iter().any(|s| s.metric == "time_per_pass" && s.samples.len() == 3));
        // Each run chooses how much work makes a piece.
        quanta.lengths.quantile(0.05).unwrap() / series[0].steps as f64
    };
    let before = floor();
    let (during, ()) = beside(hog, floor);
    println!("line speed {before:e} alone, {during:e} beside the hog");
    assert!((during / before - 1.0).abs() < 0.15, "{before} alone, {during} beside the hog");
}

/// A process that a timer signals two thousand times a second: as many interrupts of the timer.
#[test]
fn a_storm_of_signals_is_a_storm_of_timer_interrupts() {
    let _alone = alone();
    let cpu = cpus::affinity().unwrap().iter().next_back().unwrap();
    let only: CpuSet = [cpu].into_iter().collect();
    let storm = "use Time::HiRes qw(setitimer ITIMER_REAL); $SIG{ALRM} = sub { $n++ }; \
                 setitimer(ITIMER_REAL, 0.0005, 0.0005); $| = 1; print qq(.); sleep 1 while 1";
    let _pinned = cpus::pin(cpu).unwrap();
    let mut command = Command::new("perl");
    command.args(["-e", storm]).stdout(Stdio::piped()).stderr(Stdio::null());
    let quiet = watched(&only, 0.5, "bound");
    let Ok(mut child) = command.spawn() else { return eprintln!("skipped: no perl") };
    let mut ready = [0];
    let began = std::io::Read::read(child.stdout.as_mut().unwrap(), &mut ready).unwrap_or(0) == 1;
    let seen = watched(&only, 1.0, "bound");
    child.kill().unwrap();
    child.wait().unwrap();
    if !began {
        return eprintln!("skipped: this perl has no Time::HiRes");
    }
    let timer = |gaps: &Gaps| counted(gaps, "interrupts.timer") / gaps.elapsed;
    let (before, during) = (timer(&quiet[0].1), timer(&seen[0].1));
    if before == 0.0 && !seen[0].1.counters.contains_key("interrupts.timer") {
        return eprintln!("skipped: no table of interrupts");
    }
    println!("timer interrupts a second: {before:.0}, with the storm {during:.0}");
    assert!(during > before + 500.0, "{before} a second, {during} with the storm");
}

/// Pages that another thread of the process protects have to be forgotten where a thread watches: on x86-64 by interrupts.
#[test]
fn pages_protected_elsewhere_are_shoot_downs_here() {
    let _alone = alone();
    let Some((disturbed, other)) = two() else { return eprintln!("skipped: one CPU") };
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    if cfg!(not(target_arch = "x86_64")) || cpuinfo.contains("invlpgb") {
        return eprintln!("skipped: this processor tells the others itself, without interrupts");
    }
    let protect = |stop: &AtomicBool| {
        let _pinned = cpus::pin(other).unwrap();
        let mut calls = 0u64;
        while !stop.load(Relaxed) {
            let mut patches = Patches::map(64).unwrap();
            patches.touch();
            calls += (0..64).filter(|i| patches.protect(*i)).count() as u64;
        }
        calls
    };
    let only: CpuSet = [disturbed].into_iter().collect();
    let (seen, calls) = beside(protect, || watched(&only, 1.0, "bound"));
    let gaps = &seen[0].1;
    let shot = counted(gaps, "interrupts.tlb");
    if gaps.uncounted.contains_key("interrupts") {
        return eprintln!("skipped: no table of interrupts");
    }
    println!("{calls} calls, {shot} shoot-downs counted");
    assert!(shot > 100.0, "{shot} shoot-downs of {calls} calls");
    assert!(gaps.causes.iter().any(|c| c.looked && c.has("tlb")), "{:?}", gaps.causes);
}

/// A real-time thread that leaves nothing to others is stopped when its share is used up and others want the CPU: in pieces
/// of tens of milliseconds, which no other task of its own accord takes from it.
#[test]
fn what_the_share_of_real_time_takes_comes_in_one_piece() {
    let _alone = alone();
    let cpu = cpus::affinity().unwrap().iter().next_back().unwrap();
    if let Err(why) = realtime::fifo(1) {
        return eprintln!("skipped: {why}");
    }
    let Some(share) = realtime::share() else {
        return eprintln!("skipped: real-time threads may take everything here");
    };
    let hog = |stop: &AtomicBool| {
        let _pinned = cpus::pin(cpu).unwrap();
        while !stop.load(Relaxed) {
            std::hint::spin_loop();
        }
    };
    let left = share.period - share.runtime;
    let seconds = 2.2 * share.period;
    let only: CpuSet = [cpu].into_iter().collect();
    let (seen, ()) = beside(hog, || watched(&only, seconds, "fifo"));
    let gaps = &seen[0].1;
    let pieces = gaps.causes.iter().filter(|c| c.has("switch")).flat_map(|c| c.octaves.values());
    let whole: f64 =
        pieces.filter(|(n, s)| s / (*n).max(1) as f64 > left / 2.0).map(|(_, s)| s).sum();
    println!(
        "{left:.3} of each {:.3} s are others'; {whole:.3} s of {seconds:.1} went in whole pieces",
        share.period
    );
    assert!(whole / gaps.watched < 3.0 * left / share.period, "{whole} of {}", gaps.watched);
    assert!(whole > 0.5 * left, "the hog had nothing: {:?}", gaps.causes);
}
