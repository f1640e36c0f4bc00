//! The scopes of counters, and their results when they are shared or forbidden: on the machine of the audit, where a
//! count is exact.
use host::{
    child::{ProcessGroup, Program, Status},
    clock::Monotonic,
    counters::{Counting, Cpus, Event, Mode, Process, Scope, ThisThread, Tree, kind},
};
use kernels::compute::add_chain;
use std::{env, fs, path::Path};

/// The lab's machines, and no others, have this.
const LAB: &str = "/lab/job";
const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";

/// Steps of the command that is counted, and of the multiplexed loop: about 26 and 200 million instructions.
const STEPS: u64 = 400_000;
const LONG: u64 = 3_000_000;

/// Set for the command alone.
const COMMAND: &str = "CPULENS_AUDIT_COMMAND";

fn stated() -> u64 {
    add_chain::KERNEL.work.exact_instructions().unwrap()
}

fn pair() -> Vec<Event> {
    vec![Event::cycles(), Event::instructions()]
}

fn spin(steps: u64) {
    let run =
        add_chain::KERNEL.variants.iter().rev().find_map(|v| (v.get)(&kernels::Features::detect()));
    std::hint::black_box(run.unwrap()(&mut [], steps));
}

/// The command itself: this program, running this test alone. It has a thread of its own do half of the work.
#[test]
#[ignore = "needs hardware counters"]
fn the_command_that_is_counted() {
    if env::var_os(COMMAND).is_some() {
        std::thread::spawn(|| spin(STEPS / 2)).join().unwrap();
        spin(STEPS / 2);
    }
}

/// The scopes side by side: the command's tree has its instructions, all of them and hardly more; the thread that
/// waits for it has next to none; what ran on the CPU is no less than the command.
#[test]
#[ignore = "needs hardware counters"]
fn each_scope_counts_its_own() {
    // SAFETY: this is the only test of this program that runs (--test-threads=1), so nobody reads the environment.
    unsafe { env::set_var(COMMAND, "1") };
    let program = env::current_exe().unwrap();
    let name = "scopes::the_command_that_is_counted";
    let words = [program.to_str().unwrap(), "--include-ignored", "--exact", name];
    let mut processes = ProcessGroup::new().unwrap();
    let pid = processes.hold(&Program::new(&words).unwrap().quiet()).unwrap();
    let mut alone = Counting::open(ThisThread::new(), &[pair()], Mode::User);
    let mut tree = Counting::open(Tree::of_held(pid), &[pair()], Mode::User);
    let cpus = Cpus { cpus: "0".parse().unwrap() };
    let mut machine = Counting::open(cpus, &[pair()], Mode::User);
    alone.start().unwrap();
    machine.start().unwrap();
    let done = processes.run(&Monotonic::new(), None).unwrap();
    alone.stop().unwrap();
    tree.stop().unwrap();
    machine.stop().unwrap();
    assert_eq!(done.ended[0].status, Status::Exited(0));

    let work = STEPS * stated();
    let counts = tree.counts();
    let of_tree = counts.get("instructions").unwrap();
    println!("states {work}, counted {of_tree:?} of the tree, IPC {:?}", counts.ipc());
    // The test program's own start, too.
    assert!(of_tree.value >= work && of_tree.value < work + work / 4, "{of_tree:?}");
    assert_eq!(of_tree.share, 1.0);
    assert!(counts.ipc().unwrap() > 0.0);
    let of_waiting = alone.counts().get("instructions").unwrap().value;
    assert!(of_waiting < work / 20, "{of_waiting} of the thread that waited");
    let of_cpu = machine.counts().get("instructions").unwrap().value;
    assert!(of_cpu >= of_tree.value, "{of_cpu} of the CPU");
}

/// A process that runs already, by its id: counted from now on, with all its threads.
#[test]
#[ignore = "needs hardware counters"]
fn a_running_process_is_counted_from_now_on() {
    spin(STEPS / 4);
    let mut counting = Counting::open(Process { pid: std::process::id() }, &[pair()], Mode::User);
    assert_eq!(counting.refused(), None);
    counting.start().unwrap();
    std::thread::spawn(|| spin(STEPS / 4)).join().unwrap();
    counting.stop().unwrap();
    let found = counting.counts().get("instructions").unwrap().value;
    let work = STEPS / 4 * stated();
    assert!(found >= work && found < work + work / 4, "{found} of {work}");
}

/// More groups than counters: each says for which share it ran, the pair of a group for the same share, and scaled by
/// it they agree with what is known. One that never ran is unknown, not zero.
#[test]
#[ignore = "needs hardware counters"]
fn more_groups_than_counters_share_them_and_say_so() {
    // Of the architecture's events the machine counts instructions (0x08); each group has two of it.
    let group = |i: u32| {
        (0..2).map(|j| Event::new(&format!("inst_retired_{i}_{j}"), kind::RAW, 0x08)).collect()
    };
    let groups: Vec<Vec<Event>> = (0..8).map(group).collect();
    let mut counting = Counting::open(ThisThread::new(), &groups, Mode::User);
    counting.start().unwrap();
    spin(LONG);
    counting.stop().unwrap();
    let counts = counting.counts();
    let work = (LONG * stated()) as f64;
    let mut shared = 0;
    for pair in counts.events.chunks(2) {
        let [(_, one), (_, other)] = pair else { panic!() };
        match (one, other) {
            (Ok(one), Ok(other)) => {
                println!("{:.3} of the time: {} and {}", one.share, one.value, other.value);
                assert_eq!(one.share, other.share, "members of a group count at the same time");
                assert!(one.value.abs_diff(other.value) < 64, "{one:?} {other:?}");
                shared += u32::from(one.share < 0.99);
                let scaled = one.value as f64 / one.share;
                assert!(
                    one.share < 0.1 || (scaled / work - 1.0).abs() < 0.15,
                    "{scaled} of {work}"
                );
            }
            (Err(one), Err(other)) => {
                assert!(one.why.contains("never ran") && one == other, "{one}")
            }
            mixed => panic!("half a group counted: {mixed:?}"),
        }
    }
    assert!(shared > 0, "sixteen counters at once? {counts:?}");
}

/// A group that is larger than the processor is split, and its events are counted all the same.
#[test]
#[ignore = "needs hardware counters"]
fn what_does_not_fit_into_a_group_leads_another() {
    let many: Vec<Event> = (0..12).map(|i| Event::new(&format!("e{i}"), kind::RAW, 0x08)).collect();
    let mut counting = Counting::open(ThisThread::new(), &[many], Mode::User);
    counting.start().unwrap();
    spin(LONG);
    counting.stop().unwrap();
    let counts = counting.counts();
    let counted = counts.events.iter().filter(|(_, count)| count.is_ok()).count();
    assert_eq!(counts.events.len(), 12);
    assert!(counted >= 4, "{counts:?}");
}

/// A forbidden counter names what would allow it; a missing one says that the processor lacks it.
#[test]
#[ignore = "needs hardware counters"]
fn denied_and_missing_counters_have_their_reasons() {
    let none = Counting::open(
        ThisThread::new(),
        &[vec![Event::new("LLC-loads", kind::CACHE, 2)]],
        Mode::User,
    );
    let why = none.refused().unwrap();
    assert!(why.why.contains("does not count LLC-loads"), "{why}");
    if !Path::new(LAB).exists() {
        println!("not in the lab: nothing is forbidden for the test");
        return;
    }
    let before = fs::read_to_string(PARANOID).unwrap();
    for (level, remedy) in [("2", "perf_event_paranoid=0"), ("4", "perf_event_paranoid=0")] {
        fs::write(PARANOID, level).unwrap();
        let why = as_nobody(|| refusal(Cpus { cpus: "0".parse().unwrap() }));
        println!("level {level}, system-wide: {why:?}");
        let (why, to_do) = why.unwrap();
        assert!(why.contains("system-wide") && why.contains("CAP_PERFMON"), "{why}");
        assert!(to_do.contains(remedy), "{to_do}");
    }
    // Level 2 hides the kernel's part; users' own is counted.
    fs::write(PARANOID, "2").unwrap();
    let mode = as_nobody(|| Counting::open(ThisThread::new(), &[pair()], Mode::All).counts().mode);
    assert_eq!(mode, Mode::User);
    assert_eq!(as_nobody(|| refusal(ThisThread::new())), None);
    let (why, _) = as_nobody(|| refusal(Process { pid: 1 })).unwrap();
    assert!(why.contains("another user"), "{why}");
    // Debian's kernel knows a level from which on users count nothing.
    fs::write(PARANOID, "3").unwrap();
    if let Some((why, to_do)) = as_nobody(|| refusal(ThisThread::new())) {
        assert!(why.contains("is 3)") && to_do.contains("perf_event_paranoid=1"), "{why}: {to_do}");
    }
    fs::write(PARANOID, before).unwrap();
}

fn refusal<S: Scope>(scope: S) -> Option<(String, String)> {
    let counting = Counting::open(scope, &[pair()], Mode::User);
    let reason = counting.refused()?.clone();
    Some((reason.why.to_string(), reason.remedy.unwrap_or_default().to_string()))
}

/// On a thread that is nobody: of the threads of a process each has its own identity for the kernel.
fn as_nobody<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            const NOBODY: libc::c_long = 65_534;
            // SAFETY: the system call itself takes integers and changes the calling thread alone, which ends soon.
            let changed = unsafe { libc::syscall(libc::SYS_setresuid, NOBODY, NOBODY, NOBODY) };
            assert_eq!(changed, 0);
            work()
        });
        thread.join().unwrap()
    })
}
