//! Asking to stop: an interrupt sets a flag, and a second one ends the process at once.
use signal_hook::{consts::signal, flag};
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering},
};

/// What a shell reports of a program ended by SIGINT (128 + 2).
const INTERRUPTED: i32 = 130;

/// A flag that SIGINT, SIGTERM and SIGHUP set. Once it is set, a further SIGINT exits with status 130,
/// cleaning nothing up. Signals that were ignored when the program started (`nohup`, jobs in the
/// background of a script) stay ignored. Calling it again gives the same flag.
pub fn on_interrupt() -> &'static AtomicBool {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    FLAG.get_or_init(|| {
        let stop = Arc::new(AtomicBool::new(false));
        if !is_ignored(signal::SIGINT) {
            // Handlers run in the order of registration: this one must look before the next one sets.
            let _ =
                flag::register_conditional_shutdown(signal::SIGINT, INTERRUPTED, Arc::clone(&stop));
        }
        for number in [signal::SIGINT, signal::SIGTERM, signal::SIGHUP] {
            if !is_ignored(number) && flag::register(number, Arc::clone(&stop)).is_err() {
                // Without a handler the signal ends the process, which is also a way to stop.
                continue;
            }
        }
        stop
    })
}

/// Whether [`on_interrupt`] was told to stop.
pub fn interrupted() -> bool {
    on_interrupt().load(Ordering::Relaxed)
}

pub(crate) fn is_ignored(number: i32) -> bool {
    // SAFETY: sigaction is numbers and an optional function pointer, for which all-zero bytes are a value.
    let mut old: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: without a new action the call changes nothing; it writes one sigaction, and `old` is one.
    let asked = unsafe { libc::sigaction(number, std::ptr::null(), &mut old) };
    asked == 0 && old.sa_sigaction == libc::SIG_IGN
}
