//! Usage of this process, of other processes, and of the machine so far.
use crate::{
    interrupts::each_line,
    process_stat::{ProcessStat, text},
};
use record::CpuSet;
use std::{collections::BTreeMap, fs, os::unix::fs::FileExt, path::Path};

/// Counters of a process or thread since it began.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Usage {
    /// CPU seconds in user and kernel mode.
    pub cpu_seconds: f64,
    /// CPU seconds in kernel mode.
    pub system_seconds: f64,
    /// Voluntary context switches.
    pub ctx_voluntary: u64,
    /// Involuntary context switches.
    pub ctx_involuntary: u64,
    /// Page faults without I/O.
    pub minor_faults: u64,
    /// Page faults with I/O.
    pub major_faults: u64,
    /// Peak resident size of the process in bytes.
    pub max_rss_bytes: u64,
}

/// Usage of this process, all threads together.
pub fn process() -> Usage {
    usage(libc::RUSAGE_SELF)
}

/// Usage of reaped children and their descendants.
pub fn children() -> Usage {
    usage(libc::RUSAGE_CHILDREN)
}

/// Usage of the calling thread.
pub fn thread() -> Usage {
    usage(libc::RUSAGE_THREAD)
}

fn usage(who: libc::c_int) -> Usage {
    // SAFETY: rusage is integers only, for which all-zero bytes are a value.
    let mut raw: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel writes one rusage, and `raw` is one. It cannot fail: `who` is one of the
    // constants above, and the pointer is valid.
    unsafe { libc::getrusage(who, &mut raw) };
    Usage::of(&raw)
}

impl Usage {
    /// From the kernel's struct.
    pub(crate) fn of(raw: &libc::rusage) -> Usage {
        let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 * 1e-6;
        Usage {
            cpu_seconds: seconds(raw.ru_utime) + seconds(raw.ru_stime),
            system_seconds: seconds(raw.ru_stime),
            ctx_voluntary: raw.ru_nvcsw as u64,
            ctx_involuntary: raw.ru_nivcsw as u64,
            minor_faults: raw.ru_minflt as u64,
            major_faults: raw.ru_majflt as u64,
            max_rss_bytes: raw.ru_maxrss as u64 * 1024,
        }
    }

    /// The difference to `then`; the resident size stays the peak.
    #[must_use]
    pub fn since(&self, then: &Usage) -> Usage {
        self.combined(then, |now, then| (now - then).max(0.0), u64::saturating_sub)
    }

    /// The sum of both, with the larger of the resident sizes.
    #[must_use]
    pub fn plus(&self, other: &Usage) -> Usage {
        let max_rss_bytes = self.max_rss_bytes.max(other.max_rss_bytes);
        Usage { max_rss_bytes, ..self.combined(other, |a, b| a + b, |a, b| a + b) }
    }

    fn combined(
        &self,
        other: &Usage,
        seconds: fn(f64, f64) -> f64,
        count: fn(u64, u64) -> u64,
    ) -> Usage {
        Usage {
            cpu_seconds: seconds(self.cpu_seconds, other.cpu_seconds),
            system_seconds: seconds(self.system_seconds, other.system_seconds),
            ctx_voluntary: count(self.ctx_voluntary, other.ctx_voluntary),
            ctx_involuntary: count(self.ctx_involuntary, other.ctx_involuntary),
            minor_faults: count(self.minor_faults, other.minor_faults),
            major_faults: count(self.major_faults, other.major_faults),
            max_rss_bytes: self.max_rss_bytes,
        }
    }
}

/// Usage of another process, all threads together, without its resident size; nothing if there is no such process.
/// Source: proc_pid_stat(5), proc_pid_status(5).
pub fn process_usage(pid: u32) -> Option<Usage> {
    let stat = ProcessStat::of(format!("/proc/{pid}"))?;
    let mut usage = usage_of(&stat, ticks_per_second())?;
    for task in fs::read_dir(format!("/proc/{pid}/task")).ok()?.filter_map(Result::ok) {
        // A thread that ends meanwhile is left out.
        let Some(status) = text(&task.path().join("status")) else { continue };
        let count = |name| counter(&status, name).unwrap_or(0u64);
        usage.ctx_voluntary += count("voluntary_ctxt_switches:");
        usage.ctx_involuntary += count("nonvoluntary_ctxt_switches:");
    }
    Some(usage)
}

/// Its faults and times; nothing for an ended process.
fn usage_of(stat: &ProcessStat, per_second: f64) -> Option<Usage> {
    if matches!(stat.field(3)?, 'Z' | 'X') {
        return None;
    }
    let seconds = |field| Some(stat.field::<u64>(field)? as f64 / per_second);
    let (user, system) = (seconds(14)?, seconds(15)?);
    Some(Usage {
        cpu_seconds: user + system,
        system_seconds: system,
        minor_faults: stat.field(10)?,
        major_faults: stat.field(12)?,
        ..Usage::default()
    })
}

/// Scheduler statistics of a task: `/proc/PID/schedstat`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Schedstat {
    /// Seconds on a CPU.
    pub on_cpu: f64,
    /// Seconds on a run queue, waiting for a CPU.
    pub waited: f64,
}

impl Schedstat {
    /// The difference to an earlier reading.
    #[must_use]
    pub fn since(&self, then: &Schedstat) -> Schedstat {
        Schedstat {
            on_cpu: (self.on_cpu - then.on_cpu).max(0.0),
            waited: (self.waited - then.waited).max(0.0),
        }
    }
}

/// Of the calling thread; nothing where the kernel has no such statistics.
pub fn thread_schedstat() -> Option<Schedstat> {
    parse_queue(&fs::read_to_string("/proc/thread-self/schedstat").ok()?)
}

/// The file of one thread, kept open: a read takes a microsecond or two.
#[derive(Debug)]
pub struct ThreadSchedstat(fs::File);

impl ThreadSchedstat {
    /// Opens that of the calling thread, readable from any thread; nothing where the kernel has no such statistics.
    pub fn open() -> Option<ThreadSchedstat> {
        let queue = ThreadSchedstat(fs::File::open("/proc/thread-self/schedstat").ok()?);
        queue.now().map(|_| queue)
    }
    pub fn now(&self) -> Option<Schedstat> {
        let mut text = [0; 80];
        let length = self.0.read_at(&mut text, 0).ok()?;
        parse_queue(std::str::from_utf8(&text[..length]).ok()?)
    }
}

/// Of a process's first thread, also of a zombie.
pub(crate) fn first_task_schedstat(pid: u32) -> Option<Schedstat> {
    parse_queue(&fs::read_to_string(format!("/proc/{pid}/schedstat")).ok()?)
}

/// The sum over all present threads of a process.
pub fn process_schedstat(pid: u32) -> Option<Schedstat> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let each = tasks.filter_map(|task| {
        parse_queue(&fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?)
    });
    each.reduce(|a, b| Schedstat { on_cpu: a.on_cpu + b.on_cpu, waited: a.waited + b.waited })
}

/// Nanoseconds on a CPU, nanoseconds waiting, time slices (Documentation/scheduler/sched-stats.rst). A kernel without
/// CONFIG_SCHED_INFO shows zeros even for a running thread.
fn parse_queue(text: &str) -> Option<Schedstat> {
    let mut words = text.split_ascii_whitespace().map(|word| word.parse::<u64>().ok());
    let (on_cpu, waited, slices) = (words.next()??, words.next()??, words.next()??);
    (on_cpu > 0 || slices > 0)
        .then_some(Schedstat { on_cpu: on_cpu as f64 * 1e-9, waited: waited as f64 * 1e-9 })
}

/// Times of a CPU since boot, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Times {
    /// Running something: user, nice, system, interrupts, and guests.
    pub busy: f64,
    /// Idle with no I/O outstanding.
    pub idle: f64,
    /// Idle while a task that last ran here waited for I/O.
    pub iowait: f64,
    /// Steal time: the hypervisor ran something else.
    pub steal: f64,
    /// Of the busy time that of interrupts, and of softirqs.
    pub irq: f64,
    pub softirq: f64,
}

/// Times of the machine's CPUs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CpuTimes {
    /// Summed over CPUs.
    pub all: Times,
    /// Each online CPU.
    pub per_cpu: BTreeMap<u32, Times>,
}

impl CpuTimes {
    /// Summed over those of these CPUs that are online.
    pub fn of(&self, cpus: &CpuSet) -> Times {
        let each = cpus.iter().filter_map(|cpu| self.per_cpu.get(&cpu));
        each.fold(Times::default(), |sum, times| Times {
            busy: sum.busy + times.busy,
            idle: sum.idle + times.idle,
            iowait: sum.iowait + times.iowait,
            steal: sum.steal + times.steal,
            irq: sum.irq + times.irq,
            softirq: sum.softirq + times.softirq,
        })
    }
}

/// The machine's CPU times from `/proc/stat`; nothing where it is hidden.
pub fn cpu_times() -> Option<CpuTimes> {
    parse_cpu_times(&fs::read_to_string("/proc/stat").ok()?, ticks_per_second())
}

/// The unit of CPU times in /proc.
pub(crate) fn ticks_per_second() -> f64 {
    // SAFETY: takes an integer, returns an integer.
    let ticks = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    // The kernel's USER_HZ on every architecture but Alpha and old ia64.
    if ticks > 0 { ticks as f64 } else { 100.0 }
}

fn parse_cpu_times(stat: &str, per_second: f64) -> Option<CpuTimes> {
    let mut all = None;
    let mut per_cpu = BTreeMap::new();
    for line in stat.lines() {
        let mut words = line.split_ascii_whitespace();
        let Some(name) = words.next().and_then(|word| word.strip_prefix("cpu")) else { continue };
        let ticks: Vec<f64> = words.map_while(|word| word.parse().ok()).collect();
        // user nice system idle iowait irq softirq steal; guest times are already in user and nice.
        let [user, nice, system, idle, iowait, irq, softirq, steal, ..] = ticks[..] else {
            continue;
        };
        let busy = user + nice + system + irq + softirq;
        let [busy, idle, iowait, steal, irq, softirq] =
            [busy, idle, iowait, steal, irq, softirq].map(|ticks| ticks / per_second);
        let times = Times { busy, idle, iowait, steal, irq, softirq };
        match name.parse() {
            Ok(cpu) => {
                per_cpu.insert(cpu, times);
            }
            Err(_) if name.is_empty() => all = Some(times),
            Err(_) => {}
        }
    }
    Some(CpuTimes { all: all?, per_cpu })
}

/// The number behind a name with which a line begins, as the kernel writes many of its counters.
pub(crate) fn counter(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines();
    let number = lines.find_map(|l| l.strip_prefix(name)?.strip_prefix(char::is_whitespace));
    number?.trim().parse().ok()
}

/// Pages read from and written to swap since boot, from `/proc/vmstat`.
pub fn swap_activity() -> Option<(u64, u64)> {
    parse_swap(&fs::read_to_string("/proc/vmstat").ok()?)
}

fn parse_swap(vmstat: &str) -> Option<(u64, u64)> {
    Some((counter(vmstat, "pswpin")?, counter(vmstat, "pswpout")?))
}

/// Interrupts since boot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InterruptCounts {
    /// Interrupts of devices, timers and other CPUs.
    pub hard: u64,
    /// Softirqs.
    pub soft: u64,
}

/// Thermal throttling events of these CPUs and their packages since boot; nothing in guests and on other processors than
/// Intel's.
pub fn throttles(cpus: &CpuSet) -> Option<u64> {
    throttles_below(Path::new("/sys/devices/system/cpu"), cpus)
}

fn throttles_below(folder: &Path, cpus: &CpuSet) -> Option<u64> {
    let count = |cpu: u32, whose: &str| -> Option<u64> {
        let file = folder.join(format!("cpu{cpu}/thermal_throttle/{whose}_throttle_count"));
        fs::read_to_string(file).ok()?.trim().parse().ok()
    };
    cpus.iter()
        .flat_map(|cpu| [count(cpu, "core"), count(cpu, "package")])
        .flatten()
        .reduce(u64::saturating_add)
}

/// Interrupts of these CPUs, from `/proc/interrupts` and `/proc/softirqs`; nothing where they are hidden.
pub fn interrupts(cpus: &CpuSet) -> Option<InterruptCounts> {
    let sum = |file: &str| Some(sum_of_columns(&fs::read(file).ok()?, cpus));
    Some(InterruptCounts { hard: sum("/proc/interrupts")?, soft: sum("/proc/softirqs")? })
}

fn sum_of_columns(table: &[u8], cpus: &CpuSet) -> u64 {
    let mut sum = 0;
    each_line(table, &|cpu| cpus.contains(cpu), &mut |_, count, _| sum += count);
    sum
}

/// The load of the machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tasks {
    /// Tasks running or ready to run now, this one included.
    pub running: u64,
    /// Load averages over 1, 5 and 15 minutes.
    pub load: [f64; 3],
}

/// From `/proc/stat` and `/proc/loadavg`; nothing where they are hidden.
pub fn running_tasks() -> Option<Tasks> {
    parse_tasks(&fs::read_to_string("/proc/stat").ok()?, &fs::read_to_string("/proc/loadavg").ok()?)
}

fn parse_tasks(stat: &str, loadavg: &str) -> Option<Tasks> {
    let running = counter(stat, "procs_running")?;
    let load: Vec<f64> =
        loadavg.split_ascii_whitespace().take(3).map_while(|word| word.parse().ok()).collect();
    Some(Tasks { running, load: load.try_into().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str = "cpu  200 10 100 1000 50 5 5 80 20 0 0\ncpu0 100 10 50 400 50 5 5 80 20 0\n\
        cpu7 100 0 50 600 0 0 0 0 0 0\nintr 5 6\nprocs_running 3\nprocs_blocked 0\n";

    #[test]
    fn stat_is_parsed_in_seconds() {
        let times = parse_cpu_times(STAT, 100.0).unwrap();
        let all = times.all;
        assert_eq!((all.busy, all.idle, all.iowait, all.steal), (3.2, 10.0, 0.5, 0.8));
        assert_eq!(times.per_cpu.keys().copied().collect::<Vec<_>>(), [0, 7]);
        let on = |cpus: &str| times.of(&cpus.parse().unwrap());
        assert_eq!((on("0").softirq, on("0,7").idle, on("7,9").busy), (0.05, 10.0, 1.5));
        assert_eq!(times.per_cpu[&7].idle, 6.0);
        assert_eq!(parse_cpu_times("intr 5\n", 100.0), None);
        assert_eq!(parse_cpu_times("cpu  1 2 3\n", 100.0), None);
    }

    #[test]
    fn throttles_are_those_of_the_cpus_that_tell() {
        let folder = tempfile::tempdir().unwrap();
        for (cpu, core, package) in [(0, "3\n", "40\n"), (1, "5\n", "x"), (2, "7\n", "0\n")] {
            let below = folder.path().join(format!("cpu{cpu}/thermal_throttle"));
            fs::create_dir_all(&below).unwrap();
            fs::write(below.join("core_throttle_count"), core).unwrap();
            fs::write(below.join("package_throttle_count"), package).unwrap();
        }
        let of = |cpus: &str| throttles_below(folder.path(), &cpus.parse().unwrap());
        assert_eq!((of("0-1"), of("1,9"), of("9")), (Some(48), Some(5), None));
    }

    #[test]
    fn tasks_and_swap_are_parsed_or_absent() {
        let tasks = parse_tasks(STAT, "0.50 1.25 2.00 3/150 4242\n").unwrap();
        assert_eq!(tasks, Tasks { running: 3, load: [0.5, 1.25, 2.0] });
        assert_eq!(parse_tasks(STAT, "0.50 x"), None);
        assert_eq!(parse_tasks("", "0.50 1.25 2.00 3/150 4242\n"), None);
        assert_eq!(parse_swap("pgpgin 1\npswpin 12\npswpout 34\n"), Some((12, 34)));
        assert_eq!(parse_swap("pgpgin 1\n"), None);
    }

    #[test]
    fn interrupts_are_added_up_by_the_columns_of_their_cpus() {
        let table =
            b"           CPU0       CPU2       CPU7\n  4:  1  10  100  IO-APIC  4-edge ttyS0\n\
            LOC:  2  20  200  Local timer interrupts\nERR:  5\n";
        let of = |cpus: &str| sum_of_columns(table, &cpus.parse().unwrap());
        assert_eq!((of("0"), of("2,7"), of("1"), of("")), (3, 330, 0, 0));
        assert_eq!(sum_of_columns(b"   CPU0\n1: 7 x\nERR: 5\n", &"0".parse().unwrap()), 7);
        assert!(interrupts(&CpuSet::default()).is_none_or(|all| all == InterruptCounts::default()));
    }

    #[test]
    fn a_process_is_parsed_until_it_has_ended() {
        let stat = "7 (a) b) R 1 7 7 0 -1 0 11 12 13 14 150 250 0 0 20 0 1 0";
        let parsed = |stat: &str| usage_of(&ProcessStat::parse(stat)?, 100.0);
        let usage = parsed(stat).unwrap();
        assert_eq!((usage.cpu_seconds, usage.system_seconds), (4.0, 2.5));
        assert_eq!((usage.minor_faults, usage.major_faults), (11, 13));
        assert_eq!(parsed(&stat.replace(" R ", " Z ")), None);
        assert_eq!(parsed("7 (a) R 1"), None);
        assert!(process_usage(std::process::id()).is_some());
        assert_eq!(process_usage(u32::MAX), None);
    }

    #[test]
    fn queues_are_parsed_or_absent() {
        let queue = parse_queue("2000000000 500000000 7\n").unwrap();
        assert_eq!(queue, Schedstat { on_cpu: 2.0, waited: 0.5 });
        assert_eq!(parse_queue("0 0 0\n"), None, "a kernel that keeps no accounts");
        assert_eq!(parse_queue("5 x"), None);
        assert_eq!(process_schedstat(u32::MAX), None);
        let (Some(open), Some(before)) = (ThreadSchedstat::open(), thread_schedstat()) else {
            return;
        };
        let (kept, after) = (open.now().unwrap(), thread_schedstat().unwrap());
        assert!(before.on_cpu <= kept.on_cpu && kept.on_cpu <= after.on_cpu, "{before:?} {kept:?}");
        assert!(before.waited <= kept.waited && kept.waited <= after.waited);
    }

    #[test]
    fn usages_add_up_but_for_the_largest_size() {
        let one =
            Usage { cpu_seconds: 1.0, minor_faults: 2, max_rss_bytes: 10, ..Usage::default() };
        let other = Usage { system_seconds: 0.5, max_rss_bytes: 30, ..one };
        let both = one.plus(&other);
        assert_eq!((both.cpu_seconds, both.system_seconds), (2.0, 0.5));
        assert_eq!((both.minor_faults, both.max_rss_bytes), (4, 30));
    }

    #[test]
    fn this_process_has_used_something() {
        let before = process();
        let mut sum = 0u64;
        while process().cpu_seconds <= before.cpu_seconds {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(process().max_rss_bytes > 0);
        assert!(thread().cpu_seconds <= process().cpu_seconds + 1.0);
    }

    #[test]
    fn the_live_machine_reads() {
        let times = cpu_times().unwrap();
        assert!(times.all.busy > 0.0 && !times.per_cpu.is_empty());
        assert!(running_tasks().unwrap().running >= 1);
    }
}
