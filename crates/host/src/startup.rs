//! Inherited state that would end a process silently: signals of limits, a small stack, a
//! counter that may not be read, system calls that Rust's own runtime cannot do without.
//! Source: setrlimit(2), PR_SET_TSC of prctl(2), seccomp(2), `library/std/src/sys/pal/unix/mod.rs` of Rust.
use record::Reason;
use signal_hook::flag;
use std::{
    ffi::c_int,
    hint::black_box,
    io, mem,
    panic::resume_unwind,
    ptr,
    sync::{Arc, atomic::AtomicBool},
    thread,
};

/// linux/prctl.h.
const PR_GET_TSC: c_int = 25;
const PR_SET_TSC: c_int = 26;
const PR_TSC_ENABLE: c_int = 1;
const PR_TSC_SIGSEGV: c_int = 2;

/// The stack that the program is written for, in bytes: the usual limit.
const STACK: usize = 8 << 20;
/// The smallest stack that it is run on as it is.
const SMALLEST_STACK: u64 = 1 << 20;

/// The remedy for a system call that is denied.
const ALLOW: &str = "allow it in the seccomp profile, or start without one (docker: --security-opt seccomp=unconfined)";

/// Rust's runtime aborts before `main` where these are denied.
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = refuse_without_poll_and_sigaction;

extern "C" fn refuse_without_poll_and_sigaction() {
    // SAFETY: looks at no descriptor, and returns at once.
    if unsafe { libc::poll(ptr::null_mut(), 0, 0) } < 0 && is_denied() {
        refuse("poll");
    }
    // SAFETY: without actions the call changes and writes nothing.
    if unsafe { libc::sigaction(libc::SIGPIPE, ptr::null(), ptr::null_mut()) } != 0 && is_denied() {
        refuse("sigaction");
    }
}

/// Whether the last system call failed because of a filter.
fn is_denied() -> bool {
    matches!(
        io::Error::last_os_error().raw_os_error(),
        Some(libc::EPERM | libc::ENOSYS | libc::EACCES)
    )
}

/// Says what is missing, and ends the process.
fn refuse(call: &str) {
    let line = format!(
        "cpulens: the system call {call} is denied here, and no program in Rust starts without it; {ALLOW}\n"
    );
    // SAFETY: writes bytes that are there.
    unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len()) };
    // SAFETY: ends the process, which has done nothing yet.
    unsafe { libc::_exit(2) };
}

/// Makes the process fit for the rest of the program. Gives a note for the user, if something had to be changed.
///
/// # Errors
/// If the counter that the kernel's clock needs may not be read.
pub fn prepare() -> Result<Option<String>, Reason> {
    // By this the linker takes it into the program.
    black_box(&BEFORE_MAIN);
    survive_file_limits();
    share_limited_addresses();
    allow_counter()
}

/// A file that grows beyond RLIMIT_FSIZE is an error of write(2), not the end of the process. A handler instead of "ignore",
/// which programs that we start would inherit.
fn survive_file_limits() {
    if !crate::signals::is_ignored(libc::SIGXFSZ) {
        // Without a handler the signal does what it always does.
        let _ = flag::register(libc::SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}

/// A heap for each thread reserves 64 MiB of addresses (glibc's `HEAP_MAX_SIZE`). Where RLIMIT_AS limits them, a thread that
/// starts meanwhile would find none for its signal stack, for which Rust's runtime aborts: all threads share one heap.
fn share_limited_addresses() {
    #[cfg(target_env = "gnu")]
    if limit(libc::RLIMIT_AS).is_some() {
        // SAFETY: sets a number of the allocator, before there is a second thread.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

/// The limit of a resource that getrlimit(2) knows, in its unit; `None` without one.
fn limit(resource: libc::__rlimit_resource_t) -> Option<u64> {
    // SAFETY: rlimit is integers only, for which all-zero bytes are a value.
    let mut limit: libc::rlimit = unsafe { mem::zeroed() };
    // SAFETY: the kernel writes one rlimit, and `limit` is one.
    let asked = unsafe { libc::getrlimit(resource, &raw mut limit) };
    #[allow(clippy::unnecessary_cast, reason = "the type differs between C libraries")]
    (asked == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur as u64)
}

/// The counter is read by the clock of the kernel, too: a process for which that is a fault cannot tell the time.
fn allow_counter() -> Result<Option<String>, Reason> {
    let mut state: c_int = PR_TSC_ENABLE;
    // SAFETY: writes one int, and `state` is one. Kernels that do not know it write nothing.
    let asked = unsafe { libc::prctl(PR_GET_TSC, &raw mut state) };
    if asked != 0 || state != PR_TSC_SIGSEGV {
        return Ok(None);
    }
    // SAFETY: takes a number, and lets this process read a register.
    if unsafe { libc::prctl(PR_SET_TSC, PR_TSC_ENABLE) } == 0 {
        return Ok(Some(
            "reading the CPU's tick counter was a fault for this process (PR_SET_TSC); it is allowed again, since the clock needs it"
                .into(),
        ));
    }
    Err(Reason::mended_by(
        "reading the CPU's tick counter is a fault for this process (PR_SET_TSC), and the clock needs it",
        "start it without the program that forbids it, or let it call prctl(PR_SET_TSC, PR_TSC_ENABLE)",
    ))
}

/// Runs the program on a stack of its usual size, where the limit of the first thread's stack is small.
pub fn on_usual_stack<T: Send + 'static>(
    program: impl FnOnce() -> T + Send + Clone + 'static,
) -> T {
    if limit(libc::RLIMIT_STACK).is_none_or(|bytes| bytes >= SMALLEST_STACK) {
        return program();
    }
    let run = program.clone();
    match thread::Builder::new().stack_size(STACK).spawn(run) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
        // No memory for the stack, or no process more.
        Err(_) => program(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_is_denied_nothing_hears_nothing() {
        assert_eq!(prepare(), Ok(None));
        assert_eq!(on_usual_stack(|| 7), 7);
    }

    /// The setting is the thread's own. A clock that is read while it holds ends the process.
    #[test]
    fn a_trapped_counter_is_allowed_again() {
        let trapped = thread::spawn(|| {
            // SAFETY: takes a number. From here to `allow_counter` nothing reads the counter.
            let set = unsafe { libc::prctl(PR_SET_TSC, PR_TSC_SIGSEGV) };
            let note = (set == 0).then(allow_counter);
            (note, crate::clock::thread_cpu_time(), crate::clock::monotonic())
        });
        match trapped.join().unwrap().0 {
            None => eprintln!("skipped: no PR_SET_TSC here"),
            Some(note) => assert!(note.unwrap().unwrap().contains("PR_SET_TSC")),
        }
    }
}
