//! Commands that end well, badly, not at all, or leave something behind.
use super::*;
use crate::clock::{Clock, Monotonic};
use crate::usage;
use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
};

fn run(words: &[&str], limit: Option<f64>) -> Result<GroupResult, Refused> {
    let mut processes = ProcessGroup::new()?;
    processes.hold(&Program::new(words)?.quiet())?;
    processes.run(&Monotonic::new(), limit)
}

fn sh(script: &str, limit: Option<f64>) -> GroupResult {
    run(&["sh", "-c", script], limit).unwrap()
}

fn alive(pid: i32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

#[test]
fn a_command_ends_with_its_status_and_what_it_used() {
    let done = sh("exit 7", None);
    assert_eq!(done.ended[0].status, Status::Exited(7));
    assert!(done.ended[0].ended >= done.ended[0].began);
    assert!(done.ended[0].used.max_rss_bytes > 0 && done.ended[0].used.minor_faults > 0);
    assert_eq!((done.timed_out, done.left_behind, done.unkillable), (false, 0, 0));
    assert_eq!(sh("kill -9 $$", None).ended[0].status.code(), 128 + 9);
}

#[test]
fn what_is_no_command_says_so_as_shells_do() {
    let refused = |words: &[&str]| run(words, None).unwrap_err();
    let missing = refused(&["no-such-command-anywhere"]);
    assert_eq!(missing.status, Some(127));
    assert!(missing.why.why.contains("not found"), "{missing:?}");
    assert_eq!(refused(&["/etc/hostname"]).status, Some(126));
    assert_eq!(refused(&["/"]).status, Some(126));
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("nothing");
    fs::write(&script, "x").unwrap();
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let script = script.to_str().unwrap();
    assert!(refused(&[script]).why.why.contains("no program"), "{:?}", refused(&[script]));
    assert_eq!(Program::new::<&str>(&[]).unwrap_err().status, Some(127));
    assert!(Program::new(&["a\0b"]).is_err());
}

#[test]
fn nothing_runs_before_it_is_let_go() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ran");
    let touch = Program::new(&["touch", file.to_str().unwrap()]).unwrap().quiet();
    let mut processes = ProcessGroup::new().unwrap();
    let pid = processes.hold(&touch).unwrap();
    assert!(alive(pid.cast_signed()));
    drop(processes);
    assert!(!file.exists() && !alive(pid.cast_signed()));
    let mut processes = ProcessGroup::new().unwrap();
    processes.hold(&touch).unwrap();
    processes.run(&Monotonic::new(), None).unwrap();
    assert!(file.exists());
}

/// The command ignores the request to end, and so do its descendants, some of which left its group and session.
#[test]
fn a_time_limit_leaves_nothing_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let script = format!(
        "trap '' TERM; sleep 1000 & echo $! >> {0}; setsid sh -c 'trap \"\" TERM; echo $$ >> {0}; \
         while :; do sleep 1; done' & while :; do sleep 1; done",
        pids.display()
    );
    let clock = Monotonic::new();
    let before = clock.now();
    let done = sh(&script, Some(2.0));
    assert!(done.timed_out && clock.now() - before >= 2.0);
    assert_eq!(done.ended[0].status, Status::Killed(libc::SIGKILL));
    let pids = fs::read_to_string(pids).unwrap();
    let pids: Vec<i32> = pids.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(pids.len(), 2);
    assert!(pids.iter().all(|pid| !alive(*pid)), "{pids:?}");
}

#[test]
fn who_is_asked_and_ends_is_not_killed() {
    let done = sh("trap 'exit 3' TERM; while :; do sleep 0.05; done", Some(2.0));
    assert_eq!((done.timed_out, done.ended[0].status), (true, Status::Exited(3)));
}

#[test]
fn what_forks_away_is_ended_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    // A process that ends before its exec may have used no memory by the kernel's count.
    let script = format!(
        "setsid sh -c 'echo $$ > {0}; exec sleep 1000' & while [ ! -s {0} ]; do sleep 0.02; done",
        file.display()
    );
    let done = sh(&script, None);
    assert_eq!((done.ended[0].status, done.left_behind), (Status::Exited(0), 1));
    assert!(done.orphans_used.max_rss_bytes > 0);
    assert_eq!(done.unkillable, 0);
    let pid = fs::read_to_string(file).unwrap().trim().parse().unwrap();
    assert!(!alive(pid));
}

/// As after `time` or `perf stat`: a daemon and what it started live on.
#[test]
fn what_is_to_be_kept_lives_on_and_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pids");
    let script = format!(
        "setsid sh -c 'sleep 1000 & until grep -q sleep /proc/$!/comm; do :; done; \
         echo $! $$ > {0}.part; mv {0}.part {0}; wait' & \
         while [ ! -e {0} ]; do sleep 0.02; done",
        file.display()
    );
    let mut processes = ProcessGroup::new().unwrap().ending_children(false);
    processes.hold(&Program::new(&["sh", "-c", &script]).unwrap().quiet()).unwrap();
    let done = processes.run(&Monotonic::new(), None).unwrap();
    let pids = fs::read_to_string(file).unwrap();
    let pids: Vec<i32> = pids.split_whitespace().map(|pid| pid.parse().unwrap()).collect();
    let known: Vec<u32> = done.still_running.iter().map(|one| one.pid).collect();
    assert!(pids.len() == 2 && pids.iter().all(|pid| alive(*pid)), "{done:?}");
    assert!(pids.iter().all(|pid| known.contains(&pid.cast_unsigned())), "{done:?}");
    assert_eq!((known.len(), done.left_behind), (2, 0));
    assert_eq!(names(&done.still_running), "sh, sleep");
    // They are nobody's of the next group, which leaves them alone too.
    assert_eq!(sh("exit 0", None).left_behind, 0);
    assert!(pids.iter().all(|pid| alive(*pid)));
    // The second was started by the first, and is an orphan of nobody's group.
    let _alone = group::alone();
    for pid in pids.into_iter().rev() {
        kill(pid, libc::SIGKILL);
        assert_eq!(reap(pid, 0).map(|(pid, _)| pid), Some(pid));
    }
}

/// Another thread starts and ends them meanwhile.
#[test]
fn supervisors_that_end_are_not_left_behind_by_a_command() {
    let ended = AtomicBool::new(false);
    let ran: Vec<GroupResult> = thread::scope(|scope| {
        scope.spawn(|| {
            while !ended.load(Relaxed) {
                Cleanup::of_group(Path::new("/no/such/group"), None).unwrap().cancel();
            }
        });
        let ran = (0..100).map(|_| run(&["true"], Some(5.0))).collect::<Result<_, _>>();
        ended.store(true, Relaxed);
        ran.unwrap()
    });
    let wrong: Vec<_> = ran.iter().filter(|one| one.timed_out || one.left_behind > 0).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(ran.iter().all(|one| one.orphans_used == usage::Usage::default()), "{ran:?}");
}

#[test]
fn a_signal_is_passed_on() {
    let mut processes = ProcessGroup::new().unwrap();
    let script = "trap 'exit 9' USR1; kill -USR1 $PPID; while :; do sleep 0.05; done";
    processes.hold(&Program::new(&["sh", "-c", script]).unwrap().quiet()).unwrap();
    let done = processes.run(&Monotonic::new(), Some(20.0)).unwrap();
    assert_eq!(done.ended[0].status, Status::Exited(9));
    assert_eq!((done.passed_on, done.timed_out), (Some(libc::SIGUSR1), false));
}

#[test]
fn several_run_at_once_where_they_were_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let cpus = cpus::affinity().unwrap();
    let mut processes = ProcessGroup::new().unwrap();
    let files: Vec<_> = cpus.iter().map(|cpu| (cpu, folder.path().join(cpu.to_string()))).collect();
    for (cpu, file) in &files {
        let script = format!("grep Cpus_allowed_list /proc/self/status > {}", file.display());
        let program = Program::new(&["sh", "-c", &script]).unwrap().quiet();
        processes.hold(&program.on([*cpu].into_iter().collect())).unwrap();
    }
    let done = processes.run(&Monotonic::new(), Some(60.0)).unwrap();
    assert_eq!(done.ended.len(), cpus.len());
    for (cpu, file) in &files {
        let printed = fs::read_to_string(file).unwrap();
        assert_eq!(printed.split_ascii_whitespace().nth(1), Some(&*cpu.to_string()));
    }
    let mut processes = ProcessGroup::new().unwrap();
    let nowhere = Program::new(&["true"]).unwrap().on([CpuSet::MAX].into_iter().collect());
    assert!(processes.hold(&nowhere).is_err());
}

#[test]
fn the_queue_of_a_command_is_read_before_it_is_gone() {
    let done = sh("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done", None);
    let Some(queue) = done.ended[0].queue else { return }; // a kernel without CONFIG_SCHED_INFO
    // Both count from its birth, so also what it did before its release; one is read a little earlier, up to a tick.
    let used = done.ended[0].used.cpu_seconds;
    assert!(
        queue.on_cpu > 0.0 && (queue.on_cpu - used).abs() <= 11e-3 + 0.02 * used,
        "{queue:?} {used}"
    );
    // Its waiting counts from the release: it cannot be longer than the run.
    let took = done.ended[0].ended - done.ended[0].began;
    assert!(queue.waited <= took, "{queue:?} {took}");
}

#[test]
fn a_program_of_another_account_has_none_of_our_rights() {
    // SAFETY: takes nothing and returns an integer.
    if unsafe { libc::geteuid() } != 0 {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let script = "grep -E '^(Uid|Gid|Groups|CapEff):' /proc/self/status | tr '\\t' ' '";
    let program = Program::new(&["sh", "-c", script]).unwrap().as_account(65534, 65533);
    let program = program.writing_into(File::create(&log).unwrap());
    let mut ran = Supervised::start(&program).unwrap();
    assert_eq!(ran.wait(std::time::Duration::from_secs(20)), Some(Status::Exited(0)));
    let (user, group) = ("65534 65534 65534 65534", "65533 65533 65533 65533");
    let rights = format!("Uid: {user}\nGid: {group}\nGroups: 65533 \nCapEff: 0000000000000000\n");
    assert_eq!(fs::read_to_string(&log).unwrap(), rights);
    // It may not read what only we may.
    let private = folder.path().join("private");
    fs::write(&private, "x").unwrap();
    fs::set_permissions(&private, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let cat = Program::new(&["cat", private.to_str().unwrap()]).unwrap().quiet();
    let mut processes = ProcessGroup::new().unwrap();
    processes.hold(&cat.as_account(65534, 65534)).unwrap();
    let done = processes.run(&Monotonic::new(), None).unwrap();
    assert_eq!(done.ended[0].status, Status::Exited(1));
}

/// A living child's time is ours before it is waited for, and that of its own children; another process's only once it is invited.
#[test]
fn the_time_of_living_descendants_is_ours() {
    let _alone = group::alone();
    let busy = "while :; do :; done";
    let mut child =
        std::process::Command::new("sh").args(["-c", &format!("({busy}) & wait")]).spawn().unwrap();
    let reaped = || usage::process().cpu_seconds + usage::children().cpu_seconds;
    let more = || cpu_seconds_with_children() - reaped();
    let grew = (0..3000).any(|_| {
        thread::sleep(std::time::Duration::from_millis(10));
        more() > 0.1 && cpu_seconds_of(child.id()) > 0.1
    });
    let group = fs::read_to_string(format!("/proc/{0}/task/{0}/children", child.id())).unwrap();
    group.split_whitespace().for_each(|pid| kill(pid.parse().unwrap(), libc::SIGKILL));
    child.wait().unwrap();
    assert!(grew);
    // Init, which has used some, is nobody's child.
    let before = cpu_seconds_with_children();
    count_as_ours(1);
    assert!(cpu_seconds_with_children() >= before + cpu_seconds_of(1) - 1.0);
}

/// A server is ended after the commands that it serves, and with what it started; one that ends first ends them.
#[test]
fn a_server_lives_as_long_as_its_commands() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().display();
    let shell =
        |script: &str| Program::new(&["sh", "-c", &format!("cd {at}; {script}")]).unwrap().quiet();
    let clock = Monotonic::new();

    let mut processes = ProcessGroup::new().unwrap().ending_children(false);
    let script = "setsid sleep 1000 & echo $! > daemon; trap 'echo > ended; exit 3' TERM; echo > up; while :; do sleep 0.01; done";
    let pid = processes.serve(&shell(script)).unwrap();
    processes.hold(&shell("until [ -e up ]; do :; done; test ! -e ended")).unwrap();
    assert!(!processes.has_ended(pid));
    let done = processes.run(&clock, Some(60.0)).unwrap();
    let ends: Vec<(u32, Status)> = done.ended.iter().map(|e| (e.pid, e.status)).collect();
    assert_eq!((ends[0], ends[1].1), ((pid, Status::Exited(3)), Status::Exited(0)));
    assert!(!done.timed_out && folder.path().join("ended").exists());
    let daemon = fs::read_to_string(folder.path().join("daemon")).unwrap();
    assert!(!alive(daemon.trim().parse().unwrap()));

    let mut processes = ProcessGroup::new().unwrap();
    let pid = processes.serve(&shell("exit 4")).unwrap();
    processes.hold(&shell("sleep 1000")).unwrap();
    let done = processes.run(&clock, None).unwrap();
    assert_eq!((done.ended[0].pid, done.ended[0].status.code()), (pid, 4));
    assert_eq!((done.ended[1].status.code(), done.timed_out), (128 + 15, false));

    // Nobody to serve: it is ended all the same.
    let mut processes = ProcessGroup::new().unwrap();
    processes.serve(&shell("exec sleep 1000")).unwrap();
    assert_eq!(processes.run(&clock, None).unwrap().ended[0].status.code(), 128 + 15);
}
