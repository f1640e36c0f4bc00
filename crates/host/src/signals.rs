//! Interrupts: the first sets a flag, the second ends the process at once. A process that a signal ended says so by dying of
//! that signal, as shells need it: Martin Cracauer, "Proper handling of SIGINT/SIGQUIT" (cons.org/cracauer/sigint.html).
use signal_hook::{consts::signal, flag};
use std::{
    mem, process, ptr,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering},
    },
};

/// The signals that end a run.
const ENDING: [i32; 3] = [signal::SIGINT, signal::SIGTERM, signal::SIGHUP];

/// The last signal that was passed on to child processes; zero before the first.
static PASSED_ON: AtomicI32 = AtomicI32::new(0);

/// A flag set by SIGINT, SIGTERM and SIGHUP. Once it is set, a further SIGINT ends the process by that signal, with no cleanup.
/// Signals that were ignored at program start (`nohup`, background jobs of a script) stay ignored. Further calls give the same
/// flag.
pub fn on_interrupt() -> &'static AtomicBool {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    FLAG.get_or_init(|| {
        let stop = Arc::new(AtomicBool::new(false));
        if !is_ignored(signal::SIGINT) {
            // Handlers run in the order of registration: this one must read the flag before the next one sets it.
            let _ = flag::register_conditional_default(signal::SIGINT, Arc::clone(&stop));
        }
        for number in ENDING.into_iter().filter(|number| !is_ignored(*number)) {
            // The number before the flag. Without a handler the signal ends the process.
            let _ =
                flag::register_usize(number, Arc::clone(number_of_interrupt()), number as usize)
                    .and_then(|_| flag::register(number, Arc::clone(&stop)));
        }
        stop
    })
}

/// The number that the flag's handlers write.
fn number_of_interrupt() -> &'static Arc<AtomicUsize> {
    static NUMBER: OnceLock<Arc<AtomicUsize>> = OnceLock::new();
    NUMBER.get_or_init(Arc::default)
}

/// The SIGINT, SIGTERM or SIGHUP that arrived last: at the flag of [`on_interrupt`], or to be passed on to child processes.
pub fn received() -> Option<i32> {
    let flagged = number_of_interrupt().load(Ordering::Relaxed) as i32;
    let number = if flagged == 0 { PASSED_ON.load(Ordering::Relaxed) } else { flagged };
    (number != 0).then_some(number)
}

/// A signal is passed on to child processes.
pub(crate) fn passed_on(number: i32) {
    if ENDING.contains(&number) {
        PASSED_ON.store(number, Ordering::Relaxed);
    }
}

/// Ends the process by SIGINT, SIGTERM or SIGHUP, with its default action. The first process of a container survives that, and
/// exits with 128 and the number.
pub fn end_by(number: i32) -> ! {
    // SAFETY: sets the default action, which is no code of ours.
    unsafe { libc::signal(number, libc::SIG_DFL) };
    // SAFETY: a signal set is integers only, for which all-zero bytes are a value: the empty set.
    let mut set: libc::sigset_t = unsafe { mem::zeroed() };
    // SAFETY: writes one signal set, and `set` is one.
    unsafe { libc::sigaddset(&raw mut set, number) };
    // SAFETY: reads one signal set, and writes none.
    unsafe { libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const set, ptr::null_mut()) };
    // SAFETY: takes a number.
    unsafe { libc::raise(number) };
    process::exit(128 + number)
}

/// Whether the flag of [`on_interrupt`] is set.
pub fn interrupted() -> bool {
    on_interrupt().load(Ordering::Relaxed)
}

pub(crate) fn is_ignored(number: i32) -> bool {
    // SAFETY: sigaction is numbers and an optional function pointer, for which all-zero bytes are a value.
    let mut old: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: without a new action the call changes nothing; it writes one sigaction, and `old` is one.
    let asked = unsafe { libc::sigaction(number, ptr::null(), &mut old) };
    asked == 0 && old.sa_sigaction == libc::SIG_IGN
}
