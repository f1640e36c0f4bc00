//! Threads that come before all ordinary ones: SCHED_FIFO, and what the kernel leaves the others of a CPU all the same.
//! Source: sched(7), Documentation/scheduler/sched-rt-group.rst.
use record::Reason;
use std::{fs, io, marker::PhantomData};

/// The calling thread is real-time until this is dropped.
#[derive(Debug)]
pub struct Fifo {
    /// A policy belongs to the thread that asked for it.
    _this_thread: PhantomData<*const ()>,
}

impl Drop for Fifo {
    fn drop(&mut self) {
        // To become ordinary is always permitted.
        let _ = set(libc::SCHED_OTHER, 0);
    }
}

/// Makes the calling thread real-time, at this priority of 1 to 99.
///
/// # Errors
/// It is not permitted, and what would permit it.
pub fn fifo(priority: i32) -> Result<Fifo, Reason> {
    set(libc::SCHED_FIFO, priority).map_err(|e| {
        Reason::mended_by(
            format!("SCHED_FIFO is not permitted here: {e}"),
            "run as root, with CAP_SYS_NICE, or raise ulimit -r; in a group of cgroup v1, give it cpu.rt_runtime_us",
        )
    })?;
    Ok(Fifo { _this_thread: PhantomData })
}

fn set(policy: libc::c_int, priority: i32) -> io::Result<()> {
    // SAFETY: sched_param is integers only, for which all-zero bytes are a value.
    let mut param: libc::sched_param = unsafe { std::mem::zeroed() };
    param.sched_priority = priority;
    // SAFETY: the kernel reads one sched_param, and `param` is one. Thread 0 is the calling one.
    let done = unsafe { libc::syscall(libc::SYS_sched_setscheduler, 0, policy, &raw const param) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Of each `period` (seconds) real-time threads may take `runtime` (seconds) of a CPU; nothing where they may take all of
/// it, or that cannot be read. From Linux 6.12 on the rest goes to a server for ordinary tasks, which only then takes it
/// when there are any.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Seconds for real-time threads.
    pub runtime: f64,
    /// Seconds from one such allotment to the next.
    pub period: f64,
}

/// What `/proc/sys/kernel/sched_rt_runtime_us` and its period say.
pub fn share() -> Option<Share> {
    let read = |name: &str| -> Option<f64> {
        let text = fs::read_to_string(format!("/proc/sys/kernel/{name}")).ok()?;
        text.trim().parse::<f64>().ok()
    };
    of(read("sched_rt_runtime_us")?, read("sched_rt_period_us")?)
}

fn of(runtime: f64, period: f64) -> Option<Share> {
    (runtime >= 0.0 && runtime < period)
        .then_some(Share { runtime: runtime * 1e-6, period: period * 1e-6 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_time_is_had_and_given_back_or_refused_with_a_remedy() {
        // SAFETY: takes an integer, returns one.
        let policy = || unsafe { libc::sched_getscheduler(0) };
        match fifo(1) {
            Ok(held) => {
                assert_eq!(policy(), libc::SCHED_FIFO);
                drop(held);
                assert_eq!(policy(), libc::SCHED_OTHER);
            }
            Err(why) => assert!(why.remedy.is_some(), "{why}"),
        }
    }

    #[test]
    fn what_others_are_left_is_known_or_nothing() {
        let share = of(950_000.0, 1_000_000.0).unwrap();
        assert!((share.period - share.runtime - 0.05).abs() < 1e-12);
        assert_eq!(of(-1.0, 1_000_000.0), None);
        assert_eq!(of(1_000_000.0, 1_000_000.0), None);
    }
}
