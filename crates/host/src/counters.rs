//! Cycles and instructions of the calling thread, counted by the processor itself (perf_event_open(2)).
//! A counter that had to be shared says so, and one that cannot be had says why.
use record::Reason;
use std::{
    fs, io,
    marker::PhantomData,
    mem,
    os::fd::{AsRawFd, FromRawFd, OwnedFd},
    ptr,
};

/// linux/perf_event.h: the first 64 bytes of `perf_event_attr`, which every kernel that has the call knows.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_type: u32,
    breakpoint_address: u64,
}

// linux/perf_event.h.
const TYPE_HARDWARE: u32 = 0;
const CPU_CYCLES: u64 = 0;
const INSTRUCTIONS: u64 = 1;
const DISABLED: u64 = 1;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HV: u64 = 1 << 6;
const FORMAT_TIME_ENABLED: u64 = 1;
const FORMAT_TIME_RUNNING: u64 = 2;
const FORMAT_GROUP: u64 = 8;
const FLAG_CLOEXEC: libc::c_ulong = 8;
const ENABLE: libc::c_ulong = 0x2400;
const DISABLE: libc::c_ulong = 0x2401;
const WHOLE_GROUP: libc::c_ulong = 1;

const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";

/// What was counted between a start and a stop, in user mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counts {
    /// Core clock cycles.
    pub cycles: u64,
    /// Instructions retired.
    pub instructions: u64,
    /// Share of the time during which the counters really ran. Below 1 others had them the rest of the time, or the
    /// thread was on a CPU of another kind; the counts are what was seen, never scaled up.
    pub share: f64,
}

/// What the kernel returns for the group: totals since it was opened.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Totals {
    enabled: u64,
    running: u64,
    cycles: u64,
    instructions: u64,
}

/// Two counters in one group, so that both run or neither does.
#[derive(Debug)]
pub struct Counters {
    cycles: OwnedFd,
    _instructions: OwnedFd,
    at_start: Totals,
    /// They count the thread that opened them, so they stay with it.
    _thread: PhantomData<*const ()>,
}

impl Counters {
    /// Counters for the calling thread, wherever it runs, in user mode only.
    pub fn thread() -> Result<Counters, Reason> {
        let refused = |error: io::Error| refusal(error.raw_os_error().unwrap_or(0), paranoia());
        let cycles = open(CPU_CYCLES, None).map_err(refused)?;
        let instructions = open(INSTRUCTIONS, Some(&cycles)).map_err(refused)?;
        Ok(Counters {
            cycles,
            _instructions: instructions,
            at_start: Totals::default(),
            _thread: PhantomData,
        })
    }

    /// Begins to count.
    pub fn start(&mut self) -> Result<(), Reason> {
        self.at_start = self.totals()?;
        self.tell(ENABLE)
    }

    /// Ends counting. An error if the counters never ran: then nothing is known, which is not zero.
    pub fn stop(&mut self) -> Result<Counts, Reason> {
        self.tell(DISABLE)?;
        self.totals()?.since(&self.at_start)
    }

    fn tell(&self, request: libc::c_ulong) -> Result<(), Reason> {
        // SAFETY: both requests take an integer and touch no memory of ours.
        let done = unsafe { libc::ioctl(self.cycles.as_raw_fd(), request as _, WHOLE_GROUP) };
        if done == 0 { Ok(()) } else { Err(broken("switch", &io::Error::last_os_error())) }
    }

    fn totals(&self) -> Result<Totals, Reason> {
        let mut words = [0u64; 5];
        // SAFETY: the kernel writes at most the 40 bytes it is told, and `words` has 40; any bytes are integers.
        let got = unsafe {
            libc::read(self.cycles.as_raw_fd(), words.as_mut_ptr().cast(), mem::size_of_val(&words))
        };
        match (got, words) {
            (40, [2, enabled, running, cycles, instructions]) => {
                Ok(Totals { enabled, running, cycles, instructions })
            }
            (..0, _) => Err(broken("read", &io::Error::last_os_error())),
            _ => Err(Reason::new("the kernel returned something else than two hardware counters")),
        }
    }
}

impl Totals {
    fn since(&self, start: &Totals) -> Result<Counts, Reason> {
        let enabled = self.enabled.saturating_sub(start.enabled);
        let running = self.running.saturating_sub(start.running);
        if running == 0 {
            return Err(Reason::mended_by(
                "the hardware counters never ran: others had them all the time",
                "sysctl kernel.nmi_watchdog=0, and end other users of perf",
            ));
        }
        Ok(Counts {
            cycles: self.cycles.saturating_sub(start.cycles),
            instructions: self.instructions.saturating_sub(start.instructions),
            share: running as f64 / enabled.max(running) as f64,
        })
    }
}

/// Opens one counter, stopped: the first of a group, or a further one of `group`.
fn open(event: u64, group: Option<&OwnedFd>) -> io::Result<OwnedFd> {
    let attributes = Attributes {
        kind: TYPE_HARDWARE,
        size: mem::size_of::<Attributes>() as u32,
        config: event,
        read_format: FORMAT_TIME_ENABLED | FORMAT_TIME_RUNNING | FORMAT_GROUP,
        // The others of a group follow the first.
        flags: EXCLUDE_KERNEL | EXCLUDE_HV | if group.is_none() { DISABLED } else { 0 },
        ..Attributes::default()
    };
    let (this_thread, any_cpu) = (0, -1);
    let leader = group.map_or(-1, AsRawFd::as_raw_fd);
    // SAFETY: the kernel reads `size` bytes from `attributes`, which is as long, and writes there only how long its own
    // are (E2BIG), a field of the same struct. The other arguments are integers.
    let fd = unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            ptr::from_ref(&attributes),
            this_thread,
            any_cpu,
            leader,
            FLAG_CLOEXEC,
        )
    };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call succeeded, so this is a new descriptor that nobody else knows.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

/// How much the system hides from users without privileges; nothing where it does not say.
fn paranoia() -> Option<i32> {
    fs::read_to_string(PARANOID).ok()?.trim().parse().ok()
}

/// Why there are no counters, in the words of whoever wants them.
fn refusal(errno: i32, paranoid: Option<i32>) -> Reason {
    match errno {
        // From 3 on (Debian's and Android's addition) users may not count even themselves.
        libc::EACCES | libc::EPERM if paranoid.is_none_or(|level| level > 2) => Reason::mended_by(
            match paranoid {
                Some(level) => format!(
                    "hardware counters are forbidden here (kernel.perf_event_paranoid is {level})"
                ),
                None => "hardware counters are forbidden here".into(),
            },
            "sysctl kernel.perf_event_paranoid=2, or run as root or with CAP_PERFMON",
        ),
        libc::EACCES | libc::EPERM => Reason::mended_by(
            "hardware counters are forbidden here, though not by kernel.perf_event_paranoid: probably by the \
             container's system call filter",
            "run outside the container, or allow it perf_event_open (a seccomp profile, or CAP_PERFMON)",
        ),
        libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV => Reason::mended_by(
            "this machine, usually a guest, has no hardware counters",
            "give the guest a virtual PMU (QEMU: -cpu host,pmu=on), or measure on its host",
        ),
        libc::ENOSYS => Reason::mended_by(
            "this kernel, or a sandbox before it, has no system call perf_event_open",
            "run outside the sandbox, or boot a kernel with CONFIG_PERF_EVENTS",
        ),
        libc::EMFILE | libc::ENFILE => Reason::mended_by(
            "there is no file descriptor left for hardware counters",
            "ulimit -n 1024",
        ),
        other => Reason::new(format!(
            "cannot open hardware counters: {}",
            io::Error::from_raw_os_error(other)
        )),
    }
}

fn broken(what: &str, error: &io::Error) -> Reason {
    Reason::new(format!("cannot {what} the hardware counters: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The layout that the kernel calls PERF_ATTR_SIZE_VER0.
    #[test]
    fn attributes_have_the_size_every_kernel_knows() {
        assert_eq!(mem::size_of::<Attributes>(), 64);
        assert_eq!(mem::offset_of!(Attributes, read_format), 32);
        assert_eq!(mem::offset_of!(Attributes, flags), 40);
    }

    #[test]
    fn every_refusal_has_its_own_reason_and_remedy() {
        let cases = [
            (libc::EACCES, Some(4), "is 4)"),
            (libc::EPERM, None, "forbidden here"),
            (libc::EPERM, Some(2), "filter"),
            (libc::ENOENT, Some(2), "usually a guest"),
            (libc::ENOSYS, None, "perf_event_open"),
            (libc::EMFILE, Some(2), "descriptor"),
        ];
        let mut seen = BTreeSet::new();
        for (errno, paranoid, words) in cases {
            let reason = refusal(errno, paranoid);
            assert!(reason.why.contains(words), "{reason}");
            assert!(reason.remedy.is_some(), "{reason}");
            assert!(seen.insert(reason.why), "two refusals look alike");
        }
        assert_eq!(refusal(libc::EOPNOTSUPP, None), refusal(libc::ENOENT, Some(2)));
        assert!(refusal(libc::EBUSY, None).why.contains("busy"));
    }

    #[test]
    fn counts_are_differences_with_the_share_they_ran_for() {
        let start = Totals { enabled: 100, running: 50, cycles: 10, instructions: 20 };
        let end = Totals { enabled: 300, running: 100, cycles: 40, instructions: 90 };
        let counts = end.since(&start).unwrap();
        assert_eq!(counts, Counts { cycles: 30, instructions: 70, share: 0.25 });
        // Enabled for a while and never scheduled: the counts are not zero, they are unknown.
        let starved = Totals { enabled: 300, ..start };
        assert!(starved.since(&start).unwrap_err().remedy.is_some());
    }

    /// Both worlds: on a machine with counters they count, on one without the reason is one a user can act on.
    #[test]
    fn this_machine_counts_or_says_why_not() {
        let mut counters = match Counters::thread() {
            Ok(counters) => counters,
            Err(reason) => {
                assert!(reason.remedy.is_some(), "{reason}");
                return;
            }
        };
        counters.start().unwrap();
        let chain = kernels::compute::add_chain::KERNEL.reference;
        std::hint::black_box(chain(&mut [], 10_000));
        // Others may have the counters just now.
        if let Ok(counts) = counters.stop() {
            assert!(counts.share > 0.0 && counts.share <= 1.0, "{counts:?}");
            assert!(counts.instructions > 0 || counts.share < 1.0, "{counts:?}");
        }
    }
}
