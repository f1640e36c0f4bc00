//! The only place that reads a clock. `CLOCK_MONOTONIC_RAW` needs no system call (vDSO) where the kernel's clock source is
//! the CPU's counter.
use std::{
    ptr, thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// A monotonic clock. A trait, so that tests need no real time.
pub trait Clock {
    /// Seconds since an arbitrary origin.
    fn now(&self) -> f64;
    /// The smallest step between two unequal readings, in seconds.
    fn resolution(&self) -> f64;
}

/// The raw monotonic clock: the hardware counter at its own rate, without corrections by NTP.
#[derive(Debug, Clone, Copy)]
pub struct Monotonic {
    /// The origin of readings. A double of seconds since boot has steps of 4 ns after a year of uptime.
    origin: i64,
    resolution: f64,
}

/// Pairs of readings that the resolution is taken from; the smallest step shows up within a few.
const RESOLUTION_STEPS: usize = 64;

impl Monotonic {
    /// Starts a clock at zero and finds its resolution (some microseconds of reading).
    pub fn new() -> Self {
        let mut clock = Monotonic { origin: raw(), resolution: 0.0 };
        let mut smallest = i64::MAX;
        for _ in 0..RESOLUTION_STEPS {
            let from = raw();
            let step = loop {
                match raw() - from {
                    0 => {}
                    step => break step,
                }
            };
            smallest = smallest.min(step);
        }
        // The duration of a reading limits the resolution, not the finer step that the kernel states.
        clock.resolution = smallest as f64 * 1e-9;
        clock
    }
}

impl Default for Monotonic {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for Monotonic {
    #[inline]
    fn now(&self) -> f64 {
        (raw() - self.origin) as f64 * 1e-9
    }
    fn resolution(&self) -> f64 {
        self.resolution
    }
}

/// CPU seconds of the calling thread, to the nanosecond. getrusage is only as recent as the last tick, milliseconds ago.
pub fn thread_cpu_time() -> f64 {
    of(libc::CLOCK_THREAD_CPUTIME_ID) as f64 * 1e-9
}

/// The clock of timers, in nanoseconds.
pub(crate) fn monotonic() -> i64 {
    of(libc::CLOCK_MONOTONIC)
}

#[inline]
fn raw() -> i64 {
    of(libc::CLOCK_MONOTONIC_RAW)
}

#[inline]
fn of(clock: libc::clockid_t) -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes one timespec, and `time` is one, alive and exclusively ours. It cannot
    // fail: the clocks' numbers are valid on every kernel since 2.6.28; if it did, `time` would stay zero.
    unsafe { libc::clock_gettime(clock, &mut time) };
    #[allow(clippy::unnecessary_cast, reason = "the fields are 32 bits wide on some targets")]
    let nanoseconds = time.tv_sec as i64 * 1_000_000_000 + time.tv_nsec as i64;
    nanoseconds
}

/// Waits. Where a filter denies sleeping, the thread waits for a wake-up that nobody sends. `std::thread::sleep` panics there.
pub fn sleep(duration: Duration) {
    let until = monotonic() + i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX / 2);
    loop {
        let left = until - monotonic();
        if left <= 0 {
            return;
        }
        let (seconds, rest) = (left / 1_000_000_000, left % 1_000_000_000);
        let time = libc::timespec { tv_sec: seconds as _, tv_nsec: rest as _ };
        // SAFETY: reads one timespec, and writes none.
        let slept = unsafe {
            libc::clock_nanosleep(libc::CLOCK_MONOTONIC, 0, &raw const time, ptr::null_mut())
        };
        match slept {
            0 => return,
            libc::EINTR => {}
            _ => thread::park_timeout(Duration::from_nanos(left.cast_unsigned())),
        }
    }
}

/// The wall clock in RFC 3339, UTC, whole seconds: `2026-03-01T12:00:00Z`. For labels, never for intervals.
pub fn utc() -> String {
    #[expect(clippy::disallowed_methods, reason = "this is the function that others shall call")]
    let now = SystemTime::now();
    // A wall clock before 1970 is unset, and becomes the epoch.
    record::rfc3339(now.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs()))
}

/// The wall clock as the beginning of a file's name, UTC: `20260301T120000.123456Z`.
pub fn file_name_time() -> String {
    #[expect(clippy::disallowed_methods, reason = "as for `utc`")]
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = record::rfc3339(now.as_secs()).replace(['-', ':', 'Z'], "");
    format!("{seconds}.{:06}Z", now.subsec_micros())
}

/// A moment that [`utc`] wrote, in the time zone of this process: `2026-03-01 20:00 +08:00`; nothing for another text.
pub fn local(utc: &str) -> Option<String> {
    let digits = |from: usize, to: usize| utc.get(from..to)?.parse::<i32>().ok();
    if !utc.ends_with('Z') || utc.len() != "2026-03-01T12:00:00Z".len() {
        return None;
    }
    // SAFETY: `tm` is a C struct of numbers and a pointer that may be null; all zeros are a valid value of it.
    let mut parts: libc::tm = unsafe { std::mem::zeroed() };
    parts.tm_year = digits(0, 4)? - 1900;
    parts.tm_mon = digits(5, 7)? - 1;
    parts.tm_mday = digits(8, 10)?;
    parts.tm_hour = digits(11, 13)?;
    parts.tm_min = digits(14, 16)?;
    parts.tm_sec = digits(17, 19)?;
    // SAFETY: the call takes a pointer to a struct that is alive and exclusively ours, writes only that, and keeps none.
    let seconds = unsafe { libc::timegm(&mut parts) };
    // SAFETY: both pointers are to values that are alive and ours; the call writes the second and keeps none. The zone's name in
    // `tm_zone` is libc's own and is not read.
    if unsafe { libc::localtime_r(&seconds, &mut parts) }.is_null() {
        return None;
    }
    let here = parts;
    let minutes = here.tm_gmtoff / 60;
    let zone = match minutes {
        0 => "UTC".to_owned(),
        _ => {
            let sign = if minutes < 0 { '-' } else { '+' };
            format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
        }
    };
    Some(format!(
        "{:04}-{:02}-{:02} {:02}:{:02} {zone}",
        here.tm_year + 1900,
        here.tm_mon + 1,
        here.tm_mday,
        here.tm_hour,
        here.tm_min
    ))
}

/// Rate of the CPU's tick counter (x86 TSC, Arm generic timer) in hertz against `clock`, over `window` seconds of spinning.
/// Nothing where programs cannot read a counter, or it stands still.
pub fn tick_rate(clock: &dyn Clock, window: f64) -> Option<f64> {
    if !kernels::arch::TICKS {
        return None;
    }
    let (begin, first) = tick_at(clock);
    while clock.now() - begin < window {
        kernels::arch::pause();
    }
    let (end, last) = tick_at(clock);
    let ticks = last.checked_sub(first).filter(|ticks| *ticks > 0)?;
    (end > begin).then(|| ticks as f64 / (end - begin))
}

/// Whether the CPU's counter can be read in the program's order (`kernels::arch::ticks_end`) without an illegal instruction.
#[cfg(target_arch = "x86_64")]
pub fn has_ordered_ticks() -> bool {
    crate::cpuid::has_rdtscp()
}

/// Whether the CPU's counter can be read in the program's order (`kernels::arch::ticks_end`).
#[cfg(not(target_arch = "x86_64"))]
pub fn has_ordered_ticks() -> bool {
    kernels::arch::TICKS
}

/// One instant on both clocks: the tightest of several attempts, since an interrupt between the readings would shift them.
fn tick_at(clock: &dyn Clock) -> (f64, u64) {
    let mut best = (f64::INFINITY, 0.0, 0);
    for _ in 0..16 {
        let before = clock.now();
        let ticks = kernels::arch::ticks_begin();
        let after = clock.now();
        if after - before < best.0 {
            best = (after - before, f64::midpoint(before, after), ticks);
        }
    }
    (best.1, best.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_advances_and_knows_its_resolution() {
        let clock = Monotonic::new();
        let readings: Vec<f64> = (0..10_000).map(|_| clock.now()).collect();
        assert!(readings.is_sorted());
        assert!(readings[0] >= 0.0 && readings[9_999] > readings[0]);
        assert!(clock.resolution() > 0.0);
    }

    #[test]
    fn waiting_takes_its_time() {
        let clock = Monotonic::new();
        let begin = clock.now();
        sleep(Duration::from_millis(5));
        sleep(Duration::ZERO);
        assert!(clock.now() - begin >= 0.0049, "the raw clock runs at its own rate");
    }

    #[test]
    fn the_wall_clock_is_written_in_one_form() {
        assert_eq!(utc().len(), "2026-03-01T12:00:00Z".len());
        assert!(utc().as_str() > "2026");
        assert_eq!(file_name_time().len(), "20260301T120000.123456Z".len());
        assert!(file_name_time().starts_with("20") && file_name_time() <= file_name_time());
    }

    #[test]
    fn local_times_are_the_same_moment() {
        // Wherever the test runs: minutes of the day less the offset are those in UTC.
        let local = local("2026-03-01T12:00:59Z").unwrap();
        let (_, rest) = local.split_once(' ').unwrap();
        let (time, zone) = rest.split_once(' ').unwrap();
        let minutes = |text: &str| -> i32 {
            let (hours, minutes) = text.split_once(':').unwrap();
            hours.parse::<i32>().unwrap() * 60 + minutes.parse::<i32>().unwrap()
        };
        let offset = match zone {
            "UTC" => 0,
            zone => minutes(&zone[1..]) * if zone.starts_with('-') { -1 } else { 1 },
        };
        assert_eq!((minutes(time) - offset).rem_euclid(24 * 60), 12 * 60, "{local}");
        for other in ["", "2026-03-01", "2026-03-01T12:00:00+01:00", "last Tuesday at noonZ"] {
            assert_eq!(super::local(other), None, "{other}");
        }
    }

    #[test]
    fn two_windows_agree_on_the_tick_rate() {
        let clock = Monotonic::new();
        let (Some(a), Some(b)) = (tick_rate(&clock, 0.02), tick_rate(&clock, 0.05)) else {
            eprintln!("skipped: no tick counter on this architecture");
            return;
        };
        assert!((a / b - 1.0).abs() < 0.05, "{a} Hz, then {b} Hz");
    }

    /// A child that the kernel kills for any system call but `exit` reads the clock and lives.
    #[test]
    fn reading_the_clock_makes_no_system_call() {
        let _alone = crate::child::alone();
        let source = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
        let source = std::fs::read_to_string(source).unwrap_or_default();
        if !["tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page"]
            .contains(&source.trim())
        {
            return eprintln!("skipped: clock source '{}' has no vDSO", source.trim());
        }
        // Not seccomp's strict mode, which forbids the tick counter too.
        let exit = libc::SYS_exit as u32;
        let step = |code, jt, jf, k| libc::sock_filter { code: code as u16, jt, jf, k };
        let mut program = [
            step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0), // the call's number comes first
            step(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 0, 1, exit),
            step(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
            step(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_KILL_PROCESS),
        ];
        let program = libc::sock_fprog { len: 4, filter: program.as_mut_ptr() };
        let mode = libc::SECCOMP_MODE_FILTER as libc::c_ulong;
        const NO_SECCOMP: i32 = 77;
        let clock = Monotonic::new();
        // SAFETY: the child of a threaded process may only make async-signal-safe calls; below it calls
        // prctl, the vDSO and exit, and touches no memory but its own stack.
        let child = unsafe { libc::fork() };
        assert!(child >= 0);
        if child == 0 {
            // SAFETY: takes integers; the child may gain no privileges, which it does not want.
            unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1usize, 0usize, 0usize, 0usize) };
            // SAFETY: the kernel copies the four instructions that `program` counts and points to.
            let set = unsafe { libc::prctl(libc::PR_SET_SECCOMP, mode, &raw const program) };
            let first = clock.now();
            let last = (0..1000).map(|_| clock.now()).fold(first, f64::max);
            let code = if set != 0 { NO_SECCOMP } else { i32::from(last <= first) };
            // SAFETY: ends this process, which has no other thread.
            unsafe { libc::syscall(libc::SYS_exit, code) };
        }
        let mut status = 0;
        // SAFETY: writes one int; `status` is one.
        let waited = unsafe { libc::waitpid(child, &mut status, 0) };
        assert_eq!(waited, child);
        assert!(libc::WIFEXITED(status), "killed by signal {}", libc::WTERMSIG(status));
        match libc::WEXITSTATUS(status) {
            NO_SECCOMP => eprintln!("skipped: no seccomp here"),
            code => assert_eq!(code, 0),
        }
    }
}
