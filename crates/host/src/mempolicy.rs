//! Memory policy of a thread, as set by `numactl`. New threads and processes inherit it. Source: set_mempolicy(2).
use crate::{free, syscall};
use record::{CpuSet, Reason};
use std::{io, marker::PhantomData};

/// The memory policy of the calling thread until this is dropped, which restores the default: the node the thread runs on.
#[derive(Debug)]
pub struct Placed {
    /// The policy is that of the thread that set it.
    _this_thread: PhantomData<*const ()>,
}

/// Binds new pages to these nodes if there is one, interleaves them over several, and leaves them to the kernel without any.
pub fn on(nodes: &CpuSet) -> Result<Option<Placed>, Reason> {
    match nodes.len() {
        0 => Ok(None),
        1 => bind(nodes).map(Some),
        _ => interleave(nodes).map(Some),
    }
}

/// Interleaves the calling thread's new pages over these nodes, as `numactl --interleave`.
pub fn interleave(nodes: &CpuSet) -> Result<Placed, Reason> {
    set(libc::MPOL_INTERLEAVE, nodes, "interleaved over")
}

/// Binds the calling thread's new pages to these nodes, as `numactl --membind`.
pub fn bind(nodes: &CpuSet) -> Result<Placed, Reason> {
    set(libc::MPOL_BIND, nodes, "bound to")
}

fn set(mode: i32, nodes: &CpuSet, what: &str) -> Result<Placed, Reason> {
    if let Some(none) = nodes.iter().find(|node| !free::node_exists(*node)) {
        return Err(Reason::new(format!("there is no node {none}")));
    }
    let list: Vec<u32> = nodes.iter().collect();
    syscall::set_mempolicy(mode, &list).map_err(|error| refused(what, nodes, &error))?;
    Ok(Placed { _this_thread: PhantomData })
}

impl Drop for Placed {
    fn drop(&mut self) {
        // Cannot fail: the default needs no nodes, and the call was allowed before.
        let _ = syscall::set_mempolicy(libc::MPOL_DEFAULT, &[]);
    }
}

fn refused(what: &str, nodes: &CpuSet, error: &io::Error) -> Reason {
    match error.raw_os_error() {
        Some(libc::EPERM | libc::ENOSYS) => Reason::mended_by(
            format!("memory cannot be {what} nodes {nodes}: set_mempolicy is forbidden here"),
            "allow the system call set_mempolicy: docker run --cap-add SYS_NICE",
        ),
        _ => Reason::mended_by(
            format!("memory cannot be {what} nodes {nodes}: {error}"),
            "look whether cpuset.mems of the cgroup has these nodes, and whether they have memory (numactl --hardware)",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    type Set = fn(&CpuSet) -> Result<Placed, Reason>;

    /// numa_maps shows the mode of memory that was mapped under a policy.
    #[test]
    fn a_thread_has_the_policy_or_is_told_why_not() {
        let first: CpuSet = [0].into_iter().collect();
        for (set, mode) in [(interleave as Set, "interleave"), (bind, "bind")] {
            let of_this_thread = || fs::read_to_string("/proc/thread-self/numa_maps");
            match set(&first) {
                Ok(guard) => {
                    let maps = of_this_thread();
                    drop(guard);
                    // A kernel without NUMA has no such file.
                    let Ok(maps) = maps else { continue };
                    assert!(maps.contains(mode), "{mode}: {maps}");
                    // Another test binds memory of this process meanwhile.
                    let gone = (0..100).any(|_| {
                        std::thread::sleep(std::time::Duration::from_millis(20));
                        !of_this_thread().unwrap().contains(mode)
                    });
                    assert!(gone, "it is gone");
                }
                Err(why) => assert!(why.why.contains("nodes 0"), "{why}"),
            }
            let missing: CpuSet = [0, 60_000].into_iter().collect();
            assert_eq!(set(&missing).unwrap_err().why, "there is no node 60000");
        }
    }

    #[test]
    fn what_is_forbidden_has_a_remedy() {
        let nodes: CpuSet = [0, 1].into_iter().collect();
        for errno in [libc::EPERM, libc::ENOSYS, libc::EINVAL] {
            let why = refused("bound to", &nodes, &io::Error::from_raw_os_error(errno));
            assert!(why.why.contains("bound to nodes 0,1") && why.remedy.is_some(), "{why}");
        }
    }
}
