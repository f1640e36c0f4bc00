//! Signals change a whole process, so they have a test program of their own, with a single test.
use std::sync::atomic::Ordering::SeqCst;

fn raise(number: i32) {
    // SAFETY: sends this thread a signal for which `on_interrupt` has installed a handler.
    unsafe { libc::raise(number) };
}

/// The exit of a process.
#[derive(Debug, PartialEq)]
enum End {
    Exit(i32),
    Signal(i32),
}

/// The exit of a child that was interrupted `times` times.
fn interrupted(times: usize) -> End {
    // SAFETY: no other thread uses libc or its locks: the test harness waits for this one test. The
    // child raises signals and exits.
    let child = unsafe { libc::fork() };
    assert!(child >= 0);
    if child == 0 {
        (0..times).for_each(|_| raise(libc::SIGINT));
        let code = if host::signals::interrupted() { 3 } else { 4 };
        // SAFETY: ends the child, without running the parent's exit handlers.
        unsafe { libc::_exit(code) };
    }
    let mut status = 0;
    // SAFETY: writes one int; `status` is one.
    let waited = unsafe { libc::waitpid(child, &mut status, 0) };
    assert!(waited == child, "{status:#x}");
    match libc::WIFSIGNALED(status) {
        true => End::Signal(libc::WTERMSIG(status)),
        false => End::Exit(libc::WEXITSTATUS(status)),
    }
}

#[test]
fn the_first_interrupt_sets_the_flag_and_the_second_ends_the_process() {
    // `nohup` and background jobs leave signals ignored, which the flag must respect.
    // SAFETY: installs the default action, which runs none of our code.
    unsafe { libc::signal(libc::SIGINT, libc::SIG_DFL) };
    // SAFETY: ignoring runs none of our code either.
    unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
    let flag = host::signals::on_interrupt();
    assert!(std::ptr::eq(flag, host::signals::on_interrupt()));
    assert_eq!(interrupted(0), End::Exit(4));
    assert_eq!(interrupted(1), End::Exit(3));
    assert_eq!(interrupted(2), End::Signal(libc::SIGINT));
    raise(libc::SIGHUP);
    assert!(!flag.load(SeqCst), "an ignored signal stays ignored");
    raise(libc::SIGTERM);
    assert!(flag.load(SeqCst));
}
