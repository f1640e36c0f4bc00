//! Interrupts: the first sets a flag, the second ends the process at once.
use signal_hook::{consts::signal, flag};
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering},
};

/// The exit status after SIGINT (128 + 2).
const INTERRUPTED: i32 = 130;

/// A flag set by SIGINT, SIGTERM and SIGHUP. Once it is set, a further SIGINT exits with status 130 and no cleanup. Signals
/// that were ignored at program start (`nohup`, background jobs of a script) stay ignored. Further calls give the same flag.
pub fn on_interrupt() -> &'static AtomicBool {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    FLAG.get_or_init(|| {
        let stop = Arc::new(AtomicBool::new(false));
        if !is_ignored(signal::SIGINT) {
            // Handlers run in the order of registration: this one must read the flag before the next one sets it.
            let _ =
                flag::register_conditional_shutdown(signal::SIGINT, INTERRUPTED, Arc::clone(&stop));
        }
        for number in [signal::SIGINT, signal::SIGTERM, signal::SIGHUP] {
            if !is_ignored(number) && flag::register(number, Arc::clone(&stop)).is_err() {
                // Without a handler the signal ends the process.
                continue;
            }
        }
        stop
    })
}

/// Whether the flag of [`on_interrupt`] is set.
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
