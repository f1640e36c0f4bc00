//! Real-time threads (SCHED_FIFO), and the share of a CPU that the kernel keeps for ordinary tasks.
//! Source: sched(7), Documentation/scheduler/sched-rt-group.rst.
use crate::syscall::checked;
use record::Reason;
use std::{fs, io, marker::PhantomData};

/// The calling thread is real-time until this is dropped.
#[derive(Debug)]
pub struct Fifo {
    /// The policy belongs to this thread.
    _this_thread: PhantomData<*const ()>,
}

impl Drop for Fifo {
    fn drop(&mut self) {
        // Always permitted.
        let _ = set(libc::SCHED_OTHER, 0);
    }
}

/// Makes the calling thread real-time with a priority of 1 to 99.
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
    checked(unsafe { libc::syscall(libc::SYS_sched_setscheduler, 0, policy, &raw const param) })
        .map(drop)
}

/// Real-time threads get at most `runtime` of each `period` of a CPU that others want, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Seconds for real-time threads.
    pub runtime: f64,
    /// Seconds of a period.
    pub period: f64,
}

/// The first Linux with a deadline server for ordinary tasks, which ignores `sched_rt_runtime_us`, and its default runtime in
/// microseconds. Source: kernel/sched/deadline.c, sched_init_dl_servers(). On 6.18 it takes 50 ms of each second with -1
/// and with 500000 alike.
const SERVER: (u32, u32) = (6, 12);
const SERVED: (f64, f64) = (50_000.0, 1_000_000.0);

/// The share that the kernel allows; nothing where it is unlimited or cannot be read.
pub fn share() -> Option<Share> {
    let read = |name: &str| fs::read_to_string(name).ok();
    let number = |name: &str| read(name)?.trim().parse::<f64>().ok();
    if read("/proc/sys/kernel/osrelease").is_some_and(|release| served(&release)) {
        // In nanoseconds, for each CPU; the first stands for all.
        let setting = |name: &str| {
            number(&format!("/sys/kernel/debug/sched/fair_server/cpu0/{name}")).map(|ns| ns / 1e3)
        };
        let (runtime, period) = setting("runtime").zip(setting("period")).unwrap_or(SERVED);
        return of(period - runtime, period);
    }
    let ours = |name: &str| number(&format!("/proc/sys/kernel/{name}"));
    of(ours("sched_rt_runtime_us")?, ours("sched_rt_period_us")?)
}

/// Whether a kernel of this release has the deadline server.
fn served(release: &str) -> bool {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= SERVER,
        _ => false,
    }
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

    #[test]
    fn kernels_with_a_server_are_known_by_their_release() {
        for release in ["6.12.0", "6.18.44-fc-v669\n", "7.0-rc1", "6.12-rc1"] {
            assert!(served(release), "{release}");
        }
        for release in ["6.11.9", "5.15.0-91-generic", "6.1.0-56-cloud-amd64", "", "linux"] {
            assert!(!served(release), "{release}");
        }
    }
}
