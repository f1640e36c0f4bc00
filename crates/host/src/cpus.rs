//! The CPUs a thread may use, and the one it is on.
use crate::{process_stat::numbers, syscall::checked};
use record::{CpuSet, Reason};
use std::{cell::Cell, collections::BTreeSet, ffi::c_ulong, io, marker::PhantomData};

/// Bits in one word of a CPU mask.
const WORD: usize = c_ulong::BITS as usize;

thread_local! {
    /// The CPU that the calling thread is pinned to. The kernel's mask does not show it: the kernel widens the mask when
    /// that CPU goes offline or leaves the cpuset.
    static PINNED: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Pins the calling thread to one CPU until this is dropped, which restores its old mask.
#[derive(Debug)]
pub struct Pinned {
    old: Vec<c_ulong>,
    /// The CPU that it was pinned to before.
    outer: Option<u32>,
    /// The old mask belongs to the thread that was pinned, so the guard may not be sent to another.
    _this_thread: PhantomData<*const ()>,
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // Fails only if every old CPU went offline or out of the cpuset meanwhile. Then no better mask
        // is known, and the thread stays where it is.
        let _ = set_mask(0, &self.old);
        PINNED.set(self.outer);
    }
}

/// Pins the calling thread to `cpu` and moves it there before returning. `EINVAL` means that the CPU is offline, does not
/// exist, or is outside the cpuset.
pub fn pin(cpu: u32) -> io::Result<Pinned> {
    if cpu > CpuSet::MAX {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let old = mask()?;
    confine(0, &[cpu].into_iter().collect())?;
    Ok(Pinned { old, outer: PINNED.replace(Some(cpu)), _this_thread: PhantomData })
}

/// The CPU that [`pin`] pinned the calling thread to, even if the CPU went offline since; nothing for an unpinned thread.
pub fn pinned_to() -> Option<u32> {
    PINNED.get()
}

/// The reason why a thread cannot run on a CPU, and where to look.
pub fn refusal(cpu: u32, error: &io::Error) -> Reason {
    let why = match error.raw_os_error() {
        // The kernel leaves out of the mask what is offline or not in the cpuset, and finds nothing left of it.
        Some(libc::EINVAL) => "it is offline, or outside this process's cpuset".to_owned(),
        _ => error.to_string(),
    };
    Reason::mended_by(
        format!("CPU {cpu} cannot be used: {why}"),
        "choose from the CPUs that are online and allowed here (taskset -pc $$), with --cpus",
    )
}

/// The CPU that the calling thread runs on now; nothing where getcpu fails.
pub fn current_cpu() -> Option<u32> {
    // SAFETY: takes nothing and writes nothing of ours.
    u32::try_from(unsafe { libc::sched_getcpu() }).ok()
}

/// The CPUs that the calling thread may use after `taskset`, the container's cpuset and pinning.
pub fn affinity() -> io::Result<CpuSet> {
    let mask = mask()?;
    let bit = |cpu: &u32| mask[*cpu as usize / WORD] >> (*cpu as usize % WORD) & 1 == 1;
    Ok((0..(mask.len() * WORD) as u32).filter(bit).collect())
}

fn mask() -> io::Result<Vec<c_ulong>> {
    // libc's fixed cpu_set_t ends at 1024 CPUs. The kernel refuses (EINVAL) any buffer smaller than its
    // own mask, without saying how large that is.
    let mut words = 1024 / WORD;
    loop {
        let mut mask: Vec<c_ulong> = vec![0; words];
        let bytes = size_of_val(&mask[..]);
        // SAFETY: the kernel writes at most `bytes` bytes, and `mask` has exactly that many, in the
        // words (c_ulong) that the interface is defined in. Thread 0 is the calling one.
        let got = unsafe { libc::sched_getaffinity(0, bytes, mask.as_mut_ptr().cast()) };
        if got == 0 {
            return Ok(mask);
        }
        let error = io::Error::last_os_error();
        if error.raw_os_error() != Some(libc::EINVAL) || words * WORD > CpuSet::MAX as usize {
            return Err(error);
        }
        words *= 2;
    }
}

/// Scans of a process that keeps starting threads.
const SCANS: usize = 100;

/// Confines all threads of a process to these CPUs, including those that start meanwhile. Threads inherit the mask, so two
/// equal scans mean that all are confined. `EINVAL` as for [`pin`].
pub fn confine_process(pid: u32, cpus: &CpuSet) -> io::Result<()> {
    let mut before = BTreeSet::new();
    for _ in 0..SCANS {
        let now: BTreeSet<u32> = numbers(format!("/proc/{pid}/task"))?.collect();
        if now == before {
            return Ok(());
        }
        for task in &now {
            match confine(task.cast_signed(), cpus) {
                // It has ended meanwhile.
                Err(error) if error.raw_os_error() == Some(libc::ESRCH) => {}
                other => other?,
            }
        }
        before = now;
    }
    Err(io::Error::other("it starts threads all the time"))
}

/// Confines a thread (0: the calling one), and what it starts later, to these CPUs within its cpuset. `EINVAL` as for [`pin`].
pub fn confine(pid: libc::pid_t, cpus: &CpuSet) -> io::Result<()> {
    let last = cpus.iter().next_back().ok_or(io::ErrorKind::InvalidInput)?;
    let mut words = vec![0; mask()?.len().max(last as usize / WORD + 1)];
    cpus.iter().for_each(|cpu| words[cpu as usize / WORD] |= 1 << (cpu as usize % WORD));
    set_mask(pid, &words)
}

fn set_mask(pid: libc::pid_t, mask: &[c_ulong]) -> io::Result<()> {
    // SAFETY: the kernel reads `size_of_val(mask)` bytes, which is how long the slice is.
    checked(unsafe { libc::sched_setaffinity(pid, size_of_val(mask), mask.as_ptr().cast()) })
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pinning_reads_back_and_is_undone() {
        let before = affinity().unwrap();
        for cpu in before.iter() {
            let pinned = pin(cpu).unwrap();
            assert_eq!(current_cpu(), Some(cpu));
            assert_eq!(affinity().unwrap(), [cpu].into_iter().collect());
            assert_eq!(pinned_to(), Some(cpu));
            drop(pinned);
            assert_eq!(affinity().unwrap(), before);
        }
    }

    #[test]
    fn all_threads_of_a_process_are_confined() {
        let _alone = crate::child::alone();
        let cpus = affinity().unwrap();
        let one: CpuSet = cpus.iter().take(1).collect();
        let mut child = std::process::Command::new("sleep").arg("100").spawn().unwrap();
        confine_process(child.id(), &one).unwrap();
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(status.contains(&format!("Cpus_allowed_list:\t{one}\n")), "{status}");
        assert!(confine_process(u32::MAX, &one).is_err());
        assert!(confine(0, &CpuSet::default()).is_err());
    }

    #[test]
    fn nested_pins_unwind_in_order() {
        let before = affinity().unwrap();
        let (first, last) = (before.first().unwrap(), before.iter().next_back().unwrap());
        let outer = pin(first).unwrap();
        let inner = pin(last).unwrap();
        assert_eq!(pinned_to(), Some(last));
        assert_eq!(current_cpu(), Some(last));
        drop(inner);
        assert_eq!(pinned_to(), Some(first));
        assert_eq!(current_cpu(), Some(first));
        drop(outer);
        assert_eq!(pinned_to(), None);
        assert_eq!(affinity().unwrap(), before);
    }

    /// The kernel gives a thread whose CPU goes offline the mask of its cpuset.
    #[test]
    fn a_thread_knows_its_cpu_when_it_was_taken_away() {
        let before = affinity().unwrap();
        let last = before.iter().next_back().unwrap();
        let pinned = pin(last).unwrap();
        confine(0, &before).unwrap();
        assert_eq!((pinned_to(), affinity().unwrap()), (Some(last), before.clone()));
        // Another thread's are its own.
        std::thread::scope(|scope| {
            scope.spawn(|| assert_eq!(pinned_to(), None));
        });
        drop(pinned);
        assert_eq!(pinned_to(), None);
    }

    #[test]
    fn a_cpu_that_does_not_exist_is_refused() {
        let before = affinity().unwrap();
        let error = pin(CpuSet::MAX).unwrap_err();
        assert!(refusal(CpuSet::MAX, &error).why.contains("it is offline"), "{error:?}");
        assert!(pin(u32::MAX).is_err());
        assert_eq!(affinity().unwrap(), before);
    }
}
