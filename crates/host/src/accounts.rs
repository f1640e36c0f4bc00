//! Kernel accounts of one CPU, one thread, its control groups and the other tasks: they show what took a CPU from a thread.
//! Source: proc(5), cgroups(7), Documentation/admin-guide/cgroup-v2.rst, getrusage(2).
use crate::{
    cpus,
    process_stat::{ProcessStat, numbers},
    usage,
};
use record::Reason;
use std::{
    collections::BTreeMap,
    fs::{self, File},
    os::unix::fs::FileExt,
};

/// Switches and faults of the calling thread so far. Two system calls, cheap enough to read after every detour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ThreadEvents {
    /// Context switches, voluntary and involuntary.
    pub switches: u64,
    /// Page faults.
    pub faults: u64,
    /// The CPU it is on.
    pub cpu: Option<u32>,
}

impl ThreadEvents {
    pub fn now() -> ThreadEvents {
        let used = usage::thread();
        ThreadEvents {
            switches: used.ctx_involuntary + used.ctx_voluntary,
            faults: used.minor_faults + used.major_faults,
            cpu: cpus::current_cpu(),
        }
    }
}

/// How often and how long control groups were throttled by their CPU quota.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Throttled {
    /// Periods with throttling.
    pub times: u64,
    /// Seconds, summed over CPUs.
    pub seconds: f64,
}

/// The open `cpu.stat` files of this process's control group and its ancestors.
#[derive(Debug)]
pub struct Quota(Vec<File>);

impl Quota {
    /// Opens the files that count throttling; nothing where none does.
    pub fn open() -> Option<Quota> {
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let files: Vec<File> = places(&own)
            .into_iter()
            .filter_map(|path| File::open(path).ok())
            .filter(|file| throttled(&text(file)).is_some())
            .collect();
        (!files.is_empty()).then_some(Quota(files))
    }
    /// The sum over all groups since they were created.
    pub fn now(&self) -> Throttled {
        let each = self.0.iter().filter_map(|file| throttled(&text(file)));
        each.fold(Throttled::default(), |a, b| Throttled {
            times: a.times + b.times,
            seconds: a.seconds + b.seconds,
        })
    }
}

/// Candidate files of this process, innermost first: cgroup v2, and v1 at its usual mount points.
fn places(own: &str) -> Vec<String> {
    let mut all = vec![];
    for line in own.lines().take(64) {
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(names), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let tops: &[&str] = match names {
            "" => &["/sys/fs/cgroup", "/sys/fs/cgroup/unified"],
            names if names.split(',').any(|n| n == "cpu") => {
                &["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"]
            }
            _ => continue,
        };
        let parts: Vec<&str> = path.split('/').filter(|p| !p.is_empty()).take(32).collect();
        if parts.contains(&"..") {
            continue;
        }
        for top in tops {
            for depth in (0..=parts.len()).rev() {
                let folder = [&[*top], &parts[..depth]].concat().join("/");
                all.push(format!("{folder}/cpu.stat"));
            }
        }
    }
    all
}

fn text(file: &File) -> String {
    let mut buffer = [0u8; 4096];
    let length = file.read_at(&mut buffer, 0).unwrap_or(0);
    String::from_utf8_lossy(&buffer[..length]).into_owned()
}

/// v2 counts microseconds, v1 nanoseconds.
fn throttled(stat: &str) -> Option<Throttled> {
    let seconds = match usage::counter(stat, "throttled_usec") {
        Some(us) => us as f64 * 1e-6,
        None => usage::counter(stat, "throttled_time")? as f64 * 1e-9,
    };
    Some(Throttled { times: usage::counter(stat, "nr_throttled")?, seconds })
}

/// Seconds in which at least one task of the machine waited for a CPU (pressure stall information); nothing where the
/// kernel has no PSI. Source: kernel, Documentation/accounting/psi.rst.
pub fn pressure() -> Option<f64> {
    stalled(&fs::read_to_string("/proc/pressure/cpu").ok()?)
}

fn stalled(pressure: &str) -> Option<f64> {
    let some = pressure.lines().find_map(|line| line.strip_prefix("some "))?;
    let total = some.split_ascii_whitespace().find_map(|word| word.strip_prefix("total="))?;
    total.parse::<u64>().ok().map(|us| us as f64 * 1e-6)
}

/// System management interrupts of this CPU since reset: MSR_SMI_COUNT (34h) of Intel processors.
pub fn system_management_interrupts(cpu: u32) -> Result<u64, Reason> {
    const MSR_SMI_COUNT: u64 = 0x34;
    let denied = |e: std::io::Error| {
        Reason::mended_by(
            format!("the count of system management interrupts cannot be read: {e}"),
            "on a processor of Intel's, not in a guest: as root, modprobe msr",
        )
    };
    let file = File::open(format!("/dev/cpu/{cpu}/msr")).map_err(denied)?;
    let mut bytes = [0; 8];
    file.read_exact_at(&mut bytes, MSR_SMI_COUNT).map_err(denied)?;
    Ok(u64::from_le_bytes(bytes) & 0xffff_ffff)
}

/// A task of another process: its CPU time so far, and the CPU that it last ran on.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Its name, at most 15 characters.
    pub name: String,
    /// CPU seconds.
    pub seconds: f64,
    /// The CPU it ran on last.
    pub cpu: u32,
}

/// Limit of tasks to read, at some 20 us each.
const MOST_TASKS: usize = 20_000;

/// Every visible task of other processes by thread id, kernel threads included.
pub fn tasks() -> BTreeMap<u32, Task> {
    let own = std::process::id();
    let mut all = BTreeMap::new();
    for pid in numbers("/proc").into_iter().flatten().filter(|pid| *pid != own) {
        for tid in numbers(format!("/proc/{pid}/task")).into_iter().flatten() {
            if all.len() >= MOST_TASKS {
                return all;
            }
            let path = format!("/proc/{pid}/task/{tid}");
            // A task that ends meanwhile is left out.
            let read = || {
                let ran = fs::read_to_string(format!("{path}/schedstat")).ok()?;
                let seconds = ran.split(' ').next()?.parse::<u64>().ok()? as f64 * 1e-9;
                let stat = ProcessStat::of(&path)?;
                Some(Task { cpu: stat.field(39)?, name: stat.name, seconds })
            };
            all.extend(read().map(|task| (tid, task)));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_looked_for_from_the_inside_out() {
        let v2 = places("0::/user.slice/job\n");
        assert_eq!(v2[0], "/sys/fs/cgroup/user.slice/job/cpu.stat");
        assert_eq!(v2[2], "/sys/fs/cgroup/cpu.stat");
        let v1 = places("5:cpuset:/a\n4:cpu,cpuacct:/docker/x\n0::/../..\n");
        assert_eq!(v1[0], "/sys/fs/cgroup/cpu/docker/x/cpu.stat");
        assert_eq!(v1.len(), 6, "{v1:?}");
    }

    #[test]
    fn throttling_of_both_versions_is_seconds() {
        let v2 = "usage_usec 5\nnr_periods 10\nnr_throttled 3\nthrottled_usec 250000\n";
        assert_eq!(throttled(v2), Some(Throttled { times: 3, seconds: 0.25 }));
        let v1 = "nr_periods 10\nnr_throttled 4\nthrottled_time 500000000\n";
        assert_eq!(throttled(v1), Some(Throttled { times: 4, seconds: 0.5 }));
        assert_eq!(throttled("usage_usec 5\n"), None);
    }

    #[test]
    fn pressure_is_that_of_some_tasks_in_seconds() {
        let text = "some avg10=1.53 avg60=0.87 avg300=0.73 total=2500000\n\
                    full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n";
        assert_eq!(stalled(text), Some(2.5));
        assert_eq!(stalled(""), None);
    }

    #[test]
    fn the_live_machine_answers_or_does_not() {
        assert!(tasks().values().all(|t| t.seconds >= 0.0 && t.name.len() <= 64));
        if let Some(quota) = Quota::open() {
            let before = quota.now();
            assert!(quota.now().seconds >= before.seconds);
        }
        if let Err(why) = system_management_interrupts(0) {
            assert!(why.remedy.is_some());
        }
        let before = ThreadEvents::now();
        std::thread::sleep(std::time::Duration::from_millis(2));
        assert!(ThreadEvents::now().switches > before.switches);
    }
}
