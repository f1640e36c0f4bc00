//! Where the kernel takes a thread's new pages from, as `numactl` sets it. Threads and processes that are started
//! meanwhile inherit it. Source: set_mempolicy(2).
use crate::{free, syscall};
use record::{CpuSet, Reason};
use std::{io, marker::PhantomData};

/// The calling thread's new pages come from some nodes until this is dropped; then from wherever the thread runs, which is
/// the system's default.
#[derive(Debug)]
pub struct Policy {
    /// The policy is that of the thread that set it.
    _this_thread: PhantomData<*const ()>,
}

/// Spreads the calling thread's new pages over these nodes.
///
/// # Errors
/// A node has no memory or may not be used here, or the system call is forbidden, with the remedy.
pub fn interleave(nodes: &CpuSet) -> Result<Policy, Reason> {
    set(libc::MPOL_INTERLEAVE, nodes, "interleaved over")
}

/// Takes the calling thread's new pages from these nodes and from no others: where they are full, there are none.
///
/// # Errors
/// As for [`interleave`].
pub fn bind(nodes: &CpuSet) -> Result<Policy, Reason> {
    set(libc::MPOL_BIND, nodes, "bound to")
}

fn set(mode: i32, nodes: &CpuSet, how: &str) -> Result<Policy, Reason> {
    if let Some(none) = nodes.iter().find(|node| !free::node_exists(*node)) {
        return Err(Reason::new(format!("there is no node {none}")));
    }
    let list: Vec<u32> = nodes.iter().collect();
    let set = syscall::set_mempolicy(mode, &list);
    set.map_err(|error| refused(how, nodes, &error))?;
    Ok(Policy { _this_thread: PhantomData })
}

impl Drop for Policy {
    fn drop(&mut self) {
        // It cannot fail: the default needs no nodes, and the call was allowed a moment ago.
        let _ = syscall::set_mempolicy(libc::MPOL_DEFAULT, &[]);
    }
}

fn refused(how: &str, nodes: &CpuSet, error: &io::Error) -> Reason {
    match error.raw_os_error() {
        Some(libc::EPERM | libc::ENOSYS) => Reason::mended_by(
            format!("memory cannot be {how} nodes {nodes}: set_mempolicy is forbidden here"),
            "allow the system call set_mempolicy: docker run --cap-add SYS_NICE",
        ),
        _ => Reason::mended_by(
            format!("memory cannot be {how} nodes {nodes}: {error}"),
            "look whether cpuset.mems of the cgroup has these nodes, and whether they have memory (numactl --hardware)",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_interleaves_over_what_there_is_or_is_told_why_not() {
        let first: CpuSet = [0].into_iter().collect();
        let missing: CpuSet = [0, 60_000].into_iter().collect();
        for take in [interleave, bind] {
            match take(&first) {
                Ok(guard) => drop(guard),
                Err(why) => assert!(why.why.contains("nodes 0"), "{why}"),
            }
            assert_eq!(take(&missing).unwrap_err().why, "there is no node 60000");
        }
    }

    #[test]
    fn what_is_forbidden_has_a_remedy() {
        let nodes: CpuSet = [0, 1].into_iter().collect();
        for errno in [libc::EPERM, libc::ENOSYS, libc::EINVAL] {
            let why = refused("bound to", &nodes, &io::Error::from_raw_os_error(errno));
            assert!(why.why.contains("nodes 0,1") && why.remedy.is_some(), "{why}");
        }
    }
}
