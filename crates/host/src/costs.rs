//! Single kernel operations to be timed: a null system call, a futex wake, a signal to the own thread, an interrupt to the
//! other CPUs of the process, a timer, fork, and fork with exec.
//! Source: futex(2), membarrier(2), tgkill(2), clock_nanosleep(2), fork(2), execveat(2), memfd_create(2).
use crate::{clock::monotonic, syscall::checked};
use record::Reason;
use rustix::fs::{MemfdFlags, memfd_create};
use std::{
    ffi::CStr,
    fs::File,
    io::{self, Write},
    os::fd::{AsRawFd, OwnedFd},
    ptr,
    sync::atomic::{AtomicU32, Ordering::SeqCst},
};

/// The null system call: getppid(2), which no C library caches.
pub fn null_call() {
    // SAFETY: takes nothing, returns an integer.
    unsafe { libc::syscall(libc::SYS_getppid) };
}

/// Wakes one thread that waits on this word (FUTEX_WAKE, private); gives how many were woken.
pub fn wake(word: &AtomicU32) -> u64 {
    let call = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
    // SAFETY: the kernel takes the address as a key, and writes nothing.
    let woken = unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), call, 1) };
    woken.max(0) as u64
}

/// Waits while the word is `value` (FUTEX_WAIT, private), at most a second.
pub fn wait_while(word: &AtomicU32, value: u32) {
    let second = libc::timespec { tv_sec: 1, tv_nsec: 0 };
    let call = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
    while word.load(SeqCst) == value {
        // SAFETY: the kernel reads the word and one timespec; both live as long as the call.
        let done = unsafe {
            libc::syscall(libc::SYS_futex, word.as_ptr(), call, value, &raw const second)
        };
        if done != 0 && io::Error::last_os_error().raw_os_error() == Some(libc::ETIMEDOUT) {
            return;
        }
    }
}

/// Signals handled by threads of [`Signals`].
static DELIVERED: AtomicU32 = AtomicU32::new(0);

extern "C" fn count(_: libc::c_int) {
    DELIVERED.fetch_add(1, SeqCst);
}

/// A real-time signal with a handler that counts, until this is dropped.
#[derive(Debug)]
pub struct Signals {
    number: libc::c_int,
    /// The previous action.
    old: Box<libc::sigaction>,
}

impl Signals {
    /// Sets the handler of an otherwise unused signal.
    pub fn handled() -> Result<Signals, Reason> {
        let number = libc::SIGRTMIN() + 7;
        // SAFETY: sigaction is numbers and an optional function pointer, for which all-zero bytes are a value.
        let mut new: libc::sigaction = unsafe { std::mem::zeroed() };
        new.sa_sigaction = count as extern "C" fn(libc::c_int) as usize;
        new.sa_flags = libc::SA_RESTART;
        // SAFETY: as above.
        let mut old: Box<libc::sigaction> = Box::new(unsafe { std::mem::zeroed() });
        // SAFETY: reads one sigaction and writes one; the handler touches but an atomic number.
        let done = unsafe { libc::sigaction(number, &raw const new, &raw mut *old) };
        match done {
            0 => Ok(Signals { number, old }),
            _ => Err(Reason::new(format!(
                "a signal cannot be handled: {}",
                io::Error::last_os_error()
            ))),
        }
    }
    /// Sends it to the calling thread. Returns after the handler ran.
    pub fn to_self(&self) {
        // SAFETY: takes integers.
        let thread = unsafe { libc::syscall(libc::SYS_gettid) };
        let process = std::process::id();
        // SAFETY: takes integers; the signal has a handler as long as `self` is there.
        unsafe { libc::syscall(libc::SYS_tgkill, process, thread, self.number) };
    }
    /// Signals handled so far by all threads of the process.
    pub fn delivered() -> u32 {
        DELIVERED.load(SeqCst)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        // SAFETY: what the kernel itself gave us; writes nothing.
        unsafe { libc::sigaction(self.number, &raw const *self.old, ptr::null_mut()) };
    }
}

/// Proof of registration for [`interrupt_others`].
#[derive(Debug, Clone, Copy)]
pub struct MembarrierRegistration(());

/// linux/membarrier.h
const MEMBARRIER_CMD_PRIVATE_EXPEDITED: libc::c_int = 1 << 3;
const MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED: libc::c_int = 1 << 4;

/// Registers this process for [`interrupt_others`].
pub fn register_membarrier() -> Result<MembarrierRegistration, Reason> {
    match membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) {
        Ok(()) => Ok(MembarrierRegistration(())),
        Err(error) => Err(Reason::mended_by(
            format!("membarrier is not available: {error}"),
            "Linux 4.14 or newer, and no filter of system calls (seccomp) around the container",
        )),
    }
}

/// Interrupts every other CPU that runs a thread of this process, and waits for their answers (`membarrier`,
/// PRIVATE_EXPEDITED); whether it succeeded.
pub fn interrupt_others(_: MembarrierRegistration) -> bool {
    membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED).is_ok()
}

fn membarrier(command: libc::c_int) -> io::Result<()> {
    // SAFETY: takes integers.
    checked(unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) }).map(drop)
}

/// Sleeps this many seconds, less than one, by `clock_nanosleep` to an absolute time; gives how many seconds late it woke.
pub fn timer_lateness(seconds: f64) -> f64 {
    let nanoseconds = (seconds.clamp(0.0, 0.999) * 1e9) as i64;
    let now = monotonic();
    let wanted = now + nanoseconds;
    let until = libc::timespec {
        tv_sec: (wanted / 1_000_000_000) as libc::time_t,
        tv_nsec: (wanted % 1_000_000_000) as libc::c_long,
    };
    // SAFETY: reads one timespec; with an absolute time nothing is written.
    unsafe {
        libc::clock_nanosleep(
            libc::CLOCK_MONOTONIC,
            libc::TIMER_ABSTIME,
            &raw const until,
            ptr::null_mut(),
        )
    };
    (monotonic() - wanted) as f64 * 1e-9
}

/// Forks a child that exits at once, and waits for it; whether the fork succeeded.
pub fn fork_and_wait() -> bool {
    // SAFETY: the child makes one system call, which ends it, and touches no memory but its own stack.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: ends the child, without what the parent has registered for its own end.
        unsafe { libc::_exit(0) };
    }
    child > 0 && exit_status(child).is_some()
}

/// Waits for a child; its status, if it exited by itself.
fn exit_status(child: libc::pid_t) -> Option<i32> {
    let mut status = 0;
    // SAFETY: writes one int, and `status` is one.
    let got = unsafe { libc::waitpid(child, &raw mut status, 0) };
    (got == child && libc::WIFEXITED(status)).then(|| libc::WEXITSTATUS(status))
}

/// A small program in memory, to be executed repeatedly.
#[derive(Debug)]
pub struct TinyProgram(OwnedFd);

impl TinyProgram {
    /// The static program of UnixBench's tests. Without arguments it prints an error and exits.
    pub fn new() -> Result<TinyProgram, Reason> {
        let bytes = kernels::programs::SYSTEM.fixed();
        if bytes.is_empty() {
            return Err(Reason::mended_by(
                "this cpulens was built without a C compiler, and has no small program to run",
                "a build with cc",
            ));
        }
        let failed = |e: io::Error| Reason::new(format!("no program can be kept in memory: {e}"));
        let fd = memfd_create("cpulens-small", MemfdFlags::empty());
        let mut file = File::from(fd.map_err(|e| failed(e.into()))?);
        file.write_all(&bytes).map_err(failed)?;
        let small = TinyProgram(file.into());
        match small.run() {
            true => Ok(small),
            false => Err(Reason::mended_by(
                "a program in memory cannot be run here",
                "sysctl vm.memfd_noexec=0",
            )),
        }
    }
    /// Forks, executes the program in the child, and waits for it; whether it ran.
    pub fn run(&self) -> bool {
        const FAILED: libc::c_int = 127;
        let name: &CStr = c"";
        let words: [*const libc::c_char; 2] = [c"small".as_ptr(), ptr::null()];
        let nothing: [*const libc::c_char; 1] = [ptr::null()];
        let null = c"/dev/null";
        // SAFETY: the child makes system calls with what was made before, until it is another program or ends.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // SAFETY: opens a file by a name that ends in zero.
            let out = unsafe { libc::open(null.as_ptr(), libc::O_RDWR) };
            for stream in 0..3 {
                // SAFETY: takes integers.
                unsafe { libc::dup2(out, stream) };
            }
            // SAFETY: the lists end in null, and their texts in zero.
            unsafe {
                libc::syscall(
                    libc::SYS_execveat,
                    self.0.as_raw_fd(),
                    name.as_ptr(),
                    words.as_ptr(),
                    nothing.as_ptr(),
                    libc::AT_EMPTY_PATH,
                )
            };
            // SAFETY: ends the child.
            unsafe { libc::_exit(FAILED) };
        }
        child > 0 && exit_status(child).is_some_and(|status| status != FAILED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_when_the_word_changes() {
        let word = AtomicU32::new(0);
        assert_eq!(wake(&word), 0, "nobody waits");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                word.store(1, SeqCst);
                wake(&word);
            });
            wait_while(&word, 0);
        });
        assert_eq!(word.load(SeqCst), 1);
    }

    #[test]
    fn signals_to_oneself_are_handled_before_the_call_returns() {
        let signals = Signals::handled().unwrap();
        let before = Signals::delivered();
        (0..5).for_each(|_| signals.to_self());
        assert!(Signals::delivered() >= before + 5);
    }

    #[test]
    fn others_are_interrupted_or_there_is_a_remedy() {
        match register_membarrier() {
            Ok(registered) => assert!(interrupt_others(registered)),
            Err(why) => assert!(why.remedy.is_some()),
        }
    }

    #[test]
    fn a_timer_is_never_early() {
        assert!((0..5).all(|_| timer_lateness(1e-4) >= 0.0));
    }

    #[test]
    fn copies_and_programs_end() {
        let _alone = crate::child::alone();
        null_call();
        assert!(fork_and_wait());
        match TinyProgram::new() {
            Ok(small) => assert!(small.run()),
            Err(why) => assert!(why.remedy.is_some(), "{why}"),
        }
    }
}
