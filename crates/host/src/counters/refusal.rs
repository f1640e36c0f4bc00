//! Reasons why counters are not available, with remedies.
use record::Reason;
use std::{fs, io};

const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";
const WATCHDOG: &str = "/proc/sys/kernel/nmi_watchdog";

/// The scope that was asked for; permissions differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeKind {
    /// This process, or what it started.
    Own,
    /// A running process.
    Process(u32),
    /// Everything on some CPUs.
    System,
}

/// `kernel.perf_event_paranoid`; nothing where it cannot be read.
pub(super) fn paranoia() -> Option<i32> {
    fs::read_to_string(PARANOID).ok()?.trim().parse().ok()
}

/// Whether the NMI watchdog holds a counter of every CPU; nothing where that cannot be read.
pub(super) fn watchdog() -> Option<bool> {
    Some(fs::read_to_string(WATCHDOG).ok()?.trim() == "1")
}

/// The folder in which the kernel lists its PMUs, and the events of each.
const DEVICES: &str = "/sys/bus/event_source/devices";

/// The PMUs of the machine's CPUs that the kernel has found.
fn pmus() -> Vec<String> {
    let Ok(devices) = fs::read_dir(DEVICES) else { return vec![] };
    let names = devices.filter_map(|device| device.ok()?.file_name().into_string().ok());
    names.filter(|name| name.starts_with("cpu") || name.contains("pmuv3")).collect()
}

/// Whether the kernel lists this event for the processor; nothing if it lists no events.
pub fn is_listed(name: &str) -> Option<bool> {
    let mut listed = None;
    for pmu in pmus() {
        let Ok(events) = fs::read_dir(format!("{DEVICES}/{pmu}/events")) else { continue };
        let found = events.filter_map(Result::ok).any(|event| event.file_name() == name);
        listed = Some(listed.unwrap_or(false) || found);
    }
    listed
}

/// The reason for an errno.
pub(super) fn refusal(
    (scope, event): (ScopeKind, &str),
    errno: i32,
    paranoid: Option<i32>,
) -> Reason {
    let level = paranoid.map_or(String::new(), |l| format!(" (kernel.perf_event_paranoid is {l})"));
    match (errno, scope) {
        (libc::EACCES | libc::EPERM, ScopeKind::System) => Reason::mended_by(
            format!("counting system-wide is forbidden here{level}: it needs CAP_PERFMON"),
            "sysctl kernel.perf_event_paranoid=0, or run as root or with CAP_PERFMON",
        ),
        (libc::EACCES | libc::EPERM, ScopeKind::Process(pid)) => Reason::mended_by(
            format!("process {pid} may not be counted: it belongs to another user{level}"),
            "run as its user, as root, or with CAP_PERFMON",
        ),
        // From 3 on (Debian's and Android's addition) users may not count even themselves.
        (libc::EACCES | libc::EPERM, _) if paranoid.is_none_or(|level| level > 2) => {
            Reason::mended_by(
                format!("hardware counters are forbidden here{level}: they need CAP_PERFMON"),
                "sysctl kernel.perf_event_paranoid=1, or run as root or with CAP_PERFMON",
            )
        }
        (libc::EACCES | libc::EPERM, _) => Reason::mended_by(
            "hardware counters are forbidden here, though not by kernel.perf_event_paranoid: probably by the \
             container's system call filter",
            "run outside the container, or allow it perf_event_open (a seccomp profile, or CAP_PERFMON)",
        ),
        (libc::ESRCH, _) => Reason::new("the process ended before it could be counted"),
        (libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV | libc::EINVAL | libc::ENXIO, _)
            if !pmus().is_empty() =>
        {
            Reason::new(format!("this processor does not count {event}"))
        }
        (libc::ENOENT | libc::EOPNOTSUPP | libc::ENODEV, _) => Reason::mended_by(
            "no PMU in this guest: the machine has no hardware counters",
            "give the guest a virtual PMU (QEMU: -cpu host,pmu=on; on hosts of Linux 7.0 and later KVM can hand over the \
             whole PMU: kvm_intel.enable_mediated_pmu=1 or kvm_amd.enable_mediated_pmu=1), or measure on its host",
        ),
        (libc::ENOSYS, _) => Reason::mended_by(
            "this kernel, or a sandbox before it, has no system call perf_event_open",
            "run outside the sandbox, or boot a kernel with CONFIG_PERF_EVENTS",
        ),
        (libc::EMFILE | libc::ENFILE, _) => Reason::mended_by(
            "there is no file descriptor left for hardware counters",
            "ulimit -n 65536, or count fewer events (--events)",
        ),
        (libc::EBUSY, _) => Reason::mended_by(
            "the hardware counters are busy: another tool has them to itself",
            "end other users of perf",
        ),
        (other, _) => Reason::new(format!(
            "cannot open hardware counters: {}",
            io::Error::from_raw_os_error(other)
        )),
    }
}

/// The reason for counters that never ran although their program did.
pub(super) fn starved(watchdog: Option<bool>) -> Reason {
    match watchdog {
        Some(true) => Reason::mended_by(
            "the counters never ran: the NMI watchdog holds one, and others had the rest all the time",
            "sysctl kernel.nmi_watchdog=0, and end other users of perf",
        ),
        _ => Reason::mended_by(
            "the counters never ran: others had them all the time, or nothing was executed",
            "end other users of perf, and count fewer events at once (--events)",
        ),
    }
}

/// The reason for kernel events where only user mode may be counted.
pub(super) fn kernel_only(event: &str) -> Reason {
    Reason::mended_by(
        format!("{event} happen in the kernel, and only user mode may be counted here"),
        "sysctl kernel.perf_event_paranoid=1, or run as root or with CAP_PERFMON",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_refusal_has_its_own_reason_and_remedy() {
        let pid = ScopeKind::Process(7);
        let cases = [
            (ScopeKind::Own, libc::EACCES, Some(4), "is 4)"),
            (ScopeKind::Own, libc::EPERM, None, "forbidden here:"),
            (ScopeKind::Own, libc::EPERM, Some(2), "filter"),
            (ScopeKind::System, libc::EACCES, Some(2), "system-wide"),
            (pid, libc::EACCES, Some(2), "process 7"),
            (ScopeKind::Own, libc::ENOSYS, None, "perf_event_open"),
            (ScopeKind::Own, libc::EMFILE, Some(2), "descriptor"),
            (ScopeKind::Own, libc::EBUSY, Some(2), "busy"),
        ];
        let mut seen = BTreeSet::new();
        for (scope, errno, paranoid, words) in cases {
            let reason = refusal((scope, "cycles"), errno, paranoid);
            assert!(reason.why.contains(words), "{reason}");
            assert!(reason.remedy.is_some(), "{reason}");
            assert!(seen.insert(reason.why), "two refusals look alike");
        }
        let own = |errno| refusal((ScopeKind::Own, "cycles"), errno, None);
        assert_eq!(own(libc::EOPNOTSUPP), own(libc::ENOENT));
        assert_ne!(starved(Some(true)), starved(None));
    }
}
