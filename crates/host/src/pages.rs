//! Memory of a given page size on a given NUMA node, and its verification.
//!
//! A mapping is not touched, hugetlb pages excepted: without a requested node, the thread that fills it first decides the
//! node.
use crate::{free, syscall};
use kernels::Arena;
use record::{Pages, Reason};
use std::{fs, io};

pub use crate::free::free_on_node;
pub use crate::smaps::{Verified, verify};

/// A request for memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Size in bytes; the mapping behind it is rounded up to whole pages of the kind.
    pub bytes: usize,
    /// Kind of pages.
    pub pages: Pages,
    /// The required node; without one the thread that touches a page first decides.
    pub node: Option<u32>,
}

/// The size of a transparent huge page.
const HUGE_SIZE: &str = "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size";
/// The policy of transparent huge pages.
const HUGE_ENABLED: &str = "/sys/kernel/mm/transparent_hugepage/enabled";

/// Maps zeroed memory as requested, aligned to its page. It is unmapped when the arena is dropped. Call it on the thread
/// that will use the memory: hugetlb pages are allocated at once.
pub fn map(request: &Request) -> Result<Arena, Reason> {
    if request.bytes == 0 {
        return Err(Reason::new("no memory was asked for"));
    }
    if let Some(node) = request.node.filter(|node| !free::node_exists(*node)) {
        return Err(Reason::new(format!("there is no node {node}")));
    }
    let mapping = match request.pages {
        Pages::Base => Mapping::supervised(request.bytes, base_page() as usize, APART)?,
        Pages::Thp => {
            let huge = huge_page()? as usize;
            Mapping::supervised(request.bytes, huge, huge)?
        }
        Pages::Hugetlb(size) => Mapping::reserved(request.bytes, size, request.node)?,
    };
    // From here on a failure drops the mapping, which unmaps it.
    match request.pages {
        Pages::Base => mapping.advise(libc::MADV_NOHUGEPAGE).or_else(|error| match error {
            // A kernel without THP refuses the advice not to use them.
            error if error.raw_os_error() == Some(libc::EINVAL) => Ok(()),
            error => Err(Reason::new(format!("huge pages cannot be refused: {error}"))),
        })?,
        Pages::Thp => mapping.advise(libc::MADV_HUGEPAGE).map_err(|error| {
            Reason::new(format!("transparent huge pages cannot be asked for: {error}"))
        })?,
        Pages::Hugetlb(_) => {}
    }
    // A forked child would share the pages until we write to them. Each would then be copied, a huge one as small pages.
    // A kernel without this advice is no problem.
    let _ = mapping.advise(libc::MADV_DONTFORK);
    if let Some(node) = request.node {
        syscall::bind(mapping.start, mapping.len, node).or_else(|e| unbound(node, &e))?;
    }
    if let Pages::Hugetlb(size) = request.pages {
        mapping.take_now(size)?;
    }
    Ok(mapping.into_arena(request.bytes))
}

/// Alignment of buffers of 4 KiB pages. A Zen core predicts the way of a line by a hash of its linear address, in which pages
/// before and after a multiple of 128 MiB collide (Lipp and others, *Take A Way*, 2020): the first four pages of a buffer
/// that began two pages before one evicted each other from L1.
const APART: usize = 2 << 20;

/// Size of the kernel's base page in bytes.
pub fn base_page() -> u64 {
    // SAFETY: takes an integer, returns an integer.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    // sysconf fails for unknown names only.
    size.max(1) as u64
}

/// Size of a transparent huge page in bytes.
pub fn huge_page() -> Result<u64, Reason> {
    let size = fs::read_to_string(HUGE_SIZE)
        .map_err(|e| Reason::new(format!("no transparent huge pages: {HUGE_SIZE}: {e}")))?;
    let size: u64 =
        size.trim().parse().map_err(|_| Reason::new(format!("{HUGE_SIZE} is no number")))?;
    let says = |path: &str, word: &str| {
        fs::read_to_string(path).is_ok_and(|text| text.contains(&format!("[{word}]")))
    };
    // Since Linux 6.8 each size has its own switch, which may override the common one.
    let own = format!("/sys/kernel/mm/transparent_hugepage/hugepages-{}kB/enabled", size / 1024);
    let common_off = says(HUGE_ENABLED, "never");
    let refused =
        says(&own, "never") || common_off && !says(&own, "always") && !says(&own, "madvise");
    if refused {
        let switch = if common_off { HUGE_ENABLED } else { &own };
        return Err(Reason::mended_by(
            "transparent huge pages are switched off",
            format!("echo madvise | sudo tee {switch}"),
        ));
    }
    Ok(size)
}

/// The reason of a failed binding to a node; nothing where there is only one node.
fn unbound(node: u32, error: &io::Error) -> Result<(), Reason> {
    let forbidden = matches!(error.raw_os_error(), Some(libc::EPERM | libc::ENOSYS));
    match forbidden {
        true if free::single_node() => Ok(()),
        true => Err(Reason::mended_by(
            format!("memory cannot be bound to node {node}: mbind is forbidden here"),
            "allow the system call mbind: docker run --cap-add SYS_NICE",
        )),
        false => Err(Reason::mended_by(
            format!("memory cannot be bound to node {node}: {error}"),
            "look whether cpuset.mems of the cgroup has this node, and whether it has memory (numactl --hardware)",
        )),
    }
}

/// Mapped address space, unmapped when dropped.
#[derive(Debug)]
struct Mapping {
    /// The usable part: whole pages of the requested kind.
    start: usize,
    len: usize,
    /// The usable part with its guards.
    outer: (usize, usize),
}

impl Mapping {
    /// Anonymous memory of whole `unit`s, aligned to `align`, with an inaccessible page on each side. The guards keep the
    /// kernel from merging it with a neighbour, so that smaps shows this buffer alone, and they stop
    /// a kernel that runs past the end.
    fn supervised(bytes: usize, unit: usize, align: usize) -> Result<Mapping, Reason> {
        let page = base_page() as usize;
        let too_large = || Reason::new(format!("{bytes} bytes are more than an address space has"));
        let len = bytes.checked_next_multiple_of(unit).ok_or_else(too_large)?;
        let all = len.checked_add(align + 2 * page).ok_or_else(too_large)?;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let whole = syscall::mmap(all, libc::PROT_NONE, flags).map_err(|e| no_memory(bytes, &e))?;
        let start = (whole + page).next_multiple_of(align);
        let mapping = Mapping { start, len, outer: (whole, all) };
        syscall::make_usable(start, len).map_err(|e| no_memory(bytes, &e))?;
        Ok(mapping)
    }

    /// Memory on hugetlb pages of `size` bytes.
    fn reserved(bytes: usize, size: u64, node: Option<u32>) -> Result<Mapping, Reason> {
        if !size.is_power_of_two() || size < base_page() {
            return Err(Reason::new(format!("{size} bytes is no page size")));
        }
        let align = usize::try_from(size)
            .map_err(|_| Reason::new(format!("{size} bytes is more than an address space has")))?;
        let len = bytes
            .checked_next_multiple_of(align)
            .ok_or_else(|| Reason::new(format!("{bytes} bytes do not fit an address space")))?;
        // The reservation below counts the pages of all nodes; a bound mapping needs them on its own.
        if let Some(node) = node
            && let Some(free) = free::reserved_on_node(node, size)
            && free < (len / align) as u64
        {
            return Err(no_reserve(size, (len / align) as u64, Some(node)));
        }
        let flags = libc::MAP_PRIVATE
            | libc::MAP_ANONYMOUS
            | libc::MAP_HUGETLB
            | (size.trailing_zeros() as i32) << libc::MAP_HUGE_SHIFT;
        let start =
            syscall::mmap(len, libc::PROT_READ | libc::PROT_WRITE, flags).map_err(|error| {
                match error.raw_os_error() {
                    Some(libc::ENOMEM) => no_reserve(size, (len / align) as u64, None),
                    _ => Reason::new(format!("no huge pages of {} KiB here: {error}", size / 1024)),
                }
            })?;
        Ok(Mapping { start, len, outer: (start, len) })
    }

    fn advise(&self, advice: libc::c_int) -> io::Result<()> {
        syscall::advise(self.start, self.len, advice)
    }

    /// Allocates the hugetlb pages now. A cpuset or cgroup that refuses them would kill the process at the first touch; this
    /// call gets an error instead.
    fn take_now(&self, size: u64) -> Result<(), Reason> {
        match self.advise(libc::MADV_POPULATE_WRITE) {
            Ok(()) => Ok(()),
            // Linux before 5.14 has no such call.
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => Ok(()),
            Err(error) => Err(Reason::mended_by(
                format!("{} reserved huge pages are refused: {error}", self.len as u64 / size),
                "check hugetlb limits and cpuset.mems of the cgroup",
            )),
        }
    }

    fn into_arena(self, bytes: usize) -> Arena {
        let start = self.start as *mut u8;
        // SAFETY: `start` begins a private mapping of at least `bytes` bytes that the kernel keeps zeroed, readable and
        // writable; nobody else knows of it, and dropping this value unmaps it.
        unsafe { Arena::from_raw(start, bytes, self) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: a mapping hands out no reference; the arena that it becomes is gone when it drops this.
        unsafe { syscall::unmap(self.outer.0, self.outer.1) };
    }
}

fn no_memory(bytes: usize, error: &io::Error) -> Reason {
    Reason::mended_by(
        format!("no {} MiB of memory: {error}", bytes.div_ceil(1 << 20)),
        "free memory, or raise the limit (ulimit -v, vm.overcommit_memory)",
    )
}

fn no_reserve(size: u64, pages: u64, node: Option<u32>) -> Reason {
    let kib = size / 1024;
    let place = node.map_or(String::new(), |node| format!(" on node {node}"));
    let remedy = match node {
        // vm.nr_hugepages counts pages of the default size, and spreads them over all nodes.
        None if free::default_huge_page() == Some(size) => {
            format!("sudo sysctl vm.nr_hugepages={pages}")
        }
        None => format!(
            "echo {pages} | sudo tee /sys/kernel/mm/hugepages/hugepages-{kib}kB/nr_hugepages"
        ),
        Some(node) => format!(
            "echo {pages} | sudo tee /sys/devices/system/node/node{node}/hugepages/hugepages-{kib}kB/nr_hugepages"
        ),
    };
    Reason::mended_by(format!("fewer than {pages} free reserved pages of {kib} KiB{place}"), remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1 << 20;

    fn arena(bytes: usize, pages: Pages, node: Option<u32>) -> Result<Arena, Reason> {
        let mut arena = map(&Request { bytes, pages, node })?;
        for line in arena.lines_mut() {
            // Written first: a read maps the kernel's huge page of zeros, and a write to it gets base pages on Linux up to 6.12.
            line.0[0] += 1;
            assert_eq!(line.0, [1, 0, 0, 0, 0, 0, 0, 0], "fresh memory is zero");
            line.0 = [1; 8];
        }
        Ok(arena)
    }

    #[test]
    fn base_pages_are_never_huge() {
        let arena = arena(8 * MIB, Pages::Base, None).unwrap();
        let verified = verify(&arena);
        assert_eq!(verified.huge_share, Some(0.0));
        assert_eq!(verified.base_page, base_page());
        assert_eq!(arena.as_ptr() as usize % APART, 0);
    }

    /// How often the kernel had no huge page to give, to any process.
    fn refused() -> u64 {
        let counts = fs::read_to_string("/proc/vmstat").unwrap();
        let count = counts.lines().find_map(|line| line.strip_prefix("thp_fault_fallback "));
        count.map_or(0, |count| count.parse().unwrap())
    }

    #[test]
    fn transparent_pages_are_huge_where_the_kernel_gives_them() {
        let size = match huge_page() {
            Ok(size) => size as usize,
            Err(reason) => return eprintln!("skipped: {reason}"),
        };
        let before = refused();
        let arena = arena(4 * size, Pages::Thp, None).unwrap();
        assert_eq!(arena.as_ptr() as usize % size, 0);
        let share = verify(&arena).huge_share.unwrap();
        assert!(share > 0.9 || refused() > before, "{share}");
    }

    #[test]
    fn a_child_leaves_huge_pages_whole() {
        let _alone = crate::child::alone();
        let size = match huge_page() {
            Ok(size) => size as usize,
            Err(reason) => return eprintln!("skipped: {reason}"),
        };
        let mut arena = arena(4 * size, Pages::Thp, None).unwrap();
        let before = verify(&arena).huge_share;
        let (wait, go) = io::pipe().unwrap();
        // SAFETY: the child reads from a pipe into its own stack and ends, by system calls alone.
        let child = unsafe { libc::fork() };
        if child == 0 {
            let mut byte = 0u8;
            let wait = std::os::fd::AsRawFd::as_raw_fd(&wait);
            // SAFETY: writes at most one byte, into one.
            unsafe { libc::read(wait, (&raw mut byte).cast(), 1) };
            // SAFETY: ends this process, which has no other thread.
            unsafe { libc::_exit(0) };
        }
        arena.lines_mut().iter_mut().for_each(|line| line.0 = [2; 8]);
        let after = verify(&arena).huge_share;
        io::Write::write_all(&mut &go, b"!").unwrap();
        // SAFETY: waits for the child just made; no status is asked for.
        assert_eq!(unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) }, child);
        assert_eq!(after, before);
    }

    #[test]
    fn reserved_pages_are_huge_where_some_are_reserved() {
        let Some(size) = free::default_huge_page() else {
            return eprintln!("skipped: a kernel without reserved huge pages");
        };
        let arena = match arena(size as usize, Pages::Hugetlb(size), None) {
            Ok(arena) => arena,
            Err(reason) => {
                assert!(reason.remedy.is_some(), "{reason}");
                return eprintln!("skipped: {reason}");
            }
        };
        assert_eq!(arena.as_ptr() as usize % size as usize, 0);
        assert_eq!(verify(&arena).huge_share, Some(1.0));
    }

    #[test]
    fn neighbours_do_not_count() {
        if let Err(reason) = huge_page() {
            return eprintln!("skipped: {reason}");
        }
        let before = refused();
        let arenas: Vec<Arena> = [Pages::Base, Pages::Thp, Pages::Base, Pages::Thp]
            .map(|pages| arena(5 * MIB / 2, pages, None).unwrap())
            .into();
        let shares: Vec<f64> = arenas.iter().map(|a| verify(a).huge_share.unwrap()).collect();
        assert!(shares[0] == 0.0 && shares[2] == 0.0, "{shares:?}");
        assert!(shares[1] > 0.9 && shares[3] > 0.9 || refused() > before, "{shares:?}");
    }

    #[test]
    fn an_arena_has_the_size_it_was_asked_for() {
        let arena = arena(100 * 1024, Pages::Base, None).unwrap();
        assert_eq!(arena.bytes(), 100 * 1024);
    }

    #[test]
    fn what_is_dropped_or_only_asked_for_is_given_back() {
        const GIB: usize = 1 << 30;
        let address_space = || {
            let status = fs::read_to_string("/proc/self/status").unwrap();
            let line = status.lines().find_map(|line| line.strip_prefix("VmSize:")).unwrap();
            line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
        };
        let before = address_space();
        for _ in 0..64 {
            drop(map(&Request { bytes: GIB, pages: Pages::Base, node: None }).unwrap());
            syscall::check_address_space(GIB).unwrap();
        }
        assert!(syscall::check_address_space(usize::MAX / 2).is_err());
        assert!(address_space() < before + 32 * GIB);
    }

    #[test]
    fn node_zero_is_verified() {
        let arena = match arena(4 * MIB, Pages::Base, Some(0)) {
            Ok(arena) => arena,
            Err(reason) => return eprintln!("skipped: {reason}"),
        };
        let nodes = verify(&arena).nodes;
        if nodes.is_empty() {
            return eprintln!("skipped: move_pages and get_mempolicy are forbidden here");
        }
        assert_eq!(nodes, std::collections::BTreeMap::from([(0, 1.0)]));
    }

    #[test]
    fn only_a_machine_with_one_node_shrugs_at_a_forbidden_binding() {
        let error = |code| io::Error::from_raw_os_error(code);
        assert_eq!(unbound(0, &error(libc::EPERM)).is_ok(), free::single_node());
        assert_eq!(unbound(0, &error(libc::ENOSYS)).is_ok(), free::single_node());
        assert!(unbound(0, &error(libc::EINVAL)).is_err());
    }

    #[test]
    fn what_cannot_be_had_is_said() {
        let ask = |bytes, pages, node| map(&Request { bytes, pages, node }).unwrap_err();
        assert!(ask(0, Pages::Base, None).why.contains("no memory"));
        assert!(ask(usize::MAX, Pages::Base, None).why.contains("address space"));
        assert!(ask(usize::MAX / 4, Pages::Base, None).why.contains("no "));
        assert!(ask(MIB, Pages::Base, Some(70_000)).why.contains("no node 70000"));
        assert!(ask(MIB, Pages::Hugetlb(2 << 20), Some(1000)).why.contains("no node 1000"));
        assert!(ask(MIB, Pages::Hugetlb(3000), None).why.contains("page size"));
        // More than any machine has reserved: 16 TiB.
        let reason = ask(1 << 44, Pages::Hugetlb(2 << 20), None);
        assert!(reason.remedy.is_some() || reason.why.contains("no huge pages"), "{reason}");
    }
}
